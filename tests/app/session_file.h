// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/session/autosave.h"
#include "app/window/main_window.h"
#include "core/scenario/writer.h"

namespace twosphere::test {

/// The session file of the edited run of a window, as it is kept for recovery.
inline std::string session_file(MainWindow& window) {
  const Worker::Captured kept = window.run().capture();
  return write_session({.record = with_runs(kept, window.session().saved_runs()),
                        .steps = kept.steps,
                        .applied = kept.applied,
                        .pending = {},
                        .state = write_scenario(kept.scenario),
                        .opened = kept.record,
                        .path = {},
                        .edited = true});
}

}  // namespace twosphere::test
