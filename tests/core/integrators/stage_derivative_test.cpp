// SPDX-License-Identifier: GPL-3.0-or-later
// The derivatives of steps of Runge-Kutta methods, stage by stage.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <variant>
#include <vector>

#include "core/mechanics/dynamics.h"
#include "tests/pairs.h"

namespace twosphere::test::stage_derivative_test {
namespace {

Values values_of(const IntegratorInfo& info, std::size_t formulation) {
  Values values = default_values(info.parameters);
  values["formulation"] = {static_cast<double>(formulation)};
  // One inner step, whatever the state.
  if (info.adaptive) values["relative_tolerance"] = values["absolute_tolerance"] = {1e40};
  return values;
}

bool takes_stages(const Pair& p) {
  const IntegratorInfo& info = method_info(p.method.key);
  return std::any_of(info.parameters.begin(), info.parameters.end(),
                     [](const ParameterInfo& one) { return one.key == "formulation"; });
}

/// The end of one step from the state at s of a curve that leaves `at` along the vector.
State end_of_step(const System& system, const IntegratorInfo& info, const Values& values, double h,
                  const State& at, const TangentVector& v, double s) {
  State state = at;
  for (Eigen::Index i = 0; i < at.q.cols(); ++i) {
    state.q.col(i) = (at.q.col(i) + s * v.q.col(i)).normalized();
    state.w.col(i) = tangent(state.q.col(i), at.w.col(i) + s * v.w.col(i));
  }
  const auto method = info.create(values);
  method->prepare(system, state);
  EXPECT_TRUE(method->advance(system, h, state).ok());
  method->complete(system, state);
  return state;
}

class StageDerivatives : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Catalog, StageDerivatives, testing::ValuesIn(pairs(takes_stages)),
                         pair_name<SystemCase>);

TEST_P(StageDerivatives, AgreeWithDifferencesInEveryFormulation) {
  const SystemCase& c = GetParam().system;
  const IntegratorInfo& info = method_info(GetParam().method.key);
  const auto [system, start] = started(c, 51);
  const double h = 0.03 * c.time;
  for (std::size_t formulation = 0; formulation < std::size(formulation_names); ++formulation) {
    SCOPED_TRACE(formulation_names[formulation]);
    const Values values = values_of(info, formulation);
    const auto method = info.create(values);
    method->prepare(*system, start);
    TangentMap* derivative = method->stage_derivative(*system);
    // Second derivatives of M(q) occur contracted only in the momentum forms. Systems of first
    // order have one form.
    const bool variable = std::holds_alternative<VariableInertia>(system->inertia()),
               of_first_order = first_order(*system);
    ASSERT_EQ(derivative == nullptr, (of_first_order && formulation > 0) ||
                                         system->has_velocity_force() ||
                                         (variable && formulation < 2));
    if (!derivative) continue;
    const std::vector<TangentVector> vectors{tangent_vector(start, 61), tangent_vector(start, 62)};
    std::vector<TangentVector> images = vectors;
    State state = start;
    ASSERT_TRUE(derivative->advance(*system, h, state, images).ok());
    // The step itself.
    const State plain = end_of_step(*system, info, values, h, start, vectors[0], 0);
    EXPECT_LT((state.q - plain.q).cwiseAbs().maxCoeff(), 1e-14);
    for (std::size_t a = 0; a < vectors.size(); ++a) {
      TangentVector difference{Columns::Zero(3, c.n), Columns::Zero(3, c.n)};
      constexpr double spacing = 3e-4;
      for (const auto& [at, weight] :
           {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
        const State end = end_of_step(*system, info, values, h, start, vectors[a], at * spacing);
        difference.q += weight / (12 * spacing) * end.q;
        difference.w += weight / (12 * spacing) * end.w;
      }
      const double size = std::max(1.0, difference.w.cwiseAbs().maxCoeff());
      EXPECT_LT((images[a].q - difference.q).cwiseAbs().maxCoeff(), 1e-8 * size);
      // Vectors of first order are δq alone.
      if (of_first_order) difference.w.setZero();
      EXPECT_LT((images[a].w - difference.w).cwiseAbs().maxCoeff(), 1e-8 * size);
    }
  }
}

}  // namespace
}  // namespace twosphere::test::stage_derivative_test
