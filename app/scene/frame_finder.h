// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/base/background.h"
#include "core/studies/view_frame.h"
#include "core/worker/snapshot.h"

namespace twosphere {

/// The frame that a window draws its scene in. One that turns at the rate of a line of the signal
/// is found on a thread, which repeats the run.
class FrameFinder {
 public:
  /// `ready` is called when a frame has been found on that thread.
  explicit FrameFinder(std::function<void()> ready) : ready_(std::move(ready)) {}
  ~FrameFinder();
  FrameFinder(const FrameFinder&) = delete;
  FrameFinder& operator=(const FrameFinder&) = delete;

  /// Follows what is chosen for a run. Call it before each picture.
  void follow(const std::optional<FrameChoice>& choice, const Snapshot& now);
  /// None: the view is at rest.
  const std::optional<TurningFrame>& frame() const { return frame_; }
  /// Why a chosen frame is not there, as a sentence; empty if it is.
  const std::string& problem() const { return problem_; }

 private:
  void take(const Result<TurningFrame>& found);

  std::function<void()> ready_;
  // What the frame depends on; that of a line only on the run, whose record grows.
  std::optional<FrameChoice> choice_;
  std::uint64_t generation_ = 0;
  std::shared_ptr<const Scenario> record_;
  std::optional<TurningFrame> frame_;
  std::string problem_;
  std::shared_ptr<std::atomic<bool>> stop_;  ///< ends the thread
  Background finding_;
};

}  // namespace twosphere
