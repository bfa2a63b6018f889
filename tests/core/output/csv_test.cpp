// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/csv.h"

#include <gtest/gtest.h>

#include <atomic>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/base/build.h"
#include "core/base/interrupt.h"
#include "core/base/simd_level.h"
#include "core/base/version.h"
#include "core/catalog.h"
#include "core/output/named_values.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "core/scenario/section_surface.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::csv_test {
namespace {

using test::says, test::value_of;

Simulation simulation(const char* key) {
  auto made = Simulation::create(test::preset(key));
  return std::move(*made);
}

std::vector<std::string> split(std::string text, char separator) {
  std::vector<std::string> out(1);
  for (const char c : text)
    if (c == separator)
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

TEST(Csv, header_is_that_of_the_contract) {
  Simulation s = simulation("double_spherical_pendulum");
  EXPECT_EQ(csv_header(s.system_info(), s.record().lanes),
            "time [s],kinetic_energy [J],potential_energy [J],total_energy [J],work [J],"
            "energy_error [J],unit_length_error [1],unit_length_error_mean [1],"
            "tangency_error [rad/s],angular_momentum_z [J s]\r\n");
  EXPECT_EQ(trajectory_header(s.system_info(), *s.system()),
            "time [s],q0_x [1],q0_y [1],q0_z [1],q1_x [1],q1_y [1],q1_z [1],"
            "omega0_x [rad/s],omega0_y [rad/s],omega0_z [rad/s],"
            "omega1_x [rad/s],omega1_y [rad/s],omega1_z [rad/s]\r\n");
}

TEST(Csv, momenta_are_those_of_the_2015_paper) {
  Simulation s = simulation("double_spherical_pendulum");
  for (int i = 0; i < 10; ++i) ASSERT_FALSE(s.step());
  const State& state = s.state(0);
  const std::string header = trajectory_header(s.system_info(), *s.system(), true);
  const auto columns = split(header.substr(0, header.size() - 2), ',');
  const auto row = split(trajectory_row(*s.system(), state, true), ',');
  ASSERT_EQ(columns.size(), 25U);
  ASSERT_EQ(row.size(), columns.size());
  EXPECT_EQ(columns[13], "mu0_x [J s]");
  EXPECT_EQ(columns[19], "pi0_x [J s]");
  EXPECT_EQ(columns.back(), "pi1_z [J s]");
  // M = m l² (2 1; 1 1), m = 1 kg, l = 9.81 m.
  const double ml2 = 9.81 * 9.81;
  const Vec3 q1 = state.q.col(0), q2 = state.q.col(1);
  const Vec3 v1 = state.w.col(0).cross(state.q.col(0)), v2 = state.w.col(1).cross(state.q.col(1));
  const Vec3 p1 = ml2 * (2 * v1 + v2), p2 = ml2 * (v1 + v2);
  const Vec3 expected[] = {tangent(q1, p1), tangent(q2, p2), q1.cross(p1), q2.cross(p2)};
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_NEAR(std::stod(row[13 + i]), expected[i / 3][static_cast<Eigen::Index>(i % 3)],
                1e-12 * ml2)
        << columns[13 + i];
  // The other columns are those of a table without them.
  EXPECT_TRUE(
      says(header, trajectory_header(s.system_info(), *s.system())
                       .substr(0, trajectory_header(s.system_info(), *s.system()).size() - 2)));
  EXPECT_EQ(json::parse(trajectory_companion(s.record(), 0, {}, true), "t")
                ->find("columns")
                ->items.size(),
            25U);
}

TEST(Csv, systems_of_first_order_have_no_columns_without_a_meaning) {
  Simulation s = simulation("vortex_leapfrog");
  const State& state = s.state(0);
  const std::string header = trajectory_header(s.system_info(), *s.system(), true);
  EXPECT_FALSE(says(header, "mu0"));
  const auto row = split(trajectory_row(*s.system(), state, true), ',');
  ASSERT_EQ(row.size(), 1U + 3 * 12);
  EXPECT_EQ(split(header, ',').size(), row.size());
  EXPECT_EQ(std::stod(row[25]), s.system()->strength()[0] * state.q(0, 0)) << "π of the first body";
  EXPECT_EQ(json::parse(trajectory_companion(s.record(), 0, {}, true), "t")
                ->find("columns")
                ->items.size(),
            row.size());
  const std::string xyz = xyz_frame(*s.system(), state);
  EXPECT_FALSE(says(xyz, "kinetic_energy"));
  EXPECT_EQ(split(split(xyz, '\n')[2], ' ').size(), 1U + 12);
}

TEST(Csv, exponents_come_last) {
  Simulation s = simulation("double_spherical_pendulum");
  const std::vector<LaneSpec> lanes = s.record().lanes;
  const std::string plain = csv_header(s.system_info(), lanes);
  EXPECT_EQ(csv_header(s.system_info(), lanes, {.vectors = 2}),
            plain.substr(0, plain.size() - 2) +
                ",lyapunov [1/s],lyapunov[1] [1/s],megno [1],fli [1]\r\n");
  ASSERT_TRUE(s.follow_exponents(2));
  // There are none before the first step.
  std::vector<double> values = exponent_values(s, 0, 2);
  EXPECT_TRUE(csv_row(s.system_info(), {s.sample(0)}, {}, values).ends_with(",,,,\r\n"));
  ASSERT_FALSE(s.step());
  values = exponent_values(s, 0, 2);
  ASSERT_EQ(values.size(), 4U);
  for (const double value : values) EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(split(csv_row(s.system_info(), {s.sample(0)}, {}, values), ',').size(),
            csv_quantities(s.system_info()).size() + 4);
}

TEST(Csv, several_lanes_are_told_apart) {
  Simulation s = simulation("double_spherical_pendulum");
  std::vector<LaneSpec> lanes = s.record().lanes;
  lanes.push_back(lanes[0]);
  lanes[1].name = "a \"b\", c";
  const std::string header = csv_header(s.system_info(), lanes);
  EXPECT_TRUE(header.starts_with("time [s],variational/kinetic_energy [J],")) << header;
  EXPECT_TRUE(says(header, ",\"a \"\"b\"\", c/kinetic_energy [J]\","));
  EXPECT_FALSE(says(header, "/time"));
  const std::string row = csv_row(s.system_info(), {s.sample(0), s.sample(0)});
  EXPECT_EQ(split(row, ',').size(), 2 * csv_quantities(s.system_info()).size() - 1) << "one time";
}

TEST(Csv, quantities_that_a_definition_names_are_added_on_request) {
  Simulation s = simulation("custom/lebwohl_lasher");
  const SystemInfo& info = s.system_info();
  ASSERT_EQ(info.own_quantities.size(), 1U);
  const std::string plain = csv_header(info, s.record().lanes),
                    more = csv_header(info, s.record().lanes, {.plots = true});
  EXPECT_FALSE(says(plain, "plots"));
  EXPECT_EQ(more, plain.substr(0, plain.size() - 2) + ",plots.order along e3 [1]\r\n");
  const State& state = s.state(0);
  NamedValues named({});
  // They come last.
  const auto own_of = [&](const State* at) {
    return std::vector{named.at(s.present(), s.system(), at).back()};
  };
  const std::vector<double> own = own_of(&state);
  EXPECT_EQ(own, std::vector<double>{
                     s.system()->own_quantity("order along e3", state.t, state.q, state.w)});
  EXPECT_GT(std::abs(own[0]), 1e-3);
  const std::string row = csv_row(info, {s.sample(0)});
  EXPECT_EQ(csv_row(info, {s.sample(0)}, {own}),
            row.substr(0, row.size() - 2) + ',' + json::shortest(own[0]) + "\r\n");
  // Of a lane that has not begun, and where there is no number, the field is empty.
  EXPECT_EQ(csv_row(info, {s.sample(0)}, {own_of(nullptr)}),
            row.substr(0, row.size() - 2) + ",\r\n");
  EXPECT_EQ(csv_row(info, {s.sample(0)}, {{std::numeric_limits<double>::infinity()}}),
            row.substr(0, row.size() - 2) + ",\r\n");
  // Several lanes have theirs after their other columns.
  std::vector<LaneSpec> lanes = s.record().lanes;
  lanes.push_back(lanes[0]);
  lanes[1].name = "b";
  const std::string both = csv_header(info, lanes, {.plots = true});
  EXPECT_LT(both.find("variational/plots.order along e3 [1],b/kinetic_energy [J]"), both.size());
  EXPECT_TRUE(both.ends_with(",b/plots.order along e3 [1]\r\n"));
  EXPECT_TRUE(says(csv_companion(s.record(), {}, {}, {.plots = true}), "\"plots.order along e3\""));
}

TEST(Csv, temperature_and_inertia_come_before_them) {
  Simulation s = simulation("double_spherical_pendulum");
  const CsvExtras extras{.plots = true, .expressions = {{"depth", "q[0].e3", "1"}}, .bodies = 2};
  const std::string plain = csv_header(s.system_info(), s.record().lanes);
  EXPECT_EQ(csv_header(s.system_info(), s.record().lanes, extras),
            plain.substr(0, plain.size() - 2) +
                ",inertia_determinant [1],inertia_condition [1],plots.depth [1]\r\n");
  EXPECT_EQ(csv_header(s.system_info(), s.record().lanes, {.shadow = true}),
            plain.substr(0, plain.size() - 2) + ",modified_energy_error [J]\r\n");
  NamedValues named(extras.expressions);
  const std::vector<double> values = named.at(s.present(), s.system(), &s.state(0));
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0], Signal::inertia_determinant().value(*s.system(), s.state(0)));
  EXPECT_EQ(values[1], Signal::inertia_condition().value(*s.system(), s.state(0)));
  EXPECT_EQ(values[2], s.state(0).q(2, 0));
  // Of molecules these.
  std::vector<std::string> keys;
  for (const Signal& signal : requested_signals(*find_system("lennard_jones"), 642, {}))
    keys.push_back(signal.column());
  EXPECT_EQ(keys, (std::vector<std::string>{"temperature", "pressure"}));
}

TEST(Csv, columns_on_request_are_whole_after_an_interruption) {
  // The sum over all pairs of molecules stops early on a thread that is interrupted.
  Simulation s = simulation("lennard_jones");
  const std::vector<double> before = NamedValues({}).at(s.present(), s.system(), &s.state(0));
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(before[0], Signal::temperature().value(*s.system(), s.state(0)));
  const std::atomic<bool> stop{true};
  const Interruptible scope(stop);
  EXPECT_TRUE(std::isnan(Signal::pressure().value(*s.system(), s.state(0))));
  EXPECT_EQ(NamedValues({}).at(s.present(), s.system(), &s.state(0)), before);
}

TEST(Csv, numbers_read_back_to_the_same_doubles) {
  Simulation s = simulation("chain_pendulum");
  const auto number = [](const std::string& field) {
    double value = 0;
    std::from_chars(field.data(), field.data() + field.size(), value);
    return value;
  };
  for (int step = 0; step < 200; ++step) {
    const Sample sample = s.sample(0);
    const auto fields = split(csv_row(s.system_info(), {sample}), ',');
    const auto list = csv_quantities(s.system_info());
    ASSERT_EQ(fields.size(), list.size());
    for (std::size_t i = 0; i < list.size(); ++i) ASSERT_EQ(number(fields[i]), sample[list[i]]);
    const State& state = s.state(0);
    const auto row = split(trajectory_row(*s.system(), state), ',');
    ASSERT_EQ(row.size(), 1 + 6 * 10U);
    for (std::size_t i = 0; i < 30; ++i) {
      ASSERT_EQ(number(row[1 + i]), state.q.data()[i]);
      ASSERT_EQ(number(row[31 + i]), state.w.data()[i]);
    }
    ASSERT_FALSE(s.step());
  }
}

TEST(Csv, companion_describes_the_run_and_repeats_it) {
  Simulation s = simulation("double_spherical_pendulum");
  for (int i = 0; i < 10; ++i) ASSERT_FALSE(s.step());
  ASSERT_TRUE(s.set({{"system.gravity", 1.62}}));
  const std::string text = csv_companion(s.record());
  const auto root = value_of(json::parse(text, "companion"));
  EXPECT_EQ(root.find("version")->text, version);
  EXPECT_EQ(root.find("compiler")->text, compiler);
  const json::Node* commit = root.find("revision");
  EXPECT_EQ(commit ? commit->text : "", revision());
  EXPECT_EQ(root.find("isa")->text, isa_level());
  EXPECT_EQ(root.find("lanes")->items.size(), 1U);
  EXPECT_EQ(root.find("events")->items.size(), 1U);
  EXPECT_EQ(root.find("columns")->items.size(), csv_quantities(s.system_info()).size());
  EXPECT_EQ(root.find("columns")->items[0].find("name")->text, "time");
  EXPECT_EQ(root.find("columns")->items[0].find("unit")->text, "s");
  for (const json::Node& column : root.find("columns")->items)
    EXPECT_FALSE(column.find("meaning")->text.empty()) << column.find("name")->text;
  const auto scenario = value_of(from_json(*root.find("scenario"), "companion"));
  auto again = value_of(Simulation::create(scenario));
  for (int i = 0; i < 20; ++i) {
    ASSERT_FALSE(again.step());
    if (i >= 10) {
      ASSERT_FALSE(s.step());
    }
  }
  EXPECT_EQ(csv_row(again.system_info(), {again.sample(0)}),
            csv_row(s.system_info(), {s.sample(0)}));
  EXPECT_EQ(json::parse(trajectory_companion(s.record()), "t")->find("columns")->items.size(), 13U);
}

TEST(Csv, companions_explain_every_column) {
  Scenario scenario = simulation("double_spherical_pendulum").record();
  scenario.section = {.expression = "q[1].e2"};
  const auto surface = value_of(SectionSurface::create(*scenario.section, scenario));
  for (const std::string& text :
       {csv_companion(scenario, {}, {}, {.vectors = 2}), trajectory_companion(scenario),
        section_companion(scenario, *surface), field_companion(scenario, 0),
        table_companion(scenario, {csv_column(Signal(Signal::Kind::polar, 1), "a/")}, {0, 1})}) {
    const auto root = value_of(json::parse(text, "companion"));
    for (const json::Node& column : root.find("columns")->items) {
      const json::Node* meaning = column.find("meaning");
      ASSERT_TRUE(meaning) << column.find("name")->text;
      EXPECT_FALSE(meaning->text.empty()) << column.find("name")->text;
    }
  }
}

// The picture of a section has the same.
TEST(Csv, coordinates_of_a_section_have_the_units_of_angles) {
  Scenario scenario = simulation("double_spherical_pendulum").record();
  scenario.section = {.expression = "q[1].e2",
                      .coordinates = {{"angle", "atan2(q[1].e1, q[1].e3)"},
                                      {"rate", "w[1].e2"},
                                      {"cosine", "q[1].e3"},
                                      {"path", "lengths[0]*acos(q[0].e3)"}}};
  const auto surface = value_of(SectionSurface::create(*scenario.section, scenario));
  EXPECT_EQ(section_header(*surface),
            "time [s],step [1],crossing [1],direction [1],angle [rad],rate [rad/s],cosine [1],path "
            "[m]\r\n");
}

TEST(Csv, xyz_velocities_are_those_of_the_motion) {
  Simulation s = simulation("chain_pendulum");
  const auto bodies = [&] {
    std::vector<std::vector<double>> out;
    for (const std::string& line : split(xyz_frame(*s.system(), s.state(0)), '\n')) {
      if (!line.starts_with("X ")) continue;
      out.emplace_back();
      for (const std::string& field : split(line.substr(2), ' '))
        out.back().push_back(std::stod(field));
    }
    return out;
  };
  for (int i = 0; i < 20; ++i) ASSERT_FALSE(s.step());
  const auto before = bodies();
  ASSERT_FALSE(s.step());
  const auto here = bodies();
  const double kinetic = s.sample(0)[Quantity::kinetic_energy];
  ASSERT_FALSE(s.step());
  const auto after = bodies();
  ASSERT_EQ(here.size(), 10U);
  double sum = 0;
  for (std::size_t i = 0; i < here.size(); ++i) {
    ASSERT_EQ(here[i].size(), 13U);
    sum += here[i][12];
    for (std::size_t k = 0; k < 3; ++k) {
      const double difference = (after[i][k] - before[i][k]) / (2 * s.lane(0).clock.step);
      EXPECT_NEAR(here[i][3 + k], difference, 0.02) << i;
    }
  }
  EXPECT_NEAR(sum, kinetic, 1e-12 * std::abs(kinetic));
}

}  // namespace
}  // namespace twosphere::csv_test
