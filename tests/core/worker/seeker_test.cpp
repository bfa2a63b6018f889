// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of a run, and any of its steps found again by them, bit for bit.
#include "core/worker/seeker.h"

#include <gtest/gtest.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/catalog.h"
#include "core/scenario/live_edit.h"
#include "core/worker/worker.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/sanitized.h"
#include "tests/taken.h"

namespace twosphere::test::seeker_test {
namespace {

using namespace std::chrono_literals;

/// Asks a seeker, and waits for the answer.
class Asking {
 public:
  Asking(const Scenario& record, std::shared_ptr<const Checkpoints> checkpoints)
      : record_(std::make_shared<const Scenario>(record)), checkpoints_(std::move(checkpoints)) {}

  std::shared_ptr<const Instant> exact(std::int64_t step) {
    const std::uint64_t request = seeker_.seek(record_, checkpoints_, step);
    std::unique_lock lock(mutex_);
    std::shared_ptr<const Instant> found;
    changed_.wait_for(lock, 60s, [&] {
      found = seeker_.instant();
      return found && found->request == request && found->exact;
    });
    EXPECT_TRUE(found && found->request == request && found->exact) << "step " << step;
    return found;
  }
  std::string state_at(std::int64_t step) {
    const auto found = exact(step);
    if (!found) return {};
    EXPECT_EQ(found->snapshot.steps, step);
    Simulation there = Simulation::at(*record_, *found->checkpoint);
    return bytes(there);
  }

  Seeker& seeker() { return seeker_; }

 private:
  const std::shared_ptr<const Scenario> record_;
  const std::shared_ptr<const Checkpoints> checkpoints_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Seeker seeker_{[this] {
    { const std::lock_guard lock(mutex_); }
    changed_.notify_one();
  }};
};

/// A run of so many steps: its state at `places` random ones, and checkpoints at random steps.
struct Past {
  std::map<std::int64_t, std::string> states;
  std::shared_ptr<Checkpoints> checkpoints = std::make_shared<Checkpoints>();

  Past(const Scenario& scenario, std::int64_t steps, int places) {
    std::mt19937 draw(7);
    std::uniform_int_distribution<std::int64_t> any(0, steps);
    for (int k = 0; k < places; ++k) states[any(draw)];
    Simulation run = start(scenario);
    for (std::int64_t step = 0;; ++step) {
      if (step == 0 || any(draw) % 20 == 0)
        checkpoints->add(std::make_shared<const RunCheckpoint>(run.checkpoint()), {});
      if (const auto place = states.find(step); place != states.end()) place->second = bytes(run);
      if (step == steps) break;
      const auto failure = run.step();
      EXPECT_FALSE(failure) << failure->message;
      if (failure) break;
    }
    record = run.record();
  }
  Scenario record;
};

/// Steps in random order are what a fresh run gives.
void expect_found(const Past& past, const std::string& which) {
  Asking asking(past.record, past.checkpoints);
  std::vector<std::int64_t> order;
  for (const auto& [step, state] : past.states) order.push_back(step);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  for (const std::int64_t step : order)
    ASSERT_EQ(asking.state_at(step), past.states.at(step)) << which << ", step " << step;
}

TEST(Seeker, FindsAnyStepOfEveryPresetAndIntegratorBitForBit) {
  Taken taken;
  for (const Preset& p : presets())
    for (const IntegratorInfo& method : integrators()) {
      const Scenario of_preset = preset(p.key);
      if (!method.supports(*start(of_preset).system())) continue;
      // Its matrices are 3n×3n.
      if (method.key == "variational_cayley" && of_preset.size() > 20) continue;
      auto scenario = value_of(with_setting(of_preset, "integrator.type", method.key));
      const bool many = scenario.size() > 100;
      expect_found(Past(scenario, many ? 6 : 400, many ? 4 : 50),
                   std::string(p.key) + " " + std::string(method.key));
      taken.add(p, method);
    }
  taken.expect_all(109);
}

TEST(Seeker, FindsStepsAcrossEventsOfEveryKind) {
  Scenario scenario = lasting(4);
  scenario.every = 3;
  scenario.stop = {StopCondition{.quantity = {}, .above = true, .value = 1}};
  const auto at = [&](std::int64_t step, const char* path, json::Node value) {
    auto parsed = SettingPath(path);
    scenario.events.push_back({step, {{parsed, std::move(value)}}});
  };
  at(50, "system.gravity", 5);
  at(80, "integrator.type", "rk45");
  at(90, "integrator.relative_tolerance", 1e-6);
  scenario.events.push_back({.step = 100, .resume = true});
  at(120, "integrator.step", 0.004);
  at(200, "every", 6);
  at(250, "integrator.type", "variational4");
  at(250, "system.masses[1]", 3);
  scenario.events.push_back({.step = 270, .pull = Pull{1, Vec3(3, 0, -2), 15}});
  scenario.events.push_back({.step = 280, .pull = Pull{0, Vec3(0, 1, 0), 30}});
  static constexpr std::array omega{0.5, 0.1, 0.0};
  at(290, "state.omega[1]", json::Node::numbers(omega));
  at(300, "duration", 6);
  scenario.events.push_back({.step = 350, .reverse = true});
  scenario.events.push_back({.step = 420, .reverse = true});
  expect_found(Past(scenario, 500, 120), "events");
}

TEST(Seeker, FindsStepsOfSeveralLanesWithStepsOfTheirOwn) {
  Scenario scenario = preset();
  scenario.lanes = {{"variational", 0.02, {}, "a"},
                    {"rk4", 0.005, {}, "b"},
                    {"rk45", 0.01, {}, "c"},
                    {"variational6", 0.02, {}, "d"}};
  expect_found(Past(scenario, 200, 50), "lanes");
}

TEST(Seeker, ShowsTheSettingsOfThen) {
  Scenario scenario = preset();
  scenario.events = {{50, {{SettingPath("system.gravity"), 5}}}};
  const Past past(scenario, 100, 1);
  Asking asking(past.record, past.checkpoints);
  EXPECT_EQ(asking.exact(50)->snapshot.present->parameters.at("gravity"),
            preset().parameters.at("gravity"))
      << "before what is changed there";
  EXPECT_EQ(asking.exact(51)->snapshot.present->parameters.at("gravity")[0], 5);
  EXPECT_EQ(asking.exact(51)->checkpoint->markers->size(), 1u);
  EXPECT_EQ(asking.exact(20)->checkpoint->markers->size(), 0u);
}

TEST(Seeker, AnswersTheNewestRequest) {
  const Past past(preset(), 3000, 1);
  Asking asking(past.record, past.checkpoints);
  const auto record = std::make_shared<const Scenario>(past.record);
  std::mt19937 draw(5);
  for (int k = 0; k < 200; ++k)
    (void)asking.seeker().seek(record, past.checkpoints, static_cast<std::int64_t>(draw() % 3000));
  EXPECT_EQ(asking.exact(1234)->snapshot.steps, 1234);
  asking.seeker().rest();
  EXPECT_EQ(asking.seeker().instant(), nullptr);
  EXPECT_EQ(asking.exact(77)->snapshot.steps, 77);
}

// Of a step that takes long, the checkpoint before it is shown first.
TEST(Seeker, ShowsTheCheckpointBeforeAStepThatTakesLong) {
  constexpr std::int64_t steps = test::sanitized ? 200 : 2000;
  Simulation run = start(preset("lennard_jones"));
  const auto checkpoints = std::make_shared<Checkpoints>();
  checkpoints->add(std::make_shared<const RunCheckpoint>(run.checkpoint()), {});
  std::vector<std::int64_t> shown;
  std::promise<void> found;
  Seeker seeker([&] {
    const auto instant = seeker.instant();
    shown.push_back(instant->snapshot.steps);
    if (instant->exact) found.set_value();
  });
  seeker.seek(std::make_shared<const Scenario>(run.record()), checkpoints, steps);
  ASSERT_EQ(found.get_future().wait_for(60s), std::future_status::ready);
  EXPECT_EQ(shown, (std::vector<std::int64_t>{0, steps}));
}

TEST(Checkpoints, KeepToTheirMemoryAndTheirStart) {
  Simulation run = start(preset());
  const std::size_t one = run.checkpoint().bytes();
  Checkpoints list(40 * one);
  Checkpoints::Duration computed{0};
  for (int step = 0; step < 5000; ++step, computed += 1ms) {
    if (list.due(computed))
      list.add(std::make_shared<const RunCheckpoint>(run.checkpoint()), computed);
    ASSERT_FALSE(run.step());
  }
  EXPECT_LE(list.bytes(), 41 * one);
  EXPECT_LE(list.size(), 41u);
  EXPECT_GE(list.size(), 20u) << "no thinner than the memory asks for";
  EXPECT_EQ(list.before(10)->step(), 0);
  // 5000 ms in 20 to 40 pieces.
  for (std::int64_t step = 0; step < 4800; step += 100)
    EXPECT_LE(step - list.before(step)->step(), 5000 / 20) << step;
  const auto part = list.up_to(2500, computed);
  EXPECT_LE(part->before(5000)->step(), 2500);
  EXPECT_EQ(part->before(5000), list.before(2500)) << "shared, not copied";
}

TEST(SeekingWorker, KeepsCheckpointsByWhichItsStepsAreFound) {
  Scenario scenario = preset("lennard_jones");
  Worker worker(start(scenario));
  worker.send(TakeSteps{40});
  while (worker.snapshot().steps < 40) std::this_thread::sleep_for(1ms);
  const Snapshot& head = worker.snapshot();
  ASSERT_TRUE(head.checkpoints);
  EXPECT_GE(head.checkpoints->size(), 1u);
  Asking asking(*head.record, head.checkpoints);
  Simulation fresh = start(scenario, 30);
  EXPECT_EQ(asking.state_at(30), bytes(fresh));
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// What the budget allows is what they take from the heap, however small they are: in a run of 10⁹
// steps these are as many.
TEST(Checkpoints, TakeTheMemoryOfTheirBudget) {
  constexpr std::size_t budget = std::size_t{4} << 20;
  for (const char* key : {"double_spherical_pendulum", "chain_pendulum", "pendulum_network"})
    for (const char* method : {"variational", "rk4", "rk45"}) {
      SCOPED_TRACE(std::string(key) + " " + method);
      Simulation run = start(with(preset(key), {{"integrator.type", method}}));
      const std::size_t before = ::mallinfo2().uordblks;
      Checkpoints checkpoints(budget);
      std::size_t most = 0;
      for (int k = 0; k < 12'000; ++k) {
        ASSERT_FALSE(run.step());
        checkpoints.add(std::make_shared<const RunCheckpoint>(run.checkpoint()), {});
        most = std::max(most, ::mallinfo2().uordblks - before);
      }
      EXPECT_LT(static_cast<double>(most), 1.03 * budget);
      EXPECT_GT(static_cast<double>(most), 0.9 * budget) << "all of it is used";
    }
}
#endif

}  // namespace
}  // namespace twosphere::test::seeker_test
