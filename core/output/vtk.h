// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/base/atomic_folder.h"
#include "core/base/file.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// One frame as VTK PolyData in XML ("NAME.vtp"): a vertex for every body, further points for
/// pivots and the ends of lines, and lines for links, springs, arrows and the frame of a base.
/// Point data: body (its index, −1 for other points), q, omega [rad/s], velocity [m/s] and, except
/// of first order, kinetic_energy [J]. Field data: TimeValue [s]. Numbers have the shortest form
/// that reads back to the same double.
std::string vtk_frame(const System& system, const State& state);

/// A series of such frames for ParaView: the index NAME.pvd and, in the same directory, a folder
/// NAME with the files NAME_000000.vtp …. Both are created by commit(), completely or not at all.
/// open() fails if the folder contains other files.
class VtkSeries {
 public:
  /// `path` ends in .pvd. Fails if the index or the folder cannot be written.
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
