// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/custom/stage.h"
#include "core/custom/tree.h"

namespace twosphere::custom {

/// The memory of a Machine that computes W tuples of a stage from `first`, of which `valid` count.
template <class T, int W>
struct Lanes {
  const Stage& stage;
  T* const* arrays;
  T* const* bars;
  double t = 0;
  std::size_t first = 0;
  int valid = W;

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
    if (width == 1) {
      for (int l = 0; l < W; ++l) d[l] = from[element[l]];
      return;
    }
    for (int l = 0; l < W; ++l) {
      const T* vector = from + 3 * element[l];
      d[l] = vector[0];
      d[l + W] = vector[1];
      d[l + 2 * W] = vector[2];
    }
  }

  void add(Elements which, int array, int column, int width, const T* d, int from) const {
    const int* element = stage.columns[at(column)].data() + first;
    T* to = (which == Elements::values ? arrays : bars)[array];
    if constexpr (W == 1) {
      for (int m = 0; m < width; ++m) to[width * element[0] + m] += d[m];
    } else if (stage.accesses[at(column)][(first + at(from)) / at(group_size)] ==
               Access::broadcast) {
      for (int m = 0; m < width; ++m) {
        const T* x = d + from + m * W;
        to[width * element[from] + m] +=
            ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
      }
    } else {
      for (int l = from; l < valid && l < from + group_size; ++l)
        for (int m = 0; m < width; ++m) to[width * element[l] + m] += d[l + m * W];
    }
  }
};

}  // namespace twosphere::custom
