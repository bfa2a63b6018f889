// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/mechanics/sphere.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/scenario/document.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/scenario.h"
#include "core/scenario/setting.h"

namespace twosphere {

/// Directions and angular velocities at the start of a run.
struct InitialConditions {
  Columns q, omega;
  /// Of a start by two positions: the directions one step after q, from which give_velocities()
  /// computes ω, until then 0. Empty for any other.
  Columns q_next{};
  /// Whether ω, q̇ or rates are given; else `omega` is 0, until give_velocities() if there is a
  /// `q_next`.
  bool moving = true;
  /// Whether q is generated: at rest where no velocities are given.
  bool generated = false;
};

/// Reads a direction and normalises it like read_start(). Throws an Error with the location.
Vec3 read_direction(const document::Value& entry);

/// Reads "initial": lists of q and ω, q̇ or the next q, spherical angles and their rates
/// (SphericalMotion), or generators. A hand-written start is normalised and made tangent: silently
/// for deviations below 1e-12, with a warning up to 1e-3; larger ones are an error. With
/// `bit_for_bit` the start is not changed. Generators for the bodies of a system need its section.
/// Throws an Error with the location.
InitialConditions read_start(const document::Value& initial, bool bit_for_bit,
                             const std::optional<document::Value>& system = {});
/// Gives a start its ω where q determines it, or fails if it has none.
///
/// In a system of first order ω follows from q, at time t: first_order_velocity(). Where it is
/// given, it must agree to 1e-6; with `bit_for_bit` it is kept as it is, because pulls may act in a
/// saved state. Throws an Error with the location.
void settle_velocities(const document::Value& initial, const System& system, double t,
                       bool bit_for_bit, InitialConditions& start);
/// Gives a start by two positions, which has a `q_next`, the ω with which its only lane, a
/// variational integrator, goes from the one to the other in its first step: velocities_between().
/// Throws an Error with the location.
void give_velocities(const document::Value& initial, const System& system,
                     const std::vector<LaneSpec>& lanes, InitialConditions& start);

/// Reads "initial.base". Throws an Error with the location, also if the system has no base that
/// flies.
BaseStart read_base(const document::Value& base, const System& system);
/// Checks the entry "attitude" of a saved state with these q: a_i, b_i and q_i must be
/// right-handed, but for any lengths and angles, which methods that leave the spheres change.
/// Throws an Error with the location.
void check_attitude(const document::Value& entry, const std::vector<double>& numbers,
                    const System& system, const Columns& q);
/// The start of a lane at time 0, with the motion of the centre of mass of a base that flies, or
/// with first_attitude().
State start_state(const Scenario& scenario, const System& system, Columns q, Columns omega);
/// The state that is saved of a lane, or that start, with the centre of mass or the attitude
/// that was saved.
State saved_state(const Scenario& scenario, const System& system, const RestartState::Lane& lane);
/// Gives a state with these q and ω the motion of the centre of mass of a base that moves so, if
/// the system has one that flies. Allocates nothing where the state had one before.
void set_base(State& state, const System& system, const BaseStart& base);
/// The base of a state, if it flies.
std::optional<BaseStart> base_of(const State& state, const System& system);

/// Whether a setting gives q or ω of one of so many bodies: "initial.q[i]" or "initial.omega[i]".
bool is_of_one_body(const SettingPath& path, Eigen::Index bodies);
/// Applies such settings to a start, whose other bodies are left alone. The values are treated like
/// those of read_start(). With `first_order` only q can be set, and ω is left as it is. O(number of
/// settings). Throws an Error with the location.
void edit_start(const std::vector<Setting>& settings, bool bit_for_bit, bool first_order,
                const document::Origin& source, Columns& q, Columns& omega);
/// Fails if a setting gives velocities of a start, "initial.omega" and the like: those of a system
/// of first order follow from q. Throws an Error with the location.
void refuse_velocities(const std::vector<Setting>& settings, const document::Origin& source);
/// The same as an error of a state in a run.
inline constexpr std::string_view follows_from_q =
    "cannot be set: in a system of first order ω follows from q";
/// The error of a base that is set in a system that has none.
inline constexpr std::string_view no_base_flies =
    "this system has no base that flies, as a free chain with a gravity has";

/// Angular velocities of two counter-rotating vortices about c_1, c_2 = (cos δ/2, ∓sin δ/2, 0):
///   v_i = A Σ_k s_k (c_k × q_i) exp(−(1 − c_k·q_i)/(1 − cos w)),  s = (+1, −1),  ω_i = q_i × v_i
/// with amplitude A [rad/s], separation δ and width w [rad].
Columns two_vortices(const Columns& q, double amplitude, double separation, double width);

}  // namespace twosphere
