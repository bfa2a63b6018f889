// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "core/integrator.h"
#include "core/tangent_solver.h"

namespace twosphere {

/// The scheme of [P1] (3.10)-(3.13) for one structure of the inertia matrix, without damping. As
/// Integrator, and in addition what compositions need.
class VariationalMethod {
 public:
  virtual ~VariationalMethod() = default;

  virtual void prepare(const System& system, const State& state) = 0;
  virtual StepReport advance(const System& system, double h, State& state) = 0;
  virtual void complete(const System& /*system*/, State& /*state*/) {}
  virtual void remember(Memory& memory) const { memory.clear(); }
  virtual bool restore(const Memory& memory) { return memory.empty(); }

  /// The flow of damping alone over a time s (of either sign), configuration held, by the implicit
  /// midpoint rule in the momentum:
  ///   p⁺ = p − s Π c ½ (q̇ + q̇⁺), that is Π[(M + α) q̇⁺] = Π[(M − α) q̇], α = s c/2.
  /// Its work −s c Σ |½ (q̇ + q̇⁺)|² is added to `work`. False, and nothing changed, if α is so
  /// negative that M + α is not positive definite on the tangent space.
  virtual bool damp(const System& system, double c, double s, State& state, double& work) = 0;

  /// Takes over all that another method of the same kind and size holds; allocates nothing.
  virtual void assign(const VariationalMethod& other) = 0;
  virtual std::unique_ptr<VariationalMethod> clone() const = 0;
};

/// A method that is copied whole.
template <class Method>
class Copied : public VariationalMethod {
 public:
  void assign(const VariationalMethod& other) final {
    static_cast<Method&>(*this) = static_cast<const Method&>(other);
  }
  std::unique_ptr<VariationalMethod> clone() const final {
    return std::make_unique<Method>(static_cast<const Method&>(*this));
  }
};

/// Explicit, for uncoupled bodies.
std::unique_ptr<VariationalMethod> make_variational(const DiagonalInertia&);
/// O(n) in the multipliers of |q_i| = 1.
std::unique_ptr<VariationalMethod> make_variational(const ChainInertia&);
/// In the increments of the directions; O(n) for rods, O(n³) for matrices.
std::unique_ptr<VariationalMethod> make_variational(const RodInertia&);
std::unique_ptr<VariationalMethod> make_variational(const DenseInertia&);
/// Discrete Euler-Lagrange equations in tangent coordinates, for m_ij(q).
std::unique_ptr<VariationalMethod> make_variational(const VariableInertia&);

/// Judges the iterates of Newton's method for lengths: r_i = ½ (|q_{i,k+1}|² − 1) = 0. At least
/// `least` corrections, at most `most`; from the second on the worst r must not double.
class LengthIteration {
 public:
  LengthIteration(int least, int most) : least_(least), most_(most) {}

  /// r_i of this iterate, and q_{i,k}·Δq_i: ≤ −1 after a quarter turn or more, where another root
  /// may have been found.
  void look(Eigen::Index i, double residual, double turn) {
    // Which body is worst cannot be foreseen, so there is no branch for it. Numbers without a sign
    // stand in the order of their bits, and what is no number above all.
    const auto magnitude = std::bit_cast<std::uint64_t>(std::abs(residual));
    const bool worse = magnitude > worst_;
    worst_ = worse ? magnitude : worst_;
    worst_body_ = worse ? i : worst_body_;
    if (turn <= -1 && turn < turned_) turned_ = turn, turned_body_ = i;
  }
  /// After all bodies: whether it was the last iterate, with the verdict in the report. Below 16 ε
  /// times `scale` another one would only move the worst r about in the rounding.
  bool ends(double scale, StepReport& report);

 private:
  int least_, most_, iteration_ = 0;
  double before_ = std::numeric_limits<double>::infinity();
  std::uint64_t worst_ = 0;  // the bits of the number
  double turned_ = 0;
  Eigen::Index worst_body_ = 0, turned_body_ = 0;
};

/// The tangent velocities q̇ after VariationalMethod::damp().
class Damping {
 public:
  explicit Damping(const Inertia& inertia);
  /// Brings v from q̇ to q̇⁺; see VariationalMethod::damp().
  bool apply(const Inertia& inertia, const Columns& q, double c, double s, Columns& v,
             double& work);

 private:
  TangentSolver solver_;
  Columns rest_, change_;
  Eigen::VectorXd extra_;
};

}  // namespace twosphere
