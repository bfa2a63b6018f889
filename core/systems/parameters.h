// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/mechanics/parameter.h"
#include "core/mechanics/sphere.h"

/// Functions that several systems share: access to values, and the records of common parameters.
namespace twosphere {

inline double scalar(const Values& values, std::string_view key) {
  return numbers_of(values, key)[0];
}
/// Of an optional parameter; none if it has no value.
inline std::optional<double> optional_scalar(const Values& values, std::string_view key) {
  const auto found = values.find(key);
  if (found == values.end() || found->second.empty()) return {};
  return found->second[0];
}
inline Vec3 vector(const Values& values, std::string_view key) {
  return Eigen::Map<const Vec3>(numbers_of(values, key).data());
}
inline Eigen::VectorXd list(const Values& values, std::string_view key) {
  const std::vector<double>& numbers = numbers_of(values, key);
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(),
                                           static_cast<Eigen::Index>(numbers.size()));
}
inline Columns points(const Values& values, std::string_view key) {
  const std::vector<double>& numbers = numbers_of(values, key);
  return Eigen::Map<const Columns>(numbers.data(), 3,
                                   static_cast<Eigen::Index>(numbers.size() / 3));
}

/// System::damping() from the parameter "damping", which applies to all bodies.
inline Eigen::VectorXd damping(const Values& values, int n) {
  const double c = scalar(values, "damping");
  return c == 0 ? Eigen::VectorXd() : Eigen::VectorXd::Constant(n, c);
}

/// System::strength() from the parameter "strength" of bodies with inertia.
inline Eigen::VectorXd strengths(const Values& values) {
  Eigen::VectorXd kappa = list(values, "strength");
  if (kappa.isZero(0)) kappa.resize(0);
  return kappa;
}

/// A positive number of each body that must be given.
inline ParameterInfo size_parameter(std::string_view key, std::string_view symbol,
                                    std::string_view label, std::string_view unit,
                                    std::string_view help) {
  return {.key = key,
          .symbol = symbol,
          .label = label,
          .unit = unit,
          .help = help,
          .shape = Shape::per_body,
          .domain = Domain::positive,
          .required = true,
          .low = 0.01,
          .high = 100,
          .logarithmic = true};
}
inline ParameterInfo masses_parameter(std::string_view help) {
  return size_parameter("masses", "m", "mass", "kg", help);
}
inline ParameterInfo lengths_parameter(std::string_view help) {
  return size_parameter("lengths", "l", "length", "m", help);
}
inline ParameterInfo gravity_parameter() {
  return {.key = "gravity",
          .symbol = "g",
          .label = "gravity",
          .unit = "m/s²",
          .help = "Acceleration due to gravity, along +e3.",
          .default_value = 9.81,
          .low = 0,
          .high = 25};
}
/// System::frame_rotation().
inline ParameterInfo frame_rotation_parameter() {
  return {.key = "frame_rotation",
          .symbol = "Ω",
          .label = "frame rotation",
          .unit = "rad/s",
          .help = "Angular velocity with which the axes rotate: that of the Earth, for instance.",
          .shape = Shape::vector,
          .low = -2,
          .high = 2,
          .omitted = true};
}
inline ParameterInfo damping_parameter() {
  return {.key = "damping",
          .symbol = "c",
          .label = "damping",
          .unit = "N m s",
          .help = "Torque −c ω on every body.",
          .domain = Domain::non_negative,
          .low = 1e-4,
          .high = 10,
          .logarithmic = true};
}

}  // namespace twosphere
