// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/run_table.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/export/csv.h"

namespace twosphere {

namespace {

constexpr std::size_t rows_together = 1024;

}  // namespace

RunTable::RunTable(const LiveRun& run, std::optional<Range> time)
    : time_(time), lanes_(History::views(run.histories())) {
  const Snapshot& now = run.snapshot();
  record_ = now.record;

  const History& clock = run.histories().front();
  const bool more = clock.size() == 0 || clock.steps().back() != static_cast<double>(now.steps);
  if (time)
    parts_ = clock.between(time->low, time->high);
  else
    parts_ = {{0, clock.size()}};
  if (more && (!time || (now.t >= time->low && now.t <= time->high)))
    for (const Snapshot::LaneView& lane : now.lanes) end_.push_back(lane.row);
}

std::size_t RunTable::rows() const {
  std::size_t sum = end_.empty() ? 0 : 1;
  for (const IndexRange& samples : parts_) sum += samples.size();
  return sum;
}

void RunTable::each(const std::function<bool(std::string_view)>& take) const {
  // Columns have the initial names of the lanes.
  const std::vector<LaneSpec> recorded = recorded_lanes(*record_);
  if (!take(csv_header(info_of(*record_), recorded))) return;
  std::vector<std::vector<Sample>> part(lanes_.size(), std::vector<Sample>(rows_together));
  // Lanes that the record adds later have missing values at first.
  std::vector<Sample> row(recorded.size(), missing_sample(0));
  for (const IndexRange& samples : parts_)
    for (std::size_t from = samples.first; from < samples.last; from += rows_together) {
      const std::size_t count = std::min(rows_together, samples.last - from);
      for (std::size_t i = 0; i < lanes_.size(); ++i)
        lanes_[i].read(from, from + count, part[i].data());
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < lanes_.size(); ++i) row[i] = part[i][k];
        if (!take(csv_row(info_of(*record_), row))) return;
      }
    }
  if (!end_.empty()) {
    std::copy(end_.begin(), end_.end(), row.begin());
    take(csv_row(info_of(*record_), row));
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

Result<bool> RunTable::write(const std::string& path, Progress& progress) const {
  auto file = AtomicFile::open(path);
  if (!file) return file.error();
  const auto all = static_cast<double>(rows() + 1);
  double written = 0;
  each([&](std::string_view part) {
    file->write(part);
    progress.share = ++written / all;
    return !file->failed() && !progress.cancelled;
  });
  if (progress.cancelled && !file->failed()) return false;
  if (auto done = file->commit(); !done) return done.error();
  if (auto done = write_file(path + ".json", csv_companion(*record_, time_)); !done)
    return done.error();
  return true;
}

}  // namespace twosphere
