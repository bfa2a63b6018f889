// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/color/color.h"

namespace twosphere {

/// Whether lanes have the program's colours or those of the 2009 paper's figures: variational
/// red, Runge-Kutta blue, with projection black (white on dark ground); compositions of rotations,
/// which are not in it, green.
enum class LaneColors { own, paper };

/// The colour of a body where bodies are told apart: Okabe and Ito's for up to eight, of more
/// from end to end of viridis as far as it stands out. They stand out as lanes' colours do.
Color body_color(std::size_t body, std::size_t bodies, Palette palette);

}  // namespace twosphere
