// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tours/tour.h"
#include "ui/shell/actions.h"

namespace twosphere {

class LiveRun;
class Session;
class Viewport;

/// Carries out instructions of tours and of links in help pages in the window, each when the run
/// has carried out what the one before it has sent.
class InstructionQueue {
 public:
  /// `perform`: carries out an action of the window.
  InstructionQueue(LiveRun& run, Viewport& viewport, Session& session,
                   std::function<void(ui::Action)> perform);

  /// `label`: of the one entry to undo; empty: each edit has its own. Instructions that wait from
  /// an earlier call are dropped. `done` is called after the last one, or with the error of one
  /// that cannot be carried out.
  void start(const std::vector<TourInstruction>& instructions, std::string label,
             std::function<void(const Result<void>&)> done);
  /// Drops what waits.
  void clear();
  bool busy() const { return busy_; }
  /// Call after every frame.
  void advance();

 private:
  Result<void> carry_out(const TourInstruction& instruction);
  void act(std::string_view id);
  void go_to(double time);
  void end(const Result<void>& how);

  LiveRun& run_;
  Viewport& viewport_;
  Session& session_;
  std::function<void(ui::Action)> perform_;
  std::deque<TourInstruction> waiting_;
  std::function<void(const Result<void>&)> done_;
  bool busy_ = false;
  bool goes_to_ = false;  ///< the run is on its way to an instant
};

}  // namespace twosphere
