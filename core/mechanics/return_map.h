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
/// systems of first order.
///
/// Cost: N steps with 4n + 1 vectors, or one more for θ, see TangentMap. Without forces of t and of
/// velocities, and without damping, the method needs a tangent map that stretches(). With these it
/// need not, and what is missing is made of differences: the derivative by θ, by h where no force
/// depends on t (else h is given with the period of the forces, and the derivative by it is 0),
/// and, of methods that have no tangent map there, that by the state,
///
///   f'(0) = [f(−2ε) − 8f(−ε) + 8f(ε) − f(2ε)]/12ε,  ε = 1e-3,
///
/// at the cost of N steps for each f, with an error of about 1e-11 for motions whose neighbours
/// part slowly. Where the ends part by more than 0.1 they are taken again with a smaller ε. These
/// runs are made on all threads, with the same bits for any number. Not with gyroscopic terms.
class ReturnMap {
 public:
  /// What keeps a method from this in a system, as a clause; empty if nothing does. With damping,
  /// forces of velocities or of t the steps must be of one length and stay on the spheres.
  static std::string missing(const System& system, const IntegratorInfo& method);

  /// The system must outlive it; missing() must be empty. `begin`: the time at which its steps
  /// begin [s].
  ReturnMap(const System& system, const IntegratorInfo& method, Closure closure, double begin = 0)
      : system_(system), method_(method), closure_(std::move(closure)), begin_(begin) {}

  struct Image {
    State state;                 ///< R_e(−φ) P Φ_h^N z
    Eigen::MatrixXd derivative;  ///< by z, from the coordinates at z
    Eigen::VectorXd by_step;     ///< by ln h, from these coordinates
    Eigen::VectorXd by_angle;    ///< by φ, from these coordinates
    Eigen::VectorXd by_theta;    ///< by θ, from these coordinates; empty without a slope
    std::vector<State> points;   ///< z and Φ_h^k z, k = 1 … N, without rotation and relabelling
  };
  /// The image of the state of the coordinates after `steps` steps of h [s], with the derivatives
  /// in the coordinates there, or in those of `to`. `slope`: how the system changes with θ, and h
  /// with System::force_period(). Fails with kind numerical if a step fails, and if this thread is
  /// interrupted.
  Result<Image> at(const PhaseCoordinates& from, double h, int steps, double angle,
                   const PhaseCoordinates* to = nullptr,
                   const ParameterSlope* slope = nullptr) const;
  /// The same without derivatives and points.
  Result<State> end(const State& from, double h, int steps, double angle) const;

 private:
  /// The derivative by θ, of systems beside.
  Result<Eigen::VectorXd> beside(const PhaseCoordinates& in, const ParameterSlope& slope,
                                 const State& from, double h, int steps, double angle) const;

  const System& system_;
  const IntegratorInfo& method_;
  Closure closure_;
  double begin_;
};

}  // namespace twosphere
