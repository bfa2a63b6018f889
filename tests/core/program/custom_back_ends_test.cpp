// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code gives what the tape gives, bit for bit: definitions with every function and form of
// sum, the texts of the built-in systems, the rows of tests/cases.h and the presets, at every
// instruction set level.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>
#include <thread>

#include "core/base/simd_level.h"
#include "core/program/compilation.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "tests/cases.h"
#include "tests/core/custom/definitions.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::custom_back_ends_test {
namespace {

class CustomBackEnds : public testing::Test {
 protected:
  void SetUp() override {
    if (!custom::code_is_possible()) GTEST_SKIP() << custom::describe_back_end();
  }
  void TearDown() override {
    EXPECT_TRUE(force_isa_level(""));
    EXPECT_TRUE(custom::force_back_end(""));
  }

  /// Makes a system twice and compares the two at q.
  template <class Make>
  void compare(const Make& make, const Columns& q) {
    const auto tape = by_back_end("tape", make), code = by_back_end("llvm", make);
    ASSERT_TRUE(tape && code);
    EXPECT_EQ(tape->back_end(), "tape");
    EXPECT_EQ(code->back_end(), "llvm");
    expect_equal(*tape, *code, q, tangents(q, 4));
  }
};

TEST_F(CustomBackEnds, AgreeForEveryFunctionAndFormOfSum) {
  // One tuple, eights of them with and without some left over, and batches.
  for (const int n : {3, 7, 17, 40})
    for (const std::string& potential : potentials()) {
      SCOPED_TRACE(potential + " for " + std::to_string(n));
      compare([&] { return make(with_potential(potential, n)); }, directions(n, 3));
    }
}

TEST_F(CustomBackEnds, SumOverPairsAsALoopDoes) {
  // Numbers of bodies that fill eights, and that leave some over.
  for (const int n : {9, 16, 21})
    for (const std::string pairs : {"i < j", "j < i", "i > j", "i != j", "i, j"}) {
      SCOPED_TRACE(pairs + " of " + std::to_string(n));
      const std::string text = "sum(" + pairs + ": m[i]/norm(q[i] - 2*q[j])^3)";
      const Columns q = directions(n, 3);
      Columns expected = Columns::Zero(3, n), magnitude = expected;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const bool counts = pairs == "i, j" || (pairs == "i != j" && i != j) ||
                              (pairs == "i < j" && i < j) || (pairs.find("j <") == 0 && j < i) ||
                              (pairs == "i > j" && i > j);
          if (!counts) continue;
          const Vec3 d = q.col(i) - 2 * q.col(j);
          const Vec3 share = -3 * (0.5 + 0.25 * i) / std::pow(d.norm(), 5) * d;
          expected.col(i) += share;
          expected.col(j) -= 2 * share;
          magnitude.col(i) += share.cwiseAbs();
          magnitude.col(j) += 2 * share.cwiseAbs();
        }
      for (const char* back_end : {"tape", "llvm"}) {
        const auto system = by_back_end(back_end, [&] { return make(with_potential(text, n)); });
        (void)system->back_end();
        Columns g(3, n);
        system->gradient(q, g);
        EXPECT_LE((g - expected).cwiseAbs().maxCoeff(), 1e-14 * magnitude.maxCoeff()) << back_end;
      }
    }
}

TEST_F(CustomBackEnds, ReadThePositionsAndVelocitiesOfManyBodies) {
  for (const int n : {3, 13}) {
    Definition definition = with_potential("0", n);
    definition.force = {"f[i] = norm(v[i])*v[i] + sum(j: m[j]*w[j]×q[i])"};
    const Columns q = directions(n, 3), w = tangents(q, 4);
    Columns expected = Columns::Zero(3, n);
    for (int i = 0; i < n; ++i) {
      const Vec3 v = w.col(i).cross(q.col(i));
      expected.col(i) = v.norm() * v;
      for (int j = 0; j < n; ++j) expected.col(i) += (0.5 + 0.25 * j) * w.col(j).cross(q.col(i));
    }
    Columns by_tape(3, n), by_code(3, n);
    by_back_end("tape", [&] { return make(definition); })->velocity_force(0, q, w, by_tape);
    const auto code = by_back_end("llvm", [&] { return make(definition); });
    EXPECT_EQ(code->back_end(), "llvm");
    code->velocity_force(0, q, w, by_code);
    EXPECT_EQ(by_tape, by_code);
    EXPECT_LE((by_code - expected).cwiseAbs().maxCoeff(), 1e-14 * n * expected.norm());
  }
}

TEST_F(CustomBackEnds, AgreeWhereDerivativesEnd) {
  // Zeros of norms, roots and angles, products with zeros, infinities, choices.
  const Columns same = Vec3::UnitX().replicate(1, 12);
  for (const std::string potential :
       {"sum(i < j: norm(q[i] - q[j]))", "sum(i < j: 1/norm(q[i] - q[j]))",
        "sum(i < j: sqrt(q[i].e2 + q[j].e3))", "sum(i < j: angle(q[i], q[j]))",
        "sum(i < j: angle(q[i], -q[j]))", "sum(i < j: angle(q[i], q[j])^2)", "prod(i: q[i].e2)",
        "sum(i: abs(q[i].e2)^1.5)", "sum(i: log(q[i].e2))",
        "sum(i: if(q[i].e2 > 0, log(q[i].e2), q[i].e1^2))",
        "sum(i: sign(q[i].e2)*q[i].e1 + min(q[i].e1, q[i].e2))", "sum(i: asin(q[i].e1))",
        "sum(i: (q[i].e2)^(q[i].e1))", "sum(i: (q[i].e2)^(1.5*i))", "sum(i: (q[i].e2)^3.5)",
        "sum(i: sqrt(q[i].e2)^3)", "sum(i: atan2(q[i].e2, q[i].e3))", "sum(i: ((q[i].e2)^2)^0.75)",
        "sum(i: acos(q[i].e1)^2 + acos(q[i].e1)^3)"}) {
    SCOPED_TRACE(potential);
    compare([&] { return make(with_potential(potential, 12)); }, same);
  }
}

TEST_F(CustomBackEnds, AgreeForTheTwins) {
  for (const Twin& twin : twins()) {
    SCOPED_TRACE(twin.name);
    compare([&] { return make(twin.definition); }, directions(twin.definition.bodies, 5, 0.3));
  }
}

TEST_F(CustomBackEnds, AgreeForTheRowsOfTheCatalogueWideTests) {
  int rows = 0;
  for (const SystemCase& row : all_system_cases()) {
    if (row.text.empty()) continue;
    SCOPED_TRACE(row.name);
    ++rows;
    compare([&] { return make_system(row); }, directions(row.n, 5, 0.3));
  }
  EXPECT_GE(rows, 7);
}

TEST_F(CustomBackEnds, AgreeForThePresetsAtEveryLevel) {
  for (const std::string_view level : isa_levels()) {
    ASSERT_TRUE(force_isa_level(level));
    for (const Preset& preset : custom_presets()) {
      SCOPED_TRACE(std::string(preset.key) + " at " + std::string(level));
      const Scenario s = *read_scenario(preset.text, preset.key);
      compare([&] { return std::move(*create_system(s)); }, directions(s.size(), 5));
    }
  }
}

TEST_F(CustomBackEnds, TakeTheSameStepsToTheBit) {
  for (const Preset& preset : custom_presets()) {
    SCOPED_TRACE(preset.key);
    const Scenario s = *read_scenario(preset.text, preset.key);
    const int steps = s.size() > 100 ? 2 : 100;
    const auto last = [&] {
      auto run = value_of(Simulation::create(s));
      for (int k = 0; k < steps; ++k) EXPECT_FALSE(run.step());
      return std::pair(run.state(0), std::string(run.system()->back_end()));
    };
    const auto tape = by_back_end("tape", last), code = by_back_end("llvm", last);
    EXPECT_EQ(tape.second, "tape");
    EXPECT_EQ(code.second, "llvm");
    EXPECT_EQ(tape.first.q, code.first.q);
    EXPECT_EQ(tape.first.w, code.first.w);
  }
}

TEST_F(CustomBackEnds, BeginWithTheTapeWhileCodeIsMadeInTheBackground) {
  custom::compile_in_background(true);
  const auto system = make(with_potential("exp(q[0].q[1]) + (q[0].e1)^37", 3));
  const Columns q = directions(3, 5);
  Columns by_tape(3, 3), by_code(3, 3);
  EXPECT_EQ(system->back_end(), "tape") << "at once";
  system->gradient(q, by_tape);
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(60);
  while (system->back_end() != "llvm" && Clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  custom::compile_in_background(false);
  EXPECT_EQ(system->back_end(), "llvm");
  system->gradient(q, by_code);
  EXPECT_EQ(by_tape, by_code);
}

TEST_F(CustomBackEnds, CompileNothingWhereOnlyParametersChange) {
  const Scenario s = test::preset("custom/spring_network");
  const auto with = [&](double g) {
    Values values = s.parameters;
    values["g"] = {g};
    for (double& k : values["k"]) k *= g;
    auto made = std::move(*info_of(s).create(s.size(), values));
    EXPECT_EQ(made->back_end(), "llvm");
    return made;
  };
  const auto first = with(9.5);
  const std::size_t before = custom::compilations();
  for (const double g : {9.25, 3.5, 0.75}) {
    const auto code = with(g);
    const auto tape = by_back_end("tape", [&] {
      Values values = s.parameters;
      values["g"] = {g};
      for (double& k : values["k"]) k *= g;
      return std::move(*info_of(s).create(s.size(), values));
    });
    const Columns q = directions(s.size(), 2);
    expect_equal(*tape, *code, q, tangents(q, 3));
    Columns a(3, q.cols()), b(3, q.cols());
    code->gradient(q, a);
    first->gradient(q, b);
    EXPECT_NE(a, b) << "the parameters act";
  }
  EXPECT_EQ(custom::compilations(), before);
}

TEST_F(CustomBackEnds, LeaveToTheTapeWhatIsTooLarge) {
  std::string potential = "q[0].e1";
  for (int k = 0; k < 1500; ++k)
    potential += " + (q[0].q[1] - " + std::to_string(0.001 * k) + ")^3*q[2].e1";
  const auto system = make(with_potential(potential, 3));
  EXPECT_EQ(system->back_end(), "tape");
  const Columns q = directions(3, 3), v = tangents(q, 4);
  Columns g(3, 3);
  system->gradient(q, g);
  constexpr double h = 1e-6;
  const double slope = (system->potential(q + h * v) - system->potential(q - h * v)) / (2 * h);
  EXPECT_NEAR(g.cwiseProduct(v).sum(), slope, 1e-6 * std::abs(slope));
}

// LLVM takes as long for an angle as for 25 sums.
TEST_F(CustomBackEnds, LeaveToTheTapeWhatLlvmTakesLongFor) {
  const auto back_end_of = [](int terms) {
    std::string potential = "0";
    for (int k = 1; k <= terms; ++k)
      potential += fmt::format(" + angle(q[0], e1 + {}*q[1])", 0.001 * k);
    return std::string(make(with_potential(potential, 3))->back_end());
  };
  EXPECT_EQ(back_end_of(10), "llvm");
  EXPECT_EQ(back_end_of(200), "tape");
}

TEST_F(CustomBackEnds, HaveNothingToDoWithoutAPotential) {
  const auto system = make(with_potential("0", 3));
  EXPECT_EQ(system->back_end(), "llvm");
  const Columns q = directions(3, 3);
  EXPECT_EQ(system->potential(q), 0);
  Columns g(3, 3);
  system->gradient(q, g);
  EXPECT_TRUE(g.isZero(0));
}

TEST(CustomBackEndNames, AreTapeAndLlvm) {
  EXPECT_TRUE(custom::force_back_end("tape"));
  EXPECT_EQ(custom::describe_back_end(), "tape (as asked for by TWOSPHERE_BACK_END)");
  EXPECT_EQ(make(with_potential("(q[0].q[1])^2", 3))->back_end(), "tape");
  EXPECT_TRUE(custom::force_back_end("llvm"));
  const Error wrong = error_of(custom::force_back_end("gcc"));
  EXPECT_EQ(wrong.message, "\"gcc\" is not a back end; allowed: tape, llvm");
  EXPECT_TRUE(custom::force_back_end(""));
  EXPECT_TRUE(
      custom::describe_back_end().starts_with(custom::code_is_possible() ? "llvm (" : "tape ("));
}

}  // namespace
}  // namespace twosphere::test::custom_back_ends_test
