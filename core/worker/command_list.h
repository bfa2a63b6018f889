// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <variant>

#include "core/worker/commands_edit.h"
#include "core/worker/commands_follow.h"
#include "core/worker/commands_pace.h"
#include "core/worker/commands_run.h"
#include "core/worker/drag_edit.h"
#include "core/worker/mouse_pull.h"

namespace twosphere {

/// A command, as a value: one of these. Commands take effect between two steps, in order; those
/// after TakeSteps wait until its steps are taken. One that cannot be carried out changes nothing;
/// the snapshot gives the reason.
// clang-format off
using Command = std::variant<
    Play,
    Pause,
    TakeSteps,
    PauseAt,
    Rewind,
    Load,
    Change,
    Reverse,
    DragEdit,
    PullBody,
    MousePull,
    Release,
    AddLane,
    Pace,
    TrailSpan,
    FollowExponents,
    FollowCloud,
    ContinueRun,
    AddCheckpoints,
    Detach>;
// clang-format on

}  // namespace twosphere
