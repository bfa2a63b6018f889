// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/parameter.h"

#include <cstddef>
#include <stdexcept>

namespace twosphere {

std::vector<double> default_numbers(const ParameterInfo& info, int bodies) {
  if (info.optional) return {};
  switch (info.shape) {
    case Shape::vector:
      return info.default_vector.empty() ? std::vector<double>(3, info.default_value)
                                         : info.default_vector;
    case Shape::list:
    case Shape::waypoints:
      return info.default_vector;
    case Shape::per_body:
      return std::vector<double>(static_cast<std::size_t>(bodies), info.default_value);
    case Shape::points: {
      const std::vector<double> one = info.default_vector.empty()
                                          ? std::vector<double>(3, info.default_value)
                                          : info.default_vector;
      std::vector<double> all;
      for (int i = 0; i < bodies; ++i) all.insert(all.end(), one.begin(), one.end());
      return all;
    }
    case Shape::springs:
      return {};
    case Shape::form:
      return default_form(info, 0);
    default:
      return {info.default_value};
  }
}

std::vector<double> default_form(const ParameterInfo& info, std::size_t form) {
  std::vector<double> numbers{static_cast<double>(form)};
  for (const ParameterInfo& field : info.forms[form].fields)
    for (const double number : default_numbers(field, 0)) numbers.push_back(number);
  return numbers;
}

const std::vector<double>& numbers_of(const Values& values, std::string_view key) {
  const auto found = values.find(key);
  if (found == values.end()) throw std::out_of_range("no value of " + std::string(key));
  return found->second;
}

Values default_values(const std::vector<ParameterInfo>& infos, int bodies) {
  Values values;
  for (const ParameterInfo& info : infos)
    if (!info.required) values.emplace(info.key, default_numbers(info, bodies));
  return values;
}

}  // namespace twosphere
