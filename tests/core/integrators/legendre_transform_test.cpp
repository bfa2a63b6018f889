// SPDX-License-Identifier: GPL-3.0-or-later
// Starts by two positions: the discrete Legendre transforms [P1] (3.8) and (3.9).
#include "core/integrators/legendre_transform.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::legendre_transform_test {
namespace {

/// Those that the variational integrator moves: without kinetic energy ω follows from q alone.
std::vector<SystemCase> moved_cases() {
  std::vector<SystemCase> list = system_cases();
  const IntegratorInfo& method = method_info("variational");
  std::erase_if(list, [&](const SystemCase& c) { return !fits(method, c); });
  return list;
}

class TwoPositions : public testing::TestWithParam<SystemCase> {};
INSTANTIATE_TEST_SUITE_P(Catalog, TwoPositions, testing::ValuesIn(moved_cases()),
                         [](const auto& row) { return row.param.name; });

TEST_P(TwoPositions, OfAStepGiveTheVelocitiesFromWhichItIsTaken) {
  const SystemCase& c = GetParam();
  const auto [system, start] = started(c, 71);
  const double h = 0.01 * c.time;
  State end = start;
  ASSERT_TRUE(march(*system, *prepared("variational", *system, start), h, 1, end));
  State found = start;
  ASSERT_TRUE(velocities_between(*system, start.t, h, start.q, end.q, found.w).ok());
  EXPECT_LT((found.w - start.w).cwiseAbs().maxCoeff(), 1e-9 * start.w.cwiseAbs().maxCoeff());
  ASSERT_TRUE(march(*system, *prepared("variational", *system, found), h, 1, found));
  EXPECT_LT((found.q - end.q).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(LegendreTransform, LeavesTheVelocitiesAloneWhereThereIsNone) {
  const SystemCase& c = system_cases().front();
  const auto [system, start] = started(c, 72);
  State found = start;
  Columns next = start.q;
  next.col(1) = -start.q.col(1);
  const StepReport report = velocities_between(*system, 0, 0.01, start.q, next, found.w);
  EXPECT_EQ(report.status, StepStatus::step_too_large);
  EXPECT_EQ(report.body, 1);
  EXPECT_EQ(found.w, start.w);
}

/// A system whose inertia and gradient a test writes down by itself.
struct Written {
  std::string json;
  Eigen::MatrixXd m;
  std::function<Columns(const Columns&)> gradient;
  Columns q, next;
};

Columns directions(std::initializer_list<Vec3> list) {
  Columns q(3, static_cast<Eigen::Index>(list.size()));
  Eigen::Index i = 0;
  for (const Vec3& v : list) q.col(i++) = v.normalized();
  return q;
}

/// Π_i Σ_j M_ij q̇_j of a state.
Columns momenta(const Written& of, const State& state) {
  Columns v(3, state.size());
  for (Eigen::Index i = 0; i < v.cols(); ++i) v.col(i) = state.w.col(i).cross(state.q.col(i));
  Columns p = v * of.m;
  for (Eigen::Index i = 0; i < v.cols(); ++i) p.col(i) = tangent(state.q.col(i), p.col(i));
  return p;
}

void check(const Written& of, double h) {
  json::Node root = value_of(json::parse(of.json, "written"));
  root.set("initial", json::Node::object(
                          {{"q", columns_document(of.q)}, {"q_next", columns_document(of.next)}}));
  root.set("integrator", json::Node::object({{"type", "variational"}, {"step", h}}));
  const Scenario scenario = value_of(from_json(root, "written"));
  Simulation run = start(scenario);
  ASSERT_EQ(run.state(0).q, of.q);

  // (3.8): μ_k = Π_k [(1/h) Σ_j M_ij Δq_j + (h/2) ∂V/∂q_i]
  const Columns pushed = (of.next - of.q) * of.m / h, at_start = of.gradient(of.q),
                at_end = of.gradient(of.next), mu = momenta(of, run.state(0));
  const double scale = pushed.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < of.q.cols(); ++i) {
    const Vec3 expected = tangent(of.q.col(i), pushed.col(i) + h / 2 * at_start.col(i));
    EXPECT_LT((mu.col(i) - expected).norm(), 1e-12 * scale) << i;
  }
  // (3.9): μ_{k+1} = Π_{k+1} [(1/h) Σ_j M_ij Δq_j − (h/2) ∂V/∂q_i]
  march(run, 1);
  EXPECT_LT((run.state(0).q - of.next).cwiseAbs().maxCoeff(), 1e-14);
  const Columns mu_next = momenta(of, run.state(0));
  for (Eigen::Index i = 0; i < of.q.cols(); ++i) {
    const Vec3 expected = tangent(of.next.col(i), pushed.col(i) - h / 2 * at_end.col(i));
    EXPECT_LT((mu_next.col(i) - expected).norm(), 1e-11 * scale) << i;
  }
}

TEST(LegendreTransform, OfAChain) {
  Written chain{R"({"twosphere": 1, "duration": 1, "system": {"type": "chain_pendulum",
                    "masses": [1, 2, 0.5], "lengths": [1, 0.5, 0.75], "gravity": 9.81}})",
                Eigen::MatrixXd(3, 3),
                {},
                directions({{0.3, 0.1, 1}, {-0.2, 0.4, 1}, {0.5, -0.1, 0.8}}),
                directions({{0.31, 0.1, 1}, {-0.2, 0.43, 0.99}, {0.48, -0.12, 0.8}})};
  // M_ij = l_i l_j Σ_{k≥max(i,j)} m_k
  chain.m << 3.5, 1.25, 0.375, 1.25, 0.625, 0.1875, 0.375, 0.1875, 0.28125;
  chain.gradient = [](const Columns& q) {
    Columns g = Columns::Zero(3, q.cols());
    g.row(2) << -9.81 * 3.5, -9.81 * 2.5 * 0.5, -9.81 * 0.5 * 0.75;
    return g;
  };
  check(chain, 0.01);
}

TEST(LegendreTransform, OfBodiesOnASphere) {
  Written bodies{R"({"twosphere": 1, "duration": 1, "system": {"type": "n_body",
                     "masses": [1, 2, 0.5], "gamma": 0.7}})",
                 Eigen::Vector3d(1, 2, 0.5).asDiagonal().toDenseMatrix(),
                 {},
                 directions({{1, 0.1, 0.2}, {-0.2, 1, 0.3}, {0.1, -0.1, 1}}),
                 directions({{1, 0.11, 0.19}, {-0.2, 0.98, 0.32}, {0.12, -0.1, 1}})};
  // ∂V/∂q_i = −γ Σ_j q_j/(1 − (q_i·q_j)²)^{3/2}
  bodies.gradient = [](const Columns& q) {
    Columns g = Columns::Zero(3, q.cols());
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      for (Eigen::Index j = 0; j < q.cols(); ++j) {
        const double c = q.col(i).dot(q.col(j));
        if (j != i) g.col(i) -= 0.7 * std::pow(1 - c * c, -1.5) * q.col(j);
      }
    return g;
  };
  check(bodies, 0.02);
}

TEST(LegendreTransform, OfTheDoublePendulumInNumbers) {
  // m = 1 kg, l = 1 m, g = 10 m/s², the same q twice, h = 0.1 s: Δq = 0, so that (3.8) is
  // μ_1 = (h/2) Π_1 (−20 e3) = 0.6 t, t = (0.8, 0, −0.6), and μ_2 = (h/2) Π_2 (−10 e3) = 0. With
  // M = (2 1; 1 1), q̇_1 = a t and q̇_2 = b e1: 2 a + 0.8 b = 0.6 and 0.8 a + b = 0, so that
  // a = 0.6/1.36 and b = −0.48/1.36. It rises at first and is back after a step.
  const Scenario scenario = value_of(read_scenario(
      R"({"twosphere": 1, "system": {"type": "chain_pendulum", "masses": [1, 1], "lengths": [1, 1],
          "gravity": 10}, "initial": {"q": [[0.6, 0, 0.8], [0, 0, 1]],
          "q_next": [[0.6, 0, 0.8], [0, 0, 1]]},
          "integrator": {"type": "variational", "step": 0.1}, "duration": 1})",
      "double pendulum"));
  // ω = q × q̇: q_1 × t = e2, e3 × e1 = e2
  EXPECT_LT((scenario.omega.col(0) - Vec3(0, 0.6 / 1.36, 0)).norm(), 1e-14);
  EXPECT_LT((scenario.omega.col(1) - Vec3(0, -0.48 / 1.36, 0)).norm(), 1e-14);
}

TEST(LegendreTransform, OfAStartContinuesBitForBit) {
  const char* text = R"({"twosphere": 1, "system": {"type": "chain_pendulum", "masses": [1, 2],
      "lengths": 1, "damping": 0.1, "control_torque": {"type": "sine", "amplitude": [1, 0, 0],
      "frequency": 1, "phase": 1}}, "initial": {"q": [[0.6, 0, 0.8], [0, 0, 1]],
      "q_next": [[0.6, 0.01, 0.7999], [0.01, 0, 1]]},
      "integrator": {"type": "variational", "step": 0.01}, "duration": 1})";
  const Scenario scenario = value_of(read_scenario(text, "two positions"));
  const std::string written = write_scenario(scenario);
  EXPECT_TRUE(says(written, "\"omega\""));
  Simulation run = start(scenario, 10), again = start(value_of(read_scenario(written, "w")), 10);
  EXPECT_EQ(bytes(run), bytes(again));
  Simulation continued = loaded(run);
  march(run, 10);
  march(continued, 10);
  EXPECT_EQ(bytes(run), bytes(continued));
}

TEST(LegendreTransform, IsOfOneLaneOfTheVariationalIntegrator) {
  const std::string head = R"({"twosphere": 1, "system": {"type": "chain_pendulum", "masses": [1],
      "lengths": 1}, "initial": {"q": [[0, 0, 1]], "q_next": [[0, 0, 1]]}, "duration": 1, )";
  const auto refused = [&](const std::string& method) {
    const Error error = error_of(read_scenario(head + method + "}", "two positions"));
    EXPECT_EQ(error.kind, ErrorKind::usage);
    EXPECT_TRUE(says(error.text(), "initial.q_next"));
    return error.text();
  };
  EXPECT_TRUE(says(refused(R"("integrator": {"type": "rk4", "step": 0.01})"),
                   "needs the method variational, not rk4"));
  EXPECT_TRUE(says(refused(R"("lanes": [{"type": "variational", "step": 0.01},
                                        {"type": "variational", "step": 0.02}])"),
                   "needs a single lane of the method variational, not 2 lanes"));
}

TEST(LegendreTransform, IsNotOfASavedState) {
  Simulation run = start(preset(), 3);
  const json::Node next = columns_document(directions({{0, 0, 1}, {0, 0, 1}}));
  const Error error = error_of(with_setting(run.continuation(), "initial.q_next", next));
  EXPECT_TRUE(says(error.text(), "initial.q_next: cannot be given in a saved state"));
}

TEST(LegendreTransform, CanBeSetOnTheCommandLine) {
  const Columns next = directions({{0.1, 0, 1}, {0, 0.1, 1}});
  const Scenario moved =
      with(preset(), {{"initial.q", columns_document(directions({{0, 0, 1}, {0, 0, 1}}))},
                      {"initial.q_next", columns_document(next)}});
  Simulation run = start(moved, 1);
  EXPECT_LT((run.state(0).q - next).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace twosphere::test::legendre_transform_test
