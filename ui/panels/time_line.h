// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/scenario/timetable.h"
#include "ui/plot/plot_view.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

/// The state of the time line and of the time box between frames.
struct TimeLine {
  /// A place on the bar, and the elapsed time that was there when the mouse came.
  struct Pointed {
    float share = 0;  ///< of the width of the bar
    std::uint64_t generation = 0;
    double elapsed = 0;  ///< [s]
  };

  Timetable table;                         ///< of the record of the run
  std::optional<Pointed> pointed{};        ///< by the mouse
  bool pictures = true;                    ///< one is wanted of the instant under the mouse
  std::optional<double> hovered_since{};   ///< when the mouse came [s]
  std::optional<std::int64_t> pictured{};  ///< the step of which one is wanted
  bool dragged = false;                    ///< by the mouse, as of the last frame
  std::optional<int> pressed_run{};        ///< another run on which the mouse button went down
  bool loop = false;                       ///< a replay begins again at its end
  bool type = false;                       ///< the next frame opens the time box
  bool typing = false;                     ///< the time box is open
  std::array<char, 128> text{};
  std::string problem;  ///< with the typed time; empty: none

  /// Takes the record of the run, if it is another one.
  void follow(const std::shared_ptr<const Scenario>& record);
  /// The elapsed time under the mouse, at a share of the width of the bar, which is `whole` [s]
  /// long. It stays the same while the mouse rests, also when a run beyond its planned end makes
  /// the bar longer.
  double point(float share, double whole, std::uint64_t generation);
  /// The instant shown: after how many steps, and when [s].
  static std::int64_t step(const Frame& frame) {
    return frame.in_past ? frame.past_step : frame.shown.steps;
  }
  double time(const Frame& frame) const {
    return frame.in_past ? table.time(frame.past_step) : frame.shown.t;
  }
  /// When another run leaves the present one, and when its head is [s].
  double shared_time(const BranchView& branch) const { return table.time(branch.shared_steps); }
  double head_time(const BranchView& branch) const {
    return branch.head_time.value_or(shared_time(branch));
  }
  /// How long the run to its head is [s].
  double head_elapsed(const BranchView& branch) const {
    return branch.head_elapsed.value_or(table.elapsed(branch.shared_steps));
  }

 private:
  std::shared_ptr<const Scenario> record_;
};

/// "12.340": with as many decimals as the step of the run needs.
std::string time_text(const Snapshot& snapshot, double t);

/// "run 1 at 2.340 s", where a run forks from another one; "the start" if from none.
std::string fork_text(const Panel& panel, const BranchView& branch);

/// The height of the time line at scale 1: the bar, and the other runs below it [px].
float time_line_height(std::span<const BranchView> branches);

/// The run in simulated time, from its start to its planned end or beyond: what is computed, marks
/// of events, warnings and a failure, and a handle at the instant shown. A click or a drag goes to
/// a time; the time under the mouse is that of the cursor of the plots. Below it a line for each
/// other run that is shown, from where it forks to its head: its name shows under the mouse, and a
/// click continues it.
void draw_time_line(const Panel& panel, TimeLine& line, TimeAxis& axis, const Rect& row);

/// The same as a plain line without marks, which does not respond to the mouse.
void draw_plain_time_line(const Panel& panel, TimeLine& line, const Rect& row);

/// The width of the time box for every time of the run [px].
float time_box_width(const Panel& panel);
/// The time of the instant shown in a field; a time that is typed there is gone to.
void draw_time_box(const Panel& panel, TimeLine& line, const Rect& area);

}  // namespace twosphere::ui
