// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/handoff.h"
#include "core/run/pacing.h"
#include "core/run/sample_rows.h"
#include "core/run/simulation.h"
#include "core/run/state_stride.h"

namespace twosphere {

/// Writes the rows of a run, and hands them from the worker's thread to the reader's, which drops
/// none. Their memory comes back.
class RowWriter {
 public:
  /// Where more than `most_samples` of all lanes would come, the stride doubles.
  RowWriter(std::int64_t most_samples, std::size_t state_budget)
      : most_samples_(most_samples), state_budget_(state_budget) {}

  // The worker's thread:
  /// The run stands at its start; older rows are void.
  void begin(const Simulation& simulation, std::uint64_t generation);
  /// The run goes on from where another one was left: the rows up to its present step, so many
  /// samples of each lane and their states, are there already.
  void go_on(const Simulation& simulation, std::uint64_t generation, std::size_t samples,
             const StateStride& states);
  /// Writes the present row if there is one. `turns`: when each lane moved, and when all had, in
  /// the last step; empty if not measured.
  void record(Simulation& simulation, std::span<const Clock::time_point> turns);
  /// The first step after this one that a row belongs to.
  std::int64_t next_row(std::int64_t step) const { return (step / every_ + 1) * every_; }
  /// Whether the next row carries states.
  bool state_due() const { return states_.takes(samples_); }
  /// Hands out what was written.
  void publish(const Simulation& simulation);
  /// Rows are needed, or none are for now: memory is freed.
  void resume() { resting_ = false; }
  void rest();

  // The reader's:
  /// Moves what was handed out to the end of `out`. Its size [bytes], for release().
  std::size_t drain(std::vector<SampleRows>& out);
  void release(std::size_t bytes) { undrained_ -= bytes; }
  /// Takes rows back that are done with; leaves none.
  void give_back(std::vector<SampleRows>& rows);

  /// Handed out and not released [bytes]. Any thread.
  std::size_t undrained() const { return undrained_; }

 private:
  bool row_at(std::int64_t step) const { return every_ == 1 || step % every_ == 0; }
  void follow_stride(const Simulation& simulation);
  void follow_lanes(const Simulation& simulation);
  SampleRows& present_rows(const Simulation& simulation);
  void drop(std::vector<SampleRows>& unused);
  void drop_all(std::vector<SampleRows>& unused);

  // Shared between the threads.
  Stream<SampleRows> rows_out_, rows_back_;
  std::atomic<std::size_t> undrained_{0};  // [bytes]
  std::atomic<std::size_t> spare_{0};      // in rows that came back [bytes]
  std::atomic<bool> resting_{true};        // none are needed

  // The worker's own.
  const std::int64_t most_samples_;
  const std::size_t state_budget_;
  std::uint64_t generation_ = 0;
  std::int64_t every_ = 1;   // stride of the rows so far
  std::size_t samples_ = 0;  // of each lane of this run that count
  StateStride states_;
  int lanes_ = 0;  // of the rows so far
  std::vector<SampleRows> rows_, spare_rows_;
};

}  // namespace twosphere
