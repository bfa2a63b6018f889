// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/equal_bodies.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/inertia.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/return_map.h"
#include "core/mechanics/turn_between.h"

namespace twosphere {

namespace {

using Places = std::vector<int>;

/// T and V of three random states, with which those of the same states are compared after bodies
/// have changed places.
class ExchangeTest {
 public:
  explicit ExchangeTest(const System& system) : system_(system) {
    for (std::uint64_t k = 0; k < 3; ++k) {
      One one;
      one.q = random_directions(system.size(), k);
      one.v = random_tangents(one.q, k);
      one.kinetic = kinetic_energy(system.inertia(), one.q, one.v);
      one.potential = system.potential(one.q);
      states_.push_back(std::move(one));
    }
  }

  bool allows(const Places& places) const {
    const Closure closure{.places = places};
    const Eigen::VectorXd& strength = system_.strength();
    for (std::size_t i = 0; strength.size() > 0 && i < places.size(); ++i)
      if (strength[static_cast<Eigen::Index>(i)] != strength[places[i]]) return false;
    return std::all_of(states_.begin(), states_.end(), [&](const One& one) {
      const Columns q = closure.applied(one.q, 0), v = closure.applied(one.v, 0);
      return same(one.kinetic, kinetic_energy(system_.inertia(), q, v)) &&
             same(one.potential, system_.potential(q));
    });
  }

 private:
  struct One {
    Columns q, v;
    double kinetic = 0, potential = 0;
  };
  static bool same(double a, double b) { return std::abs(a - b) <= 1e-10 * std::abs(a); }

  const System& system_;
  std::vector<One> states_;
};

Places identity(int n) {
  Places places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), 0);
  return places;
}

/// First the places of `a`, then those of `b`.
Places after(const Places& a, const Places& b) {
  Places out;
  for (const int place : a) out.push_back(b[static_cast<std::size_t>(place)]);
  return out;
}

/// The frame of two directions that are not parallel.
Mat3 frame_of(const Vec3& a, const Vec3& b) {
  Mat3 frame;
  frame.col(0) = a.normalized();
  frame.col(2) = a.cross(b).normalized();
  frame.col(1) = frame.col(2).cross(frame.col(0));
  return frame;
}

constexpr double near_angle = 1e-3;  // between directions that may be the same [rad]

/// Rotations about conserved axes that take some of the bodies of `a` to bodies of `b` of the same
/// kind: among them is every one that takes all of them, for some places.
std::vector<Mat3> candidates(const Columns& a, const Columns& b, const std::array<bool, 3>& axes,
                             const Places& kinds) {
  const Eigen::Index n = a.cols();
  const auto kind = [&](Eigen::Index i) { return kinds[static_cast<std::size_t>(i)]; };
  const auto count = std::count(axes.begin(), axes.end(), true);
  if (count == 0) return {Mat3::Identity()};
  std::vector<Mat3> out;
  if (count == 1) {
    // The body that is farthest from the axis says by which angle.
    const Vec3 e = Vec3::Unit(std::find(axes.begin(), axes.end(), true) - axes.begin());
    Eigen::Index first = 0;
    (e.transpose() * a).cwiseAbs().minCoeff(&first);
    const Vec3 from = tangent(e, a.col(first));
    if (from.norm() < near_angle) return {Mat3::Identity()};
    for (Eigen::Index j = 0; j < n; ++j) {
      if (kind(j) != kind(first) || std::abs(e.dot(a.col(first) - b.col(j))) > near_angle) continue;
      const Vec3 to = tangent(e, b.col(j));
      const double turn = std::atan2(e.dot(from.cross(to)), from.dot(to));
      out.push_back(Eigen::AngleAxisd(turn, e).toRotationMatrix());
    }
    return out;
  }
  // Two axes make all: two bodies that are not parallel.
  Eigen::Index second = 0;
  (a.col(0).transpose() * a).cwiseAbs().minCoeff(&second);
  const double apart = angle(a.col(0), a.col(second));
  const bool line = std::sin(apart) < near_angle;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (kind(i) != kind(0)) continue;
    if (line) {
      out.push_back(smallest_turn(a.col(0), b.col(i)));
      continue;
    }
    for (Eigen::Index j = 0; j < n; ++j)
      if (j != i && kind(j) == kind(second) &&
          std::abs(angle(b.col(i), b.col(j)) - apart) <= near_angle)
        out.emplace_back(frame_of(b.col(i), b.col(j)) *
                         frame_of(a.col(0), a.col(second)).transpose());
  }
  return out;
}

/// Places within the kinds after which `a` is near `b`; none if there are none.
std::optional<Places> matched(const Columns& a, const Columns& b, const Places& kinds) {
  Places places;
  std::vector<bool> taken(kinds.size(), false);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    std::optional<std::size_t> best;
    double nearest_angle = near_angle;
    for (std::size_t j = 0; j < kinds.size(); ++j) {
      if (taken[j] || kinds[j] != kinds[i]) continue;
      const double apart =
          angle(a.col(static_cast<Eigen::Index>(i)), b.col(static_cast<Eigen::Index>(j)));
      if (apart > nearest_angle) continue;
      nearest_angle = apart;
      best = j;
    }
    if (!best) return {};
    taken[*best] = true;
    places.push_back(static_cast<int>(*best));
  }
  return places;
}

}  // namespace

bool equal_bodies(const System& system, const std::vector<int>& places) {
  return ExchangeTest(system).allows(places);
}

EqualBodies::EqualBodies(const System& system) : axes_(system.conserved_momentum()) {
  const ExchangeTest test(system);
  const int n = system.size();
  const Places rest = identity(n);
  std::vector<int> firsts;  // of each kind
  for (int i = 0; i < n; ++i) {
    const auto known = std::find_if(firsts.begin(), firsts.end(), [&](int first) {
      Places places = rest;
      std::swap(places[static_cast<std::size_t>(first)], places[static_cast<std::size_t>(i)]);
      return test.allows(places);
    });
    kinds_.push_back(static_cast<int>(known - firsts.begin()));
    if (known == firsts.end()) firsts.push_back(i);
  }
  orders_.push_back(rest);
  for (const bool reversed : {false, true})
    for (int shift = reversed ? 0 : 1; shift < n; ++shift) {
      Places places;
      bool exchange = true;
      for (int i = 0; i < n; ++i) {
        const int to = (reversed ? shift - i + n : shift + i) % n;
        places.push_back(to);
        if (kinds_[static_cast<std::size_t>(i)] != kinds_[static_cast<std::size_t>(to)])
          exchange = false;
      }
      if (!exchange && test.allows(places)) orders_.push_back(std::move(places));
    }
}

std::vector<std::vector<int>> EqualBodies::all(std::size_t max_count) const {
  const auto n = static_cast<int>(kinds_.size());
  std::vector<Places> steps(orders_.begin() + 1, orders_.end());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (kinds_[static_cast<std::size_t>(i)] == kinds_[static_cast<std::size_t>(j)]) {
        steps.push_back(identity(n));
        std::swap(steps.back()[static_cast<std::size_t>(i)],
                  steps.back()[static_cast<std::size_t>(j)]);
      }
  std::vector<Places> out{identity(n)};
  for (std::size_t k = 0; k < out.size(); ++k)
    for (const Places& step : steps) {
      if (out.size() >= max_count) return out;
      Places next = after(out[k], step);
      if (std::find(out.begin(), out.end(), next) == out.end()) out.push_back(std::move(next));
    }
  return out;
}

bool EqualBodies::same(const Columns& a, const Columns& b, double within) const {
  return std::any_of(orders_.begin(), orders_.end(), [&](const Places& order) {
    const Columns placed = Closure{.places = order}.applied(a, 0);
    const std::vector<Mat3> turns = candidates(placed, b, axes_, kinds_);
    return std::any_of(turns.begin(), turns.end(), [&](const Mat3& turn) {
      const auto places = matched(turn * placed, b, kinds_);
      return places &&
             turn_between(Closure{.places = *places}.applied(placed, 0), b, axes_) <= within;
    });
  });
}

}  // namespace twosphere
