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
#include <string>
#include <utility>
#include <vector>

#include "app/base/plural.h"
#include "app/base/qt_text.h"
#include "app/dialogs/motion_view.h"
#include "app/dialogs/multiplier_view.h"
#include "app/dialogs/orbit_player.h"
#include "app/dialogs/orbits_form.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/live_run.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/turn_between.h"
#include "core/scenario/setting_unit.h"
#include "core/studies/equilibria_table.h"

namespace twosphere {

OrbitsDialog::OrbitsDialog(const DialogContext& context)
    : StudyDialog(context, "orbits_dialog", {1200, 760}, Follows::run) {
  form_ = new OrbitsForm(this);
  make_results();
  make_buttons();
  lay_out(form_, "Cancels the search");
  connect(form_, &OrbitsForm::search_wanted, this, &OrbitsDialog::search);
  connect(form_, &OrbitsForm::mode_wanted, this, [this] { find_from_chosen(false); });
  connect(form_, &OrbitsForm::present_wanted, this, &OrbitsDialog::find_at_present);
  connect(form_, &OrbitsForm::return_wanted, this, &OrbitsDialog::find_return);
  connect(form_, &OrbitsForm::follow_wanted, this, &OrbitsDialog::follow);
  connect(form_, &OrbitsForm::branch_wanted, this, &OrbitsDialog::branch_off);
  connect(form_, &OrbitsForm::relative_wanted, this, &OrbitsDialog::find_relative);
  connect(form_, &OrbitsForm::animation_changed, this, &OrbitsDialog::animate);
  connect(form_, &OrbitsForm::over_changed, this, [this] {
    draw();
    show_chosen();
  });
  draw();
  show_chosen();
}

OrbitsDialog::~OrbitsDialog() = default;

void OrbitsDialog::make_results() {
  family_view_ =
      named(new OrbitView(this), "families", "Orbits over the energy or a number of the system");
  turning_view_ =
      named(new OrbitView(this), "turning", "Energy of relative equilibria over their momentum");
  tree_ = named(new OrbitTree(this), "tree", "Equilibria, modes and families");
  circle_ = named(new MultiplierView(this), "multipliers", "Multipliers and the unit circle");
  motion_ = named(new MotionView(this), "animation", "Animation");
  player_ = std::make_unique<OrbitPlayer>(*motion_);
  readout_ = text_lines(*this, "readout");
  summary_ = text_lines(*this, "summary");
  auto* notes = new QHBoxLayout;
  for (QLabel** note : {&family_note_, &turning_note_}) {
    *note = text_lines(*this, "note");
    notes->addWidget(*note, 1);
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
      systems_.system && scenario_.size() == scenario.size() && same_system(scenario_, scenario);
  if (known && !again_) return;
  scenario_ = scenario;
  run_.reset();
  form_->set_title(to_qstring(scenario.title));
  families_.clear();
  relative_ = {};
  orbit_.reset();
  turning_.reset();
  tree_->clear_families();
  systems_ = {};
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
  systems_ = {};
  take_equilibria({});
  refuse({});
  draw();
  auto systems = orbit_systems(scenario_);
  if (systems)
    systems_ = std::move(*systems);
  else
    systems_.no_rest = systems_.no_orbits = systems_.no_turning = systems.error().text();
  player_->set_systems(scenario_, systems_);
  form_->set_systems(scenario_, systems_);
  if (!systems) return refuse_error(systems.error());
  if (!systems_.rest) {
    summary_->setText(to_qstring("No equilibria: " + systems_.no_rest + '.'));
    return poll();
  }
  bar_->setFormat("%v of %m starts");
  compute(
      [this, rest = systems_.rest, q = scenario_.q, search = form_->search()] {
        return Result<Equilibria>(find_equilibria(
            *rest, q, search, spare_threads(),
            [this](std::size_t done, std::size_t all) { return proceed(done, all); }));
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
    turns.push_back(turn_between(scenario_.q, one.q, systems_.rest->conserved_momentum()));
  tree_->set_equilibria(found_.list, turns);
  summary_->setText(
      found_.list.empty()
          ? QString()
          : QStringLiteral("%1%2, where %3 of %4 starts ended. Minima, of index 0, are stable.")
                .arg(counted(found_.list.size(), "equilibrium", "equilibria"),
                     systems_.driven() ? QStringLiteral(" without the forces") : QString())
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
  if (busy() || !systems_.rest || !(of_rest || of_turning)) return;
  bar_->setFormat("Modes");
  if (of_turning) {
    compute([of = TurningSystem{systems_.system, systems_.rest, axis_}, q = turning->q,
             rate = turning->rate] { return relative_modes(of, q, rate); },
            [this, item, at = turning_](Result<Modes> found) {
              if (at == turning_ || again_) return take_modes(item, std::move(found));
              compute_modes();
            });
  } else {
    compute([system = systems_.system, rest = systems_.rest,
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
  const Bifurcation* next = next_branching();
  form_->set_directions(next ? next->directions : std::vector<std::string>());
  circle_->show_multipliers(orbit ? std::optional(orbit->multipliers()) : std::nullopt);
  animate();
  poll();
}

/// Shows what is chosen, in the view, which is hidden if nothing is to be animated.
void OrbitsDialog::animate() {
  motion_->setVisible(form_->animates());
  const OrbitItem item = tree_->chosen();
  if (!form_->animates() || !systems_.system || item.kind == ItemKind::none)
    return player_->clear();
  if (const FoundOrbit* orbit = chosen_orbit())
    return player_->play(orbit->scenario(families_[orbit_->curve].scenario), *orbit, orbit_->curve);
  const RelativeEquilibrium* turning = chosen_turning();
  if (turning && item.kind == ItemKind::relative) return player_->play(*turning, axis_);
  if (item.kind == ItemKind::equilibrium) return player_->play(found_.list[item.number].q);
  const Modes& modes = turning ? *turning_modes_ : *modes_[item.number];
  player_->play(turning ? turning->q : found_.list[item.number].q, modes.list[item.mode],
                form_->amplitude());
  readout_->setText(
      QStringLiteral("The animation is the shape of the mode%1, not a motion of the system: at "
                     "large amplitudes that is another one, which Open as run shows.")
          .arg(turning             ? QStringLiteral(" in the frame that turns")
               : systems_.driven() ? QStringLiteral(" without the forces of the time")
                                   : QString()));
}

void OrbitsDialog::draw() {
  palette_ = context_.viewport.interface().settings().palette;
  const std::string path = form_->number();
  const FamilyAxes axes = family_axes(systems_.forces, path,
                                      path.empty() ? std::string() : setting_unit(scenario_, path));
  OrbitDiagram families = axes.diagram();
  for (const FamilyEntry& one : families_)
    families.curves.push_back(family_curve(one.family, one.title.toStdString(), one.color, axes,
                                           number_at(one.scenario, path)));
  OrbitDiagram turning = relative_diagram(relative_.curves, axis_);
  family_note_->setText(to_qstring(families.note));
  turning_note_->setText(to_qstring(turning.note));
  const QString none =
      systems_.driven() ? QStringLiteral(
                              "No orbits yet. Choose an equilibrium and press From "
                              "rest: the orbit repeats with the forces. Close this "
                              "finds one near the run.")
      : systems_.keeps_energy() ? QStringLiteral(
                                      "No orbits yet. Choose a mode and press Follow: its "
                                      "family begins in the small oscillation. Close this "
                                      "finds one near the run.")
                                : QStringLiteral(
                                      "No orbits yet. Close this finds the cycle in which "
                                      "the run ends.");
  const QString no_turning =
      QStringLiteral("No relative equilibria yet: enter momenta and press Find turning states.");
  const auto reason = [](const std::string& why, const QString& else_text) {
    return why.empty() ? else_text : to_qstring(why + '.');
  };
  family_view_->show_diagram(std::move(families), palette_, reason(systems_.no_orbits, none));
  turning_view_->show_diagram(std::move(turning), palette_,
                              reason(systems_.no_turning, no_turning));
}

/// The place of the run in the diagram of relative equilibria.
void OrbitsDialog::show_run() {
  const Snapshot& now = context_.run.shown();
  if (now.present && run_ != now.present) {
    run_ = now.present;
    run_has_system_ = run_->size() == scenario_.size() && same_system(scenario_, *run_);
  }
  std::optional<ui::Point> at;
  if (systems_.rest && systems_.no_turning.empty() && now.present && run_has_system_ &&
      !now.lanes.empty()) {
    const State& state = now.lanes[0].state;
    at = {momentum_map(*systems_.rest, state)[axis_], total_energy(*systems_.rest, state)};
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
  const bool free = !busy() && systems_.orbits, orbit = chosen_orbit() != nullptr,
             begins = begins_orbits(item.kind, systems_.forces);
  form_->set_possible({.search = !busy(),
                       .mode = free && begins,
                       .run = free,
                       .follow = free && (begins || orbit),
                       .branch = free && next_branching() != nullptr,
                       .turning = !busy() && systems_.rest && systems_.no_turning.empty()});
  cancel_->setEnabled(busy() && !cancelled());
  open_->setEnabled(item.kind != ItemKind::none);
  save_table_->setEnabled(item.kind != ItemKind::none);
  save_figure_->setEnabled(!families_.empty() || !relative_.curves.empty());
}

std::optional<Scenario> OrbitsDialog::chosen_scenario() const {
  if (const FoundOrbit* orbit = chosen_orbit())
    return orbit->scenario(families_[orbit_->curve].scenario);
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
