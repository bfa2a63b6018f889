// SPDX-License-Identifier: GPL-3.0-or-later
// The frames of a video: a run as it goes from instant to instant.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/export/frame_painter.h"
#include "app/export/row_collector.h"
#include "app/export/video.h"
#include "core/base/exceptions.h"
#include "core/run/checkpoints.h"
#include "core/run/trail.h"
#include "core/scenario/timetable.h"
#include "core/worker/pacing.h"
#include "core/worker/snapshot.h"
#include "render/cells.h"

namespace twosphere {

namespace {

double trail_span(const render::SceneStyle& style) { return style.trail ? style.trail_span : 0; }

int direction_count(const Simulation& simulation) {
  return simulation.system()->size() * simulation.lane_count();
}

/// A run as a video goes through it: from instant to instant, with the trail.
class VideoRun {
 public:
  /// `directions`: of the bodies in all lanes that the run has at its start.
  VideoRun(Simulation& simulation, const render::SceneStyle& style, int directions)
      : simulation_(simulation), span_(trail_span(style)) {
    recorder_.configure(span_, directions);
  }
  /// The run is at its start.
  void begin() { record(); }
  /// The run was computed up to where it is by another one, which drew the trail.
  void resume() { recorder_.resume(simulation_.elapsed()); }

  /// Takes steps up to a time, or to the first step after it. False if the run ends before, and
  /// `end` says why. `each` is called after every step.
  bool advance(double due, const std::function<bool()>& stop, VideoEnd& end,
               const std::function<void()>& each = {}) {
    while (simulation_.elapsed() < due) {
      end.cut_short = stop();
      end.stopped = simulation_.stopped();
      if (end.cut_short || end.stopped) return false;
      end.failure = simulation_.step();
      if (end.failure && end.failure->interrupted()) {
        end.failure.reset();
        end.cut_short = true;
        return false;
      }
      if (end.failure) return false;
      record();
      if (each) each();
    }
    return true;
  }

  Snapshot now() const { return snapshot(simulation_); }
  const std::deque<Configuration>& trail() {
    drop_configurations();
    return trail_;
  }
  double time() const { return simulation_.time(); }
  FrameInstant instant() const { return {simulation_.time(), simulation_.steps()}; }

 private:
  void record() {
    if (!recorder_.due(simulation_.elapsed())) return;
    recorder_.record(simulation_, 0);
    recorder_.take(configurations_);
    for (Configuration& configuration : configurations_) trail_.push_back(std::move(configuration));
    configurations_.clear();
    drop_configurations();
  }
  void drop_configurations() {
    while (!trail_.empty() && trail_.front().t < simulation_.elapsed() - span_) trail_.pop_front();
  }

  Simulation& simulation_;
  double span_;  // [s]
  TrailRecorder recorder_;
  std::deque<Configuration> trail_;
  std::vector<Configuration> configurations_;
};

/// The other runs of a video that is split by runs, as they are at the instants of the first one.
class OtherRuns {
 public:
  explicit OtherRuns(const VideoLook& look) : look_(look) {
    if (look.style.split != Split::runs) return;
    for (const VideoCell& other : look.others) {
      auto kept = std::make_unique<Simulation>(must(Simulation::create(*other.record)));
      VideoRun run(*kept, look.style, direction_count(*kept));
      run.begin();
      list_.push_back({std::move(kept), std::move(run), {}});
    }
  }

  void advance(double due, const std::function<bool()>& stop) {
    for (Other& other : list_) {
      VideoEnd end;
      if (!other.ended && !other.run.advance(due, stop, end)) other.ended = other.run.time();
    }
  }
  /// All runs, with `run` in its place.
  std::vector<render::CellRun> cells(VideoRun& run) {
    std::vector<render::CellRun> runs;
    if (look_.style.split != Split::runs) return runs;
    for (std::size_t i = 0; i < list_.size(); ++i)
      runs.push_back({.number = look_.others[i].number,
                      .name = look_.others[i].name,
                      .color = branch_color(look_.others[i].color, look_.style.palette),
                      .snapshot = list_[i].run.now(),
                      .trail = list_[i].run.trail(),
                      .reference = look_.others[i].number == look_.reference,
                      .ended = list_[i].ended});
    runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(look_.place),
                render::CellRun{.number = look_.number,
                                .present = true,
                                .name = look_.name,
                                .color = branch_color(look_.color, look_.style.palette),
                                .snapshot = run.now(),
                                .trail = run.trail(),
                                .reference = look_.number == look_.reference});
    return runs;
  }

 private:
  struct Other {
    std::unique_ptr<Simulation> simulation;
    VideoRun run;
    std::optional<double> ended;  // at this time [s]
  };

  const VideoLook& look_;
  std::vector<Other> list_;
};

/// Draws the pictures of a video.
class VideoPainter {
 public:
  VideoPainter(const VideoPlan& plan, const VideoLook& look)
      : look_(look),
        time_step_(plan.speed / plan.rate),
        painter_(must(FramePainter::create(plan.width, plan.height, look.layout))) {}

  /// What plots show.
  void plot(PlotRows rows) { rows_ = std::move(rows); }

  /// Unless the camera is given, it shows the motion from here on; `content`: of the first picture.
  void frame(const Snapshot& first, const PictureContent& content) {
    painter_.begin(first, look_.style, look_.legend, std::exchange(rows_, {}), time_step_);
    if (look_.camera) {
      camera_ = *look_.camera;
      return;
    }
    const render::SceneStyle& style = look_.style;
    const std::size_t count = style.split == Split::runs ? 1 + look_.others.size()
                                                         : render::shown_lanes(first, style).size();
    camera_.frame(render::framing(first, style),
                  painter_.shape(style, count, look_.legend ? content.scene.bars.size() : 0));
  }

  PictureContent content(VideoRun& run, render::SceneMemory& memory,
                         std::span<const render::CellRun> runs = {}) const {
    return painter_.content(run.now(), run.trail(), look_.style, memory, runs);
  }

  render::Image draw(const PictureContent& content, const FrameInstant& now,
                     const std::function<bool()>& stop) {
    painter_.follow(content, look_.followed, camera_);
    return must(painter_.draw(content, camera_, look_.style,
                              {look_.transparent, look_.legend, look_.numbers}, now, stop));
  }

 private:
  const VideoLook& look_;
  double time_step_;  // between frames [s]
  render::Camera camera_;
  FramePainter painter_;
  std::optional<PlotRows> rows_;
};

std::size_t memory_of(const render::Scene& scene) {
  const auto of = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
  std::size_t sum = sizeof(render::Scene) + of(scene.spheres) + of(scene.dots) + of(scene.rings) +
                    of(scene.cylinders) + of(scene.cones) + of(scene.tubes) + of(scene.polylines) +
                    of(scene.shell.zones) + of(scene.mesh.colors) + of(scene.bodies) +
                    of(scene.spin_tips);
  for (const render::Tube& tube : scene.tubes) sum += of(tube.points);
  for (const render::Polyline& line : scene.polylines) sum += of(line.points);
  return sum;
}

std::size_t memory_of(const PictureContent& content) {
  std::size_t sum = memory_of(content.scene);
  for (const render::Cell& cell : content.cells.list) sum += memory_of(cell.scene);
  return sum;
}

/// Writes a picture as one or more frames, unless `stop` ends the video.
class VideoOutput {
 public:
  VideoOutput(VideoWriter& writer, const std::function<bool()>& stop,
              const std::function<void(std::int64_t)>& progress, VideoEnd& end)
      : writer_(writer), stop_(stop), progress_(progress), end_(end) {}

  void frame(const render::Image& image) {
    end_.cut_short = stop_() || !must(writer_.frame(image, stop_));
    if (end_.cut_short) return;
    ++end_.frames;
    if (progress_) progress_(end_.frames);
  }

 private:
  VideoWriter& writer_;
  const std::function<bool()>& stop_;
  const std::function<void(std::int64_t)>& progress_;
  VideoEnd& end_;
};

/// When a frame is due. With a tolerance for times that are multiples of the step except for
/// rounding.
double due(const VideoPlan& plan, std::int64_t frame, double first) {
  const double time = plan.time(frame);
  return time - 1e-9 * std::abs(time - first);
}

VideoEnd record_forwards(Simulation& simulation, const VideoPlan& plan, const VideoLook& look,
                         VideoPainter& painter, VideoWriter& writer,
                         const std::function<bool()>& stop,
                         const std::function<void(std::int64_t)>& progress) {
  VideoEnd end;
  VideoOutput output(writer, stop, progress, end);
  const double first = simulation.elapsed();
  VideoRun run(simulation, look.style, direction_count(simulation));
  run.begin();
  OtherRuns others(look);
  render::SceneMemory memory;
  std::optional<std::int64_t> drawn;  // step of the last image
  render::Image image;
  for (std::int64_t frame = 0; frame < plan.frames() && !end.cut_short; ++frame) {
    if (!run.advance(due(plan, frame, first), stop, end)) return end;
    if (drawn != simulation.steps()) {
      others.advance(due(plan, frame, first), stop);
      const PictureContent content = painter.content(run, memory, others.cells(run));
      if (!drawn) painter.frame(run.now(), content);
      image = painter.draw(content, run.instant(), stop);
      drawn = simulation.steps();
    }
    output.frame(image);
  }
  return end;
}

/// A picture of a video that plays backwards, and the first of the frames that show it, counted
/// forwards.
struct VideoShot {
  std::int64_t number = 0, frame = 0, frames = 0;
  FrameInstant instant{};
  PictureContent content;
};

/// Where a stretch of pictures may begin.
struct VideoMark {
  std::int64_t number = 0, frame = 0;  // of the picture, counted forwards
  double elapsed = 0;                  // [s]
  render::SceneScales scales;          // of the pictures before it
};

/// The marks of a run: of every picture at first, then so many that they take little memory.
class VideoMarks {
 public:
  bool due(std::int64_t number) const { return number % apart_ == 0; }
  void add(VideoMark mark) {
    constexpr std::size_t max_states = 512;
    list_.push_back(std::move(mark));
    if (list_.size() < max_states) return;
    apart_ *= 2;
    std::erase_if(list_, [this](const VideoMark& old) { return old.number % apart_ != 0; });
  }
  const VideoMark& before(std::int64_t number) const {
    const auto next =
        std::upper_bound(list_.begin(), list_.end(), number,
                         [](std::int64_t n, const VideoMark& mark) { return n < mark.number; });
    return *(next - 1);
  }

 private:
  std::vector<VideoMark> list_;  // ascending; the first is of picture 0
  std::int64_t apart_ = 1;
};

VideoEnd record_backwards(Simulation& simulation, const VideoPlan& plan, const VideoLook& look,
                          VideoPainter& painter, VideoWriter& writer,
                          const std::function<bool()>& stop,
                          const std::function<void(std::int64_t)>& progress,
                          std::size_t max_bytes) {
  VideoEnd end;
  const double first = simulation.elapsed();
  const int width = direction_count(simulation);
  render::SceneMemory memory;

  // The whole run, for checkpoints and scales.
  Checkpoints checkpoints;
  VideoMarks marks;
  std::int64_t left = 0, left_shots = 0;  // frames and pictures not written yet
  std::size_t largest = 1;                // of the pictures [bytes]
  {
    const Clock::time_point begun = Clock::now();
    const auto record = [&] {
      const Clock::duration taken = Clock::now() - begun;
      if (checkpoints.due(taken))
        checkpoints.add(std::make_shared<const RunCheckpoint>(simulation.checkpoint()), taken);
    };
    record();
    VideoRun run(simulation, look.style, width);
    run.begin();
    std::optional<std::int64_t> seen;
    for (; left < plan.frames(); ++left) {
      if (!run.advance(due(plan, left, first), stop, end, record)) break;
      if (seen == simulation.steps()) continue;
      if (marks.due(left_shots)) marks.add({left_shots, left, simulation.elapsed(), memory});
      const PictureContent content = painter.content(run, memory);
      if (!seen) painter.frame(run.now(), content);
      seen = simulation.steps();
      largest = std::max(largest, memory_of(content));
      ++left_shots;
    }
    if (end.cut_short) return end;
  }

  const Timetable table(simulation.record());
  VideoOutput output(writer, stop, progress, end);
  const auto room = static_cast<std::int64_t>(std::max<std::size_t>(max_bytes / largest, 1));
  while (left > 0) {
    const VideoMark& mark = marks.before(std::max<std::int64_t>(left_shots - room, 0));
    // Two steps more than the trail is long, as the nearest step may be the next one.
    const double before = mark.elapsed - first - trail_span(look.style);
    const auto from = checkpoints.before(std::max<std::int64_t>(table.step_after(before) - 2, 0));
    Simulation again = Simulation::at(simulation.record(), *from);
    VideoRun run(again, look.style, width);
    if (from->step() > 0)
      run.resume();
    else
      run.begin();
    std::deque<VideoShot> shots;
    std::size_t bytes = 0;
    std::int64_t number = mark.number;
    for (std::int64_t frame = mark.frame; frame < left; ++frame) {
      VideoEnd cut;
      if (!run.advance(due(plan, frame, first), stop, cut)) {
        end.cut_short = cut.cut_short;
        end.failure = cut.failure;
        return end;
      }
      if (frame == mark.frame) static_cast<render::SceneScales&>(memory) = mark.scales;
      if (shots.empty() || shots.back().instant.step != again.steps()) {
        shots.push_back({number++, frame, 0, run.instant(), painter.content(run, memory)});
        bytes += memory_of(shots.back().content);
        for (; bytes > max_bytes && shots.size() > 1; shots.pop_front())
          bytes -= memory_of(shots.front().content);
      }
      ++shots.back().frames;
    }
    left = shots.front().frame;
    left_shots = shots.front().number;
    for (; !shots.empty(); shots.pop_back()) {
      const render::Image image = painter.draw(shots.back().content, shots.back().instant, stop);
      for (std::int64_t k = 0; k < shots.back().frames; ++k) {
        output.frame(image);
        if (end.cut_short) return end;
      }
    }
  }
  return end;
}

/// Lets the lanes of a view be compared with those of another run, which is repeated up to `ends`.
/// False if `stop` has ended that.
bool compare_with_run(const Scenario& record, double ends, const VideoLook& look,
                      const std::function<bool()>& stop, RunView& view) {
  Simulation run = must(Simulation::create(record));
  RowCollector rows(run, {});
  rows.record(run);
  while (run.elapsed() < ends && !run.stopped()) {
    if (stop()) return false;
    const auto failure = run.step();
    if (failure && failure->interrupted()) return false;
    if (failure) break;
    rows.record(run);
  }
  const auto lane = static_cast<std::size_t>(std::max(look.style.reference, 0));
  view.reference = std::make_shared<const std::vector<History>>(rows.view(run, lane).lanes);
  for (std::size_t i = 0; i < view.lanes.size(); ++i)
    view.lanes[i].compare_with(i < view.reference->size() ? &(*view.reference)[i] : nullptr);
  return true;
}

/// The rows of a run up to the end of a video, and the times that its frames pass. None if `stop`
/// has ended the computation; where the run ends earlier, up to there.
std::optional<PlotRows> rows_for_video(const Scenario& record, const VideoPlan& plan,
                                       const VideoLook& look, const std::function<bool()>& stop) {
  Simulation run = must(Simulation::create(record));
  RowCollector rows(run, look.layout.plots);
  rows.record(run);
  const double first = run.elapsed(), begins = due(plan, 0, first),
               ends = due(plan, plan.frames() - 1, first);
  std::optional<ui::Interval> times;
  const auto pass = [&] {
    if (run.elapsed() < begins) return;
    const double t = run.time();
    times = times ? ui::Interval{std::min(times->low, t), std::max(times->high, t)}
                  : ui::Interval{t, t};
  };
  pass();
  while (run.elapsed() < ends && !run.stopped()) {
    if (stop()) return {};
    const auto failure = run.step();
    if (failure && failure->interrupted()) return {};
    if (failure) break;
    rows.record(run);
    pass();
  }
  PlotRows made{rows.view(run, static_cast<std::size_t>(std::max(look.style.reference, 0))),
                times.value_or(ui::Interval{run.time(), run.time()})};
  if (!(made.times.span() > 0)) made.times.high = made.times.low + run.grid_step();
  const auto of_distance = [](const ui::PlotSpec& plot) {
    const std::vector<Signal> all = plot.all_signals();
    return std::find(all.begin(), all.end(), Signal::distance()) != all.end();
  };
  const std::vector<ui::PlotSpec>& plots = look.layout.plots;
  if (look.compared && std::any_of(plots.begin(), plots.end(), of_distance)) {
    if (!compare_with_run(*look.compared->record, ends, look, stop, made.run)) return {};
    made.compared = look.compared->name;
  }
  return made;
}

}  // namespace

Result<VideoEnd> record_video(Simulation& simulation, const VideoPlan& plan, const VideoLook& look,
                              VideoWriter& writer, const std::function<bool()>& stop,
                              const std::function<void(std::int64_t)>& progress,
                              std::size_t max_bytes) try {
  VideoPainter painter(plan, look);
  if (look.layout.has_plots()) {
    auto rows = rows_for_video(simulation.record(), plan, look, stop);
    if (!rows) {
      VideoEnd end;
      end.cut_short = true;
      return end;
    }
    painter.plot(std::move(*rows));
  }
  return plan.backwards
             ? record_backwards(simulation, plan, look, painter, writer, stop, progress, max_bytes)
             : record_forwards(simulation, plan, look, painter, writer, stop, progress);
} catch (const Failure& failure) {
  return failure.error();
}

}  // namespace twosphere
