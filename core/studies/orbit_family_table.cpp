// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_family_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/base/build.h"
#include "core/base/interrupt.h"
#include "core/base/table_writer.h"
#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/output/csv.h"
#include "core/scenario/writer.h"
#include "core/studies/parallel_tasks.h"

namespace twosphere {

namespace {

using json::Node;

std::vector<CsvColumn> family_columns(std::size_t multipliers) {
  std::vector<CsvColumn> columns{
      {"member", "1", "Number along the family, from 1, that of its file."},
      {"energy", "J", "E of its start."},
      {"momentum", "J s", "J about the axis of a relative orbit, else what is conserved of it."},
      {"period", "s", "T, after which it closes."},
      {"rotation", "rad", "By which it is turned then."},
      {"steps", "1", "N of a period."},
      {"period_change", "s", "T of N steps less that of 2N."},
      {"residual", "1", "How far it is from closing."},
      {"gap", "1", "How well it is determined; below 1000 it is not isolated."},
      {"growth", "1", "Norm of the derivative by its start after a period."}};
  for (std::size_t k = 0; k < multipliers; ++k)
    for (const auto& [part, word] : {std::pair{"re", "Real"}, {"im", "Imaginary"}})
      columns.push_back({fmt::format("multiplier{}_{}", k, part), "1",
                         fmt::format("{} part of multiplier {}.", word, k)});
  columns.push_back({"kind", "", "linearly stable or unstable."});
  return columns;
}

std::size_t multiplier_count(const FoundFamily& family) {
  // Fewer where a rotation moves nothing, or where J vanishes.
  std::size_t most = 0;
  for (const FoundOrbit& one : family.members)
    most = std::max(most, 2 * one.orbit.multipliers.pairs.size());
  return most;
}

std::string period_and_energy(double period, double energy, const std::optional<double>& rest) {
  const std::string out = fmt::format("period {:.13g} s, energy {:.13g} J", period, energy);
  return rest ? out + fmt::format(", {:.13g} J above rest", energy - *rest) : out;
}

Node bifurcation_node(const Bifurcation& b, const FoundFamily& family) {
  const FoundOrbit& first = family.members.front();
  return Node::object(
      {{"energy", b.at.energy},
       {"energy_above_rest", first.rest_energy ? Node(b.at.energy - *first.rest_energy) : Node()},
       {"momentum", b.at.momentum},
       {"period", first.closure.order() * b.at.solution.point.period},
       {"kind", name(b.kind)},
       {"member", Node::whole(static_cast<std::int64_t>(b.member) + 1)}});
}

Node bifurcations_node(const FoundFamily& family) {
  return Node::array(family.bifurcations,
                     [&](const Bifurcation& b) { return bifurcation_node(b, family); });
}

}  // namespace

std::string FoundFamily::text() const {
  std::string out = fmt::format("members: {}\n", members.size());
  const FoundOrbit& first = members.front();
  for (const auto& [word, one] : {std::pair("from", &first), {"to", &members.back()}})
    out += fmt::format("{}: {}, {}\n", word,
                       period_and_energy(one->period(), one->orbit.energy, one->rest_energy),
                       one->orbit.kind());
  if (origin)
    out += fmt::format("branches off at a {} of energy {:.13g} J\n", name(origin->kind),
                       origin->at.energy);
  for (const Bifurcation& b : bifurcations)
    out += fmt::format("{}: {}, after member {}\n", name(b.kind),
                       period_and_energy(first.closure.order() * b.at.solution.point.period,
                                         b.at.energy, first.rest_energy),
                       b.member + 1);
  if (!reached) out += fmt::format("note: it ended before, because {}\n", end);
  return out;
}

std::string FoundFamily::csv() const {
  const std::size_t columns = multiplier_count(*this);
  TableWriter table;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const FoundOrbit& one = members[k];
    table.add(k + 1);
    for (const double value :
         {one.orbit.energy, one.momentum.value_or(std::nan("")), one.period(), one.rotation()})
      table.add(value);
    table.add(one.steps());
    const OrbitSolution& solution = one.orbit.solution;
    for (const double value : {one.closure.order() * one.orbit.period_change, solution.residual,
                               solution.gap, solution.growth})
      table.add(value);
    std::vector<std::complex<double>> multipliers = one.multipliers().values();
    multipliers.resize(columns, {std::nan(""), std::nan("")});
    for (const std::complex<double> mu : multipliers) {
      table.add(mu.real());
      table.add(mu.imag());
    }
    table.add(one.orbit.kind());
    table.end_row();
  }
  return csv_heading_row(family_columns(columns)) + table.take();
}

std::string FoundFamily::companion(const Scenario& scenario) const {
  Node root = provenance();
  root.set("over", name(over));
  root.set("bifurcations", bifurcations_node(*this));
  root.set("columns", described_columns(family_columns(multiplier_count(*this))));
  root.set("scenario", to_json(scenario));
  return json::write(root);
}

json::Node FoundFamily::document() const {
  Node root = Node::object(
      {{"members", Node::array(members, [](const FoundOrbit& one) { return one.document(); })},
       {"bifurcations", bifurcations_node(*this)}});
  if (origin) root.set("origin", bifurcation_node(*origin, *this));
  return root;
}

Result<FoundFamily> continued_family(const System& system, const System& rest,
                                     const Scenario& scenario, const FamilyRequest& request,
                                     const std::function<bool(std::size_t)>& go_on) {
  if (!scenario.orbit)
    return Error{
        ErrorKind::usage, "orbit",
        "is missing: the scenario must be a file of twosphere orbits find --save, with its "
        "system, start and steps"};
  const ClosedOrbit& said = *scenario.orbit;
  if (said.steps > max_orbit_steps)
    return Error{ErrorKind::usage, "orbit.steps",
                 fmt::format("must be at most {}, not {}", max_orbit_steps, said.steps)};
  const OrbitProblem problem{
      rest, *find_integrator(scenario.lanes.front().type), {said.axis, said.places}};
  if (auto fine = check_orbit(system, problem.method, problem.closure); !fine) return fine.error();
  const bool relative = problem.closure.relative();
  if (request.over == FamilyOver::momentum && !relative)
    return Error{ErrorKind::usage, "over", "can be momentum for relative orbits only"};
  std::optional<double> rest_energy;
  if (const auto minimum = nearest_minimum(rest, scenario.q, request.above_rest, request.threads,
                                           [&](std::size_t, std::size_t) { return go_on(0); }))
    rest_energy = minimum->potential_energy;
  if (request.above_rest && !rest_energy)
    return Error{ErrorKind::check, "to", "cannot count from rest: there is no stable equilibrium"};

  // Of the part of the period after which bodies change places.
  const int order = problem.closure.order();
  const OrbitPoint start{{0, scenario.q, scenario.omega},
                         said.period / order,
                         said.rotation / order,
                         std::max(1, said.steps / order)};
  OrbitConditions held;
  held.energy = total_energy(rest, start.state);
  if (relative) held.momentum = said.axis.dot(momentum_map(rest, start.state));
  auto first = solve_orbit(problem, start, held);
  if (!first) return first.error();
  FamilyPlan plan{request.over, request.to + (request.above_rest ? *rest_energy : 0)};
  if (request.over == FamilyOver::period) plan.to /= order;
  plan.count = request.count;
  if (relative) plan.held = request.over == FamilyOver::momentum ? Held::energy : Held::momentum;
  Family family = follow_family(problem, *first, plan, go_on);

  FoundFamily found;
  OrbitProblem followed = problem;
  if (request.branch) {
    constexpr double distance = 0.02;
    const auto at = std::find_if(family.bifurcations.begin(), family.bifurcations.end(),
                                 [&](const Bifurcation& b) { return b.kind == *request.branch; });
    if (at == family.bifurcations.end())
      return Error{ErrorKind::check, "bifurcate",
                   fmt::format("the family has no {} before it ends{}", name(*request.branch),
                               family.reached ? "" : ", because " + family.end)};
    found.origin = *at;
    auto branch = branch_start(problem, *at, distance);
    if (!branch) return branch.error();
    followed.closure = branch->closure;
    plan.held = followed.closure.relative() ? Held::momentum : Held::nothing;
    family = follow_family(followed, branch->solution, plan, go_on);
  }
  found.over = request.over;
  found.reached = family.reached;
  found.end = family.end;
  found.bifurcations = std::move(family.bifurcations);
  // T(2N) of each.
  std::vector<std::optional<Orbit>> orbits(family.members.size());
  std::atomic<bool> stop = false;
  const auto complete = [&](std::size_t k) {
    const Interruptible interruptible(stop);
    orbits[k] = orbit_of(followed, std::move(family.members[k]));
  };
  (void)parallel_tasks(
      orbits.size(), request.threads, [&](std::size_t k, const std::stop_token&) { complete(k); },
      [&](std::size_t, std::size_t) {
        const bool wanted = go_on(orbits.size());
        if (!wanted) stop = true;
        return wanted;
      });
  for (std::size_t k = 0; k < orbits.size(); ++k) {
    if (!orbits[k]) complete(k);  // at once, as it was stopped
    Orbit& orbit = *orbits[k];
    const auto momentum = told_momentum(rest, followed.closure, orbit.momentum);
    found.members.push_back(
        {std::move(orbit), &followed.method, followed.closure, rest_energy, momentum, {}});
  }
  return found;
}

}  // namespace twosphere
