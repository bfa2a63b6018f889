// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a sweep: its rows, states and tables, and that runs continue from them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <thread>

#include "core/base/file.h"
#include "core/scenario/reader.h"
#include "core/studies/sweep_collect.h"
#include "core/studies/sweep_order.h"
#include "core/studies/sweep_run.h"
#include "tests/complete_to_end.h"
#include "tests/core/studies/sweep_cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/temporary_folder.h"

namespace twosphere::test::sweep_test {
namespace {

namespace fs = std::filesystem;

struct Folder : testing::Test {
  SweepFolder folder(Sweep sweep, const std::string& name = "a") const {
    fs::create_directories(in(name));
    return {in(name), "the name", std::move(sweep)};
  }
  static bool run(const SweepFolder& folder, SweepRun how = {}) {
    return value_of(run_sweep(folder, how, [](const SweepProgress&) { return true; }));
  }
  static std::string table(const SweepFolder& folder) {
    return sweep_table(folder, value_of(read_rows(folder)));
  }

  std::string in(const std::string& name) const { return temporary_.in(name); }

  const TemporaryFolder temporary_;
};

TEST_F(Folder, ATaskThatIsPastAnEventGoesOnBesideThoseBeforeIt) {
  Scenario scenario = preset();
  scenario.every = 25;
  scenario.duration = 3;
  scenario.events.push_back({.step = 110, .set = {{"system.gravity", 5.0}}});
  const Sweep sweep = sweep_of(scenario, {"initial.omega[1][1]=-2:2:8"}, {"energy_error.max"});
  const auto states = [&](std::size_t task) {
    return TaskStates{in(""), std::to_string(task) + ".json", 0};
  };
  // A task as it is when it was interrupted there.
  std::atomic<bool> stop = false;
  int rows = 0;
  TaskStates first = states(2);
  first.saved = [&] { stop = ++rows == 6; };
  ASSERT_FALSE(value_of(run_sweep_task(sweep, "name", 2, first, stop)));
  std::size_t ended = 0;
  const TaskCalls calls{states, [&](EndedTask end) {
                          ASSERT_TRUE(end.row);
                          ++ended;
                          EXPECT_EQ(end.row->values, result(sweep, end.index).values) << end.index;
                        }};
  ASSERT_TRUE(run_sweep_tasks(sweep, "name", all_tasks(sweep), calls, never));
  EXPECT_EQ(ended, sweep.tasks());
}

TEST_F(Folder, GroupsGoOnFromTheirStatesBitForBit) {
  Scenario scenario = preset();
  scenario.every = 20;
  scenario.duration = 10;
  // With tangent vectors, and without.
  const Sweep plain =
      sweep_of(scenario, {"initial.omega[1][1]=-2:2:16"}, {"energy_error.max", "t_stop", "cost"});
  const Sweep followed =
      sweep_of(scenario, {"initial.omega[1][1]=-2:2:16"}, {"megno", "fli", "lyapunov"});
  for (const Sweep& sweep : {plain, followed}) {
    std::map<std::size_t, SweepRow> rows;
    std::vector<std::size_t> left = all_tasks(sweep);
    int interruptions = 0;
    for (; !left.empty(); ++interruptions) {
      ASSERT_LT(interruptions, 5000);
      std::atomic<bool> stop = false;
      std::jthread interrupter([&stop, interruptions] {
        std::this_thread::sleep_for(std::chrono::microseconds(700 + 377 * (interruptions % 40)));
        stop = true;
      });
      const TaskCalls calls{[&](std::size_t task) {
                              return TaskStates{in(""), std::to_string(task) + ".json", 0};
                            },
                            [&](EndedTask ended) {
                              if (ended.row) rows[ended.index] = *ended.row;
                            }};
      ASSERT_TRUE(run_sweep_tasks(sweep, "name", left, calls, stop));
      std::erase_if(left, [&](std::size_t task) { return rows.contains(task); });
    }
    EXPECT_GT(interruptions, 3);
    for (const auto& [task, row] : rows) EXPECT_EQ(row.values, result(sweep, task).values) << task;
    EXPECT_TRUE(fs::is_empty(temporary_.path()));
  }
}

TEST_F(Folder, GroupsGiveTheSameBytesHoweverTheyAreDivided) {
  const std::vector<Sweep> all = families();
  for (const std::size_t k : {0, 3}) {
    const Sweep& sweep = all[k];
    const std::string name = std::to_string(sweep.vectors());
    const SweepFolder one = folder(sweep, name + "one");
    ASSERT_TRUE(run(one));
    const std::string expected = table(one);
    const SweepFolder threads = folder(sweep, name + "threads");
    ASSERT_TRUE(run(threads, {.jobs = 3}));
    EXPECT_EQ(table(threads), expected);
    const SweepFolder parts = folder(sweep, name + "parts");
    for (const int part : {2, 3, 1}) ASSERT_TRUE(run(parts, {.part = {part, 3}}));
    EXPECT_EQ(table(parts), expected);
    const SweepFolder alone = folder(sweep, name + "alone");
    ASSERT_TRUE(run(alone, {.jobs = 1000}));
    EXPECT_EQ(table(alone), expected);
  }
}

TEST_F(Folder, ATaskGoesOnFromItsStateBitForBit) {
  Scenario scenario = preset();
  scenario.every = 20;
  scenario.duration = 20;
  // An event, and adaptive inner steps, too.
  scenario.events.push_back({.step = 1500, .set = {{"system.gravity", 5.0}}});
  Sweep sweep = sweep_of(
      scenario, {"system.masses[1]=1,2"},
      {"energy_error.max", "kinetic_energy.mean", "potential_energy.min", "t_stop", "lyapunov",
       "lyapunov[7]", "megno", "fli", "frequency", "frequency[1]", "diffusion", "cost"});
  for (const char* method : {"variational", "variational4", "variational_adaptive"}) {
    SCOPED_TRACE(method);
    sweep.scenario = with(sweep.scenario, {{"integrator.type", method}});
    if (std::string(method) == "variational_adaptive")
      std::erase_if(sweep.measures, [](const SweepMeasure& m) { return m.vectors() > 0; });
    const SweepRow whole = result(sweep, 1);
    // A state at every row; interrupted a thousand times where it likes.
    const TaskStates states{in(""), "state.json", 0};
    std::optional<SweepRow> row;
    int interruptions = 0;
    while (!row) {
      std::atomic<bool> stop = false;
      std::jthread interrupter([&stop, interruptions] {
        std::this_thread::sleep_for(std::chrono::microseconds(500 + 377 * (interruptions % 40)));
        stop = true;
      });
      row = value_of(run_sweep_task(sweep, "name", 1, states, stop));
      ++interruptions;
      ASSERT_LT(interruptions, 5000);
    }
    EXPECT_GT(interruptions, 3);
    EXPECT_EQ(row->status, whole.status);
    EXPECT_EQ(row->values, whole.values);
    EXPECT_FALSE(fs::exists(in("state.json")));
  }
}

TEST_F(Folder, EveryDivisionAndInterruptionGivesTheSameBytes) {
  const SweepFolder one = folder(small(), "one");
  ASSERT_TRUE(run(one));
  const std::string expected = table(one);
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 13);
  const SweepFolder threads = folder(small(), "threads");
  ASSERT_TRUE(run(threads, {.jobs = 4}));
  EXPECT_EQ(table(threads), expected);
  const SweepFolder parts = folder(small(), "parts");
  for (const int k : {3, 1, 5, 2, 4}) ASSERT_TRUE(run(parts, {.part = {k, 5}}));
  EXPECT_EQ(table(parts), expected);
  // Another division finds nothing left.
  std::size_t before = 0;
  ASSERT_TRUE(run_sweep(parts, {}, [&](const SweepProgress& p) {
    before = p.before;
    return true;
  }));
  EXPECT_EQ(before, 12U);
  // Stopped after every look.
  const SweepFolder stopped = folder(small(), "stopped");
  for (int k = 0; k < 200; ++k) {
    const auto done = value_of(run_sweep(stopped, {}, [](const SweepProgress&) { return false; }));
    if (done) break;
  }
  EXPECT_EQ(table(stopped), expected);
}

TEST_F(Folder, TornAndChangedRowsAreRunAgain) {
  const SweepFolder a = folder(small());
  ASSERT_TRUE(run(a));
  const std::string expected = table(a), file = a.inside("rows/1-of-1.csv");
  const auto whole = value_of(read_file(file, 1 << 20));
  for (const std::size_t cut : {std::size_t{1}, std::size_t{7}, std::size_t{60}, whole.size() / 2,
                                whole.size() - 70, whole.size()}) {
    ASSERT_TRUE(write_file(file, std::string_view(whole).substr(0, whole.size() - cut)));
    ASSERT_TRUE(run(a));
    EXPECT_EQ(table(a), expected) << cut;
  }
  // A digit of a row in the middle.
  std::string changed = whole;
  const std::size_t at = changed.find("\n3,done,") + 9;
  changed[at] = changed[at] == '5' ? '6' : '5';
  ASSERT_TRUE(write_file(file, changed));
  EXPECT_NE(table(a), expected);
  ASSERT_TRUE(run(a));
  EXPECT_EQ(table(a), expected);
  // Rows of another sweep.
  SweepFolder other = a;
  other.name = "another";
  EXPECT_FALSE(read_rows(other));
  EXPECT_FALSE(run_sweep(other, {}, [](const SweepProgress&) { return true; }));
}

TEST_F(Folder, AFileThatHasNoRowsOfThisSweepStays) {
  const SweepFolder a = folder(small());
  fs::create_directories(a.inside("rows"));
  const std::string file = a.inside("rows/1-of-1.csv");
  for (const std::string mine : {"my notes", "my notes\n", "task,1,2\n3,4\n"}) {
    SCOPED_TRACE(mine);
    ASSERT_TRUE(write_file(file, mine));
    const Error ran = error_of(run_sweep(a, {}, [](const SweepProgress&) { return true; }));
    EXPECT_EQ(ran.kind, ErrorKind::input_output);
    EXPECT_EQ(ran.text(),
              file +
                  ": does not begin as the rows of this sweep; move it away to run its tasks "
                  "again");
    EXPECT_FALSE(read_rows(a));
    EXPECT_FALSE(SweepReader(a).read());
    EXPECT_EQ(*read_file(file, 1 << 20), mine);
  }
}

TEST_F(Folder, LinksInAFolderLeadNowhere) {
  ASSERT_TRUE(write_file(in("mine"), "mine"));
  fs::create_directories(in("own"));
  for (const std::string link : {"rows", "times", "states", "running", "reasons", "notes",
                                 "rows/1-of-1.csv", "times/1-of-1.csv", "running/1-of-1.txt"}) {
    SCOPED_TRACE(link);
    const SweepFolder a = folder(small());
    const bool whole = link.find('/') == link.npos;
    fs::create_directories(fs::path(a.inside(link)).parent_path());
    fs::create_symlink(in(whole ? "own" : "mine"), a.inside(link));
    const Error ran = error_of(run_sweep(a, {}, [](const SweepProgress&) { return true; }));
    EXPECT_EQ(ran.text(),
              a.inside(link) + ": is a symbolic link, and none is followed in this folder");
    EXPECT_EQ(read_rows(a).has_value(), !link.starts_with("rows"));
    fs::remove_all(a.path);
  }
  EXPECT_EQ(*read_file(in("mine"), 100), "mine");
  EXPECT_TRUE(fs::is_empty(in("own")));
}

TEST_F(Folder, TasksSayHowFarTheirSignalsAreMeasured) {
  const Scenario scenario =
      with(preset("custom/pendulum"), {{"integrator.type", "rk45"}, {"duration", 80.0}});
  const SweepFolder a =
      folder(sweep_of(scenario, {"integrator.step=0.05,2"}, {"frequency", "energy_error.max"}));
  ASSERT_TRUE(run(a));
  EXPECT_EQ(note_of(a, 0), "");
  EXPECT_TRUE(says(note_of(a, 1),
                   "more than half a turn in the 2 s between samples: frequencies "
                   "beyond 0.25 Hz appear as lower ones"));
  EXPECT_EQ(notes_of(a).size(), 1U);
  // A run that stops says why in the words of its summary.
  const Scenario stops = with(scenario, {{"stop", *json::parse_value(R"([{"time": 3}])")}});
  const SweepFolder b = folder(sweep_of(stops, {"integrator.step=0.05"}, {"frequency"}), "b");
  ASSERT_TRUE(run(b));
  Simulation alone = start(*sweep_scenario(b.sweep, 0));
  while (!alone.stopped()) ASSERT_FALSE(alone.advance_to(alone.planned_steps()));
  EXPECT_EQ(note_of(b, 0), "stopped: " + *alone.stopped());
  // Where no signal is measured the status says it.
  const SweepFolder c = folder(sweep_of(stops, {"integrator.step=0.05"}, {"cost"}), "c");
  ASSERT_TRUE(run(c));
  EXPECT_TRUE(notes_of(c).empty());
}

TEST_F(Folder, MissingTasksAreMarked) {
  const SweepFolder a = folder(small());
  ASSERT_TRUE(run(a, {.part = {2, 3}}));
  const std::string text = table(a);
  EXPECT_TRUE(says(text, "0,1,-1,,,,,,,,,,,missing\r\n"));
  EXPECT_TRUE(says(text, ",done\r\n"));
  EXPECT_TRUE(
      text.starts_with("task,system.gravity [m/s²],initial.omega[1][1] [rad/s],"
                       "energy_error.max [J],"))
      << text;
}

TEST_F(Folder, TasksAreRunCoarseToFine) {
  const SweepFolder a = folder(small());
  ASSERT_TRUE(run(a));
  const auto text = value_of(read_file(a.inside("rows/1-of-1.csv"), 1 << 20));
  std::vector<std::size_t> numbers;
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1))
    numbers.push_back(std::stoul(text.substr(at + 1)));
  EXPECT_EQ(numbers, coarse_to_fine({4, 3}));
  // Those of a part in the same order.
  const SweepFolder part = folder(small(), "part");
  ASSERT_TRUE(run(part, {.part = {2, 2}}));
  const auto rows = value_of(SweepReader(part).read());
  std::vector<std::size_t> odd = coarse_to_fine({4, 3}), read;
  std::erase_if(odd, [](std::size_t k) { return k % 2 == 0; });
  for (const SweepRow& row : rows) read.push_back(row.task);
  EXPECT_EQ(read, odd);
}

TEST_F(Folder, NewRowsAreReadAsTheyAreWritten) {
  const SweepFolder whole = folder(small(), "whole"), grows = folder(small(), "grows");
  ASSERT_TRUE(run(whole));
  const auto text = value_of(read_file(whole.inside("rows/1-of-1.csv"), 1 << 20));
  fs::create_directories(grows.inside("rows"));
  SweepReader reader(grows);
  std::vector<SweepRow> rows;
  const auto take = [&] {
    auto fresh = reader.read();
    EXPECT_TRUE(fresh) << (fresh ? "" : fresh.error().text());
    if (fresh) rows.insert(rows.end(), fresh->begin(), fresh->end());
    return fresh ? fresh->size() : 0;
  };
  EXPECT_EQ(take(), 0U);
  // A byte at a time.
  const std::string file = grows.inside("rows/1-of-1.csv");
  for (const char c : text) {
    std::ofstream(file, std::ios::app) << c;
    EXPECT_LE(take(), 1U);
  }
  EXPECT_EQ(take(), 0U);
  const auto all = value_of(read_rows(whole));
  ASSERT_EQ(rows.size(), 12U);
  for (const SweepRow& row : rows) {
    EXPECT_EQ(row.status, all[row.task].status);
    EXPECT_EQ(row.values, all[row.task].values);
  }
  // A torn line is read once it is whole; another part is found.
  std::ofstream(file, std::ios::app) << "3,do";
  EXPECT_EQ(take(), 0U);
  ASSERT_TRUE(run(grows, {.part = {1, 2}}));
  EXPECT_EQ(take(), 0U) << "all tasks of that part had rows";
  SweepFolder other = grows;
  other.name = "another";
  EXPECT_FALSE(SweepReader(other).read());
}

TEST_F(Folder, NetcdfAndZarrAreTheSameBytesEveryTime) {
  if (!has_netcdf()) GTEST_SKIP() << "this build has no netCDF";
  Scenario scenario = lasting(0.1);
  scenario.title = "ω₁, 𝑞, \"é\"";
  Sweep sweep =
      sweep_of(scenario, {"system.gravity=1:20:3", "integrator.type=variational,variational4"},
               {"energy_error.max", "megno"});
  sweep.members = 2;
  sweep.spread = 1e-6;
  const SweepFolder a = folder(sweep);
  ASSERT_TRUE(run(a));
  const auto rows = value_of(read_rows(a));
  for (const char* name : {"1.nc", "2.nc", "1.zarr", "2.zarr", "2.zarr"}) {
    ASSERT_TRUE(succeeds(write_netcdf(a, rows, in(name))));
  }
  const auto bytes_of = [](const std::string& path) {
    const auto text = read_file(path, 1 << 24);
    EXPECT_TRUE(text) << path;
    return text ? *text : path;
  };
  EXPECT_EQ(bytes_of(in("1.nc")), bytes_of(in("2.nc")));
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(in("1.zarr"))) {
    if (!entry.is_regular_file()) continue;
    const std::string inside = fs::relative(entry.path(), in("1.zarr")).string();
    EXPECT_EQ(bytes_of(entry.path()), bytes_of(in("2.zarr/" + inside))) << inside;
    if (entry.path().filename() == ".zattrs") {
      for (const char c : bytes_of(entry.path()))
        ASSERT_LT(static_cast<unsigned char>(c), 0x80) << inside;
    }
    ++files;
  }
  EXPECT_GT(files, 10U);
  const std::string texts = bytes_of(in("1.zarr/.zattrs"));
  EXPECT_TRUE(says(texts, R"("sweep of: \\u03c9\\u2081, \\ud835\\udc5e, \"\\u00e9\"")"));
  EXPECT_TRUE(says(bytes_of(in("1.zarr/system_gravity/.zattrs")), R"("units": "m/s2")"));
  // No status is missing, so that there is no number for it; all descriptions are in one file.
  const std::string status = bytes_of(in("1.zarr/status/.zarray"));
  EXPECT_TRUE(says(status, "\"fill_value\": null"));
  const std::string megno = bytes_of(in("1.zarr/megno/.zarray"));
  EXPECT_TRUE(says(megno, "\"fill_value\": NaN"));
  const std::string all = bytes_of(in("1.zarr/.zmetadata"));
  EXPECT_TRUE(says(all, "\"zarr_consolidated_format\": 1"));
  EXPECT_TRUE(says(all, "\"status/.zarray\": " + status));
  EXPECT_TRUE(says(all, "\"integrator_type/.zattrs\": {"));
  EXPECT_TRUE(says(all, "\".zattrs\": {"));
  // A link stays, and leads to the new group or file.
  fs::create_symlink("1.zarr", in("link.zarr"));
  fs::create_symlink("3.nc", in("link.nc"));
  for (const char* name : {"link.zarr", "link.nc"}) {
    ASSERT_TRUE(write_netcdf(a, rows, in(name)));
    EXPECT_TRUE(fs::is_symlink(in(name)));
  }
  EXPECT_EQ(bytes_of(in("3.nc")), bytes_of(in("1.nc")));
  // What is there and is no Zarr group stays.
  fs::create_directories(in("mine.zarr"));
  EXPECT_FALSE(write_netcdf(a, rows, in("mine.zarr")));
  EXPECT_EQ(variable_name("initial.omega[1][2]"), "initial_omega_1_2");
}

TEST_F(Folder, AxesWhoseNamesAreAlikeAreVariablesOfTheirOwn) {
  const std::string text = R"json({"twosphere": 1,
"system": {"type": "custom", "parameters": {"k": [1, 2], "k_0": 3}, "inertia": "diag(1)",
           "potential": "sum(i: k[i]*k_0*q[i].e3)"},
"initial": {"q": [[1, 0, 0], [0, 1, 0]], "omega": [[0, 0, 1], [0, 0, 1]]},
"integrator": {"type": "variational", "step": 0.01}, "duration": 0.1})json";
  const auto scenario = value_of(read_scenario(text, "two.json"));
  Sweep sweep = sweep_of(scenario, {"system.k[0]=1,2", "system.k_0=3,4,5"}, {"energy_error.max"});
  EXPECT_EQ(axis_names(sweep), (std::vector<std::string>{"system_k_0", "system_k_0_2"}));
  const SweepFolder a = folder(sweep);
  ASSERT_TRUE(run(a));
  const auto rows = value_of(read_rows(a));
  if (has_netcdf())
    for (const char* name : {"a.nc", "a.zarr"}) {
      EXPECT_TRUE(succeeds(write_netcdf(a, rows, in(name))));
    }
  // One setting by two paths is given twice.
  sweep.axes[1] = axis("system.parameters.k[0]=3,4,5");
  EXPECT_EQ(error_of(complete_to_end(sweep)).message, "system.parameters.k[0] is given twice");
}

TEST_F(Folder, ManyWordsWithSpacesAreFlags) {
  if (!has_netcdf()) GTEST_SKIP() << "this build has no netCDF";
  Scenario scenario = lasting(0.01);
  Sweep sweep = sweep_of(scenario, {"system.gravity=1,2"}, {"energy_error.max"});
  SweepAxis words = axis("title=first one,second");
  for (int k = 0; k < 200; ++k) words.values.emplace_back(fmt::format("title {}", k));
  sweep.axes = {words};
  const SweepFolder a = folder(sweep);
  ASSERT_TRUE(run(a));
  ASSERT_TRUE(succeeds(write_netcdf(a, value_of(read_rows(a)), in("a.zarr"))));
  const auto flags = value_of(read_file(in("a.zarr/title/.zattrs"), 1 << 20));
  EXPECT_TRUE(says(flags, "\"first_one second title_0 "));
  EXPECT_TRUE(says(flags, ",199,200,201]"));
}

TEST_F(Folder, PlotsWhoseNamesAreAlikeAreVariablesOfTheirOwn) {
  Scenario scenario = lasting(0.1);
  for (const char* name : {"a b", "a-b", "α"}) scenario.plots.push_back({name, "e3.q[1]", "1"});
  const Sweep sweep = sweep_of(scenario, {"system.gravity=1,2"},
                               {"plots.a b.max", "plots.a-b.max", "plots.α.max", "megno"});
  EXPECT_EQ(measure_names(sweep),
            (std::vector<std::string>{"plots_a_b_max", "plots_a_b_max_2", "plots_max", "megno"}));
  const SweepFolder a = folder(sweep);
  ASSERT_TRUE(run(a));
  const auto rows = value_of(read_rows(a));
  if (!has_netcdf()) GTEST_SKIP() << "this build has no netCDF";
  ASSERT_TRUE(succeeds(write_netcdf(a, rows, in("a.zarr"))));
  const auto second = value_of(read_file(in("a.zarr/plots_a_b_max_2/.zattrs"), 1 << 20));
  EXPECT_TRUE(says(second, R"("long_name": "plots.a-b.max")"));
}

TEST(Checksum, IsTheCrc32OfTheStandard) {
  EXPECT_EQ(checksum("123456789"), 0xcbf43926U);
  EXPECT_EQ(checksum(""), 0U);
}

}  // namespace
}  // namespace twosphere::test::sweep_test
