// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/mechanics/parameter.h"
#include "ui/fields/number_field.h"
#include "ui/shell/panel.h"

/// Rows of fields for numbers of the scenario, as the sections of the left column show them.
namespace twosphere::ui {

/// A number of the scenario.
struct Entry {
  std::string path;    ///< in the scenario: "system.masses[0]"
  std::string name;    ///< of the widget: "parameter/masses[0]"
  std::string symbol;  ///< "m₁"
  const ParameterInfo* info = nullptr;
  double value = 0;     ///< as it is now, or will be after the next rewind
  double running = 0;   ///< as the run has it
  double original = 0;  ///< as loaded
  double least = -std::numeric_limits<double>::infinity(),
         most = std::numeric_limits<double>::infinity();  ///< limits beyond the domain
  double multiple = 0;  ///< the value is a whole multiple of this; 0: any number
  double rounding = 0;  ///< what is not above this is shown as 0
};
/// Takes what the user set an entry to.
using Setter = std::function<void(const Entry&, double)>;

/// Logical pixels at scale 1.
inline constexpr float field_number_width = 26, field_reset_width = 20;
/// What the name takes of a row that is `all` wide [px].
float field_label_width(const Panel& panel, float all);
/// Whether a name has no room there, so that it stands in a line over its field.
bool name_above(const Panel& panel, const ParameterInfo& info, const std::string& name, float all);
/// "Mass m₁", "Relative tolerance": the name of a parameter with its letter, if it has one.
std::string field_name(const ParameterInfo& info, std::string_view symbol);

/// One field, with its tooltip.
void entry_field(const Panel& panel, NumberFields& fields, const Entry& entry, float width,
                 const Setter& set);
/// Name, unit, one or a few fields, and a button that brings back what was loaded where that
/// differs. The name of a few fields stands in a line over them. A row whose values wait for the
/// next rewind says so by a mark.
void entry_row(const Panel& panel, NumberFields& fields, const std::vector<Entry>& entries,
               const std::string& symbol, const Setter& set);

/// Name and the names that a choice, or what has forms, has, with the same button and mark. An
/// entry's values are indices of the names.
void choice_row(const Panel& panel, const Entry& entry, const Setter& set);
/// Name, unit and `text` before the field, if the row has one: what is fixed stands as text.
void text_row(const Panel& panel, NumberFields& fields, const ParameterInfo& info,
              const std::string& text, const std::string& name, const Entry* entry = nullptr);
/// A number that need not be there: a field with a button that brings the word for none, or that
/// word alone, which a click turns into `first`.
void optional_row(const Panel& panel, NumberFields& fields, const Entry& entry, bool given,
                  double first);

/// A column of a table: what stands over it, and the unit below that.
struct EntryColumn {
  std::string name;
  const ParameterInfo* info = nullptr;
};
/// Bodies as rows, `row(i)` the entries of the i-th. Only what is in view is made; a long table
/// scrolls by itself. Of columns of one parameter, its components, the parameter's name stands over
/// all of them.
void entry_table(const Panel& panel, NumberFields& fields, const char* name,
                 std::span<const EntryColumn> columns, int rows,
                 const std::function<std::vector<Entry>(int)>& row, const Setter& set);

/// `rows` times one row, of which only those in view are made; a long list scrolls by itself.
void scrolling_rows(const char* name, int rows, const std::function<void(int)>& row);
/// What scrolling takes of the width.
float scroll_width(int rows);

/// Sends a number to the entry's path.
Setter to_path(const Panel& panel);
/// Sends the name of the choice with that index.
Setter to_choice(const Panel& panel);
/// What a mark of a rewind says.
std::string rewind_note();

/// What a field for numbers says of itself.
/// `limited`: no number outside the range can be typed. `whole`: it counts something.
std::string explain(const ParameterInfo& info, const std::string& symbol, bool limited = false,
                    bool whole = false);
/// The message of a field: why a number was rejected, or where dragging stops.
void field_note(const Panel& panel, const NumberFields& fields);

}  // namespace twosphere::ui
