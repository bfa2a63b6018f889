// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <utility>

#include "app/cli/subcommand.h"
#include "core/base/json.h"
#include "core/export/vtk.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

using json::quote;

/// The paths of an output that exists once per lane; empty if it is not requested.
Result<std::vector<std::string>> paths_of(const char* option, const std::string& path,
                                          const std::vector<LaneSpec>& lanes) {
  if (path.empty()) return std::vector<std::string>();
  if (path == "-" && lanes.size() > 1)
    return Error{
        ErrorKind::usage, option,
        fmt::format("{} lanes write one file each, but only one output can go to standard output",
                    lanes.size())};
  return lane_paths(path, lanes);
}

/// Fails if two outputs, including companions, are the same file, also under different paths.
Result<void> check_places(const OutputPaths& outputs, const PlanOptions& plan,
                          const std::vector<std::string>& trajectories,
                          const std::vector<std::string>& fields,
                          const std::vector<std::string>& points) {
  std::map<std::string, const char*> taken;
  const auto take = [&taken](const std::string& path, const char* option) -> Result<void> {
    std::error_code unresolved;
    const auto real = std::filesystem::weakly_canonical(
        std::filesystem::current_path() / link_target(path), unresolved);
    const std::string place = path == "-" || unresolved ? path : real.string();
    const auto [other, fresh] = taken.emplace(place, option);
    if (fresh) return {};
    return Error{ErrorKind::usage, option,
                 path == "-"
                     ? fmt::format("only one output can go to standard output, and {} already does",
                                   other->second)
                     : fmt::format("{} is already written by {}", quote(path), other->second)};
  };
  std::vector<std::pair<const char*, std::string>> files{{"--csv", outputs.csv}};
  for (const std::string& path : trajectories) files.emplace_back("--trajectory", path);
  for (const std::string& path : fields) files.emplace_back("--field", path);
  for (const std::string& path : points) files.emplace_back("--points", path);
  files.emplace_back("--live", outputs.live);
  files.emplace_back("--save-state", outputs.save_state);
  for (const auto& [option, path] : files) {
    if (path.empty()) continue;
    if (auto done = take(path, option); !done) return done;
    const bool state = &path == &files.back().second;
    if (!state)  // a state may replace the scenario
      if (auto done = check_output(plan, path, option); !done) return done;
    if (!state && path.ends_with(".pvd"))
      if (auto done = take(VtkSeries::folder(path), option); !done) return done;
    if (state || !described(path) || path == "-") continue;
    if (auto done = take(path + ".json", option); !done) return done;
    if (auto done = check_output(plan, path + ".json", option); !done) return done;
  }
  return {};
}

Result<void> open_file(const std::string& path, std::optional<AtomicFile>& file) {
  if (path.empty()) return {};
  auto opened = AtomicFile::open(path);
  if (!opened) return opened.error();
  file = std::move(*opened);
  return {};
}

}  // namespace

Result<RunOutputs> RunOutputs::open(const OutputPaths& paths, const PlanOptions& plan,
                                    const std::vector<LaneSpec>& lanes) {
  RunOutputs out;
  out.lanes_ = static_cast<int>(lanes.size());
  out.extras_.plots = paths.plots;
  if (!paths.trajectory.empty())
    if (auto fine = check_trajectory_path(paths.trajectory, "--trajectory"); !fine)
      return fine.error();
  if (!paths.field.empty() && paths.field != "-" && !paths.field.ends_with(".csv"))
    return Error{ErrorKind::usage, "--field",
                 fmt::format("{} must end in .csv", quote(paths.field))};
  if (!paths.points.empty() && paths.points != "-" && !paths.points.ends_with(".csv"))
    return Error{ErrorKind::usage, "--points",
                 fmt::format("{} must end in .csv", quote(paths.points))};
  if (paths.live == "-")
    return Error{ErrorKind::usage, "--live", "must be a file, which another process can read"};
  const auto trajectories = paths_of("--trajectory", paths.trajectory, lanes),
             fields = paths_of("--field", paths.field, lanes),
             points = paths_of("--points", paths.points, lanes);
  for (const auto* names : {&trajectories, &fields, &points})
    if (!*names) return names->error();
  if (auto apart = check_places(paths, plan, *trajectories, *fields, *points); !apart)
    return apart.error();
  if (auto done = open_file(paths.csv, out.csv_); !done) return done.error();
  if (!paths.trajectory.empty()) {
    auto opened = TrajectoryFiles::open(paths.trajectory, lanes);
    if (!opened) return opened.error();
    out.trajectories_ = std::move(*opened);
  }
  for (const std::string& path : *fields)
    if (auto done = open_file(path, out.fields_.emplace_back().table); !done) return done.error();
  for (const std::string& path : *points)
    if (auto done = open_file(path, out.points_.emplace_back().table); !done) return done.error();
  if (auto done = open_file(paths.save_state, out.state_); !done) return done.error();
  out.live_path_ = paths.live;
  if (out.csv_ && out.csv_->regular())
    if (auto done = open_file(paths.csv + ".json", out.csv_record_); !done) return done.error();
  for (const auto& [names, files] :
       {std::pair(&*fields, &out.fields_), std::pair(&*points, &out.points_)})
    for (std::size_t i = 0; i < names->size(); ++i)
      if ((*files)[i].table->regular())
        if (auto done = open_file((*names)[i] + ".json", (*files)[i].record); !done)
          return done.error();
  return out;
}

Result<void> RunOutputs::begin(Simulation& simulation) {
  if (const auto& exponents = simulation.lane(0).exponents) extras_.vectors = exponents->count();
  if (extras_.plots) {
    extras_.expressions = simulation.record().plots;
    named_.emplace(extras_.expressions);
  }
  if (csv_)
    csv_->write(csv_header(simulation.system_info(), recorded_lanes(simulation.record()), extras_));
  trajectories_.begin(simulation);
  if (!points_.empty()) surface_ = simulation.lane(0).crossings->surface();
  for (LaneFile& file : points_) file.table->write(section_header(*surface_));
  if (live_path_.empty()) return {};
  auto live = LiveFileWriter::create(live_path_, simulation);
  if (!live) return live.error();
  live_ = std::move(*live);
  return {};
}

void RunOutputs::advanced(Simulation& simulation) {
  if (live_) live_->record(simulation);
}
void RunOutputs::end(Simulation& simulation, const LiveEnd& how) {
  if (live_) live_->end(simulation, how);
}

std::int64_t RunOutputs::section_points(Simulation& simulation, int lane) {
  if (points_.empty()) return 0;
  const std::vector<SectionPoint> points = simulation.take_section_points(lane);
  for (const SectionPoint& point : points)
    points_[static_cast<std::size_t>(lane)].table->write(
        section_row(*simulation.lane(lane).crossings->surface(), point));
  return static_cast<std::int64_t>(points.size());
}

void RunOutputs::row(Simulation& simulation) {
  if (csv_) {
    std::vector<Sample> samples;
    std::vector<std::vector<double>> named;
    std::vector<double> exponents;
    for (int i = 0; i < lanes_; ++i) {
      const bool begun = i < simulation.lane_count();
      samples.push_back(begun ? simulation.sample(i) : missing_sample(simulation.time()));
      if (named_)
        named.push_back(named_->at(simulation.present(), simulation.system(),
                                   begun ? &simulation.state(i) : nullptr));
      if (extras_.vectors == 0) continue;
      for (const double value : exponent_values(simulation, i, extras_.vectors))
        exponents.push_back(value);
    }
    csv_->write(csv_row(simulation.system_info(), samples, named, exponents));
  }
  trajectories_.row(simulation);
}

bool RunOutputs::failed() const {
  return (csv_ && csv_->failed()) || (live_ && !live_->written()) || trajectories_.failed() ||
         std::any_of(points_.begin(), points_.end(),
                     [](const LaneFile& file) { return file.table->failed(); });
}

int RunOutputs::commit(Simulation& simulation, const std::string& branch, double duration,
                       std::int64_t every) {
  if (csv_record_) csv_record_->write(csv_companion(simulation.record(), {}, branch, extras_));
  // A lane that has not begun has none.
  fields_.resize(std::min(fields_.size(), static_cast<std::size_t>(simulation.lane_count())));
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    SurfaceField field;
    field.update(*simulation.system(), simulation.state(static_cast<int>(i)));
    fields_[i].table->write(field_table(simulation.time(), field));
    if (fields_[i].record)
      fields_[i].record->write(field_companion(simulation.record(), i, branch));
  }
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (points_[i].record)
      points_[i].record->write(section_companion(simulation.record(), *surface_, i, branch));
  if (state_) {
    Scenario state = simulation.continuation();
    // --duration, --steps and --every apply only to this run, what events set to the next, too.
    const Scenario& record = simulation.record();
    if (state.duration == record.duration) state.duration = duration;
    state.every = stride_after(every, record.events, simulation.steps());
    state_->write(write_scenario(state));
  }
  int status = 0;
  // Write a record only beside a file that it describes.
  const auto place = [&status](auto& file) {
    if (!file) return true;
    const auto done = file->commit();
    if (!done && status == 0) status = report_error(done.error());
    return done.has_value();
  };
  if (place(csv_)) place(csv_record_);
  if (const auto done = trajectories_.commit(simulation, branch); !done) {
    const int failed = report_error(done.error());
    if (status == 0) status = failed;
  }
  for (auto* files : {&fields_, &points_})
    for (LaneFile& file : *files)
      if (place(file.table)) place(file.record);
  place(state_);
  if (live_ && !live_->written() && status == 0) status = report_error(live_->written().error());
  return status;
}

}  // namespace twosphere
