// SPDX-License-Identifier: GPL-3.0-or-later
// Files of text-defined systems with strengths, axes that rotate and gyroscopic terms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/custom/definition.h"
#include "core/scenario/definition_io.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::custom_linear_terms_file_test {
namespace {

TEST(CustomLinearTermsFile, AreReadWrittenAndLive) {
  const Scenario cone = preset("custom/monopole_cone");
  EXPECT_EQ(cone.definition->definition().strength, "kappa");
  EXPECT_TRUE(same(value_of(read_scenario(write_scenario(cone), "again")), cone));
  const Scenario turning = with(cone, "system.frame_rotation", "[0, 0, 0.2]");
  EXPECT_EQ(turning.definition->definition().frame_rotation, "[0, 0, 0.2]");
  EXPECT_TRUE(same(value_of(read_scenario(write_scenario(turning), "again")), turning));

  Simulation run = start(cone, 10);
  ASSERT_TRUE(run.set({{"system.frame_rotation", "[0, 0, 0.2]"}}));
  march(run, 10);
  EXPECT_EQ(run.system()->frame_rotation(), Vec3(0, 0, 0.2));
  ASSERT_TRUE(run.set({{"system.strength", "2*kappa"}}));
  march(run, 10);
  EXPECT_EQ(run.system()->strength()[0], 1.8);
  // As much work as the energy jumps.
  EXPECT_NEAR(run.sample(0)[Quantity::energy_error], 0, 1e-12);
  // The record gives the same run.
  Simulation again = value_of(Simulation::create(run.record()));
  march(again, 30);
  EXPECT_EQ(again.state(0).q, run.state(0).q);
  EXPECT_EQ(again.state(0).w, run.state(0).w);
  // A method that takes no strength is refused with the reason.
  const auto refused = with_setting(cone, "integrator.type", "variational");
  EXPECT_TRUE(says(error_of(refused).text(), "variational needs bodies without strength"));
}

TEST(CustomLinearTermsFile, GyroscopicTermsAreReadWrittenAndLive) {
  const std::string text = "2*(1 + 0.5*e1.q[0])*e3.cross(q[0], v[0])";
  const Scenario plain = preset("custom/pendulum"),
                 charged = with(plain, "system.gyroscopic", text);
  EXPECT_EQ(charged.definition->definition().gyroscopic, text);
  EXPECT_TRUE(same(value_of(read_scenario(write_scenario(charged), "again")), charged));

  // Live, by a change and back to nothing; q and ω stay, so that there is no work.
  Simulation run = start(plain, 10);
  ASSERT_TRUE(run.set({{"system.gyroscopic", text}}));
  march(run, 20);
  EXPECT_TRUE(run.system()->gyroscopic());
  Simulation other = loaded(run);
  march(other, 10);
  march(run, 10);
  EXPECT_EQ(bytes(other), bytes(run));
  ASSERT_TRUE(run.set({{"system.gyroscopic", "0"}}));
  march(run, 10);
  EXPECT_FALSE(run.system()->gyroscopic());
  EXPECT_NEAR(run.sample(0)[Quantity::work], 0, 1e-12);
  EXPECT_LT(std::abs(run.sample(0)[Quantity::energy_error]), 0.01);
  Simulation again = repeated(run, 50);
  EXPECT_EQ(again.state(0).q, run.state(0).q);
  EXPECT_EQ(again.state(0).w, run.state(0).w);

  EXPECT_TRUE(says(error_of(with_setting(charged, "integrator.type", "rotation")).text(),
                   "rotation needs a system without gyroscopic terms"));
  EXPECT_TRUE(says(error_of(with_setting(charged, "system.gyroscopic", "v[0].v[0]")).text(),
                   "system.gyroscopic:6: "));
}

TEST(CustomLinearTermsFile, ALagrangianIsReadWrittenAndLive) {
  Scenario parts = preset("custom/double_pendulum");
  Definition definition = parts.definition->definition();
  definition.inertia = definition.potential = "";
  definition.lagrangian = "sum(i: m[i]/2*norm(rate(x[i]))^2 + m[i]*g*e3.x[i])";
  const Scenario whole = with(parts, "system", definition_document(definition));
  EXPECT_EQ(whole.definition->definition(), definition);
  EXPECT_TRUE(same(value_of(read_scenario(write_scenario(whole), "again")), whole));
  // The same motion, but for rounding.
  Simulation a = start(parts, 200), b = start(whole, 200);
  EXPECT_LT((a.state(0).q - b.state(0).q).norm(), 1e-11);
  // Live.
  ASSERT_TRUE(b.set({{"system.lagrangian", definition.lagrangian + " + 2*e3.cross(q[0], v[0])"}}));
  march(b, 10);
  EXPECT_TRUE(b.system()->gyroscopic());
  Simulation again = repeated(b, 210);
  EXPECT_EQ(again.state(0).q, b.state(0).q);
  EXPECT_TRUE(says(error_of(with_setting(whole, "system.lagrangian", "norm(v[0])")).text(),
                   "system.lagrangian:1: "));
}

}  // namespace
}  // namespace twosphere::test::custom_linear_terms_file_test
