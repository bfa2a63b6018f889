// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

enum class StepStatus {
  ok,
  step_too_large,      ///< a body would turn a quarter turn or more in one step
  not_converged,       ///< Newton's iteration found no solution
  step_too_small,      ///< an adaptive method found no step small enough for its tolerances
  too_many_steps,      ///< an adaptive method would need too many inner steps
  damping_too_strong,  ///< for a stage that goes back in time
  not_finite,          ///< a value overflowed or is not a number
  interrupted,         ///< somebody asked for the end of long work: Interruptible
};

/// The end of one step. Unless status is ok the state is the one before the step.
struct [[nodiscard]] StepReport {
  StepStatus status = StepStatus::ok;
  int iterations = 0;   ///< of Newton's method, 0 for explicit methods
  double residual = 0;  ///< max_i ½ | |q_i|² − 1 | at the end of Newton's iteration
  int inner_steps = 0;  ///< of an adaptive method
  int rejected = 0;     ///< tried by it and not taken
  int body = 0;         ///< index of the body that failed, when one did
  double work = 0;      ///< work of the external forces over the step [J]

  bool ok() const { return status == StepStatus::ok; }
};

/// "Newton's iteration found no solution", the quantity and its limit, for a person.
std::string_view describe(StepStatus status);

/// A one-step method. prepare() allocates everything; advance() allocates nothing. It knows systems
/// only by their interface.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Takes (q, ω) of `state` as the start, forgetting what went before.
  virtual void prepare(const System& system, const State& state) = 0;
  /// One step of length h (h < 0 goes back). Brings state.q from time state.t to state.t + h;
  /// leaves state.t to the caller and state.w to complete(). On failure state and method are as
  /// before the call.
  virtual StepReport advance(const System& system, double h, State& state) = 0;
  /// Brings state.w up to date with the last step; changes nothing that a later step reads.
  virtual void complete(const System& /*system*/, State& /*state*/) {}

  /// What the next step reads beyond (t, q, ω); empty for self-starting methods. `memory` is empty,
  /// or was written by this method before: then nothing is allocated.
  virtual void save_state(IntegratorState& memory) const { memory.clear(); }
  IntegratorState saved_state() const {
    IntegratorState memory;
    save_state(memory);
    return memory;
  }
  /// Continues from what memory() gave, after prepare(). False if names or sizes do not fit.
  virtual bool load_state(const IntegratorState& memory) { return memory.empty(); }
};

/// Writes entry `index` of a memory, over what is there or after the others.
void write_entry(IntegratorState& memory, std::size_t index, std::string_view name,
                 std::span<const double> values);
/// One entry of a memory, and where its numbers go.
struct StateEntry {
  std::string_view name;
  std::span<double> values;
};
/// Reads a memory that consists of just these entries. False, and nothing read, if names or sizes
/// do not fit.
bool read_entries(const IntegratorState& memory, std::initializer_list<StateEntry> entries);
template <class Matrix>
std::span<const double> flat(const Eigen::PlainObjectBase<Matrix>& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}
template <class Matrix>
std::span<double> flat(Eigen::PlainObjectBase<Matrix>& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

/// A kind of integrator: one record in the catalogue, made beside the method itself.
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
  /// Whether it can treat this structure of M; null: every one.
  bool (*applies)(const Inertia& inertia) = nullptr;
  std::string_view needs{};  ///< what applies() asks for, in words
  int most_bodies = 0;       ///< where memory grows with their square; 0: as many as there are
  std::vector<ParameterInfo> parameters{};  ///< beyond the step
  std::unique_ptr<Integrator> (*create)(const Values& values) = nullptr;
};

}  // namespace twosphere
