// SPDX-License-Identifier: GPL-3.0-or-later
// The presets of the type custom: the systems of the papers as text move as the built-in ones, and
// the others do what they are there to show.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/mechanics/diagnostics.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"

namespace twosphere::custom_presets_test {
namespace {

using test::value_of;

Scenario read(const std::string& text, std::string_view source) {
  std::vector<std::string> warnings;
  const Scenario scenario = value_of(read_scenario(text, source, &warnings));
  for (const std::string& warning : warnings) ADD_FAILURE() << warning;
  return scenario;
}

Scenario preset(const std::string& key) {
  const Preset* found = find_preset(key);
  if (!found) throw std::logic_error("no preset " + key);
  return read(std::string(found->text), key);
}

TEST(CustomPresets, AreReadWithoutAWarningAndRun) {
  EXPECT_GE(custom_presets().size(), 13U);
  int run_of = 0;
  for (const Preset& p : custom_presets()) {
    SCOPED_TRACE(p.key);
    const Scenario s = preset(std::string(p.key));
    ASSERT_TRUE(s.definition);
    EXPECT_FALSE(s.title.empty() || s.description.empty());
    EXPECT_TRUE(same(s, read(write_scenario(s), p.key)));
    if (s.size() > 100) continue;
    ++run_of;
    auto run = value_of(Simulation::create(s));
    for (int k = 0; k < 20; ++k) ASSERT_FALSE(run.step());
    Geometry figure;
    run.system()->geometry(run.state(0).q, figure);
    EXPECT_EQ(figure.bodies.size(), static_cast<std::size_t>(s.size()));
  }
  EXPECT_GE(run_of, 13);
}

/// A preset as text, and the built-in one that it is.
struct Twin {
  std::string text, built_in;
};
void PrintTo(const Twin& twin, std::ostream* out) { *out << twin.text; }

class CustomTwin : public testing::TestWithParam<Twin> {};
INSTANTIATE_TEST_SUITE_P(
    Presets, CustomTwin,
    testing::Values(Twin{"double_pendulum", "double_spherical_pendulum"},
                    Twin{"three_body", "three_body"}, Twin{"spring_network", "pendulum_network"},
                    Twin{"elastic_rod", "elastic_rod"}, Twin{"dipoles", "dipole_array"},
                    Twin{"molecules", "lennard_jones"}, Twin{"conformal_pair", "conformal_pair"}),
    [](const auto& p) { return p.param.text; });

/// With 42 molecules in place of 642, which would take minutes.
Scenario shortened(const std::string& key) {
  std::string text(find_preset(key)->text);
  const std::string many = "\"subdivisions\": 3";
  if (const auto at = text.find(many); at != text.npos)
    text.replace(at, many.size(), "\"subdivisions\": 1");
  return read(text, key);
}

// Relative to the largest component, after 200 steps of every integrator that suits the inertia.
TEST_P(CustomTwin, MovesAsTheBuiltInSystem) {
  const Scenario built_in = shortened(GetParam().built_in);
  Scenario text = shortened("custom/" + GetParam().text);
  if (GetParam().text == "molecules")
    text.parameters.find("sigma")->second = built_in.parameters.at("sigma");
  ASSERT_EQ(text.q, built_in.q);
  ASSERT_EQ(text.omega, built_in.omega);
  EXPECT_EQ(text.lanes, built_in.lanes);
  const auto inertia = create_system(built_in);
  int methods = 0;
  for (const IntegratorInfo& method : integrators()) {
    if (!method.supports(**inertia)) continue;
    ++methods;
    State ends[2];
    for (const Scenario* s : {&std::as_const(text), &built_in}) {
      const auto with = value_of(with_setting(*s, "integrator.type", method.key));
      auto run = value_of(Simulation::create(with));
      for (int k = 0; k < 200; ++k) ASSERT_FALSE(run.step()) << method.key;
      ends[s == &text ? 0 : 1] = run.state(0);
    }
    const double off_q = (ends[0].q - ends[1].q).cwiseAbs().maxCoeff(),
                 off_w = (ends[0].w - ends[1].w).cwiseAbs().maxCoeff() /
                         ends[1].w.cwiseAbs().maxCoeff();
    // Steps that follow encounters are others than those that follow forces: a text does not tell
    // of encounters. Both are as accurate as these methods are.
    const bool other_steps = info_of(built_in).encounters && method.adaptive && method.reversible;
    const double bound = other_steps ? 1e-6 : 1e-12;
    EXPECT_LT(off_q, bound) << method.key;
    EXPECT_LT(off_w, bound) << method.key;
  }
  EXPECT_GE(methods, 7);
}

State end_of(const Scenario& scenario, double* energy = nullptr) {
  auto run = value_of(Simulation::create(scenario));
  const std::int64_t planned = run.planned_steps();
  while (run.steps() < planned)
    if (const auto failure = run.advance_to(planned)) {
      ADD_FAILURE() << failure->message;
      break;
    }
  if (energy) *energy = total_energy(*run.system(), run.state(0));
  return run.state(0);
}

// The least energies of Thomson's problem are known to many digits.
TEST(CustomPresets, ThomsonsChargesRestOnAnIcosahedron) {
  double energy = 0;
  const State end = end_of(preset("custom/thomson"), &energy);
  EXPECT_NEAR(energy, 49.165253058, 1e-6);
  EXPECT_LT(end.w.cwiseAbs().maxCoeff(), 1e-3);
}

// D. J. Wales and S. Ulker, Phys. Rev. B 74, 212101 (2006), and older tables.
TEST(CustomPresets, ThomsonsChargesFindTheLeastEnergyOfEveryNumber) {
  const std::vector<double> least{0.5,          1.732050808,  3.674234614,  6.474691495,
                                  9.985281374,  14.452977414, 19.675287861, 25.759986531,
                                  32.716949460, 40.596450510, 49.165253058};
  for (int n = 2; n <= 12; ++n) {
    SCOPED_TRACE(n);
    // A spiral from pole to pole.
    Columns q(3, n);
    for (int i = 0; i < n; ++i) {
      const double z = 1 - (2 * i + 1.0) / n, turn = 2.4 * i;
      q.col(i) << std::sqrt(1 - z * z) * std::cos(turn), std::sqrt(1 - z * z) * std::sin(turn), z;
    }
    const auto charges =
        value_of(with_settings(preset("custom/thomson"), {{"system.bodies", json::Node::whole(n)},
                                                          {"system.c", 0.3},
                                                          {"duration", 300.0},
                                                          {"initial", start_document(q, 0 * q)}}));
    double energy = 0;
    (void)end_of(charges, &energy);
    EXPECT_NEAR(energy, least[static_cast<std::size_t>(n - 2)], 1e-8);
  }
}

TEST(CustomPresets, TheOrbitsOfKeplersProblemClose) {
  // The point farthest from the pole stays where it is.
  auto run = value_of(Simulation::create(preset("custom/kepler")));
  std::vector<Vec3> apses;
  Vec3 before = run.state(0).q.col(0), last = before;
  for (int k = 0; k < 10'000 && apses.size() < 4; ++k) {
    ASSERT_FALSE(run.step());
    const Vec3 now = run.state(0).q.col(0);
    if (last.z() < before.z() && last.z() <= now.z()) apses.push_back(last);
    before = last;
    last = now;
  }
  ASSERT_EQ(apses.size(), 4U);
  EXPECT_LT((apses[3] - apses[0]).norm(), 0.01);
}

TEST(CustomPresets, TheShakenPendulumStandsUpsideDown) {
  const Scenario shaken = preset("custom/shaken_pivot");
  EXPECT_LT(end_of(shaken).q(2, 0), -0.7);
  // At rest it falls; after a second it hangs.
  const auto still = value_of(with_settings(shaken, {{"system.a", 0.0}, {"duration", 1.0}}));
  EXPECT_GT(end_of(still).q(2, 0), 0);
}

TEST(CustomPresets, TheBallsOfTheBendingChainDoNotPassThroughOneAnother) {
  const Scenario chain = preset("custom/bending_chain");
  // The least distance of two balls that are not neighbours, and the largest errors of E and J_z.
  struct Found {
    double least = 1, energy = 0, momentum = 0;
  };
  const auto found = [&](const Scenario& scenario) {
    Found out;
    auto run = value_of(Simulation::create(scenario));
    Geometry figure;
    while (run.steps() < run.planned_steps()) {
      if (const auto failure = run.step()) {
        ADD_FAILURE() << failure->message;
        break;
      }
      const Sample sample = run.sample(0);
      out.energy = std::max(out.energy, std::abs(sample[Quantity::energy_error]));
      out.momentum = std::max(out.momentum, std::abs(sample[Quantity::angular_momentum_z]));
      run.system()->geometry(run.state(0).q, figure);
      for (std::size_t i = 0; i < figure.bodies.size(); ++i)
        for (std::size_t j = i + 2; j < figure.bodies.size(); ++j)
          out.least =
              std::min(out.least, (figure.bodies[j].position - figure.bodies[i].position).norm());
    }
    return out;
  };
  const double touch = chain.parameters.at("d")[0];
  const Found with = found(chain);
  EXPECT_LT(with.least, touch) << "they do touch";
  EXPECT_GT(with.least, touch / 2);
  EXPECT_LT(with.energy, 0.05);
  EXPECT_LT(with.momentum, 1e-12) << "neither bending nor contact turns the chain about e3";
  EXPECT_LT(found(value_of(with_setting(chain, "system.contact", 0.0))).least, touch / 2);
}

TEST(CustomPresets, TheSpringsOfTheNetworkHaveTheTensionOfTheBuiltInOnes) {
  const Scenario text = preset("custom/spring_network"), built_in = preset("pendulum_network");
  Geometry figures[2];
  for (const Scenario* s : {&text, &built_in}) {
    const auto system = value_of(create_system(*s));
    system->geometry(s->q, figures[s == &text ? 0 : 1]);
  }
  ASSERT_EQ(figures[0].springs.size(), figures[1].springs.size());
  double largest = 0;
  for (std::size_t k = 0; k < figures[0].springs.size(); ++k) {
    const Geometry::Spring &a = figures[0].springs[k], &b = figures[1].springs[k];
    EXPECT_NEAR(a.tension, b.tension, 1e-14);
    EXPECT_NEAR(a.relaxed, b.relaxed, 1e-16);
    largest = std::max(largest, std::abs(a.tension));
  }
  EXPECT_GT(largest, 0.01);
}

TEST(CustomPresets, TheMagnetsUnderThePendulumAreDrawnWhereTheyAre) {
  const Scenario s = preset("custom/magnetic_pendulum");
  const auto system = value_of(create_system(s));
  Geometry figure;
  system->geometry(s.q, figure);
  ASSERT_EQ(figure.fixed.size(), 3U);
  EXPECT_EQ(figure.fixed[1].position.x(), s.parameters.at("p2")[0]);
}

TEST(CustomPresets, TheMagneticPendulumComesToRestAtAMagnet) {
  const Scenario s = preset("custom/magnetic_pendulum");
  const State end = end_of(s);
  const Vec3 q = end.q.col(0);
  std::vector<double> angles;
  for (const char* name : {"p1", "p2", "p3"}) {
    const std::vector<double>& p = s.parameters.at(name);
    angles.push_back(angle(q, Vec3(p[0], p[1], p[2]).normalized()));
  }
  std::sort(angles.begin(), angles.end());
  EXPECT_LT(angles[0], 0.06) << "0.048: gravity draws the ball a little below its magnet";
  EXPECT_GT(angles[1], 0.4) << "0.419";
  EXPECT_LT(end.w.norm(), 0.05) << "0.028 rad/s";
}

}  // namespace
}  // namespace twosphere::custom_presets_test
