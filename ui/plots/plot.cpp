// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ui/plot/tag_mark.h"
#include "ui/plots/plot_curves.h"
#include "ui/shell/panel.h"
#include "ui/shell/stroke.h"

namespace twosphere::ui {

namespace {

constexpr std::array marker_names{"A", "B"};

/// An axis that the mouse moves.
struct Moved {
  Interval& range;
  bool& automatic;
};

void text(ImDrawList& list, Face face, ImVec2 at, ImU32 color, const std::string& what) {
  ImFont* f = font(face);
  list.AddText(f, f->FontSize * ImGui::GetIO().FontGlobalScale,
               {std::round(at.x), std::round(at.y)}, color, what.c_str());
}

ImVec2 extent(Face face, const std::string& what) {
  ImFont* f = font(face);
  return f->CalcTextSizeA(f->FontSize * ImGui::GetIO().FontGlobalScale, FLT_MAX, 0, what.c_str());
}

std::string bracketed(std::string_view unit) { return fmt::format("[{}]", unit); }

/// Where a symlog axis is linear: a tint between two thin lines.
void draw_zone(ImDrawList& list, const Panel& panel, const Canvas& canvas) {
  const float top = std::clamp(canvas.place(1), canvas.from.y, canvas.to.y);
  const float bottom = std::clamp(canvas.place(-1), canvas.from.y, canvas.to.y);
  if (bottom - top < 1) return;
  const Colors& c = panel.colors;
  list.AddRectFilled({canvas.from.x, top}, {canvas.to.x, bottom}, im_color(c.dim, 0.09f));
  for (const float y : {top, bottom})
    for (float x = canvas.from.x; x < canvas.to.x; x += panel.px(6))
      list.AddLine({x, y}, {std::min(x + panel.px(2), canvas.to.x), y}, im_color(c.dim, 0.7f));
}

void draw_value_axis(ImDrawList& list, const Panel& panel, const Canvas& canvas,
                     const Ticks& ticks) {
  const Colors& c = panel.colors;
  const auto label = [&](float y, const std::string& what) {
    const ImVec2 size = extent(Face::small_mono, what);
    text(list, Face::small_mono, {canvas.from.x - panel.px(6) - size.x, y - size.y / 2},
         im_color(c.dim), what);
  };
  for (const double at : ticks.minor) {
    const float y = std::round(canvas.place(at));
    list.AddLine({canvas.from.x, y}, {canvas.from.x + panel.px(4), y}, im_color(c.dim, 0.6f));
  }
  for (const Ticks::Label& tick : ticks.labels) {
    const float y = std::round(canvas.place(tick.at));
    list.AddLine({canvas.from.x, y}, {canvas.to.x, y}, im_color(c.line));
    label(y, tick.text);
  }
  if (canvas.scale.scale != Scale::logarithmic) return;
  // Exact zeros have a place of their own.
  const float y = std::round(canvas.floor());
  for (float x = canvas.from.x; x < canvas.to.x; x += panel.px(6))
    list.AddLine({x, y}, {std::min(x + panel.px(2), canvas.to.x), y}, im_color(c.dim, 0.7f));
  label(y, "0");
}

int most_labels(const Panel& panel, float width) {
  return std::max(2, static_cast<int>(width / panel.px(58)));
}

void draw_grid(ImDrawList& list, const Panel& panel, const Canvas& canvas, const Ticks& ticks) {
  for (const Ticks::Label& tick : ticks.labels) {
    const float x = std::round(canvas.x(tick.at));
    list.AddLine({x, canvas.from.y}, {x, canvas.to.y}, im_color(panel.colors.line));
  }
}

/// The labels and the title of a horizontal axis, from `y` downwards.
void draw_labels(ImDrawList& list, const Panel& panel, const Canvas& canvas, const Ticks& ticks,
                 const std::string& name, float y) {
  for (const Ticks::Label& tick : ticks.labels) {
    const ImVec2 size = extent(Face::small_mono, tick.text);
    const float right = canvas.to.x + panel.px(2) - size.x;
    text(list, Face::small_mono, {std::min(canvas.x(tick.at) - size.x / 2, right), y + panel.px(4)},
         im_color(panel.colors.dim), tick.text);
  }
  const std::string full = ticks.note.empty() ? name : name + "  " + ticks.note;
  const ImVec2 size = extent(Face::small_text, full);
  text(list, Face::small_text, {(canvas.from.x + canvas.to.x - size.x) / 2, y + panel.px(19)},
       im_color(panel.colors.dim), full);
}

void draw_tags(ImDrawList& list, const Panel& panel, const Canvas& canvas, bool hovered) {
  const float mouse = ImGui::GetIO().MousePos.x;
  const auto position = [&](const RunMarker& tag) { return std::round(canvas.x(tag.t)); };
  float last = -FLT_MAX;
  std::string label;
  int named = 0, unnamed = 0;
  const std::vector<RunMarker>& tags = panel.snapshot.tags;
  const double gap = tag_gap(canvas.x_range);
  for (std::size_t k = 0; k < tags.size(); ++k) {
    const TagMark mark = tag_mark(tags, k, gap);
    k = mark.last;
    const RunMarker &tag = tags[mark.first], &till = tags[mark.last];
    const float x = position(tag), end = position(till);
    if (end < canvas.from.x || x > canvas.to.x) continue;
    // A drag is a line where it begins and a band as long as it lasts.
    if (end > x)
      list.AddRectFilled({std::max(x, canvas.from.x), canvas.from.y},
                         {std::min(end, canvas.to.x), canvas.to.y},
                         im_color(panel.colors.warning, 0.12f));
    if (x != last && x >= canvas.from.x)
      list.AddLine(
          {x, canvas.from.y}, {x, canvas.to.y},
          tag.warning ? im_color(panel.colors.error) : im_color(panel.colors.warning, 0.55f));
    last = x;
    if (!hovered || mouse < x - panel.px(4) || mouse > end + panel.px(4)) continue;
    if (named < 4) {
      label += (named ? "\n" : "") + fmt::format("{:.6g} s  {}", tag.t, tag.text);
      if (mark.last > mark.first)
        label += fmt::format("\n{:.6g} s  {} (the last of {} changes)", till.t, till.text,
                             mark.last - mark.first + 1);
      ++named;
    } else {
      ++unnamed;
    }
  }
  if (unnamed) label += fmt::format("\nand {} more", unnamed);
  if (!label.empty()) ImGui::SetTooltip("%s", label.c_str());
}

/// What the curves are at an instant, beside pieces of their lines.
struct Readout {
  struct Row {
    LaneStyle style;
    std::string value;
  };
  std::string head;
  std::vector<Row> rows;
};

void draw_readout(ImDrawList& list, const Panel& panel, const Canvas& canvas,
                  const Readout& readout, float x) {
  const Colors& c = panel.colors;
  const float sample = panel.px(24), space = panel.px(6), row = panel.px(15);
  const ImVec2 head = extent(Face::small_mono, readout.head);
  // One lane goes into one line, if there is room.
  float widest = 0;
  for (const Readout::Row& r : readout.rows)
    widest = std::max(widest, sample + space + extent(Face::small_mono, r.value).x);
  const float all = head.x + panel.px(12) + widest;
  const bool one_line =
      readout.rows.size() == 1 && all < canvas.to.x - canvas.from.x - panel.px(20);
  const float width = one_line ? all : std::max(head.x, widest);
  const float height = row * static_cast<float>(one_line ? 1 : readout.rows.size() + 1);
  // On the side where the mouse is not.
  const bool left = x > (canvas.from.x + canvas.to.x) / 2;
  const float px = left ? canvas.from.x + panel.px(8) : canvas.to.x - panel.px(8) - width;
  float y = canvas.from.y + panel.px(5);
  list.AddRectFilled({px - panel.px(5), y - panel.px(2)},
                     {px + width + panel.px(5), y + height + panel.px(1)}, im_color(c.panel, 0.92f),
                     panel.px(3));
  text(list, Face::small_mono, {px, y}, im_color(c.dim), readout.head);
  float at = px;
  if (one_line)
    at += head.x + panel.px(12);
  else
    y += row;
  for (const Readout::Row& r : readout.rows) {
    swatch(list, {at, y + row / 2 - panel.px(1)}, sample, r.style, panel.scale);
    text(list, Face::small_mono, {at + sample + space, y}, im_color(c.text), r.value);
    y += row;
  }
}

/// Which curve is whose, where there are several signals.
void draw_names(ImDrawList& list, const Panel& panel, const PlotSpec& spec, const Canvas& canvas,
                const std::vector<Curve>& curves) {
  float widest = 0;
  for (const Signal& signal : spec.signals())
    widest = std::max(widest, extent(Face::small_text, signal.symbol()).x);
  const float apart = widest + panel.px(34);
  const int places = static_cast<int>((canvas.to.x - canvas.from.x) / apart);
  for (const CurveName& name : curve_names(spec, curves, canvas.x_range, places)) {
    const Curve& curve = curves[name.curve];
    const std::string symbol = curve.signal.symbol();
    const ImVec2 size = extent(Face::small_text, symbol), space{panel.px(3.5f), panel.px(0.5f)};
    const ImVec2 middle{canvas.x(name.at.t), canvas.y(name.at.y)};
    const ImVec2 from{std::round(middle.x - size.x / 2 - space.x),
                      std::round(middle.y - size.y / 2 - space.y)};
    const ImVec2 to{from.x + size.x + 2 * space.x, from.y + size.y + 2 * space.y};
    list.AddRectFilled(from, to, im_color(panel.colors.scene), panel.px(3));
    list.AddRect(from, to, im_color(curve.style.color), panel.px(3), 0, panel.px(1.25f));
    text(list, Face::small_text, {from.x + space.x, from.y + space.y}, im_color(panel.colors.text),
         symbol);
  }
}

/// Time and values under the mouse, in all plots at once.
void draw_cursor(ImDrawList& list, const Panel& panel, const PlotSpec& spec, const Canvas& canvas,
                 const std::vector<Curve>& curves, double at) {
  float x = std::round(canvas.x(at));
  if (!spec.x) {
    if (x < canvas.from.x || x > canvas.to.x) return;
    list.AddLine({x, canvas.from.y}, {x, canvas.to.y}, im_color(panel.colors.dim, 0.7f));
  }
  const auto with_unit = [](std::string number, std::string_view unit) {
    return unit == "1" ? number : fmt::format("{} {}", number, unit);
  };
  Readout readout;
  std::map<int, std::size_t> rows;  // of several signals, by lane
  for (const Curve& curve : curves) {
    const auto reading = read_at(spec, curve, at);
    if (!reading) continue;
    const ImVec2 point{canvas.x(spec.x ? reading->x : reading->t), canvas.y(reading->y)};
    draw_marker(list, point, panel.px(3.5f), curve.style);
    if (readout.head.empty()) readout.head = fmt::format("t = {:.6g} s", reading->t);
    if (!spec.also.empty()) {
      const auto [row, first] = rows.emplace(curve.lane, readout.rows.size());
      if (first) readout.rows.push_back({curve.style, {}});
      std::string& values = readout.rows[row->second].value;
      values += fmt::format("{}{} {}", values.empty() ? "" : "  ", curve.signal.symbol(),
                            short_value_text(spec, reading->y));
      continue;
    }
    std::string value = with_unit(value_text(spec, reading->y), spec.y.unit());
    if (spec.x) {
      x = point.x;
      value = fmt::format("{}, {}",
                          with_unit(with_minus(fmt::format("{:.6g}", reading->x)), spec.x->unit()),
                          value);
    }
    readout.rows.push_back({curve.style, std::move(value)});
  }
  if (!readout.rows.empty()) draw_readout(list, panel, canvas, readout, x);
}

/// Frequency and densities under the mouse.
void draw_frequency(ImDrawList& list, const Panel& panel, const PlotSpec& spec,
                    const Canvas& canvas, const std::vector<LaneSpectrum>& spectra) {
  const double at = std::pow(10.0, canvas.x_at(ImGui::GetIO().MousePos.x));
  Readout readout;
  float x = 0;
  for (const LaneSpectrum& lane : spectra) {
    const Spectrum& s = lane.spectrum;
    if (s.density.size() < 2) continue;
    const double nearest = std::round(at / s.frequency(1));
    const auto k = static_cast<std::size_t>(
        std::clamp(nearest, 1.0, static_cast<double>(s.density.size() - 1)));
    x = std::round(canvas.x(std::log10(s.frequency(k))));
    if (readout.head.empty()) {
      readout.head = fmt::format("f = {:.6g} Hz", s.frequency(k));
      list.AddLine({x, canvas.from.y}, {x, canvas.to.y}, im_color(panel.colors.dim, 0.7f));
    }
    draw_marker(list, {x, canvas.y(s.density[k])}, panel.px(3.5f), lane.style);
    readout.rows.push_back(
        {lane.style, fmt::format("{} {}", value_text(spec, s.density[k]), unit(spec))});
  }
  if (!readout.rows.empty()) draw_readout(list, panel, canvas, readout, x);
}

void draw_marker_flag(ImDrawList& list, const Panel& panel, ImVec2 at, const char* name) {
  const Colors& c = panel.colors;
  const ImVec2 size{panel.px(13), panel.px(14)};
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, im_color(c.accent), panel.px(2));
  const ImVec2 letter = extent(Face::small_text, name);
  text(list, Face::small_text, {at.x + (size.x - letter.x) / 2, at.y + (size.y - letter.y) / 2},
       im_color(c.on_accent), name);
}

/// Lines at A and B over time; points with their letters in a phase portrait.
void draw_markers(ImDrawList& list, const Panel& panel, const PlotSpec& spec, const Canvas& canvas,
                  const std::vector<Curve>& curves, const Markers& markers) {
  for (std::size_t m = 0; m < markers.size(); ++m) {
    if (!markers[m]) continue;
    if (!spec.x) {
      const float x = std::round(canvas.x(*markers[m]));
      list.AddLine({x, canvas.from.y}, {x, canvas.to.y}, im_color(panel.colors.accent),
                   panel.px(1.25f));
      // At the foot of the line, B to its right: the readout of the cursor is above.
      draw_marker_flag(list, panel, {m == 0 ? x - panel.px(13) : x, canvas.to.y - panel.px(14)},
                       marker_names[m]);
    }
    for (const Curve& curve : curves) {
      const auto reading = read_at(spec, curve, *markers[m]);
      if (!reading) continue;
      const ImVec2 point{canvas.x(spec.x ? reading->x : reading->t), canvas.y(reading->y)};
      list.AddCircle(point, panel.px(4), im_color(panel.colors.accent), 0, panel.px(1.5f));
      if (spec.x)
        draw_marker_flag(list, panel, {point.x + panel.px(5), point.y - panel.px(17)},
                         marker_names[m]);
    }
  }
}

void wheel_zoom(const Canvas& canvas, bool over_x, bool over_y, Moved x, Moved y) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0) return;
  const double factor = std::pow(0.85, io.MouseWheel);
  if (over_x) {
    x.range = zoomed(x.range, canvas.x_at(io.MousePos.x), factor);
    x.automatic = false;
  }
  if (over_y) {
    y.range = zoomed(y.range, canvas.y_at(io.MousePos.y), factor);
    y.automatic = false;
  }
}

/// `slack`: how far a level drag may stray [px].
void drag_pan(const Canvas& canvas, bool x_moves, bool y_moves, Moved x, Moved y, float slack) {
  const ImGuiIO& io = ImGui::GetIO();
  if (x_moves && io.MouseDelta.x != 0) {
    x.range = shifted(x.range, -io.MouseDelta.x / (canvas.to.x - canvas.from.x) * x.range.span());
    x.automatic = false;
  }
  // A drag along one axis is rarely quite level.
  const bool meant =
      !x_moves || std::abs(io.MousePos.y - io.MouseClickedPos[0].y) > slack || !y.automatic;
  if (y_moves && io.MouseDelta.y != 0 && meant) {
    y.range = shifted(y.range, io.MouseDelta.y / (canvas.bottom - canvas.from.y) * y.range.span());
    y.automatic = false;
  }
}

/// The box of a right drag; zooms when the button is let go. With Shift it is as high as the plot,
/// with Alt as wide, and zooms one axis only.
void box_zoom(ImDrawList& list, const Panel& panel, const Canvas& canvas, Moved x, Moved y) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 a = io.MouseClickedPos[1];
  const ImVec2 b{std::clamp(io.MousePos.x, canvas.from.x, canvas.to.x),
                 std::clamp(io.MousePos.y, canvas.from.y, canvas.bottom)};
  ImVec2 low{std::min(a.x, b.x), std::min(a.y, b.y)}, high{std::max(a.x, b.x), std::max(a.y, b.y)};
  const bool only_x = io.KeyShift, only_y = io.KeyAlt && !only_x;
  if (only_x) low.y = canvas.from.y, high.y = canvas.bottom;
  if (only_y) low.x = canvas.from.x, high.x = canvas.to.x;
  if (high.x - low.x < panel.px(4) || high.y - low.y < panel.px(4)) return;
  if (!ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
    list.AddRectFilled(low, high, im_color(panel.colors.accent, 0.15f));
    list.AddRect(low, high, im_color(panel.colors.accent, 0.8f));
    return;
  }
  if (!only_y) {
    x.range = {canvas.x_at(low.x), canvas.x_at(high.x)};
    x.automatic = false;
  }
  if (!only_x) {
    y.range = {canvas.y_at(high.y), canvas.y_at(low.y)};
    y.automatic = false;
  }
}

/// Mouse input over the area, both axes and the markers.
void interact(ImDrawList& list, const Panel& panel, PlotView& plot, const Canvas& canvas,
              const std::vector<Curve>& curves, TimeAxis& time, Markers& markers,
              PlotResponse& response, bool& hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool portrait = plot.spec.x.has_value(), own_axis = !plot.spec.over_time();
  const Moved x =
      own_axis ? Moved{plot.x.range, plot.x.automatic} : Moved{time.range, time.automatic};
  const Moved y{plot.y.range, plot.y.automatic};
  const ImVec2 size{canvas.to.x - canvas.from.x, canvas.to.y - canvas.from.y};
  const auto linear_threshold = [&](const char* id, ImVec2 at, ImVec2 extents, bool over_x,
                                    bool over_y) {
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton(id, extents,
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    if (ImGui::IsItemHovered()) {
      wheel_zoom(canvas, over_x, over_y, x, y);
      response.everything |= ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
  };
  const auto pan = [&](bool over_x, bool over_y) {
    if (ImGui::IsItemActive() && io.MouseDown[0])
      drag_pan(canvas, over_x, over_y, x, y, panel.px(own_axis ? 0 : 8));
  };
  linear_threshold("value axis", {canvas.from.x - panel.px(plot_left - 4), canvas.from.y},
                   {panel.px(plot_left - 4), size.y}, false, true);
  pan(false, true);
  if (own_axis) {
    linear_threshold("horizontal axis", {canvas.from.x, canvas.to.y}, {size.x, panel.px(plot_time)},
                     true, false);
    pan(true, false);
  } else {
    for (std::size_t m = 0; m < markers.size(); ++m) {
      if (!markers[m]) continue;
      const float at = canvas.x(*markers[m]), reach = panel.px(4);
      if (at < canvas.from.x || at > canvas.to.x) continue;
      const float left = std::max(at - reach, canvas.from.x);
      const float right = std::min(at + reach, canvas.to.x);
      linear_threshold(marker_names[m], {left, canvas.from.y},
                       {std::max(right - left, 1.0f), size.y}, true, true);
      panel.mark(fmt::format("marker/{}[{}]", plot.id, marker_names[m]));
      const bool held = ImGui::IsItemActive() && io.MouseDown[0];
      if (held || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        time.next_cursor = canvas.x_at(io.MousePos.x);
      }
      if (held && io.MouseDelta.x != 0)
        markers[m] = snapped(curves, plot.spec.y, canvas.x_at(io.MousePos.x));
    }
  }
  linear_threshold("area", canvas.from, size, true, true);
  panel.mark("plot/" + plot.id);
  pan(true, true);
  hovered = ImGui::IsItemHovered();
  if (hovered && !plot.spec.spectrum) {
    const auto at =
        portrait ? time_near(canvas, plot.spec, curves, time.range, io.MousePos, panel.px(24))
                 : canvas.x_at(io.MousePos.x);
    if (at) time.next_cursor = at;
  }
  if (ImGui::IsItemActive() || ImGui::IsItemDeactivated()) {
    if (io.MouseDown[1] || io.MouseReleased[1]) box_zoom(list, panel, canvas, x, y);
    const float still = panel.px(4);
    response.menu |=
        hovered && io.MouseReleased[1] && io.MouseDragMaxDistanceSqr[1] < still * still;
  }
}

/// A small button of text in a title, right-aligned at `right`; moves `right` to its left edge.
bool title_button(const Panel& panel, const char* label, const std::string& name, float& right,
                  float y, const std::string& help) {
  const ImVec2 size = extent(Face::small_text, label);
  const float width = size.x + panel.px(10), height = panel.px(17);
  right -= width;
  ImGui::SetCursorScreenPos({right, y});
  const bool pressed = ImGui::InvisibleButton(name.c_str(), {width, height});
  const bool lit = ImGui::IsItemHovered();
  auto& list = *ImGui::GetWindowDrawList();
  if (lit)
    list.AddRectFilled({right, y}, {right + width, y + height}, im_color(panel.colors.hovered),
                       panel.px(3));
  text(list, Face::small_text, {right + panel.px(5), y + (height - size.y) / 2},
       im_color(lit ? panel.colors.text : panel.colors.dim), label);
  panel.mark(name);
  tooltip(panel, help);
  return pressed;
}

const char* scale_name(Scale scale) {
  switch (scale) {
    case Scale::linear:
      return "linear";
    case Scale::logarithmic:
      return "log";
    case Scale::symlog:
      break;
  }
  return "symlog";
}

/// Of components of the angular momentum, whether they are conserved; else nothing.
std::string conservation(const Panel& panel, const PlotSpec& spec) {
  const std::vector<Signal> all = spec.signals();
  if (!spec.over_time()) return {};
  std::string broken;
  for (const Signal& signal : all) {
    const auto axis = signal.momentum_axis();
    if (!axis) return {};
    if (!panel.snapshot.system->conserved_momentum()[static_cast<std::size_t>(*axis)])
      broken += (broken.empty() ? "" : ", ") + signal.symbol();
  }
  if (broken.empty()) return "conserved";
  return all.size() == 1 ? "not conserved here" : broken + " not conserved here";
}

void draw_title(ImDrawList& list, const Panel& panel, const PlotView& plot, const Canvas& canvas,
                const std::string& axis_note, const Rect& place, PlotResponse& response) {
  const Colors& c = panel.colors;
  float right = canvas.to.x + panel.px(4);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
      place.contains(mouse.x, mouse.y)) {
    if (title_button(panel, "×", "remove/" + plot.id, right, place.y, "Remove this plot."))
      response.remove = true;
  } else {
    right -= extent(Face::small_text, "×").x + panel.px(10);
  }
  if (title_button(
          panel, scale_name(plot.spec.scale), "scale/" + plot.id, right, place.y,
          "Scale of the axis, and what else can be done with the plot.\nRight click in the "
          "plot does the same."))
    response.menu = true;
  const std::string unit = bracketed(ui::unit(plot.spec));
  if (!axis_note.empty()) {
    const ImVec2 size = extent(Face::small_mono, axis_note);
    const float least = extent(Face::text, symbols(plot.spec) + " " + unit).x + panel.px(12);
    if (right - size.x - canvas.from.x >= least) {
      right -= size.x + panel.px(4);
      text(list, Face::small_mono, {right, place.y + panel.px(2)}, im_color(c.dim), axis_note);
    } else {  // the title needs the room: inside the plot
      text(list, Face::small_mono, {canvas.from.x + panel.px(4), canvas.from.y + panel.px(2)},
           im_color(c.dim), axis_note);
    }
  }
  const ImVec2 head{canvas.from.x, place.y + panel.px(1)};
  const float room = right - head.x - extent(Face::text, " " + unit).x - panel.px(6);
  std::string name = title(plot.spec, panel.reference_name());
  // A symbol says more than half a name.
  if (extent(Face::text, name).x > room && !plot.spec.spectrum) name = symbols(plot.spec);
  name = elided(name, room) + " ";
  text(list, Face::text, head, im_color(c.text), name);
  const float after = head.x + extent(Face::text, name).x;
  text(list, Face::text, {after, head.y}, im_color(c.dim), unit);
  ImGui::SetCursorScreenPos({head.x, place.y});
  ImGui::InvisibleButton("title", {std::max(right - head.x, 1.0f), panel.px(plot_title)});
  response.alone = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  panel.mark("plot_title/" + plot.id);
  tooltip(panel, fmt::format("{}\nDouble click: this plot alone, and all of them again.",
                             title(plot.spec, panel.reference_name())));
  const std::string kept = exists(panel, plot.spec) ? conservation(panel, plot.spec) : "";
  const float from = after + extent(Face::text, unit).x + panel.px(8);
  if (kept.empty() || from + extent(Face::small_text, kept).x > right) return;
  text(list, Face::small_text, {from, head.y + panel.px(2)}, im_color(c.dim), kept);
}

/// Of the signals that the plot shows, the first that the run does not have.
std::optional<Signal> first_missing(const Panel& panel, const PlotSpec& spec) {
  std::vector<Signal> all = spec.signals();
  if (spec.x) all.push_back(*spec.x);
  const auto missing = std::find_if_not(all.begin(), all.end(), [&panel](const Signal& signal) {
    return signal.exists(*panel.snapshot.system_info, panel.snapshot.present->size(),
                         static_cast<int>(panel.snapshot.lanes.size()));
  });
  return missing == all.end() ? std::nullopt : std::optional(*missing);
}

/// What the run lacks, or its methods, in the middle of the plot.
void draw_absence(ImDrawList& list, const Panel& panel, const PlotView& plot, const Canvas& canvas,
                  const std::vector<Curve>& curves) {
  std::string what;
  if (const auto missing = first_missing(panel, plot.spec)) {
    if (missing->kind() == Signal::Kind::distance)
      what = "A distance takes two lanes";
    else if (missing->momentum_axis())
      what = "Not recorded: it is not conserved here";
    else
      what = fmt::format("This system has no {}", missing->label());
  } else if (plot.spec.spectrum) {
    const auto& spectra = plot.spectra;
    if (spectra.empty() || std::any_of(spectra.begin(), spectra.end(),
                                       [](const LaneSpectrum& s) { return s.problem.empty(); }))
      return;
    what = spectra.front().problem;
  } else {
    if (!plot.spec.y.step_quantity() || plot.spec.x) return;
    const auto none = [&](const Curve& curve) {
      const Trace trace(*curve.history, plot.spec.y);
      return trace.size() > 1 && std::isnan(trace.range(0, trace.size()).low);
    };
    if (curves.empty() || !std::all_of(curves.begin(), curves.end(), none)) return;
    what = fmt::format("{} has no {}", curves.size() > 1 ? "None of these methods" : "This method",
                       plot.spec.y.label());
  }
  ImFont* f = font(Face::text);
  const float height = f->FontSize * ImGui::GetIO().FontGlobalScale;
  const float room = canvas.to.x - canvas.from.x - panel.px(16);
  const ImVec2 size = f->CalcTextSizeA(height, FLT_MAX, room, what.c_str());
  list.AddText(f, height,
               {std::round((canvas.from.x + canvas.to.x - size.x) / 2),
                std::round((canvas.from.y + canvas.to.y - size.y) / 2)},
               im_color(panel.colors.dim), what.c_str(), nullptr, room);
}

}  // namespace

double snapped(const std::vector<Curve>& curves, const Signal& signal, double t) {
  for (const Curve& curve : curves)
    if (const Trace trace(*curve.history, signal); trace.size() > 0)
      return trace.time(trace.nearest(t));
  return t;
}

bool exists(const Panel& panel, const PlotSpec& spec) { return !first_missing(panel, spec); }

std::string value_text(const PlotSpec& spec, double value) {
  return spec.scale == Scale::linear ? with_minus(fmt::format("{:.9g}", value))
                                     : with_minus(fmt::format("{:.4e}", value));
}

std::string short_value_text(const PlotSpec& spec, double value) {
  return spec.scale == Scale::linear ? with_minus(fmt::format("{:#.5g}", value))
                                     : with_minus(fmt::format("{:.3e}", value));
}

float plot_margins(const PlotSpec& spec) { return plot_title + (spec.over_time() ? 0 : plot_time); }

PlotResponse draw_plot(const Panel& panel, PlotView& plot, const std::vector<Curve>& stretches,
                       TimeAxis& time, Markers& markers, const Rect& place) {
  const PlotSpec& spec = plot.spec;
  const bool present = exists(panel, spec);
  std::vector<Curve> curves;
  if (present) curves = curves_of(spec, stretches, panel.reference, panel.bodies);

  Canvas canvas;
  canvas.from = {std::round(place.x + panel.px(plot_left)),
                 std::round(place.y + panel.px(plot_title))};
  canvas.to = {std::round(place.x + place.width - panel.px(plot_right)),
               std::round(place.y + place.height - (spec.over_time() ? 0 : panel.px(plot_time)))};
  canvas.bottom = canvas.to.y - (spec.scale == Scale::logarithmic ? panel.px(19) : 0);
  canvas.magnitude = spec.shows_magnitude();

  const float width = canvas.to.x - canvas.from.x;
  const float ratio = std::max(1.0f, ImGui::GetIO().DisplayFramebufferScale.x);
  const int columns = std::max(2, static_cast<int>(width * ratio));
  // Decades may stand closer than the longer numbers of a linear axis.
  const float apart = panel.px(spec.scale == Scale::linear ? 26 : 20);
  const int most = std::max(2, static_cast<int>((canvas.bottom - canvas.from.y) / apart));
  std::vector<Reduced> parts;
  if (spec.spectrum) {
    if (!update_spectra(plot.spectra, spec, curves, time.range,
                        {panel.snapshot.generation, panel.reference}, ImGui::GetTime()))
      panel.settle();
    if (plot.x.automatic) plot.x.range = frequency_range(plot.spectra);
    if (plot.y.automatic) plot.y.range = density_range(plot.spectra);
  } else if (spec.x) {
    fit_portrait(plot, curves, time.range, most_labels(panel, width), most);
  } else {
    for (const Curve& curve : curves) parts.push_back(reduced(spec, curve, time.range, columns));
    if (plot.y.automatic) fit(plot.y, spec, curves, parts, most);
  }
  canvas.scale = plot.transform();
  canvas.x_range = spec.over_time() ? time.range : plot.x.range;
  canvas.y_range = plot.y.range;

  PlotResponse response;
  if (!ImGui::IsRectVisible({place.x, place.y}, {place.x + place.width, place.y + place.height}))
    return response;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushID(plot.id.c_str());
  bool hovered = false;
  interact(list, panel, plot, canvas, curves, time, markers, response, hovered);

  list.AddRectFilled(canvas.from, canvas.to, im_color(panel.colors.scene));
  const Ticks across =
      axis_ticks({spec.spectrum ? Scale::logarithmic : Scale::linear, 0, spec.x && spec.x->count()},
                 canvas.x_range, most_labels(panel, width),
                 spec.spectrum ? "Hz"
                 : spec.x      ? spec.x->unit()
                               : "s");
  draw_grid(list, panel, canvas, across);
  if (spec.x)
    draw_labels(list, panel, canvas, across,
                fmt::format("{} {}", spec.x->label(), bracketed(spec.x->unit())), canvas.to.y);
  if (spec.spectrum)
    draw_labels(list, panel, canvas, across, "frequency [Hz]   Hann window, mean removed",
                canvas.to.y);
  const Ticks up = axis_ticks(canvas.scale, canvas.y_range, most, unit(spec));
  if (spec.scale == Scale::symlog) draw_zone(list, panel, canvas);
  draw_value_axis(list, panel, canvas, up);
  draw_title(list, panel, plot, canvas, up.note, place, response);
  draw_absence(list, panel, plot, canvas, curves);

  list.PushClipRect(canvas.from, canvas.to, true);
  if (spec.spectrum) {
    for (const LaneSpectrum& lane : plot.spectra) draw_spectrum(list, canvas, lane, panel.scale);
    if (hovered) draw_frequency(list, panel, spec, canvas, plot.spectra);
    list.PopClipRect();
    ImGui::PopID();
    return response;
  }
  if (spec.x) {
    plot.pixel_masks.resize(curves.size());
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const bool first = i == 0 || curves[i - 1].lane != curves[i].lane;
      const bool last = i + 1 == curves.size() || curves[i + 1].lane != curves[i].lane;
      if (!draw_portrait(list, canvas, spec, curves[i], time.range, plot.pixel_masks[i],
                         panel.snapshot.generation, first, last, panel.scale))
        panel.settle();
    }
  } else {
    draw_tags(list, panel, canvas, hovered);
    for (std::size_t i = 0; i < curves.size(); ++i)
      draw_curve(list, canvas, spec, curves[i], parts[i], panel.scale);
    draw_names(list, panel, spec, canvas, curves);
  }
  draw_markers(list, panel, spec, canvas, curves, markers);
  if (time.cursor) draw_cursor(list, panel, spec, canvas, curves, *time.cursor);
  list.PopClipRect();
  ImGui::PopID();
  return response;
}

bool draw_time_axis(const Panel& panel, TimeAxis& time, const Rect& place) {
  Canvas canvas;
  canvas.from = {std::round(place.x + panel.px(plot_left)), place.y};
  canvas.to = {std::round(place.x + place.width - panel.px(plot_right)), place.y};
  canvas.x_range = time.range;
  const float width = canvas.to.x - canvas.from.x;
  const Ticks ticks = axis_ticks({}, time.range, most_labels(panel, width), "s");
  draw_labels(*ImGui::GetWindowDrawList(), panel, canvas, ticks, "time [s]", place.y);

  ImGui::SetCursorScreenPos(canvas.from);
  ImGui::InvisibleButton("time axis", {width, panel.px(plot_time)});
  panel.mark("time_axis");
  Interval unused;
  bool ignored = true;
  const Moved x{time.range, time.automatic}, y{unused, ignored};
  if (ImGui::IsItemHovered()) wheel_zoom(canvas, true, false, x, y);
  if (ImGui::IsItemActive()) drag_pan(canvas, true, false, x, y, 0);
  return ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
}

}  // namespace twosphere::ui
