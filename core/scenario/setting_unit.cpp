// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/setting_unit.h"

#include <cstddef>
#include <string_view>

#include "core/base/json.h"
#include "core/catalog.h"
#include "core/scenario/keys.h"
#include "core/scenario/parameter_io.h"

namespace twosphere {

std::string setting_unit(const Scenario& scenario, const SettingPath& path) {
  const std::string_view first = path.key(0);
  if (first == "duration") return "s";
  if (first == "initial") {
    std::size_t part = 1;
    std::string_view object = "initial";
    if (path.key(1) == "base") object = "base", part = 2;
    if (path.key(1) == "generator") {
      const bool listed = path.index(2).has_value();
      const json::Node& all = scenario.generator.directions;
      const json::Node* const one = !listed                             ? &all
                                    : *path.index(2) < all.items.size() ? &all.items[*path.index(2)]
                                                                        : nullptr;
      const json::Node* const type = one ? one->find("type") : nullptr;
      if (!type) return "1";
      object = type->text, part = listed ? 3 : 2;
    }
    if (path.key(1) == "velocity" && !path.key(2).empty()) object = "vortices", part = 2;
    for (const KeyInfo& key : file_object(object).keys)
      if (key.key == path.key(part) && !key.unit.empty()) return std::string(key.unit);
    return "1";
  }
  const bool lane = first == "integrator" || first == "lanes";
  const std::string_view key = path.key(first == "lanes" ? 2 : 1);
  if (lane && key == "step") return "s";
  if (!lane && first != "system") return {};
  const IntegratorInfo* method = find_integrator(scenario.lanes[0].type);
  for (const ParameterInfo& p : lane ? method->parameters : info_of(scenario).parameters) {
    if (p.key != key || p.shape == Shape::choice) continue;
    // The first form of a parameter is a value alone: its entries have indices.
    if (p.shape != Shape::form || path.index(2)) return std::string(p.unit);
    const auto numbers = scenario.parameters.find(p.key);
    if (numbers == scenario.parameters.end()) continue;
    for (const ParameterInfo& field : form_of(p, numbers->second).fields)
      if (field.key == path.key(2)) return std::string(field.unit);
  }
  return {};
}

}  // namespace twosphere
