// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/instruction_queue.h"

#include <cstdint>
#include <utility>

#include "app/scene/viewport.h"
#include "app/session/live_run.h"
#include "app/session/replay.h"
#include "app/session/session.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/timetable.h"
#include "core/tours/tour_player.h"
#include "core/worker/worker.h"
#include "ui/plot/plot_spec.h"

namespace twosphere {

InstructionQueue::InstructionQueue(LiveRun& run, Viewport& viewport, Session& session,
                                   std::function<void(ui::Action)> perform)
    : run_(run), viewport_(viewport), session_(session), perform_(std::move(perform)) {}

void InstructionQueue::start(const std::vector<TourInstruction>& instructions, std::string label,
                             std::function<void(const Result<void>&)> done) {
  clear();
  waiting_.assign(instructions.begin(), instructions.end());
  done_ = std::move(done);
  busy_ = true;
  if (!label.empty()) session_.begin_group(std::move(label));
  advance();
}

void InstructionQueue::clear() {
  if (!std::exchange(busy_, false)) return;
  waiting_.clear();
  done_ = {};
  goes_to_ = false;
  session_.end_group();
}

void InstructionQueue::advance() {
  while (busy_) {
    // An action in the middle of a change would meet the state before it.
    if (run_.is_opening() || run_.snapshot().commands < run_.sent() ||
        (goes_to_ && run_.snapshot().state == RunState::running))
      return viewport_.request_frame();
    goes_to_ = false;
    if (waiting_.empty()) return end({});
    const TourInstruction instruction = std::move(waiting_.front());
    waiting_.pop_front();
    if (const auto done = carry_out(instruction); !done) return end(done);
  }
}

void InstructionQueue::end(const Result<void>& how) {
  const auto done = std::exchange(done_, {});
  clear();
  if (done) done(how);
}

Result<void> InstructionQueue::carry_out(const TourInstruction& instruction) {
  using Word = TourInstruction::Word;
  switch (instruction.word) {
    case Word::action:
      act(instruction.action);
      return {};
    case Word::set:
    case Word::lane:
      return session_.change(
          [&](const Scenario& now) { return with_instruction(now, instruction); });
    case Word::plots: {
      ui::Settings& settings = viewport_.interface().settings();
      settings.columns = true;
      settings.plots_of.clear();  // they are not kept as those of the preset
      settings.plots.clear();
      for (const std::string& plot : instruction.plots)
        settings.plots.push_back(*ui::parse_plot(plot));
      viewport_.request_frame();
      return {};
    }
    case Word::play:
      if (run_.in_past()) viewport_.replay().show_head();
      viewport_.replay().play();
      return {};
    case Word::pause:
      if (viewport_.replay().plays()) viewport_.replay().play_or_pause();
      run_.send(Pause{});
      return {};
    case Word::to:
      go_to(instruction.number);
      return {};
    case Word::pace:
      run_.send(Pace{Pacing::real_time, instruction.number});
      return {};
  }
  return {};
}

/// A switch is switched on, and stays on where it is.
void InstructionQueue::act(std::string_view id) {
  const ui::ActionInfo* const found = ui::find_action(id);
  if (!found) return;  // the reader of instructions knows all of them
  if (viewport_.interface().is_checked(found->action) != true) perform_(found->action);
}

/// Shows an instant. A run that has not been there continues to it, and pauses there.
void InstructionQueue::go_to(double time) {
  const Snapshot& head = run_.snapshot();
  const Timetable table(*head.record);
  const double step = table.signed_step(head.steps);
  const std::int64_t count = steps_for((time - head.t) / step);
  if (count <= 0) return viewport_.replay().show(table.step_at(time, head.steps));
  if (run_.in_past()) viewport_.replay().show_head();
  goes_to_ = run_.send(TakeSteps{count}) > 0;
}

}  // namespace twosphere
