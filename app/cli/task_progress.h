// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "app/cli/terminal_line.h"
#include "core/studies/equilibria.h"
#include "core/studies/sweep_run.h"

namespace twosphere {

/// Shows how many starts of a search are done, and ends it once a signal was caught.
SearchProgress search_progress(TerminalLine& line);

/// "85 s", "12 min", "3.4 h".
std::string rough_time(double seconds);

/// How far the tasks of a study are, on standard error: one line on a terminal, or a JSON object in
/// a line every second.
class TaskProgress {
 public:
  /// `noun`: "tasks".
  TaskProgress(std::string_view noun, bool as_json, bool shown);
  void update(const SweepProgress& now, bool last);

 private:
  using Clock = std::chrono::steady_clock;
  std::string noun_;
  bool as_json_;
  TerminalLine line_;
  Clock::time_point begun_ = Clock::now(), shown_at_ = begun_ - std::chrono::seconds(2);
};

}  // namespace twosphere
