// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/picture_options.h"
#include "app/cli/subcommand.h"
#include "app/cli/window_module.h"
#include "core/studies/view_frame.h"
#include "render/painter.h"

namespace twosphere {

namespace {

/// Draws a picture or a video, according to the options.
int draw(const PictureOptions& options) {
  check_start(options, "render");
  const auto first_given =
      [](std::initializer_list<std::pair<const std::string*, const char*>> all) -> const char* {
    for (const auto& [value, name] : all)
      if (!value->empty()) return name;
    return nullptr;
  };
  if (!options.html.empty()) {
    if (const char* other = first_given({{&options.time, "--time"},
                                         {&options.png, "--png"},
                                         {&options.video, "--film"},
                                         {&options.fps, "--fps"},
                                         {&options.speed, "--speed"},
                                         {&options.size, "--size"},
                                         {&options.arrows, "--arrows"},
                                         {&options.compose, "--compose"},
                                         {&options.place, "--layout"},
                                         {&options.text, "--text"}}))
      throw misuse(other, "does not apply to web pages");
    for (const auto& [given, name] : {std::pair(options.backwards, "--backwards"),
                                      {options.field, "--field"},
                                      {options.no_streamlines, "--no-streamlines"},
                                      {options.numbers, "--numbers"},
                                      {options.no_legend, "--no-legend"},
                                      {options.time_label, "--time-label"},
                                      {options.transparent, "--transparent"}})
      if (given) throw misuse(name, "does not apply to web pages");
    return draw_by_module(options);
  }
  if (options.html_frames) throw misuse("--html-frames", "is of a page, which --html FILE makes");
  if (!options.video.empty()) {
    if (const char* other = first_given({{&options.time, "--time"}, {&options.png, "--png"}}))
      throw misuse(other, "applies to pictures; a video takes --from and --to");
    return draw_by_module(options);
  }
  if (const char* other = first_given({{&options.from, "--from"},
                                       {&options.to, "--to"},
                                       {&options.fps, "--fps"},
                                       {&options.speed, "--speed"}}))
    throw misuse(other, "applies to videos; it needs --film FILE");
  if (options.backwards) throw misuse("--backwards", "applies to videos; it needs --film FILE");
  if (options.time.empty()) throw misuse("--time", "the time of the picture is missing");
  if (options.png.empty())
    throw misuse("--png", "the file for the picture, or --film FILE or --html FILE, is missing");
  return draw_by_module(options);
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
       {"--html", "FILE",
        "write a web page (.html), one file that plays the run in any browser: with --light it is "
        "light, else as the browser wants",
        &options->html},
       {"--html-frames", "N", "hold at most about N frames in the page; the default is 4000",
        &options->html_frames},
       {"--from", "T0", "time at which the video or the page begins [s]; the default is the start",
        &options->from},
       {"--to", "T1",
        "time at which the video or the page ends [s]; the default is the end of the scenario",
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
       {"--frame",
        "FRAME",
        "let the view turn: orbit, with the orbit of the scenario, or AXIS:RATE, about e1, e2, e3, "
        "J or X,Y,Z at RATE [rad/s], or at the rate orbit, or line:K, that of line K of the "
        "signal; none is at rest; the default is the frame of the scenario's view",
        &options->frame,
        {orbit_rate.data(), no_turn}},
       {"--layer",
        "AXIS:K",
        "show one layer of a cubic lattice of spins alone: that with its normal along e1, e2 or e3 "
        "and the number K, counted from 1; none is the whole lattice; the default is the layer of "
        "the scenario's view",
        &options->layer,
        {no_layer}},
       {"--trail", "T", "duration of the trail [s], 0 for none; the default is 4", &options->trail},
       {"--color", "QUANTITY",
        "quantity shown by colour: automatic (springs by tension, a rod by bending energy, "
        "molecules by speed, spins by direction), lane, speed, kinetic_energy, momentum, torque, "
        "direction, or own: the quantity that the system names",
        &options->color, shade_names()},
       {"--color-axis", "AXIS",
        "axis about which directions are coloured, e1, e2 or e3 (the default): the hue is the "
        "azimuth about it, light towards it and dark away from it",
        &options->color_axis, axis_choices()},
       {"--color-map", "NAME", "viridis (the default), cividis, or paper: blue, green, yellow, red",
        &options->color_map, color_map_names()},
       {"--arrows", "LIST",
        "arrows at every body: one or more of angular_velocity, velocity, momentum and torque, "
        "separated by commas",
        &options->arrows, arrow_names()},
       {"--field", "", "colour the unit sphere by the local kinetic energy", &options->field},
       {"--no-streamlines", "", "leave out the streamlines of vortices", &options->no_streamlines},
       {"--split", "WHAT",
        "give each of the lanes, or of the runs (the scenario and its branches, without hidden "
        "ones), a cell of its own: lanes or runs",
        &options->split, split_names()},
       {"--compose", "WHAT",
        "what the picture or each frame shows: scene (the default), scene+plots or plots",
        &options->compose, compose_names()},
       {"--plot", "TEXT",
        "show this plot beside the scene, up to 4 of them: a text as in the view of a scenario, "
        "such as \"energy_error logarithmic\", or a ready-made plot, such as energies; the default "
        "is the plots that the window opens with",
        &options->plots},
       {"--layout", "WHERE",
        "place the plots right of the scene (the default), or below it: right or below",
        &options->place, place_names()},
       {"--time-label", "", "write the time above the scene", &options->time_label},
       {"--title",
        "TEXT",
        "write a title above the scene; without TEXT, that of the scenario",
        &options->title,
        {},
        {},
        implied_title},
       {"--text", "PX",
        "height of text in plots, legend, title and time [pixels]; the default is a 45th of the "
        "height of the picture, 14 or more",
        &options->text},
       {"--numbers", "", "show body numbers, counted from 1", &options->numbers},
       {"--no-legend", "", "omit the legend of lanes, colours and arrows", &options->no_legend},
       {"--light", "", "use a light background, for print", &options->light},
       {"--transparent", "", "omit the background: the picture has an alpha channel",
        &options->transparent},
       {"--no-ground", "", "omit the ground and its shadows", &options->no_ground},
       {"--quiet", "", "print no notes", &options->quiet}});
  return {.name = "render",
          .summary = "draw a picture, plots or a video without a window",
          .options = std::move(list),
          .run = [options] { return draw(*options); }};
}

}  // namespace twosphere
