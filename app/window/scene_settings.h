// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "ui/interface.h"

namespace twosphere {

/// The table of the settings for the appearance of scene and columns: their keys and allowed
/// values. `file` reads or writes them: the settings of the window, or the view of a scenario.
void exchange_scene(auto& file, ui::Settings& u) {
  file.number("interface/left_width", 100.0F, 2000.0F, u.left_width);
  file.number("interface/right_width", 100.0F, 4000.0F, u.right_width);
  file.number("interface/trail_span", 0.0, 1e6, u.trail_span);
  file.plain("interface/columns", u.columns);
  file.plain("interface/trail", u.trail);
  file.plain("interface/ground", u.ground);
  file.plain("interface/graticule", u.graticule);
  file.plain("interface/inset", u.inset);
  file.plain("interface/labels", u.labels);
  file.plain("interface/angles", u.angles);
  file.plain("interface/field", u.field);
  file.plain("interface/streamlines", u.streamlines);
  std::vector<std::optional<Shade>> shades{std::nullopt};
  for (std::size_t i = 0; i < shade_count; ++i)
    if (const auto shade = static_cast<Shade>(i); info(shade).of_bodies) shades.emplace_back(shade);
  file.choice("interface/colors", u.shade, shades, [](std::optional<Shade> shade) {
    return shade ? info(*shade).key : automatic_shade;
  });
  file.choice("interface/color_map", u.color_map,
              std::vector<ColorMap>(color_maps.begin(), color_maps.end()),
              [](ColorMap map) { return key(map); });
  file.choice("interface/color_axis", u.color_axis, std::vector{0, 1, 2},
              [](int axis) { return color_axis_names.at(static_cast<std::size_t>(axis)); });
  file.arrows("interface/arrows", u.arrows);
  file.choice("interface/split", u.split, std::vector<Split>(splits.begin(), splits.end()),
              [](Split split) { return key(split); });
}

}  // namespace twosphere
