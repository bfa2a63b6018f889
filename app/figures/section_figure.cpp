// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/section_figure.h"

#include <limits>
#include <utility>

#include "ui/plot/point_density.h"

namespace twosphere {

namespace {

constexpr std::size_t max_dots = 20'000;  // of a series
constexpr std::size_t few_dots = 5'000;   // of all series, which are drawn larger
constexpr double large_dot = 1.6;
constexpr int section_cells = 600;  // across and up

ui::PlotCloud cloud_of(const SectionPicture& picture, const SectionPicture::Series& series) {
  ui::PlotCloud cloud{series.style, {}};
  const SectionPoints& points = series.points;
  if (points.size() <= max_dots) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto values = points.values(i);
      cloud.points.push_back({values[picture.coordinates[0]], values[picture.coordinates[1]]});
    }
    return cloud;
  }
  ui::PointDensity density;
  density.count(
      {section_cells, section_cells, picture.x.range, picture.y.range, picture.coordinates}, points,
      std::numeric_limits<std::size_t>::max());
  cloud.cell = {picture.x.range.span() / section_cells, picture.y.range.span() / section_cells};
  for (int row = 0; row < section_cells; ++row)
    for (int column = 0; column < section_cells; ++column) {
      const std::uint32_t count = density.at(column, row);
      if (count == 0) continue;
      cloud.points.push_back({picture.x.range.low + (column + 0.5) * cloud.cell.x,
                              picture.y.range.high - (row + 0.5) * cloud.cell.y});
      cloud.strengths.push_back(static_cast<float>(density.strength(count)));
    }
  return cloud;
}

}  // namespace

ui::PlotFigure section_figure(const SectionPicture& picture) {
  ui::PlotFigure figure;
  figure.title = picture.title;
  ui::PlotModel plot;
  plot.over_time = false;
  plot.x = picture.x;
  plot.y = picture.y;
  // "1" also stands for a unit that is not known.
  for (ui::PlotAxis* axis : {&plot.x, &plot.y})
    if (axis->unit == "1") axis->unit.clear();
  std::size_t points = 0;
  for (const SectionPicture::Series& series : picture.series) points += series.points.size();
  for (const SectionPicture::Series& series : picture.series) {
    if (picture.series.size() > 1) figure.keys.push_back({series.name, series.style});
    plot.clouds.push_back(cloud_of(picture, series));
    if (points < few_dots) plot.clouds.back().size = large_dot;
  }
  figure.plots.push_back(std::move(plot));
  return figure;
}

}  // namespace twosphere
