// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/signal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/record/surface_field.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::signal_test {
namespace {

using Kind = Signal::Kind;

/// Two links of 2 m and 3 m; directions and angular velocities that are easily told apart.
struct Pendulum {
  std::shared_ptr<const System> system;
  State state{0.5, Columns(3, 2), Columns(3, 2)};

  Pendulum() {
    auto scenario = read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
    scenario->parameters["lengths"] = {2, 3};
    system = std::move(*find_system(scenario->system)->create(2, scenario->parameters));
    state.q << 0.6, 0, 0, -0.28, 0.8, 0.96;
    state.w << 1, 4, 2, 5, 3, 6;
  }
  double operator()(const char* key) const {
    const auto signal = Signal::parse(key);
    EXPECT_TRUE(signal) << key;
    return signal ? signal->value(*system, state) : NAN;
  }
};

TEST(Signal, OfADefinitionHasItsNameUnitAndValue) {
  const auto scenario = test::preset("custom/magnetic_pendulum");
  const SystemInfo& info = info_of(scenario);
  ASSERT_EQ(info.own_quantities.size(), 1U);
  const Signal own = Signal::own(info.own_quantities[0]);
  EXPECT_EQ(own.key(), "own:distance_from_the_axis[m]");
  EXPECT_EQ(own.label(), "distance from the axis");
  EXPECT_EQ(own.unit(), "m");
  EXPECT_EQ(Signal::parse(own.key()), own);
  const std::vector<Signal> all = signals(info, 1);
  EXPECT_EQ(std::count(all.begin(), all.end(), own), 1);
  EXPECT_FALSE(own.exists(*find_system("n_body"), 3));
  // l |q × e3| with l = 1 m.
  const auto system = test::value_of(info.create(1, scenario.parameters));
  EXPECT_NEAR(own.value(*system, {0, scenario.q, scenario.omega}), 0.6, 1e-15);

  // Keys have no blanks, and each name has one.
  for (const char* name : {"a_b c", "100 %", "|x|²", "[odd]"}) {
    const Signal signal = Signal::own({name, "kg m^2"});
    EXPECT_EQ(signal.key().find_first_of(" \t"), std::string::npos);
    const auto read = Signal::parse(signal.key());
    ASSERT_TRUE(read) << signal.key();
    EXPECT_EQ(read->label(), name);
    EXPECT_EQ(read->unit(), "kg m^2");
  }
  for (const char* wrong : {"own:", "own:a", "own:tab%09here[m]", "own:a[", "own:a[m", "own:a b[m]",
                            "own:%41[m]", "own:%[m]"})
    EXPECT_FALSE(Signal::parse(wrong)) << wrong;
}

TEST(Signal, AnExpressionHasItsTextInItsKey) {
  const PlottedExpression plotted{"height [of] 100 %", "-e3.(q[0] + 0.5*q[1]) = 1", "kg m^2 s^-2"};
  const Signal signal(plotted);
  EXPECT_EQ(signal.key().find_first_of(" \t"), std::string::npos);
  EXPECT_EQ(signal.label(), plotted.name);
  EXPECT_EQ(signal.unit(), plotted.unit);
  EXPECT_EQ(signal.help(), plotted.expression);
  EXPECT_EQ(signal.body(), -1);
  EXPECT_EQ(signal.expression(), plotted);
  EXPECT_EQ(Signal::parse(signal.key()), signal);
  EXPECT_NE(Signal(PlottedExpression{plotted.name, "t", plotted.unit}), signal);
  EXPECT_FALSE(Signal(Quantity::work).expression());
  EXPECT_EQ(Signal(PlottedExpression{"h", "-e3.q[1]", "m"}).key(), "expression:h[m]=-e3.q%5B1%5D");
  for (const char* wrong : {"expression:", "expression:h[m]", "expression:h=t", "expression:h]m[=t",
                            "expression:h[m]=a b", "expression:h[m]=%41"})
    EXPECT_FALSE(Signal::parse(wrong)) << wrong;
}

TEST(Signal, EveryKeyReadsBackToItsSignal) {
  for (const SystemInfo& info : systems()) {
    const auto list = signals(info, 12);
    std::set<std::string> keys, labels, symbols;
    std::set<Kind> kinds_of_bodies;
    std::vector<std::size_t> of_body(12, 0);
    std::size_t of_none = 0, of_each = 0;
    for (const Signal& signal : list) {
      EXPECT_EQ(Signal::parse(signal.key()), signal) << signal.key();
      EXPECT_TRUE(signal.exists(info, 12)) << signal.key();
      EXPECT_FALSE(signal.unit().empty());
      keys.insert(signal.key());
      labels.insert(signal.label());
      symbols.insert(signal.symbol());
      ++(signal.body() < 0 ? of_none : of_body.at(static_cast<std::size_t>(signal.body())));
      if (signal.body() != 0) continue;
      kinds_of_bodies.insert(signal.kind());
      // A vector has three components, and an angle is one number.
      const bool vector = signal.key().find('_') != std::string::npos;
      if (!vector || signal.key().ends_with("_x")) of_each += vector ? 3 : 1;
    }
    const auto components = static_cast<std::size_t>(
        std::count(info.momentum_columns.begin(), info.momentum_columns.end(), true));
    const std::size_t own = info.own_quantities.size();
    // Those of all bodies are the kinds from the distance to the quantities of the system.
    std::size_t wholes = 0;
    for (int kind = static_cast<int>(Kind::distance); kind < static_cast<int>(Kind::own); ++kind)
      wholes += Signal::of_kind(static_cast<Kind>(kind)).exists(info, 12) ? 1 : 0;
    EXPECT_GE(wholes, 2U) << "the mean direction and the modified energy";
    EXPECT_EQ(of_none,
              own + csv_quantities(info).size() + step_quantity_count + components + wholes);
    // Of each body the same, with no kind and no component left out.
    EXPECT_EQ(of_body, std::vector<std::size_t>(12, of_each));
    EXPECT_EQ(static_cast<int>(kinds_of_bodies.size()),
              static_cast<int>(list.back().kind()) - static_cast<int>(Kind::momentum_error));
    EXPECT_EQ(keys.size(), list.size());
    EXPECT_EQ(labels.size(), list.size());
    EXPECT_EQ(symbols.size(), list.size());
    // Those of the system itself come first.
    EXPECT_TRUE(std::is_sorted(list.begin() + static_cast<std::ptrdiff_t>(own), list.end()));
  }
}

TEST(Signal, KeysOfTheFormatAreUnderstoodAndNoOthers) {
  EXPECT_EQ(Signal::parse("energy_error"), Signal(Quantity::energy_error));
  EXPECT_EQ(Signal::parse("newton_iterations"), Signal(StepQuantity::newton_iterations));
  EXPECT_EQ(Signal::parse("step_time"), Signal(StepQuantity::time));
  EXPECT_EQ(Signal::parse("q0_x"), Signal(Kind::direction, 0, 0));
  EXPECT_EQ(Signal::parse("omega10_z"), Signal(Kind::angular_velocity, 10, 2));
  EXPECT_EQ(Signal::parse("position1_y"), Signal(Kind::position, 1, 1));
  EXPECT_EQ(Signal::parse("polar7"), Signal(Kind::polar, 7));
  EXPECT_EQ(Signal::parse("azimuth0"), Signal(Kind::azimuth, 0));
  for (const char* key :
       {"",          "q",     "q0",     "q_x",           "q0_w",
        "q0_xy",     "q0_",   "q00_x",  "q01_x",         "q-1_x",
        "q+1_x",     "q 1_x", "omega",  "polar",         "polar0_x",
        "azimuth1 ", "Q0_x",  "energy", "energy_error ", "q99999999999999999999_x",
        "position1"})
    EXPECT_FALSE(Signal::parse(key)) << key;
}

TEST(Signal, NamesWhatAStepCost) {
  const Signal time = StepQuantity::time, residual = StepQuantity::newton_residual;
  EXPECT_EQ(time.unit(), "µs");
  EXPECT_EQ(time.body(), -1);
  EXPECT_FALSE(time.quantity());
  EXPECT_EQ(time.step_quantity(), StepQuantity::time);
  EXPECT_FALSE(time.error());
  EXPECT_TRUE(residual.error());
  EXPECT_FALSE(residual.help().empty());
  EXPECT_FALSE(Signal(Quantity::work).step_quantity());
  for (std::size_t k = 0; k < recorded_exponents; ++k) EXPECT_EQ(exponent_index(lyapunov(k)), k);
  EXPECT_FALSE(exponent_index(StepQuantity::megno));
  EXPECT_FALSE(exponent_index(StepQuantity::time));
  EXPECT_FALSE(Signal(Quantity::work).help().empty());
  EXPECT_NE(Signal(Kind::polar, 1).help(), Signal(Kind::azimuth, 1).help());
}

TEST(Signal, EachIsExplainedAndNamesItsColumn) {
  for (const SystemInfo& info : systems())
    for (const Signal& signal : signals(info, 2, 2)) {
      EXPECT_FALSE(signal.help().empty()) << signal.key();
      EXPECT_EQ(signal.column(),
                signal.kind() == Signal::Kind::own ? "plots." + signal.label() : signal.key());
    }
  const Signal own = Signal::own({"order along e3", "1"});
  EXPECT_EQ(own.column(), "plots.order along e3");
  EXPECT_FALSE(own.help().empty());
  const Signal height(PlottedExpression{"height", "e3.q[0]", "m"});
  EXPECT_EQ(height.column(), "plots.height");
  EXPECT_EQ(height.help(), "e3.q[0]");
}

TEST(Signal, TheClosestPairIsThatOfBodiesThatMeet) {
  const Signal closest = Signal::closest_angle();
  EXPECT_EQ(closest.body(), -1);
  EXPECT_EQ(closest.unit(), "rad");
  EXPECT_FALSE(closest.help().empty());
  EXPECT_TRUE(closest.exists(*find_system("n_body"), 3));
  EXPECT_FALSE(closest.exists(*find_system("n_body"), 1));
  EXPECT_FALSE(closest.exists(*find_system("chain_pendulum"), 3));
  const auto scenario = read_scenario(find_preset("three_body")->text, "preset");
  const auto system = find_system(scenario->system)->create(3, scenario->parameters);
  State state{0, scenario->q, scenario->omega};
  state.q.col(2) << 0, -std::cos(1e-3), std::sin(1e-3);
  EXPECT_NEAR(closest.value(**system, state), 1e-3, 1e-15);
}

TEST(Signal, TheMeanDirectionIsThatOfAllBodies) {
  const Signal mean = Signal::mean_direction();
  EXPECT_EQ(mean.key(), "mean_direction_z");
  EXPECT_EQ(mean.body(), -1);
  EXPECT_EQ(mean.unit(), "1");
  EXPECT_FALSE(mean.error());
  EXPECT_TRUE(mean.exists(*find_system("dipole_array"), 2));
  EXPECT_FALSE(mean.exists(*find_system("dipole_array"), 1));
  const Pendulum value;
  EXPECT_DOUBLE_EQ(value("mean_direction_z"), (0.8 + 0.96) / 2);
}

TEST(Signal, TheHeightIsAgainstGravity) {
  const Pendulum value;
  EXPECT_DOUBLE_EQ(value("height0"), -2 * 0.8);
  EXPECT_DOUBLE_EQ(value("height1"), -(2 * 0.8 + 3 * 0.96));
  EXPECT_EQ(value("height1"), -value("position1_z"));
  EXPECT_EQ(Signal(Kind::height, 1).label(), "height h₂");
  EXPECT_EQ(Signal(Kind::height, 1).unit(), "m");
}

TEST(Signal, ThePeakOfTheKineticEnergyIsThatOfItsField) {
  const Signal peak = Signal::energy_peak();
  EXPECT_EQ(peak.key(), "kinetic_energy_peak");
  EXPECT_TRUE(peak.exists(*find_system("lennard_jones"), 642));
  EXPECT_FALSE(peak.exists(*find_system("n_body"), 642));
  const Scenario scenario = test::preset("lennard_jones");
  const auto system = test::value_of(create_system(scenario));
  State state{0, scenario.q, scenario.omega};
  for (Eigen::Index i = 0; i < state.q.cols(); ++i)
    state.w.col(i) = state.q.col(i).cross(Vec3(0.1 * static_cast<double>(i % 5), 0.2, 0));
  SurfaceField field;
  field.update(*system, state);
  double sum = 0, largest = 0;
  for (const double energy : field.values()) {
    sum += energy;
    largest = std::max(largest, energy);
  }
  EXPECT_DOUBLE_EQ(peak.value(*system, state),
                   largest / (sum / static_cast<double>(field.values().size())));
  state.w.setZero();
  EXPECT_TRUE(std::isnan(peak.value(*system, state))) << "nothing moves";
}

TEST(Signal, TemperatureAndPressureAreThoseOfMolecules) {
  EXPECT_TRUE(Signal::temperature().exists(*find_system("lennard_jones"), 642));
  EXPECT_FALSE(Signal::pressure().exists(*find_system("n_body"), 3));
  EXPECT_EQ(Signal::temperature().unit(), "J");
  EXPECT_EQ(Signal::pressure().unit(), "N/m");
  EXPECT_EQ(Signal::inertia_condition().key(), "inertia_condition");
  EXPECT_TRUE(Signal::inertia_determinant().exists(*find_system("chain_pendulum"), 64));
  EXPECT_FALSE(Signal::inertia_determinant().exists(*find_system("chain_pendulum"), 65));
}

TEST(Signal, EverySystemNamesThoseOfItsMotion) {
  for (const SystemInfo& info : systems()) {
    if (info.key == "custom") continue;  // the first quantity of its text
    for (const int bodies : {1, 2, 5}) {
      std::string rest = info.motion(bodies);
      std::set<std::string_view> units;
      int count = 0;
      while (!rest.empty()) {
        const std::size_t end = rest.find(" and ");
        const auto signal = Signal::parse(rest.substr(0, end));
        ASSERT_TRUE(signal) << info.key << ": " << rest;
        EXPECT_TRUE(signal->exists(info, bodies)) << info.key << ": " << signal->key();
        units.insert(signal->unit());
        ++count;
        rest.erase(0, end == rest.npos ? end : end + 5);
      }
      EXPECT_GE(count, 1) << info.key;
      EXPECT_LE(count, 4) << info.key;
      EXPECT_EQ(units.size(), 1u) << info.key;
    }
  }
}

TEST(Signal, ExistsWhereThereIsSuchABodyOrColumn) {
  const SystemInfo& chain = *find_system("chain_pendulum");
  EXPECT_TRUE(Signal(Kind::polar, 1).exists(chain, 2));
  EXPECT_FALSE(Signal(Kind::polar, 2).exists(chain, 2));
  EXPECT_TRUE(Signal(Quantity::angular_momentum_z).exists(chain, 2));
  EXPECT_FALSE(Signal(Quantity::angular_momentum_x).exists(chain, 2));
  for (const SystemInfo& info : systems())
    for (std::size_t i = 0; i < quantity_count; ++i) {
      const auto columns = csv_quantities(info);
      const auto q = static_cast<Quantity>(i);
      EXPECT_EQ(Signal(q).exists(info, 1),
                std::find(columns.begin(), columns.end(), q) != columns.end());
    }
}

TEST(Signal, ComponentsAreThoseOfTheState) {
  const Pendulum value;
  EXPECT_EQ(value("q0_x"), 0.6);
  EXPECT_EQ(value("q0_z"), 0.8);
  EXPECT_EQ(value("q1_y"), -0.28);
  EXPECT_EQ(value("omega0_y"), 2);
  EXPECT_EQ(value("omega1_z"), 6);
}

TEST(Signal, MomentaAreThoseOfTheMomentumForms) {
  const Pendulum value;
  // P_1 = M_11 q̇_1 + M_12 q̇_2 with m = 1 kg and links of 2 m and 3 m.
  const Vec3 q = value.state.q.col(0), v1 = value.state.w.col(0).cross(value.state.q.col(0)),
             v2 = value.state.w.col(1).cross(value.state.q.col(1)), p = 8 * v1 + 6 * v2;
  EXPECT_NEAR(value("mu0_x"), tangent(q, p).x(), 1e-13);
  EXPECT_NEAR(value("pi0_y"), q.cross(p).y(), 1e-13);
  EXPECT_NEAR(value("pi0_z") + value("pi1_z"), momentum_map(*value.system, value.state).z(), 1e-12);
  EXPECT_EQ(Signal(Kind::momentum, 0, 1).label(), "momentum μ₁·e₂");
  EXPECT_EQ(Signal(Kind::angular_momentum, 1, 2).unit(), "J s");
}

TEST(Signal, PositionsAreThoseOfTheLinks) {
  const Pendulum value;
  EXPECT_DOUBLE_EQ(value("position0_x"), 2 * 0.6);
  EXPECT_DOUBLE_EQ(value("position0_z"), 2 * 0.8);
  EXPECT_DOUBLE_EQ(value("position1_x"), 2 * 0.6 + 3 * 0.0);
  EXPECT_DOUBLE_EQ(value("position1_y"), 2 * 0.0 + 3 * -0.28);
  EXPECT_DOUBLE_EQ(value("position1_z"), 2 * 0.8 + 3 * 0.96);
}

TEST(Signal, AnglesAreSphericalAboutE3) {
  Pendulum value;
  EXPECT_DOUBLE_EQ(value("polar0"), std::acos(0.8));
  EXPECT_EQ(value("azimuth0"), 0);
  EXPECT_DOUBLE_EQ(value("polar1"), std::asin(0.28));
  EXPECT_DOUBLE_EQ(value("azimuth1"), -std::numbers::pi / 2);

  // A direction made of its angles gives them back, near the axis too and whatever its length.
  for (const double theta : {1e-9, 0.3, std::numbers::pi / 2, 3.0, std::numbers::pi - 1e-9})
    for (const double phi : {-3.1, -1.0, 0.0, 0.5, 3.0}) {
      value.state.q.col(0) = (1 + 1e-6) * Vec3(std::sin(theta) * std::cos(phi),
                                               std::sin(theta) * std::sin(phi), std::cos(theta));
      EXPECT_NEAR(value("polar0"), theta, 1e-15);
      EXPECT_NEAR(value("azimuth0"), phi, 1e-15);
    }
  value.state.q.col(0) = Vec3(0, 0, 1);
  EXPECT_EQ(value("polar0"), 0);
  value.state.q.col(0) = Vec3(0, 0, -1);
  EXPECT_EQ(value("polar0"), std::numbers::pi);
}

TEST(Signal, NamesAreForReaders) {
  EXPECT_EQ(Signal(Kind::direction, 0, 0).label(), "direction q₁·e₁");
  EXPECT_EQ(Signal(Kind::angular_velocity, 1, 1).label(), "angular velocity ω₂·e₂");
  EXPECT_EQ(Signal(Kind::position, 9, 2).symbol(), "r₁₀·e₃");
  EXPECT_EQ(Signal(Kind::polar, 0).label(), "polar angle θ₁");
  EXPECT_EQ(Signal(Kind::azimuth, 2).symbol(), "φ₃");
  EXPECT_EQ(Signal(Kind::position, 0, 0).unit(), "m");
  EXPECT_EQ(Signal(Quantity::energy_error).symbol(), info(Quantity::energy_error).symbol);
  EXPECT_EQ(Signal(Quantity::energy_error).unit(), "J");
  EXPECT_TRUE(Signal(Quantity::energy_error).error());
  EXPECT_FALSE(Signal(Quantity::work).error());
  EXPECT_FALSE(Signal(Kind::polar, 0).error());
}

}  // namespace
}  // namespace twosphere::signal_test
