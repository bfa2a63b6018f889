// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/picture_options.h"

#include <cstddef>
#include <string>
#include <utility>

#include "app/cli/subcommand.h"
#include "app/export/frame_layout.h"
#include "app/session/plan.h"
#include "core/base/text.h"
#include "core/color/color_map.h"
#include "core/output/body_quantity.h"
#include "core/scenario/split.h"

namespace twosphere {

std::optional<LatticeLayer> chosen_layer(const PictureOptions& options, const json::Node& view,
                                         const System& system) {
  if (options.layer == no_layer) return {};
  if (options.layer.empty()) {
    const auto of_view = must(layer_of_view(view, document_name(options)));
    if (of_view && !options.quiet)
      if (std::string missing = missing_layer(*of_view, system); !missing.empty())
        print_messages({std::move(missing)});
    return of_view;
  }
  const LatticeLayer layer = must(parse_layer(options.layer), misuse_of("--layer"));
  must(check_layer(layer, system), misuse_of("--layer"));
  return layer;
}

std::vector<std::string> shade_names() {
  std::vector<std::string> names{std::string(automatic_shade)};
  for (std::size_t i = 0; i < shade_count; ++i)
    if (const ShadeInfo& s = info(static_cast<Shade>(i)); s.of_bodies) names.emplace_back(s.key);
  return names;
}

std::vector<std::string> color_map_names() {
  return texts_of(color_maps, [](ColorMap map) { return key(map); });
}

std::vector<std::string> axis_choices() {
  return {color_axis_names.begin(), color_axis_names.end()};
}

std::vector<std::string> arrow_names() { return texts_of(body_vectors(), &BodyVectorInfo::key); }

std::vector<std::string> split_names() {
  return {std::string(key(Split::lanes)), std::string(key(Split::runs))};
}

std::vector<std::string> compose_names() {
  return texts_of(frame_contents, [](FrameContent content) { return key(content); });
}

std::vector<std::string> place_names() {
  return texts_of(plot_places, [](PlotPlace place) { return key(place); });
}

}  // namespace twosphere
