// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "core/catalog.h"
#include "core/csv.h"
#include "core/diagnostics.h"

namespace twosphere {

namespace {

using json::Kind;
using json::Node;
using json::quote;
using json::shortest;
using Names = std::vector<std::string>;

constexpr std::int64_t most_steps = std::int64_t{1} << 53;

// Words of the format that this version refuses instead of ignoring.
const Names later_systems{"n_body",       "pendulum_network", "elastic_rod",
                          "dipole_array", "lennard_jones",    "custom"};
const Names later_integrators{"variational4", "variational6", "variational8", "variational_cayley",
                              "rotation",     "rotation4",    "rotation6"};
const Names formulations{"omega", "velocity", "momentum", "angular_momentum"};
const Names later_torques{"sine", "pd"};

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string join(const Names& names) { return fmt::format("{}", fmt::join(names, ", ")); }

/// "did you mean X? " or nothing.
std::string suggestion(std::string_view given, const Names& names) {
  const std::string near = nearest(given, names);
  return near.empty() ? "" : fmt::format("did you mean {}? ", near);
}

/// Where the document comes from, and whom to tell. Lines are named only of a document with a name.
struct Source {
  std::string_view name;
  std::vector<std::string>* warnings = nullptr;
};

/// A value of the document with its path. Within this file a value that is not as it must be throws
/// an Error, which read_scenario() turns into its result.
class Value {
 public:
  Value(const Source& source, const Node& node, std::string path)
      : source_(&source), node_(&node), path_(std::move(path)) {}

  const Node& node() const { return *node_; }
  const std::string& path() const { return path_; }
  Kind kind() const { return node_->kind; }

  std::string place() const {
    std::string out(source_->name);
    if (node_->line > 0 && !out.empty()) out += fmt::format(":{}", node_->line);
    if (!path_.empty()) out += (out.empty() ? "" : ": ") + path_;
    return out;
  }
  [[noreturn]] void fail(std::string message) const {
    throw Error{ErrorKind::usage, place(), std::move(message)};
  }
  [[noreturn]] void wrong_kind(std::string_view wanted) const {
    fail(fmt::format("must be {}, not {}", wanted,
                     kind() == Kind::string   ? quote(node_->text)
                     : kind() == Kind::number ? shortest(node_->number)
                                              : std::string(name(kind()))));
  }
  void warn(const std::string& message) const {
    if (source_->warnings) source_->warnings->push_back(place() + ": " + message);
  }

  const Value& expect(Kind wanted) const {
    if (kind() != wanted) wrong_kind(name(wanted));
    return *this;
  }
  Value member(std::string_view key) const {
    const Node* found = node_->find(key);
    if (!found) fail(fmt::format("missing key {}", quote(key)));
    return child(key, *found);
  }
  std::optional<Value> find(std::string_view key) const {
    const Node* found = node_->find(key);
    if (!found) return {};
    return child(key, *found);
  }
  Value item(std::size_t i) const {
    return {*source_, node_->items[i], fmt::format("{}[{}]", path_, i)};
  }
  std::size_t size() const { return node_->items.size(); }

  /// An object with no other keys than these.
  const Value& object(const Names& allowed, const Names& later = {}) const {
    expect(Kind::object);
    for (const auto& [key, value] : node_->members) {
      if (contains(allowed, key)) continue;
      if (contains(later, key)) child(key, value).fail("is not supported yet");
      child(key, value)
          .fail(fmt::format("unknown key; {}allowed: {}", suggestion(key, allowed), join(allowed)));
    }
    return *this;
  }
  const std::string& text() const { return expect(Kind::string).node_->text; }
  double number() const {
    if (kind() != Kind::number) wrong_kind("a number");
    if (!std::isfinite(node_->number)) fail("must be a finite number");
    return node_->number;
  }
  std::int64_t whole(std::int64_t least) const {
    const double value = number();
    if (value != std::floor(value) || value < static_cast<double>(least) ||
        value > static_cast<double>(most_steps))
      fail(fmt::format("must be a whole number, at least {}, not {}", least, shortest(value)));
    return static_cast<std::int64_t>(value);
  }
  double positive() const {
    const double value = number();
    if (!(value > 0)) fail(fmt::format("must be greater than 0, not {}", shortest(value)));
    return value;
  }

 private:
  Value child(std::string_view key, const Node& node) const {
    return {*source_, node, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key)};
  }

  const Source* source_;
  const Node* node_;
  std::string path_;
};

/// Conditions on quantities that the system's samples have.
std::vector<StopCondition> read_stop(const Value& list, const SystemInfo& system) {
  Names names;
  std::vector<Quantity> known;
  for (const Quantity quantity : csv_quantities(system)) {
    if (quantity == Quantity::time) continue;
    known.push_back(quantity);
    names.emplace_back(info(quantity).key);
  }
  list.expect(Kind::array);
  std::vector<StopCondition> conditions;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value entry = list.item(i);
    entry.object({"time", "quantity", "above", "below"});
    const auto time = entry.find("time"), quantity = entry.find("quantity"),
               above = entry.find("above"), below = entry.find("below");
    if (time) {
      for (const auto& other : {quantity, above, below})
        if (other) other->fail("does not go with time; a condition is one or the other");
      conditions.push_back({{}, true, time->number()});
      continue;
    }
    if (!quantity) entry.fail("must be {\"time\": T} or {\"quantity\": NAME, \"above\": BOUND}");
    const auto at = std::find(names.begin(), names.end(), quantity->text());
    if (at == names.end())
      quantity->fail(fmt::format("unknown quantity {}; {}there are: {}", quote(quantity->text()),
                                 suggestion(quantity->text(), names), join(names)));
    if (above && below) below->fail("give above or below, not both; there may be two conditions");
    if (!above && !below) entry.fail("missing bound: \"above\" or \"below\"");
    const Value& bound = above ? *above : *below;
    StopCondition condition{known[static_cast<std::size_t>(at - names.begin())], above.has_value(),
                            bound.number()};
    if (info(*condition.quantity).error && condition.value < 0)
      bound.fail(fmt::format("must not be negative, not {}: an error is compared by magnitude",
                             shortest(condition.value)));
    conditions.push_back(condition);
  }
  return conditions;
}

double in_domain(const Value& value, Domain domain) {
  const double number = value.number();
  if (domain == Domain::positive) return value.positive();
  if (domain == Domain::non_negative && number < 0)
    value.fail(fmt::format("must not be negative, not {}", shortest(number)));
  return number;
}

/// A parameter's numbers: one, three, or one per body.
std::vector<double> read_numbers(const Value& value, const ParameterInfo& info, int bodies) {
  if (const Node* type = value.node().find("type"); type && contains(later_torques, type->text))
    value.fail(fmt::format("type {} is not supported yet", quote(type->text)));
  if (info.shape == Shape::scalar) return {in_domain(value, info.domain)};
  const auto count = static_cast<std::size_t>(info.shape == Shape::vector ? 3 : bodies);
  if (info.shape == Shape::per_body && value.kind() == Kind::number)
    return std::vector<double>(count, in_domain(value, info.domain));
  if (value.kind() != Kind::array)
    value.wrong_kind(info.shape == Shape::vector
                         ? "a list of 3 numbers"
                         : fmt::format("a number or a list of {}, one per body", count));
  if (value.size() != count)
    value.fail(info.shape == Shape::vector
                   ? fmt::format("must have 3 numbers, not {}", value.size())
                   : fmt::format("must be one number or have {}, one per body of initial.q, not {}",
                                 count, value.size()));
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(in_domain(value.item(i), info.domain));
  return out;
}

std::size_t count_of(const ParameterInfo& info, int bodies) {
  return info.shape == Shape::scalar   ? 1
         : info.shape == Shape::vector ? 3
                                       : static_cast<std::size_t>(bodies);
}

Values read_parameters(const Value& section, const std::vector<ParameterInfo>& infos, int bodies) {
  Values values;
  for (const ParameterInfo& info : infos) {
    if (info.required) (void)section.member(info.key);
    const auto given = section.find(info.key);
    values.emplace(info.key, given ? read_numbers(*given, info, bodies)
                                   : std::vector<double>(count_of(info, bodies), info.fallback));
  }
  return values;
}

template <class Catalogue>
Names keys(const Catalogue& catalogue) {
  Names out;
  for (const auto& entry : catalogue) out.emplace_back(entry.key);
  return out;
}

/// The catalogue's entry named by the key "type".
template <class Info, class Catalogue>
const Info& read_type(const Value& section, const Info* (*find)(std::string_view),
                      const Catalogue& catalogue, std::string_view what, const Names& later) {
  const Value type = section.expect(Kind::object).member("type");
  if (const Info* info = find(type.text())) return *info;
  const Names known = keys(catalogue);
  if (contains(later, type.text()))
    type.fail(
        fmt::format("{} is not supported yet; there are: {}", quote(type.text()), join(known)));
  type.fail(fmt::format("unknown {} {}; {}there are: {}", what, quote(type.text()),
                        suggestion(type.text(), known), join(known)));
}

std::unique_ptr<const System> read_system(const Value& section, int bodies, std::string& type,
                                          Values& parameters) {
  const SystemInfo& info = read_type(section, find_system, systems(), "system", later_systems);
  Names allowed{"type"};
  for (const ParameterInfo& p : info.parameters) allowed.emplace_back(p.key);
  section.object(allowed, {"damping"});
  type = info.key;
  parameters = read_parameters(section, info.parameters, bodies);
  auto made = info.create(bodies, parameters);
  if (!made)
    section.fail((made.error().place.empty() ? "" : made.error().place + ": ") +
                 made.error().message);
  return std::move(*made);
}

/// The Runge-Kutta methods work on one of four forms of the equations.
bool formulated(const IntegratorInfo& info) { return !info.symplectic; }

LaneSpec read_lane(const Value& section, bool named) {
  const IntegratorInfo& info =
      read_type(section, find_integrator, integrators(), "integrator", later_integrators);
  Names allowed{"type", "step"};
  for (const ParameterInfo& p : info.parameters) allowed.emplace_back(p.key);
  if (formulated(info)) allowed.emplace_back("formulation");
  if (named) allowed.emplace_back("name");
  section.object(allowed);
  if (const auto formulation = section.find("formulation")) {
    if (!contains(formulations, formulation->text()))
      formulation->fail(
          fmt::format("unknown formulation {}; {}there are: {}", quote(formulation->text()),
                      suggestion(formulation->text(), formulations), join(formulations)));
    if (formulation->text() != "omega")
      formulation->fail(
          fmt::format("{} is not supported yet; allowed: omega", quote(formulation->text())));
  }
  LaneSpec lane;
  lane.type = info.key;
  lane.step = section.member("step").positive();
  lane.values = read_parameters(section, info.parameters, 0);
  const auto name = named ? section.find("name") : std::nullopt;
  lane.name = name ? name->text() : lane.type;
  if (name && (lane.name.empty() || lane.name.find_first_of("/\n\r") != std::string::npos))
    name->fail("must not be empty and must have no slash or line break");
  return lane;
}

Columns read_columns(const Value& list, std::optional<int> bodies) {
  if (list.kind() == Kind::object) list.fail("a generator is not supported yet; give a list");
  list.expect(Kind::array);
  if (bodies && list.size() != static_cast<std::size_t>(*bodies))
    list.fail(
        fmt::format("must have {} entries, as many as initial.q, not {}", *bodies, list.size()));
  if (list.size() == 0) list.fail("must have at least one entry");
  Columns out(3, static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value entry = list.item(i);
    if (entry.kind() != Kind::array) entry.wrong_kind("a list of 3 numbers");
    if (entry.size() != 3) entry.fail(fmt::format("must have 3 numbers, not {}", entry.size()));
    for (std::size_t k = 0; k < 3; ++k)
      out(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i)) = entry.item(k).number();
  }
  return out;
}

// How far a hand-written start may be off T(S²)ⁿ.
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
constexpr double silent = 1e-12, tolerated = 1e-3;

/// Refuses a deviation, warns of it or lets it pass.
void judge(const Value& entry, double deviation, std::string_view what, std::string_view remedy) {
  if (!(deviation <= tolerated))
    entry.fail(
        fmt::format("{} = {}, allowed up to {}", what, shortest(deviation), shortest(tolerated)));
  if (deviation >= silent)
    entry.warn(fmt::format("{} = {}; {}", what, shortest(deviation), remedy));
}

/// Puts q on the sphere. Idempotent: what is there to rounding stays as it is.
void normalise(const Value& list, Columns& q) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const auto off = [&] { return std::abs(q.col(i).squaredNorm() - 1); };
    if (off() <= rounding) continue;
    const Value entry = list.item(static_cast<std::size_t>(i));
    judge(entry, std::abs(q.col(i).stableNorm() - 1), "| |q| − 1 |", "normalised");
    for (int pass = 0; pass < 4 && !(off() <= rounding); ++pass) q.col(i) /= q.col(i).norm();
  }
}

/// Takes the part along q from ω. Idempotent likewise.
void project(const Value& list, const Columns& q, Columns& w) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const auto scale = [&] { return std::max(1.0, w.col(i).stableNorm()); };
    const auto along = [&] { return std::abs(q.col(i).dot(w.col(i))); };
    if (along() <= rounding * scale()) continue;
    const Value entry = list.item(static_cast<std::size_t>(i));
    judge(entry, along() / scale(), "|q·ω| / max(1, |ω|)", "made tangent");
    for (int pass = 0; pass < 4 && !(along() <= rounding * scale()); ++pass)
      w.col(i) -= q.col(i) * q.col(i).dot(w.col(i));
  }
}

/// ω = q × q̇.
Columns angular_velocity(const Value& list, const Columns& q, const Columns& velocity) {
  Columns w(3, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 v = velocity.col(i);
    const double along = std::abs(q.col(i).dot(v)), scale = std::max(1.0, v.stableNorm());
    if (!(along <= rounding * scale))
      judge(list.item(static_cast<std::size_t>(i)), along / scale, "|q·q̇| / max(1, |q̇|)",
            "made tangent");
    w.col(i) = q.col(i).cross(v);
  }
  return w;
}

void read_start(const Value& initial, bool bit_for_bit, Scenario& scenario) {
  initial.object({"q", "omega", "velocity"}, {"generator"});
  if (!initial.find("q")) initial.fail("missing key \"q\": nothing gives the number of bodies");
  const Value q = initial.member("q");
  scenario.q = read_columns(q, {});
  const auto omega = initial.find("omega"), velocity = initial.find("velocity");
  if (omega && velocity) velocity->fail("give omega or velocity, not both");
  if (!omega && (!velocity || bit_for_bit)) initial.fail("missing key \"omega\"");
  if (!bit_for_bit) normalise(q, scenario.q);
  if (omega) {
    scenario.omega = read_columns(*omega, scenario.size());
    if (!bit_for_bit) project(*omega, scenario.q, scenario.omega);
  } else {
    scenario.omega =
        angular_velocity(*velocity, scenario.q, read_columns(*velocity, scenario.size()));
    project(*velocity, scenario.q, scenario.omega);
  }
}

const Names continuation_keys{"time_origin", "step_index", "energy_reference", "work",
                              "integrator_state"};

std::optional<Continuation> read_continuation(const Value& root) {
  const auto given = std::find_if(continuation_keys.begin(), continuation_keys.end(),
                                  [&](const auto& key) { return root.find(key).has_value(); });
  if (given == continuation_keys.end()) return {};
  Continuation c;
  c.step_index = root.member("step_index").whole(0);
  c.time_origin = root.member("time_origin").number();
  c.energy_reference = root.member("energy_reference").number();
  c.work = root.member("work").number();
  if (const auto memory = root.find("integrator_state"))
    for (const auto& [name, unused] : memory->expect(Kind::object).node().members) {
      const Value list = memory->member(name);
      std::vector<double> numbers;
      for (std::size_t i = 0; i < list.expect(Kind::array).size(); ++i)
        numbers.push_back(list.item(i).number());
      c.memory.emplace_back(name, std::move(numbers));
    }
  return c;
}

/// The one lane of a document is at "integrator", or at "lanes[0]" if it has a name of its own.
/// Both paths mean it.
std::string canonical(std::string_view path, const Node& root) {
  constexpr std::string_view single = "integrator", listed = "lanes[0]";
  const auto swap = [&](std::string_view from, std::string_view to) {
    const bool here =
        path.starts_with(from) && (path.size() == from.size() || path[from.size()] == '.');
    return here ? std::string(to).append(path.substr(from.size())) : std::string(path);
  };
  return root.find("lanes") ? swap(single, listed) : swap(listed, single);
}

/// Drops what the lane's present method does not know, after a change of its type.
void drop_unknown_keys(Node& lane) {
  const Node* type = lane.find("type");
  const IntegratorInfo* info = type ? find_integrator(type->text) : nullptr;
  if (!info) return;
  Names known{"type", "step", "name"};
  for (const ParameterInfo& p : info->parameters) known.emplace_back(p.key);
  std::erase_if(lane.members, [&](const auto& member) { return !contains(known, member.first); });
}

/// Sets one value of a document that has one lane.
Result<void> assign_setting(Node& root, std::string_view path, const Node& value) {
  const std::string place = canonical(path, root);
  if (auto done = json::assign(root, place, value); !done)
    return Error{ErrorKind::usage, std::string(path), done.error().message};
  if (place == "integrator.type") drop_unknown_keys(*root.find("integrator"));
  if (place == "lanes[0].type") drop_unknown_keys(root.find("lanes")->items[0]);
  return {};
}

/// Whether the value at a path of the document may change while running; else why not.
std::string obstacle(const Node& root, const std::string& path) {
  const std::string key = path.substr(0, path.find_first_of(".["));
  if (path == "duration" || path == "every" || key == "stop") return {};
  if (key != "system" && key != "integrator" && key != "lanes")
    return "an event sets system.…, integrator.…, duration, every or stop";
  std::string name = path.substr(std::min(path.size(), path.find('.') + 1));
  name = name.substr(0, name.find('['));
  const auto* parameters = &find_system(root.find("system")->find("type")->text)->parameters;
  Names live;
  if (key != "system") {
    const Node* lane =
        root.find("integrator") ? root.find("integrator") : &root.find("lanes")->items[0];
    const IntegratorInfo& info = *find_integrator(lane->find("type")->text);
    parameters = &info.parameters;
    live = {"type", "step"};
    if (formulated(info)) live.emplace_back("formulation");
    if (contains(live, name)) return {};
  }
  for (const ParameterInfo& p : *parameters) {
    if (p.key == name && p.live) return {};
    if (p.key == name) return "takes a reset: it cannot change while running";
    if (p.live) live.emplace_back(p.key);
  }
  return fmt::format("no such value; {}an event may set: {}", suggestion(name, live), join(live));
}

Node row(const double* numbers, std::size_t count) {
  Node list = Node::array();
  list.items.reserve(count);
  for (std::size_t i = 0; i < count; ++i) list.items.emplace_back(numbers[i]);
  return list;
}

/// Of numbers and lists of them, of the same shape.
bool same_numbers(const Node& a, const Node& b) {
  return a.number == b.number &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), same_numbers);
}

Node columns(const Columns& values) {
  Node list = Node::array();
  for (Eigen::Index i = 0; i < values.cols(); ++i)
    list.items.push_back(row(values.col(i).data(), 3));
  return list;
}

void write_parameters(Node& section, const std::vector<ParameterInfo>& infos,
                      const Values& values) {
  for (const ParameterInfo& info : infos) {
    const std::vector<double>& numbers = values.find(info.key)->second;
    section.set(std::string(info.key), info.shape == Shape::scalar
                                           ? Node(numbers[0])
                                           : row(numbers.data(), numbers.size()));
  }
}

Node lane_document(const LaneSpec& lane) {
  Node node = Node::object();
  node.set("type", Node(lane.type));
  if (lane.name != lane.type) node.set("name", Node(lane.name));
  node.set("step", lane.step);
  write_parameters(node, find_integrator(lane.type)->parameters, lane.values);
  return node;
}

Node start_document(const Scenario& scenario) {
  Node initial = Node::object();
  initial.set("q", columns(scenario.q));
  initial.set("omega", columns(scenario.omega));
  return initial;
}

/// System, lanes and sampling as a document: a scenario without its start and its past.
Node settings_document(const Scenario& scenario) {
  Node root = Node::object();
  Node system = Node::object();
  system.set("type", Node(scenario.system));
  write_parameters(system, find_system(scenario.system)->parameters, scenario.parameters);
  root.set("system", std::move(system));
  if (scenario.lanes.size() == 1 && scenario.lanes[0].name == scenario.lanes[0].type) {
    root.set("integrator", lane_document(scenario.lanes[0]));
  } else {
    Node lanes = Node::array();
    for (const LaneSpec& lane : scenario.lanes) lanes.items.push_back(lane_document(lane));
    root.set("lanes", std::move(lanes));
  }
  root.set("duration", scenario.duration);
  if (scenario.every > 0) root.set("every", Node::whole(scenario.every));
  if (!scenario.stop.empty()) root.set("stop", to_json(scenario.stop));
  return root;
}

/// Reads again what the paths of a settings document stand in: the first that is wrong, with the
/// index of its path.
std::optional<std::pair<std::size_t, Error>> try_settings(const Node& settings, const Names& paths,
                                                          int bodies) {
  const Source unnamed;
  const Value document(unnamed, settings, "");
  try {
    const auto touched = [&](std::string_view key) {
      return std::any_of(paths.begin(), paths.end(),
                         [&](const std::string& path) { return path.starts_with(key); });
    };
    std::string type;
    Values values;
    if (touched("system")) (void)read_system(document.member("system"), bodies, type, values);
    if (touched("integrator")) (void)read_lane(document.member("integrator"), false);
    if (touched("lanes")) (void)read_lane(document.member("lanes").item(0), true);
    if (touched("duration")) (void)document.member("duration").positive();
    if (touched("every")) (void)document.member("every").whole(1);
    if (touched("stop")) {
      const Node* system = settings.find("system")->find("type");
      (void)read_stop(document.member("stop"), *find_system(system->text));
    }
  } catch (const Error& error) {
    // The setting to blame is the last at the place of the error, else the last around it.
    const std::string& place = error.place;
    for (std::size_t i = paths.size(); i-- > 0;)
      if (place.starts_with(paths[i]) || std::string_view(paths[i]).starts_with(place))
        return std::pair(i, error);
    return std::pair(paths.size() - 1, error);
  }
  return {};
}

std::int64_t planned_steps(const Scenario& scenario, const std::vector<Event>& events) {
  double step = scenario.lanes[0].step, duration = scenario.duration, origin = 0;
  std::int64_t first = 0;  // step at which the clock stood at the origin
  if (const auto& from = scenario.continuation) {
    origin = from->time_origin;
    first = -from->step_index;
  }
  const auto time = [&](std::int64_t k) { return origin + static_cast<double>(k - first) * step; };
  double end = time(0) + duration;
  std::int64_t planned = count_steps(duration, step).steps;
  std::optional<Node> settings;
  for (const Event& event : events) {
    if (event.step >= planned) break;
    bool timed = false;
    for (const auto& [path, value] : event.set) {
      if (path.starts_with("system") || path == "every") continue;
      if (!settings) settings = settings_document(scenario);
      timed |= assign_setting(*settings, path, value).has_value();
    }
    if (!timed) continue;
    // In the very order in which a simulation does it, to the last digit.
    const double next_duration = settings->find("duration")->number;
    const Node* lane = settings->find("integrator");
    const double next_step =
        (lane ? *lane : settings->find("lanes")->items[0]).find("step")->number;
    if (next_step == step && next_duration == duration) continue;
    const double now = time(event.step);
    if (next_step != step) {
      origin = now;
      first = event.step;
      step = next_step;
    }
    if (next_duration != duration) end += next_duration - duration;
    duration = next_duration;
    const double left = end - time(event.step);
    planned = event.step + (left > 0 ? count_steps(left, step).steps : 1);  // that one is taken
  }
  return planned;
}

std::int64_t base_stride(const Scenario& scenario, const std::vector<Event>& events) {
  if (scenario.every > 0) return scenario.every;
  constexpr std::int64_t rows = 10000;
  return std::max<std::int64_t>(1, (planned_steps(scenario, events) + rows - 1) / rows);
}

/// Reads the events and tries each in turn on the settings that the scenario starts with.
std::vector<Event> read_events(const Value& list, const Scenario& scenario) {
  list.expect(Kind::array);
  std::vector<Event> events;
  std::vector<Value> places;  // of the settings
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value entry = list.item(i);
    entry.object({"step", "set", "resume"}, {"pull"});
    Event& event = events.emplace_back(Event{.step = entry.member("step").whole(0)});
    if (const auto resume = entry.find("resume")) {
      if (!resume->expect(Kind::boolean).node().boolean)
        resume->fail("must be true, or be left out");
      if (const auto set = entry.find("set")) set->fail("does not go with resume; give two events");
      event.resume = true;
      places.push_back(entry);
      continue;
    }
    const Value set = places.emplace_back(entry.member("set").expect(Kind::object));
    if (set.node().members.empty()) set.fail("must set something: {path: value}");
    for (const auto& [path, value] : set.node().members) event.set.push_back({path, value});
  }
  std::vector<std::size_t> order(events.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return events[a].step < events[b].step; });

  Node trial = settings_document(scenario);
  std::vector<Event> sorted;
  for (const std::size_t i : order) {
    const Event& event = events[i];
    std::vector<std::string> paths;
    for (const auto& [path, value] : event.set) {
      const Value place = places[i].member(path);
      paths.push_back(canonical(path, trial));
      if (const std::string why = obstacle(trial, paths.back()); !why.empty()) place.fail(why);
      if (auto done = assign_setting(trial, path, value); !done) place.fail(done.error().message);
    }
    if (const auto wrong = try_settings(trial, paths, scenario.size())) {
      const auto& [which, error] = *wrong;
      const std::string& path = event.set[which].path;
      places[i].member(path).fail(
          (error.place == path || error.place == paths[which] || error.place.empty()
               ? ""
               : error.place + ": ") +
          error.message);
    }
    sorted.push_back(event);
  }
  if (!stride_changes(sorted)) return sorted;
  std::int64_t stride = base_stride(scenario, sorted);
  for (std::size_t k = 0; k < sorted.size(); ++k)
    for (const auto& [path, value] : sorted[k].set) {
      if (path != "every") continue;
      const auto next = widened(stride, static_cast<std::int64_t>(value.number));
      if (!next)
        places[order[k]].member(path).fail(
            fmt::format("must be a multiple of the stride before, {}, or divide it, not {}", stride,
                        shortest(value.number)));
      stride = *next;
    }
  return sorted;
}

Scenario read(const Source& source, const Node& document) {
  const Value root(source, document, "");
  Names allowed{"twosphere", "title",    "description", "system", "initial", "integrator",
                "lanes",     "duration", "every",       "stop",   "events"};
  allowed.insert(allowed.end(), continuation_keys.begin(), continuation_keys.end());
  if (root.kind() != Kind::object) root.wrong_kind("an object: a scenario");
  if (!root.find("twosphere"))
    root.fail("missing key \"twosphere\": a scenario starts with \"twosphere\": 1");
  if (const Value format = root.member("twosphere"); format.number() != 1)
    format.fail(fmt::format("format {} is not known; this program reads format 1",
                            shortest(format.number())));
  root.object(allowed, {"view"});

  Scenario scenario;
  if (const auto title = root.find("title")) scenario.title = title->text();
  if (const auto description = root.find("description")) scenario.description = description->text();
  const Value system = root.member("system"), initial = root.member("initial");
  // The type first: what is wrong with an unknown system is not the start.
  (void)read_type(system, find_system, systems(), "system", later_systems);
  scenario.continuation = read_continuation(root);
  read_start(initial, scenario.continuation.has_value(), scenario);
  const auto made = read_system(system, scenario.size(), scenario.system, scenario.parameters);

  const auto lanes = root.find("lanes");
  if (lanes && root.find("integrator")) lanes->fail("give integrator or lanes, not both");
  if (lanes) {
    lanes->expect(Kind::array);
    if (lanes->size() == 0) lanes->fail("must have an entry");
    if (lanes->size() > 1) lanes->item(1).fail("more than one lane is not supported yet");
    scenario.lanes.push_back(read_lane(lanes->item(0), true));
  } else {
    scenario.lanes.push_back(read_lane(root.member("integrator"), false));
  }

  scenario.duration = root.member("duration").positive();
  if (!(scenario.duration / scenario.lanes[0].step < static_cast<double>(most_steps)))
    root.member("duration")
        .fail(fmt::format("is more than 2^53 steps of {} s", shortest(scenario.lanes[0].step)));
  if (const auto every = root.find("every")) scenario.every = every->whole(1);
  if (const auto stop = root.find("stop"))
    scenario.stop = read_stop(*stop, *find_system(scenario.system));
  if (const auto events = root.find("events")) scenario.events = read_events(*events, scenario);

  if (!std::isfinite(total_energy(*made, State{0, scenario.q, scenario.omega})))
    initial.fail("the energy of this start is not a finite number");
  return scenario;
}

}  // namespace

Result<Scenario> read_scenario(const json::Node& root, std::string_view source,
                               std::vector<std::string>* warnings) {
  try {
    return read({source, warnings}, root);
  } catch (const Error& error) {
    return error;
  }
}

Result<Scenario> read_scenario(std::string_view text, std::string_view source,
                               std::vector<std::string>* warnings) {
  const auto root = json::parse(text, source);
  if (!root) return root.error();
  return read_scenario(*root, source, warnings);
}

Result<Scenario> load_scenario(const std::string& path, std::vector<std::string>* warnings) {
  const auto text = read_file(path, json::max_bytes);
  if (!text) return text.error();
  return read_scenario(*text, path == "-" ? "standard input" : path, warnings);
}

json::Node to_json(const Scenario& scenario) {
  Node root = Node::object();
  root.set("twosphere", Node::whole(1));
  if (!scenario.title.empty()) root.set("title", Node(scenario.title));
  if (!scenario.description.empty()) root.set("description", Node(scenario.description));
  for (auto& [key, value] : settings_document(scenario).members) {
    root.set(key, std::move(value));
    if (key == "system") root.set("initial", start_document(scenario));
  }
  if (!scenario.events.empty()) {
    Node events = Node::array();
    for (const Event& event : scenario.events) {
      Node& entry = events.items.emplace_back(Node::object());
      entry.set("step", Node::whole(event.step));
      if (event.resume) {
        entry.set("resume", Node::truth(true));
        continue;
      }
      Node set = Node::object();
      for (const auto& [path, value] : event.set) set.set(path, value);
      entry.set("set", std::move(set));
    }
    root.set("events", std::move(events));
  }
  if (const auto& c = scenario.continuation) {
    root.set("time_origin", c->time_origin);
    root.set("step_index", Node::whole(c->step_index));
    root.set("energy_reference", c->energy_reference);
    root.set("work", c->work);
    Node memory = Node::object();
    for (const auto& [name, numbers] : c->memory)
      memory.set(name, row(numbers.data(), numbers.size()));
    root.set("integrator_state", std::move(memory));
  }
  return root;
}

std::string write_scenario(const Scenario& scenario) { return json::write(to_json(scenario)); }

Result<Scenario> with_settings(const Scenario& scenario, const std::vector<Setting>& settings,
                               std::vector<std::string>* warnings) {
  Node root = to_json(scenario);
  for (const Setting& setting : settings)
    if (auto done = assign_setting(root, setting.path, setting.value); !done) return done.error();
  return read_scenario(root, "", warnings);
}

Result<Scenario> with_setting(const Scenario& scenario, std::string_view path,
                              const json::Node& value) {
  return with_settings(scenario, {{std::string(path), value}});
}

json::Node to_json(const std::vector<StopCondition>& conditions) {
  Node list = Node::array();
  for (const StopCondition& condition : conditions) {
    Node& entry = list.items.emplace_back(Node::object());
    if (condition.quantity) {
      entry.set("quantity", Node(std::string(info(*condition.quantity).key)));
      entry.set(condition.above ? "above" : "below", condition.value);
    } else {
      entry.set("time", condition.value);
    }
  }
  return list;
}

std::vector<Setting> differences(const Scenario& from, const Scenario& to) {
  std::vector<Setting> settings;
  const auto add_list = [&](const std::string& path, const Node& before, const Node& after) {
    std::vector<Setting> entries;
    for (std::size_t i = 0; i < after.items.size(); ++i)
      if (!same_numbers(before.items[i], after.items[i]))
        entries.push_back({fmt::format("{}[{}]", path, i), after.items[i]});
    if (entries.size() == after.items.size() && entries.size() > 1) entries = {{path, after}};
    settings.insert(settings.end(), entries.begin(), entries.end());
  };
  const auto add_values = [&](const std::string& section, const std::vector<ParameterInfo>& infos,
                              const Values& before, const Values& after) {
    for (const ParameterInfo& p : infos) {
      const auto &was = before.find(p.key)->second, &is = after.find(p.key)->second;
      if (was == is) continue;
      const std::string path = fmt::format("{}.{}", section, p.key);
      if (p.shape == Shape::scalar)
        settings.push_back({path, is[0]});
      else
        add_list(path, row(was.data(), was.size()), row(is.data(), is.size()));
    }
  };
  if (from.system != to.system || from.size() != to.size()) {
    settings.push_back({"system", *settings_document(to).find("system")});
    settings.push_back({"initial", start_document(to)});
  } else {
    add_values("system", find_system(to.system)->parameters, from.parameters, to.parameters);
    if (from.q != to.q) add_list("initial.q", columns(from.q), columns(to.q));
    if (from.omega != to.omega) add_list("initial.omega", columns(from.omega), columns(to.omega));
  }
  for (std::size_t i = 0; i < to.lanes.size(); ++i) {
    const LaneSpec &was = from.lanes[i], &is = to.lanes[i];
    const std::string section = to.lanes.size() == 1 ? "integrator" : fmt::format("lanes[{}]", i);
    const std::vector<ParameterInfo>& infos = find_integrator(is.type)->parameters;
    if (was.type != is.type) settings.push_back({section + ".type", Node(is.type)});
    if (was.step != is.step) settings.push_back({section + ".step", is.step});
    // What a change of the type alone would leave of the keys.
    Values kept = was.values;
    if (was.type != is.type)
      for (const ParameterInfo& p : infos)
        kept.try_emplace(std::string(p.key), std::vector<double>(count_of(p, 0), p.fallback));
    add_values(section, infos, kept, is.values);
  }
  if (from.duration != to.duration) settings.push_back({"duration", to.duration});
  if (from.every != to.every) settings.push_back({"every", Node::whole(base_stride(to))});
  if (from.stop != to.stop) settings.push_back({"stop", to_json(to.stop)});
  return settings;
}

StepCount count_steps(double duration, double step) {
  const double ratio = duration / step;
  const double nearest_whole = std::round(ratio);
  if (nearest_whole >= 1 && std::abs(ratio - nearest_whole) <= 1e-9 * nearest_whole)
    return {std::llround(ratio), false};
  return {std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(ratio))), true};
}

std::int64_t planned_steps(const Scenario& scenario) {
  return planned_steps(scenario, scenario.events);
}

std::int64_t base_stride(const Scenario& scenario) {
  return base_stride(scenario, scenario.events);
}

std::int64_t stride_through(const Scenario& scenario, std::int64_t last) {
  std::int64_t stride = base_stride(scenario);
  for (const Event& event : scenario.events)
    for (const auto& [path, value] : event.set)
      if (path == "every" && event.step <= last)
        stride = widened(stride, static_cast<std::int64_t>(value.number)).value_or(stride);
  return stride;
}

std::int64_t sampling_stride(const Scenario& scenario) {
  if (!stride_changes(scenario.events)) return base_stride(scenario);
  return stride_through(scenario, planned_steps(scenario));
}

bool stride_changes(const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(), [](const Event& event) {
    return std::any_of(event.set.begin(), event.set.end(),
                       [](const Setting& setting) { return setting.path == "every"; });
  });
}

std::optional<std::int64_t> widened(std::int64_t present, std::int64_t given) {
  if (given % present == 0) return given;
  if (present % given == 0) return present;
  return {};
}

std::string nearest(std::string_view given, const std::vector<std::string>& candidates) {
  // Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
  const auto distance = [](std::string_view a, std::string_view b) {
    std::vector<std::size_t> before, last(b.size() + 1), now(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
      now[0] = i;
      for (std::size_t j = 1; j <= b.size(); ++j) {
        const std::size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
        now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + cost});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          now[j] = std::min(now[j], before[j - 2] + 1);
      }
      before = std::exchange(last, now);
    }
    return last[b.size()];
  };
  constexpr std::size_t longest = 64;
  if (given.empty() || given.size() > longest) return {};
  std::string best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : candidates) {
    const bool abbreviated = given.size() >= 3 && candidate.starts_with(given);
    const std::size_t d = abbreviated ? 1 : distance(given, candidate);
    const std::size_t allowed = (std::max(given.size(), candidate.size()) + 2) / 3;
    if (d <= allowed && d < least) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

}  // namespace twosphere
