// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/scenario/document.h"

namespace twosphere {

/// Why a text cannot be a cell of a table: it begins as a formula of spreadsheets; empty if it can.
std::string why_formula(std::string_view text);

/// Why a lane, a branch, a plot or a coordinate of a section cannot have this name, which stands in
/// the headers of tables; empty if it can.
std::string why_no_name(std::string_view name);

/// Fails if the name of a value is not possible.
void check_name(const document::Value& value, std::string_view name);

/// The name of an expression that has none: itself, in brackets if it begins as a formula.
std::string name_of_expression(const std::string& expression);

}  // namespace twosphere
