// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The one table of the keys of scenario files. The lists of allowed keys of the readers, the JSON
/// Schema and the tables of the documents are made from it. Parameters of systems and methods are
/// not in it: those are in the catalogue.
namespace twosphere {

/// The kind of value at a key.
enum class KeyKind {
  number,       ///< a number, or an expression of one
  whole,        ///< a whole number, or an expression of one
  flag,         ///< true or false
  only_true,    ///< true, or the key is omitted
  text,         ///< a text; `low` and `high` are its lengths
  name,         ///< a text that may head a column
  choice,       ///< one of `choices`
  vector,       ///< [x, y, z]
  vectors,      ///< one such for each body
  pair,         ///< [a, b]
  pairs,        ///< one such for each body
  wholes,       ///< a list of whole numbers
  texts,        ///< a list of texts
  lines,        ///< a text or a list of texts
  named_texts,  ///< an object with a text for each name, of which there are `low` or more
  object,       ///< an object with the keys of `object`
  objects,      ///< a list of such, from `low` to `high` of them
  scenarios,    ///< a list of scenarios
  special,      ///< several forms, or what the catalogue says: see schema.cpp
};

struct KeyInfo {
  std::string_view key;
  KeyKind kind = KeyKind::special;
  std::string_view help;  ///< for tables of documents, in Markdown
  std::string_view unit{};
  bool required = false;
  bool plain = false;  ///< the numbers are as the program writes them, without expressions
  std::optional<double> low{}, high{};  ///< the least and the greatest value
  bool positive = false;                ///< greater than 0
  std::vector<std::string_view> choices{};
  std::string_view object{};                 ///< the name of the object, or of those in the list
  std::vector<std::string_view> excludes{};  ///< keys that are refused beside this one
};

/// An object of a scenario file.
struct ObjectInfo {
  std::string_view name;
  std::vector<KeyInfo> keys;  ///< in the order in which messages name them
  /// Of each of these lists, one key or more must be given.
  std::vector<std::vector<std::string_view>> one_of{};
};

/// All objects. Some are parts of others: "lane_state" has the keys of a saved state that stand
/// beside the settings of a lane or, if there is only one lane, at the top level; "run_state" has
/// further ones of the top level; "lane" and "added_lane" have keys beside those of "integrator";
/// "later_lane_state" belongs to the saved state of every lane but the first.
const std::vector<ObjectInfo>& file_objects();
/// Those of events, of a pull and of a branch.
std::vector<ObjectInfo> event_objects();
/// Those of "view", how the window shows a run: the last of file_objects().
std::vector<ObjectInfo> view_objects();
/// The object of this name, which must be one of them.
const ObjectInfo& file_object(std::string_view name);
/// The keys of an object, for Value::object().
const std::vector<std::string>& key_names(std::string_view object);
/// Those of "generator" of a start, each with the name of its "type".
std::vector<ObjectInfo> generator_objects();
/// These names.
const std::vector<std::string_view>& generator_names();
/// The keys of several objects, one after the other.
std::vector<std::string> key_names_of(std::initializer_list<std::string_view> objects);

}  // namespace twosphere
