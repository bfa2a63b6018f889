// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/pair_distribution_files.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "app/session/repeated_rows.h"
#include "app/session/trajectory.h"
#include "core/output/csv.h"

namespace twosphere {

Result<PairDistributionFiles> PairDistributionFiles::open(const std::vector<std::string>& paths,
                                                          int bins) {
  PairDistributionFiles out;
  out.bins_ = bins;
  for (const std::string& path : paths) {
    auto opened = DescribedFile::open(path);
    if (!opened) return opened.error();
    out.files_.push_back(std::move(*opened));
  }
  return out;
}

Result<void> PairDistributionFiles::begin(const Simulation& simulation) {
  if (files_.empty()) return {};
  const int bodies = simulation.record().size();
  if (bodies < 2)
    return Error{ErrorKind::usage, "",
                 fmt::format("a pair needs 2 bodies, the scenario has {}", bodies)};
  lanes_.assign(files_.size(), PairDistribution(bodies, bins_));
  return {};
}

void PairDistributionFiles::row(Simulation& simulation) {
  const auto begun = static_cast<std::size_t>(simulation.lane_count());
  for (std::size_t i = 0; i < lanes_.size() && i < begun; ++i)
    lanes_[i].add(simulation.state(static_cast<int>(i)).q);
}

Result<void> PairDistributionFiles::commit(const Simulation& simulation,
                                           const std::string& branch) {
  Result<void> first;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (lanes_[i].rows() == 0) continue;  // a lane that has not begun has none
    files_[i].write(pair_distribution_table(lanes_[i]));
    auto done = files_[i].commit(pair_distribution_companion(simulation.record(), i, branch));
    if (!done && first) first = std::move(done);
  }
  return first;
}

Result<bool> write_pair_distribution(Scenario record, std::int64_t steps, const std::string& path,
                                     Progress& progress) {
  auto made = repeatable(std::move(record), steps);
  if (!made) return made.error();
  Simulation& simulation = *made;
  auto files = PairDistributionFiles::open(lane_paths(path, recorded_lanes(simulation.record())),
                                           PairDistribution::default_bins);
  if (!files) return files.error();
  if (auto begins = files->begin(simulation); !begins) return begins.error();
  const auto rows = repeat_rows(simulation, steps, progress, [&] {
    files->row(simulation);
    return true;
  });
  if (!rows || !*rows) return rows;
  if (auto done = files->commit(simulation); !done) return done.error();
  return true;
}

}  // namespace twosphere
