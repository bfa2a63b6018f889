// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/initial_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "core/integrators/legendre_transform.h"
#include "core/mechanics/attitude.h"
#include "core/mechanics/body_motion.h"
#include "core/mechanics/first_order.h"
#include "core/scenario/generated_starts.h"
#include "core/scenario/keys.h"
#include "core/scenario/parameter_io.h"

namespace twosphere {

using document::Value;
using json::Kind;
using json::shortest;

namespace {

/// The number of entries of a list with one per body.
std::size_t expect_bodies(const Value& list, std::optional<int> bodies) {
  list.expect(Kind::array);
  if (bodies && list.size() != static_cast<std::size_t>(*bodies))
    list.fail(fmt::format("must have {} entries, one per body of the start, not {}", *bodies,
                          list.size()));
  if (list.size() == 0) list.fail("must have at least one entry");
  return list.size();
}

Columns read_columns(const Value& list, std::string_view unit, std::optional<int> bodies) {
  expect_bodies(list, bodies);
  Columns out(3, static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    out.col(static_cast<Eigen::Index>(i)) = read_vector(list.item(i), unit);
  }
  return out;
}

// Largest deviations of a hand-written start from T(S²)ⁿ.
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
constexpr double silent = 1e-12, tolerated = 1e-3;

/// Accepts a deviation, warns about it, or fails.
void judge(const Value& entry, double deviation, std::string_view what, std::string_view remedy) {
  if (!(deviation <= tolerated))
    entry.fail(
        fmt::format("{} = {}, allowed up to {}", what, shortest(deviation), shortest(tolerated)));
  if (deviation >= silent)
    entry.warn(fmt::format("{} = {}; {}", what, shortest(deviation), remedy));
}

/// Normalises q. Idempotent: a direction that is normalised to rounding is not changed.
void normalise(const Value& entry, Eigen::Ref<Vec3> q) {
  const auto off = [&] { return std::abs(q.squaredNorm() - 1); };
  if (off() <= rounding) return;
  judge(entry, std::abs(q.stableNorm() - 1), "| |q| − 1 |", "normalised");
  for (int pass = 0; pass < 4 && !(off() <= rounding); ++pass) q /= q.norm();
}

/// Removes the part of a body's ω along its q. Idempotent in the same way. `entry` gives its value.
template <class Entry>
void project(const Entry& entry, const Vec3& q, Eigen::Ref<Vec3> w) {
  const auto scale = [&] { return std::max(1.0, w.stableNorm()); };
  const auto along = [&] { return std::abs(q.dot(w)); };
  if (along() <= rounding * scale()) return;
  judge(entry(), along() / scale(), "|q·ω| / max(1, |ω|)", "made tangent");
  for (int pass = 0; pass < 4 && !(along() <= rounding * scale()); ++pass) w -= q * q.dot(w);
}

void project(const Value& list, const Columns& q, Columns& w) {
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    project([&] { return list.item(static_cast<std::size_t>(i)); }, q.col(i), w.col(i));
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

/// θ and φ of each body, or their rates.
std::vector<std::array<double, 2>> read_angles(const Value& list, std::string_view unit,
                                               std::optional<int> bodies) {
  std::vector<std::array<double, 2>> out(expect_bodies(list, bodies));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Value entry = list.item(i).list_of(2, "2 numbers");
    out[i] = {entry.item(0).number(unit), entry.item(1).number(unit)};
  }
  return out;
}

/// A start by spherical angles, with q̇ from `rates` if they are given.
InitialConditions spherical_start(const Value& angles, const std::optional<Value>& rates) {
  const auto at = read_angles(angles, "rad", {});
  const auto n = static_cast<Eigen::Index>(at.size());
  std::vector<std::array<double, 2>> turning(at.size());
  if (rates) turning = read_angles(*rates, "rad/s", static_cast<int>(n));
  InitialConditions start{Columns(3, n), Columns(3, n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const BodyMotion body = cartesian({at[k][0], at[k][1], turning[k][0], turning[k][1]});
    start.q.col(i) = body.q;
    start.omega.col(i) = body.w;
  }
  return start;
}

Columns generated_velocity(const Value& velocity, const Columns& q) {
  velocity.object(key_names("vortices"));
  (void)velocity.member("type").choice({"two_vortices"}, "velocity");
  constexpr double degree = std::numbers::pi / 180;
  const double width = velocity.member("width").positive("deg");
  if (width > 180)
    velocity.member("width").fail(fmt::format("must be at most 180 degrees, not {}", width));
  return two_vortices(q, velocity.member("amplitude").number("rad/s"),
                      velocity.member("separation").number("deg") * degree, width * degree);
}

}  // namespace

Vec3 read_direction(const Value& entry) {
  Vec3 q = read_vector(entry, "1");
  normalise(entry, q);
  return q;
}

BaseStart read_base(const Value& base, const System& system) {
  base.object(key_names("base"));
  if (!system.free_base()) base.fail(std::string(no_base_flies));
  BaseStart start;
  if (const auto position = base.find("position")) start.position = read_vector(*position, "m");
  if (const auto velocity = base.find("velocity")) start.velocity = read_vector(*velocity, "m/s");
  return start;
}

State start_state(const Scenario& scenario, const System& system, Columns q, Columns omega) {
  State state{0, std::move(q), std::move(omega)};
  set_base(state, system, scenario.base.value_or(BaseStart{}));
  if (system.follows_attitude()) {
    state.x = first_attitude(state.q);
    state.v.resize(3, state.x.cols());
    complete_first_order(system, state.t, state);
  }
  return state;
}

void set_base(State& state, const System& system, const BaseStart& base) {
  const FreeBase* flying = system.free_base();
  if (!flying) return;
  state.x = base.position - flying->from_centre(state.q);
  state.v = base.velocity - flying->velocity_from_centre(state.q, state.w);
}

void check_attitude(const Value& entry, const std::vector<double>& numbers, const System& system,
                    const Columns& q) {
  if (!system.follows_attitude()) entry.fail("this system does not follow the attitude of bodies");
  const auto count = static_cast<std::size_t>(6 * system.size());
  if (numbers.size() != count)
    entry.fail(fmt::format("must have {} numbers, not {}", count, numbers.size()));
  const Eigen::Map<const Columns> x(numbers.data(), 3, 2 * system.size());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 a = x.col(2 * i), b = x.col(2 * i + 1);
    if (const double volume = a.cross(b).dot(q.col(i)); !(volume > 0))
      entry.fail(
          fmt::format("a and b of body {} must be right-handed with its q; a × b · q is {}, "
                      "not above 0",
                      i, shortest(volume)));
  }
}

State saved_state(const Scenario& scenario, const System& system, const RestartState::Lane& lane) {
  const bool own = lane.q.cols() > 0;
  State state =
      start_state(scenario, system, own ? lane.q : scenario.q, own ? lane.omega : scenario.omega);
  for (const auto& [name, values] : lane.memory)
    if (name == centre_entry && values.size() == 6 && state.flies()) {
      state.x = Eigen::Map<const Vec3>(values.data());
      state.v = Eigen::Map<const Vec3>(values.data() + 3);
    } else if (name == attitude_entry && state.has_attitude() &&
               values.size() == flat(state.x).size()) {
      std::copy(values.begin(), values.end(), state.x.data());
    }
  return state;
}

std::optional<BaseStart> base_of(const State& state, const System& system) {
  if (!state.flies()) return {};
  const FreeBase& base = *system.free_base();
  return BaseStart{state.x + base.from_centre(state.q),
                   state.v + base.velocity_from_centre(state.q, state.w)};
}

bool is_of_one_body(const SettingPath& path, Eigen::Index bodies) {
  const auto index = path.index(2);
  return path.size() == 3 && path.key() == "initial" &&
         (path.key(1) == "q" || path.key(1) == "omega") && index &&
         *index < static_cast<std::size_t>(bodies);
}

void refuse_velocities(const std::vector<Setting>& settings, const document::Origin& source) {
  for (const auto& [path, value] : settings)
    for (const std::string_view key : {"omega", "velocity", "rates", "q_next"})
      if (path.key() == "initial" && path.size() > 1 && path.key(1) == key)
        Value(source, value, path.text()).fail(std::string(follows_from_q));
}

void edit_start(const std::vector<Setting>& settings, bool bit_for_bit, bool first_order,
                const document::Origin& source, Columns& q, Columns& omega) {
  if (first_order) refuse_velocities(settings, source);
  for (const auto& [path, value] : settings) {
    const Value entry(source, value, path.text());
    const auto i = static_cast<Eigen::Index>(*path.index(2));
    if (path.key(1) == "omega") {
      omega.col(i) = read_vector(entry, "rad/s");
    } else {
      q.col(i) = read_vector(entry, "1");
      if (!bit_for_bit) normalise(entry, q.col(i));
    }
  }
  if (first_order) return;
  // Where only q is set, ω must be tangent to it, too.
  const json::Node none;
  for (const Setting& setting : settings) {
    const std::size_t index = *setting.path.index(2);
    const auto i = static_cast<Eigen::Index>(index);
    const auto entry = [&] { return Value(source, none, fmt::format("initial.omega[{}]", index)); };
    if (!bit_for_bit) project(entry, q.col(i), omega.col(i));
  }
}

InitialConditions read_start(const Value& initial, bool bit_for_bit,
                             const std::optional<Value>& system) {
  initial.object(key_names("initial"));
  InitialConditions start;
  const auto generator = initial.find("generator"), directions = initial.find("q"),
             angles = initial.find("angles"), rates = initial.find("rates");
  if (generator && directions) generator->fail("q and a generator cannot be given together");
  if (angles && (generator || directions))
    angles->fail(
        fmt::format("angles and {} cannot be given together", directions ? "q" : "a generator"));
  if (rates && !angles) rates->fail("rates of angles need angles");
  if (!generator && !directions && !angles)
    initial.fail("missing key \"q\": the number of bodies is not determined");
  if (angles)
    start = spherical_start(*angles, rates);
  else
    start.q = generator
                  ? generated_directions(*generator, system ? known_bodies(*system) : KnownBodies{})
                  : read_columns(*directions, "1", {});
  for (Eigen::Index i = 0; directions && !bit_for_bit && i < start.q.cols(); ++i)
    normalise(directions->item(static_cast<std::size_t>(i)), start.q.col(i));
  start.generated = generator.has_value();
  const int bodies = static_cast<int>(start.q.cols());

  const auto omega = initial.find("omega"), velocity = initial.find("velocity"),
             next = initial.find("q_next");
  for (const auto& [key, other] : {std::pair{"omega", &omega},
                                   {"velocity", &velocity},
                                   {"rates", &rates},
                                   {"angles", &angles},
                                   {"a generator", &generator}})
    if (next && *other) next->fail(fmt::format("{} and q_next cannot be given together", key));
  if (omega && velocity) velocity->fail("omega and velocity cannot be given together");
  if (rates && (omega || velocity))
    rates->fail(fmt::format("rates and {} cannot be given together", omega ? "omega" : "velocity"));
  if (rates) return start;
  if (next && bit_for_bit) next->fail("cannot be given in a saved state, which has omega");
  start.moving = omega || (velocity && !bit_for_bit);
  if (!start.moving) {
    // Whether this is enough depends on the system: settle_velocities().
    start.omega.setZero(3, start.q.cols());
    if (!next) return start;
  }
  if (next) {
    start.q_next = read_columns(*next, "1", bodies);
    for (Eigen::Index i = 0; i < start.q_next.cols(); ++i)
      normalise(next->item(static_cast<std::size_t>(i)), start.q_next.col(i));
  } else if (omega) {
    start.omega = read_columns(*omega, "rad/s", bodies);
    if (!bit_for_bit) project(*omega, start.q, start.omega);
  } else if (velocity->kind() == Kind::object) {
    start.omega = generated_velocity(*velocity, start.q);
  } else {
    start.omega = angular_velocity(*velocity, start.q, read_columns(*velocity, "rad/s", bodies));
    project(*velocity, start.q, start.omega);
  }
  return start;
}

void settle_velocities(const Value& initial, const System& system, double t, bool bit_for_bit,
                       InitialConditions& start) {
  if (!first_order(system)) {
    if (!start.moving && !start.generated && start.q_next.cols() == 0)
      initial.fail("missing key \"omega\"");
    return;
  }
  constexpr double allowed = 1e-6;
  Columns omega(3, start.q.cols());
  first_order_velocity(system, t, start.q, omega);
  for (Eigen::Index i = 0; start.moving && !bit_for_bit && i < omega.cols(); ++i) {
    const Vec3 given = start.omega.col(i), found = omega.col(i);
    // Where ω is not finite, so is the energy, of which the reader tells.
    if ((given - found).stableNorm() > allowed * std::max(1.0, found.stableNorm()))
      initial.fail(fmt::format(
          "in a system of first order ω follows from q: of body {} it is [{}, {}, {}] rad/s, and "
          "[{}, {}, {}] is given, allowed to differ by {}; leave it out",
          i, shortest(found[0]), shortest(found[1]), shortest(found[2]), shortest(given[0]),
          shortest(given[1]), shortest(given[2]), shortest(allowed)));
  }
  if (!start.moving || !bit_for_bit) start.omega = omega;
}

void give_velocities(const Value& initial, const System& system, const std::vector<LaneSpec>& lanes,
                     InitialConditions& start) {
  const Value next = initial.member("q_next");
  if (lanes.size() != 1)
    next.fail(
        fmt::format("needs a single lane of the method variational, not {} lanes", lanes.size()));
  const FreeBase* base = system.free_base();
  if (base && (base->control || base->drag > 0))
    next.fail(
        "cannot be given where the thrust depends on the place of the base, of which only one is "
        "given; give omega");
  const LaneSpec& lane = lanes.front();
  if (lane.type != "variational")
    next.fail(fmt::format("needs the method variational, not {}", lane.type));
  const StepReport found =
      velocities_between(system, 0, lane.step, start.q, start.q_next, start.omega);
  if (found.status == StepStatus::step_too_large) {
    const auto i = static_cast<std::size_t>(found.body);
    const auto body = static_cast<Eigen::Index>(found.body);
    next.item(i).fail(
        fmt::format("is a quarter turn or more from q: q·q_next = {}, allowed greater than 0",
                    shortest(start.q.col(body).dot(start.q_next.col(body)))));
  }
  if (!found.ok())
    next.fail(fmt::format("the velocities at the start are not found: {}", describe(found.status)));
  project(next, start.q, start.omega);
}

Columns two_vortices(const Columns& q, double amplitude, double separation, double width) {
  const Vec3 centers[] = {{std::cos(separation / 2), -std::sin(separation / 2), 0},
                          {std::cos(separation / 2), std::sin(separation / 2), 0}};
  Columns omega(3, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 qi = q.col(i);
    Vec3 v = Vec3::Zero();
    double sign = amplitude;
    for (const Vec3& c : centers) {
      v += sign * std::exp(-(1 - c.dot(qi)) / (1 - std::cos(width))) * c.cross(qi);
      sign = -sign;
    }
    omega.col(i) = tangent(qi, qi.cross(v));
  }
  return omega;
}

}  // namespace twosphere
