// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/mechanics/parameter.h"
#include "ui/shell/palette.h"

namespace twosphere::ui {

/// One number to edit.
struct NumberField {
  std::string path;  ///< identifies it
  double value = 0;  ///< as the run has it
  const ParameterInfo* info = nullptr;
  float width = 0;
  std::string symbol;  ///< for messages
  double least = -std::numeric_limits<double>::infinity(),
         most = std::numeric_limits<double>::infinity();  ///< limits beyond the domain
  double multiple = 0;    ///< the value is a whole multiple of this; 0: any number
  double rounding = 0;    ///< what is not above this is shown as 0; the value stays what it is
  bool upcoming = false;  ///< the run does not have the value yet: shown in another tone
};

/// Fields that are dragged to change a number and clicked to type one. They hold what is being
/// edited, and show a value sent off until the run has taken it over, so that nothing flickers
/// back. What is typed and not allowed is never changed silently: the field says why, and keeps it.
class NumberFields {
 public:
  /// The message beside a field: why a number was rejected, or where dragging stops.
  struct Note {
    std::string path, text;
    bool error = true;
    double until = 0;     // [s]
    float x = 0, y = 0;   // lower left corner of the field
    bool placed = false;  // it was drawn in this frame
  };

  /// Once a frame, before the fields. `errors` counts the rejected commands. While the run goes on
  /// (`running`) every value sent is an event of its record: a drag then sends one at most every
  /// `drag_interval`, and the last when it is released.
  void begin(double now, std::uint64_t errors, bool running);
  static constexpr double drag_interval = 0.25;  ///< [s]
  /// Opens the first field, or with Shift the last, where Tab is pressed and nothing is edited.
  void tab_in();
  /// Draws the field at the cursor; the value to send, when the user changed it.
  std::optional<double> draw(const NumberField& field, const Colors& colors, float scale);
  /// Shows a value set by another widget until the run has taken it over.
  void expect(const std::string& path, double value);
  /// Takes back what was just typed or dragged, and says why.
  void refuse(const std::string& path, std::string why);

  /// The note to show in this frame.
  const Note* note() const { return note_ && note_->placed ? &*note_ : nullptr; }
  /// A value is being dragged or typed.
  bool editing() const { return !typing_.empty() || !dragging_.empty(); }
  bool dragging() const { return !dragging_.empty(); }
  bool waiting() const { return !pending_.empty() || note_; }

 private:
  struct Pending {
    double value;
    double sent;  // [s]
    std::uint64_t errors;
  };
  std::optional<double> type(const NumberField& field, double shown, const Colors& colors,
                             float scale);
  std::optional<double> drag(const NumberField& field, double shown, const Colors& colors,
                             float scale);
  void say(const std::string& path, std::string text, bool error);

  double now_ = 0;
  std::uint64_t errors_ = 0;
  bool running_ = false;
  std::map<std::string, Pending> pending_;
  std::string dragging_, typing_;
  double drag_start_ = 0;
  bool moved_ = false;
  bool unsent_ = false;            // the value shown of what is dragged has not been sent
  std::optional<double> sent_at_;  // when the present drag sent a value last [s]
  double sent_ = 0;                // and which
  bool focus_ = false;
  char text_[64] = {};
  std::vector<std::string> order_, previous_order_;
  std::optional<Note> note_;
};

/// The value while a field is dragged by `pixels` from `start`: linear or by factors, clamped to
/// the parameter's range and rounded to few digits.
double dragged(const NumberField& field, double start, double pixels);

/// A number as it was typed, or why it is not allowed.
struct Typed {
  std::optional<double> value;
  std::string complaint;  ///< names what was given and what is allowed
};
/// Reads a number, with '.' or ',' as decimal mark.
Typed typed(const NumberField& field, const char* text);

}  // namespace twosphere::ui
