// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/systems/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace twosphere {

namespace {

using Form = Definition::Parameter::Form;

}  // namespace

Definition::Parameter parameter_text(std::string name, const ParameterInfo& info,
                                     std::vector<double> value) {
  const bool per_body = info.shape == Shape::per_body;
  const bool alike =
      std::adjacent_find(value.begin(), value.end(), std::not_equal_to<>()) == value.end();
  if (per_body && alike) value.resize(1);
  const bool number = info.shape == Shape::scalar || (per_body && alike) ||
                      (info.shape == Shape::per_pair && value.size() == 1);
  // The slider reaches what it begins with.
  double low = info.low, high = info.high;
  for (const double x : value) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return {.key = std::move(name),
          .form = number ? Form::number : Form::list,
          .value = std::move(value),
          .unit = std::string(info.unit),
          .help = std::string(info.help),
          .range = {{low, high}}};
}

Definition::Parameter parameter_text(std::string name, const SystemInfo& system,
                                     std::string_view key, const Values& values) {
  const auto info = std::find_if(system.parameters.begin(), system.parameters.end(),
                                 [key](const ParameterInfo& p) { return p.key == key; });
  return parameter_text(std::move(name), *info, numbers_of(values, key));
}

void add_pivots(Definition& definition, Definition::Parameter coordinates, std::string_view point) {
  coordinates.help = "Coordinates of the pivots, three of each.";
  definition.define.push_back(
      fmt::format("{0}[i] = [{1}[3*i], {1}[3*i+1], {1}[3*i+2]]", point, coordinates.key));
  definition.parameters.push_back(std::move(coordinates));
}

void add_damping(Definition& definition, const SystemInfo& system, const Values& values) {
  Definition::Parameter c = parameter_text("c", system, "damping", values);
  if (c.value[0] == 0) return;
  definition.parameters.push_back(std::move(c));
  definition.torque.emplace_back("torque[i] = -c*w[i]");
}

void add_frame_rotation(Definition& definition, const SystemInfo& system, const Values& values) {
  Definition::Parameter turn = parameter_text("Omega", system, "frame_rotation", values);
  if (std::all_of(turn.value.begin(), turn.value.end(), [](double x) { return x == 0; })) return;
  definition.parameters.push_back(std::move(turn));
  definition.frame_rotation = "Omega";
}

}  // namespace twosphere
