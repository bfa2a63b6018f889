// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/systems/driven_vector.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "core/systems/texts.h"

namespace twosphere {

DrivenVector::DrivenVector(const std::vector<double>& numbers)
    : sine_(numbers[0] == 1), amplitude_(Eigen::Map<const Vec3>(&numbers[1])) {
  if (!sine_) return;
  frequency_ = numbers[4];
  phase_ = numbers[5];
}

Vec3 DrivenVector::at(double t) const {
  if (!sine_) return amplitude_;
  return std::sin(2 * std::numbers::pi * frequency_ * t + phase_) * amplitude_;
}

std::vector<ParameterForm> driven_forms(std::string_view constant_key, const DrivenTexts& texts) {
  const auto vector = [&texts](std::string_view key, std::string_view symbol,
                               std::string_view label, std::string_view help) {
    return ParameterInfo{.key = key,
                         .symbol = symbol,
                         .label = label,
                         .unit = texts.unit,
                         .help = help,
                         .shape = Shape::vector,
                         .low = -20,
                         .high = 20};
  };
  ParameterInfo amplitude = vector("amplitude", "A", texts.amplitude_label, texts.amplitude_help);
  amplitude.required = true;
  ParameterInfo frequency{.key = "frequency",
                          .symbol = "ν",
                          .label = texts.frequency_label,
                          .unit = "Hz",
                          .help = texts.frequency_help,
                          .domain = Domain::non_negative,
                          .required = true,
                          .default_value = 1,
                          .low = 0,
                          .high = 10};
  ParameterInfo phase{.key = "phase",
                      .symbol = "φ",
                      .label = texts.phase_label,
                      .unit = "rad",
                      .help = "Phase of the sine at t = 0.",
                      .low = -3.2,
                      .high = 3.2};
  return {
      {.key = "constant",
       .label = "Constant",
       .help = texts.constant_form_help,
       .fields = {vector(constant_key, texts.symbol, texts.constant_label, texts.constant_help)}},
      {.key = "sine",
       .label = "Sine",
       .help = texts.sine_form_help,
       .fields = {std::move(amplitude), std::move(frequency), std::move(phase)}}};
}

std::string add_driven_vector(Definition& definition, const ParameterInfo& info,
                              const std::vector<double>& numbers, const DrivenNames& names) {
  const ParameterForm& form = info.forms[static_cast<std::size_t>(numbers[0])];
  // A vector, then numbers.
  const auto add = [&](std::size_t field, std::string_view name) {
    const auto first = numbers.begin() + (field == 0 ? 1 : 3 + static_cast<std::ptrdiff_t>(field));
    definition.parameters.push_back(parameter_text(std::string(name), form.fields[field],
                                                   {first, first + (field == 0 ? 3 : 1)}));
  };
  if (numbers[0] == 0) {
    add(0, names.constant);
    return std::string(names.constant);
  }
  add(0, names.amplitude);
  add(1, names.frequency);
  add(2, names.phase);
  return fmt::format("sin(2*pi*{}*t + {})*{}", names.frequency, names.phase, names.amplitude);
}

}  // namespace twosphere
