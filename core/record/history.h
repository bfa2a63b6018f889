// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/record/series.h"
#include "core/record/signal.h"
#include "core/run/sample_rows.h"
#include "core/run/state_stride.h"
#include "core/run/step_cost.h"

namespace twosphere {

/// A signal over a run. Value k belongs to sample k·stride, at time times[k].
struct SignalView {
  const Series* times;
  const Series* values;
  std::size_t stride;
};

/// Every sample of one lane of a run, quantity by quantity, and the states of every s-th sample
/// with the systems that were in force there. Memory: at most 107 bytes per sample, some 33 where
/// rounding leaves the quantities a grid (CompressedBlock) as for the double pendulum, and 9 more
/// for each component of the momentum whose change was asked for; 48 n + 9 per state of n bodies, 9
/// more per state for every cost that its steps have and for every signal of the state that was
/// asked for.
class History {
 public:
  /// Keeps every state.
  History() = default;
  /// Keeps those states that `stride` tells, given the samples from the first on.
  explicit History(StateStride stride) : stride_(stride) {}

  void clear();
  /// A sample without a state.
  void append(std::int64_t step, const Sample& sample) { append({&step, 1}, &sample); }
  /// Samples without states at these steps: first[0], first[pitch], …; as one by one, in
  /// less time.
  void append(std::span<const std::int64_t> steps, const Sample* first, std::size_t pitch = 1);
  /// A lane of rows with their states. In one history either all samples have states that
  /// StateStride takes (others may have), or none.
  void append(const SampleRows& rows, std::size_t lane);
  /// Keeps every factor-th sample, the first included, as if no other had been appended. States
  /// follow: their stride shrinks by what it has in common with the factor.
  void thin(std::size_t factor);
  /// The same without the time that it takes for a long run: until settle() has ended it, samples
  /// that are gone still have their part in extremes, mean and worst magnitude of quantities.
  void thin_later(std::size_t factor);
  /// Goes on with what thin_later() began, by so many values at most.
  void settle(std::size_t values);
  /// Whether there is something to go on with.
  bool settles() const { return steps_.skips(); }

  std::size_t size() const { return steps_.size(); }
  /// Memory, as above.
  std::size_t bytes() const;
  const Series& column(Quantity q) const { return table_[q]; }
  const Series& steps() const { return steps_; }
  Sample sample(std::size_t index) const;
  /// Samples [first, last), in less time than one by one.
  void read(std::size_t first, std::size_t last, Sample* out) const;
  /// The lanes of a run as they are now, in the same order, each compared with the copy of what it
  /// was compared with. As every copy of a history, they share the blocks, which never change, so
  /// that each costs O(blocks) and some 3 bytes per sample, and can be read on another thread while
  /// these go on, or go. A copy is one thread's: view() remembers what it works out.
  static std::vector<History> views(const std::vector<History>& lanes);

  /// The lane that Signal::distance() is taken from, with samples at the same steps; it must live
  /// as long. Without one there is no distance.
  void compare_with(const History* reference);
  /// The signal over the run. A signal of the state is worked out for all states when first asked
  /// for, from then on as samples come. What steps cost is kept with the states, NaN where a step
  /// had no such thing. Valid until the history goes or is compared with another.
  SignalView view(const Signal& signal) const;
  /// How many states are kept; 0 or size() / stride, rounded up.
  std::size_t state_count() const { return state_times_.size(); }
  /// The newest state kept that is not newer than the sample; index < size(), state_count() > 0.
  State state_at(std::size_t index) const;

  /// Extremes of a column over samples [first, last), first < last ≤ size(). Both NaN if there is
  /// no number among them.
  Range range(Quantity q, std::size_t first, std::size_t last) const {
    return column(q).range(first, last);
  }
  /// First sample whose time is ≥ t (size() if none). Times never decrease.
  std::size_t lower_bound(double t) const { return column(Quantity::time).lower_bound(t); }

  /// Mean over all samples of |value|: of the energy error this is the papers' mean energy
  /// variation. 0 if there are none.
  double mean_magnitude(Quantity q) const { return column(q).mean_magnitude(); }
  /// Largest |value| over all samples.
  double worst_magnitude(Quantity q) const { return column(q).worst_magnitude(); }

 private:
  /// The system from state `first` on.
  struct Period {
    std::size_t first;
    std::shared_ptr<const System> system;
  };

  /// One column per quantity. Potential energy and energy error follow others, as in measure().
  class Table {
   public:
    Table() { bind(); }
    Table(const Table& other) : columns_(other.columns_) { bind(); }
    Table(Table&& other) noexcept : columns_(std::move(other.columns_)) { bind(); }
    Table& operator=(Table other) noexcept {
      columns_ = std::move(other.columns_);
      bind();
      return *this;
    }
    ~Table() = default;

    /// Those that follow first: so they are packed before, and thinned as follow() wants it.
    static constexpr std::array order{Quantity::potential_energy,
                                      Quantity::energy_error,
                                      Quantity::time,
                                      Quantity::kinetic_energy,
                                      Quantity::total_energy,
                                      Quantity::work,
                                      Quantity::unit_length_error,
                                      Quantity::unit_length_error_mean,
                                      Quantity::tangency_error,
                                      Quantity::angular_momentum_x,
                                      Quantity::angular_momentum_y,
                                      Quantity::angular_momentum_z};
    static_assert(order.size() == quantity_count);

    Series& operator[](Quantity q) { return columns_[static_cast<std::size_t>(q)]; }
    const Series& operator[](Quantity q) const { return columns_[static_cast<std::size_t>(q)]; }
    /// Lets a column, or what is to take its place, follow those that it is computed from.
    void bind(Quantity q, Series& column) const;

   private:
    void bind() {
      for (const Quantity q : order) bind(q, (*this)[q]);
    }

    std::array<Series, quantity_count> columns_;
  };

  /// Quantities and steps alone.
  void add(std::span<const std::int64_t> steps, const Sample* first, std::size_t pitch);
  /// Whether the state of a sample is kept; those before may then be too many.
  bool keeps_state(std::size_t index);
  void add_state(std::span<const double> state, const std::shared_ptr<const System>& system,
                 const StepCost& cost);
  void copy_state(std::size_t index, State& out) const;
  /// Six numbers for each body: q, then ω.
  const double* numbers(std::size_t index) const;
  /// Those of the next state, as the last one.
  void append_numbers(std::span<const double> numbers);
  SignalView distance() const;
  SignalView momentum_error(int axis) const;
  void thin_states(std::size_t factor);

  Table table_;
  Series steps_;
  Series settling_;  // as much as there is of the column that is next
  StateStride stride_;
  int bodies_ = 0;
  Series state_times_;
  /// q and ω of one state after another, in blocks of equal numbers of states that never change.
  std::vector<std::shared_ptr<const std::vector<double>>> blocks_;
  std::vector<double> tail_;  // of the states that do not fill a block yet
  std::vector<Period> periods_;
  State newest_;  // room for the state that signals are worked out from
  mutable std::map<Signal, Series> derived_;
  /// Empty as long as there was no such thing; else one value per state.
  mutable std::array<Series, step_quantity_count> costs_;
  /// As far as they were asked for.
  mutable std::array<Series, 3> momentum_errors_;
  const History* reference_ = nullptr;
};

}  // namespace twosphere
