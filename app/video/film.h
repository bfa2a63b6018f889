// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/run/simulation.h"
#include "render/camera.h"
#include "render/offscreen.h"
#include "render/scene_builder.h"

namespace twosphere {

/// Which frames a film has. Frame k shows the run at from + k·speed/rate, or at the first step that
/// is not before it: simulated time alone decides, so that a film is the same on every machine.
struct FilmPlan {
  static constexpr std::int64_t most_frames = 999'999;

  double from = 0, to = 0;  ///< simulated time [s]
  double rate = 30;         ///< frames per second of film
  double speed = 1;         ///< simulated per film time
  int width = 1280, height = 800;

  double time(std::int64_t frame) const { return from + static_cast<double>(frame) * speed / rate; }
  std::int64_t frames() const;
  double seconds() const { return static_cast<double>(frames()) / rate; }
};
/// Rate and speed above 0, to not before from, no more frames than a film may have. Places are the
/// options of the command line.
Result<void> check(const FilmPlan& plan);

/// What is drawn in them.
struct FilmLook {
  render::SceneStyle style;
  std::optional<render::Camera> camera;  ///< none: as the window opens the scene
  bool transparent = false;              ///< of PNG frames only
  bool legend = true;                    ///< what colours and arrows mean
  bool numbers = false;                  ///< of the bodies
  int followed = -1;                     ///< body that the camera moves along with; -1: none
};

/// Where the frames go. What is dropped without commit() leaves nothing; what was there before is
/// replaced by commit() alone.
class FilmWriter {
 public:
  virtual ~FilmWriter() = default;
  /// `stop` is asked now and then while there is something to wait for.
  virtual Result<void> frame(const render::Image& image, const std::function<bool()>& stop) = 0;
  virtual Result<void> commit() = 0;
};

enum class FilmKind { mp4, webm, mkv, gif, frames };
/// ".mp4" and so on; "/" for a folder of frames.
std::string_view suffix(FilmKind kind);

/// By the end of the path: .mp4, .webm, .mkv, .gif; or a folder of PNG files frame_000000.png …,
/// which ends in a slash or is one already.
Result<FilmKind> film_kind(const std::string& path);
/// The program that makes films of frames, or empty if there is none in PATH.
std::string ffmpeg();
/// What a film of this kind must be besides: even sides where the colours are coarser than the
/// pixels, no more than 50 frames per second of a GIF, a background in all but PNG frames.
Result<void> check(FilmKind kind, const FilmPlan& plan, bool transparent);
/// The place is tried at once. Films need ffmpeg, and on this thread a QCoreApplication or a
/// QThread.
Result<std::unique_ptr<FilmWriter>> open_film(FilmKind kind, const std::string& path,
                                              const FilmPlan& plan, bool transparent);

/// How a recording ended.
struct FilmEnd {
  std::int64_t frames = 0;  ///< written
  std::optional<StepFailure> refusal;
  std::optional<std::string> stopped;  ///< the stop condition that ended the run
  bool cut_short = false;              ///< `stop` said so
};

/// Takes the simulation through the plan's times and writes the frames; ends where a step is
/// refused, a stop condition is met, or `stop` says so, which is asked before every step. Then
/// nothing is committed yet. Needs EGL. `progress` is told how many frames are there.
Result<FilmEnd> record_film(Simulation& simulation, const FilmPlan& plan, const FilmLook& look,
                            FilmWriter& writer, const std::function<bool()>& stop,
                            const std::function<void(std::int64_t)>& progress = {});

}  // namespace twosphere
