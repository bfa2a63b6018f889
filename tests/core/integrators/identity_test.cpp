// SPDX-License-Identifier: GPL-3.0-or-later
// Several forms of one thing: of the variational integrator, of an inertia, of the momenta.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "core/mechanics/dynamics.h"
#include "tests/cases.h"
#include "tests/recast.h"

namespace twosphere::test::identity_test {
namespace {

class Identity : public testing::TestWithParam<SystemCase> {};
INSTANTIATE_TEST_SUITE_P(Systems, Identity, testing::ValuesIn(system_cases()),
                         [](const auto& p) { return p.param.name; });

bool variable(const System& system) {
  return std::holds_alternative<VariableInertia>(system.inertia());
}

Columns velocities(const State& s) {
  Columns v(3, s.size());
  for (int i = 0; i < s.size(); ++i) v.col(i) = s.w.col(i).cross(s.q.col(i));
  return v;
}

/// G = ∂V/∂q − f.
Columns total_gradient(const System& system, double t, const Columns& q) {
  Columns g(3, q.cols()), f = Columns::Zero(3, q.cols());
  generalised_gradient(system, t, q, g, f);
  return g;
}

TEST_P(Identity, CayleyFormAndRattleAreTheMultiplierForm) {
  // [P1] (3.13)-(3.16) in 3n Cayley coordinates, and the multipliers of SHAKE and RATTLE, against
  // the form that the inertia asks for, each step from the same state, and a whole trajectory.
  const SystemCase& c = GetParam();
  const auto system = make_system(c);
  if (variable(*system)) return;
  const double h = 0.005 * c.time;
  for (const char* form : {"variational_cayley", "rattle"}) {
    SCOPED_TRACE(form);
    State s = generic_start(c.n, c.spread, c.speed, 41), other = s;
    auto ours = prepared("variational", *system, s), theirs = prepared(form, *system, other);
    double step = 0;
    for (int k = 0; k < 200; ++k) {
      s.t = other.t = k * h;
      State same = s;
      ours->complete(*system, same);
      auto fresh = prepared(form, *system, same);
      ASSERT_TRUE(fresh->advance(*system, h, same).ok());
      ASSERT_TRUE(ours->advance(*system, h, s).ok());
      ASSERT_TRUE(theirs->advance(*system, h, other).ok());
      step = std::max(step, (s.q - same.q).cwiseAbs().maxCoeff());
    }
    ours->complete(*system, s);
    theirs->complete(*system, other);
    EXPECT_LT(step, 4e-15);                // measured: 3e-16
    EXPECT_LT(distance(s, other), 1e-11);  // measured: 1.3e-12
  }
}

/// The two-step form of [P1] (3.6)-(3.7) for a constant M, as written there but for the unknown,
/// Δq_k = q_{k+1} − q_k, which keeps rounding from entering as ε/h²:
///   Σ_j M_ij (Δq_{j,k} − Δq_{j,k−1}) + h² G_{i,k} = λ_i q_{i,k},  |q_{i,k} + Δq_{i,k}| = 1,
/// λ by Newton. Its first step is (3.10): Σ_j M_ij (Δq_{j,0} − h q̇_j) + (h²/2) G_{i,0} = λ_i
/// q_{i,0}.
class PositionForm {
 public:
  PositionForm(const System& system, const State& start, double h)
      : system_(system),
        inverse_(dense(system.inertia(), start.q).inverse()),
        h_(h),
        q_(start.q),
        change_(h * velocities(start)) {}

  bool advance(double t) {
    const double weight = first_ ? 0.5 : 1;
    first_ = false;
    const Columns drift = change_ - weight * h_ * h_ * total_gradient(system_, t, q_) * inverse_;
    const auto n = q_.cols();
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(n), residual(n);
    for (int iteration = 0; iteration < 20; ++iteration) {
      change_ = drift + (q_ * lambda.asDiagonal()) * inverse_;
      const Columns next = q_ + change_;
      Eigen::MatrixXd slope(n, n);
      for (Eigen::Index i = 0; i < n; ++i) {
        residual[i] = q_.col(i).dot(change_.col(i)) + change_.col(i).squaredNorm() / 2 +
                      (q_.col(i).squaredNorm() - 1) / 2;
        for (Eigen::Index j = 0; j < n; ++j)
          slope(i, j) = inverse_(i, j) * next.col(i).dot(q_.col(j));
      }
      if (residual.cwiseAbs().maxCoeff() < 3e-16) break;
      lambda -= slope.partialPivLu().solve(residual);
    }
    q_ += change_;
    return residual.cwiseAbs().maxCoeff() < 1e-14;
  }
  const Columns& q() const { return q_; }

 private:
  const System& system_;
  Eigen::MatrixXd inverse_;
  double h_;
  Columns q_, change_;
  bool first_ = true;
};

TEST_P(Identity, PositionFormIsTheSameTrajectory) {
  const SystemCase& c = GetParam();
  const auto system = make_system(c);
  if (variable(*system) || damped(*system)) return;
  const double h = 0.005 * c.time;
  State s = generic_start(c.n, c.spread, c.speed, 42);
  auto integrator = prepared("variational", *system, s);
  PositionForm positions(*system, s, h);
  double worst = 0, way = 0;
  const Columns start = s.q;
  for (int k = 0; k < 400; ++k) {
    s.t = k * h;
    ASSERT_TRUE(integrator->advance(*system, h, s).ok());
    ASSERT_TRUE(positions.advance(k * h)) << k;
    worst = std::max(worst, (s.q - positions.q()).cwiseAbs().maxCoeff());
    way = std::max(way, (s.q - start).cwiseAbs().maxCoeff());
  }
  EXPECT_GT(way, 0.1);
  EXPECT_LT(worst, 4e-13);  // measured: 2e-14
}

TEST_P(Identity, StepsFulfilTheDiscreteEulerLagrangeEquations) {
  // Of L_d(q_k, q_{k+1}) = (1/2h) Σ ½ [m_ij(q_k) + m_ij(q_{k+1})] Δq_i·Δq_j − (h/2)(V_k + V_{k+1}),
  // nothing but L_d itself and the forces' virtual work: Π_k {D₂L_d(q_{k−1}, q_k) + D₁L_d(q_k,
  // q_{k+1})
  // + h f_k} = 0. Derivatives by differences of fourth order.
  const SystemCase& c = GetParam();
  const auto system = make_system(c);
  if (damped(*system)) return;
  const double h = 0.02 * c.time;
  const auto discrete = [&](const Columns& a, const Columns& b) {
    const Columns change = b - a;
    const Eigen::MatrixXd m = (dense(system->inertia(), a) + dense(system->inertia(), b)) / 2;
    return (change * m).cwiseProduct(change).sum() / (2 * h) -
           h / 2 * (system->potential(a) + system->potential(b));
  };
  State s = generic_start(c.n, c.spread, c.speed, 43);
  auto integrator = prepared("variational", *system, s);
  Columns before = s.q;
  ASSERT_TRUE(integrator->advance(*system, h, s).ok());
  for (int k = 1; k <= 5; ++k) {
    const Columns here = s.q;
    s.t = k * h;
    Columns f = Columns::Zero(3, c.n);
    if (system->has_external_force()) system->force(s.t, here, f);
    ASSERT_TRUE(integrator->advance(*system, h, s).ok());
    double worst = 0, scale = 0;
    for (int i = 0; i < c.n; ++i) {
      Vec3 slope, one;
      for (int axis = 0; axis < 3; ++axis) {
        const auto at = [&](double d) {
          Columns q = here;
          q(axis, i) += d;
          return std::pair(discrete(before, q), discrete(q, s.q));
        };
        constexpr double d = 2e-4;
        const auto [a1, b1] = at(-2 * d);
        const auto [a2, b2] = at(-d);
        const auto [a3, b3] = at(d);
        const auto [a4, b4] = at(2 * d);
        one[axis] = (8 * (a3 - a2) - (a4 - a1)) / (12 * d);
        slope[axis] = one[axis] + (8 * (b3 - b2) - (b4 - b1)) / (12 * d);
      }
      worst = std::max(worst, tangent(here.col(i), slope + h * f.col(i)).norm());
      scale = std::max(scale, tangent(here.col(i), one).norm());
    }
    EXPECT_LT(worst, 1e-11 * scale) << "step " << k;  // measured: 8e-13
    before = here;
  }
}

TEST_P(Identity, LegendreTransformsAndBack) {
  // (q, ω) → (q, q̇), (q, μ), (q, π) and back, and the definitions of the momenta.
  const SystemCase& c = GetParam();
  const auto system = make_system(c);
  const State s = generic_start(c.n, c.spread, 1, 44);
  const Eigen::MatrixXd m = dense(system->inertia(), s.q);
  const Columns v = velocities(s);
  for (std::size_t f = 0; f < 4; ++f) {
    const auto formulation = static_cast<Formulation>(f);
    EquationsOfMotion equations(*system, formulation);
    Columns x(3, c.n), back(3, c.n);
    equations.from_state(*system, s, x);
    for (int i = 0; i < c.n; ++i) {
      const Vec3 q = s.q.col(i);
      Vec3 p = Vec3::Zero(), pi = m(i, i) * s.w.col(i);
      for (int j = 0; j < c.n; ++j) {
        p += m(i, j) * v.col(j);
        if (j != i)  // hat(q_i)ᵀ m_ij hat(q_j) ω_j
          pi += m(i, j) * hat(q).transpose() * (hat(s.q.col(j)) * s.w.col(j));
      }
      const Vec3 mu = tangent(q, p);
      const Vec3 expected = formulation == Formulation::omega      ? Vec3(s.w.col(i))
                            : formulation == Formulation::velocity ? Vec3(v.col(i))
                            : formulation == Formulation::momentum ? mu
                                                                   : pi;
      EXPECT_LT((x.col(i) - expected).norm(), 1e-14 * (1 + m.cwiseAbs().maxCoeff())) << f;
      EXPECT_LT((pi - q.cross(mu)).norm(), 1e-14 * (1 + m.cwiseAbs().maxCoeff()));
    }
    equations.to_omega(*system, s.t, s.q, x, back);
    EXPECT_LT((back - s.w).cwiseAbs().maxCoeff(), 1e-13) << formulation_names[f];
  }
}

/// Runs the VI on both systems from one start; the largest distance of the states at the end.
double apart(const System& a, const System& b, const SystemCase& c, int steps) {
  State s = generic_start(c.n, c.spread, c.speed, 45), other = s;
  auto first = make_integrator("variational"), second = make_integrator("variational");
  first->prepare(a, s);
  second->prepare(b, other);
  const double h = 0.005 * c.time;
  EXPECT_TRUE(march(a, *first, h, steps, s));
  EXPECT_TRUE(march(b, *second, h, steps, other));
  return distance(s, other);
}

TEST_P(Identity, TheFormOfTheInertiaChangesNoTrajectory) {
  // The dense form, and for chains the rod's with no inertia of its own, D = 0.
  const SystemCase& c = GetParam();
  const auto system = make_system(c);
  if (variable(*system)) return;
  const auto matrix = as_matrix(make_system(c));
  EXPECT_LT(apart(*system, *matrix, c, 200), 2e-12);  // measured: 1e-13
  const auto* chain = std::get_if<ChainInertia>(&system->inertia());
  if (!chain) return;
  const Recast rod(make_system(c), RodInertia(chain->mass, chain->length,
                                              Eigen::VectorXd::Zero(c.n), chain->base_mass));
  EXPECT_LT(apart(*system, rod, c, 200), 5e-13);  // measured: 3e-14
  const Recast other(make_system(c),
                     RodInertia(chain->mass, chain->length, Eigen::VectorXd::Constant(c.n, 1e-3),
                                chain->base_mass));
  EXPECT_GT(apart(*system, other, c, 200), 1e-6) << "an inertia of its own must be felt";
}

TEST(Forms, AnyPositiveDefiniteMatrixWillDo) {
  // M without structure, entries of both signs; Cayley coordinates, RATTLE and (3.6) are the
  // references.
  const SystemCase& c = *std::find_if(system_cases().begin(), system_cases().end(),
                                      [](const auto& row) { return row.name == "chain_of_5"; });
  std::mt19937 generator(46);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd root(c.n, c.n);
  for (double& x : root.reshaped()) x = normal(generator);
  const Recast system(make_system(c),
                      DenseInertia(root * root.transpose() + Eigen::MatrixXd::Identity(c.n, c.n)));
  const State start = generic_start(c.n, c.spread, c.speed, 47);
  const auto end = [&](const char* key) {
    State s = start;
    auto integrator = prepared(key, system, s);
    EXPECT_TRUE(march(system, *integrator, 0.01, 200, s)) << key;
    return s;
  };
  const State s = end("variational");
  PositionForm positions(system, start, 0.01);
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(positions.advance(0));
  EXPECT_LT(distance(s, end("variational_cayley")), 3e-13);  // measured: 2e-14
  EXPECT_LT(distance(s, end("rattle")), 3e-13);
  EXPECT_LT((s.q - positions.q()).cwiseAbs().maxCoeff(), 2e-14);  // measured: 9e-16
}

TEST(Forms, PlainExplicitStepDiffersByRoundingAndWalksOffTheSphere) {
  // (3.17)-(3.18) as printed, on the network: one step the same to rounding; over many |q| walks,
  // and so does q·ω, where the form in use holds both.
  const SystemCase& c = *std::find_if(system_cases().begin(), system_cases().end(),
                                      [](const auto& row) { return row.name == "network"; });
  const auto system = make_system(c);
  const Eigen::VectorXd& m = std::get<DiagonalInertia>(system->inertia()).m;
  const double h = 1e-3;
  const auto plain = [&](State& s) {
    Columns g(3, c.n), g_next(3, c.n), q = s.q;
    system->gradient(s.q, g);
    for (int i = 0; i < c.n; ++i) {
      const Vec3 qi = s.q.col(i);
      const Vec3 a = h * s.w.col(i) - h * h / (2 * m[i]) * qi.cross(g.col(i));
      q.col(i) = a.cross(qi) + std::sqrt(1 - a.squaredNorm()) * qi;
    }
    system->gradient(q, g_next);
    for (int i = 0; i < c.n; ++i)
      s.w.col(i) -=
          h / (2 * m[i]) * (Vec3(s.q.col(i)).cross(g.col(i)) + Vec3(q.col(i)).cross(g_next.col(i)));
    s.q = q;
  };
  const auto off = [](const State& s) {
    double length = 0, tangency = 0;
    for (int i = 0; i < s.size(); ++i) {
      length = std::max(length, unit_length_error(s.q.col(i)));
      tangency = std::max(tangency, std::abs(s.q.col(i).dot(s.w.col(i))) / s.w.col(i).norm());
    }
    return std::pair(length, tangency);
  };
  State s = generic_start(c.n, c.spread, c.speed, 48), printed = s;
  auto integrator = prepared("variational", *system, s);
  ASSERT_TRUE(integrator->advance(*system, h, s).ok());
  plain(printed);
  EXPECT_LT((s.q - printed.q).cwiseAbs().maxCoeff(), 4e-16);
  for (int k = 1; k < 50'000; ++k) {
    ASSERT_TRUE(integrator->advance(*system, h, s).ok());
    plain(printed);
  }
  EXPECT_LT(off(s).first, 4.5e-16);
  EXPECT_LT(off(s).second, 4.5e-16);
  EXPECT_GT(off(printed).first, 3e-15);
  EXPECT_GT(off(printed).second, 3e-15);  // measured: 1.2e-14
}

}  // namespace
}  // namespace twosphere::test::identity_test
