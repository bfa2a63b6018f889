// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/frame_layout.h"
#include "core/run/simulation.h"
#include "render/camera.h"
#include "render/offscreen.h"
#include "render/scene_builder.h"

namespace twosphere {

/// The frames of a video. Frame k shows the run at time from + k·speed/rate of
/// Simulation::elapsed(), or at the first step after it; a video that plays backwards has the same
/// frames in the opposite order. They depend only on simulated time, so a video is the same on
/// every machine.
struct VideoPlan {
  static constexpr std::int64_t max_frames = 999'999;

  double from = 0, to = 0;  ///< simulated time [s]
  double rate = 30;         ///< frames per second
  double speed = 1;         ///< simulated time per video time
  int width = 1280, height = 800;
  bool backwards = false;

  /// Of frame k of the video that plays forwards.
  double time(std::int64_t frame) const { return from + static_cast<double>(frame) * speed / rate; }
  std::int64_t frames() const;
  double seconds() const { return static_cast<double>(frames()) / rate; }
};
/// Fails unless rate and speed are positive, `to` is not before `from`, and the number of frames is
/// at most max_frames. Errors refer to the options of the command line.
Result<void> check(const VideoPlan& plan);

/// Another run that has a cell in the frames.
struct VideoCell {
  std::string name;
  int color = 0;  ///< branch_color()
  std::shared_ptr<const Scenario> record;
  int number = 0;  ///< Cell::shows
};

/// What the user chooses of frames beside their size.
struct FrameOptions {
  FrameLayout layout{};
  bool legend = true;        ///< lanes, scales of colours and arrows
  bool transparent = false;  ///< of the scene alone, in PNG
  int followed = -1;         ///< body that the camera follows, from 0; -1: none
};

/// The content of the frames.
struct VideoLook {
  render::SceneStyle style;
  std::optional<render::Camera> camera;  ///< none: the default of the window
  bool transparent = false;              ///< for PNG frames only
  bool legend = true;                    ///< scales of colours and arrows
  bool numbers = false;                  ///< numbers of the bodies
  int followed = -1;                     ///< body that the camera follows; -1: none
  // If the style is split by runs, which is not played backwards: the run itself, and the others.
  std::string name = "run 1";
  int color = 0;
  std::vector<VideoCell> others{};
  std::size_t place = 0;  ///< its cell follows so many of theirs
  int number = 0;         ///< Cell::shows of the run itself
  int reference = -1;     ///< the number of that from which distances are measured; -1: the first
  FrameLayout layout{};
  std::optional<VideoCell> compared{};  ///< the run that plots measure distances from; none: itself
};

/// Receives the frames. An existing video is replaced only by commit(); without it nothing is left.
class VideoWriter {
 public:
  virtual ~VideoWriter() = default;
  /// Adds a frame; `stop` is called from time to time meanwhile. Returns whether it was added: once
  /// `stop` returns true it need not be.
  virtual Result<bool> frame(const render::Image& image, const std::function<bool()>& stop) = 0;
  virtual Result<void> commit() = 0;
};

enum class VideoKind { mp4, webm, mkv, gif, frames };
/// ".mp4" and so on; "/" for a folder of frames.
std::string_view suffix(VideoKind kind);

/// The kind of video by the end of the path: .mp4, .webm, .mkv, .gif; or a folder of PNG files
/// frame_000000.png …, if the path ends in a slash or is an existing folder.
Result<VideoKind> video_kind(const std::string& path);
/// The path of ffmpeg, or empty if it is not in PATH.
std::string ffmpeg();
/// Further conditions of a kind: even width and height with chroma subsampling, at most 50 frames
/// per second of a GIF, transparency only in PNG frames.
Result<void> check(VideoKind kind, const VideoPlan& plan, bool transparent);
/// Fails if the path is not writable. Videos need ffmpeg, and a QCoreApplication.
Result<std::unique_ptr<VideoWriter>> open_video(VideoKind kind, const std::string& path,
                                                const VideoPlan& plan, bool transparent);

/// How a recording ended.
struct VideoEnd {
  std::int64_t frames = 0;  ///< written
  std::optional<StepFailure> failure;
  std::optional<std::string> stopped;  ///< the stop condition that ended the run
  bool cut_short = false;              ///< `stop` returned true
};

/// For the pictures that a video that plays backwards keeps until they are drawn [bytes].
inline constexpr std::size_t video_memory = std::size_t{96} << 20;

/// Runs the simulation from its start through the times of the plan and writes the frames, without
/// commit(). Ends early if a step fails, a stop condition is met, or `stop`, called before every
/// step, returns true. Needs EGL, unless the frames are without a scene; with plots, a title or the
/// time, a QGuiApplication. `progress` is called with the number of frames.
///
/// Plots show the whole interval in every frame: for them the run is computed to its end first.
///
/// To play backwards the run is stepped to its end first. From there stretches of it are computed
/// again from checkpoints, each so long that its pictures take `max_bytes` at most, and drawn from
/// their ends: the memory does not grow with the video, and every step is taken about twice. If
/// the run ends early, its last picture is the first frame.
Result<VideoEnd> record_video(Simulation& simulation, const VideoPlan& plan, const VideoLook& look,
                              VideoWriter& writer, const std::function<bool()>& stop,
                              const std::function<void(std::int64_t)>& progress = {},
                              std::size_t max_bytes = video_memory);

}  // namespace twosphere
