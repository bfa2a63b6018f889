// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>

#include "core/base/text.h"
#include "core/mechanics/base_distance.h"
#include "core/mechanics/omega_matrix.h"
#include "core/record/surface_field.h"
#include "core/scenario/names.h"

namespace twosphere {

namespace {

struct KindInfo {
  Signal::Kind kind;
  std::string_view key, label, symbol, unit;
  int components;  ///< 3, or 1 for an angle
  std::string_view help;
};

constexpr auto kinds = std::to_array<KindInfo>({
    {Signal::Kind::direction, "q", "direction", "q", "1", 3,
     "Component of the direction of a body, a unit vector."},
    {Signal::Kind::angular_velocity, "omega", "angular velocity", "ω", "rad/s", 3,
     "Component of the angular velocity of a body: its direction moves with ω × q."},
    {Signal::Kind::momentum, "mu", "momentum", "μ", "J s", 3,
     "Component of the momentum of a body: the part of Σⱼ Mᵢⱼ dqⱼ/dt in the tangent plane at qᵢ."},
    {Signal::Kind::angular_momentum, "pi", "angular momentum", "π", "J s", 3,
     "Component of the angular momentum of a body, qᵢ × Σⱼ Mᵢⱼ dqⱼ/dt; the sum over all is J."},
    {Signal::Kind::position, "position", "position", "r", "m", 3,
     "Component of the position of a body in space."},
    {Signal::Kind::polar, "polar", "polar angle", "θ", "rad", 1,
     "Angle of the direction of a body from e₃, from 0 to π."},
    {Signal::Kind::azimuth, "azimuth", "azimuth", "φ", "rad", 1,
     "Angle of the direction of a body about e₃ from e₁, from −π to π."},
    {Signal::Kind::height, "height", "height", "h", "m", 1,
     "Height of a body: minus the component of its position along e₃, along which gravity acts."},
});

const KindInfo& of(Signal::Kind kind) {
  return *std::find_if(kinds.begin(), kinds.end(),
                       [kind](const KindInfo& info) { return info.kind == kind; });
}

constexpr std::string_view axes = "xyz";

constexpr std::string_view since_start = "Change of the component since the start of the run.";

/// A signal without bodies and components.
struct WholeInfo {
  Signal::Kind kind;
  QuantityInfo info;
};

constexpr auto wholes = std::to_array<WholeInfo>({
    {Signal::Kind::distance,
     {"distance", "distance from the reference lane", "max |θ|", "rad",
      "Largest angle between the direction of a body in this lane and in the reference lane, or, "
      "if that is more, the way between their bases that fly, in lengths of the chain. "
      "Between two runs: in the same lane of both, at the same time.",
      true}},
    {Signal::Kind::closest_angle,
     {"closest_angle", "angle of the closest pair", "min θ", "rad",
      "Angle between the two bodies that are closest to a meeting."}},
    {Signal::Kind::mean_direction,
     {"mean_direction_z", "mean direction along e₃", "mean q·e₃", "1",
      "Mean over the bodies of the component of their directions along e₃."}},
    {Signal::Kind::energy_peak,
     {"kinetic_energy_peak", "peak of the kinetic energy field", "max/mean T", "1",
      "Largest value of the kinetic energy field on the sphere, divided by the mean of its "
      "values."}},
    {Signal::Kind::temperature,
     {"temperature", "temperature", "Θ", "J",
      "2T/(2n − k) with the kinetic energy T and k conserved components of J; k_B = 1."}},
    {Signal::Kind::pressure,
     {"pressure", "pressure", "p", "N/m",
      "(T − ½ Σ r u′(r))/A: by the virial, on the sphere of area A = 4π m²."}},
    {Signal::Kind::inertia_determinant,
     {"inertia_determinant", "determinant of the inertia", "det", "1",
      "Determinant of the matrix of (2.11), which gives dω/dt, in SI units."}},
    {Signal::Kind::inertia_condition,
     {"inertia_condition", "condition of the inertia", "cond", "1",
      "Largest eigenvalue of the matrix of (2.11), which gives dω/dt, over the smallest."}},
    {Signal::Kind::modified_energy_error,
     {"modified_energy_error", "modified energy error", "H̃ − H̃₀ − W", "J",
      "Change of the energy that a symplectic method of order 2 keeps to order 4, without the "
      "work. "
      "It varies with the fourth power of the step; what it drifts by is the method's own error.",
      true}},
});

constexpr std::array<QuantityInfo, 3> momentum_errors{{
    {"angular_momentum_x_error", "change of angular momentum J₁", "ΔJ₁", "J s", since_start, true},
    {"angular_momentum_y_error", "change of angular momentum J₂", "ΔJ₂", "J s", since_start, true},
    {"angular_momentum_z_error", "change of angular momentum J₃", "ΔJ₃", "J s", since_start, true},
}};

constexpr std::string_view own_key = "own:", expression_key = "expression:";

/// A copy that lives as long as the program.
std::string_view stored_name(std::string_view text) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> all;
  const std::lock_guard lock(mutex);
  const auto known = all.find(text);
  return known == all.end() ? *all.emplace(text).first : *known;
}

/// A text as one word without brackets: a blank is _, and what would be mistaken is %XX.
std::string as_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == ' ')
      word += '_';
    else if (code < ' ' || std::string_view("_%[]").find(c) != std::string_view::npos)
      word += fmt::format("%{:02X}", code);
    else
      word += c;
  }
  return word;
}

/// The text that as_word() makes this of; none if there is none.
std::optional<std::string> from_word(std::string_view word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%') {
      text += word[i] == '_' ? ' ' : word[i];
      continue;
    }
    int code = 0;
    const std::string_view pair = word.substr(i + 1, 2);
    std::from_chars(pair.data(), pair.data() + pair.size(), code, 16);
    text += static_cast<char>(code);
    i += 2;
  }
  return as_word(text) == word ? std::optional(text) : std::nullopt;
}

Vec3 position_of(const System& system, const State& state, int body) {
  Geometry figure;
  system.geometry(state, figure);
  return figure.bodies[static_cast<std::size_t>(body)].position;
}

/// Largest value of the kinetic energy field over the mean of its values; NaN where nothing moves.
double energy_peak_of(const System& system, const State& state) {
  thread_local SurfaceField field;  // its mesh takes longer to make than the values
  field.update(system, state);
  const auto values = field.values();
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const double largest = *std::max_element(values.begin(), values.end());
  return sum > 0 ? largest * static_cast<double>(values.size()) / sum : std::nan("");
}

}  // namespace

Quantity angular_momentum(int axis) {
  constexpr std::array all{Quantity::angular_momentum_x, Quantity::angular_momentum_y,
                           Quantity::angular_momentum_z};
  return all.at(static_cast<std::size_t>(axis));
}

Signal::Signal(Kind kind, int body, int axis) : kind_(kind), index_(body), axis_(axis) {
  assert(kind > Kind::momentum_error && body >= 0 && axis >= 0 && axis < of(kind).components);
}

Signal Signal::of_kind(Kind kind) {
  Signal signal(Quantity::time);
  signal.kind_ = kind;
  signal.index_ = 0;
  return signal;
}

Signal Signal::own(const OwnQuantity& quantity) {
  Signal signal = of_kind(Kind::own);
  signal.name_ = stored_name(quantity.name);
  signal.unit_ = stored_name(quantity.unit);
  return signal;
}

Signal::Signal(const PlottedExpression& plotted) : Signal(own({plotted.name, plotted.unit})) {
  kind_ = Kind::expression;
  text_ = stored_name(plotted.expression);
}

Signal Signal::momentum_error(int axis) {
  assert(axis >= 0 && axis < 3);
  Signal signal(Quantity::time);
  signal.kind_ = Kind::momentum_error;
  signal.axis_ = axis;
  return signal;
}

std::optional<Signal> Signal::parse(std::string_view key) {
  // Quantities and step quantities by name.
  for (std::size_t i = 0; i < quantity_count; ++i)
    if (quantities()[i].key == key) return Signal(static_cast<Quantity>(i));
  for (std::size_t i = 0; i < step_quantity_count; ++i)
    if (step_quantities()[i].key == key) return Signal(static_cast<StepQuantity>(i));
  for (const WholeInfo& whole : wholes)
    if (key == whole.info.key) return of_kind(whole.kind);
  if (const bool named = key.starts_with(own_key); named || key.starts_with(expression_key)) {
    const std::size_t first = named ? own_key.size() : expression_key.size();
    const auto unit = key.find('['), end = key.find(']');
    if (unit == key.npos || end == key.npos || end < unit) return {};
    const auto name = from_word(key.substr(first, unit - first));
    const auto measure = from_word(key.substr(unit + 1, end - unit - 1));
    const std::string_view rest = key.substr(end + 1);
    if (!name || !measure || !why_no_name(*name).empty()) return {};
    if (named) return rest.empty() ? std::optional(own({*name, *measure})) : std::nullopt;
    const auto text = rest.starts_with('=') ? from_word(rest.substr(1)) : std::nullopt;
    return text ? std::optional(Signal(PlottedExpression{*name, *text, *measure})) : std::nullopt;
  }
  for (int axis = 0; axis < 3; ++axis)
    if (const Signal change = momentum_error(axis); key == change.known()->key) return change;
  for (const KindInfo& info : kinds) {
    // NAME{i}_x for vectors, NAME{i} for angles.
    if (!key.starts_with(info.key)) continue;
    std::string_view rest = key.substr(info.key.size());
    int body = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), body);
    // Reject a sign and leading zeros, so that each signal has exactly one key.
    if (read.ec != std::errc{} || rest[0] == '-' || (rest[0] == '0' && read.ptr != &rest[1]))
      continue;
    rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
    if (info.components == 1) {
      if (rest.empty()) return Signal(info.kind, body);
      continue;
    }
    if (rest.size() != 2 || rest[0] != '_') continue;
    if (const auto axis = axes.find(rest[1]); axis != axes.npos)
      return Signal(info.kind, body, static_cast<int>(axis));
  }
  return {};
}

/// The record of a quantity; null for components of the state.
const QuantityInfo* Signal::known() const {
  if (const auto q = quantity()) return &info(*q);
  if (const auto q = step_quantity()) return &info(*q);
  if (kind_ == Kind::momentum_error) return &momentum_errors[static_cast<std::size_t>(axis_)];
  for (const WholeInfo& whole : wholes)
    if (whole.kind == kind_) return &whole.info;
  return nullptr;
}

std::string Signal::key() const {
  if (kind_ == Kind::own) return fmt::format("{}{}[{}]", own_key, as_word(name_), as_word(unit_));
  if (kind_ == Kind::expression)
    return fmt::format("{}{}[{}]={}", expression_key, as_word(name_), as_word(unit_),
                       as_word(text_));
  if (const QuantityInfo* q = known()) return std::string(q->key);
  const KindInfo& kind = of(kind_);
  const std::string name = fmt::format("{}{}", kind.key, index_);
  return kind.components == 1 ? name
                              : fmt::format("{}_{}", name, axes[static_cast<std::size_t>(axis_)]);
}

std::string Signal::label() const {
  if (is_named()) return std::string(name_);
  if (const QuantityInfo* q = known()) return std::string(q->label);
  return fmt::format("{} {}", of(kind_).label, symbol());
}

std::string Signal::symbol() const {
  if (is_named()) return std::string(name_);
  if (const QuantityInfo* q = known()) return std::string(q->symbol);
  const KindInfo& kind = of(kind_);
  const std::string name = with_index(kind.symbol, index_ + 1);
  return kind.components == 1 ? name : fmt::format("{}·{}", name, with_index("e", axis_ + 1));
}

std::string_view Signal::unit() const {
  if (is_named()) return unit_;
  const QuantityInfo* q = known();
  return q ? q->unit : of(kind_).unit;
}

std::string_view Signal::help() const {
  if (kind_ == Kind::expression) return text_;
  if (kind_ == Kind::own) return "A quantity that the system defines.";
  const QuantityInfo* q = known();
  return q ? q->help : of(kind_).help;
}

std::string Signal::column() const { return is_named() ? fmt::format("plots.{}", name_) : key(); }

bool Signal::error() const {
  const QuantityInfo* q = known();
  return q && q->error;
}

bool Signal::count() const {
  const auto q = step_quantity();
  return q == StepQuantity::newton_iterations || q == StepQuantity::inner_steps ||
         q == StepQuantity::rejected_steps || q == StepQuantity::cloud_members;
}

std::optional<Quantity> Signal::quantity() const {
  if (kind_ != Kind::quantity) return {};
  return static_cast<Quantity>(index_);
}

std::optional<StepQuantity> Signal::step_quantity() const {
  if (kind_ != Kind::step) return {};
  return static_cast<StepQuantity>(index_);
}

std::optional<int> Signal::momentum_axis() const {
  if (kind_ == Kind::momentum_error) return axis_;
  for (int axis = 0; axis < 3; ++axis)
    if (quantity() == angular_momentum(axis)) return axis;
  return {};
}

std::optional<PlottedExpression> Signal::expression() const {
  if (kind_ != Kind::expression) return {};
  return PlottedExpression{std::string(name_), std::string(text_), std::string(unit_)};
}

bool Signal::exists(const SystemInfo& system, int bodies, int lanes) const {
  if (kind_ == Kind::step || kind_ == Kind::expression) return true;
  if (kind_ == Kind::distance) return lanes > 1;
  if (kind_ == Kind::closest_angle) return system.encounters && bodies > 1;
  if (kind_ == Kind::mean_direction) return bodies > 1;
  if (kind_ == Kind::energy_peak || kind_ == Kind::temperature || kind_ == Kind::pressure)
    return system.field;
  if (kind_ == Kind::inertia_determinant || kind_ == Kind::inertia_condition)
    return !system.first_order && bodies > 0 && bodies <= max_omega_matrix_bodies;
  if (kind_ == Kind::own)
    return std::any_of(
        system.own_quantities.begin(), system.own_quantities.end(),
        [&](const OwnQuantity& own) { return own.name == name_ && own.unit == unit_; });
  if (kind_ == Kind::momentum_error)
    return Signal(angular_momentum(axis_)).exists(system, bodies, lanes);
  if (kind_ != Kind::quantity) return index_ < bodies;
  const auto list = csv_quantities(system);
  return std::find(list.begin(), list.end(), *quantity()) != list.end();
}

double Signal::value(const System& system, const State& state) const {
  assert(body() < 0 || index_ < state.size());
  switch (kind_) {
    case Kind::closest_angle: {
      const auto pair = system.closest_encounter(state.q);
      return pair ? pair->angle : std::nan("");
    }
    case Kind::mean_direction:
      return state.q.row(2).mean();
    case Kind::energy_peak:
      return energy_peak_of(system, state);
    case Kind::temperature:
      return twosphere::temperature(system, state);
    case Kind::pressure:
      return twosphere::pressure(system, state);
    case Kind::inertia_determinant:
      return omega_matrix(system.inertia(), state.q).determinant;
    case Kind::inertia_condition:
      return omega_matrix(system.inertia(), state.q).condition;
    case Kind::own:
      return system.own_quantity(name_, state);
    case Kind::direction:
      return state.q(axis_, index_);
    case Kind::angular_velocity:
      return state.w(axis_, index_);
    case Kind::momentum:
    case Kind::angular_momentum: {
      Columns all;
      (kind_ == Kind::momentum ? momenta : angular_momenta)(system, state, all);
      return all(axis_, index_);
    }
    case Kind::position:
      return position_of(system, state, index_)[axis_];
    case Kind::height:
      return -position_of(system, state, index_)[2];
    case Kind::polar:
      return std::atan2(std::hypot(state.q(0, index_), state.q(1, index_)), state.q(2, index_));
    case Kind::azimuth:
      return std::atan2(state.q(1, index_), state.q(0, index_));
    case Kind::quantity:
    case Kind::expression:
    case Kind::step:
    case Kind::distance:
    case Kind::momentum_error:
    case Kind::modified_energy_error:
      break;
  }
  return 0;
}

std::vector<Signal> signals(const SystemInfo& info, int bodies, int lanes) {
  std::vector<Signal> list;
  for (const OwnQuantity& own : info.own_quantities) list.push_back(Signal::own(own));
  for (const Quantity q : csv_quantities(info)) list.emplace_back(q);
  for (std::size_t i = 0; i < step_quantity_count; ++i)
    list.emplace_back(static_cast<StepQuantity>(i));
  for (const WholeInfo& whole : wholes)
    if (const Signal signal = Signal::of_kind(whole.kind); signal.exists(info, bodies, lanes))
      list.push_back(signal);
  for (int axis = 0; axis < 3; ++axis)
    if (const Signal change = Signal::momentum_error(axis); change.exists(info, bodies, lanes))
      list.push_back(change);
  for (const KindInfo& known : kinds)
    for (int body = 0; body < bodies; ++body)
      for (int axis = 0; axis < known.components; ++axis) list.emplace_back(known.kind, body, axis);
  return list;
}

double distance(const Eigen::Ref<const Columns>& q, const Eigen::Ref<const Columns>& other) {
  double farthest = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const double apart = angle(q.col(i), other.col(i));
    if (!(apart <= farthest)) farthest = apart;
  }
  return farthest;
}

double distance(const System& system, const State& state, const State& other) {
  return std::max(distance(state.q, other.q), base_distance(system, state, other));
}

}  // namespace twosphere
