// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QStringList>
#include <QUrl>
#include <cmath>
#include <utility>

#include "app/base/file_tasks.h"
#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/base/task_bar.h"
#include "app/export/export_controller.h"
#include "app/export/video_bar.h"
#include "app/scene/accessible_panels.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/recent_files.h"
#include "app/session/step_checker.h"
#include "app/session/sweep_process.h"
#include "app/session/user_presets.h"
#include "app/window/instruction_queue.h"
#include "app/window/plot_window.h"
#include "app/window/presentation.h"
#include "app/window/status_line.h"
#include "app/window/theme.h"
#include "app/window/tour_guide.h"
#include "app/window/view_section.h"
#include "app/window/window_place.h"
#include "app/window/window_settings.h"
#include "ui/shell/tour_card.h"

namespace twosphere {
namespace {

constexpr QSize opening_size{1280, 800};
constexpr double opening_share = 0.95;  // largest initial size relative to the screen

}  // namespace

MainWindow::MainWindow(Simulation simulation, const QString& path)
    : run_(std::move(simulation)), messages_(*this) {
  WindowSettings settings = read_settings();
  install_accessible_panels();
  viewport_ = std::make_unique<Viewport>(run_, settings.interface, nullptr);
  dialog_settings_ = settings.dialogs;
  plot_geometry_ = settings.plot_geometry;
  files_ = std::make_unique<FileTasks>(*this, messages_, settings.directory);
  document_ = std::make_unique<DocumentController>(*this, run_, viewport_->interface(), *files_,
                                                   messages_, path);
  document_->set_view_access(
      {.take =
           [this] {
             return view_section(run_, viewport_->interface(), viewport_->chosen_camera());
           },
       .read = [this](const json::Node& view,
                      const std::string& source) -> Result<std::function<void()>> {
         const auto read = read_view_section(view, source, viewport_->interface().settings());
         if (!read) return read.error();
         return std::function<void()>([this, view] { show_view(view); });
       }});
  exports_ =
      std::make_unique<ExportController>(*this, run_, *viewport_, *document_, *files_, messages_);
  instructions_ = std::make_unique<InstructionQueue>(
      run_, *viewport_, session(), [this](ui::Action action) { perform(action); });
  guide_ = std::make_unique<TourGuide>(run_, *viewport_, *document_, *instructions_, messages_);
  dialogs_ = std::make_unique<Dialogs>(
      DialogContext{.window = *this,
                    .run = run_,
                    .viewport = *viewport_,
                    .document = *document_,
                    .exports = *exports_,
                    .settings = dialog_settings_,
                    .perform = [this](ui::Action action) { perform(action); },
                    .begin_tour = [this](const std::string& name) { guide_->begin(name); },
                    .do_exercise =
                        [this](const QString& preset, const QString& instruction) {
                          guide_->do_exercise(preset, instruction);
                        }});
  checker_ = std::make_unique<StepChecker>();
  status_ = std::make_unique<StatusLine>(*this, run_, *viewport_, session());
  presentation_ = std::make_unique<Presentation>(*this, run_, *viewport_);

  setAcceptDrops(true);
  make_menus();
  scale_widgets(1);
  update_title();
  update_edit_menu();
  follow_settings();
  connect_parts();

  const bool has_scene = viewport_->problem().isEmpty();
  // First: a view with OpenGL gives the window another surface, which forgets that it is maximised.
  if (has_scene) setCentralWidget(viewport_.get());
  resize(opening_size.boundedTo(screen()->availableSize() * opening_share));
  restore_place(*this, settings.geometry);
  status_->update();
  if (!has_scene) {
    do_without_scene(viewport_->problem());
    return;
  }
  viewport_->setFocus();
  QMetaObject::invokeMethod(&document_->recovery(), &SessionRecovery::offer_at_start,
                            Qt::QueuedConnection);
}

MainWindow::~MainWindow() { files_->cancel(); }

Session& MainWindow::session() { return document_->session(); }

const Session& MainWindow::session() const { return document_->session(); }

void MainWindow::connect_parts() {
  connect(viewport_.get(), &Viewport::command_sent, &session(), &Session::note);
  connect(viewport_.get(), &Viewport::drawn, &session(), &Session::update);
  connect(viewport_.get(), &Viewport::drawn, this, &MainWindow::finish_view);
  // Queued, because a dialog that is opened inside a frame would draw the view again.
  connect(
      viewport_.get(), &Viewport::drawn, guide_.get(),
      [this] {
        instructions_->advance();
        guide_->update();
      },
      Qt::QueuedConnection);
  connect(viewport_.get(), &Viewport::command_sent, guide_.get(),
          [this](const Command& command) { guide_->note(command); });
  connect(viewport_.get(), &Viewport::tour_called, guide_.get(), &TourGuide::call);
  connect(checker_.get(), &StepChecker::changed, guide_.get(),
          [this](const std::shared_ptr<const ui::StepCheck>& check) { guide_->note(*check); });
  // Queued, because no window is made or destroyed inside a frame.
  connect(viewport_.get(), &Viewport::drawn, this, &MainWindow::follow_plot_window,
          Qt::QueuedConnection);
  connect(&session(), &Session::redraw_requested, viewport_.get(), &Viewport::request_frame);
  connect(&session(), &Session::command_sent, viewport_.get(), &Viewport::frame_after);
  // Queued, so that it is not done inside a frame.
  connect(
      &session(), &Session::changed, this,
      [this] {
        update_title();
        update_edit_menu();
        follow_settings();
      },
      Qt::QueuedConnection);
  // Show the run and not the page of presets, where Enter would open a preset.
  connect(&document_->recovery(), &SessionRecovery::recovering, this, [this] {
    if (viewport_->interface().gallery_open()) perform(ui::Action::presets);
  });
  connect(&document_->recovery(), &SessionRecovery::draft_recovered, this,
          [this](const QString& draft) { dialogs_->open("system", draft); });
  connect(&document_->recovery(), &SessionRecovery::recovered, viewport_.get(),
          &Viewport::request_frame);
  connect(&exports_->video_bar(), &VideoBar::changed, this, &MainWindow::update_actions);
  connect(checker_.get(), &StepChecker::changed, viewport_.get(), &Viewport::show_step_check);

  connect(viewport_.get(), &Viewport::preset_chosen, document_.get(),
          [this](const QString& key) { document_->open_preset(key); });
  connect(viewport_.get(), &Viewport::preset_removal_wanted, this, [this](const QString& file) {
    const auto done = remove_user_preset(file);
    messages_.show_note(
        done ? QStringLiteral("The preset is in the trash: %1.").arg(QFileInfo(file).fileName())
             : to_qstring(done.error().text()));
    viewport_->set_files(user_presets(), recent_entries());
  });
  connect(viewport_.get(), &Viewport::file_chosen, document_.get(),
          [this](const QString& path) { document_->open(path); });
  connect(viewport_.get(), &Viewport::action_chosen, this, &MainWindow::perform);
  connect(viewport_.get(), &Viewport::sweep_wanted, this,
          [this](const QString& path) { dialogs_->open("sweep", path); });
  connect(viewport_.get(), &Viewport::plot_export_wanted, this,
          [this](const ui::PlotSpec& plot) { exports_->export_plot(plot); });
  connect(&run_, &LiveRun::forked, this, [this] {
    messages_.show_note(QStringLiteral("Another run begins here; the one so far is kept."));
  });
  connect(&run_, &LiveRun::rewinding, this, [this] {
    messages_.show_note(QStringLiteral(
        "Another run begins with the changed settings. Undo brings back the earlier one."));
  });
  connect(&replay(), &Replay::rewound, this, [this](std::size_t changes) {
    checker_->cancel();
    viewport_->show_step_check(nullptr);
    messages_.show_note(
        changes == 0
            ? QStringLiteral("At the start of the record. Space replays it, then continues.")
            : QStringLiteral("At the start of the record. Space replays it with its %1; Ctrl+Space "
                             "begins another run without %2.")
                  .arg(changes == 1 ? QStringLiteral("change")
                                    : QStringLiteral("%1 changes").arg(changes),
                       changes == 1 ? QStringLiteral("it") : QStringLiteral("them")));
  });
  connect(&replay(), &Replay::passing_end, this, [this] {
    messages_.show_note(QStringLiteral("The run continues beyond its planned end of %1 s.")
                            .arg(run_.snapshot().end_time));
  });
  connect(&run_, &LiveRun::fork_refused, this, [this] {
    messages_.show_note(
        QStringLiteral("There are %1 runs of this start already: delete one in the list of runs.")
            .arg(max_branches));
  });
  connect(&run_, &LiveRun::own_run_needed, this, &MainWindow::offer_own_run, Qt::QueuedConnection);
  viewport_->set_outer_keys([this] { return menu_keys(); });
  connect(viewport_.get(), &Viewport::branch_chosen, this, &MainWindow::switch_to);
  connect(viewport_.get(), &Viewport::noted, this,
          [this](const QString& text) { messages_.show_note(text); });
  // Queued, because the view may still be under construction.
  connect(viewport_.get(), &Viewport::failed, this, &MainWindow::do_without_scene,
          Qt::QueuedConnection);
}

void MainWindow::show_view(const json::Node& view) {
  const auto read = read_view_section(view, "", viewport_->interface().settings());
  if (!read) return;
  session().restore_layout(read->settings);
  viewport_->interface().set_loops(read->loop);
  if (read->presentation) viewport_->interface().set_presentation(*read->presentation);
  follow_presentation();
  if (read->steps > 0 && !run_.continues_saved_state()) run_.send(TakeSteps{read->steps});
  if (read->pace) run_.send(*read->pace);
  arriving_ = {session().document().opened,
               run_.sent(),
               read->camera,
               read->shown,
               read->reference,
               read->choices,
               false};
}

void MainWindow::present() {
  viewport_->interface().set_presentation(true);
  viewport_->interface().set_loops(true);
  follow_settings();
  // A run that is followed continues by itself.
  if (!has_scene_ || !document_->live_file().isEmpty()) return;
  if (arriving_)
    arriving_->plays = true;
  else
    presentation_->play();
}

void MainWindow::follow_presentation() {
  if (presentation_->follow(has_scene_)) update_actions();
}

void MainWindow::finish_view() {
  if (!arriving_ || run_.is_opening() || run_.snapshot().commands < arriving_->commands) return;
  const Arriving there = *std::exchange(arriving_, std::nullopt);
  if (there.document != session().document().opened) return;
  if (there.camera) viewport_->set_camera(*there.camera);
  session().restore_reference_run(there.reference);
  viewport_->interface().choose(there.choices);
  if (there.shown) replay().show(*there.shown);
  if (there.plays) presentation_->play();
}

void MainWindow::go_on_from_here() {
  if (run_.in_past() && !run_.fork()) return;
  run_.send(Play{});
}

void MainWindow::switch_to(int branch) {
  if (session().switch_to(branch)) viewport_->request_frame();
}

void MainWindow::do_without_scene(const QString& reason) {
  // The hidden view keeps the interface and its settings.
  if (centralWidget() == viewport_.get()) takeCentralWidget();
  QLabel* message = html_label(
      QStringLiteral(
          "<h3>The scene cannot be drawn</h3><p>%1</p>"
          "<p>If a driver is missing, the package libgl1-mesa-dri can draw on the processor alone; "
          "<code>LIBGL_ALWAYS_SOFTWARE=1 twosphere</code> selects it.</p>"
          "<p>These commands work without a window:</p>"
          "<p><code>twosphere run</code>, which simulates and writes tables, trajectories and "
          "states,<br>"
          "<code>twosphere verify</code>, which checks that saved states continue exactly, and<br>"
          "<code>twosphere render</code>, which draws pictures and videos off the screen if EGL "
          "provides OpenGL.</p>"
          "<p><code>twosphere --help</code> lists all commands.</p>")
          .arg(reason.toHtmlEscaped()));
  message->setObjectName(QStringLiteral("without_scene"));
  message->setAlignment(Qt::AlignCenter);
  message->setWordWrap(true);
  message->setMargin(24);
  message->setTextInteractionFlags(Qt::TextSelectableByMouse);
  setCentralWidget(message);
  has_scene_ = false;
  status_->hide();
  setAcceptDrops(false);
  hide_actions_of_scene();
}

void MainWindow::greet() {
  if (viewport_->problem().isEmpty() && viewport_->interface().settings().gallery_at_start)
    perform(ui::Action::presets);
}

// According to the newest snapshot.
Pace MainWindow::pace() const { return {run_.snapshot().pacing, run_.snapshot().requested_factor}; }

void MainWindow::rewind() {
  messages_.clear_note();
  replay().rewind();
}

void MainWindow::run_backwards() {
  if (run_.send(Reverse{.to_start = true}) > 0 && !run_.plays()) run_.send(Play{});
}

void MainWindow::open(const QString& path, const std::function<void()>& then) {
  document_->open(path, then);
}

void MainWindow::begin_tour(Tour tour) { guide_->begin(std::move(tour)); }

void MainWindow::go_to_stop(bool forwards) {
  using What = ui::TourCall::What;
  if (!guide_->active()) return presentation_->go_to_stop(forwards);
  guide_->call({.what = forwards ? What::next : What::back});
}

void MainWindow::detach() {
  if (!run_.followed()) return;
  session().detach();
  messages_.show_note(QStringLiteral("From here on the run is computed in this window."));
}

void MainWindow::offer_own_run() {
  if (QApplication::activeModalWidget() || !run_.followed()) return;
  const FollowedFile::Activity activity = run_.followed()->activity;
  const bool continues =
      activity == FollowedFile::Activity::computing || activity == FollowedFile::Activity::silent;
  auto* box = message_box(
      this, QMessageBox::Information, QStringLiteral("Run computed elsewhere"),
      continues ? QStringLiteral("This run is computed by another process")
                : QStringLiteral("This run was computed by another process"),
      QStringLiteral(
          "The window shows what is written to %1 and cannot change, step or rewind "
          "the run. Continue it here as a run of its own, from the instant shown; the file and "
          "the other process stay as they are.")
          .arg(QFileInfo(document_->live_file()).fileName()),
      QMessageBox::Cancel);
  auto* own =
      box->addButton(QStringLiteral("Continue as a &run of its own"), QMessageBox::AcceptRole);
  own->setObjectName(QStringLiteral("own_run"));
  box->button(QMessageBox::Cancel)
      ->setText(continues ? QStringLiteral("&Keep following") : QStringLiteral("&Cancel"));
  connect(own, &QPushButton::clicked, this, &MainWindow::detach);
  box->open();
}

void MainWindow::check_step() {
  run_.update();
  checker_->start(run_.shown());
}

Replay& MainWindow::replay() { return viewport_->replay(); }

bool MainWindow::busy() const {
  return exports_->recording() || findChild<TaskBar*>(QStringLiteral("task_bar")) || running_map();
}

SweepProcess* MainWindow::running_map() const {
  auto* const process = findChild<SweepProcess*>();
  return process && process->running() ? process : nullptr;
}

void MainWindow::ask_to_drop_work() {
  QStringList lost;
  if (exports_->recording())
    lost << QStringLiteral("The frames of the video so far will be lost. Finish now saves them.");
  if (findChild<TaskBar*>(QStringLiteral("task_bar")))
    lost << QStringLiteral("The part of the file already written will be lost.");
  if (running_map())
    lost << QStringLiteral(
        "The tasks of the parameter map will stop. Its rows so far are kept: there, Open folder… "
        "and Continue run the tasks that are left.");
  auto* box = message_box(this, QMessageBox::Question, QStringLiteral("Work is in progress"),
                          QStringLiteral("Close and end it?"), lost.join(QLatin1Char('\n')),
                          QMessageBox::Cancel);
  auto* drop = box->addButton(QStringLiteral("&End it and close"), QMessageBox::DestructiveRole);
  drop->setObjectName(QStringLiteral("drop_work"));
  connect(drop, &QPushButton::clicked, this, [this] {
    const auto close_at_last = [this] {
      if (!busy()) close();
    };
    for (TaskBar* task : findChildren<TaskBar*>(QStringLiteral("task_bar"))) {
      task->cancel();
      connect(task, &QObject::destroyed, this, close_at_last, Qt::QueuedConnection);
    }
    if (exports_->recording()) {
      VideoBar& bar = exports_->video_bar();
      connect(&bar, &VideoBar::ended, this, close_at_last, Qt::SingleShotConnection);
      bar.cancel();
    }
    if (SweepProcess* const map = running_map()) {
      connect(map, &SweepProcess::ended, this, close_at_last, Qt::SingleShotConnection);
      map->stop();
    }
    close_at_last();
  });
  box->open();
}

void MainWindow::leave() {
  leaving_ = true;
  document_->leave();
  close();
}

void MainWindow::follow_plot_window() {
  // A presentation has plots of its own.
  const ui::Interface& interface = viewport_->interface();
  const bool wanted =
      has_scene_ && isVisible() && interface.choices().plot_window && !interface.presents();
  if (wanted == (plot_window_ != nullptr)) return;
  if (!wanted) {
    plot_geometry_ = plot_window_->saveGeometry();
    return plot_window_.reset();
  }
  plot_window_ = std::make_unique<PlotWindow>(*viewport_, actions());
  connect(plot_window_.get(), &PlotWindow::closed, this, [this] {
    if (viewport_->interface().choices().plot_window) perform(ui::Action::plots_window);
  });
  update_title();
  restore_place(*plot_window_, plot_geometry_);
  plot_window_->show();
}

void MainWindow::update_title() {
  const QString live = document_->live_file(), path = live.isEmpty() ? document_->path() : live,
                file = QFileInfo(path).fileName();
  setWindowTitle(QStringLiteral("%1%2[*] - twosphere")
                     .arg(live.isEmpty() ? QString() : QStringLiteral("Following "),
                          file.isEmpty() ? document_->title() : file));
  setWindowFilePath(path);
  setWindowModified(session().modified());
  viewport_->set_file_name(file.toStdString());
  if (plot_window_)
    plot_window_->setWindowTitle(
        QStringLiteral("Plots of %1 - twosphere").arg(file.isEmpty() ? document_->title() : file));
}

void MainWindow::update_edit_menu() {
  const auto show = [this](ui::Action which, const std::string& edit) {
    const QString name = to_qstring(ui::info(which).label);
    findChild<QAction*>(to_qstring(ui::info(which).id))
        ->setText(edit.empty() ? name : name + QLatin1Char(' ') + to_qstring(edit));
  };
  show(ui::Action::undo, session().undo_label());
  show(ui::Action::redo, session().redo_label());
  update_actions();
}

void MainWindow::follow_settings() {
  follow_presentation();
  const ui::Interface& interface = viewport_->interface();
  for (const ui::ActionInfo& info : ui::actions())
    if (const auto is_checked = interface.is_checked(info.action))
      findChild<QAction*>(to_qstring(info.id))->setChecked(*is_checked);
  const ui::Settings& settings = viewport_->interface().settings();
  const bool recolored = palette_ != settings.palette;
  if (recolored) {
    palette_ = settings.palette;
    QApplication::setPalette(widget_palette(*palette_));
    qApp->setStyleSheet(widget_borders(*palette_));
  }
  // A style sheet resets the font of menus to that of the platform.
  if (recolored || settings.scale != widget_scale_) scale_widgets(settings.scale);
}

void MainWindow::scale_widgets(float scale) {
  static const QFont plain = QApplication::font();
  const auto scaled = [scale](QFont font) {
    if (font.pointSizeF() > 0)
      font.setPointSizeF(font.pointSizeF() * static_cast<double>(scale));
    else
      font.setPixelSize(
          static_cast<int>(std::lround(static_cast<float>(font.pixelSize()) * scale)));
    return font;
  };
  widget_scale_ = scale;
  QApplication::setFont(scaled(plain));
  // A style sheet that is removed may leave its font in the menus; one that is present sets it.
  const QFont menus = qApp->styleSheet().isEmpty() ? QApplication::font() : QFont();
  menuBar()->setFont(menus);
  for (QMenu* menu : findChildren<QMenu*>()) menu->setFont(menus);
  status_->set_font(scaled(QFontDatabase::systemFont(QFontDatabase::FixedFont)));
}

// When a modal dialog with keyboard focus closes without a window manager, nothing else returns the
// focus.
bool MainWindow::event(QEvent* event) {
  if (event->type() == QEvent::WindowUnblocked && QGuiApplication::focusWindow()) activateWindow();
  return QMainWindow::event(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  status_->fit();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!leaving_ && busy()) {
    event->ignore();
    if (!QApplication::activeModalWidget()) ask_to_drop_work();
    return;
  }
  if (!leaving_ && document_->has_unsaved()) {
    event->ignore();
    if (!QApplication::activeModalWidget())
      document_->ask_to_leave([this] {
        leaving_ = true;
        close();
      });
    return;
  }
  document_->close();
  // The window is stored as it was before.
  viewport_->interface().set_presentation(false);
  follow_presentation();
  if (plot_window_) plot_geometry_ = plot_window_->saveGeometry();
  write_settings({.interface = viewport_->interface().settings(),
                  .geometry = saveGeometry(),
                  .plot_geometry = plot_geometry_,
                  .directory = files_->directory(),
                  .dialogs = dialog_settings_});
  run_.send(Pause{});  // do not wait for a long step in progress
  plot_window_.reset();
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  const bool file = urls.size() == 1 && urls.front().isLocalFile();
  if (file || (urls.isEmpty() && event->mimeData()->hasText())) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.isEmpty())
    document_->read_pasted(event->mimeData()->text(), QStringLiteral("dropped text"));
  else
    document_->open(urls.front().toLocalFile());
}

}  // namespace twosphere

#include "moc_main_window.cpp"
