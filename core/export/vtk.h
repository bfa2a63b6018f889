// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/base/atomic_folder.h"
#include "core/base/file.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// One frame as VTK PolyData in XML ("NAME.vtp"): a point for every body, as a vertex, and further
/// points for pivots and the ends of links and springs; links and springs as lines. Point data:
/// body (its index, −1 where there is none), q, omega [rad/s], velocity [m/s], kinetic_energy [J].
/// Field data: TimeValue [s]. Text with the shortest numbers that read back to the same doubles.
std::string vtk_frame(const System& system, const State& state);

/// A series of such frames with its index, as ParaView opens it: NAME.pvd and beside it a folder
/// NAME of the files NAME_000000.vtp …. Both appear whole, at the end, or not at all; a folder with
/// other files is rejected.
class VtkSeries {
 public:
  /// `path` ends in .pvd. The places are tried at once.
  static Result<VtkSeries> open(const std::string& path);

  void frame(const System& system, const State& state);
  bool failed() const { return failure_.has_value(); }
  Result<void> commit();

  /// The folder of a series.
  static std::string folder(const std::string& path) { return path.substr(0, path.size() - 4); }

 private:
  VtkSeries(AtomicFile index, AtomicFolder files, std::string name);

  AtomicFile index_;
  AtomicFolder files_;
  std::string name_;
  std::size_t count_ = 0;
  std::optional<Error> failure_;
};

}  // namespace twosphere
