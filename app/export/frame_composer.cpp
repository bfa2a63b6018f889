// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/frame_composer.h"

#include <fmt/format.h>

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QString>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "app/base/qt_pixels.h"
#include "app/base/qt_text.h"
#include "app/figures/figure_data.h"
#include "app/figures/print_painter.h"
#include "core/base/text.h"
#include "ui/shell/interface_colors.h"

namespace twosphere {

namespace {

constexpr int one_to_one = 2835;  // [dots per metre]: 72 dpi, so that a point is a pixel
// Sizes relative to the height of text.
constexpr double title_size = 1.25, curve_width = 0.11, cursor_width = 0.09, dot_radius = 0.3;
constexpr int columns_per_pixel = 1;
// Each leg of a run is a picture as large as the plots; what follows so many is one leg.
constexpr std::size_t max_legs = 16;

QImage empty_image(const FrameBox& box, QImage::Format format) {
  QImage image(box.width, box.height, format);
  image.setDotsPerMeterX(one_to_one);
  image.setDotsPerMeterY(one_to_one);
  if (format == QImage::Format_ARGB32_Premultiplied) image.fill(Qt::transparent);
  return image;
}

/// A list on an image of this size.
QImage painted(const ui::DrawList& list, const FrameBox& box, double text, QImage::Format format) {
  QImage image = empty_image(box, format);
  QPainter painter(&image);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  PrintPainter(painter, text).paint(list);
  return image;
}

ui::FigureLook look_of_frames(Palette palette, double text) {
  const ui::Colors& c = ui::colors(palette);
  return {.font = text,
          .line = std::max(1.5, curve_width * text),
          .inks = {{c.panel}, {c.text}, {c.line}, {c.dim}}};
}

/// Where a point of a plot is, in pixels of its figure.
ui::Point point_in_plot(const ui::FigurePlace& place, const ui::PlotModel& model, ui::Point p) {
  const ui::Box& box = place.area;
  return {box.from.x + box.width() * (p.x - model.x.range.low) / model.x.range.span(),
          place.bottom -
              (place.bottom - box.from.y) * (p.y - model.y.range.low) / model.y.range.span()};
}

/// Copies a picture into a part of a frame.
void put_part(const QImage& picture, const FrameBox& box, render::Image& frame) {
  for (int y = 0; y < box.height; ++y) copy_rgba_row(picture, y, frame.at(box.x, box.y + y));
}

}  // namespace

FrameComposer::FrameComposer(const FrameLayout& layout, int width, int height,
                             const FrameSubject& subject)
    : layout_(layout),
      width_(width),
      height_(height),
      boxes_(frame_boxes(layout, width, height)),
      text_(layout.text_size(height)),
      title_(layout.title && layout.title->empty() ? subject.title : layout.title.value_or("")),
      time_decimals_(subject.time_decimals),
      look_(look_of_frames(subject.palette, text_)),
      cursor_(ui::colors(subject.palette).accent) {
  if (boxes_.plots.empty()) return;
  lanes_ = History::views(subject.run.lanes);
  legs_ = lanes_.front().legs();
  if (legs_.size() > max_legs) {
    legs_[max_legs - 1].last = legs_.back().last;
    legs_.resize(max_legs);
  }
  ui::VisiblePlots shown;
  shown.time = subject.times;
  shown.hidden_lanes = subject.hidden_lanes;
  shown.reference = subject.reference;
  shown.reference_lane = subject.reference_lane;
  shown.colored_bodies = subject.colored_bodies;
  for (const ui::PlotSpec& plot : layout.plots)
    shown.plots.push_back({plot, {plot.scale, 0, plot.whole()}, {}, {}});
  // The scene names the lanes; without one the figure does.
  const bool keys = !layout.has_scene() && subject.legend && lanes_.size() > 1;
  const FigureChoice choice{
      .colors = subject.lane_colors == LaneColors::paper ? FigureColors::paper : FigureColors::own,
      .fitted = true,
      .title = false,
      .legend = keys,
      .markers = false,
      .left_out = {},
      .palette = subject.palette};
  ui::PlotFigure figure =
      make_figure(subject.run, shown, choice, columns_per_pixel * boxes_.plots.front().width);
  if (layout.place == PlotPlace::right) {
    panels_.push_back(make_panel(boxes_.plots.front(), std::move(figure)));
    return;
  }
  for (std::size_t k = 0; k < figure.plots.size(); ++k) {
    ui::PlotFigure one;
    if (k == 0) one.keys = figure.keys;
    one.changes = figure.changes;
    one.plots.push_back(std::move(figure.plots[k]));
    panels_.push_back(make_panel(boxes_.plots[k], std::move(one)));
  }
}

FrameComposer::Panel FrameComposer::make_panel(const FrameBox& box, ui::PlotFigure figure) const {
  Panel panel;
  panel.box = box;
  ui::DrawList below, above, portraits;
  std::vector<ui::DrawList> legs(legs_.size());
  // What is not made of samples, such as spectra, does not depend on the instant.
  const ui::FigureParts parts{
      below,
      [&](const ui::PlotCurve& curve) -> ui::DrawList& {
        if (!curve.point_samples.empty()) return portraits;
        if (curve.samples.size() == 0) return above;
        return legs[leg_of((curve.samples.first + curve.samples.last - 1) / 2)];
      },
      above};
  const ui::Point page{static_cast<double>(box.width), static_cast<double>(box.height)};
  QImage letters = empty_image({0, 0, 1, 1}, QImage::Format_RGB32);
  std::vector<ui::FigurePlace> places;
  {
    QPainter painter(&letters);
    places = ui::draw_figure(parts, figure, page, look_, PrintPainter(painter, text_));
  }
  constexpr auto opaque = QImage::Format_RGB32, clear = QImage::Format_ARGB32_Premultiplied;
  panel.below = painted(below, box, text_, opaque);
  panel.above = painted(above, box, text_, clear);
  panel.portraits = painted(portraits, box, text_, clear);
  for (const ui::DrawList& leg : legs) panel.legs.push_back(painted(leg, box, text_, clear));
  for (std::size_t k = 0; k < places.size(); ++k)
    panel.plots.push_back({places[k], std::move(figure.plots[k])});
  return panel;
}

std::size_t FrameComposer::sample_at(std::int64_t step) const {
  const Series& steps = lanes_.front().steps();
  std::size_t low = 0, high = steps.size();
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (steps[middle] <= static_cast<double>(step) ? low : high) = middle;
  }
  return low;
}

std::size_t FrameComposer::leg_of(std::size_t sample) const {
  std::size_t leg = 0;
  while (leg + 1 < legs_.size() && sample >= legs_[leg].last) ++leg;
  return leg;
}

int FrameComposer::cursor_column(std::size_t plot, double t) const {
  for (const Panel& panel : panels_) {
    if (plot < panel.plots.size())
      return panel.box.x +
             static_cast<int>(std::lround(
                 point_in_plot(panel.plots[plot].place, panel.plots[plot].model, {t, 0}).x));
    plot -= panel.plots.size();
  }
  return 0;
}

std::vector<ui::Box> FrameComposer::areas() const {
  std::vector<ui::Box> all;
  for (const Panel& panel : panels_) {
    const ui::Point corner{static_cast<double>(panel.box.x), static_cast<double>(panel.box.y)};
    for (const Plot& plot : panel.plots) {
      const ui::Box& area = plot.place.area;
      all.push_back({{area.from.x + corner.x, area.from.y + corner.y},
                     {area.to.x + corner.x, area.to.y + corner.y}});
    }
  }
  return all;
}

QImage FrameComposer::draw_panel(const Panel& panel, const FrameInstant& now) const {
  QImage image = panel.below;
  image.detach();
  QPainter painter(&image);
  const std::size_t sample = sample_at(now.step), present = leg_of(sample);
  const IndexRange& leg = legs_[present];
  const Series& times = lanes_.front().column(Quantity::time);
  const bool back = leg.size() > 1 && times[leg.last - 1] < times[leg.first];
  for (const Plot& plot : panel.plots) {
    if (!plot.model.over_time) continue;
    const ui::Box& area = plot.place.area;
    const double x = point_in_plot(plot.place, plot.model, {now.t, 0}).x;
    const int cut = static_cast<int>(std::lround(std::clamp(x, area.from.x, area.to.x)));
    // A curve may be half a line wide beyond its area.
    const int top = static_cast<int>(area.from.y - look_.line),
              height = static_cast<int>(area.height() + 2 * look_.line) + 1;
    const QRect earlier(0, top, cut, height), later(cut, top, panel.box.width - cut, height);
    for (std::size_t k = 0; k < panel.legs.size(); ++k) {
      const auto draw = [&](const QRect& part, bool future) {
        painter.setOpacity(future ? future_opacity : 1);
        painter.drawImage(part, panel.legs[k], part);
      };
      draw(earlier, k > present || (k == present && back));
      draw(later, k > present || (k == present && !back));
    }
  }
  painter.setOpacity(future_opacity);
  painter.drawImage(0, 0, panel.portraits);
  painter.setOpacity(1);
  painter.setRenderHint(QPainter::Antialiasing);
  ui::DrawList moving;
  for (const Plot& plot : panel.plots) {
    const ui::Box& area = plot.place.area;
    for (const ui::PlotCurve& curve : plot.model.curves) {
      if (curve.point_samples.empty()) continue;
      const auto end =
          std::upper_bound(curve.point_samples.begin(), curve.point_samples.end(), sample);
      std::vector<ui::Point> path;
      for (auto k = curve.point_samples.begin(); k != end; ++k)
        path.push_back(
            point_in_plot(plot.place, plot.model,
                          curve.points[static_cast<std::size_t>(k - curve.point_samples.begin())]));
      if (path.empty()) continue;
      moving.clip(area);
      moving.polyline(path, ui::stroke_of(curve.style, look_.line));
      // The present state, on the curve that has it.
      if (curve.samples.first <= sample && sample < curve.samples.last && path.back().finite())
        moving.disc(path.back(), dot_radius * text_, {curve.style.color});
      moving.unclip();
    }
  }
  PrintPainter(painter, text_).paint(moving);
  painter.drawImage(0, 0, panel.above);
  painter.setRenderHint(QPainter::Antialiasing, false);
  const int thick = std::max(1, static_cast<int>(std::lround(cursor_width * text_)));
  for (const Plot& plot : panel.plots) {
    const ui::Box& area = plot.place.area;
    const double x = point_in_plot(plot.place, plot.model, {now.t, 0}).x;
    if (!plot.model.over_time || x < area.from.x - 0.5 || x > area.to.x + 0.5) continue;
    painter.fillRect(static_cast<int>(std::lround(x)) - thick / 2,
                     static_cast<int>(std::lround(area.from.y)), thick,
                     static_cast<int>(std::lround(area.height())), to_qcolor(cursor_));
  }
  return image;
}

QImage FrameComposer::draw_line(const FrameInstant& now) const {
  QImage image = empty_image(boxes_.line, QImage::Format_RGB32);
  image.fill(to_qcolor(look_.inks.ground.color));
  QPainter painter(&image);
  painter.setRenderHint(QPainter::TextAntialiasing);
  painter.setPen(to_qcolor(look_.inks.text.color));
  const auto font = [&](const char* family, double size) {
    QFont made{QLatin1String(family)};
    made.setPointSizeF(size * text_);
    made.setHintingPreference(QFont::PreferNoHinting);
    return made;
  };
  const auto write = [&](double x, const QFont& with, const QString& text) {
    const QFontMetricsF metrics(with, &image);
    painter.setFont(with);
    painter.drawText(QPointF(x, (boxes_.line.height - metrics.height()) / 2 + metrics.ascent()),
                     text);
  };
  double room = boxes_.line.width - text_;
  if (layout_.time) {
    const QFont mono = font("DejaVu Sans Mono", title_size);
    const QString time =
        to_qstring("t = " + ui::with_minus(fmt::format("{:.{}f}", now.t, time_decimals_)) + " s");
    room -= QFontMetricsF(mono, &image).horizontalAdvance(time);
    write(room, mono, time);
    room -= text_;
  }
  const QFont sans = font("DejaVu Sans", title_size);
  const QFontMetricsF letters(sans, &image);
  write(text_, sans, to_qstring(cut_to_fit(title_, [&](const std::string& part) {
          return letters.horizontalAdvance(to_qstring(part)) <= room - text_;
        })));
  return image;
}

render::Image FrameComposer::compose(const render::Image& scene, const FrameInstant& now) const {
  render::Image frame{width_, height_, {}};
  frame.pixels.resize(4 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
  if (boxes_.line.height > 0) put_part(draw_line(now), boxes_.line, frame);
  const FrameBox& box = boxes_.scene;
  for (int y = 0; y < box.height; ++y)
    std::memcpy(frame.at(box.x, box.y + y), scene.at(0, y),
                4 * static_cast<std::size_t>(box.width));
  for (const Panel& panel : panels_) put_part(draw_panel(panel, now), panel.box, frame);
  return frame;
}

}  // namespace twosphere
