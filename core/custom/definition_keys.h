// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/custom/definition.h"

namespace twosphere {

/// The keys of "system" of a definition.
inline constexpr std::array<std::string_view, 21> definition_keys{
    "type",           "bodies",     "dynamics",    "parameters", "define",      "inertia",
    "potential",      "strength",   "hamiltonian", "damping",    "temperature", "seed",
    "frame_rotation", "gyroscopic", "lagrangian",  "force",      "torque",      "figure",
    "plots",          "color",      "units"};
/// Those that came after parameters of these names. In a definition that declares such a parameter,
/// the name means the parameter, and the key cannot be used.
inline constexpr std::array<std::string_view, 9> later_definition_keys{
    "dynamics", "strength",       "hamiltonian", "damping",   "temperature",
    "seed",     "frame_rotation", "gyroscopic",  "lagrangian"};
/// The keys of one kind of texts, and where a definition has them.
template <class Texts, std::size_t Count>
using TextKeys = std::array<std::pair<std::string_view, Texts Definition::*>, Count>;
inline constexpr TextKeys<std::string, 9> single_texts{{
    {"inertia", &Definition::inertia},
    {"potential", &Definition::potential},
    {"strength", &Definition::strength},
    {"hamiltonian", &Definition::hamiltonian},
    {"damping", &Definition::damping},
    {"temperature", &Definition::temperature},
    {"frame_rotation", &Definition::frame_rotation},
    {"gyroscopic", &Definition::gyroscopic},
    {"lagrangian", &Definition::lagrangian},
}};
inline constexpr TextKeys<std::vector<std::string>, 4> text_lists{{
    {"define", &Definition::define},
    {"force", &Definition::force},
    {"torque", &Definition::torque},
    {"figure", &Definition::figure},
}};
/// Names and expressions.
inline constexpr TextKeys<std::vector<std::pair<std::string, std::string>>, 2> named_expressions{{
    {"plots", &Definition::plots},
    {"color", &Definition::color},
}};
/// Whether this key of "system" names expressions: "plots" and "color".
constexpr bool names_expressions(std::string_view key) { return key == "plots" || key == "color"; }
/// Whether "system" of a definition has this key. All others are names of parameters in paths of
/// settings: "system.k" is the value of the parameter k.
bool is_definition_key(std::string_view key);
/// Whether it is a key of "system" that a parameter may have as its name, too.
bool is_later_definition_key(std::string_view key);
/// Whether a text, or a list of texts, stands at this key.
bool is_definition_text(std::string_view key);
/// Whether the text at this key of "system" may be replaced while a run continues.
bool is_live_text(std::string_view key);

/// Whether the texts of one can be replaced by those of the other one by one: the order of the
/// equations is the same, both or neither are one Lagrangian, and no name is a key in one and a
/// parameter in the other.
bool same_meanings(const Definition& a, const Definition& b);
/// Whether both are the same but for values of parameters: of equal forms and, for lists, lengths.
bool same_but_values(const Definition& a, const Definition& b);
/// The definition with the values of the parameters that `values` has.
Definition with_values(Definition definition, const Values& values);
/// The number of characters of all its texts.
std::size_t characters(const Definition& definition);
/// The value of a parameter in a definition; `key` must be the name of one.
const std::vector<double>& value_of(const Definition& definition, std::string_view key);
/// A warning for every parameter with a value outside its range, which a slider cannot have: of the
/// first such value that is not the same in `before`, too.
std::vector<TextError> outside_ranges(const Definition& definition, const Values& before);

}  // namespace twosphere
