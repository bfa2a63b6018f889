// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/sweep_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/color/palette.h"

namespace twosphere {

namespace {

std::string with_unit(const std::string& text, std::string_view unit) {
  return unit.empty() || unit == "1" ? text : fmt::format("{} {}", text, unit);
}

std::string with_unit_in_brackets(const std::string& text, std::string_view unit) {
  return unit.empty() || unit == "1" ? text : fmt::format("{} [{}]", text, unit);
}

/// The step between the values, or the ratio of neighbours if `ratios`; none if they differ.
std::optional<double> spacing(const std::vector<double>& values, bool ratios) {
  if (values.size() < 2) return {};
  const double first = values.front(), last = values.back();
  const double n = static_cast<double>(values.size() - 1);
  if (ratios && !(first > 0 && last > 0)) return {};
  const double from = ratios ? std::log10(first) : first, to = ratios ? std::log10(last) : last;
  const double step = (to - from) / n;
  if (!(std::abs(step) > 0) || !std::isfinite(step)) return {};
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (ratios && !(values[k] > 0)) return {};
    const double value = ratios ? std::log10(values[k]) : values[k];
    if (std::abs(value - from - step * static_cast<double>(k)) > 1e-6 * std::abs(step)) return {};
  }
  return step;
}

}  // namespace

std::string MapAxis::title() const { return with_unit_in_brackets(label, unit); }

std::string MapAxis::text(std::size_t index) const {
  if (!words.empty()) return words[index];
  return with_unit(ui::significant(values[index], 6), unit);
}

ui::Ticks MapAxis::ticks(int max_labels) const {
  const double count = static_cast<double>(size());
  ui::Ticks ticks;
  for (const bool ratios : {false, true}) {
    const auto step = words.empty() ? spacing(values, ratios) : std::nullopt;
    if (!step) continue;
    const double first = ratios ? std::log10(values.front()) : values.front();
    const auto value_at = [&](double cell) { return first + *step * (cell - 0.5); };
    const double low = std::min(value_at(0), value_at(count)),
                 high = std::max(value_at(0), value_at(count));
    ui::Transform transform;
    if (ratios) transform.scale = ui::Scale::logarithmic;
    ticks = ui::axis_ticks(transform, {low, high}, max_labels, unit);
    const auto to_cell = [&](double value) { return (value - first) / *step + 0.5; };
    for (ui::Ticks::Label& tick : ticks.labels) tick.at = to_cell(tick.at);
    for (double& minor : ticks.minor) minor = to_cell(minor);
    return ticks;
  }
  const std::size_t every =
      std::max<std::size_t>(1, (size() + static_cast<std::size_t>(max_labels) - 1) /
                                   static_cast<std::size_t>(max_labels));
  for (std::size_t k = 0; k < size(); k += every)
    ticks.labels.push_back(
        {static_cast<double>(k) + 0.5, words.empty() ? ui::significant(values[k], 4) : words[k]});
  return ticks;
}

std::string SweepMap::value_title() const { return with_unit_in_brackets(bar.label, bar.unit); }

std::string SweepMap::place(std::size_t column, std::size_t row) const {
  std::string text = fmt::format("{} = {}", across.label, across.text(column));
  if (up.size() > 1) text += fmt::format(", {} = {}", up.label, up.text(row));
  return text;
}

const SweepMap::Category* SweepMap::category_of(double value) const {
  const auto found =
      std::find_if(categories.begin(), categories.end(),
                   [value](const Category& category) { return category.value == value; });
  return found == categories.end() ? nullptr : &*found;
}

Color SweepMap::color_of(const Category& category, Palette palette) const {
  constexpr Color grey{0x808080};
  return category.tint ? body_color(*category.tint, tints, palette) : grey;
}

Color SweepMap::color(const Cell& cell, Palette palette) const {
  if (categories.empty()) return color_at(bar.map, cell.shade, palette);
  const auto count = static_cast<double>(categories.size());
  return color_of(categories[static_cast<std::size_t>(cell.shade * count)], palette);
}

double SweepMap::scaled(double value) const {
  if (categories.empty()) return logarithmic ? std::log10(std::abs(value)) : value;
  const Category* category = category_of(value);
  // The middle of its place.
  return category ? static_cast<double>(category - categories.data()) + 0.5 : std::nan("");
}

}  // namespace twosphere
