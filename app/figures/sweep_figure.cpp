// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/sweep_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/figures/sweep_categories.h"
#include "core/scenario/setting_unit.h"
#include "core/studies/sweep_order.h"

namespace twosphere {

namespace {

constexpr double left_out = 0.02;  // of the values at either end of the colours
constexpr int bar_steps = 64;      // on paper
constexpr int max_ticks = 8;       // of the values

/// The range of the values but for a few at its ends, and of the level.
ColorBar measure_bar(const SweepMap& map) {
  const std::optional<double>& level = map.level;
  std::vector<double> values;
  for (const SweepMap::Cell& cell : map.cells) {
    const double value = map.scaled(cell.value);
    if (!failed(cell.status) && std::isfinite(value)) values.push_back(value);
  }
  ColorBar bar;
  if (values.empty()) return bar;
  std::sort(values.begin(), values.end());
  const auto skipped = static_cast<std::size_t>(left_out * static_cast<double>(values.size() - 1));
  bar.low = values[skipped];
  bar.high = values[values.size() - 1 - skipped];
  if (level) {
    bar.low = std::min(bar.low, *level);
    bar.high = std::max(bar.high, *level);
  }
  if (!(bar.high > bar.low)) {
    const double margin = std::max(std::abs(bar.low) * 0.1, 1e-300);
    bar.low -= margin;
    bar.high += margin;
  }
  bar.clipped = values.front() < bar.low || values.back() > bar.high;
  return bar;
}

MapAxis axis_of(const Sweep& sweep, std::size_t index, const std::vector<std::string>& labels) {
  MapAxis axis;
  axis.unit = "1";
  if (index >= sweep.axes.size()) {
    axis.label = "Member";
    for (int k = 0; k < sweep.members; ++k) axis.values.push_back(k);
    return axis;
  }
  const SweepAxis& of = sweep.axes[index];
  axis.label = index < labels.size() ? labels[index] : of.path.text();
  if (const std::string unit = setting_unit(sweep.scenario, of.path); !unit.empty())
    axis.unit = unit;
  for (const json::Node& value : of.values)
    if (of.numeric())
      axis.values.push_back(value.number);
    else
      axis.words.push_back(value.text);
  return axis;
}

/// The ticks of the values: those of the colour bar. Logarithmic ones at decades or, if there are
/// not two of them, at round values.
ui::Ticks value_ticks(const SweepMap& map, ui::Interval range, int max_labels) {
  if (!map.categories.empty()) {
    ui::Ticks numbers;
    for (const SweepMap::Category& one : map.categories)
      numbers.labels.push_back({map.scaled(one.value), ui::significant(one.value, 6)});
    return numbers;
  }
  if (!map.logarithmic) return ui::axis_ticks({}, range, max_labels, map.bar.unit);
  ui::Ticks found =
      ui::axis_ticks({.scale = ui::Scale::logarithmic}, range, max_labels, map.bar.unit);
  if (found.labels.size() > 1) return found;
  found = ui::axis_ticks({}, {std::pow(10, range.low), std::pow(10, range.high)}, max_labels,
                         map.bar.unit);
  for (ui::Ticks::Label& label : found.labels) label.at = std::log10(label.at);
  std::erase_if(found.labels, [&](const ui::Ticks::Label& label) {
    return !(label.at >= range.low && label.at <= range.high);
  });
  found.minor.clear();
  return found;
}
ui::Ticks value_ticks(const SweepMap& map, double height, double line) {
  return value_ticks(map, {map.bar.low, map.bar.high},
                     std::clamp(static_cast<int>(height / (2.5 * line)), 2, max_ticks));
}

/// The lines below a map: ticks, title and note.
double bottom_lines(const SweepMap& map) { return map.note.empty() ? 3.2 : 4.4; }

/// A curve through the values that exist, in the scale of the colours.
class Curve {
 public:
  Curve(ui::DrawList& list, const ui::Stroke& stroke) : list_(list), stroke_(stroke) {}
  ~Curve() { end(); }

  void add(std::optional<ui::Point> point) {
    if (point)
      points_.push_back(*point);
    else
      end();
  }

 private:
  void end() {
    if (points_.size() == 1) list_.disc(points_[0], stroke_.width, stroke_.ink);
    if (points_.size() > 1) list_.polyline(points_, stroke_);
    points_.clear();
  }

  ui::DrawList& list_;
  ui::Stroke stroke_;
  std::vector<ui::Point> points_;
};

}  // namespace

SweepMap sweep_map(const Sweep& sweep, const std::vector<SweepRow>& rows, const MapChoice& choice) {
  const std::vector<std::size_t> shape = sweep.shape();
  SweepMap map;
  map.title = sweep.scenario.title;
  const SweepMeasure& measure = sweep.measures[choice.measure];
  map.logarithmic = choice.logarithmic && !measure.of_basin();
  map.across = axis_of(sweep, choice.across, choice.labels);
  if (choice.up)
    map.up = axis_of(sweep, *choice.up, choice.labels);
  else
    map.up.values = {0};
  const std::size_t columns = map.across.size(), lines = map.up.size();
  map.cells.resize(columns * lines);

  std::vector<std::size_t> strides(shape.size(), 1);
  for (std::size_t k = shape.size(); k-- > 1;) strides[k - 1] = strides[k] * shape[k];
  std::vector<std::size_t> at = choice.fixed;
  at.resize(shape.size());
  at[choice.across] = 0;
  if (choice.up) at[*choice.up] = 0;
  std::size_t corner = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) corner += at[k] * strides[k];
  const std::size_t up_stride = choice.up ? strides[*choice.up] : 0;
  for (std::size_t line = 0; line < lines; ++line)
    for (std::size_t column = 0; column < columns; ++column) {
      SweepMap::Cell& cell = map.cells[line * columns + column];
      cell.task = corner + column * strides[choice.across] + line * up_stride;
      const SweepRow& row = rows[cell.task];
      cell.status = row.status;
      if (row.status != TaskStatus::missing) cell.value = row.values[choice.measure];
    }
  constexpr double regular = 2;  // MEGNO
  if (measure.kind == SweepMeasure::Kind::megno) map.level = map.scaled(regular);
  if (measure.of_basin()) {
    categorise(map, sweep, choice);
  } else {
    map.bar = measure_bar(map);
  }
  map.bar.map = choice.colors;
  map.bar.label = choice.measure_name.empty() ? measure.key() : choice.measure_name;
  map.bar.unit = measure.unit();

  // Coarse points fill their blocks first.
  const std::vector<std::size_t> plane{columns, lines};
  for (const std::size_t number : coarse_to_fine(plane)) {
    const std::vector<std::size_t> point{number / lines, number % lines};
    const SweepMap::Cell& of = map.at(point[0], point[1]);
    if (of.status == TaskStatus::missing) continue;
    const double value = map.scaled(of.value);
    const bool fails = failed(of.status) || std::isnan(value);
    const double shade =
        fails ? 0 : std::clamp((value - map.bar.low) / (map.bar.high - map.bar.low), 0.0, 1.0);
    const std::size_t task = of.task;
    const auto block = block_of(plane, point);
    for (std::size_t y = point[1]; y < std::min(lines, point[1] + block[1]); ++y)
      for (std::size_t x = point[0]; x < std::min(columns, point[0] + block[0]); ++x) {
        SweepMap::Cell& cell = map.cells[y * columns + x];
        cell.shown = task;
        cell.shade = shade;
        cell.failed = fails;
      }
  }
  return map;
}

MapLayout map_layout(const SweepMap& map, ui::Point page, const ui::TextMeasure& letters,
                     bool with_slices) {
  const double line = letters.height(ui::Face::text), gap = 0.6 * line;
  double label = 0;
  const bool single = map.up.size() == 1;
  for (const ui::Ticks::Label& tick : map.up.ticks(8).labels)
    label = std::max(label, letters.width(ui::Face::text, tick.text));
  double value = 0;
  if (with_slices)
    for (const ui::Ticks::Label& tick :
         value_ticks(map, {map.bar.low, map.bar.high}, max_ticks).labels)
      value = std::max(value, letters.width(ui::Face::text, tick.text));
  const double left = std::max(single ? gap + 4 * line : 1.3 * line + label + gap, value + gap);
  double right = gap + 0.9 * line + 4.6 * line + gap;  // the bar and its labels, or the legend
  for (const SweepMap::Category& one : map.categories)
    right = std::max(right, std::min(page.x / 2, 2 * gap + 2.7 * line +
                                                     letters.width(ui::Face::text, one.name)));
  const double slice = with_slices ? std::min(5.5 * line, page.x / 6) : 0;
  const double top = 0.8 * line, bottom = bottom_lines(map) * line;
  MapLayout layout;
  double upper = top;
  if (with_slices) {
    const double height = single ? 0.7 * (page.y - top - bottom) : std::min(5.0 * line, page.y / 6);
    layout.above = {{left, top}, {0, top + height}};
    upper = top + height + gap;
  }
  const double beside = with_slices && !single ? slice + gap : 0;
  layout.cells = {
      {left, upper},
      {std::max(left + line, page.x - right - beside), std::max(upper + line, page.y - bottom)}};
  layout.above.to.x = layout.cells.to.x;
  if (beside > 0)
    layout.beside = {{layout.cells.to.x + gap, upper},
                     {layout.cells.to.x + gap + slice, layout.cells.to.y}};
  const double bar = layout.cells.to.x + beside + 1.2 * line;
  layout.bar = {{bar, upper}, {bar + 0.9 * line, layout.cells.to.y}};
  if (single && with_slices) layout.bar.from.y = top;
  return layout;
}

void draw_map_axes(ui::DrawList& list, const SweepMap& map, const MapLayout& layout,
                   const ui::TextMeasure& letters, const MapInks& inks, Palette palette) {
  const double line = letters.height(ui::Face::text), tick = 0.25 * line;
  const ui::Box& box = layout.cells;
  const ui::Stroke thin{inks.line, 0.6};
  list.frame(box, {{}, 0}, thin);
  const auto text = [&](ui::Point at, const std::string& what, const ui::Ink& ink,
                        bool upright = false) {
    list.text(at, ui::Face::text, ink, what, upright);
  };
  const auto width = [&](const std::string& what) { return letters.width(ui::Face::text, what); };

  const ui::Ticks across =
      map.across.ticks(std::clamp(static_cast<int>(box.width() / (5 * line)), 2, 10));
  double free_from = box.from.x - line;
  for (const ui::Ticks::Label& label : across.labels) {
    const double x = box.from.x + label.at / static_cast<double>(map.across.size()) * box.width();
    if (x < box.from.x || x > box.to.x) continue;
    list.line({x, box.to.y}, {x, box.to.y + tick}, thin);
    const double wide = width(label.text), from = x - wide / 2;
    if (from < free_from) continue;
    text({from, box.to.y + tick}, label.text, inks.dim);
    free_from = x + wide / 2 + 0.5 * line;
  }
  const std::string below = map.across.title() + (across.note.empty() ? "" : "  " + across.note);
  text({std::max(0.0, box.center().x - width(below) / 2), box.to.y + tick + 1.1 * line}, below,
       inks.text);

  if (map.up.size() > 1) {
    const ui::Ticks up =
        map.up.ticks(std::clamp(static_cast<int>(box.height() / (2.5 * line)), 2, 8));
    for (const ui::Ticks::Label& label : up.labels) {
      const double y = box.to.y - label.at / static_cast<double>(map.up.size()) * box.height();
      if (y < box.from.y || y > box.to.y) continue;
      list.line({box.from.x - tick, y}, {box.from.x, y}, thin);
      text({box.from.x - 1.5 * tick - width(label.text), y - line / 2}, label.text, inks.dim);
    }
    const std::string along = map.up.title() + (up.note.empty() ? "" : "  " + up.note);
    text({0.1 * line, std::min(box.to.y, box.center().y + width(along) / 2)}, along, inks.text,
         true);
  }

  if (!map.note.empty())
    text({std::max(0.0, box.center().x - width(map.note) / 2), box.to.y + tick + 2.3 * line},
         map.note, inks.dim);
  if (!map.categories.empty()) return draw_map_legend(list, map, layout.bar, line, inks, palette);

  const ui::Box& bar = layout.bar;
  for (int k = 0; k < bar_steps; ++k) {
    const double step = bar.height() / bar_steps, y = bar.to.y - k * step;
    list.box({{bar.from.x, std::max(bar.from.y, y - 1.2 * step)}, {bar.to.x, y}},
             {color_at(map.bar.map, (k + 0.5) / bar_steps, palette)});
  }
  list.frame(bar, {{}, 0}, thin);
  const ui::Interval range{map.bar.low, map.bar.high};
  const ui::Ticks values = value_ticks(map, layout.bar.height(), line);
  double widest = 0;
  for (const ui::Ticks::Label& label : values.labels) {
    widest = std::max(widest, width(label.text));
    const double y = bar.to.y - (label.at - range.low) / range.span() * bar.height();
    list.line({bar.to.x, y}, {bar.to.x + tick, y}, thin);
    text({bar.to.x + 1.5 * tick, y - line / 2}, label.text, inks.dim);
  }
  const std::string measure = map.value_title() + (values.note.empty() ? "" : "  " + values.note) +
                              (map.bar.clipped ? " (some beyond the ends)" : "");
  const double beside = bar.to.x + std::min(1.5 * tick + widest + 0.3 * line, 3.5 * line);
  text({beside, std::min(bar.to.y, bar.center().y + width(measure) / 2)}, measure, inks.text, true);
}

void draw_map_slices(ui::DrawList& list, const SweepMap& map, const MapLayout& layout,
                     std::size_t column, std::size_t row, const ui::TextMeasure& letters,
                     const MapInks& inks) {
  const double line = letters.height(ui::Face::text), tick = 0.25 * line;
  const ui::Interval range{map.bar.low, map.bar.high};
  const ui::Ticks numbers = value_ticks(map, layout.bar.height(), line);
  const auto share = [](const SweepMap::Cell& cell) {
    return cell.shown && !cell.failed ? std::optional(cell.shade) : std::nullopt;
  };
  const ui::Stroke thin{inks.line, 0.6}, curve{inks.curve, 1.2};
  constexpr double dot = 2.2;  // [points]
  const double level = map.level ? (*map.level - range.low) / range.span() : -1;
  if (layout.above.height() > 0) {
    const ui::Box& box = layout.above;
    list.frame(box, {{}, 0}, thin);
    double free_below = box.to.y + line;
    for (const ui::Ticks::Label& label : numbers.labels) {
      const double y = box.to.y - (label.at - range.low) / range.span() * box.height();
      list.line({box.from.x - tick, y}, {box.from.x, y}, thin);
      if (y + line / 2 > free_below) continue;
      list.text({box.from.x - 1.5 * tick - letters.width(ui::Face::text, label.text), y - line / 2},
                ui::Face::text, inks.dim, label.text);
      free_below = y - line / 2;
    }
    if (level >= 0)
      list.line({box.from.x, box.to.y - level * box.height()},
                {box.to.x, box.to.y - level * box.height()}, thin);
    Curve values(list, curve);
    for (std::size_t x = 0; x < map.across.size(); ++x) {
      const auto part = share(map.at(x, row));
      const double along = (static_cast<double>(x) + 0.5) / static_cast<double>(map.across.size());
      const ui::Point at{box.from.x + along * box.width(),
                         box.to.y - part.value_or(0) * box.height()};
      values.add(part ? std::optional(at) : std::nullopt);
      if (part && x == column) list.disc(at, dot, inks.curve);
    }
    if (map.up.size() > 1)
      list.text({box.from.x + tick, box.from.y + tick / 2}, ui::Face::text, inks.dim,
                fmt::format("{} = {}", map.up.label, map.up.text(row)));
  }
  if (layout.beside.width() > 0) {
    const ui::Box& box = layout.beside;
    list.frame(box, {{}, 0}, thin);
    double free_from = box.from.x - line;
    for (const ui::Ticks::Label& label : numbers.labels) {
      const double x = box.from.x + (label.at - range.low) / range.span() * box.width();
      list.line({x, box.from.y - tick}, {x, box.from.y}, thin);
      const double wide = letters.width(ui::Face::text, label.text);
      if (x - wide / 2 < free_from) continue;
      list.text({x - wide / 2, box.from.y - tick - line}, ui::Face::text, inks.dim, label.text);
      free_from = x + wide / 2 + 0.5 * line;
    }
    if (level >= 0)
      list.line({box.from.x + level * box.width(), box.from.y},
                {box.from.x + level * box.width(), box.to.y}, thin);
    Curve values(list, curve);
    for (std::size_t y = 0; y < map.up.size(); ++y) {
      const auto part = share(map.at(column, y));
      const double along = (static_cast<double>(y) + 0.5) / static_cast<double>(map.up.size());
      const ui::Point at{box.from.x + part.value_or(0) * box.width(),
                         box.to.y - along * box.height()};
      values.add(part ? std::optional(at) : std::nullopt);
      if (part && y == row) list.disc(at, dot, inks.curve);
    }
    const std::string title = fmt::format("{} = {}", map.across.label, map.across.text(column));
    list.text(
        {box.to.x - line - tick / 2, box.from.y + tick + letters.width(ui::Face::text, title)},
        ui::Face::text, inks.dim, title, true);
  }
}

void draw_sweep_curve(ui::DrawList& list, const SweepMap& map, ui::Point page,
                      const ui::TextMeasure& letters, const MapInks& inks) {
  const double line = letters.height(ui::Face::text), tick = 0.25 * line, gap = 0.6 * line;
  const auto width = [&](const std::string& what) { return letters.width(ui::Face::text, what); };
  const auto text = [&](ui::Point at, const std::string& what, bool upright = false) {
    list.text(at, ui::Face::text, inks.text, what, upright);
  };
  const auto value_of = [&](const SweepMap::Cell& cell) -> std::optional<double> {
    const double value = map.scaled(cell.value);
    return cell.status != TaskStatus::missing && !failed(cell.status) && std::isfinite(value)
               ? std::optional(value)
               : std::nullopt;
  };
  // All values, with a margin.
  ui::Interval range{map.bar.low, map.bar.high};
  for (const SweepMap::Cell& cell : map.cells)
    if (const auto value = value_of(cell)) {
      range.low = std::min(range.low, *value);
      range.high = std::max(range.high, *value);
    }
  const double margin = 0.06 * range.span();
  range = {range.low - margin, range.high + margin};

  const ui::Ticks up = value_ticks(map, range, max_ticks);
  double label = 0;
  for (const ui::Ticks::Label& one : up.labels) label = std::max(label, width(one.text));
  const ui::Box box{{1.5 * line + label + gap, 2.2 * line},
                    {page.x - gap, page.y - bottom_lines(map) * line}};
  const ui::Stroke thin{inks.line, 0.6};
  const auto y_of = [&](double value) {
    return box.to.y - (value - range.low) / range.span() * box.height();
  };
  const auto x_of = [&](double cell) {
    return box.from.x + cell / static_cast<double>(map.across.size()) * box.width();
  };
  list.frame(box, {{}, 0}, thin);
  text({std::max(gap, box.center().x - width(map.title) / 2), 0.6 * line}, map.title);
  for (const ui::Ticks::Label& one : up.labels) {
    const double y = y_of(one.at);
    list.line({box.from.x - tick, y}, {box.from.x, y}, thin);
    text({box.from.x - 1.5 * tick - width(one.text), y - line / 2}, one.text);
  }
  const ui::Ticks across =
      map.across.ticks(std::clamp(static_cast<int>(box.width() / (5 * line)), 2, 10));
  double free_from = box.from.x - line;
  for (const ui::Ticks::Label& one : across.labels) {
    const double x = x_of(one.at), half = width(one.text) / 2;
    if (x < box.from.x || x > box.to.x) continue;
    list.line({x, box.to.y}, {x, box.to.y + tick}, thin);
    if (x - half < free_from) continue;
    text({x - half, box.to.y + tick}, one.text);
    free_from = x + half + 0.5 * line;
  }
  const auto with_note = [](std::string title, const std::string& note) {
    return note.empty() ? title : title + "  " + note;
  };
  const std::string below = with_note(map.across.title(), across.note),
                    beside = with_note(map.value_title(), up.note);
  text({box.center().x - width(below) / 2, box.to.y + tick + 1.1 * line}, below);
  if (!map.note.empty())
    text({std::max(gap, box.center().x - width(map.note) / 2), box.to.y + tick + 2.3 * line},
         map.note);
  text({0.1 * line, std::min(box.to.y, box.center().y + width(beside) / 2)}, beside, true);

  if (map.level) list.line({box.from.x, y_of(*map.level)}, {box.to.x, y_of(*map.level)}, thin);
  const ui::Stroke stroke{inks.curve, 1.0};
  constexpr double dot = 1.8;  // [points]
  Curve values(list, stroke);
  for (std::size_t k = 0; k < map.across.size(); ++k) {
    const SweepMap::Cell& cell = map.at(k, 0);
    const double x = x_of(static_cast<double>(k) + 0.5);
    const auto value = value_of(cell);
    values.add(value ? std::optional(ui::Point{x, y_of(*value)}) : std::nullopt);
    if (value) list.disc({x, y_of(*value)}, dot, inks.curve);
    if (failed(cell.status)) list.disc({x, box.to.y}, dot, inks.failed);
  }
}

Figure as_figure(SweepMap map) {
  const std::string title = map.title;
  return {title, [shared = std::make_shared<const SweepMap>(std::move(map))](
                     ui::DrawList& list, ui::Point page, const ui::FigureLook&,
                     const ui::TextMeasure& letters) {
            list.box({{0, 0}, page}, {{0xffffff}});
            const SweepMap& m = *shared;
            if (m.up.size() == 1) return draw_sweep_curve(list, m, page, letters, {});
            const MapLayout layout = map_layout(m, page, letters, false);
            const double wide = layout.cells.width() / static_cast<double>(m.across.size()),
                         high = layout.cells.height() / static_cast<double>(m.up.size());
            const MapInks inks;
            // A box for cells of one colour in a row; the next ones cover its margin, so that the
            // ground does not shine through between them.
            constexpr double margin = 0.4;  // [points]
            const auto color = [&](std::size_t x, std::size_t y) -> std::optional<Color> {
              const SweepMap::Cell& cell = m.at(x, y);
              if (!cell.shown) return {};
              return cell.failed ? inks.failed.color : m.color(cell, Palette::light);
            };
            for (std::size_t y = 0; y < m.up.size(); ++y)
              for (std::size_t x = 0, next = 0; x < m.across.size(); x = next) {
                const auto filled = color(x, y);
                for (next = x + 1; next < m.across.size() && color(next, y) == filled;) ++next;
                if (!filled) continue;
                const double left = layout.cells.from.x + static_cast<double>(x) * wide,
                             right = left + static_cast<double>(next - x) * wide + margin,
                             low = layout.cells.to.y - static_cast<double>(y) * high;
                list.box({{left, std::max(layout.cells.from.y, low - high - margin)},
                          {std::min(layout.cells.to.x, right), low}},
                         {*filled});
              }
            draw_map_axes(list, m, layout, letters, inks, Palette::light);
          }};
}

FigurePage map_page(FigureFormat format) {
  constexpr double cm = 72 / 2.54;
  return {format, {12 * cm, 10.5 * cm}};
}

}  // namespace twosphere
