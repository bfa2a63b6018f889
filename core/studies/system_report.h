// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/coarse_step.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/time_scales.h"
#include "core/scenario/scenario.h"

/// The facts about a system before its first step: whether its derivatives are those of its
/// potential, whether its inertia is positive definite, which momenta are conserved, how fast it
/// moves and what a step costs. For every system, built in or of texts.
///
/// State 0 is the start, states 1, 2, … are random_directions(n, k): uniform on the spheres and the
/// same in every report.
namespace twosphere {

/// A derivative in comparison with central differences of five points along a great circle through
/// each state, δq_i = d_i, |d_i| = 1. The error is the size of their difference relative to that of
/// what is compared, and the least over spacings from 1e-2 to 1e-6; rounding of the differences
/// does not count.
struct DerivativeCheck {
  static constexpr double allowed = 1e-6;

  double error = 0;  ///< the largest; 1 or more: nothing is right
  int states = 0;    ///< at how many they were compared
  int state = 0;     ///< where the error is largest,
  int body = 0;      ///< and the body that has most of it

  bool right() const { return error <= allowed; }
};

struct SystemReport {
  int bodies = 0;
  double force_tolerance = 0;  ///< System::force_tolerance()

  /// Both at no states if the forces have a tolerance, to which alone they could be compared.
  DerivativeCheck gradient;  ///< ∂V/∂q along d, of V
  DerivativeCheck hessian;   ///< hessian_times(), of the gradient
  /// CompiledDefinition::vanishing_norm(), if a derivative is wrong at the start.
  std::string vanishing_norm{};
  std::optional<DerivativeCheck> force_slope;   ///< force_slope(), of the force, if there is one
  std::optional<DerivativeCheck> inertia_rate;  ///< derivative_along(), of m(q), if M depends on q
  /// slopes() in comparison with derivative_along(), and slopes_along() with differences of it.
  std::optional<DerivativeCheck> inertia_slopes;

  /// derivative_along(), of A, if there are gyroscopic terms.
  std::optional<DerivativeCheck> gyroscopic;

  bool first_order = false;
  Eigen::VectorXd strength;            ///< κ_i [J s], empty if there are none
  Vec3 frame_rotation = Vec3::Zero();  ///< Ω [rad/s]

  /// The smallest eigenvalue of M [kg m²], of a constant M, or over the states; NaN for more than
  /// `max_eigenvalues` bodies.
  static constexpr int max_eigenvalues = 256;
  double smallest_inertia = std::numeric_limits<double>::quiet_NaN();
  bool positive_definite = true;
  int inertia_states = 0;  ///< 0: M is constant
  int inertia_state = 0;   ///< where the eigenvalue is smallest, or M not positive definite
  Columns inertia_at;      ///< q there; empty if M is constant

  int potential_states = 0;   ///< random states at which V was computed,
  int potential_missing = 0;  ///< and at how many of them it is not finite
  int missing_state = 0;      ///< the first of these

  /// The components of J that are conserved as far as symmetric_axes() finds at so many states, the
  /// start among them.
  std::array<bool, 3> conserved{};
  int momentum_states = 0;
  std::array<bool, 3> claimed{};  ///< System::conserved_momentum()

  double kinetic_energy = 0, potential_energy = 0;  ///< T and V_eff at the start [J]
  bool forced = false;          ///< an external force does work on some motion, or depends on t
  bool time_dependent = false;  ///< and depends on t
  bool damped = false;
  std::optional<double> temperature{};  ///< k_BT of the heat bath [J], if there is one

  TimeScales scales;  ///< at the start

  /// A lane of the scenario.
  struct Method {
    std::string name;
    const IntegratorInfo* info = nullptr;
    double step = 0;                   ///< h [s]
    double resolving = 0;              ///< resolving_step() [s]; infinite if nothing moves
    std::vector<CoarseStep> coarse{};  ///< coarse_steps()
    int sweeps = 0;                    ///< the most StepReport::sweeps of these steps
    double noise_turn = 0;             ///< of a step in the heat bath [rad]
    /// Time of a step, the mean of the first 64 [s], fewer for many bodies. It is measured, the
    /// only number here that differs from report to report. NaN if one of these steps fails.
    double seconds = std::numeric_limits<double>::quiet_NaN();
    StepStatus status = StepStatus::ok;  ///< of the step that fails
    int failed = 0;                      ///< its number, from 1; 0: none
  };
  std::vector<Method> methods;

  /// 2/ω with the largest frequency, the limit of stability of the method `variational` [s]; a
  /// period then has π steps. Infinite if nothing oscillates, and in systems of first order and
  /// those with strengths, gyroscopic terms or a frame that rotates.
  double stable_step() const;
};

/// Examines the system of a scenario at its start, with its methods. Takes less than 0.3 s for few
/// bodies; the number of states is reduced for many. Empty if a stop is requested. Fails if the
/// scenario has no system with these parameters.
Result<std::optional<SystemReport>> system_report(const Scenario& scenario,
                                                  const std::stop_token& stop = {});
/// The same at any state, of the system of a scenario.
std::optional<SystemReport> system_report(const System& system, const State& start,
                                          const Scenario& scenario,
                                          const std::stop_token& stop = {});
/// The same of any system.
std::optional<SystemReport> system_report(const System& system, const State& start,
                                          const std::vector<LaneSpec>& lanes,
                                          const std::stop_token& stop = {});

}  // namespace twosphere
