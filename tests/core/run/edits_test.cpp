// SPDX-License-Identifier: GPL-3.0-or-later
// Several edits at one step: a second one of a kind goes back to before the first.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <string>

#include "core/mechanics/forwarding_system.h"
#include "tests/redefined.h"
#include "tests/runs.h"

namespace twosphere::test::edits_test {
namespace {

Simulation after(int steps) {
  Simulation run = start(preset(), steps);
  return run;
}

std::size_t events(const Simulation& run) { return run.record().events.size(); }

TEST(Edits, OfOneValueAreOneEventOthersAreTheirOwn) {
  Simulation run = after(5);
  ASSERT_TRUE(run.set({{"system.gravity", 3.0}}));
  ASSERT_TRUE(run.set({{"duration", 50.0}}));
  EXPECT_EQ(events(run), 2u);
  ASSERT_TRUE(run.set({{"system.gravity", 4.0}}));
  EXPECT_EQ(events(run), 1u);
  EXPECT_EQ(run.markers().size(), 1u);
  EXPECT_EQ(run.record().events[0].set.size(), 2u);
  Simulation once = after(5);
  ASSERT_TRUE(once.set({{"system.gravity", 4.0}, {"duration", 50.0}}));
  EXPECT_EQ(bytes(run), bytes(once));
  march(run, 1);
  ASSERT_TRUE(run.set({{"system.gravity", 3.0}}));
  EXPECT_EQ(events(run), 2u) << "of another step";
}

TEST(Edits, ARefusedOneLeavesTheOthers) {
  Simulation run = after(5);
  ASSERT_TRUE(run.set({{"system.gravity", 3.0}}));
  ASSERT_TRUE(run.set({{"duration", 50.0}}));
  const std::string record = write_scenario(run.record()), state = bytes(run);
  EXPECT_FALSE(run.set({{"system.gravity", 1e308}}));
  EXPECT_EQ(write_scenario(run.record()), record);
  EXPECT_EQ(bytes(run), state);
  EXPECT_EQ(run.markers().size(), 2u);
  ASSERT_TRUE(run.set({{"system.gravity", 4.0}}));
  EXPECT_EQ(events(run), 1u);
}

TEST(Edits, RowsThatAreLeftOutStayLeftOut) {
  Scenario scenario = lasting(20);  // 2000 steps, the event comes later
  scenario.every = 1;
  scenario.events = {{2500, {{"every", json::Node::whole(4)}}}};
  Simulation run = start(scenario, 8);
  EXPECT_EQ(run.stride(), 1);
  const double gravity = run.present().parameters.at("gravity")[0];
  ASSERT_TRUE(run.set({{"duration", 30.0}, {"system.gravity", 3.0}}));
  EXPECT_EQ(run.stride(), 4);
  EXPECT_FALSE(run.set({{"system.gravity", 1e308}}));
  EXPECT_EQ(run.stride(), 4) << "refused";
  ASSERT_TRUE(run.set({{"duration", 15.0}}));
  EXPECT_EQ(run.stride(), 4);
  EXPECT_EQ(start(run.record()).stride(), 4);
  ASSERT_TRUE(run.set({{"duration", 20.0}, {"system.gravity", gravity}}));
  EXPECT_EQ(run.stride(), 4) << "as before, but for the rows";
  EXPECT_EQ(start(run.record()).stride(), 4);
  Simulation turned = start(scenario, 1500);
  turned.reverse(true);
  EXPECT_EQ(turned.stride(), 4);
  turned.reverse(true);
  EXPECT_EQ(turned.stride(), 4);
  EXPECT_EQ(start(turned.record()).stride(), 4);
}

TEST(Edits, APullOfTheSameBodyReplacesTheLast) {
  for (const int steps : {0, 5}) {
    Simulation run = after(steps), once = after(steps);
    ASSERT_TRUE(run.pull({0, Vec3(1, 0, 0), 10}));
    ASSERT_TRUE(run.pull({0, Vec3(0, 2, 0), 20}));
    EXPECT_EQ(events(run), 1u);
    ASSERT_TRUE(run.pull({1, Vec3(0, 0, 1), 30}));
    ASSERT_TRUE(once.pull({0, Vec3(0, 2, 0), 20}));
    ASSERT_TRUE(once.pull({1, Vec3(0, 0, 1), 30}));
    EXPECT_EQ(events(run), 2u);
    EXPECT_EQ(run.pulls().size(), 2u);
    EXPECT_EQ(run.markers().size(), once.markers().size());
    march(run, 25);
    march(once, 25);
    EXPECT_EQ(bytes(run), bytes(once)) << steps;
  }
}

TEST(Edits, ThatAreTakenBackLeaveTheForcesAsTheyAre) {
  Simulation run = after(5);
  ASSERT_TRUE(run.pull({0, Vec3(1, 0, 0), 10}));
  march(run, 1);
  const auto acting = run.acting_system();
  run.reverse();
  run.reverse();
  EXPECT_EQ(run.acting_system(), acting) << "the members of a cloud are not prepared again";
}

TEST(Edits, TangentVectorsAreNotPartOfThem) {
  Simulation run = after(5);
  run.reverse();
  ASSERT_TRUE(run.follow_exponents(2));
  run.reverse();
  EXPECT_EQ(events(run), 0u);
  ASSERT_TRUE(run.lane(0).exponents);
  EXPECT_EQ(run.lane(0).exponents->count(), 2);
  ASSERT_TRUE(run.pull({0, Vec3(1, 0, 0), 10}));
  run.end_following();
  ASSERT_TRUE(run.pull({0, Vec3(0, 2, 0), 10}));
  EXPECT_EQ(events(run), 1u);
  EXPECT_FALSE(run.lane(0).exponents);
}

TEST(Edits, OfAnotherKindInBetweenEndTheSeries) {
  Simulation run = after(5);
  run.reverse();
  ASSERT_TRUE(run.set({{"system.gravity", 3.0}}));
  run.reverse();
  EXPECT_EQ(events(run), 3u);
  run.reverse();
  EXPECT_EQ(events(run), 2u);
  EXPECT_TRUE(run.reversed());
  ASSERT_TRUE(run.pull({0, Vec3(1, 0, 0), 10}));
  ASSERT_TRUE(run.set({{"system.gravity", 4.0}}));
  ASSERT_TRUE(run.pull({0, Vec3(1, 0, 0), 10}));
  EXPECT_EQ(events(run), 5u);
}

/// Throws where there is no memory.
class LackingSystem final : public ForwardingSystem {
 public:
  using ForwardingSystem::ForwardingSystem;

  void gradient(const Columns& q, Columns& g) const override {
    if (lacks) throw std::bad_alloc();
    ForwardingSystem::gradient(q, g);
  }
  mutable std::atomic<bool> lacks = false;
};

TEST(Edits, OneWithoutMemoryChangesNothing) {
  const Scenario scenario = with_systems<LackingSystem>(preset("custom/pendulum"));
  Simulation run = start(scenario, 5);
  const auto first = std::dynamic_pointer_cast<const LackingSystem>(run.system());
  ASSERT_NE(first, nullptr);
  ASSERT_TRUE(run.set({{"system.g", 5.0}}));
  const auto second = run.system();
  EXPECT_NE(second, first);
  const std::string before = bytes(run);
  first->lacks = true;  // to which a second edit of this step goes back
  EXPECT_THROW((void)run.set({{"system.g", 4.0}}), std::bad_alloc);
  EXPECT_EQ(run.system(), second);
  EXPECT_EQ(bytes(run), before);
  EXPECT_EQ(events(run), 1u);
  first->lacks = false;
  ASSERT_TRUE(run.set({{"system.g", 4.0}})) << "it can be tried again";
  EXPECT_EQ(events(run), 1u);
  Simulation once = start(scenario, 5);
  ASSERT_TRUE(once.set({{"system.g", 4.0}}));
  EXPECT_EQ(bytes(run), bytes(once));
  march(run, 1);
}

}  // namespace
}  // namespace twosphere::test::edits_test
