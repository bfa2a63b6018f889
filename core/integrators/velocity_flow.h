// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>

#include "core/mechanics/integrator.h"
#include "core/mechanics/system.h"
#include "core/mechanics/tangent_solver.h"

namespace twosphere {

/// The largest amplification allowed in a flow backwards in time, and the corresponding |x|, where
/// x = s c/m is that of damping c. Far beyond it compositions are inaccurate long before rounding
/// matters: by 7 % at a factor of 400.
inline constexpr double max_enlarged = 10;
inline const double max_backward = std::log(max_enlarged);

/// The flow of all forces over a time s of either sign at a fixed configuration and time, where
/// some of them depend on velocities in any way:
///
///   Π_i Σ_j M_ij v̇_j = Π_i [F_i(t, q, ω) − c_i v_i − G_i],  v_i ⟂ q_i, ω_i = q_i × v_i
///
/// by Gauss collocation with 4 stages, see GaussCoefficients:
///
///   k_i = a(v + σ Σ_j a_ij k_j),  v ← v + σ Σ_i b_i k_i,  W ← W + σ Σ_i b_i (F − C V_i)·V_i
///
/// symmetric and of order 8, so that any composition keeps its order up to 8, and the work is that
/// of the flow: a force with F·v = 0 does none. The stages are found by fixed-point iteration. s is
/// divided into 2ᵏ parts σ such that each round reduces the changes eightfold, |σ| |∂a/∂v| below
/// about ¾: the error of a part is then below 10⁻⁸ of the velocity in the strongest mode. A strong
/// drag thus leads to its terminal velocity like linear damping.
///
/// Of a base that flies (FreeBase) Ẋ is one velocity more, with Ẍ under its whole thrust; for one
/// whose links are not damped there is BaseDrag.
///
/// Cost: 4 forces and solutions for accelerations a round, about 8 rounds a part where forces are
/// weak. Fails with force_not_resolved where 1024 parts are too few, with damping_too_strong where
/// s < 0 and some v_i would grow more than tenfold, and with not_finite. Tests:
/// velocity_force_test.cpp.
class VelocityFlow {
 public:
  /// The centre of mass of a base that flies: Ẋ, which a flow replaces, and F_0 there.
  struct Centre {
    Vec3 velocity, control;
  };

  explicit VelocityFlow(const System& system);

  /// Replaces v by v⁺ and adds the work of F and of damping. On failure both are unchanged.
  StepStatus apply(const System& system, double t, const Columns& q, const Columns& g, double s,
                   Columns& v, double& work, Centre* centre = nullptr);

  /// v⁺ − v of the last apply().
  const Columns& change() const { return change_; }
  /// ∫ v dt of the last apply().
  const Columns& path() const { return path_; }

 private:
  static constexpr std::size_t stages = 4;
  static constexpr int max_parts = 1024;

  StepStatus part(const System& system, double t, const Columns& q, const Columns& g, double s);
  double acceleration(const System& system, double t, const Columns& q, const Columns& g,
                      Columns& a, Vec3& centre);

  TangentSolver solver_;
  bool solved_ = false;  // at this configuration
  std::array<Columns, stages> slopes_;
  const FreeBase* base_ = nullptr;  // of the last apply(), with a centre
  Vec3 control_ = Vec3::Zero(), centre_now_ = control_, centre_stage_ = control_,
       centre_change_ = control_;
  std::array<Vec3, stages> centre_slopes_{};
  Columns now_, stage_, w_, f_, next_, change_, path_;
  Eigen::VectorXd mass_, growth_;
  double work_ = 0;
};

}  // namespace twosphere
