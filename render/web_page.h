// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/output/page_rows.h"
#include "core/output/point_stream.h"
#include "core/run/checkpoint.h"
#include "core/scenario/scenario.h"
#include "core/worker/snapshot.h"
#include "render/offscreen.h"

namespace twosphere::render {

/// What a page holds besides the run.
struct WebPageTexts {
  std::string scenario{};  ///< a file that repeats the run, byte for byte
  std::string file{};      ///< the name under which a reader saves it
  std::string still{};  ///< a PNG picture for paper and for browsers without WebGL 2; may be empty
};

struct WebPage {
  std::string html;
  std::size_t frames = 0;
  double error = 0;  ///< PointStream::error [radius]
};

/// One HTML file that plays a run: its positions, curves, scenario, shaders and player, without
/// anything from elsewhere. `end` names the lanes; `record` repeats the run. The shapes are those
/// of build_scene() in the style of a new window, which refer to the points of System::geometry().
/// Fails if the frames are too large: pack_points().
Result<WebPage> web_page(const Snapshot& end, const Scenario& record,
                         const std::vector<RunMarker>& markers, const PageRows& rows,
                         const WebPageTexts& texts, const PointLimits& limits = {});

/// The picture of the last row, on a light background. Fails without EGL.
Result<Image> web_page_still(const Snapshot& end, const PageRows& rows);

}  // namespace twosphere::render
