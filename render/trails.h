// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/mechanics/sphere.h"
#include "render/scene.h"

namespace twosphere::render {

/// The recent paths of the bodies, reduced to the points needed to draw a smooth curve.
class Trails {
 public:
  /// `extent` [m] is the size of the scene. With `on_sphere` the curves stay on the sphere about
  /// the origin.
  Trails(double extent, std::size_t bodies, bool on_sphere)
      : extent_(extent), on_sphere_(on_sphere), paths_(bodies) {}

  std::size_t size() const { return paths_.size(); }
  /// Adds the position of a body at a time later than the last one. The newest position is always
  /// stored, others only where the curve needs them.
  void add(std::size_t body, double t, const Vec3& position, bool newest);

  /// A smooth curve through the points of one body, fading over `span` [s] before `now`: cubic
  /// Hermite segments whose velocities are those of parabolas through three points, divided into
  /// short chords.
  Polyline curve(std::size_t body, double now, double span, float opacity) const;

 private:
  struct Knot {
    Vec3 position;
    double t;
  };
  bool needed(const std::vector<Knot>& path, const Knot& next) const;
  static Vec3 velocity(const std::vector<Knot>& path, std::size_t i);
  static Vec3 slope(const std::vector<Knot>& path, std::size_t i);

  double extent_;
  bool on_sphere_;
  std::vector<std::vector<Knot>> paths_;
};

}  // namespace twosphere::render
