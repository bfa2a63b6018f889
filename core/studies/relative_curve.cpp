// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/relative_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/decompositions.h"
#include "core/base/interrupt.h"
#include "core/base/root.h"
#include "core/mechanics/tangent_hessian.h"
#include "core/mechanics/turn_between.h"
#include "core/studies/turning_potential.h"

namespace twosphere {

namespace {

/// A direction in the space of q and Ω.
struct Heading {
  Columns q;
  double rate = 0;
};

/// The equations of the curve about a place, and Newton's method for them.
class CurveEquations {
 public:
  CurveEquations(const TurningSystem& turning, const RelativePlace& from)
      : turning_(turning),
        axis_(Vec3::Unit(turning.axis)),
        about_(*turning.rest, axis_),
        factors_(2 * from.q.cols() + 2) {
    // Ω₀ is of the size of the rates that there are.
    Eigen::VectorXd inertia;
    diagonal(turning.system->inertia(), from.q, inertia);
    const Eigen::MatrixXd hessian = tangent_matrix(TangentHessian(*turning.rest, from.q), from.q);
    unit_ = std::abs(from.rate) + std::sqrt(hessian.norm() / inertia.sum());
  }

  double momentum(const RelativePlace& at) const {
    return at.rate * about_.inertia(at.q) + about_.strength(at.q);
  }
  /// dμ along a heading.
  double momentum_along(const RelativePlace& at, const Heading& heading) const {
    return slope(at).cwiseProduct(heading.q).sum() + about_.inertia(at.q) * heading.rate;
  }
  /// The gradient of μ as a heading, the other way for a direction of −1.
  Heading uphill(const RelativePlace& at, int direction) const {
    return {direction * slope(at), direction * about_.inertia(at.q) * unit_ * unit_};
  }

  double dot(const Heading& a, const Heading& b) const {
    return a.q.cwiseProduct(b.q).sum() + a.rate * b.rate / (unit_ * unit_);
  }

  /// The direction of the curve, of length 1, on the side of a heading.
  std::optional<Heading> direction(const RelativePlace& at, const Heading& towards) {
    if (!build(at, towards)) return {};
    Eigen::VectorXd right = Eigen::VectorXd::Zero(system_.rows()), x;
    right[right.size() - 1] = 1;
    factors_.solve(right, x);
    if (!x.allFinite()) return {};
    Heading out = heading_of(at, x);
    const double length = std::sqrt(dot(out, out));
    out.q /= length;
    out.rate /= length;
    return out;
  }

  /// The place on the curve in the plane through `at` across a heading.
  std::optional<RelativePlace> corrected(RelativePlace at, const Heading& across) {
    constexpr int max_iterations = 8;
    constexpr double wanted = 1e-15, rounding = 1e-12, longest = 0.3;
    double last = std::numeric_limits<double>::infinity();
    for (iterations_ = 0; iterations_ <= max_iterations; ++iterations_) {
      if (!build(at, across)) return {};
      const double rest = residual_.norm();
      if (rest <= wanted || (rest <= rounding && rest >= last)) return at;
      last = rest;
      Eigen::VectorXd right = Eigen::VectorXd::Zero(system_.rows()), x;
      right.head(residual_.size()) = -residual_;
      factors_.solve(right, x);
      if (!x.allFinite()) return {};
      const Heading step = heading_of(at, x);
      if (dot(step, step) > longest * longest) return {};
      at = moved(at, step, 1);
    }
    return {};
  }
  int iterations() const { return iterations_; }

  static RelativePlace moved(const RelativePlace& from, const Heading& heading, double length) {
    RelativePlace to{from.q + length * heading.q, from.rate + length * heading.rate};
    to.q.colwise().normalize();
    return to;
  }

 private:
  /// ∂(Ω I + k)/∂q.
  Columns slope(const RelativePlace& at) const {
    return at.rate * about_.inertia_slope(at.q) + about_.strength_slope(at.q);
  }

  Heading heading_of(const RelativePlace& at, const Eigen::VectorXd& x) const {
    const Eigen::Index size = 2 * at.q.cols();
    return {from_tangent_coordinates(at.q, x.head(size)), unit_ * x[size]};
  }

  /// With x, w = Ω/Ω₀ and a multiplier of the rotation y, which vanishes, as unknowns, and rows
  /// relative to their scale:
  ///
  ///   H x − Ω₀ ∂μ w + y τ = −g,  y·x = 0,  t·(x, w) = s
  bool build(const RelativePlace& at, const Heading& heading) {
    const TurningPotential potential(turning_.rest, turning_.axis, TurningPotential::Held::rate,
                                     at.rate);
    const TangentHessian hessian(potential, at.q);
    const Eigen::MatrixXd matrix = tangent_matrix(hessian, at.q);
    Columns turned(3, at.q.cols());
    for (Eigen::Index i = 0; i < at.q.cols(); ++i) turned.col(i) = axis_.cross(Vec3(at.q.col(i)));
    const Eigen::VectorXd y = to_tangent_coordinates(at.q, turned).normalized();
    const Eigen::Index size = matrix.rows();
    const double scale = hessian.gradient().colwise().norm().sum() + matrix.norm();
    residual_ = to_tangent_coordinates(at.q, hessian.gradient()) / scale;
    system_.setZero(size + 2, size + 2);
    system_.topLeftCorner(size, size) = matrix / scale;
    system_.col(size).head(size) = to_tangent_coordinates(at.q, slope(at)) * (-unit_ / scale);
    system_.col(size + 1).head(size) = y;
    system_.row(size).head(size) = y;
    system_.row(size + 1).head(size) = to_tangent_coordinates(at.q, heading.q);
    system_(size + 1, size) = heading.rate / unit_;
    const double length = system_.row(size + 1).norm();
    system_.row(size + 1) /= length > 0 ? length : 1;
    if (!system_.allFinite() || !residual_.allFinite()) return false;
    factors_.compute(system_);
    return true;
  }

  const TurningSystem& turning_;
  Vec3 axis_;
  Turning about_;
  double unit_ = 1;  // Ω₀
  LuFactors factors_;
  Eigen::MatrixXd system_;
  Eigen::VectorXd residual_;  // g relative to its scale
  int iterations_ = 0;
};

/// A zero of f in [a, b], where it has the values fa and fb of different signs. None where f has
/// none of its values.
template <class Function>
std::optional<double> zero_between(double a, double fa, double b, double fb, double small,
                                   const Function& f) {
  constexpr int max_iterations = 100;
  FalsePosition ends(a, fa, b, fb);
  for (int k = 0; k < max_iterations; ++k) {
    const double x = ends.next();
    const std::optional<double> fx = f(x);
    if (!fx) return {};
    if (std::abs(*fx) <= small || ends.is_end(x)) return x;
    ends.add(x, *fx);
  }
  return ends.last();
}

class CurveFollower {
 public:
  CurveFollower(const TurningSystem& turning, const RelativePlace& from,
                const std::vector<double>& momenta)
      : equations_(turning, from), from_(from), momenta_(momenta) {
    about_[static_cast<std::size_t>(turning.axis)] = true;
    const auto [least, most] = std::minmax_element(momenta_.begin(), momenta_.end());
    min_ = *least;
    max_ = *most;
    spread_ = std::max(std::abs(min_), std::abs(max_));
  }

  RelativeWay follow(int direction) {
    constexpr int max_steps = 5000;
    constexpr double first = 0.02, longest = 0.1, shortest = 1e-7, straight = 0.95;
    start_ = from_;
    const auto begun = equations_.direction(from_, equations_.uphill(from_, direction));
    if (!begun) return way_;
    heading_ = *begun;
    double length = first;
    for (int k = 0; k < max_steps && length > shortest && !interrupted(); ++k) {
      const auto next = at(length);
      const int iterations = equations_.iterations();
      const auto ahead = next ? equations_.direction(*next, carried_to(*next)) : std::nullopt;
      if (!ahead || equations_.dot(carried_to(*next), *ahead) < straight) {
        length /= 2;
        continue;
      }
      if (on_axis_between(*next) || !add_points(*next, *ahead, length)) return way_;
      start_ = *next;
      heading_ = *ahead;
      if (iterations <= 4) length = std::min(longest, 1.3 * length);
    }
    return way_;
  }

 private:
  /// The place on the curve at an arclength behind the present start.
  std::optional<RelativePlace> at(double length) {
    return equations_.corrected(CurveEquations::moved(start_, heading_, length), heading_);
  }

  /// The present heading in the tangent planes of another place.
  Heading carried_to(const RelativePlace& place) const {
    Heading out = heading_;
    for (Eigen::Index i = 0; i < out.q.cols(); ++i)
      out.q.col(i) = tangent(place.q.col(i), heading_.q.col(i));
    return out;
  }

  /// Whether all bodies pass the axis: what lies behind is the same curve, turned by 180°.
  bool on_axis_between(const RelativePlace& next) const {
    double same = 0;
    for (std::size_t k = 0; k < 3; ++k)
      if (!about_[k]) {
        const auto row = static_cast<Eigen::Index>(k);
        same += start_.q.row(row).dot(next.q.row(row));
      }
    return same <= 0;
  }

  /// Adds what lies between the start and `next`, so far behind it; false where the curve ends.
  bool add_points(const RelativePlace& next, const Heading& ahead, double length) {
    const double before = equations_.momentum_along(start_, heading_),
                 behind = equations_.momentum_along(next, ahead);
    double begin = 0, momentum = equations_.momentum(start_);
    if (before * behind < 0) {
      const auto where =
          zero_between(0, before, length, behind, 1e-14 * std::abs(before), [&](double s) {
            std::optional<double> along;
            if (const auto place = at(s))
              if (const auto heading = equations_.direction(*place, carried_to(*place)))
                along = equations_.momentum_along(*place, *heading);
            return along;
          });
      const auto turn = where ? at(*where) : std::nullopt;
      if (turn) {
        const double there = equations_.momentum(*turn);
        if (!add_between(begin, momentum, *where, there)) return false;
        if (there >= min_ && there <= max_) way_.points.push_back({*turn, true});
        begin = *where;
        momentum = there;
      }
    }
    const double end = equations_.momentum(next);
    if (!add_between(begin, momentum, length, end)) return false;
    return end >= min_ && end <= max_;
  }

  /// Adds the given momenta on a part of the curve without a turn; false if it has closed.
  bool add_between(double begin, double from, double end, double to) {
    std::vector<double> inside;
    for (const double momentum : momenta_)
      if ((momentum - from) * (momentum - to) <= 0 && std::abs(momentum - from) > 1e-12 * spread_)
        inside.push_back(momentum);
    std::sort(inside.begin(), inside.end());
    if (to < from) std::reverse(inside.begin(), inside.end());
    for (const double momentum : inside) {
      const auto where =
          zero_between(begin, from - momentum, end, to - momentum, 1e-15 * spread_, [&](double s) {
            std::optional<double> off;
            if (const auto place = at(s)) off = equations_.momentum(*place) - momentum;
            return off;
          });
      const auto place = where ? at(*where) : std::nullopt;
      if (!place) continue;
      way_.closed = std::abs(momentum - equations_.momentum(from_)) <= 1e-9 * spread_ &&
                    turn_between(place->q, from_.q, about_) <= 1e-6;
      if (way_.closed) return false;
      way_.points.push_back({*place, false});
    }
    return true;
  }

  CurveEquations equations_;
  const RelativePlace& from_;
  const std::vector<double>& momenta_;
  std::array<bool, 3> about_{};
  double min_ = 0, max_ = 0, spread_ = 0;
  RelativePlace start_;  // of the present step
  Heading heading_;
  RelativeWay way_;
};

}  // namespace

RelativeWay follow_relative_curve(const TurningSystem& turning, const RelativePlace& from,
                                  int direction, const std::vector<double>& momenta) {
  return CurveFollower(turning, from, momenta).follow(direction);
}

}  // namespace twosphere
