// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/custom/constants.h"
#include "core/custom/output_term.h"
#include "core/custom/program.h"

namespace twosphere::custom {

/// Translates expressions into a program whose outputs are numbers or vectors (`width` 1 or 3).
/// What depends on parameters alone is evaluated now. A program of few operations is written out
/// without loops; in others each sum is a stage. Throws TextException where an index is out
/// of its range or the limits are exceeded.
Program build(Constants& constants, std::span<const OutputTerm> terms, int outputs, int width);

}  // namespace twosphere::custom
