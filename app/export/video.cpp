// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/video.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QProcess>
#include <QStandardPaths>
#include <QStringList>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <deque>
#include <string_view>
#include <utility>
#include <vector>

#include "app/export/picture.h"
#include "app/scene/legend_writer.h"
#include "core/base/atomic_folder.h"
#include "core/base/build.h"
#include "core/base/file.h"
#include "core/run/checkpoints.h"
#include "core/run/trail.h"
#include "core/scenario/timetable.h"
#include "render/painter.h"

namespace twosphere {

namespace {

using json::quote;
using json::shortest;

constexpr double fastest_gif = 50;  // delays in a GIF are multiples of 0.01 s, at least 0.02 s
constexpr int stop_interval = 100;  // [ms] between calls of `stop`

struct Codec {
  std::string_view suffix, container;
  std::vector<const char*> arguments;
};

// In the order of VideoKind. Bit-exact output: no dates or random numbers. Colours are sRGB and
// tagged as such.
const std::array<Codec, 4>& codecs() {
  static const std::vector<const char*> even{
      "-vf",
      "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
      "-colorspace",
      "bt709",
      "-color_primaries",
      "bt709",
      "-color_trc",
      "bt709"};
  const auto with = [](std::vector<const char*> more) {
    more.insert(more.begin(), even.begin(), even.end());
    return more;
  };
  static const std::array<Codec, 4> list{
      Codec{
          ".mp4", "mp4",
          with({"-c:v", "libx264", "-preset", "medium", "-crf", "18", "-movflags", "+faststart"})},
      Codec{".webm", "webm",
            with({"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-row-mt", "1", "-cpu-used",
                  "4"})},
      Codec{".mkv", "matroska", with({"-c:v", "libx264", "-preset", "medium", "-crf", "18"})},
      Codec{".gif",
            "gif",
            {"-filter_complex",
             "split[a][b];[a]palettegen=stats_mode=single[p];"
             "[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4"}}};
  return list;
}

class Frames : public VideoWriter {
 public:
  Frames(AtomicFolder folder, bool transparent)
      : folder_(std::move(folder)), transparent_(transparent) {}

  Result<void> frame(const render::Image& image, const std::function<bool()>&) override {
    const QByteArray bytes = png(image, transparent_);
    const std::string name = fmt::format("frame_{:06}.png", count_++);
    if (bytes.isEmpty())
      return Error{ErrorKind::input_output, name, "no memory for a picture of this size"};
    return folder_.write(name, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
  }
  Result<void> commit() override { return folder_.commit(); }

  static bool own(std::string_view name) {
    constexpr std::string_view before = "frame_", after = ".png";
    if (!name.starts_with(before) || !name.ends_with(after)) return false;
    name.remove_prefix(before.size());
    name.remove_suffix(after.size());
    return name.size() == 6 && name.find_first_not_of("0123456789") == name.npos;
  }

 private:
  AtomicFolder folder_;
  bool transparent_;
  std::int64_t count_ = 0;
};

/// Pipes frames to ffmpeg, which writes to the temporary path of an AtomicFile.
class Ffmpeg : public VideoWriter {
 public:
  Ffmpeg(std::string path, AtomicFile file) : path_(std::move(path)), file_(std::move(file)) {}
  ~Ffmpeg() override {
    if (process_.state() == QProcess::NotRunning) return;
    process_.kill();
    process_.waitForFinished(-1);
  }

  Result<void> start(const std::string& program, const Codec& codec, const VideoPlan& plan) {
    QStringList words{"-hide_banner", "-loglevel",     "error", "-y",         "-f",
                      "rawvideo",     "-pixel_format", "rgba",  "-video_size"};
    const auto add = [&words](std::string_view word) {
      words << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
    };
    add(fmt::format("{}x{}", plan.width, plan.height));
    add("-framerate");
    add(shortest(plan.rate));
    for (const char* word :
         {"-i", "-", "-an", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-metadata"})
      add(word);
    add("comment=" + program_version());
    for (const char* word : codec.arguments) add(word);
    add("-f");
    add(codec.container);
    add(file_.temporary());
    // Ctrl-C must reach only this program, which then completes the video.
    process_.setChildProcessModifier([] { (void)::setsid(); });
    process_.setStandardOutputFile(QProcess::nullDevice());
    process_.start(QString::fromStdString(program), words);
    if (!process_.waitForStarted(-1)) return died();
    return {};
  }

  Result<void> frame(const render::Image& image, const std::function<bool()>& stop) override {
    process_.write(reinterpret_cast<const char*>(image.pixels.data()),
                   static_cast<qint64>(image.pixels.size()));
    // ffmpeg encodes this frame while the next one is drawn.
    while (process_.bytesToWrite() > 0 && !stop())
      if (!process_.waitForBytesWritten(stop_interval) && process_.state() == QProcess::NotRunning)
        return died();
    return {};
  }

  Result<void> commit() override {
    process_.closeWriteChannel();
    process_.waitForFinished(-1);
    if (process_.exitStatus() != QProcess::NormalExit || process_.exitCode() != 0) return died();
    // It ends well, too, where the end of the file could not be written.
    struct stat written {};
    if (::stat(file_.temporary().c_str(), &written) != 0 || written.st_size == 0) return died();
    return file_.commit();
  }

 private:
  /// The last line of ffmpeg's messages is the reason.
  Error died() {
    QByteArray said = process_.readAllStandardError().trimmed();
    said = said.mid(said.lastIndexOf('\n') + 1);
    const bool well =
        process_.state() == QProcess::NotRunning && process_.exitStatus() == QProcess::NormalExit;
    if (said.isEmpty()) said = well ? "it wrote nothing" : process_.errorString().toUtf8();
    return {ErrorKind::input_output, path_, "ffmpeg failed: " + said.toStdString()};
  }

  std::string path_;
  AtomicFile file_;
  QProcess process_;
};

}  // namespace

std::int64_t VideoPlan::frames() const {
  return static_cast<std::int64_t>(std::floor((to - from) * rate / speed + 1e-9)) + 1;
}

Result<void> check(const VideoPlan& plan) {
  const auto positive = [](double value, const char* option) -> Result<void> {
    if (value > 0) return {};
    return Error{ErrorKind::usage, option,
                 fmt::format("must be greater than 0, not {}", shortest(value))};
  };
  if (auto fine = positive(plan.rate, "--fps"); !fine) return fine;
  if (auto fine = positive(plan.speed, "--speed"); !fine) return fine;
  if (plan.to < plan.from)
    return Error{ErrorKind::usage, "--to",
                 fmt::format("must be at least {} s, the beginning of the video, not {}",
                             shortest(plan.from), shortest(plan.to))};
  if (const double frames = (plan.to - plan.from) * plan.rate / plan.speed;
      !(frames < static_cast<double>(VideoPlan::max_frames)))
    return Error{ErrorKind::usage, "--film",
                 fmt::format("would give {:.3g} frames; at most {} are possible", frames,
                             VideoPlan::max_frames)};
  return {};
}

std::string_view suffix(VideoKind kind) {
  return kind == VideoKind::frames ? "/" : codecs()[static_cast<std::size_t>(kind)].suffix;
}

Result<VideoKind> video_kind(const std::string& path) {
  struct stat status {};
  if (path.ends_with('/') || (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)))
    return VideoKind::frames;
  for (std::size_t i = 0; i < codecs().size(); ++i)
    if (path.size() > codecs()[i].suffix.size() && path.ends_with(codecs()[i].suffix))
      return static_cast<VideoKind>(i);
  return Error{ErrorKind::usage, "--film",
               fmt::format("{} must end in .mp4, .webm, .mkv or .gif, or in / for a folder of PNG "
                           "frames",
                           quote(path))};
}

std::string ffmpeg() {
  return QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).toStdString();
}

Result<void> check(VideoKind kind, const VideoPlan& plan, bool transparent) {
  if (kind == VideoKind::frames) return {};
  if (transparent)
    return Error{ErrorKind::usage, "--transparent",
                 "only pictures and PNG frames can be transparent"};
  if (kind == VideoKind::gif) {
    if (plan.rate > fastest_gif)
      return Error{ErrorKind::usage, "--fps",
                   fmt::format("must be {} or less in a GIF, not {}", shortest(fastest_gif),
                               shortest(plan.rate))};
  } else if (plan.width % 2 != 0 || plan.height % 2 != 0) {
    return Error{ErrorKind::usage, "--size",
                 fmt::format("must be even in both directions for a video, not {}x{}", plan.width,
                             plan.height)};
  }
  return {};
}

Result<std::unique_ptr<VideoWriter>> open_video(VideoKind kind, const std::string& path,
                                                const VideoPlan& plan, bool transparent) {
  if (kind == VideoKind::frames) {
    auto folder = AtomicFolder::open(path, Frames::own);
    if (!folder) return folder.error();
    return std::unique_ptr<VideoWriter>(std::make_unique<Frames>(std::move(*folder), transparent));
  }
  auto file = AtomicFile::open(path);
  if (!file) return file.error();
  if (!file->regular()) return Error{ErrorKind::input_output, path, "is not a regular file"};
  const std::string program = ffmpeg();
  if (program.empty()) return Error{ErrorKind::input_output, path, "ffmpeg was not found"};
  auto made = std::make_unique<Ffmpeg>(path, std::move(*file));
  if (auto started = made->start(program, codecs()[static_cast<std::size_t>(kind)], plan); !started)
    return started.error();
  return std::unique_ptr<VideoWriter>(std::move(made));
}

namespace {

using Clock = std::chrono::steady_clock;

double trail_span(const render::SceneStyle& style) { return style.trail ? style.trail_span : 0; }

int direction_count(const Simulation& simulation) {
  return simulation.system()->size() * simulation.lane_count();
}

/// A run as a video goes through it: from instant to instant, with the trail.
class VideoRun {
 public:
  /// `directions`: of the bodies in all lanes that the run has at its start.
  VideoRun(Simulation& simulation, const render::SceneStyle& style, int directions)
      : simulation_(simulation), style_(style), span_(trail_span(style)) {
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
      if (end.failure) return false;
      record();
      if (each) each();
    }
    return true;
  }

  Snapshot now() const { return snapshot(simulation_); }
  render::Scene scene(render::SceneMemory& memory) {
    drop_configurations();
    return render::build_scene(now(), trail_, style_, memory);
  }

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
  const render::SceneStyle& style_;
  double span_;  // [s]
  TrailRecorder recorder_;
  std::deque<Configuration> trail_;
  std::vector<Configuration> configurations_;
};

/// Draws the scenes of a video.
class VideoPainter {
 public:
  static Result<VideoPainter> create(const VideoPlan& plan, const VideoLook& look) {
    auto painter = render::Painter::create(plan.width, plan.height);
    if (!painter) return painter.error();
    return VideoPainter(plan, look, std::move(*painter));
  }

  /// Unless the camera is given, it shows the motion from here on.
  void frame(const Snapshot& first) {
    if (look_->camera)
      camera_ = *look_->camera;
    else
      camera_.frame(render::framing(first, look_->style),
                    static_cast<float>(plan_->width) / static_cast<float>(plan_->height));
  }

  Result<render::Image> draw(const render::Scene& scene, const std::function<bool()>& stop) {
    if (look_->followed >= 0)
      camera_.follow(glm::vec3(scene.bodies.at(static_cast<std::size_t>(look_->followed))));
    if (!legends_ && (look_->numbers || (look_->legend && has_legend(scene)))) {
      auto made = LegendWriter::create(painter_->ratio());
      if (!made) return made.error();
      legends_ = std::move(*made);
    }
    const auto over = [&](const render::Tile& tile) {
      if (!legends_) return;
      ui::Legend legend =
          legend_of(scene, camera_, {0, 0, tile.whole_width, tile.whole_height}, look_->numbers);
      if (!look_->legend) legend.bars.clear(), legend.arrows.clear(), legend.sizes.clear();
      legends_->draw(legend, look_->style.palette, tile);
    };
    return painter_->paint(scene, camera_, render::theme(look_->style), look_->transparent, stop,
                           over);
  }

 private:
  VideoPainter(const VideoPlan& plan, const VideoLook& look,
               std::unique_ptr<render::Painter> painter)
      : plan_(&plan), look_(&look), painter_(std::move(painter)) {}

  const VideoPlan* plan_;
  const VideoLook* look_;
  render::Camera camera_;
  std::unique_ptr<render::Painter> painter_;
  std::unique_ptr<LegendWriter> legends_;  // destroyed before its context
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

/// Writes a picture as one or more frames, unless `stop` ends the video.
class VideoOutput {
 public:
  VideoOutput(VideoWriter& writer, const std::function<bool()>& stop,
              const std::function<void(std::int64_t)>& progress, VideoEnd& end)
      : writer_(writer), stop_(stop), progress_(progress), end_(end) {}

  Result<void> frame(const render::Image& image) {
    end_.cut_short = stop_();
    if (end_.cut_short) return {};
    if (auto written = writer_.frame(image, stop_); !written) return written.error();
    ++end_.frames;
    if (progress_) progress_(end_.frames);
    return {};
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

Result<VideoEnd> record_forwards(Simulation& simulation, const VideoPlan& plan,
                                 const VideoLook& look, VideoPainter& painter, VideoWriter& writer,
                                 const std::function<bool()>& stop,
                                 const std::function<void(std::int64_t)>& progress) {
  VideoEnd end;
  VideoOutput output(writer, stop, progress, end);
  const double first = simulation.elapsed();
  VideoRun run(simulation, look.style, direction_count(simulation));
  run.begin();
  render::SceneMemory memory;
  std::optional<std::int64_t> drawn;  // step of the last image
  render::Image image;
  for (std::int64_t frame = 0; frame < plan.frames() && !end.cut_short; ++frame) {
    if (!run.advance(due(plan, frame, first), stop, end)) return end;
    if (drawn != simulation.steps()) {
      if (!drawn) painter.frame(run.now());
      auto made = painter.draw(run.scene(memory), stop);
      if (!made) return made.error();
      image = std::move(*made);
      drawn = simulation.steps();
    }
    if (auto written = output.frame(image); !written) return written.error();
  }
  return end;
}

/// A picture of a video that plays backwards, and the first of the frames that show it, counted
/// forwards.
struct VideoShot {
  std::int64_t number = 0, frame = 0, frames = 0;
  std::int64_t step = 0;
  render::Scene scene;
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

Result<VideoEnd> record_backwards(Simulation& simulation, const VideoPlan& plan,
                                  const VideoLook& look, VideoPainter& painter, VideoWriter& writer,
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
      if (!seen) painter.frame(run.now());
      seen = simulation.steps();
      if (marks.due(left_shots)) marks.add({left_shots, left, simulation.elapsed(), memory});
      largest = std::max(largest, memory_of(run.scene(memory)));
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
      if (shots.empty() || shots.back().step != again.steps()) {
        shots.push_back({number++, frame, 0, again.steps(), run.scene(memory)});
        bytes += memory_of(shots.back().scene);
        for (; bytes > max_bytes && shots.size() > 1; shots.pop_front())
          bytes -= memory_of(shots.front().scene);
      }
      ++shots.back().frames;
    }
    left = shots.front().frame;
    left_shots = shots.front().number;
    for (; !shots.empty(); shots.pop_back()) {
      const auto image = painter.draw(shots.back().scene, stop);
      if (!image) return image.error();
      for (std::int64_t k = 0; k < shots.back().frames; ++k) {
        if (auto written = output.frame(*image); !written) return written.error();
        if (end.cut_short) return end;
      }
    }
  }
  return end;
}

}  // namespace

Result<VideoEnd> record_video(Simulation& simulation, const VideoPlan& plan, const VideoLook& look,
                              VideoWriter& writer, const std::function<bool()>& stop,
                              const std::function<void(std::int64_t)>& progress,
                              std::size_t max_bytes) {
  auto painter = VideoPainter::create(plan, look);
  if (!painter) return painter.error();
  return plan.backwards
             ? record_backwards(simulation, plan, look, *painter, writer, stop, progress, max_bytes)
             : record_forwards(simulation, plan, look, *painter, writer, stop, progress);
}

}  // namespace twosphere
