// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace twosphere::ui {

void PlotsView::take(const std::vector<PlotSpec>& specs) {
  const bool same =
      std::equal(specs.begin(), specs.end(), plots.begin(), plots.end(),
                 [](const PlotSpec& spec, const PlotView& plot) { return spec == plot.spec; });
  if (same) return;
  std::vector<PlotView> former = std::move(plots);
  plots.clear();
  for (const PlotSpec& spec : specs) {
    const auto known = std::find_if(former.begin(), former.end(),
                                    [&](const PlotView& plot) { return plot.spec == spec; });
    PlotView& plot = plots.emplace_back(
        PlotView{.spec = spec, .id = {}, .y = {}, .x = {}, .pixel_masks = {}, .spectra = {}});
    if (known != former.end()) {
      plot = std::move(*known);
      former.erase(known);
    }
    plot.id = spec.y.key();
    for (const Signal& signal : spec.also) plot.id += " and " + signal.key();
    if (spec.x) plot.id += " over " + spec.x->key();
    if (spec.spectrum) plot.id += " spectrum";
    const auto twins = std::count_if(plots.begin(), plots.end() - 1, [&](const PlotView& other) {
      return other.spec.signals() == spec.signals() && other.spec.x == spec.x &&
             other.spec.spectrum == spec.spectrum;
    });
    if (twins > 0) plot.id += fmt::format("#{}", twins + 1);
  }
}

bool PlotsView::following() const {
  return time.automatic && std::all_of(plots.begin(), plots.end(), [](const PlotView& plot) {
           return plot.y.automatic && plot.x.automatic;
         });
}

void PlotsView::follow() {
  time.automatic = true;
  for (PlotView& plot : plots) plot.y.automatic = plot.x.automatic = true;
}

}  // namespace twosphere::ui
