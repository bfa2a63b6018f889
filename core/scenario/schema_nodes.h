// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

/// The parts of a JSON Schema from which that of scenario files is put together.
namespace twosphere {

using SchemaTexts = std::vector<std::string_view>;

/// {key: value}
json::Node schema_object(std::string key, json::Node value);
/// {"type": type}
json::Node schema_of_type(std::string_view type);
/// Allows another type, too. The keywords for one type say nothing of values of another.
void allow_type(json::Node& node, std::string_view type);
/// A reference to a definition of the schema.
json::Node schema_reference(std::string_view name);
/// `max_items` = 0: no limit.
json::Node schema_list(json::Node item, std::size_t min_items = 0, std::size_t max_items = 0);
/// A number; a text stands for an expression, unless it must be `plain`.
json::Node schema_number(std::string_view type, bool plain);
/// A text of so many characters, or more.
json::Node schema_text(std::int64_t min_length);
/// An object with a value for each name that may head a column.
json::Node schema_named(json::Node value);
/// A condition: these keys are given.
json::Node schema_requires(const SchemaTexts& keys);
/// A condition: one or more of these keys are given.
json::Node schema_requires_one(const SchemaTexts& keys);
/// Refuses these keys. An error has the path of the key.
json::Node schema_refuses(const SchemaTexts& keys);
/// What holds under a condition.
json::Node schema_case(json::Node condition, json::Node then);
/// The schema of an object whose "type" is this.
json::Node schema_case_of_type(std::string_view type, json::Node then);
/// An object whose other keys depend on its "type", one of these.
void choose_by_type(json::Node& node, const SchemaTexts& types, json::Node cases);

}  // namespace twosphere
