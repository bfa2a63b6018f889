// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/parameter.h"
#include "ui/palette.h"

namespace twosphere::ui {

/// One number to edit.
struct NumberField {
  std::string path;  ///< identifies it
  double value = 0;  ///< as the run has it
  const ParameterInfo* info = nullptr;
  float width = 0;
};

/// Fields that are dragged to change a number and clicked to type one. They hold what is being
/// edited, and show a value sent off until the run has taken it over, so that nothing flickers
/// back.
class NumberFields {
 public:
  /// Once a frame, before the fields. `errors` counts the commands that were refused.
  void begin(double now, std::uint64_t errors);
  /// Draws the field at the cursor; the value to send, when the user changed it.
  std::optional<double> draw(const NumberField& field, const Colors& colors, float scale);
  /// Shows a value set by another widget until the run has taken it over.
  void expect(const std::string& path, double value);

  bool editing() const { return !typing_.empty() || !dragging_.empty(); }
  bool waiting() const { return !pending_.empty(); }

 private:
  struct Pending {
    double value;
    double sent;  // [s]
    std::uint64_t errors;
  };
  std::optional<double> type(const NumberField& field, double shown);
  std::optional<double> drag(const NumberField& field, double shown, const Colors& colors,
                             float scale);

  double now_ = 0;
  std::uint64_t errors_ = 0;
  std::map<std::string, Pending> pending_;
  std::string dragging_, typing_;
  double drag_start_ = 0;
  bool moved_ = false;
  bool focus_ = false;
  char text_[64] = {};
  std::vector<std::string> order_, previous_order_;
};

/// The value while a field is dragged by `pixels` from `start`: linear or by factors, clamped to
/// the parameter's range and rounded to few digits.
double dragged(const ParameterInfo& info, double start, double pixels);
/// A typed number, with '.' or ',' as decimal mark; nothing if it is none or not finite. Brought
/// into the parameter's domain.
std::optional<double> typed(const ParameterInfo& info, const char* text);

}  // namespace twosphere::ui
