// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/mechanics/sphere.h"
#include "render/scene.h"

namespace twosphere::render {

/// The paths of bodies over the last seconds, in a form that a curve can be drawn through.
class Trails {
 public:
  /// `extent` [m] is the size of the whole; on a sphere about the origin the curves stay on it.
  Trails(double extent, std::size_t bodies, bool on_sphere)
      : extent_(extent), on_sphere_(on_sphere), paths_(bodies) {}

  /// Adds a body's place at a time after the last one; the newest is always kept, others only where
  /// the curve needs them.
  void add(std::size_t body, double t, const Vec3& place, bool newest);

  /// A smooth curve through the points of one body, fading over `span` [s] before `now`: cubic
  /// pieces with the velocities of the parabolas through three points each, cut into short chords.
  Polyline curve(std::size_t body, double now, double span, float opacity) const;

 private:
  struct Knot {
    Vec3 place;
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
