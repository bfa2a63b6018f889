// SPDX-License-Identifier: GPL-3.0-or-later
// A journey through the worker: steps, edits, drags, other lanes, a run that is left and continued.
// It repeats byte for byte, whatever the threads do. With TWOSPHERE_BYTES=FOLDER its files are
// written there, for tests/studies/bytes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "core/base/build.h"
#include "core/base/file.h"
#include "core/run/saved_states.h"
#include "core/worker/worker.h"
#include "tests/runs.h"
#include "tests/workers.h"

namespace twosphere::test::worker_journey_test {
namespace {

using Files = std::map<std::string, std::string>;

class Journey {
 public:
  explicit Journey(const Scenario& scenario) : worker_(start(scenario)) {}

  void send(const std::vector<Command>& commands) {
    std::uint64_t last = 0;
    for (const Command& command : commands) last = worker_.send(command);
    ASSERT_TRUE(done(worker_, last));
    const Snapshot& now = worker_.snapshot();
    EXPECT_EQ(now.error_count, 0U) << now.error->text();
  }

  /// Saves the present run: its record, its continuation, its state.
  Worker::Captured save(const std::string& name) {
    Worker::Captured now = worker_.capture().get();
    files_[name + ".record.json"] = write_scenario(now.record);
    files_[name + ".json"] = write_scenario(now.scenario);
    // Without the program that wrote it before, and the checksum behind.
    const std::string states = write_states({now.state});
    const std::size_t begin = states.find(program_version());
    files_[name + ".states"] =
        states.substr(begin + program_version().size(),
                      states.size() - begin - program_version().size() - sizeof(std::uint32_t));
    return now;
  }

  const Snapshot& snapshot() { return worker_.snapshot(); }

  /// The files, and all rows.
  Files files() {
    std::vector<SampleRows> rows;
    worker_.drain_samples(rows);
    const auto add = [](std::string& text, const auto& value) {
      text.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    for (const SampleRows& some : rows) {
      std::string& samples = files_["samples"];
      for (std::size_t row = 0; row < some.size(); ++row) {
        add(samples, some.generation);
        add(samples, some.steps[row]);
        for (std::size_t lane = 0; lane < some.lanes; ++lane)
          add(samples, some.sample(row, lane).values);
      }
      // States, indicators and distances of the cloud; without the time that a step took.
      std::string& states = files_["states"];
      for (std::size_t k = 0; k < some.state_rows.size(); ++k)
        for (std::size_t lane = 0; lane < some.lanes; ++lane) {
          StepCost cost = some.cost(k, lane);
          cost[StepQuantity::time] = 0;
          add(states, cost.values);
          for (const double x : some.state(k, lane)) add(states, x);
        }
    }
    return files_;
  }

 private:
  Worker worker_;
  Files files_;
};

Files journey() {
  Journey run(with(preset(), {{"every", json::Node::whole(1)}}));
  const json::Node late = *json::parse_value(R"({"type": "rk4", "step": 0.005, "name": "late"})");
  run.send({FollowExponents{}, FollowCloud{CloudSpec{.members = 5, .spread = 1e-4, .seed = 3}}});
  // At the start the start is edited, later the state.
  run.send({DragEdit{.body = 1, .q = Vec3(0, 0.6, 0.8)}, Release{}, TakeSteps{20}});
  run.send({Change{{{"system.gravity", 3.0}}, 1}, TakeSteps{10},
            Change{{{"system.gravity", 4.0}}, 1}, TakeSteps{10}});
  run.send({DragEdit{.body = 0, .q = Vec3(0.6, 0, 0.8)},
            DragEdit{.body = 0, .q = Vec3(0.8, 0, 0.6)},
            DragEdit{.body = 0, .below = true, .q = Vec3(0, 0.8, 0.6)}, TakeSteps{7}});
  run.send({DragEdit{.body = 1, .omega = Vec3(0.1, 0.2, 0.3)}, Release{}, TakeSteps{3}});
  run.send({PullBody{{.body = 1, .force = Vec3(1, 0, 2), .steps = 12}}, TakeSteps{5}, Reverse{},
            TakeSteps{15}, Reverse{}, AddLane{late}, TakeSteps{10}});
  run.send({Change{{{"initial.omega[0]", *json::parse_value("[0, 0.5, 0]")}}}});
  const Worker::Captured first = run.save("first");
  const auto record = std::make_shared<const Scenario>(first.record);
  const std::shared_ptr<const Checkpoints> checkpoints = run.snapshot().checkpoints;

  // Another run, then the first one again from its last state, and from its start.
  run.send({Rewind{}, TakeSteps{6}, Change{{{"lanes[0].type", "rk45"}}}, FollowExponents{false},
            TakeSteps{6}});
  run.save("second");
  const auto steps = static_cast<std::size_t>(first.steps);
  run.send(
      {ContinueRun{record, first.state, checkpoints, first.steps, 1, steps + 1, {}}, TakeSteps{9}});
  run.save("continued");
  run.send({ContinueRun{record, nullptr, checkpoints}, TakeSteps{first.steps}});
  run.save("repeated");
  return run.files();
}

TEST(WorkerJourney, RepeatsByteForByte) {
  const Files files = journey();
  EXPECT_EQ(journey(), files);
  const char* folder = std::getenv("TWOSPHERE_BYTES");
  if (!folder) return;
  for (const auto& [name, text] : files)
    EXPECT_TRUE(write_file(std::string(folder) + '/' + name, text));
}

}  // namespace
}  // namespace twosphere::test::worker_journey_test
