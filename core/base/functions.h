// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

/// The functions of function_list.h of a double.
namespace twosphere::functions {

inline double sqrt(double x) { return std::sqrt(x); }
inline double abs(double x) { return x < 0 ? -x : x; }
inline double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
#define LIBRARY_own(name)
#define LIBRARY_library(name) \
  inline double name(double x) { return std::name(x); }
#define FUNCTION(name, reads, derivative, code) LIBRARY_##code(name)
#include "core/base/function_list.h"
#undef LIBRARY_own
#undef LIBRARY_library

}  // namespace twosphere::functions
