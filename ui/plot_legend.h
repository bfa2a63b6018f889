// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "ui/lane_curves.h"
#include "ui/plot.h"
#include "ui/plot_curves.h"

namespace twosphere::ui {

struct Panel;
struct PanelState;

/// Mean and worst magnitude of a stretch of a lane's samples. What was summed is kept, so that a
/// growing stretch costs only what is new.
class SegmentFigures {
 public:
  struct Figures {
    double mean = 0, worst = 0;
  };
  /// `generation`: of the run. The stretch is not empty of values. Of what steps cost, those that
  /// had no such cost do not count.
  Figures of(const History& history, int lane, const Signal& signal, Stretch samples,
             std::uint64_t generation);

 private:
  struct Sum {
    Stretch values;
    double last_time = 0;  // of the last value counted: tells whether the history was thinned
    CompensatedSum magnitude;
    std::size_t counted = 0;
  };
  std::uint64_t generation_ = 0;
  std::map<std::tuple<int, Signal, std::size_t>, Sum> sums_;  // by lane, signal, first sample
};

/// What a lane is at A and at B: the values of samples, as the rows of a CSV have them. Nothing for
/// a marker that is not set or where the run does not reach.
std::array<std::optional<Reading>, 2> at_markers(const PlotSpec& spec, const History& history,
                                                 const Markers& markers);

/// Height of the figures under a plot [px].
float legend_height(const Panel& panel, const PanelState& state);
/// A swatch with the figures of each lane, and the values at A and B with their difference where
/// they are set. A click hides or shows the lane in all plots.
void legend(const Panel& panel, PanelState& state, const PlotView& plot, ImVec2 from, float width);

}  // namespace twosphere::ui
