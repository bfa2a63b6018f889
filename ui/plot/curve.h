// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/output/lane_style.h"
#include "core/record/history.h"
#include "ui/plot/plot_spec.h"
#include "ui/plot/reduction.h"

namespace twosphere::ui {

/// Samples of a lane computed by one integrator. The line continues to the first sample of the next
/// curve of the lane.
struct Curve {
  int lane = 0;
  const History* history = nullptr;
  IndexRange samples;
  LaneStyle style;
  Signal signal = Quantity::time;  ///< the signal over time, set by curves_of()
  double origin = 0;               ///< subtracted from the values, set by curves_of(): V₀, or 0
  double width = 1;  ///< of its line, relative to those of other plots, set by curves_of()

  std::string symbol() const;  ///< "V", or "V − V₀"
};

/// The curves of a plot: one for each signal and each of `stretches`, without the distance of a
/// lane from itself.
///
/// Where energies are compared, T and V are those of the lane `reference` (of the first one if that
/// is hidden), and E is that of every lane, with a wider line. If
///
///   |V₀| > 2 max(range of T, range of V)
///
/// in that lane so far, with V₀ the first potential energy of its run, V and E are measured from
/// V₀: otherwise their scale would hide how they change.
std::vector<Curve> curves_of(const PlotSpec& spec, const std::vector<Curve>& stretches,
                             const BodyLook& bodies = {}, int reference = 0);

/// Measures energies of other runs from where those of the present one are measured.
void share_origin(const std::vector<Curve>& present, std::vector<Curve>& others);

/// The title of a plot of these curves: title(), or if energies are measured from V₀ "T, V − V₀, E
/// − V₀".
std::string title(const PlotSpec& spec, const std::vector<Curve>& curves,
                  std::string_view reference);

}  // namespace twosphere::ui
