// SPDX-License-Identifier: GPL-3.0-or-later
// The paper's numbers and the runs that give them.
#include "core/studies/reproduction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "core/catalog.h"
#include "core/record/history.h"
#include "core/run/simulation.h"
#include "core/scenario/schedule.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/thread_limit.h"

namespace twosphere::reproduction_test {
namespace {

using test::error_of, test::says, test::value_of;

bool always(std::size_t, std::size_t) { return true; }

std::string page() {
  std::ifstream file(TWOSPHERE_SOURCE_DIR "/docs/reproduction.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(PublishedRuns, CoverEveryExampleAndSayWhatTheyMean) {
  std::set<int> examples;
  int previous = 1, printed = 0;
  for (const PublishedRun& run : published_runs()) {
    SCOPED_TRACE(run.preset + " " + run.integrator);
    EXPECT_GE(run.example, previous) << "in the order of the examples";
    previous = run.example;
    examples.insert(run.example);
    ASSERT_NE(find_preset(run.preset), nullptr);
    ASSERT_NE(find_integrator(run.integrator), nullptr);
    const auto scenario = value_of(run.scenario());
    EXPECT_EQ(scenario.lanes[0].type, run.integrator);
    EXPECT_EQ(sampling_stride(scenario), 1);
    ASSERT_EQ(run.means.size(), 2U);
    EXPECT_EQ(run.means[0].quantity, Quantity::energy_error);
    EXPECT_EQ(run.means[1].quantity, Quantity::unit_length_error_mean);
    for (const PublishedMean& mean : run.means) {
      EXPECT_TRUE(mean.reason.ends_with('.')) << mean.reason;
      EXPECT_EQ(mean.value().has_value(), !mean.printed.empty());
      EXPECT_TRUE(mean.rule == AcceptanceRule::open || mean.value());
      EXPECT_TRUE(mean.rule != AcceptanceRule::spread ||
                  run.variation.of != SensitivitySweep::Of::nothing);
      if (!mean.value()) continue;
      EXPECT_GT(*mean.value(), 0);
      EXPECT_LT(mean.half_unit(), 1e-4 * *mean.value()) << "five digits are printed";
      ++printed;
    }
  }
  EXPECT_EQ(printed, 20);
  EXPECT_EQ(examples.size(), static_cast<std::size_t>(example_count));
  EXPECT_EQ(*examples.begin(), 1);
  EXPECT_EQ(*examples.rbegin(), example_count);
}

TEST(PublishedRuns, ReadTheirNumbersAsPrinted) {
  const PublishedMean mean{Quantity::energy_error, "2.1641e-5", AcceptanceRule::digits, ""};
  EXPECT_EQ(*mean.value(), 2.1641e-5);
  EXPECT_DOUBLE_EQ(mean.half_unit(), 0.5e-9);
  const PublishedMean small{Quantity::energy_error, "8.54e-10", AcceptanceRule::digits, ""};
  EXPECT_DOUBLE_EQ(small.half_unit(), 0.5e-12);
}

TEST(PublishedRuns, AreThoseThatPresetsAndThePageOfThemName) {
  const std::string text = page();
  int printed = 0, described = 0;
  for (const PublishedRun& run : published_runs())
    for (const PublishedMean& mean : run.means) {
      if (!mean.value()) continue;
      ++printed;
      EXPECT_TRUE(says(text, mean.printed));
      if (run.integrator != "variational" || mean.quantity != Quantity::energy_error) continue;
      const auto scenario = value_of(run.scenario());
      EXPECT_TRUE(says(scenario.description, mean.printed)) << run.preset << ": " << mean.printed;
      ++described;
    }
  EXPECT_EQ(printed, 20);
  EXPECT_EQ(described, 8);
}

TEST(PublishedRuns, EnergiesOfExample1AreInUnitsOfMGL) {
  const PublishedRun& first = published_runs().front();
  const auto scenario = value_of(first.scenario());
  EXPECT_EQ(first.unit, EnergyUnit::m_g_l);
  EXPECT_DOUBLE_EQ(joules(first.unit, scenario), 96.2361);
  EXPECT_EQ(joules(EnergyUnit::joule, scenario), 1);
}

/// Every run but those of Examples 4 and 6, which take seconds.
/// A table of one run, without a piece of its text or with another in its place.
std::string small_table(std::string_view piece = {}, std::string_view other = {}) {
  std::string text = R"({
  "paper": "A paper",
  "runs": [
    {
      "example": 1,
      "preset": "double_spherical_pendulum",
      "integrator": "rk45",
      "set": {"integrator.step": 0.01},
      "energy_unit": "m g l",
      "sweep": {"of": "rows", "low": 1, "high": 10},
      "means": [
        {"quantity": "energy_error", "printed": "7.8586e-4", "rule": "digits", "reason": "Why."}
      ]
    }
  ],
  "figures": [],
  "field": {"number": "3.7", "preset": "lennard_jones", "title": "A", "times": [0, 1], "note": "", "errata": ""}
})";
  if (!piece.empty()) text.replace(text.find(piece), piece.size(), other);
  return text;
}

TEST(PublishedTable, IsRead) {
  const auto paper = value_of(read_published(small_table(), "table"));
  ASSERT_EQ(paper.runs.size(), 1U);
  const PublishedRun& run = paper.runs[0];
  EXPECT_EQ(run.settings.size(), 1U);
  EXPECT_EQ(run.unit, EnergyUnit::m_g_l);
  EXPECT_EQ(run.variation.of, SensitivitySweep::Of::rows);
  EXPECT_EQ(run.variation.high, 10);
  ASSERT_EQ(run.means.size(), 1U);
  EXPECT_EQ(run.means[0].value(), 7.8586e-4);
  EXPECT_EQ(run.means[0].inputs, Inputs::printed);
  EXPECT_EQ(paper.field.times, (std::vector<double>{0, 1}));
}

TEST(PublishedTable, NamesTheLineOfWhatIsWrong) {
  const struct {
    std::string_view piece, other, location, message;
  } mistakes[]{
      {"\"example\": 1", "\"example\": 7", "table:5: runs[0].example", "6"},
      {"double_spherical", "double_sperical", "table:6: runs[0].preset", "did you mean"},
      {"rk45", "rk54", "table:7: runs[0].integrator", "rk45"},
      {"m g l", "m g", "table:9: runs[0].energy_unit", "m g l"},
      {"\"rows\"", "\"row\"", "table:10: runs[0].sweep.of", "rows"},
      {"energy_error", "energy_eror", "table:12: runs[0].means[0].quantity", "energy_error"},
      {"7.8586e-4", "0.00078586", "table:12: runs[0].means[0].printed", "1.2345e-6"},
      {"\"printed\": \"7.8586e-4\", ", "", "table:12: runs[0].means[0]", "needs"},
      {"\"digits\"", "\"digit\"", "table:12: runs[0].means[0].rule", "at_most"},
      {"\"times\"", "\"time\"", "table:17: field.time", "times"},
  };
  for (const auto& m : mistakes) {
    const auto paper = read_published(small_table(m.piece, m.other), "table");
    ASSERT_FALSE(paper) << m.piece;
    EXPECT_EQ(paper.error().location, m.location);
    EXPECT_TRUE(says(paper.error().message, m.message));
  }
}

TEST(Reproduction, GivesTheNumbersThatArePrinted) {
  std::vector<const PublishedRun*> runs;
  for (const PublishedRun& run : published_runs())
    if (run.example != 4 && run.example != 6) runs.push_back(&run);
  const auto done = value_of(reproduce(runs, 2, always));
  ASSERT_EQ(done.size(), runs.size());
  for (const ReproducedRun& run : done) {
    ASSERT_EQ(run.rows.size(), static_cast<std::size_t>(planned_steps(run.scenario)) + 1);
    for (const ReproducedMean& mean : run.means) {
      SCOPED_TRACE(std::string(run.published->preset) + " " +
                   std::string(run.published->integrator) + " " +
                   std::string(mean.published->printed));
      const bool rounding = mean.published->rule == AcceptanceRule::at_most;
      const bool fitted = mean.published->inputs == Inputs::fitted;
      EXPECT_EQ(mean.verdict, mean.published->rule == AcceptanceRule::open ? Verdict::not_compared
                              : rounding                                   ? Verdict::below
                              : fitted                                     ? Verdict::consistent
                                                                           : Verdict::reproduced)
          << mean.ours;
    }
  }
  const Tally count = tally(done);
  EXPECT_EQ(count.reproduced, 2) << "both of Example 1 with rk45";
  EXPECT_EQ(count.consistent, 5) << "Example 1's band, 2 twice, 3 and 5";
  EXPECT_EQ(count.below, 3);
  EXPECT_EQ(count.missed, 0);
  EXPECT_EQ(count.not_compared, 2) << "Example 5 with rk45";
  EXPECT_EQ(in_words(count),
            "2 of 10 published numbers reproduced, 5 consistent with inputs chosen to fit, 3 below "
            "(rounding); 2 not compared");
}

// "Reproduced" is for what the paper prints alone.
TEST(PublishedRuns, SayWhereTheirInputsWereChosenToFit) {
  for (const PublishedRun& run : published_runs())
    for (const PublishedMean& mean : run.means) {
      const bool chosen = run.example == 2 || run.example == 3 || run.example == 5 ||
                          (run.example == 1 && run.integrator == "variational");
      const bool compared =
          mean.rule == AcceptanceRule::digits || mean.rule == AcceptanceRule::spread;
      EXPECT_EQ(mean.inputs == Inputs::fitted, chosen && compared)
          << run.preset << " " << run.integrator << " " << mean.printed;
    }
}

TEST(Tally, IsWrittenAsASentence) {
  EXPECT_EQ(in_words(Tally{.reproduced = 4}), "4 of 4 published numbers reproduced");
  EXPECT_EQ(in_words(Tally{.reproduced = 1, .missed = 2}),
            "1 of 3 published numbers reproduced, 2 not reproduced");
  EXPECT_EQ(in_words(Tally{}), "not compared: the paper shows only a figure");
  EXPECT_EQ(in_words(Tally{.not_compared = 2}),
            "not compared: the paper does not print the inputs");
  EXPECT_EQ(word(Verdict::consistent), "consistent");
  EXPECT_EQ(word(Verdict::below), "below");
  EXPECT_EQ(word(Verdict::missed), "not reproduced");
}

TEST(Reproduction, TakesTheMeansOfARunWithEveryRow) {
  const PublishedRun& run = published_runs()[1];  // rk45
  ASSERT_EQ(run.integrator, "rk45");
  const auto done = value_of(reproduce({&run}, 1, always));
  auto simulation = value_of(Simulation::create(done[0].scenario));
  History history;
  history.append(0, simulation.sample(0));
  while (!simulation.finished()) {
    ASSERT_FALSE(simulation.step());
    history.append(simulation.steps(), simulation.sample(0));
  }
  const ReproducedRun& ours = done[0];
  EXPECT_EQ(ours.means[0].ours, history.mean_magnitude(Quantity::energy_error) / ours.joules);
  EXPECT_EQ(ours.means[1].ours, history.mean_magnitude(Quantity::unit_length_error_mean));
}

/// A rod for a moment, with a small ensemble.
PublishedRun short_rod() {
  return {4,
          "elastic_rod",
          "variational",
          {{"duration", 0.01}},
          EnergyUnit::joule,
          {SensitivitySweep::Of::start, 1e-6, 0, 6},
          {{Quantity::energy_error, "1.0e-9", AcceptanceRule::spread, ""},
           {Quantity::unit_length_error_mean, "", AcceptanceRule::open, ""}}};
}

TEST(Reproduction, DoesNotDependOnTheNumberOfThreads) {
  const PublishedRun rod = short_rod();
  const auto one = reproduce({&rod}, 1, always), three = reproduce({&rod}, 3, always);
  ASSERT_TRUE(one && three);
  const ReproducedMean &a = (*one)[0].means[0], &b = (*three)[0].means[0];
  EXPECT_EQ(a.ours, b.ours);
  ASSERT_TRUE(a.allowed && b.allowed);
  EXPECT_EQ(a.allowed->low, b.allowed->low);
  EXPECT_EQ(a.allowed->high, b.allowed->high);
  EXPECT_LT(a.allowed->low, a.allowed->high) << "the starts differ";
  EXPECT_GT(a.ours, 0.5 * a.allowed->low);
  EXPECT_LT(a.ours, 2 * a.allowed->high);
}

TEST(Reproduction, GoesOnWithTheThreadsThatCanBeStarted) {
  const PublishedRun rod = short_rod();
  const auto one = value_of(reproduce({&rod}, 1, always));
  for (const int more : {0, 2}) {
    const test::ThreadLimit limit(more);
    std::size_t asked = 0, most = 0;
    const auto limited = value_of(reproduce({&rod}, 5, [&](std::size_t done, std::size_t) {
      most = std::max(most, done);
      return ++asked > 0;
    }));
    EXPECT_EQ(one[0].means[0].ours, limited[0].means[0].ours);
    EXPECT_EQ(one[0].means[0].allowed->high, limited[0].means[0].allowed->high);
    if (more == 0) {
      EXPECT_EQ(asked, 7U) << "after each simulation";
      EXPECT_EQ(most, 6U);
    }
  }
}

TEST(Reproduction, MissesANumberThatIsNotSo) {
  PublishedRun rod = short_rod();
  EXPECT_EQ(value_of(reproduce({&rod}, 2, always))[0].means[0].verdict, Verdict::missed);
  rod.variation = {};
  rod.means[0] = {Quantity::energy_error, "1.0000e-9", AcceptanceRule::digits, ""};
  rod.means[1] = {Quantity::unit_length_error_mean, "1.0000e-20", AcceptanceRule::at_most, ""};
  const auto plain = value_of(reproduce({&rod}, 2, always));
  EXPECT_EQ(plain[0].means[0].verdict, Verdict::missed);
  EXPECT_EQ(plain[0].means[1].verdict, Verdict::missed);
}

TEST(Reproduction, SpreadsOverDurationsAndRowsAsRunsOfThoseWould) {
  PublishedRun run{3,
                   "pendulum_network",
                   "variational",
                   {{"duration", 1}},
                   EnergyUnit::joule,
                   {SensitivitySweep::Of::duration, 0.995, 1},
                   {{Quantity::energy_error, "", AcceptanceRule::open, ""}}};
  const auto mean = [](const PublishedRun& published) {
    return value_of(reproduce({&published}, 1, always))[0].means[0];
  };
  const ReproducedMean whole = mean(run);
  ASSERT_TRUE(whole.allowed);
  PublishedRun shorter = run;
  shorter.variation = {};
  shorter.settings = {{"duration", 0.995}};
  const double a = whole.ours, b = mean(shorter).ours;
  EXPECT_EQ(whole.allowed->low, std::min(a, b));
  EXPECT_EQ(whole.allowed->high, std::max(a, b));

  run.variation = {SensitivitySweep::Of::rows, 1, 2};
  const ReproducedMean rows = mean(run);
  ASSERT_TRUE(rows.allowed);
  auto scenario = value_of(run.scenario());
  scenario.every = 2;
  auto simulation = value_of(Simulation::create(scenario));
  History history;
  do {
    if (simulation.steps() % 2 == 0) history.append(simulation.steps(), simulation.sample(0));
  } while (!simulation.finished() && !simulation.step());
  const double second = history.mean_magnitude(Quantity::energy_error);
  EXPECT_NE(second, rows.ours);
  EXPECT_EQ(rows.allowed->low, std::min(rows.ours, second));
  EXPECT_EQ(rows.allowed->high, std::max(rows.ours, second));
}

TEST(Reproduction, EndsEarlyWhenToldTo) {
  PublishedRun rod = short_rod();
  rod.settings = {{"duration", 1000}};  // minutes
  const auto done =
      value_of(reproduce({&rod}, 2, [asked = 0](std::size_t, std::size_t all) mutable {
        EXPECT_EQ(all, 7U);
        return ++asked < 3;
      }));
  EXPECT_TRUE(done.empty());
}

TEST(Reproduction, SaysWhichStepCannotBeTaken) {
  PublishedRun rod = short_rod();
  rod.settings = {{"integrator.step", 0.5}, {"duration", 10}};
  const Error done = error_of(reproduce({&rod}, 2, always));
  EXPECT_EQ(done.kind, ErrorKind::numerical);
  EXPECT_TRUE(done.text().starts_with("Elastic rod: ")) << done.text();
}

TEST(PaperFigures, ShowRunsOfThePresetSideBySide) {
  std::string last;
  int of_one_step = 0;
  for (const PaperFigure& figure : paper_figures()) {
    SCOPED_TRACE(std::string(figure.number));
    EXPECT_LT(last, figure.number) << "in order";
    last = figure.number;
    EXPECT_TRUE(figure.note.ends_with('.'));
    EXPECT_FALSE(figure.plots.empty());
    const auto lanes = figure.lanes();
    ASSERT_FALSE(lanes.empty());
    EXPECT_EQ(lanes.front()->integrator, "variational");
    std::set<std::string_view> integrators;
    for (const PublishedRun* lane : lanes) {
      EXPECT_EQ(lane->preset, figure.preset);
      integrators.insert(lane->integrator);
      if (!figure.steps.empty()) continue;
      EXPECT_EQ(lane->scenario()->lanes[0].step, lanes.front()->scenario()->lanes[0].step);
      EXPECT_EQ(lane->scenario()->duration, lanes.front()->scenario()->duration);
      ++of_one_step;
    }
    EXPECT_EQ(integrators.size(), lanes.size());
    EXPECT_EQ(figure.step_runs().size(), figure.steps.size() * lanes.size());
  }
  EXPECT_EQ(paper_figures().size(), 6U);
  EXPECT_EQ(of_one_step, 10);
}

TEST(PaperFigures, Figure2HasSlope2) {
  const PaperFigure& figure = paper_figures()[1];
  ASSERT_EQ(figure.number, "3.2");
  std::vector<PublishedRun> of_steps = figure.step_runs();
  std::vector<const PublishedRun*> runs;
  for (const PublishedRun& run : of_steps)
    if (run.integrator == "variational") runs.push_back(&run);
  const auto done = value_of(reproduce(runs, 2, always));
  std::vector<double> steps, means;
  for (const ReproducedRun& run : done) {
    steps.push_back(run.scenario.lanes[0].step);
    means.push_back(run.mean(Quantity::energy_error).ours);
    EXPECT_EQ(run.means[0].verdict, Verdict::not_compared);
  }
  EXPECT_EQ(steps, figure.steps);
  EXPECT_NEAR(fitted_order(steps, means), 2, 0.05);
  // The line that the two printed numbers lie on.
  const std::vector<double> h{5e-3, 5e-4}, printed{1.1717e-4, 1.1986e-6};
  EXPECT_NEAR(fitted_order(h, printed), 2, 0.05);
}

TEST(FittedOrder, IsThePowerOfAPowerLaw) {
  const std::vector<double> x{1, 2, 5, 30};
  std::vector<double> y;
  for (const double v : x) y.push_back(7 * std::pow(v, -1.5));
  EXPECT_NEAR(fitted_order(x, y), -1.5, 1e-14);
}

TEST(MovedStart, StaysOnTheSphereAndIsTheSameForASeed) {
  const auto scenario = test::preset("pendulum_network");
  const double size = 1e-5;
  const Scenario a = moved_start(scenario, size, 7), b = moved_start(scenario, size, 7),
                 c = moved_start(scenario, size, 8);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.omega, b.omega);
  EXPECT_NE(a.q, c.q);
  for (int i = 0; i < a.size(); ++i) {
    EXPECT_LE(unit_length_error(a.q.col(i)), 2.3e-16);
    EXPECT_LE(std::abs(a.q.col(i).dot(a.omega.col(i))), 1e-14);
    EXPECT_GT((a.q - scenario.q).col(i).norm(), 0);
    EXPECT_LE((a.q - scenario.q).col(i).norm(), 2 * size);
  }
}

TEST(CentralBand, LeavesOutOneInFortyAtEitherEnd) {
  std::vector<double> values;
  for (int i = 80; i > 0; --i) values.push_back(i);
  EXPECT_EQ(central_band(values).low, 3);
  EXPECT_EQ(central_band(values).high, 78);
  EXPECT_EQ(central_band({5, 4}).low, 4);
  EXPECT_EQ(central_band({5, 4}).high, 5);
}

}  // namespace
}  // namespace twosphere::reproduction_test
