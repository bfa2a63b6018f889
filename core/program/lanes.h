// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/program/stage.h"
#include "core/program/tree.h"

namespace twosphere::custom {

/// The memory of a Machine that computes W tuples of a stage from `first`, of which `valid` count.
template <class T, int W>
struct Lanes {
  const Stage& stage;
  const Array* layout;  ///< of the arrays
  T* const* arrays;
  T* const* bars;
  double t = 0;
  T* sums = nullptr;  ///< of Stage::held_sums, 3 group_size numbers of each, which begin at 0
  std::size_t first = 0;

  double number(const Instruction& in, int which) const { return which == 0 ? in.k : in.k2; }
  double scale(std::size_t output) const { return stage.outputs[output].scale; }

  void table(int which, T* d) const {
    const double* from = stage.tables[at(which)].data() + first;
    for (int l = 0; l < W; ++l) d[l] = T(from[l]);
  }
  void time(T* d) const {
    for (int l = 0; l < W; ++l) d[l] = T(t);
  }

  void read(Elements which, int array, int column, int width, T* d) const {
    const int* element = stage.columns[at(column)].data() + first;
    const T* from = (which == Elements::values ? arrays : bars)[array];
    const Array& of = layout[array];
    for (int m = 0; m < width; ++m, from += of.component_step)
      for (int l = 0; l < W; ++l) d[l + m * W] = from[element[l] * of.element_step];
  }

  void add(Elements which, int array, int column, int width, const T* d, int from) const {
    const int* element = stage.columns[at(column)].data() + first;
    T* to = (which == Elements::values ? arrays : bars)[array];
    const Array& of = layout[array];
    const auto offset = [&of](int e, int m) { return e * of.element_step + m * of.component_step; };
    if constexpr (W == 1) {
      for (int m = 0; m < width; ++m) to[offset(element[0], m)] += d[m];
      return;
    } else {
      const int valid = static_cast<int>(stage.valid[(first + at(from)) / at(group_size)]);
      if (column == stage.held) {
        T* sum = sums + 3 * group_size * stage.held_sum(which, array);
        for (int m = 0; m < width; ++m)
          for (int l = 0; l < valid; ++l) sum[m * group_size + l] += d[from + l + m * W];
        return;
      }
      const Access access = stage.accesses[at(column)][(first + at(from)) / at(group_size)];
      if (access == Access::broadcast || access == Access::fixed) {
        for (int m = 0; m < width; ++m) {
          T x[group_size];
          for (int l = 0; l < group_size; ++l) x[l] = l < valid ? d[from + l + m * W] : T(0);
          to[offset(element[from], m)] += sum_of_eight(x);
        }
      } else {
        for (int m = 0; m < width; ++m)
          for (int l = from; l < from + valid; ++l) to[offset(element[l], m)] += d[l + m * W];
      }
    }
  }

  /// After the eight lanes from `from` have added to `which`: at the end of a run its sums go to
  /// their element.
  void end_group(Elements which, int from) const {
    if constexpr (W > 1) {
      if (stage.held < 0) return;
      const std::size_t group = (first + at(from)) / at(group_size);
      const std::vector<int>& held = stage.columns[at(stage.held)];
      const int element = held[first + at(from)];
      if (stage.valid[group] == 0) return;
      const std::size_t next = (group + 1) * at(group_size);
      if (next < at(stage.count) && held[next] == element) return;
      for (std::size_t s = 0; s < stage.held_sums.size(); ++s) {
        const Stage::HeldSum& held_sum = stage.held_sums[s];
        if (held_sum.which != which) continue;
        T* to = (which == Elements::values ? arrays : bars)[held_sum.array];
        const Array& of = layout[held_sum.array];
        T* sum = sums + s * at(3 * group_size);
        for (int m = 0; m < held_sum.width; ++m)
          to[element * of.element_step + m * of.component_step] +=
              sum_of_eight(sum + m * group_size);
        std::fill(sum, sum + 3 * group_size, T(0));
      }
    }
  }

 private:
  static T sum_of_eight(const T* x) {
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
  }
};

}  // namespace twosphere::custom
