// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "python/bindings.h"
#include "render/offscreen.h"

namespace twosphere::python {

/// An image as an array, (height, width, 4), which takes it over. The GIL must be held.
py::array_t<std::uint8_t> pixels_of(render::Image image);

}  // namespace twosphere::python
