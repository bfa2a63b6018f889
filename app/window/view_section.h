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

/// The `view` of a scenario file: how the window shows the run, and the number of steps taken. It
/// does not affect results.
struct ViewSection {
  /// Including the plots and the appearance of the scene.
  ui::Settings settings{};
  std::optional<render::Camera::View> camera{};  ///< none: the camera that shows the whole motion
  std::int64_t steps = 0;                        ///< steps taken
  std::optional<std::int64_t> shown{};           ///< the step of the instant shown; none: the head
  bool loop = false;
  std::optional<bool> presentation{};  ///< none: as it is
  ui::Choices choices{};
  std::optional<Pace> pace{};
  std::string reference{};  ///< name of the run that distances are measured to; empty: the present
};

/// The present view; includes the camera if the user has moved it.
json::Node view_section(const LiveRun& run, const ui::Interface& interface,
                        const std::optional<render::Camera>& camera);

/// The inverse. Missing values are taken from `settings`. Fails with the location if a key is
/// unknown or a value is invalid.
Result<ViewSection> read_view_section(const json::Node& node, std::string_view source,
                                      const ui::Settings& settings);

}  // namespace twosphere
