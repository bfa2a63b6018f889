// SPDX-License-Identifier: GPL-3.0-or-later
// Phase portraits: one signal over another, time along the curve.
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/plots/plot_curves.h"
#include "ui/shell/stroke.h"
#include "ui/shell/style.h"

namespace twosphere::ui {

namespace {

// Up to so many points a portrait is a line through each; beyond, it is the pixels passed through.
constexpr std::size_t longest_line = 6000;
constexpr std::size_t points_per_frame = 200'000;
constexpr int arrows = 5;

void arrow(ImDrawList& list, ImVec2 at, ImVec2 along, float size, ImU32 color) {
  const ImVec2 across{-along.y, along.x};
  list.AddTriangleFilled({at.x + along.x * size, at.y + along.y * size},
                         {at.x - along.x * size + across.x * size * 0.8f,
                          at.y - along.y * size + across.y * size * 0.8f},
                         {at.x - along.x * size - across.x * size * 0.8f,
                          at.y - along.y * size - across.y * size * 0.8f},
                         color);
}

/// Arrows at even distances along a line.
void draw_arrows(ImDrawList& list, const std::vector<ImVec2>& points, ImU32 color, float scale) {
  float total = 0;
  const auto length = [&](std::size_t i) {
    return std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  };
  for (std::size_t i = 1; i < points.size(); ++i) total += length(i);
  const int count = std::min(arrows, static_cast<int>(total / (40 * scale)));
  float done = 0;
  int next = 0;
  for (std::size_t i = 1; i < points.size() && next < count; ++i) {
    const float l = length(i);
    const float due = total * (static_cast<float>(next) + 0.5f) / static_cast<float>(count);
    if (l > 0 && done + l >= due) {
      const float part = (due - done) / l;
      const ImVec2 along{(points[i].x - points[i - 1].x) / l, (points[i].y - points[i - 1].y) / l};
      arrow(list, {points[i - 1].x + along.x * l * part, points[i - 1].y + along.y * l * part},
            along, 4.5f * scale, color);
      ++next;
    }
    done += l;
  }
}

/// Marks the cells that the line between two points passes, in cells from the upper left corner.
void rasterise(PixelMask& pixel_mask, double x0, double y0, double x1, double y1) {
  // The part inside, by Liang and Barsky.
  double from = 0, to = 1;
  const double dx = x1 - x0, dy = y1 - y0;
  const auto clip = [&](double p, double q) {
    if (p == 0) return q >= 0;
    const double r = q / p;
    if (p < 0)
      from = std::max(from, r);
    else
      to = std::min(to, r);
    return from <= to;
  };
  const double right = pixel_mask.width - 1e-6, bottom = pixel_mask.height - 1e-6;
  if (!clip(-dx, x0) || !clip(dx, right - x0) || !clip(-dy, y0) || !clip(dy, bottom - y0)) return;
  const int steps =
      std::max(1, static_cast<int>(std::ceil(std::max(std::abs(dx), std::abs(dy)) * (to - from))));
  for (int k = 0; k <= steps; ++k) {
    const double part = from + (to - from) * k / steps;
    const auto x = static_cast<std::size_t>(std::clamp(x0 + dx * part, 0.0, right));
    const auto y = static_cast<std::size_t>(std::clamp(y0 + dy * part, 0.0, bottom));
    pixel_mask.cells[y * static_cast<std::size_t>(pixel_mask.width) + x] = 1;
  }
}

/// Brings the cells of a long curve up to date, as far as one frame allows; whether they are.
bool advance(PixelMask& pixel_mask, const Canvas& canvas, const Pairs& pairs, const Curve& curve,
             IndexRange points, std::uint64_t generation) {
  const float ratio = std::max(1.0f, ImGui::GetIO().DisplayFramebufferScale.x);
  const int width = static_cast<int>((canvas.to.x - canvas.from.x) * ratio);
  const int height = static_cast<int>((canvas.bottom - canvas.from.y) * ratio);
  const bool same = pixel_mask.history == curve.history && pixel_mask.generation == generation &&
                    pixel_mask.x == canvas.x_range && pixel_mask.y == canvas.y_range &&
                    pixel_mask.width == width && pixel_mask.height == height &&
                    pixel_mask.done.first == points.first && pixel_mask.done.last <= points.last;
  if (!same) {
    pixel_mask = {curve.history,  canvas.x_range,
                  canvas.y_range, width,
                  height,         {points.first, points.first},
                  generation,     {}};
    pixel_mask.cells.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
  }
  const auto x = [&](std::size_t i) {
    return (static_cast<double>(canvas.x(pairs.x(i))) - canvas.from.x) * ratio;
  };
  const auto y = [&](std::size_t i) {
    return (static_cast<double>(canvas.y(pairs.y(i))) - canvas.from.y) * ratio;
  };
  const std::size_t end = std::min(points.last, pixel_mask.done.last + points_per_frame);
  std::size_t i = pixel_mask.done.last > points.first ? pixel_mask.done.last - 1 : points.first;
  if (i < end) {
    double px = x(i), py = y(i);
    for (++i; i < end; ++i) {
      const double qx = x(i), qy = y(i);
      if (std::isfinite(px + py + qx + qy)) rasterise(pixel_mask, px, py, qx, qy);
      px = qx;
      py = qy;
    }
  }
  pixel_mask.done.last = end;
  return end == points.last;
}

void draw_cells(ImDrawList& list, const Canvas& canvas, const PixelMask& pixel_mask, ImU32 color) {
  const float cell = (canvas.to.x - canvas.from.x) / static_cast<float>(pixel_mask.width);
  const float extra = 0.25f;
  const ImDrawListFlags flags = list.Flags;
  list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
  for (int row = 0; row < pixel_mask.height; ++row) {
    const std::uint8_t* line =
        pixel_mask.cells.data() +
        static_cast<std::size_t>(row) * static_cast<std::size_t>(pixel_mask.width);
    const float top = canvas.from.y + cell * static_cast<float>(row);
    for (int x = 0; x < pixel_mask.width; ++x) {
      if (!line[x]) continue;
      const int first = x;
      while (x < pixel_mask.width && line[x]) ++x;
      list.AddRectFilled({canvas.from.x + cell * static_cast<float>(first) - extra, top - extra},
                         {canvas.from.x + cell * static_cast<float>(x) + extra, top + cell + extra},
                         color);
    }
  }
  list.Flags = flags;
}

}  // namespace

Pairs::Pairs(const PlotSpec& spec, const Curve& curve)
    : x_(*curve.history, *spec.x), y_(*curve.history, spec.y), samples_(curve.samples) {
  // Quantities belong to every sample, signals of the state to every stride-th of one stride.
  const std::size_t stride = std::max(x_.stride(), y_.stride());
  x_step_ = stride / x_.stride();
  y_step_ = stride / y_.stride();
  size_ = std::min((x_.size() + x_step_ - 1) / x_step_, (y_.size() + y_step_ - 1) / y_step_);
}

std::size_t Pairs::sample(std::size_t index) const { return y_.sample(index * y_step_); }

IndexRange Pairs::visible(Interval time) const {
  const IndexRange own = y_.of(samples_);
  const IndexRange seen = ui::visible(y_, {own.first, std::min(own.last + 1, y_.size())}, time);
  const auto up = [this](std::size_t i) { return std::min((i + y_step_ - 1) / y_step_, size_); };
  return {up(seen.first), up(seen.last)};
}

Range Pairs::x_range(IndexRange points) const {
  return x_.range(points.first * x_step_, std::min((points.last - 1) * x_step_ + 1, x_.size()));
}

Range Pairs::y_range(IndexRange points) const {
  return y_.range(points.first * y_step_, std::min((points.last - 1) * y_step_ + 1, y_.size()));
}

std::size_t Pairs::nearest(double t) const {
  const std::size_t near = y_.nearest(t) / y_step_;
  std::size_t best = std::min(near, size_ - 1);
  if (best + 1 < size_ && std::abs(time(best + 1) - t) < std::abs(time(best) - t)) ++best;
  return best;
}

void fit_portrait(PlotView& plot, const std::vector<Curve>& curves, Interval time, int x_ticks,
                  int y_ticks) {
  std::vector<Reduced> extremes;
  double low = 0, high = 0;
  bool any = false;
  for (const Curve& curve : curves) {
    const Pairs pairs(plot.spec, curve);
    const IndexRange points = pairs.visible(time);
    // One column each: its extremes are all that the vertical axis needs.
    Reduced& part = extremes.emplace_back();
    part.dense = true;
    if (points.size() == 0) continue;
    const Range x = pairs.x_range(points), y = pairs.y_range(points);
    if (!std::isfinite(x.low) || !std::isfinite(x.high)) continue;
    low = any ? std::min(low, x.low) : x.low;
    high = any ? std::max(high, x.high) : x.high;
    any = true;
    if (!plot.spec.shows_magnitude())
      part.columns = {{y.low, y.high, false}};
    else if (y.low > 0 || y.high < 0)
      part.columns = {{std::min(std::abs(y.low), std::abs(y.high)),
                       std::max(std::abs(y.low), std::abs(y.high)), false}};
    else
      part.columns = {{0, std::max(-y.low, y.high), false}};
  }
  if (any && plot.x.automatic) plot.x.range = fit_linear(low, high, x_ticks, plot.spec.x->count());
  if (plot.y.automatic) fit(plot.y, plot.spec, curves, extremes, y_ticks);
}

bool draw_portrait(ImDrawList& list, const Canvas& canvas, const PlotSpec& spec, const Curve& curve,
                   Interval time, PixelMask& pixel_mask, std::uint64_t generation, bool first,
                   bool last, float scale) {
  const Pairs pairs(spec, curve);
  const IndexRange points = pairs.visible(time);
  if (points.size() == 0) return true;
  const ImU32 color = im_color(curve.style.color);
  const auto at = [&](std::size_t i) { return ImVec2{canvas.x(pairs.x(i)), canvas.y(pairs.y(i))}; };
  const auto finite = [&](std::size_t i) {
    return std::isfinite(pairs.x(i)) && std::isfinite(pairs.y(i));
  };
  bool complete = true;
  if (points.size() > longest_line) {
    complete = advance(pixel_mask, canvas, pairs, curve, points, generation);
    draw_cells(list, canvas, pixel_mask, color);
  } else {
    pixel_mask = {};
    std::vector<ImVec2> line;
    float start = 0;
    const auto finish = [&] {
      draw_line(list, line, curve.style, scale, start);
      draw_arrows(list, line, color, scale);
      line.clear();
    };
    for (std::size_t i = points.first; i < points.last; ++i) {
      if (finite(i))
        line.push_back(at(i));
      else
        finish();
    }
    finish();
  }
  if (first && finite(points.first))
    list.AddCircle(at(points.first), 4 * scale, color, 0, 1.5f * scale);
  if (last && finite(points.last - 1))
    draw_marker(list, at(points.last - 1), 4.5f * scale, curve.style);
  return complete;
}

std::optional<double> time_near(const Canvas& canvas, const PlotSpec& spec,
                                const std::vector<Curve>& curves, Interval time, ImVec2 place,
                                float reach) {
  std::optional<double> found;
  float best = reach;
  for (const Curve& curve : curves) {
    const Pairs pairs(spec, curve);
    const IndexRange points = pairs.visible(time);
    if (points.size() > longest_line) continue;
    for (std::size_t i = points.first; i < points.last; ++i) {
      const float distance =
          std::hypot(canvas.x(pairs.x(i)) - place.x, canvas.y(pairs.y(i)) - place.y);
      if (!(distance < best)) continue;
      best = distance;
      found = pairs.time(i);
    }
  }
  return found;
}

}  // namespace twosphere::ui
