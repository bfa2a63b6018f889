// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/presentation.h"

#include <QMainWindow>
#include <QMenuBar>
#include <QStatusBar>
#include <cstdint>
#include <vector>

#include "app/scene/viewport.h"
#include "app/session/live_run.h"
#include "app/session/stops.h"

namespace twosphere {

bool Presentation::follow(bool has_scene) {
  const bool presents = has_scene && viewport_.interface().presents();
  if (presents == before_.has_value()) return false;
  const Qt::WindowStates before = before_.value_or(window_.windowState());
  before_ = presents ? std::optional(before) : std::nullopt;
  window_.menuBar()->setVisible(!presents);
  window_.statusBar()->setVisible(!presents);
  window_.setWindowState(presents ? before | Qt::WindowFullScreen : before);
  viewport_.request_frame();
  return true;
}

void Presentation::play() {
  Replay& replay = viewport_.replay();
  if (!run_.in_past() && run_.snapshot().state != RunState::finished)
    run_.send(Play{});
  else if (!replay.plays())
    replay.play_or_pause();
}

void Presentation::go_to_stop(bool forwards) {
  run_.update();
  std::vector<double> markers;
  for (const auto& marker : viewport_.interface().choices().markers)
    if (marker) markers.push_back(*marker);
  const Snapshot& head = run_.snapshot();
  const std::vector<std::int64_t> stops = stops_of(*head.record, head.steps, markers);
  const std::int64_t here = run_.in_past() ? run_.requested_step() : head.steps;
  if (const auto stop = forwards ? next_stop(stops, here) : previous_stop(stops, here))
    viewport_.replay().show(*stop);
}

}  // namespace twosphere
