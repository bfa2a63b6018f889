// SPDX-License-Identifier: GPL-3.0-or-later
// Files of systems of texts with strengths and axes that rotate.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace twosphere::test::custom_linear_terms_file_test
