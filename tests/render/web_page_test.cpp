// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/web_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/color/color_map.h"
#include "core/color/palette.h"
#include "core/output/lattice_layer.h"
#include "core/scenario/page_scenario.h"
#include "core/scenario/reader.h"
#include "render/cells.h"
#include "tests/outcome.h"
#include "tests/page_stream.h"
#include "tests/runs.h"

namespace twosphere::render::web_page_test {
namespace {

using json::Node;
using test::error_of, test::lasting, test::preset, test::says, test::start, test::value_of;

constexpr std::string_view scenario_text = "{\"title\": \"</script> é\"}\r\n";

/// A page of the first steps of a run, with all its lanes or some of them.
WebPage page_of(const Scenario& scenario, std::int64_t steps, const SceneStyle& style = {},
                std::vector<std::size_t> lanes = {}) {
  Simulation run = start(scenario);
  PageRows rows(recorded_lanes(run.record()).size());
  if (!lanes.empty()) rows = PageRows(std::move(lanes));
  rows.add(run);
  for (std::int64_t k = 0; k < steps; ++k) {
    test::march(run, 1);
    rows.add(run);
  }
  const Snapshot end = snapshot(run);
  return value_of(web_page({.end = end,
                            .record = run.record(),
                            .markers = run.markers(),
                            .rows = rows,
                            .texts = {.scenario = std::string(scenario_text), .file = "run.json"},
                            .style = style}));
}

Node data_of(const WebPage& page) { return test::page_data(page.html); }

const Node& member(const Node& of, std::string_view key) {
  static const Node none{};
  const Node* found = of.find(key);
  EXPECT_NE(found, nullptr) << key;
  return found ? *found : none;
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

TEST(WebPage, HoldsTheScenarioAndNothingFromElsewhere) {
  Scenario scenario = lasting(0.5);
  scenario.title = "</script><script>alert(1)</script> & \"friends\"";
  scenario.description = "<!-- é </title>";
  const WebPage page = page_of(scenario, 50);
  EXPECT_TRUE(is_web_page(page.html));
  EXPECT_EQ(value_of(page_scenario(page.html, "page")), scenario_text);
  EXPECT_EQ(count_of(page.html, "<script"), 5u)
      << "scenario, data, shaders, player, and what shows what needs them";
  EXPECT_EQ(count_of(page.html, "</script"), 5u);
  EXPECT_EQ(count_of(page.html, "</title>"), 1u);
  EXPECT_EQ(count_of(page.html, "http:") + count_of(page.html, "https:"), 0u);
  EXPECT_TRUE(says(page.html,
                   "default-src 'none'; script-src 'unsafe-inline'; style-src "
                   "'unsafe-inline'; img-src data: blob:"));
  EXPECT_TRUE(says(page.html, "href=\"data:,\""));
  EXPECT_TRUE(says(page.html, "&lt;/script&gt;&lt;script&gt;alert(1)"));
  EXPECT_FALSE(says(page.html, "@TITLE@"));
  EXPECT_LT(page.html.size(), 150'000u);
}

TEST(WebPage, TurnsWithTheFrame) {
  const Scenario scenario = preset("relative_orbit");
  EXPECT_EQ(data_of(page_of(scenario, 30)).find("frame"), nullptr);
  SceneStyle style;
  style.frame = TurningFrame{Vec3::UnitZ(), 1.5};
  const Node data = data_of(page_of(scenario, 30, style));
  const Node& frame = member(data, "frame");
  EXPECT_EQ(member(frame, "rate").number, 1.5);
  EXPECT_EQ(member(frame, "axis").items.at(2).number, 1);
  // Its clock is that of the run, which here only continues.
  const Node &clock = member(frame, "clock"), &times = member(data, "times");
  ASSERT_EQ(clock.items.size(), times.items.size());
  for (std::size_t i = 0; i < clock.items.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(clock.items[i].items.at(k).number, times.items[i].items.at(k).number, 1e-12);
  EXPECT_TRUE(says(member(frame, "text").text, "turns about e₃"));
}

TEST(WebPage, ItsPlayerIsSmall) {
  const std::string page = page_of(lasting(0.1), 10).html;
  const auto begin = page.rfind("<script>"), end = page.rfind("</script>");
  ASSERT_LT(begin, end);
  EXPECT_LE(end - begin, 40'000u);
  EXPECT_EQ(page.substr(begin, end - begin).find("\n//"), page.npos) << "without comments";
}

TEST(WebPage, HasTheShadersThatItsPlayerUses) {
  const WebPage page = page_of(lasting(0.1), 10);
  const Node shaders = value_of(json::parse(test::page_block(page.html, "shaders"), "shaders"));
  for (const char* name : {"common.glsl", "background.vert", "ground.frag", "shadow.vert",
                           "sphere.frag", "cylinder.vert", "cone.frag", "tube.vert", "shell.frag",
                           "polyline.vert", "arrow.frag", "mesh.frag"})
    EXPECT_NE(shaders.find(name), nullptr) << name;
  EXPECT_EQ(shaders.find("cloud.frag"), nullptr) << "a page has no clouds";
  EXPECT_FALSE(says(member(shaders, "common.glsl").text, "//"));
}

TEST(WebPage, DescribesEverySystemByPoints) {
  for (const auto& [key, kinds] :
       {std::pair("double_spherical_pendulum", std::set<std::string>{"ball", "rod"}),
        std::pair("three_body", std::set<std::string>{"ball"}),
        std::pair("pendulum_network", std::set<std::string>{"ball", "coil", "rod"}),
        std::pair("elastic_rod", std::set<std::string>{"ball", "tube"}),
        std::pair("dipole_array", std::set<std::string>{"magnet"}),
        std::pair("drone_with_load", std::set<std::string>{"ball", "rod"})}) {
    const Scenario scenario = preset(key);
    const WebPage page = page_of(scenario, 20);
    const Node data = data_of(page);
    const double points = member(data, "count").number;
    std::set<std::string> found;
    ASSERT_EQ(member(data, "lanes").items.size(), scenario.lanes.size()) << key;
    for (const Node& shape : member(member(data, "lanes").items[0], "shapes").items) {
      found.insert(member(shape, "kind").text);
      for (const char* end : {"point", "from", "to"})
        if (const Node* point = shape.find(end)) {
          EXPECT_LT(point->number, points) << key;
        }
    }
    EXPECT_EQ(found, kinds) << key;
    EXPECT_LE(page.error, 1e-4) << key;
    const auto numbers = test::unpacked(member(data, "points").text, page.frames,
                                        static_cast<int>(member(data, "order").number));
    EXPECT_EQ(numbers.size(), static_cast<std::size_t>(3 * points) * page.frames) << key;
  }
}

TEST(WebPage, DescribesEveryLaneAsDrawnInFull) {
  for (const char* key : {"double_spherical_pendulum", "pendulum_network", "dipole_array"}) {
    Scenario scenario = preset(key);
    scenario.lanes.push_back(scenario.lanes.front());
    scenario.lanes.back().type = "rk4";
    scenario.lanes.back().values = {};
    scenario.lanes.back().name = "rk4";
    const Node data = data_of(page_of(scenario, 30));
    const Node &first = member(data, "lanes").items.at(0),
               &second = member(data, "lanes").items.at(1);
    EXPECT_EQ(member(second, "name").text, "Runge-Kutta 4");
    EXPECT_GT(member(data, "agreement").number, 0);
    const auto &shapes = member(first, "shapes").items, &others = member(second, "shapes").items;
    ASSERT_EQ(shapes.size(), others.size()) << key;
    for (std::size_t i = 0; i < shapes.size(); ++i)
      for (const char* of : {"kind", "radius", "head", "bead"})
        if (const Node* value = shapes[i].find(of)) {
          EXPECT_EQ(json::write(*value), json::write(member(others[i], of))) << key << of;
        }
    // In an outline only the last body has a trail, and magnets have none.
    const auto& trails = member(second, "trails").items;
    for (std::size_t k = 0; k < trails.size(); ++k)
      EXPECT_EQ(member(trails[k], "beside").boolean,
                key != std::string("dipole_array") && k + 1 == trails.size())
          << key;
  }
}

TEST(WebPage, ShowsALayerOfACubicLatticeAlone) {
  const Scenario scenario = value_of(read_scenario(R"({"twosphere": 1,
      "system": {"type": "spins", "lattice": {"type": "cubic", "size": [3, 4, 2]}},
      "initial": {"generator": {"type": "random", "seed": 3}},
      "integrator": {"type": "spherical_midpoint", "step": 0.1}, "duration": 1})",
                                                   "spins"));
  const auto shapes_in = [&](const SceneStyle& style) {
    const Node data = data_of(page_of(scenario, 4, style));
    return member(member(data, "lanes").items.at(0), "shapes").items;
  };
  SceneStyle style;
  const std::vector<Node> whole = shapes_in(style);
  style.layer = LatticeLayer{0, 1};
  const std::vector<Node> layer = shapes_in(style);
  ASSERT_EQ(whole.size(), 24u);
  ASSERT_EQ(layer.size(), 8u);
  for (std::size_t k = 0; k < layer.size(); ++k)
    EXPECT_EQ(json::write(layer[k]), json::write(whole[3 * k + 1])) << "those with x = 1";
}

TEST(WebPage, HasTheFluidOfVorticesAndTheEllipsoidOfTops) {
  const Node vortices = data_of(page_of(preset("vortex_leapfrog"), 4));
  const Node& fluid = member(vortices, "fluid");
  ASSERT_EQ(member(fluid, "shares").items.size(), 4u);
  EXPECT_NEAR(member(fluid, "mean").number, 0, 1e-12) << "two of each sign";
  EXPECT_EQ(member(member(vortices, "lanes").items[0], "carried").items.size(), 4u);
  EXPECT_EQ(member(member(vortices, "icosahedron"), "faces").items.size(), 20u);
  SceneStyle without;
  without.streamlines = false;
  const Node left_out = data_of(page_of(preset("vortex_leapfrog"), 4, without));
  EXPECT_EQ(member(left_out, "fluid").kind, json::Kind::null);

  const Node tops = data_of(page_of(preset("tumbling_tops"), 4));
  const Node& ellipsoid = member(member(tops, "fixed"), "ellipsoid");
  const std::vector<Node>& axes = member(ellipsoid, "axes").items;
  ASSERT_EQ(axes.size(), 3u);
  // I = 1, 2, 3.
  EXPECT_NEAR(axes[0].number / axes[2].number, std::sqrt(3.0), 1e-12);
  EXPECT_EQ(member(tops, "fluid").kind, json::Kind::null);
}

TEST(WebPage, ColoursMoleculesByTheirSpeedAtEveryFrame) {
  const WebPage page = page_of(preset("lennard_jones"), 4);
  const Node data = data_of(page);
  const Node& shade = member(data, "shade");
  EXPECT_EQ(test::inflated(member(shade, "values").text).size(), 642 * page.frames);
  EXPECT_EQ(member(shade, "map").items.at(1).items.size(), 256u);
  const Node& shapes = member(member(data, "lanes").items[0], "shapes");
  ASSERT_EQ(shapes.items.size(), 642u);
  for (const Node& line : member(member(data, "fixed"), "lines").items) {
    EXPECT_EQ(member(line, "points").items.size() % 3, 0u) << "of the graticule";
    EXPECT_GT(member(line, "opacity").number, 0);
  }
  EXPECT_EQ(member(shapes.items[641], "color").number, -642);
}

TEST(WebPage, HasTheScalesOfItsColours) {
  const WebPage molecules = page_of(preset("lennard_jones"), 4);
  EXPECT_EQ(count_of(molecules.html, "<figure "), 1u);
  EXPECT_TRUE(says(molecules.html,
                   "<figcaption>speed [m/s]</figcaption><div>"
                   "<span style=\"left:0%;transform:translate(-0%)\">0</span>"));
  for (const Palette palette : {Palette::dark, Palette::light}) {
    const auto first = color_at(ColorMap::viridis, 0, palette).rgb;
    EXPECT_TRUE(
        says(molecules.html, fmt::format("--{}:linear-gradient(90deg,#{:06x},",
                                         palette == Palette::dark ? "dark" : "light", first)));
  }
  const std::string springs = page_of(preset("pendulum_network"), 20).html;
  EXPECT_TRUE(says(springs,
                   "<figcaption>spring tension [N]</figcaption><div>"
                   "<span style=\"left:0%;transform:translate(-0%)\">"));
  EXPECT_TRUE(says(springs, "<span style=\"left:50%;transform:translate(-50%)\">0</span>"))
      << "of both signs";
  const std::string spins = page_of(preset("spin_waves"), 1).html;
  EXPECT_TRUE(says(spins,
                   "<figcaption>azimuth about e₃ [°]</figcaption><div>"
                   "<span style=\"left:0%;transform:translate(-0%)\">−180</span>"));
  EXPECT_TRUE(says(spins, "<figcaption>component along e₃</figcaption>"));
  const std::string zones = page_of(preset("conformal_particle"), 1).html;
  EXPECT_TRUE(says(zones,
                   "<figcaption>inertia m(q)/m</figcaption><div>"
                   "<span style=\"left:0%;transform:translate(-0%)\">1</span>"));
  EXPECT_FALSE(says(page_of(lasting(0.1), 10).html, "id=\"bars\"")) << "bodies without a quantity";
}

TEST(WebPage, HoldsOneBodyAndThousands) {
  const auto shapes = [](const std::string& system, const std::string& initial) {
    const Scenario scenario = value_of(read_scenario(
        R"({"twosphere": 1, "system": {)" + system + R"(}, "initial": {)" + initial +
            R"(}, "integrator": {"type": "rotation", "step": 0.001}, "duration": 0.002})",
        "test"));
    const WebPage page = page_of(scenario, 1);
    EXPECT_EQ(page.frames, 2u);
    return member(member(data_of(page), "lanes").items.at(0), "shapes").items.size();
  };
  EXPECT_EQ(shapes(R"("type": "n_body", "masses": 1)", R"("q": [[1, 0, 0]], "omega": [[0, 0, 1]])"),
            1u);
  EXPECT_EQ(shapes(R"("type": "lennard_jones", "masses": 1, "epsilon": 0.01, "sigma": "auto",
                      "cutoff": 0.1)",
                   R"("generator": {"type": "icosphere", "subdivisions": 4}, "velocity":
                      {"type": "two_vortices", "amplitude": 1, "separation": 30, "width": 15})"),
            2562u);
}

TEST(WebPage, MarksEventsAndHoldsRunsThatTurnRound) {
  Scenario scenario = lasting(0.4);
  scenario.events = {{.step = 10, .set = {{"system.gravity", 1.62}}},
                     {.step = 20, .reverse = true}};
  const Node data = data_of(page_of(scenario, 30));
  ASSERT_EQ(member(data, "events").items.size(), 2u);
  EXPECT_NEAR(member(data, "events").items[0].items.at(0).number, 0.1, 1e-12);
  EXPECT_NEAR(member(data, "events").items[1].items.at(0).number, 0.2, 1e-12);
  EXPECT_EQ(member(data, "segments").items.size(), 2u);
}

TEST(WebPage, RefusesFramesThatAreTooLarge) {
  Simulation run = start(preset("lennard_jones"));
  PageRows rows(1);
  rows.add(run);
  const Snapshot end = snapshot(run);
  const Error error =
      error_of(web_page({.end = end,
                         .record = run.record(),
                         .markers = run.markers(),
                         .rows = rows,
                         .limits = {.frames = 4000, .bytes = 1000, .error = 1e-4}}));
  EXPECT_TRUE(says(error.message, "1 frame of 642 points"));
}

TEST(WebPage, HasTheLanesThatAreAskedFor) {
  Scenario scenario = preset("double_spherical_pendulum");
  for (const char* type : {"rk4", "rk45"}) {
    scenario.lanes.push_back(scenario.lanes.front());
    scenario.lanes.back().type = type;
    scenario.lanes.back().values = {};
    scenario.lanes.back().name = type;
  }
  const Node data = data_of(page_of(scenario, 30, {}, {0, 2}));
  const auto& lanes = member(data, "lanes").items;
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_EQ(member(lanes[1], "name").text, "Runge-Kutta 4(5)");
  EXPECT_EQ(member(lanes[1], "step").number, scenario.lanes[2].step);
  const auto& curves = member(data, "curves");
  const std::size_t quantities = member(curves, "quantities").items.size();
  ASSERT_EQ(member(curves, "origins").items.size(), 2 * quantities);
  const std::size_t others = member(curves, "low").items.size();
  ASSERT_EQ(member(curves, "step").items.size(), others);
  EXPECT_EQ(test::inflated(member(curves, "levels").text).size(),
            others * 31 * 3 * sizeof(std::uint16_t));
  EXPECT_EQ(test::inflated(member(curves, "errors").text).size(),
            (2 * quantities - others) * 31 * 3 * sizeof(float));
  const auto distances = test::unpacked_floats(member(curves, "distances").text, 31);
  ASSERT_EQ(distances.size(), 31u) << "of the second lane from the first";
  EXPECT_EQ(distances.front(), 0);
  EXPECT_GT(distances.back(), 0);
}

TEST(WebPage, HasTheStyleThatIsAskedFor) {
  const Scenario scenario = lasting(0.2);
  const Node plain = data_of(page_of(scenario, 20));
  EXPECT_EQ(member(plain, "trail").number, 4);
  EXPECT_FALSE(member(plain, "light").boolean);
  EXPECT_FALSE(member(plain, "split").boolean);
  EXPECT_EQ(member(plain, "shade").kind, json::Kind::null);
  EXPECT_EQ(member(plain, "ground").kind, json::Kind::object);
  const WebPage page = page_of(scenario, 20,
                               {.trail_span = 1.5,
                                .ground = false,
                                .palette = Palette::light,
                                .shade = Shade::speed,
                                .split = Split::lanes});
  EXPECT_TRUE(says(page.html, "<html lang=\"en\" class=\"light\">"));
  const Node data = data_of(page);
  EXPECT_EQ(member(data, "trail").number, 1.5);
  EXPECT_TRUE(member(data, "light").boolean);
  EXPECT_TRUE(member(data, "split").boolean);
  EXPECT_EQ(member(data, "ground").kind, json::Kind::null);
  EXPECT_EQ(test::inflated(member(member(data, "shade"), "values").text).size(), 2 * page.frames);
  const auto& shapes = member(member(data, "lanes").items.at(0), "shapes").items;
  EXPECT_EQ(member(shapes.at(1), "color").number, -2) << "by the speed of the second body";
}

TEST(WebPage, HasTheGapsThatCellsHave) {
  const Node pendulum = data_of(page_of(lasting(0.1), 10));
  const auto& gaps = member(member(pendulum, "lanes").items.at(0), "gaps").items;
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_LT(gaps[1].items.at(0).number, member(pendulum, "count").number);
  EXPECT_GT(gaps[1].items.at(1).number, 0);
  EXPECT_EQ(member(member(pendulum, "gap"), "few").number, few_gaps);
  const Node crowd = data_of(page_of(preset("lennard_jones"), 2));
  EXPECT_TRUE(member(member(crowd, "lanes").items.at(0), "gaps").items.empty()) << "642 bodies";
}

TEST(WebPage, TheEstimateOfItsSizeIsNotTooSmall) {
  for (const char* key : {"double_spherical_pendulum", "pendulum_network", "dipole_array"}) {
    const Scenario scenario = preset(key);
    Geometry geometry;
    const Simulation run = start(scenario);
    run.system()->geometry(scenario.q, geometry);
    const std::size_t quantities = csv_quantities(run.system_info()).size();
    EXPECT_LE(page_of(scenario, 60).html.size(), max_page_bytes(geometry, 1, 61, quantities))
        << key;
  }
  // Where the points have little room, the colours by value are most of it: a byte each.
  Geometry crowd;
  crowd.bodies.resize(1000);
  const PointLimits little{.frames = 4000, .bytes = 1000, .error = 1e-4};
  EXPECT_GE(max_page_bytes(crowd, 2, 5000, 8, little),
            max_page_bytes(crowd, 2, 1, 8, little) + std::size_t{2 * 1000 * 3999});
}

TEST(WebPage, IsTheSameTwice) {
  const Scenario scenario = lasting(0.2);
  EXPECT_EQ(page_of(scenario, 20).html, page_of(scenario, 20).html);
}

}  // namespace
}  // namespace twosphere::render::web_page_test
