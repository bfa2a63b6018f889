// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/trajectory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/session/repeated_rows.h"
#include "core/base/json.h"
#include "core/output/csv.h"

namespace twosphere {

std::vector<std::string> lane_paths(const std::string& path, const std::vector<LaneSpec>& lanes) {
  if (lanes.size() == 1) return {path};
  const auto ending = path.rfind('.');
  std::vector<std::string> paths;
  paths.reserve(lanes.size());
  for (const LaneSpec& lane : lanes)
    paths.push_back(path.substr(0, ending) + '.' + lane.name + path.substr(ending));
  return paths;
}

Result<void> check_trajectory_path(const std::string& path, const char* location) {
  for (const char* end : {".csv", ".xyz", ".pvd"})
    if (path.ends_with(end)) return {};
  if (path == "-") return {};
  return Error{ErrorKind::usage, location,
               fmt::format("{} must end in .csv, .xyz or .pvd", json::quote(path))};
}

bool described(const std::string& path) {
  return !path.ends_with(".xyz") && !path.ends_with(".pvd");
}

Result<TrajectoryFiles> TrajectoryFiles::open(const std::string& path,
                                              const std::vector<LaneSpec>& lanes, bool momenta) {
  TrajectoryFiles all;
  all.momenta_ = momenta;
  all.format_ = path.ends_with(".xyz")   ? Format::xyz
                : path.ends_with(".pvd") ? Format::vtk
                                         : Format::csv;
  for (const std::string& place : lane_paths(path, lanes)) {
    File& file = all.lanes_.emplace_back();
    if (all.format_ == Format::vtk) {
      auto opened = VtkSeries::open(place);
      if (!opened) return opened.error();
      file.series = std::move(*opened);
      continue;
    }
    auto opened = DescribedFile::open(place, described(place));
    if (!opened) return opened.error();
    file.table = std::move(*opened);
  }
  return all;
}

void TrajectoryFiles::begin(Simulation& simulation) {
  if (format_ != Format::csv) return;
  for (File& file : lanes_)
    file.table->write(trajectory_header(simulation.system_info(), *simulation.system(), momenta_));
}

void TrajectoryFiles::row(Simulation& simulation) {
  const auto begun = static_cast<std::size_t>(simulation.lane_count());
  for (std::size_t i = 0; i < std::min(begun, lanes_.size()); ++i) {
    State state = simulation.state(static_cast<int>(i));
    state.t = simulation.time();
    File& file = lanes_[i];
    if (format_ == Format::vtk)
      file.series->frame(*simulation.system(), state);
    else
      file.table->write(format_ == Format::xyz
                            ? xyz_frame(*simulation.system(), state)
                            : trajectory_row(*simulation.system(), state, momenta_));
  }
}

bool TrajectoryFiles::failed() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const File& file) {
    return file.series ? file.series->failed() : file.table->failed();
  });
}

Result<void> TrajectoryFiles::commit(const Simulation& simulation, const std::string& branch) {
  Result<void> first;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    File& file = lanes_[i];
    auto done =
        file.series
            ? file.series->commit()
            : file.table->commit(trajectory_companion(simulation.record(), i, branch, momenta_));
    if (!done && first) first = std::move(done);
  }
  return first;
}

Result<bool> write_trajectory(Scenario record, std::int64_t steps, const std::string& path,
                              Progress& progress) {
  if (auto fine = check_trajectory_path(path, ""); !fine) return fine.error();
  auto made = repeatable(std::move(record), steps);
  if (!made) return made.error();
  Simulation& simulation = *made;
  auto files = TrajectoryFiles::open(path, recorded_lanes(simulation.record()));
  if (!files) return files.error();
  files->begin(simulation);
  const auto rows = repeat_rows(simulation, steps, progress, [&] {
    files->row(simulation);
    return !files->failed();
  });
  if (!rows || !*rows) return rows;
  if (auto done = files->commit(simulation); !done) return done.error();
  return true;
}

}  // namespace twosphere
