// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/color/color.h"

namespace twosphere {

/// Whether lanes have the colours of this program or those of the figures in the 2009 paper:
/// variational red, Runge-Kutta blue, with projection black (white on a dark background).
/// Compositions of rotations, which the paper does not contain, are green.
enum class LaneColors { own, paper };

/// The colour of a body where each body has its own: up to eight bodies take the colours of Okabe
/// and Ito, more take the range of viridis that has enough contrast. The contrast is that of Look.
Color body_color(std::size_t body, std::size_t bodies, Palette palette);

/// The colours of runs that share a start, which are none of bodies or lanes; the contrast is that
/// of Look.
inline constexpr int branch_color_count = 8;
Color branch_color(int index, Palette palette);

}  // namespace twosphere
