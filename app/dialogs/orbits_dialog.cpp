// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/orbits_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <string>
#include <utility>

#include "app/base/plural.h"
#include "app/base/qt_text.h"
#include "app/dialogs/motion_view.h"
#include "app/dialogs/multiplier_view.h"
#include "app/dialogs/orbit_player.h"
#include "app/dialogs/orbit_results.h"
#include "app/dialogs/orbits_form.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/live_run.h"
#include "core/base/interrupt.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/turn_between.h"
#include "core/studies/equilibria_table.h"
#include "ui/plot/axis.h"

namespace twosphere {

OrbitsDialog::OrbitsDialog(const DialogContext& context)
    : StudyDialog(context, "orbits_dialog", {1200, 760}, Follows::run) {
  form_ = new OrbitsForm(this);
  make_results();
  make_buttons();
  lay_out(form_, "Cancels the search");
  connect(form_, &OrbitsForm::search_wanted, this, &OrbitsDialog::search);
  connect(form_, &OrbitsForm::mode_wanted, this, [this] { find_in_mode(false); });
  connect(form_, &OrbitsForm::present_wanted, this, &OrbitsDialog::find_at_present);
  connect(form_, &OrbitsForm::return_wanted, this, &OrbitsDialog::find_return);
  connect(form_, &OrbitsForm::follow_wanted, this, &OrbitsDialog::follow);
  connect(form_, &OrbitsForm::branch_wanted, this, &OrbitsDialog::branch_off);
  connect(form_, &OrbitsForm::relative_wanted, this, &OrbitsDialog::find_relative);
  connect(form_, &OrbitsForm::animation_changed, this, &OrbitsDialog::animate);
  draw();
  show_chosen();
}

OrbitsDialog::~OrbitsDialog() = default;

void OrbitsDialog::make_results() {
  family_view_ = named(new OrbitView(this), "families", "Period of orbits over their energy");
  turning_view_ =
      named(new OrbitView(this), "turning", "Energy of relative equilibria over their momentum");
  tree_ = named(new OrbitTree(this), "tree", "Equilibria, modes and families");
  circle_ = named(new MultiplierView(this), "multipliers", "Multipliers and the unit circle");
  motion_ = named(new MotionView(this), "animation", "Animation");
  player_ = std::make_unique<OrbitPlayer>(*motion_);
  readout_ = text_lines(*this, "readout");
  summary_ = text_lines(*this, "summary");
  auto* notes = new QHBoxLayout;
  for (const std::string& note : diagram_notes()) {
    QLabel* line = text_lines(*this, "note");
    line->setText(to_qstring(note));
    notes->addWidget(line, 1);
  }
  QSplitter* diagrams =
      splitter(this, Qt::Horizontal, {{family_view_, 1, 440}, {turning_view_, 1, 440}});
  QSplitter* below =
      splitter(this, Qt::Horizontal, {{tree_, 3, 520}, {circle_, 1, 170}, {motion_, 1, 200}});
  results_->addWidget(splitter(this, Qt::Vertical, {{diagrams, 3, 330}, {below, 2, 220}}), 1);
  results_->addLayout(notes);
  results_->addWidget(readout_);
  results_->addWidget(summary_);
  connect(tree_, &OrbitTree::chosen_changed, this, &OrbitsDialog::choose);
  connect(tree_, &OrbitTree::opened, this, [this] { open_chosen(false); });
  connect(family_view_, &OrbitView::chosen, this, &OrbitsDialog::choose_orbit);
  connect(turning_view_, &OrbitView::chosen, this, &OrbitsDialog::choose_turning);
  for (OrbitView* view : {family_view_, turning_view_})
    connect(view, &OrbitView::opened, this,
            [this](std::size_t, std::size_t, bool as_lane) { open_chosen(as_lane); });
}

void OrbitsDialog::make_buttons() {
  cancel_ = add_button("cancel", "&Cancel", "End the search, and keep what is found", [this] {
    cancel();
    poll();
  });
  row_->addWidget(make_bar("Work done"), 1);
  row_->addStretch(0);
  open_ = add_button("open", "&Open as run",
                     "Open a run that begins in the chosen equilibrium, mode or orbit",
                     [this] { open_chosen(false); });
  save_table_ = add_button("save_table", "Save &table…",
                           "Write the chosen family, the modes beside the chosen one, the "
                           "equilibria or the relative equilibria as CSV",
                           [this] { save_table(); });
  save_figure_ =
      add_button("save_figure", "Save fi&gure…", "Write the diagrams as PDF, SVG or PNG", [this] {
        context_.exports.save_paper_figure(
            Figure(
                orbit_figure({family_view_->diagram(), turning_view_->diagram()}, scenario_.title)),
            file_name(scenario_.title, "system", "orbits"));
      });
}

void OrbitsDialog::prepare(const QString& /*topic*/) {
  Session& session = context_.document.session();
  session.update();
  const Scenario& scenario = *session.document().settings;
  const bool known =
      system_ && scenario_.size() == scenario.size() && same_system(scenario_, scenario);
  if (known && !again_) return;
  scenario_ = scenario;
  run_.reset();
  form_->set_title(to_qstring(scenario.title));
  families_.clear();
  relative_ = {};
  orbit_.reset();
  turning_.reset();
  tree_->clear_families();
  system_ = rest_ = nullptr;
  take_equilibria({});
  draw();
  again_ = busy();
  if (again_)
    cancel();
  else
    search();
}

void OrbitsDialog::search() {
  if (busy()) return;
  system_ = rest_ = nullptr;
  take_equilibria({});
  refuse({});
  draw();
  auto system = create_system(scenario_);
  if (!system) return refuse_error(system.error());
  const std::shared_ptr<const System> made = std::move(*system);
  auto rest = system_at_rest(made, 0, scenario_.q);
  if (!rest) return refuse(to_qstring("The system " + rest.error().message));
  system_ = made;
  rest_ = std::move(*rest);
  player_->set_system(system_, rest_);
  form_->set_usual(*rest_, {0, scenario_.q, scenario_.omega});
  bar_->setFormat("%v of %m starts");
  compute(
      [this, rest = rest_, q = scenario_.q, search = form_->search()] {
        return Result<Equilibria>(find_equilibria(
            *rest, q, search, spare_threads(),
            [this](std::size_t done, std::size_t all) { return go_on(done, all); }));
      },
      [this](Result<Equilibria> found) {
        if (std::exchange(again_, false)) return search();
        if (!found) return fail(found.error());
        first_ = true;
        take_equilibria(std::move(*found));
        if (found_.list.empty())
          refuse(cancelled() ? QStringLiteral("Cancelled")
                             : QStringLiteral("No equilibrium was found; try more random starts"));
      });
  poll();
}

void OrbitsDialog::take_equilibria(Equilibria found) {
  found_ = std::move(found);
  modes_.assign(found_.list.size(), {});
  std::vector<double> turns;
  for (const Equilibrium& one : found_.list)
    turns.push_back(turn_between(scenario_.q, one.q, rest_->conserved_momentum()));
  tree_->set_equilibria(found_.list, turns);
  summary_->setText(
      found_.list.empty()
          ? QString()
          : QStringLiteral("%1, where %2 of %3 starts ended. Minima, of index 0, are stable.")
                .arg(counted(found_.list.size(), "equilibrium", "equilibria"))
                .arg(found_.converged)
                .arg(found_.starts));
  if (!found_.list.empty()) tree_->choose({ItemKind::equilibrium, 0});
  choose();
}

/// Of the equilibrium, or the relative equilibrium, that is chosen. Another one that is chosen
/// meanwhile comes after it.
void OrbitsDialog::compute_modes() {
  const OrbitItem item = tree_->chosen();
  const RelativeEquilibrium* turning = chosen_turning();
  const bool of_rest =
      item.kind == ItemKind::equilibrium && item.number < modes_.size() && !modes_[item.number];
  const bool of_turning = turning && item.kind == ItemKind::relative && !turning_modes_;
  if (busy() || !rest_ || !(of_rest || of_turning)) return;
  bar_->setFormat("Modes");
  if (of_turning) {
    compute([of = TurningSystem{system_, rest_, axis_}, q = turning->q,
             rate = turning->rate] { return relative_modes(of, q, rate); },
            [this, item, at = turning_](Result<Modes> found) {
              if (at == turning_ || again_) return take_modes(item, std::move(found));
              compute_modes();
            });
  } else {
    compute([system = system_, rest = rest_,
             at = found_.list[item.number]] { return modes_at(*system, *rest, at); },
            [this, item](Result<Modes> found) { take_modes(item, std::move(found)); });
  }
  poll();
}

void OrbitsDialog::take_modes(const OrbitItem& of, Result<Modes> found) {
  if (std::exchange(again_, false)) return search();
  refuse(found ? QString() : to_qstring("The system " + found.error().message));
  std::optional<Modes>& modes = of.kind == ItemKind::relative ? turning_modes_ : modes_[of.number];
  modes = found ? std::move(*found) : Modes{};
  tree_->set_modes(of, *modes);
  if (std::exchange(first_, false) && tree_->chosen() == of && !modes->list.empty())
    tree_->choose({ItemKind::mode, of.number, 0});
  poll();
  compute_modes();
}

/// Finds at most so many orbits on another thread.
void OrbitsDialog::compute_family(std::size_t most, FindFamily find,
                                  std::function<void(FoundFamily)> take) {
  refuse({});
  bar_->setFormat(most > 1 ? "%v of at most %m orbits" : "Newton's method");
  compute(
      [this, most, find = std::move(find), &stop = cancelled()] {
        const Interruptible interruptible(stop);
        return find(
            [this, most](std::size_t members) { return go_on(std::min(members, most), most); });
      },
      [this, take = std::move(take)](Result<FoundFamily> found) {
        if (std::exchange(again_, false)) return search();
        if (!found) return fail(found.error());
        take(std::move(*found));
      });
  poll();
}

void OrbitsDialog::find_orbit(OrbitRequest request, std::optional<FamilyRequest> family,
                              const QString& title, const OrbitItem& from) {
  if (busy()) return;
  request.threads = spare_threads();
  if (family) family->threads = spare_threads();
  compute_family(
      family ? family->count : 1,
      [system = system_, rest = rest_, scenario = scenario_, request, family](const GoOn& go_on) {
        return found_family(*system, *rest, scenario, request, family, go_on);
      },
      [this, title, from](FoundFamily found) { add_family(title, std::move(found), from); });
}

/// The orbit of the chosen mode, and its family if `follow`.
void OrbitsDialog::find_in_mode(bool follow) {
  const OrbitItem item = tree_->chosen();
  const RelativeEquilibrium* turning = chosen_turning();
  if ((item.kind != ItemKind::mode && item.kind != ItemKind::relative_mode) || !rest_) return;
  if (turning && turning->rate == 0)
    return refuse(QStringLiteral("It does not turn: choose a mode of this equilibrium"));
  auto request = form_->request(OrbitRequest::From::mode, *rest_, {});
  if (!request) return refuse_error(request.error());
  std::optional<FamilyRequest> family;
  if (follow) {
    auto asked = form_->family(scenario_);
    if (!asked) return refuse_error(asked.error());
    family = *asked;
  }
  request->mode = item.mode;
  if (turning) {
    request->start = start_turning(*turning);
    request->closure.axis = Vec3::Unit(axis_);
    return find_orbit(std::move(*request), family,
                      QStringLiteral("From mode %1, turning at %2 rad/s")
                          .arg(item.mode)
                          .arg(to_qstring(ui::significant(turning->rate, 4))),
                      {});
  }
  const Columns& q = found_.list[item.number].q;
  request->at = EquilibriumChoice{EquilibriumChoice::At::start, 0};
  request->start = {0, q, Columns::Zero(3, q.cols())};
  find_orbit(std::move(*request), family,
             QStringLiteral("From mode %1 of equilibrium %2")
                 .arg(item.mode)
                 .arg(found_.list[item.number].number),
             item);
}

/// Whether the run is of the system that the dialog has; says so otherwise.
bool OrbitsDialog::takes_run() {
  if (rest_ && run_has_system_) return true;
  refuse(QStringLiteral("The run has another system by now: open this dialog again"));
  return false;
}

void OrbitsDialog::find_at_present() {
  show_run();
  if (!takes_run()) return;
  const State& state = context_.run.shown().lanes[0].state;
  auto request = form_->request(OrbitRequest::From::start, *rest_, state);
  if (!request) return refuse_error(request.error());
  request->start = {0, state.q, state.w};
  find_orbit(std::move(*request), {},
             QStringLiteral("At t = %1 s").arg(to_qstring(ui::significant(state.t, 4))), {});
}

/// Of the run from its start, over its planned duration or as far as it has come. A run that was
/// changed is followed from its present state.
void OrbitsDialog::find_return() {
  show_run();
  if (!takes_run()) return;
  const Snapshot& now = context_.run.shown();
  const Scenario& record = *context_.run.snapshot().record;
  const State& present = now.lanes[0].state;
  const bool whole = record.events.empty();
  const State start = whole ? State{0, record.q, record.omega} : State{0, present.q, present.w};
  auto request = form_->request(OrbitRequest::From::returned, *rest_, start);
  if (!request) return refuse_error(request.error());
  request->start = start;
  request->duration = whole ? std::max(record.duration, now.elapsed) : record.duration;
  request->period.reset();
  find_orbit(std::move(*request), {}, QStringLiteral("At a return of the run"), {});
}

/// Follows the family of an orbit.
void OrbitsDialog::go_along(const FoundOrbit& from, FamilyRequest request,
                            std::function<void(FoundFamily)> take) {
  request.threads = spare_threads();
  compute_family(
      request.count,
      [system = system_, rest = rest_, scenario = from.scenario(scenario_), request](
          const GoOn& go_on) { return continued_family(*system, *rest, scenario, request, go_on); },
      std::move(take));
}

void OrbitsDialog::follow() {
  const FoundOrbit* orbit = chosen_orbit();
  if (!orbit) return find_in_mode(true);
  if (busy()) return;
  auto request = form_->family(scenario_);
  if (!request) return refuse_error(request.error());
  go_along(*orbit, *request,
           [this, from = *orbit_](FoundFamily found) { extend(from, std::move(found)); });
}

void OrbitsDialog::branch_off() {
  const Bifurcation* at = next_branching();
  if (!at || busy()) return;
  auto request = form_->family(scenario_);
  if (!request) return refuse_error(request.error());
  request->branch = at->kind;
  const QString title =
      QStringLiteral("Branch at %1 J").arg(to_qstring(ui::significant(at->at.energy, 6)));
  // From the last orbit before it, so that none is found again.
  const FoundOrbit& before = families_[orbit_->curve].family.members[at->member];
  go_along(before, *request, [this, title, from = tree_->chosen()](FoundFamily found) {
    add_family(title, std::move(found), from);
  });
}

/// Joins orbits beyond one of a family with it or, from within, makes them another family.
void OrbitsDialog::extend(const OrbitView::Place& from, FoundFamily further) {
  FamilyEntry& entry = families_[from.curve];
  if (further.members.size() < 2)
    return refuse(to_qstring("No orbit was found beyond this one: " + further.end));
  const std::size_t size = entry.family.members.size();
  if (from.point != 0 && from.point + 1 != size)
    return add_family(entry.title, std::move(further), {ItemKind::family, from.curve});
  if (const auto member = join(entry.family, from.point, std::move(further)))
    show_family(from.curve, *member, {});
}

void OrbitsDialog::add_family(const QString& title, FoundFamily family, const OrbitItem& from) {
  const std::size_t number = families_.size();
  families_.push_back({title, std::move(family), static_cast<int>(number) % branch_color_count});
  show_family(number, families_.back().family.members.size() - 1, from);
}

/// A family that is new, or has changed.
void OrbitsDialog::show_family(std::size_t number, std::size_t member, const OrbitItem& from) {
  const FamilyEntry& entry = families_[number];
  tree_->set_family(number, entry.title, entry.family, from);
  draw();
  choose_orbit(number, member);
  QString end;
  if (cancelled())
    end = QStringLiteral("Cancelled; what was found is kept.");
  else if (!entry.family.reached)
    end = QStringLiteral("The family ends here because %1.").arg(to_qstring(entry.family.end));
  summary_->setText(end);
}

/// Another entry of the tree is chosen.
void OrbitsDialog::choose() {
  const OrbitItem item = tree_->chosen();
  if (item.kind == ItemKind::family && (!orbit_ || orbit_->curve != item.number))
    orbit_ = {item.number, families_[item.number].family.members.size() - 1};
  if (item.kind == ItemKind::relative && (!turning_ || turning_->curve != item.number))
    set_turning({item.number, 0});
  show_chosen();
  compute_modes();
}

void OrbitsDialog::choose_orbit(std::size_t family, std::size_t member) {
  orbit_ = {family, member};
  const QSignalBlocker quiet(tree_);
  tree_->choose({ItemKind::family, family});
  show_chosen();
}

const FoundOrbit* OrbitsDialog::chosen_orbit() const {
  if (tree_->chosen().kind != ItemKind::family || !orbit_) return nullptr;
  return &families_[orbit_->curve].family.members[orbit_->point];
}

const Bifurcation* OrbitsDialog::next_branching() const {
  if (!chosen_orbit()) return nullptr;
  return branching_after(families_[orbit_->curve].family, orbit_->point);
}

void OrbitsDialog::show_chosen() {
  const FoundOrbit* orbit = chosen_orbit();
  const RelativeEquilibrium* turning = chosen_turning();
  const QString text =
      to_qstring(orbit     ? orbit_in_words(families_[orbit_->curve].family, orbit_->point)
                 : turning ? turning_in_words(*turning, axis_)
                           : std::string());
  readout_->setText(text.isEmpty() ? QStringLiteral("In a diagram a click opens a run, with Shift "
                                                    "beside its own lanes; a drag along a curve "
                                                    "shows one orbit after the other.")
                                   : text);
  family_view_->choose(orbit ? orbit_ : std::nullopt, orbit ? text : QString());
  turning_view_->choose(turning ? turning_ : std::nullopt, turning ? text : QString());
  circle_->show_multipliers(orbit ? std::optional(orbit->multipliers()) : std::nullopt);
  animate();
  poll();
}

/// Shows what is chosen, in the view, which is hidden if nothing is to be animated.
void OrbitsDialog::animate() {
  motion_->setVisible(form_->animates());
  const OrbitItem item = tree_->chosen();
  if (!form_->animates() || !system_ || item.kind == ItemKind::none) return player_->clear();
  if (const FoundOrbit* orbit = chosen_orbit()) return player_->play(*orbit);
  const RelativeEquilibrium* turning = chosen_turning();
  if (turning && item.kind == ItemKind::relative) return player_->play(*turning, axis_);
  if (item.kind == ItemKind::equilibrium) return player_->play(found_.list[item.number].q);
  const Modes& modes = turning ? *turning_modes_ : *modes_[item.number];
  player_->play(turning ? turning->q : found_.list[item.number].q, modes.list[item.mode],
                form_->amplitude());
  readout_->setText(
      QStringLiteral("The animation is the shape of the mode%1, not a motion of the system: at "
                     "large amplitudes that is another one, which Open as run shows.")
          .arg(turning ? QStringLiteral(" in the frame that turns") : QString()));
}

void OrbitsDialog::draw() {
  palette_ = context_.viewport.interface().settings().palette;
  OrbitDiagram families{{"energy", "J", {}, {}}, {"period", "s", {}, {}}, {}};
  for (const FamilyEntry& one : families_)
    families.curves.push_back(family_curve(one.family, one.title.toStdString(), one.color));
  family_view_->show_diagram(
      std::move(families), palette_,
      QStringLiteral(
          "No orbits yet. Choose a mode and press Follow: its family begins in the small "
          "oscillation. Close this finds one near the run."));
  turning_view_->show_diagram(
      relative_diagram(relative_.curves, axis_), palette_,
      QStringLiteral("No relative equilibria yet: enter momenta and press Find turning states."));
}

/// The place of the run in the diagram of relative equilibria.
void OrbitsDialog::show_run() {
  const Snapshot& now = context_.run.shown();
  if (now.present && run_ != now.present) {
    run_ = now.present;
    run_has_system_ = run_->size() == scenario_.size() && same_system(scenario_, *run_);
  }
  std::optional<ui::Point> at;
  if (rest_ && now.present && run_has_system_ && !now.lanes.empty()) {
    const State& state = now.lanes[0].state;
    at = {momentum_map(*rest_, state)[axis_], total_energy(*rest_, state)};
  }
  turning_view_->show_run(at);
}

void OrbitsDialog::poll() {
  StudyDialog::poll();
  if (palette_ != context_.viewport.interface().settings().palette) {
    draw();
    return show_chosen();
  }
  show_run();
  const OrbitItem item = tree_->chosen();
  const bool free = !busy() && rest_ != nullptr,
             mode = item.kind == ItemKind::mode || item.kind == ItemKind::relative_mode;
  const bool orbit = chosen_orbit() != nullptr;
  form_->set_possible({.search = !busy(),
                       .mode = free && mode,
                       .run = free,
                       .follow = free && (mode || orbit),
                       .branch = free && next_branching() != nullptr});
  cancel_->setEnabled(busy() && !cancelled());
  open_->setEnabled(item.kind != ItemKind::none);
  save_table_->setEnabled(item.kind != ItemKind::none);
  save_figure_->setEnabled(!families_.empty() || !relative_.curves.empty());
}

std::optional<Scenario> OrbitsDialog::chosen_scenario() const {
  if (const FoundOrbit* orbit = chosen_orbit()) return orbit->scenario(scenario_);
  const OrbitItem item = tree_->chosen();
  if (const RelativeEquilibrium* one = chosen_turning())
    return item.kind == ItemKind::relative
               ? scenario_turning(scenario_, *one)
               : scenario_turning_in_mode(scenario_, *one, *turning_modes_, item.mode,
                                          form_->amplitude());
  if (item.kind == ItemKind::equilibrium)
    return scenario_at_rest(scenario_, found_.list[item.number]);
  if (item.kind == ItemKind::mode)
    return scenario_in_mode(scenario_, found_.list[item.number], *modes_[item.number], item.mode,
                            form_->amplitude());
  return {};
}

/// `with_lanes`: an orbit has the lanes of the run beside its own.
void OrbitsDialog::open_chosen(bool with_lanes) {
  auto scenario = chosen_scenario();
  if (!scenario) return;
  if (with_lanes && chosen_orbit())
    scenario = with_lanes_of(std::move(*scenario), *context_.run.snapshot().present);
  context_.document.start(*scenario, {});
  context_.window.raise();
  context_.window.activateWindow();
}

void OrbitsDialog::save_table() {
  const auto save = [this](const std::string& table, const char* what) {
    context_.exports.save_table(table, file_name(scenario_.title, "system", what));
  };
  const OrbitItem item = tree_->chosen();
  if (item.kind == ItemKind::equilibrium) save(equilibria_table(found_), "equilibria");
  if (item.kind == ItemKind::mode) {
    const Modes& modes = *modes_[item.number];
    save(ModeTable{scenario_, found_.list[item.number], modes, modes.list.size()}.csv(), "modes");
  }
  if (item.kind == ItemKind::family) save(families_[item.number].family.csv(), "orbits");
  if (chosen_turning()) save(relative_table(relative_), "relative");
}

void OrbitsDialog::refuse_error(const Error& error) {
  refuse(to_qstring(error.text()));
  poll();
}

/// The work that has ended has no result.
void OrbitsDialog::fail(const Error& error) {
  refuse(cancelled() ? QStringLiteral("Cancelled") : to_qstring(error.text()));
  poll();
}

DialogRecord orbits_dialog() {
  return study_record<OrbitsDialog>("orbits", QStringLiteral("Orbits"));
}

}  // namespace twosphere

#include "moc_orbits_dialog.cpp"
