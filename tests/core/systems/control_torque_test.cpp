// SPDX-License-Identifier: GPL-3.0-or-later
// Torques of a motor on a chain's base: constant, a sine of the time, PD control; and external
// forces that change with time under every method.
#include "core/systems/control_torque.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/forwarding_system.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/pairs.h"
#include "tests/runs.h"

namespace twosphere::test::control_torque_test {
namespace {

/// A system whose bodies are also shaken, each at its own phase, as strongly as within `time` [s].
class Shaken final : public ForwardingSystem {
 public:
  Shaken(std::unique_ptr<const System> still, double time)
      : ForwardingSystem(std::move(still)), time_(time) {}

  bool has_external_force() const override { return true; }
  bool time_dependent() const override { return true; }
  void force(double t, const Columns& q, Columns& f) const override {
    f.setZero();
    if (original().has_external_force()) original().force(t, q, f);
    Eigen::VectorXd m(q.cols());
    diagonal(inertia(), q, m);
    for (Eigen::Index i = 0; i < f.cols(); ++i)
      f.col(i) += m[i] / (time_ * time_) * std::sin(3 * t / time_ + static_cast<double>(i)) *
                  Vec3(1, -2, 0.5);
  }

 private:
  double time_;
};

class ForcesInTime : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Catalog, ForcesInTime, testing::ValuesIn(pairs()), pair_name<SystemCase>);

/// t_k + h is not t_{k+1} = t_0 + (k + 1) h to the last digit: what a method keeps of a force must
/// not show it.
TEST_P(ForcesInTime, AreTheSameAfterARestart) {
  const auto& [c, method] = GetParam();
  const Shaken system(make_system(c), c.time);
  const double h = 0.007 * c.time, origin = 0.1;
  State s = generic_start(c.n, c.spread, c.speed, 65);
  s.t = origin;
  auto whole = prepared(method.key, system, s);
  for (int k = 0; k < 60; ++k) {
    s.t = origin + k * h;
    whole->complete(system, s);
    State other = s;
    auto second = prepared(method.key, system, other);
    ASSERT_TRUE(second->load_state(whole->saved_state()));
    ASSERT_TRUE(whole->advance(system, h, s).ok());
    ASSERT_TRUE(second->advance(system, h, other).ok());
    ASSERT_EQ(s.q, other.q) << "step " << k;
    State end = s;
    whole->complete(system, end);
    second->complete(system, other);
    ASSERT_EQ(end.w, other.w) << "step " << k;
  }
}

TEST(ControlTorque, IsWhatItsEquationSays) {
  const Vec3 v(0.3, -1, 2), q = Vec3(1, 2, -1).normalized();
  const auto torque = [&q](const ControlTorque& control, double t) {
    return Vec3(q.cross(control.force(t, q)));
  };
  const ControlTorque constant({0, v[0], v[1], v[2]});
  EXPECT_LT((torque(constant, 5) - tangent(q, v)).norm(), 1e-15);
  EXPECT_FALSE(constant.time_dependent());
  EXPECT_EQ(constant.damping(), 0);

  const ControlTorque sine({1, v[0], v[1], v[2], 0.7, 0.4});
  for (const double t : {0.0, 0.3, 1 / 0.7, 1234.5}) {
    const double phase = 2 * std::numbers::pi * 0.7 * t + 0.4;
    EXPECT_LT((torque(sine, t) - std::sin(phase) * tangent(q, v)).norm(), 1e-15) << t;
  }
  EXPECT_TRUE(sine.time_dependent());
  EXPECT_FALSE(ControlTorque({1, 0, 0, 0, 0.7, 0.4}).acts());
  EXPECT_FALSE(ControlTorque({1, 1, 0, 0, 0, 0.4}).time_dependent());

  const ControlTorque pd({2, v[0], v[1], v[2], 20, 3});
  EXPECT_LT((torque(pd, 5) - 20 * q.cross(v.normalized())).norm(), 1e-14);
  EXPECT_EQ(pd.damping(), 3);
  EXPECT_FALSE(ControlTorque({2, 0, 0, 1, 0, 3}).acts());
  const ControlTorque hold({3, v[0], v[1], v[2], 20, 3});
  EXPECT_TRUE(hold.on_every_link());
  EXPECT_FALSE(pd.on_every_link());
  EXPECT_EQ(hold.force(0, q), pd.force(0, q));
  // Towards the target.
  EXPECT_GT(torque(pd, 0).cross(q).dot(v), 0);
}

Scenario chain(const std::string& torque, const std::string& method = "variational") {
  return value_of(read_scenario(R"({"twosphere": 1,
    "system": {"type": "chain_pendulum", "masses": [1, 2, 0.5], "lengths": [1, 0.5, 0.75],
               "control_torque": )" +
                                    torque + R"(},
    "initial": {"q": [[0.6, 0, 0.8], [0, 0, 1], [0, 0.6, 0.8]],
                "omega": [[0, 1, 0], [1, 0, 0], [1, 0, 0]]},
    "integrator": {"type": ")" + method +
                                    R"(", "step": 0.007}, "duration": 1.4})",
                                "chain"));
}
constexpr const char* sine = R"({"type": "sine", "amplitude": [1, -2, 3], "frequency": 1.7})";
constexpr const char* pd = R"({"type": "pd", "target_q": [0, 3, -4], "kp": 60, "kd": 5})";

Simulation started(Scenario scenario) { return value_of(Simulation::create(std::move(scenario))); }
void march(Simulation& run, int steps) {
  for (int k = 0; k < steps; ++k) ASSERT_FALSE(run.step());
}
std::string saved(Simulation& run) { return write_scenario(run.continuation()); }

TEST(ControlTorque, RunsOnBitForBitAfterSavingAndLoading) {
  for (const char* torque : {"[1, -2, 3]", sine, pd}) {
    const auto system = Simulation::create(chain(torque))->system();
    int methods = 0;
    for (const IntegratorInfo& method : integrators()) {
      if (!method.supports(*system)) continue;
      const std::string key(method.key);
      SCOPED_TRACE(key + " with " + torque);
      Simulation whole = started(chain(torque, key)), first = started(whole.record());
      march(whole, 100);
      march(first, 37);
      Simulation second = started(value_of(read_scenario(saved(first), "saved")));
      march(second, 63);
      EXPECT_EQ(saved(second), saved(whole));
      ++methods;
    }
    EXPECT_GE(methods, 10) << "all but rotations";
  }
}

TEST(ControlTorque, IsWrittenAsItIsRead) {
  for (const char* torque : {"[1, -2, 3]", sine, pd}) {
    const Scenario s = chain(torque);
    const auto again = value_of(read_scenario(write_scenario(s), "written"));
    EXPECT_EQ(again.parameters, s.parameters) << torque;
  }
  EXPECT_TRUE(says(write_scenario(chain("[1, -2, 3]")), "\"control_torque\": [1, -2, 3]"));
  EXPECT_EQ(chain(sine).parameters.at("control_torque"),
            (std::vector<double>{1, 1, -2, 3, 1.7, 0}));
  EXPECT_EQ(chain(pd).parameters.at("control_torque"), (std::vector<double>{2, 0, 3, -4, 60, 5}));
}

TEST(ControlTorque, ChangesWhileRunningAndTheRunRepeats) {
  Simulation run = started(chain(pd));
  march(run, 20);
  const State before = run.state(0);
  const double error = run.sample(0)[Quantity::energy_error], work = run.sample(0)[Quantity::work];
  ASSERT_TRUE(run.set({{"system.control_torque.kp", 80.0}}));
  // It is work that the torque does, no energy of the chain: nothing jumps.
  EXPECT_EQ(run.state(0).q, before.q);
  EXPECT_EQ(run.sample(0)[Quantity::energy_error], error);
  EXPECT_EQ(run.sample(0)[Quantity::work], work);
  ASSERT_EQ(run.record().events.size(), 1u);
  ASSERT_EQ(run.record().events[0].set.size(), 1u);
  EXPECT_EQ(run.record().events[0].set[0].path, "system.control_torque.kp");
  march(run, 20);
  ASSERT_TRUE(
      run.set({{"system.control_torque.target_q[1]", 0.5}, {"system.control_torque.kd", 0.0}}));
  march(run, 20);
  auto node = json::parse(sine, "sine");
  ASSERT_TRUE(run.set({{"system.control_torque", *node}}));
  EXPECT_EQ(run.record().events.back().set[0].path, "system.control_torque");
  march(run, 20);
  ASSERT_TRUE(run.set({{"system.control_torque.amplitude[2]", -1.0}}));
  march(run, 20);
  Simulation again = started(value_of(read_scenario(write_scenario(run.record()), "record")));
  march(again, 100);
  EXPECT_EQ(saved(again), saved(run));
  // What there is not in the present form is refused, with what there is.
  EXPECT_TRUE(says(error_of(run.set({{"system.control_torque.kp", 1.0}})).text(),
                   "amplitude, frequency, phase"));
  EXPECT_FALSE(run.set({{"system.control_torque[0]", 1.0}}));
}

/// k_p q_d·q_1 is a potential whose change the work is, exactly; with k_d = 0 nothing else is done.
TEST(ControlTorque, WorkOfPdControlIsTheChangeOfItsPotential) {
  Simulation run = started(chain(R"({"type": "pd", "target_q": [0, 3, -4], "kp": 60, "kd": 0})"));
  const Vec3 target(0, 0.6, -0.8);
  const double begun = 60 * target.dot(run.state(0).q.col(0));
  for (int k = 0; k < 10; ++k) {
    march(run, 20);
    EXPECT_NEAR(run.sample(0)[Quantity::work], 60 * target.dot(run.state(0).q.col(0)) - begun,
                2e-13);  // measured: 3e-14
  }
}

TEST(ControlTorque, PdHoldsAPendulumUpright) {
  // m g l = 9.81 N m is less than k_p.
  const auto upright = [](double kp) {
    const auto system =
        system_of("chain_pendulum", 1,
                  {{"masses", {1}}, {"lengths", {1}}, {"control_torque", {2, 0, 0, -1, kp, 4}}});
    State s;
    s.q = Vec3(0.6, 0, 0.8);
    s.w = Vec3(0, 0, 0);
    auto integrator = prepared("variational", *system, s);
    EXPECT_TRUE(test::march(*system, *integrator, 0.01, 5000, s));
    return s.q(2, 0);
  };
  // Measured: to the last digit.
  EXPECT_NEAR(upright(20), -1, 1e-15);
  EXPECT_NEAR(upright(5), 1, 1e-15) << "too weak: it hangs";
}

/// The preset with a chain that is held upright.
Scenario held() { return preset("inverted_double_pendulum"); }

void run_to(Simulation& run, std::int64_t step) {
  while (run.steps() < step) ASSERT_FALSE(run.advance_to(step));
}

TEST(ControlTorque, HoldsAChainUprightAndLetsItFall) {
  auto run = value_of(Simulation::create(held()));
  run_to(run, 6000);
  // At rest tan θ_i = l_i d/(k_p − W_i), with W = (19.62, 9.81) N m.
  EXPECT_NEAR(run.state(0).q(0, 0) / -run.state(0).q(2, 0), 0.5 / (60 - 19.62), 1e-9);
  EXPECT_NEAR(run.state(0).q(0, 1) / -run.state(0).q(2, 1), 0.5 / (60 - 9.81), 1e-9);
  EXPECT_LT(run.state(0).w.norm(), 1e-9);

  // Switched off it falls; switched on in mid-fall it comes back.
  ASSERT_TRUE(run.set({{"system.control_torque", json::Node::numbers(std::array{0.0, 0.0, 0.0})}}));
  run_to(run, 6300);
  EXPECT_GT(run.state(0).q.row(2).maxCoeff(), 0.5) << "hangs";
  ASSERT_TRUE(run.set(
      {{"system.control_torque",
        *json::parse_value(R"({"type": "hold", "target_q": [0, 0, -1], "kp": 60, "kd": 6})")}}));
  run_to(run, 12000);
  EXPECT_LT(run.state(0).q.row(2).maxCoeff(), -0.999);
  EXPECT_EQ(run.record().events.size(), 2u);
  // All of it is work.
  const Sample end = run.sample(0);
  EXPECT_GT(std::abs(end[Quantity::work]), 10);
  EXPECT_LT(std::abs(end[Quantity::energy_error]), 0.05);
}

TEST(ControlTorque, HoldsAChainOnlyIfItIsStrongerThanTheWeight) {
  for (const auto& [kp, upright] : {std::pair(21.0, true), {19.0, false}}) {
    auto run = value_of(Simulation::create(*with_settings(
        held(), {{"system.control_torque.kp", json::Node(kp)},
                 {"system.tip_force", json::Node::numbers(std::array{0.0, 0.0, 0.0})},
                 {"initial.q", *json::parse_value("[[0.1, 0, -0.99498743710662], [0, 0, -1]]")}})));
    run_to(run, 20000);
    EXPECT_EQ(run.state(0).q(2, 0) < -0.99, upright) << kp;
  }
}

// Of every link: a later one that is longer needs more than the first, which carries all masses.
TEST(ControlTorque, HoldsAChainOnlyIfItIsStrongerThanTheWeightOfEveryLink) {
  for (const auto& [kp, upright] : {std::pair(21.0, true), {15.0, false}}) {
    auto run = value_of(Simulation::create(*with_settings(
        held(), {{"system.control_torque.kp", json::Node(kp)},
                 {"system.lengths", json::Node::numbers(std::array{0.1, 2.0})},
                 {"system.tip_force", json::Node::numbers(std::array{0.0, 0.0, 0.0})},
                 {"initial.q", *json::parse_value("[[0, 0, -1], [0.1, 0, -0.99498743710662]]")}})));
    run_to(run, 20000);
    EXPECT_EQ(run.state(0).q(2, 1) < -0.99, upright) << kp;
  }
}

}  // namespace
}  // namespace twosphere::test::control_torque_test
