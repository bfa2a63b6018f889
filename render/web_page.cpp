// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/web_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/build.h"
#include "core/base/json.h"
#include "core/base/packing.h"
#include "core/base/xml.h"
#include "core/color/color_map.h"
#include "core/mechanics/state.h"
#include "core/output/body_quantity.h"
#include "core/output/page_rows.h"
#include "core/output/point_stream.h"
#include "core/studies/view_frame.h"
#include "embedded/page_files.h"
#include "embedded/shader_files.h"
#include "render/cells.h"
#include "render/convert.h"
#include "render/geometry_shapes.h"
#include "render/page_json.h"
#include "render/page_shapes.h"
#include "render/page_template.h"
#include "render/painter.h"
#include "render/scene_builder.h"
#include "render/scene_scales.h"

namespace twosphere::render {

namespace {

using json::Node;
using page::drawn, page::whole;

/// The times of the frames as [count, first, spacing] of runs of equal spacing.
Node time_runs(const std::vector<double>& times) {
  Node list = Node::array();
  if (times.empty()) return list;
  const double tolerance = 1e-9 * (times.back() - times.front());
  for (std::size_t i = 0; i < times.size();) {
    const double spacing = i + 1 < times.size() ? times[i + 1] - times[i] : 0;
    std::size_t count = 1;
    while (i + count < times.size() && std::abs(times[i] + static_cast<double>(count) * spacing -
                                                times[i + count]) <= tolerance)
      ++count;
    list.items.push_back(Node::numbers(std::array{static_cast<double>(count), times[i], spacing}));
    i += count;
  }
  return list;
}

/// One byte an element and frame, frame after frame of each element as differences, and what the
/// bytes mean.
Node bytes_document(const std::vector<std::vector<unsigned>>& frames, std::size_t lanes,
                    const std::function<Color(int, Palette)>& color) {
  if (frames.empty() || frames.front().empty()) return {};
  std::string bytes;
  for (std::size_t i = 0; i < frames.front().size(); ++i) {
    unsigned before = 0;
    for (const std::vector<unsigned>& frame : frames) {
      bytes += static_cast<char>((frame[i] - before) & 255);
      before = frame[i];
    }
  }
  const Node maps = Node::array(page_palettes, [&](Palette palette) {
    Node colors = Node::array();
    for (int i = 0; i < 256; ++i) colors.items.push_back(whole(color(i, palette).rgb));
    return colors;
  });
  return Node::object({{"values", base64(deflated(bytes))},
                       {"count", whole(frames.front().size() / lanes)},
                       {"map", maps}});
}

/// The colours of directions: 32 azimuths about an axis in each of 8 zones along it.
Node direction_document(const PageRows& rows, const RunPoints& points,
                        const std::vector<std::size_t>& frames, int axis) {
  constexpr int turns = 32, zones = 8;
  std::vector<std::vector<unsigned>> values;
  for (const std::size_t frame : frames) {
    values.emplace_back();
    for (std::size_t lane = 0; lane < points.begins.size(); ++lane) {
      const PageRow& row = rows.states()[std::max(frame, points.begins[lane])];
      const Columns& q = row.lanes[lane].q;
      for (Eigen::Index i = 0; i < q.cols(); ++i) {
        const AxisAngles at = color_angles(*row.system, q.col(i), axis);
        const int turn = static_cast<int>(std::lround(at.turn * turns)) % turns,
                  zone = std::clamp(static_cast<int>((at.along + 1) / 2 * zones), 0, zones - 1);
        values.back().push_back(static_cast<unsigned>(zone * turns + turn));
      }
    }
  }
  return bytes_document(values, points.begins.size(), [](int value, Palette palette) {
    const int zone = value / turns;
    return direction_color(
        {static_cast<double>(value % turns) / turns, (2.0 * zone + 1) / zones - 1}, palette);
  });
}

/// The colours by value: 255 times the place in the map. `scale` follows the first lane.
Node shade_document(Shade shade, const PageRows& rows, const RunPoints& points,
                    const std::vector<std::size_t>& frames, ColorMap map, ColorScale& scale) {
  std::vector<std::vector<double>> values;  // of each frame, lane after lane
  Geometry geometry;
  std::vector<double> of_lane;
  for (const std::size_t frame : frames) {
    values.emplace_back();
    for (std::size_t lane = 0; lane < points.begins.size(); ++lane) {
      const PageRow& row = rows.states()[std::max(frame, points.begins[lane])];
      row.system->geometry(row.lanes[lane], geometry);
      evaluate(shade, *row.system, row.lanes[lane], geometry, of_lane);
      if (lane == 0) scale.follow(0, row.elapsed, of_lane);
      values.back().insert(values.back().end(), of_lane.begin(), of_lane.end());
    }
  }
  if (values.empty() || values.front().empty()) return {};
  const double top = scale.value();
  const bool both = has_signs(shade, scale);
  std::vector<std::vector<unsigned>> places;
  for (const std::vector<double>& frame : values) {
    places.emplace_back();
    for (const double value : frame) {
      const double share = top > 0 ? value / top : 0;
      const double place = both             ? (1 + share) / 2
                           : by_root(shade) ? std::sqrt(std::max(share, 0.0))
                                            : share;
      places.back().push_back(
          static_cast<unsigned>(std::lround(255 * (place > 0 ? std::min(place, 1.0) : 0.0))));
    }
  }
  return bytes_document(places, points.begins.size(), [&](int value, Palette palette) {
    return color_at(both ? ColorMap::diverging : map, value / 255.0, palette);
  });
}

/// The scales of the colours, whose gradients the style of the page chooses between.
std::string bars_html(const std::vector<ColorBar>& bars) {
  constexpr int pieces = 32;
  std::string out;
  for (const ColorBar& bar : bars) {
    std::array<std::string, page_palettes.size()> colors;
    for (std::size_t i = 0; i < colors.size(); ++i)
      for (int k = 0; k <= pieces; ++k)
        colors[i] += fmt::format(
            ",#{:06x}",
            color_at(bar.map, static_cast<double>(k) / pieces, page_palettes.at(i)).rgb);
    out += fmt::format(
        "<figure style=\"--dark:linear-gradient(90deg{});--light:linear-gradient(90deg{})\">"
        "<figcaption>{}</figcaption><div>",
        colors[0], colors[1], xml_text(title_of(bar)));
    for (const double s : labels_of(bar))
      out += fmt::format("<span style=\"left:{0}%;transform:translate(-{0}%)\">{1}</span>", 100 * s,
                         xml_text(text_at(bar, s)));
    out += "</div></figure>\n";
  }
  return out.empty() ? "" : fmt::format("<div id=\"bars\">\n{}</div>\n", out);
}

/// `first`: what the plots show at first, before the energy and its error.
Node curve_document(const PageCurves& curves, std::vector<Quantity> first) {
  Node quantities = Node::array(), shown = Node::array();
  for (const Quantity q : curves.quantities)
    quantities.items.push_back(Node::object({{"key", info(q).key},
                                             {"label", info(q).label},
                                             {"unit", info(q).unit},
                                             {"error", Node::truth(info(q).error)}}));
  for (const Quantity energy : {Quantity::total_energy, Quantity::energy_error})
    if (std::find(first.begin(), first.end(), energy) == first.end()) first.push_back(energy);
  for (const Quantity wanted : first)
    for (std::size_t i = 0; i < curves.quantities.size(); ++i)
      if (curves.quantities[i] == wanted) shown.items.push_back(whole(i));
  const PackedCurves packed = pack_curves(curves);
  return Node::object({{"quantities", quantities},
                       {"shown", shown},
                       {"times", time_runs(curves.times)},
                       {"origins", Node::numbers(curves.origins)},
                       {"levels", packed.levels},
                       {"order", whole(static_cast<std::size_t>(packed.order))},
                       {"low", Node::numbers(packed.low)},
                       {"step", Node::numbers(packed.step)},
                       {"errors", packed.errors},
                       {"distances", packed.distances}});
}

/// The frame that the scene is seen in, with the times of the run at the frames of the page.
Node frame_document(const TurningFrame& frame, const PageRows& rows,
                    const std::vector<std::size_t>& frames) {
  std::vector<double> clock;
  for (const std::size_t row : frames) clock.push_back(rows.states()[row].lanes.front().t);
  return Node::object({{"axis", Node::numbers({frame.axis.data(), 3})},
                       {"rate", frame.rate},
                       {"clock", time_runs(clock)},
                       {"text", describe(frame)}});
}

Node framing_document(const Framing& f) {
  return Node::object({{"center", drawn(f.center)},
                       {"radius", drawn(static_cast<double>(f.radius))},
                       {"boxed", Node::truth(f.boxed)},
                       {"middle", drawn(f.middle)},
                       {"half", drawn(f.half)},
                       {"azimuth", drawn(static_cast<double>(f.azimuth))},
                       {"elevation", drawn(static_cast<double>(f.elevation))}});
}

/// Rounds colours, and gives a pixel that of the one above or to the left where it is nearly that:
/// without the noise that smooths gradients, which would be most of a file.
void flatten(Image& image) {
  constexpr int level = 8, alike = 5;
  const auto is_alike = [](const std::uint8_t* a, const std::uint8_t* b) {
    return std::equal(a, a + 4, b, [](int x, int y) { return std::abs(x - y) <= alike; });
  };
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      std::uint8_t* const pixel = image.at(x, y);
      if (y > 0 && is_alike(pixel, image.at(x, y - 1)))
        std::copy_n(image.at(x, y - 1), 4, pixel);
      else if (x > 0 && is_alike(pixel, image.at(x - 1, y)))
        std::copy_n(image.at(x - 1, y), 4, pixel);
      else
        std::for_each(pixel, pixel + 4, [](std::uint8_t& part) {
          part = static_cast<std::uint8_t>(std::min(255, (part + level / 2) / level * level));
        });
    }
}

Error no_rows() { return {ErrorKind::numerical, "", "a page needs at least one row of the run"}; }

/// The lanes of a record that the rows have.
std::vector<LaneSpec> lanes_of_rows(const Scenario& record, const PageRows& rows) {
  const std::vector<LaneSpec> all = recorded_lanes(record);
  std::vector<LaneSpec> kept;
  for (const std::size_t lane : rows.lanes()) kept.push_back(all[lane]);
  return kept;
}

bool changes_lane(const Event& event) {
  return std::any_of(event.set.begin(), event.set.end(), [](const Setting& setting) {
    return setting.path.key() == "integrator" || setting.path.lane();
  });
}

/// The view of a new window, at the first row.
Framing first_framing(const WebPageSource& source, const SceneStyle& style) {
  return framing(at_row(source.end, source.rows, source.rows.states().front()), style);
}

Node event_document(const std::vector<RunMarker>& markers, const std::vector<PageRow>& rows) {
  Node list = Node::array();
  for (const RunMarker& marker : markers) {
    if (marker.step < rows.front().step) continue;
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const PageRow& candidate) {
      return candidate.step >= marker.step;
    });
    if (row == rows.end()) continue;
    list.items.push_back(Node::array({Node(row->elapsed), Node(marker.text)}));
  }
  return list;
}

/// The shaders of the shapes that pages have.
Node shader_document() {
  constexpr std::array<std::string_view, 2> absent{"dot.", "cloud."};
  Node out = Node::object();
  for (const embedded::File& file : embedded::shader_files())
    if (std::none_of(absent.begin(), absent.end(),
                     [&](std::string_view name) { return file.name.starts_with(name); }))
      out.set(std::string(file.name), Node(without_comments(file.text, true)));
  return out;
}

/// JSON without white space for a block of HTML, in which nothing ends the block.
std::string script_text(const Node& node) {
  std::string out;
  bool quoted = false, escaped = false;
  for (const char c : json::write(node)) {
    if (!quoted && (c == ' ' || c == '\n')) continue;
    if (c == '"' && !escaped) quoted = !quoted;
    escaped = c == '\\' && !escaped;
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string about(const Snapshot& now, const Scenario& record, const std::vector<LaneSpec>& specs,
                  const PointStream& stream) {
  const SystemInfo& system = info_of(record);
  std::string out;
  const auto add = [&out](std::string_view tag, std::string_view content) {
    if (!content.empty()) out += fmt::format("<{0}>{1}</{0}>\n", tag, xml_text(content));
  };
  add("p", fmt::format("{}. {}", system.title, system.description));
  // Line breaks are those of the text.
  if (!system.equations.empty()) out += fmt::format("<pre>{}</pre>\n", xml_text(system.equations));
  add("p", system.reference);
  for (std::size_t i = 0; i < now.lanes.size(); ++i)
    add("p", fmt::format("{}: {}, step {} s", now.lanes[i].name, now.lanes[i].title(),
                         json::shortest(specs[i].step)));
  add("p", fmt::format("{} frames; points between them are at most {:.1e} of the scene's radius "
                       "from their places.",
                       stream.rows.size(), stream.error));
  return out;
}

}  // namespace

Result<WebPage> web_page(const WebPageSource& source) {
  const PageRows& rows = source.rows;
  const Scenario& record = source.record;
  const SceneStyle& style = source.style;
  if (rows.states().empty()) return no_rows();
  const RunPoints points = run_points(rows);
  const auto stream = pack_points(points.rows, source.limits);
  if (!stream) return stream.error();
  std::vector<double> times;
  for (const std::size_t row : stream->rows) times.push_back(points.rows.times[row]);
  // A lane begins at the first frame at which it has begun.
  RunPoints at_frames{.rows = {}, .of_lane = points.of_lane, .begins = {}};
  for (const std::size_t row : points.begins)
    at_frames.begins.push_back(static_cast<std::size_t>(
        std::lower_bound(stream->rows.begin(), stream->rows.end(), row) - stream->rows.begin()));

  const Snapshot now = at_row(source.end, rows, rows.states().back());
  const std::vector<LaneSpec> specs = lanes_of_rows(record, rows);
  PageShapes shapes(now, rows, at_frames, style);
  const Shade shown = shapes.shade();
  SceneScales scales;
  Node shade = shown == Shade::direction
                   ? direction_document(rows, points, stream->rows, style.color_axis)
                   : shade_document(shown, rows, points, stream->rows, style.color_map,
                                    scales.shades[static_cast<std::size_t>(shown)]);
  const bool shaded = shade.kind == json::Kind::object;
  Node lanes = shapes.lanes(specs, shaded);
  if (const Node* count = shade.find("count"))
    for (std::size_t i = 0; i < lanes.items.size(); ++i)
      lanes.items[i].set("shade", Node(static_cast<double>(i) * count->number));

  Node fluid = shapes.fluid();
  // Captions name the steps, unless these may change.
  if (std::none_of(record.events.begin(), record.events.end(), changes_lane))
    for (std::size_t i = 0; i < lanes.items.size(); ++i)
      lanes.items[i].set("step", Node(specs[i].step));

  Node data = Node::object();
  const Scene& scene = shapes.scene();
  const double spacing =
      times.size() > 1 ? (times.back() - times.front()) / static_cast<double>(times.size() - 1) : 1;
  data.set("file", Node(source.texts.file));
  data.set("digits", Node(std::clamp(std::ceil(-std::log10(spacing) - 1e-9), 0.0, 9.0)));
  data.set("times", time_runs(times));
  data.set("segments", Node::array(stream->starts, whole<std::size_t>));
  const Vec3& center = points.rows.center;
  data.set("box", Node::numbers(std::array{center.x(), center.y(), center.z(), stream->half}));
  data.set("extent", drawn(points.rows.radius));
  data.set("count", whole(points.rows.points));
  data.set("order", whole(stream->order));
  data.set("points", Node(stream->text));
  data.set("shade", std::move(shade));
  data.set("themes", Node::array(page_palettes, [](Palette palette) {
             const Theme of = theme({.palette = palette});
             return Node::array(
                 std::array{of.background_top, of.background_bottom, of.grid, of.text},
                 [](const glm::vec3& color) { return whole(to_color(color).rgb); });
           }));
  data.set("light", Node::truth(style.palette == Palette::light));
  data.set("split", Node::truth(style.split == Split::lanes));
  data.set("colors", shapes.colors());
  data.set("framing", framing_document(first_framing(source, style)));
  if (source.followed >= 0)
    data.set("follow", whole(points.of_lane.front()[static_cast<std::size_t>(source.followed)]));
  if (style.frame) data.set("frame", frame_document(*style.frame, rows, stream->rows));
  data.set("gravity", Node::truth(scene.gravity));
  Node ground;
  if (scene.ground.visible)
    ground = Node::object({{"center", drawn(scene.ground.center)},
                           {"radius", drawn(static_cast<double>(scene.ground.radius))},
                           {"spacing", drawn(static_cast<double>(scene.ground.spacing))}});
  data.set("ground", std::move(ground));
  data.set("shell", shapes.shell());
  data.set("fluid", std::move(fluid));
  data.set("icosahedron", shapes.icosahedron());
  data.set("sphere", Node::truth(scene.shell.visible));
  data.set("trail", Node(style.trail ? style.trail_span : 0));
  // Balls are in the same place within so many of their radii, long shapes within this length.
  data.set("near", drawn(static_cast<double>(agreement)));
  data.set("agreement", drawn(shapes.same_within()));
  data.set("gap", Node::object({{"few", whole(few_gaps)}, {"chord", drawn(gap_chord)}}));
  data.set("fixed", shapes.fixed());
  data.set("lanes", std::move(lanes));
  data.set("events", event_document(source.markers, rows.states()));
  data.set("curves", curve_document(rows.curves(), source.plots));

  Scene legend;
  const State& last = now.lanes.front().state;
  if (shaded) {
    Geometry geometry;
    now.system->geometry(last, geometry);
    add_bar(*now.system, geometry, shown, style, scales, legend);
  }
  if (!scene.shell.zones.empty()) color_sphere(*now.system, last.q, style, legend);

  std::string_view title_text = info_of(record).title;
  if (!record.title.empty()) title_text = record.title;
  if (!source.texts.title.empty()) title_text = source.texts.title;
  const std::string title = xml_text(title_text),
                    words = xml_text(source.texts.description.value_or(record.description));
  const std::string& still = source.texts.still;
  PageFiles files;
  for (const embedded::File& file : embedded::page_files()) files[file.name] = file.text;
  auto html = filled_page(
      files,
      {{"VERSION", xml_text(program_version())},
       {"TITLE", title},
       {"LIGHT", style.palette == Palette::light ? " class=\"light\"" : ""},
       {"TEXT", words.empty() ? "" : fmt::format("<p>{}</p>\n", words)},
       {"STILL", still.empty()
                     ? ""
                     : fmt::format("<img class=\"still\" alt=\"The last picture of the run: {}\" "
                                   "src=\"data:image/png;base64,{}\">\n",
                                   title, base64(still))},
       {"BARS", bars_html(legend.bars)},
       {"ABOUT", about(now, record, specs, *stream)},
       {"SCENARIO", base64(source.texts.scenario)},
       {"DATA", script_text(data)},
       {"SHADERS", script_text(shader_document())}});
  if (!html) return html.error();
  return WebPage{std::move(*html), times.size(), stream->error};
}

Result<Image> web_page_still(const WebPageSource& source) {
  const PageRows& rows = source.rows;
  if (rows.states().empty()) return no_rows();
  constexpr int width = 640, height = 400;
  SceneStyle style = source.style;
  style.palette = Palette::light;
  style.split = Split::none;
  const Snapshot now = at_row(source.end, rows, rows.states().back());
  auto painter = Painter::create(width, height);
  if (!painter) return painter.error();
  std::deque<Configuration> trail;
  for (const PageRow& row : rows.states()) {
    Configuration at{
        .generation = now.generation, .t = row.elapsed, .lanes = {}, .time = row.lanes.front().t};
    for (const State& state : row.lanes) at.lanes.push_back(positions(state));
    if (row.elapsed >= now.elapsed - style.trail_span) trail.push_back(std::move(at));
  }
  Camera camera;
  camera.frame(first_framing(source, style),
               static_cast<float>(width) / static_cast<float>(height));
  Image image = (*painter)->paint(build_scene(now, trail, style), camera, theme(style), false);
  flatten(image);
  return image;
}

std::size_t max_page_bytes(const Geometry& geometry, std::size_t lanes, std::size_t rows,
                           std::size_t quantities, const PointLimits& limits) {
  constexpr std::size_t fixed = 400'000;  // player, shaders, still picture
  // As text.
  constexpr std::size_t shape = 400, line_point = 3 * 8, float_size = 6, coordinate = 3, color = 2;
  std::vector<Vec3> points;
  geometry_points(geometry, points);
  const std::size_t frames = std::min(rows, limits.frames),
                    colored = std::max(geometry.bodies.size(), geometry.springs.size());
  const std::size_t places =
      std::min(3 * coordinate * points.size() * lanes * frames, limits.bytes);
  std::size_t curves = 0;  // their points
  if (geometry.curves)
    for (const std::vector<Vec3>& curve : *geometry.curves) curves += curve.size();
  return fixed + curves * line_point + lanes * points.size() * shape + places +
         color * lanes * colored * frames +
         3 * float_size * lanes * quantities * std::min<std::size_t>(rows, PageRows::max_intervals);
}

}  // namespace twosphere::render
