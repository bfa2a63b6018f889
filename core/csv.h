// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "core/result.h"
#include "core/scenario.h"

namespace twosphere {

/// A file that appears whole or not at all: written under a temporary name beside its place,
/// renamed on commit(). "-" is standard output. Opening fails at once if the place cannot be
/// written. Dropped without commit, it leaves nothing.
class AtomicFile {
 public:
  static Result<AtomicFile> open(const std::string& path);
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;
  ~AtomicFile();

  /// Errors (full disk, removed directory) are kept and reported by commit().
  void write(std::string_view text);
  Result<void> commit();

 private:
  AtomicFile() = default;
  std::string path_, temporary_;
  std::FILE* file_ = nullptr;
  int failure_ = 0;
};

/// Header of the sample CSV: "time [s],kinetic_energy [J],…", with "NAME/" before each column of
/// each lane if there are several lanes.
std::string csv_header(const SystemInfo& system, const std::vector<LaneSpec>& lanes);
/// One row from one sample per lane.
std::string csv_row(const SystemInfo& system, const std::vector<Sample>& lane_samples);
/// The companion "NAME.csv.json": version, ISA, scenario, lanes, events, column units.
std::string csv_companion(const Scenario& record);

/// Trajectory: time, q0_x …, omega0_x [rad/s] ….
std::string trajectory_header(int bodies);
std::string trajectory_row(const State& state);
/// One frame of extended XYZ: positions [m], q, velocity, ω, energy per body; Time= in the comment.
std::string xyz_frame(const System& system, const State& state);

/// A whole file at once: text to path, atomically.
Result<void> write_file(const std::string& path, std::string_view text);
/// The text of a file; kind input_output if it cannot be read, or is larger than max_bytes.
Result<std::string> read_file(const std::string& path, std::size_t max_bytes);

}  // namespace twosphere
