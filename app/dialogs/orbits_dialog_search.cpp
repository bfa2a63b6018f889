// SPDX-License-Identifier: GPL-3.0-or-later
// How the dialog of orbits finds them and their families.
#include <QLabel>
#include <QProgressBar>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/qt_text.h"
#include "app/dialogs/orbit_results.h"
#include "app/dialogs/orbits_dialog.h"
#include "app/dialogs/orbits_form.h"
#include "app/session/live_run.h"
#include "core/base/interrupt.h"
#include "core/studies/equilibria.h"
#include "ui/plot/axis.h"

namespace twosphere {

/// Finds at most so many orbits on another thread.
void OrbitsDialog::compute_family(std::size_t max_members, FindFamily find,
                                  std::function<void(FoundFamily)> take) {
  refuse({});
  bar_->setFormat(max_members > 1 ? "%v of at most %m orbits" : "Newton's method");
  compute(
      [this, max_members, find = std::move(find), &stop = cancelled()] {
        const Interruptible interruptible(stop);
        return find([this, max_members](std::size_t members) {
          return proceed(std::min(members, max_members), max_members);
        });
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
      [systems = systems_, scenario = scenario_, request,
       family](const Continue& proceed) -> Result<FoundFamily> {
        OrbitRequest begun = request;
        auto start = at_whole_period(*systems.orbits, request.start, request.period);
        if (!start) return start.error();
        begun.start = std::move(*start);
        return found_family(*systems.system, *systems.orbits, scenario, begun, family, proceed);
      },
      [this, title, from](FoundFamily found) {
        add_family({title, scenario_, std::move(found)}, from);
      });
}

/// The orbit of the chosen mode or, of driven forces, near the chosen equilibrium, and its family
/// if `follow`.
void OrbitsDialog::find_from_chosen(bool follow) {
  const OrbitItem item = tree_->chosen();
  const RelativeEquilibrium* turning = chosen_turning();
  if (!systems_.orbits || !begins_orbits(item.kind, systems_.forces)) return;
  if (turning && turning->rate == 0)
    return refuse(QStringLiteral("It does not turn: choose a mode of this equilibrium"));
  const bool driven = systems_.driven();
  auto request = form_->request(driven ? OrbitRequest::From::rest : OrbitRequest::From::mode,
                                *systems_.orbits, {0, scenario_.q, scenario_.omega});
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
  const Equilibrium& at = found_.list[item.number];
  request->at = EquilibriumChoice{EquilibriumChoice::At::start, 0};
  request->start = {0, at.q, Columns::Zero(3, at.q.cols())};
  if (driven)
    return find_orbit(std::move(*request), family,
                      QStringLiteral("From rest in equilibrium %1").arg(at.number),
                      {ItemKind::equilibrium, item.number});
  find_orbit(std::move(*request), family,
             QStringLiteral("From mode %1 of equilibrium %2").arg(item.mode).arg(at.number), item);
}

/// Whether the run is of the system that the dialog has; says so otherwise.
bool OrbitsDialog::takes_run() {
  if (systems_.orbits && run_has_system_) return true;
  refuse(QStringLiteral("The run has another system by now: open this dialog again"));
  return false;
}

void OrbitsDialog::find_at_present() {
  show_run();
  if (!takes_run()) return;
  const State& state = context_.run.shown().lanes[0].state;
  auto request = form_->request(OrbitRequest::From::start, *systems_.orbits, state);
  if (!request) return refuse_error(request.error());
  request->start = state;
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
  const bool driven = systems_.driven(),
             whole = record.events.empty() && !(driven && record.continuation);
  const State start = whole ? State{0, record.q, record.omega} : present;
  auto request = form_->request(OrbitRequest::From::returned, *systems_.orbits, start);
  if (!request) return refuse_error(request.error());
  request->start = start;
  request->duration = whole ? std::max(record.duration, now.elapsed) : record.duration;
  if (!driven) request->period.reset();
  find_orbit(std::move(*request), {}, QStringLiteral("At a return of the run"), {});
}

/// Follows the family of an orbit, and gives what is found with the scenario of the orbit.
void OrbitsDialog::go_along(const OrbitView::Place& from, FamilyRequest request,
                            std::function<void(FoundFamily, const Scenario&)> take) {
  request.threads = spare_threads();
  const FamilyEntry& entry = families_[from.curve];
  const Scenario scenario = entry.family.members[from.point].scenario(entry.scenario);
  compute_family(
      request.count,
      [scenario, request](const Continue& proceed) {
        return family_of(scenario, request, proceed);
      },
      [scenario, take = std::move(take)](FoundFamily found) { take(std::move(found), scenario); });
}

void OrbitsDialog::follow() {
  if (!chosen_orbit()) return find_from_chosen(true);
  if (busy()) return;
  auto request = form_->family(scenario_);
  if (!request) return refuse_error(request.error());
  const FoundFamily& family = families_[orbit_->curve].family;
  const WayOn way = way_on(family, orbit_->point, *request);
  const OrbitView::Place from{orbit_->curve, way.member};
  switch (way.to) {
    case WayOn::To::nowhere:
      return refuse(family.closed
                        ? QStringLiteral("The family is closed: no orbits are beyond it")
                        : QStringLiteral("The family does not lead there from this orbit: choose "
                                         "one that is nearer"));
    case WayOn::To::within:
      choose_orbit(from.curve, from.point);
      return refuse(QStringLiteral("The family has these orbits already; the nearest is chosen"));
    case WayOn::To::beyond:
    case WayOn::To::another:
      break;
  }
  go_along(from, *request, [this, from](FoundFamily found, const Scenario& scenario) {
    extend(from, std::move(found), scenario);
  });
}

void OrbitsDialog::branch_off() {
  const Bifurcation* at = next_branching();
  if (!at || busy()) return;
  auto request = form_->family(scenario_);
  if (!request) return refuse_error(request.error());
  const FoundFamily& family = families_[orbit_->curve].family;
  const std::string over = family.setting ? family.setting->path.text() : std::string();
  if (over != form_->number())
    return refuse(to_qstring("A branch is followed over what its family is: choose " +
                             family.over_text() + " at Over"));
  request->branch = at->kind;
  request->direction = form_->direction();
  QString title = QStringLiteral("Branch at %1").arg(to_qstring(place_in_words(family, *at)));
  if (at->directions.size() > 1) title += QStringLiteral(", direction %1").arg(request->direction);
  // From the last orbit before it, so that none is found again.
  go_along({orbit_->curve, at->member}, *request,
           [this, title, from = tree_->chosen()](FoundFamily found, const Scenario& scenario) {
             add_family({title, scenario, std::move(found)}, from);
           });
}

/// Joins orbits beyond one of a family with it or, from within and over something else, makes them
/// another family. A single orbit becomes its family.
void OrbitsDialog::extend(const OrbitView::Place& from, FoundFamily further,
                          const Scenario& scenario) {
  FamilyEntry& entry = families_[from.curve];
  if (further.members.size() < 2)
    return refuse(to_qstring("No orbit was found beyond this one: " + further.end));
  const std::size_t size = entry.family.members.size();
  const bool joins = can_join(entry.family, further);
  const OrbitItem of{ItemKind::family, from.curve};
  if (!joins && size == 1) {
    entry.family = std::move(further);
    return show_family(from.curve, entry.family.members.size() - 1, {});
  }
  if (!joins) {
    const QString title =
        QStringLiteral("%1, over %2").arg(entry.title, to_qstring(further.over_text()));
    return add_family({title, scenario, std::move(further)}, of);
  }
  if (from.point != 0 && from.point + 1 != size)
    return add_family({entry.title, scenario, std::move(further)}, of);
  if (const auto member = join(entry.family, from.point, std::move(further)))
    show_family(from.curve, *member, {});
}

void OrbitsDialog::add_family(FamilyEntry entry, const OrbitItem& from) {
  const std::size_t number = families_.size();
  entry.color = static_cast<int>(number) % branch_color_count;
  families_.push_back(std::move(entry));
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

}  // namespace twosphere
