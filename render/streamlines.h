// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glm/vec3.hpp>

#include "core/color/palette.h"
#include "core/mechanics/fluid.h"
#include "render/scene.h"
#include "render/scene_scales.h"
#include "render/scene_style.h"

/// The flow of a fluid on the unit sphere.
namespace twosphere::render {

/// Within this angle of a body ψ grows no further [rad]: a little more than the edges of the
/// coarser mesh.
inline constexpr double stream_core = 0.1;
inline constexpr int max_stream_levels = 40;  ///< of ψ, on each side of 0
/// Subdivisions of the icosphere; one more in fine pictures and pages of few bodies, whose ψ costs
/// little there.
inline constexpr int stream_mesh = 4, few_stream_bodies = 50;
inline constexpr float stream_width = 1.5f, stream_opacity = 0.75f, stream_far_side = 0.4f;
/// Of ψ [m²/s], between two lines; 0: there are none.
double stream_spacing(const Fluid& fluid);
/// The colour of a line by the sign of its level.
glm::vec3 stream_color(double level, Palette palette);

/// Adds the lines of equal ψ of a fluid that carries the bodies, at equal distances of ψ, in the
/// colours of its sign: Fluid::stream_function(), on an icosphere of 2562 vertices, in fine
/// pictures of at most 50 bodies of 10242. The distance is the same in all pictures of a run. While
/// a run continues, those of the reference are found at most 30 times a second. Cost: up to some
/// milliseconds for 200 vortices.
void add_streamlines(const FullLane& of, const SceneStyle& style, SceneMemory& memory,
                     Scene& scene);

}  // namespace twosphere::render
