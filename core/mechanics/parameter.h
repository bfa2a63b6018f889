// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace twosphere {

/// The form of a parameter in files, and its numbers in Values.
enum class Shape {
  scalar,     ///< a number; none for an optional one that is not given or is the word
  vector,     ///< [x, y, z]: 3
  list,       ///< as many numbers as `default_vector` has
  per_body,   ///< a number for all or one per body: n
  choice,     ///< one of `choices`, a name: its index
  count,      ///< an integer, the number of bodies: 1
  points,     ///< [x, y, z] for all or one per body: 3n; none for an optional one that is not given
  lattice,    ///< {"rows": r, "columns": c, "spacing": a}, r c bodies: 3, or none
  springs,    ///< [{"between": [i, j], "stiffness": κ}, …]: i, j, κ of each
  sites,      ///< {"type": "square", "size": [nx, ny], "spacing": a, "periodic": p}: index of the
              ///< type, nx, ny, nz, a and 1 if periodic (SiteLattice), or none
  pairs,      ///< [[i, j], …], pairs of bodies: i, j of each; none for an optional one not given
  per_pair,   ///< a number for all pairs or a list with one of each: 1, or as many
  waypoints,  ///< [[t, x, y, z], …], places [m] at ascending times [s]: 4 of each; the last field
              ///< of a form
  form,       ///< one of `forms`: its index, then the numbers of its fields, one after the other
};

/// The allowed values; the range for dragging is given separately.
enum class Domain { any, positive, non_negative };

struct ParameterInfo;

/// One of several forms of a parameter, with its own fields. In files it is {"type": KEY, FIELD:
/// …}; the first form has one field and is written as its value alone.
struct ParameterForm {
  std::string_view key;    ///< "sine"
  std::string_view label;  ///< "Sine"
  std::string_view help;   ///< one sentence, with the equation
  std::vector<ParameterInfo> fields;
};

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
  bool required =
      false;  ///< a scenario must give it; otherwise `default_value` is that of every entry
  bool optional = false;    ///< need not have a value
  std::string_view word{};  ///< written in place of a number: "auto"
  /// Of an optional scalar: where a scenario gives neither it nor the parameter of this key, it has
  /// `default_value`, and null is written for none.
  std::string_view unless{};
  std::vector<std::string_view> choices{};
  std::vector<ParameterForm> forms{};
  double default_value = 0;
  std::vector<double> default_vector{};  ///< for a list, and for a vector whose entries differ
  double low = 0,
         high =
             1;  ///< range offered for dragging; values outside it, inside `domain`, can be typed
  bool logarithmic = false;  ///< the range spans decades
  bool whole = false;        ///< a scalar that is a whole number of at least 0
  bool live = true;          ///< may change while running; otherwise it takes a reset
  /// Left out of written files where it has its default: files of before it was there stay the
  /// same.
  bool omitted = false;
};

/// Values by key: as many numbers as the parameter's shape says.
using Values = std::map<std::string, std::vector<double>, std::less<>>;

/// The numbers at a key that has a value; throws std::out_of_range if it has none.
const std::vector<double>& numbers_of(const Values& values, std::string_view key);

/// The default numbers of a parameter.
std::vector<double> default_numbers(const ParameterInfo& info, int bodies);
/// The numbers of one of its forms with the defaults of all fields.
std::vector<double> default_form(const ParameterInfo& info, std::size_t form);
/// The defaults of all parameters but those that must be given.
Values default_values(const std::vector<ParameterInfo>& infos, int bodies = 0);

}  // namespace twosphere
