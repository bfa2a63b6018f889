// SPDX-License-Identifier: GPL-3.0-or-later
// A run written to a live file and read again, bit for bit, also from a file that is cut short or
// damaged, and followed by a worker.
#include "core/worker/live_file.h"

#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/worker/live_follower.h"
#include "core/worker/row_writer.h"
#include "core/worker/seeker.h"
#include "core/worker/worker.h"
#include "tests/runs.h"
#include "tests/sample_row.h"
#include "tests/temporary_folder.h"
#include "tests/workers.h"

namespace twosphere::test::live_file_test {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

class LiveFile : public testing::Test {
 protected:
  std::string in(const char* name) const { return folder_.in(name); }
  static std::string text_of(const std::string& path) {
    const auto text = read_file(path, std::size_t{1} << 30);
    EXPECT_TRUE(text);
    return text ? *text : "";
  }
  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  const TemporaryFolder folder_;
};

/// Several lanes and events of every kind.
Scenario eventful() {
  Scenario scenario = preset();
  scenario.lanes = {{"variational", 0.01, {}, "a"}, {"rk45", 0.005, {}, "b"}};
  scenario.duration = 4;
  scenario.every = 3;
  scenario.stop = {StopCondition{.quantity = {}, .above = true, .value = 1}};
  const auto at = [&](std::int64_t step, const char* path, json::Node value) {
    scenario.events.push_back({step, {{SettingPath(path), std::move(value)}}});
  };
  at(50, "system.gravity", 5);
  at(80, "lanes[0].type", "rk4");
  scenario.events.push_back({.step = 100, .resume = true});
  at(120, "lanes[1].step", 0.0025);
  scenario.events.push_back(
      {.step = 150, .add_lane = AddedLane{{"variational4", 0.01, {}, "c"}, 1}});
  at(200, "every", 6);
  at(250, "system.masses[1]", 3);
  scenario.events.push_back({.step = 270, .pull = Pull{1, Vec3(3, 0, -2), 15}});
  scenario.events.push_back({.step = 280, .pull = Pull{0, Vec3(0, 1, 0), 30}});
  static constexpr std::array omega{0.5, 0.1, 0.0};
  at(290, "state.omega[1]", json::Node::numbers(omega));
  at(300, "duration", 6);
  scenario.events.push_back({.step = 350, .reverse = true});
  return scenario;
}

/// A run that was written to a file, with its states and rows.
struct Written {
  std::map<std::int64_t, std::string> states;
  std::vector<SampleRow> rows;
  Scenario record;
};

/// Takes steps one by one, with a state after each.
Written write_run(const std::string& path, Simulation run, std::int64_t steps) {
  Written written;
  auto file = value_of(LiveFileWriter::create(path, run, 0ms));
  const auto note = [&] {
    written.states[run.steps()] = bytes(run);
    if (run.at_sample()) written.rows.push_back(present_row(run));
  };
  note();
  while (run.steps() < steps) {
    const auto failure = run.step();
    EXPECT_FALSE(failure) << failure->message;
    if (failure) break;
    file->record(run);
    note();
  }
  file->end(run, {});
  EXPECT_TRUE(file->written());
  written.record = run.record();
  return written;
}

std::vector<LiveBlock> blocks_of(LiveFileReader& file) {
  std::vector<LiveBlock> all;
  for (;;) {
    auto block = file.next();
    EXPECT_TRUE(block) << (block ? "" : block.error().text());
    if (!block || !*block) return all;
    all.push_back(std::move(**block));
  }
}

TEST_F(LiveFile, HasEveryStateAndRowBitForBit) {
  const Written run = write_run(in("run.live"), start(eventful()), 420);
  ASSERT_TRUE(LiveFileReader::is_live_file(in("run.live")));
  auto file = value_of(LiveFileReader::open(in("run.live")));
  EXPECT_EQ(write_scenario(file.record()), write_scenario(run.record));
  std::vector<SampleRows> rows;
  std::size_t states = 0, ends = 0, markers = 0;
  for (LiveBlock& block : blocks_of(file)) {
    if (auto* some = std::get_if<SampleRows>(&block)) rows.push_back(std::move(*some));
    ends += std::holds_alternative<LiveEnd>(block);
    const auto* state = std::get_if<LiveState>(&block);
    if (!state) continue;
    ++states;
    Simulation there = Simulation::at(file.record(), *state->checkpoint);
    ASSERT_EQ(bytes(there), run.states.at(there.steps())) << "step " << there.steps();
    markers = there.markers().size();
  }
  EXPECT_GE(states, run.states.size());
  EXPECT_EQ(ends, 1u);
  EXPECT_GE(markers, 10u);
  expect_same_rows(one_by_one(rows), run.rows);
}

TEST_F(LiveFile, GoesOnFromAStateWithAllThatIsWatched) {
  // Stop conditions that are armed or not, the guard, exponents, and the events to come.
  Scenario scenario = eventful();
  scenario.lanes = {{"variational", 0.01, {}, "a"}};
  std::erase_if(scenario.events, [](const Event& event) {
    return event.add_lane || (!event.set.empty() && event.set[0].path.key() == "lanes");
  });
  Simulation run = start(scenario);
  ASSERT_TRUE(run.follow_exponents(8));
  auto writer = value_of(LiveFileWriter::create(in("run.live"), run, 0ms));
  for (int k = 0; k < 60; ++k) {
    ASSERT_FALSE(run.step());
    writer->record(run);
  }
  auto file = value_of(LiveFileReader::open(in("run.live")));
  LiveState last;
  for (LiveBlock& block : blocks_of(file))
    if (auto* state = std::get_if<LiveState>(&block)) last = std::move(*state);
  ASSERT_TRUE(last.checkpoint);
  ASSERT_EQ(last.checkpoint->step(), 60);
  Simulation there = Simulation::at(file.record(), *last.checkpoint);
  for (int k = 0; k < 340; ++k) {
    ASSERT_EQ(there.stopped(), run.stopped()) << there.steps();
    ASSERT_FALSE(run.step());
    ASSERT_FALSE(there.step());
  }
  EXPECT_EQ(bytes(there), bytes(run));
  ASSERT_TRUE(there.lane(0).exponents);
  EXPECT_EQ(there.lane(0).exponents->megno(), run.lane(0).exponents->megno());
  ASSERT_EQ(there.markers().size(), run.markers().size());
  for (std::size_t k = 0; k < run.markers().size(); ++k)
    EXPECT_EQ(there.markers()[k].text, run.markers()[k].text);
  EXPECT_EQ(there.present().parameters, run.present().parameters);
  EXPECT_TRUE(same(there.present(), run.present()));
}

TEST_F(LiveFile, KeepsWarnings) {
  Scenario scenario = with(
      preset(), {{SettingPath("integrator.type"), "rk4"}, {SettingPath("integrator.step"), 0.5}});
  Simulation run = start(scenario);
  auto writer = value_of(LiveFileWriter::create(in("run.live"), run));
  while (run.warnings().empty() && run.steps() < 1000 && !run.step()) writer->record(run);
  ASSERT_FALSE(run.warnings().empty());
  writer->end(run, {});
  auto file = value_of(LiveFileReader::open(in("run.live")));
  for (const LiveBlock& block : blocks_of(file))
    if (const auto* state = std::get_if<LiveState>(&block)) {
      const Simulation there = Simulation::at(file.record(), *state->checkpoint);
      if (there.steps() < run.steps()) continue;
      ASSERT_EQ(there.warnings().size(), run.warnings().size());
      EXPECT_EQ(describe(there.warnings()[0]), describe(run.warnings()[0]));
      EXPECT_EQ(there.warnings()[0].remedy, run.warnings()[0].remedy);
    }
}

TEST_F(LiveFile, CutShortAtAnyByteHasWhatCameBefore) {
  write_run(in("run.live"), start(preset()), 2);
  auto complete = value_of(LiveFileReader::open(in("run.live")));
  std::size_t before = blocks_of(complete).size();
  ASSERT_GE(before, 7u);
  bool opened = true;
  for (std::uintmax_t bytes = fs::file_size(in("run.live")); bytes-- > 0;) {
    fs::resize_file(in("run.live"), bytes);
    auto file = LiveFileReader::open(in("run.live"));
    ASSERT_LE(file.has_value(), opened) << bytes;
    opened = file.has_value();
    if (!opened) {
      EXPECT_TRUE(says(file.error().location, "run.live"));
      continue;
    }
    const std::size_t blocks = blocks_of(*file).size();
    ASSERT_LE(blocks, before) << bytes;
    ASSERT_GE(blocks + 1, before) << bytes;
    before = blocks;
  }
  EXPECT_EQ(before, 0u);
  EXPECT_FALSE(opened);
}

TEST_F(LiveFile, DamagedAnywhereIsReadUpToThere) {
  write_run(in("run.live"), start(preset()), 2);
  const std::string whole = text_of(in("run.live"));
  std::fstream bytes(in("run.live"), std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t at, char byte) {
    bytes.seekp(static_cast<std::streamoff>(at));
    bytes.put(byte);
    bytes.flush();
  };
  int damaged_blocks = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (at > 0) put(at - 1, whole[at - 1]);
    put(at, static_cast<char>(whole[at] ^ 0x10));
    auto file = LiveFileReader::open(in("run.live"));
    if (!file) {
      EXPECT_TRUE(says(file.error().location, "run.live"));
      continue;
    }
    Result<std::optional<LiveBlock>> block = std::optional<LiveBlock>();
    for (int k = 0; k < 100 && (k == 0 || (block && *block)); ++k) {
      block = file->next();
      if (block && *block && std::holds_alternative<LiveState>(**block)) {
        const auto& state = *std::get<LiveState>(**block).checkpoint;
        for (const Lane::Checkpoint& lane : state.lanes) ASSERT_TRUE(lane.state.q.allFinite());
      }
    }
    ASSERT_FALSE(block) << "byte " << at;
    EXPECT_TRUE(says(block.error().location, "run.live: byte "));
    EXPECT_FALSE(file->next()) << "the same block again";
    ++damaged_blocks;
  }
  EXPECT_GT(damaged_blocks, 500);
}

/// A block of a live file; `begin` is where its content begins.
struct BlockPlace {
  std::size_t begin = 0, length = 0;
};
constexpr std::size_t live_head_bytes = 20;

std::vector<BlockPlace> places_of_blocks(const std::string& text) {
  std::vector<BlockPlace> places;
  for (std::size_t at = text.find('\n') + 1; at < text.size();) {
    std::uint64_t length = 0;
    std::memcpy(&length, &text[at + 4], sizeof length);
    places.push_back({at + live_head_bytes, static_cast<std::size_t>(length)});
    at += live_head_bytes + static_cast<std::size_t>(length);
  }
  return places;
}

/// Gives a block whose content was changed the checksums that it would have been written with.
void correct_checksums(std::string& text, const BlockPlace& block) {
  const auto put_crc = [&](std::size_t from, std::size_t bytes, std::size_t to) {
    const auto crc =
        static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(&text[from]), bytes));
    std::memcpy(&text[to], &crc, sizeof crc);
  };
  const std::size_t head = block.begin - live_head_bytes;
  put_crc(block.begin, block.length, head + 12);
  put_crc(head, 16, head + 16);
}

/// Follows a file to its end, as a window does, and takes two steps from there. True if nothing in
/// it was refused.
bool follow_all(const std::string& path) {
  auto file = LiveFollower::open(path);
  if (!file) {
    EXPECT_TRUE(says(file.error().text(), "run.live"));
    return false;
  }
  RowWriter rows(1000, StateStride::budget);
  std::vector<SampleRows> came;
  bool begun = false;
  const auto show = [&] {
    Simulation there = Simulation::at(file->record(), *file->last().checkpoint);
    for (int i = 0; i < there.lane_count(); ++i) {
      EXPECT_TRUE(there.state(i).q.allFinite() && there.state(i).w.allFinite());
      static_cast<void>(there.sample(i));
    }
    for (const Warning& warning : there.warnings()) EXPECT_FALSE(describe(warning).empty());
    if (!std::exchange(begun, true)) rows.begin(there, 0);
    file->take_rows(came);
    for (SampleRows& some : came) {
      for (std::size_t k = 0; k < some.state_rows.size(); ++k)
        for (std::size_t i = 0; i < some.lanes; ++i)
          for (const double x : some.state(k, i)) EXPECT_TRUE(std::isfinite(x));
      rows.pass(std::move(some));
    }
    came.clear();
    if (!there.step()) static_cast<void>(there.step());
  };
  show();
  for (auto now = file->read(); now != LiveFollower::ReadResult::nothing; now = file->read())
    if (now == LiveFollower::ReadResult::state) show();
  return file->status().file.problem.empty();
}

TEST_F(LiveFile, WithAnyContentUnderRightChecksumsIsSafe) {
  Scenario scenario = preset();
  scenario.lanes = {{"variational", 0.01, {}, "a"}, {"rk45", 0.005, {}, "b"}};
  scenario.stop = {StopCondition{.quantity = Quantity::energy_error, .above = true, .value = 1}};
  scenario.events.push_back({.step = 1, .pull = Pull{1, Vec3(3, 0, -2), 15}});
  scenario.events.push_back({2, {{SettingPath("system.gravity"), 5}}});
  {
    Simulation run = start(scenario);
    run.follow_where_possible(2);
    auto file = value_of(LiveFileWriter::create(in("run.live"), run, 0ms));
    for (int k = 0; k < 3; ++k) {
      ASSERT_FALSE(run.step());
      file->record(run);
    }
    file->end(run, {LiveEnd::Reason::step_failed,
                    StepFailure{0, {.status = StepStatus::not_converged}, 4, 0.03, "no"}});
  }
  ASSERT_TRUE(follow_all(in("run.live")));
  const std::string whole = text_of(in("run.live"));
  const std::vector<BlockPlace> blocks = places_of_blocks(whole);
  ASSERT_GE(blocks.size(), 8u);
  const std::array words{~std::uint64_t{0},      std::uint64_t{1} << 63,
                         std::uint64_t{1} << 62, std::uint64_t{0x7FF8} << 48,
                         std::uint64_t{0},       std::uint64_t{1000}};
  std::size_t stride = std::getenv("TWOSPHERE_LONG") ? 1 : 7, refused = 0, read = 0, turn = 0;
  for (std::size_t k = 1; k < blocks.size(); ++k)
    for (std::size_t at = 0; at < blocks[k].length; at += stride) {
      std::string text = whole;
      const std::size_t way = turn++ % (words.size() + 2);
      if (way < words.size())
        std::memcpy(&text[blocks[k].begin + at], &words[way],
                    std::min(sizeof words[way], blocks[k].length - at));
      else
        text[blocks[k].begin + at] ^= static_cast<char>(way == words.size() ? 0x01 : 0x81);
      correct_checksums(text, blocks[k]);
      write(in("run.live"), text);
      ++(follow_all(in("run.live")) ? read : refused);
      ASSERT_FALSE(HasFailure()) << "block " << k << ", byte " << at << ", way " << way;
    }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(read, 100u);
}

TEST_F(LiveFile, OfAnotherFormatIsRefused) {
  write_run(in("run.live"), start(preset()), 2);
  std::string text = text_of(in("run.live"));
  text.replace(text.find("format 3"), 8, "format 9");
  write(in("new.live"), text);
  const Error newer = error_of(LiveFileReader::open(in("new.live")));
  EXPECT_TRUE(says(newer.text(), "reads format 3"));
  write(in("other.live"), "{\"twosphere\": 1}");
  EXPECT_FALSE(LiveFileReader::is_live_file(in("other.live")));
  const Error other = error_of(LiveFileReader::open(in("other.live")));
  EXPECT_TRUE(says(other.text(), "is not a live file"));
  EXPECT_FALSE(LiveFileReader::open(in("missing.live")));
}

// Who opens the other end of a pipe writes to the first reader, and to no later one.
TEST_F(LiveFile, IsNoPipeAndAPipeIsNotOpenedToFindOut) {
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  const int opened = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(::inotify_add_watch(opened, in("pipe").c_str(), IN_OPEN), 0);
  EXPECT_FALSE(LiveFileReader::is_live_file(in("pipe")));
  std::array<char, sizeof(inotify_event) + NAME_MAX + 1> event{};
  EXPECT_EQ(::read(opened, event.data(), event.size()), -1);
  ::close(opened);
}

TEST_F(LiveFile, IsWrittenByOneRunAtATime) {
  Simulation run = start(preset()), second = start(preset());
  auto first = value_of(LiveFileWriter::create(in("run.live"), run));
  auto file = value_of(LiveFileReader::open(in("run.live")));
  EXPECT_TRUE(file.is_held());
  EXPECT_FALSE(file.is_replaced());
  const Error refused = error_of(LiveFileWriter::create(in("run.live"), second));
  EXPECT_TRUE(says(refused.text(), "run.live: is being written"));
  first.reset();
  EXPECT_FALSE(file.is_held());
  ASSERT_TRUE(LiveFileWriter::create(in("run.live"), second));
  EXPECT_TRUE(file.is_replaced());
  EXPECT_FALSE(LiveFileWriter::create(in("nowhere/run.live"), second));
}

TEST_F(LiveFile, IsFollowedByAWorkerWhileItGrows) {
  Simulation run = start(eventful());
  auto writer = value_of(LiveFileWriter::create(in("run.live"), run, 0ms));
  Worker worker(start(preset()));
  after(worker, {Load{preset(), nullptr, in("run.live")}});
  ASSERT_TRUE(worker.snapshot().followed) << worker.snapshot().error->text();
  std::vector<SampleRow> want;
  std::vector<SampleRows> came;
  const std::uint64_t generation = worker.snapshot().generation;
  for (int part = 1; part <= 4; ++part) {
    for (int k = 0; k < 90; ++k) {
      if (run.at_sample()) {
        SampleRow& row = want.emplace_back();
        row.step = run.steps();
        for (int i = 0; i < run.lane_count(); ++i) row.lanes.push_back(run.sample(i));
      }
      ASSERT_FALSE(run.step());
      writer->record(run);
    }
    ASSERT_TRUE(wait_until(worker, [&](const Snapshot& s) { return s.steps == run.steps(); }));
    const Snapshot& now = worker.snapshot();
    EXPECT_EQ(now.followed->activity, FollowedFile::Activity::computing);
    EXPECT_EQ(now.state, RunState::running);
    EXPECT_EQ(now.generation, generation);
    ASSERT_EQ(static_cast<int>(now.lanes.size()), run.lane_count());
    for (int i = 0; i < run.lane_count(); ++i) {
      const auto& lane = now.lanes[static_cast<std::size_t>(i)];
      EXPECT_EQ(lane.state.q, run.state(i).q);
      EXPECT_EQ(lane.sample.values, run.sample(i).values);
    }
  }
  // What would change the run is refused.
  const auto commands = []<class... C>(const std::variant<C...>&) {
    return std::vector<Command>{C{}...};
  }(Command());
  for (const Command& command : commands) {
    if (!traits_of(command).needs_own_run) {
      EXPECT_FALSE(traits_of(command).is_edit);
      continue;
    }
    const std::uint64_t errors = worker.snapshot().error_count, sent = worker.send(command);
    ASSERT_TRUE(done(worker, sent));
    EXPECT_EQ(worker.snapshot().error_count, errors + 1);
  }
  EXPECT_EQ(worker.snapshot().steps, run.steps());
  // Any step is found again.
  Seeker seeker([] {});
  const std::uint64_t request =
      seeker.seek(worker.snapshot().record, worker.snapshot().checkpoints, 123);
  std::shared_ptr<const Instant> found;
  for (int k = 0; k < 60'000 && !(found && found->exact && found->request == request); ++k) {
    std::this_thread::sleep_for(1ms);
    found = seeker.instant();
  }
  ASSERT_TRUE(found && found->exact);
  Simulation fresh = start(eventful(), 123);
  Simulation there = Simulation::at(*worker.snapshot().record, *found->checkpoint);
  EXPECT_EQ(bytes(there), bytes(fresh));

  // The writer ends without an end, as one that is killed.
  writer.reset();
  ASSERT_TRUE(wait_until(worker, [](const Snapshot& s) {
    return s.followed->activity == FollowedFile::Activity::abandoned;
  }));
  EXPECT_EQ(worker.snapshot().state, RunState::paused);
  EXPECT_GE(worker.snapshot().followed->silence, 5);

  // As a separate run it continues bit for bit.
  worker.send(Detach{});
  const auto taken = worker.send(TakeSteps{60});
  for (int k = 0; k < 60; ++k) {
    if (run.at_sample()) {
      SampleRow& row = want.emplace_back();
      row.step = run.steps();
      for (int i = 0; i < run.lane_count(); ++i) row.lanes.push_back(run.sample(i));
    }
    ASSERT_FALSE(run.step());
  }
  ASSERT_TRUE(done(worker, taken));
  EXPECT_FALSE(worker.snapshot().followed);
  EXPECT_EQ(worker.snapshot().steps, run.steps());
  if (run.at_sample()) {
    SampleRow& row = want.emplace_back();
    row.step = run.steps();
    for (int i = 0; i < run.lane_count(); ++i) row.lanes.push_back(run.sample(i));
  }
  Worker::Captured captured = worker.capture().get();
  EXPECT_EQ(write_scenario(captured.scenario), bytes(run));
  worker.drain_samples(came);
  std::erase_if(came, [&](const SampleRows& rows) { return rows.generation != generation; });
  expect_same_rows(one_by_one(came), want);
}

TEST_F(LiveFile, IsThinnedWhereItHasTooManyRows) {
  Scenario scenario = preset();
  scenario.every = 1;
  const Written run = write_run(in("run.live"), start(scenario), 300);
  Worker worker(start(preset()), {}, {.max_samples = 100});
  worker.send(Load{preset(), nullptr, in("run.live")});
  ASSERT_TRUE(wait_until(worker, [](const Snapshot& s) { return s.steps == 300; }));
  ASSERT_TRUE(wait_until(worker, [](const Snapshot& s) {
    return s.followed->activity == FollowedFile::Activity::ended;
  }));
  EXPECT_EQ(worker.snapshot().stride, 4);
  std::vector<SampleRows> came;
  worker.drain_samples(came);
  std::vector<SampleRow> got = one_by_one(came), want = run.rows;
  std::erase_if(got, [](const SampleRow& row) { return row.step % 4 != 0 || row.generation < 2; });
  std::erase_if(want, [](const SampleRow& row) { return row.step % 4 != 0; });
  expect_same_rows(got, want);
}

TEST_F(LiveFile, ThatWasAbandonedLongAgoIsSaidToBeSoAtOnce) {
  {
    Simulation run = start(preset());
    auto writer = value_of(LiveFileWriter::create(in("run.live"), run, 0ms));
    for (int k = 0; k < 50; ++k) {
      ASSERT_FALSE(run.step());
      writer->record(run);
    }
  }
  fs::last_write_time(in("run.live"), fs::file_time_type::clock::now() - 1h);
  Worker worker(start(preset()));
  after(worker, {Load{preset(), nullptr, in("run.live")}});
  ASSERT_TRUE(wait_until(worker, [](const Snapshot& s) { return s.steps == 50; }));
  ASSERT_TRUE(worker.snapshot().followed);
  EXPECT_EQ(worker.snapshot().followed->activity, FollowedFile::Activity::abandoned);
  EXPECT_GE(worker.snapshot().followed->silence, 3599);
}

TEST_F(LiveFile, HasTheRowsThatAKilledRunWroteAfterItsLastState) {
  Scenario scenario = preset();
  scenario.every = 1;
  std::vector<SampleRow> want;
  {
    Simulation run = start(scenario);
    auto writer = value_of(LiveFileWriter::create(in("run.live"), run, 1min));
    want.push_back(present_row(run));
    while (run.steps() < 20'000) {
      ASSERT_FALSE(run.step());
      writer->record(run);
      want.push_back(present_row(run));
    }
  }
  fs::last_write_time(in("run.live"), fs::file_time_type::clock::now() - 1h);
  auto file = value_of(LiveFollower::open(in("run.live")));
  EXPECT_EQ(file.last().checkpoint->step(), 0);
  while (file.read() != LiveFollower::ReadResult::nothing) {
  }
  Simulation there = Simulation::at(file.record(), *file.last().checkpoint);
  ASSERT_GE(there.steps(), 16'000);
  std::vector<SampleRows> came;
  file.take_rows(came);
  want.resize(static_cast<std::size_t>(there.steps()) + 1);
  expect_same_rows(one_by_one(came), want);
  Simulation fresh = start(scenario, there.steps());
  EXPECT_EQ(bytes(there), bytes(fresh));
}

TEST_F(LiveFile, ShowsAWarningThatIsFoundAtTheEnd) {
  Scenario scenario = with(preset(), {{SettingPath("integrator.type"), "rk4"},
                                      {SettingPath("integrator.step"), 0.5},
                                      {SettingPath("duration"), 1000.0},
                                      {SettingPath("every"), 2000}});
  Simulation run = start(scenario);
  auto writer = value_of(LiveFileWriter::create(in("run.live"), run, 0ms));
  while (run.steps() < 1500) {
    ASSERT_FALSE(run.step());
    writer->record(run);
  }
  ASSERT_TRUE(run.warnings().empty());
  run.check_at_end();
  ASSERT_FALSE(run.warnings().empty());
  writer->end(run, {LiveEnd::Reason::interrupted});
  Worker worker(start(preset()));
  worker.send(Load{preset(), nullptr, in("run.live")});
  ASSERT_TRUE(wait_until(worker, [](const Snapshot& s) {
    return s.followed && s.followed->activity == FollowedFile::Activity::ended;
  }));
  EXPECT_EQ(worker.snapshot().warnings.size(), run.warnings().size());
  EXPECT_EQ(worker.snapshot().followed->problem, "it was interrupted");
}

TEST_F(LiveFile, SaysWhyItIsNotFollowed) {
  write(in("bad.live"), "twosphere live run, format 3\nnothing");
  Worker worker(start(preset()));
  after(worker, {Load{preset(), nullptr, in("bad.live")}});
  ASSERT_TRUE(worker.snapshot().error);
  EXPECT_TRUE(says(worker.snapshot().error->text(), "bad.live"));
  EXPECT_FALSE(worker.snapshot().followed);
}

}  // namespace
}  // namespace twosphere::test::live_file_test
