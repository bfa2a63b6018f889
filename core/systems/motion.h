// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>

/// Signals that show the motion of several systems: SystemInfo::motion.
namespace twosphere {

/// The angle of a body from e3, along which gravity acts [rad].
inline std::string angle_from_e3(int body) { return "polar" + std::to_string(body); }

/// Those of the first and the last of n bodies.
inline std::string first_and_last_angle(int n) {
  return n > 1 ? angle_from_e3(0) + " and " + angle_from_e3(n - 1) : angle_from_e3(0);
}

/// Those of the first four of n bodies.
inline std::string first_angles(int n) {
  std::string all = angle_from_e3(0);
  for (int body = 1; body < std::min(n, 4); ++body) all += " and " + angle_from_e3(body);
  return all;
}

}  // namespace twosphere
