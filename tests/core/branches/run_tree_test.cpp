// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a window without one: what is kept of each, and which is the present one.
#include "core/branches/run_tree.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "tests/sample_row.h"

namespace twosphere::run_tree_test {
namespace {

using Kind = Departure::Kind;

Scenario pendulum() {
  return *read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
}

/// A tree, and the present run of it, which the test computes in place of a worker.
class Tree : public testing::Test {
 protected:
  Tree() {
    tree_.present().histories = tree_.fresh_histories(*run_.system(), 1);
    run_.keep_start();
    note();
  }
  void take(int steps) {
    for (int k = 0; k < steps; ++k) {
      ASSERT_FALSE(run_.step());
      note();
    }
  }
  void note() {
    tree_.present().histories[0].append(
        test::row_of(run_.steps(), run_.sample(0), run_.state(0), run_.system()), 0);
    checkpoints_->add(std::make_shared<const RunCheckpoint>(run_.checkpoint()), {});
  }
  Departure leaving(Kind kind) {
    return {kind, checkpoints_, {}, std::make_shared<const Scenario>(run_.record())};
  }
  void continue_at(const Branch& to, const RunCheckpoint& from) {
    run_ = Simulation::at(*to.record, from);
    checkpoints_ = to.checkpoints->up_to(run_.steps(), {});
  }
  int fork(std::int64_t step, Kind kind = Kind::stay) {
    const auto from = checkpoints_->before(step);
    Branch to = tree_.fork(step, run_.record(), checkpoints_, from.get());
    const Branch copy = to;
    tree_.switch_to(std::move(to), leaving(kind));
    continue_at(copy, *from);
    return copy.id;
  }
  void switch_to(int id, Kind kind = Kind::stay) {
    const Branch to = *tree_.find(id);
    tree_.switch_to(to, leaving(kind));
    continue_at(to, *to.checkpoints->newest());
  }
  int rewind() {
    Branch to{.id = tree_.new_id(), .look = {"run 1"}};
    to.histories = tree_.fresh_histories(*run_.system(), 1);
    const int id = to.id;
    tree_.switch_to(std::move(to), leaving(Kind::rewind));
    run_ = std::move(*Simulation::create(pendulum()));
    checkpoints_ = std::make_shared<Checkpoints>();
    note();
    return id;
  }

  RunTree tree_{StateStride::budget};
  Simulation run_ = std::move(*Simulation::create(pendulum()));
  std::shared_ptr<Checkpoints> checkpoints_ = std::make_shared<Checkpoints>();
};

TEST_F(Tree, AForkSharesTheBeginningAndTheRunThatIsLeftKeepsAll) {
  take(20);
  ASSERT_TRUE(run_.set({{"system.gravity", 3.0}}));
  take(10);
  const int first = tree_.present_id(), second = fork(12);
  ASSERT_EQ(tree_.branches().size(), 2u);
  EXPECT_EQ(tree_.present_id(), second);
  EXPECT_EQ(tree_.present().parent, first);
  EXPECT_EQ(tree_.present().fork_step, 12);
  EXPECT_EQ(tree_.present().histories[0].size(), 13u);
  EXPECT_TRUE(run_.record().events.empty()) << "it comes later";
  EXPECT_FALSE(tree_.present().record) << "its worker has it";
  const Branch& left = *tree_.find(first);
  EXPECT_EQ(left.histories[0].size(), 31u);
  EXPECT_EQ(left.record->events.size(), 1u);
  EXPECT_EQ(left.head_step(), 30);
  EXPECT_EQ(tree_.shared_steps(second, left), 12);

  take(3);
  switch_to(first);
  EXPECT_EQ(run_.steps(), 30);
  EXPECT_EQ(tree_.present().histories[0].size(), 31u);
  EXPECT_EQ(tree_.find(second)->histories[0].size(), 16u);
  EXPECT_EQ(tree_.find(second)->head_step(), 15);
}

// As of a run whose kept states are all later.
TEST_F(Tree, AForkFromBeforeAllCheckpointsIsComputedFromTheStart) {
  take(20);
  tree_.present().saved = std::make_shared<const SavedStates>(
      SavedStates{std::make_shared<const Scenario>(run_.record()), {checkpoints_->newest()}});
  const Branch to = tree_.fork(7, run_.record(), checkpoints_, nullptr);
  EXPECT_FALSE(to.checkpoints);
  EXPECT_FALSE(to.saved) << "no sample of it is missing";
  EXPECT_EQ(to.head_step(), 7) << "to be computed";
  EXPECT_TRUE(fork(7) != to.id && tree_.present().saved);
}

TEST_F(Tree, LooksDifferAndADeletedRunComesBack) {
  take(10);
  const int first = tree_.present_id(), second = fork(5), third = fork(3);
  std::set<std::pair<std::string, int>> looks;
  for (const Branch& run : tree_.branches()) looks.emplace(run.look.name, run.look.color);
  EXPECT_EQ(looks,
            (std::set<std::pair<std::string, int>>{{"run 1", 0}, {"run 2", 1}, {"run 3", 2}}));
  const auto changes = tree_.changes();
  EXPECT_FALSE(tree_.set_look(first, BranchLook{"run 2", 5}));
  EXPECT_FALSE(tree_.set_look(third, {})) << "the present one";
  EXPECT_FALSE(tree_.set_look(77, BranchLook{"new", 5}));
  EXPECT_EQ(tree_.changes(), changes);

  const BranchLook was = *tree_.look(second);
  ASSERT_TRUE(tree_.set_look(second, {}));
  EXPECT_GT(tree_.changes(), changes);
  EXPECT_FALSE(tree_.look(second));
  EXPECT_FALSE(tree_.can_switch_to(second));
  EXPECT_TRUE(tree_.is_of_this_start(second));
  EXPECT_EQ(tree_.origin(tree_.present()), std::pair(first, std::int64_t{3})) << "by way of it";
  ASSERT_TRUE(tree_.set_look(second, was));
  EXPECT_EQ(tree_.branches()[1].id, second) << "in order of creation";
  EXPECT_EQ(tree_.origin(tree_.present()), std::pair(second, std::int64_t{3}));
}

TEST_F(Tree, OfManyDeletedRunsTheLastOnesAreKeptAndTheRestStaysConnected) {
  take(20);
  const int first = tree_.present_id();
  std::vector<int> gone;
  for (int k = 0; k <= static_cast<int>(max_branches); ++k) {
    gone.push_back(fork(15 - k));
    take(1);
    const int next = fork(15 - k);
    ASSERT_TRUE(tree_.set_look(gone.back(), {}));
    ASSERT_NE(next, gone.back());
    switch_to(first);
    ASSERT_TRUE(tree_.set_look(next, {}));
  }
  EXPECT_FALSE(tree_.find(gone[0])) << "too long ago";
  EXPECT_TRUE(tree_.find(gone.back()));
  EXPECT_EQ(tree_.shared_steps(first, *tree_.find(gone.back())),
            15 - static_cast<int>(max_branches));
  EXPECT_EQ(tree_.branches().size(), 1u);
}

TEST_F(Tree, AnArchivedRunPassesOnItsLookAndIsBroughtBack) {
  take(10);
  const int first = tree_.present_id();
  ASSERT_TRUE(tree_.set_look(first, BranchLook{"mine", 5}));
  const int second = fork(10, Kind::archive);
  ASSERT_EQ(tree_.branches().size(), 1u);
  EXPECT_EQ(*tree_.look(second), (BranchLook{"mine", 5}));
  EXPECT_FALSE(tree_.look(first));
  EXPECT_TRUE(tree_.can_switch_to(first));
  switch_to(first);
  ASSERT_EQ(tree_.branches().size(), 2u);
  EXPECT_EQ(tree_.look(second)->name, "mine") << "it stays in the list";
  EXPECT_EQ(*tree_.look(first), (BranchLook{"run 1", 0})) << "another one: its own is taken";
}

TEST_F(Tree, RewindKeepsTheRunsOfEarlierStarts) {
  take(10);
  const int first = tree_.present_id();
  (void)fork(5);
  const int second = tree_.present_id(), later = rewind();
  take(4);
  EXPECT_EQ(tree_.branches().size(), 1u);
  ASSERT_EQ(tree_.families().size(), 2u);
  EXPECT_EQ(tree_.families()[0].present_id, second);
  EXPECT_FALSE(tree_.is_of_this_start(first));
  EXPECT_TRUE(tree_.can_switch_to(first));
  switch_to(first);
  EXPECT_EQ(tree_.branches().size(), 2u);
  EXPECT_EQ(tree_.families()[0].present_id, later);
  EXPECT_EQ(tree_.find(later)->head_step(), 4);
  switch_to(later);
  EXPECT_EQ(tree_.branches().size(), 1u);
  // Of those that are left the last eight runs are kept.
  std::vector<int> ids;
  for (std::size_t k = 0; k < max_branches + 1; ++k) ids.push_back(rewind());
  EXPECT_FALSE(tree_.find(first));
  EXPECT_FALSE(tree_.find(later));
  EXPECT_TRUE(tree_.can_switch_to(ids[0]));
  EXPECT_EQ(tree_.families().size(), max_branches + 1);
}

TEST_F(Tree, WhatIsComputedIsGivenToAllRunsOfAKeptOne) {
  take(20);
  Branch whole{.id = 0, .record = std::make_shared<const Scenario>(run_.record())};
  whole.checkpoints = checkpoints_;
  whole.histories = History::views(tree_.present().histories);
  // As from a file: only the state at the head, and another run that began at step 15.
  const int own = tree_.new_id(), other = tree_.new_id();
  auto states = std::make_shared<Checkpoints>();
  states->add(checkpoints_->newest(), {});
  const auto saved =
      std::make_shared<const SavedStates>(SavedStates{whole.record, {checkpoints_->newest()}});
  RunFamily family{.branches = {}, .present_id = own};
  for (const int id : {own, other})
    family.branches.push_back({.id = id,
                               .look = {"run " + std::to_string(id)},
                               .record = whole.record,
                               .checkpoints = states,
                               .histories = std::vector<History>(1),
                               .saved = saved});
  family.branches[1].parent = own;
  family.branches[1].fork_step = 15;
  const std::vector<History> missing = tree_.missing_histories(family.branches[0]);
  std::vector<RunFamily> families;
  families.push_back(std::move(family));
  tree_.install(std::move(families), missing);
  EXPECT_EQ(tree_.present().histories[0].first(), 21u) << "all are missing";
  ASSERT_EQ(tree_.incomplete().size(), 2u);
  EXPECT_EQ(tree_.incomplete()[0]->id, own);

  EXPECT_EQ(tree_.complete(own, whole), 20) << "the worker needs the checkpoints up to there";
  EXPECT_TRUE(tree_.incomplete().empty());
  EXPECT_EQ(tree_.present().histories[0].first(), 0u);
  const Branch& second = *tree_.find(other);
  EXPECT_EQ(second.histories[0].first(), 0u);
  EXPECT_EQ(second.checkpoints->before(12)->step(), 12);
}

TEST_F(Tree, DistancesAreMeasuredToOneRunOfThisStart) {
  take(10);
  const int first = tree_.present_id(), second = fork(5);
  take(2);
  const auto is_reference = [this](int id) { return tree_.find(id)->histories[0].is_reference(); };
  EXPECT_TRUE(is_reference(second)) << "the present one";
  EXPECT_FALSE(is_reference(first));
  tree_.compare_with(0, first);
  EXPECT_EQ(tree_.reference(), first);
  EXPECT_TRUE(is_reference(first));
  switch_to(first);
  EXPECT_TRUE(is_reference(first));
  (void)rewind();
  EXPECT_FALSE(is_reference(first)) << "it is of another start";
  EXPECT_TRUE(is_reference(tree_.present_id()));
}

}  // namespace
}  // namespace twosphere::run_tree_test
