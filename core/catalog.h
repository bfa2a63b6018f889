// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/base/result.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/system.h"

/// The one list of systems, of integrators and of presets. Everything else iterates it.
namespace twosphere {

std::span<const SystemInfo> systems();
std::span<const IntegratorInfo> integrators();
/// Null if there is none of that key.
const SystemInfo* find_system(std::string_view key);
const IntegratorInfo* find_integrator(std::string_view key);
/// Whether a method has a tangent map for a system: see Integrator::tangent_map().
bool has_tangent_map(const IntegratorInfo& method, const System& system);
/// The first method of the list that has one; null if none has.
const IntegratorInfo* method_with_tangent_map(const System& system);

/// Records of a program that uses the core as a library: found by their keys from now on, though
/// not listed above. What they view must stay valid. An integrator without a look gets the
/// family_look() beside those of the list. Of several with one key the last is found;
/// runs that have begun keep theirs. Fails with the kind usage if a key of the lists above is
/// given, or one that is not made of letters, digits and _. May be called from any thread.
Result<void> add_system(SystemInfo info);
Result<void> add_integrator(IntegratorInfo info);
/// Whether a record is of the lists above, and was not added.
bool is_listed(const SystemInfo& info);
bool is_listed(const IntegratorInfo& info);

/// The step, which every integrator has.
const ParameterInfo& step_parameter();

/// A scenario that ships with the program: a file in resources/presets, and one of the same name in
/// resources/help.
struct Preset {
  std::string_view key;   ///< "double_spherical_pendulum"
  std::string_view text;  ///< the scenario file
  /// A page about it in plain Markdown, UTF-8: lines of headings ("# ", "## "), paragraphs, items
  /// ("- ") with continuations indented by two, equations indented by four. The first line is the
  /// title; then come the sections Equations, Units and values, What to look at, Published values
  /// except of the type custom, Exercises. In the last, lines "  [Halve the step](do:INSTRUCTION)"
  /// are buttons: see parse_instruction().
  std::string_view help;
};
std::span<const Preset> presets();
/// Systems of the type custom, as examples of how to write one: files in resources/presets/custom
/// and resources/help/custom, with keys such as "custom/double_pendulum".
std::span<const Preset> custom_presets();
/// One of either list.
const Preset* find_preset(std::string_view key);
/// The keys of both lists, in order.
std::vector<std::string> preset_keys();

}  // namespace twosphere
