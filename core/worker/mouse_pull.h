// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/run/simulation.h"
#include "core/worker/command_traits.h"

namespace twosphere {

/// A damped spring that holds a body, for pulls by hand. With the point x = c + Σ_j a_j q_j at
/// which the body is pulled (System::lever()),
///
///   F = μ (ω² s − 2 ω ẋ),   1/μ = a M⁻¹ aᵀ,
///
/// and X besides in x, 1/m_t in 1/μ, where a base flies.
/// μ [kg] is the mass that a force on x would move if the bodies were free to leave their spheres;
/// constraints can only increase this mass. Holding a force for a time T is therefore stable for ω
/// T < 1. The elongation s, from x to the target, is limited so that the speed ω |s|, which the
/// spring gives to a free mass, turns no link by more than a tenth of a radian in one step.
///
/// Light links that carry a heavy body become stiff by the tension: |a_j F| (M⁻¹)_jj is about the
/// square of the rate at which link j then swings across it, alone among its neighbours. F is
/// limited so that this is at most a tenth of 1/H², and |s| so that the tension μ ω² s²/|a_j| of
/// that speed is no larger than the largest force.
///
/// In a system of first order, without mass, F = κ ω s with 1/κ = Σ_j a_j²/(κ_j² + c_j²)^½: the
/// body precesses about the hand at about ω.
class PullSpring {
 public:
  /// `q`: the configuration when the pull begins. Costs O(n) to O(n³), like a factorisation of M.
  PullSpring(const System& system, const Columns& q, int body);

  double mass() const { return mass_; }  ///< μ [kg]; 0 in a system of first order
  /// The rate [rad/s] at which the held body swings together with the links that carry it, turned
  /// as one rigid body about an axis ξ; 0 if no force acts on them:
  ///
  ///   rate⁴ = (|V'|² + ½ ‖V''‖²)/(½ tr I)²
  ///
  /// with the derivatives V' and V'' of V and the inertia I of such turns, as a vector and matrices
  /// over ξ. (g/l)^½ for a pendulum, within 6 % wherever it is. Stiff joints between links do not
  /// count, nor does V'' where forces have a tolerance. In a system of first order |ω| of the body.
  double rate() const { return rate_; }
  Vec3 point(const State& state) const;     ///< x [m]
  Vec3 velocity(const State& state) const;  ///< ẋ [m/s]

  struct Spring {
    double frequency = 0;  ///< ω [rad/s]
    double step = 0;       ///< H > 0 of the run [s]
    /// The run goes backwards in time; the damping then acts along its direction.
    bool reversed = false;
  };
  /// The force F [N] towards `target` [m].
  Vec3 force(const State& state, const Vec3& target, const Spring& spring) const;

  static constexpr double max_phase = 0.5;  ///< largest ω T
  static constexpr double max_turn = 0.1;   ///< largest rotation of a link in one step [rad]

 private:
  Eigen::VectorXd levers_;  // a_j
  Vec3 offset_;             // c
  double mass_ = 0, rate_ = 0;
  double tension_limit_ = 0;  // H² times the largest force [kg m]
  double strength_ = 0;       // κ [J s/m²], in place of a mass
  double shortest_ = 0;       // the smallest |a_j| > 0
};

/// A command: pulls a body with a PullSpring towards a target from now on, by recorded pulls of at
/// most 1/60 s of real time each. The frequency of the spring is four times PullSpring::rate(),
/// whatever the pace is: in slow motion the body follows the hand as slowly as it moves, and no
/// pace makes a pull do much more work than another. In real time the spring swings in no less than
/// 0.4 s, so that a hand can follow it, unless it had then less than twice the rate of the body and
/// could not hold it; and in no more than 21 s, so that it moves also what hardly moves by itself.
/// Replaces the previous MousePull.
struct MousePull {
  static constexpr CommandTraits traits{.is_edit = true};
  int lane = 0;  ///< lane whose state determines the force; the force acts in all lanes
  int body = 0;
  Vec3 target = Vec3::Zero();  ///< [m]
  /// Frequency of the spring relative to that. It is limited for stability.
  double stiffness = 1;
  void carry_out(CommandDesk& desk) const;
};

/// The pulls of a running run that a MousePull asks for, one after the other.
class MousePulls {
 public:
  /// At the present step of the run. The lane and the body must exist.
  MousePulls(const MousePull& to, const Simulation& run) : pull_(to), next_(run.steps()) {}

  int body() const { return pull_.body; }
  /// Another target for the same body; it counts from the next pull.
  void move(const MousePull& to) { pull_ = to; }

  /// The step at which the next pull begins.
  std::int64_t next() const { return next_; }
  /// The next pull begins now, as the pace has changed.
  void hurry(const Simulation& run) { next_ = run.steps(); }
  /// Starts the next pull if the last one has run out. `pace`: ratio of simulated to real time, 0
  /// if unknown.
  Result<void> pull(Simulation& run, double pace);
  /// Lets the last pull end. A longer one, which began at a faster pace, is cancelled by its
  /// opposite.
  Result<void> release(Simulation& run) const;

 private:
  std::pair<Vec3, std::int64_t> pulled_beyond(const Simulation& run, std::int64_t step) const;

  MousePull pull_;
  std::shared_ptr<const System> system_;  // of the spring
  std::optional<PullSpring> spring_;
  std::int64_t since_ = -1;  // step at which the last pull began; -1: none yet
  std::int64_t next_;
};

}  // namespace twosphere
