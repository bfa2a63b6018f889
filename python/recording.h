// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/mechanics/state.h"
#include "core/output/csv.h"
#include "core/output/named_values.h"
#include "core/run/simulation.h"
#include "python/bindings.h"

namespace twosphere::python {

/// The rows of a run: those that `twosphere run` writes, as numbers.
class Recording {
 public:
  /// Prepares the columns for a run. `states`: keeps q and ω of every row as well, and the base if
  /// it flies. `plots`: adds requested_signals(). `view`: Run::view().
  Recording(Simulation& run, const json::Node& view, bool states, bool plots);

  /// One of a pickle, which takes over what to_state() gave.
  explicit Recording(const py::tuple& state);
  py::tuple to_state() const;

  /// Adds a row for the present step, unless a value is not finite, as after an interruption.
  void add_present(Simulation& run);
  /// The same after a call of Simulation::advance_rows(), which may have led over several rows.
  void add(Simulation& run);
  /// Ends the recording: its description is that of the run so far.
  void close(Simulation& run);
  /// Whether the last row is that of this step.
  bool has(std::int64_t step) const { return last_ == step; }

  /// The steps of the first and the last row; −1: none.
  std::int64_t first() const { return first_; }
  std::int64_t last() const { return last_; }
  /// Repeats the run; with its view.
  const Scenario& record() const { return *record_; }

  std::size_t rows() const { return rows_; }
  /// The header of the table: "time [s],kinetic_energy [J],…".
  std::string header() const;
  /// The table and its description, to the byte those that `twosphere run --csv` writes.
  std::string csv() const;
  const std::string& companion() const { return companion_; }

  /// Names of the lanes, in the order of their columns.
  std::vector<std::string> lanes() const;

  /// Numbers of all rows, one row after the other, as many in each as the header has names.
  std::vector<double> values;
  /// q and ω of every row of each lane, 3n numbers a row, and place and velocity of a base that
  /// flies, 3 numbers a row; NaN before a lane has begun.
  struct Track {
    std::string name;  ///< of the lane
    std::vector<double> q, omega, base, base_velocity;
  };
  std::vector<Track> tracks;
  int bodies = 0;
  bool flies = false;  ///< the base, so that tracks have it

 private:
  void add(Simulation& run, std::int64_t step, std::span<const State* const> states);

  std::shared_ptr<const Scenario> record_;  // with the record of the system
  std::vector<LaneSpec> lanes_;
  std::vector<Quantity> quantities_;  // of each lane
  std::vector<Sample> samples_;       // scratch, one per lane
  State state_;                       // likewise, of a row that came with others
  CsvExtras extras_;
  NamedValues named_;
  std::size_t rows_ = 0, columns_ = 0;
  std::int64_t first_ = -1, last_ = -1;
  std::string companion_;
};

}  // namespace twosphere::python
