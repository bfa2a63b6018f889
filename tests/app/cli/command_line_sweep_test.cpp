// SPDX-License-Identifier: GPL-3.0-or-later
// `twosphere sweep`, in processes of its own, and `twosphere run --exponents`.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/thread_pool.h"
#include "core/studies/sweep_collect.h"
#include "core/studies/sweep_rows.h"
#include "tests/app/cli/run_program.h"

namespace twosphere::command_line_sweep_test {
namespace {

/// The columns of a table by their names without units.
std::map<std::string, std::vector<std::string>> columns(const std::string& table) {
  const auto cells = [](const std::string& line) {
    std::vector<std::string> out(1);
    for (const char c : line)
      if (c == ',')
        out.emplace_back();
      else
        out.back() += c;
    return out;
  };
  const std::vector<std::string> rows = lines(table);
  std::map<std::string, std::vector<std::string>> out;
  if (rows.empty()) return out;
  const std::vector<std::string> names = cells(rows[0]);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const std::vector<std::string> row = cells(rows[r]);
    for (std::size_t k = 0; k < names.size() && k < row.size(); ++k)
      out[names[k].substr(0, names[k].find(' '))].push_back(row[k]);
  }
  return out;
}

class SweepCommand : public CommandLine {
 protected:
  static Words plan(const std::string& folder, Words more = {}) {
    Words words{"sweep",
                "new",
                folder,
                "--preset",
                "double_spherical_pendulum",
                "--duration",
                "2",
                "--axis",
                "system.gravity=1:20:5",
                "--axis",
                "initial.omega[1][1]=-1,0.5"};
    const Words measures{"--measure",         "energy_error.max", "--measure",
                         "total_energy.last", "--measure",        "megno",
                         "--measure",         "lyapunov"};
    words.insert(words.end(), measures.begin(), measures.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void make(const std::string& folder, Words more = {}) {
    const Outcome o = run(plan(folder, std::move(more)));
    ASSERT_EQ(o.status, 0) << o.err;
  }
  void compute(const std::string& folder, Words more = {}) {
    Words words{"sweep", "run", folder};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = run(words);
    ASSERT_EQ(o.status, 0) << o.err;
  }
  std::string collected(const std::string& folder) {
    const Outcome o = run({"sweep", "collect", folder, "-"});
    EXPECT_EQ(o.status, 0) << o.err;
    return o.out;
  }
  /// The last column of the run of a task with its plots, a row at every step; first its heading.
  std::vector<std::string> plotted(const std::string& folder, const std::string& task) {
    EXPECT_EQ(run({"sweep", "open", folder, task, "--save", "task.json"}).status, 0);
    const Outcome o =
        run({"run", "task.json", "--every", "1", "--csv", "run.csv", "--plots", "--quiet"});
    EXPECT_EQ(o.status, 0) << o.err;
    std::vector<std::string> cells;
    for (const std::string& row : lines(text("run.csv")))
      cells.push_back(row.substr(row.rfind(',') + 1));
    return cells;
  }
  /// The exit status of a shell command in the folder of the test.
  int shell(const std::string& command) {
    return std::system(
        ("cd '" + folder_.path().string() + "' && " + command + " >/dev/null 2>&1").c_str());
  }
  static bool installed(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
  }
};

TEST_F(SweepCommand, runs_and_collects) {
  make("map");
  compute("map", {"--jobs", "2"});
  const std::string table = collected("map");
  EXPECT_EQ(lines(table).size(), 11U);
  EXPECT_TRUE(table.starts_with("task,system.gravity [m/s²],")) << table;
  const Outcome status = run({"sweep", "status", "map"});
  EXPECT_NE(status.out.find("tasks: 10\ndone: 10\ntime per task: "), std::string::npos)
      << status.out;
  // Again: nothing is left to do.
  compute("map");
  EXPECT_EQ(collected("map"), table);
  ASSERT_EQ(run({"sweep", "collect", "map", "map.csv"}).status, 0);
  EXPECT_EQ(text("map.csv"), table);
  EXPECT_NE(text("map.csv.json").find("\"sweep_name\""), std::string::npos);
  if (!has_netcdf()) return;
  for (const char* name : {"map.nc", "map.zarr"}) {
    const Outcome o = run({"sweep", "collect", "map", name});
    EXPECT_EQ(o.status, 0) << o.err;
  }
  EXPECT_TRUE(text("map.nc").starts_with("\x89HDF")) << "netCDF-4";
  EXPECT_NE(text("map.zarr/energy_error_max/.zarray").find("\"zarr_format\": 2"),
            std::string::npos);
}

TEST_F(SweepCommand, an_opened_task_repeats_its_row_to_the_last_bit) {
  make("map");
  compute("map");
  auto rows = columns(collected("map"));
  ASSERT_EQ(run({"sweep", "open", "map", "7", "--save", "task.json"}).status, 0);
  const Outcome o = run({"run", "task.json", "--exponents", "1", "--csv", "run.csv", "--quiet"});
  ASSERT_EQ(o.status, 0) << o.err;
  auto run_rows = columns(text("run.csv"));
  EXPECT_EQ(run_rows["lyapunov"].back(), rows["lyapunov"][7]);
  EXPECT_EQ(run_rows["megno"].back(), rows["megno"][7]);
  EXPECT_EQ(run_rows["total_energy"].back(), rows["total_energy.last"][7]);
  double worst = 0;
  for (const std::string& value : run_rows["energy_error"])
    worst = std::max(worst, std::abs(std::stod(value)));
  EXPECT_EQ(worst, std::stod(rows["energy_error.max"][7]));
  // The summary has the same exponent, with its error.
  const Outcome summary = run({"run", "task.json", "--exponents", "8"});
  EXPECT_NE(summary.out.find("\nlyapunov: " + rows["lyapunov"][7] + "\nlyapunov error: "),
            std::string::npos)
      << summary.out;
  EXPECT_NE(summary.out.find("\nlyapunov[7]: "), std::string::npos);
}

TEST_F(SweepCommand, kills_parts_and_threads_leave_the_same_bytes) {
  make("one");
  compute("one", {"--jobs", "1"});
  const std::string expected = collected("one");
  // Killed at random moments, on two threads, with a state at every row.
  std::mt19937 random(1);
  for (const int signal : {SIGKILL, SIGINT}) {
    const std::string folder = signal == SIGKILL ? "killed" : "interrupted";
    // Tasks of 200 000 steps, so that most kills hit one.
    make(folder, {"--step", "0.00001", "--every", "5000"});
    if (signal == SIGKILL) {
      make("whole", {"--step", "0.00001", "--every", "5000"});
      compute("whole", {"--jobs", "1"});
    }
    int killed = 0;
    for (int k = 0; k < 20; ++k) {
      const pid_t child =
          launch({"sweep", "run", folder, "--jobs", "2", "--save-every", "0", "--quiet"});
      // Ctrl-C is caught once the program has begun.
      const unsigned least = signal == SIGKILL ? 20 : 60;
      std::this_thread::sleep_for(std::chrono::milliseconds(least + random() % 60));
      ::kill(child, signal);
      const int status = finish(child).status;
      killed += status == 1000 + signal || status == 128 + signal;
    }
    // Most of them; fewer on a busy machine, where the tasks may end before.
    EXPECT_GT(killed, 0);
    compute(folder);
    EXPECT_EQ(collected(folder), collected("whole")) << folder;
  }
  // Parts, of an array of Slurm jobs and of Open MPI.
  make("parts");
  for (const char* part : {"2/3", "1/3"}) compute("parts", {"--part", part});
  const Outcome last = run({"sweep", "run", "parts", "--part", "auto"}, "", [] {
    ::setenv("SLURM_ARRAY_TASK_ID", "3", 1);
    ::setenv("SLURM_ARRAY_TASK_MIN", "1", 1);
    ::setenv("SLURM_ARRAY_TASK_COUNT", "3", 1);
  });
  EXPECT_EQ(last.status, 0) << last.err;
  EXPECT_EQ(collected("parts"), expected);
  make("ranks");
  for (const char* rank : {"0", "1"})
    EXPECT_EQ(run({"sweep", "run", "ranks", "--part", "auto"}, "",
                  [rank] {
                    ::setenv("OMPI_COMM_WORLD_RANK", rank, 1);
                    ::setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
                  })
                  .status,
              0);
  EXPECT_EQ(collected("ranks"), expected);
}

/// The variables of a launcher, in a child process.
std::function<void()> launched(const std::vector<std::pair<const char*, const char*>>& variables) {
  return [variables] {
    for (const auto& [name, value] : variables) ::setenv(name, value, 1);
  };
}

TEST_F(SweepCommand, parts_follow_from_the_variables_of_launchers) {
  // Each with the part that it is.
  using Variables = std::vector<std::pair<const char*, const char*>>;
  const std::vector<std::pair<Variables, const char*>> cases{
      {{{"SLURM_ARRAY_TASK_ID", "7"},
        {"SLURM_ARRAY_TASK_MIN", "3"},
        {"SLURM_ARRAY_TASK_STEP", "2"},
        {"SLURM_ARRAY_TASK_COUNT", "4"}},
       "3-of-4"},
      {{{"SLURM_ARRAY_TASK_ID", "0"}, {"SLURM_ARRAY_TASK_COUNT", "2"}, {"SLURM_PROCID", "0"}},
       "1-of-2"},
      {{{"SLURM_PROCID", "2"}, {"SLURM_STEP_NUM_TASKS", "3"}}, "3-of-3"},
      {{{"SLURM_ARRAY_TASK_ID", "2"},
        {"SLURM_ARRAY_TASK_MIN", "1"},
        {"SLURM_ARRAY_TASK_COUNT", "2"},
        {"SLURM_PROCID", "1"},
        {"SLURM_STEP_NUM_TASKS", "5"}},
       "7-of-10"},
      {{{"OMPI_COMM_WORLD_RANK", "1"},
        {"OMPI_COMM_WORLD_SIZE", "6"},
        {"SLURM_PROCID", "0"},
        {"SLURM_STEP_NUM_TASKS", "1"}},
       "2-of-6"},
      {{{"PMI_RANK", "4"}, {"PMI_SIZE", "5"}}, "5-of-5"}};
  for (const auto& [variables, part] : cases) {
    SCOPED_TRACE(part);
    const std::string folder = std::string("map-") + part;
    make(folder);
    const Outcome o = run({"sweep", "run", folder, "--part", "auto"}, "", launched(variables));
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(fs::exists(in(folder + "/rows/" + part + ".csv")));
    EXPECT_EQ(std::distance(fs::directory_iterator(in(folder + "/rows")), fs::directory_iterator()),
              1);
  }
}

TEST_F(SweepCommand, variables_of_launchers_that_do_not_fit_are_refused) {
  make("map");
  using Variables = std::vector<std::pair<const char*, const char*>>;
  const std::vector<std::pair<Variables, const char*>> cases{
      {{{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "3"}},
       "OMPI_COMM_WORLD_RANK is 3, which must be below OMPI_COMM_WORLD_SIZE, 3"},
      {{{"OMPI_COMM_WORLD_RANK", "3"}}, "OMPI_COMM_WORLD_RANK is set, but OMPI_COMM_WORLD_SIZE"},
      {{{"PMI_SIZE", "3"}}, "PMI_SIZE is set, but PMI_RANK is not"},
      {{{"PMI_RANK", "x"}, {"PMI_SIZE", "3"}}, "PMI_RANK must be a whole number from 0 to"},
      {{{"SLURM_PROCID", "4"}, {"SLURM_STEP_NUM_TASKS", "4"}}, "SLURM_PROCID is 4, which must be"},
      {{{"SLURM_ARRAY_TASK_ID", "4"}}, "SLURM_ARRAY_TASK_COUNT is not"},
      // --array=1,5,9
      {{{"SLURM_ARRAY_TASK_ID", "9"},
        {"SLURM_ARRAY_TASK_MIN", "1"},
        {"SLURM_ARRAY_TASK_COUNT", "3"}},
       "the place of SLURM_ARRAY_TASK_ID is 8, which must be below SLURM_ARRAY_TASK_COUNT, 3"},
      {{{"SLURM_ARRAY_TASK_ID", "4"},
        {"SLURM_ARRAY_TASK_MIN", "1"},
        {"SLURM_ARRAY_TASK_STEP", "2"},
        {"SLURM_ARRAY_TASK_COUNT", "3"}},
       "plus a multiple of SLURM_ARRAY_TASK_STEP, 2"}};
  for (const auto& [variables, error] : cases) {
    SCOPED_TRACE(error);
    const Outcome o = run({"sweep", "run", "map", "--part", "auto"}, "", launched(variables));
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(o.err.starts_with("twosphere: --part: auto: ")) << o.err;
    EXPECT_NE(o.err.find(error), std::string::npos) << o.err;
    EXPECT_FALSE(fs::exists(in("map/rows")));
  }
}

TEST_F(SweepCommand, measures_plots_of_custom_systems) {
  ASSERT_EQ(run({"sweep", "new", "own", "--preset", "custom/double_pendulum", "--duration", "0.5",
                 "--axis", "system.g=1,20", "--measure", "plots.height of the last mass.max",
                 "--measure", "plots.height of the last mass.last"})
                .status,
            0);
  compute("own");
  const std::string table = collected("own");
  EXPECT_TRUE(table.starts_with("task,system.g [m/s^2],plots.height of the last mass.max [m],"))
      << table;
  // As in the rows of the run.
  const std::vector<std::string> rows = plotted("own", "1");
  ASSERT_GT(rows.size(), 1U);
  ASSERT_EQ(rows[0], "plots.height of the last mass [m]");
  double highest = std::stod(rows[1]);
  for (std::size_t k = 1; k < rows.size(); ++k) highest = std::max(highest, std::stod(rows[k]));
  const std::string row = lines(table)[2];
  EXPECT_EQ(row, fmt::format("1,20,{},{},done", json::shortest(highest), rows.back()));
  expect_failure({"",
                  {"sweep", "new", "x", "--preset", "custom/double_pendulum", "--axis",
                   "system.g=1,20", "--measure", "plots.hight of the last mass.max"},
                  2,
                  "did you mean plots.height of the last mass.max?"});
}

TEST_F(SweepCommand, measures_plots_of_the_scenario) {
  const Outcome shown = run({"show", "double_spherical_pendulum"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  ASSERT_TRUE(write_file(in("plots.json"),
                         shown.out.substr(0, shown.out.rfind('}')) +
                             R"(, "plots": {"depth": {"expression": "-lengths[0]*e3.q[0]",)"
                             R"( "unit": "cm"}}})"));
  const Words plan{"sweep",      "new",
                   "map",        "plots.json",
                   "--duration", "0.5",
                   "--axis",     "system.lengths[0]=1,2",
                   "--members",  "3",
                   "--spread",   "0.01",
                   "--measure",  "plots.depth.min",
                   "--measure",  "plots.depth.last"};
  const Outcome made = run(plan);
  ASSERT_EQ(made.status, 0) << made.err;
  compute("map", {"--jobs", "2"});
  const std::string table = collected("map");
  EXPECT_TRUE(
      table.starts_with("task,system.lengths[0] [m],member,plots.depth.min [cm],"
                        "plots.depth.last [cm],status"))
      << table;
  // As in the rows of the run.
  const std::vector<std::string> rows = plotted("map", "5");
  ASSERT_GT(rows.size(), 1U);
  ASSERT_EQ(rows[0], "plots.depth [cm]");
  double least = std::stod(rows[1]);
  for (std::size_t k = 1; k < rows.size(); ++k) least = std::min(least, std::stod(rows[k]));
  EXPECT_EQ(lines(table)[6], fmt::format("5,2,2,{},{},done", json::shortest(least), rows.back()));
  // Another division gives the same bytes.
  Words again = plan;
  again[2] = "parts";
  ASSERT_EQ(run(again).status, 0);
  compute("parts", {"--part", "2/2"});
  compute("parts", {"--part", "1/2"});
  EXPECT_EQ(collected("parts"), table);
  expect_failure({"",
                  {"sweep", "new", "x", "plots.json", "--axis", "system.gravity=1,20", "--measure",
                   "plots.dept.max"},
                  2,
                  "did you mean plots.depth.max? a measure is a column of the CSV or a plot "
                  "(plots.depth) with .last"});
}

TEST_F(SweepCommand, takes_parameters_of_custom_systems_and_members) {
  const Outcome made = run({"sweep", "new", "springs", "--preset", "custom/double_pendulum",
                            "--duration", "0.5", "--axis", "system.g=1:20:3", "--measure",
                            "kinetic_energy.max,work.last", "--members", "4", "--spread", "1e-6"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(made.out.starts_with("12 tasks (3 × 4) of 50 steps, a row at every step; name "))
      << made.out;
  compute("springs");
  auto rows = columns(collected("springs"));
  EXPECT_EQ(rows["status"], std::vector<std::string>(12, "done"));
  EXPECT_EQ(rows["work.last"].size(), 12U) << "a list of measures";
  EXPECT_NE(rows["kinetic_energy.max"][0], rows["kinetic_energy.max"][4]);
  EXPECT_NE(rows["kinetic_energy.max"][0], rows["kinetic_energy.max"][1]);
  EXPECT_NEAR(std::stod(rows["kinetic_energy.max"][0]), std::stod(rows["kinetic_energy.max"][1]),
              1e-2);
}

TEST_F(SweepCommand, a_new_sweep_says_its_steps_and_rows) {
  const auto expect = [&](const std::string& folder, const Words& more, const std::string& said) {
    Words words{"sweep", "new", folder, "--preset", "double_spherical_pendulum"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = run(words);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(o.out.starts_with(said + "; name ")) << o.out;
  };
  const Words gravity{"--axis", "system.gravity=1:20:4"}, rows{"--measure", "energy_error.max"};
  const auto with = [](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Words fixed = with(gravity, rows);
  expect("short", with(fixed, {"--step", "0.01", "--duration", "10"}),
         "4 tasks (4) of 1000 steps, a row at every step");
  expect("long", with(fixed, {"--step", "0.01", "--duration", "999.99"}),
         "4 tasks (4) of 99999 steps, a row every 10 steps");
  expect("given", with(fixed, {"--step", "0.01", "--duration", "10", "--every", "7"}),
         "4 tasks (4) of 1000 steps, a row every 7 steps");
  expect("none", with(gravity, {"--step", "0.01", "--duration", "50", "--measure", "megno"}),
         "4 tasks (4) of 5000 steps, a row every 1000 steps");
  expect("stopped",
         with(fixed, {"--step", "0.01", "--duration", "10", "--set",
                      "stop=[{\"quantity\":\"total_energy\",\"below\":-1e9}]"}),
         "4 tasks (4) of at most 1000 steps, a row at every step");
  // Steps that differ from task to task.
  const Words durations = with({"--axis", "duration=10,20000"}, rows);
  expect("durations", durations, "2 tasks (2), at most 10001 rows each");
  expect("durations_given", with(durations, {"--every", "5"}), "2 tasks (2), a row every 5 steps");
}

TEST_F(SweepCommand, failing_tasks_are_rows) {
  ASSERT_EQ(run({"sweep", "new", "bad", "--preset", "double_spherical_pendulum", "--duration", "1",
                 "--axis", "system.masses[0]=1,-1", "--measure", "t_stop"})
                .status,
            0);
  const Outcome o = run({"sweep", "run", "bad", "--progress", "json"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_NE(o.err.find("{\"done\":2,\"all\":2,\"failed\":1,"), std::string::npos) << o.err;
  EXPECT_EQ(collected("bad"),
            "task,system.masses[0] [kg],t_stop [s],status\r\n0,1,1,done\r\n1,-1,,refused\r\n");
  const Outcome status = run({"sweep", "status", "bad"});
  EXPECT_NE(status.out.find("refused: 1"), std::string::npos);
  EXPECT_NE(status.out.find("first failure: task 1: system.masses[0]"), std::string::npos)
      << status.out;
}

TEST_F(SweepCommand, status_says_where_signals_mislead) {
  ASSERT_EQ(run({"sweep", "new", "far", "--preset", "custom/pendulum", "--integrator", "rk45",
                 "--duration", "80", "--axis", "integrator.step=0.05,2", "--measure",
                 "frequency,diffusion"})
                .status,
            0);
  ASSERT_EQ(run({"sweep", "run", "far", "--quiet"}).status, 0);
  const Outcome status = run({"sweep", "status", "far"});
  EXPECT_NE(status.out.find("\nsignal notes: 1\nfirst signal note: task 1: bodies turn at up to "),
            std::string::npos)
      << status.out;
}

TEST_F(SweepCommand, a_task_that_ends_its_process_is_a_row) {
  // Task 2 takes longer than the second of processor time that a process has.
  ASSERT_EQ(run({"sweep", "new", "long", "--preset", "double_spherical_pendulum", "--axis",
                 "duration=0.1,0.2,1000000,0.3", "--measure", "t_stop"})
                .status,
            0);
  const auto one_second = [] {
    const rlimit limit{1, 1};
    ::setrlimit(RLIMIT_CPU, &limit);
  };
  const Words words{"sweep", "run", "long", "--jobs", "2"};
  EXPECT_EQ(run(words, "", one_second).status, 1000 + SIGKILL);
  EXPECT_NE(text("long/running/1-of-1.txt").find("2         1"), std::string::npos)
      << text("long/running/1-of-1.txt");
  const Outcome again = run(words, "", one_second);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(collected("long"),
            "task,duration [s],t_stop [s],status\r\n0,0.1,0.1,done\r\n1,0.2,0.2,done\r\n"
            "2,1e+06,,crashed\r\n3,0.3,0.3,done\r\n");
  const Outcome status = run({"sweep", "status", "long"});
  EXPECT_NE(status.out.find("\ncrashed: 1\n"), std::string::npos) << status.out;
  EXPECT_NE(status.out.find("first failure: task 2: the process that ran it alone ended by "
                            "signal 9 (Killed)\n"),
            std::string::npos)
      << status.out;
  // It stays, unless another try is wanted, of which the result then counts.
  EXPECT_EQ(run(words, "", one_second).status, 0);
  ASSERT_EQ(run({"sweep", "new", "short", "--preset", "double_spherical_pendulum", "--axis",
                 "duration=0.1,0.2,3,0.3", "--measure", "t_stop"})
                .status,
            0);
  compute("short");
  std::string rows = text("short/rows/1-of-1.csv");
  const std::string expected = collected("short");
  const std::size_t row = rows.find("\n2,done") + 1, end = rows.find('\n', row);
  rows.erase(row, end + 1 - row);
  const std::string crashed = "2,crashed,";
  rows += fmt::format("{},{:08x}\n", crashed, checksum(crashed));
  ASSERT_TRUE(write_file(in("short/rows/1-of-1.csv"), rows));
  compute("short");
  EXPECT_NE(collected("short").find("2,3,,crashed"), std::string::npos);
  compute("short", {"--retry"});
  EXPECT_EQ(collected("short"), expected);
}

TEST_F(SweepCommand, a_task_in_which_three_processes_are_killed_is_a_row) {
  ASSERT_EQ(run({"sweep", "new", "long", "--preset", "double_spherical_pendulum", "--axis",
                 "duration=0.1,1e9", "--measure", "t_stop"})
                .status,
            0);
  const Words words{"sweep", "run", "long", "--jobs", "2", "--quiet"};
  for (int k = 1; k <= 3; ++k) {
    const pid_t child = launch(words);
    const std::string line = fmt::format(" 1         {}\n", k);
    for (int wait = 0; wait < 400; ++wait) {
      if (text("long/running/1-of-1.txt").find(line) != std::string::npos) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    EXPECT_NE(text("long/running/1-of-1.txt").find(line), std::string::npos) << k;
    ::kill(child, SIGKILL);
    EXPECT_EQ(finish(child).status, 1000 + SIGKILL);
  }
  compute("long");
  EXPECT_EQ(columns(collected("long"))["status"], (Words{"done", "crashed"}));
  EXPECT_NE(run({"sweep", "status", "long"}).out.find("3 processes were killed while they ran it"),
            std::string::npos);
  // Ctrl-C is no death.
  ASSERT_EQ(run({"sweep", "new", "stopped", "--preset", "double_spherical_pendulum", "--axis",
                 "duration=0.1,1e9", "--measure", "t_stop"})
                .status,
            0);
  const pid_t child = launch({"sweep", "run", "stopped", "--quiet"});
  interrupt(child, SIGINT, 400ms);
  EXPECT_EQ(finish(child).status, 130);
  const std::string left = text("stopped/running/1-of-1.txt");
  EXPECT_EQ(left.find_first_not_of(" \n"), std::string::npos) << left;
}

TEST_F(SweepCommand, the_wall_time_ends_a_part_as_a_signal_does) {
  ASSERT_EQ(run({"sweep", "new", "timed", "--preset", "double_spherical_pendulum", "--axis",
                 "duration=0.1,1e9", "--measure", "t_stop"})
                .status,
            0);
  const Outcome o = run({"sweep", "run", "timed", "--quiet", "--wall-time", "2.5"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "twosphere: stopped: wall time\n");
  EXPECT_EQ(columns(collected("timed"))["status"], (Words{"done", "missing"}));
  EXPECT_TRUE(fs::exists(in("timed/states/1.json")));
  EXPECT_EQ(run({"sweep", "run", "timed", "--wall-time", "0"}).status, 2);
}

TEST_F(SweepCommand, a_task_that_lacks_memory_is_a_row) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's own tables would not fit";
#endif
  // The matrix of task 1 has 2400² numbers.
  constexpr std::size_t links = 1200;
  const auto each = [](const char* value) {
    return fmt::format("{}", fmt::join(std::vector<std::string>(links, value), ", "));
  };
  ASSERT_TRUE(write_file(
      in("chain.json"),
      fmt::format(R"({{"twosphere": 1, "system": {{"type": "chain_pendulum", "masses": [{0}],
                       "lengths": [{0}]}}, "initial": {{"q": [{1}], "omega": [{2}]}},
                       "integrator": {{"type": "rk4", "step": 0.001}}, "duration": 0.001}})",
                  each("1"), each("[0.6, 0, 0.8]"), each("[0, 0, 0]"))));
  ASSERT_EQ(run({"sweep", "new", "large", "chain.json", "--axis",
                 "integrator.type=rk4,variational_cayley,rk2", "--measure", "energy_error.last"})
                .status,
            0);
  const Outcome o = run({"sweep", "run", "large", "--jobs", "2"}, "", [] {
    const rlimit limit{80'000'000, 80'000'000};
    ::setrlimit(RLIMIT_DATA, &limit);
  });
  EXPECT_EQ(o.status, 0) << o.err;
  auto rows = columns(collected("large"));
  EXPECT_EQ(rows["status"], (Words{"done", "out_of_memory", "done"}));
  EXPECT_EQ(rows["energy_error.last"][1], "");
  const Outcome status = run({"sweep", "status", "large"});
  EXPECT_NE(status.out.find("first failure: task 1: there is not enough memory\n"),
            std::string::npos)
      << status.out;
}

TEST_F(SweepCommand, writes_scripts_of_launchers) {
  make("map");
  const Outcome o = run({"sweep", "script", "map", "--slurm", "16", "--parallel", "4",
                         "--snakemake", "8", "--mpirun", "3"});
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_NE(text("map/sweep.slurm").find("#SBATCH --array=1-16\n"), std::string::npos);
  EXPECT_NE(text("map/sweep.slurm").find(" --part \"$SLURM_ARRAY_TASK_ID/16\" "),
            std::string::npos);
  EXPECT_NE(text("map/Snakefile").find("range(1, 9)"), std::string::npos);
  EXPECT_EQ(lines(o.out).size(), 4U);
  make("one");
  compute("one");
  // Each that this machine has does what it is made for.
  for (const auto& [program, command] :
       {std::pair("parallel", "sh map/sweep.parallel"),
        {"mpirun", "sh map/sweep.mpirun --oversubscribe --allow-run-as-root"},
        {"snakemake", "snakemake --cores 2 --snakefile map/Snakefile --quiet"}}) {
    if (!installed(program)) continue;
    SCOPED_TRACE(program);
    fs::remove_all(in("map/rows"));
    EXPECT_EQ(shell(command), 0);
    EXPECT_EQ(collected("map"), collected("one"));
  }
}

TEST_F(SweepCommand, a_script_of_another_number_of_parts_leaves_no_task_out) {
  make("one");
  compute("one");
  for (const auto& [launcher, command] :
       {std::pair<std::string, std::string>("parallel", "sh parallel/sweep.parallel"),
        {"snakemake", "snakemake --cores 2 --snakefile snakemake/Snakefile --quiet"}}) {
    SCOPED_TRACE(launcher);
    make(launcher);
    for (const char* parts : {"3", "5"}) {
      ASSERT_EQ(run({"sweep", "script", launcher, "--" + launcher, parts}).status, 0);
      if (!installed(launcher)) continue;
      EXPECT_EQ(shell(command), 0);
      EXPECT_EQ(collected(launcher), collected("one")) << parts;
      // The first parts of three are done, and the others are not.
      fs::remove(in(launcher + "/rows/3-of-3.csv"));
    }
  }
  EXPECT_EQ(text("parallel/sweep.parallel").find("--resume"), std::string::npos);
  EXPECT_NE(text("snakemake/Snakefile").find("/marks/{part}-of-5\")"), std::string::npos);
}

TEST_F(SweepCommand, any_parts_of_a_slurm_array_are_started_again) {
  make("map");
  ASSERT_EQ(run({"sweep", "script", "map", "--slurm", "4", "--quiet"}).status, 0);
  // sbatch --array=3, then --array=2,4: the second is neither regular nor of four.
  for (const auto& [id, others] :
       {std::pair("3", "MIN=3 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_COUNT=1"),
        {"2", "MIN=2 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_COUNT=2"},
        {"4", "MIN=2 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_COUNT=2"}}) {
    EXPECT_EQ(
        shell(fmt::format("SLURM_ARRAY_TASK_ID={} SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_{} "
                          "SLURM_CPUS_PER_TASK=2 sh map/sweep.slurm",
                          id, others)),
        0);
    EXPECT_TRUE(fs::exists(in(fmt::format("map/rows/{}-of-4.csv", id)))) << id;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(in("map/rows")), fs::directory_iterator()), 3);
  EXPECT_EQ(shell("SLURM_ARRAY_TASK_ID=5 sh map/sweep.slurm"), 2 << 8) << "of an array of five";
}

TEST_F(SweepCommand, scripts_run_in_folders_of_any_name) {
  make("one");
  compute("one");
  for (const std::string name : {"a{b}c", "a {} b", "it's {#} {1} {= die =} 100%s \"$HOME\" \\n"}) {
    SCOPED_TRACE(name);
    make(name);
    ASSERT_EQ(
        run({"sweep", "script", name, "--slurm", "2", "--parallel", "2", "--mpirun", "2"}).status,
        0);
    fs::remove(in("scripts"));
    fs::create_directory_symlink(name, in("scripts"));
    for (const auto& [program, command] :
         {std::pair("sh",
                    "for k in 1 2; do SLURM_ARRAY_TASK_ID=$k sh scripts/sweep.slurm || exit; done"),
          {"parallel", "sh scripts/sweep.parallel"},
          {"mpirun", "sh scripts/sweep.mpirun --oversubscribe --allow-run-as-root"}}) {
      if (!installed(program)) continue;
      SCOPED_TRACE(program);
      fs::remove_all(in(name + "/rows"));
      EXPECT_EQ(shell(command), 0);
      EXPECT_EQ(collected(name), collected("one"));
    }
    expect_failure({"",
                    {"sweep", "script", name, "--snakemake", "2"},
                    2,
                    "--snakemake: Snakemake takes braces in the names of files for wildcards"});
  }
  // A brace that closes none begins no wildcard.
  for (const std::string plain : {"it's 100%s \"$HOME\" \\n", "c}d} e"}) {
    SCOPED_TRACE(plain);
    make(plain);
    ASSERT_EQ(run({"sweep", "script", plain, "--snakemake", "2"}).status, 0);
    if (!installed("snakemake")) continue;
    fs::remove(in("plain"));
    fs::create_directory_symlink(plain, in("plain"));
    EXPECT_EQ(shell("snakemake --cores 2 --snakefile plain/Snakefile --quiet"), 0);
    EXPECT_EQ(collected(plain), collected("one"));
  }
}

TEST_F(SweepCommand, a_line_break_in_the_name_of_the_folder_breaks_no_line) {
  make("a\nb");
  make("map");
  for (const char* folder : {"a\nb", "map"})
    ASSERT_EQ(run({"sweep", "script", folder, "--snakemake", "2"}).status, 0);
  const std::string with = text("a\nb/Snakefile");
  EXPECT_EQ(lines(with).size(), lines(text("map/Snakefile")).size()) << with;
  EXPECT_NE(with.find("/a\\x0ab\"\n"), std::string::npos) << with;
}

TEST_F(SweepCommand, scripts_have_a_part_for_every_processor_and_any_number_of_jobs) {
  make("map");
  const Outcome o = run({"sweep", "script", "map", "--parallel", "--snakemake", "--mpirun"});
  ASSERT_EQ(o.status, 0) << o.err;
  const std::string all = std::to_string(processors());
  EXPECT_NE(text("map/sweep.parallel").find("seq 1 " + all + " | "), std::string::npos);
  EXPECT_NE(text("map/Snakefile").find("-of-" + all + '"'), std::string::npos);
  EXPECT_NE(text("map/sweep.mpirun").find("mpirun -np " + all + " \"$@\" "), std::string::npos);
  EXPECT_NE(text("map/sweep.mpirun").find(" --jobs 1 "), std::string::npos);

  ASSERT_EQ(run({"sweep", "script", "map", "--jobs", "4", "--slurm", "8", "--parallel=8",
                 "--snakemake", "8", "--mpirun", "8"})
                .status,
            0);
  EXPECT_NE(text("map/sweep.slurm").find("#SBATCH --cpus-per-task=4\n"), std::string::npos);
  EXPECT_NE(text("map/sweep.slurm").find(" --jobs \"${SLURM_CPUS_PER_TASK:-4}\" "),
            std::string::npos);
  EXPECT_NE(text("map/sweep.parallel").find(" --jobs 4 "), std::string::npos);
  EXPECT_NE(text("map/sweep.parallel").find("seq 1 8 | "), std::string::npos);
  EXPECT_NE(text("map/sweep.parallel").find(" -j 25% "), std::string::npos);
  EXPECT_NE(text("map/Snakefile").find("threads: 4\n"), std::string::npos);
  EXPECT_NE(text("map/sweep.mpirun").find(" -np 8 --bind-to none "), std::string::npos);
  EXPECT_NE(text("map/sweep.mpirun").find(" --jobs 4 "), std::string::npos);
}

TEST_F(SweepCommand, a_large_array_of_slurm_jobs_is_written_with_a_note) {
  make("map");
  for (const auto& [parts, noted] : {std::pair("1000", false), {"1001", true}, {"100000", true}}) {
    const Outcome o = run({"sweep", "script", "map", "--slurm", parts});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err.find("scontrol show config | grep MaxArraySize") != std::string::npos, noted)
        << o.err;
    EXPECT_NE(text("map/sweep.slurm").find(fmt::format("#SBATCH --array=1-{}\n", parts)),
              std::string::npos);
  }
  EXPECT_EQ(run({"sweep", "script", "map", "--slurm", "1001", "--quiet"}).err, "");
}

TEST_F(SweepCommand, xarray_reads_axes_units_and_status) {
  if (!has_netcdf()) GTEST_SKIP() << "this build has no netCDF";
  if (std::system("/usr/bin/python3 -c 'import xarray, netCDF4' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-xarray or python3-netcdf4 is missing";
  make("map");
  compute("map", {"--part", "1/3"});
  for (const char* name : {"map.nc", "map.zarr", "map.csv"})
    ASSERT_EQ(run({"sweep", "collect", "map", name, "--quiet"}).status, 0);
  auto rows = columns(text("map.csv"));
  ASSERT_TRUE(write_file(in("read.py"), R"(import sys, xarray
d = xarray.open_dataset("map.nc")
assert d.megno.dims == ("system_gravity", "initial_omega_1_1"), d.megno.dims
assert d.megno.shape == (5, 2)
assert d.system_gravity.attrs["units"] == "m/s²"
assert d.system_gravity.values.tolist() == [1, 5.75, 10.5, 15.25, 20]
assert d.energy_error_max.attrs["units"] == "J"
assert d.status.attrs["flag_meanings"].split() == ["done", "stopped", "refused", "not_finite", "missing", "out_of_memory", "crashed"]
assert d.status.values.ravel().tolist() == [0, 4, 4, 0, 4, 4, 0, 4, 4, 0]
assert '"type": "chain_pendulum"' in d.attrs["scenario"]
if "zarr" in sys.modules or __import__("importlib").util.find_spec("zarr"):
    import warnings
    warnings.simplefilter("error", RuntimeWarning)
    z = xarray.open_zarr("map.zarr")
    assert z.megno.equals(d.megno)
    assert z.status.dtype.kind == "i" and z.status.equals(d.status), z.status
for value in d.megno.values.ravel(): print(repr(float(value)))
)"));
  ASSERT_EQ(
      std::system(
          ("cd '" + folder_.path().string() + "' && /usr/bin/python3 read.py > read.txt").c_str()),
      0);
  const std::vector<std::string> read = lines(text("read.txt"));
  ASSERT_EQ(read.size(), 10U);
  for (std::size_t k = 0; k < read.size(); ++k)
    if (rows["megno"][k].empty())
      EXPECT_EQ(read[k], "nan");
    else
      EXPECT_EQ(std::stod(read[k]), std::stod(rows["megno"][k])) << k;
}

TEST_F(SweepCommand, draws_the_map) {
  make("map");
  // While tasks are missing, too.
  for (const char* part : {"1/2", "2/2"}) {
    compute("map", {"--part", part});
    for (const auto& [file, begin] :
         {std::pair{"map.pdf", "%PDF-"}, {"map.svg", "<?xml"}, {"map.png", "\x89PNG"}}) {
      const Outcome o = run({"sweep", "figure", "map", file, "--measure", "megno"});
      EXPECT_EQ(o.status, 0) << o.err;
      EXPECT_TRUE(text(file).starts_with(begin)) << file;
    }
  }
  const std::string drawn = text("map.svg");
  EXPECT_NE(drawn.find("MEGNO"), std::string::npos);
  EXPECT_NE(drawn.find("Gravity g"), std::string::npos);
  const auto differs = [&](const Words& more) {
    Words words{"sweep", "figure", "map", "other.svg"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run(words).status, 0);
    EXPECT_NE(text("other.svg"), drawn) << more[0];
  };
  differs({"--measure", "lyapunov"});
  differs({"--measure", "megno", "--log"});
  differs({"--measure", "megno", "--colors", "cividis"});
}

TEST_F(SweepCommand, links_in_the_folder_are_not_followed) {
  make("map");
  ASSERT_TRUE(write_file(in("mine"), "mine"));
  for (const char* name : {"sweep.slurm", "task-1.json", "results"})
    fs::create_symlink(in("mine"), in(std::string("map/") + name));
  EXPECT_EQ(run({"sweep", "script", "map", "--slurm", "2"}).status, 0);
  EXPECT_TRUE(text("map/sweep.slurm").starts_with("#!/bin/sh\n"));
  fs::create_directories(in("map/rows"));
  fs::rename(in("map/results"), in("map/rows/1-of-1.csv"));
  for (const char* form : {"run", "status"})
    expect_failure({"", {"sweep", form, "map"}, 4, "map/rows/1-of-1.csv: is a symbolic link"});
  fs::rename(in("map/sweep.json"), in("sweep.json"));
  fs::create_symlink(in("sweep.json"), in("map/sweep.json"));
  expect_failure({"", {"sweep", "run", "map"}, 4, "map/sweep.json: is a symbolic link"});
  EXPECT_EQ(text("mine"), "mine");
}

TEST_F(SweepCommand, a_full_disk_leaves_the_old_results) {
  if (!has_netcdf()) GTEST_SKIP() << "this build has no netCDF";
  make("map");
  for (const char* file : {"map.nc", "map.zarr", "map.csv"}) {
    SCOPED_TRACE(file);
    // A page, which the old results take.
    const auto status = run_with_small_disk(
        4, fmt::format("echo old > disk/old; {} sweep collect map disk/{}; status=$?; "
                       "cat disk/old > kept; ls -A disk > left; exit $status",
                       TWOSPHERE_PROGRAM, file));
    if (!status) GTEST_SKIP() << "there can be no disk of its own here";
    EXPECT_EQ(status, 4);
    EXPECT_EQ(text("said"), fmt::format("twosphere: disk/{}: No space left on device\n", file));
    EXPECT_EQ(text("kept"), "old\n");
    EXPECT_EQ(text("left"), "old\n");
  }
  const auto status = run_with_small_disk(
      4, fmt::format("echo old > disk/map.nc; {} sweep collect map disk/map.nc; status=$?; "
                     "cat disk/map.nc > kept; exit $status",
                     TWOSPHERE_PROGRAM));
  EXPECT_EQ(status, 4);
  EXPECT_EQ(text("kept"), "old\n");
}

TEST_F(SweepCommand, errors_name_the_option) {
  const auto expect = [&](const Words& words, const char* part, int status = 2) {
    SCOPED_TRACE(part);
    expect_failure({"", words, status, part});
  };
  expect({"sweep"}, "sweep: one of these is missing");
  expect({"sweep", "rnu", "map"}, "sweep: \"rnu\" is none of new, run,");
  expect({"sweep", "run"}, "the folder of the sweep is missing");
  expect({"sweep", "run", "map"}, "map/sweep.json", 4);
  expect({"sweep", "status", "map", "x"}, "x: unexpected argument");
  expect({"sweep", "run", "map", "--axis", "a=1,2"}, "--axis: belongs to sweep new");
  const auto made = [](const Words& more) {
    Words words{"sweep", "new", "map", "--preset", "double_spherical_pendulum"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Words axis{"--axis", "system.gravity=1,2"};
  expect(made({"--axis", "system.gravity=1,2"}), "--measure: is missing");
  expect(made({"--measure", "megno"}), "--axis: is missing");
  expect(made({"--axis", "system.gravity", "--measure", "megno"}), "--axis: ");
  expect(made({"--axis", "system.gravitas=1,2", "--measure", "megno"}), "system.gravitas");
  expect(made({"--axis", "system.gravity=1,2", "--measure", "megna"}), "did you mean megno?");
  expect(made({"--axis", "system.gravity=1,2", "--measure", "megno", "--integrator", "rk4"}),
         "--measure: rk4 has no tangent map");
  expect(made({"--axis", "system.gravity=1,2", "--measure", "megno", "--members", "3"}),
         "--spread: is missing");
  make("there");
  expect(plan("there", {"--every", "3"}), "there/sweep.json: is there already");
  expect({"sweep", "run", "there", "--part", "4/3"}, "--part: must be K/N");
  expect({"sweep", "run", "there", "--part", "auto"}, "finds no variables");
  expect({"sweep", "collect", "there", "x.txt"}, "must end in .csv, .nc or .zarr");
  expect({"sweep", "figure", "there", "x.txt"}, "must end in .pdf, .svg or .png");
  expect({"sweep", "figure", "there", "x.png", "--measure", "work.last"}, "is not a measure of");
  expect({"sweep", "figure", "there", "x.png", "--colors", "red"}, "is none of viridis");
  expect({"sweep", "run", "there", "--log"}, "--log: belongs to sweep figure");
  expect({"sweep", "open", "there", "10"}, "the tasks are 0 to 9");
  expect({"sweep", "script", "there"}, "needs --slurm N");
  expect({"sweep", "script", "there", "--slurm"}, "--slurm: a value is missing");
  expect({"sweep", "script", "there", "--parallel", "some"}, "--parallel: must be a number");
  expect({"sweep", "script", "there", "--parallel", "--jobs", "0"},
         "--jobs: must be a whole number");
  expect(
      {"run", "--preset", "double_spherical_pendulum", "--integrator", "rk4", "--exponents", "1"},
      "--exponents: rk4 has no tangent map");
  expect({"run", "--preset", "double_spherical_pendulum", "--exponents", "9"},
         "--exponents: tangent vectors of 2 bodies must be from 1 to 8");
}

TEST_F(SweepCommand, exponents_go_on_from_a_saved_state) {
  const Words start{"run", "--preset", "double_spherical_pendulum", "--quiet"};
  const auto with = [&](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  ASSERT_EQ(run(with(start, {"--exponents", "2", "--steps", "300", "--csv", "whole.csv"})).status,
            0);
  ASSERT_EQ(
      run(with(start, {"--exponents", "2", "--steps", "120", "--save-state", "s.json"})).status, 0);
  ASSERT_EQ(run({"run", "s.json", "--steps", "180", "--quiet", "--csv", "rest.csv"}).status, 0);
  auto whole = columns(text("whole.csv")), rest = columns(text("rest.csv"));
  for (const char* name : {"lyapunov", "lyapunov[1]", "megno", "fli"})
    EXPECT_EQ(whole[name].back(), rest[name].back()) << name;
  EXPECT_NE(text("whole.csv.json").find("\"lyapunov[1]\""), std::string::npos);
}

}  // namespace
}  // namespace twosphere::command_line_sweep_test
