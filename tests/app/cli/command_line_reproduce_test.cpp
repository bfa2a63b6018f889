// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

#include "app/cli/reproduce.h"
#include "core/base/json.h"
#include "core/studies/reproduction_table.h"
#include "tests/app/cli/run_program.h"

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
  EXPECT_NE(report.find("\n## Example 2: Three bodies on a sphere\n"), report.npos) << report;
  EXPECT_NE(report.find("| variational, h 0.01 s, 100 s | mean energy error [m g l] | 2.1647e-5 | "
                        "2.1641e-5 | 1.0003 | ± 5e-10 | reproduced (1) |\n"),
            report.npos)
      << report;
  EXPECT_NE(report.find("\n(3) Only seen.\n"), report.npos) << report;
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

TEST_F(Reproduce, reproduces_what_is_asked_for) {
  const Outcome o = run({"reproduce", "1", "pendulum_network", "3"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  const auto all = lines(o.out);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0], "Example 1: Double spherical pendulum (double_spherical_pendulum)");
  EXPECT_EQ(std::count_if(all.begin(), all.end(),
                          [](const auto& line) { return line.starts_with("Example "); }),
            2);
  EXPECT_NE(o.out.find("    mean energy error [m g l]      2.1647e-5   2.1641e-5   1.0003  "),
            o.out.npos)
      << o.out;
  EXPECT_NE(o.out.find("7.8586e-4   7.8586e-4   1.0000  ± 5e-9 "), o.out.npos) << o.out;
  EXPECT_NE(
      o.out.find(
          "\n2 of 6 published numbers reproduced, 2 consistent with inputs chosen to fit, 2 below "
          "(rounding).\n"),
      o.out.npos)
      << o.out;
}

TEST_F(Reproduce, reproduced_means_are_those_of_run_with_every_row) {
  const PublishedRun& published = published_runs()[2];
  ASSERT_EQ(published.preset, "three_body");
  const auto ours = reproduce({&published}, 1, always);
  ASSERT_TRUE(ours);
  const Outcome o = run({"run", "--preset", "three_body", "--every", "1", "--json"});
  ASSERT_EQ(o.status, 0) << o.err;
  const auto summary = json::parse(o.out, "summary");
  ASSERT_TRUE(summary);
  EXPECT_EQ((*ours)[0].means[0].ours, summary->find("mean energy error")->number);
  EXPECT_EQ((*ours)[0].means[1].ours, summary->find("mean unit-length error")->number);
}

TEST_F(Reproduce, goes_on_where_no_thread_can_be_started) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer has no use for such stacks";
#endif
  // Stacks larger than all the address space there is.
  const auto without_threads = [] {
    rlimit stack{};
    ::getrlimit(RLIMIT_STACK, &stack);
    stack.rlim_cur = rlim_t{1} << 46;
    ::setrlimit(RLIMIT_STACK, &stack);
  };
  const Words reproduction{"reproduce", "2", "--out", "table"};
  const Outcome usual = run(reproduction);
  const std::string figure = text("table/figure-3.2.svg");
  fs::remove_all(in("table"));
  const Outcome alone = run(reproduction, "", without_threads);
  EXPECT_EQ(alone.status, 0) << alone.err;
  EXPECT_EQ(alone.out, usual.out);
  EXPECT_EQ(text("table/figure-3.2.svg"), figure);

  const Words crowd{"run", "--preset", "lennard_jones", "--steps", "3", "--threads", "4", "--csv"};
  const auto into = [&crowd](const char* file) {
    Words words = crowd;
    words.emplace_back(file);
    return words;
  };
  EXPECT_EQ(run(into("alone.csv"), "", without_threads).status, 0);
  EXPECT_EQ(run(into("usual.csv")).status, 0);
  EXPECT_EQ(text("alone.csv"), text("usual.csv"));
}

TEST_F(Reproduce, reproduce_refuses_what_is_no_example) {
  for (const auto& [given, message] :
       {std::pair("7", "reproduce: \"7\" is not an example of the paper"),
        std::pair("three_bodies", "; did you mean three_body? (known examples: 1, 2, 3, 4, 5, 6, "),
        std::pair("chain_pendulum", "\"chain_pendulum\" is not an example of the paper")}) {
    const Outcome o = run({"reproduce", "1", given});
    EXPECT_EQ(o.status, 2) << given;
    EXPECT_EQ(o.out, "");
    EXPECT_NE(o.err.find(message), o.err.npos) << o.err;
  }
  const Outcome help = run({"reproduce", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_TRUE(help.out.starts_with("Usage: twosphere reproduce [1...6 | PRESET]...")) << help.out;
  for (const std::string& line : lines(help.out)) EXPECT_LE(line.size(), 84U) << line;
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

/// The magnitudes of a column of a CSV.
std::vector<double> column(const std::string& text, const std::string& name) {
  const auto cells = [](const std::string& line) {
    Words out;
    for (std::size_t at = 0; at <= line.size();) {
      const auto end = std::min(line.find(',', at), line.size());
      out.push_back(line.substr(at, end - at));
      at = end + 1;
    }
    return out;
  };
  const auto rows = lines(text);
  const Words names = cells(rows.front());
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return {};
  std::vector<double> out;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::string cell = cells(rows[i])[static_cast<std::size_t>(found - names.begin())];
    double value = std::nan("");
    std::from_chars(cell.data(), cell.data() + cell.size(), value);
    out.push_back(std::abs(value));
  }
  return out;
}

TEST_F(Reproduce, reproduce_leaves_table_rows_and_figures_in_a_folder) {
  const Outcome o = run({"reproduce", "2", "3", "--out", "deep/results"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(lines(o.out).back(),
            "0 of 4 published numbers reproduced, 3 consistent with inputs chosen to fit, 1 below "
            "(rounding).");
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(in("deep/results")))
    names.insert(entry.path().filename().string());
  EXPECT_EQ(names,
            (std::set<std::string>{"reproduce.csv", "reproduce.md", "three_body_h0.005.csv",
                                   "three_body_h0.005.csv.json", "three_body_h5e-04.csv",
                                   "three_body_h5e-04.csv.json", "pendulum_network.csv",
                                   "pendulum_network.csv.json", "figure-3.2.csv", "figure-3.2.svg",
                                   "figure-3.2.png", "figure-3.3.svg", "figure-3.3.png"}));

  // The rows are those behind the table.
  const std::string rows = text("deep/results/three_body_h0.005.csv");
  EXPECT_EQ(column(rows, "time [s]").size(), 2001U);
  const auto table = lines(text("deep/results/reproduce.csv"));
  ASSERT_EQ(table.size(), 19U);
  for (const char* method : {"variational", "rk2", "rk2_projected"}) {
    const auto errors = column(rows, std::string(method) + "/energy_error [J]");
    ASSERT_EQ(errors.size(), 2001U) << method;
    double sum = 0;
    for (const double error : errors) sum += error;
    const std::string start =
        std::string("2,three_body,") + method + ",\"h 0.005 s, 10 s\"," + "mean energy error,J,";
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&start](const auto& line) { return line.starts_with(start); });
    ASSERT_NE(row, table.end()) << start;
    EXPECT_NEAR(std::stod(row->substr(start.size())), sum / 2001, 1e-12 * sum);
  }
  const auto companion = json::parse(text("deep/results/three_body_h0.005.csv.json"), "companion");
  ASSERT_TRUE(companion);
  EXPECT_EQ(companion->find("lanes")->items.size(), 3U);

  // And, byte for byte, those of a run with these lanes.
  const Outcome lanes =
      run({"run", "--preset", "three_body", "--integrator", "variational", "--integrator", "rk2",
           "--integrator", "rk2_projected", "--every", "1", "--csv", "lanes.csv"});
  EXPECT_EQ(lanes.status, 0) << lanes.err;
  EXPECT_TRUE(text("lanes.csv") == rows);
  EXPECT_EQ(text("lanes.csv.json"), text("deep/results/three_body_h0.005.csv.json"));

  // Errors against the step: those of the table where both have them.
  const auto means =
      column(text("deep/results/figure-3.2.csv"), "variational/mean_energy_error [J]");
  ASSERT_EQ(means.size(), paper_figures()[1].steps.size());
  EXPECT_EQ(as_printed(means[1]), "1.1717e-4");
  EXPECT_EQ(as_printed(means[4]), "1.1986e-6");

  const std::string report = text("deep/results/reproduce.md");
  EXPECT_NE(report.find("![Fig. 3.2 of Lee, Leok and McClamroch (2009): Three bodies on a sphere]"
                        "(figure-3.2.svg)"),
            report.npos);
  EXPECT_NE(report.find("\n- variational, mean energy error: 2.00 (printed 1.99)\n"), report.npos)
      << report;
  const std::string svg = text("deep/results/figure-3.3.svg");
  for (const char* word :
       {"<svg", "Fig. 3.3 of Lee, Leok and McClamroch (2009): Pendula joined by springs",
        "(printed 3.6171e-5)", "total energy [J]", "Variational (VI)", "</svg>"})
    EXPECT_NE(svg.find(word), svg.npos) << word;
  EXPECT_TRUE(text("deep/results/figure-3.3.png").starts_with("\x89PNG"));
}

TEST_F(Reproduce, reproduce_draws_the_field_of_the_molecules) {
  const Outcome o = run({"reproduce", "lennard_jones", "--out", "molecules"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  const std::string svg = text("molecules/figure-3.7.svg");
  for (const char* word : {"<svg", "Fig. 3.7 of Lee, Leok and McClamroch (2009)", "t = 5 s",
                           "mean kinetic energy of a molecule [J]", "</svg>"})
    EXPECT_NE(svg.find(word), svg.npos) << word;
  EXPECT_TRUE(text("molecules/figure-3.7.png").starts_with("\x89PNG"));
  EXPECT_TRUE(text("molecules/figure-3.6.png").starts_with("\x89PNG"));
  EXPECT_NE(text("molecules/reproduce.md").find("(figure-3.7.svg)"), std::string::npos);
}

TEST_F(Reproduce, reproduce_says_where_it_cannot_write_before_it_works) {
  ASSERT_TRUE(write_file(in("file"), "here"));
  const auto begin = std::chrono::steady_clock::now();
  for (const char* place : {"file", "file/below", "/proc/nowhere"}) {
    const Outcome o = run({"reproduce", "--out", place});
    EXPECT_EQ(o.status, 4) << place;
    EXPECT_EQ(o.out, "");
    EXPECT_TRUE(o.err.starts_with(std::string("twosphere: ") + place)) << o.err;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_EQ(text("file"), "here");
}

TEST_F(Reproduce, reproduces_everything) {
  if (!std::getenv("TWOSPHERE_LONG")) GTEST_SKIP() << "TWOSPHERE_LONG is not set";
  const Outcome o = run({"reproduce"});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  int examples = 0;
  for (int i = 1; i <= example_count; ++i)
    examples += o.out.find("Example " + std::to_string(i) + ": ") != o.out.npos;
  EXPECT_EQ(examples, example_count);
}

}  // namespace
}  // namespace twosphere::command_line_reproduce_test
