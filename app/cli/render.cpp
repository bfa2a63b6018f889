// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <QCoreApplication>
#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "app/base/signals.h"
#include "app/cli/subcommand.h"
#include "app/cli/terminal_line.h"
#include "app/export/picture.h"
#include "app/export/video.h"
#include "app/scene/legend_writer.h"
#include "core/base/file.h"
#include "core/base/parse_number.h"
#include "core/base/text.h"
#include "core/run/trail.h"
#include "render/painter.h"
#include "render/scene_builder.h"

namespace twosphere {

namespace {

/// The options of `twosphere render`, as written on the command line. duration, steps and every of
/// PlanOptions remain unset.
struct PictureOptions : PlanOptions {
  std::string time, png;                    ///< for a picture
  std::string video, from, to, fps, speed;  ///< for a video
  std::string follow;                       ///< a body, numbered from 1
  std::string size, trail, color, color_map, arrows;
  bool light = false, transparent = false, no_ground = false, quiet = false;
  bool field = false, numbers = false, no_legend = false;
  bool backwards = false;  ///< a video
};

using json::quote;
using json::shortest;
using render::Painter;

constexpr double max_observed = 1000;  // number of states used for the ends of the scales

struct Size {
  int width = 1280, height = 800;
};

Result<Size> read_size(const std::string& text) {
  if (text.empty()) return Size();
  const std::vector<std::string> numbers = split(text, 'x');
  const auto width = parse_number<int>(numbers.front()), height = parse_number<int>(numbers.back());
  if (numbers.size() == 2 && width && height && std::min(*width, *height) >= Painter::smallest &&
      std::max(*width, *height) <= Painter::largest)
    return Size{*width, *height};
  return Error{ErrorKind::usage, "--size",
               fmt::format("must be WIDTHxHEIGHT with each from {} to {} pixels, not {}",
                           Painter::smallest, Painter::largest, quote(text))};
}

using Names = std::vector<std::string>;

Error not_one_of(const char* option, std::string_view given, const Names& names) {
  return {ErrorKind::usage, option,
          fmt::format("must be one of {}, not {}", fmt::join(names, ", "), quote(given))};
}

Names shade_names() {
  Names names{std::string(automatic_shade)};
  for (std::size_t i = 0; i < shade_count; ++i)
    if (const ShadeInfo& s = info(static_cast<Shade>(i)); s.of_bodies) names.emplace_back(s.key);
  return names;
}

Names color_map_names() {
  Names names;
  for (const ColorMap m : color_maps) names.emplace_back(key(m));
  return names;
}

Names arrow_names() {
  Names names;
  for (const BodyVectorInfo& v : body_vectors()) names.emplace_back(v.key);
  return names;
}

/// The quantity shown by colours; the inner optional is empty for the default.
Result<std::optional<Shade>> read_shade(std::string_view text) {
  if (is_automatic_shade(text)) return std::optional<Shade>();
  for (std::size_t i = 0; i < shade_count; ++i)
    if (const ShadeInfo& s = info(static_cast<Shade>(i)); s.of_bodies && s.key == text)
      return std::optional(static_cast<Shade>(i));
  return not_one_of("--color", text, shade_names());
}

Result<render::SceneStyle> read_style(const PictureOptions& options) {
  render::SceneStyle style{.ground = !options.no_ground,
                           .palette = options.light ? Palette::light : Palette::dark,
                           .field = options.field};
  if (!options.color.empty()) {
    const auto shade = read_shade(options.color);
    if (!shade) return shade.error();
    style.shade = *shade;
  }
  if (!options.color_map.empty()) {
    const auto found = std::find_if(color_maps.begin(), color_maps.end(),
                                    [&](ColorMap m) { return key(m) == options.color_map; });
    if (found == color_maps.end())
      return not_one_of("--color-map", options.color_map, color_map_names());
    style.color_map = *found;
  }
  for (std::string_view rest = options.arrows; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    const auto vectors = body_vectors();
    const auto found = std::find_if(vectors.begin(), vectors.end(),
                                    [&](const BodyVectorInfo& v) { return v.key == name; });
    if (found == vectors.end()) return not_one_of("--arrows", name, arrow_names());
    style.arrows[static_cast<std::size_t>(found - vectors.begin())] = true;
  }
  if (options.trail.empty()) return style;
  const auto span = number(options.trail, "--trail", "s");
  if (!span) return span.error();
  if (*span < 0)
    return Error{ErrorKind::usage, "--trail",
                 fmt::format("must be 0 s or more, not {}", shortest(*span))};
  style.trail_span = *span;
  return style;
}

/// The body that the camera follows, numbered from 0; -1: none.
Result<int> read_follow(const std::string& text, const Simulation& simulation) {
  if (text.empty()) return -1;
  const int bodies = simulation.system()->size();
  const auto body = parse_number<int>(text);
  if (body && *body >= 1 && *body <= bodies) return *body - 1;
  return Error{
      ErrorKind::usage, "--follow",
      fmt::format("must be the number of a body, from 1 to {}, not {}", bodies, quote(text))};
}

/// Fails if a time cannot be reached.
Result<void> check_time(double time, const char* option, const Simulation& simulation) {
  const double first = simulation.time(), h = simulation.grid_step();
  if (time < first)
    return Error{ErrorKind::usage, option,
                 fmt::format("must be at least {} s, the start of the scenario, not {}",
                             shortest(first), shortest(time))};
  constexpr double max_steps = 9007199254740992;  // 2^53
  if ((time - first) / h > max_steps)
    return Error{ErrorKind::usage, option,
                 fmt::format("is more than 2^53 steps of {} s", shortest(h))};
  return {};
}

/// Steps up to a time and updates the trail and the scales. Returns the exit status.
int advance(Simulation& simulation, double time, const render::SceneStyle& style,
            std::vector<Configuration>& trail, render::SceneMemory& memory) {
  TrailRecorder recorder;
  recorder.configure(style.trail_span, simulation.system()->size() * simulation.lane_count());
  const double first = simulation.elapsed(), last = time - 1e-9 * (time - first);
  const double pause = (time - first) / max_observed;
  double next = first;
  const auto record = [&] {
    if (recorder.due(simulation.elapsed())) recorder.record(simulation, 0);
    if (simulation.elapsed() < next) return;
    next += pause;
    render::observe(*simulation.system(), simulation.state(0), 0, style, memory);
  };
  record();
  // Tolerance for times that are multiples of the step except for rounding.
  while (simulation.elapsed() < last) {
    if (const auto failure = simulation.step())
      return report_error({ErrorKind::numerical, "", failure->message});
    record();
    if (caught_signal() != 0) return signal_status();
  }
  recorder.take(trail);
  return 0;
}

/// Fails if a picture cannot have this name. Standard output and devices have others.
Result<void> check_picture(const PictureOptions& options) {
  if (auto checked = check_output(options, options.png, "--png"); !checked) return checked;
  if (options.png == "-" || options.png.starts_with("/dev/") || options.png.ends_with(".png"))
    return {};
  return Error{ErrorKind::usage, "--png", fmt::format("{} must end in .png", quote(options.png))};
}

/// Simulates up to a time and draws the scene with the default camera of the window, without
/// window, display or Qt graphics. Returns the exit status; messages go to standard error.
int draw_picture(const PictureOptions& options) {
  if (auto checked = check_picture(options); !checked) return report_error(checked.error());
  const auto time = number(options.time, "--time", "s");
  if (!time) return report_error(time.error());
  const auto size = read_size(options.size);
  if (!size) return report_error(size.error());
  auto looks = read_style(options);
  if (!looks) return report_error(looks.error());
  const render::SceneStyle& style = *looks;

  std::vector<std::string> warnings, notes;
  auto planned = plan_run(options, warnings, notes);
  print_messages(warnings);
  if (!planned) return report_error(planned.error());
  Simulation& simulation = planned->simulation;
  const double first = simulation.time();
  if (auto fine = check_time(*time, "--time", simulation); !fine) return report_error(fine.error());
  const auto followed = read_follow(options.follow, simulation);
  if (!followed) return report_error(followed.error());

  watch_signals();  // before there is a file to leave behind
  auto file = AtomicFile::open(options.png);
  if (!file) return report_error(file.error());
  const auto painter = Painter::create(size->width, size->height);
  if (!painter) return report_error(painter.error());
  std::vector<Configuration> configurations;
  render::SceneMemory memory;
  if (const int status = advance(simulation, *time, style, configurations, memory)) return status;
  if (const double t = simulation.elapsed();
      !options.quiet && std::abs(t - *time) > 1e-9 * (*time - first))
    print_messages({fmt::format(
        "time: {} s is not a whole number of steps of {} s after the start; the picture shows {} s",
        shortest(*time), shortest(simulation.grid_step()), shortest(t))});

  const std::deque<Configuration> trail(std::make_move_iterator(configurations.begin()),
                                        std::make_move_iterator(configurations.end()));
  const Snapshot now = snapshot(simulation);
  const render::Scene scene = render::build_scene(now, trail, style, memory);
  render::Camera camera;
  camera.frame(render::framing(now, style),
               static_cast<float>(size->width) / static_cast<float>(size->height));
  if (*followed >= 0)
    camera.follow(glm::vec3(scene.bodies.at(static_cast<std::size_t>(*followed))));
  std::unique_ptr<LegendWriter> writer;
  if (options.numbers || (!options.no_legend && has_legend(scene))) {
    auto made = LegendWriter::create((*painter)->ratio());
    if (!made) return report_error(made.error());
    writer = std::move(*made);
  }
  const render::Image image = (*painter)->paint(
      scene, camera, render::theme(style), options.transparent, [] { return caught_signal() != 0; },
      [&](const render::Tile& tile) {
        if (!writer) return;
        ui::Legend legend =
            legend_of(scene, camera, {0, 0, tile.whole_width, tile.whole_height}, options.numbers);
        if (options.no_legend) legend.bars.clear(), legend.arrows.clear(), legend.sizes.clear();
        writer->draw(legend, style.palette, tile);
      });
  if (caught_signal() != 0) return signal_status();
  const QByteArray bytes = png(image, options.transparent);
  if (bytes.isEmpty())
    return report_error({ErrorKind::input_output, options.png,
                         "there is not enough memory for a picture of this size"});
  file->write({bytes.constData(), static_cast<std::size_t>(bytes.size())});
  const auto done = file->commit();
  return done ? 0 : report_error(done.error());
}

Result<VideoPlan> read_video(const PictureOptions& options, const Simulation& simulation) {
  VideoPlan plan{.from = simulation.time(), .to = simulation.end_time()};
  for (const auto& [text, option, unit, value] :
       {std::tuple(&options.from, "--from", "s", &plan.from),
        std::tuple(&options.to, "--to", "s", &plan.to),
        std::tuple(&options.fps, "--fps", "1", &plan.rate),
        std::tuple(&options.speed, "--speed", "1", &plan.speed)}) {
    if (text->empty()) continue;
    const auto given = number(*text, option, unit);
    if (!given) return given.error();
    *value = *given;
  }
  const auto size = read_size(options.size);
  if (!size) return size.error();
  plan.backwards = options.backwards;
  plan.width = size->width;
  plan.height = size->height;
  for (const auto& [time, option] : {std::pair(plan.from, "--from"), std::pair(plan.to, "--to")})
    if (auto fine = check_time(time, option, simulation); !fine) return fine.error();
  if (auto fine = check(plan); !fine) return fine.error();
  return plan;
}

/// Likewise records a video from `from` (or the start) to `to` (or the end of the scenario).
/// Without ffmpeg the frames are written as pictures to a folder. A failed step or Ctrl-C ends the
/// video; the frames so far are kept.
int draw_video(const PictureOptions& options) {
  std::string path = options.video;
  auto kind = video_kind(path);
  if (!kind) return report_error(kind.error());
  const auto style = read_style(options);
  if (!style) return report_error(style.error());
  std::vector<std::string> warnings, notes;
  auto planned = plan_run(options, warnings, notes);
  print_messages(warnings);
  if (!planned) return report_error(planned.error());
  Simulation& simulation = planned->simulation;
  const auto plan = read_video(options, simulation);
  if (!plan) return report_error(plan.error());
  if (auto fine = check(*kind, *plan, options.transparent); !fine)
    return report_error(fine.error());
  if (auto checked = check_output(options, path, "--film"); !checked)
    return report_error(checked.error());
  const auto followed = read_follow(options.follow, simulation);
  if (!followed) return report_error(followed.error());

  // Running ffmpeg by QProcess needs an application object.
  int count = 1;
  char name[] = "twosphere";
  char* words[] = {name, nullptr};
  std::optional<QCoreApplication> application;
  if (*kind != VideoKind::frames && ffmpeg().empty()) {
    path = path.substr(0, path.rfind('.')) + '/';
    kind = VideoKind::frames;
    if (!options.quiet)
      print_messages(
          {fmt::format("film: ffmpeg was not found; the frames are written to {0}. To make a video "
                       "of them, run",
                       path),
           fmt::format("film: ffmpeg -framerate {} -i {}frame_%06d.png -pix_fmt yuv420p {}",
                       shortest(plan->rate), path, options.video)});
  } else if (*kind != VideoKind::frames) {
    application.emplace(count, words);
    std::setlocale(LC_NUMERIC, "C");
  }

  watch_signals();  // before there is a file to leave behind
  auto writer = open_video(*kind, path, *plan, options.transparent);
  if (!writer) return report_error(writer.error());
  TerminalLine progress(!options.quiet);
  const VideoLook look{*style,          {},       options.transparent, !options.no_legend,
                       options.numbers, *followed};
  const auto end = record_video(
      simulation, *plan, look, **writer, [] { return caught_signal() != 0; },
      [&](std::int64_t frame) {
        progress.show(fmt::format("frame {} of {}", frame, plan->frames()));
      });
  progress.clear();
  if (!end) return report_error(end.error());

  // The exit status is that of the first failure.
  int status = 0;
  if (end->failure) status = report_error({ErrorKind::numerical, "", end->failure->message});
  if (end->frames > 0)
    if (const auto done = (*writer)->commit(); !done && status == 0)
      status = report_error(done.error());
  if (end->cut_short && status == 0) status = signal_status();
  if (!options.quiet) {
    if (end->stopped) print_messages({"stopped: " + *end->stopped});
    if (end->frames < plan->frames())
      print_messages({fmt::format("film: {} of {} frames", end->frames, plan->frames())});
  }
  return status;
}

/// Draws a picture or a video, according to the options.
int draw(const PictureOptions& options) {
  if (const auto start = check_start(options, "render"); !start) return report_error(start.error());
  const auto first_given =
      [](std::initializer_list<std::pair<const std::string*, const char*>> all) -> const char* {
    for (const auto& [value, name] : all)
      if (!value->empty()) return name;
    return nullptr;
  };
  if (!options.video.empty()) {
    if (const char* other = first_given({{&options.time, "--time"}, {&options.png, "--png"}}))
      return report_error(misuse(other, "applies to pictures; a video takes --from and --to"));
    return draw_video(options);
  }
  if (const char* other = first_given({{&options.from, "--from"},
                                       {&options.to, "--to"},
                                       {&options.fps, "--fps"},
                                       {&options.speed, "--speed"}}))
    return report_error(misuse(other, "applies to videos; it needs --film FILE"));
  if (options.backwards)
    return report_error(misuse("--backwards", "applies to videos; it needs --film FILE"));
  if (options.time.empty())
    return report_error(misuse("--time", "the time of the picture is missing"));
  if (options.png.empty())
    return report_error(misuse("--png", "the file for the picture, or --film FILE, is missing"));
  return draw_picture(options);
}

}  // namespace

Subcommand render_subcommand() {
  const auto options = std::make_shared<PictureOptions>();
  std::vector<SubcommandOption> list = start_options(*options, "draw");
  list.insert(
      list.end(),
      {set_option(*options),
       {"--time", "T",
        "time of the picture [s], 0 or more; between two steps, the later one is shown",
        &options->time},
       {"--png", "FILE", "write the picture to this file (.png)", &options->png},
       {"--film", "FILE",
        "write a video with ffmpeg: FILE ends in .mp4, .webm, .mkv or .gif; or write PNG frames to "
        "a folder if FILE ends in / (needs no ffmpeg)",
        &options->video},
       {"--from", "T0", "time at which the video begins [s]; the default is the start",
        &options->from},
       {"--to", "T1", "time at which the video ends [s]; the default is the end of the scenario",
        &options->to},
       {"--fps", "N", "frames per second of the video; the default is 30", &options->fps},
       {"--speed", "X", "simulated seconds per second of the video; the default is 1",
        &options->speed},
       {"--backwards", "",
        "play the video backwards: the same frames, the one of T1 first and that of T0 last",
        &options->backwards},
       {"--size", "WxH",
        fmt::format("width and height [pixels], each from {} to {}; the default is 1280x800",
                    twosphere::render::Painter::smallest, twosphere::render::Painter::largest),
        &options->size},
       {"--follow", "BODY", "let the camera follow this body, counted from 1", &options->follow},
       {"--trail", "T", "duration of the trail [s], 0 for none; the default is 4", &options->trail},
       {"--color", "QUANTITY",
        "quantity shown by colour: automatic (springs by tension, a rod by bending energy, "
        "molecules by speed), lane, speed, kinetic_energy, momentum or torque",
        &options->color, shade_names()},
       {"--color-map", "NAME", "viridis (the default), cividis, or paper: blue, green, yellow, red",
        &options->color_map, color_map_names()},
       {"--arrows", "LIST",
        "arrows at every body: one or more of angular_velocity, velocity, momentum and torque, "
        "separated by commas",
        &options->arrows, arrow_names()},
       {"--field", "", "colour the unit sphere by the local kinetic energy", &options->field},
       {"--numbers", "", "show body numbers, counted from 1", &options->numbers},
       {"--no-legend", "", "omit the legend of colours and arrows", &options->no_legend},
       {"--light", "", "use a light background, for print", &options->light},
       {"--transparent", "", "omit the background: the picture has an alpha channel",
        &options->transparent},
       {"--no-ground", "", "omit the ground and its shadows", &options->no_ground},
       {"--quiet", "", "print no notes", &options->quiet}});
  return {.name = "render",
          .summary = "draw a picture or a video without a window",
          .options = std::move(list),
          .run = [options] { return draw(*options); }};
}

}  // namespace twosphere
