// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/view_layout.h"

#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float narrowest_scene = 300;  // below this width the left column shrinks too
constexpr float min_scene = 200;
constexpr float plain_width = 1280;  // up to this width of the view the plots are not widened
constexpr float plots_share = 0.4f;  // share of additional width that goes to the plots
// Of a presentation.
constexpr float scene_share = 0.62f;  // of the longer side of the view
constexpr float thin_transport = 6;   // [logical pixels]

}  // namespace

ViewLayout arrange(const Settings& settings, const Frame& frame, float scale, bool plots) {
  const float width = frame.width, height = frame.height;
  ViewLayout layout;
  float left = 0, right = 0;
  if (settings.columns) {
    layout.extra = std::max(0.0f, width - plain_width * scale) * plots_share;
    left = std::round(settings.left_width * scale);
    if (plots) right = std::round(settings.right_width * scale + layout.extra);
    // In a small window the columns shrink before the scene does.
    const float missing = left + right + narrowest_scene * scale - width;
    if (missing > 0) {
      right = std::max(right - missing, std::min(right, narrowest_right * scale));
      left = std::min(left, std::max(width - right - min_scene * scale, 0.0f));
    }
  }
  layout.left = {0, 0, left, height};
  layout.right = {width - right, 0, right, height};
  const float middle = std::max(width - left - right, 1.0f);
  const float bar =
      std::round(transport_height(frame.branches, middle / scale, height / scale) * scale);
  const float strip = std::min(tour_strip_height(frame.tour, middle, scale), height - bar);
  layout.scene = {left, 0, middle, std::max(height - bar - strip, 1.0f)};
  layout.tour = {left, height - bar - strip, middle, strip};
  layout.transport = {left, height - bar, middle, bar};
  return layout;
}

ViewLayout arrange_presentation(const Frame& frame, float scale, bool grown) {
  const float width = frame.width, height = frame.height;
  const float line = std::round(thin_transport * frame.pixel_ratio);
  const float bar =
      grown ? std::round(transport_height(frame.branches, width / scale, height / scale) * scale)
            : line;
  const bool wide = width >= height;
  const float share = std::round(scene_share * std::max(width, height));
  const Rect whole =
      wide ? Rect{0, 0, share, std::max(height - line, 1.0f)} : Rect{0, 0, width, share};
  const float strip = std::min(tour_strip_height(frame.tour, whole.width, scale), whole.height);
  ViewLayout layout;
  layout.scene = {0, 0, whole.width, std::max(whole.height - strip, 1.0f)};
  layout.tour = {0, whole.height - strip, whole.width, strip};
  layout.right = wide ? Rect{share, 0, width - share, std::max(height - bar, 1.0f)}
                      : Rect{0, share, width, std::max(height - share - bar, 1.0f)};
  layout.transport = {0, height - bar, width, bar};
  return layout;
}

}  // namespace twosphere::ui
