// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_table.h"

#include <algorithm>

#include "core/csv.h"

namespace twosphere {

RunTable::RunTable(const LiveRun& run, std::optional<Range> time) : time_(time) {
  const Snapshot& now = run.snapshot();
  const auto& histories = run.histories();
  system_ = now.system_info;
  record_ = now.record;
  lanes_ = now.record->lanes;  // columns have the names that the lanes had at the start

  const History& clock = histories.front();
  const Series& times = clock.column(Quantity::time);
  const bool more = clock.size() == 0 || clock.steps().back() != static_cast<double>(now.steps);
  std::size_t first = 0, last = clock.size();
  if (time) {
    last = times.upper_bound(time->high);
    first = std::min(last, clock.lower_bound(time->low));
  }
  samples_.reserve((last - first + 1) * histories.size());
  for (std::size_t row = first; row < last; ++row)
    for (const History& history : histories) samples_.push_back(history.sample(row));
  if (more && (!time || (now.t >= time->low && now.t <= time->high)))
    for (const Snapshot::LaneView& lane : now.lanes) samples_.push_back(lane.row);
}

void RunTable::each(const std::function<bool(std::string_view)>& take) const {
  if (!take(csv_header(*system_, lanes_))) return;
  std::vector<Sample> row(lanes_.size());
  for (auto from = samples_.begin(); from != samples_.end();
       from += static_cast<std::ptrdiff_t>(row.size())) {
    std::copy_n(from, row.size(), row.begin());
    if (!take(csv_row(*system_, row))) return;
  }
}

std::string RunTable::text() const {
  std::string all;
  each([&all](std::string_view part) {
    all += part;
    return true;
  });
  return all;
}

Result<void> RunTable::write(const std::string& path) const {
  auto file = AtomicFile::open(path);
  if (!file) return file.error();
  each([&file](std::string_view part) {
    file->write(part);
    return !file->failed();
  });
  if (auto done = file->commit(); !done) return done;
  return write_file(path + ".json", csv_companion(*record_, time_));
}

}  // namespace twosphere
