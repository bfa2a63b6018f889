// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/stage_derivative.h"

namespace twosphere {

StageDerivative::Followed::Followed(Eigen::Index n, std::size_t stages)
    : q(3, n), x(3, n), dq(stages, Columns(3, n)), dx(stages, Columns(3, n)) {}

void StageDerivative::Followed::sum(const std::vector<double>& factors, std::size_t count, double h,
                                    Columns& to_q, Columns& to_x) const {
  to_q = q;
  to_x = x;
  for (std::size_t j = 0; j < count; ++j) {
    if (factors[j] == 0) continue;
    to_q += (h * factors[j]) * dq[j];
    to_x += (h * factors[j]) * dx[j];
  }
}

StageDerivative::StageDerivative(const System& system, Formulation formulation, std::size_t stages)
    : equations_(system, formulation),
      stages_(stages),
      point_(system.size(), stages),
      q_(3, system.size()),
      x_(3, system.size()) {}

void StageDerivative::begin(const System& system, const State& state,
                            std::span<const TangentVector> vectors) {
  point_.q = state.q;
  equations_.equations().from_state(system, state, point_.x);
  equations_.start(system, state);
  vectors_.resize(vectors.size(), Followed(state.q.cols(), stages_));
  for (std::size_t a = 0; a < vectors.size(); ++a) {
    vectors_[a].q = vectors[a].q;
    equations_.from_state(system, state, vectors[a], vectors_[a].x);
  }
}

void StageDerivative::step(const System& system, const Tableau& tableau,
                           const std::vector<double>& b, double t, double h) {
  for (std::size_t i = 0; i < stages_; ++i) {
    point_.sum(tableau.a[i], i, h, q_, x_);
    equations_.at(system, t + tableau.c[i] * h, q_, x_, point_.dq[i], point_.dx[i]);
    for (Followed& vector : vectors_) {
      vector.sum(tableau.a[i], i, h, q_, x_);
      equations_.along(system, q_, x_, vector.dq[i], vector.dx[i]);
    }
  }
  point_.sum(b, stages_, h, point_.q, point_.x);
  for (Followed& vector : vectors_) vector.sum(b, stages_, h, vector.q, vector.x);
}

void StageDerivative::normalise() {
  for (Eigen::Index i = 0; i < q_.cols(); ++i) {
    const double length = point_.q.col(i).norm();
    const Vec3 q = point_.q.col(i) / length;
    point_.q.col(i) = q;
    for (Followed& vector : vectors_) vector.q.col(i) = tangent(q, vector.q.col(i)) / length;
  }
}

void StageDerivative::end(const System& system, double t, std::span<TangentVector> vectors) {
  equations_.at(system, t, point_.q, point_.x, point_.dq[0], point_.dx[0]);
  for (std::size_t a = 0; a < vectors.size(); ++a) {
    vectors[a].q = vectors_[a].q;
    equations_.to_omega(system, vectors_[a].q, vectors_[a].x, vectors[a].w);
  }
}

}  // namespace twosphere
