// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/custom/definition.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// The fields of a definition that are texts of one or more lines.
enum class DraftText {
  define,
  inertia,
  potential,
  strength,
  hamiltonian,
  damping,
  temperature,
  seed,
  frame_rotation,
  gyroscopic,
  lagrangian,
  force,
  torque,
  figure,
  plots,
  color
};
/// Their keys in "system", by DraftText.
inline constexpr std::array<std::string_view, 16> draft_keys{
    "define",      "inertia", "potential",      "strength",   "hamiltonian", "damping",
    "temperature", "seed",    "frame_rotation", "gyroscopic", "lagrangian",  "force",
    "torque",      "figure",  "plots",          "color"};
inline constexpr std::size_t draft_texts = draft_keys.size();

/// A definition of a system as it is typed, right or wrong.
struct SystemDraft {
  struct Parameter {
    std::string name, value, unit, range, help;

    bool operator==(const Parameter&) const = default;
  };

  int bodies = 1;
  bool first_order = false;
  std::vector<Parameter> parameters;
  /// By DraftText. Those from inertia to lagrangian are one text each; the others have an entry
  /// in every line: "x[i] = l*q[i]", and "height: -e3.x[0]" for plots and the colour.
  std::array<std::string, draft_texts> texts;
  bool strict_units = false;

  const std::string& text(DraftText field) const { return texts[static_cast<std::size_t>(field)]; }
  std::string& text(DraftText field) { return texts[static_cast<std::size_t>(field)]; }
  bool operator==(const SystemDraft&) const = default;
};

/// Whether a draft of this order has the field; what stands in the others is kept and not read.
bool has_field(bool first_order, DraftText field);

/// The columns of the table of parameters.
enum class ParameterColumn { name, value, unit, range, help };

/// A mistake in a draft, and its place.
struct DraftProblem {
  std::optional<DraftText> text{};  ///< the field; none: a parameter, or the system as a whole
  int line = 0;                     ///< in that field, from 0
  int column = -1;                  ///< character in that line, from 0; −1: the whole line
  int parameter = -1;               ///< row of the table; −1: none
  ParameterColumn parameter_column = ParameterColumn::value;
  std::string message;
  bool warning = false;
  std::string unknown{};  ///< a name that is not known, which a parameter may have; else empty
};

/// A draft that has been checked.
struct CheckedDraft {
  /// The scenario with the draft as its system; none if the draft is wrong.
  std::optional<Scenario> scenario;
  /// The first error, or the warnings.
  std::vector<DraftProblem> problems;
  double potential = 0, kinetic = 0;  ///< at the state in question [J]
};

SystemDraft draft_of(const Definition& definition);

/// A draft with its title as a text, and back. Fails if the text is none.
struct TitledDraft {
  std::string title;
  SystemDraft draft;
  /// A scenario that has the start which was typed; empty: none was.
  std::string start{};
};
std::string write_draft(const TitledDraft& titled);
Result<TitledDraft> read_draft(std::string_view text, std::string_view source);
/// The names, the texts of the mechanics and no values: for equations, and for names to complete.
Definition unchecked_definition(const SystemDraft& draft);

/// Checks a draft as the system of a scenario, as if it had been read from a file. The start of
/// `base` is kept for as many bodies as there are; those beyond it begin at rest, spread over the
/// sphere. Of another order than `base` it has one lane, of a method for this order. Energies are
/// those at `state` if it has as many bodies, else at the start. Takes up to seconds for systems of
/// many bodies.
CheckedDraft check_draft(const SystemDraft& draft, const Scenario& base, const State* state);

}  // namespace twosphere
