// SPDX-License-Identifier: GPL-3.0-or-later
// What colours and arrows show, and what is framed, over every system.
#include "core/output/body_quantity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <set>

#include "core/color/color_map.h"
#include "core/mechanics/diagnostics.h"
#include "tests/cases.h"

namespace twosphere::body_quantity_test {
namespace {

using namespace test;

State start_of(const SystemCase& c) { return generic_start(c.n, c.spread, c.speed, 5); }

std::vector<double> values(Shade shade, const System& system, const State& state) {
  Geometry geometry;
  system.geometry(state.q, geometry);
  std::vector<double> out{7};
  evaluate(shade, system, state, geometry, out);
  return out;
}

TEST(BodyQuantities, TellWhichAreZeroInEveryState) {
  for (const SystemCase& c : system_cases()) {
    const auto system = make_system(c);
    const bool none = first_order(*system);
    EXPECT_EQ(why_no_kinetic_energy(*system).empty(), !none) << c.name;
    for (const ShadeInfo& s : shades()) {
      const auto shade = static_cast<Shade>(&s - shades().data());
      const bool zero = none && (s.key == "kinetic_energy" || s.key == "momentum");
      EXPECT_EQ(why_zero(shade, *system).empty(), !zero) << c.name << ' ' << s.key;
    }
    for (const BodyVectorInfo& v : body_vectors()) {
      const auto vector = static_cast<BodyVector>(&v - body_vectors().data());
      EXPECT_EQ(why_zero(vector, *system).empty(), !(none && v.key == "momentum")) << v.key;
    }
  }
}

TEST(BodyQuantities, SumUpToWhatDiagnosticsSay) {
  for (const SystemCase& c : system_cases()) {
    const auto system = make_system(c);
    const State state = start_of(c);
    const std::vector<double> energies = values(Shade::kinetic_energy, *system, state);
    ASSERT_EQ(energies.size(), static_cast<std::size_t>(c.n)) << c.name;
    const double sum = std::accumulate(energies.begin(), energies.end(), 0.0);
    const double whole = kinetic_energy(*system, state);
    EXPECT_NEAR(sum, whole, 1e-13 * whole) << c.name;

    // J = Σ q × P: the part of P along q adds nothing. Without kinetic energy P = 0 and J = Σ κ q.
    Columns momentum;
    evaluate(BodyVector::momentum, *system, state, momentum);
    if (first_order(*system)) {
      EXPECT_TRUE(momentum.isZero(0)) << c.name;
    }
    Vec3 j = Vec3::Zero();
    for (int i = 0; i < c.n; ++i) {
      j += state.q.col(i).cross(momentum.col(i));
      if (first_order(*system)) j += system->strength()[i] * state.q.col(i);
      EXPECT_NEAR(state.q.col(i).dot(momentum.col(i)), 0, 1e-12 * (1 + momentum.norm())) << c.name;
    }
    EXPECT_LT((j - momentum_map(*system, state)).norm(), 1e-12 * (1 + momentum.norm())) << c.name;

    Columns w, v;
    evaluate(BodyVector::angular_velocity, *system, state, w);
    evaluate(BodyVector::velocity, *system, state, v);
    const std::vector<double> speeds = values(Shade::speed, *system, state);
    for (int i = 0; i < c.n; ++i) {
      EXPECT_LT((w.col(i).cross(state.q.col(i)) - v.col(i)).norm(), 1e-15 * (1 + v.norm()));
      EXPECT_DOUBLE_EQ(speeds[static_cast<std::size_t>(i)], v.col(i).norm());
    }
  }
}

// The power of all torques, Σ τ_i·ω_i, is what the potential loses and forces and damping give.
TEST(BodyQuantities, TorquesDoTheWorkOfThePotential) {
  for (const SystemCase& c : system_cases()) {
    const auto system = make_system(c);
    const State state = start_of(c);
    Columns torque, v;
    evaluate(BodyVector::torque, *system, state, torque);
    evaluate(BodyVector::velocity, *system, state, v);
    const double h = 1e-6;
    const double drop =
        (system->potential(state.q - h * v) - system->potential(state.q + h * v)) / (2 * h);
    Columns f = Columns::Zero(3, c.n);
    if (system->has_external_force()) system->force(state.t, state.q, f);
    double power = drop + (f.array() * v.array()).sum();
    if (damped(*system)) power -= v.colwise().squaredNorm().dot(system->damping());
    const double got = (torque.array() * state.w.array()).sum();
    EXPECT_NEAR(got, power, 1e-6 * (1 + std::abs(power))) << c.name;
    const std::vector<double> sizes = values(Shade::torque, *system, state);
    for (int i = 0; i < c.n; ++i)
      EXPECT_DOUBLE_EQ(sizes[static_cast<std::size_t>(i)], torque.col(i).norm());
  }
}

TEST(BodyQuantities, SpringsAndJointsHoldThePotentialWithoutGravity) {
  int elastic = 0;
  for (const SystemCase& c : system_cases()) {
    const auto system = make_system(c);
    const State state = start_of(c);
    Geometry geometry;
    system->geometry(state.q, geometry);
    EXPECT_EQ(values(Shade::tension, *system, state).size(), geometry.springs.size()) << c.name;
    EXPECT_EQ(values(Shade::bending_energy, *system, state).size(), geometry.bending.size());
    EXPECT_TRUE(values(Shade::lane, *system, state).empty());
    const bool elastic_parts = !geometry.bending.empty() || !geometry.springs.empty();
    if (!elastic_parts || !c.text.empty()) continue;  // what a text draws need not be what it says
    SystemCase weightless = c;
    if (weightless.values.contains("gravity")) weightless.values["gravity"] = {0};
    const auto light = make_system(weightless);
    double energy = std::accumulate(geometry.bending.begin(), geometry.bending.end(), 0.0);
    for (const Geometry::Spring& s : geometry.springs)
      energy += s.tension * ((s.to - s.from).norm() - s.relaxed) / 2;
    // The spring that closes a rod is neither drawn nor a joint.
    if (geometry.ring)
      energy += c.values.at("closing_stiffness").at(0) / 2 *
                (geometry.links.back().to - geometry.links.front().from).squaredNorm();
    EXPECT_NEAR(energy, light->potential(state.q), 1e-12 * (1 + energy)) << c.name;
    EXPECT_EQ(default_shade(*system, geometry),
              geometry.springs.empty() ? Shade::bending_energy : Shade::tension);
    ++elastic;
  }
  EXPECT_GE(elastic, 6);
}

// No configuration of less potential leaves the box.
TEST(Reach, HoldsEveryConfigurationOfThatEnergy) {
  for (const SystemCase& c : system_cases()) {
    const auto system = make_system(c);
    const Extent extent = system->extent();
    const Box most = system->accessible_box(1e300);
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    Geometry geometry;
    int held = 0;
    for (int trial = 0; trial < 400; ++trial) {
      // From all directions alike to nearly what hangs, or stands out, at rest.
      const double spread = std::pow(10, -3.0 * (trial % 40) / 40);
      State state = start_of(c);
      system->geometry(state.q, geometry);
      Vec3 calm = extent.gravity ? Vec3(Vec3::UnitZ()) : Vec3(state.q.col(0));
      if (!geometry.bending.empty())
        calm = (geometry.links[0].to - geometry.links[0].from).normalized();
      for (int i = 0; i < c.n; ++i)
        state.q.col(i) = (calm + spread * drawn(normal, random)).normalized();
      const double energy = system->potential(state.q);
      if (!std::isfinite(energy)) continue;
      const Box box = system->accessible_box(energy);
      system->geometry(state.q, geometry);
      const double slack = 1e-9 * extent.radius;
      for (const Geometry::Body& body : geometry.bodies) {
        EXPECT_LE(box.exteriorDistance(body.position), slack) << c.name << " spread " << spread;
        EXPECT_LE((body.position - extent.center).norm(), extent.radius + slack) << c.name;
      }
      for (const Geometry::Link& link : geometry.links)
        EXPECT_LE(box.exteriorDistance(link.from), slack) << c.name;
      EXPECT_TRUE(most.contains(box) || (most.sizes() - box.sizes()).minCoeff() > -slack) << c.name;
      ++held;
    }
    EXPECT_EQ(held, 400) << c.name;
  }
}

TEST(Reach, IsTightForWhatHangs) {
  const SystemCase& c = system_cases()[0];  // two pendula of 9.81 m
  const auto system = make_system(c);
  Columns hanging(3, 2);
  hanging.colwise() = Vec3::UnitZ();
  const double rest = system->potential(hanging);
  const Box still = system->accessible_box(rest);
  EXPECT_LT(still.sizes().x(), 1e-3 * 9.81);
  // Both at an angle of 0.1 along the least costly curve: no more than 10 % beyond 0.1 l n.
  const Box small = system->accessible_box(rest + 0.005 * 3 * 9.81 * 9.81);
  EXPECT_GT(small.sizes().x() / 2, 0.1 * 2 * 9.81 * 0.99);
  EXPECT_LT(small.sizes().x() / 2, 0.1 * 2 * 9.81 * 1.1);
  EXPECT_DOUBLE_EQ(small.max().z(), 2 * 9.81);
}

TEST(Scales, EndAtARoundNumberAndOnlyGrow) {
  EXPECT_EQ(round_up(0), 0);
  EXPECT_DOUBLE_EQ(round_up(1), 1);
  EXPECT_DOUBLE_EQ(round_up(1.01), 2);
  EXPECT_DOUBLE_EQ(round_up(0.034), 0.05);
  EXPECT_DOUBLE_EQ(round_up(6e-7), 1e-6);
  EXPECT_DOUBLE_EQ(round_up(5000), 5000);
  EXPECT_EQ(round_up(std::nan("")), 0);
  ScaleTop top;
  top.follow(1, 3);
  EXPECT_DOUBLE_EQ(top.value(), 5);
  top.follow(1, 0.1);
  EXPECT_DOUBLE_EQ(top.value(), 5);
  top.follow(1, 7);
  EXPECT_DOUBLE_EQ(top.value(), 10);
  top.follow(1, std::nan(""));
  top.follow(1, std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(top.value(), 10) << "what is no number does not count";
  top.follow(2, 0.1);
  EXPECT_DOUBLE_EQ(top.value(), 0.1) << "another run";
}

TEST(ColorMaps, RunFromDarkToLightAndMeetTheirEnds) {
  const auto light = [](Color c) { return contrast(c, Color{0}); };
  for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis})
    for (int i = 1; i <= 100; ++i)
      EXPECT_GT(light(color_at(map, i / 100.0, Palette::dark)),
                light(color_at(map, (i - 1) / 100.0, Palette::dark)) - 0.02)
          << key(map) << ' ' << i;
  EXPECT_EQ(color_at(ColorMap::viridis, 0, Palette::light), Color{0x440154});
  EXPECT_EQ(color_at(ColorMap::viridis, 2, Palette::light), Color{0xfde725});
  EXPECT_EQ(color_at(ColorMap::cividis, 1, Palette::light), Color{0xffea46});
  EXPECT_EQ(color_at(ColorMap::viridis, std::nan(""), Palette::light), Color{0x440154});
  const auto red = [](Color c) { return static_cast<int>(c.rgb >> 16); };
  const auto blue = [](Color c) { return static_cast<int>(c.rgb & 0xff); };
  EXPECT_GT(blue(color_at(ColorMap::paper, 0, Palette::dark)), 150);
  EXPECT_GT(red(color_at(ColorMap::paper, 1, Palette::dark)), 150);
  for (const Palette palette : palettes) {
    EXPECT_GT(blue(color_at(ColorMap::diverging, 0, palette)),
              red(color_at(ColorMap::diverging, 0, palette)) + 50);
    EXPECT_GT(red(color_at(ColorMap::diverging, 1, palette)),
              blue(color_at(ColorMap::diverging, 1, palette)) + 50);
    const Color middle = color_at(ColorMap::diverging, 0.5, palette);
    EXPECT_LT(std::abs(red(middle) - blue(middle)), 30) << "grey";
  }
}

TEST(ColorScales, HoldWhatIsThereMostOfTheTime) {
  const std::vector<double> many(100, 0.3);
  ColorScale scale;
  scale.follow(1, 0, std::vector<double>{0, 0, 0});
  EXPECT_EQ(scale.value(), 0);
  scale.follow(1, 0.5, std::vector<double>{-3});
  EXPECT_DOUBLE_EQ(scale.value(), 5) << "magnitudes";
  scale.follow(1, 0.5, std::vector<double>{80});
  EXPECT_DOUBLE_EQ(scale.value(), 5) << "no later than before";
  EXPECT_FALSE(scale.exceeded());
  for (int k = 1; k <= 100; ++k) scale.follow(1, 0.5 + k, many);
  EXPECT_DOUBLE_EQ(scale.value(), 0.5);
  EXPECT_TRUE(scale.exceeded());
  scale.follow(2, 0, many);
  EXPECT_DOUBLE_EQ(scale.value(), 0.5) << "another run";
  EXPECT_FALSE(scale.exceeded());
  scale.follow(2, 1, std::vector<double>{std::nan(""), std::numeric_limits<double>::infinity()});
  EXPECT_DOUBLE_EQ(scale.value(), 0.5) << "what is no number does not count";

  // 98 % of what is spread evenly from 0 to 1, at any size, and the same however often it is asked.
  for (const double size : {1e-9, 1.0, 1e7}) {
    ColorScale few, often;
    std::vector<double> spread;
    for (int i = 1; i <= 1000; ++i) spread.push_back(size * 0.9 * i / 1000);
    few.follow(1, 0, spread);
    for (int k = 0; k <= 64; ++k) often.follow(1, k / 64.0, spread);
    EXPECT_DOUBLE_EQ(few.value(), round_up(0.9 * size));
    EXPECT_EQ(few.value(), often.value());
  }
  // Of what is nearly all zero the rest is shown.
  std::vector<double> lone(642, 0.0);
  lone[7] = 0.5;
  ColorScale one;
  one.follow(1, 0, lone);
  EXPECT_DOUBLE_EQ(one.value(), 0.5);
  // It does not go to and fro between two ends.
  ColorScale steady;
  int changes = 0;
  double before = 0;
  for (int k = 0; k < 200; ++k) {
    steady.follow(1, k, std::vector<double>(10, k % 2 == 0 ? 0.49 : 0.51));
    changes += k > 2 && steady.value() != before;
    before = steady.value();
  }
  EXPECT_LE(changes, 1);
}

TEST(ColorBars, SayWhereValuesAreBeyondTheirEnds) {
  ColorBar bar{"tension", "N", -2, 2, ColorMap::diverging};
  EXPECT_EQ(text_at(bar, 1), "2");
  bar.clipped = true;
  EXPECT_EQ(text_at(bar, 1), "≥ 2");
  EXPECT_EQ(text_at(bar, 0), "≤ −2");
  EXPECT_EQ(text_at(bar, 0.5), "0");
  bar.low = 0;
  EXPECT_EQ(text_at(bar, 0), "0") << "nothing is below";
  bar.root = true;
  EXPECT_EQ(text_at(bar, 0.5), "0.5") << "a quarter of 2";
}

// What is least must not melt into a dark scene.
TEST(ColorMaps, StandOutFromDarkGround) {
  for (const Palette palette : {Palette::dark, Palette::high_contrast})
    for (const ColorMap map : color_maps)
      for (int i = 0; i <= 100; ++i)
        EXPECT_GE(contrast(color_at(map, i / 100.0, palette), Color{0x1a1f27}), 3)
            << key(map) << ' ' << i;
}

TEST(BodyColors, StandOutAndAreToldApart) {
  const auto channel = [](Color c, int shift) { return static_cast<int>(c.rgb >> shift & 0xff); };
  const auto apart = [&](Color a, Color b) {
    double sum = 0;
    for (const int shift : {16, 8, 0}) sum += std::pow(channel(a, shift) - channel(b, shift), 2);
    return std::sqrt(sum);
  };
  const auto grounds = [](Palette palette) -> std::vector<Color> {  // of scene, panels, plots
    if (palette == Palette::high_contrast) return {{0x000000}};
    if (palette == Palette::light) return {{0xffffff}, {0xeef1f5}, {0xf6f7f9}};
    return {{0x101318}, {0x1a1f27}, {0x171b21}};
  };
  for (const Palette palette : palettes)
    for (const std::size_t n : {1ul, 2ul, 8ul, 9ul, 40ul, 1000ul})
      for (std::size_t i = 0; i < n; ++i) {
        const Color own = body_color(i, n, palette);
        for (const Color ground : grounds(palette))
          EXPECT_GE(contrast(own, ground), palette == Palette::high_contrast ? 4.5 : 3)
              << key(palette) << ' ' << i << " of " << n;
        for (std::size_t k = 0; k < i && n <= 9; ++k)
          EXPECT_GT(apart(own, body_color(k, n, palette)), n <= 8 ? 45 : 15)
              << key(palette) << ' ' << k << ' ' << i;
      }
}

TEST(BodyColors, AreForAFewBodiesOfOneLane) {
  for (const SystemCase& c : system_cases()) {
    const auto system = make_system(c);
    Geometry geometry;
    system->geometry(start_of(c).q, geometry);
    const auto colored = [&](std::size_t lanes, std::optional<Shade> shade, LaneColors colors) {
      return has_body_colors(geometry, lanes, shade, colors);
    };
    const bool few = c.n > 1 && geometry.bending.empty() && !is_dense(geometry);
    EXPECT_EQ(colored(1, {}, LaneColors::own), few) << c.name;
    EXPECT_EQ(colored(1, Shade::speed, LaneColors::own), few) << c.name << ": trails and plots";
    EXPECT_FALSE(colored(2, {}, LaneColors::own)) << c.name;
    EXPECT_FALSE(colored(1, Shade::lane, LaneColors::own)) << c.name;
    EXPECT_FALSE(colored(1, {}, LaneColors::paper)) << c.name;
  }
}

TEST(Directions, HaveAnAzimuthAboutEachAxis) {
  const auto about = [](double x, double y, double z, int axis) {
    return about_axis(Vec3(x, y, z), axis);
  };
  EXPECT_DOUBLE_EQ(about(1, 0, 0, 2).turn, 0.5) << "counted from e1 about e3";
  EXPECT_DOUBLE_EQ(about(0, 1, 0, 2).turn, 0.75);
  EXPECT_DOUBLE_EQ(about(0, -1, 0, 2).turn, 0.25);
  EXPECT_DOUBLE_EQ(about(0, 0, -1, 2).along, -1);
  EXPECT_DOUBLE_EQ(about(0, 0.6, 0.8, 0).turn, 0.5 + std::atan2(0.8, 0.6) / (2 * std::numbers::pi));
  EXPECT_DOUBLE_EQ(about(0.6, 0, 0.8, 1).turn, 0.5 + std::atan2(0.6, 0.8) / (2 * std::numbers::pi));
  EXPECT_DOUBLE_EQ(about(0.6, 0, 0.8, 0).along, 0.6);
}

TEST(Directions, OfLinesHaveNoSign) {
  for (int axis = 0; axis < 3; ++axis)
    for (const Vec3& q : {Vec3(0.48, 0.6, 0.64), Vec3(-0.64, 0.48, -0.6), Vec3(0.6, -0.64, 0.48)}) {
      const AxisAngles line = line_about_axis(q, axis), other = line_about_axis(-q, axis);
      EXPECT_NEAR(line.turn, other.turn, 1e-15);
      EXPECT_EQ(line.along, other.along);
      EXPECT_EQ(line.along, std::abs(q[axis]));
      // Its azimuth is that of the end within 90°.
      const AxisAngles end = about_axis(q[(axis + 1) % 3] < 0 ? Vec3(-q) : q, axis);
      EXPECT_NEAR(line.turn - 0.5, 2 * (end.turn - 0.5), 1e-15);
    }
}

TEST(Tables, HaveAKeyALabelAndAUnitForEverything) {
  std::set<std::string_view> keys;
  for (const BodyVectorInfo& v : body_vectors()) {
    EXPECT_TRUE(keys.insert(v.key).second);
    EXPECT_FALSE(v.label.empty() || v.symbol.empty() || v.unit.empty() || v.help.empty()) << v.key;
  }
  keys.clear();
  for (const ShadeInfo& s : shades()) {
    EXPECT_TRUE(keys.insert(s.key).second);
    EXPECT_FALSE(s.label.empty() || s.help.empty()) << s.key;
    EXPECT_EQ(s.unit.empty(), s.key == "lane") << s.key;
  }
}

}  // namespace
}  // namespace twosphere::body_quantity_test
