// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/view_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::view_frame_test {
namespace {

using std::numbers::pi;

std::optional<FrameChoice> of_text(std::string_view frame) {
  json::Node view = json::Node::object();
  view.set("frame", value_of(json::parse(frame, "frame")));
  return value_of(frame_of_view(view));
}

Error refused(std::string_view frame) {
  json::Node view = json::Node::object();
  view.set("frame", value_of(json::parse(frame, "frame")));
  Error error = error_of(frame_of_view(view, "turned.json"));
  EXPECT_TRUE(error.location.starts_with("turned.json:1: ")) << error.location;
  error.location.erase(0, std::string_view("turned.json:1: ").size());
  return error;
}

TurningFrame frame_of(const FrameChoice& choice, const Scenario& scenario) {
  const Simulation run = start(scenario);
  return value_of(turning_frame(choice, run.record(), *run.system()));
}

Error no_frame(const FrameChoice& choice, const Scenario& scenario) {
  const Simulation run = start(scenario);
  return error_of(turning_frame(choice, run.record(), *run.system()));
}

TEST(ViewFrame, IsWrittenAsItIsRead) {
  EXPECT_FALSE(value_of(frame_of_view(json::Node::object())));
  for (const char* text :
       {R"({"axis": [0, 0, 1], "rate": 1.5})", R"({"axis": "J", "rate": "orbit"})",
        R"({"axis": [0.6, 0, -0.8], "rate": "line:3"})", R"({"rate": "orbit"})"}) {
    const auto choice = of_text(text);
    ASSERT_TRUE(choice) << text;
    EXPECT_EQ(of_text(json::write(to_json(*choice))), choice) << text;
  }
  EXPECT_EQ(of_text(R"({"axis": [0, 2, 0], "rate": -1})"),
            (FrameChoice{.axis = Vec3::UnitY(), .rate = -1}));
  for (const char* axis : {"[0, 1e-200, 0]", "[0, 1e200, 0]"})
    EXPECT_EQ(of_text(std::string(R"({"axis": )") + axis + R"(, "rate": -1})"),
              (FrameChoice{.axis = Vec3::UnitY(), .rate = -1}))
        << axis;
}

TEST(ViewFrame, ThatIsWrongIsRefusedWithItsPlace) {
  for (const auto& [text, place] :
       {std::pair(R"({"axis": [0, 0, 1]})", "view.frame"),
        {R"({"rate": 1})", "view.frame"},
        {R"({"axis": "K", "rate": 1})", "view.frame.axis"},
        {R"({"axis": [0, 0, 0], "rate": 1})", "view.frame.axis"},
        {R"({"axis": [0, 1], "rate": 1})", "view.frame.axis"},
        {R"({"axis": "J", "rate": "fast"})", "view.frame.rate"},
        {R"({"axis": "J", "rate": "line:-1"})", "view.frame.rate"},
        {R"({"axis": "J", "rate": "line:32"})", "view.frame.rate"},
        {R"({"axis": "J", "rate": 1, "speed": 2})", "view.frame.speed"}})
    EXPECT_TRUE(says(refused(text).text(), place)) << text << ": " << refused(text).text();
}

TEST(ViewFrame, IsReadFromTheCommandLine) {
  EXPECT_EQ(value_of(parse_frame("orbit")),
            (FrameChoice{.about = FrameChoice::Axis::orbit, .by = FrameChoice::Rate::orbit}));
  EXPECT_EQ(value_of(parse_frame("e3:1.25")), (FrameChoice{.rate = 1.25}));
  EXPECT_EQ(value_of(parse_frame("J:line:2")),
            (FrameChoice{
                .about = FrameChoice::Axis::momentum, .by = FrameChoice::Rate::line, .line = 2}));
  EXPECT_EQ(value_of(parse_frame("0,-2,0:orbit")),
            (FrameChoice{.axis = -Vec3::UnitY(), .by = FrameChoice::Rate::orbit}));
  for (const char* wrong :
       {"", "e3", "e4:1", "0,0,0:1", "1,2:1", "e3:fast", "e3:", "e3:inf", "e3:line:40", "line:1"})
    EXPECT_TRUE(says(error_of(parse_frame(wrong)).message, "must be")) << wrong;
}

// The trail of a relative orbit closes in its frame, and only there.
TEST(ViewFrame, ARelativeOrbitIsClosedInItsFrame) {
  const Scenario scenario = preset("relative_orbit");
  const auto choice = value_of(frame_of_view(scenario.view));
  ASSERT_TRUE(choice);
  Simulation run = start(scenario);
  const TurningFrame frame = frame_of(*choice, scenario);
  EXPECT_NEAR(frame.rate, 2.150349572743 / 2.143852409226, 1e-12);
  constexpr int periods = 20;
  const int steps = scenario.orbit->steps;
  std::vector<Columns> first, resting;
  double apart = 0, apart_at_rest = 0;
  const State begun = run.state(0);
  for (int k = 0; k <= periods * steps; ++k) {
    const State& now = run.state(0);
    const Columns seen = frame.turn(now.t) * now.q;
    if (k < steps) {
      first.push_back(seen);
      resting.push_back(now.q);
    } else {
      const auto i = static_cast<std::size_t>(k % steps);
      apart = std::max(apart, (seen - first[i]).colwise().norm().maxCoeff());
      if (k < 2 * steps)
        apart_at_rest = std::max(apart_at_rest, (now.q - resting[i]).colwise().norm().maxCoeff());
    }
    // As trails are drawn: carried to the present, and seen from there.
    const Columns carried = frame.turn(now.t) * frame.carry(begun.t, now.t) * begun.q;
    EXPECT_LT((carried - begun.q).norm(), 1e-12);
    if (k < periods * steps) march(run, 1);
  }
  EXPECT_LT(apart, 1e-10);
  EXPECT_GT(apart_at_rest, 0.5);
}

TEST(ViewFrame, TurnsWithTheOrbitAboutItsAxisInEitherDirection) {
  const Scenario scenario = preset("relative_orbit");
  const FrameChoice with{.about = FrameChoice::Axis::orbit, .by = FrameChoice::Rate::orbit};
  const TurningFrame frame = frame_of(with, scenario);
  EXPECT_EQ(frame.axis, Vec3::UnitZ());
  const TurningFrame other =
      frame_of({.axis = -Vec3::UnitZ(), .by = FrameChoice::Rate::orbit}, scenario);
  EXPECT_EQ(other.rate, -frame.rate);
  EXPECT_LT((other.turn(3) - frame.turn(3)).norm(), 1e-14);
  EXPECT_TRUE(
      says(no_frame({.axis = Vec3::UnitX(), .by = FrameChoice::Rate::orbit}, scenario).text(),
           "another axis"));
  EXPECT_TRUE(says(no_frame(with, preset("slow_family")).text(), "without a rotation"));
  EXPECT_TRUE(says(no_frame(with, preset("three_body")).text(), "no key"));
}

// About the orbit the strongest line of q₁ is that of its frame.
TEST(ViewFrame, TurnsAtTheFrequencyOfALine) {
  const Scenario scenario = preset("relative_orbit");
  const TurningFrame line = frame_of({.by = FrameChoice::Rate::line}, scenario);
  EXPECT_NEAR(line.rate, scenario.orbit->rotation / scenario.orbit->period, 1e-5);
  EXPECT_TRUE(
      says(no_frame({.by = FrameChoice::Rate::line, .line = 31}, scenario).text(), "line 31"));
}

TEST(ViewFrame, TurnsAboutTheMomentumWhereThatKeepsItsDirection) {
  FrameChoice choice{.about = FrameChoice::Axis::momentum, .rate = 1};
  const Scenario scenario = preset("figure_eight");
  Simulation run = start(scenario);
  const TurningFrame frame = frame_of(choice, scenario);
  const Vec3 j = momentum_map(*run.system(), run.state(0));
  EXPECT_NEAR(j.norm(), 0.0935483, 1e-7);
  EXPECT_LT((frame.axis - j.normalized()).norm(), 1e-14);
  EXPECT_TRUE(says(no_frame(choice, preset()).text(), "conserved"));
  Scenario resting = scenario;
  resting.omega.setZero();
  EXPECT_TRUE(says(no_frame(choice, resting).text(), "0 at the start"));
}

TEST(ViewFrame, SaysHowItTurns) {
  EXPECT_EQ(describe({Vec3::UnitZ(), 2 * pi}),
            "The view turns about e₃ at 6.283 rad/s, once in 1 s.");
  EXPECT_EQ(describe({-Vec3::UnitX(), -pi}),
            "The view turns about −e₁ at −3.142 rad/s, once in 2 s.");
  EXPECT_EQ(describe({Vec3::UnitZ(), 0}), "The view does not turn about e₃.");
}

TEST(ViewFrame, KnowsAStartThatTurnsLikeARigidBody) {
  Columns q(3, 2), omega(3, 2);
  q << 0.6, 0, 0, 0.8, 0.8, 0.6;
  for (Eigen::Index i = 0; i < 2; ++i) {
    const Vec3 direction = q.col(i);
    omega.col(i) = direction.cross(1.5 * Vec3::UnitZ().cross(direction));
  }
  EXPECT_NEAR(value_of(rigid_rate(q, omega, Vec3::UnitZ())), 1.5, 1e-15);
  EXPECT_FALSE(rigid_rate(q, omega, Vec3::UnitX()));
  omega.col(1) *= 1.001;
  EXPECT_FALSE(rigid_rate(q, omega, Vec3::UnitZ()));
  EXPECT_FALSE(rigid_rate(q, Columns::Zero(3, 2), Vec3::UnitZ()));
}

}  // namespace
}  // namespace twosphere::test::view_frame_test
