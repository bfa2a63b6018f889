// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/sweep_categories.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/studies/basins.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

/// What an equilibrium is called in a legend: of one body its direction, of several U.
std::string equilibrium_label(std::size_t number, const Equilibrium& equilibrium) {
  if (equilibrium.q.cols() > 1)
    return fmt::format("{}: {} J", number, ui::significant(equilibrium.potential_energy, 4));
  std::string components;
  for (const double x : equilibrium.q.reshaped()) {
    constexpr double hundred = 100;
    const double rounded = std::round(x * hundred) / hundred + 0.0;
    components += (components.empty() ? "" : ", ") + ui::significant(rounded, 3);
  }
  return fmt::format("{}: ({})", number, components);
}

/// How finely the basins of a map are mixed, along its axes that are numbers.
std::string mixing_note(const SweepMap& map, const Sweep& sweep, const MapChoice& choice) {
  std::vector<double> values;
  for (const SweepMap::Cell& cell : map.cells) values.push_back(cell.value);
  const auto is_number = [&](std::size_t axis) {
    return axis < sweep.axes.size() && sweep.axes[axis].numeric();
  };
  std::vector<std::size_t> axes;
  if (choice.up && is_number(*choice.up)) axes.push_back(0);
  if (is_number(choice.across)) axes.push_back(1);
  return uncertain_fraction(values, {map.up.size(), map.across.size()}, axes).text();
}

}  // namespace

void categorise(SweepMap& map, const Sweep& sweep, const MapChoice& choice) {
  for (std::size_t k = 0; k < sweep.equilibria.size(); ++k)
    if (const Equilibrium& one = sweep.equilibria[k]; one.kind() == EquilibriumKind::minimum)
      map.categories.push_back(
          {static_cast<double>(k), equilibrium_label(k, one), map.categories.size()});
  map.tints = map.categories.size();
  if (std::any_of(map.cells.begin(), map.cells.end(),
                  [](const SweepMap::Cell& cell) { return cell.value == no_basin; }))
    map.categories.push_back({no_basin, "none", {}});
  map.bar.low = 0;
  map.bar.high = static_cast<double>(map.categories.size());
  map.note = mixing_note(map, sweep, choice);
}

void draw_map_legend(ui::DrawList& list, const SweepMap& map, const ui::Box& box, double line,
                     const MapInks& inks, Palette palette) {
  const double row = 1.4 * line;
  double y = box.from.y;
  list.text({box.from.x, y}, ui::Face::text, inks.text, map.bar.label);
  for (const SweepMap::Category& one : map.categories) {
    y += row;
    const ui::Point name{box.from.x + 1.5 * line, y};
    const bool last = y + 2 * row > box.to.y;
    if (last && &one != &map.categories.back())
      return list.text(name, ui::Face::text, inks.dim, "…");
    const ui::Box patch{{box.from.x, y}, {box.from.x + line, y + line}};
    list.box(patch, {map.color_of(one, palette)});
    list.frame(patch, {{}, 0}, {inks.line, 0.6});
    list.text(name, ui::Face::text, inks.dim, one.name);
  }
}

}  // namespace twosphere
