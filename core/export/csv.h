// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/diagnostics.h"
#include "core/observe/surface_field.h"
#include "core/record/series.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// A file that appears whole or not at all: written under a temporary name beside its place,
/// renamed on commit(). "-" or "/dev/stdout" is standard output; that and what is not a regular
/// file (a device, a pipe) is written directly. Opening fails at once if the place cannot be
/// written. Dropped without commit, it leaves nothing; what a program that was killed has left
/// there, the next one to write there removes. A file that is there already keeps its permissions.
class AtomicFile {
 public:
  static Result<AtomicFile> open(const std::string& path);
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;
  ~AtomicFile();

  /// Errors (full disk, removed directory) are kept and reported by commit().
  void write(std::string_view text);
  Result<void> commit();
  /// Whether a write has failed: nothing more will come of this file.
  bool failed() const { return failure_ != 0; }
  /// Whether it is a file with a place of its own, not standard output, a device or a pipe.
  bool regular() const { return !place_.empty(); }
  /// Where a regular file is until commit(): for another program that writes it.
  const std::string& temporary() const { return temporary_; }

 private:
  AtomicFile() = default;
  void drop();

  std::string path_;       // as given
  std::string place_;      // behind symbolic links
  std::string temporary_;  // empty: written directly
  std::FILE* file_ = nullptr;
  int failure_ = 0;  // errno of the first failure
};

// Tables follow RFC 4180: rows end in CR LF, names with a comma or quotes are quoted. Numbers have
// the shortest form that reads back to the same double.

/// A text as one field of a row.
std::string csv_field(std::string_view text);
/// Header of the sample CSV: "time [s],kinetic_energy [J],…", with "NAME/" before each column of
/// each lane if there are several lanes.
std::string csv_header(const SystemInfo& system, const std::vector<LaneSpec>& lanes);
/// One row from one sample per lane.
std::string csv_row(const SystemInfo& system, const std::vector<Sample>& lane_samples);
/// The companion "NAME.csv.json": version, ISA, scenario with its `every`, lanes, events, column
/// units; the stretch of time [s] if the table has only the rows in it.
std::string csv_companion(const Scenario& record, std::optional<Range> time = {});

/// Trajectory: time, q0_x …, omega0_x [rad/s] ….
std::string trajectory_header(int bodies);
std::string trajectory_row(const State& state);
/// Its companion; of several lanes it says which.
std::string trajectory_companion(const Scenario& record, std::size_t lane = 0);
/// The kinetic energy field at time t, [P1] Fig. 3.7, a row per face: time, face, center_x [1] … of
/// its centre, kinetic_energy [J], the number of bodies in the face itself, and whether its
/// neighbourhood was widened (1) or not (0).
std::string field_table(double t, const SurfaceField& field);
std::string field_companion(const Scenario& record, std::size_t lane);
/// One frame of extended XYZ, a line per body: position [m], velocity [m/s], q, ω [rad/s] and its
/// share ½ q̇_i·Σ_j M_ij q̇_j of the kinetic energy [J], as BodyRecord has them; Time= in the
/// comment.
std::string xyz_frame(const System& system, const State& state);

/// A whole file at once: text to path, atomically.
Result<void> write_file(const std::string& path, std::string_view text);
/// The text of a file, "-" for standard input; kind input_output if it cannot be read, usage if it
/// is larger than max_bytes.
Result<std::string> read_file(const std::string& path, std::size_t max_bytes);

}  // namespace twosphere
