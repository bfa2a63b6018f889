// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/tour_names.h"

#include "ui/plot/plot_spec.h"
#include "ui/shell/actions.h"

namespace twosphere::ui {

const TourNames& tour_names() {
  static const TourNames names = [] {
    TourNames made{.actions = {},
                   .is_plot = [](std::string_view text) { return parse_plot(text).has_value(); }};
    for (const ActionInfo& action : actions()) made.actions.emplace_back(action.id);
    return made;
  }();
  return names;
}

}  // namespace twosphere::ui
