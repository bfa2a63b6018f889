// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/section_dialog.h"

#include <fmt/format.h>

#include <QCheckBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMainWindow>
#include <QPushButton>
#include <QScreen>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <string_view>
#include <utility>

#include "app/base/labels.h"
#include "app/base/plural.h"
#include "app/base/qt_text.h"
#include "app/base/user_files.h"
#include "app/dialogs/dialog.h"
#include "app/dialogs/section_form.h"
#include "app/dialogs/section_view.h"
#include "app/export/export_controller.h"
#include "app/figures/print_painter.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/output/lane_style.h"
#include "core/scenario/poincare_section.h"
#include "core/scenario/state_expression.h"
#include "core/studies/section_start.h"

namespace twosphere {

namespace {

constexpr double section_share = 0.92;  // of the screen at most
constexpr int section_interval = 100;   // [ms] between two looks at the run
constexpr int run_number = 0;           // of the follower
constexpr int usual_points = 500, most_start_points = 1'000'000;
constexpr std::size_t most_starts = 24;
constexpr int color_swatch = 12;  // [px]
/// How far behind the run is said: a part of its steps.
constexpr std::int64_t lag_shown = 20;

QIcon swatch_of(Color color) {
  QPixmap picture(color_swatch, color_swatch);
  picture.fill(to_qcolor(color));
  return QIcon(picture);
}

/// "−1.23 rad/s"
std::string with_unit(double value, const std::string& unit) {
  return ui::significant(value, 4) + (unit == "1" ? "" : ' ' + unit);
}

/// An orbit from a point of the picture, and whether it has the momentum of the run that the system
/// conserves.
struct Found {
  Scenario orbit;
  bool conserved = false, momentum = false;
};

/// Whether the points are of this section, or there are none because it is wrong.
bool is_of(const SectionFollower::Progress& progress, const PoincareSection& section) {
  return progress.surface ? progress.surface->section() == section : progress.ended;
}

/// The unit of a coordinate, also of angles and of what ω makes.
std::string unit_of(const std::string& expression, const Scenario& scenario) {
  for (const std::string_view angle : {"atan2(", "acos(", "asin(", "atan(", "angle("})
    if (expression.starts_with(angle)) return "rad";
  const auto read = StateExpression::create(expression, scenario);
  return read && !read->bound_unit().empty() ? std::string(read->bound_unit()) : "1";
}

/// What an axis is called: the name of the coordinate or, if it has none of its own, what was
/// typed.
ui::PlotAxis axis_of(const PoincareSection& section, const Scenario& scenario, std::size_t index) {
  const auto& [name, expression] = section.coordinates[index];
  const bool own = name != "x" && name != "y";
  return {own ? name : expression, unit_of(expression, scenario), {}, {}};
}

}  // namespace

SectionDialog::SectionDialog(LiveRun& run, std::function<Look()> look, QWidget* parent)
    : QDialog(parent), run_(run), look_(std::move(look)) {
  setObjectName(QStringLiteral("section_dialog"));
  resize(QSize(1040, 680).boundedTo(screen()->availableSize() * section_share));

  form_ = new SectionForm(this);
  auto* fields = new QWidget(this);
  auto* left = new QVBoxLayout(fields);
  left->addWidget(form_);
  make_list(*left);

  view_ = new SectionView(this);
  view_->setObjectName(QStringLiteral("picture"));
  view_->setAccessibleName(QStringLiteral("Section"));
  readout_ = text_lines(*this, "readout");
  status_ = text_lines(*this, "status");
  problem_ = text_lines(*this, "problem");
  problem_->hide();
  auto* right = new QVBoxLayout;
  right->addWidget(view_, 1);
  for (QLabel* label : {readout_, status_, problem_}) right->addWidget(label);

  auto* row = new QHBoxLayout;
  make_buttons(*row);
  lay_out(*this, *fields, *right, *row);

  connect(form_, &SectionForm::edited, this, &SectionDialog::take_section);
  connect(view_, &SectionView::cursor_moved, this, &SectionDialog::show_cursor);
  connect(view_, &SectionView::chosen, this, &SectionDialog::start_orbit);
  connect(&timer_, &QTimer::timeout, this, &SectionDialog::poll);
  timer_.setInterval(section_interval);
}

SectionDialog::~SectionDialog() = default;

/// The list of the orbits, and what concerns them.
void SectionDialog::make_list(QVBoxLayout& column) {
  auto* usual = push_button(
      *this, "usual", QStringLiteral("&Default section"),
      QStringLiteral("The section of the scenario or, if it has none, where the first body passes "
                     "a plane, with the angle of the second body and its rate as axes"));
  column.addWidget(usual);
  connect(usual, &QPushButton::clicked, this, [this] {
    if (!loaded_) return;
    use(usual_section(*run_.snapshot().present));
    Q_EMIT section_changed(section_);
  });
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("orbits"));
  list_->setAccessibleName(QStringLiteral("Orbits"));
  list_->setToolTip(
      QStringLiteral("The ticked orbits are drawn. Click in the picture to start another "
                     "one, with the method of the lane that is selected here."));
  list_->setMinimumHeight(90);
  column.addWidget(list_, 1);
  connect(list_, &QListWidget::itemChanged, this, [this] { redraw_ = true; });
  connect(list_, &QListWidget::currentRowChanged, this, [this] { fill_list(run_.snapshot()); });
  auto* row = new QHBoxLayout;
  remove_ = push_button(
      *this, "remove", QStringLiteral("&Remove"),
      QStringLiteral("Remove the selected orbit, or all started orbits if none is selected"));
  open_ = push_button(*this, "open", QStringLiteral("&Open as run"),
                      QStringLiteral("Open the selected orbit as the run of the window"));
  row->addWidget(remove_);
  row->addWidget(open_);
  column.addLayout(row);
  connect(remove_, &QPushButton::clicked, this, [this] {
    if (const Orbit* orbit = chosen_orbit())
      remove(orbit->number);
    else
      forget_orbits();
  });
  connect(open_, &QPushButton::clicked, this, [this] {
    if (const Orbit* orbit = chosen_orbit()) Q_EMIT run_wanted(*orbit->record);
  });
  points_ = new QSpinBox(this);
  points_->setObjectName(QStringLiteral("start_points"));
  points_->setRange(1, most_start_points);
  points_->setSingleStep(100);
  points_->setValue(usual_points);
  points_->setToolTip(
      QStringLiteral("An orbit that was started by a click ends after this number of "
                     "points; a larger number continues it"));
  auto* form = new QFormLayout;
  form->addRow(QStringLiteral("Points per orbit"), points_);
  column.addLayout(form);
  further_button_ = push_button(
      *this, "further", {},
      QStringLiteral("Follow a copy of the run beyond its present end, until each lane has as many "
                     "points; the run itself stays where it is"));
  column.addWidget(further_button_);
  connect(further_button_, &QPushButton::clicked, this, [this] {
    further_ = true;
    steps_ = -1;
    poll();
  });
  connect(points_, &QSpinBox::valueChanged, this, [this] {
    for (Orbit& orbit : orbits_) {
      orbit.points = static_cast<std::size_t>(points_->value());
      follower_.follow(orbit.number, {.record = orbit.record, .points = orbit.points});
    }
    if (further_) steps_ = -1;
  });
  all_ = new QCheckBox(QStringLiteral("Show points from before &changes"), this);
  all_->setObjectName(QStringLiteral("before_changes"));
  all_->setToolTip(QStringLiteral(
      "Also draw the points from before the last change of a setting, a state or the "
      "direction of time; they belong to another motion. Tables always contain them."));
  column.addWidget(all_);
  connect(all_, &QCheckBox::toggled, this, [this] { redraw_ = true; });
}

void SectionDialog::make_buttons(QHBoxLayout& row) {
  const auto button = [&](const char* name, const QString& label, const QString& tip) {
    QPushButton* made = push_button(*this, name, label, tip);
    row.addWidget(made);
    return made;
  };
  auto* fit = button("fit", QStringLiteral("F&it"), QStringLiteral("Show all points"));
  row.addStretch(1);
  csv_ = button("save_points", QStringLiteral("Save &points…"),
                QStringLiteral("Write the points of the orbits ticked as CSV, one file for each"));
  figure_ = button("save_figure", QStringLiteral("Save &figure…"),
                   QStringLiteral("Write the picture as PDF, SVG or PNG"));
  auto* close = button("close", QStringLiteral("Close"), {});
  connect(fit, &QPushButton::clicked, view_, &SectionView::fit);
  connect(csv_, &QPushButton::clicked, this, &SectionDialog::export_points);
  connect(figure_, &QPushButton::clicked, this, [this] {
    if (!view_->picture()) return;
    SectionPicture on_paper = picture({Palette::light, look_().lanes});
    on_paper.x.range = view_->picture()->x.range;
    on_paper.y.range = view_->picture()->y.range;
    Q_EMIT picture_wanted(section_figure(on_paper),
                          file_name_of(to_qstring(on_paper.title), QStringLiteral("run")) +
                              QStringLiteral("-section"));
  });
  connect(close, &QPushButton::clicked, this, &SectionDialog::reject);
}

void SectionDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  steps_ = -1;
  timer_.start();
  poll();
}

void SectionDialog::hideEvent(QHideEvent* event) {
  QDialog::hideEvent(event);
  timer_.stop();
  // What was found is kept; no more is looked for.
  if (const auto run = progress(); run && followed_)
    follower_.follow(run_number, {.record = followed_, .steps = run->steps});
}

std::shared_ptr<const SectionFollower::Progress> SectionDialog::progress() const {
  return follower_.progress(run_number);
}

bool SectionDialog::complete() const {
  const auto run = progress();
  return run && record_ == run_.snapshot().record && run->record == followed_ && !drawn_.empty() &&
         drawn_[0] == run && (further_ ? run->ended : run->steps == run_.snapshot().steps) &&
         view_->complete();
}

void SectionDialog::poll() {
  const Snapshot& now = run_.snapshot();
  if (!now.present || !now.record) return;
  if (loaded_ != now.loaded) {
    loaded_ = now.loaded;
    forget_orbits();
    use(usual_section(*now.present));
  }
  follow_run(now);
  fill_list(now);
  show_further();
  std::vector<std::shared_ptr<const void>> all{progress()};
  for (const Orbit& orbit : orbits_) all.push_back(follower_.progress(orbit.number));
  const Look look = look_();
  // What is left of another section is not drawn in the plane of this one.
  const auto run = progress();
  if (!run || !is_of(*run, section_))
    redraw_ = true;
  else if (all != drawn_ || look != drawn_look_ || std::exchange(redraw_, false)) {
    drawn_ = std::move(all);
    drawn_look_ = look;
    draw();
  }
  show_status(now);
}

void SectionDialog::follow_run(const Snapshot& now) {
  const bool other = record_ != now.record || !followed_;
  if (!other && steps_ == now.steps) return;
  // The run has passed the copy that went on.
  if (const auto run = progress(); further_ && run && run->ended && now.steps > run->steps)
    further_ = false;
  if (other) {
    further_ = false;
    record_ = now.record;
    auto with_section = std::make_shared<Scenario>(*record_);
    with_section->section = section_;
    followed_ = std::move(with_section);
  }
  steps_ = now.steps;
  if (further_)
    follower_.follow(run_number, {.record = followed_,
                                  .points = static_cast<std::size_t>(points_->value()) *
                                            now.present->lanes.size()});
  else
    follower_.follow(run_number, {.record = followed_, .steps = steps_});
}

/// The button that follows a copy of the run beyond its head.
void SectionDialog::show_further() {
  const auto run = progress();
  std::size_t least = 0;
  if (run && run->surface && !run->lanes.empty())
    least = std::min_element(
                run->lanes.begin(), run->lanes.end(),
                [](const SectionPoints& a, const SectionPoints& b) { return a.size() < b.size(); })
                ->size();
  further_button_->setText(QStringLiteral("Co&ntinue to %1 points").arg(points_->value()));
  further_button_->setEnabled(run && run->surface && !further_ && run->problem.empty() &&
                              least < static_cast<std::size_t>(points_->value()));
}

/// Takes the section of the fields, if it is one.
void SectionDialog::take_section() {
  const Snapshot& now = run_.snapshot();
  if (!now.present) return;
  const auto section = form_->section();
  if (!section) return refuse(to_qstring(section.error().text()));
  const auto surface = SectionSurface::create(*section, *now.present);
  if (!surface) {
    std::string location = surface.error().location;
    // "coordinates.NAME:column 3" is one of two fields.
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string of = "coordinates." + section->coordinates[k].first;
      if (location.starts_with(of))
        location = (k == 0 ? "across" : "up") + location.substr(of.size());
    }
    return refuse(to_qstring(location + ": " + surface.error().message));
  }
  use(*section);
  Q_EMIT section_changed(section_);
}

void SectionDialog::use(const PoincareSection& section) {
  ++clicks_;
  problem_->hide();
  section_ = section;
  form_->set_section(section);
  followed_.reset();
  for (Orbit& orbit : orbits_) {
    auto record = std::make_shared<Scenario>(*orbit.record);
    record->section = section;
    orbit.record = std::move(record);
    follower_.follow(orbit.number, {.record = orbit.record, .points = orbit.points});
  }
  redraw_ = true;
}

void SectionDialog::refuse(const QString& why) {
  problem_->setText(why);
  problem_->show();
}

bool SectionDialog::hidden(const std::string& name) const {
  for (int row = 0; row < list_->count(); ++row)
    if (const QListWidgetItem* item = list_->item(row);
        item->data(Qt::UserRole).toString() == to_qstring(name))
      return item->checkState() == Qt::Unchecked;
  return false;
}

const SectionDialog::Orbit* SectionDialog::chosen_orbit() const {
  const QListWidgetItem* item = list_->currentItem();
  if (!item) return nullptr;
  const std::string name = item->data(Qt::UserRole).toString().toStdString();
  const auto found = std::find_if(orbits_.begin(), orbits_.end(),
                                  [&](const Orbit& orbit) { return orbit.name == name; });
  return found == orbits_.end() ? nullptr : &*found;
}

/// Writes the lanes and the starts into the list, with their numbers of points.
void SectionDialog::fill_list(const Snapshot& now) {
  const QSignalBlocker quiet(list_);
  const Look look = look_();
  const auto run = progress();
  int row = 0;
  const auto entry = [&](const std::string& name, const std::string& title, Color color,
                         const QString& text) {
    if (row == list_->count()) {
      auto* made = new QListWidgetItem(list_);
      made->setFlags(made->flags() | Qt::ItemIsUserCheckable);
      made->setCheckState(Qt::Checked);
    }
    QListWidgetItem* item = list_->item(row++);
    if (item->data(Qt::UserRole).toString() != to_qstring(name)) {
      item->setData(Qt::UserRole, to_qstring(name));
      item->setToolTip(name == title ? QString() : plain_tip(to_qstring(name)));
      item->setCheckState(Qt::Checked);
    }
    if (item->data(Qt::UserRole + 1).toUInt() != color.rgb || item->icon().isNull()) {
      item->setData(Qt::UserRole + 1, color.rgb);
      item->setIcon(swatch_of(color));
    }
    const QString full = QStringLiteral("%1: %2").arg(to_qstring(title), text);
    if (item->text() != full) item->setText(full);
  };
  lanes_.clear();
  std::vector<std::string_view> types;
  for (const LaneSpec& lane : now.present->lanes) types.push_back(lane.type);
  for (std::size_t i = 0; i < types.size(); ++i) {
    lanes_.push_back(now.present->lanes[i].name);
    const std::size_t points = run && i < run->lanes.size() ? run->lanes[i].size() : 0;
    entry(lanes_.back(), lane_title(lanes_.back(), find_integrator(types[i])),
          lane_style(lane_look(types, i), look.palette, look.lanes).color,
          counted(points, "point", "points"));
  }
  for (const Orbit& orbit : orbits_) {
    const auto progress = follower_.progress(orbit.number);
    QString text = counted(progress && !progress->lanes.empty() ? progress->lanes[0].size() : 0,
                           "point", "points");
    if (progress && !progress->problem.empty())
      text += QStringLiteral(", ended: ") + to_qstring(progress->problem);
    entry(orbit.name, orbit.name, branch_color(orbit.color, look.palette), text);
  }
  while (list_->count() > row) delete list_->takeItem(row);
  remove_->setEnabled(!orbits_.empty());
  const bool chosen = chosen_orbit() != nullptr;
  remove_->setText(chosen || orbits_.empty() ? QStringLiteral("&Remove")
                                             : QStringLiteral("&Remove all"));
  open_->setEnabled(chosen);
}

SectionPicture SectionDialog::picture(const Look& look) const {
  SectionPicture made;
  const auto run = progress();
  const Snapshot& now = run_.snapshot();
  if (!run || !run->surface || section_.coordinates.size() < 2) return made;
  made.title = now.present->title;
  made.x = axis_of(section_, *now.present, 0);
  made.y = axis_of(section_, *now.present, 1);
  std::vector<std::string_view> types;
  for (const LaneSpec& lane : now.present->lanes) types.push_back(lane.type);
  for (std::size_t i = 0; i < std::min(types.size(), run->lanes.size()); ++i) {
    const std::string& name = now.present->lanes[i].name;
    if (hidden(name)) continue;
    SectionPoints points = run->lanes[i];
    if (!all_->isChecked()) points = points.since(run->before_change[i]);
    made.series.push_back({lane_title(name, find_integrator(types[i])),
                           lane_style(lane_look(types, i), look.palette, look.lanes),
                           std::move(points)});
  }
  for (const Orbit& orbit : orbits_) {
    const auto progress = follower_.progress(orbit.number);
    if (!progress || progress->lanes.empty() || hidden(orbit.name) || !is_of(*progress, section_))
      continue;
    made.series.push_back(
        {orbit.name, {branch_color(orbit.color, look.palette)}, progress->lanes[0], false});
  }
  return made;
}

void SectionDialog::draw() {
  SectionPicture made = picture(look_());
  std::size_t points = 0;
  for (const auto& series : made.series) points += series.points.size();
  csv_->setEnabled(points > 0);
  figure_->setEnabled(points > 0);
  if (points > 0) return view_->show_picture(std::move(made), look_().palette);
  const auto run = progress();
  QString why = QStringLiteral("No points yet: the run has not crossed the section.");
  if (run && !run->problem.empty())
    why = to_qstring(run->problem);
  else if (run && run->jumps > 0)
    why = QStringLiteral("No points: the expression jumps through zero.");
  view_->show_text(why);
}

void SectionDialog::show_status(const Snapshot& now) {
  const auto run = progress();
  if (!run) return status_->clear();
  std::size_t points = 0, before = 0;
  for (std::size_t i = 0; i < run->lanes.size(); ++i) {
    points += run->lanes[i].size();
    before += run->before_change[i];
  }
  QString text = QStringLiteral("%1 of the run").arg(counted(points, "point", "points"));
  if (further_)
    text += QStringLiteral(", %1 beyond its end at %2 s, to t = %3 s")
                .arg(run->ended ? QStringLiteral("continued") : QStringLiteral("continuing"),
                     to_qstring(ui::significant(now.t, 5)), to_qstring(ui::significant(run->t, 5)));
  else if (run->ended && run->problem.empty())
    text += QStringLiteral(", as many as are kept, up to t = %1 s")
                .arg(to_qstring(ui::significant(run->t, 5)));
  else if (now.steps - run->steps > now.steps / lag_shown)
    text += QStringLiteral(" up to t = %1 s; it is at %2 s")
                .arg(to_qstring(ui::significant(run->t, 5)), to_qstring(ui::significant(now.t, 5)));
  if (before > 0 && !all_->isChecked())
    text +=
        QStringLiteral(". %1 from before the last change of the run not drawn")
            .arg(before == 1 ? QStringLiteral("The one") : QStringLiteral("The %1").arg(before));
  if (run->jumps > 0)
    text += QStringLiteral(". The expression jumped through zero %1")
                .arg(counted(run->jumps, "time", "times"));
  status_->setText(text + QLatin1Char('.'));
}

void SectionDialog::show_cursor() {
  const auto at = view_->cursor();
  if (!at || !view_->picture())
    return readout_->setText(
        QStringLiteral("A click starts an orbit there, with the energy of the run."));
  const SectionPicture& shown = *view_->picture();
  readout_->setText(
      QStringLiteral("%1 = %2, %3 = %4")
          .arg(to_qstring(shown.x.label), to_qstring(with_unit((*at)[0], shown.x.unit)),
               to_qstring(shown.y.label), to_qstring(with_unit((*at)[1], shown.y.unit))));
}

/// Starts an orbit at a point of the picture: finds a state in the background.
void SectionDialog::start_orbit(double x, double y) {
  const Snapshot& now = run_.snapshot();
  const auto run = progress();
  if (!view_->picture() || !run || !run->surface) return;
  problem_->hide();
  if (orbits_.size() >= most_starts)
    return refuse(QStringLiteral("There are %1 starts already: remove some.").arg(most_starts));
  const int chosen = std::max(0, list_->currentRow());
  const std::size_t lane =
      chosen < static_cast<int>(lanes_.size()) ? static_cast<std::size_t>(chosen) : 0;
  const SectionPicture& shown = *view_->picture();
  Scenario settings = *now.present;
  settings.section = section_;
  const State& head = now.lanes[lane].state;
  // Coordinates may be singular in one of them.
  std::vector<State> near;
  if (run->latest.size() == head.size()) near.push_back(run->latest);
  near.push_back(head);
  const SectionTarget target{.coordinates = shown.coordinates,
                             .values = {x, y},
                             .sizes = {shown.x.range.span(), shown.y.range.span()},
                             .energy = total_energy(*now.system, head),
                             .momentum = momentum_map(*now.system, head)};
  background_.start(
      [settings, near, target, lane, system = now.system,
       surface = run->surface]() -> Result<Found> {
        const auto conserved = system->conserved_momentum();
        const bool any = std::find(conserved.begin(), conserved.end(), true) != conserved.end();
        Error why;
        for (const bool momentum : {true, false}) {
          if (momentum && !any) continue;
          SectionTarget wanted = target;
          if (!momentum) wanted.momentum.reset();
          for (const State& from : near) {
            const auto state = state_on_section(*system, *surface, from, wanted);
            auto orbit = state ? section_orbit(settings, lane, *state) : state.error();
            if (orbit) return Found{std::move(*orbit), any, momentum};
            why = orbit.error();
          }
        }
        return why;
      },
      [this, number = clicks_](Result<Found> found) {
        if (number != clicks_) return;
        if (!found)
          return refuse(QStringLiteral("No orbit starts here: ") +
                        to_qstring(found.error().message) + QLatin1Char('.'));
        add_orbit(found->orbit);
        readout_->setText(
            QStringLiteral("%1 begins in the state nearest to the last point of the run that has "
                           "these coordinates and %2.")
                .arg(to_qstring(orbits_.back().name),
                     found->momentum ? QStringLiteral("the run's energy and conserved momentum")
                     : found->conserved
                         ? QStringLiteral("the run's energy; its conserved momentum differs")
                         : QStringLiteral("the run's energy")));
      });
}

void SectionDialog::add_orbit(const Scenario& record) {
  std::vector<int> used;
  for (const Orbit& orbit : orbits_) used.push_back(orbit.color);
  // The first of these colours is near to that of the variational method.
  int color = 1;
  for (int k = 1; k <= branch_color_count; ++k) {
    const int other = k % branch_color_count;
    if (std::count(used.begin(), used.end(), other) < std::count(used.begin(), used.end(), color))
      color = other;
  }
  auto titled = std::make_shared<Scenario>(record);
  Orbit orbit{.number = next_orbit_,
              .name = fmt::format("start {}", next_orbit_),
              .record = {},
              .color = color,
              .points = static_cast<std::size_t>(points_->value())};
  ++next_orbit_;
  titled->title += ", " + orbit.name;
  orbit.record = std::move(titled);
  follower_.follow(orbit.number, {.record = orbit.record, .points = orbit.points});
  orbits_.push_back(std::move(orbit));
  redraw_ = true;
}

void SectionDialog::remove(int number) {
  follower_.forget(number);
  std::erase_if(orbits_, [number](const Orbit& orbit) { return orbit.number == number; });
  redraw_ = true;
  fill_list(run_.snapshot());
}

void SectionDialog::forget_orbits() {
  ++clicks_;
  while (!orbits_.empty()) remove(orbits_.back().number);
  next_orbit_ = 1;
}

void SectionDialog::export_points() {
  std::vector<SectionTable> tables;
  const auto run = progress();
  if (!run || !followed_) return;
  for (std::size_t i = 0; i < std::min(lanes_.size(), run->lanes.size()); ++i)
    if (!hidden(lanes_[i])) tables.push_back({followed_, i, lanes_[i], run->lanes[i]});
  for (const Orbit& orbit : orbits_) {
    const auto progress = follower_.progress(orbit.number);
    if (!progress || progress->lanes.empty() || hidden(orbit.name)) continue;
    tables.push_back({orbit.record, 0, fmt::format("start{}", orbit.number), progress->lanes[0]});
  }
  if (!tables.empty()) Q_EMIT table_wanted(tables);
}

namespace {

QDialog* make_section_dialog(const DialogContext& context) {
  auto* dialog = new SectionDialog(
      context.run,
      [&interface = context.viewport.interface()] {
        return SectionDialog::Look{interface.settings().palette, interface.settings().lane_colors};
      },
      &context.window);
  QObject::connect(dialog, &SectionDialog::section_changed, &context.document,
                   &DocumentController::set_section);
  QObject::connect(dialog, &SectionDialog::run_wanted, &context.window,
                   [context](const Scenario& run) { context.document.start(run, {}); });
  QObject::connect(dialog, &SectionDialog::table_wanted, &context.window,
                   [&exports = context.exports](const std::vector<SectionTable>& tables) {
                     exports.export_section(tables);
                   });
  QObject::connect(dialog, &SectionDialog::picture_wanted, &context.window, figure_saver(context));
  return dialog;
}

void show_section(QDialog& dialog, const DialogContext&, const QString&) { bring_up(dialog); }

}  // namespace

DialogRecord section_dialog() {
  return {.key = "section",
          .title = QStringLiteral("Section"),
          .make = make_section_dialog,
          .show = show_section};
}

}  // namespace twosphere

#include "moc_section_dialog.cpp"
