// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/mechanics/forwarding_system.h"

namespace twosphere {

/// Where relative equilibria are looked for.
struct TurningSystem {
  std::shared_ptr<const System> system;
  std::shared_ptr<const System> rest;  ///< system_at_rest()
  int axis = 2;                        ///< 0, 1 or 2
};

/// How much a configuration has of what turns about an axis e: with m(q) the inertia and κ_i the
/// strengths, and p_i = q_i − e (e·q_i),
///
///   I(q) = Σ m_ij p_i·p_j  [kg m²],   k(q) = Σ κ_i e·q_i  [J s]
///
/// A motion q̇_i = Ω e × q_i has J·e = Ω I + k.
class Turning {
 public:
  /// Uses the system while it exists.
  Turning(const System& system, const Vec3& axis) : system_(system), axis_(axis) {}

  double inertia(const Columns& q) const;   ///< I; 0 without kinetic energy
  double strength(const Columns& q) const;  ///< k
  Columns inertia_slope(const Columns& q) const;
  /// The derivative of inertia_slope() along v.
  Columns inertia_slope_along(const Columns& q, const Columns& v) const;
  Columns strength_slope(const Columns& q) const;

 private:
  Columns across(const Columns& v) const;

  const System& system_;
  Vec3 axis_;
};

/// A system at rest in a frame that turns about an axis, whose rotations leave its potential U
/// unchanged. Its equilibria are the relative equilibria of the system, see relative_equilibria.h.
class TurningPotential final : public ForwardingSystem {
 public:
  enum class Held {
    rate,      ///< Ω [rad/s]: U − ½ Ω² I − Ω k
    momentum,  ///< μ = J·e [J s]: U + (μ − k)²/2I, the amended potential
  };
  /// `rest`: a system_at_rest(). `axis`: 0, 1 or 2.
  TurningPotential(std::shared_ptr<const System> rest, int axis, Held held, double value);

  double potential(const Columns& q) const override;
  void gradient(const Columns& q, Columns& g) const override;
  void gradient_compensated(const Columns& q, const Columns& q_low, Columns& g) const override;
  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override;
  std::array<bool, 3> conserved_momentum() const override { return conserved_; }

 private:
  double rate(const Columns& q) const;
  void add_slope(const Columns& q, Columns& g) const;

  Turning turning_;
  Held held_;
  double value_;
  std::array<bool, 3> conserved_{};
};

}  // namespace twosphere
