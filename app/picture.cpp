// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/picture.h"

#include <fmt/format.h>

#include <QBuffer>
#include <QByteArray>
#include <QImage>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <iterator>
#include <utility>

#include "app/signals.h"
#include "core/csv.h"
#include "core/trail.h"
#include "render/painter.h"
#include "render/scene_builder.h"

namespace twosphere {

namespace {

using json::quote;
using json::shortest;
using render::Painter;

struct Size {
  int width = 1280, height = 800;
};

Result<Size> read_size(const std::string& text) {
  Size size;
  if (text.empty()) return size;
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  if (width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x') {
    const auto height = std::from_chars(width.ptr + 1, end, size.height);
    if (height.ec == std::errc{} && height.ptr == end &&
        std::min(size.width, size.height) >= Painter::smallest &&
        std::max(size.width, size.height) <= Painter::largest)
      return size;
  }
  return Error{ErrorKind::usage, "--size",
               fmt::format("must be WIDTHxHEIGHT with each from {} to {} pixels, not {}",
                           Painter::smallest, Painter::largest, quote(text))};
}

/// Steps up to a time, and keeps the trail. The exit status; 0 as long as nothing is in the way.
int advance(Simulation& simulation, double time, double span, std::vector<Pose>& trail) {
  TrailRecorder recorder;
  recorder.configure(span, simulation.system()->size() * simulation.lane_count());
  const auto record = [&] {
    if (recorder.due(simulation.time())) recorder.record(simulation, 0);
  };
  record();
  // A time that is a whole number of steps but for rounding is met.
  const double first = simulation.time(), last = time - 1e-9 * (time - first);
  while (simulation.time() < last) {
    if (const auto refusal = simulation.step())
      return complain({ErrorKind::numerical, "", refusal->message});
    record();
    if (caught_signal() != 0) return 128 + caught_signal();
  }
  recorder.take(trail);
  return 0;
}

/// What the scene builder looks at.
Snapshot snapshot(const Simulation& simulation) {
  Snapshot made;
  made.t = simulation.time();
  made.system = simulation.system();
  for (int i = 0; i < simulation.lane_count(); ++i) {
    Snapshot::LaneView& view = made.lanes.emplace_back();
    view.name = simulation.lane(i).name;
    view.info = simulation.lane(i).info;
    view.state = simulation.lane(i).state;
  }
  return made;
}

/// Empty if there is no memory for it.
QByteArray png(const render::Image& image, bool transparent) {
  const QImage whole(image.pixels.data(), image.width, image.height, 4 * image.width,
                     QImage::Format_RGBA8888);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  const bool done =
      (transparent ? whole : whole.convertToFormat(QImage::Format_RGB888)).save(&buffer, "PNG");
  return done ? bytes : QByteArray();
}

}  // namespace

int draw_picture(const PictureOptions& options) {
  const auto time = number(options.time, "--time");
  if (!time) return complain(time.error());
  const auto size = read_size(options.size);
  if (!size) return complain(size.error());
  render::SceneStyle style{.ground = !options.no_ground,
                           .palette = options.light ? Palette::light : Palette::dark};
  if (!options.trail.empty()) {
    const auto span = number(options.trail, "--trail");
    if (!span) return complain(span.error());
    if (*span < 0)
      return complain({ErrorKind::usage, "--trail",
                       fmt::format("must be 0 s or more, not {}", shortest(*span))});
    style.trail_span = *span;
  }

  std::vector<std::string> warnings, notes;
  auto planned = plan_run(options, warnings, notes);
  tell(warnings);
  if (!planned) return complain(planned.error());
  Simulation& simulation = planned->simulation;
  const double first = simulation.time(), h = simulation.lane(0).step;
  if (*time < first)
    return complain({ErrorKind::usage, "--time",
                     fmt::format("must be {} s or more, where the scenario starts, not {}",
                                 shortest(first), shortest(*time))});
  constexpr double most_steps = 9007199254740992;  // 2^53
  if ((*time - first) / h > most_steps)
    return complain(
        {ErrorKind::usage, "--time", fmt::format("is more than 2^53 steps of {} s", shortest(h))});

  watch_signals();  // before there is a file to leave behind
  auto file = AtomicFile::open(options.png);
  if (!file) return complain(file.error());
  const auto painter = Painter::create(size->width, size->height);
  if (!painter) return complain(painter.error());
  std::vector<Pose> poses;
  if (const int status = advance(simulation, *time, style.trail_span, poses)) return status;
  if (const double t = simulation.time();
      !options.quiet && std::abs(t - *time) > 1e-9 * (*time - first))
    tell(
        {fmt::format("time: {} s is not a whole number of steps of {} s from the start: the "
                     "picture shows {} s",
                     shortest(*time), shortest(simulation.lane(0).step), shortest(t))});

  const std::deque<Pose> trail(std::make_move_iterator(poses.begin()),
                               std::make_move_iterator(poses.end()));
  const render::Scene scene = render::build_scene(snapshot(simulation), trail, style);
  render::Camera camera;
  camera.frame(scene.center, scene.radius,
               static_cast<float>(size->width) / static_cast<float>(size->height));
  const render::Image image =
      (*painter)->paint(scene, camera, render::theme(style), options.transparent,
                        [] { return caught_signal() != 0; });
  if (caught_signal() != 0) return 128 + caught_signal();
  const QByteArray bytes = png(image, options.transparent);
  if (bytes.isEmpty())
    return complain({ErrorKind::input_output, options.png, "no memory for a picture of this size"});
  file->write({bytes.constData(), static_cast<std::size_t>(bytes.size())});
  const auto done = file->commit();
  return done ? 0 : complain(done.error());
}

}  // namespace twosphere
