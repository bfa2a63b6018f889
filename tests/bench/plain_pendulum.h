// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>

namespace twosphere::test {

using PlainVector = std::array<double, 3>;
using PlainPair = std::array<PlainVector, 2>;

/// What the loops begin with: M, ∂V/∂q, q and q̇.
struct PlainStart {
  std::array<std::array<double, 2>, 2> inertia;
  PlainPair gradient, q, v;
};

/// The double spherical pendulum, with one tangent vector where Of::followed says so, as one would
/// write it for this purpose alone: the map of `variational` (variational_chain.cpp) and its
/// derivative in plain loops over two links, with the MEGNO of the vector. Of is a type of the file
/// that includes this, so that each compiles it with options of its own.
///
/// Notation: v_i = q̇_i, W = M⁻¹, a_i = Σ_j W_ij ∂V/∂q_j, constant; λ, μ multipliers.
///   q' = q + h v − (h²/2) a + W (λ∘q), |q'_i| = 1;  v' = v + W (λ∘q)/h − h a + W (μ∘q'), q'_i·v'_i
///   = 0
template <class Of>
class PlainPendulum {
 public:
  using Vector = PlainVector;
  using Pair = PlainPair;

  explicit PlainPendulum(const PlainStart& start)
      : q_(start.q), v_(start.v), weight_{start.inertia[0][0], start.inertia[1][1]} {
    const auto& inertia = start.inertia;
    const double det = inertia[0][0] * inertia[1][1] - inertia[0][1] * inertia[1][0];
    inverse_ = {
        {{inertia[1][1] / det, -inertia[0][1] / det}, {-inertia[1][0] / det, inertia[0][0] / det}}};
    a_ = times(start.gradient);
    // A direction of no significance.
    for (std::size_t i = 0; i < 2; ++i) {
      dq_[i] = {q_[i][1], q_[i][2] - q_[i][0], -q_[i][1]};
      const double along = dot(q_[i], dq_[i]);
      for (std::size_t c = 0; c < 3; ++c) dq_[i][c] -= along * q_[i][c];
      dv_[i] = {0, 0, 0};
      const double turn = -dot(dq_[i], v_[i]);
      for (std::size_t c = 0; c < 3; ++c) dv_[i][c] = turn * q_[i][c];
    }
    length_ = length();
  }

  const Pair& q() const { return q_; }
  double megno() const { return mean_ / elapsed_; }

  /// False if the iteration does not converge.
  bool step(double h) {
    Pair drift, next, pull;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t c = 0; c < 3; ++c) drift[i][c] = h * v_[i][c] - h * h / 2 * a_[i][c];
    for (int iteration = 0;; ++iteration) {
      if (iteration == 9) return false;
      pull = times(scaled(lambda_, q_));
      std::array<double, 2> residual{};
      for (std::size_t i = 0; i < 2; ++i) {
        Vector d;
        for (std::size_t c = 0; c < 3; ++c) {
          d[c] = drift[i][c] + pull[i][c];
          next[i][c] = q_[i][c] + d[c];
        }
        residual[i] = dot(q_[i], d) + dot(d, d) / 2 + (dot(q_[i], q_[i]) - 1) / 2;
      }
      if (std::abs(residual[0]) + std::abs(residual[1]) < 1e-15) break;
      const auto change = solve(next, q_, {-residual[0], -residual[1]});
      lambda_[0] += change[0];
      lambda_[1] += change[1];
    }
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t c = 0; c < 3; ++c) v_[i][c] += pull[i][c] / h - h * a_[i][c];
    const auto mu = solve(next, next, {-dot(next[0], v_[0]), -dot(next[1], v_[1])});
    add(times(scaled(mu, next)), v_);
    if constexpr (Of::followed) follow(h, next, mu);
    q_ = next;
    return true;
  }

 private:
  /// The vector: δq' = δq + h δv + W (λ∘δq + δλ∘q), q'_i·δq'_i = 0, with q' and its multipliers.
  void follow(double h, const Pair& next, const std::array<double, 2>& mu) {
    const Pair carried = times(scaled(lambda_, dq_));
    Pair moved;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t c = 0; c < 3; ++c) moved[i][c] = dq_[i][c] + h * dv_[i][c] + carried[i][c];
    const auto dlambda = solve(next, q_, {-dot(next[0], moved[0]), -dot(next[1], moved[1])});
    const Pair more = times(scaled(dlambda, q_));
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        moved[i][c] += more[i][c];
        dv_[i][c] += (carried[i][c] + more[i][c]) / h;
      }
    add(times(scaled(mu, moved)), dv_);
    const auto dmu = solve(next, next,
                           {-dot(next[0], dv_[0]) - dot(moved[0], v_[0]),
                            -dot(next[1], dv_[1]) - dot(moved[1], v_[1])});
    add(times(scaled(dmu, next)), dv_);
    dq_ = moved;

    elapsed_ += h;
    const double now = length();
    moments_ += elapsed_ * (now - length_);
    mean_ += h * (2 * moments_ / elapsed_);
    length_ = now;
    if (++since_ == 10) {
      since_ = 0;
      const double size = std::exp(length_);
      for (Pair* pair : {&dq_, &dv_})
        for (Vector& one : *pair)
          for (double& x : one) x /= size;
      length_ = 0;
    }
  }

  static double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  static Pair scaled(const std::array<double, 2>& s, const Pair& a) {
    Pair out;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t c = 0; c < 3; ++c) out[i][c] = s[i] * a[i][c];
    return out;
  }
  static void add(const Pair& a, Pair& to) {
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t c = 0; c < 3; ++c) to[i][c] += a[i][c];
  }
  Pair times(const Pair& a) const {
    Pair out;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t c = 0; c < 3; ++c)
        out[i][c] = inverse_[i][0] * a[0][c] + inverse_[i][1] * a[1][c];
    return out;
  }
  /// x with Σ_j W_ij (to_i·from_j) x_j = right_i.
  std::array<double, 2> solve(const Pair& to, const Pair& from,
                              const std::array<double, 2>& right) const {
    const double a = inverse_[0][0] * dot(to[0], from[0]), b = inverse_[0][1] * dot(to[0], from[1]),
                 c = inverse_[1][0] * dot(to[1], from[0]), d = inverse_[1][1] * dot(to[1], from[1]);
    const double det = a * d - b * c;
    return {(d * right[0] - b * right[1]) / det, (a * right[1] - c * right[0]) / det};
  }
  /// ln ‖δ‖
  double length() const {
    double sum = 0;
    for (std::size_t i = 0; i < 2; ++i)
      sum += weight_[i] * (10 * dot(dq_[i], dq_[i]) + dot(dv_[i], dv_[i]));
    return std::log(sum) / 2;
  }

  Pair q_, v_, dq_, dv_, a_;
  std::array<double, 2> weight_, lambda_{};
  std::array<std::array<double, 2>, 2> inverse_;
  double elapsed_ = 0, length_ = 0, moments_ = 0, mean_ = 0;
  int since_ = 0;
};

}  // namespace twosphere::test
