// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace twosphere {

/// One line of progress on standard error, written again and again; nothing if that is not a
/// terminal.
class TerminalLine {
 public:
  explicit TerminalLine(bool wanted);
  bool shown() const { return shown_; }
  void show(std::string_view text);
  void clear();  ///< other output takes its place
  void end();    ///< other output follows below it

 private:
  bool shown_, written_ = false;
};

}  // namespace twosphere
