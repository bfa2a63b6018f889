// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/scenario/scenario.h"
#include "core/scenario/setting.h"

namespace twosphere {

/// The unit of a setting; empty if it has none.
std::string setting_unit(const Scenario& scenario, const SettingPath& path);

}  // namespace twosphere
