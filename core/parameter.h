// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace twosphere {

/// How many numbers a parameter has: one, the three components of a vector, or one per body.
enum class Shape { scalar, vector, per_body };

/// What values are possible at all; a smaller range for dragging stands beside it.
enum class Domain { any, positive, non_negative };

/// One parameter of a system or an integrator. Forms, command line, file checks, documentation and
/// tests are made from this record.
struct ParameterInfo {
  std::string_view key;     ///< name in files and paths: "masses"
  std::string_view symbol;  ///< as in the papers: "m"
  std::string_view label;   ///< "mass"
  std::string_view unit;    ///< SI: "kg"; "1" for pure numbers
  std::string_view help;    ///< one sentence
  Shape shape = Shape::scalar;
  Domain domain = Domain::any;
  bool required = false;  ///< a scenario must give it; otherwise `fallback` stands for every entry
  double fallback = 0;
  double low = 0,
         high =
             1;  ///< range offered for dragging; values outside it, inside `domain`, can be typed
  bool logarithmic = false;  ///< the range spans decades
  bool live = true;          ///< may change while running; otherwise it takes a reset
};

/// Values by key: 1 number (scalar), 3 (vector) or n (per body).
using Values = std::map<std::string, std::vector<double>, std::less<>>;

}  // namespace twosphere
