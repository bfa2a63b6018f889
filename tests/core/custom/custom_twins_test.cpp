// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in systems written as text are the same systems.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "tests/cases.h"
#include "tests/core/custom/definitions.h"
#include "tests/sanitized.h"

namespace twosphere::test::custom_twins_test {
namespace {

/// The largest difference of tangent parts at q, relative to the largest of them.
double apart(const Columns& q, const Columns& a, const Columns& b) {
  double most = 0, scale = 1e-300;
  for (Eigen::Index i = 0; i < a.cols(); ++i) {
    most = std::max(most, tangent(q.col(i), a.col(i) - b.col(i)).norm());
    scale = std::max(scale, tangent(q.col(i), b.col(i)).norm());
  }
  return most / scale;
}

/// Compares the potentials, their gradients and their second derivatives along v.
void expect_same_potential(const System& text, const System& own, const Columns& q,
                           const Columns& v) {
  const double value = own.potential(q);
  // A term of every pair, of the order of 1; they may cancel each other.
  const double pairs = static_cast<double>(q.cols() * (q.cols() - 1)) / 2;
  EXPECT_NEAR(text.potential(q), value, 1e-13 * (1 + std::abs(value)) + 1e-15 * pairs);
  Columns ga(3, q.cols()), gb = ga, ha = ga, hb = ga;
  text.gradient(q, ga);
  own.gradient(q, gb);
  EXPECT_LT(apart(q, ga, gb), 1e-12);
  text.hessian_times(q, v, ha);
  own.hessian_times(q, v, hb);
  // In the tangent planes, where both are the same second derivative of V.
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    ha.col(i) -= v.col(i) * q.col(i).dot(ga.col(i));
    hb.col(i) -= v.col(i) * q.col(i).dot(gb.col(i));
  }
  EXPECT_LT(apart(q, ha, hb), 1e-12);
}

class CustomTwin : public testing::TestWithParam<Twin> {
 protected:
  CustomTwin() : n_(GetParam().definition.bodies) {
    text_ = make(GetParam().definition);
    own_ = system_of(GetParam().key, n_, GetParam().values);
    q_ = directions(n_, 5, 0.3);
    v_ = tangents(q_, 6);
  }

  int n_;
  std::unique_ptr<const System> text_, own_;
  Columns q_, v_;
};
INSTANTIATE_TEST_SUITE_P(Systems, CustomTwin, testing::ValuesIn(twins()),
                         [](const auto& twin) { return twin.param.name; });

constexpr unsigned compared_states = sanitized ? 5 : 100;

TEST_P(CustomTwin, HasTheSamePotentialAndDerivatives) {
  for (unsigned k = 0; k < compared_states; ++k) {
    SCOPED_TRACE(k);
    const Columns q = directions(n_, 5 + 2 * k, 0.3);
    expect_same_potential(*text_, *own_, q, tangents(q, 6 + 2 * k));
  }
}

// As many as the largest preset has.
TEST(LargeCustomTwins, HaveTheSamePotentialAndDerivatives) {
  constexpr int n = 642;
  for (const Twin& twin : {n_body_twin(n), lennard_jones_twin(n, 0.1)}) {
    SCOPED_TRACE(twin.name);
    const auto own = system_of(twin.key, n, twin.values);
    std::vector<std::unique_ptr<const System>> texts;
    for (const char* back_end : {"tape", "llvm"}) {
      if (std::string_view(back_end) == "llvm" && !custom::code_is_possible()) continue;
      texts.push_back(by_back_end(back_end, [&] { return make(twin.definition); }));
      EXPECT_EQ(texts.back()->back_end(), back_end);
    }
    for (unsigned k = 0; k < compared_states; ++k) {
      SCOPED_TRACE(k);
      const Columns q = directions(n, 5 + 2 * k, 0.055), v = tangents(q, 6 + 2 * k);
      for (const auto& text : texts) expect_same_potential(*text, *own, q, v);
    }
  }
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
  const Values values = default_values(info.parameters);
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
}  // namespace twosphere::test::custom_twins_test
