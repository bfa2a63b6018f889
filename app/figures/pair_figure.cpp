// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/pair_figure.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/table_writer.h"
#include "ui/plot/axis.h"

namespace twosphere {

std::string pair_table(std::span<const PairCurve> curves, bool tabs) {
  TableWriter table(tabs ? TableWriter::Form::tabs : TableWriter::Form::csv);
  table.row("lane", "angle [rad]", "pair_distribution [1]", "pairs", "states");
  for (const PairCurve& curve : curves)
    for (int bin = 0; bin < curve.pairs.bins() && curve.pairs.rows() > 0; ++bin)
      table.row(curve.name, curve.pairs.angle(bin), curve.pairs.value(bin), curve.pairs.pairs(bin),
                curve.pairs.rows());
  return table.take();
}

ui::PlotFigure pair_figure(std::span<const PairCurve> curves, const std::string& title) {
  constexpr int ticks = 8;
  ui::PlotFigure figure;
  figure.title = title;
  ui::PlotModel plot;
  plot.over_time = false;
  double end = 0, high = 1;  // the value of independent directions is always seen
  for (const PairCurve& curve : curves) {
    if (curve.pairs.rows() == 0) continue;
    if (curves.size() > 1) figure.keys.push_back({curve.title, curve.style});
    std::vector<ui::Point> points;
    for (int bin = 0; bin < curve.pairs.bins(); ++bin) {
      points.push_back({curve.pairs.angle(bin), curve.pairs.value(bin)});
      high = std::max(high, points.back().y);
    }
    end = std::max(end, curve.pairs.max_angle());
    plot.curves.push_back({curve.style, std::move(points)});
  }
  plot.x = {"angle", "rad", {}, {0, end > 0 ? end : 1}};
  plot.y = {"pair distribution", "", {}, {0, ui::fit_linear(0, high, ticks).high}};
  figure.plots.push_back(std::move(plot));
  return figure;
}

}  // namespace twosphere
