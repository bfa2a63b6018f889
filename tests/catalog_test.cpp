// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog.h"

#include <gtest/gtest.h>

#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "tests/runs.h"

namespace twosphere {

const IntegratorInfo& two_rotations();
const SystemInfo& uncoupled_pendula();

namespace test::catalog_test {
namespace {

// A force that depends on velocities has no tangent map, nor have methods that adapt their steps.
TEST(Catalog, FindsAMethodWithATangentMap) {
  const auto scenario = read_scenario(find_preset("three_body")->text, "three_body");
  const auto system = find_system(scenario->system)->create(scenario->size(), scenario->parameters);
  const IntegratorInfo* method = method_with_tangent_map(**system);
  ASSERT_TRUE(method);
  EXPECT_EQ(method->key, "variational");
  for (const std::string_view without : {"rk4", "rk45"})
    EXPECT_FALSE(has_tangent_map(*find_integrator(without), **system)) << without;
}

TEST(Catalog, FindsWhatIsAddedThoughItIsNotListed) {
  const std::size_t listed = integrators().size(), systems_listed = systems().size();
  IntegratorInfo method = two_rotations();
  SystemInfo system = uncoupled_pendula();
  method.key = "added_method";
  system.key = "added_system";
  EXPECT_EQ(find_integrator("added_method"), nullptr);
  EXPECT_EQ(find_system("added_system"), nullptr);
  ASSERT_TRUE(add_integrator(method));
  ASSERT_TRUE(add_system(system));
  EXPECT_EQ(integrators().size(), listed);
  EXPECT_EQ(systems().size(), systems_listed);
  const Look look = find_integrator("added_method")->look;
  EXPECT_NE(look, Look{});
  for (const IntegratorInfo& info : integrators()) EXPECT_NE(look.light, info.look.light);
  // A scenario has both by name, and steps.
  const auto scenario = test::value_of(read_scenario(
      R"({"twosphere": 1, "system": {"type": "added_system", "masses": 1, "lengths": 1},
          "initial": {"q": [[1, 0, 0], [0, 0, 1]], "omega": [[0, 1, 0], [1, 0, 0]]},
          "integrator": {"type": "added_method", "step": 0.01}, "duration": 1})",
      ""));
  auto run = test::value_of(Simulation::create(scenario));
  while (!run.finished()) ASSERT_FALSE(run.step());
  EXPECT_LT(std::abs(run.sample(0)[Quantity::energy_error]), 1e-3);
  EXPECT_GT((run.state(0).q - scenario.q).norm(), 0.1);
}

TEST(Catalog, TheLastOfOneNameIsFoundAndTheFirstStays) {
  IntegratorInfo info = two_rotations();
  info.key = "same_name";
  info.order = 3;
  ASSERT_TRUE(add_integrator(info));
  const IntegratorInfo* first = find_integrator("same_name");
  info.order = 5;
  ASSERT_TRUE(add_integrator(info));
  EXPECT_EQ(first->order, 3);
  EXPECT_EQ(find_integrator("same_name")->order, 5);
}

TEST(Catalog, KeepsItsOwnNamesAndRefusesWhatIsNone) {
  IntegratorInfo info = two_rotations();
  for (const std::string_view key : {integrators()[0].key, std::string_view(""),
                                     std::string_view("a b"), std::string_view("a.b")}) {
    info.key = key;
    const auto added = add_integrator(info);
    ASSERT_FALSE(added) << key;
    EXPECT_EQ(added.error().kind, ErrorKind::usage);
  }
  SystemInfo system = uncoupled_pendula();
  system.key = systems()[0].key;
  EXPECT_FALSE(add_system(system));
  EXPECT_EQ(find_system(systems()[0].key), &systems()[0]);
}

}  // namespace
}  // namespace test::catalog_test
}  // namespace twosphere
