// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/live_run.h"
#include "core/series.h"

namespace twosphere {

/// The CSV of a run up to the window's snapshot, the bytes of the command line's, or of a stretch
/// of its time: copied out of the run, so that it can be written on another thread while that goes
/// on. Copying takes 12 numbers a row and lane.
class RunTable {
 public:
  explicit RunTable(const LiveRun& run, std::optional<Range> time = {});

  std::size_t rows() const { return samples_.size() / lanes_.size(); }
  std::string text() const;
  /// Writes PATH and its companion PATH.json, each whole or not at all.
  Result<void> write(const std::string& path) const;

 private:
  /// Header and rows, one after the other, until `take` has had enough.
  void each(const std::function<bool(std::string_view)>& take) const;

  const SystemInfo* system_;
  std::shared_ptr<const Scenario> record_;
  std::vector<LaneSpec> lanes_;
  std::optional<Range> time_;
  std::vector<Sample> samples_;  // row by row, lane by lane
};

}  // namespace twosphere
