// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/diagnostics.h"
#include "core/output/page_rows.h"
#include "core/output/point_stream.h"
#include "core/run/checkpoint.h"
#include "core/scenario/scenario.h"
#include "core/worker/snapshot.h"
#include "render/offscreen.h"
#include "render/scene_style.h"

namespace twosphere::render {

/// What a page holds besides the run.
struct WebPageTexts {
  std::string scenario{};  ///< a file that repeats the run, byte for byte
  std::string file{};      ///< the name under which a reader saves it
  std::string still{};  ///< a PNG picture for paper and for browsers without WebGL 2; may be empty
  std::string title{};  ///< empty: that of the record, or of its system
  std::optional<std::string> description{};  ///< none: that of the record
};

/// What a page is made of.
struct WebPageSource {
  const Snapshot& end;     ///< names the lanes
  const Scenario& record;  ///< repeats the run
  const std::vector<RunMarker>& markers;
  const PageRows& rows;
  WebPageTexts texts{};
  /// Trail, ground, colours, and whether the lanes have cells at first. The light palette: always;
  /// any other: dark or light, as the reader's browser wants. Pages have no arrows and no field.
  SceneStyle style{};
  /// What the two plots show at first; without any, the total energy and the energy error.
  std::vector<Quantity> plots{};
  int followed = -1;  ///< the body of the first lane that the camera moves along with; −1: none
  PointLimits limits{};
};

struct WebPage {
  std::string html;
  std::size_t frames = 0;
  double error = 0;  ///< PointStream::error [radius]
};

/// One HTML file that plays a run: its positions, curves, scenario, shaders and player, without
/// anything from elsewhere. The shapes are those of build_scene(), which refer to the points of
/// System::geometry(). Fails if the frames are too large, as pack_points() does, and like
/// filled_page().
Result<WebPage> web_page(const WebPageSource& source);

/// The picture of the last row, 640x400, on a light background, in rounded colours, so that a PNG
/// file of it takes some 40 kB. Fails without EGL.
Result<Image> web_page_still(const WebPageSource& source);

/// At most so many bytes a page takes, as far as it is known before the run is repeated: with so
/// many rows of a system with one of its lanes in this configuration.
std::size_t max_page_bytes(const Geometry& geometry, std::size_t lanes, std::size_t rows,
                           std::size_t quantities, const PointLimits& limits = {});

}  // namespace twosphere::render
