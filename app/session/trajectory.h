// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/progress.h"
#include "core/base/file.h"
#include "core/export/vtk.h"
#include "core/run/simulation.h"

namespace twosphere {

/// Where a file goes of which each lane has its own: the path itself for a single lane, else
/// NAME.LANE.csv.
std::vector<std::string> lane_paths(const std::string& path, const std::vector<LaneSpec>& lanes);
/// That the path of a trajectory, given at `place`, ends as one does.
Result<void> check_trajectory_path(const std::string& path, const char* place);
/// Whether a table has its record beside it, PATH.json; other formats have none.
bool described(const std::string& path);

/// The trajectory of each lane of a run in a file of its own: a table (.csv) with its record
/// beside it, extended XYZ (.xyz), or VTK with its index (.pvd).
class TrajectoryFiles {
 public:
  /// None, and nothing to be done.
  TrajectoryFiles() = default;
  /// To a path that was checked; all places are tried at once. "-" is a table on standard output.
  static Result<TrajectoryFiles> open(const std::string& path, const std::vector<LaneSpec>& lanes);

  void begin(Simulation& simulation);
  /// Where the run is now.
  void row(Simulation& simulation);
  /// Whether a file cannot be written any more.
  bool failed() const;
  /// Puts everything in its place; the first failure.
  Result<void> commit(const Simulation& simulation);

 private:
  enum class Format { csv, xyz, vtk };
  struct File {
    std::optional<AtomicFile> table, record;
    std::optional<VtkSeries> series;  // in place of the table
  };

  Format format_ = Format::csv;
  std::vector<File> lanes_;
};

/// Repeats a run from its record, so many steps, and writes its trajectories: the bytes of
/// `twosphere run --trajectory`. False if it was cancelled: then nothing was written.
Result<bool> write_trajectory(Scenario record, std::int64_t steps, const std::string& path,
                              Progress& progress);

}  // namespace twosphere
