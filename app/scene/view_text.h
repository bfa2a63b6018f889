// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "render/camera.h"

namespace twosphere {

/// A view as one line of JSON, to be copied: {"camera": {"target": [x, y, z], "azimuth": a,
/// "elevation": e, "distance": d}}, lengths in metres, angles in degrees.
std::string view_text(const render::Camera::View& view);
/// Parses such a text. Fails with the location if it is not valid.
Result<render::Camera::View> read_view(std::string_view text);

}  // namespace twosphere
