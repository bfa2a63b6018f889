// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/catalog.h"
#include "core/mechanics/system.h"

/// A system of first order for the tests.
namespace twosphere::test {

/// Spins on a ring: with bonds between neighbours, the last and the first among them if there are
/// three or more,
///
///   H = −Σ_bonds [J q_i·q_j + D·(q_i × q_j)] − Σ_i [K (n·q_i)² + B·q_i],
///   f_i = F (1, 0, sin 2πt) + a × q_i
class SpinRing final : public System {
 public:
  /// κ and c: one for all or one per body; no damping if all c are 0.
  SpinRing(int n, const Values& values)
      : inertia_(NoInertia{n}),
        strength_(per_body(n, values, "strength")),
        damping_(per_body(n, values, "damping")),
        exchange_(number(values, "exchange")),
        anisotropy_(number(values, "anisotropy")),
        push_(number(values, "push")),
        dm_(vector(values, "dm")),
        axis_(vector(values, "axis").normalized()),
        field_(vector(values, "field")),
        torque_(vector(values, "spin_torque")) {
    if (damping_.isZero(0)) damping_.resize(0);
  }

  int size() const override { return twosphere::size(inertia_); }
  const Inertia& inertia() const override { return inertia_; }
  const Eigen::VectorXd& strength() const override { return strength_; }
  const Eigen::VectorXd& damping() const override { return damping_; }

  double potential(const Columns& q) const override {
    double sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 a = q.col(i);
      const double along = axis_.dot(a);
      sum -= anisotropy_ * along * along + field_.dot(a);
      if (const Eigen::Index j = next(i); j >= 0) {
        const Vec3 b = q.col(j);
        sum -= exchange_ * a.dot(b) + dm_.dot(a.cross(b));
      }
    }
    return sum;
  }
  void gradient(const Columns& q, Columns& g) const override {
    hessian_times(q, q, g);
    g.colwise() -= field_;
  }
  void hessian_times(const Columns& /*q*/, const Columns& v, Columns& h) const override {
    for (Eigen::Index i = 0; i < v.cols(); ++i) {
      const Vec3 a = v.col(i);
      h.col(i) = -2 * anisotropy_ * axis_.dot(a) * axis_;
    }
    for (Eigen::Index i = 0; i < v.cols(); ++i)
      if (const Eigen::Index j = next(i); j >= 0) {
        const Vec3 a = v.col(i), b = v.col(j);
        h.col(i) -= exchange_ * b + b.cross(dm_);
        h.col(j) -= exchange_ * a + dm_.cross(a);
      }
  }

  TermKinds term_kinds() const override {
    return {.known = true,
            .square = false,
            .cross = !dm_.isZero(0),
            .logarithmic = false,
            .anisotropy = anisotropy_ != 0,
            .turning_force = !torque_.isZero(0)};
  }
  PairTerms pair_terms() const override {
    PairTerms terms;
    for (Eigen::Index i = 0; i < strength_.size(); ++i)
      if (const Eigen::Index j = next(i); j >= 0)
        terms.pairs.push_back({static_cast<int>(i), static_cast<int>(j), -exchange_, 0, -dm_});
    terms.field = field_ * Eigen::RowVectorXd::Ones(strength_.size());
    if (anisotropy_ != 0)
      terms.anisotropy = Eigen::VectorXd::Constant(strength_.size(), anisotropy_);
    terms.axis = axis_;
    return terms;
  }

  bool has_external_force() const override { return push_ != 0 || !torque_.isZero(0); }
  bool time_dependent() const override { return push_ != 0; }
  void force(double t, const Columns& q, Columns& f) const override {
    const Vec3 push = push_ * Vec3(1, 0, std::sin(2 * M_PI * t));
    for (Eigen::Index i = 0; i < q.cols(); ++i) f.col(i) = push + torque_.cross(Vec3(q.col(i)));
  }
  void force_slope(double /*t*/, const Columns& /*q*/, const Columns& v,
                   Columns& d) const override {
    for (Eigen::Index i = 0; i < v.cols(); ++i) d.col(i) = torque_.cross(Vec3(v.col(i)));
  }

  std::array<bool, 3> conserved_momentum() const override {
    if (damped(*this) || has_external_force()) return {false, false, false};
    std::array<bool, 3> kept{};
    for (int k = 0; k < 3; ++k) {
      const Vec3 e = Vec3::Unit(k);
      const auto along = [&](const Vec3& v) { return v.cross(e).isZero(0); };
      kept[static_cast<std::size_t>(k)] =
          along(field_) && along(dm_) && (anisotropy_ == 0 || along(axis_));
    }
    return kept;
  }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    out.sphere = true;
    for (Eigen::Index i = 0; i < q.cols(); ++i) out.bodies.push_back({q.col(i), 1});
  }
  Extent extent() const override { return {}; }

 private:
  static double number(const Values& values, std::string_view key) {
    return numbers_of(values, key).at(0);
  }
  static Vec3 vector(const Values& values, std::string_view key) {
    return Vec3(numbers_of(values, key).data());
  }
  static Eigen::VectorXd per_body(int n, const Values& values, std::string_view key) {
    const auto& list = numbers_of(values, key);
    if (list.size() == 1) return Eigen::VectorXd::Constant(n, list[0]);
    return Eigen::Map<const Eigen::VectorXd>(list.data(), n);
  }
  /// The other end of the bond that begins at a body; −1: none begins there.
  Eigen::Index next(Eigen::Index i) const {
    const Eigen::Index n = strength_.size();
    if (i + 1 < n) return i + 1;
    return n > 2 ? 0 : -1;
  }

  Inertia inertia_;
  Eigen::VectorXd strength_, damping_;
  double exchange_, anisotropy_, push_;
  Vec3 dm_, axis_, field_, torque_;
};

inline const SystemInfo& spin_ring() {
  static const SystemInfo info = [] {
    const auto parameter = [](std::string_view key, Shape shape, double value) {
      return ParameterInfo{.key = key,
                           .symbol = key,
                           .label = key,
                           .unit = "1",
                           .help = key,
                           .shape = shape,
                           .default_value = value};
    };
    SystemInfo made{
        .key = "spin_ring",
        .title = "Ring of spins",
        .description = "Spins on a ring, of the tests.",
        .equations = "H = −Σ J qᵢ·qⱼ − …",
        .reference = "none",
        .parameters = {parameter("strength", Shape::per_body, 1),
                       parameter("damping", Shape::per_body, 0),
                       parameter("exchange", Shape::scalar, 1),
                       parameter("anisotropy", Shape::scalar, 0),
                       parameter("push", Shape::scalar, 0), parameter("dm", Shape::vector, 0),
                       parameter("axis", Shape::vector, 1), parameter("field", Shape::vector, 0),
                       parameter("spin_torque", Shape::vector, 0)},
        .momentum_columns = {true, true, true},
        .first_order = true};
    made.motion = [](int) { return std::string("polar0"); };
    made.create = [](int n, const Values& values) -> Result<std::unique_ptr<const System>> {
      return std::unique_ptr<const System>(std::make_unique<SpinRing>(n, values));
    };
    return made;
  }();
  return info;
}

/// Makes "spin_ring" known to scenarios; may be called again.
inline void add_spin_ring() {
  static const bool once = static_cast<bool>(add_system(spin_ring()));
  (void)once;
}

/// A ring with these numbers and the defaults of the others.
inline std::unique_ptr<const SpinRing> make_spin_ring(int n, Values values = {}) {
  values.merge(default_values(spin_ring().parameters, n));
  return std::make_unique<SpinRing>(n, values);
}

/// Directions of a start that is the same in every run: q_i ∝ (sin(1.7i + 0.3), cos 2.3i, sin(0.9i
/// + 0.5)).
inline Columns ring_start(int n) {
  Columns q(3, n);
  for (int i = 0; i < n; ++i)
    q.col(i) =
        Vec3(std::sin(1.7 * i + 0.3), std::cos(2.3 * i), std::sin(0.9 * i + 0.5)).normalized();
  return q;
}

}  // namespace twosphere::test
