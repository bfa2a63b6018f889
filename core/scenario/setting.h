// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace twosphere {

/// The path of a setting in a scenario: "system.masses[0]" is two keys and an index. It is parsed
/// once, on construction. Each path has exactly one spelling: an index has no sign and no leading
/// zeros. An invalid text keeps its error, and nothing can be set with it.
class SettingPath {
 public:
  struct Part {
    std::string key;        ///< empty: an index
    std::size_t index = 0;  ///< counted from 0
    std::size_t end = 0;    ///< of this part in the text

    bool is_index() const { return key.empty(); }
  };
  static constexpr std::size_t max_parts = json::max_depth;

  SettingPath() : SettingPath(std::string()) {}
  SettingPath(std::string text);
  SettingPath(std::string_view text) : SettingPath(std::string(text)) {}
  SettingPath(const char* text) : SettingPath(std::string(text)) {}

  const std::string& text() const { return text_; }
  /// Success if the text is a path; otherwise an error with the text and the form of a path.
  bool valid() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }

  /// The parts; none if the path is not valid.
  std::size_t size() const { return parts_.size(); }
  const Part& operator[](std::size_t i) const { return parts_[i]; }
  /// The key in part i; empty if that part is an index or does not exist.
  std::string_view key(std::size_t i = 0) const;
  /// The index in part i, if it is one.
  std::optional<std::size_t> index(std::size_t i) const;
  /// The lane index of "lanes[i]…".
  std::optional<std::size_t> lane() const { return key() == "lanes" ? index(1) : std::nullopt; }

  /// The text of the first `parts` parts.
  std::string_view first(std::size_t parts) const;
  /// The text from part i on, which is a key.
  std::string_view from(std::size_t i) const;
  /// This path with its first parts replaced.
  SettingPath with_first(std::size_t parts, std::string_view other) const;
  /// Whether this path equals `outer` or lies inside it. False if a path is not valid.
  bool within(const SettingPath& outer) const;

  friend bool operator==(const SettingPath& a, const SettingPath& b) { return a.text_ == b.text_; }
  template <class Text>
  requires std::convertible_to<const Text&, std::string_view> &&
      (!std::same_as<Text, SettingPath>)friend bool
      operator==(const SettingPath& path, const Text& text) {
    return path.text_ == std::string_view(text);
  }

 private:
  /// Parses the text; returns an error message, or empty.
  std::string parse();

  std::string text_, problem_;
  std::vector<Part> parts_;
};

/// A new value for a path of a scenario.
struct Setting {
  SettingPath path;  ///< "system.masses[0]", "integrator.type", "initial.omega[1][2]", "duration"
  json::Node value;
};

/// The top-level key of the address of the JSON Schema, which editors read.
inline constexpr std::string_view schema_key = "$schema";
/// The top-level key of a saved state whose run goes backwards in time.
inline constexpr std::string_view reversed_key = "reversed";
/// The program that wrote a saved state. Readers ignore it.
inline constexpr std::string_view program_key = "program";
/// The top-level key of the active pulls of a saved state.
inline constexpr std::string_view pulls_key = "pulls";

/// Sets the value at a path of a document. Every part except the last must exist; a list entry must
/// exist, too. The rest of a path can be one key: "system.gravity" is that of a setting of an
/// event. Errors give the path as location.
Result<void> assign(json::Node& root, const SettingPath& path, json::Node value);

// For scenario documents:

/// The one path of a setting that can be given by several. A single lane is stored at "integrator",
/// or at "lanes[0]" if it has its own name; both paths are accepted for it. With several lanes
/// "integrator" refers to none. The value of a parameter of a definition is "system.NAME", wherever
/// under "system.parameters" the document stores it.
SettingPath canonical(const SettingPath& path, const json::Node& root);
/// The value that assign_setting() sets at this path; null if the document has none there.
const json::Node* find_setting(const json::Node& root, const SettingPath& path);
/// Sets one value. Changing the type of a lane removes the keys that the new method lacks.
Result<void> assign_setting(json::Node& root, const SettingPath& path, const json::Node& value);
/// Whether a path is of what a start is generated from: its generator, or a key of its vortices.
bool is_of_generator(const SettingPath& path);
/// Why the value at a path cannot change during a run; empty if it can.
std::string why_not_live(const json::Node& root, const SettingPath& path);

}  // namespace twosphere
