// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/color/color.h"

namespace twosphere {

/// Whether lanes have the program's colours or those of the 2009 paper's figures: variational
/// red, Runge-Kutta blue, with projection black (white on dark ground); compositions of rotations,
/// which are not in it, green.
enum class LaneColors { own, paper };

/// The colour of a lane wherever it appears, fixed by its integrator. It stands out from the
/// palette's grounds by 3:1, with high contrast by 4.5:1. An unknown key gives the colour of text.
Color lane_color(std::string_view integrator, Palette palette, LaneColors colors = LaneColors::own);

/// The integrator whose looks a lane has, of lanes with these integrators: its own; for a second
/// lane of a kind the next one that no lane has, so that colour, dash and marker tell all apart.
std::string_view lane_look(std::span<const std::string_view> integrators, std::size_t lane);

/// The colour of a body where bodies are told apart: Okabe and Ito's for up to eight, of more
/// from end to end of viridis as far as it stands out. They stand out as lanes' colours do.
Color body_color(std::size_t body, std::size_t bodies, Palette palette);

}  // namespace twosphere
