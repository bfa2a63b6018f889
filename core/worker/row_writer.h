// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/handoff.h"
#include "core/mechanics/state.h"
#include "core/run/cloud.h"
#include "core/run/sample_rows.h"
#include "core/run/simulation.h"
#include "core/run/state_stride.h"
#include "core/worker/pacing.h"

namespace twosphere {

/// Collects the rows of a run and passes them, without loss, from the worker's thread to the
/// reader's. The reader gives their memory back for reuse.
class RowWriter {
 public:
  /// When the rows of all lanes would exceed `max_samples`, the stride doubles.
  RowWriter(std::int64_t max_samples, std::size_t state_budget)
      : max_samples_(max_samples), state_budget_(state_budget) {}

  // Called on the worker's thread:
  /// The run is at its start; older rows become invalid.
  void begin(const Simulation& simulation, std::uint64_t generation);
  /// The run continues where another run was left: its rows up to the present step, `samples` of
  /// each lane with their states, already exist.
  void continue_at(const Simulation& simulation, std::uint64_t generation, std::size_t samples,
                   const StateStride& states);
  /// Writes the row of the present step if there is one, or all of Simulation::rows(), of which
  /// there may be rows_left(). `turns`: the times at which each lane of the last step began, and
  /// the time at which all had finished; empty if not measured; of several rows, that of all their
  /// steps. `cloud`: the distances of a cloud around a lane, if one follows.
  void record(Simulation& simulation, std::span<const Clock::time_point> turns,
              const std::optional<std::pair<int, Cloud::Distances>>& cloud = {});
  /// Writes rows of this run that were recorded elsewhere, with the states that a writer of the
  /// same state budget selects. The stride doubles here, too; it is then that of the rows so far.
  void pass(SampleRows rows);
  std::int64_t stride() const { return every_; }
  /// The first step after this one that has a row.
  std::int64_t next_row(std::int64_t step) const { return (step / every_ + 1) * every_; }
  /// Whether the next row carries states.
  bool state_due() const { return states_.takes(samples_); }
  /// Whether one of the next so many rows may carry states.
  bool state_due(std::size_t rows) const {
    const std::size_t stride = states_.stride();
    return (samples_ + stride - 1) / stride * stride < samples_ + rows;
  }
  /// How many rows of so many lanes fit before the stride doubles.
  std::int64_t rows_left(int lanes) const {
    return max_samples_ / lanes - static_cast<std::int64_t>(samples_);
  }
  /// Publishes the rows written so far.
  void publish(const Simulation& simulation);
  /// Rows are needed again; rest(): none are needed for now, and memory is freed.
  void resume() { resting_ = false; }
  void rest();

  // Called on the reader's thread:
  /// Moves the published rows to the end of `out`. Returns their size [bytes], for release().
  std::size_t drain(std::vector<SampleRows>& out);
  void release(std::size_t bytes) { undrained_ -= bytes; }
  /// Takes back rows that are no longer used; leaves `rows` empty.
  void give_back(std::vector<SampleRows>& rows);

  /// Published and not yet released [bytes]. Any thread may call it.
  std::size_t undrained() const { return undrained_; }

 private:
  bool row_at(std::int64_t step) const { return every_ == 1 || step % every_ == 0; }
  void follow_stride(std::int64_t stride);
  void follow_lanes(const System& system, int lanes);
  SampleRows& present_rows(const Simulation& simulation);
  void record_together(const Simulation& simulation, std::span<const Clock::time_point> turns);
  void drop(std::vector<SampleRows>& unused);
  void drop_all(std::vector<SampleRows>& unused);

  // Shared between the threads.
  Stream<SampleRows> rows_out_, rows_back_;
  std::atomic<std::size_t> undrained_{0};  // [bytes]
  std::atomic<std::size_t> spare_{0};      // in returned rows [bytes]
  std::atomic<bool> resting_{true};        // no rows are needed

  // Used only by the worker's thread.
  const std::int64_t max_samples_;
  const std::size_t state_budget_;
  std::uint64_t generation_ = 0;
  std::int64_t every_ = 1;   // stride of the rows so far
  std::size_t samples_ = 0;  // valid samples of each lane of this run
  StateStride states_;
  int lanes_ = 0;                             // of the rows so far
  std::shared_ptr<const Scenario> settings_;  // SampleRows::settings of this system
  std::shared_ptr<const System> settings_of_;
  std::vector<SampleRows> rows_, spare_rows_;
  State state_;  // of one of several rows
};

}  // namespace twosphere
