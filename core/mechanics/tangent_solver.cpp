// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/tangent_solver.h"

#include <cassert>
#include <limits>

namespace twosphere {

TangentSolver::TangentSolver(const Inertia& inertia) {
  const int n = size(inertia);
  if (std::holds_alternative<ChainInertia>(inertia) || std::holds_alternative<RodInertia>(inertia))
    serial_.emplace(n);
  if (std::holds_alternative<DenseInertia>(inertia) ||
      std::holds_alternative<VariableInertia>(inertia))
    matrices_.emplace(n);
}

TangentSolver::Matrices::Matrices(int n)
    : m(Eigen::MatrixXd::Identity(n, n)),
      inverse(m),
      system(m),
      cholesky(n),
      lu(n),
      right(n),
      lambda(n),
      rest(3, n),
      scaled(3, n) {}

void TangentSolver::solve(const Inertia& inertia, const Columns& q, const Problem& problem,
                          Columns& a, bool again) {
  struct Solve {
    TangentSolver& self;
    const Columns& q;
    const Problem& p;
    Columns& a;
    bool again;

    void operator()(const DiagonalInertia& diagonal) const {
      for (Eigen::Index i = 0; i < a.cols(); ++i) {
        const Vec3 c = p.left.col(i), e = p.right.col(i);
        const double m = diagonal.m[i];
        Vec3 rest = p.rest.col(i);
        // a = (c (e·r)/(e·c) − r)/(m + d), with r including M ν e
        if (p.normal) rest += m * (*p.normal)[i] * e;
        a.col(i) = (c * (e.dot(rest) / e.dot(c)) - rest) / (p.extra ? m + (*p.extra)[i] : m);
      }
    }
    void operator()(const ChainInertia& chain) const {
      self.serial_->solve({chain.mass, chain.length, chain.inverse_length, nullptr, p.extra,
                           p.normal, p.left, p.right, p.rest, chain.base_mass},
                          a);
    }
    void operator()(const RodInertia& rod) const {
      self.serial_->solve({rod.mass, rod.length, rod.inverse_length, &rod.rotary_inertia, p.extra,
                           p.normal, p.left, p.right, p.rest, rod.base_mass},
                          a);
    }
    void operator()(const DenseInertia& dense) const {
      // O(n³) only if the matrix is new.
      if (!again) self.matrices_->m = dense.matrix;
      self.solve_matrix(p, a, again);
    }
    void operator()(const VariableInertia& variable) const {
      if (!again) variable.field->evaluate(q, self.matrices_->m);
      self.solve_matrix(p, a, again);
    }
    void operator()(const NoInertia&) const {
      assert(!"systems of first order have no accelerations");
      a.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  };
  std::visit(Solve{*this, q, problem, a, again}, inertia);
}

bool TangentSolver::definite(const Inertia& inertia, const Columns& q, const Eigen::VectorXd& d) {
  struct Definite {
    TangentSolver& self;
    const Columns& q;
    const Eigen::VectorXd& d;

    bool operator()(const DiagonalInertia& diagonal) const {
      // m_i + d_i > 0 for every body.
      return ((diagonal.m + d).array() > 0).all();
    }
    bool operator()(const ChainInertia& chain) const {
      return SerialSolver::definite(chain.mass, chain.length, nullptr, chain.base_mass, d, q);
    }
    bool operator()(const RodInertia& rod) const {
      return SerialSolver::definite(rod.mass, rod.length, &rod.rotary_inertia, rod.base_mass, d, q);
    }
    bool operator()(const DenseInertia& dense) const { return matrix(dense.matrix); }
    bool operator()(const VariableInertia& variable) const {
      variable.field->evaluate(q, self.matrices_->m);
      return matrix(self.matrices_->m);
    }
    bool operator()(const NoInertia&) const { return false; }

   private:
    bool matrix(const Eigen::MatrixXd& m) const {
      // Cholesky decomposition of M + diag d exists.
      self.matrices_->inverse = m;
      self.matrices_->inverse.diagonal() += d;
      return self.matrices_->cholesky.compute(self.matrices_->inverse);
    }
  };
  return std::visit(Definite{*this, q, d}, inertia);
}

void TangentSolver::solve_matrix(const Problem& p, Columns& a, bool again) {
  auto& [m, inverse, system, cholesky, lu, right, lambda, rest, scaled] = *matrices_;
  // r + M (ν∘e)
  rest = p.rest;
  if (p.normal) {
    scaled.noalias() = p.right * p.normal->asDiagonal();
    rest.noalias() += scaled * m;
  }
  const auto n = a.cols();
  if (!again) {
    // X = (M + diag d)⁻¹
    if (p.extra) m.diagonal() += *p.extra;
    if (!cholesky.compute(m)) {
      a.setConstant(std::numeric_limits<double>::quiet_NaN());
      return;
    }
    inverse.setIdentity();
    cholesky.solve_in_place(inverse);
    // n×n matrix X_ij (e_i·c_j) of the multipliers λ.
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        system(i, j) = inverse(i, j) * p.right.col(i).dot(p.left.col(j));
    lu.compute(system);
  }
  // λ from e_i·[X r]_i, then a = X (λ∘c − r)
  scaled.noalias() = rest * inverse;
  for (Eigen::Index i = 0; i < n; ++i) right[i] = p.right.col(i).dot(scaled.col(i));
  lu.solve(right, lambda);
  rest.noalias() = p.left * lambda.asDiagonal();
  a.noalias() = rest * inverse;
  a -= scaled;
}

}  // namespace twosphere
