// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/record/series.h"
#include "core/record/signal.h"
#include "core/run/live_cloud.h"
#include "core/run/sample_rows.h"
#include "core/run/state_stride.h"
#include "core/run/step_cost.h"
#include "core/scenario/state_expression.h"

namespace twosphere {

/// A signal over a run. Value k belongs to sample k·stride, at time times[k].
struct SignalView {
  const Series* times;
  const Series* values;
  std::size_t stride;
  bool cut = false;  ///< a ViewLimit has ended it before the last value

  /// The value at a sample; NaN where none is stored.
  double at(std::size_t sample) const {
    const std::size_t k = sample / stride;
    return sample % stride == 0 && k < values->size() ? (*values)[k] : std::nan("");
  }
};

/// Every sample of one lane of a run, one column per quantity, and the states of every s-th sample
/// with the system at that time. Memory per sample: at most 8¼ bytes for each quantity and for the
/// step, about a third of that where they compress well (CompressedBlock), as for the double
/// pendulum, and 9 more for each component of the momentum whose change was viewed; 48 n + 9 bytes
/// per state of n bodies, and 9 more per state for every step quantity that the method reports and
/// every signal of the state that was viewed. More than forty functions: most are a view each of
/// what is stored.
class History {
 public:
  /// Stores every state.
  History() = default;
  /// Stores the states selected by `stride`, starting with the first sample.
  explicit History(StateStride stride) : stride_(stride) {}

  /// A lane that begins after all samples of another lane: its earlier samples have the same times,
  /// but all other values are missing (NaN).
  static History beginning_after(const History& other);

  /// A history whose samples at these steps and times are missing, to be given by
  /// give_beginning().
  static History missing(std::span<const std::int64_t> steps, std::span<const double> times,
                         const std::shared_ptr<const System>& system, StateStride stride);
  /// Replaces the missing samples at the beginning by those of another history of the same run,
  /// which reaches at least as far. False, without a change, if its samples are at other steps.
  bool give_beginning(History earlier);

  void clear();
  /// Appends a sample without a state.
  void append(std::int64_t step, const Sample& sample) { append({&step, 1}, &sample); }
  /// Appends samples without states at these steps: first[0], first[pitch], …; same result as one
  /// at a time, but faster.
  void append(std::span<const std::int64_t> steps, const Sample* first, std::size_t pitch = 1);
  /// Appends one lane of rows with their states. In one history either every sample selected by
  /// StateStride has a state, or none has; other samples may have states too.
  void append(const SampleRows& rows, std::size_t lane);
  /// Removes all samples except every factor-th, starting with the first, as if the others had
  /// never been appended. The states are thinned accordingly: their stride is divided by its common
  /// divisor with the factor.
  void thin(std::size_t factor);
  /// Like thin(), but returns at once: continue_thinning() does the work in parts. Until it is
  /// done, the removed samples still count in the extremes, means and largest magnitudes of
  /// quantities.
  void thin_later(std::size_t factor);
  /// Continues what thin_later() began, with at most this many values.
  void continue_thinning(std::size_t values);
  /// Whether continue_thinning() has work left.
  bool is_thinning() const { return steps_.skips(); }

  /// Replaces the distances of a cloud, up to the last of these rows, by those of the rows, which
  /// are ascending by step; they are missing at other states.
  void give_cloud(std::span<const CloudRow> rows);

  /// Removes all samples after this step, as if they had never been appended. Complete blocks stay
  /// shared with copies.
  void cut(std::int64_t step);

  std::size_t size() const { return steps_.size(); }
  /// The index of the first sample that is not missing; at most size().
  std::size_t first() const { return first_; }
  /// The same for a signal: a distance is missing where one of the two lanes is.
  std::size_t first(const Signal& signal) const;
  /// Limits the states of all lanes of the run to about `bytes` bytes from now on.
  void limit_states(int bodies, int lanes, std::size_t bytes) {
    stride_.limit(bodies, lanes, bytes);
  }
  /// Which samples have states.
  const StateStride& state_stride() const { return stride_; }
  /// Memory, as above.
  std::size_t bytes() const;
  const Series& column(Quantity q) const { return table_[q]; }
  const Series& steps() const { return steps_; }
  Sample sample(std::size_t index) const;
  /// Reads samples [first, last), faster than one at a time.
  void read(std::size_t first, std::size_t last, Sample* out) const;
  /// Copies of the lanes of a run in the same order; reference lanes are replaced by their copies.
  /// Like every copy of a history, they share the blocks, which never change. A copy therefore
  /// costs O(blocks) and some 3 bytes per sample, and can be read on another thread while the
  /// originals grow or are destroyed. Use each copy on one thread only: view() caches its results.
  static std::vector<History> views(const std::vector<History>& lanes);

  /// Sets the lane, of this run or another one, from which Signal::distance() is measured at the
  /// times for which both have states. It must outlive this history. Without a reference the signal
  /// is empty.
  void compare_with(const History* reference);
  /// Whether distances are measured from this very lane; so was a copy of it.
  bool is_reference() const { return is_reference_; }
  /// The signal over the run. A signal of the state is computed for the states that are new since
  /// the last call, so that it costs nothing while nobody looks at it; a ViewLimit ends this early.
  /// Step quantities are stored with the states, NaN where the method does not report them. The
  /// view is valid until the history is destroyed or compare_with() is called.
  SignalView view(const Signal& signal) const;
  /// The number of stored states: 0, or size() / stride, rounded up.
  std::size_t state_count() const { return state_times_.size(); }
  /// The last stored state at or before a sample; index < size(), state_count() > 0.
  State state_at(std::size_t index) const;

  /// Extremes of a column over samples [first, last), first < last ≤ size(). Both are NaN if every
  /// value is NaN.
  Range range(Quantity q, std::size_t first, std::size_t last) const {
    return column(q).range(first, last);
  }
  /// The legs of the run: ranges of samples within which time goes in one direction. A run that was
  /// never reversed has one.
  std::vector<IndexRange> legs() const;
  /// The samples in a time range, both ends included: at most one range for each leg, in order.
  std::vector<IndexRange> between(double low, double high) const;
  /// The sample nearest to a time, the newest of several; size() > 0.
  std::size_t nearest(double t) const;

  /// Mean of |value| over all samples; for the energy error this is the mean energy variation of
  /// the papers. 0 if there are no samples.
  double mean_magnitude(Quantity q) const { return column(q).mean_magnitude(); }
  /// Largest |value| over all samples.
  double worst_magnitude(Quantity q) const { return column(q).worst_magnitude(); }

 private:
  /// The system, the settings with it and the method of the lane, valid from state `first`.
  struct Period {
    std::size_t first;
    std::shared_ptr<const System> system;
    std::shared_ptr<const Scenario> settings;
    LaneMethod method;
  };
  /// An expression for the system of one period; none if it does not fit.
  struct Compiled {
    std::shared_ptr<const System> system{};
    std::optional<StateExpression> expression{};
  };

  /// One column per quantity. Potential energy and energy error are predicted from other columns,
  /// as computed in measure().
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

    /// Predicted columns come first, because they must be packed and thinned before the columns
    /// that they are predicted from; see Series::follow().
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
    /// Makes a column, or its replacement, follow the columns from which it is computed.
    void bind(Quantity q, Series& column) const;

   private:
    void bind() {
      for (const Quantity q : order) bind(q, (*this)[q]);
    }

    std::array<Series, quantity_count> columns_;
  };

  /// Appends quantities and steps without states.
  void add(std::span<const std::int64_t> steps, const Sample* first, std::size_t pitch);
  /// Whether the state of this sample is stored; thins the earlier states if the stride grows.
  bool keeps_state(std::size_t index);
  void add_state(std::span<const double> state, const SampleRows& rows, std::size_t lane,
                 const StepCost& cost);
  /// A signal of a state of the period.
  double value(const Signal& signal, const Period& period, const State& state) const;
  void copy_state(std::size_t index, State& out) const;
  /// The numbers of a state: q, then ω, 6 per body, then X and Ẋ of a base that flies.
  const double* numbers(std::size_t index) const;
  /// Whether the state is missing.
  bool is_missing(std::size_t state) const { return state * stride_.stride() < first_; }
  /// Appends the numbers of a state.
  void append_numbers(std::span<const double> numbers);
  /// Finds where legs begin, from sample `first` on.
  void find_turns(std::size_t first);
  SignalView distance() const;
  std::optional<std::size_t> state_like(const History& other, std::size_t state) const;
  SignalView momentum_error(int axis) const;
  SignalView modified_energy_error() const;
  /// The period of a state.
  std::vector<Period>::const_iterator period_of(std::size_t state) const;
  void thin_states(std::size_t factor);
  void cut_states(std::size_t count);

  Table table_;
  Series steps_;
  std::vector<std::size_t> turns_;  // the first samples of all legs but the first
  bool falls_ = false;              // in the last leg time decreases
  std::size_t first_ = 0;           // samples before are missing
  std::array<double, 3> first_momentum_{};
  Series thinned_;  // the thinned part of the column that is being thinned
  StateStride stride_;
  int bodies_ = 0, moving_ = 0;  // without and with a base that flies
  Series state_times_;
  /// q and ω of the states in order, in immutable blocks of equal numbers of states.
  std::vector<std::shared_ptr<const std::vector<double>>> blocks_;
  std::vector<double> tail_;  // the states after the last full block
  std::vector<Period> periods_;
  mutable State scratch_;  // the state from which a signal is computed
  mutable std::map<Signal, Series> derived_;
  mutable std::map<Signal, Compiled> compiled_;  // the last of each expression
  /// Empty until the method reports the quantity, then one value per state.
  mutable std::array<Series, step_quantity_count> costs_;
  /// Computed on demand by view().
  mutable std::array<Series, 3> momentum_errors_;
  const History* reference_ = nullptr;
  bool is_reference_ = false;
};

}  // namespace twosphere
