// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "app/cli/reproduce.h"
#include "core/base/json.h"
#include "core/studies/reproduction_table.h"
#include "tests/app/cli/run_program.h"
#include "tests/outcome.h"

// `twosphere reproduce`: the table, and the real program in processes of its own.
namespace twosphere::command_line_reproduce_test {
namespace {

bool always(std::size_t, std::size_t) { return true; }

/// A table whose numbers are of no run.
struct Table {
  PublishedRun first{
      1,
      "double_spherical_pendulum",
      "variational",
      {},
      EnergyUnit::m_g_l,
      {},
      {{Quantity::energy_error, "2.1641e-5", AcceptanceRule::digits, "One, two."},
       {Quantity::unit_length_error_mean, "8.8893e-15", AcceptanceRule::at_most, "Why."}}};
  PublishedRun second{2,
                      "three_body",
                      "rk45",
                      {},
                      EnergyUnit::joule,
                      {},
                      {{Quantity::energy_error, "1.4310e-6", AcceptanceRule::spread, "Why."},
                       {Quantity::unit_length_error_mean, "", AcceptanceRule::open, "Only seen."}}};
  std::vector<ReproducedRun> runs;

  explicit Table(Verdict verdict = Verdict::reproduced) {
    for (const PublishedRun* run : {&first, &second})
      runs.push_back({run, *run->scenario(), 1, {}, {}});
    runs[0].means = {{&first.means[0], 2.16472e-5, Range{2.16405e-5, 2.16415e-5}, verdict},
                     {&first.means[1], 5.5173e-17, Range{0, 8.8893e-15}, Verdict::below}};
    runs[1].means = {{&second.means[0], 2.0947e-6, Range{1.2e-6, 2.0899e-6}, Verdict::consistent},
                     {&second.means[1], 1.25e-4, {}, Verdict::not_compared}};
  }
};

TEST(ReproductionTable, StandsInColumns) {
  EXPECT_EQ(reproduction_text(Table(Verdict::missed).runs),
            R"(Example 1: Double spherical pendulum (double_spherical_pendulum)
                                        ours   published    ratio  allowed                    verdict
  variational, h 0.01 s, 100 s
    mean energy error [m g l]      2.1647e-5   2.1641e-5   1.0003  ± 5e-10                    not reproduced (1)
    mean unit-length error [1]    5.5173e-17  8.8893e-15   0.0062  ≤ 8.8893e-15               below (2)

Example 2: Three bodies on a sphere (three_body)
                                        ours   published    ratio  allowed                    verdict
  rk45, h 0.005 s, 10 s, relative tolerance 0.001, absolute tolerance 1e-06
    mean energy error [J]          2.0947e-6   1.4310e-6   1.4638  1.2000e-6 … 2.0899e-6      consistent (2)
    mean unit-length error [1]     1.2500e-4 figure only                                      not compared

(1) One, two.
(2) Why.
Reproduced: from the inputs printed in the paper. Consistent: with inputs chosen to fit, where the
paper prints none or different ones. Below: a rounding error, smaller than the printed one.
0 of 3 published numbers reproduced, 1 consistent with inputs chosen to fit, 1 below (rounding), 1 not reproduced.
)");
}

TEST(ReproductionTable, IsACsvWithFullNumbers) {
  const auto rows = lines(reproduction_csv(Table().runs));
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0],
            "example,preset,integrator,inputs,quantity,unit,ours,published,ratio,allowed_low,"
            "allowed_high,verdict,reason");
  EXPECT_EQ(rows[1],
            "1,double_spherical_pendulum,variational,\"h 0.01 s, 100 s\",mean energy error,m g l,"
            "2.16472e-05,2.1641e-5," +
                json::shortest(2.16472e-5 / 2.1641e-5) +
                ",2.16405e-05,2.16415e-05,reproduced,\"One, two.\"");
  EXPECT_TRUE(rows[4].ends_with(",mean unit-length error,1,0.000125,,,,,not compared,Only seen."))
      << rows[4];
}

TEST(ReproductionTable, IsAReport) {
  const std::string report = reproduction_markdown(Table().runs);
  EXPECT_TRUE(report.starts_with("# ")) << report;
  EXPECT_TRUE(test::says(report, "\n## Example 2: Three bodies on a sphere\n"));
  EXPECT_TRUE(test::says(report,
                         "| variational, h 0.01 s, 100 s | mean energy error [m g l] | 2.1647e-5 | "
                         "2.1641e-5 | 1.0003 | ± 5e-10 | reproduced (1) |\n"));
  EXPECT_TRUE(test::says(report, "\n(3) Only seen.\n"));
}

TEST(ReproductionTable, WritesNumbersAsThePaperDoes) {
  EXPECT_EQ(as_printed(2.16472e-5), "2.1647e-5");
  EXPECT_EQ(as_printed(8.5403e-10), "8.5403e-10");
  EXPECT_EQ(as_printed(12.5), "1.2500e1");
  EXPECT_EQ(as_printed(1), "1.0000e0");
  EXPECT_EQ(as_printed(5e-9, 0), "5e-9");
}

TEST(ReproductionTable, DecidesTheExitStatus) {
  const auto status = [](Verdict verdict) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int s = print_table(Table(verdict).runs);
    const std::string out = testing::internal::GetCapturedStdout(),
                      err = testing::internal::GetCapturedStderr();
    EXPECT_EQ(out, reproduction_text(Table(verdict).runs));
    EXPECT_EQ(err, s == 0 ? "" : "twosphere: reproduce: 1 number not reproduced\n");
    return s;
  };
  EXPECT_EQ(status(Verdict::reproduced), 0);
  EXPECT_EQ(status(Verdict::consistent), 0);
  EXPECT_EQ(status(Verdict::below), 0);
  EXPECT_EQ(status(Verdict::not_compared), 0);
  EXPECT_EQ(status(Verdict::missed), 1);
}

class Reproduce : public CommandLine {};

TEST_F(Reproduce, reproduced_means_are_those_of_run_with_every_row) {
  const PublishedRun& published = published_runs()[2];
  ASSERT_EQ(published.preset, "three_body");
  const auto ours = test::value_of(reproduce({&published}, 1, always));
  const Outcome o = succeed("run --preset three_body --every 1 --json"_words);
  const auto summary = test::value_of(json::parse(o.out, "summary"));
  EXPECT_EQ(ours[0].means[0].ours, summary.find("mean energy error")->number);
  EXPECT_EQ(ours[0].means[1].ours, summary.find("mean unit-length error")->number);
}

TEST_F(Reproduce, goes_on_where_no_thread_can_be_started) {
  if (!can_withhold_threads) GTEST_SKIP() << "a sanitizer has no use for such stacks";
  const Words reproduction{"reproduce", "2", "--out", "table"};
  const Outcome usual = run(reproduction);
  const std::string figure = text("table/figure-3.2.svg");
  fs::remove_all(in("table"));
  const Outcome alone = succeed(reproduction, "", without_threads);
  EXPECT_EQ(alone.out, usual.out);
  EXPECT_EQ(text("table/figure-3.2.svg"), figure);

  const Words crowd = "run --preset lennard_jones --steps 3 --threads 4 --csv"_words;
  const auto into = [&crowd](const char* file) {
    Words words = crowd;
    words.emplace_back(file);
    return words;
  };
  succeed(into("alone.csv"), "", without_threads);
  succeed(into("usual.csv"));
  EXPECT_EQ(text("alone.csv"), text("usual.csv"));
}

TEST_F(Reproduce, reproduce_ends_cleanly_when_interrupted) {
  const pid_t child = launch({"reproduce", "4", "--out", "results"});
  const auto begin = std::chrono::steady_clock::now();
  // It makes the folder when it is about to work, for seconds.
  while (!fs::exists(in("results")) &&
         std::chrono::steady_clock::now() - begin < std::chrono::seconds(60))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(child, SIGINT);
  const Outcome o = finish(child);
  EXPECT_EQ(o.status, 130);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, "");
  EXPECT_FALSE(fs::exists(in("results"))) << "made in vain";
}

TEST_F(Reproduce, reproduces_everything) {
  if (!std::getenv("TWOSPHERE_LONG")) GTEST_SKIP() << "TWOSPHERE_LONG is not set";
  const Outcome o = succeed({"reproduce"});
  int examples = 0;
  for (int i = 1; i <= example_count; ++i)
    examples += o.out.find("Example " + std::to_string(i) + ": ") != o.out.npos;
  EXPECT_EQ(examples, example_count);
}

}  // namespace
}  // namespace twosphere::command_line_reproduce_test
