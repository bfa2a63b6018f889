// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "core/integrators/damping.h"
#include "core/integrators/frame_turn.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/sphere.h"
#include "core/mechanics/tangent_solver.h"

namespace twosphere {

/// The scheme of [P1] (3.10)-(3.13) for one structure of the inertia matrix. The interface of
/// Integrator, and the parts of a step: for an undamped system a step is kick(h/2), drift(h),
/// kick(h/2), where a kick is the flow of the potential and of external forces alone. With damping,
/// flow() replaces the kicks.
class VariationalMethod {
 public:
  virtual ~VariationalMethod() = default;

  virtual void prepare(const System& system, const State& state) = 0;
  /// Evaluates the gradient and the external forces at the current state, as prepare() does. The
  /// stored values belong to the previous t + h, which may differ from the current t in the last
  /// digit.
  virtual void refresh(const System& system, const State& state) = 0;
  /// A whole step of an undamped system.
  StepReport advance(const System& system, double h, State& state) {
    return move(system, h, h / 2, state);
  }
  /// The step of a system without potential and forces. The report nevertheless includes the work
  /// of the external forces. On failure the caller restores the method by assign().
  StepReport drift(const System& system, double h, State& state) {
    return move(system, h, 0, state);
  }
  /// Flow of damping, potential and external forces over a time s at a fixed configuration; see
  /// Damping::apply().
  virtual StepStatus flow(const System& system, Damping& damping, double s, State& state,
                          double& work) = 0;

  /// See Integrator::advance_many(); for a system that does not depend on time or velocities.
  virtual std::int64_t advance_many(const System& /*system*/, double /*h*/, std::int64_t /*count*/,
                                    State& /*state*/) {
    return 0;
  }

  /// See Integrator::width() and Integrator::advance_together(), with tangent vectors
  /// TangentMap::followed_width() and advance_followed(); `gamma`: the stages of a step.
  virtual std::size_t width(const System& /*system*/) const { return 1; }
  virtual std::size_t followed_width(const System& /*system*/) const { return 1; }
  struct Member {
    VariationalMethod* method;
    State* state;
    /// Its vector; all members have one, or none.
    const TangentMap::FollowedMember* followed = nullptr;
  };
  virtual std::int64_t advance_together(const System& /*system*/, std::span<const double> /*gamma*/,
                                        double /*h*/, std::int64_t /*count*/,
                                        std::span<const Member>) {
    return 0;
  }

  virtual void complete(const System& /*system*/, State& /*state*/) {}
  virtual void save_state(IntegratorState& memory) const { memory.clear(); }
  virtual bool load_state(const IntegratorState& memory) { return memory.empty(); }

  /// Copies the state of another method of the same kind and size; allocates no memory.
  virtual void assign(const VariationalMethod& other) = 0;
  virtual std::unique_ptr<VariationalMethod> clone() const = 0;

 private:
  /// A drift over h with kicks over a time `kick`, h/2 or 0, before and after.
  virtual StepReport move(const System& system, double h, double kick, State& state) = 0;
};

/// Implements assign() and clone() by copying the whole object.
template <class Method>
class Copied : public VariationalMethod {
 public:
  void assign(const VariationalMethod& other) final {
    static_cast<Method&>(*this) = static_cast<const Method&>(other);
  }
  std::unique_ptr<VariationalMethod> clone() const final {
    return std::make_unique<Method>(static_cast<const Method&>(*this));
  }
};

/// The same for methods whose state is v_i = q̇_i ⟂ q_i. In axes that rotate it is relative to them,
/// and a step moves the inertial velocities, see FrameTurn.
template <class Method>
class CopiedWithVelocity : public Copied<Method> {
 public:
  StepStatus flow(const System& system, Damping& damping, double s, State& state,
                  double& work) final {
    if (state.v.cols() == 0) return damping.apply(system, state.t, state.q, g_, s, v_, work);
    VelocityFlow::Centre centre{state.v, control_};
    const StepStatus status = damping.apply(system, state.t, state.q, g_, s, v_, work, &centre);
    if (status == StepStatus::ok) state.v = centre.velocity;
    return status;
  }
  void complete(const System& /*system*/, State& state) final {
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      state.w.col(i) = state.q.col(i).cross(v_.col(i));
  }

 protected:
  /// Of prepare(): v_i = Π_i q̇_i, and whether the axes rotate.
  void begin(const System& system, const State& state) {
    frame_ = FrameTurn::of(system);
    v_.resize(3, state.q.cols());
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      v_.col(i) = tangent(state.q.col(i), state.w.col(i).cross(state.q.col(i)));
  }

  /// The velocities that a step moves.
  const Columns& moved_velocity(const State& state) {
    return frame_ ? frame_->inertial(state.q, v_) : v_;
  }

  std::optional<FrameTurn> frame_;
  Columns v_, g_;                // q̇ and G at q_k
  Vec3 control_ = Vec3::Zero();  // F_0 at q_k of a base that flies
};

/// Explicit, for uncoupled bodies.
std::unique_ptr<VariationalMethod> make_variational(const DiagonalInertia&);
/// O(n) in the multipliers of |q_i| = 1.
std::unique_ptr<VariationalMethod> make_variational(const ChainInertia&);
/// In the increments of the directions; O(n) for rods, O(n³) for matrices.
std::unique_ptr<VariationalMethod> make_variational(const RodInertia&);
std::unique_ptr<VariationalMethod> make_variational(const DenseInertia&);
/// Discrete Euler-Lagrange equations in tangent coordinates, for m_ij(q).
std::unique_ptr<VariationalMethod> make_variational(const VariableInertia&);
/// The same for any inertia, where there are terms Σ A_i(q)·q̇_i. O(n³).
std::unique_ptr<VariationalMethod> make_gyroscopic_variational(const Inertia&);
/// There is none, see IntegratorInfo::supports(): null.
std::unique_ptr<VariationalMethod> make_variational(const NoInertia&);
/// The same map for any constant inertia, solved as SHAKE and RATTLE.
std::unique_ptr<VariationalMethod> make_rattle(const Inertia& inertia);

/// Convergence test of Newton's method for the lengths r_i = ½ (|q_{i,k+1}|² − 1) = 0. At least
/// `min_count` and at most `max_count` corrections; from the second on the largest |r| must not
/// double.
class LengthIteration {
 public:
  LengthIteration(int min_count, int max_count) : min_(min_count), max_(max_count) {}

  /// r_i of this iterate, and q_{i,k}·Δq_i: ≤ −1 after a quarter turn or more, where another root
  /// may have been found.
  void check(Eigen::Index i, double residual, double radial) {
    // Without a branch, because which body is worst is unpredictable. Nonnegative doubles are
    // ordered like their bit patterns, with NaN above all.
    const auto magnitude = std::bit_cast<std::uint64_t>(std::abs(residual));
    const bool worse = magnitude > worst_;
    worst_ = worse ? magnitude : worst_;
    worst_body_ = worse ? i : worst_body_;
    if (radial <= -1 && radial < turned_) turned_ = radial, turned_body_ = i;
  }
  /// After all bodies: whether this was the last iterate, with the status in the report. Below 16 ε
  /// times `scale` further iterations would only change r by rounding.
  bool ends(double scale, StepReport& report);

 private:
  int min_, max_, iteration_ = 0;
  double before_ = std::numeric_limits<double>::infinity();
  std::uint64_t worst_ = 0;  // the bits of the number
  double turned_ = 0;
  Eigen::Index worst_body_ = 0, turned_body_ = 0;
};

}  // namespace twosphere
