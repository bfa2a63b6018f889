// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/mechanics/parameter.h"
#include "ui/shell/interface_colors.h"

namespace twosphere::ui {

/// A number field.
struct NumberField {
  std::string path;  ///< identifies the field
  double value = 0;  ///< value in the run
  const ParameterInfo* info = nullptr;
  float width = 0;
  std::string symbol;  ///< for messages
  double min = -std::numeric_limits<double>::infinity(),
         max = std::numeric_limits<double>::infinity();  ///< limits beyond the domain
  double multiple = 0;    ///< the value is an integer multiple of this; 0: any number
  double rounding = 0;    ///< values up to this magnitude are shown as 0, but not changed
  bool upcoming = false;  ///< the value is not in effect yet: shown in another colour
};

/// Fields in which numbers are changed by dragging or, after a click, typed. They store the edit in
/// progress. A value that was sent is shown until the run has applied it, so that the old one does
/// not flicker. Invalid input is never changed silently: the field keeps it and shows the reason.
class NumberFields {
 public:
  /// The message beside a field: why a number was rejected, or where dragging stops.
  struct Note {
    std::string path, text;
    bool error = true;
    double until = 0;     // [s]
    float x = 0, y = 0;   // lower left corner of the field
    bool placed = false;  // its field was drawn in this frame
  };

  /// Call once per frame before the fields. `errors` counts the rejected commands. While the run is
  /// `running` every value sent becomes an event of its record: a drag then sends at most one per
  /// `drag_interval`, and the last one on release.
  void begin(double now, std::uint64_t errors, bool running);
  static constexpr double drag_interval = 0.25;  ///< [s]
  /// Begins to type in a field, when that is drawn next.
  void open(const std::string& path);
  /// Draws the field at the cursor; returns the value to send if the user changed it.
  std::optional<double> draw(const NumberField& field, const Colors& colors, float scale);
  /// Shows a value set by another widget until the run has applied it.
  void expect(const std::string& path, double value);
  /// Treats a text as if it was typed in the field, when that is drawn next.
  void enter(const std::string& path, std::string text) { entered_ = {path, std::move(text)}; }
  /// Reverts the last input and shows the reason.
  void reject(const std::string& path, std::string why);

  /// The note to show in this frame.
  const Note* note() const { return note_ && note_->placed ? &*note_ : nullptr; }
  /// Whether a value is being dragged or typed.
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
  std::optional<double> take_entered(const NumberField& field);
  void show_note(const std::string& path, std::string text, bool error);

  double now_ = 0;
  std::uint64_t errors_ = 0;
  bool running_ = false;
  std::map<std::string, Pending> pending_;
  std::string dragging_, typing_;
  double drag_start_ = 0;
  bool moved_ = false;
  bool unsent_ = false;            // the value shown during a drag has not been sent
  std::optional<double> sent_at_;  // time of the last value sent by the current drag [s]
  double sent_ = 0;                // and its value
  std::optional<std::pair<std::string, std::string>> entered_;  // path and text of enter()
  bool focus_ = false;
  char text_[128] = {};
  std::vector<std::string> order_, previous_order_;
  std::optional<Note> note_;
};

/// The value after dragging a field by `pixels` from `start`: linear or by factors, clamped to the
/// range of the parameter and rounded to a few digits.
double dragged(const NumberField& field, double start, double pixels);

/// The result of parsing a number: the value, or why it is not allowed.
struct Typed {
  std::optional<double> value;
  std::string error;  ///< what was given and what is allowed
};
/// Evaluates what was typed: a number or an expression, in the unit of the parameter.
Typed typed(const NumberField& field, std::string_view text);

}  // namespace twosphere::ui
