// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/progress.h"
#include "core/base/described_file.h"
#include "core/output/vtk.h"
#include "core/run/simulation.h"

namespace twosphere {

/// The paths of a file that is written once per lane of a record (recorded_lanes()): `path` for a
/// single lane, else NAME.LANE.csv.
std::vector<std::string> lane_paths(const std::string& path, const std::vector<LaneSpec>& lanes);
/// Fails, with this location, if the path does not have the extension of a trajectory.
Result<void> check_trajectory_path(const std::string& path, const char* location);
/// Whether the format has a companion PATH.json with the record, which only tables have.
bool described(const std::string& path);

/// Writes the trajectory of each lane of a run to its own file: a table (.csv) with a companion
/// that contains the record, extended XYZ (.xyz), or VTK with its index (.pvd).
class TrajectoryFiles {
 public:
  /// No files.
  TrajectoryFiles() = default;
  /// Opens all files; the path must have been checked. "-" is a table on standard output. With
  /// `momenta` tables have them, too.
  static Result<TrajectoryFiles> open(const std::string& path, const std::vector<LaneSpec>& lanes,
                                      bool momenta = false);

  void begin(Simulation& simulation);
  /// Appends the current state of each lane that has begun.
  void row(Simulation& simulation);
  /// Whether writing a file has failed.
  bool failed() const;
  /// Commits all files; `branch`: the name of the branch that was run, if any. Returns the first
  /// failure.
  Result<void> commit(const Simulation& simulation, const std::string& branch = {});

 private:
  enum class Format { csv, xyz, vtk };
  struct File {
    std::optional<DescribedFile> table;
    std::optional<VtkSeries> series;  // instead of the table
  };

  Format format_ = Format::csv;
  bool momenta_ = false;
  std::vector<File> lanes_;
};

/// Repeats `steps` steps of a run from its record and writes its trajectories, byte for byte those
/// of `twosphere run --trajectory`. False if it was cancelled; then nothing was written.
Result<bool> write_trajectory(Scenario record, std::int64_t steps, const std::string& path,
                              Progress& progress);

}  // namespace twosphere
