// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/page_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/record/signal.h"
#include "tests/outcome.h"
#include "tests/page_stream.h"
#include "tests/runs.h"

namespace twosphere::page_rows_test {
namespace {

using test::lasting, test::preset, test::start, test::value_of;

/// The rows of a run up to its end.
PageRows rows_of(Simulation& run, std::size_t max_bytes = std::size_t{1} << 28) {
  PageRows rows(recorded_lanes(run.record()).size(), max_bytes);
  rows.add(run);
  while (!run.finished()) {
    const auto failure = run.step();
    EXPECT_FALSE(failure) << failure->message;
    if (failure) break;
    if (run.at_sample()) rows.add(run);
  }
  return rows;
}

/// The largest distance of a point at a frame from that of the geometry [radius].
double worst_at_frames(const PageRows& run, const RunPoints& points, const PointStream& stream) {
  const auto numbers = test::unpacked(stream.text, stream.rows.size(), stream.order);
  const std::size_t frames = stream.rows.size();
  double worst = 0;
  Geometry geometry;
  std::vector<Vec3> exact;
  for (std::size_t f = 0; f < frames; ++f)
    for (std::size_t lane = 0; lane < points.of_lane.size(); ++lane) {
      const PageRow& row = run.states()[std::max(stream.rows[f], points.begins[lane])];
      row.system->geometry(row.lanes[lane], geometry);
      geometry_points(geometry, exact);
      EXPECT_EQ(points.of_lane[lane].size(), exact.size());
      for (std::size_t i = 0; i < exact.size(); ++i) {
        Vec3 found;
        for (std::size_t a = 0; a < 3; ++a) {
          const double u = numbers[(3 * points.of_lane[lane][i] + a) * frames + f];
          const auto axis = static_cast<Eigen::Index>(a);
          found(axis) = points.rows.center(axis) + stream.half * (2 * u / 65535 - 1);
        }
        worst = std::max(worst, (found - exact[i]).norm() / points.rows.radius);
      }
    }
  return worst;
}

TEST(PageRows, PointsOfPartsAreThoseOfTheGeometry) {
  for (const char* key : {"double_spherical_pendulum", "pendulum_network", "elastic_rod",
                          "dipole_array", "drone_with_load"}) {
    Simulation run = start(preset(key));
    Geometry g;
    std::vector<Vec3> points;
    run.system()->geometry(run.state(0), g);
    geometry_points(g, points);
    const auto expect_ends = [&](const auto& parts, const auto& point) {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_EQ(points.at(point(g, i)), parts[i].from) << key;
        EXPECT_EQ(points.at(point(g, i) + 1), parts[i].to) << key;
      }
    };
    expect_ends(g.links, link_point);
    expect_ends(g.springs, spring_point);
    expect_ends(g.arrows, arrow_point);
    expect_ends(g.frame, frame_point);
    for (std::size_t i = 0; i < g.bodies.size(); ++i)
      EXPECT_EQ(points.at(body_point(g, i)),
                g.arrows.empty() ? g.bodies[i].position : g.arrows[i].to)
          << key;
  }
}

TEST(PageRows, HoldThePointsOfEverySystem) {
  for (const char* key : {"double_spherical_pendulum", "three_body", "pendulum_network",
                          "elastic_rod", "dipole_array", "chain_pendulum"}) {
    const Scenario scenario = preset(key);
    Simulation run = start(lasting(40 * scenario.lanes.front().step, scenario));
    const PageRows rows = rows_of(run);
    EXPECT_EQ(rows.states().size(), 41u) << key;
    const RunPoints points = run_points(rows);
    const PointStream stream = value_of(pack_points(points.rows));
    EXPECT_LE(stream.error, 1e-4) << key;
    EXPECT_LE(worst_at_frames(rows, points, stream), 2.7e-5) << key;
  }
}

TEST(PageRows, PointsThatAlwaysCoincideAreOne) {
  Simulation run = start(lasting(0.1));
  const RunPoints points = run_points(rows_of(run));
  // The pivot and both bobs; the ends of the links are among them.
  EXPECT_EQ(points.rows.points, 3u);
  ASSERT_EQ(points.of_lane.size(), 1u);
  EXPECT_EQ(points.of_lane[0], (std::vector<std::size_t>{0, 1, 2, 0, 0, 1}));
}

TEST(PageRows, SixteenLanesOfWhichSomeCoincide) {
  Scenario scenario = lasting(0.2);
  const LaneSpec lane = scenario.lanes.front();
  for (int i = 1; i < 16; ++i) {
    scenario.lanes.push_back(lane);
    if (i % 2 == 0) continue;
    scenario.lanes.back().type = "rk4";
    scenario.lanes.back().values = {};
  }
  const std::vector<std::string> names = default_names(scenario.lanes);
  for (std::size_t i = 0; i < names.size(); ++i) scenario.lanes[i].name = names[i];
  Simulation run = start(scenario);
  const PageRows rows = rows_of(run);
  const RunPoints points = run_points(rows);
  EXPECT_EQ(points.of_lane.size(), 16u);
  EXPECT_EQ(points.rows.points, 5u) << "a pivot, and two bobs of each method";
  EXPECT_LE(worst_at_frames(rows, points, value_of(pack_points(points.rows))), 2.7e-5);
}

TEST(PageRows, BeginASegmentAtAnEditAndAtAReversal) {
  Scenario scenario = lasting(0.4);
  const json::Node rest = json::Node::numbers(std::array{0.0, 0.0, 0.0});
  scenario.events = {{.step = 10, .set = {{"system.gravity", 1.62}}},
                     {.step = 20, .set = {{"state.omega[1]", rest}}},
                     {.step = 30, .reverse = true}};
  Simulation run = start(scenario);
  const PageRows rows = rows_of(run);
  EXPECT_EQ(run_points(rows).rows.starts, (std::vector<std::size_t>{0, 21, 31}))
      << "gravity bends no path abruptly";
  for (std::size_t i = 1; i < rows.states().size(); ++i)
    EXPECT_GT(rows.states()[i].elapsed, rows.states()[i - 1].elapsed) << "also on the way back";
}

TEST(PageRows, BeginASegmentWhereALinkBecomesLonger) {
  Scenario scenario = lasting(0.2);
  scenario.events = {{.step = 7, .set = {{"system.lengths[0]", 5.0}}}};
  Simulation run = start(scenario);
  EXPECT_EQ(run_points(rows_of(run)).rows.starts, (std::vector<std::size_t>{0, 8}));
}

TEST(PageRows, ALaneThatBeginsLaterRestsUntilThen) {
  Simulation run = start(lasting(0.3), 0);
  PageRows rows(2);
  rows.add(run);
  test::march(run, 10);
  rows.add(run);
  ASSERT_TRUE(
      run.add_lane(value_of(json::parse(R"({"type": "rk4", "step": 0.01, "from": 0})", ""))));
  test::march(run, 10);
  rows.add(run);
  const RunPoints points = run_points(rows);
  EXPECT_EQ(points.begins, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(points.of_lane.size(), 2u);
}

TEST(PageRows, AreThinnedWhereTheyWouldTakeTooMuchMemory) {
  Simulation run = start(lasting(10.03));
  const PageRows rows = rows_of(run, 20'000);
  const auto& states = rows.states();
  EXPECT_LE(states.size() * 2 * 6 * sizeof(double), 20'000u);
  EXPECT_GT(states.size(), 50u);
  EXPECT_EQ(states.front().step, 0);
  EXPECT_EQ(states.back().step, 1003) << "the last row stays";
  const std::int64_t spacing = states[1].step;
  for (std::size_t i = 0; i + 1 < states.size(); ++i)
    EXPECT_EQ(states[i].step, static_cast<std::int64_t>(i) * spacing);
}

/// The values of one kind of a curve of the first lane: 0: first; 1: least; 2: largest.
std::vector<double> values_of(const PageCurves& curves, Quantity quantity, std::size_t kind) {
  const auto at = std::find(curves.quantities.begin(), curves.quantities.end(), quantity);
  EXPECT_NE(at, curves.quantities.end());
  const auto curve = static_cast<std::size_t>(at - curves.quantities.begin());
  const std::size_t n = curves.times.size();
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k)
    values.push_back(curves.origins[curve] +
                     static_cast<double>(curves.values[(3 * curve + kind) * n + k]));
  return values;
}

TEST(PageRows, CurvesHaveTheValueAtTheFirstRowOfEveryIntervalAndAtTheLastRow) {
  Simulation run = start(lasting(40.01)), again = start(lasting(40.01));
  const PageCurves curves = rows_of(run).curves();
  const std::vector<double> errors = values_of(curves, Quantity::energy_error, 0),
                            energies = values_of(curves, Quantity::total_energy, 0);
  EXPECT_EQ(errors.front(), 0);
  EXPECT_EQ(curves.times.back(), run.elapsed());
  for (std::size_t k = 0;; test::march(again, 1)) {
    if (again.elapsed() == curves.times.at(k)) {
      const Sample& sample = again.sample(0);
      EXPECT_EQ(errors[k], static_cast<float>(sample[Quantity::energy_error])) << k;
      // To rounding of the double numbers: the energy changes by less than 1e-3 of itself.
      EXPECT_NEAR(energies[k], sample[Quantity::total_energy],
                  1e-9 * std::abs(sample[Quantity::total_energy]))
          << k;
      ++k;
    }
    if (k == curves.times.size()) break;
    ASSERT_FALSE(again.finished());
  }
}

TEST(PageRows, CurvesHaveNoStepsWhereAValueChangesLittle) {
  Scenario scenario = lasting(2);
  scenario.lanes.front().type = "rk45";
  scenario.lanes.front().values = {};
  Simulation run = start(scenario), again = start(scenario);
  const PageCurves curves = rows_of(run).curves();
  const std::vector<double> energies = values_of(curves, Quantity::total_energy, 0);
  double low = 0, high = 0, worst = 0;
  for (std::size_t k = 0; k < energies.size(); ++k) {
    ASSERT_EQ(again.elapsed(), curves.times[k]);
    const double exact = again.sample(0)[Quantity::total_energy], change = exact - energies[0];
    low = std::min(low, change);
    high = std::max(high, change);
    worst = std::max(worst, std::abs(energies[k] - exact));
    if (!again.finished()) test::march(again, 1);
  }
  EXPECT_GT(high - low, 0);
  EXPECT_LE(worst, 1e-5 * (high - low) + 4e-16 * std::abs(energies[0]));
}

TEST(PageRows, CurvesHaveTheExtremesOfAllRows) {
  Simulation run = start(lasting(40)), again = start(lasting(40));
  const PageCurves curves = rows_of(run).curves();
  EXPECT_LE(curves.times.size(), 1501u);
  EXPECT_GE(curves.times.size(), 750u);
  ASSERT_EQ(curves.values.size(), 3 * curves.times.size() * curves.quantities.size());
  double low = 0, high = 0;
  for (;;) {
    const double value = again.sample(0)[Quantity::energy_error];
    low = std::min(low, value);
    high = std::max(high, value);
    if (again.finished()) break;
    test::march(again, 1);
  }
  const std::vector<double> least = values_of(curves, Quantity::energy_error, 1),
                            largest = values_of(curves, Quantity::energy_error, 2);
  EXPECT_EQ(*std::min_element(least.begin(), least.end()), static_cast<float>(low));
  EXPECT_EQ(*std::max_element(largest.begin(), largest.end()), static_cast<float>(high));
}

TEST(PageRows, PackedCurvesAreWithinWhatAPlotShows) {
  Simulation run = start(lasting(20));
  PageCurves curves = rows_of(run).curves();
  const std::size_t n = 3 * curves.times.size();
  curves.values[0] = std::numeric_limits<float>::quiet_NaN();  // of a lane that begins later
  const PackedCurves packed = pack_curves(curves);
  const auto levels = test::unpacked(packed.levels, curves.times.size(), packed.order);
  const auto errors = test::unpacked_floats(packed.errors, n);
  std::size_t other = 0, error = 0;
  for (std::size_t curve = 0; curve < curves.quantities.size(); ++curve) {
    const auto* values = curves.values.data() + curve * n;
    if (info(curves.quantities[curve]).error) {
      for (std::size_t k = 0; k < n; ++k)
        ASSERT_LE(std::abs(errors.at(error + k) - values[k]), std::abs(values[k]) / 512);
      error += n;
      continue;
    }
    const auto [low, high] = std::minmax_element(values + (curve == 0 ? 1 : 0), values + n);
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint16_t level = levels.at(other * n + k);
      ASSERT_EQ(level == 0, std::isnan(values[k]));
      if (level == 0) continue;
      ASSERT_NEAR(packed.low.at(other) + (level - 1) * packed.step.at(other), values[k],
                  (*high - *low) / 8000.0);
    }
    ++other;
  }
  EXPECT_EQ(levels.size(), other * n);
  EXPECT_EQ(errors.size(), error);
}

TEST(PageRows, HasTheDistancesOfTheLanes) {
  Scenario scenario = lasting(20);
  scenario.lanes.push_back(scenario.lanes.front());
  scenario.lanes[1].type = scenario.lanes[1].name = "rk2";
  scenario.lanes[1].values = {};
  Simulation run = start(scenario);
  const PageRows rows = rows_of(run);
  const PageCurves curves = rows.curves();
  ASSERT_EQ(curves.distances.size(), curves.times.size());
  for (const PageRow& row : rows.states())
    for (std::size_t k = 0; k < curves.times.size(); ++k)
      if (curves.times[k] == row.elapsed) {
        ASSERT_EQ(curves.distances[k],
                  static_cast<float>(distance(row.lanes[1].q, row.lanes[0].q)));
      }
  EXPECT_GT(curves.distances.back(), 0);
  Simulation one = start(lasting(0.1));
  EXPECT_TRUE(rows_of(one).curves().distances.empty());
}

TEST(PageRows, CurvesOfErrorsStayFinite) {
  constexpr float most = std::numeric_limits<float>::max();
  const PageCurves curves{.quantities = {Quantity::energy_error},
                          .times = {0},
                          .origins = {0},
                          .values = {most, -most, std::numeric_limits<float>::quiet_NaN()}};
  const auto errors = test::unpacked_floats(pack_curves(curves).errors, 3);
  EXPECT_TRUE(std::isfinite(errors.at(0)) && std::isfinite(errors.at(1)));
  EXPECT_TRUE(std::isnan(errors.at(2)));
  EXPECT_TRUE(test::unpacked(pack_curves(curves).levels, 1, 1).empty());
}

}  // namespace
}  // namespace twosphere::page_rows_test
