// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/custom/definition.h"
#include "core/scenario/document.h"
#include "core/scenario/setting.h"

/// Definitions of systems as in files: "system" of a scenario of the type "custom".
namespace twosphere {

/// The text that stands for a live one that a definition does not have.
json::Node without_text(std::string_view key);

/// "system" in full.
json::Node definition_document(const Definition& definition);
/// A parameter under "system.parameters": its value, or an object if more is known about it.
json::Node definition_parameter_document(const Definition::Parameter& parameter);

namespace document {

/// Whether "system" has a definition, and not only values of parameters.
bool is_full_definition(const Value& section);
/// Reads "system" for a start of `bodies` bodies. With `former` only "parameters" is read, of those
/// that are given; all else is taken from there. A value is a number or an expression in the
/// parameter's unit. Throws a Failure with the location; that of a value is system.NAME.
Definition read_definition(const Value& section, int bodies, const Definition* former = nullptr);

/// The value at a path relative to `at`, as far as the document contains it, and the rest of the
/// path.
std::pair<Value, std::string> descend(Value at, const SettingPath& path);
/// Fails at the location of an error within "system", and shows the text.
[[noreturn]] void fail_at(const Value& section, const TextError& error);
void warn_at(const Value& section, const TextError& warning);

}  // namespace document
}  // namespace twosphere
