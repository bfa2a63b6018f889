// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/render_pictures.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <algorithm>
#include <clocale>
#include <cmath>
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
#include "app/export/frame_layout.h"
#include "app/export/frame_painter.h"
#include "app/export/row_collector.h"
#include "app/export/video.h"
#include "app/figures/offscreen_application.h"
#include "app/scene/picture_painter.h"
#include "app/session/run_opening.h"
#include "core/base/comma_list.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/base/parse_number.h"
#include "core/base/png.h"
#include "core/base/text.h"
#include "core/output/body_quantity.h"
#include "core/run/trail.h"
#include "core/scenario/document.h"
#include "core/studies/view_frame.h"
#include "core/worker/snapshot.h"
#include "render/cells.h"
#include "render/painter.h"
#include "render/scene_builder.h"

namespace twosphere {

namespace {

using json::quote;
using json::shortest;
using render::Painter;

constexpr double max_observed = 1000;  // number of states used for the ends of the scales

struct Size {
  int width = 1280, height = 800;
};

Size read_size(const std::string& text) {
  if (text.empty()) return Size();
  const std::vector<std::string> numbers = split(text, 'x');
  const auto width = parse_number<int>(numbers.front()), height = parse_number<int>(numbers.back());
  if (numbers.size() == 2 && width && height && std::min(*width, *height) >= Painter::smallest &&
      std::max(*width, *height) <= Painter::largest)
    return Size{*width, *height};
  throw Failure({ErrorKind::usage, "--size",
                 fmt::format("must be WIDTHxHEIGHT with each from {} to {} pixels, not {}",
                             Painter::smallest, Painter::largest, quote(text))});
}

using Names = std::vector<std::string>;

Failure not_one_of(const char* option, std::string_view given, const Names& names) {
  return Failure({ErrorKind::usage, option,
                  fmt::format("must be one of {}, not {}", fmt::join(names, ", "), quote(given))});
}

/// The place among these names of the one that an option gives.
std::size_t place_of(std::string_view given, const char* option, const Names& names) {
  const auto found = std::find(names.begin(), names.end(), given);
  if (found == names.end()) throw not_one_of(option, given, names);
  return static_cast<std::size_t>(found - names.begin());
}

/// The quantity shown by colours; empty for the default.
std::optional<Shade> read_shade(std::string_view text) {
  if (is_automatic_shade(text)) return {};
  for (std::size_t i = 0; i < shade_count; ++i)
    if (const ShadeInfo& s = info(static_cast<Shade>(i)); s.of_bodies && s.key == text)
      return static_cast<Shade>(i);
  throw not_one_of("--color", text, shade_names());
}

Split read_split(const PictureOptions& options) {
  if (options.split.empty()) return Split::none;
  return place_of(options.split, "--split", split_names()) == 0 ? Split::lanes : Split::runs;
}

}  // namespace

render::SceneStyle read_style(const PictureOptions& options) {
  render::SceneStyle style{.ground = !options.no_ground,
                           .palette = options.light ? Palette::light : Palette::dark,
                           .field = options.field,
                           .streamlines = !options.no_streamlines,
                           .split = read_split(options)};
  if (!options.color.empty()) style.shade = read_shade(options.color);
  if (!options.color_map.empty())
    style.color_map = color_maps[place_of(options.color_map, "--color-map", color_map_names())];
  if (!options.color_axis.empty())
    style.color_axis =
        static_cast<int>(place_of(options.color_axis, "--color-axis", axis_choices()));
  if (!options.arrows.empty())
    for (const std::string& name : must(comma_list(options.arrows), "--arrows"))
      style.arrows[place_of(name, "--arrows", arrow_names())] = true;
  if (options.trail.empty()) return style;
  const auto span = number(options.trail, "--trail", "s");
  if (span < 0)
    throw Failure(
        {ErrorKind::usage, "--trail", fmt::format("must be 0 s or more, not {}", shortest(span))});
  style.trail_span = span;
  return style;
}

void check_style(const render::SceneStyle& style, const System& system) {
  if (const std::string_view why = why_no_kinetic_energy(system); style.field && !why.empty())
    throw misuse("--field", fmt::format("there is none: {}", why));
  if (style.shade)
    if (const std::string_view why = why_zero(*style.shade, system); !why.empty())
      throw misuse("--color", fmt::format("there are none by {}: {}", info(*style.shade).key, why));
  for (std::size_t i = 0; i < body_vector_count; ++i) {
    const auto vector = static_cast<BodyVector>(i);
    if (const std::string_view why = why_zero(vector, system); style.arrows[i] && !why.empty())
      throw misuse("--arrows", fmt::format("there are none of {}: {}", info(vector).key, why));
  }
}

void set_frame(const PictureOptions& options, const json::Node& view, const Simulation& run,
               render::SceneStyle& style) {
  if (options.frame == no_turn) return;
  const bool asked = !options.frame.empty();
  std::optional<FrameChoice> choice;
  if (asked)
    choice = must(parse_frame(options.frame), misuse_of("--frame"));
  else
    choice = must(frame_of_view(view, document_name(options)));
  if (!choice) return;
  const auto frame = turning_frame(*choice, run.record(), *run.system());
  if (frame)
    style.frame = *frame;
  else if (asked)
    must(frame, "--frame");
  else if (!options.quiet)
    print_messages({not_turning(frame.error().message)});
}

namespace {

/// The plots of the options or, without --plot, those that the window opens with.
std::vector<ui::PlotSpec> read_plots(const PictureOptions& options, const Simulation& run) {
  if (options.plots.empty()) {
    // The record of a run has no view.
    if (options.scenario == "-") return first_plots(run.record());
    std::vector<std::string> known;
    return first_plots(must(open_scenario(options.scenario, options.preset, known)));
  }
  std::vector<ui::PlotSpec> plots;
  for (const std::string& text : options.plots) {
    for (const ui::PlotSpec& plot : must(plots_named(text, run)))
      if (std::find(plots.begin(), plots.end(), plot) == plots.end()) plots.push_back(plot);
  }
  if (plots.size() > FrameLayout::max_plots)
    throw Failure({ErrorKind::usage, "--plot",
                   fmt::format("there can be at most {} plots, not {}", FrameLayout::max_plots,
                               plots.size())});
  return plots;
}

/// What stands beside the scene, and where.
FrameLayout read_layout(const PictureOptions& options, const Simulation& run) {
  FrameLayout layout;
  if (!options.plots.empty()) layout.content = FrameContent::scene_and_plots;
  if (!options.compose.empty())
    layout.content = frame_contents[place_of(options.compose, "--compose", compose_names())];
  if (!options.plots.empty() && !layout.has_plots())
    throw misuse("--plot", "has no place in --compose=scene");
  if (!options.place.empty()) {
    layout.place = plot_places[place_of(options.place, "--layout", place_names())];
    if (!layout.has_plots())
      throw misuse("--layout", "places plots; it needs --plot or --compose=scene+plots");
  }
  layout.time = options.time_label;
  if (!options.title.empty())
    layout.title = options.title == implied_title ? std::string() : options.title;
  if (!options.text.empty()) {
    if (layout.plain()) throw misuse("--text", "is the size of text in plots, title and time");
    const auto text = number(options.text, "--text", "1");
    if (!(text >= FrameLayout::smallest_text && text <= FrameLayout::largest_text))
      throw Failure({ErrorKind::usage, "--text",
                     fmt::format("must be from {} to {} pixels, not {}", FrameLayout::smallest_text,
                                 FrameLayout::largest_text, shortest(text))});
    layout.text = text;
  }
  if (layout.has_plots()) layout.plots = read_plots(options, run);
  return layout;
}

/// What text is drawn with. It stays until the process ends, as Qt must not be taken down after its
/// own objects.
void prepare_text(const FrameLayout& layout) {
  if (layout.plain()) return;
  [[maybe_unused]] static const auto* application = new Offscreen;
}

}  // namespace

int read_follow(const std::string& text, const Simulation& simulation) {
  if (text.empty()) return -1;
  const int bodies = simulation.system()->size();
  const auto body = parse_number<int>(text);
  if (body && *body >= 1 && *body <= bodies) return *body - 1;
  throw Failure(
      {ErrorKind::usage, "--follow",
       fmt::format("must be the number of a body, from 1 to {}, not {}", bodies, quote(text))});
}

namespace {

/// A run of the scenario that has its own cell: its own record, or a branch.
struct NamedRun {
  std::string name;
  int color = 0;
  Simulation simulation;
  json::Node view{};  ///< of the scenario; only of the first
};

/// The runs of the scenario that the window shows, if the picture is split by runs, its own first;
/// else that one alone. The style takes the frame and the layer of the view. Warnings and notes
/// about the plan are printed.
std::vector<NamedRun> plan_runs(const PictureOptions& options, render::SceneStyle& style) {
  std::vector<std::string> notes;
  std::vector<NamedRun> runs;
  std::vector<BranchLook> looks{BranchLook{"run 1"}};
  if (style.split == Split::runs) {
    if (!options.branch.empty()) throw misuse("--branch", "shows one run; --split runs shows all");
    if (options.scenario == "-")
      throw misuse("--split", "runs of a scenario from standard input cannot be split");
    const auto scenario = must(open_scenario(options.scenario, options.preset, notes));
    // Their names and colours are those of the window.
    RunTree tree(0);
    const OpenedRuns opened = runs_of(scenario, tree);
    looks.clear();
    for (const Branch& run : opened.families.back().branches) looks.push_back(run.look);
  }
  PlannedRun planned = planned_run(options);
  runs.push_back({looks.front().name, looks.front().color, std::move(planned.simulation),
                  std::move(planned.view)});
  for (auto look = looks.begin() + 1; look != looks.end(); ++look) {
    if (look->hidden) continue;
    PlanOptions plan = options;
    plan.branch = look->name;
    auto other = must(plan_run(plan, notes, notes));
    runs.push_back({look->name, look->color, std::move(other.simulation)});
  }
  const Simulation& first = runs.front().simulation;
  check_style(style, *first.system());
  set_frame(options, runs.front().view, first, style);
  style.layer = chosen_layer(options, runs.front().view, *first.system());
  return runs;
}

/// Fails if a picture of this size cannot be split so.
void check_split(Split split, const std::vector<NamedRun>& runs, const Size& size) {
  const auto lanes = static_cast<std::size_t>(runs.front().simulation.lane_count());
  const std::string why = PicturePainter::why_not_split(
      size.width, size.height, split, split == Split::lanes ? lanes : runs.size());
  if (!why.empty()) throw Failure({ErrorKind::usage, "--split", why});
}

/// Fails if a frame of this size cannot be composed, or its scene split so.
void check_frame(const FrameLayout& layout, Split split, const std::vector<NamedRun>& runs,
                 const Size& size, bool transparent) {
  must(check(layout, size.width, size.height, transparent));
  if (!layout.has_scene()) return;
  const FrameBox scene = scene_box(layout, size.width, size.height);
  check_split(split, runs, {scene.width, scene.height});
}

}  // namespace

void check_time(double time, const char* option, const Simulation& simulation) {
  const double first = simulation.time(), h = simulation.grid_step();
  if (time < first)
    throw Failure({ErrorKind::usage, option,
                   fmt::format("must be at least {} s, the start of the scenario, not {}",
                               shortest(first), shortest(time))});
  if ((time - first) / h > static_cast<double>(document::max_steps))
    throw Failure({ErrorKind::usage, option,
                   fmt::format("is more than 2^53 - 1 steps of {} s", shortest(h))});
}

namespace {

/// Steps up to a time and updates the trail, the scales and, unless null, the rows. Returns the
/// exit status.
int advance(Simulation& simulation, double time, const render::SceneStyle& style,
            std::vector<Configuration>& trail, render::SceneMemory& memory, RowCollector* rows) {
  TrailRecorder recorder;
  recorder.configure(style.trail_span, simulation.system()->size() * simulation.lane_count());
  const double first = simulation.elapsed(), last = time - 1e-9 * (time - first);
  const double pause = (time - first) / max_observed;
  double next = first;
  const auto record = [&] {
    if (recorder.due(simulation.elapsed())) recorder.record(simulation, 0);
    if (rows) rows->record(simulation);
    if (simulation.elapsed() < next) return;
    next += pause;
    render::observe(*simulation.system(), simulation.state(0), 0, style, memory);
  };
  record();
  // Tolerance for times that are multiples of the step except for rounding.
  while (simulation.elapsed() < last) {
    const auto failure = simulation.step();
    if (caught_signal() != 0) return signal_status();
    if (failure) throw Failure({ErrorKind::numerical, "", failure->message});
    record();
  }
  recorder.take(trail);
  return 0;
}

/// Fails if a picture cannot have this name. Standard output and devices have others.
void check_picture(const PictureOptions& options) {
  check_output(options, options.png, "--png");
  if (options.png == "-" || options.png.starts_with("/dev/") || options.png.ends_with(".png"))
    return;
  throw Failure(
      {ErrorKind::usage, "--png", fmt::format("{} must end in .png", quote(options.png))});
}

/// Simulates up to a time and draws the scene with the default camera of the window, without
/// window, display or Qt graphics. Returns the exit status; messages go to standard error.
int draw_picture(const PictureOptions& options) {
  check_picture(options);
  const auto time = number(options.time, "--time", "s");
  const auto size = read_size(options.size);
  auto style = read_style(options);
  auto runs = plan_runs(options, style);
  Simulation& simulation = runs.front().simulation;
  const auto layout = read_layout(options, simulation);
  check_frame(layout, style.split, runs, size, options.transparent);
  const double first = simulation.time();
  check_time(time, "--time", simulation);
  const auto followed = read_follow(options.follow, simulation);

  watch_signals();  // before there is a file to leave behind
  const Interruptible interruptible(signal_caught());
  auto file = must(AtomicFile::open(options.png));
  prepare_text(layout);
  auto painter = must(FramePainter::create(size.width, size.height, layout));
  std::optional<RowCollector> rows;
  if (layout.has_plots()) rows.emplace(simulation, layout.plots);
  render::SceneMemory memory;
  std::vector<render::CellRun> cells;
  for (NamedRun& run : runs) {
    std::vector<Configuration> configurations;
    render::SceneMemory own;
    const bool reference = cells.empty();
    if (const int status = advance(run.simulation, time, style, configurations,
                                   reference ? memory : own, reference && rows ? &*rows : nullptr))
      return status;
    cells.push_back({.number = static_cast<int>(cells.size()),
                     .present = reference,
                     .name = run.name,
                     .color = branch_color(run.color, style.palette),
                     .snapshot = snapshot(run.simulation),
                     .trail = {std::make_move_iterator(configurations.begin()),
                               std::make_move_iterator(configurations.end())}});
  }
  if (const double t = simulation.elapsed();
      !options.quiet && std::abs(t - time) > 1e-9 * (time - first))
    print_messages({fmt::format(
        "time: {} s is not a whole number of steps of {} s after the start; the picture shows {} s",
        shortest(time), shortest(simulation.grid_step()), shortest(t))});

  const Snapshot& now = cells.front().snapshot;
  std::optional<PlotRows> shown;
  if (rows) shown = rows_so_far(rows->view(simulation, 0), simulation.grid_step());
  painter.begin(now, style, !options.no_legend, std::move(shown), simulation.grid_step());
  const PictureContent content = painter.content(now, cells.front().trail, style, memory, cells);
  const std::size_t count =
      style.split == Split::runs ? cells.size() : render::shown_lanes(now, style).size();
  render::Camera camera;
  camera.frame(render::framing(now, style),
               painter.shape(style, count, options.no_legend ? 0 : content.scene.bars.size()));
  painter.follow(content, followed, camera);
  const auto stopped = [] { return caught_signal() != 0; };
  const auto drawn = must(painter.draw(content, camera, style,
                                       {options.transparent, !options.no_legend, options.numbers},
                                       {simulation.time(), simulation.steps()}, stopped));
  const std::string bytes = png(drawn.pixels, drawn.width, {options.transparent}, stopped);
  if (caught_signal() != 0) return signal_status();
  file.write(bytes);
  must(file.commit());
  return 0;
}

VideoPlan read_video(const PictureOptions& options, const Simulation& simulation) {
  VideoPlan plan{.from = simulation.time(), .to = simulation.end_time()};
  for (const auto& [text, option, unit, value] :
       {std::tuple(&options.from, "--from", "s", &plan.from),
        std::tuple(&options.to, "--to", "s", &plan.to),
        std::tuple(&options.fps, "--fps", "1", &plan.rate),
        std::tuple(&options.speed, "--speed", "1", &plan.speed)}) {
    if (!text->empty()) *value = number(*text, option, unit);
  }
  const auto size = read_size(options.size);
  plan.backwards = options.backwards;
  plan.width = size.width;
  plan.height = size.height;
  for (const auto& [time, option] : {std::pair(plan.from, "--from"), std::pair(plan.to, "--to")})
    check_time(time, option, simulation);
  must(check(plan));
  return plan;
}

/// Records a video from `from` (or the start) to `to` (or the end of the scenario).
/// Without ffmpeg the frames are written as pictures to a folder. A failed step or Ctrl-C ends the
/// video; the frames so far are kept.
int draw_video(const PictureOptions& options) {
  std::string path = options.video;
  auto kind = must(video_kind(path));
  auto style = read_style(options);
  auto runs = plan_runs(options, style);
  Simulation& simulation = runs.front().simulation;
  const auto plan = read_video(options, simulation);
  const auto layout = read_layout(options, simulation);
  check_frame(layout, style.split, runs, {plan.width, plan.height}, options.transparent);
  if (style.split == Split::runs && plan.backwards)
    throw misuse("--backwards", "shows one run, or its lanes; not --split runs");
  must(check(kind, plan, options.transparent));
  check_output(options, path, "--film");
  const auto followed = read_follow(options.follow, simulation);

  // Running ffmpeg by QProcess needs an application object.
  int count = 1;
  char name[] = "twosphere";
  char* words[] = {name, nullptr};
  std::optional<QCoreApplication> application;
  if (kind != VideoKind::frames && ffmpeg().empty()) {
    path = path.substr(0, path.rfind('.')) + '/';
    kind = VideoKind::frames;
    if (!options.quiet)
      print_messages(
          {fmt::format(
               "video: ffmpeg was not found; the frames are written to {0}. To make a video "
               "of them, run",
               path),
           fmt::format("video: ffmpeg -framerate {} -i {}frame_%06d.png -pix_fmt yuv420p {}",
                       shortest(plan.rate), path, options.video)});
  } else if (kind != VideoKind::frames && layout.plain()) {
    application.emplace(count, words);
    std::setlocale(LC_NUMERIC, "C");
  }

  prepare_text(layout);
  watch_signals();  // before there is a file to leave behind
  const Interruptible interruptible(signal_caught());
  auto writer = must(open_video(kind, path, plan, options.transparent));
  TerminalLine progress(!options.quiet);
  VideoLook look{style,           {},       options.transparent, !options.no_legend,
                 options.numbers, followed, runs.front().name};
  look.layout = layout;
  for (auto run = runs.begin() + 1; run != runs.end(); ++run)
    look.others.push_back({run->name, run->color,
                           std::make_shared<const Scenario>(run->simulation.record()),
                           static_cast<int>(run - runs.begin())});
  const auto recorded = record_video(
      simulation, plan, look, *writer, [] { return caught_signal() != 0; },
      [&](std::int64_t frame) {
        progress.show(fmt::format("frame {} of {}", frame, plan.frames()));
      });
  progress.clear();
  const VideoEnd end = must(recorded);

  // The exit status is that of the first failure.
  int status = 0;
  if (end.failure) status = report_error({ErrorKind::numerical, "", end.failure->message});
  if (end.frames > 0)
    if (const auto done = writer->commit(); !done && status == 0)
      status = report_error(done.error());
  if (end.cut_short && status == 0) status = signal_status();
  if (!options.quiet) {
    if (end.stopped) print_messages({"stopped: " + *end.stopped});
    if (end.frames < plan.frames())
      print_messages({fmt::format("video: {} of {} frames", end.frames, plan.frames())});
  }
  return status;
}

}  // namespace

int draw_pictures(const PictureOptions& options) {
  return options.video.empty() ? draw_picture(options) : draw_video(options);
}

}  // namespace twosphere
