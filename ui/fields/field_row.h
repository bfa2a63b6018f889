// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/mechanics/parameter.h"
#include "ui/fields/number_field.h"
#include "ui/shell/panel.h"

/// Rows of number fields for the scenario in the left column.
namespace twosphere::ui {

/// A number of the scenario.
struct Entry {
  std::string path;    ///< in the scenario: "system.masses[0]"
  std::string name;    ///< of the widget: "parameter/masses[0]"
  std::string symbol;  ///< "m₁"
  const ParameterInfo* info = nullptr;
  double value = 0;     ///< current, or after the next rewind
  double running = 0;   ///< in the current run
  double original = 0;  ///< as loaded
  double min = -std::numeric_limits<double>::infinity(),
         max = std::numeric_limits<double>::infinity();  ///< limits beyond the domain
  double multiple = 0;  ///< the value is an integer multiple of this; 0: any number
  double rounding = 0;  ///< values up to this magnitude are shown as 0
  bool swept = true;    ///< its menu has "Sweep this…"
};
/// Called with the value that the user entered.
using Setter = std::function<void(const Entry&, double)>;

/// Logical pixels at scale 1.
inline constexpr float field_number_width = 26, field_reset_width = 20;
/// The width of the name in a row of width `all` [px].
float field_label_width(const Panel& panel, float all);
/// "Mass m₁", "Relative tolerance": the name of a parameter with its symbol, if it has one.
std::string field_name(const ParameterInfo& info, std::string_view symbol);

/// Says to a screen reader what the number field is that was registered last.
void say_number(const Panel& panel, const NumberField& field, std::string name);
/// One field, with its tooltip.
void entry_field(const Panel& panel, NumberFields& fields, const Entry& entry, float width,
                 const Setter& set);
/// A row with name, unit, one or several fields, and a button that restores the loaded values if
/// they differ. The name of several fields is placed above them. A mark shows that the values take
/// effect on the next rewind. Not `named`: the row above has the name.
void entry_row(const Panel& panel, NumberFields& fields, const std::vector<Entry>& entries,
               const std::string& symbol, const Setter& set, bool named = true);

/// A row for a choice, or for the form of a parameter, with the same button and mark. The value of
/// the entry is an index of the choices.
void choice_row(const Panel& panel, const Entry& entry, const Setter& set);
/// A row with name, unit, the fixed `text`, and optionally a field.
void text_row(const Panel& panel, NumberFields& fields, const ParameterInfo& info,
              const std::string& text, const std::string& name, const Entry* entry = nullptr);
/// A row for an optional number: a field with a button that removes the number, or the word for no
/// value, which a click replaces by `first`.
void optional_row(const Panel& panel, NumberFields& fields, const Entry& entry, bool given,
                  double first);

/// A column of a table: its heading and its unit.
struct EntryColumn {
  std::string name;
  const ParameterInfo* info = nullptr;
  std::string symbol{};  ///< the heading where a word of the name has no room
};
/// A table with one row per body; `row(i)` returns the entries of the i-th. Only visible rows are
/// created; a long table scrolls. If the columns are the components of one parameter, its name is
/// placed above all of them.
void entry_table(const Panel& panel, NumberFields& fields, const char* name,
                 std::span<const EntryColumn> columns, int rows,
                 const std::function<std::vector<Entry>(int)>& row, const Setter& set);

/// A list of which only the visible rows are created, or all for a screen reader; a long one
/// scrolls.
void scrolling_rows(const Panel& panel, const char* name, int rows,
                    const std::function<void(int)>& row);

/// Sends the number as a setting at the path of the entry.
Setter to_path(const Panel& panel);
/// Sends the name of the choice with this index.
Setter to_choice(const Panel& panel);
/// The tooltip of the rewind mark.
std::string rewind_note();

/// The tooltip of a number field. `limited`: numbers outside the range cannot be typed. `whole`:
/// the value is a count.
std::string explain(const ParameterInfo& info, const std::string& symbol, bool limited = false,
                    bool whole = false);
/// Draws the message of a field: why a number was rejected, or where dragging stops.
void field_note(const Panel& panel, const NumberFields& fields);

}  // namespace twosphere::ui
