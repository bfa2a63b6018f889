// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include "core/run/worker.h"
#include "render/offscreen.h"

namespace twosphere {

/// The input of the scene builder.
Snapshot snapshot(Simulation& simulation);
/// The image as a PNG file; empty if there is not enough memory.
QByteArray png(const render::Image& image, bool transparent);

}  // namespace twosphere
