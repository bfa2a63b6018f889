// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/mechanics/forwarding_system.h"

/// Heat baths of systems of first order. Damping and noise together keep a temperature:
///
///   ∂V/∂q_i ← ∂V/∂q_i − ξ_i,   ξ_i = (2 c_i k_BT/h)^½ z_i,   |z_i| components ≤ 4
///
/// with the damping c_i and standard normal numbers z_i, cut at four deviations because a longer
/// tail turns bodies too far in one step (Milstein, Tretyakov 2004). ξ is held over a step h, in
/// which it is an external force, whose work is counted: noise and damping exchange energy with the
/// bath. In the limit of small h the density is ∝ exp(−V/k_BT) (Stratonovich's calculus; Brown
/// 1963). Methods of order 2 have weak order 1 in h there; García-Palacios, Lázaro, Phys. Rev. B 58
/// (1998) 14937.
namespace twosphere {

/// What surrounds a system, see System::heat_bath().
struct HeatBath {
  double temperature = 0;  ///< k_BT > 0 [J]
  std::uint64_t seed = 0;
};

/// Why there is none without damping.
inline constexpr std::string_view undamped_heat_bath =
    "needs a damping greater than 0: a heat bath is noise and damping together";

/// Where the normal numbers are cut, in standard deviations.
inline constexpr double noise_cut = 4;

/// The interval of a step between two instants of a clock that counts them: from t = origin + index
/// step to the next one, whichever of them is its beginning.
struct NoiseInterval {
  double origin = 0;  ///< [s]
  std::int64_t index = 0;
  double step = 0;  ///< h > 0 [s]
};

/// Writes ξ_i [N m] of every body for a step of the bath over an interval; `noise` gets its size.
/// The numbers are those of (seed, origin, index, i) by a generator without a state
/// (core/base/philox.h), so that a step has the same noise whenever it is taken, in either
/// direction. O(n).
void write_noise(const System& system, const HeatBath& bath, const NoiseInterval& of,
                 Columns& noise);

/// How far the noise turns the body that it turns farthest in a step h, the root of the mean of the
/// square [rad]: (4 c k_BT h/(κ² + c²))^½.
double noise_turn(const System& system, const HeatBath& bath, double h);
/// Up to this, 12^(−½) rad, the noise alone turns no body by a quarter turn, which midpoint methods
/// refuse: a chord is at most h |ω|, and |z| at most √3 noise_cut.
inline constexpr double largest_noise_turn = 0.289;

/// A system in a heat bath during one step: with a noise as an external force. Neither the system
/// nor the noise is owned.
class BathedSystem final : public ForwardingSystem {
 public:
  BathedSystem(const System& system, const Columns& noise)
      : ForwardingSystem(std::shared_ptr<const System>(std::shared_ptr<const System>(), &system)),
        noise_(noise) {}

  bool has_external_force() const override { return true; }
  void force(double t, const Columns& q, Columns& f) const override {
    if (original().has_external_force()) {
      original().force(t, q, f);
      f += noise_;
    } else {
      f = noise_;
    }
  }

 private:
  const Columns& noise_;
};

}  // namespace twosphere
