// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/figure.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/base/text.h"
#include "ui/plot/plot_layout.h"

namespace twosphere::ui {

namespace {

// Line widths [pt].
constexpr double frame_line = 0.6, grid_line = 0.4, drop_line = 0.3;
// Lengths in units of the height of a line of text.
constexpr double outer = 0.35, tick = 0.28, tick_gap = 0.3, swatch = 2.4, zero_strip = 1.5,
                 row_height = 1.15;
constexpr std::array<float, 2> loose_dots{1, 4}, dots{1, 2};

std::string name(const PlotAxis& axis) {
  return axis.unit.empty() ? axis.label : axis.label + " [" + axis.unit + "]";
}

bool zeros(const PlotModel& plot) {
  constexpr double zero = -std::numeric_limits<double>::infinity();
  return plot.y.transform.scale == Scale::logarithmic &&
         std::any_of(plot.curves.begin(), plot.curves.end(), [](const PlotCurve& curve) {
           return !curve.drops.empty() || std::any_of(curve.points.begin(), curve.points.end(),
                                                      [](Point p) { return p.y == zero; });
         });
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

PlotLook look_of(const FigureLook& figure, double line) {
  PlotLook look;
  look.medium = Medium::paper;
  look.ground = figure.inks.ground;
  look.text = look.dim = figure.inks.text;
  look.grid = {figure.inks.grid, grid_line};
  look.zeros = {figure.inks.dotted, grid_line, loose_dots, grid_line};
  look.frame = look.tick = {figure.inks.text, frame_line};
  look.long_tick = tick * line;
  look.short_tick = tick * line / 2;
  look.beside = look.below = tick_gap * line;
  look.title = (tick_gap + 1.05) * line;
  look.overhang = std::numeric_limits<double>::infinity();  // paper has room for them
  look.line = look.cross = figure.line;
  look.drop = drop_line;
  look.lone = look.dot = 0.6 * figure.line;
  look.name_padding_x = look.name_rounding = 0.25 * line;
  look.name_line = frame_line;
  look.far = 1e6;
  look.zero_line = 0.65;
  return look;
}

class Layout {
 public:
  Layout(const FigureParts& parts, const PlotFigure& figure, Point page, const FigureLook& look,
         const TextMeasure& letters)
      : parts_(parts),
        list_(parts.below),
        figure_(figure),
        page_(page),
        inks_(look.inks),
        letters_(letters),
        line_(letters.height(Face::text)),
        look_(look_of(look, line_)),
        note_(lines_of(figure.note)) {}

  std::vector<FigurePlace> draw() {
    list_.box({{0, 0}, page_}, inks_.ground);
    lay_out();
    draw_head();
    std::vector<FigurePlace> places;
    for (std::size_t i = 0; i < figure_.plots.size(); ++i) {
      draw_plot(i);
      places.push_back({places_[i].area, places_[i].bottom});
    }
    return places;
  }

 private:
  struct Place {
    Box area;       // inside the frame
    double bottom;  // lower end of the value axis, above the line of zeros if there is one
    Ticks x, y;
    bool x_labels;  // the last plot over time, and plots with their own horizontal axis
    std::vector<std::string> label;  // beside the axis; if empty, the label is above the plot
  };

  double width(const std::string& text) const { return letters_.width(Face::text, text); }
  void write(DrawList& list, Point at, const std::string& text) {
    list.text(at, Face::text, inks_.text, text);
  }

  /// "quantity [unit]" in one or two lines no longer than `room`; empty if it does not fit.
  std::vector<std::string> folded(const std::string& label, double room) const {
    if (width(label) <= room) return {label};
    std::vector<std::string> best;
    double shortest = room;
    for (std::size_t at = label.find(' '); at != label.npos; at = label.find(' ', at + 1)) {
      std::vector<std::string> lines{label.substr(0, at), label.substr(at + 1)};
      const double longer = std::max(width(lines[0]), width(lines[1]));
      if (longer > shortest) continue;
      shortest = longer;
      best = std::move(lines);
    }
    return best;
  }
  /// The text cut to a width, with an ellipsis.
  std::string elided(const std::string& text, double room) const {
    return cut_to_fit(text, [&](const std::string& part) { return width(part) <= room; });
  }

  /// Whether single points are marked, not only those at the markers A and B.
  bool marks_points() const {
    return std::any_of(figure_.plots.begin(), figure_.plots.end(),
                       [](const PlotModel& plot) { return !plot.over_time && !plot.dots.empty(); });
  }

  /// Whether points have no lines.
  bool clouds() const {
    return std::any_of(figure_.plots.begin(), figure_.plots.end(), [](const PlotModel& plot) {
      return !plot.clouds.empty() && plot.curves.empty();
    });
  }

  bool x_labels(std::size_t i) const {
    const auto& plots = figure_.plots;
    return !plots[i].over_time || i + 1 == plots.size() || !plots[i + 1].over_time;
  }

  /// The rows of the legend, as indices of the keys.
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
  double key_width(const FigureKey& key) const { return (swatch + 0.4) * line_ + width(key.name); }

  /// Ticks whose labels do not overlap.
  Ticks x_ticks(const PlotAxis& axis, double room) const {
    for (int max_labels = std::max(2, static_cast<int>(room / (2 * line_)));; --max_labels) {
      Ticks ticks = axis_ticks(axis.transform, axis.range, max_labels, axis.unit);
      double sum = 0;
      for (const auto& label : ticks.labels) sum += width(label.text) + 0.8 * line_;
      if (sum <= room || max_labels <= 2) return ticks;
    }
  }

  void lay_out() {
    const double gap = outer * line_;
    const auto& plots = figure_.plots;
    places_.assign(plots.size(), {});

    // Heights: the plots share equally what the text leaves.
    head_ = gap;
    legend_ = legend(page_.x - 4 * line_);
    const auto rows =
        static_cast<double>((figure_.title.empty() ? 0 : 1) + legend_.size() + note_.size());
    if (rows > 0) head_ += rows * row_height * line_;
    double fixed = head_ + gap;
    bool above = false;  // labels are placed above the plots because these are too low
    const auto share = [&] {
      double sum = fixed;
      for (std::size_t i = 0; i < plots.size(); ++i)
        sum += before(i, above) + (x_labels(i) ? (tick_gap + 2.1) * line_ : 0);
      return std::max((page_.y - sum) / static_cast<double>(plots.size()), line_);
    };
    const auto make_ticks = [&](double height) {
      for (std::size_t i = 0; i < plots.size(); ++i) {
        const double room = height - (zeros(plots[i]) ? zero_strip * line_ : 0);
        const int max_labels = std::max(2, static_cast<int>(room / (1.7 * line_)));
        places_[i].y =
            axis_ticks(plots[i].y.transform, plots[i].y.range, max_labels, plots[i].y.unit);
      }
    };
    // The notes of the ticks take space, which may change the ticks.
    double height = (page_.y - fixed) / static_cast<double>(std::max<std::size_t>(1, plots.size()));
    for (int round = 0; round < 2; ++round) {
      make_ticks(height);
      height = share();
    }
    for (std::size_t i = 0; i < plots.size() && !above; ++i) {
      places_[i].label = folded(name(plots[i].y), height);
      above = places_[i].label.empty();
    }
    if (above) height = share();
    make_ticks(height);

    // Widths: the same margins for all plots.
    double labels = 0, lines = 0;
    for (const Place& p : places_) {
      for (const auto& label : p.y.labels) labels = std::max(labels, width(label.text));
      lines = std::max(lines, above ? 0 : static_cast<double>(p.label.size()));
    }
    const double left = gap + lines * line_ + labels + (tick_gap + 0.3) * line_;
    double right = gap;
    const auto end = [&] { return left + std::max(page_.x - left - right, line_); };
    for (int round = 0; round < 2; ++round)
      for (std::size_t i = 0; i < plots.size(); ++i) {
        Place& p = places_[i];
        p.area = {{left, 0}, {end(), height}};
        p.x = x_ticks(plots[i].x, p.area.width());
        if (p.x.labels.empty()) continue;
        const auto& last = p.x.labels.back();
        const double over = area(i).x(last.at) + width(last.text) / 2 - p.area.to.x;
        right = std::max(right, over + gap);
      }
    double y = head_;
    for (std::size_t i = 0; i < plots.size(); ++i) {
      Place& p = places_[i];
      y += before(i, above);
      p.area = {{left, y}, {end(), y + height}};
      p.bottom = p.area.to.y - (zeros(plots[i]) ? zero_strip * line_ : 0);
      p.x_labels = x_labels(i);
      if (above) p.label.clear();
      y += height + (p.x_labels ? (tick_gap + 2.1) * line_ : 0);
    }
  }

  /// Height above a plot for notes, or for a label above it.
  double before(std::size_t i, bool above) const {
    const bool noted = above || !places_[i].y.note.empty();
    return (noted ? 1.3 : i == 0 ? 0.5 : 1.0) * line_;
  }

  Area area(std::size_t i) const {
    const PlotModel& plot = figure_.plots[i];
    return {places_[i].area, places_[i].bottom, plot.x, plot.y, look_};
  }

  /// Left end of a line of the head of this width: aligned with the plots if it fits.
  double indent(double needed) const {
    const double left = places_.empty() ? outer * line_ : places_.front().area.from.x;
    return std::min(left, page_.x - outer * line_ - needed);
  }

  void draw_head() {
    const double margin = outer * line_;
    double y = margin;
    if (!figure_.title.empty()) {
      const std::string title = elided(figure_.title, page_.x - 2 * margin);
      write(list_, {indent(width(title)), y}, title);
      y += row_height * line_;
    }
    for (const auto& keys : legend_) {
      double needed = -line_;
      for (const std::size_t k : keys) needed += key_width(figure_.keys[k]) + line_;
      double x = std::max(margin, indent(needed));
      for (const std::size_t k : keys) {
        const FigureKey& key = figure_.keys[k];
        const double middle = y + line_ / 2;
        if (clouds())
          list_.disc({x + swatch * line_ / 2, middle}, 2.2 * look_.line, {key.style.color});
        else
          list_.line({x, middle}, {x + swatch * line_, middle}, stroke_of(key.style, look_.line));
        if (marks_points())
          list_.marker({x + swatch * line_ / 2, middle}, 2.2 * look_.line, key.style, look_.cross);
        write(list_, {x + (swatch + 0.4) * line_, y}, key.name);
        x += key_width(key) + line_;
      }
      y += row_height * line_;
    }
    for (const std::string& note : note_) {
      write(list_, {std::max(margin, indent(width(note))), y}, note);
      y += row_height * line_;
    }
  }

  void draw_plot(std::size_t i) {
    const PlotModel& plot = figure_.plots[i];
    const Place& p = places_[i];
    const Area at = area(i);
    draw_grid(list_, look_, at, p.x, p.y);
    if (plot.over_time) draw_marks(at);
    for (const PlotCloud& cloud : plot.clouds) draw_cloud(list_, look_, at, cloud);
    for (const PlotCurve& curve : plot.curves) draw_curve(parts_.curve(curve), look_, at, curve);
    DrawList& above = parts_.above;
    draw_names(above, look_, letters_, at, plot.names);
    for (const PlotDot& dot : plot.dots)
      if (const Point c = at.at(dot.at); p.area.contains(c))
        above.marker(c, 2.2 * look_.line, dot.style, look_.cross);
    draw_frame(above, look_, at, p.x, p.y);
    draw_values(above, look_, letters_, at, p.y);
    draw_axis_name(i);
    if (p.x_labels) draw_labels(above, look_, letters_, at, p.x, name(plot.x));
  }

  void draw_marks(const Area& at) {
    const auto line = [&](double t, const Stroke& stroke) {
      const double x = at.x(t);
      if (x < at.box.from.x || x > at.box.to.x) return false;
      list_.line({x, at.box.from.y}, {x, at.box.to.y}, stroke);
      return true;
    };
    for (const double t : figure_.changes) line(t, {inks_.dotted, frame_line, dots, frame_line});
    for (const FigureMark& mark : figure_.marks) {
      if (!line(mark.t, {inks_.text, frame_line})) continue;
      const double x = at.x(mark.t), room = width(mark.name) + 0.2 * line_;
      write(list_, {x + room > at.box.to.x ? x - room : x + 0.2 * line_, at.box.from.y}, mark.name);
    }
  }

  /// The label of the vertical axis, beside it or above the plot, and the note of its ticks.
  void draw_axis_name(std::size_t i) {
    const Place& p = places_[i];
    const PlotAxis& axis = figure_.plots[i].y;
    DrawList& list = parts_.above;
    const double above = p.area.from.y - 1.1 * line_;
    if (p.label.empty()) write(list, {p.area.from.x, above}, name(axis));
    if (!p.y.note.empty())
      write(list, {p.label.empty() ? p.area.to.x - width(p.y.note) : p.area.from.x, above},
            p.y.note);
    for (std::size_t k = 0; k < p.label.size(); ++k)
      list.text(
          {(outer + static_cast<double>(k)) * line_, p.area.center().y + width(p.label[k]) / 2},
          Face::text, inks_.text, p.label[k], true);
  }

  const FigureParts& parts_;
  DrawList& list_;  // what lies below the curves
  const PlotFigure& figure_;
  const Point page_;
  const FigureInks inks_;
  const TextMeasure& letters_;
  const double line_;  // height of a line of text
  const PlotLook look_;
  const std::vector<std::string> note_;  // line by line
  double head_ = 0;                      // height of title and legend
  std::vector<std::vector<std::size_t>> legend_;
  std::vector<Place> places_;
};

}  // namespace

std::vector<Box> draw_figure(DrawList& list, const PlotFigure& figure, Point page,
                             const FigureLook& look, const TextMeasure& letters) {
  const FigureParts one{list, [&list](const PlotCurve&) -> DrawList& { return list; }, list};
  std::vector<Box> areas;
  for (const FigurePlace& place : draw_figure(one, figure, page, look, letters))
    areas.push_back(place.area);
  return areas;
}

std::vector<FigurePlace> draw_figure(const FigureParts& parts, const PlotFigure& figure, Point page,
                                     const FigureLook& look, const TextMeasure& letters) {
  return Layout(parts, figure, page, look, letters).draw();
}

}  // namespace twosphere::ui
