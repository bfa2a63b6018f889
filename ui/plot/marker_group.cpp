// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/marker_group.h"

#include <string>

namespace twosphere::ui {

MarkerGroup marker_group(const std::vector<RunMarker>& markers, std::size_t first, double gap) {
  MarkerGroup mark{first, first};
  const std::string& paths = markers[first].paths;
  for (std::size_t k = first + 1; !paths.empty() && k < markers.size(); ++k) {
    if (markers[k].paths != paths || markers[k].t - markers[k - 1].t > gap) break;
    mark.last = k;
  }
  return mark;
}

}  // namespace twosphere::ui
