// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/section_dialog.h"

#include <fmt/format.h>

#include <QCheckBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <string_view>
#include <utility>

#include "app/base/labels.h"
#include "app/base/plural.h"
#include "app/base/qt_text.h"
#include "app/dialogs/section_form.h"
#include "app/dialogs/section_view.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/figures/print_painter.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/live_run.h"
#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/output/lane_style.h"
#include "core/scenario/poincare_section.h"
#include "core/scenario/section_surface.h"
#include "core/studies/section_start.h"

namespace twosphere {

namespace {

constexpr int run_number = 0;  // of the follower
constexpr int default_points = 500, max_start_points = 1'000'000;
constexpr std::size_t max_starts = 24;
constexpr QSize orbit_swatch{12, 12};  // [px]
/// How far behind the run is said: a part of its steps.
constexpr std::int64_t lag_shown = 20;

/// "−1.23 rad/s"
std::string with_unit(double value, const std::string& unit) {
  return ui::significant(value, 4) + (unit == "1" ? "" : ' ' + unit);
}

/// Whether the points are of this section, or there are none because it is wrong.
bool is_of(const SectionFollower::Progress& progress, const PoincareSection& section) {
  return progress.surface ? progress.surface->section() == section : progress.ended;
}

/// What an axis is called: the name of the coordinate or, if it has none of its own, what was
/// typed.
ui::PlotAxis axis_of(const SectionSurface& surface, std::size_t index) {
  const auto& [name, expression] = surface.section().coordinates[index];
  const bool own = name != "x" && name != "y";
  return {own ? name : expression, surface.columns()[index].unit, {}, {}};
}

}  // namespace

SectionDialog::SectionDialog(const DialogContext& context)
    : StudyDialog(context, "section_dialog", {1040, 680}, Follows::run) {
  form_ = new SectionForm(this);
  auto* fields = new QWidget(this);
  auto* left = new QVBoxLayout(fields);
  left->addWidget(form_);
  make_list(*left);

  view_ = named(new SectionView(this), "picture", "Section");
  readout_ = text_lines(*this, "readout");
  status_ = text_lines(*this, "status");
  results_->addWidget(view_, 1);
  for (QLabel* label : {readout_, status_}) results_->addWidget(label);
  make_buttons();
  lay_out(fields);

  connect(form_, &SectionForm::edited, this, &SectionDialog::take_section);
  connect(view_, &SectionView::cursor_moved, this, &SectionDialog::show_cursor);
  connect(view_, &SectionView::chosen, this, &SectionDialog::start_orbit);
}

/// The list of the orbits, and what concerns them.
void SectionDialog::make_list(QVBoxLayout& column) {
  const auto button = [this](const char* name, const QString& label, const QString& tip,
                             QLayout& place, auto pressed) {
    QPushButton* made = push_button(*this, name, label, tip);
    place.addWidget(made);
    connect(made, &QPushButton::clicked, this, pressed);
    return made;
  };
  button("usual", "&Default section",
         "The section of the scenario or, if it has none, where the first body passes a plane, "
         "with the angle of the second body and its rate as axes",
         column, [this] {
           if (!loaded_) return;
           use(default_section(*context_.run.snapshot().present));
           context_.document.set_section(section_);
         });
  list_ = named(new QListWidget(this), "orbits", "Orbits",
                "The ticked orbits are drawn. Click in the picture to start another one, with the "
                "method of the lane that is selected here.");
  list_->setMinimumHeight(90);
  column.addWidget(list_, 1);
  connect(list_, &QListWidget::itemChanged, this, [this] { redraw_ = true; });
  connect(list_, &QListWidget::currentRowChanged, this,
          [this] { fill_list(context_.run.snapshot()); });
  auto* row = new QHBoxLayout;
  column.addLayout(row);
  remove_ =
      button("remove", "&Remove",
             "Remove the selected orbit, or all started orbits if none is selected", *row, [this] {
               if (const Orbit* orbit = chosen_orbit())
                 remove(orbit->number);
               else
                 forget_orbits();
             });
  open_ = button("open", "&Open as run", "Open the selected orbit as the run of the window", *row,
                 [this] {
                   if (const Orbit* orbit = chosen_orbit())
                     context_.document.start(*orbit->record, {});
                 });
  points_ = number_box(this, "start_points", {},
                       "An orbit that was started by a click ends after this number of points; a "
                       "larger number continues it",
                       1, max_start_points, default_points);
  points_->setSingleStep(100);
  auto* form = new QFormLayout;
  form->addRow("Points per orbit", points_);
  column.addLayout(form);
  further_button_ = button("further", {},
                           "Follow a copy of the run beyond its present end, until each lane has "
                           "as many points; the run itself stays where it is",
                           column, [this] {
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
  all_ = check_box(this, "before_changes", "Show points from before &changes",
                   "Also draw the points from before the last change of a setting, a state or the "
                   "direction of time; they belong to another motion. Tables always contain them.");
  column.addWidget(all_);
  connect(all_, &QCheckBox::toggled, this, [this] { redraw_ = true; });
}

void SectionDialog::make_buttons() {
  add_button("fit", "F&it", "Show all points", [this] { view_->fit(); });
  row_->addStretch(1);
  csv_ = add_button("save_points", "Save &points…",
                    "Write the points of the orbits ticked as CSV, one file for each",
                    [this] { export_points(); });
  figure_ = add_button("save_figure", "Save &figure…", "Write the picture as PDF, SVG or PNG",
                       [this] { export_figure(); });
  for (QPushButton* button : {csv_, figure_}) button->setEnabled(false);
}

SectionDialog::Look SectionDialog::look() const {
  const ui::Settings& settings = context_.viewport.interface().settings();
  return {settings.palette, settings.lane_colors};
}

void SectionDialog::showEvent(QShowEvent* event) {
  steps_ = -1;
  StudyDialog::showEvent(event);
}

void SectionDialog::hideEvent(QHideEvent* event) {
  StudyDialog::hideEvent(event);
  // What was found is kept; no more is looked for.
  if (const auto run = progress(); run && followed_)
    follower_.follow(run_number, {.record = followed_, .steps = run->steps});
}

std::shared_ptr<const SectionFollower::Progress> SectionDialog::progress() const {
  return follower_.progress(run_number);
}

bool SectionDialog::complete() const {
  const auto run = progress();
  return run && record_ == context_.run.snapshot().record && run->record == followed_ &&
         !drawn_.empty() && drawn_[0] == run &&
         (further_ ? run->ended : run->steps == context_.run.snapshot().steps) && view_->complete();
}

void SectionDialog::poll() {
  const Snapshot& now = context_.run.snapshot();
  if (!now.present || !now.record) return;
  if (loaded_ != now.loaded) {
    loaded_ = now.loaded;
    forget_orbits();
    use(default_section(*now.present));
  }
  follow_run(now);
  fill_list(now);
  show_further();
  std::vector<std::shared_ptr<const void>> all{progress()};
  for (const Orbit& orbit : orbits_) all.push_back(follower_.progress(orbit.number));
  const Look look = this->look();
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
  std::size_t smallest = 0;
  if (run && run->surface && !run->lanes.empty())
    smallest = std::min_element(run->lanes.begin(), run->lanes.end(),
                                [](const SectionPoints& a, const SectionPoints& b) {
                                  return a.size() < b.size();
                                })
                   ->size();
  further_button_->setText(QStringLiteral("Co&ntinue to %1 points").arg(points_->value()));
  further_button_->setEnabled(run && run->surface && !further_ && run->problem.empty() &&
                              smallest < static_cast<std::size_t>(points_->value()));
}

/// Takes the section of the fields, if it is one.
void SectionDialog::take_section() {
  const Snapshot& now = context_.run.snapshot();
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
  context_.document.set_section(section_);
}

void SectionDialog::use(const PoincareSection& section) {
  ++clicks_;
  refuse({});
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
  const Look look = this->look();
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
      item->setIcon(swatch(to_qcolor(color), orbit_swatch));
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
  const Snapshot& now = context_.run.snapshot();
  if (!run || !run->surface || run->surface->section().coordinates.size() < 2) return made;
  made.title = now.present->title;
  made.x = axis_of(*run->surface, 0);
  made.y = axis_of(*run->surface, 1);
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
  SectionPicture made = picture(look());
  std::size_t points = 0;
  for (const auto& series : made.series) points += series.points.size();
  csv_->setEnabled(points > 0);
  figure_->setEnabled(points > 0);
  if (points > 0) return view_->show_picture(std::move(made), look().palette);
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
  const Snapshot& now = context_.run.snapshot();
  const auto run = progress();
  if (!view_->picture() || !run || !run->surface) return;
  refuse({});
  if (orbits_.size() >= max_starts)
    return refuse(QStringLiteral("There are %1 starts already: remove some.").arg(max_starts));
  const int chosen = std::max(0, list_->currentRow());
  const std::size_t lane =
      chosen < static_cast<int>(lanes_.size()) ? static_cast<std::size_t>(chosen) : 0;
  const SectionPicture& shown = *view_->picture();
  Scenario settings = *now.present;
  settings.section = section_;
  const State& head = now.lanes[lane].state;
  std::vector<State> near;
  if (run->latest.size() == head.size()) near.push_back(run->latest);
  near.push_back(head);
  const SectionTarget target{.coordinates = shown.coordinates,
                             .values = {x, y},
                             .sizes = {shown.x.range.span(), shown.y.range.span()},
                             .energy = total_energy(*now.system, head),
                             .momentum = momentum_map(*now.system, head)};
  compute(
      [settings, near, target, lane, system = now.system, surface = run->surface] {
        return orbit_on_section(settings, lane, *system, *surface, near, target);
      },
      [this, number = clicks_](Result<PlacedOrbit> found) {
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
  fill_list(context_.run.snapshot());
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
  if (!tables.empty()) context_.exports.export_section(tables);
}

void SectionDialog::export_figure() {
  SectionPicture on_paper = picture({Palette::light, look().lanes});
  on_paper.x.range = view_->picture()->x.range;
  on_paper.y.range = view_->picture()->y.range;
  context_.exports.save_paper_figure(section_figure(on_paper),
                                     file_name(on_paper.title, "run", "section"));
}

DialogRecord section_dialog() {
  return study_record<SectionDialog>("section", QStringLiteral("Section"));
}

}  // namespace twosphere

#include "moc_section_dialog.cpp"
