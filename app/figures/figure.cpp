// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/figure.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "app/figures/clip.h"
#include "app/figures/sheet.h"

namespace twosphere {

namespace {

constexpr QRgb ink = 0xff000000, grid = 0xffe2e5ea, faint = 0xff8b8f96;
// Line widths [pt].
constexpr double frame_line = 0.6, grid_line = 0.4, drop_line = 0.3;
// Lengths in heights of a line of text.
constexpr double outer = 0.35, tick = 0.28, tick_gap = 0.3, swatch = 2.4, zero_strip = 1.5;

QString text(const std::string& s) { return QString::fromStdString(s); }

/// "quantity [unit]" in one or two lines no longer than `room`; empty if that cannot be done.
QStringList folded(const QString& label, const QFontMetricsF& metrics, double room) {
  if (metrics.horizontalAdvance(label) <= room) return {label};
  QStringList best;
  double shortest = room;
  for (qsizetype at = label.indexOf(QLatin1Char(' ')); at >= 0;
       at = label.indexOf(QLatin1Char(' '), at + 1)) {
    const QStringList lines{label.left(at), label.mid(at + 1)};
    const double width =
        std::max(metrics.horizontalAdvance(lines[0]), metrics.horizontalAdvance(lines[1]));
    if (width > shortest) continue;
    shortest = width;
    best = lines;
  }
  return best;
}

/// A tint that stays behind lines.
QRgb pale(QRgb color) {
  const auto part = [](int channel) { return 255 - (255 - channel) * 2 / 5; };
  return qRgb(part(qRed(color)), part(qGreen(color)), part(qBlue(color)));
}

QString name(const FigureAxis& axis) {
  return text(axis.label) + QStringLiteral(" [") + text(axis.unit) + QLatin1Char(']');
}

bool zeros(const FigurePlot& plot) {
  if (plot.y.transform.scale != ui::Scale::logarithmic) return false;
  for (const FigureCurve& curve : plot.curves) {
    if (!curve.drops.empty()) return true;
    for (const QPointF p : curve.points)
      if (p.y() == -std::numeric_limits<double>::infinity()) return true;
  }
  return false;
}

class Drawing : private Page {
 public:
  Drawing(QPainter& painter, const PlotFigure& figure, QSizeF points, const FigureLook& look)
      : Page(painter, points, look.font),
        figure_(figure),
        look_(look),
        note_(text(figure.note).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {}

  std::vector<FigureArea> draw() {
    lay_out();
    draw_head();
    std::vector<FigureArea> areas;
    for (std::size_t i = 0; i < figure_.plots.size(); ++i) {
      draw_plot(i);
      const QRectF& r = places_[i].area;
      areas.push_back({r.left() / unit_, r.top() / unit_, r.right() / unit_, r.bottom() / unit_});
    }
    return areas;
  }

 private:
  struct Place {
    QRectF area;    // within the frame
    double bottom;  // end of the value axis; above the line of zeros where there is one
    ui::Ticks x, y;
    bool x_labels;  // the last one over time, or one of its own
    QStringList label;
  };

  QPen pen(QRgb color, double width) const {
    QPen pen(QColor::fromRgb(color), width * unit_);
    pen.setCapStyle(Qt::FlatCap);
    return pen;
  }

  QPen pen(const ui::LaneStyle& style) const {
    QPen pen(QColor::fromRgb(0xff000000 | style.color.rgb), look_.line * unit_);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::RoundJoin);
    // Patterns are made for lines 2 px wide; the pen wants lengths in widths.
    QList<qreal> lengths;
    for (const float length : ui::pattern(style.dash)) lengths << length / 2.0;
    if (!lengths.isEmpty()) pen.setDashPattern(lengths);
    return pen;
  }

  bool x_labels(std::size_t i) const {
    const auto& plots = figure_.plots;
    return !plots[i].over_time || i + 1 == plots.size() || !plots[i + 1].over_time;
  }

  /// Rows of the legend: the keys that stand side by side.
  std::vector<std::vector<std::size_t>> legend(double room) const {
    std::vector<std::vector<std::size_t>> rows;
    double used = 0;
    for (std::size_t i = 0; i < figure_.keys.size(); ++i) {
      const double needed = key_width(figure_.keys[i]);
      if (rows.empty() || used + needed > room) {
        rows.emplace_back();
        used = 0;
      }
      rows.back().push_back(i);
      used += needed + line_;
    }
    return rows;
  }
  double key_width(const FigureKey& key) const {
    return (swatch + 0.4) * line_ + width(text(key.name));
  }

  /// Ticks that leave room between their labels.
  ui::Ticks x_ticks(const FigureAxis& axis, double room) const {
    for (int most = std::max(2, static_cast<int>(room / (2 * line_)));; --most) {
      ui::Ticks ticks = ui::axis_ticks(axis.transform, axis.range, most, axis.unit);
      double sum = 0;
      for (const auto& label : ticks.labels) sum += width(text(label.text)) + 0.8 * line_;
      if (sum <= room || most <= 2) return ticks;
    }
  }

  void lay_out() {
    const double gap = outer * line_;
    const auto& plots = figure_.plots;
    places_.assign(plots.size(), {});

    // Heights: what is left after the text, in equal parts.
    head_ = gap;
    legend_ = legend(page_.width() - 4 * line_);
    const auto rows = static_cast<double>((figure_.title.empty() ? 0 : 1) + legend_.size() +
                                          static_cast<std::size_t>(note_.size()));
    if (rows > 0) head_ += rows * 1.15 * line_;
    double fixed = head_ + gap;
    bool above = false;  // labels stand above the plots, for want of height
    const auto share = [&] {
      double sum = fixed;
      for (std::size_t i = 0; i < plots.size(); ++i)
        sum += before(i, above) + (x_labels(i) ? (tick_gap + 2.1) * line_ : 0);
      return std::max((page_.height() - sum) / static_cast<double>(plots.size()), line_);
    };
    const auto make_ticks = [&](double height) {
      for (std::size_t i = 0; i < plots.size(); ++i) {
        const double room = height - (zeros(plots[i]) ? zero_strip * line_ : 0);
        const int most = std::max(2, static_cast<int>(room / (1.7 * line_)));
        places_[i].y =
            ui::axis_ticks(plots[i].y.transform, plots[i].y.range, most, plots[i].y.unit);
      }
    };
    // The notes of the ticks need room, which may change the ticks.
    double height =
        (page_.height() - fixed) / static_cast<double>(std::max<std::size_t>(1, plots.size()));
    for (int round = 0; round < 2; ++round) {
      make_ticks(height);
      height = share();
    }
    for (std::size_t i = 0; i < plots.size() && !above; ++i) {
      places_[i].label = folded(name(plots[i].y), metrics_, height);
      above = places_[i].label.isEmpty();
    }
    if (above) height = share();
    make_ticks(height);

    // Widths: the same margins for all.
    double labels = 0, lines = 0;
    for (std::size_t i = 0; i < plots.size(); ++i) {
      for (const auto& label : places_[i].y.labels)
        labels = std::max(labels, width(text(label.text)));
      lines = std::max(lines, above ? 0 : static_cast<double>(places_[i].label.size()));
    }
    const double left = gap + lines * line_ + labels + (tick_gap + 0.3) * line_;
    double right = gap;
    for (int round = 0; round < 2; ++round)
      for (std::size_t i = 0; i < plots.size(); ++i) {
        Place& p = places_[i];
        p.area = QRectF(left, 0, std::max(page_.width() - left - right, line_), height);
        p.x = x_ticks(plots[i].x, p.area.width());
        if (p.x.labels.empty()) continue;
        const auto& last = p.x.labels.back();
        const double over = place_x(i, last.at) + width(text(last.text)) / 2 - p.area.right();
        right = std::max(right, over + gap);
      }
    double y = head_;
    for (std::size_t i = 0; i < plots.size(); ++i) {
      Place& p = places_[i];
      y += before(i, above);
      p.area = QRectF(left, y, std::max(page_.width() - left - right, line_), height);
      p.bottom = p.area.bottom() - (zeros(plots[i]) ? zero_strip * line_ : 0);
      p.x_labels = x_labels(i);
      if (above) p.label.clear();
      y += height + (p.x_labels ? (tick_gap + 2.1) * line_ : 0);
    }
  }

  /// Height between one plot and the next: notes, or a label that stands above.
  double before(std::size_t i, bool above) const {
    const bool noted = above || !places_[i].y.note.empty();
    return (noted ? 1.3 : i == 0 ? 0.5 : 1.0) * line_;
  }

  void draw_head() {
    const double left = places_.empty() ? outer * line_ : places_.front().area.left();
    double y = outer * line_;
    if (!figure_.title.empty()) {
      const double room = page_.width() - outer * line_;
      const QString title =
          metrics_.elidedText(text(figure_.title), Qt::ElideRight, room - outer * line_);
      write({std::min(left, room - width(title)), y}, title);
      y += 1.15 * line_;
    }
    for (const auto& row : legend_) {
      double needed = -line_;
      for (const std::size_t k : row) needed += key_width(figure_.keys[k]) + line_;
      double x = std::max(outer * line_, std::min(left, page_.width() - outer * line_ - needed));
      for (const std::size_t k : row) {
        const FigureKey& key = figure_.keys[k];
        painter_.setPen(pen(key.style));
        const double middle = y + line_ / 2;
        painter_.drawLine(QPointF(x, middle), QPointF(x + swatch * line_, middle));
        write({x + (swatch + 0.4) * line_, y}, text(key.name));
        x += key_width(key) + line_;
      }
      y += 1.15 * line_;
    }
    for (const QString& note : note_) {
      write(
          {std::max(outer * line_, std::min(left, page_.width() - outer * line_ - width(note))), y},
          note);
      y += 1.15 * line_;
    }
  }

  double place_x(std::size_t i, double at) const {
    const ui::Interval& range = figure_.plots[i].x.range;
    const QRectF& area = places_[i].area;
    return area.left() + bounded((at - range.low) / range.span()) * area.width();
  }
  double place_y(std::size_t i, double at) const {
    const ui::Interval& range = figure_.plots[i].y.range;
    const Place& p = places_[i];
    return p.bottom - bounded((at - range.low) / range.span()) * (p.bottom - p.area.top());
  }
  /// Far outside is as good as anywhere outside, and can be computed with.
  static double bounded(double part) { return std::clamp(part, -1e6, 1e6); }

  /// The line of exact zeros.
  double zero_line(std::size_t i) const {
    const Place& p = places_[i];
    return p.bottom + 0.65 * (p.area.bottom() - p.bottom);
  }

  void draw_plot(std::size_t i) {
    const FigurePlot& plot = figure_.plots[i];
    draw_grid(i);
    if (plot.over_time) draw_marks(i);
    for (const FigureCurve& curve : plot.curves) draw_curve(i, curve);
    for (const FigureName& curve : plot.names) draw_name(i, curve);
    for (const FigureDot& dot : plot.dots) draw_dot(i, dot);
    draw_frame(i);
    draw_labels(i);
  }

  void draw_grid(std::size_t i) {
    const Place& p = places_[i];
    painter_.setPen(pen(grid, grid_line));
    for (const auto& label : p.x.labels) {
      const double x = place_x(i, label.at);
      painter_.drawLine(QPointF(x, p.area.top()), QPointF(x, p.area.bottom()));
    }
    for (const auto& label : p.y.labels) {
      const double y = place_y(i, label.at);
      painter_.drawLine(QPointF(p.area.left(), y), QPointF(p.area.right(), y));
    }
    if (p.bottom == p.area.bottom()) return;
    QPen dots = pen(faint, grid_line);
    dots.setDashPattern({1, 4});
    painter_.setPen(dots);
    const double y = zero_line(i);
    painter_.drawLine(QPointF(p.area.left(), y), QPointF(p.area.right(), y));
  }

  void draw_marks(std::size_t i) {
    const Place& p = places_[i];
    const auto line = [&](double t) -> std::optional<double> {
      const double x = place_x(i, t);
      if (x < p.area.left() || x > p.area.right()) return std::nullopt;
      painter_.drawLine(QPointF(x, p.area.top()), QPointF(x, p.area.bottom()));
      return x;
    };
    QPen dots = pen(faint, frame_line);
    dots.setDashPattern({1, 2});
    painter_.setPen(dots);
    for (const double t : figure_.changes) line(t);
    for (const FigureMark& mark : figure_.marks) {
      painter_.setPen(pen(ink, frame_line));
      const auto x = line(mark.t);
      if (!x) continue;
      const QString name = text(mark.name);
      const double room = width(name) + 0.2 * line_;
      write({*x + room > p.area.right() ? *x - room : *x + 0.2 * line_, p.area.top()}, name);
    }
  }

  void draw_curve(std::size_t i, const FigureCurve& curve) {
    const Place& p = places_[i];
    constexpr double inf = std::numeric_limits<double>::infinity();
    std::vector<QPointF> line;
    line.reserve(curve.points.size());
    for (const QPointF at : curve.points)
      line.emplace_back(place_x(i, at.x()), at.y() == -inf ? zero_line(i) : place_y(i, at.y()));
    // Zeros lie in their strip, everything else above it.
    const QRectF axis(p.area.topLeft(), QPointF(p.area.right(), p.bottom));
    painter_.setPen(pen(pale(curve.style.color.rgb), drop_line));
    for (const QPointF from : curve.drops)
      if (const auto piece = clipped(QPointF(place_x(i, from.x()), place_y(i, from.y())),
                                     QPointF(place_x(i, from.x()), zero_line(i)), p.area))
        painter_.drawLine(piece->first, piece->second);
    painter_.setPen(pen(curve.style));
    std::vector<QPointF> part;
    const auto finish = [&](const QRectF& inside) {
      for (const QPolygonF& piece : clipped(part, inside)) painter_.drawPolyline(piece);
      if (part.size() == 1 && inside.contains(part[0])) {
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(pen(curve.style).color());
        painter_.drawEllipse(part[0], 0.6 * look_.line * unit_, 0.6 * look_.line * unit_);
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(pen(curve.style));
      }
      part.clear();
    };
    bool zero = false;
    for (std::size_t k = 0; k < line.size(); ++k) {
      const bool here = curve.points[k].y() == -inf;
      if (!std::isfinite(line[k].x()) || !std::isfinite(line[k].y())) {
        finish(zero ? p.area : axis);
        continue;
      }
      if (here != zero && !part.empty()) finish(zero ? p.area : axis);
      zero = here;
      part.push_back(line[k]);
    }
    finish(zero ? p.area : axis);
  }

  void draw_name(std::size_t i, const FigureName& name) {
    const bool zero = name.at.y() == -std::numeric_limits<double>::infinity();
    const QPointF middle(place_x(i, name.at.x()), zero ? zero_line(i) : place_y(i, name.at.y()));
    const QString what = text(name.name);
    QRectF box(0, 0, width(what) + 0.5 * line_, line_);
    box.moveCenter(middle);
    if (!places_[i].area.contains(box)) return;
    painter_.setPen(QPen(pen(name.style).color(), frame_line * unit_));
    painter_.setBrush(Qt::white);
    painter_.drawRoundedRect(box, 0.25 * line_, 0.25 * line_);
    painter_.setBrush(Qt::NoBrush);
    write(box.topLeft() + QPointF(0.25 * line_, 0), what);
  }

  void draw_dot(std::size_t i, const FigureDot& dot) {
    const bool zero = dot.at.y() == -std::numeric_limits<double>::infinity();
    const QPointF c(place_x(i, dot.at.x()), zero ? zero_line(i) : place_y(i, dot.at.y()));
    if (!places_[i].area.contains(c)) return;
    const double r = 2.2 * look_.line * unit_;
    const QColor color = pen(dot.style).color();
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(color);
    const auto polygon = [&](std::initializer_list<QPointF> corners) {
      QPolygonF shape;
      for (const QPointF corner : corners) shape << c + r * corner;
      painter_.drawPolygon(shape);
    };
    switch (dot.style.marker) {
      case ui::Marker::circle:
        painter_.drawEllipse(c, r, r);
        break;
      case ui::Marker::square:
        polygon({{-0.85, -0.85}, {0.85, -0.85}, {0.85, 0.85}, {-0.85, 0.85}});
        break;
      case ui::Marker::triangle:
        polygon({{0, -1.1}, {1, 0.8}, {-1, 0.8}});
        break;
      case ui::Marker::diamond:
        polygon({{0, -1.2}, {1.2, 0}, {0, 1.2}, {-1.2, 0}});
        break;
      case ui::Marker::cross:
        painter_.setPen(QPen(color, look_.line * unit_));
        painter_.drawLine(c + QPointF(-r, -r), c + QPointF(r, r));
        painter_.drawLine(c + QPointF(-r, r), c + QPointF(r, -r));
        break;
    }
    painter_.setBrush(Qt::NoBrush);
  }

  void draw_frame(std::size_t i) {
    const Place& p = places_[i];
    painter_.setBrush(Qt::NoBrush);
    painter_.setPen(pen(ink, frame_line));
    painter_.drawRect(p.area);
    const double length = tick * line_;
    const auto over = [&](double at, double reach) {
      const double x = place_x(i, at);
      painter_.drawLine(QPointF(x, p.area.bottom()), QPointF(x, p.area.bottom() - reach));
    };
    const auto beside = [&](double at, double reach) {
      const double y = place_y(i, at);
      painter_.drawLine(QPointF(p.area.left(), y), QPointF(p.area.left() + reach, y));
    };
    for (const auto& label : p.x.labels) over(label.at, length);
    for (const double at : p.x.minor) over(at, length / 2);
    for (const auto& label : p.y.labels) beside(label.at, length);
    for (const double at : p.y.minor) beside(at, length / 2);
  }

  void draw_labels(std::size_t i) {
    const FigurePlot& plot = figure_.plots[i];
    const Place& p = places_[i];
    const double beside = p.area.left() - tick_gap * line_;
    const auto value = [&](double y, const QString& label) {
      write({beside - width(label), y - line_ / 2}, label);
    };
    for (const auto& label : p.y.labels) value(place_y(i, label.at), text(label.text));
    if (p.bottom < p.area.bottom()) value(zero_line(i), QStringLiteral("0"));

    const double above = p.area.top() - 1.1 * line_;
    if (p.label.isEmpty()) write({p.area.left(), above}, name(plot.y));
    if (!p.y.note.empty()) {
      const QString note = text(p.y.note);
      write({p.label.isEmpty() ? p.area.right() - width(note) : p.area.left(), above}, note);
    }
    if (!p.label.isEmpty()) {
      painter_.save();
      painter_.translate(outer * line_, (p.area.top() + p.area.bottom()) / 2);
      painter_.rotate(-90);
      for (qsizetype k = 0; k < p.label.size(); ++k)
        write({-width(p.label[k]) / 2, static_cast<double>(k) * line_}, p.label[k]);
      painter_.restore();
    }
    if (!p.x_labels) return;
    const double below = p.area.bottom() + tick_gap * line_;
    for (const auto& label : p.x.labels) {
      const QString s = text(label.text);
      write({place_x(i, label.at) - width(s) / 2, below}, s);
    }
    QString title = name(plot.x);
    if (!p.x.note.empty()) title += QStringLiteral("  ") + text(p.x.note);
    write({p.area.center().x() - width(title) / 2, below + 1.05 * line_}, title);
  }

  const PlotFigure& figure_;
  const FigureLook& look_;
  const QStringList note_;  // line by line
  double head_ = 0;         // of title and legend
  std::vector<std::vector<std::size_t>> legend_;
  std::vector<Place> places_;
};

}  // namespace

std::vector<FigureArea> draw_figure(QPainter& painter, const PlotFigure& figure, QSizeF points,
                                    const FigureLook& look) {
  return Drawing(painter, figure, points, look).draw();
}

}  // namespace twosphere
