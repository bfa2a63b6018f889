// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/frame.h"
#include "ui/shell/settings.h"

namespace twosphere::ui {

/// The least width of the right column at scale 1 [logical pixels].
inline constexpr float narrowest_right = 260;

/// Where the parts of a view are. Those that it has not are empty.
struct ViewLayout {
  Rect left, right, scene, tour, transport;
  float extra = 0;  ///< width of the right column in addition to its setting
};

/// The columns, and between them the scene above the strip of a tour and the transport. `plots`:
/// they are in the right column.
ViewLayout arrange(const Settings& settings, const Frame& frame, float scale, bool plots);
/// In a presentation: the scene on 62 % of the longer side, with the plots on the right of it or,
/// if the view is higher than wide, below, and the strip of a tour under the scene. The transport
/// lies over the lower edge of the view, as a line of 6 logical pixels unless it is `grown`.
ViewLayout arrange_presentation(const Frame& frame, float scale, bool grown);

}  // namespace twosphere::ui
