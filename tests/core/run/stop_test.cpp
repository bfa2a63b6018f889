// SPDX-License-Identifier: GPL-3.0-or-later
// Where and when a run stops: at every step, however rarely samples are taken; at the crossing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/run/row_block.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::stop_test {
namespace {

/// Runs to the end of the plan, or until it stops, as fast as it goes.
void finish(Simulation& run) {
  while (!run.finished() && !run.stopped()) {
    const auto failure = run.advance_to(run.planned_steps());
    ASSERT_FALSE(failure) << failure->message;
  }
}

constexpr const char* sideways = R"json([{"expression": "abs(q[0].e1)", "below": 0.01}])json";
constexpr const char* crossing =
    R"json([{"expression": "abs(q[0].e1)", "below": 0.01, "at": "crossing"}])json";

TEST(Stop, IsAtTheSameStepForAnyPlanAndAnySampling) {
  for (const char* condition :
       {sideways, R"([{"quantity": "kinetic_energy", "below": 100}])",
        R"([{"quantity": "energy_error", "above": 0.01}])", R"([{"time": 0.475}])"}) {
    std::int64_t first = 0;
    for (const double duration : {20.0, 2000.0, 200'000.0}) {
      Simulation run = start(stopping(condition, with(preset(), {{"duration", duration}})));
      finish(run);
      ASSERT_TRUE(run.stopped()) << condition;
      EXPECT_LT(run.time(), 10) << condition;
      if (first == 0) first = run.steps();
      EXPECT_EQ(run.steps(), first) << condition << " for " << duration;
      // Step by step it is the same.
      Simulation walked = start(run.rewound());
      while (!walked.stopped() && walked.steps() < first) march(walked, 1);
      EXPECT_EQ(walked.stopped(), run.stopped());
      EXPECT_EQ(bytes(walked), bytes(run));
    }
  }
  for (const double duration : {20.0, 2000.0, 200'000.0}) {
    Simulation run =
        start(stopping(sideways, with(preset("custom/pendulum"), {{"duration", duration}})));
    finish(run);
    EXPECT_DOUBLE_EQ(run.time(), 0.47);
  }
}

TEST(Stop, StepsBetweenRowsAreMeasuredTogether) {
  Scenario scenario = stopping(R"([{"quantity": "kinetic_energy", "below": -1}])");
  scenario.duration = 20;
  scenario.every = 1000;
  Simulation run = start(scenario), walked = start(scenario);
  ASSERT_FALSE(run.advance_to(run.planned_steps()));
  EXPECT_EQ(run.steps(), static_cast<std::int64_t>(RowBlock::capacity));
  EXPECT_TRUE(run.rows().empty()) << "they are no rows";
  march(walked, run.steps());
  EXPECT_EQ(run.sample(0).values, walked.sample(0).values);
  EXPECT_EQ(bytes(run), bytes(walked));
  // Up to the step before a row, which is checked by itself.
  while (run.steps() < 999) ASSERT_FALSE(run.advance_to(run.planned_steps()));
  EXPECT_EQ(run.steps(), 999);
  ASSERT_FALSE(run.advance_to(run.planned_steps()));
  EXPECT_EQ(run.steps(), 1000);
  // So is the planned end.
  scenario.duration = 0.5;
  Simulation brief = start(scenario);
  std::int64_t before = 0;
  while (!brief.finished()) {
    before = brief.steps();
    ASSERT_FALSE(brief.advance_to(brief.planned_steps()));
  }
  EXPECT_EQ(before, brief.planned_steps() - 1);
}

// Of the map of docs/maps.md.
TEST(Stop, TheTimeToTheFirstFlipIsTheSameForAnyPlan) {
  const char* upright = R"([{"expression": "q[0].e3", "below": -0.999},
                            {"expression": "q[1].e3", "below": -0.999}])";
  const auto angles = [](double first, double second) {
    return *json::parse_value(fmt::format("[[\"{} deg\", 0], [\"{} deg\", 0]]", first, second));
  };
  const auto rest = *json::parse_value("[[0, 0], [0, 0]]");
  const std::pair<double, double> starts[] = {{150.0, 150.0},  {-120.0, 170.0}, {100.0, -160.0},
                                              {-170.0, -60.0}, {130.0, 20.0},   {-160.0, 90.0},
                                              {140.0, -120.0}, {-110.0, -140.0}};
  for (const auto& [first, second] : starts) {
    double flip = 0;
    for (const double duration : {200.0, 2000.0, 20'000.0}) {
      const Scenario scenario = with(preset(), {{"initial.rates", rest},
                                                {"initial.angles", angles(first, second)},
                                                {"integrator.step", 0.02},
                                                {"duration", duration}});
      Simulation run = start(stopping(upright, scenario));
      finish(run);
      ASSERT_TRUE(run.stopped()) << first << ", " << second;
      EXPECT_LT(run.time(), 200);
      if (flip == 0) flip = run.time();
      EXPECT_EQ(run.time(), flip) << first << ", " << second << " for " << duration;
    }
  }
}

TEST(Stop, IsAtTheStartWhereAConditionHoldsThere) {
  for (const char* list : {R"([{"expression": "q[0].e3", "above": -2}])", R"([{"time": 0}])",
                           R"([{"quantity": "kinetic_energy", "above": -1}])"}) {
    Simulation run = start(stopping(list));
    EXPECT_TRUE(run.stopped()) << list;
    EXPECT_EQ(run.stop_time(), 0) << list;
    finish(run);
    EXPECT_EQ(run.steps(), 0) << list;
    // Asked again it continues, and the record says so.
    march(run, 3);
    EXPECT_FALSE(run.stopped()) << list;
    ASSERT_EQ(run.record().events.size(), 1U) << list;
    EXPECT_TRUE(run.record().events[0].resume) << list;
    Simulation again = repeated(run, 3);
    EXPECT_EQ(bytes(again), bytes(run)) << list;
    // A saved state waits until the condition was false once.
    EXPECT_FALSE(loaded(run).stopped()) << list;
  }
}

TEST(Stop, ASavedStateStopsWhenItIsBeyondTheBoundAgain) {
  Simulation run = start(stopping(sideways));
  finish(run);
  Simulation rest = loaded(run);
  EXPECT_FALSE(rest.stopped());
  finish(rest);
  ASSERT_TRUE(rest.stopped());
  EXPECT_GT(rest.steps(), 1);
  march(run, 1);
  while (!run.stopped()) march(run, 1);
  EXPECT_EQ(rest.time(), run.time());
}

/// The first point in which the first lane crosses g = 0 from above.
SectionPoint first_point(Scenario scenario, const std::string& expression) {
  scenario.stop.clear();
  Simulation run = start(scenario);
  EXPECT_TRUE(run.follow_section(
      {.expression = expression, .direction = PoincareSection::Direction::falling}));
  for (;;) {
    EXPECT_FALSE(run.step());
    if (auto points = run.take_section_points(0); !points.empty()) return points.front();
    if (run.finished()) {
      ADD_FAILURE() << "no point";
      return {};
    }
  }
}

TEST(Stop, AtTheCrossingIsWhereTheSectionIs) {
  const Simulation any = start(preset());
  int methods = 0;
  for (const IntegratorInfo& method : integrators()) {
    if (!method.supports(*any.system())) continue;
    ++methods;
    for (const double duration : {20.0, 200'000.0}) {
      const Scenario scenario =
          with(preset(), {{"integrator.type", method.key}, {"duration", duration}});
      Simulation run = start(stopping(crossing, scenario));
      finish(run);
      ASSERT_TRUE(run.stopped()) << method.key;
      const SectionPoint point = first_point(scenario, "abs(q[0].e1) - 0.01");
      EXPECT_NEAR(run.stop_time(), point.state.t, 1e-14) << method.key;
      EXPECT_LT(run.stop_time(), run.time()) << method.key;
      EXPECT_GT(run.stop_time(), run.time() - run.grid_step()) << method.key;
      EXPECT_NE(run.stopped()->find(fmt::format(" from t = {:.15g} s", run.stop_time())),
                std::string::npos)
          << *run.stopped();
    }
  }
  EXPECT_GE(methods, 9);
}

TEST(Stop, AtTheCrossingLooksIntoTheStepsOfALane) {
  // The second lane takes five steps for one of the first.
  const auto lanes = value_of(json::parse(
      R"([{"type": "variational", "step": 0.05}, {"type": "rk4", "step": 0.01}])", "lanes"));
  Scenario scenario = with(preset(), {{"lanes", lanes}, {"duration", 2000.0}});
  scenario.every = 100;
  Simulation run = start(stopping(crossing, scenario));
  finish(run);
  ASSERT_TRUE(run.stopped());
  Simulation alone = start(stopping(crossing, with(preset(), {{"integrator.type", "rk4"}})));
  finish(alone);
  Simulation first = start(stopping(crossing, with(preset(), {{"integrator.step", 0.05}})));
  finish(first);
  EXPECT_NEAR(run.stop_time(), std::min(alone.stop_time(), first.stop_time()), 1e-14);
}

TEST(Stop, OfAQuantityAtTheCrossingConvergesAsTheMethodDoes) {
  const auto time = [](const char* method, double step) {
    Simulation run =
        start(stopping(R"([{"quantity": "kinetic_energy", "below": 100, "at": "crossing"}])",
                       with(preset(), {{"integrator.type", method}, {"integrator.step", step}})));
    finish(run);
    EXPECT_TRUE(run.stopped());
    return run.stop_time();
  };
  const double exact = time("gauss16", 0.01);
  EXPECT_NEAR(time("rk4", 0.01) - exact, 0, 1e-6);
  const double coarse = time("variational", 0.02) - exact, fine = time("variational", 0.01) - exact;
  EXPECT_NEAR(coarse / fine, 4, 0.5);
}

TEST(Stop, BackwardsTheFirstCrossingIsTheLatest) {
  Simulation run = start(with(preset(), {{"duration", 30.0}}), 300);
  run.reverse();
  ASSERT_TRUE(run.set({{"stop", *json::parse(crossing, "stop")}}));
  while (!run.stopped() && run.steps() < 600) march(run, 1);
  ASSERT_TRUE(run.stopped());
  EXPECT_GT(run.stop_time(), run.time());
  EXPECT_LT(run.stop_time(), run.time() + run.grid_step());
}

TEST(Stop, RunsThatGoTogetherStopAsAlone) {
  Scenario scenario = stopping(crossing, with(preset(), {{"duration", 2000.0}}));
  std::vector<Simulation> runs;
  do {
    scenario.omega(1, 1) += 0.1;
    runs.push_back(start(scenario));
  } while (runs.size() < runs[0].width());
  std::vector<Simulation> alone;
  for (Simulation& run : runs) alone.push_back(start(run.rewound()));
  std::vector<Simulation*> all;
  for (Simulation& run : runs) all.push_back(&run);
  while (!all.empty()) {
    Simulation::advance_together(all);
    for (Simulation* run : all)
      if (!run->stopped()) (void)run->advance_to(run->steps() + 1);
    std::erase_if(all, [](const Simulation* run) { return run->stopped() || run->finished(); });
  }
  for (std::size_t k = 0; k < runs.size(); ++k) {
    finish(alone[k]);
    EXPECT_EQ(runs[k].stopped(), alone[k].stopped()) << k;
    EXPECT_EQ(runs[k].stop_time(), alone[k].stop_time()) << k;
    EXPECT_EQ(bytes(runs[k]), bytes(alone[k])) << k;
  }
}

TEST(Stop, AtIsReadAndWritten) {
  const Scenario scenario = stopping(crossing);
  ASSERT_TRUE(scenario.stop[0].at_crossing);
  EXPECT_TRUE(same(*read_scenario(write_scenario(scenario), "again"), scenario));
  EXPECT_FALSE(stopping(R"([{"expression": "t", "above": 1, "at": "step"}])").stop[0].at_crossing);
  const auto error = [](const std::string& list) {
    auto made = with_settings(preset(), {{"stop", *json::parse(list, "stop")}});
    return made ? std::string("accepted") : made.error().text();
  };
  EXPECT_TRUE(says(error(R"([{"expression": "t", "above": 1, "at": "row"}])"),
                   "stop[0].at: must be \"step\" or \"crossing\", not \"row\""));
  EXPECT_TRUE(says(error(R"([{"time": 1, "at": "crossing"}])"),
                   "stop[0].at: cannot be combined with time"));
}

// A run whose vectors are too few for a later condition ends there, unless more were asked for.
TEST(Stop, EventsThatNeedMoreVectorsAreWarnedOf) {
  const auto warnings = [](const std::string& first, const std::string& later) {
    std::string text = write_scenario(preset());
    text.insert(text.rfind('}'),
                fmt::format(R"(, "stop": [{}], "events": [{{"step": 5, "set": {{"stop": [{}]}}}}])",
                            first, later));
    std::vector<std::string> said;
    const Scenario scenario = value_of(read_scenario(text, "x", &said));
    Simulation run = start(scenario);
    std::optional<StepFailure> failed;
    while (!failed && run.steps() < 8) failed = run.advance_to(8);
    EXPECT_EQ(failed.has_value(), !said.empty()) << later;
    return said.empty() ? std::string() : said[0];
  };
  const std::string one = R"({"quantity": "lyapunov", "above": 1e9})",
                    four = R"({"quantity": "lyapunov[3]", "above": 1e9})";
  EXPECT_TRUE(says(warnings(one, four),
                   "events[0].set: stop needs 4 tangent vectors, but 1 follow the run"));
  EXPECT_EQ(warnings(four, one), "");
  EXPECT_EQ(warnings("", four), "");
}

}  // namespace
}  // namespace twosphere::test::stop_test
