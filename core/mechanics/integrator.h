// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/color/look.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

enum class StepStatus {
  ok,
  step_too_large,       ///< a body would turn a quarter turn or more in one step
  not_converged,        ///< the iteration of an implicit method found no solution
  step_too_small,       ///< an adaptive method found no step small enough for its tolerances
  too_many_steps,       ///< an adaptive method would need too many inner steps
  motion_not_resolved,  ///< the inner steps do not follow the motion
  damping_too_strong,   ///< for a stage that goes back in time
  force_not_resolved,   ///< one that depends on velocities changes them too fast
  not_finite,           ///< a value overflowed or is not a number
  interrupted,          ///< the step was interrupted, see Interruptible
};

/// The result of one step. Unless status is ok, the state is the one before the step.
struct [[nodiscard]] StepReport {
  StepStatus status = StepStatus::ok;
  int iterations = 0;  ///< of an implicit method
  /// Sweeps of a fixed-point iteration: those of the step, or as many as it would take where
  /// another iteration finds the solution; 0 of methods that have none.
  int sweeps = 0;
  double residual = 0;  ///< max_i ½ | |q_i|² − 1 | at their end
  int inner_steps = 0;  ///< of an adaptive method
  int rejected = 0;     ///< inner steps that it rejected
  /// The shortest of the inner steps [s].
  double shortest_step = std::numeric_limits<double>::infinity();
  int body = 0;     ///< index of the body that failed, when one did
  double work = 0;  ///< work of the external forces over the step [J]

  bool ok() const { return status == StepStatus::ok; }
};

/// The inner steps of an adaptive method within one step, at most; beyond it too_many_steps.
inline constexpr int max_inner_steps = 100'000;

/// The status as a phrase for error messages, such as "a value is not finite".
std::string_view describe(StepStatus status);

class ParameterSlope;

/// A tangent vector of the phase space at (q, ω): δq_i ⟂ q_i and q_i·δω_i + ω_i·δq_i = 0.
struct TangentVector {
  Columns q, w;  ///< δq_i [1] and δω_i [rad/s], 3×n
  /// δh/h of the steps that carry it, which TangentMap::stretches() must allow; at 0 the vector is
  /// one of the phase space alone. A step leaves it as it is.
  double stretch = 0;
  /// Of a parameter of the system that changes by δθ = 1, likewise; null: none does.
  const ParameterSlope* slope = nullptr;
};

/// The norm in which the growth of tangent vectors is measured: ‖δ‖² = Σ_i m_i (ω₀² |δq_i|² +
/// |δω_i|²).
struct TangentNorm {
  Eigen::VectorXd weight;  ///< m_i
  double square = 1;       ///< ω₀²
};

class Integrator;

/// The tangent map of a method: the derivative of its step by (q, ω), in closed form, without
/// differences.
class TangentMap {
 public:
  virtual ~TangentMap() = default;
  /// Takes the same step as Integrator::advance() and complete(), bit for bit, and replaces each
  /// vector at its beginning by the image at its end. On failure state, method and vectors are
  /// unchanged. Allocates memory in the first call after prepare() and for more vectors than
  /// before. Cost: see StepTangent.
  virtual StepReport advance(const System& system, double h, State& state,
                             std::span<TangentVector> vectors) = 0;
  /// Whether the derivatives by the step h and by a parameter θ of the system are known, too: the
  /// image of (δq, δω) with a stretch s is D_x Φ_h (δq, δω) + s h ∂Φ_h/∂h, with the time of the
  /// beginning held, and with a slope by θ ∂Φ_h/∂θ is added.
  virtual bool stretches(const System& /*system*/) const { return false; }

  /// A member of an ensemble as in Integrator::Member, which one vector follows.
  struct FollowedMember {
    Integrator* integrator;
    State* state;
    TangentVector* vector;
    const TangentNorm* norm;
    double* squares;  ///< where ‖δ‖² after each step is written
  };
  /// How many members of an ensemble go together, each with one vector, at most; 1: only one.
  virtual std::size_t followed_width(const System& /*system*/) const { return 1; }
  /// Like Integrator::advance_together(), each member with its vector as by advance(), bit for bit.
  virtual std::int64_t advance_followed(const System& /*system*/, double /*h*/,
                                        std::int64_t /*count*/, std::span<const FollowedMember>) {
    return 0;
  }
};

/// A one-step method. prepare() allocates all memory; advance() allocates none. It uses systems
/// only through their interface.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Takes (q, ω) of `state` as the initial state and discards all earlier internal state.
  virtual void prepare(const System& system, const State& state) = 0;
  /// Takes one step of size h (backwards in time if h < 0): advances state.q from time state.t to
  /// state.t + h. state.t is updated by the caller and state.w by complete(). On failure, state and
  /// method are unchanged. In a heat bath each step has an external force of its own
  /// (BathedSystem), which prepare() and complete() do not see.
  virtual StepReport advance(const System& system, double h, State& state) = 0;
  /// Updates state.w after the last step; does not change anything that a later step uses.
  virtual void complete(const System& /*system*/, State& /*state*/) {}

  /// The tangent map of this method, which shares its internal state; null if the method has none
  /// for this system, and in a heat bath.
  virtual TangentMap* tangent_map(const System& /*system*/) { return nullptr; }

  /// Writes the internal variables that the next step needs besides (t, q, ω); none for
  /// self-starting methods. Allocates nothing if `memory` was written by this method before.
  virtual void save_state(IntegratorState& memory) const { memory.clear(); }
  IntegratorState saved_state() const {
    IntegratorState memory;
    save_state(memory);
    return memory;
  }
  /// Restores the variables written by save_state(), after prepare(). False if names or sizes do
  /// not match.
  virtual bool load_state(const IntegratorState& memory) { return memory.empty(); }
  /// A state and the integrator that was prepared for it.
  struct Member {
    Integrator* integrator;
    State* state;
  };
  /// How many members of an ensemble this method advances together in this system, at most; 1: only
  /// one.
  virtual std::size_t width(const System& /*system*/) const { return 1; }
  /// Takes up to `count` steps in up to width() members whose integrators are of the same kind, the
  /// first of them this one. Each does what it does alone, bit for bit. Stops before the first step
  /// that fails in any of them; returns the number of steps taken. The cost is that of width()
  /// members. Otherwise like advance().
  virtual std::int64_t advance_together(const System& /*system*/, double /*h*/,
                                        std::int64_t /*count*/, std::span<const Member>) {
    return 0;
  }
  /// Takes over from a method of the same kind, with other parameters, what that measured once at
  /// the start of its lane. Called before prepare().
  virtual void take_over(const Integrator& /*former*/) {}
  /// The same as tangent_map() of a method that leaves the sphere, for the first step after
  /// prepare() from a state on it: its vectors are those of R³ⁿ at the end. The inner steps of an
  /// adaptive method count as given. Null if the method has none for this system.
  virtual TangentMap* stage_derivative(const System& /*system*/) { return nullptr; }
  /// Takes up to `count` steps as advance() does, bit for bit, if there is a quicker way for
  /// several at once; their reports would have nothing but the status. Stops before a step that
  /// fails, and after one if the thread is interrupted; returns the number of steps taken. state.t
  /// is that before the first one.
  virtual std::int64_t advance_many(const System& /*system*/, double /*h*/, std::int64_t /*count*/,
                                    State& /*state*/) {
    return 0;
  }
};

/// Writes entry `index`: replaces the present entry of that name, or appends one.
void write_entry(IntegratorState& memory, std::size_t index, std::string_view name,
                 std::span<const double> values);
/// The name of an entry, and where its numbers are read to.
struct StateEntry {
  std::string_view name;
  std::span<double> values;
};
/// Reads a state that consists of exactly these entries. False, with nothing read, if names or
/// sizes do not match.
bool read_entries(const IntegratorState& memory, std::initializer_list<StateEntry> entries);
template <class Matrix>
std::span<const double> flat(const Eigen::PlainObjectBase<Matrix>& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}
template <class Matrix>
std::span<double> flat(Eigen::PlainObjectBase<Matrix>& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

/// The form in which the modified energy of a method of order 2 is known for a constant inertia,
/// see ModifiedEnergy.
enum class ModifiedForm : std::uint8_t { none, variational, rotation };
/// The stages of a step of a variational method whose discrete action gives a modified energy, see
/// DiscreteActionEnergy.
struct DiscreteAction {
  /// Lengths of the steps of the VI that it is composed of, or of the rotations of a splitting, in
  /// units of h; none: it has no such energy.
  std::span<const double> stages{};
  std::span<const double> kicks{};                   ///< of a splitting
  std::unique_ptr<Integrator> (*stage)() = nullptr;  ///< creates the VI; null for a splitting
};
/// What a method takes beside kinetic energy and forces.
struct Taken {
  bool first_order = false;     ///< systems without kinetic energy: first_order()
  bool strength = false;        ///< strengths of bodies with inertia: has_strength()
  bool frame_rotation = false;  ///< axes that rotate: has_frame_rotation()
  bool free_base = false;       ///< a base that flies: System::free_base()
  bool gyroscopic = false;      ///< terms Σ A_i(q)·q̇_i: has_gyroscopic()
};
/// What methods take that need the equations of motion alone.
inline constexpr Taken takes_everything{true, true, true, true, true};

/// A kind of integrator: its record in the catalogue, defined in the file of the method.
struct IntegratorInfo {
  std::string_view key;          ///< "variational"
  std::string_view title;        ///< "Variational (VI)"
  std::string_view description;  ///< one sentence
  std::string_view formula;      ///< plain text, UTF-8
  std::string_view reference;
  int order = 2;
  bool explicit_method = false;
  bool adaptive = false;  ///< takes inner steps of its own; the step is the sampling grid
  bool symplectic = false;
  bool reversible = false;
  bool keeps_sphere = false;  ///< |q| = 1 to rounding for any number of steps
  bool projects = false;      ///< only because q ← q/|q| follows each step
  bool exact_pairs = false;   ///< two bodies alone move exactly at any step, however close
  ModifiedForm modified_energy = ModifiedForm::none;
  DiscreteAction action{};
  /// Whether the method supports this structure of M, for supports(); null: it supports all.
  bool (*applies)(const Inertia& inertia) = nullptr;
  std::string_view needs{};  ///< the condition of applies(), in words; not empty if that is given
  Taken takes{};             ///< beside what every method takes, for supports()
  /// What a system lacks that applies() and `takes` admit, in words as in `needs`; empty: nothing.
  /// Null: nothing else is needed.
  std::string_view (*missing)(const System& system) = nullptr;
  /// Passes over the terms of V in a step, of methods that take these one by one in place of
  /// gradients: what a step costs in order studies.
  int passes = 0;
  int max_bodies = 0;  ///< limit if memory grows with their square; 0: no limit
  std::vector<ParameterInfo> parameters{};  ///< beyond the step
  Look look{};  ///< of its lanes; left out, the catalogue derives it, see give_looks()
  std::function<std::unique_ptr<Integrator>(const Values& values)> create{};

  /// Whether the method can advance systems in a heat bath: with the noise the compositions of
  /// higher order gain nothing, and off the sphere |q| would walk.
  bool takes_heat_bath() const { return order == 2 && keeps_sphere; }
  /// Whether the method can advance the system.
  bool supports(const System& system) const { return lacks(system).empty(); }
  /// What the method needs and the system lacks; empty if it supports the system.
  std::string_view lacks(const System& system) const;
};

/// The beginning of a step of a method, from which parts of the step can be taken, to find out when
/// something happens within it.
struct StepBeginning {
  State state;             ///< ω is up to date
  IntegratorState memory;  ///< what the method needs besides

  /// Takes a step θ h from here, 0 ≤ θ ≤ 1, with ω up to date at its end `to`, whose time is
  /// between that of the beginning and `end` [s]. The method, which must be of the same kind, is
  /// then there. Fails as the method does, and with not_finite if it cannot read `memory`.
  StepReport take(const System& system, Integrator& method, double h, double theta, double end,
                  State& to) const;
};

}  // namespace twosphere
