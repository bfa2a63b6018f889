// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "app/cli/output_places.h"
#include "app/cli/subcommand.h"
#include "app/cli/window_module.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/mechanics/system.h"
#include "core/output/gltf.h"
#include "core/output/vtk.h"
#include "core/scenario/page_scenario.h"
#include "core/scenario/scenario_for_page.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "core/worker/snapshot.h"
#include "render/gltf_run.h"
#include "render/scene_style.h"

namespace twosphere {

namespace {

using json::quote;

/// The paths of an output that exists once per lane; empty if it is not requested.
std::vector<std::string> paths_of(const char* option, const std::string& path,
                                  const std::vector<LaneSpec>& lanes) {
  if (path.empty()) return {};
  if (path == "-" && lanes.size() > 1)
    throw Failure(
        {ErrorKind::usage, option,
         fmt::format("{} lanes write one file each, but only one output can go to standard output",
                     lanes.size())});
  return lane_paths(path, lanes);
}

/// Fails if two outputs, including companions, are the same file, also under different paths.
void check_places(const OutputPaths& outputs, const PlanOptions& plan,
                  const std::vector<std::string>& trajectories,
                  const std::vector<std::string>& fields, const std::vector<std::string>& pairs,
                  const std::vector<std::string>& points) {
  OutputPlaces places;
  std::vector<std::pair<const char*, std::string>> files{{"--csv", outputs.csv}};
  for (const std::string& path : trajectories) files.emplace_back("--trajectory", path);
  for (const std::string& path : fields) files.emplace_back("--field", path);
  for (const std::string& path : pairs) files.emplace_back("--pair-distribution", path);
  for (const std::string& path : points) files.emplace_back("--points", path);
  files.emplace_back("--live", outputs.live);
  files.emplace_back("--html", outputs.html);
  files.emplace_back("--gltf", outputs.gltf);
  files.emplace_back("--save-state", outputs.save_state);
  for (const auto& [option, path] : files) {
    if (path.empty()) continue;
    places.take(path, option);
    const bool state = &path == &files.back().second;
    if (!state || is_web_page_file(path))  // a state may replace the scenario, but not its page
      check_output(plan, path, option);
    if (!state && path.ends_with(".pvd")) places.take(VtkSeries::folder(path), option);
    if (state || !described(path) || path == "-") continue;
    places.take(path + ".json", option);
    check_output(plan, path + ".json", option);
  }
}

template <class File>
void open_file(const std::string& path, std::optional<File>& file) {
  if (!path.empty()) file = must(File::open(path));
}

}  // namespace

RunOutputs RunOutputs::open(const OutputPaths& paths, const PlanOptions& plan,
                            const std::vector<LaneSpec>& lanes) {
  RunOutputs out;
  out.lanes_ = static_cast<int>(lanes.size());
  out.extras_.plots = paths.plots;
  out.extras_.shadow = paths.shadow;
  if (paths.shadow) {
    out.modified_.resize(lanes.size());
    out.drifts_.resize(lanes.size());
  }
  for (const std::string* path : {&paths.trajectory, &paths.pairs, &paths.html, &paths.gltf})
    if (!path->empty()) out.takes_states_ = true;
  if (paths.plots || paths.shadow) out.takes_states_ = true;
  if (!paths.trajectory.empty()) must(check_trajectory_path(paths.trajectory, "--trajectory"));
  if (paths.momenta && (paths.trajectory.empty() || !described(paths.trajectory)))
    throw misuse("--momenta", "adds columns to a table, which --trajectory FILE.csv asks for");
  for (const auto& [option, path] : {std::pair("--field", &paths.field),
                                     {"--pair-distribution", &paths.pairs},
                                     {"--points", &paths.points}})
    if (!path->empty() && *path != "-" && !path->ends_with(".csv"))
      throw Failure({ErrorKind::usage, option, fmt::format("{} must end in .csv", quote(*path))});
  int bins = PairDistribution::default_bins;
  read_count(paths.pair_bins, "--pair-bins", 16, bins);
  if (paths.pair_bins && paths.pairs.empty())
    throw misuse("--pair-bins", "is of a table, which --pair-distribution FILE writes");
  if (!paths.html.empty()) must(check_page_name(paths.html, "--html"));
  read_count(paths.html_frames, "--html-frames", 20, out.page_limits_.frames, 2);
  if (paths.html_frames && paths.html.empty())
    throw misuse("--html-frames", "is of a page, which --html FILE makes");
  if (!paths.gltf.empty() && !paths.gltf.ends_with(".glb"))
    throw Failure(
        {ErrorKind::usage, "--gltf", fmt::format("{} must end in .glb", quote(paths.gltf))});
  if (paths.live == "-")
    throw Failure({ErrorKind::usage, "--live", "must be a file, which another process can read"});
  const auto trajectories = paths_of("--trajectory", paths.trajectory, lanes),
             fields = paths_of("--field", paths.field, lanes),
             pairs = paths_of("--pair-distribution", paths.pairs, lanes),
             points = paths_of("--points", paths.points, lanes);
  check_places(paths, plan, trajectories, fields, pairs, points);
  open_file(paths.csv, out.csv_);
  if (!paths.trajectory.empty())
    out.trajectories_ = must(TrajectoryFiles::open(paths.trajectory, lanes, paths.momenta));
  for (const auto& [names, files] :
       {std::pair(&fields, &out.fields_), std::pair(&points, &out.points_)})
    for (const std::string& path : *names) files->push_back(must(DescribedFile::open(path)));
  out.pairs_ = must(PairDistributionFiles::open(pairs, bins));
  open_file(paths.save_state, out.state_);
  if (!paths.html.empty() || !paths.gltf.empty())
    must(load_window_module(), paths.html.empty() ? "--gltf" : "--html");
  open_file(paths.html, out.page_);
  open_file(paths.gltf, out.gltf_);
  if (out.page_ || out.gltf_) out.page_rows_.emplace(lanes.size());
  out.scenario_ = plan.scenario;
  out.preset_ = plan.preset;
  out.live_path_ = paths.live;
  return out;
}

void RunOutputs::view(const json::Node& view, const std::string& document) {
  if (!page_ && !gltf_) return;
  frame_ = must(frame_of_view(view, document));
  layer_ = must(layer_of_view(view, document));
}

namespace {

/// Fails where a saved state would be too large a file to be read again.
Result<void> check_state_size(const Scenario& state) {
  constexpr std::size_t number_bytes = 23;  // with all its digits, and what is between two
  const auto of_start =
      static_cast<std::size_t>(state.size()) * (info_of(state).first_order ? 3 : 6);
  std::size_t numbers = 0;
  for (const RestartState::Lane& lane : state.continuation->lanes) {
    numbers += of_start;
    for (const auto& [name, values] : lane.memory) numbers += values.size();
  }
  if (numbers <= json::max_bytes / number_bytes) return {};
  return Error{ErrorKind::usage, "",
               fmt::format("the state has {} numbers, about {} MiB; a file that is read again may "
                           "have {} MiB",
                           numbers, number_bytes * numbers >> 20, json::max_bytes >> 20)};
}

}  // namespace

void RunOutputs::begin(Simulation& simulation) {
  if (state_) must(check_state_size(simulation.continuation()), "--save-state");
  if (const auto& exponents = simulation.lane(0).exponents) extras_.vectors = exponents->count();
  if (extras_.plots) {
    extras_.expressions = simulation.record().plots;
    extras_.bodies = simulation.record().size();
    named_.emplace(extras_.expressions);
  }
  if (csv_)
    csv_->write(csv_header(simulation.system_info(), recorded_lanes(simulation.record()), extras_));
  trajectories_.begin(simulation);
  must(pairs_.begin(simulation), "--pair-distribution");
  if (!points_.empty()) surface_ = simulation.lane(0).crossings->surface();
  for (DescribedFile& file : points_) file.write(section_header(*surface_));
  if (gltf_) {
    Geometry geometry;
    simulation.system()->geometry(simulation.state(0).q, geometry);
    must(check_gltf_nodes(geometry, static_cast<std::size_t>(lanes_)), "--gltf");
  }
  if (!live_path_.empty()) live_ = must(LiveFileWriter::create(live_path_, simulation));
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
    points_[static_cast<std::size_t>(lane)].write(
        section_row(*simulation.lane(lane).crossings->surface(), point));
  return static_cast<std::int64_t>(points.size());
}

double RunOutputs::modified_energy_error(Simulation& simulation, int lane) {
  const Uninterrupted whole;  // a row is that of a step which has been taken
  const Lane& held = simulation.lane(lane);
  const Sample& sample = simulation.sample(lane);
  const auto index = static_cast<std::size_t>(lane);
  const double error = modified_[index].next(
      simulation.system(), *held.info, held.clock.step, simulation.state(lane),
      {sample[Quantity::energy_error], sample[Quantity::work]});
  drifts_[index].add(simulation.elapsed(), sample[Quantity::energy_error], error,
                     sample[Quantity::kinetic_energy]);
  return error;
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
      if (extras_.shadow) {
        if (!named_) named.emplace_back();
        named.back().push_back(begun ? modified_energy_error(simulation, i) : std::nan(""));
      }
      if (extras_.vectors == 0) continue;
      for (const double value : exponent_values(simulation, i, extras_.vectors))
        exponents.push_back(value);
    }
    csv_->write(csv_row(simulation.system_info(), samples, named, exponents));
  }
  trajectories_.row(simulation);
  pairs_.row(simulation);
  if (page_rows_) page_rows_->add(simulation);
}

void RunOutputs::rows(const Simulation& simulation) {
  if (!csv_) return;
  std::vector<Sample> samples(static_cast<std::size_t>(lanes_));
  for (const Sample& sample : simulation.rows().samples()) {
    samples.assign(samples.size(), missing_sample(sample[Quantity::time]));
    samples[0] = sample;
    csv_->write(csv_row(simulation.system_info(), samples));
  }
}

bool RunOutputs::failed() const {
  return (csv_ && csv_->failed()) || (live_ && !live_->written()) || trajectories_.failed() ||
         std::any_of(points_.begin(), points_.end(),
                     [](const DescribedFile& file) { return file.failed(); });
}

std::optional<TurningFrame> RunOutputs::frame_in(const Simulation& simulation) {
  if (!frame_) return {};
  const auto frame = turning_frame(*frame_, simulation.record(), *simulation.system());
  if (frame) return *frame;
  notes_.push_back(not_turning(frame.error().message));
  return {};
}

Result<void> RunOutputs::commit_page(Simulation& simulation,
                                     const std::optional<TurningFrame>& frame) {
  const Snapshot end = snapshot(simulation);
  const Scenario& record = simulation.record();
  render::SceneStyle style;
  style.frame = frame;
  style.layer = layer_;
  if (layer_)
    if (std::string missing = missing_layer(*layer_, *simulation.system()); !missing.empty())
      notes_.push_back(std::move(missing));
  const auto drawn =
      page_by_module({.end = end,
                      .record = record,
                      .markers = simulation.markers(),
                      .rows = *page_rows_,
                      .texts = {.scenario = scenario_of_page(scenario_, preset_, record),
                                .file = scenario_name_of_page(scenario_, record)},
                      .style = style,
                      .limits = page_limits_});
  if (!drawn) return Error{drawn.error().kind, "--html", drawn.error().message};
  const std::vector<std::string> notes = notes_of(*drawn);
  notes_.insert(notes_.end(), notes.begin(), notes.end());
  page_->write(drawn->page.html);
  return page_->commit();
}

Result<void> RunOutputs::commit_gltf(Simulation& simulation,
                                     const std::optional<TurningFrame>& frame) {
  const auto run = gltf_by_module(snapshot(simulation), simulation.record(), *page_rows_, frame);
  if (!run) return Error{run.error().kind, "--gltf", run.error().message};
  if (frame && !run->turns) notes_.push_back("glTF: " + not_turning("turns too often for a file"));
  if (run->error > render::gltf_error)
    notes_.push_back(
        fmt::format("glTF: {} frames; points between them are up to {:.1e} of the scene's radius "
                    "from their places",
                    run->frames, run->error));
  gltf_->write(run->bytes);
  return gltf_->commit();
}

int RunOutputs::commit(Simulation& simulation, const std::string& branch, double duration,
                       std::int64_t every) {
  const Uninterrupted writing;  // of what there is, also after a signal
  for (int i = 0; i < simulation.lane_count() && !drifts_.empty(); ++i)
    if (const auto& drift = drifts_[static_cast<std::size_t>(i)]; drift.exceeds())
      notes_.push_back(fmt::format(
          "{}: the modified energy drifts by {:.3g} J, more than {} of the band of the energy "
          "error, {:.3g} J: the method does not follow a motion near this one; try a smaller step",
          simulation.lane(i).name, drift.drift(), ModifiedEnergyDrift::share, drift.band()));
  const Scenario& record = simulation.record();
  if (state_) {
    Scenario state = simulation.continuation();
    // --duration, --steps and --every apply only to this run, what events set to the next, too.
    if (state.duration == record.duration) state.duration = duration;
    state.every = stride_after(every, record.events, simulation.steps());
    state_->write(write_scenario(state));
  }
  int status = 0;
  const auto note = [&status](const Result<void>& done) {
    if (done) return;
    const int failed = report_error(done.error());
    if (status == 0) status = failed;
  };
  if (csv_) note(csv_->commit(csv_companion(record, {}, branch, extras_)));
  note(trajectories_.commit(simulation, branch));
  note(pairs_.commit(simulation, branch));
  // A lane that has not begun has none.
  const auto begun = static_cast<std::size_t>(simulation.lane_count());
  for (std::size_t i = 0; i < std::min(fields_.size(), begun); ++i) {
    SurfaceField field;
    field.update(*simulation.system(), simulation.state(static_cast<int>(i)));
    fields_[i].write(field_table(simulation.time(), field));
    note(fields_[i].commit(field_companion(record, i, branch)));
  }
  for (std::size_t i = 0; i < points_.size(); ++i)
    note(points_[i].commit(section_companion(record, *surface_, i, branch)));
  if (state_) note(state_->commit());
  const auto frame = frame_in(simulation);
  if (page_) note(commit_page(simulation, frame));
  if (gltf_) note(commit_gltf(simulation, frame));
  if (live_ && !live_->written() && status == 0) status = report_error(live_->written().error());
  return status;
}

}  // namespace twosphere
