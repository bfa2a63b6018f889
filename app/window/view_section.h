// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/live_run.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "render/camera.h"
#include "ui/interface.h"

namespace twosphere {

/// The `view` of a scenario file: how the window shows the run, and how far it has come. It changes
/// no results.
struct ViewSection {
  ui::Settings settings{};                       ///< with the plots, and the look of the scene
  std::optional<render::Camera::View> camera{};  ///< none: the whole motion
  std::int64_t steps = 0;                        ///< that were taken
  std::optional<std::int64_t> shown{};           ///< the step of the instant shown; none: the head
  bool loop = false;
  std::string reference{};  ///< name of the run that distances are measured to; empty: the present
};

/// What is shown now. The camera if the user has moved it.
json::Node view_section(const LiveRun& run, const ui::Interface& interface,
                        const std::optional<render::Camera>& camera);

/// The reverse; what is not said is as in `settings`. Fails with the place where a key is unknown
/// or a value is not possible.
Result<ViewSection> read_view_section(const json::Node& node, std::string_view source,
                                      const ui::Settings& settings);

}  // namespace twosphere
