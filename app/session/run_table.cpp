// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/run_table.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "app/base/table_file.h"
#include "core/output/csv.h"
#include "core/output/named_values.h"

namespace twosphere {

namespace {

constexpr std::size_t rows_together = 1024;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

RunTable::RunTable(const LiveRun& run, std::optional<Range> time,
                   std::vector<PlottedExpression> plotted)
    : time_(time), lanes_(History::views(run.histories())) {
  const Snapshot& now = run.snapshot();
  auto record = std::make_shared<Scenario>(*now.record);
  if (!plotted.empty()) record->plots = std::move(plotted);
  extras_.plots = has_named_values(*record);
  if (extras_.plots) {
    extras_.expressions = record->plots;
    extras_.bodies = record->size();
    named_ = requested_signals(info_of(*record), record->size(), record->plots);
  }

  const History& clock = run.histories().front();
  const bool more = clock.size() == 0 || clock.steps().back() != static_cast<double>(now.steps);
  if (time)
    parts_ = clock.between(time->low, time->high);
  else
    parts_ = {{0, clock.size()}};
  NamedValues named(record->plots);
  if (more && (!time || (now.t >= time->low && now.t <= time->high)))
    for (const Snapshot::LaneView& lane : now.lanes) {
      end_.push_back(lane.row);
      end_named_.push_back(named.at(*now.present, now.system, &lane.state));
    }
  record_ = std::move(record);
}

std::size_t RunTable::rows() const {
  std::size_t sum = end_.empty() ? 0 : 1;
  for (const IndexRange& samples : parts_) sum += samples.size();
  return sum;
}

void RunTable::each(const std::function<bool(std::string_view)>& take) const {
  // Columns have the initial names of the lanes.
  const SystemInfo& info = info_of(*record_);
  const std::vector<LaneSpec> recorded = recorded_lanes(*record_);
  if (!take(csv_header(info, recorded, extras_))) return;
  std::vector<std::vector<Sample>> part(lanes_.size(), std::vector<Sample>(rows_together));
  // Lanes that the record adds later have missing values at first.
  std::vector<Sample> row(recorded.size(), missing_sample(0));
  std::vector<std::vector<double>> named;
  if (extras_.plots) named.assign(recorded.size(), std::vector<double>(named_.size(), missing));
  std::vector<std::vector<SignalView>> views(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    for (const Signal& signal : named_) views[i].push_back(lanes_[i].view(signal));
  for (const IndexRange& samples : parts_)
    for (std::size_t from = samples.first; from < samples.last; from += rows_together) {
      const std::size_t count = std::min(rows_together, samples.last - from);
      for (std::size_t i = 0; i < lanes_.size(); ++i)
        lanes_[i].read(from, from + count, part[i].data());
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < lanes_.size(); ++i) {
          row[i] = part[i][k];
          for (std::size_t s = 0; s < named_.size(); ++s) named[i][s] = views[i][s].at(from + k);
        }
        if (!take(csv_row(info, row, named))) return;
      }
    }
  if (!end_.empty()) {
    std::copy(end_.begin(), end_.end(), row.begin());
    if (extras_.plots) std::copy(end_named_.begin(), end_named_.end(), named.begin());
    take(csv_row(info, row, named));
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
  return write_table(
      path, rows(), [this](const auto& take) { each(take); },
      csv_companion(*record_, time_, {}, extras_), progress);
}

}  // namespace twosphere
