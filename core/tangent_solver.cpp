// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tangent_solver.h"

namespace twosphere {

TangentSolver::TangentSolver(const Inertia& inertia) {
  const int n = size(inertia);
  if (std::holds_alternative<ChainInertia>(inertia) || std::holds_alternative<RodInertia>(inertia))
    nodes_.resize(static_cast<std::size_t>(n));
  if (std::holds_alternative<DenseInertia>(inertia) ||
      std::holds_alternative<VariableInertia>(inertia))
    matrices_.emplace(n);
}

// Decompositions of something, so that copies of them are of something too.
TangentSolver::Matrices::Matrices(int n)
    : m(Eigen::MatrixXd::Identity(n, n)),
      inverse(m),
      system(m),
      llt(m),
      lu(m),
      right(n),
      lambda(n),
      rest(3, n),
      scaled(3, n) {}

bool TangentSolver::solve(const Inertia& inertia, const Columns& q, const Problem& problem,
                          Columns& a) {
  struct Solve {
    TangentSolver& self;
    const Columns& q;
    const Problem& p;
    Columns& a;

    bool operator()(const DiagonalInertia& diagonal) const {
      bool definite = true;
      for (Eigen::Index i = 0; i < a.cols(); ++i) {
        const Vec3 c = p.left.col(i), e = p.right.col(i);
        const double m = diagonal.m[i];
        Vec3 rest = p.rest.col(i);
        if (p.known) rest += m * p.known->col(i);
        const double sum = p.extra ? m + (*p.extra)[i] : m;
        definite = definite && sum > 0;
        a.col(i) = (c * (e.dot(rest) / e.dot(c)) - rest) / sum;
      }
      return definite;
    }
    bool operator()(const ChainInertia& chain) const {
      return self.solve_serial(chain.mass, chain.length, nullptr, p, a);
    }
    bool operator()(const RodInertia& rod) const {
      return self.solve_serial(rod.mass, rod.length, &rod.own, p, a);
    }
    bool operator()(const DenseInertia& dense) const {
      self.matrices_->m = dense.matrix;
      return self.solve_matrix(p, a);
    }
    bool operator()(const VariableInertia& variable) const {
      variable.field->evaluate(q, self.matrices_->m);
      return self.solve_matrix(p, a);
    }
  };
  return std::visit(Solve{*this, q, problem, a}, inertia);
}

bool TangentSolver::solve_serial(const Eigen::VectorXd& mass, const Eigen::VectorXd& length,
                                 const Eigen::VectorXd* own, const Problem& p, Columns& out) {
  const auto n = out.cols();
  const bool symmetric = &p.left == &p.right;
  bool definite = true;
  Mat3 a = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  for (auto i = n; i-- > 0;) {
    Node& node = nodes_[static_cast<std::size_t>(i)];
    const double l = length[i];
    const double own_inertia = own ? (*own)[i] : 0;
    const double d = own_inertia + (p.extra ? (*p.extra)[i] : 0);
    a.diagonal().array() += mass[i];
    node.a = a;
    node.b = b;
    node.right = tangent_basis(p.right.col(i));
    node.left = symmetric ? node.right : tangent_basis(p.left.col(i));
    const Eigen::Matrix<double, 3, 2> ae = l * (a * node.right);
    Eigen::Matrix2d s = l * (node.left.transpose() * ae);
    if (d != 0) s += d * (node.left.transpose() * node.right);
    definite = definite && s(0, 0) > 0 && s.determinant() > 0;
    node.inverse = s.inverse();
    // Eliminate the link: what the masses from here on ask of the one above.
    Vec3 pull = b, rest = p.rest.col(i);
    if (p.known) {
      pull += l * (a * p.known->col(i));
      rest += own_inertia * p.known->col(i);
    }
    const Eigen::Vector2d u = -node.inverse * (node.left.transpose() * (l * pull + rest));
    b = pull + ae * u;
    const Eigen::Matrix<double, 2, 3> fa = l * (node.left.transpose() * a);
    a -= ae * (node.inverse * fa);
  }
  Vec3 above = Vec3::Zero();  // acceleration of the mass before
  for (Eigen::Index i = 0; i < n; ++i) {
    const Node& node = nodes_[static_cast<std::size_t>(i)];
    const double l = length[i];
    Vec3 rest = p.rest.col(i);
    if (p.known) {
      above += l * p.known->col(i);
      if (own) rest += (*own)[i] * p.known->col(i);
    }
    const Eigen::Vector2d u =
        -node.inverse * (node.left.transpose() * (l * (node.a * above + node.b) + rest));
    out.col(i) = node.right * u;
    above += l * out.col(i);
  }
  return definite || !symmetric;
}

bool TangentSolver::solve_matrix(const Problem& p, Columns& a) {
  auto& [m, inverse, system, llt, lu, right, lambda, rest, scaled] = *matrices_;
  rest = p.rest;
  if (p.known) rest.noalias() += *p.known * m;
  if (p.extra) m.diagonal() += *p.extra;
  llt.compute(m);
  if (llt.info() != Eigen::Success) return false;
  inverse.setIdentity();
  llt.solveInPlace(inverse);
  scaled.noalias() = rest * inverse;
  const auto n = a.cols();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j)
      system(i, j) = inverse(i, j) * p.right.col(i).dot(p.left.col(j));
    right[i] = p.right.col(i).dot(scaled.col(i));
  }
  lu.compute(system);
  lambda = lu.solve(right);
  rest.noalias() = p.left * lambda.asDiagonal();
  a.noalias() = rest * inverse;
  a -= scaled;
  return true;
}

}  // namespace twosphere
