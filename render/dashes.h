// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/color/look.h"
#include "render/scene.h"

namespace twosphere::render {

/// The unit of the lengths of dashes, as a fraction of Scene::radius.
inline constexpr float dash_unit = 0.012f;

/// The lengths of the strokes of a dash and of the gaps after them, in turn, in units; empty:
/// solid.
std::span<const float> dash_pattern(Dash dash);

/// Cuts a curve into strokes by its length in space. The first begins at the last point, that of a
/// trail at its body. The ends of each gap have alpha −1, which marks what is not drawn; alpha is
/// interpolated along the chords. A curve is solid from its 20 000th cut on: that of a lane that
/// runs away may be as long as any number. `unit`: [m].
void cut_into_dashes(Polyline& line, Dash dash, float unit);

}  // namespace twosphere::render
