// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "core/mechanics/parameter.h"
#include "core/mechanics/state.h"
#include "core/program/tree.h"

namespace twosphere::custom {

/// Values of index variables, by their numbers.
using Indices = std::vector<int>;

/// Bindings with numbers for the parameters: evaluates what depends on nothing else. Throws
/// TextException where an index is out of its range, and where more than Limits::operations
/// are needed.
class Constants {
 public:
  /// `values` holds every parameter by its key; pairs as i, j of each.
  Constants(const Bindings& bindings, const Values& values);
  /// With a state, at which everything else is evaluated, too.
  Constants(const Bindings& bindings, const Values& values, const State& state);

  const Bindings& bindings() const { return bindings_; }
  int bodies() const { return bindings_.bodies; }

  /// The value of a node that is constant(); a number is in the first component.
  Vec3 value(const Node& node, Indices& at);
  double number(const Node& node, Indices& at) { return value(node, at)[0]; }
  /// Of a whole number.
  long index(const Node& node, Indices& at);
  /// The same, from 0 to size − 1 of what `of` indexes.
  int index(const Node& of, const Node& node, Indices& at, int size);
  /// Sets the index of a definition that is used, and returns it; -1: it has none.
  int enter(const Node& use, Indices& at);
  /// Calls visit() for every tuple of a range, with its variables set.
  void enumerate(const Range& range, Indices& at, const std::function<void()>& visit);
  /// Whether a comparison of constants holds.
  bool holds(const Node& choose, Indices& at);
  /// Counts operations towards the limit.
  void spend(const Source& source, int column, long operations);
  /// Counts operations of this thread towards no limit.
  static void count(long operations);
  /// All that were counted on this thread.
  static long counted();

 private:
  /// Fails if so many more would exceed the limit.
  void allow(const Source& source, int column, double operations) const;
  Vec3 uncached(const Node& node, Indices& at);

  const Bindings& bindings_;
  const State* state_ = nullptr;
  std::vector<const std::vector<double>*> parameters_;
  std::map<std::pair<int, int>, Vec3> named_;  // values of definitions
  long spent_ = 0;
};

}  // namespace twosphere::custom
