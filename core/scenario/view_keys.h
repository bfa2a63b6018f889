// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/scenario/keys.h"

namespace twosphere {

/// The objects of "view", how the window shows a run: the last of file_objects().
std::vector<ObjectInfo> view_objects();

}  // namespace twosphere
