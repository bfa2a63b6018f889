// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/sweep_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "app/session/run_opening.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/system.h"
#include "core/mechanics/time_scales.h"
#include "core/run/simulation.h"
#include "core/scenario/keys.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/parameter_io.h"
#include "core/scenario/schedule.h"
#include "core/scenario/setting_unit.h"
#include "core/scenario/writer.h"
#include "core/studies/basins.h"
#include "core/studies/task_orbit.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

using json::Node;

constexpr int max_bodies = 50;          // whose numbers are offered one by one
constexpr int offered_lines = 3;        // whose frequencies are measures
constexpr double seeds_offered = 10;    // from the present one on
constexpr std::size_t max_named = 3;    // settings in which a task differs
constexpr double no_component = 1e-12;  // of q
constexpr std::string_view omega_path = "initial.omega[";

/// "Mass m₁", "Position p₂·e₃", or with the rest of the path where a symbol does not tell.
std::string label_of(const ParameterInfo& p, const std::string& inside) {
  std::string name = p.label == p.symbol
                         ? std::string(p.symbol)
                         : fmt::format("{} {}", capitalised(std::string(p.label)), p.symbol);
  if (inside.empty()) return name;
  std::vector<int> indices;
  for (std::size_t at = 0; at < inside.size() && inside[at] == '[';) {
    const std::size_t end = inside.find(']', at);
    indices.push_back(std::stoi(inside.substr(at + 1, end - at - 1)));
    at = end + 1;
  }
  if (p.shape == Shape::per_body && indices.size() == 1) return with_index(name, indices[0] + 1);
  if ((p.shape == Shape::vector || p.shape == Shape::form) && indices.size() == 1)
    return name + "·" + with_index("e", indices[0] + 1);
  if (p.shape == Shape::points && indices.size() == 2)
    return with_index(name, indices[0] + 1) + "·" + with_index("e", indices[1] + 1);
  return name + inside;
}

/// " [kg]"; empty for pure numbers.
std::string in_brackets(const std::string& unit) {
  return unit.empty() || unit == "1" ? "" : " [" + unit + "]";
}

/// The range that the definition of a custom system declares for a parameter.
std::optional<std::array<double, 2>> declared_range(const Scenario& scenario,
                                                    std::string_view key) {
  if (!scenario.definition) return {};
  for (const Definition::Parameter& own : scenario.definition->definition().parameters)
    if (own.key == key) return own.range;
  return {};
}

/// The range about a value: a factor of two to both sides, or that in which it is dragged.
std::pair<double, double> range_about(const ParameterInfo& p, double value) {
  if (value == 0 || !std::isfinite(value)) return {p.low, p.high};
  if (p.domain == Domain::any) return {value - std::abs(value), value + std::abs(value)};
  return {value / 2, value * 2};
}

class Collector {
 public:
  /// `with`: the path of a setting whose body is always offered.
  Collector(const Scenario& scenario, const std::string& with) : scenario_(scenario) {
    const SettingPath path(with);
    if (path.valid()) body_ = path.index(2);
    const double max_rate = rate();
    // In a system of first order velocities follow from q.
    const bool moves = !info_of(scenario).first_order;
    if (moves) velocities(max_rate);
    angles(max_rate, moves);
    const auto& parameters = info_of(scenario).parameters;
    for (const ParameterInfo& p : parameters)
      if (can_be_set(p)) take(p, "system.", scenario.parameters);
    seeds();
    const LaneSpec& lane = scenario.lanes[0];
    add("integrator.step", "Step h", "s", lane.step / 2, lane.step * 2, false);
    add("duration", "Duration T", "s", scenario.duration / 2, scenario.duration * 2, false);
    if (const IntegratorInfo* method = find_integrator(lane.type))
      for (const ParameterInfo& p : method->parameters) take(p, "integrator.", lane.values);
  }

  std::vector<SweepSetting> take_all() { return std::move(found_); }

 private:
  void add(std::string path, std::string label, std::string_view unit, double low, double high,
           bool logarithmic) {
    found_.push_back(
        {std::move(path), std::move(label), std::string(unit), low, high, logarithmic, false});
  }
  void add_seed(std::string path, std::string label, double present) {
    add(std::move(path), std::move(label), "1", present, present + seeds_offered - 1, false);
    found_.back().whole = true;
  }

  /// Whether what files leave out can be set: not a strength, where the method takes none, nor the
  /// seed of a heat bath, where there is none.
  bool can_be_set(const ParameterInfo& p) const {
    if (!p.omitted) return true;
    if (p.whole) return in_heat_bath();
    const char* third = p.shape == Shape::vector ? "[2]" : "";
    return with_setting(scenario_, fmt::format("system.{}{}", p.key, third), p.high).has_value();
  }

  /// A rate of the motion: that of the fastest body or, at rest, of small motions.
  double rate() const {
    double fastest = 0;
    for (Eigen::Index i = 0; i < scenario_.omega.cols(); ++i)
      fastest = std::max(fastest, scenario_.omega.col(i).norm());
    if (fastest > 0) return ui::round_up(1.5 * fastest);
    const auto system = create_system(scenario_);
    if (!system) return 1;
    const double own = time_scales(**system, {0, scenario_.q, scenario_.omega}).oscillation;
    return std::isfinite(own) && own > 0 ? ui::round_up(own) : 1;
  }

  /// The bodies whose numbers are offered one by one.
  std::vector<Eigen::Index> bodies() const {
    std::vector<Eigen::Index> list;
    for (Eigen::Index i = 0; i < scenario_.q.cols(); ++i)
      if (i < max_bodies || (body_ && i == static_cast<Eigen::Index>(*body_))) list.push_back(i);
    return list;
  }

  void velocities(double max_rate) {
    for (const Eigen::Index i : bodies())
      for (Eigen::Index k = 0; k < 3; ++k)
        if (std::abs(scenario_.q(k, i)) <= no_component)
          add(fmt::format("{}{}][{}]", omega_path, i, k),
              fmt::format("Start {}·{}", with_index("ω", static_cast<int>(i) + 1),
                          with_index("e", static_cast<int>(k) + 1)),
              "rad/s", -max_rate, max_rate, false);
  }

  void angles(double max_rate, bool with_rates) {
    constexpr double pi = std::numbers::pi;
    for (const Eigen::Index i : bodies()) {
      const int body = static_cast<int>(i) + 1;
      const auto offer = [&](const char* key, int k, const std::string& symbol, const char* unit,
                             double low, double high) {
        add(fmt::format("initial.{}[{}][{}]", key, i, k), "Start " + symbol, unit, low, high,
            false);
      };
      const std::string theta = with_index("θ", body), phi = with_index("φ", body);
      offer("angles", 0, theta, "rad", -pi, pi);
      offer("angles", 1, phi, "rad", -pi, pi);
      if (!with_rates) continue;
      offer("rates", 0, fmt::format("d{}/dt", theta), "rad/s", -max_rate, max_rate);
      offer("rates", 1, fmt::format("d{}/dt", phi), "rad/s", -max_rate, max_rate);
    }
  }

  /// The seeds of the generators of the start, in a range with the present one.
  void seeds() {
    const Node& generator = scenario_.generator.directions;
    const auto offer = [this](const Node& one, const std::string& path, const std::string& label) {
      const Node* const type = one.find("type");
      if (!type) return;
      const auto& keys = key_names(type->text);
      if (std::find(keys.begin(), keys.end(), "seed") == keys.end()) return;
      const Node* const seed = one.find("seed");
      add_seed(path + ".seed", label, seed ? seed->number : 0);
    };
    if (generator.kind == json::Kind::object)
      offer(generator, "initial.generator", "Seed of the start");
    for (std::size_t k = 0; k < generator.items.size(); ++k)
      offer(generator.items[k], fmt::format("initial.generator[{}]", k),
            fmt::format("Seed of generator {}", k + 1));
    // That of a built-in system is one of its parameters.
    if (scenario_.definition && in_heat_bath())
      add_seed("system.seed", "Seed of the noise",
               static_cast<double>(scenario_.definition->definition().seed));
  }

  bool in_heat_bath() const {
    const auto system = create_system(scenario_);
    return system && (*system)->heat_bath();
  }

  void take(const ParameterInfo& p, const std::string& section, const Values& values) {
    const auto numbers = values.find(p.key);
    if (p.shape == Shape::choice || p.shape == Shape::count || numbers == values.end()) return;
    const auto node = parameter_node(p, numbers->second);
    if (!node) return;
    const std::string path = section + std::string(p.key);
    if (node->kind == json::Kind::array && p.shape == Shape::per_body) {
      const auto& all = node->items;
      const bool alike = std::all_of(all.begin(), all.end(), [&](const Node& one) {
        return one.kind == json::Kind::number && one.number == all[0].number;
      });
      if (alike && all.size() > 1) leaf(p, path, label_of(p, "") + " of all bodies", all[0].number);
      if (all.size() > static_cast<std::size_t>(max_bodies)) {
        if (body_ && *body_ < all.size()) walk(p, all[*body_], path, fmt::format("[{}]", *body_));
        return;
      }
    }
    walk(p, *node, path, "");
  }

  void walk(const ParameterInfo& p, const Node& node, const std::string& path,
            const std::string& inside) {
    if (node.kind == json::Kind::number)
      return leaf(p, path + inside, label_of(p, inside), node.number);
    if (node.kind == json::Kind::array)
      for (std::size_t i = of_waypoint(inside) ? 1 : 0; i < node.items.size(); ++i)
        walk(p, node.items[i], path, fmt::format("{}[{}]", inside, i));
    if (node.kind == json::Kind::object)
      for (const auto& [key, member] : node.members)
        if (!structure.contains(key)) walk(p, member, path, fmt::format("{}.{}", inside, key));
  }

  /// Whether this is a place of a path. Its first number is a time, which stands between those of
  /// its neighbours.
  static bool of_waypoint(const std::string& inside) { return inside.starts_with(".targets["); }

  void leaf(const ParameterInfo& p, const std::string& path, std::string label, double value) {
    if (p.whole) return add_seed(path, std::move(label), value);
    const auto declared = declared_range(scenario_, p.key);
    const auto [low, high] =
        declared ? std::pair((*declared)[0], (*declared)[1]) : range_about(p, value);
    add(path, std::move(label), setting_unit(scenario_, path), low, high, p.logarithmic && low > 0);
  }

  /// Keys that say which bodies or how many, not how much.
  static inline const std::set<std::string, std::less<>> structure{"between", "rows", "columns",
                                                                   "type"};
  const Scenario& scenario_;
  std::optional<std::size_t> body_;
  std::vector<SweepSetting> found_;
};

/// The component of an angular velocity at a path.
double component(const Scenario& scenario, const std::string& path) {
  const SettingPath at(path);
  return scenario.omega(static_cast<Eigen::Index>(*at.index(3)),
                        static_cast<Eigen::Index>(*at.index(2)));
}

/// Of each body the angular velocity that is largest now, the last body's first. Where fewer than
/// two components of ω can be set alone, rates of the angles of the last and the first body. In a
/// system of first order, where ω cannot be set, the direction of the last body.
std::vector<std::string> default_axes(const Scenario& scenario) {
  const int last = std::min(scenario.size(), max_bodies) - 1;
  if (info_of(scenario).first_order)
    return {fmt::format("initial.angles[{}][0]", last), fmt::format("initial.angles[{}][1]", last)};
  std::vector<std::string> velocities, others;
  for (const SweepSetting& s : sweep_settings(scenario)) {
    if (!s.path.starts_with(omega_path)) continue;
    const bool same_body = !velocities.empty() && *SettingPath(velocities.back()).index(2) ==
                                                      *SettingPath(s.path).index(2);
    if (!same_body) {
      velocities.push_back(s.path);
    } else {
      std::string other = s.path;
      if (std::abs(component(scenario, other)) > std::abs(component(scenario, velocities.back())))
        std::swap(other, velocities.back());
      others.push_back(std::move(other));
    }
  }
  if (velocities.size() + others.size() < 2)
    return {fmt::format("initial.rates[{}][0]", last),
            fmt::format("initial.rates[{}][{}]", 0, last > 0 ? 0 : 1)};
  return {velocities.back(), velocities.size() > 1 ? velocities.front() : others.front()};
}

/// A sweep from one start, which decides what can be measured: starts do not matter for that, and
/// take long to set where there are many bodies.
Sweep without_starts(Sweep sweep) {
  std::erase_if(sweep.axes, [](const SweepAxis& axis) { return axis.sets_start(); });
  sweep.members = 1;
  sweep.same_energy = false;
  return sweep;
}

}  // namespace

std::string SweepSetting::title() const { return label + in_brackets(unit); }

std::vector<SweepSetting> sweep_settings(const Scenario& scenario, const std::string& with) {
  return Collector(scenario, with).take_all();
}

std::string sweep_path(const Scenario& scenario, const std::string& path) {
  const SettingPath at(path);
  if (!at.valid() || at.size() != 4 || at.key(0) != "initial") return path;
  const auto body = at.index(2), component = at.index(3);
  const bool direction = at.key(1) == "q", velocity = at.key(1) == "omega";
  if ((!direction && !velocity) || !body || !component || *component > 2 ||
      static_cast<Eigen::Index>(*body) >= scenario.q.cols())
    return path;
  const Vec3 q = scenario.q.col(static_cast<Eigen::Index>(*body));
  const auto k = static_cast<Eigen::Index>(*component);
  if (velocity && std::abs(q[k]) <= no_component) return path;
  const bool pole = std::hypot(q[0], q[1]) <= no_component, along = k == 2;
  const bool azimuth = !pole && (direction ? !along : along);
  return fmt::format("initial.{}[{}][{}]", direction ? "angles" : "rates", *body, azimuth ? 1 : 0);
}

std::vector<std::string> axis_labels(const Sweep& sweep) {
  std::vector<std::string> labels;
  const auto settings = sweep_settings(one_lane(sweep.scenario, 0));
  for (const SweepAxis& axis : sweep.axes) {
    const auto found = std::find_if(settings.begin(), settings.end(), [&](const SweepSetting& s) {
      return s.path == axis.path.text();
    });
    labels.push_back(found == settings.end() ? axis.path.text() : found->label);
  }
  return labels;
}

std::vector<SweepMeasure> sweep_measures(const Scenario& scenario) {
  using Kind = SweepMeasure::Kind;
  std::vector<SweepMeasure> choices{
      {.kind = Kind::megno}, {.kind = Kind::lyapunov}, {.kind = Kind::fli}};
  for (const SweepMeasure& one : measures_over_run(scenario)) choices.push_back(one);
  for (int line = 0; line < offered_lines; ++line)
    choices.push_back({.kind = Kind::frequency, .index = line});
  for (const Kind kind : {Kind::diffusion, Kind::t_stop, Kind::cost, Kind::basin,
                          Kind::orbit_period, Kind::orbit_multiplier})
    choices.push_back({.kind = kind});
  return choices;
}

Scenario one_lane(const Scenario& scenario, std::size_t lane) {
  Scenario one = scenario;
  one.lanes = {scenario.lanes[lane]};
  one.lanes[0].name = default_names(one.lanes)[0];
  one.events.clear();
  one.branches.clear();
  one.view = {};
  return one;
}

MapExponents exponents_on(const Sweep& sweep) {
  const Sweep deciding = without_starts(sweep);
  const std::size_t tasks = deciding.tasks();
  bool with = false, without = false;
  MapExponents found;
  for (const std::size_t task : std::set<std::size_t>{0, tasks / 2, tasks - 1}) {
    auto scenario = sweep_scenario(deciding, task);
    if (!scenario) continue;
    auto run = Simulation::create(std::move(*scenario));
    if (!run) continue;
    const auto follows = run->follow_exponents(1);
    (follows ? with : without) = true;
    if (!follows) found.why = follows.error().message;
  }
  found.everywhere = !without;
  found.somewhere = with || !without;
  return found;
}

std::string why_not_measured(const Sweep& sweep, const SweepMeasure& measure) {
  if (!measure.of_sweep()) return {};
  const Scenario& scenario = sweep.scenario;
  const Sweep deciding = without_starts(sweep);
  const std::size_t tasks = deciding.tasks();
  std::string why;
  for (const std::size_t task : std::set<std::size_t>{0, tasks / 2, tasks - 1}) {
    const auto made = sweep_scenario(deciding, task);
    if (!made) continue;
    const auto system = Simulation::make_system(*made);
    if (!system) continue;
    std::optional<Error> error;
    if (measure.of_basin()) {
      if (const auto rest = damped_at_rest(*system, made->q); !rest) error = rest.error();
    } else if (const auto fine = check_task_orbit(default_orbit_plan(scenario), *made, *system);
               !fine) {
      error = fine.error();
    }
    if (!error) return {};
    if (why.empty()) why = error->text();
  }
  return why;
}

std::string default_measure(const MapExponents& exponents) {
  return exponents.everywhere ? "megno" : "energy_error.max";
}

std::vector<std::pair<std::string, std::string>> describe(const Sweep& sweep) {
  std::vector<std::pair<std::string, std::string>> rows{{"Scenario", sweep.scenario.title}};
  const auto labels = axis_labels(sweep);
  for (std::size_t k = 0; k < sweep.axes.size(); ++k) {
    const SweepAxis& axis = sweep.axes[k];
    const std::string unit = setting_unit(sweep.scenario, axis.path);
    std::string values;
    if (axis.numeric() && axis.values.size() > 1)
      values = fmt::format("{} to {}, {} values", ui::significant(axis.values.front().number, 6),
                           ui::significant(axis.values.back().number, 6), axis.values.size());
    else
      values = joined(axis.values, ", ", [&](const Node& value) {
        return axis.numeric() ? ui::significant(value.number, 6) : value.text;
      });
    rows.emplace_back(k == 0   ? std::string("Horizontal axis")
                      : k == 1 ? std::string("Vertical axis")
                               : fmt::format("Axis {}", k + 1),
                      fmt::format("{}{}: {}", labels[k], in_brackets(unit), values));
  }
  if (sweep.members > 1)
    rows.emplace_back("Members", fmt::format("{}, spread {}", sweep.members, sweep.spread));
  rows.emplace_back(sweep.measures.size() == 1 ? "Measure" : "Measures",
                    joined(sweep.measures, "; ", &SweepMeasure::label));
  const LaneSpec& lane = sweep.scenario.lanes[0];
  const IntegratorInfo* method = find_integrator(lane.type);
  rows.emplace_back("Integrator", fmt::format("{}, h = {} s", method ? method->title : lane.type,
                                              ui::significant(lane.step, 6)));
  rows.emplace_back("Duration", fmt::format("{} s", ui::significant(sweep.scenario.duration, 6)));
  return rows;
}

Result<LaneSpec> as_lane_of(const Scenario& open, const Scenario& scenario) {
  const auto refuse = [](std::string why) { return Error{ErrorKind::usage, "", std::move(why)}; };
  // Another length, sampling or end makes no other run.
  Scenario alike = scenario;
  alike.lanes = open.lanes;
  alike.duration = open.duration;
  alike.every = open.every;
  alike.stop = open.stop;
  if (const auto settings = differences(open, alike); !settings.empty()) {
    std::string paths;
    for (std::size_t k = 0; k < std::min(max_named, settings.size()); ++k)
      paths += (k > 0 ? ", " : "") + settings[k].path.text();
    if (settings.size() > max_named) paths += ", …";
    return refuse(
        fmt::format("differs in {}; a lane shares system and start: click to open it as "
                    "a run",
                    paths));
  }
  LaneSpec lane = scenario.lanes[0];
  for (const LaneSpec& one : open.lanes)
    if (one.type == lane.type && one.step == lane.step && one.values == lane.values)
      return refuse(fmt::format("is a lane of the run already: {}", one.name));
  if (open.lanes.size() >= max_shown_lanes)
    return refuse(fmt::format("cannot be a lane: the run has {}, and the window shows no more",
                              open.lanes.size()));
  Scenario with = open;
  with.lanes.push_back(lane);
  lane.name = with.lanes.back().name = default_names(with.lanes).back();
  if (const auto fits = with_settings(open, {lanes_setting(with)}); !fits)
    return refuse("cannot be a lane: " + fits.error().text());
  return lane;
}

DefaultSweep default_sweep(const Scenario& scenario) {
  DefaultSweep defaults;
  for (std::size_t lane = 0; lane < scenario.lanes.size(); ++lane)
    if (exponents_on({.scenario = one_lane(scenario, lane)}).everywhere) {
      defaults.lane = lane;
      break;
    }
  defaults.axes = default_axes(one_lane(scenario, defaults.lane));
  // Something is to be seen within seconds.
  const int bodies = scenario.size();
  defaults.points = bodies <= 4 ? 64 : bodies <= 20 ? 32 : 16;
  const std::int64_t max_steps = bodies <= 4 ? 10'000 : bodies <= 20 ? 2000 : 200;
  // Not far beyond the time for which the run is planned, after which bodies may have met.
  defaults.steps =
      std::clamp(planned_steps(one_lane(scenario, defaults.lane)), max_steps / 10, max_steps);
  return defaults;
}

bool is_too_short(const SweepMeasure& measure, double value, double duration) {
  if (measure.of_basin()) return value < 0;
  if (measure.kind == SweepMeasure::Kind::megno) return value > 2.3 && value < 5;
  const double growth = value * duration;
  return measure.kind == SweepMeasure::Kind::lyapunov && measure.index == 0 && growth > 1.0 / 3 &&
         growth < 3;
}

}  // namespace twosphere
