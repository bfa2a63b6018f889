// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/tag_mark.h"

#include <string>

namespace twosphere::ui {

TagMark tag_mark(const std::vector<RunMarker>& tags, std::size_t first, double gap) {
  TagMark mark{first, first};
  const std::string& paths = tags[first].paths;
  for (std::size_t k = first + 1; !paths.empty() && k < tags.size(); ++k) {
    if (tags[k].paths != paths || tags[k].t - tags[k - 1].t > gap) break;
    mark.last = k;
  }
  return mark;
}

}  // namespace twosphere::ui
