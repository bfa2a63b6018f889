// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "core/output/lane_style.h"
#include "core/record/pair_distribution.h"
#include "ui/plot/figure.h"

namespace twosphere {

/// The pair distribution function of a lane, and how it is shown.
struct PairCurve {
  std::string name, title;  ///< in tables, and to be shown
  LaneStyle style;
  PairDistribution pairs;
};

/// One row for each bin of each lane: the angle in its middle [rad], the function [1], the pairs in
/// it, and the states that were counted. As CSV (RFC 4180), or separated by tabs for a spreadsheet.
std::string pair_table(std::span<const PairCurve> curves, bool tabs = false);

/// The functions over the angle. Lanes without states have no curve.
ui::PlotFigure pair_figure(std::span<const PairCurve> curves, const std::string& title);

}  // namespace twosphere
