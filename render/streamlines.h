// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "render/scene.h"
#include "render/scene_scales.h"
#include "render/scene_style.h"

/// The flow of a fluid on the unit sphere.
namespace twosphere::render {

/// Adds the lines of equal ψ of a fluid that carries the bodies, at equal distances of ψ, in the
/// colours of its sign: System::stream_function(), on an icosphere of 2562 vertices, in fine
/// pictures of at most 50 bodies of 10242. The distance is the same in all pictures of a run. While
/// a run goes on, those of the reference are found at most 30 times a second. Cost: up to some
/// milliseconds for 200 vortices.
void add_streamlines(const FullLane& of, const SceneStyle& style, SceneMemory& memory,
                     Scene& scene);

}  // namespace twosphere::render
