// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include "core/run/worker.h"
#include "render/offscreen.h"

namespace twosphere {

/// What the scene builder looks at.
Snapshot snapshot(Simulation& simulation);
/// As a file; empty if there is no memory for it.
QByteArray png(const render::Image& image, bool transparent);

}  // namespace twosphere
