// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/step_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>

#include "core/mechanics/first_order.h"
#include "core/run/simulation.h"
#include "tests/outcome.h"
#include "tests/pairs.h"
#include "tests/runs.h"

namespace twosphere::test::step_map_test {
namespace {

Values all_values(const IntegratorInfo& info, Values values = {}) {
  values.merge(default_values(info.parameters));
  return values;
}

struct StepMapOfEveryPair : testing::TestWithParam<Pair> {
  const SystemCase& c = GetParam().system;
  std::unique_ptr<const System> system = make_system(c);
  const IntegratorInfo& info = method_info(GetParam().method.key);
  Values values = all_values(info);
  State state = [this] {
    State s = generic_start(c.n, c.spread, c.speed, 51);
    if (first_order(*system)) first_order_velocity(*system, s.t, s.q, s.w);
    return s;
  }();

  /// Whether the flow itself preserves the form: not with damping, nor with a torque, which has no
  /// potential.
  bool symplectic_flow() const {
    const auto torque = c.values.find("control_torque");
    return !damped(*system) && (torque == c.values.end() || !system->has_external_force() ||
                                torque->second == std::vector<double>{0, 0, 0, 0});
  }
};
INSTANTIATE_TEST_SUITE_P(Catalog, StepMapOfEveryPair, testing::ValuesIn(pairs()),
                         pair_name<SystemCase>);
INSTANTIATE_TEST_SUITE_P(LinearTerms, StepMapOfEveryPair, testing::ValuesIn(linear_pairs()),
                         pair_name<SystemCase>);

TEST_P(StepMapOfEveryPair, IsSymplecticToRoundingIfItSaysSo) {
  // Of order 4 longer, so that the defect, of order 5, is far above rounding.
  const double h = (info.symplectic ? 0.01 : info.order == 4 ? 0.08 : 0.05) * c.time;
  // More than one inner step: the first is as long as it is from any start.
  if (info.adaptive && info.reversible) values["first_step"] = {0.3 * h};
  const auto found = value_of(symplecticity_defect({*system, info, values, h}, state));
  EXPECT_EQ(found.dimension, (first_order(*system) ? 2 : 4) * c.n);
  EXPECT_EQ(found.directions, found.dimension);
  // By the tangent map or that of the stages, or by differences.
  const auto method = info.create(values);
  method->prepare(*system, state);
  EXPECT_EQ(found.spacing == 0, method->tangent_map(*system) || method->stage_derivative(*system));
  const double ratio = found.defect / found.rounding;
  RecordProperty("defect_over_rounding", std::to_string(ratio));
  // Of the adaptive methods of higher order, and of those that are exact to rounding, nothing can
  // be seen.
  if (info.symplectic && symplectic_flow()) {
    EXPECT_LT(ratio, 2);  // 0.73 at most was measured
  } else if (info.symplectic || info.order < 6 || (!info.adaptive && info.order <= 8)) {
    EXPECT_GT(ratio, 20);  // at steps of 0.05 rk4 on three bodies had 80, rkmk4 14
  }
}

TEST_P(StepMapOfEveryPair, IsCalledSymplecticOnlyIfItIs) {
  for (const double h : {0.01 * c.time, 0.02 * c.time}) {
    const auto found = value_of(symplecticity_defect({*system, info, values, h}, state));
    if (info.symplectic && symplectic_flow())
      EXPECT_EQ(found.verdict, Symplecticity::symplectic) << h;
    else
      EXPECT_NE(found.verdict, Symplecticity::symplectic) << h;
  }
}

TEST_P(StepMapOfEveryPair, ComesBackToRoundingIfItSaysSo) {
  // Longer where an error of higher order is to be seen, and more so where ω follows from q and is
  // small: that of rk4 falls as h⁶ there and back.
  const bool seen = info.reversible || (info.order < 4 && !first_order(*system));
  const double h = (seen ? 0.01 : first_order(*system) ? 0.1 : 0.02) * c.time;
  // Tolerances that leave an error to see.
  if (info.adaptive && !info.reversible) values["relative_tolerance"] = {1e-3};
  const auto found = value_of(reversal_error({*system, info, values, h}, state));
  EXPECT_EQ(found.steps, 100);
  EXPECT_EQ(found.rounding, 100 * 0x1p-52);
  const double ratio = found.distance / found.rounding;
  RecordProperty("distance_over_rounding", std::to_string(ratio));
  if (info.reversible)
    EXPECT_LT(ratio, 40);  // 11 at most was measured
  else
    EXPECT_GT(ratio, 100);  // 430 at least
}

class FourFormulations : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Formulations, FourFormulations, testing::Values(0, 1, 2, 3));

TEST_P(FourFormulations, AreMeasuredAlike) {
  const SystemCase& c = system_cases().front();
  const auto system = make_system(c);
  const IntegratorInfo& info = *find_integrator("rk4");
  const Values values = all_values(info, {{"formulation", {static_cast<double>(GetParam())}}});
  const State state = generic_start(c.n, c.spread, c.speed, 51);
  // The local error of order 5 is what is not symplectic, halving by halving.
  std::vector<double> defects;
  for (const double h : {0.4, 0.2, 0.1}) {
    const auto found = value_of(symplecticity_defect({*system, info, values, h}, state));
    EXPECT_GT(found.defect, 1e3 * found.rounding);
    defects.push_back(found.defect);
  }
  EXPECT_NEAR(std::log2(defects[1] / defects[2]), 5, 0.35);
}

TEST(StepMap, TellsMethodsApartInExample1) {
  Simulation run = start(preset());
  const IntegratorInfo& vi = *find_integrator("variational");
  const IntegratorInfo& rk4 = *find_integrator("rk4");
  std::vector<double> defects;
  for (const double h : {0.01, 0.03, 0.1}) {
    const auto ours =
        value_of(symplecticity_defect({*run.system(), vi, all_values(vi), h}, run.state(0)));
    EXPECT_LT(ours.defect, 1e-14) << h;
    const auto theirs =
        value_of(symplecticity_defect({*run.system(), rk4, all_values(rk4), h}, run.state(0)));
    defects.push_back(theirs.defect);
  }
  // At this state, at the start of the motion; 1.8e-10, 4.6e-8, 2.1e-5 at another.
  EXPECT_NEAR(defects[0], 7.5e-11, 0.5e-11);
  EXPECT_NEAR(defects[1], 1.92e-8, 0.02e-8);
  EXPECT_NEAR(defects[2], 8.6e-6, 0.1e-6);
}

TEST(StepMap, ResolvesWhatRoundingOfDifferencesHides) {
  // Example 1, for which differences give the defect 8e-13 of rk45 with a rounding of 2.4e-12.
  Simulation run = start(preset());
  const auto found = [&](const char* method, double h) {
    const IntegratorInfo& info = *find_integrator(method);
    return symplecticity_defect({*run.system(), info, all_values(info), h}, run.state(0));
  };
  for (const char* method : {"rk2", "heun", "rk2_projected", "rk4", "rk45"})
    for (const double h : {0.01, 0.02}) {
      const auto measured = found(method, h);
      ASSERT_TRUE(measured && measured->many) << method;
      EXPECT_EQ(describe(measured->verdict), "not symplectic") << method << ", h = " << h;
      EXPECT_LT(measured->rounding, 5e-14) << method;
      // Errors of steps add up.
      EXPECT_GT(measured->many->defect, 10 * measured->defect) << method;
    }
  // Its steps are exact to rounding, but not its construction.
  const auto measured = value_of(found("rk78", 0.001));
  EXPECT_EQ(describe(measured.verdict), "not resolved");
  for (const char* method : {"variational", "variational8", "variational_cayley"}) {
    const auto ours = found(method, 0.01);
    ASSERT_TRUE(ours) << method;
    EXPECT_EQ(describe(ours->verdict), "symplectic") << method;
    ASSERT_TRUE(ours->many) << method;
    EXPECT_LT(ours->many->defect, ours->many->rounding) << method;
  }
}

TEST(StepMap, CallsNothingSymplecticWithDamping) {
  const SystemCase& c = system_cases().front();
  Values weak = c.values;
  weak["damping"] = {1e-30};  // less than rounding
  const auto system = system_of(c.system, c.n, weak);
  const IntegratorInfo& info = *find_integrator("variational");
  const State state = generic_start(c.n, c.spread, c.speed, 51);
  const auto found = value_of(symplecticity_defect({*system, info, all_values(info), 0.01}, state));
  EXPECT_EQ(describe(found.verdict), "not resolved");
}

/// Turns every body by the angle a h about e3 and stretches its momentum by the factor 1 + s h.
class IndexRange final : public Integrator {
 public:
  explicit IndexRange(double s) : s_(s) {}
  void prepare(const System&, const State&) override {}
  StepReport advance(const System&, double h, State& state) override {
    const Eigen::AngleAxisd turn(0.3 * h, Vec3::UnitZ());
    state.q = turn.toRotationMatrix() * state.q;
    state.w = (1 + s_ * h) * (turn.toRotationMatrix() * state.w);
    return {};
  }

 private:
  double s_;
};

TEST(StepMap, MeasuresAKnownDefect) {
  // A turn of space is symplectic; p → (1 + s h) p multiplies Ω by 1 + s h.
  const SystemCase& c = *std::find_if(system_cases().begin(), system_cases().end(),
                                      [](const auto& row) { return row.name == "uncoupled"; });
  const auto [system, state] = started(c, 52);
  IntegratorInfo turn = *find_integrator("rk4"), stretch = turn;
  turn.create = [](const Values&) -> std::unique_ptr<Integrator> {
    return std::make_unique<IndexRange>(0);
  };
  stretch.create = [](const Values&) -> std::unique_ptr<Integrator> {
    return std::make_unique<IndexRange>(1e-3);
  };
  const auto none = value_of(symplecticity_defect({*system, turn, {}, 0.1}, state));
  EXPECT_LT(none.defect, none.rounding);
  const auto some = value_of(symplecticity_defect({*system, stretch, {}, 0.1}, state));
  EXPECT_NEAR(some.defect, 1e-4, some.rounding);
  // (1 + s h)ᴺ (1 − s h)ᴺ − 1 = (1 − (s h)²)ᴺ − 1 of the largest |ω|.
  const auto back = value_of(reversal_error({*system, stretch, {}, 0.1}, state, 50));
  const double turned = std::pow(1 + 1e-4, 50);
  EXPECT_NEAR(back.distance, (1 - std::pow(1 - 1e-8, 50)) / turned, 1e-13);
}

TEST(StepMap, TakesSomeBodiesOfManyAndSaysSo) {
  Values values = values_from("gravity 9.81; damping 0; control_torque 0 0 0 0; tip_force 0 0 0 0");
  values["masses"] = std::vector<double>(40, 1.0);
  values["lengths"] = std::vector<double>(40, 0.5);
  const SystemCase c{"", "chain_pendulum", 40, values, 0.2, 0.3, 1};
  const auto [system, state] = started(c, 53);
  const IntegratorInfo& info = *find_integrator("variational");
  const auto found = value_of(symplecticity_defect({*system, info, {}, 0.001}, state));
  EXPECT_EQ(found.directions, 64);
  EXPECT_EQ(found.dimension, 160);
  EXPECT_LT(found.defect, 2 * found.rounding);
  const auto again = symplecticity_defect({*system, info, {}, 0.001}, state);
  EXPECT_EQ(found.defect, again->defect);
}

TEST(StepMap, WorksAtRestAndOffTheSphere) {
  const SystemCase& c = system_cases().front();
  const auto system = make_system(c);
  const IntegratorInfo& info = *find_integrator("variational");
  State state = generic_start(c.n, c.spread, 0, 54);
  auto found = symplecticity_defect({*system, info, {}, 0.01}, state);
  ASSERT_TRUE(found);
  EXPECT_LT(found->defect, 2 * found->rounding);
  auto back = value_of(reversal_error({*system, info, {}, 0.01}, state));
  EXPECT_LT(back.distance, 40 * back.rounding);
  // As a Runge-Kutta method may leave it.
  state = generic_start(c.n, c.spread, c.speed, 54);
  state.q *= 1.01;
  state.w += 0.01 * state.q;
  found = symplecticity_defect({*system, info, {}, 0.01}, state);
  ASSERT_TRUE(found);
  EXPECT_LT(found->defect, 2 * found->rounding);
}

TEST(StepMap, SaysWhichStepWasRefusedAndStopsWhenAsked) {
  const SystemCase& c = system_cases().front();
  const auto system = make_system(c);
  const IntegratorInfo& info = *find_integrator("variational");
  const State state = generic_start(c.n, c.spread, c.speed, 55);
  const StepMap huge{*system, info, {}, 1e3};
  const auto expect_refused = [](const auto& defect, const char* where) {
    ASSERT_FALSE(defect);
    EXPECT_EQ(defect.error().kind, ErrorKind::numerical);
    EXPECT_TRUE(says(defect.error().text(),
                     "a step of 1000 s " + std::string(where) + " the state failed: body "));
  };
  expect_refused(symplecticity_defect(huge, state), "from");
  EXPECT_FALSE(reversal_error(huge, state));
  int asked = 0, last = 1;
  const auto stop = [&] { return ++asked == last; };
  EXPECT_FALSE(symplecticity_defect({*system, info, {}, 0.01}, state, stop));
  EXPECT_EQ(asked, 1);
  // In the hundred steps, too.
  asked = 0;
  last = 40;
  EXPECT_FALSE(symplecticity_defect({*system, info, {}, 0.01}, state, stop));
  EXPECT_EQ(asked, 40);
  // Without a tangent map, as of a damped chain.
  Values values = c.values;
  values["damping"] = {0.1};
  const auto damped = system_of(c.system, c.n, values);
  expect_refused(symplecticity_defect({*damped, info, {}, 1e3}, state), "beside");
  asked = 0;
  last = 5;
  EXPECT_FALSE(symplecticity_defect({*damped, info, {}, 0.01}, state, stop));
  EXPECT_EQ(asked, 5);
  asked = 0;
  EXPECT_FALSE(reversal_error({*system, info, {}, 0.01}, state, 100, stop));
  EXPECT_EQ(asked, 5);
}

/// Three masses on a base that is pulled to a place, without drag: a potential of X and q.
std::unique_ptr<const System> held_base() {
  return system_of("free_chain", 3,
                   {{"base_mass", {1.5}},
                    {"masses", {1, 0.5, 2}},
                    {"lengths", {1, 0.6, 0.8}},
                    {"gravity", {9.81}},
                    {"thrust", {1, 0.2, -0.3, 0.1, 20, 0}}});
}

// Only with X and P does the form of a held base stay.
TEST(StepMap, OfABaseThatFliesHasTheFormOfItsCentreOfMassToo) {
  const auto system = held_base();
  State state = generic_start(3, 1, 1, 23);
  state.x = Vec3(0.4, 0.1, 0.5);
  state.v = Vec3(1, -2, 0.5);
  const auto found = [&](std::string_view key) {
    const IntegratorInfo& info = method_info(key);
    return value_of(symplecticity_defect({*system, info, all_values(info), 0.05}, state));
  };
  const SymplecticityDefect kept = found("variational");
  EXPECT_EQ(kept.dimension, 18);
  EXPECT_EQ(kept.directions, 18);
  EXPECT_EQ(kept.verdict, Symplecticity::symplectic) << kept.defect << " of " << kept.rounding;
  EXPECT_EQ(found("rk2").verdict, Symplecticity::not_symplectic);
}

TEST(StepMap, OfABaseThatHasFlownFarIsSymplecticStill) {
  const auto system = system_of(
      "free_chain", 2,
      {{"base_mass", {1.5}}, {"masses", {1, 0.5}}, {"lengths", {1, 0.6}}, {"gravity", {9.81}}});
  State state = generic_start(2, 1, 1, 23);
  state.x = Vec3(300, -200, 5000);
  state.v = Vec3(1, -2, 300);
  const IntegratorInfo& info = method_info("variational");
  const auto found = value_of(symplecticity_defect({*system, info, all_values(info), 0.05}, state));
  EXPECT_EQ(found.verdict, Symplecticity::symplectic) << found.defect << " of " << found.rounding;
}

TEST(StepMap, OfABaseThatFliesIsReversedWithItsCentreOfMass) {
  const auto system = held_base();
  // Links that hang straight stay so: only X errs.
  State state{0, Columns(3, 3), Columns::Zero(3, 3)};
  state.q.colwise() = Vec3::UnitZ();
  state.x = Vec3(0.2, -0.3, 3);
  state.v = Columns::Zero(3, 1);
  const auto error = [&](std::string_view key) {
    const IntegratorInfo& info = method_info(key);
    return value_of(reversal_error({*system, info, all_values(info), 0.05}, state)).distance;
  };
  EXPECT_LT(error("variational"), 1e-11);
  EXPECT_GT(error("rk2"), 1e-5);
}

}  // namespace
}  // namespace twosphere::test::step_map_test
