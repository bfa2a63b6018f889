// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/kernels/aligned.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/sphere.h"

/// Kicks and rotations of core/integrators/rotation.cpp for many bodies together, one in each
/// element of a vector: the bodies of one run, or those of the members of an ensemble. Operations
/// are not fused and have a fixed order, so that a body moves in both alike, bit for bit, at every
/// level; only sines of turns of a radian or more are those of the C library.
namespace twosphere::rotation_kernel {

/// Bodies in slots: directions q + e, ω, and g = ∂V/∂q at q + e. Body i of member m has the slot
/// i · ensemble_members + m; body i of one run has slot i. Slots up to a whole vector after the
/// last one are at rest at 0.
struct Slots {
  Aligned<double> q, e, w, g;

  /// `count` slots at rest at 0. Allocates if there were fewer.
  void clear(std::size_t count);
  /// Becomes a copy of `count` slots of others.
  void assign(const Slots& other, std::size_t count);
};

/// Where the first component of a slot is; the others follow at distances of ensemble_members, so
/// that members have their places as core/mechanics/ensemble.h has them.
constexpr std::size_t place(std::size_t slot) {
  return slot / ensemble_members * (3 * ensemble_members) + slot % ensemble_members;
}

/// The same of one number in each slot: the inertia m, or 1 after the last slot.
void set_inertia(const Eigen::VectorXd& m, std::size_t members, Aligned<double>& all);

/// e ← e + the change along q after which |q + e| = 1, to first order.
void correct_lengths(std::size_t count, Slots& slots);

// Of `count` slots of members:
/// ω ← ω − (kick/m) q × g, without its part along q, and q + e ← R(s ω) (q + e). Whether all q are
/// finite.
bool kick_and_rotate(double kick, double s, const Aligned<double>& m, std::size_t count,
                     Slots& slots);
/// The kick alone. Whether q, ω and g are finite.
bool last_kick(double kick, const Aligned<double>& m, std::size_t count, Slots& slots);

// The same of a run, whose gradient is `g` and which has q and e in columns, too:
bool kick_and_rotate(double kick, double s, const Aligned<double>& m, const Columns& g,
                     Slots& slots, Columns& q, Columns& e);
bool last_kick(double kick, const Aligned<double>& m, const Columns& g, Slots& slots);
/// The rotation alone.
bool rotate(double s, Slots& slots, Columns& q, Columns& e);

}  // namespace twosphere::rotation_kernel
