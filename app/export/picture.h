// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include "core/worker/snapshot.h"
#include "render/offscreen.h"

namespace twosphere {

/// The image as a PNG file; empty if there is not enough memory.
QByteArray png(const render::Image& image, bool transparent);

}  // namespace twosphere
