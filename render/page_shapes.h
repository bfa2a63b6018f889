// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <glm/vec3.hpp>
#include <map>
#include <tuple>
#include <vector>

#include "core/base/json.h"
#include "core/color/palette.h"
#include "core/mechanics/system.h"
#include "core/output/body_quantity.h"
#include "core/output/lattice_layer.h"
#include "core/output/page_rows.h"
#include "core/run/trail.h"
#include "core/scenario/scenario.h"
#include "core/worker/snapshot.h"
#include "render/scene.h"
#include "render/scene_style.h"

namespace twosphere::render {

/// What a page draws on a dark and on a light background.
using TwoScenes = std::array<Scene, 2>;
inline constexpr std::array page_palettes{Palette::dark, Palette::light};

/// The colours of a page, each on both backgrounds.
class PageColors {
 public:
  /// The index of the colour that `color` takes from each scene.
  json::Node add(const TwoScenes& scenes, const std::function<glm::vec3(const Scene&)>& color);
  const json::Node& list() const { return list_; }

 private:
  std::map<std::array<unsigned, 2>, std::size_t> index_;
  json::Node list_ = json::Node::array();
};

/// The shapes of the lanes as a page describes them: of each lane those that are drawn in full,
/// with the points that they are at. A lane that is drawn beside another one is an outline of them,
/// which the player makes as add_outline() does. Two scenes a lane are built, and two more.
class PageShapes {
 public:
  /// `now`: the run at the last row. It and the points must outlive this.
  PageShapes(const Snapshot& now, const PageRows& rows, const RunPoints& points, SceneStyle style);

  /// One object a lane; `shaded`: the page has the values of shade().
  json::Node lanes(const std::vector<LaneSpec>& specs, bool shaded);
  /// What does not move; after lanes().
  const json::Node& fixed() const { return fixed_; }
  const json::Node& colors() const { return colors_.list(); }
  /// The translucent sphere; null if there is none.
  json::Node shell() const;
  /// The fluid that carries the bodies, for streamlines as of add_streamlines(), which the player
  /// finds at each instant; null if there is none. After lanes(), which have its bodies.
  json::Node fluid();
  /// Its corners and faces, of whose divisions streamlines and an ellipsoid are made; null if there
  /// are neither.
  json::Node icosahedron() const;
  Shade shade() const { return shade_; }
  /// The first lane on a dark background, without trails.
  const Scene& scene() const { return first_[0]; }
  /// Within this distance the positions of long shapes are the same [m].
  double same_within() const;

 private:
  using Place = std::tuple<float, float, float>;

  TwoScenes scenes_of(const std::deque<Configuration>& trail, std::size_t lane) const;
  json::Node lane_document(const std::vector<LaneSpec>& specs, std::size_t lane, bool shaded);
  json::Node lane_color(const std::vector<LaneSpec>& specs, std::size_t lane) const;
  float cut(const glm::vec3& end, float radius) const;
  void add_fixed();
  json::Node rod(const Cylinder& c, const json::Node& from, const json::Node& to,
                 const json::Node& color) const;
  json::Node shapes(const TwoScenes& scenes, std::size_t lane, bool shaded);
  json::Node tube(const TwoScenes& scenes, std::size_t lane, bool shaded);
  json::Node magnet(const TwoScenes& scenes, std::size_t lane, std::size_t at, bool shaded);
  json::Node trails(const TwoScenes& scenes, std::size_t lane);
  json::Node gaps(std::size_t lane) const;
  json::Node body_points(std::size_t lane) const;

  const Snapshot& now_;
  const RunPoints& points_;
  bool streams_ = false;  // streamlines are shown
  SceneStyle style_;
  std::deque<Configuration> trail_;
  TwoScenes first_;                     // of the first lane, without trails
  std::map<Place, float> radius_at_{};  // of the largest ball there, in the lane in progress
  Geometry geometry_{};                 // of all bodies of the lane in progress
  ShownBodies shown_;                   // of them
  Shade shade_ = Shade::lane;
  double body_radius_ = 0;  // of the largest body [m]
  json::Node fixed_{};
  PageColors colors_{};
};

}  // namespace twosphere::render
