// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "ui/curve.h"
#include "ui/panel.h"

namespace twosphere::ui {

namespace {

// Where a curve is thinner than this it is drawn as a line, elsewhere as columns [px].
constexpr float thin = 1.5f;
// Of what lies between the edges of a curve [opacity].
constexpr float faintness = 0.4f;
// The value axis of an error that has only been zero so far.
constexpr Interval no_error{-17, -15};

/// From times and values to logical pixels.
struct Canvas {
  ImVec2 from, to;  // the plot's area
  float bottom;     // end of the value axis; on a log axis above the line of zeros
  Interval time, value;
  bool logarithmic;

  float x(double t) const {
    const double part = (t - time.low) / time.span();
    return from.x + (to.x - from.x) * static_cast<float>(std::clamp(part, -1e3, 1e3));
  }
  float y(double v) const {
    if (!logarithmic) return place(v);
    if (v == 0) return floor();
    return std::min(place(std::log10(std::abs(v))), bottom);
  }
  /// Of a point on the value axis, in its own coordinate.
  float place(double v) const {
    const double part = (v - value.low) / value.span();
    return bottom - (bottom - from.y) * static_cast<float>(std::clamp(part, -1e3, 1e3));
  }
  double time_at(float px) const {
    return time.low + time.span() * (px - from.x) / (to.x - from.x);
  }
  double value_at(float py) const {
    return value.low + value.span() * (bottom - py) / (bottom - from.y);
  }
  /// Height of exact zeros on a log axis.
  float floor() const { return bottom + 0.68f * (to.y - bottom); }
};

/// A curve made ready: every visible sample, or extremes of columns of pixels.
struct Reduced {
  Stretch samples;
  bool dense = false;
  std::vector<Extremes> columns;  // dense only
};

double shown_value(const PlotSpec& spec, double v) { return spec.logarithmic ? std::abs(v) : v; }

Reduced reduced(const PlotSpec& spec, const Curve& curve, Interval time, int columns) {
  Reduced r;
  const Stretch drawn{curve.samples.first, std::min(curve.samples.last + 1, curve.history->size())};
  r.samples = visible(*curve.history, drawn, time);
  r.dense = r.samples.last - r.samples.first > 2 * static_cast<std::size_t>(columns);
  if (r.dense)
    r.columns = reduce(*curve.history, drawn, spec.quantity, spec.logarithmic, time, columns);
  return r;
}

/// The range of values that shows what is visible.
Interval fitted(const PlotSpec& spec, const std::vector<Curve>& curves,
                const std::vector<Reduced>& parts, int ticks, Interval otherwise) {
  std::vector<double> lows;
  double low = 0, high = 0;
  bool any = false;
  const auto include = [&](double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return;
    low = any ? std::min(low, a) : a;
    high = any ? std::max(high, b) : b;
    any = true;
    if (const double least = a > 0 ? a : b; least > 0) lows.push_back(least);
  };
  for (std::size_t c = 0; c < curves.size(); ++c) {
    for (const Extremes& e : parts[c].columns)
      if (!e.empty) include(e.low, e.high);
    if (parts[c].dense) continue;
    const auto values = curves[c].history->column(spec.quantity);
    for (std::size_t i = parts[c].samples.first; i < parts[c].samples.last; ++i)
      include(shown_value(spec, values[i]), shown_value(spec, values[i]));
  }
  if (!any) return otherwise;
  if (!spec.logarithmic) return fit_linear(low, high, ticks);
  if (lows.empty()) return no_error;
  // Narrow dips, as where a difference changes its sign, stretch the scale by two decades at most.
  const auto twentieth = lows.begin() + static_cast<std::ptrdiff_t>(lows.size() / 20);
  std::nth_element(lows.begin(), twentieth, lows.end());
  const double least = *std::min_element(lows.begin(), lows.end());
  return fit_log(std::max(least, *twentieth / 100), high);
}

/// A line through every sample. On a log axis the way to and from exact zeros is only hinted at.
void draw_sparse(ImDrawList& list, const Canvas& canvas, const PlotSpec& spec, const Curve& curve,
                 const Reduced& r, float scale) {
  const auto times = curve.history->column(Quantity::time);
  const auto values = curve.history->column(spec.quantity);
  std::vector<ImVec2> points;
  float start = 0;
  const auto finish = [&] {
    if (points.size() == 1) list.AddCircleFilled(points[0], 1.5f * scale, ink(curve.style.color));
    draw_line(list, points, curve.style, scale, start);
    points.clear();
  };
  for (std::size_t i = r.samples.first; i < r.samples.last; ++i) {
    if (!std::isfinite(values[i])) {
      finish();
      continue;
    }
    const ImVec2 at{canvas.x(times[i]), canvas.y(values[i])};
    if (spec.logarithmic && !points.empty() && (values[i] == 0) != (values[i - 1] == 0)) {
      list.AddLine(points.back(), at, ink(curve.style.color, faintness), scale);
      finish();
    }
    points.push_back(at);
  }
  if (r.samples.last - r.samples.first == 1 && !points.empty())
    draw_marker(list, points[0], 3 * scale, curve.style);
  finish();
}

/// Whether a column is one of many alike: tall, and as high as both neighbours for the most part.
bool in_block(const std::vector<std::pair<float, float>>& spans, std::size_t i, float scale) {
  if (i == 0 || i + 1 == spans.size()) return false;
  const auto [top, bottom] = spans[i];
  const float height = bottom - top;
  const auto shared = [&](const std::pair<float, float>& other) {
    return std::min(bottom, other.second) - std::max(top, other.first);
  };
  return height > 10 * scale && shared(spans[i - 1]) > 0.6f * height &&
         shared(spans[i + 1]) > 0.6f * height;
}

/// Thin stretches as a line, the rest as filled columns that touch their neighbours. Where columns
/// make a block it is filled faintly between solid edges.
void draw_dense(ImDrawList& list, const Canvas& canvas, const Curve& curve, const Reduced& r,
                float scale) {
  const float width = (canvas.to.x - canvas.from.x) / static_cast<float>(r.columns.size());
  const float half = scale;  // of the line
  std::vector<float> middles;
  std::vector<std::pair<float, float>> spans;  // top and bottom of each column that has samples
  std::vector<bool> reach_zero;                // and whether it goes down to the line of zeros
  for (std::size_t i = 0; i < r.columns.size(); ++i) {
    const Extremes& e = r.columns[i];
    if (e.empty || !std::isfinite(e.low) || !std::isfinite(e.high)) continue;
    middles.push_back(canvas.from.x + width * (static_cast<float>(i) + 0.5f));
    const float a = canvas.y(e.high), b = canvas.y(e.low);
    spans.emplace_back(std::min(a, b), std::max(a, b));
    reach_zero.push_back(canvas.logarithmic && e.low == 0);
  }

  const ImDrawListFlags flags = list.Flags;
  const ImU32 solid = ink(curve.style.color), faint = ink(curve.style.color, faintness);
  const auto rectangle = [&](float x, float top, float bottom, float reach, ImU32 color) {
    list.AddRectFilled({x - reach, top}, {x + reach, bottom}, color);
  };
  std::vector<ImVec2> line;
  float start = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto [top, bottom] = spans[i];
    const float x = middles[i];
    if (bottom - top < thin * scale) {
      if (line.empty() && i > 0)
        line.push_back({middles[i - 1],
                        std::clamp((top + bottom) / 2, spans[i - 1].first, spans[i - 1].second)});
      line.push_back({x, (top + bottom) / 2});
      continue;
    }
    if (!line.empty()) line.push_back({x, std::clamp(line.back().y, top, bottom)});
    draw_line(list, line, curve.style, scale, start);
    line.clear();
    list.Flags &= ~(ImDrawListFlags_AntiAliasedFill | ImDrawListFlags_AntiAliasedLines);
    if (reach_zero[i] || in_block(spans, i, scale)) {
      rectangle(x, top, bottom, width / 2, faint);
      rectangle(x, top - half, top + half, width / 2 + half, solid);
      rectangle(x, bottom - half, bottom + half, width / 2 + half, solid);
    } else {
      // Up to where the column before ends.
      const float upper = i > 0 ? std::min(top, spans[i - 1].second) : top;
      const float lower = i > 0 ? std::max(bottom, spans[i - 1].first) : bottom;
      rectangle(x, upper - half, lower + half, half, solid);
    }
    list.Flags = flags;
  }
  draw_line(list, line, curve.style, scale, start);
}

void text(ImDrawList& list, Face face, ImVec2 at, ImU32 color, const std::string& what) {
  ImFont* f = font(face);
  list.AddText(f, f->FontSize * ImGui::GetIO().FontGlobalScale,
               {std::round(at.x), std::round(at.y)}, color, what.c_str());
}

ImVec2 extent(Face face, const std::string& what) {
  ImFont* f = font(face);
  return f->CalcTextSizeA(f->FontSize * ImGui::GetIO().FontGlobalScale, FLT_MAX, 0, what.c_str());
}

void draw_value_axis(ImDrawList& list, const Panel& panel, const PlotSpec& spec,
                     const Canvas& canvas, int most, std::string& axis_note) {
  const Colors& c = panel.colors;
  const auto tick = [&](float y, const std::string& label) {
    list.AddLine({canvas.from.x, y}, {canvas.to.x, y}, ink(c.line));
    const ImVec2 size = extent(Face::small_mono, label);
    text(list, Face::small_mono, {canvas.from.x - panel.px(6) - size.x, y - size.y / 2}, ink(c.dim),
         label);
  };
  if (!spec.logarithmic) {
    const Labelling how = labelling(canvas.value, tick_step(canvas.value.span(), most));
    for (const double v : linear_ticks(canvas.value, most))
      tick(std::round(canvas.place(v)), tick_label(how, v));
    axis_note = note(how, spec.unit);
    return;
  }
  const LogTicks ticks = log_ticks(canvas.value, most);
  for (const double v : ticks.minor) {
    const float y = std::round(canvas.place(v));
    list.AddLine({canvas.from.x, y}, {canvas.from.x + panel.px(4), y}, ink(c.dim, 0.6f));
  }
  for (const int k : ticks.decades) tick(std::round(canvas.place(k)), power_of_ten(k));
  // Exact zeros have a place of their own.
  const float y = std::round(canvas.floor());
  for (float x = canvas.from.x; x < canvas.to.x; x += panel.px(6))
    list.AddLine({x, y}, {std::min(x + panel.px(2), canvas.to.x), y}, ink(c.dim, 0.7f));
  const ImVec2 size = extent(Face::small_mono, "0");
  text(list, Face::small_mono, {canvas.from.x - panel.px(6) - size.x, y - size.y / 2}, ink(c.dim),
       "0");
}

void draw_time_axis(ImDrawList& list, const Panel& panel, const PlotSpec& spec,
                    const Canvas& canvas) {
  const Colors& c = panel.colors;
  const int most = std::max(2, static_cast<int>((canvas.to.x - canvas.from.x) / panel.px(58)));
  const Labelling how = labelling(canvas.time, tick_step(canvas.time.span(), most));
  for (const double t : linear_ticks(canvas.time, most)) {
    const float x = std::round(canvas.x(t));
    list.AddLine({x, canvas.from.y}, {x, canvas.to.y}, ink(c.line));
    if (!spec.time_labels) continue;
    const std::string label = tick_label(how, t);
    const ImVec2 size = extent(Face::small_mono, label);
    const float right = canvas.to.x + panel.px(plot_right) - size.x;
    text(list, Face::small_mono, {std::min(x - size.x / 2, right), canvas.to.y + panel.px(4)},
         ink(c.dim), label);
  }
  if (!spec.time_labels) return;
  const std::string extra = note(how, "s");
  const std::string title = extra.empty() ? "time [s]" : "time [s]  " + extra;
  const ImVec2 size = extent(Face::small_text, title);
  text(list, Face::small_text,
       {(canvas.from.x + canvas.to.x - size.x) / 2, canvas.to.y + panel.px(19)}, ink(c.dim), title);
}

void draw_tags(ImDrawList& list, const Panel& panel, const Canvas& canvas,
               const std::vector<Tag>& tags, bool hovered) {
  const float mouse = ImGui::GetIO().MousePos.x;
  float last = -FLT_MAX;
  std::string label;
  int named = 0, unnamed = 0;
  for (const Tag& tag : tags) {
    const float x = std::round(canvas.x(tag.t));
    if (x < canvas.from.x || x > canvas.to.x) continue;
    if (x != last)
      list.AddLine({x, canvas.from.y}, {x, canvas.to.y}, ink(panel.colors.warning, 0.55f));
    last = x;
    if (!hovered || std::abs(mouse - x) > panel.px(4)) continue;
    if (named < 4) {
      label += (named ? "\n" : "") + fmt::format("{:.6g} s  {}", tag.t, tag.text);
      ++named;
    } else {
      ++unnamed;
    }
  }
  if (unnamed) label += fmt::format("\nand {} more", unnamed);
  if (!label.empty()) ImGui::SetTooltip("%s", label.c_str());
}

/// Time and values under the mouse, in all plots at once.
void draw_cursor(ImDrawList& list, const Panel& panel, const PlotSpec& spec, const Canvas& canvas,
                 const std::vector<Curve>& curves, double at) {
  const Colors& c = panel.colors;
  const float x = std::round(canvas.x(at));
  if (x < canvas.from.x || x > canvas.to.x) return;
  list.AddLine({x, canvas.from.y}, {x, canvas.to.y}, ink(c.dim, 0.7f));
  std::string readout;
  for (const Curve& curve : curves) {
    const History& h = *curve.history;
    if (h.size() == 0) continue;
    const auto times = h.column(Quantity::time);
    std::size_t i = std::min(h.lower_bound(at), h.size() - 1);
    if (i > 0 && at - times[i - 1] < times[i] - at) --i;
    if (i < curve.samples.first || i >= curve.samples.last) continue;
    const double v = shown_value(spec, h.column(spec.quantity)[i]);
    draw_marker(list, {canvas.x(times[i]), canvas.y(v)}, panel.px(3.5f), curve.style);
    if (readout.empty()) readout = fmt::format("t = {:.6g} s", times[i]);
    readout += "   " +
               (spec.logarithmic ? fmt::format("{:.4e}", v) : with_minus(fmt::format("{:.9g}", v)));
    if (spec.unit != "1") readout += " " + spec.unit;
  }
  if (readout.empty()) return;
  const ImVec2 size = extent(Face::small_mono, readout);
  // On the side where the mouse is not.
  const bool left = x > (canvas.from.x + canvas.to.x) / 2;
  const float px = left ? canvas.from.x + panel.px(6) : canvas.to.x - panel.px(6) - size.x;
  const float py = canvas.from.y + panel.px(5);
  list.AddRectFilled({px - panel.px(4), py - panel.px(2)},
                     {px + size.x + panel.px(4), py + size.y + panel.px(2)}, ink(c.panel, 0.92f),
                     panel.px(3));
  text(list, Face::small_mono, {px, py}, ink(c.text), readout);
}

void wheel_zoom(const Canvas& canvas, bool over_time, bool over_value, TimeAxis& time,
                ValueAxis& value) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0) return;
  const double factor = std::pow(0.85, io.MouseWheel);
  if (over_time) {
    time.range = zoomed(time.range, canvas.time_at(io.MousePos.x), factor);
    time.automatic = false;
  }
  if (over_value) {
    value.range = zoomed(value.range, canvas.value_at(io.MousePos.y), factor);
    value.automatic = false;
  }
}

void drag_pan(const Canvas& canvas, bool time_moves, bool value_moves, TimeAxis& time,
              ValueAxis& value, float slack) {
  const ImGuiIO& io = ImGui::GetIO();
  if (time_moves && io.MouseDelta.x != 0) {
    time.range =
        shifted(time.range, -io.MouseDelta.x / (canvas.to.x - canvas.from.x) * time.range.span());
    time.automatic = false;
  }
  // A drag along the time axis is rarely quite level.
  const bool meant =
      !time_moves || std::abs(io.MousePos.y - io.MouseClickedPos[0].y) > slack || !value.automatic;
  if (value_moves && io.MouseDelta.y != 0 && meant) {
    value.range = shifted(value.range,
                          io.MouseDelta.y / (canvas.bottom - canvas.from.y) * value.range.span());
    value.automatic = false;
  }
}

/// The box of a right drag; zooms when the button is let go.
void box_zoom(ImDrawList& list, const Panel& panel, const Canvas& canvas, TimeAxis& time,
              ValueAxis& value) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 a = io.MouseClickedPos[1];
  const ImVec2 b{std::clamp(io.MousePos.x, canvas.from.x, canvas.to.x),
                 std::clamp(io.MousePos.y, canvas.from.y, canvas.bottom)};
  const ImVec2 low{std::min(a.x, b.x), std::min(a.y, b.y)},
      high{std::max(a.x, b.x), std::max(a.y, b.y)};
  if (high.x - low.x < panel.px(4) || high.y - low.y < panel.px(4)) return;
  if (!ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
    list.AddRectFilled(low, high, ink(panel.colors.accent, 0.15f));
    list.AddRect(low, high, ink(panel.colors.accent, 0.8f));
    return;
  }
  time.range = {canvas.time_at(low.x), canvas.time_at(high.x)};
  value.range = {canvas.value_at(high.y), canvas.value_at(low.y)};
  time.automatic = value.automatic = false;
}

/// Mouse input over the area and both axes; whether everything is to be shown.
bool interact(ImDrawList& list, const Panel& panel, const PlotSpec& spec, const Canvas& canvas,
              TimeAxis& time, ValueAxis& value, bool& hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  bool everything = false;
  const ImVec2 size{canvas.to.x - canvas.from.x, canvas.to.y - canvas.from.y};
  const auto zone = [&](const char* id, ImVec2 at, ImVec2 extents, bool over_time,
                        bool over_value) {
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton(id, extents,
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    if (ImGui::IsItemHovered()) {
      wheel_zoom(canvas, over_time, over_value, time, value);
      everything |= ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
    if (ImGui::IsItemActive() && io.MouseDown[0])
      drag_pan(canvas, over_time, over_value, time, value, panel.px(8));
  };
  zone("value axis", {canvas.from.x - panel.px(plot_left - 4), canvas.from.y},
       {panel.px(plot_left - 4), size.y}, false, true);
  if (spec.time_labels)
    zone("time axis", {canvas.from.x, canvas.to.y}, {size.x, panel.px(plot_time)}, true, false);
  zone("area", canvas.from, size, true, true);
  panel.mark("plot/" + spec.id);
  hovered = ImGui::IsItemHovered();
  if (hovered) time.next_cursor = canvas.time_at(io.MousePos.x);
  if ((ImGui::IsItemActive() || ImGui::IsItemDeactivated()) &&
      (io.MouseDown[1] || io.MouseReleased[1]))
    box_zoom(list, panel, canvas, time, value);
  return everything;
}

}  // namespace

bool PlotsView::following() const {
  return time.automatic &&
         std::all_of(values.begin(), values.end(), [](const ValueAxis& v) { return v.automatic; });
}

void PlotsView::follow() {
  time.automatic = true;
  for (ValueAxis& v : values) v.automatic = true;
}

bool draw_plot(const Panel& panel, const PlotSpec& spec, const std::vector<Curve>& curves,
               const std::vector<Tag>& tags, TimeAxis& time, ValueAxis& value, const Rect& place) {
  const Colors& c = panel.colors;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushID(spec.id.c_str());

  Canvas canvas;
  canvas.from = {std::round(place.x + panel.px(plot_left)),
                 std::round(place.y + panel.px(plot_title))};
  canvas.to = {std::round(place.x + place.width - panel.px(plot_right)),
               std::round(place.y + place.height - (spec.time_labels ? panel.px(plot_time) : 0))};
  canvas.bottom = canvas.to.y - (spec.logarithmic ? panel.px(19) : 0);
  canvas.logarithmic = spec.logarithmic;
  canvas.time = time.range;

  const float ratio = std::max(1.0f, ImGui::GetIO().DisplayFramebufferScale.x);
  const int columns = std::max(2, static_cast<int>((canvas.to.x - canvas.from.x) * ratio));
  const int most = std::max(2, static_cast<int>((canvas.bottom - canvas.from.y) / panel.px(26)));
  std::vector<Reduced> parts;
  for (const Curve& curve : curves) parts.push_back(reduced(spec, curve, time.range, columns));
  if (value.automatic) value.range = fitted(spec, curves, parts, most, value.range);
  canvas.value = value.range;

  bool hovered = false;
  const bool everything = interact(list, panel, spec, canvas, time, value, hovered);

  list.AddRectFilled(canvas.from, canvas.to, ink(c.scene));
  std::string axis_note;
  draw_time_axis(list, panel, spec, canvas);
  draw_value_axis(list, panel, spec, canvas, most, axis_note);

  const std::string title = spec.title + " ";
  const ImVec2 head{canvas.from.x, place.y + panel.px(1)};
  text(list, Face::text, head, ink(c.text), title);
  text(list, Face::text, {head.x + extent(Face::text, title).x, head.y}, ink(c.dim),
       "[" + spec.unit + "]");
  if (!axis_note.empty()) {
    const ImVec2 size = extent(Face::small_mono, axis_note);
    text(list, Face::small_mono, {canvas.to.x - size.x, canvas.from.y - size.y - panel.px(2)},
         ink(c.dim), axis_note);
  }

  list.PushClipRect(canvas.from, canvas.to, true);
  draw_tags(list, panel, canvas, tags, hovered);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (parts[i].dense)
      draw_dense(list, canvas, curves[i], parts[i], panel.scale);
    else
      draw_sparse(list, canvas, spec, curves[i], parts[i], panel.scale);
  }
  if (time.cursor) draw_cursor(list, panel, spec, canvas, curves, *time.cursor);
  list.PopClipRect();
  ImGui::PopID();
  return everything;
}

}  // namespace twosphere::ui
