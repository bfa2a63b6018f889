// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
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

/// Where a setting stands in a scenario: "system.masses[0]" is two keys and an index. It is parsed
/// where it is made, once; whoever inspects it looks at its parts. Each path has one spelling: an
/// index has no sign and no leading zero. A text that is no path keeps what is wrong with it, and
/// nothing can be set there.
class SettingPath {
 public:
  struct Part {
    std::string key;        ///< empty: an index
    std::size_t index = 0;  ///< counted from 0
    std::size_t end = 0;    ///< of this part in the text

    bool is_index() const { return key.empty(); }
  };
  static constexpr std::size_t most_parts = json::max_depth;

  SettingPath() : SettingPath(std::string()) {}
  SettingPath(std::string text);
  SettingPath(std::string_view text) : SettingPath(std::string(text)) {}
  SettingPath(const char* text) : SettingPath(std::string(text)) {}

  const std::string& text() const { return text_; }
  /// Whether the text is a path; if not, why: what was given and what a path looks like.
  bool valid() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }

  /// Of a path that is not valid there are none.
  std::size_t size() const { return parts_.size(); }
  const Part& operator[](std::size_t i) const { return parts_[i]; }
  /// The key that is part i; empty if that is an index or is not there.
  std::string_view key(std::size_t i = 0) const;
  /// The index that is part i, if it is one.
  std::optional<std::size_t> index(std::size_t i) const;
  /// The index of the lane that "lanes[i]…" means.
  std::optional<std::size_t> lane() const { return key() == "lanes" ? index(1) : std::nullopt; }

  /// The text of the first parts.
  std::string_view first(std::size_t parts) const;
  /// This path with its first parts replaced.
  SettingPath with_first(std::size_t parts, std::string_view other) const;
  /// Whether it is the other or a part of what stands there. Never of a path that is not valid.
  bool within(const SettingPath& outer) const;

  friend bool operator==(const SettingPath& a, const SettingPath& b) { return a.text_ == b.text_; }
  template <class Text>
  requires std::convertible_to<const Text&, std::string_view> &&
      (!std::same_as<Text, SettingPath>)friend bool
      operator==(const SettingPath& path, const Text& text) {
    return path.text_ == std::string_view(text);
  }

 private:
  /// Reads the parts; why it cannot, if so.
  std::string parse();

  std::string text_, problem_;
  std::vector<Part> parts_;
};

/// A value for one place of a scenario.
struct Setting {
  SettingPath path;  ///< "system.masses[0]", "integrator.type", "initial.omega[1][2]", "duration"
  json::Node value;
};

/// The keys of a saved state: beside the settings of a lane, or beside everything where there is
/// one lane.
inline constexpr std::array<std::string_view, 5> lane_state_keys{
    "time_origin", "step_index", "energy_reference", "work", "integrator_state"};
/// The key of a saved state, beside everything, which says that its run goes backwards in time.
inline constexpr std::string_view reversed_key = "reversed";
/// The key of the pulls in force there.
inline constexpr std::string_view pulls_key = "pulls";

/// Sets the value at a path of a document; every part but the last must exist, and an entry of a
/// list too. The error's place is the path.
Result<void> assign(json::Node& root, const SettingPath& path, json::Node value);

// Of the document of a scenario:

/// The one lane of a document is at "integrator", or at "lanes[0]" if it has a name of its own.
/// Both paths mean it. With several "integrator" means none of them.
SettingPath canonical(const SettingPath& path, const json::Node& root);
/// Sets one value. A change of a lane's type drops the keys that the new method lacks.
Result<void> assign_setting(json::Node& root, const SettingPath& path, const json::Node& value);
/// Whether the value at a path may change while running; else why not.
std::string why_not_live(const json::Node& root, const SettingPath& path);

}  // namespace twosphere
