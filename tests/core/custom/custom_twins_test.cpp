// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in systems written as text are the same systems.
#include <gtest/gtest.h>

#include <cmath>

#include "core/mechanics/diagnostics.h"
#include "tests/core/custom/definitions.h"

namespace twosphere::test {
namespace {

class CustomTwin : public testing::TestWithParam<Twin> {
 protected:
  CustomTwin() : n_(GetParam().definition.bodies) {
    text_ = make(GetParam().definition);
    own_ = built_in(GetParam().key, n_, GetParam().values);
    q_ = directions(n_, 5, 0.3);
    v_ = tangents(q_, 6);
  }
  /// The largest difference of tangent parts, relative to the largest of them.
  double apart(const Columns& a, const Columns& b) const {
    double most = 0, scale = 1e-300;
    for (Eigen::Index i = 0; i < a.cols(); ++i) {
      most = std::max(most, tangent(q_.col(i), a.col(i) - b.col(i)).norm());
      scale = std::max(scale, tangent(q_.col(i), b.col(i)).norm());
    }
    return most / scale;
  }

  int n_;
  std::unique_ptr<const System> text_, own_;
  Columns q_, v_;
};
INSTANTIATE_TEST_SUITE_P(Systems, CustomTwin, testing::ValuesIn(twins()),
                         [](const auto& twin) { return twin.param.name; });

TEST_P(CustomTwin, HasTheSamePotentialAndDerivatives) {
  const double v = own_->potential(q_);
  EXPECT_NEAR(text_->potential(q_), v, 1e-13 * (1 + std::abs(v)));
  Columns a(3, n_), b(3, n_);
  text_->gradient(q_, a);
  own_->gradient(q_, b);
  EXPECT_LT(apart(a, b), 1e-12);
  text_->hessian_times(q_, v_, a);
  own_->hessian_times(q_, v_, b);
  // In the tangent planes, where both are the same second derivative of V.
  Columns ga(3, n_), gb(3, n_);
  text_->gradient(q_, ga);
  own_->gradient(q_, gb);
  for (Eigen::Index i = 0; i < n_; ++i) {
    a.col(i) -= v_.col(i) * q_.col(i).dot(ga.col(i));
    b.col(i) -= v_.col(i) * q_.col(i).dot(gb.col(i));
  }
  EXPECT_LT(apart(a, b), 1e-12);
}

TEST_P(CustomTwin, HasTheSameInertia) {
  const Eigen::MatrixXd a = dense(text_->inertia(), q_), b = dense(own_->inertia(), q_);
  EXPECT_LT((a - b).norm(), 1e-14 * b.norm());
  EXPECT_EQ(text_->inertia().index(), own_->inertia().index()) << "the same structure";
  const auto* x = std::get_if<VariableInertia>(&text_->inertia());
  if (!x) return;
  const auto* y = std::get_if<VariableInertia>(&own_->inertia());
  Eigen::MatrixXd s = Eigen::MatrixXd::Random(n_, n_), da(n_, n_), db(n_, n_);
  s = s + s.transpose().eval();
  Columns ra = Columns::Ones(3, n_), rb = ra;
  x->field->slopes(q_, s, ra);
  y->field->slopes(q_, s, rb);
  EXPECT_LT((ra - rb).norm(), 1e-13 * rb.norm());
  x->field->slopes_along(q_, s, v_, ra);
  y->field->slopes_along(q_, s, v_, rb);
  EXPECT_LT((ra - rb).norm(), 1e-13 * rb.norm());
  x->field->derivative_along(q_, v_, da);
  y->field->derivative_along(q_, v_, db);
  EXPECT_LT((da - db).norm(), 1e-13 * db.norm());
}

TEST_P(CustomTwin, HasTheSameForces) {
  EXPECT_EQ(text_->has_external_force(), own_->has_external_force());
  EXPECT_EQ(text_->time_dependent(), own_->time_dependent());
  Columns a(3, n_), b(3, n_);
  text_->force(0.3, q_, a);
  own_->force(0.3, q_, b);
  EXPECT_LT((a - b).norm(), 1e-15);
  ASSERT_EQ(text_->damping().size(), own_->damping().size());
  EXPECT_LT((text_->damping() - own_->damping()).norm(), 1e-15);
  EXPECT_EQ(text_->conserved_momentum(), own_->conserved_momentum());
}

TEST_P(CustomTwin, IsDrawnTheSame) {
  Geometry a, b;
  text_->geometry(q_, a);
  own_->geometry(q_, b);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i)
    EXPECT_LT((a.bodies[i].position - b.bodies[i].position).norm(), 1e-14);
  ASSERT_EQ(a.links.size(), b.links.size());
  for (std::size_t i = 0; i < a.links.size(); ++i)
    EXPECT_LT((a.links[i].from - b.links[i].from).norm() + (a.links[i].to - b.links[i].to).norm(),
              1e-14);
  ASSERT_EQ(a.springs.size(), b.springs.size());
  for (std::size_t i = 0; i < a.springs.size(); ++i)
    EXPECT_NEAR(a.springs[i].tension, b.springs[i].tension, 1e-13);
  EXPECT_EQ(a.arrows.size(), b.arrows.size());
  EXPECT_EQ(a.sphere, b.sphere);
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) EXPECT_NEAR(text_->lever(i, j), own_->lever(i, j), 1e-15);
  // Its ball contains all points.
  const Extent ball = text_->extent();
  EXPECT_EQ(ball.gravity, own_->extent().gravity);
  EXPECT_LT(ball.radius, 2 * own_->extent().radius);
  for (const Geometry::Body& body : a.bodies)
    EXPECT_LE((body.position - ball.center).norm(), ball.radius * (1 + 1e-12));
}

TEST_P(CustomTwin, MovesTheSameWay) {
  constexpr int steps = 200;
  const IntegratorInfo& info = *find_integrator("rk4");
  Values values;
  for (const ParameterInfo& p : info.parameters)
    values[std::string(p.key)] = default_numbers(p, n_);
  State states[2];
  const System* systems[] = {text_.get(), own_.get()};
  for (int k = 0; k < 2; ++k) {
    State& state = states[k];
    state.q = q_;
    state.w = 0.1 * v_;
    const auto method = info.create(values);
    method->prepare(*systems[k], state);
    for (int s = 0; s < steps; ++s) {
      ASSERT_TRUE(method->advance(*systems[k], 1e-4, state).ok());
      state.t += 1e-4;
    }
    method->complete(*systems[k], state);
  }
  EXPECT_LT((states[0].q - states[1].q).norm(), 1e-12);
  EXPECT_LT((states[0].w - states[1].w).norm(), 1e-12 * (1 + states[1].w.norm()));
}

}  // namespace
}  // namespace twosphere::test
