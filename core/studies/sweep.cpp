// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/build.h"
#include "core/base/comma_list.h"
#include "core/base/exceptions.h"
#include "core/base/simd_level.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/language/evaluate.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/system.h"
#include "core/scenario/document.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/names.h"
#include "core/scenario/reader.h"
#include "core/scenario/setting_unit.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

using document::Value;
using json::Node;
using json::quote;

Error wrong(std::string message) { return {ErrorKind::usage, "", std::move(message)}; }

/// FROM:TO:COUNT[:log]
Result<std::vector<Node>> range(const std::vector<std::string>& parts, const std::string& unit) {
  const auto from = evaluate(parts[0], unit), to = evaluate(parts[1], unit);
  for (const auto* end : {&from, &to})
    if (!*end) return end->error();
  constexpr std::size_t max_values = SweepAxis::max_values;
  const auto given = evaluate(parts[2], "1");
  if (!given || *given != std::floor(*given) || *given < 2 || *given > max_values)
    return wrong(fmt::format("the number of values must be a whole number from 2 to {}, not {}",
                             max_values, quote(parts[2])));
  const int count = static_cast<int>(*given);
  const bool logarithmic = parts.size() == 4;
  if (logarithmic && (parts[3] != "log" || !(*from > 0) || !(*to > 0)))
    return wrong("a range ends in its number of values or in :log, with ends above 0");
  std::vector<Node> values;
  for (int k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / (count - 1);
    const double value =
        logarithmic ? *from * std::pow(*to / *from, share) : *from + (*to - *from) * share;
    values.emplace_back(k + 1 == count ? *to : value);
  }
  return values;
}

/// Moves a start as that of a member of a cloud, with its base if that flies.
Result<void> scatter_start(const Sweep& sweep, std::size_t task, Scenario& scenario) {
  const auto system = create_system(scenario);
  if (!system) return system.error();
  State state = start_state(scenario, **system, scenario.q, scenario.omega);
  scatter(**system, state, sweep.spread, task, sweep.seed);
  scenario.base = base_of(state, **system);
  scenario.q = std::move(state.q);
  scenario.omega = std::move(state.w);
  return {};
}

/// Gives a start the energy of another scenario by a factor of all velocities.
Result<void> take_energy(const Scenario& from, Scenario& scenario) {
  const auto source = create_system(from), system = create_system(scenario);
  for (const auto* made : {&source, &system})
    if (!*made) return made->error();
  const double energy = total_energy(**source, start_state(from, **source, from.q, from.omega));
  const State start = start_state(scenario, **system, scenario.q, scenario.omega);
  const double factor = scale_to_energy(**system, start, energy);
  if (std::isnan(factor))
    return Error{
        ErrorKind::usage, "initial",
        fmt::format("no factor of omega gives this start the energy {} J: its potential "
                    "energy is {} J",
                    json::shortest(energy), json::shortest(potential_energy(**system, start)))};
  scenario.omega *= factor;
  if (scenario.base) scenario.base->velocity *= factor;
  return {};
}

SweepAxis read_axis(const Value& value) {
  value.object({"set", "values"});
  SweepAxis axis{value.member("set").text(), {}};
  if (!axis.path.valid()) value.member("set").fail(axis.path.problem());
  const Value list = value.member("values");
  const std::vector<Value> values = list.items();
  if (values.empty()) list.fail("must have at least one value");
  for (const Value& one : values) {
    if (one.kind() != json::Kind::number && one.kind() != json::Kind::string)
      one.wrong_kind("a number or a word");
    if (one.kind() != values.front().kind()) one.fail("numbers and words cannot be mixed");
    if (const std::string why = why_formula(one.node().text); !why.empty()) one.fail(why);
    axis.values.push_back(one.node());
  }
  return axis;
}

Node saved_equilibrium(const Equilibrium& one) {
  return Node::object({{"q", columns_document(one.q)},
                       {"potential_energy", one.potential_energy},
                       {"index", Node::whole(one.index)},
                       {"nullity", Node::whole(one.nullity)},
                       {"rotations", Node::whole(one.rotations)},
                       {"scale", one.scale}});
}

Equilibrium read_equilibrium(const Value& value, int bodies) {
  value.object({"q", "potential_energy", "index", "nullity", "rotations", "scale"});
  Equilibrium out;
  const Value q = value.member("q");
  q.expect(json::Kind::array);
  if (q.size() != static_cast<std::size_t>(bodies))
    q.fail(fmt::format("must have {} directions", bodies));
  out.q.resize(3, bodies);
  for (int i = 0; i < bodies; ++i) {
    const Value direction = q.item(static_cast<std::size_t>(i));
    if (direction.expect(json::Kind::array).size() != 3) direction.fail("must have 3 components");
    for (int k = 0; k < 3; ++k) out.q(k, i) = direction.item(static_cast<std::size_t>(k)).number();
  }
  const auto count = [&](const char* key) {
    return static_cast<int>(value.member(key).whole(0, 2 * bodies));
  };
  out.potential_energy = value.member("potential_energy").number();
  out.index = count("index");
  out.nullity = count("nullity");
  out.rotations = count("rotations");
  out.scale = value.member("scale").number();
  return out;
}

}  // namespace

std::vector<std::size_t> Sweep::shape() const {
  std::vector<std::size_t> lengths;
  for (const SweepAxis& axis : axes) lengths.push_back(axis.values.size());
  if (members > 1) lengths.push_back(static_cast<std::size_t>(members));
  return lengths;
}

std::size_t Sweep::tasks() const {
  std::size_t product = 1;
  for (const std::size_t length : shape()) product *= length;
  return product;
}

std::string Sweep::why_too_large() const {
  for (const SweepAxis& axis : axes)
    if (axis.values.size() > SweepAxis::max_values)
      return fmt::format("{} has {} values, more than {}", axis.path.text(), axis.values.size(),
                         SweepAxis::max_values);
  double size = 1;
  for (const std::size_t length : shape()) size *= static_cast<double>(length);
  if (size <= static_cast<double>(max_tasks)) return {};
  return fmt::format("{:.3g} tasks are more than {}", size, max_tasks);
}

std::vector<std::size_t> Sweep::point(std::size_t task) const {
  std::vector<std::size_t> at = shape();
  for (std::size_t k = at.size(); k-- > 0;) {
    const std::size_t length = at[k];
    at[k] = task % length;
    task /= length;
  }
  return at;
}

bool Sweep::has(bool (SweepMeasure::*which)() const) const {
  return std::any_of(measures.begin(), measures.end(), std::mem_fn(which));
}

bool Sweep::needs_run() const {
  return !std::all_of(measures.begin(), measures.end(), std::mem_fn(&SweepMeasure::of_orbit));
}

int Sweep::vectors() const {
  int vectors = 0;
  for (const SweepMeasure& m : measures) vectors = std::max(vectors, m.vectors());
  return vectors;
}

Sweep sweep_of(Scenario scenario) {
  return {.scenario = std::move(scenario),
          .version = version,
          .isa = std::string(isa_level()),
          .program = program_version()};
}

std::string write_sweep(const Sweep& sweep) {
  Node root = Node::object();
  root.set("twosphere_sweep", Node::whole(1));
  root.set("version", sweep.version);
  root.set("isa", sweep.isa);
  if (!sweep.program.empty()) root.set("program", sweep.program);
  root.set("measures", Node::array(sweep.measures, std::mem_fn(&SweepMeasure::key)));
  root.set("axes", Node::array(sweep.axes, [](const SweepAxis& axis) {
             return Node::object({{"set", axis.path.text()}, {"values", Node::array(axis.values)}});
           }));
  if (sweep.members > 1) {
    root.set("members", Node::whole(sweep.members));
    root.set("spread", sweep.spread);
    root.set("seed", Node::whole(static_cast<std::int64_t>(sweep.seed)));
  }
  if (sweep.same_energy) root.set("same_energy", Node::truth(true));
  if (sweep.orbit) root.set("orbit", to_json(*sweep.orbit));
  if (!sweep.equilibria.empty())
    root.set("equilibria", Node::array(sweep.equilibria, saved_equilibrium));
  Node scenario = to_json(sweep.scenario);
  // Tasks generate their starts anew where an axis is a setting of the generator or the vortices.
  if (std::any_of(sweep.axes.begin(), sweep.axes.end(),
                  [](const SweepAxis& axis) { return is_of_generator(axis.path); }))
    give_generator(*scenario.find("initial"), sweep.scenario);
  root.set("scenario", std::move(scenario));
  return json::write(root);
}

Result<Sweep> read_sweep(std::string_view text, std::string_view source) {
  const auto parsed = json::parse(text, source);
  if (!parsed) return parsed.error();
  try {
    const document::Origin named{source};
    const Value root(named, *parsed, "");
    root.object({"twosphere_sweep", "version", "isa", "program", "measures", "axes", "members",
                 "spread", "seed", "same_energy", "orbit", "equilibria", "scenario"});
    if (root.member("twosphere_sweep").whole(1) != 1)
      root.member("twosphere_sweep").fail("must be 1: this file is of another version");
    Sweep sweep;
    auto scenario = from_json(root.member("scenario").node(), source);
    if (!scenario) return scenario.error();
    sweep.scenario = std::move(*scenario);
    sweep.version = root.member("version").text();
    sweep.isa = root.member("isa").text();
    if (const auto program = root.find("program")) sweep.program = program->text();
    const Value axes = root.member("axes"), measures = root.member("measures");
    for (const Value& axis : axes.items()) sweep.axes.push_back(read_axis(axis));
    for (const Value& one : measures.items()) {
      const auto measure = parse_measure(one.text(), sweep.scenario);
      if (!measure) one.fail(measure.error().message);
      sweep.measures.push_back(*measure);
    }
    if (const auto members = root.find("members")) {
      sweep.members = static_cast<int>(members->whole(1, 1'000'000));
      sweep.spread = root.member("spread").positive("1");
      sweep.seed = static_cast<std::uint64_t>(root.member("seed").whole(0));
    }
    if (const std::string why = sweep.why_too_large(); !why.empty()) axes.fail(why);
    if (const auto same = root.find("same_energy")) sweep.same_energy = same->truth();
    if (sweep.has(&SweepMeasure::of_orbit)) sweep.orbit = read_orbit_plan(root.member("orbit"));
    if (sweep.has(&SweepMeasure::of_basin))
      for (const Value& one : root.member("equilibria").items()) {
        const std::size_t number = sweep.equilibria.size();
        sweep.equilibria.push_back(read_equilibrium(one, sweep.scenario.size()));
        sweep.equilibria.back().number = number;
      }
    if (sweep.scenario.lanes.size() != 1 || sweep.scenario.continuation)
      root.member("scenario").fail("must have one integrator, and a start");
    return sweep;
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Result<SweepAxis> parse_axis(const std::string& text, const Scenario* scenario) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return wrong(
        fmt::format("{} must have the form PATH=FROM:TO:COUNT, for example "
                    "system.gravity=1:20:200, or PATH=VALUE,VALUE",
                    quote(text)));
  SweepAxis axis{text.substr(0, equals), {}};
  if (!axis.path.valid()) return wrong(axis.path.problem());
  const std::string list = text.substr(equals + 1);
  const std::string unit = scenario ? setting_unit(*scenario, axis.path) : "";
  const std::vector<std::string> parts = split(list, ':');
  if (parts.size() == 3 || parts.size() == 4) {
    auto values = range(parts, unit);
    if (!values) return wrong(fmt::format("{}: {}", quote(list), values.error().text()));
    axis.values = std::move(*values);
  } else if (parts.size() == 1) {
    const auto members = comma_list(list);
    if (!members) return wrong(members.error().message);
    for (const std::string& part : *members) {
      auto value = json::parse_value(part);
      if (!value) return wrong(value.error().message);
      if (value->kind == json::Kind::string) {
        if (const auto number = evaluate(part, unit))
          *value = Node(*number);
        else if (value->text.starts_with('-') || value->text.starts_with('+'))
          value->text = '(' + value->text + ')';  // an expression that no spreadsheet takes for one
      }
      if (value->kind != json::Kind::number && value->kind != json::Kind::string)
        return wrong(fmt::format("{} must be a number or a word", quote(part)));
      axis.values.push_back(std::move(*value));
      if (axis.values.back().kind != axis.values.front().kind)
        return wrong(fmt::format("{}: numbers and words cannot be mixed", quote(list)));
      if (const std::string why = why_formula(axis.values.back().text); !why.empty())
        return wrong(fmt::format("{} {}", quote(part), why));
    }
  } else {
    return wrong(
        fmt::format("{} must be FROM:TO:COUNT, FROM:TO:COUNT:log or VALUE,VALUE", quote(list)));
  }
  return axis;
}

Result<Scenario> sweep_scenario(const Sweep& sweep, std::size_t task) {
  const std::vector<std::size_t> at = sweep.point(task);
  std::vector<Setting> settings;
  for (std::size_t k = 0; k < sweep.axes.size(); ++k)
    settings.push_back({sweep.axes[k].path, sweep.axes[k].values[at[k]]});
  auto scenario = with_settings_at_same_times(sweep.scenario, settings);
  const bool scattered = sweep.members > 1 && at.back() > 0;
  if (!scenario || (!scattered && !sweep.same_energy)) return scenario;
  if (scattered)
    if (auto done = scatter_start(sweep, task, *scenario); !done) return done.error();
  if (sweep.same_energy)
    if (auto done = take_energy(sweep.scenario, *scenario); !done) return done.error();
  // As the reader leaves it, so that the scenario as a file has the same start.
  return from_json(to_json(*scenario), "");
}

}  // namespace twosphere
