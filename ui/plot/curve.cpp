// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/curve.h"

namespace twosphere::ui {

std::vector<Curve> curves_of(const PlotSpec& spec, const std::vector<Curve>& stretches,
                             const BodyLook& bodies) {
  std::vector<Curve> curves;
  for (const Signal& signal : spec.signals())
    for (const Curve& stretch : stretches)
      if (signal.kind() != Signal::Kind::distance || !stretch.history->is_reference()) {
        Curve& curve = curves.emplace_back(stretch);
        curve.signal = signal;
        curve.style = bodies.of(stretch.style, signal);
      }
  return curves;
}

}  // namespace twosphere::ui
