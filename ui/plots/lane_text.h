// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "ui/plot/curve.h"
#include "ui/plot/plot_curves.h"
#include "ui/plot/plot_view.h"

/// What is said below a plot, and in its legend, about a lane or another run.
namespace twosphere::ui {

struct BranchView;
struct Panel;

inline constexpr std::string_view figure_gap = "   ";  ///< between figures

/// The values of a lane at A and B: those of samples, as in the rows of a CSV. None for a marker
/// that is not set or outside the run.
std::array<std::optional<Reading>, 2> at_markers(const PlotSpec& spec, const History& history,
                                                 const Markers& markers);

/// The texts about a lane.
struct LaneText {
  std::string figures;
  std::string since;    // start of the range of the figures, if not that of the run
  std::string markers;  // values at A and B
  std::string explanation;
};

/// `cache` keeps the figures of earlier integrators of the run.
LaneText describe_lane(const Panel& panel, SegmentFigures& cache, const PlotView& plot, int lane,
                       const Markers& markers);
/// "run 1   now 0.123   largest 1.57", or with "last" after the end of one of the two runs; only
/// the first part if there is no distance yet.
std::string describe_run(const Panel& panel, const PlotSpec& spec, const BranchView& run);

}  // namespace twosphere::ui
