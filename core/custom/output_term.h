// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include "core/custom/constants.h"

namespace twosphere::custom {

/// A value that an entry of a program adds to one of its outputs, for all tuples of `over`.
struct OutputTerm {
  Ref value;
  std::shared_ptr<const Range> over;  ///< null: once
  /// The number of the output, with the variables of `over` set.
  std::function<int(Constants&, Indices&)> output;
};

}  // namespace twosphere::custom
