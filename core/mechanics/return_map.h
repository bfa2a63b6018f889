// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/parameter_slope.h"
#include "core/mechanics/phase_coordinates.h"

namespace twosphere {

/// How an orbit closes after its period: z ↦ R_e(−φ) P z, with P a relabelling of bodies and R_e(φ)
/// the rotation of all of space by φ about e.
struct Closure {
  Vec3 axis = Vec3::Zero();   ///< e, a unit vector; 0: it closes in space, φ = 0
  std::vector<int> places{};  ///< body i comes to where body places[i] was; empty: to its own place

  bool relative() const { return !axis.isZero(0); }
  /// How many times P is applied until it is the identity.
  int order() const;
  /// R_e(−angle) P of vectors that belong to bodies.
  Columns applied(const Columns& vectors, double angle) const;
  State applied(const State& state, double angle) const;
};

/// N steps of a method as a map of the phase space, R_e(−φ) P Φ_h^N, with its derivatives: by the
/// state along 4n tangent vectors, by h, by φ and by a parameter θ of the system; 2n vectors of
/// systems of first order, which have no derivative by θ.
///
/// Cost: N steps with 4n + 1 vectors, or one more for θ, see TangentMap. The method needs a tangent
/// map that stretches(). Not with gyroscopic terms, nor with damping.
class ReturnMap {
 public:
  /// What keeps a method from this in a system, as a clause; empty if nothing does.
  static std::string missing(const System& system, const IntegratorInfo& method);

  /// The system must outlive it; missing() must be empty.
  ReturnMap(const System& system, const IntegratorInfo& method, Closure closure)
      : system_(system), method_(method), closure_(std::move(closure)) {}

  struct Image {
    State state;                 ///< R_e(−φ) P Φ_h^N z
    Eigen::MatrixXd derivative;  ///< by z, from the coordinates at z
    Eigen::VectorXd by_step;     ///< by ln h, likewise
    Eigen::VectorXd by_angle;    ///< by φ, likewise
    Eigen::VectorXd by_theta;    ///< by θ, likewise; empty without a slope
    std::vector<State> points;   ///< z and Φ_h^k z, k = 1 … N, without rotation and relabelling
  };
  /// The image of the state of the coordinates after `steps` steps of h [s], with the derivatives
  /// in the coordinates there, or in those of `to`. `slope`: how the system changes with θ. Fails
  /// with kind numerical if a step fails, and if this thread is interrupted.
  Result<Image> at(const PhaseCoordinates& from, double h, int steps, double angle,
                   const PhaseCoordinates* to = nullptr,
                   const ParameterSlope* slope = nullptr) const;
  /// The same without derivatives and points.
  Result<State> end(const State& from, double h, int steps, double angle) const;

 private:
  const System& system_;
  const IntegratorInfo& method_;
  Closure closure_;
};

}  // namespace twosphere
