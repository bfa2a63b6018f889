// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/frame_finder.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/interrupt.h"

namespace twosphere {

FrameFinder::~FrameFinder() {
  if (stop_) *stop_ = true;
}

void FrameFinder::follow(const std::optional<FrameChoice>& choice, const Snapshot& now) {
  const bool repeats = choice && choice->by == FrameChoice::Rate::line;
  const std::shared_ptr<const Scenario> record = repeats ? nullptr : now.record;
  if (choice == choice_ && now.generation == generation_ && record == record_) return;
  choice_ = choice;
  generation_ = now.generation;
  record_ = record;
  if (stop_) *std::exchange(stop_, nullptr) = true;
  frame_.reset();
  problem_.clear();
  if (!choice || !now.system || !now.record) return;
  if (!repeats) return take(turning_frame(*choice, *now.record, *now.system));
  problem_ = "The frequency at which the view is to turn is being measured.";
  stop_ = std::make_shared<std::atomic<bool>>(false);
  finding_.start(
      [choice = *choice, record = now.record, system = now.system, stop = stop_] {
        const Interruptible scope(*stop);
        return turning_frame(choice, *record, *system);
      },
      [this, stop = stop_](const Result<TurningFrame>& found) {
        if (*stop) return;
        take(found);
        ready_();
      });
}

void FrameFinder::take(const Result<TurningFrame>& found) {
  frame_.reset();
  problem_.clear();
  if (found)
    frame_ = *found;
  else
    problem_ = fmt::format("The frame {}.", found.error().message);
}

}  // namespace twosphere
