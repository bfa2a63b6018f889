// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/trails.h"

#include <algorithm>
#include <cmath>

#include "render/convert.h"

namespace twosphere::render {

namespace {

// Fractions of the extent.
constexpr double sparse = 0.015;  // distance of points on a straight part of a trail
constexpr double fine = 0.003;    // distance of points in a bend
constexpr double chord = 0.03;    // longest chord of a trail

}  // namespace

void Trails::add(std::size_t body, double t, const Vec3& position, bool newest) {
  std::vector<Knot>& path = paths_[body];
  const Knot knot{position, t};
  if (newest || path.empty() || needed(path, knot)) path.push_back(knot);
}

Polyline Trails::curve(std::size_t body, double now, double span, float opacity) const {
  const std::vector<Knot>& path = paths_[body];
  Polyline line;
  const auto put = [&](const Vec3& p, double t) {
    const double age = std::clamp((now - t) / span, 0.0, 1.0);
    const auto alpha = static_cast<float>(std::pow(1 - age, 1.3)) * opacity;
    line.points.emplace_back(to_float(p), alpha);
  };
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Knot &a = path[i], &b = path[i + 1];
    put(a.position, a.t);
    const double h = b.t - a.t, length = (b.position - a.position).norm();
    const int pieces = static_cast<int>(std::clamp(length / (chord * extent_), 0.0, 16.0)) + 1;
    if (pieces == 1 || !(h > 0)) continue;
    const Vec3 va = h * velocity(path, i), vb = h * velocity(path, i + 1);
    const Vec3 step = b.position - a.position;
    for (int k = 1; k < pieces; ++k) {
      const double s = static_cast<double>(k) / pieces, s2 = s * s, s3 = s2 * s;
      Vec3 p = a.position + (3 * s2 - 2 * s3) * step + (s3 - 2 * s2 + s) * va + (s3 - s2) * vb;
      // Interpolate the radius of the ends, which may have drifted off the sphere.
      if (on_sphere_) p *= ((1 - s) * a.position.norm() + s * b.position.norm()) / p.norm();
      put(p, a.t + s * h);
    }
  }
  if (path.size() > 1) put(path.back().position, path.back().t);
  return line;
}

bool Trails::needed(const std::vector<Knot>& path, const Knot& next) const {
  if (!(next.t > path.back().t)) return false;
  const Vec3 step = next.position - path.back().position;
  const double length = step.norm();
  if (length > sparse * extent_) return true;
  if (length < fine * extent_ || path.size() < 2) return false;
  const Vec3 last = path.back().position - path[path.size() - 2].position;
  return step.dot(last) < 0.998 * length * last.norm();
}

// The derivative of the parabola through a point and its neighbours, at the ends through the
// nearest three points.
Vec3 Trails::velocity(const std::vector<Knot>& path, std::size_t i) {
  if (path.size() == 2) return slope(path, 0);
  const std::size_t m = std::clamp<std::size_t>(i, 1, path.size() - 2);
  const double before = path[m].t - path[m - 1].t, after = path[m + 1].t - path[m].t;
  if (!(before + after > 0)) return Vec3::Zero();
  const Vec3 a = slope(path, m - 1), b = slope(path, m), bend = (b - a) / (before + after);
  return a + bend * (2 * (path[i].t - path[m].t) + before);
}

Vec3 Trails::slope(const std::vector<Knot>& path, std::size_t i) {
  const double h = path[i + 1].t - path[i].t;
  if (!(h > 0)) return Vec3::Zero();
  return (path[i + 1].position - path[i].position) / h;
}

}  // namespace twosphere::render
