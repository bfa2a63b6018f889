// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/scenario/scenario.h"

namespace twosphere {

/// The scenario that a page of a run holds: the file that was read from `path`, byte for byte, or
/// the text of the preset with this key, if its record is what ran; else the record. `path` may be
/// empty, "-" or itself a page.
std::string scenario_of_page(const std::string& path, std::string_view preset,
                             const Scenario& record);
/// The name under which a reader of that page saves it.
std::string scenario_name_of_page(const std::string& path, const Scenario& record);

}  // namespace twosphere
