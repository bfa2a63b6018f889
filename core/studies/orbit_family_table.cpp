// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_family_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/build.h"
#include "core/base/parse_number.h"
#include "core/base/table_writer.h"
#include "core/catalog.h"
#include "core/language/evaluate.h"
#include "core/mechanics/diagnostics.h"
#include "core/output/csv.h"
#include "core/scenario/document.h"
#include "core/scenario/setting_unit.h"
#include "core/scenario/writer.h"
#include "core/studies/netcdf_data.h"
#include "core/studies/orbit_branch.h"
#include "core/studies/sweep.h"
#include "core/studies/sweep_collect.h"

namespace twosphere {

namespace {

using json::Node;

std::size_t multiplier_count(const FoundFamily& family) {
  // Fewer where a rotation moves nothing, or where J vanishes.
  std::size_t most = 0;
  for (const FoundOrbit& one : family.members)
    most = std::max(most, one.orbit.multipliers.values().size());
  return most;
}

/// Whether a column has what the orbits of the family do not have: an energy or a momentum that is
/// not kept, and which of both changes with twice as many steps.
bool is_left_out(const FoundFamily& family, const std::string& column) {
  const auto& members = family.members;
  const bool driven = members.front().orbit.start_change.has_value();
  if (column == "start_change") return !driven;
  if (column == "period_change") return driven;
  if (family.keeps_energy()) return false;
  return column == "energy" || (column == "momentum" && !members.front().momentum);
}

std::vector<CsvColumn> family_columns(const FoundFamily& family) {
  const std::size_t multipliers = multiplier_count(family);
  std::vector<CsvColumn> columns{
      {"member", "1", "Number along the family, from 1, that of its file."}};
  if (family.setting)
    columns.push_back({family.setting->path.text(), family.setting->unit,
                       "The setting that the family is followed over."});
  const std::vector<CsvColumn> all{
      {"energy", "J", "E of its start."},
      {"momentum", "J s", "J about the axis of a relative orbit, else what is conserved of it."},
      {"period", "s", "T, after which it closes."},
      {"rotation", "rad", "By which it is turned then."},
      {"steps", "1", "N of a period."},
      {"period_change", "s", "T of N steps less that of 2N."},
      {"start_change", "1", "How far the start of N steps is from that of 2N."},
      {"residual", "1", "How far it is from closing."},
      {"gap", "1", "How well it is determined; below 1000 it is not isolated."},
      {"growth", "1", "Norm of the derivative by its start after a period."}};
  std::copy_if(all.begin(), all.end(), std::back_inserter(columns),
               [&](const CsvColumn& column) { return !is_left_out(family, column.name); });
  for (std::size_t k = 0; k < multipliers; ++k)
    for (const auto& [part, word] : {std::pair{"re", "Real"}, {"im", "Imaginary"}})
      columns.push_back({fmt::format("multiplier{}_{}", k, part), "1",
                         fmt::format("{} part of multiplier {}.", word, k)});
  const std::pair<const char*, const char*> last =
      family.keeps_energy()
          ? std::pair{"test_collision",
                      "Discriminant of the pairs, whose sign changes at a collision."}
          : std::pair{"test_torus",
                      "Product of all mu mu' - 1, whose sign changes where a complex pair of "
                      "multipliers crosses the unit circle."};
  for (const auto& [key, meaning] :
       {std::pair{"test_branching", "det(M - 1), whose sign changes at a branching."},
        {"test_doubling", "det(M + 1), whose sign changes at a doubling."},
        last})
    columns.push_back({key, "1", meaning});
  columns.push_back({"kind", "",
                     family.keeps_energy() ? "linearly stable or unstable."
                                           : "attracting, saddle, repelling or linearly stable."});
  return columns;
}

/// A row of these columns, but for the kind.
std::vector<double> numbers_of_row(const FoundFamily& family, std::size_t member,
                                   std::size_t multipliers) {
  const FoundOrbit& one = family.members[member];
  std::vector<double> row{static_cast<double>(member + 1)};
  if (one.setting) row.push_back(one.setting->value);
  const OrbitSolution& solution = one.orbit.solution;
  for (const auto& [column, value] :
       {std::pair{"energy", one.orbit.energy},
        {"momentum", one.momentum.value_or(std::nan(""))},
        {"period", one.period()},
        {"rotation", one.rotation()},
        {"steps", static_cast<double>(one.steps())},
        {"period_change", one.closure.order() * one.orbit.period_change},
        {"start_change", one.orbit.start_change.value_or(0)},
        {"residual", solution.residual},
        {"gap", solution.gap},
        {"growth", solution.growth}})
    if (!is_left_out(family, column)) row.push_back(value);
  const OrbitMultipliers whole = one.multipliers();
  std::vector<std::complex<double>> values = whole.values();
  values.resize(multipliers, {std::nan(""), std::nan("")});
  for (const std::complex<double> mu : values) row.insert(row.end(), {mu.real(), mu.imag()});
  for (const double test : whole.tests()) row.push_back(test);
  return row;
}

/// The words for an orbit: the value of the setting, if there is one, period and energy.
std::string told_orbit(const FoundFamily& family, const OrbitPoint& point, int order, double energy,
                       const std::optional<double>& rest) {
  std::string out;
  if (family.setting)
    out = fmt::format("{} {:.13g}{}, ", family.setting->path.text(), point.parameter,
                      family.setting->unit == "1" ? "" : " " + family.setting->unit);
  out += fmt::format("period {:.13g} s", order * point.period);
  if (family.keeps_energy()) out += fmt::format(", energy {:.13g} J", energy);
  if (rest) out += fmt::format(", {:.13g} J above rest", energy - *rest);
  return out;
}
std::string told_bifurcation(const FoundFamily& family, const Bifurcation& b) {
  std::string out = told_orbit(family, b.at.solution.point, family.members.front().closure.order(),
                               b.at.energy, b.rest_energy);
  if (const int count = b.multiplicity(); count > 1)
    out += fmt::format(
        ", {} {} at once", count,
        family.keeps_energy() || b.kind == BifurcationKind::torus ? "pairs" : "multipliers");
  return out;
}

Node bifurcation_node(const Bifurcation& b, const FoundFamily& family) {
  const FoundOrbit& first = family.members.front();
  Node out = Node::object(
      {{"energy", family.keeps_energy() ? Node(b.at.energy) : Node()},
       {"energy_above_rest", b.rest_energy ? Node(b.at.energy - *b.rest_energy) : Node()},
       {"momentum", b.at.momentum},
       {"period", first.closure.order() * b.at.solution.point.period},
       {"kind", name(b.kind)},
       {"member", Node::whole(static_cast<std::int64_t>(b.member) + 1)}});
  if (family.setting) out.set("parameter", b.at.solution.point.parameter);
  if (b.multiplicity() > 1) out.set("multiplicity", Node::whole(b.multiplicity()));
  return out;
}

Node bifurcations_node(const FoundFamily& family) {
  return Node::array(family.bifurcations,
                     [&](const Bifurcation& b) { return bifurcation_node(b, family); });
}

/// Energies of rest along a family: over a setting that of the equilibrium to which Newton's method
/// leads from the first one.
class RestEnergies {
 public:
  explicit RestEnergies(std::optional<Equilibrium> minimum) : minimum_(std::move(minimum)) {}

  std::optional<double> at(const OrbitPoint& point) const {
    if (!minimum_) return {};
    if (!point.system) return minimum_->potential_energy;
    const NewtonEnd end = newton_equilibrium(*point.system, minimum_->q);
    if (!end.converged) return {};
    const Equilibrium there = equilibrium_at(*point.system, end.q);
    return there.index == 0 ? std::optional(there.potential_energy) : std::nullopt;
  }

 private:
  std::optional<Equilibrium> minimum_;
};

/// The plan of a request for orbits with this closure.
FamilyPlan family_plan(const FamilyRequest& request, const OrbitProblem& problem,
                       double rest_energy) {
  const Closure& closure = problem.closure;
  const bool conservative = orbit_forces(problem.system) == OrbitForces::conservative,
             kept = closure.relative() && keeps_momentum(problem.system, closure.axis);
  FamilyPlan plan{request.over, request.to + (request.above_rest ? rest_energy : 0)};
  if (request.over == FamilyOver::period) plan.to /= closure.order();
  plan.count = request.count;
  plan.start = request.start;
  if (request.over == FamilyOver::parameter)
    plan.held = conservative ? Held::all : kept ? Held::momentum : Held::nothing;
  else if (closure.relative())
    plan.held = request.over == FamilyOver::momentum ? Held::energy : Held::momentum;
  return plan;
}

/// Of a family that was ended before it had a second member.
Error stopped_at_start() { return {ErrorKind::check, "", "it was stopped at its start"}; }

}  // namespace

Result<void> read_over(const std::string& text, const Scenario& scenario, FamilyRequest& request) {
  constexpr FamilyOver numbers[] = {FamilyOver::energy, FamilyOver::period, FamilyOver::momentum};
  document::Names names;
  for (const FamilyOver over : numbers) {
    names.emplace_back(name(over));
    if (text == names.back()) {
      request.over = over;
      return {};
    }
  }
  const SettingPath path(text);
  request.over = FamilyOver::parameter;
  if (!path.valid() && text.starts_with(family_setting))
    return Error{ErrorKind::usage, "over", path.problem()};
  if (path.key() == family_setting && path.size() > 1) {
    const auto setting = family_setting_of(scenario, path);
    if (!setting) return setting.error();
    request.setting = setting->path;
    return {};
  }
  for (const ParameterInfo& parameter : info_of(scenario).parameters)
    names.push_back(fmt::format("{}.{}", family_setting, parameter.key));
  std::string meant = document::suggestion(text, names);
  if (has_parameter(scenario, text))
    meant = fmt::format("did you mean {}.{}?", family_setting, text);
  if (!meant.empty()) meant = "; " + meant.substr(0, meant.find_last_not_of(' ') + 1);
  return Error{ErrorKind::usage, "over",
               fmt::format("must be energy, period, momentum or a setting of the system, such as "
                           "system.gravity, not {}{}",
                           json::quote(text), meant)};
}

Result<void> read_to(const std::string& text, const Scenario& scenario, FamilyRequest& request) {
  const auto wrong = [](std::string why) { return Error{ErrorKind::usage, "to", std::move(why)}; };
  request.above_rest = false;
  if (request.over == FamilyOver::energy) {
    const auto energy = read_energy(text);
    if (!energy) return wrong(energy.error().message);
    request.to = energy->value;
    request.above_rest = energy->above_rest;
    return {};
  }
  if (text.starts_with("rest")) return wrong("counts from rest over energy only");
  const auto to = evaluate(text, request.over == FamilyOver::period ? "s"
                                 : request.over == FamilyOver::momentum
                                     ? "J s"
                                     : setting_unit(scenario, request.setting));
  if (!to) return wrong(to.error().message);
  if (request.over == FamilyOver::period && !(*to > 0))
    return wrong(fmt::format("must be a period above 0 s, not {}", json::quote(text)));
  request.to = *to;
  return {};
}

Result<void> read_branch(const std::string& text, FamilyRequest& request) {
  const std::string sign = text.substr(0, 2);
  const auto direction = text == sign        ? std::optional(std::size_t{0})
                         : text.at(2) == ':' ? parse_number<std::size_t>(text.substr(3))
                                             : std::nullopt;
  if ((sign != "+1" && sign != "-1") || !direction)
    return Error{ErrorKind::usage, "bifurcate",
                 "must be +1 or -1, or with the number of a direction +1:K or -1:K, not " +
                     json::quote(text)};
  request.branch = sign == "+1" ? BifurcationKind::branching : BifurcationKind::doubling;
  request.direction = *direction;
  return {};
}

std::string FoundFamily::over_text() const {
  return setting ? setting->path.text() : std::string(name(over));
}

std::string FoundFamily::text() const {
  std::string out = fmt::format("members: {}\n", members.size());
  for (const auto& [word, one] : {std::pair("from", &members.front()), {"to", &members.back()}})
    out += fmt::format("{}: {}, {}\n", word,
                       told_orbit(*this, one->orbit.point(), one->closure.order(),
                                  one->orbit.energy, one->rest_energy),
                       one->orbit.kind());
  if (origin)
    out +=
        keeps_energy()
            ? fmt::format("branches off at a {} of energy {:.13g} J\n", name(origin->kind),
                          origin->at.energy)
            : fmt::format("branches off at a {} of {}\n", name(origin->kind),
                          told_orbit(*this, origin->at.solution.point, 1, origin->at.energy, {}));
  if (!along.empty()) out += fmt::format("along {}\n", along);
  for (const Bifurcation& b : bifurcations)
    out += fmt::format("{}: {}, after member {}\n", name(b.kind), told_bifurcation(*this, b),
                       b.member + 1);
  const auto change = [](const FoundOrbit& one) {
    const double part = std::abs(one.orbit.period_change / one.orbit.point().period);
    return std::isfinite(part) ? part : 0;
  };
  const auto coarsest = std::max_element(
      members.begin(), members.end(),
      [&](const FoundOrbit& a, const FoundOrbit& b) { return change(a) < change(b); });
  if (change(*coarsest) > 1e-6)
    out += fmt::format(
        "note: its steps are coarse: with twice as many the period of member {} changes by a part "
        "of {:.1e}; find an orbit there, and follow the family from it\n",
        coarsest - members.begin() + 1, change(*coarsest));
  const auto moved =
      std::max_element(members.begin(), members.end(), [](const auto& one, const auto& other) {
        return one.orbit.start_change < other.orbit.start_change;
      });
  if (moved->orbit.start_change.value_or(0) > 1e-6)
    out += fmt::format(
        "note: its steps are coarse: with twice as many the start of member {} moves by {:.1e}; "
        "find "
        "an orbit there, and follow the family from it\n",
        moved - members.begin() + 1, *moved->orbit.start_change);
  if (!reached) out += fmt::format("note: it ended before, because {}\n", end);
  return out;
}

std::string FoundFamily::csv() const {
  const std::vector<CsvColumn> columns = family_columns(*this);
  const std::size_t count = multiplier_count(*this);
  TableWriter table;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const std::vector<double> row = numbers_of_row(*this, k, count);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (columns[i].name == "member" || columns[i].name == "steps")
        table.add(static_cast<std::int64_t>(row[i]));
      else
        table.add(row[i]);
    }
    table.add(members[k].orbit.kind());
    table.end_row();
  }
  return csv_heading_row(columns) + table.take();
}

std::string FoundFamily::companion(const Scenario& scenario) const {
  Node root = provenance();
  root.set("over", over_text());
  root.set("bifurcations", bifurcations_node(*this));
  root.set("columns", described_columns(family_columns(*this)));
  root.set("scenario", to_json(scenario));
  return json::write(root);
}

json::Node FoundFamily::document() const {
  Node root = Node::object(
      {{"members", Node::array(members, [](const FoundOrbit& one) { return one.document(); })},
       {"bifurcations", bifurcations_node(*this)}});
  if (closed) root.set("closed", Node::truth(true));
  if (!origin) return root;
  Node begun = bifurcation_node(*origin, *this);
  if (!along.empty()) begun.set("along", along);
  root.set("origin", std::move(begun));
  return root;
}

Result<std::string> FoundFamily::netcdf(const Scenario& scenario) const {
  NetcdfData data;
  data.attributes = {{"title", "orbits of: " + scenario.title},
                     {"source", program_version()},
                     {"over", over_text()},
                     {"bifurcations", json::write(bifurcations_node(*this))},
                     {"scenario", write_scenario(scenario)}};
  const auto bodies = static_cast<std::size_t>(members.front().orbit.point().state.size());
  data.dimensions = {{"member", members.size()}, {"body", bodies}, {"axis", 3}};
  // Numbers: the columns of the table.
  for (const CsvColumn& column : family_columns(*this))
    if (!column.unit.empty())
      data.variables.push_back(
          {variable_name(column.name), column.unit, column.meaning, {"member"}, {}, {}});
  const std::size_t multipliers = multiplier_count(*this);
  for (std::size_t k = 0; k < members.size(); ++k) {
    const std::vector<double> row = numbers_of_row(*this, k, multipliers);
    for (std::size_t i = 0; i < row.size(); ++i) data.variables[i].values.push_back(row[i]);
  }
  NetcdfVariable kinds{"kind", "", "whether it is stable", {"member"}, {}, {}};
  kinds.words = {"unstable", "linearly_stable"};
  if (!keeps_energy()) kinds.words = {"saddle", "attracting", "repelling", "linearly_stable"};
  NetcdfVariable q{"q", "1", "directions at its start", {"member", "body", "axis"}, {}, {}},
      w{"omega", "rad/s", "angular velocities there", {"member", "body", "axis"}, {}, {}};
  for (const FoundOrbit& one : members) {
    std::string kind(one.orbit.kind());
    std::replace(kind.begin(), kind.end(), ' ', '_');
    kinds.values.push_back(static_cast<double>(
        std::find(kinds.words.begin(), kinds.words.end(), kind) - kinds.words.begin()));
    const State& state = one.orbit.point().state;
    q.values.insert(q.values.end(), state.q.data(), state.q.data() + state.q.size());
    w.values.insert(w.values.end(), state.w.data(), state.w.data() + state.w.size());
  }
  for (NetcdfVariable* variable : {&kinds, &q, &w}) data.variables.push_back(std::move(*variable));
  return netcdf_bytes(data);
}

Result<FoundFamily> continued_family(const System& system, const System& rest,
                                     const Scenario& scenario, const FamilyRequest& request,
                                     const std::function<bool(std::size_t)>& proceed,
                                     const KnownFamily* known) {
  if (!scenario.orbit)
    return Error{
        ErrorKind::usage, "orbit",
        "is missing: the scenario must be a file of twosphere orbits find --save, with its "
        "system, start and steps"};
  const ClosedOrbit& said = *scenario.orbit;
  if (said.steps > max_orbit_steps)
    return Error{ErrorKind::usage, "orbit.steps",
                 fmt::format("must be at most {}, not {}", max_orbit_steps, said.steps)};
  OrbitProblem problem{
      rest, *find_integrator(scenario.lanes.front().type), {said.axis, said.places}};
  if (auto fine = check_orbit(system, problem.method, problem.closure); !fine) return fine.error();
  const bool relative = problem.closure.relative();
  const OrbitForces forces = orbit_forces(rest);
  const bool conservative = forces == OrbitForces::conservative;
  if (!conservative && request.over != FamilyOver::parameter)
    return Error{ErrorKind::usage, "over",
                 fmt::format("must be a number of the system, such as system.damping, not {}: "
                             "damping and forces determine it",
                             name(request.over))};
  if (forces == OrbitForces::driven) {
    const auto period = driven_period(rest, said.period);
    if (!period) return period.error();
    problem.times = period->times;
  }
  if (request.over == FamilyOver::momentum && !relative)
    return Error{ErrorKind::usage, "over", "can be momentum for relative orbits only"};
  FoundFamily found;
  found.over = request.over;
  OrbitParameter parameter;
  OrbitConditions held;
  if (request.over == FamilyOver::parameter) {
    auto setting = family_setting_of(scenario, request.setting);
    if (!setting) return setting.error();
    auto made = orbit_parameter(scenario, problem, *setting, request.to);
    if (!made) return made.error();
    parameter = std::move(*made);
    problem.parameter = &parameter;
    held.parameter = setting->value;
    found.setting = std::move(*setting);
  }
  std::optional<Equilibrium> minimum;
  if (conservative)
    minimum = nearest_minimum(rest, scenario.q, request.above_rest, request.threads,
                              [&](std::size_t, std::size_t) { return proceed(0); });
  if (!proceed(0)) return stopped_at_start();
  if (request.above_rest && !minimum)
    return Error{ErrorKind::check, "to", "cannot count from rest: there is no stable equilibrium"};
  const double rest_energy = minimum ? minimum->potential_energy : 0;
  const RestEnergies energies(std::move(minimum));

  OrbitProblem followed = problem;
  Family family;
  if (known) {
    followed.closure = known->closure;
    // Of a doubling that it branches off at.
    if (known->origin && known->origin->kind == BifurcationKind::doubling) followed.times *= 2;
    family = known->family;
    found.origin = known->origin;
    found.along = known->along;
    // The systems along it.
    const auto place = [&](OrbitPoint& point) -> Result<void> {
      if (!problem.parameter) return {};
      auto there = parameter.system(point.parameter);
      if (!there) return there.error();
      point.system = std::move(*there);
      return {};
    };
    for (FamilyMember& member : family.members)
      if (auto done = place(member.solution.point); !done) return done.error();
    for (Bifurcation& one : family.bifurcations)
      if (auto done = place(one.at.solution.point); !done) return done.error();
    if (found.origin)
      if (auto done = place(found.origin->at.solution.point); !done) return done.error();
    continue_family(followed, family_plan(request, followed, rest_energy), proceed, family);
  } else {
    // Of the part of the period after which bodies change places.
    const int order = problem.closure.order();
    OrbitPoint start{{0, scenario.q, scenario.omega},
                     said.period / order,
                     said.rotation / order,
                     std::max(1, said.steps / order)};
    if (conservative) held.energy = total_energy(rest, start.state);
    if (relative && keeps_momentum(rest, said.axis))
      held.momentum = said.axis.dot(momentum_map(rest, start.state));
    auto first = solve_orbit(problem, start, held);
    if (!first) return first.error();
    FamilyPlan plan = family_plan(request, problem, rest_energy);
    // The number of orbits that is asked for is that of the family that branches off.
    if (request.branch) plan.count = std::max(plan.count, FamilyPlan{}.count);
    family = follow_family(problem, *first, plan, proceed);
    if (request.branch) {
      constexpr double distance = 0.02;
      const auto at = std::find_if(family.bifurcations.begin(), family.bifurcations.end(),
                                   [&](const Bifurcation& b) { return b.kind == *request.branch; });
      if (at == family.bifurcations.end())
        return Error{ErrorKind::check, "bifurcate",
                     fmt::format("the family has no {} before it ends{}", name(*request.branch),
                                 family.reached ? "" : ", because " + family.end)};
      auto branch = branch_start(problem, *at, distance, request.direction);
      if (!branch) return branch.error();
      found.origin = *at;
      found.along = std::move(branch->along);
      followed.closure = branch->closure;
      if (at->kind == BifurcationKind::doubling) followed.times *= 2;
      family = follow_family(followed, branch->solution,
                             family_plan(request, followed, rest_energy), proceed);
    }
    if (family.members.size() == 1 && !family.complete) return stopped_at_start();
  }
  found.reached = family.reached;
  found.closed = family.closed;
  found.complete = family.complete;
  found.end = family.end;
  found.direction = std::move(family.direction);
  found.arc = family.arc;
  found.doublings = family.doublings;
  found.bifurcations = std::move(family.bifurcations);
  for (Bifurcation& one : found.bifurcations) {
    one.rest_energy = energies.at(one.at.solution.point);
    // Those of a family that is known are read without their matrices.
    if (one.multiplicity() > 1 && one.at.multipliers.reduced.size() > 0)
      one.directions = told_directions(followed, one);
  }
  if (found.origin) found.origin->rest_energy = energies.at(found.origin->at.solution.point);
  for (FamilyMember& member : family.members) {
    Orbit orbit = orbit_of(followed, std::move(member));
    std::optional<double> momentum;
    if (conservative || keeps_momentum(rest, followed.closure.axis))
      momentum = told_momentum(rest, followed.closure, orbit.momentum);
    const auto above = energies.at(orbit.point());
    std::optional<FamilySetting> setting = found.setting;
    if (setting) setting->value = orbit.point().parameter;
    found.members.push_back({std::move(orbit),
                             &followed.method,
                             followed.closure,
                             above,
                             momentum,
                             {},
                             std::move(setting)});
  }
  return found;
}

}  // namespace twosphere
