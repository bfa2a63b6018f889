// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/system_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/base/interrupt.h"
#include "core/mechanics/random_state.h"
#include "core/program/lowering.h"

namespace twosphere::custom {

namespace {

/// Up to this many bodies the levers are a matrix.
constexpr int max_levers = 2000;
/// The largest cost of a shape or an extent: less than a second [operations].
constexpr double max_measuring = 1e8;

}  // namespace

Figure::Figure(ModelConstants& constants) : n_(constants.bodies()) {
  const Model& model = constants.model();
  Indices indices(at(model.variables), 0);
  std::vector<OutputTerm> points, numbers;
  std::vector<int> balls, rods, arrows;
  const Source* drawn = nullptr;
  given_ = !model.figure.empty();
  for (const Entry& entry : model.figure) {
    if (entry.name == "sphere") {
      sphere_ = true;
      continue;
    }
    // One figure for each tuple of indices.
    int count = 1;
    if (entry.over) {
      count = 0;
      constants.enumerate(*entry.over, indices, [&] { ++count; });
    }
    if (items_.size() + at(count) > Limits::figures)
      entry.source->fail(
          1, fmt::format("draws more than {} figures, the most that are allowed", Limits::figures));
    // The values of a kind follow one another in the programs for points and numbers.
    const int first_point = point_count_, first_number = number_count_;
    int vectors = 0, scalars = 0;
    bool fixed = true;
    for (const Ref& value : entry.values) {
      fixed = fixed && value->constant();
      linear_ = linear_ && (!value->is_vector || value->degree < 2);
      // Tuple after tuple, in the order of the range.
      int& next = value->is_vector ? point_count_ : number_count_;
      const int base = next;
      next += count;
      (value->is_vector ? vectors : scalars)++;
      const auto turn = std::make_shared<int>(0);
      (value->is_vector ? points : numbers)
          .push_back({value, entry.over,
                      [=](Constants&, Indices&) { return base + (*turn)++ % std::max(count, 1); }});
    }
    const Item::Kind kind = entry.name == "ball"    ? Item::Kind::ball
                            : entry.name == "rod"   ? Item::Kind::rod
                            : entry.name == "arrow" ? Item::Kind::arrow
                                                    : Item::Kind::spring;
    for (int k = 0; k < count; ++k) {
      items_.push_back({kind, first_point + k, first_number + k, scalars, fixed, false, count});
      const int last = first_point + (vectors - 1) * count + k;
      if (kind == Item::Kind::ball && !fixed) balls.push_back(last);
      if (kind == Item::Kind::rod && !fixed) rods.push_back(last);
      if (kind == Item::Kind::arrow) arrows.push_back(last);
    }
    if (kind == Item::Kind::ball && !fixed) drawn = entry.source;
  }
  if (!balls.empty() && static_cast<int>(balls.size()) != n_)
    drawn->fail(
        1, fmt::format("there {} that move{}, must be one for each of the {} bodies",
                       balls.size() == 1 ? "is 1 ball" : fmt::format("are {} balls", balls.size()),
                       balls.size() == 1 ? "s" : "", n_));
  // Body i is at the i-th ball, or at the end of the i-th rod or arrow.
  for (const std::vector<int>* list : {&balls, &rods, &arrows})
    if (body_points_.empty() && static_cast<int>(list->size()) == n_) body_points_ = *list;
  points_ = build(constants, points, point_count_, 3);
  numbers_ = build(constants, numbers, number_count_, 1);
  // A rod hangs where its beginning is the same in any two configurations.
  std::vector<Vec3> one, other;
  points_at(random_directions(n_, 0), one);
  points_at(random_directions(n_, 1), other);
  for (Item& item : items_)
    item.hangs = item.kind == Item::Kind::rod && !item.fixed &&
                 one[at(item.first_point)] == other[at(item.first_point)];
  // A rod that does not move is a clamp if one that moves begins at its end.
  std::set<std::array<double, 3>> begins;
  const auto numbers_of = [](const Vec3& x) { return std::array{x[0], x[1], x[2]}; };
  for (const Item& item : items_) {
    if (!item.hangs) continue;
    const Vec3& begin = one[at(item.first_point)];
    if (begins.insert(numbers_of(begin)).second) pivots_.push_back(begin);
  }
  const auto continues = [&](const Item& clamp) {
    return begins.contains(numbers_of(one[at(clamp.first_point + clamp.stride)]));
  };
  for (Item& item : items_)
    item.guide = item.kind == Item::Kind::rod && item.fixed && !continues(item);
}

double Figure::evaluation() const {
  return static_cast<double>(points_.operations()) + point_count_;
}

void Figure::points_at(const Columns& q, std::vector<Vec3>& points) const {
  points.resize(at(point_count_));
  points_.evaluate({.q = &q}, points.empty() ? nullptr : points[0].data());
}

void Figure::geometry(const Columns& q, Geometry& out) const {
  out.clear();
  out.sphere = sphere_ || !given_;
  out.pivots = pivots_;
  std::vector<Vec3> points;
  std::vector<double> numbers(at(number_count_));
  points_at(q, points);
  numbers_.evaluate({.q = &q}, numbers.data());
  // Radius ∝ m^{1/3}.
  double largest = 0;
  for (const Item& item : items_)
    if (item.kind == Item::Kind::ball && item.numbers > 0)
      largest = std::max(largest, std::abs(numbers[at(item.first_number)]));
  // Without balls the bodies are drawn where their rods end.
  const bool balls = std::any_of(items_.begin(), items_.end(), [](const Item& i) {
    return i.kind == Item::Kind::ball && !i.fixed;
  });
  for (const bool fixed : {true, false})
    for (const Item& item : items_) {
      // Rods that do not move come first; balls keep their order.
      if ((item.fixed && item.kind == Item::Kind::rod) != fixed) continue;
      const Vec3& a = points[at(item.first_point)];
      if (item.kind == Item::Kind::ball) {
        const double mass = item.numbers > 0 ? std::abs(numbers[at(item.first_number)]) : 1;
        (item.fixed ? out.fixed : out.bodies)
            .push_back({a, item.numbers > 0 && largest > 0 ? std::cbrt(mass / largest) : 1});
        continue;
      }
      const Vec3& b = points[at(item.first_point + item.stride)];
      const auto number = [&](int k, double otherwise) {
        return item.numbers > k ? numbers[at(item.first_number + k * item.stride)] : otherwise;
      };
      const double length = (b - a).norm(), relaxed = number(0, length);
      if (item.kind == Item::Kind::rod) (item.guide ? out.guides : out.links).push_back({a, b});
      if (item.kind == Item::Kind::arrow) out.arrows.push_back({a, b, 1});
      if (item.kind == Item::Kind::spring)
        out.springs.push_back({a, b, number(1, 1) * (length - relaxed), relaxed});
    }
  if (balls) return;
  // Bodies at the ends of rods or arrows, or where q_i is.
  for (int i = 0; i < n_; ++i)
    out.bodies.push_back({body_points_.empty() ? Vec3(q.col(i)) : points[at(body_points_[at(i)])],
                          given_ && !sphere_ ? 0.6 : 1.0});
}

const Figure::Shape& Figure::shape() const {
  std::call_once(shaped_, [this] { shape_ = find_shape(); });
  return shape_;
}

Figure::Shape Figure::find_shape() const {
  Shape out;
  const double cost = 3.0 * n_ * evaluation();
  if (!linear_ || n_ > max_levers || point_count_ == 0 || cost > max_measuring) return out;
  // x_p(q) = x_p(0) + Σ_j A_pj q_j: the centre, and |A_pj| as the reach of body j.
  const Columns zero = Columns::Zero(3, n_);
  points_at(zero, out.center);
  out.reach.assign(at(point_count_), 0);
  out.levers = Eigen::MatrixXd::Zero(n_, n_);
  bool multiples = !body_points_.empty();
  Columns d = Columns::Zero(3, n_);
  std::vector<Vec3> along[3];
  for (auto& list : along) list.resize(at(point_count_));
  for (int j = 0; j < n_; ++j) {
    for (int k = 0; k < 3; ++k) {
      d(k, j) = 1;
      points_.evaluate_along({.q = &zero}, d, along[k][0].data());
      d(k, j) = 0;
    }
    for (int p = 0; p < point_count_; ++p) {
      double square = 0;
      for (const auto& list : along) square += list[at(p)].squaredNorm();
      // Of a I it is a; of any matrix at most the root of the sum of squares.
      Mat3 slope;
      for (int k = 0; k < 3; ++k) slope.col(k) = along[k][at(p)];
      const double a = slope(0, 0);
      const bool multiple = (slope - a * Mat3::Identity()).norm() <= 1e-12 * std::sqrt(square);
      out.reach[at(p)] += multiple ? std::abs(a) : std::sqrt(square);
    }
    // The lever of body i by q_j, where A is a multiple of the identity.
    for (int i = 0; multiples && i < n_; ++i) {
      Mat3 slope;
      for (int k = 0; k < 3; ++k) slope.col(k) = along[k][at(body_points_[at(i)])];
      out.levers(i, j) = slope(0, 0);
      multiples = (slope - slope(0, 0) * Mat3::Identity()).norm() <= 1e-12 * slope.norm();
    }
  }
  if (!multiples) out.levers.resize(0, 0);
  return out;
}

double Figure::lever(int body, int link) const {
  if (body_points_.empty() || shape().levers.size() == 0) return body == link ? 1 : 0;
  return shape().levers(body, link);
}

Extent Figure::extent(bool gravity) const {
  const std::lock_guard lock(measuring_);
  Extent found = extent_ ? *extent_ : find_extent();
  if (!extent_ && !interrupted()) extent_ = found;
  found.gravity = gravity;
  return found;
}

Extent Figure::find_extent() const {
  Extent out{Vec3::Zero(), sphere_ || !given_ || body_points_.empty() ? 1.0 : 0.0};
  const Shape& s = shape();
  if (!s.center.empty()) {
    Vec3 low = s.center[0], high = s.center[0];
    for (const Vec3& c : s.center) {
      low = low.cwiseMin(c);
      high = high.cwiseMax(c);
    }
    if (out.radius == 0) out.center = (low + high) / 2;
    for (std::size_t p = 0; p < s.center.size(); ++p)
      out.radius = std::max(out.radius, (s.center[p] - out.center).norm() + s.reach[p]);
  } else if (point_count_ > 0) {
    // Points that are not linear in q: those of random states, with a margin.
    const auto samples =
        static_cast<unsigned>(std::clamp(max_measuring / (2 * evaluation()), 2.0, 64.0));
    constexpr double margin = 1.25;
    std::vector<Vec3> points;
    const auto each_point = [&](const auto& visit) {
      for (unsigned k = 0; k < samples && !interrupted(); ++k) {
        points_at(random_directions(n_, k), points);
        for (const Vec3& x : points)
          if (x.allFinite()) visit(x);
      }
    };
    Box box;
    each_point([&](const Vec3& x) { box.extend(x); });
    if (out.radius == 0 && !box.isEmpty()) out.center = box.center();
    each_point([&](const Vec3& x) {
      out.radius = std::max(out.radius, margin * (x - out.center).norm());
    });
  }
  if (!(out.radius > 0)) out.radius = 1;
  return out;
}

std::optional<Box> Figure::reached() const {
  const Shape& s = shape();
  if (sphere_ || s.center.empty()) return {};
  Box box;
  for (std::size_t p = 0; p < s.center.size(); ++p) {
    const Vec3 reach = Vec3::Constant(s.reach[p]);
    box.extend(Box(s.center[p] - reach, s.center[p] + reach));
  }
  return box;
}

}  // namespace twosphere::custom
