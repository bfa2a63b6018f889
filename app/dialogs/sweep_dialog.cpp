// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/sweep_dialog.h"

#include <QComboBox>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/base/labels.h"
#include "app/base/plural.h"
#include "app/base/qt_text.h"
#include "app/base/user_files.h"
#include "app/dialogs/sweep_form.h"
#include "app/dialogs/sweep_path.h"
#include "app/dialogs/sweep_view.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/live_run.h"
#include "app/session/sweep_choices.h"
#include "app/session/sweep_process.h"
#include "core/base/interrupt.h"
#include "core/base/simd_level.h"
#include "core/scenario/state_expression.h"
#include "core/studies/sweep_folder.h"
#include "core/studies/sweep_plan.h"

namespace twosphere {

namespace {

constexpr int folder_interval = 250;          // [ms] between two looks into the folder
constexpr std::size_t max_shown = 4'000'000;  // tasks

const auto sweep_title = QStringLiteral("Parameter map");
const auto empty_map = QStringLiteral(
    "Start fills the map, coarse to fine. Each point is a run of its own: a click on it plays that "
    "run in the window, Shift-click adds it to the run there as a lane.");

QString cannot_open(std::size_t task, const Error& error) {
  return QStringLiteral("Task %1 cannot be opened: %2").arg(task).arg(to_qstring(error.text()));
}

QString time_text(double seconds) {
  if (seconds < 90) return QStringLiteral("%1 s").arg(std::ceil(seconds), 0, 'f', 0);
  if (seconds < 5400) return QStringLiteral("%1 min").arg(seconds / 60, 0, 'f', 0);
  return QStringLiteral("%1 h").arg(seconds / 3600, 0, 'f', 1);
}

}  // namespace

SweepDialog::SweepDialog(const DialogContext& context)
    : StudyDialog(context, "sweep_dialog", {1060, 700}), process_(new SweepProcess(this)) {
  QWidget* fields = make_fields();
  make_results();
  make_buttons();
  lay_out(fields);
  results_->addWidget(make_bar("Tasks done"));
  bar_->setTextVisible(false);
  bar_->setMaximumHeight(8);
  timer_.setInterval(folder_interval);
  connect(process_, &SweepProcess::ended, this, &SweepDialog::ended);
  opened_ = context_.document.session().document().opened;
  connect(&context_.document.session(), &Session::changed, this, &SweepDialog::follow_document);
  show_progress();
}

SweepDialog::Look SweepDialog::look() const {
  const ui::Settings& settings = context_.viewport.interface().settings();
  return {settings.palette, settings.color_map};
}

/// The fields, and what is shown in their place while a folder is open.
QWidget* SweepDialog::make_fields() {
  auto* fields = new QWidget(this);
  own_plan_ = new QWidget(fields);
  form_ = new SweepForm(own_plan_);
  folder_ = named(new QLineEdit(own_plan_), "folder", {},
                  "Where the plan and the results of the next map are kept. If it is empty, a new "
                  "folder is created in your data directory");
  folder_->setPlaceholderText("a new folder");
  auto* place = new QFormLayout;
  place->addRow("Save in", folder_);
  auto* own = new QVBoxLayout(own_plan_);
  own->setContentsMargins(0, 0, 0, 0);
  own->addWidget(form_);
  own->addLayout(place);

  plan_ = named(new QGroupBox("Map of this folder", fields), "plan");
  plan_rows_ = new QFormLayout;
  plan_rows_->setRowWrapPolicy(QFormLayout::WrapAllRows);
  new_map_ = push_button(*plan_, "new_map", "&New map…",
                         "Leave this folder, for a map of the open scenario");
  auto* theirs = new QVBoxLayout(plan_);
  theirs->addLayout(plan_rows_);
  theirs->addWidget(new_map_);
  plan_->hide();
  connect(new_map_, &QPushButton::clicked, this, &SweepDialog::leave_folder);

  auto* left = new QVBoxLayout(fields);
  left->addWidget(own_plan_);
  left->addWidget(plan_);
  left->addStretch(1);
  return fields;
}

void SweepDialog::make_results() {
  view_ = named(new SweepView(this), "map", "Map");
  view_->show_text(empty_map);
  auto* choices = new QHBoxLayout;
  const auto list = [&](const char* name, const QString& spoken) {
    auto* box = named(new QComboBox(this), name, spoken);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->hide();  // until there is a map
    connect(box, &QComboBox::activated, this, &SweepDialog::draw);
    choices->addWidget(box);
    return box;
  };
  measure_ = list("shown", "Measure shown");
  scale_ = list("scale", "Scale of the colours");
  scale_->addItems({"Linear colours", "Logarithmic colours"});
  others_ = new QWidget(this);
  (new QHBoxLayout(others_))->setContentsMargins(0, 0, 0, 0);
  choices->addWidget(others_);
  choices->addStretch(1);
  readout_ = text_lines(*this, "readout");
  // Of always the same height, so that the map stays where it is under the mouse.
  readout_->setMinimumHeight(2 * readout_->fontMetrics().lineSpacing());
  readout_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  said_ = text_lines(*this, "said");
  path_ = new SweepPath(this);
  progress_text_ = text_lines(*this, "progress_text");
  results_->addLayout(choices);
  results_->addWidget(view_, 1);
  for (QWidget* part : std::initializer_list<QWidget*>{readout_, said_, path_, progress_text_})
    results_->addWidget(part);
  connect(view_, &SweepView::cursor_moved, this, &SweepDialog::show_cursor);
  connect(view_, &SweepView::chosen, this, &SweepDialog::play_task);
  connect(view_, &SweepView::chosen_with_shift, this, &SweepDialog::add_lane);
}

void SweepDialog::make_buttons() {
  start_ = add_button("start", "&Start", "Begin the map with these settings, in a new folder",
                      [this] { start(); });
  start_->setDefault(true);
  stop_ = add_button("stop", "S&top", "All rows so far are kept", [this] {
    if (busy()) return cancel();
    if (process_->running()) return process_->stop();
    run_tasks();
  });
  add_settings_button();
  row_->addStretch(1);
  open_ = add_button("open_folder", "&Open folder…",
                     "Show the sweep of a folder, also one that a cluster fills",
                     [this] { ask_for_folder(); });
  save_ = add_button("save", "Save &figure…", "Write the map as PDF, SVG or PNG", [this] {
    if (view_->map())
      context_.exports.save_paper_figure(as_figure(*view_->map()),
                                         file_name(view_->map()->title, "map", "map"));
  });
}

/// The settings of the document, with the signal that was chosen and the expressions that are
/// plotted, as far as they fit these settings.
Scenario SweepDialog::scenario_to_sweep() const {
  Scenario scenario = *context_.document.session().document().settings;
  scenario.signal = context_.document.measured_signal();
  scenario.plots = context_.document.plotted();
  std::erase_if(scenario.plots, [&](const PlottedExpression& plotted) {
    return !StateExpression::create(plotted.expression, scenario, plotted.unit);
  });
  return scenario;
}

void SweepDialog::prepare(const QString& topic) {
  show_fields();
  context_.document.session().update();
  form_->set_scenario(scenario_to_sweep());
  if (!topic.isEmpty()) choose_axis(topic);
}

/// The window has other settings, or has opened a scenario: the task that was clicked last, or
/// another one.
void SweepDialog::follow_document() {
  const Document& document = context_.document.session().document();
  if (isVisible() && document.settings != settings_) form_->set_scenario(scenario_to_sweep());
  settings_ = document.settings;
  if (document.opened == opened_) return;
  opened_ = document.opened;
  if (!clicked_ || !same(*opened_, clicked_->scenario)) return;
  say(QStringLiteral("Task %1 runs in the window").arg(clicked_->task));
  step_aside();
}

void SweepDialog::choose_axis(const QString& path) {
  if (reader_ && !own_) {
    if (process_->running())
      return refuse(QStringLiteral("The tasks of this folder are running. Stop them first; then "
                                   "%1 can be an axis of a new map.")
                        .arg(path));
    leave_folder();
  }
  const bool fits = form_->choose_axis(path);
  refuse(fits ? QString() : QStringLiteral("%1 cannot be an axis of a map.").arg(path));
}

QString SweepDialog::new_folder() const {
  const QString name = file_name_of(to_qstring(form_->scenario().title), QStringLiteral("map")) +
                       QDateTime::currentDateTime().toString(QStringLiteral("-yyyyMMdd-hhmmss"));
  const QString path = user_folder("XDG_DATA_HOME", QStringLiteral(".local/share")) +
                       QStringLiteral("/sweeps/") + name;
  QString free = path;
  for (int k = 2; QFileInfo::exists(free); ++k) free = path + QStringLiteral("-%1").arg(k);
  return free;
}

void SweepDialog::start() {
  refuse({});
  auto sweep = form_->sweep();
  if (!sweep) return refuse(to_qstring(sweep.error().text()));
  if (sweep->tasks() > max_shown)
    return refuse(
        QStringLiteral("Values: %1 tasks are too many for a map in the window; at most %2")
            .arg(sweep->tasks())
            .arg(max_shown));
  // Its equilibria may have to be found.
  const auto planned = std::make_shared<Sweep>(std::move(*sweep));
  compute(
      [this, planned, &stop = cancelled()] {
        const Interruptible interruptible(stop);
        return complete_sweep(*planned, spare_threads(), [this](std::size_t done, std::size_t all) {
          return proceed(done, all);
        });
      },
      [this, planned, path = folder_->text().trimmed().isEmpty() ? new_folder() : folder_->text()](
          const Result<bool>& complete) { take_plan(complete, *planned, path); });
  show_progress();
}

/// Begins the sweep that was planned, in a new folder.
void SweepDialog::take_plan(const Result<bool>& complete, const Sweep& planned,
                            const QString& path) {
  show_progress();
  if (reader_) timer_.start();  // the former map is followed again
  if (cancelled()) return refuse(QStringLiteral("Cancelled"));
  if (!complete) return refuse(to_qstring(complete.error().text()));
  auto folder = make_sweep(QDir(path).absolutePath().toStdString(), planned);
  if (!folder) return refuse(to_qstring(folder.error().text()));
  follow(std::move(*folder), true);
  run_tasks();
}

void SweepDialog::run_tasks() {
  refuse({});
  done_before_ = done_;
  since_.start();
  process_->start(to_qstring(reader_->folder().path));
  show_progress();
}

void SweepDialog::ended(const QString& problem) {
  poll();
  refuse(problem);
  show_progress();
}

void SweepDialog::show_folder(const QString& path) {
  auto folder = open_sweep(path.toStdString());
  QString why;
  if (!folder)
    why = to_qstring(folder.error().text());
  else if (folder->sweep.tasks() > max_shown)
    why = QStringLiteral("%1: %2 tasks are too many for a map in the window")
              .arg(path)
              .arg(folder->sweep.tasks());
  refuse(why);
  if (why.isEmpty()) follow(std::move(*folder), false);
}

void SweepDialog::leave_folder() {
  timer_.stop();
  reader_.reset();
  rows_.clear();
  say({});
  refuse({});
  setWindowTitle(sweep_title);
  view_->show_text(empty_map);
  for (QWidget* part : std::initializer_list<QWidget*>{measure_, scale_, others_}) part->hide();
  show_plan();
  show_cursor();
  show_progress();
}

/// The folder and, unless the map was begun here, its plan in place of the fields.
void SweepDialog::show_plan() {
  const bool theirs = reader_ && !own_;
  while (plan_rows_->rowCount() > 0) plan_rows_->removeRow(0);
  if (theirs)
    for (const auto& [what, value] : describe(sweep())) {
      auto* text = text_lines(*plan_, "");
      text->setText(to_qstring(value));
      text->setTextInteractionFlags(Qt::TextSelectableByMouse);
      QLabel* label = plain_label(to_qstring(what), plan_);
      label->setEnabled(false);
      plan_rows_->addRow(label, text);
    }
  plan_->setVisible(theirs);
  own_plan_->setVisible(!theirs);
  path_->show_path(
      reader_ ? QDir::toNativeSeparators(QDir(to_qstring(reader_->folder().path)).absolutePath())
              : QString());
}

void SweepDialog::ask_for_folder() {
  auto* ask = new QFileDialog(this, QStringLiteral("Open the folder of a sweep"));
  ask->setAttribute(Qt::WA_DeleteOnClose);
  ask->setOption(QFileDialog::DontUseNativeDialog);
  ask->setFileMode(QFileDialog::Directory);
  if (reader_) ask->setDirectory(QFileInfo(to_qstring(reader_->folder().path)).path());
  connect(ask, &QFileDialog::fileSelected, this, &SweepDialog::show_folder);
  ask->open();
}

void SweepDialog::follow(SweepFolder folder, bool own) {
  own_ = own;
  rows_.assign(folder.sweep.tasks(), {});
  for (std::size_t k = 0; k < rows_.size(); ++k) rows_[k].task = k;
  done_ = failed_ = 0;
  labels_ = axis_labels(folder.sweep);
  setWindowTitle(
      QStringLiteral("%1: %2").arg(sweep_title, QFileInfo(to_qstring(folder.path)).fileName()));
  reader_.emplace(std::move(folder));
  drawn_.reset();
  clicked_.reset();
  say({});
  show_plan();
  fill_choices();
  since_.start();
  timer_.start();
  poll();
  done_before_ = done_;
  show_progress();
}

/// What can be shown of the sweep: its measures, and the values on the axes that are not drawn.
void SweepDialog::fill_choices() {
  measure_->clear();
  for (const SweepMeasure& m : sweep().measures) measure_->addItem(to_qstring(m.label()));
  measure_->setVisible(measure_->count() > 1);
  const SweepMeasure& first = sweep().measures.front();
  const bool error = first.over_run() && first.signal.error();
  scale_->setCurrentIndex(error ? 1 : 0);
  scale_->show();
  others_->show();
  qDeleteAll(others_->findChildren<QComboBox*>(Qt::FindDirectChildrenOnly));
  other_values_.assign(sweep().shape().size(), nullptr);
  for (std::size_t k = 2; k < other_values_.size(); ++k) {
    auto* box = new QComboBox(others_);
    others_->layout()->addWidget(box);
    for (std::size_t i = 0; i < sweep().shape()[k]; ++i) {
      const bool member = k >= sweep().axes.size();
      const json::Node* value = member ? nullptr : &sweep().axes[k].values[i];
      box->addItem(QStringLiteral("%1 %2").arg(
          member ? QStringLiteral("member") : to_qstring(labels_[k]),
          member                              ? QString::number(i)
          : value->kind == json::Kind::string ? to_qstring(value->text)
                                              : to_qstring(json::shortest(value->number))));
    }
    connect(box, &QComboBox::activated, this, &SweepDialog::draw);
    other_values_[k] = box;
  }
}

/// Takes the rows that are new.
void SweepDialog::poll() {
  if (!reader_) return show_progress();
  const auto fresh = reader_->read();
  if (!fresh) {
    timer_.stop();
    return refuse(to_qstring(fresh.error().text()));
  }
  for (const SweepRow& row : *fresh) {
    SweepRow& to = rows_[row.task];
    if (!replaces(row, to)) continue;
    done_ += to.status == TaskStatus::missing ? 1 : 0;
    failed_ += failed(row.status) ? 1 : 0;
    failed_ -= failed(to.status) ? 1 : 0;
    to = row;
  }
  if (!fresh->empty() || drawn_ != look())
    draw();
  else
    show_progress();
}

std::size_t SweepDialog::shown_measure() const {
  return static_cast<std::size_t>(std::max(0, measure_->currentIndex()));
}

void SweepDialog::draw() {
  if (!reader_) return;
  drawn_ = look();
  MapChoice choice;
  choice.measure = shown_measure();
  if (sweep().shape().size() > 1) choice.up = 1;
  for (const QComboBox* box : other_values_)
    choice.fixed.push_back(box ? static_cast<std::size_t>(box->currentIndex()) : 0);
  choice.logarithmic = scale_->currentIndex() == 1;
  scale_->setEnabled(!sweep().measures[choice.measure].of_basin());
  choice.colors = drawn_->colors;
  choice.measure_name = sweep().measures[choice.measure].label();
  choice.labels = labels_;
  view_->show_map(sweep_map(sweep(), rows_, choice), drawn_->palette);
  unclear_ = std::count_if(rows_.begin(), rows_.end(),
                           [this](const SweepRow& row) { return too_short(row); });
  show_cursor();
  show_progress();
}

/// Whether the task is too short for what is shown: see is_too_short().
bool SweepDialog::too_short(const SweepRow& row) const {
  return row.status != TaskStatus::missing &&
         is_too_short(sweep().measures[shown_measure()], row.values[shown_measure()],
                      sweep().scenario.duration);
}

void SweepDialog::show_progress() {
  const bool plans = busy(), running = plans || process_->running(),
             whole = reader_ && done_ == rows_.size();
  start_->setEnabled(!running && (!reader_ || own_));
  open_->setEnabled(!running);
  new_map_->setEnabled(!running);
  save_->setEnabled(reader_.has_value());
  const bool can_go_on = !running && !whole && reader_;
  stop_->setText(can_go_on ? QStringLiteral("Con&tinue") : QStringLiteral("S&top"));
  stop_->setToolTip(plain_tip(can_go_on
                                  ? QStringLiteral("Run the tasks that are left, on this machine")
                              : plans ? QStringLiteral("Cancel the map")
                                      : QStringLiteral("All rows so far are kept")));
  stop_->setEnabled(running || can_go_on);
  if (plans) {
    StudyDialog::poll();
    const int starts = bar_->maximum();
    return progress_text_->setText(
        starts > 1 ? QStringLiteral("Equilibria: %1 of %2 starts").arg(bar_->value()).arg(starts)
                   : QStringLiteral("Planning"));
  }
  bar_->setVisible(reader_.has_value());
  if (!reader_) return progress_text_->clear();
  bar_->setRange(0, static_cast<int>(rows_.size()));
  bar_->setValue(static_cast<int>(done_));
  QString text =
      QStringLiteral("%1 of %2 done").arg(done_).arg(counted(rows_.size(), "task", "tasks"));
  if (failed_ > 0) text += QStringLiteral(", %1 failed (grey)").arg(failed_);
  if (unclear_ > 0)
    text += (sweep().measures[shown_measure()].of_basin()
                 ? QStringLiteral(", %1 at rest at no equilibrium")
                 : QStringLiteral(", %1 with T too short to tell"))
                .arg(unclear_);
  const double seconds = static_cast<double>(since_.elapsed()) / 1000;
  const double rate = seconds > 0 ? static_cast<double>(done_ - done_before_) / seconds : 0;
  if (!whole && rate > 0 && (running || !own_))
    text += QStringLiteral(", %1/s, %2 left")
                .arg(rate, 0, 'g', 3)
                .arg(time_text(static_cast<double>(rows_.size() - done_) / rate));
  if (const std::string_view level = isa_level(); sweep().isa != level)
    text += QStringLiteral(
                ". Made at the instruction set level %1, not %2: a run opened here may "
                "differ in the last digits.")
                .arg(to_qstring(sweep().isa), to_qstring(level));
  progress_text_->setText(text);
}

/// The values at the cursor.
void SweepDialog::show_cursor() {
  const auto spot = view_->cursor();
  if (!spot || !view_->map()) {
    readout_->setText(reader_ ? QStringLiteral("The values at the mouse") : QString());
    return;
  }
  const SweepMap& map = *view_->map();
  const SweepMap::Cell& cell = map.at(spot->column, spot->row);
  QString text = to_qstring(map.place(spot->column, spot->row));
  if (cell.status != TaskStatus::missing) {
    text += measured(rows_[cell.task]);
  } else {
    text += QStringLiteral(": task %1 is not computed yet").arg(cell.task);
    if (cell.shown)
      text += QStringLiteral("; shown is one beside it") + measured(rows_[*cell.shown]);
  }
  readout_->setText(text);
}

/// ": MEGNO = 2.01 (task 27)", or why there is no value; and whether the time is too short for it.
QString SweepDialog::measured(const SweepRow& row) const {
  const ColorBar& bar = view_->map()->bar;
  const double value = row.values[shown_measure()];
  QString text;
  if (const SweepMap::Category* category = view_->map()->category_of(value))
    text = QStringLiteral(": %1 %2").arg(to_qstring(bar.label), to_qstring(category->name));
  else if (!std::isnan(value))
    text = QStringLiteral(": %1 = %2%3")
               .arg(to_qstring(bar.label), to_qstring(ui::significant(value, 6)),
                    bar.unit == "1" ? QString() : QLatin1Char(' ') + to_qstring(bar.unit));
  QString status;
  if (row.status != TaskStatus::done) {
    status = QStringLiteral(", ") + to_qstring(name(row.status));
    status.replace(QLatin1Char('_'), QLatin1Char(' '));
  }
  if (broke_off(row.status))
    status += QStringLiteral(": ") + to_qstring(reason_of(reader_->folder(), row.task));
  else if (const SweepMeasure& m = sweep().measures[shown_measure()];
           m.needs_signal() || m.of_orbit())
    if (const std::string note = note_of(reader_->folder(), row.task); !note.empty())
      status += QStringLiteral("; ") + to_qstring(note);
  if (too_short(row))
    status += sweep().measures[shown_measure()].of_basin()
                  ? QStringLiteral("; at rest at no equilibrium: T may be too short")
                  : QStringLiteral("; T too short to tell: T ≥ 10/λ is advised");
  return text + QStringLiteral(" (task %1%2)").arg(row.task).arg(status);
}

/// What became of a click; without one, what clicks do.
void SweepDialog::say(const QString& text) {
  said_->setText(!text.isEmpty() ? text
                 : reader_       ? QStringLiteral("Click: play the task in the window. "
                                                        "Shift-click: add it to the run there as a lane.")
                                 : QString());
  said_->setVisible(!said_->text().isEmpty());
}

void SweepDialog::play_task(std::size_t task) {
  auto scenario = sweep_scenario(sweep(), task);
  if (!scenario) return say(cannot_open(task, scenario.error()));
  // Few rows were enough for the measures; the plots want more.
  const auto& measures = sweep().measures;
  if (std::none_of(measures.begin(), measures.end(),
                   [](const SweepMeasure& m) { return m.needs_rows(); }))
    scenario->every = 0;
  const SweepMap& map = *view_->map();
  const auto cell = std::find_if(map.cells.begin(), map.cells.end(),
                                 [task](const SweepMap::Cell& one) { return one.task == task; });
  if (cell != map.cells.end()) {
    const auto index = static_cast<std::size_t>(cell - map.cells.begin());
    scenario->title += ": " + map.place(index % map.across.size(), index / map.across.size());
  }
  say({});
  clicked_ = {task, *scenario};
  context_.document.start(*scenario, {}, {.then = [&run = context_.run] { run.send(Play{}); }});
}

void SweepDialog::add_lane(std::size_t task) {
  const auto scenario = sweep_scenario(sweep(), task);
  if (!scenario) return say(cannot_open(task, scenario.error()));
  const auto lane = as_lane_of(form_->scenario(), *scenario);
  if (!lane)
    return say(QStringLiteral("Task %1 %2").arg(task).arg(to_qstring(lane.error().message)));
  const bool waits = !context_.run.snapshot().edits_start;
  if (context_.document.session().add_lane(*lane))
    say(QStringLiteral("Task %1 added as the lane %2%3")
            .arg(task)
            .arg(to_qstring(lane->name),
                 waits ? QStringLiteral(", which begins on Rewind") : QString()));
}

void SweepDialog::reject() {
  if (!process_->running()) return QDialog::reject();
  auto* box = message_box(this, QMessageBox::Question, QStringLiteral("The map is not complete"),
                          QStringLiteral("Stop the tasks that are left?"),
                          QStringLiteral("All rows so far are kept. In the background the tasks go "
                                         "on until the window is closed."),
                          QMessageBox::Cancel);
  auto* stop = box->addButton(QStringLiteral("&Stop"), QMessageBox::DestructiveRole);
  stop->setObjectName(QStringLiteral("stop_tasks"));
  auto* leave = box->addButton(QStringLiteral("In the &background"), QMessageBox::AcceptRole);
  leave->setObjectName(QStringLiteral("leave_tasks"));
  connect(stop, &QPushButton::clicked, this, [this] {
    process_->stop();
    QDialog::reject();
  });
  connect(leave, &QPushButton::clicked, this, [this] { QDialog::reject(); });
  box->open();
}

DialogRecord sweep_dialog() { return study_record<SweepDialog>("sweep", sweep_title); }

}  // namespace twosphere

#include "moc_sweep_dialog.cpp"
