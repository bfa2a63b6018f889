// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QImage>
#include <QLabel>
#include <QLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QSet>
#include <QStatusBar>
#include <QStyle>
#include <QUrl>
#include <QWindow>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "app/base/plural.h"
#include "app/dialogs/help_dialog.h"
#include "app/dialogs/paper_figure_dialog.h"
#include "app/figures/figure_data.h"
#include "app/figures/figure_file.h"
#include "app/scene/viewport.h"
#include "app/session/autosave.h"
#include "app/session/recent_files.h"
#include "app/session/recovery.h"
#include "app/session/run_command.h"
#include "app/session/run_table.h"
#include "app/session/session.h"
#include "app/session/step_checker.h"
#include "app/session/trajectory.h"
#include "app/window/command_search.h"
#include "app/window/film_bar.h"
#include "app/window/settings.h"
#include "app/window/task_bar.h"
#include "app/window/theme.h"
#include "core/base/build.h"
#include "core/base/file.h"
#include "core/base/version.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/writer.h"
#include "ui/shell/pace.h"
#include "ui/shell/preset_list.h"

namespace twosphere {
namespace {

constexpr int status_interval = 150;   // [ms] between updates of the numbers
constexpr int note_duration = 12'000;  // [ms]
constexpr QSize opening_size{1280, 800};
constexpr double opening_share = 0.95;         // of the screen at most
constexpr int status_gap = 12;                 // [px] beside what the status bar says
constexpr const char* widest_text = "widest";  // property of its labels
constexpr const char* lane_name = "lane";      // likewise, before the text; may be empty
constexpr const char* json_filter = "Scenarios (*.json);;All files (*)";

QString text(std::string_view s) {
  return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QString number(double value) { return QString::number(value, 'e', 3); }

QString state_name(RunState state) {
  switch (state) {
    case RunState::paused:
      return QStringLiteral("paused");
    case RunState::running:
      return QStringLiteral("running");
    case RunState::finished:
      return QStringLiteral("finished");
    case RunState::refused:
      return QStringLiteral("step failed");
    case RunState::stopped:
      return QStringLiteral("stopped");
  }
  return {};
}

/// What a label of the status bar needs for its widest text after these words [px].
int room_for(const QLabel& label, const QString& words) {
  const QMargins around = label.contentsMargins();
  return label.fontMetrics().horizontalAdvance(words + label.property(widest_text).toString()) +
         around.left() + around.right();
}

// Nothing there means that there was no room for it.
Result<void> write_bytes(const std::string& path, const QByteArray& bytes) {
  if (bytes.isEmpty())
    return Error{ErrorKind::input_output, path,
                 "there is not enough memory for a picture so large"};
  return write_file(path, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

// Plus and equals share a key on most keyboards.
QList<QKeySequence> shortcuts(std::string_view key, std::string_view second = {}) {
  if (!second.empty()) return shortcuts(key) + shortcuts(second);
  if (key.empty()) return {};
  const QString name = text(key);
  QList<QKeySequence> list{QKeySequence(name, QKeySequence::PortableText)};
  for (const auto& [one, other] : {std::pair{'+', '='}, std::pair{'=', '+'}})
    if (key.back() == one)
      list << QKeySequence(name.chopped(1) + QLatin1Char(other), QKeySequence::PortableText);
  return list;
}

}  // namespace

MainWindow::MainWindow(Simulation simulation, const QString& path) : run_(std::move(simulation)) {
  const WindowSettings settings = read_settings();
  viewport_ = std::make_unique<Viewport>(run_, settings.interface, nullptr);
  session_ = std::make_unique<Session>(run_, viewport_->interface(), path.toStdString());
  connect(viewport_.get(), &Viewport::setting_sent, session_.get(), &Session::note);
  connect(viewport_.get(), &Viewport::drawn, session_.get(), &Session::update);
  connect(session_.get(), &Session::frame_wanted, viewport_.get(), &Viewport::request_frame);
  connect(session_.get(), &Session::commanded, viewport_.get(), &Viewport::frame_after);
  autosave_ = std::make_unique<Autosave>(run_, *session_);
  connect(autosave_.get(), &Autosave::failed, this, [this](const QString& reason) {
    statusBar()->showMessage(
        QStringLiteral("The session is not saved for recovery: %1").arg(reason));
  });
  checker_ = std::make_unique<StepChecker>();
  connect(checker_.get(), &StepChecker::changed, viewport_.get(), &Viewport::show_step_check);
  directory_ = settings.directory;
  figure_ = settings.figure;
  film_ = settings.film;
  film_bar_ = std::make_unique<FilmBar>(this);
  addToolBar(Qt::BottomToolBarArea, film_bar_.get());

  if (QFileInfo(path).isFile()) remember_file(path);
  setAcceptDrops(true);
  make_menus();
  make_status_bar();
  update_title();
  update_edit_menu();
  follow_settings();

  // Not inside a frame.
  connect(
      session_.get(), &Session::changed, this,
      [this] {
        update_title();
        update_edit_menu();
        follow_settings();
      },
      Qt::QueuedConnection);
  connect(film_bar_.get(), &FilmBar::changed, this, &MainWindow::update_actions);
  connect(film_bar_.get(), &FilmBar::ended, this,
          [this](const Result<void>& done, const QString& file, const QString& what) {
            if (done && file.isEmpty())
              show_note(what);
            else
              report(done, file, what);
          });
  connect(viewport_.get(), &Viewport::preset_chosen, this, &MainWindow::open_preset);
  connect(viewport_.get(), &Viewport::file_chosen, this, &MainWindow::open);
  connect(viewport_.get(), &Viewport::action_chosen, this, &MainWindow::perform);
  connect(viewport_.get(), &Viewport::noted, this, &MainWindow::show_note);
  // Not while the view is being set up.
  connect(viewport_.get(), &Viewport::failed, this, &MainWindow::do_without_scene,
          Qt::QueuedConnection);
  status_timer_.setSingleShot(true);
  connect(&status_timer_, &QTimer::timeout, this, &MainWindow::update_status);
  // With a frame, as the whole window goes to the screen with it; or after the last.
  status_timer_.setInterval(2 * status_interval);
  connect(viewport_.get(), &Viewport::coming, this, [this] {
    if (status_age_.hasExpired(status_interval)) update_status();
  });
  connect(viewport_.get(), &Viewport::drawn, &status_timer_, qOverload<>(&QTimer::start));
  connect(&run_, &LiveRun::updated, this, [this] {
    if (!status_timer_.isActive()) status_timer_.start();
  });

  resize(opening_size.boundedTo(screen()->availableSize() * opening_share));
  if (!settings.geometry.isEmpty()) restore_place(settings.geometry);
  update_status();
  if (!viewport_->problem().isEmpty()) {
    do_without_scene(viewport_->problem());
    return;
  }
  setCentralWidget(viewport_.get());
  viewport_->setFocus();
  QMetaObject::invokeMethod(this, &MainWindow::offer_recovery, Qt::QueuedConnection);
}

MainWindow::~MainWindow() {
  for (TaskBar* task : findChildren<TaskBar*>()) task->cancel();
}

void MainWindow::restore_place(const QByteArray& geometry) {
  restoreGeometry(geometry);
  // Today's screens may be smaller than those it was written on.
  const QRect there = screen()->availableGeometry();
  QRect place(pos(), size().boundedTo(there.size()));
  place.moveLeft(std::clamp(place.left(), there.left(), there.right() - place.width() + 1));
  place.moveTop(std::clamp(place.top(), there.top(), there.bottom() - place.height() + 1));
  if (place != QRect(pos(), size())) setGeometry(place);
}

void MainWindow::do_without_scene(const QString& reason) {
  // The view keeps the interface and its settings, out of sight.
  if (centralWidget() == viewport_.get()) takeCentralWidget();
  auto* message = new QLabel(
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
  for (QLabel* label : {status_.state, status_.step, status_.speed, status_.energy, status_.length})
    label->hide();
  setAcceptDrops(false);

  QSet<QAction*> shown;
  for (const ui::ActionInfo& info : ui::actions())
    if (info.without_scene) shown << findChild<QAction*>(text(info.id));
  for (QAction* action : actions()) {
    action->setVisible(shown.contains(action));
    if (!action->isVisible()) action->setEnabled(false);
  }
  // Keys of the scene have no map now.
  auto* help = findChild<QAction*>(text(ui::info(ui::Action::preset_help).id));
  help->setShortcuts(help->shortcuts() << shortcuts(ui::info(ui::Action::key_map).key));
  // Those inside others first.
  QList<QMenu*> menus = menuBar()->findChildren<QMenu*>();
  for (auto menu = menus.rbegin(); menu != menus.rend(); ++menu) {
    const QList<QAction*> entries = (*menu)->actions();
    (*menu)->menuAction()->setVisible(std::any_of(
        entries.begin(), entries.end(), [&](QAction* entry) { return shown.contains(entry); }));
  }
}

void MainWindow::greet() {
  if (viewport_->problem().isEmpty() && viewport_->interface().settings().gallery_at_start)
    perform(ui::Action::presets);
}

void MainWindow::make_menus() {
  QMenu* menu = nullptr;
  std::map<std::string_view, QActionGroup*> groups;
  for (const ui::ActionInfo& info : ui::actions()) {
    const QString title = text(info.menu);
    if (!menu || menu->objectName() != title) {
      menu = menuBar()->findChild<QMenu*>(title, Qt::FindDirectChildrenOnly);
      if (!menu) {
        menu = menuBar()->addMenu(QLatin1Char('&') + title);
        menu->setObjectName(title);
        menu->setToolTipsVisible(true);
        // Left by Esc it would leave the keys to the menu bar, until the next Esc.
        connect(
            menu, &QMenu::aboutToHide, this,
            [this] {
              if (!QApplication::activePopupWidget() && menuBar()->hasFocus())
                centralWidget()->setFocus();
            },
            Qt::QueuedConnection);
      }
    }
    QMenu* place = menu;
    if (const QString name = text(info.submenu); !name.isEmpty()) {
      place = menu->findChild<QMenu*>(name, Qt::FindDirectChildrenOnly);
      if (!place) {
        place = menu->addMenu(QLatin1Char('&') + name);
        place->setObjectName(name);
        place->setToolTipsVisible(true);
      }
    }
    if (info.separator_before) place->addSeparator();
    auto* action = new QAction(text(info.label), this);
    action->setObjectName(text(info.id));
    action->setToolTip(text(info.help));
    action->setStatusTip(text(info.help));
    action->setShortcuts(shortcuts(info.key, info.other_key));
    connect(action, &QAction::triggered, this, [this, which = info.action] { perform(which); });
    if (viewport_->interface().is_checked(info.action)) action->setCheckable(true);
    if (!info.group.empty()) {
      if (!groups[info.group]) groups[info.group] = new QActionGroup(this);
      action->setActionGroup(groups[info.group]);
    }
    place->addAction(action);
    addAction(action);  // its key works without the menu bar, too
    if (info.action == ui::Action::paper_figures) list_paper_figures(*menu);
    if (info.action != ui::Action::open_scenario) continue;

    QMenu* recent = menu->addMenu(QStringLiteral("Open &recent"));
    recent->setObjectName(QStringLiteral("recent"));
    recent->setToolTipsVisible(true);
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { list_recent(*recent); });
    QMenu* list = menu->addMenu(QStringLiteral("Open &preset"));
    list->setObjectName(QStringLiteral("presets"));
    for (const Preset& preset : presets()) {
      const auto scenario = read_scenario(preset.text, preset.key);
      QAction* open = list->addAction(scenario ? text(scenario->title) : text(preset.key));
      open->setObjectName(text(preset.key));
      if (scenario) open->setStatusTip(text(scenario->description));
      connect(open, &QAction::triggered, this,
              [this, key = text(preset.key)] { open_preset(key); });
    }
  }
}

void MainWindow::list_paper_figures(QMenu& menu) {
  QMenu* list = menu.addMenu(QStringLiteral("Open &figure"));
  list->setObjectName(QStringLiteral("figures"));
  for (std::size_t i = 0; i < paper_entries().size(); ++i) {
    const PaperEntry& entry = paper_entries()[i];
    QAction* open =
        list->addAction(QStringLiteral("Figure %1: %2").arg(text(entry.number), text(entry.title)));
    open->setObjectName(QStringLiteral("figure_") + text(entry.number));
    connect(open, &QAction::triggered, this, [this, i] { show_paper_figure(i); });
  }
}

void MainWindow::make_status_bar() {
  const auto add = [this](const QString& name, const QString& widest) {
    auto* label = new QLabel;
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setContentsMargins(status_gap, 0, 0, 0);
    label->setProperty(widest_text, widest);
    label->setAccessibleName(name);
    statusBar()->addPermanentWidget(label);
    return label;
  };
  status_.state = add(QStringLiteral("State"), QStringLiteral("step failed"));
  status_.step = add(QStringLiteral("Step"), QStringLiteral("step 1000000"));
  status_.speed = add(QStringLiteral("Steps per second"), QStringLiteral("1000000 steps/s"));
  status_.energy =
      add(QStringLiteral("Mean energy error"), QStringLiteral("mean |E − E₀ − W| 1.000e-10 J"));
  status_.length =
      add(QStringLiteral("Worst unit-length error"), QStringLiteral("worst ||q| − 1| 1.000e-10"));
  status_.length->setContentsMargins(status_gap, 0, status_gap, 0);
  connect(statusBar(), &QStatusBar::messageChanged, this, &MainWindow::fit_status_bar);
  scale_widgets(1);
}

// As last seen.
Pace MainWindow::pace() const { return {run_.snapshot().pacing, run_.snapshot().requested_factor}; }

void MainWindow::rewind() {
  statusBar()->clearMessage();
  run_.send(Rewind{});
}

void MainWindow::check_step() {
  run_.update();
  checker_->start(run_.snapshot());
}

void MainWindow::play_or_pause() {
  run_.update();
  if (run_.plays())
    run_.send(Pause{});
  else
    run_.send(Play{});
}

void MainWindow::ask_to_open() {
  ask_file(QStringLiteral("Open scenario"), QString::fromLatin1(json_filter), {},
           [this](const QString& path) { open(path); });
}

void MainWindow::open(const QString& path) {
  std::vector<std::string> warnings;
  auto scenario = load_scenario(path.toStdString(), &warnings);
  if (!scenario) {
    show_error(QStringLiteral("The scenario was not opened"), text(scenario.error().text()));
    return;
  }
  start(std::move(*scenario), path);
  for (const std::string& warning : warnings) show_note(text(warning));
}

void MainWindow::open_preset(const QString& key) {
  const Preset* preset = find_preset(key.toStdString());
  if (!preset) return;
  auto scenario = read_scenario(preset->text, preset->key);
  if (scenario)
    start(std::move(*scenario), {}, false);  // undo brings back what was there
  else
    show_error(QStringLiteral("The preset was not opened"), text(scenario.error().text()));
}

void MainWindow::start(Scenario scenario, const QString& path, bool ask) {
  // Tried here first, so that what does not start leaves the present run alone.
  const auto shown = LiveRun::check_lanes(scenario);
  const auto tried = Simulation::create(scenario);
  if (!shown || !tried) {
    const QString place = path.isEmpty() ? QString() : path + QStringLiteral(": ");
    show_error(QStringLiteral("The scenario cannot start"),
               place + text((shown ? tried.error() : shown.error()).text()));
    return;
  }
  const auto open = [this, scenario = std::move(scenario), path] {
    statusBar()->clearMessage();  // it is about the run before
    session_->open(scenario, path.toStdString());
    if (!path.isEmpty()) remember_file(path);
  };
  if (ask)
    ask_to_save(open);
  else
    open();
}

void MainWindow::ask_to_save(std::function<void()> then) {
  session_->update();
  if (!session_->modified()) return then();
  const QString name = path().isEmpty() ? title() : QFileInfo(path()).fileName();
  auto* box =
      new QMessageBox(QMessageBox::Question, QStringLiteral("Unsaved changes"),
                      QStringLiteral("<b>Save the changes to %1?</b>").arg(name.toHtmlEscaped()),
                      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box->setInformativeText(QStringLiteral(
      "Parameters, integrator or step were changed since the scenario was opened or saved."));
  for (const auto& [button, label] : {std::pair{QMessageBox::Save, QStringLiteral("&Save")},
                                      {QMessageBox::Discard, QStringLiteral("&Discard")},
                                      {QMessageBox::Cancel, QStringLiteral("&Cancel")}})
    box->button(button)->setText(label);
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(box, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
    if (answer == QMessageBox::Save)
      save(then);
    else if (answer == QMessageBox::Discard)
      then();
  });
  box->open();
}

bool MainWindow::busy() const {
  return film_bar_->recording() || findChild<TaskBar*>(QStringLiteral("task_bar"));
}

void MainWindow::ask_to_drop_work() {
  const bool film = film_bar_->recording();
  auto* box = new QMessageBox(QMessageBox::Question,
                              film ? QStringLiteral("A video is being recorded")
                                   : QStringLiteral("A file is being written"),
                              film ? QStringLiteral("<b>Close and discard the video?</b>")
                                   : QStringLiteral("<b>Close and discard the file?</b>"),
                              QMessageBox::Cancel, this);
  box->setInformativeText(
      film ? QStringLiteral("The frames so far will be lost. Finish now saves them.")
           : QStringLiteral("The part already written will be lost."));
  auto* drop = box->addButton(QStringLiteral("&Discard and close"), QMessageBox::DestructiveRole);
  drop->setObjectName(QStringLiteral("drop_work"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(drop, &QPushButton::clicked, this, [this] {
    for (TaskBar* task : findChildren<TaskBar*>(QStringLiteral("task_bar"))) {
      task->cancel();
      connect(task, &QObject::destroyed, this, &MainWindow::close, Qt::QueuedConnection);
    }
    if (film_bar_->recording()) {
      connect(film_bar_.get(), &FilmBar::ended, this, &MainWindow::close, Qt::SingleShotConnection);
      film_bar_->cancel();
    }
    if (!busy()) close();
  });
  box->open();
}

void MainWindow::save(const std::function<void()>& then) {
  // The record beside a table stays that.
  if (path().isEmpty() || path().endsWith(QLatin1String(".csv.json")))
    save_as(then);
  else
    write_scenario_to(path(), then);
}

void MainWindow::save_as(const std::function<void()>& then) {
  ask_file(QStringLiteral("Save scenario"), QString::fromLatin1(json_filter),
           suggested_name(QStringLiteral(".json")),
           [this, then](const QString& to) { write_scenario_to(to, then); });
}

void MainWindow::leave() {
  leaving_ = true;
  recovery_.reset();
  recovering_.reset();  // the next start offers it again
  run_.send(Pause{});   // a step in progress that takes long holds nothing up
  if (session_->modified()) autosave_->leave_behind();
  close();
}

void MainWindow::offer_recovery() {
  auto sessions = abandoned_sessions();
  if (sessions.empty()) return;
  auto* dialog = new RecoveryDialog(std::move(sessions), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] { recover(dialog->take()); });
  dialog->open();
}

void MainWindow::recover(AbandonedSession session) {
  // The run is to be seen, and not the page of presets, which the next Enter would open one of.
  if (viewport_->interface().gallery_open()) perform(ui::Action::presets);
  const std::int64_t steps = session.session->steps;
  recovering_ = std::make_unique<AbandonedSession>(std::move(session));
  auto* bar = new TaskBar(QStringLiteral("Repeating the recovered run"),
                          QStringLiteral("Continue without the samples before the recovered state; "
                                         "the session is offered again at the next start"),
                          this);
  bar->setObjectName(QStringLiteral("repetition"));
  addToolBar(Qt::BottomToolBarArea, bar);
  show_note(QStringLiteral("Recovered the state saved at step %1. The run is being repeated from "
                           "its start to verify it.")
                .arg(steps));
  recovery_ = std::make_unique<Recovery>(run_, *session_, std::move(*recovering_->session),
                                         bar->progress());
  connect(recovery_.get(), &Recovery::verified, this, [this](qint64 step) {
    if (run_.plays())
      show_note(QStringLiteral("The recovered state of step %1 is verified, bit for bit. The "
                               "earlier samples will be added when the run pauses.")
                    .arg(step));
  });
  // The end, and not inside of it.
  const auto on_end = [this, bar](auto signal, auto what) {
    connect(
        recovery_.get(), signal, this,
        [this, bar, what](const auto& how) {
          recovery_.reset();
          delete bar;
          what(how);
          recovering_.reset();
        },
        Qt::QueuedConnection);
  };
  on_end(&Recovery::recovered, [this](qint64 step) {
    recovering_->remove();
    viewport_->request_frame();
    show_note(
        QStringLiteral("Recovered to step %1: the state agrees with the saved one, bit for bit")
            .arg(step));
  });
  on_end(&Recovery::differs, [this](const QString& how) {
    show_error(QStringLiteral("The recovered run is not complete"),
               how + QStringLiteral(" The run shown continues from the saved state."), false);
  });
  connect(
      recovery_.get(), &Recovery::left, this,
      [this, bar] {
        recovery_.reset();
        recovering_.reset();
        delete bar;
      },
      Qt::QueuedConnection);
}

void MainWindow::write_scenario_to(const QString& path, const std::function<void()>& then) {
  struct Written {
    Scenario record;
    bool complete;  ///< nothing waits for Rewind
  };
  background_.start(
      [capture = capture(), file = path.toStdString()]() -> Result<Written> {
        Worker::Captured captured = capture->get();
        // With its sampling written out, the run repeats row for row however many steps it is
        // given.
        captured.record.every = captured.first_stride;
        if (auto done = write_file(file, write_scenario(captured.record)); !done)
          return done.error();
        return Written{std::move(captured.record), captured.pending.empty()};
      },
      [this, path, then](Result<Written> written) {
        if (!written) return report(written.error(), path, {});
        run_.update();
        session_->saved(path.toStdString(), std::move(written->record));
        remember_file(path);
        report({}, path,
               written->complete
                   ? QStringLiteral("scenario")
                   : QStringLiteral("scenario without the settings that wait for Rewind"));
        if (then) then();
      });
}

std::shared_ptr<std::future<Worker::Captured>> MainWindow::capture() {
  return std::make_shared<std::future<Worker::Captured>>(run_.request_capture());
}

void MainWindow::save_state() {
  const auto write = [this](const QString& path) {
    background_.start(
        [capture = capture(), file = path.toStdString()]() -> Result<std::int64_t> {
          const Worker::Captured captured = capture->get();
          if (auto done = write_file(file, write_scenario(captured.scenario)); !done)
            return done.error();
          return captured.steps;
        },
        [this, path](const Result<std::int64_t>& step) {
          if (step)
            report({}, path, QStringLiteral("state at step %1").arg(*step));
          else
            report(step.error(), path, {});
        });
  };
  ask_file(QStringLiteral("Save state"), QString::fromLatin1(json_filter),
           suggested_name(QStringLiteral(".state.json")), write);
}

void MainWindow::export_csv(bool visible) {
  const auto write = [this, visible](const QString& path) {
    run_.update();
    std::optional<Range> time;
    if (visible) {
      const ui::Interval shown = viewport_->interface().plots().time;
      time = {shown.low, shown.high};
    }
    auto table = std::make_shared<RunTable>(run_, time);
    write_with_progress(path, counted(table->rows(), "row", "rows"),
                        [table, file = path.toStdString()](Progress& progress) {
                          return table->write(file, progress);
                        });
  };
  ask_file(visible ? QStringLiteral("Export visible range") : QStringLiteral("Export CSV"),
           QStringLiteral("Tables (*.csv);;All files (*)"),
           suggested_name(visible ? QStringLiteral(".visible.csv") : QStringLiteral(".csv")),
           write);
}

void MainWindow::export_trajectory() {
  ask_file(QStringLiteral("Export trajectory"),
           QStringLiteral("Tables (*.csv);;Extended XYZ (*.xyz);;ParaView series (*.pvd)"),
           suggested_name(QStringLiteral(".trajectory.csv")), [this](const QString& path) {
             write_with_progress(path, QStringLiteral("trajectory"),
                                 [run = capture(), file = path.toStdString()](Progress& progress) {
                                   Worker::Captured captured = run->get();
                                   captured.record.every = captured.first_stride;
                                   return write_trajectory(std::move(captured.record),
                                                           captured.steps, file, progress);
                                 });
           });
}

void MainWindow::export_spectra() {
  run_.update();
  background_.start(
      [run = run_.view(), shown = viewport_->interface().plots()] {
        return spectra_table(run, shown);
      },
      [this](Result<std::string> table) {
        if (!table)
          return show_error(QStringLiteral("No spectra were written"), text(table.error().message));
        ask_file(QStringLiteral("Export spectra"), QStringLiteral("Tables (*.csv)"),
                 suggested_name(QStringLiteral("_spectra.csv")),
                 [this,
                  content = std::make_shared<std::string>(std::move(*table))](const QString& path) {
                   write_in_background(
                       path, QStringLiteral("power spectra"),
                       [content, file = path.toStdString()] { return write_file(file, *content); });
                 });
      });
}

void MainWindow::export_figure() {
  run_.update();
  const ui::VisiblePlots shown = viewport_->interface().plots();
  auto* dialog = new FigureDialog(
      figure_, plot_names(shown),
      [this, shown](const FigureChoice& choice, int columns) {
        return [run = run_.view(), shown, choice, columns] {
          return make_figure(run, shown, choice, columns);
        };
      },
      this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    figure_ = dialog->settings();
    const auto format = static_cast<std::size_t>(figure_.page.format);
    const std::array filters{QStringLiteral("PDF (*.pdf)"), QStringLiteral("SVG (*.svg)"),
                             QStringLiteral("PNG (*.png)")};
    constexpr std::array suffixes{".pdf", ".svg", ".png"};
    ask_file(QStringLiteral("Export figure"), filters[format],
             suggested_name(QLatin1String(suffixes[format])),
             [this, figure = std::make_shared<ui::PlotFigure>(dialog->figure()),
              now = figure_](const QString& path) {
               write_in_background(
                   path, QStringLiteral("figure"), [figure, now, file = path.toStdString()] {
                     return write_bytes(file, figure_file(*figure, now.page, now.look));
                   });
             });
  });
  dialog->open();
}

void MainWindow::copy_data() {
  run_.update();
  const auto copied = std::make_shared<VisibleData>(run_.view(), viewport_->interface().plots());
  background_.start(
      [copied]() -> Result<QString> {
        const auto table = copied->text();
        if (!table) return table.error();
        return QString::fromStdString(*table);
      },
      [this, copied](const Result<QString>& table) {
        if (!table)
          return show_error(QStringLiteral("The data was not copied"), text(table.error().text()));
        QGuiApplication::clipboard()->setText(*table);
        show_note(counted(copied->rows(), "row", "rows") + QStringLiteral(" copied"));
      });
}

// With its sampling written out, as in a file.
void MainWindow::copy_scenario() {
  background_.start(
      [capture = capture()]() -> Result<std::pair<QString, bool>> {
        Worker::Captured captured = capture->get();
        captured.record.every = captured.first_stride;
        return std::pair(text(write_scenario(captured.record)), captured.pending.empty());
      },
      [this](const Result<std::pair<QString, bool>>& copied) {
        if (!copied)
          return show_error(QStringLiteral("The scenario was not copied"),
                            text(copied.error().text()));
        QGuiApplication::clipboard()->setText(copied->first);
        show_note(
            copied->second
                ? QStringLiteral("Scenario copied")
                : QStringLiteral("Scenario copied without the settings that wait for Rewind"));
      });
}

void MainWindow::paste_scenario() {
  read_pasted(QGuiApplication::clipboard()->text(), QStringLiteral("clipboard"));
}

void MainWindow::read_pasted(const QString& content, const QString& source) {
  if (content.trimmed().isEmpty()) {
    show_error(QStringLiteral("No scenario was pasted"),
               QStringLiteral("There is no text to paste."));
    return;
  }
  std::vector<std::string> warnings;
  auto scenario = read_scenario(content.toStdString(), source.toStdString(), &warnings);
  if (!scenario) {
    show_error(QStringLiteral("The scenario was not opened"), text(scenario.error().text()));
    return;
  }
  start(std::move(*scenario), {});
  for (const std::string& warning : warnings) show_note(text(warning));
}

void MainWindow::copy_command() {
  const QString file = path().isEmpty() ? QString() : QFileInfo(path()).absoluteFilePath();
  background_.start(
      [capture = capture(), file = file.toStdString()]() -> Result<std::string> {
        Worker::Captured captured = capture->get();
        captured.record.every = captured.first_stride;
        return run_command({std::move(captured.record), captured.steps, file});
      },
      [this](const Result<std::string>& line) {
        if (line) {
          QGuiApplication::clipboard()->setText(text(*line));
          show_note(QStringLiteral("Copied: %1").arg(text(*line)));
        } else {
          offer_command_file(text(line.error().text()));
        }
      });
}

void MainWindow::offer_command_file(const QString& reason) {
  auto* box = new QMessageBox(
      QMessageBox::Question, QStringLiteral("Copy as command"),
      QStringLiteral("<b>A command that repeats this run needs a scenario file</b>"),
      QMessageBox::Save | QMessageBox::Cancel, this);
  box->setInformativeText(
      QStringLiteral("%1 Save the scenario first; the command then refers to that file.")
          .arg(reason));
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(box, &QMessageBox::finished, this, [this](int answer) {
    if (answer == QMessageBox::Save) save([this] { copy_command(); });
  });
  box->open();
}

void MainWindow::search_command() {
  std::vector<CommandSearch::Entry> entries;
  for (const ui::ActionInfo& info : ui::actions())
    if (info.action != ui::Action::command_search)
      entries.push_back({findChild<QAction*>(text(info.id)), text(info.menu)});
  for (QAction* preset : findChild<QMenu*>(QStringLiteral("presets"))->actions())
    entries.push_back({preset, QStringLiteral("Open preset")});
  for (QAction* figure : findChild<QMenu*>(QStringLiteral("figures"))->actions())
    entries.push_back({figure, QStringLiteral("Open figure")});
  auto* search = new CommandSearch(std::move(entries), this);
  search->setAttribute(Qt::WA_DeleteOnClose);
  search->open();
}

void MainWindow::list_recent(QMenu& menu) {
  menu.clear();
  for (const QString& file : recent_files()) {
    const QFileInfo info(file);
    QString label = info.fileName() + QStringLiteral("  ·  ") + info.path();
    QAction* action = menu.addAction(label.replace(QLatin1Char('&'), QLatin1String("&&")));
    action->setToolTip(file);
    connect(action, &QAction::triggered, this, [this, file] { open(file); });
  }
  if (menu.isEmpty()) {
    menu.addAction(QStringLiteral("No recent files"))->setEnabled(false);
    return;
  }
  menu.addSeparator();
  connect(menu.addAction(QStringLiteral("Clear the list")), &QAction::triggered, this,
          &forget_recent_files);
}

void MainWindow::save_picture() {
  QImage picture = viewport_->grabFramebuffer();
  if (picture.isNull()) {
    show_error(QStringLiteral("No picture"), QStringLiteral("There is no scene to save."));
    return;
  }
  picture.setText(QStringLiteral("Software"), QString::fromStdString(program_version()));
  picture.setText(QStringLiteral("Title"), title());
  ask_file(QStringLiteral("Save image"), QStringLiteral("Pictures (*.png)"),
           suggested_name(QStringLiteral(".png")), [this, picture](const QString& path) {
             write_in_background(path, QStringLiteral("picture"),
                                 [picture, file = path.toStdString()] {
                                   QByteArray bytes;
                                   QBuffer buffer(&bytes);
                                   buffer.open(QIODevice::WriteOnly);
                                   if (!picture.save(&buffer, "PNG")) bytes.clear();
                                   return write_bytes(file, bytes);
                                 });
           });
}

void MainWindow::record_film() {
  run_.update();
  const Snapshot& now = run_.snapshot();
  const Scenario& record = *now.record;
  const double start =
      record.continuation
          ? record.continuation->time_origin +
                static_cast<double>(record.continuation->step_index) * grid_step(record.lanes)
          : 0;
  auto* dialog = new FilmDialog(
      film_, {start, now.t, now.end_time, now.system->size(), viewport_->interface().followed()},
      !ffmpeg().empty(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    film_ = dialog->settings();
    const QLatin1String end(suffix(film_.kind));
    const bool frames = film_.kind == FilmKind::frames;
    ask_file(QStringLiteral("Record video"),
             frames ? QStringLiteral("Folders (*)") : QStringLiteral("Videos (*%1)").arg(end),
             suggested_name(frames ? QStringLiteral("_frames") : QString(end)),
             [this, plan = dialog->plan(), kind = film_.kind,
              followed = dialog->followed()](const QString& path) {
               FilmLook look{viewport_->scene_style(), viewport_->chosen_camera()};
               look.style.fine = true;
               look.transparent = film_.transparent && kind == FilmKind::frames;
               look.followed = followed;
               look.numbers = viewport_->interface().settings().labels;
               film_bar_->start(capture(), plan, look, kind, path.toStdString());
             });
  });
  dialog->open();
}

void MainWindow::write_in_background(const QString& path, const QString& what,
                                     std::function<Result<void>()> work) {
  background_.start(std::move(work),
                    [this, path, what](const Result<void>& done) { report(done, path, what); });
}

void MainWindow::write_with_progress(const QString& path, const QString& what,
                                     std::function<Result<bool>(Progress&)> work) {
  auto* bar = new TaskBar(QStringLiteral("Writing %1").arg(QFileInfo(path).fileName()),
                          QStringLiteral("Cancel without writing a file"), this);
  addToolBar(Qt::BottomToolBarArea, bar);
  background_.start(
      [progress = bar->progress(), work = std::move(work)] { return work(*progress); },
      [this, bar, path, what](const Result<bool>& written) {
        delete bar;
        if (!written)
          report(written.error(), path, what);
        else if (*written)
          report({}, path, what);
        else
          show_note(QStringLiteral("Cancelled: %1 was not written").arg(path));
      });
}

void MainWindow::ask_file(const QString& title, const QString& filter, const QString& suggestion,
                          std::function<void(const QString&)> then) {
  const QString folder =
      !directory_.isEmpty() && QFileInfo(directory_).isDir() ? directory_ : QDir::currentPath();
  auto* dialog = new QFileDialog(this, title, folder, filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  if (suggestion.isEmpty()) {
    dialog->setFileMode(QFileDialog::ExistingFile);
  } else {
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QFileInfo(suggestion).suffix());
    dialog->selectFile(suggestion);
    // "VTK (*.pvd)"
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& chosen) {
      const QString suffix =
          chosen.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0);
      if (!suffix.isEmpty()) dialog->setDefaultSuffix(suffix);
    });
  }
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, then = std::move(then)](const QString& path) {
            directory_ = QFileInfo(path).absolutePath();
            then(path);
          });
  dialog->open();
}

QString MainWindow::suggested_name(const QString& suffix) const {
  if (!path().isEmpty()) return QFileInfo(path()).completeBaseName() + suffix;
  QString name;
  for (const QChar c : title()) name += c.isLetterOrNumber() ? c.toLower() : QLatin1Char('_');
  return (name.isEmpty() ? QStringLiteral("scenario") : name) + suffix;
}

void MainWindow::report(const Result<void>& done, const QString& path, const QString& what) {
  if (done)
    show_note(QStringLiteral("Written to %1: %2").arg(path, what));
  else
    show_error(QStringLiteral("The file was not written"), text(done.error().text()));
}

void MainWindow::show_error(const QString& title, const QString& message, bool run_unharmed) {
  auto* box = new QMessageBox(QMessageBox::Warning, title,
                              QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()),
                              QMessageBox::Close, this);
  box->setInformativeText(
      message.toHtmlEscaped() +
      (run_unharmed ? QStringLiteral("<p>The run is unchanged.</p>") : QString()));
  box->setTextInteractionFlags(Qt::TextSelectableByMouse);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();
}

void MainWindow::show_about() {
  auto* box = new QMessageBox(
      QMessageBox::NoIcon, QStringLiteral("About twosphere"),
      QStringLiteral("<h3>twosphere %1</h3><p>Mechanics on products of two-spheres, simulated "
                     "interactively.</p><p>Built with Qt %2, Dear ImGui %3 and Eigen.</p>"
                     "<p>Licence: GNU General Public License, version 3 or later.</p>")
          .arg(QLatin1String(version), QLatin1String(qVersion()), Viewport::imgui_version()),
      QMessageBox::Close, this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();
}

void MainWindow::show_help() {
  const Scenario& open = *session_->document().opened;
  const ui::PresetEntry* page = ui::preset_of(&open);
  if (!page)
    for (const ui::PresetEntry& entry : ui::preset_entries())
      if (!page && entry.system && entry.system->key == open.system) page = &entry;
  if (!help_) help_ = std::make_unique<HelpDialog>(this);
  help_->show_page(text(page ? page->key : presets().front().key));
}

void MainWindow::show_paper_figure(std::size_t entry) {
  if (!figures_) {
    figures_ = std::make_unique<PaperFigureDialog>(this);
    connect(figures_.get(), &PaperFigureDialog::run_wanted, this,
            [this](const Scenario& run, bool field) {
              if (field && viewport_->interface().is_checked(ui::Action::toggle_field) == false)
                perform(ui::Action::toggle_field);
              start(run, {});
              raise();
              activateWindow();
            });
    connect(figures_.get(), &PaperFigureDialog::save_wanted, this,
            [this](const Figure& figure, const QString& name) {
              ask_file(QStringLiteral("Save figure"),
                       QStringLiteral("SVG (*.svg);;PDF (*.pdf);;PNG (*.png)"),
                       name + QStringLiteral(".svg"), [this, figure](const QString& path) {
                         const QString end = QFileInfo(path).suffix().toLower();
                         const FigureFormat format = end == QLatin1String("pdf") ? FigureFormat::pdf
                                                     : end == QLatin1String("png")
                                                         ? FigureFormat::png
                                                         : FigureFormat::svg;
                         write_in_background(
                             path, QStringLiteral("figure"),
                             [figure, format, file = path.toStdString()] {
                               return write_bytes(
                                   file, figure_file(figure, paper_page(format), paper_look()));
                             });
                       });
            });
  }
  figures_->show_figure(entry);
}

void MainWindow::show_note(const QString& text) { statusBar()->showMessage(text, note_duration); }

QString MainWindow::path() const { return text(session_->document().path); }

QString MainWindow::title() const { return text(session_->document().opened->title); }

void MainWindow::update_title() {
  const QString file = QFileInfo(path()).fileName();
  setWindowTitle(QStringLiteral("%1[*] - twosphere").arg(file.isEmpty() ? title() : file));
  setWindowFilePath(path());
  setWindowModified(session_->modified());
  viewport_->set_file_name(file.toStdString());
}

void MainWindow::update_edit_menu() {
  const auto show = [this](ui::Action which, const std::string& edit) {
    const QString name = text(ui::info(which).label);
    findChild<QAction*>(text(ui::info(which).id))
        ->setText(edit.empty() ? name : name + QLatin1Char(' ') + text(edit));
  };
  show(ui::Action::undo, session_->undo_label());
  show(ui::Action::redo, session_->redo_label());
  update_actions();
}

void MainWindow::update_status() {
  status_age_.start();
  // What is shown is what the view shows; a hidden one does not look.
  if (!windowHandle() || !windowHandle()->isExposed()) {
    run_.update();
    session_->update();
  }
  const Snapshot& now = run_.snapshot();
  const auto show = [](QLabel* label, const QString& text) {
    if (label->text() != text) label->setText(text);
  };
  show(status_.state, state_name(now.state));
  show(status_.step, QStringLiteral("step %1").arg(now.steps));
  show(status_.speed, QStringLiteral("%1 steps/s").arg(std::llround(now.steps_per_second)));
  // Of several lanes the reference; the tooltip has all of them.
  const auto& histories = run_.histories();
  const auto chosen = static_cast<std::size_t>(viewport_->interface().settings().reference_lane);
  const std::size_t lane = chosen < histories.size() ? chosen : 0;
  if (histories[lane].size() == 0) return;
  const auto energy = [&](std::size_t i) {
    return QStringLiteral("mean |E − E₀ − W| %1 J")
        .arg(number(histories[i].mean_magnitude(Quantity::energy_error)));
  };
  const auto length = [&](std::size_t i) {
    return QStringLiteral("worst ||q| − 1| %1")
        .arg(number(histories[i].worst_magnitude(Quantity::unit_length_error)));
  };
  const bool several = histories.size() > 1;
  const QString name = several ? text(now.lanes[lane].name) : QString();
  if (status_.energy->property(lane_name).toString() != name) {
    status_.energy->setProperty(lane_name, name);
    fit_status_bar();
  }
  // A long name gives way to the number.
  const int room = width() - status_gap - room_for(*status_.energy, QStringLiteral(": "));
  show(status_.energy, several ? status_.energy->fontMetrics().elidedText(name, Qt::ElideMiddle,
                                                                          std::max(room, 1)) +
                                     QStringLiteral(": ") + energy(lane)
                               : energy(lane));
  show(status_.length, length(lane));
  QStringList all;
  for (std::size_t i = 0; several && i < histories.size(); ++i)
    all << QStringLiteral("%1: %2, %3").arg(text(now.lanes[i].name), energy(i), length(i));
  for (QLabel* label : {status_.energy, status_.length})
    label->setToolTip(all.join(QLatin1Char('\n')));
}

void MainWindow::follow_settings() {
  const ui::Interface& interface = viewport_->interface();
  for (const ui::ActionInfo& info : ui::actions())
    if (const auto is_checked = interface.is_checked(info.action))
      findChild<QAction*>(text(info.id))->setChecked(*is_checked);
  const ui::Settings& settings = viewport_->interface().settings();
  const bool recolored = palette_ != settings.palette;
  if (recolored) {
    palette_ = settings.palette;
    QApplication::setPalette(widget_palette(*palette_));
    qApp->setStyleSheet(widget_borders(*palette_));
  }
  // A style sheet gives menus the letters of the platform back.
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
  // A style sheet that goes may leave the font of before with the menus; one that is there sets it.
  const QFont menus = qApp->styleSheet().isEmpty() ? QApplication::font() : QFont();
  menuBar()->setFont(menus);
  for (QMenu* menu : findChildren<QMenu*>()) menu->setFont(menus);
  const QFont mono = scaled(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  for (QLabel* label : {status_.state, status_.step, status_.speed, status_.energy, status_.length})
    label->setFont(mono);
  fit_status_bar();
}

// The errors matter most. A width of its own keeps a label from widening the window.
void MainWindow::fit_status_bar() {
  const auto needed = [](const QLabel* label) {
    const QString name = label->property(lane_name).toString();
    return room_for(*label, name.isEmpty() ? name : name + QStringLiteral(": "));
  };
  // A note comes before the numbers, as long as it is there.
  const QString note = statusBar()->currentMessage();
  const int taken =
      note.isEmpty() ? 0 : statusBar()->fontMetrics().horizontalAdvance(note) + 2 * status_gap;
  statusBar()->setToolTip(note);
  int room = width() - status_gap - taken;
  for (QLabel* label :
       {status_.energy, status_.length, status_.state, status_.step, status_.speed}) {
    const int wide = needed(label);
    label->setMinimumWidth(std::max(1, std::min(wide, room)));
    label->setVisible(has_scene_ && (wide <= room || (label == status_.energy && note.isEmpty())));
    room -= wide + statusBar()->layout()->spacing();
  }
}

// A modal dialog that had the keyboard has closed: without a window manager nobody else gives it
// back.
bool MainWindow::event(QEvent* event) {
  if (event->type() == QEvent::WindowUnblocked && QGuiApplication::focusWindow()) activateWindow();
  return QMainWindow::event(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  fit_status_bar();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!leaving_ && busy()) {
    event->ignore();
    if (!QApplication::activeModalWidget()) ask_to_drop_work();
    return;
  }
  if (!leaving_ && session_->modified()) {
    event->ignore();
    if (!QApplication::activeModalWidget())
      ask_to_save([this] {
        leaving_ = true;
        close();
      });
    return;
  }
  if (recovering_) recovering_->remove();  // what it had is closed here, as any run
  write_settings({.interface = viewport_->interface().settings(),
                  .geometry = saveGeometry(),
                  .directory = directory_,
                  .figure = figure_,
                  .film = film_});
  run_.send(Pause{});  // whoever waits for a step in progress need not
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
    read_pasted(event->mimeData()->text(), QStringLiteral("dropped text"));
  else
    open(urls.front().toLocalFile());
}

}  // namespace twosphere
