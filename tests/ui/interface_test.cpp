// SPDX-License-Identifier: GPL-3.0-or-later
// The panels, driven by the mouse and the keyboard without a window.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/text.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/ui/desk.h"
#include "ui/fields/number_field.h"
#include "ui/plot/marker_group.h"
#include "ui/scene/scene_legend.h"
#include "ui/shell/style.h"

namespace twosphere::interface_test {
namespace {

using namespace ui;
using namespace ui_test;
using test::says;

/// The settings that the panels sent, one by one.
std::vector<Setting> changes(const Desk& desk) {
  std::vector<Setting> all;
  for (const Change& change : desk.recorder.all<Change>())
    all.insert(all.end(), change.settings.begin(), change.settings.end());
  return all;
}

/// The last change sets a path to a number or a word.
template <class Value>
void expect_changed(const Desk& desk, const char* path, const Value& value) {
  const Setting last = changes(desk).back();
  EXPECT_EQ(last.path, path);
  if constexpr (std::is_arithmetic_v<Value>)
    EXPECT_EQ(last.value.number, value) << path;
  else
    EXPECT_EQ(last.value.text, value) << path;
}

/// Pixels in which two pictures differ inside a rectangle.
int difference(const Picture& a, const Picture& b, const Rect& r) {
  int count = 0;
  for (int y = static_cast<int>(r.y); y < static_cast<int>(r.y + r.height); ++y)
    for (int x = static_cast<int>(r.x); x < static_cast<int>(r.x + r.width); ++x)
      count += a.at(x, y) != b.at(x, y);
  return count;
}

TEST(Interface, NamesItsWidgets) {
  DrawnDesk desk;
  for (const std::string& name :
       split("preset parameter/masses[0] parameter/masses[1] parameter/lengths[0] "
             "parameter/gravity parameter/control_torque[2] parameter/tip_force[0] "
             "integrator step rewind play step_forward speed progress plot/total_energy "
             "plot/energy_error plot/unit_length_error fit follow title time "
             "splitter/left splitter/right left right",
             ' ')) {
    ASSERT_TRUE(desk.has(name)) << name;
    const Rect r = desk.rect(name);
    EXPECT_GT(r.width, 0) << name;
    EXPECT_GT(r.height, 0) << name;
    EXPECT_GE(r.x, -4) << name;
    EXPECT_LE(r.x + r.width, 1284) << name;
    EXPECT_LE(r.y + r.height, 754) << name;
  }
  const Rect scene = desk.interface.scene();
  EXPECT_EQ(scene.x, 300);
  EXPECT_EQ(scene.width, 1280 - 300 - 380);
}

TEST(Presentation, HasItsPlotsBelowWhereTheViewIsHigherThanWide) {
  for (const bool wide : {true, false}) {
    Desk desk("double_spherical_pendulum", wide ? 1280.0F : 900.0F, wide ? 800.0F : 1200.0F);
    desk.run(10);
    desk.interface.set_presentation(true);
    desk.frames(3);
    const Rect scene = desk.interface.scene(), plots = desk.interface.widgets().at("right");
    if (wide) {
      EXPECT_NEAR(scene.width, 0.62F * 1280, 1);
      EXPECT_EQ(plots.x, scene.width);
    } else {
      EXPECT_NEAR(scene.height, 0.62F * 1200, 1);
      EXPECT_EQ(plots.y, scene.height);
      EXPECT_EQ(plots.width, 900);
    }
    EXPECT_EQ(desk.interface.plots().plots.size(), 2u);
    int in_sight = 0;
    for (const auto& [name, plot] : desk.interface.widgets())
      if (name.starts_with("plot/"))
        in_sight += plot.height > 90 && plot.y + plot.height <= (wide ? 800 : 1200);
    EXPECT_EQ(in_sight, 2) << "without scrolling";
    EXPECT_EQ(desk.interface.widgets().count("left"), 0u);
    desk.interface.set_presentation(false);
    desk.frames(3);
    EXPECT_EQ(desk.interface.widgets().count("left"), 1u);
    EXPECT_GT(desk.interface.plots().plots.size(), 2u);
  }
}

TEST(Presentation, GivesTitlesOfPlotsTheWholeWidth) {
  Desk desk("double_spherical_pendulum", 810, 506);
  desk.run(10);
  desk.frames(2);
  const std::string plot = "total_energy";
  const auto at = [&](const std::string& part) { return desk.interface.widgets().at(part + plot); };
  EXPECT_EQ(desk.interface.widgets().count("scale/" + plot), 1u);
  EXPECT_EQ(at("plot_title/").x, at("plot/").x);
  const float before = at("plot_title/").width;
  desk.interface.set_presentation(true);
  desk.frames(3);
  EXPECT_EQ(desk.interface.widgets().count("scale/" + plot), 0u);
  EXPECT_LT(at("plot_title/").x, at("plot/").x) << "above the labels of the axis, too";
  EXPECT_GT(at("plot_title/").width, before);
}

TEST(Interface, EveryParameterOfEverySystemHasAField) {
  for (const Preset& preset : presets()) {
    DrawnDesk desk(preset.key, 1280, 2400);
    if (desk.has("section/More")) desk.click("section/More");
    for (const ParameterInfo& p : desk.snapshot.system_info->parameters) {
      const bool list = p.shape == Shape::vector || p.shape == Shape::per_body ||
                        p.shape == Shape::points || p.shape == Shape::springs;
      const bool given = !desk.scenario.parameters.find(p.key)->second.empty();
      // Of positions and a lattice only one is given, and there may be no springs; no other lacks a
      // field for want of a value.
      EXPECT_TRUE(given || p.optional || p.shape == Shape::springs) << preset.key << ": " << p.key;
      // Of many bodies that are alike there is one field for all.
      const bool one = (p.shape == Shape::per_body || p.shape == Shape::points) &&
                       desk.snapshot.present->size() > 3 &&
                       !desk.has(fmt::format("parameter/{}[0]", p.key));
      const std::string name = "parameter/" + std::string(p.key) + (list && !one ? "[0]" : "");
      EXPECT_EQ(desk.has(name), given || p.shape == Shape::scalar) << preset.key << ": " << name;
    }
  }
}

/// The value of a system's parameter as the run has it.
const std::vector<double>& value(const Desk& desk, const char* key) {
  return desk.simulation->present().parameters.find(key)->second;
}

TEST(Interface, ManyBodiesAlikeHaveOneFieldUntilItIsOpened) {
  DrawnDesk desk("lennard_jones");
  ASSERT_TRUE(desk.has("parameter/masses"));
  EXPECT_FALSE(desk.has("parameter/masses[0]"));
  desk.enter("parameter/masses", "2");
  EXPECT_EQ(changes(desk).back().path, "system.masses");
  EXPECT_EQ(value(desk, "masses"), std::vector<double>(642, 2));
  desk.click("reset/masses");
  EXPECT_EQ(value(desk, "masses"),
            std::vector<double>(642, desk.scenario.parameters.at("masses")[0]));

  desk.click("parameter/masses/each");
  ASSERT_TRUE(desk.has("parameter/masses[0]"));
  EXPECT_FALSE(desk.has("parameter/masses"));
  desk.enter("parameter/masses[0]", "3");
  EXPECT_EQ(value(desk, "masses")[0], 3);
  EXPECT_NE(value(desk, "masses")[1], 3);
  // Not alike any more: nothing to close.
  EXPECT_FALSE(desk.has("parameter/masses/each"));
  desk.click("reset/masses[0]");
  desk.click("parameter/masses/each");
  EXPECT_TRUE(desk.has("parameter/masses"));
  // Two bodies have their fields at once.
  desk.load_and_draw("double_spherical_pendulum");
  EXPECT_TRUE(desk.has("parameter/masses[0]"));
}

TEST(Interface, ManyBodiesWithOneVectorHaveOneRowUntilItIsOpened) {
  DrawnDesk desk("tumbling_tops");
  const std::vector<double> loaded = value(desk, "moments");
  ASSERT_EQ(loaded.size(), 72U);
  ASSERT_TRUE(desk.has("parameter/moments"));
  EXPECT_FALSE(desk.has("parameter/moments[0]"));
  desk.enter("parameter/moments/e2", "2.5");
  desk.enter("parameter/moments", "1.5");
  EXPECT_EQ(changes(desk).back().path, "system.moments");
  for (std::size_t i = 0; i < loaded.size(); ++i)
    EXPECT_EQ(value(desk, "moments")[i], i % 3 == 0 ? 1.5 : i % 3 == 1 ? 2.5 : loaded[i]) << i;
  desk.click("reset/moments");
  EXPECT_EQ(value(desk, "moments"), loaded) << "all components at once";

  desk.click("parameter/moments/each");
  ASSERT_TRUE(desk.has("parameter/moments[0]"));
  desk.enter("parameter/moments[0]", "1.25");
  EXPECT_EQ(value(desk, "moments")[0], 1.25);
  EXPECT_EQ(value(desk, "moments")[3], loaded[3]);
  EXPECT_FALSE(desk.has("parameter/moments/each")) << "not alike any more: nothing to close";
  desk.click("reset/moments[0]");
  desk.click("parameter/moments/each");
  EXPECT_TRUE(desk.has("parameter/moments"));
}

TEST(Interface, RoundingInAStartIsShownAsZeroAndKept) {
  Desk desk;
  desk.frame();
  const ParameterInfo share{
      .key = "q", .symbol = "q", .label = "", .unit = "1", .help = "", .low = -1, .high = 1};
  const auto drawn = [&](double value, double rounding) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::Begin("numbers");
    NumberFields fields;
    fields.begin(0, 0, false);
    NumberField field{.path = "q", .value = value, .info = &share, .width = 120, .symbol = "q"};
    field.rounding = rounding;
    EXPECT_FALSE(fields.draw(field, colors(Palette::dark), 1)) << "nothing is sent";
    ImGui::End();
    ImGui::Render();
    return ImGui::GetDrawData()->TotalVtxCount;
  };
  drawn(0, 0);  // a window shows from its second frame on
  const int zero = drawn(0, 1e-15);
  EXPECT_EQ(drawn(-4.73e-17, 1e-15), zero);
  EXPECT_GT(drawn(-4.73e-17, 0), zero);
  EXPECT_GT(drawn(-4.73e-12, 1e-15), zero);
}

TEST(Interface, AFormOfAParameterHasFieldsOfItsOwn) {
  DrawnDesk desk("chain_pendulum");
  ASSERT_TRUE(desk.has("parameter/control_torque"));
  EXPECT_TRUE(desk.has("parameter/control_torque[0]"));
  desk.enter("parameter/control_torque[1]", "3");
  EXPECT_EQ(changes(desk).back().path, "system.control_torque[1]");
  desk.run(1);

  desk.choose("parameter/control_torque", "sine");
  desk.frames(2);
  EXPECT_EQ(changes(desk).back().path, "system.control_torque");
  EXPECT_EQ(value(desk, "control_torque"), (std::vector<double>{1, 0, 0, 0, 1, 0}));
  EXPECT_FALSE(desk.has("parameter/control_torque[0]"));
  desk.enter("parameter/control_torque.amplitude[2]", "4");
  desk.enter("parameter/control_torque.frequency", "0.5");
  desk.enter("parameter/control_torque.phase", "-1");
  EXPECT_EQ(changes(desk).back().path, "system.control_torque.phase");
  EXPECT_EQ(value(desk, "control_torque"), (std::vector<double>{1, 0, 0, 4, 0.5, -1}));

  desk.choose("parameter/control_torque", "pd");
  desk.frames(2);
  desk.enter("parameter/control_torque.target_q[0]", "0.25");
  desk.enter("parameter/control_torque.kp", "50");
  desk.enter("parameter/control_torque.kd", "6");
  EXPECT_EQ(changes(desk).back().path, "system.control_torque.kd");
  EXPECT_EQ(value(desk, "control_torque"), (std::vector<double>{2, 0.25, 0, -1, 50, 6}));
  EXPECT_FALSE(desk.has("pending")) << "all of it is live";
  // What is not allowed is refused in place.
  desk.enter("parameter/control_torque.kd", "-1");
  EXPECT_EQ(value(desk, "control_torque").back(), 6);
  desk.key(ImGuiKey_Escape);

  // Back to what was loaded.
  desk.click("reset/control_torque", 2);
  EXPECT_EQ(value(desk, "control_torque"), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_FALSE(desk.has("reset/control_torque"));
}

TEST(Interface, ChoosesByName) {
  DrawnDesk desk("elastic_rod");
  desk.click("section/More");
  EXPECT_TRUE(desk.has("mark/parameter/inertia"));
  desk.run(1);
  desk.choose("parameter/inertia", "consistent");
  ASSERT_EQ(changes(desk).size(), 1u);
  expect_changed(desk, "system.inertia", "consistent");
  EXPECT_EQ(value(desk, "inertia")[0], 0) << "waits for a rewind";
  EXPECT_TRUE(desk.has("pending"));
  desk.click("reset/inertia");
  EXPECT_EQ(changes(desk).back().value.text, "published");
  desk.frames(2);
  EXPECT_FALSE(desk.has("pending"));
  EXPECT_FALSE(desk.has("reset/inertia"));

  desk.load_and_draw("three_body");
  desk.choose("integrator", "rk4");
  desk.choose("integrator.formulation", "angular_momentum");
  expect_changed(desk, "integrator.formulation", "angular_momentum");
  EXPECT_EQ(desk.simulation->present().lanes[0].values.find("formulation")->second[0], 3);
}

TEST(Interface, EditsPointsSpringsAndALattice) {
  DrawnDesk desk("pendulum_network");
  desk.enter("parameter/springs[3]", "45");
  EXPECT_EQ(changes(desk).back().path, "system.springs[3].stiffness");
  EXPECT_EQ(value(desk, "springs")[11], 45);
  desk.enter("parameter/pivots[1]", "0.2");
  EXPECT_EQ(changes(desk).back().path, "system.pivots[1][0]");
  desk.enter("parameter/pivots[1][2]", "-0.3");
  EXPECT_EQ(changes(desk).back().path, "system.pivots[1][2]");
  EXPECT_EQ(value(desk, "pivots")[3], 0.2);
  EXPECT_EQ(value(desk, "pivots")[5], -0.3);
  desk.run(1);
  desk.enter("parameter/pivots[1]", "0.4");
  EXPECT_EQ(value(desk, "pivots")[3], 0.2) << "waits for a rewind";
  EXPECT_TRUE(desk.has("pending"));

  desk.load_and_draw("dipole_array");
  desk.enter("parameter/lattice", "0.03");
  EXPECT_EQ(changes(desk).back().path, "system.lattice.spacing");
  EXPECT_EQ(value(desk, "lattice"), (std::vector<double>{4, 4, 0.03}));
  desk.click("reset/lattice");
  EXPECT_EQ(value(desk, "lattice")[2], 0.024);
}

TEST(Interface, AnOptionalNumberThatHasNoWordForNoneIsTakenBack) {
  DrawnDesk desk("double_spherical_pendulum", 1280, 2400);
  desk.load(test::value_of(read_scenario(R"({"twosphere": 1,
      "system": {"type": "free_chain", "base_mass": 1, "masses": [1], "lengths": [1],
                 "gravity": 9.81},
      "initial": {"q": [[0, 0, 1]], "omega": [[0, 0, 0]]}, "integrator": {"type": "variational", "step": 0.01},
      "duration": 1})",
                                         "chain")));
  desk.frames(2);
  ASSERT_EQ(value(desk, "gravity").size(), 1u);
  desk.click("parameter/gravity/none");
  EXPECT_EQ(changes(desk).back().path, "system.gravity");
  EXPECT_EQ(changes(desk).back().value.kind, json::Kind::null);
}

TEST(Interface, GivesAnOptionalNumberAndTakesItBack) {
  DrawnDesk desk("lennard_jones");
  ASSERT_TRUE(value(desk, "cutoff").empty());
  EXPECT_FALSE(desk.has("parameter/cutoff/none"));
  desk.click("parameter/cutoff");
  EXPECT_EQ(changes(desk).back().path, "system.cutoff");
  ASSERT_EQ(value(desk, "cutoff").size(), 1u);
  EXPECT_EQ(value(desk, "cutoff")[0], 2) << "the widest that matters";
  desk.enter("parameter/cutoff", "0.5");
  EXPECT_EQ(value(desk, "cutoff")[0], 0.5);
  desk.click("parameter/cutoff/none");
  EXPECT_EQ(changes(desk).back().value.text, "none");
  EXPECT_TRUE(value(desk, "cutoff").empty());

  const double sigma = value(desk, "sigma")[0];
  desk.enter("parameter/sigma", "0.2");
  EXPECT_EQ(value(desk, "sigma")[0], 0.2);
  desk.click("parameter/sigma/auto");
  EXPECT_EQ(changes(desk).back().value.text, "auto");
  EXPECT_EQ(value(desk, "sigma")[0], sigma);
}

TEST(Interface, PlaysPausesStepsAndRewinds) {
  DrawnDesk desk;
  desk.click("play");
  ASSERT_EQ(desk.recorder.all<Play>().size(), 1u);
  EXPECT_EQ(desk.recorder.all<Pause>().size(), 0u);
  EXPECT_TRUE(desk.interface.animating());
  desk.click("play");
  EXPECT_EQ(desk.recorder.all<Pause>().size(), 1u);
  desk.click("step_forward");
  ASSERT_EQ(desk.recorder.all<TakeSteps>().size(), 1u);
  EXPECT_EQ(desk.recorder.all<TakeSteps>()[0].count, 1);
  desk.click("rewind");
  EXPECT_EQ(desk.recorder.all<Rewind>().size(), 1u);
}

// A step of many bodies takes long: the button does not wait for the one in progress.
TEST(Interface, ShowsWhatTheRunWasAskedBeforeItGetsThere) {
  Desk desk;
  desk.obedient = false;
  desk.snapshot.state = RunState::running;
  desk.frames(2);
  const Picture running = desk.picture();
  desk.asked_to_play = false;
  desk.frames(2);
  const Picture asked = desk.picture();
  EXPECT_GT(difference(running, asked, desk.rect("play")), 20);
  desk.snapshot.state = RunState::paused;
  desk.frames(2);
  EXPECT_EQ(difference(asked, desk.picture(), desk.rect("play")), 0);

  desk.snapshot.state = RunState::running;
  desk.click("play");
  EXPECT_EQ(desk.recorder.all<Play>().size(), 1u);
  EXPECT_EQ(desk.recorder.all<Pause>().size(), 0u) << "that was asked before";
}

TEST(Interface, ChoosesPresetIntegratorAndSpeed) {
  DrawnDesk desk;
  desk.choose("preset", "chain_pendulum");
  EXPECT_EQ(desk.recorder.presets, std::vector<std::string>{"chain_pendulum"});

  desk.click("integrator");
  desk.click("integrator/rk4");
  ASSERT_EQ(changes(desk).size(), 1u);
  expect_changed(desk, "integrator.type", "rk4");
  EXPECT_FALSE(desk.has("integrator/rk4")) << "the list is closed";
  // Those that need bodies without coupling are shown, but not to be had here.
  desk.choose("integrator", "rotation");
  EXPECT_EQ(changes(desk).size(), 1u);
  // The present one again changes nothing.
  desk.click("integrator/rk4");
  EXPECT_EQ(changes(desk).size(), 1u);

  desk.choose("speed", "fastest");
  ASSERT_EQ(desk.recorder.all<Pace>().size(), 1u);
  EXPECT_EQ(desk.recorder.all<Pace>()[0].pacing, Pacing::fastest);
  desk.choose("speed", "0.5");
  EXPECT_EQ(desk.recorder.all<Pace>()[1].factor, 0.5);
}

TEST(Interface, DragsAValue) {
  DrawnDesk desk;
  desk.drag("parameter/gravity", 40, 0);
  const auto sent = changes(desk);
  ASSERT_GE(sent.size(), 2u);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    EXPECT_EQ(sent[i].path, "system.gravity");
    EXPECT_NE(sent[i].value.number, i ? sent[i - 1].value.number : 9.81) << "sent unchanged";
  }
  // 25 m/s² over 400 px.
  EXPECT_NEAR(sent.back().value.number, 9.81 + 2.5, 0.02);
  EXPECT_EQ(desk.simulation->present().parameters.at("gravity")[0], sent.back().value.number);
  // Resting sends no more; far away it stops at the range's end.
  const auto count = changes(desk).size();
  desk.frames(20);
  EXPECT_EQ(changes(desk).size(), count);
  desk.drag("parameter/gravity", -900, 0);
  EXPECT_EQ(changes(desk).back().value.number, 0);
  // A mass goes by factors and stays positive.
  desk.drag("parameter/masses[1]", -900, 0);
  expect_changed(desk, "system.masses[1]", 0.01);
  desk.drag("step", 120, 0);
  EXPECT_EQ(changes(desk).back().path, "integrator.step");
  EXPECT_NEAR(changes(desk).back().value.number, 0.1, 1e-12);
}

/// The first and last marker of each mark, and how many it has.
using Marks = std::vector<std::array<std::size_t, 3>>;
Marks marks(const std::vector<RunMarker>& markers, double gap) {
  Marks all;
  for (const MarkerGroup& group : marker_groups(markers, gap))
    all.push_back({group.first, group.last, group.count});
  return all;
}

// Every value sent while the run continues is an event of its record.
TEST(Interface, AMinuteOfDraggingInARunIsAFewHundredEvents) {
  DrawnDesk desk;
  desk.run(10);
  desk.snapshot.state = RunState::running;
  desk.point("parameter/gravity");
  const ImVec2 from = ImGui::GetIO().MousePos;
  desk.press();
  constexpr int frames = 60 * 60;
  const Picture before = desk.picture();
  const Rect field = desk.rect("parameter/gravity");
  int followed = 0;
  for (int k = 1; k <= frames; ++k) {
    ASSERT_FALSE(desk.simulation->step().has_value());
    desk.point(from.x + 100 * std::sin(0.02f * static_cast<float>(k)), from.y);
    if (k % 600 == 300) followed += difference(before, desk.picture(), field) > 0;
  }
  EXPECT_EQ(followed, 6) << "the field shows where the mouse is";
  // The move to the last place comes together with the release.
  ImGui::GetIO().MousePos = {from.x + 40, from.y};
  desk.release();
  desk.frames(30);
  const auto sent = changes(desk);
  EXPECT_LE(sent.size(), 300u);
  EXPECT_GE(sent.size(), 200u) << "the run follows the mouse";
  for (std::size_t k = 1; k < sent.size(); ++k)
    EXPECT_NE(sent[k].value.number, sent[k - 1].value.number);
  EXPECT_NEAR(sent.back().value.number, 9.81 + 2.5, 0.02) << "of the release";
  EXPECT_EQ(desk.simulation->present().parameters.at("gravity")[0], sent.back().value.number);
  EXPECT_EQ(desk.simulation->record().events.size(), sent.size());
  // All of it is one mark, however closely it is seen.
  const std::vector<RunMarker>& markers = desk.simulation->markers();
  ASSERT_EQ(markers.size(), sent.size());
  for (const double gap : {desk.simulation->time(), 0.0})
    EXPECT_EQ(marks(markers, gap), (Marks{{0, markers.size() - 1, markers.size()}}));
}

TEST(Interface, EachDragIsOneMarkHoweverFastTheRunIs) {
  DrawnDesk desk;
  desk.snapshot.state = RunState::running;
  constexpr int moves = 40, faster = 16;
  const auto drag = [&](float direction) {
    desk.point("parameter/gravity");
    const ImVec2 from = ImGui::GetIO().MousePos;
    desk.press();
    for (int k = 1; k <= moves; ++k) {
      desk.point(from.x + direction * static_cast<float>(k), from.y);
      desk.run(faster * 100 / 60);  // steps of 0.01 s, 60 frames per second
    }
    desk.release();
    desk.run(faster * 100 / 60);
  };
  drag(1);
  const std::size_t first = desk.snapshot.markers.size();
  drag(-1);
  const std::vector<RunMarker>& markers = desk.snapshot.markers;
  ASSERT_GE(first, 3u);
  ASSERT_GE(markers.size(), first + 3);
  EXPECT_GT(markers[1].t - markers[0].t, 2) << "far apart";
  EXPECT_EQ(marks(markers, 0),
            (Marks{{0, first - 1, first}, {first, markers.size() - 1, markers.size() - first}}));
}

RunMarker change(double t, const char* path, std::optional<std::int64_t> since = {}) {
  return {.step = std::llround(10 * t), .t = t, .text = path, .paths = path, .since = since};
}

TEST(PlotTags, TheChangesOfAGestureAreOneMark) {
  // A torque by hand, of which now one and now two components change; a warning on the way.
  std::vector<RunMarker> markers{change(1, "torque[1]"),
                                 change(3, "torque[1], torque[2]", 10),
                                 {.step = 40, .t = 4, .text = "warning", .warning = true},
                                 change(5, "torque[1]", 10),
                                 change(7, "torque[1]"),
                                 change(9, "torque[1]", 70)};
  EXPECT_EQ(marks(markers, 0), (Marks{{0, 3, 3}, {2, 2, 1}, {4, 5, 2}}));
  // The way back: steps continue while the time falls.
  markers = {change(9, "gravity")};
  for (int k = 1; k < 4; ++k) {
    markers.push_back(change(9 - 2 * k, "gravity", markers[0].step));
    markers.back().step = markers[0].step + 20 * k;
  }
  EXPECT_EQ(marks(markers, 0), (Marks{{0, 3, 4}}));
  // Of the same step as a change of another value; without its beginning.
  markers = {change(1, "mass"), change(1, "gravity"), change(2, "gravity", 10),
             change(3, "gravity", 25), change(4, "gravity", 25)};
  EXPECT_EQ(marks(markers, 0), (Marks{{0, 0, 1}, {1, 2, 2}, {3, 4, 2}}));
}

TEST(PlotTags, ChangesOfOneSettingCloseTogetherAreOneMark) {
  const std::vector<RunMarker> markers{change(1, "system.gravity"),
                                       change(1.2, "system.gravity"),
                                       change(1.4, "system.gravity"),
                                       change(1.5, "duration"),
                                       change(1.6, "system.gravity"),
                                       change(3, "system.gravity"),
                                       {.step = 9, .t = 3.1, .text = "resumed"},
                                       {.step = 9, .t = 3.1, .text = "resumed"}};
  EXPECT_EQ(marks(markers, 0.25),
            (Marks{{0, 2, 3}, {3, 3, 1}, {4, 4, 1}, {5, 5, 1}, {6, 6, 1}, {7, 7, 1}}));
  EXPECT_EQ(marks(markers, 0).size(), markers.size());
}

TEST(Interface, TypesAValue) {
  DrawnDesk desk;
  desk.click("parameter/gravity", 1);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  desk.type("1.62");
  desk.key(ImGuiKey_Enter);
  ASSERT_EQ(changes(desk).size(), 1u);
  EXPECT_EQ(changes(desk)[0].value.number, 1.62);
  desk.frame();
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);

  // Escape leaves it; a click elsewhere takes it.
  desk.click("parameter/gravity");
  desk.type("3");
  desk.key(ImGuiKey_Escape, 2);
  EXPECT_EQ(changes(desk).size(), 1u);
  desk.click("parameter/gravity");
  desk.type("3,7");
  desk.point(640, 300);
  desk.press();
  desk.release();
  ASSERT_EQ(changes(desk).size(), 2u);
  EXPECT_EQ(changes(desk)[1].value.number, 3.7);

  // Tab continues to the next field.
  desk.click("parameter/masses[0]");
  desk.type("5");
  desk.key(ImGuiKey_Tab, 2);
  ASSERT_EQ(changes(desk).size(), 3u);
  EXPECT_EQ(changes(desk)[2].path, "system.masses[0]");
  EXPECT_EQ(changes(desk)[2].value.number, 5);
  desk.type("7");
  desk.key(ImGuiKey_Enter);
  ASSERT_EQ(changes(desk).size(), 4u);
  EXPECT_EQ(changes(desk)[3].path, "system.masses[1]");
  EXPECT_EQ(changes(desk)[3].value.number, 7);
}

TEST(Interface, SaysWhyATypedValueIsRefused) {
  DrawnDesk desk;
  for (const char* wrong : {"-5", "abc", "0", "1e999"}) {
    desk.click("parameter/masses[0]");
    desk.type(wrong);
    EXPECT_FALSE(desk.has("refused_value"));
    desk.key(ImGuiKey_Enter, 2);
    EXPECT_EQ(changes(desk).size(), 0u) << wrong;
    ASSERT_TRUE(desk.has("refused_value")) << wrong;
    const Rect note = desk.rect("refused_value"), field = desk.rect("parameter/masses[0]");
    EXPECT_GE(note.y, field.y + field.height) << "hides the field";
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "it can be corrected at once";
    desk.key(ImGuiKey_Escape, 2);
    EXPECT_FALSE(desk.has("refused_value"));
  }
  desk.enter("parameter/masses[0]", "-5");
  desk.type("1 kg + 2/3 kg");
  desk.key(ImGuiKey_Enter, 2);
  ASSERT_EQ(changes(desk).size(), 1u);
  EXPECT_EQ(changes(desk)[0].value.number, 1 + 2.0 / 3);
  EXPECT_FALSE(desk.has("refused_value"));

  // Left with Tab it keeps its value, and the note stays for a while.
  desk.click("parameter/masses[0]");
  desk.type("-5");
  desk.key(ImGuiKey_Tab);
  desk.key(ImGuiKey_Escape);
  EXPECT_EQ(changes(desk).size(), 1u);
  EXPECT_TRUE(desk.has("refused_value"));
  EXPECT_TRUE(desk.interface.animating());
  desk.frames(7 * 60);
  EXPECT_FALSE(desk.has("refused_value"));
  EXPECT_FALSE(desk.interface.animating());
}

TEST(Interface, SaysWhereDraggingEnds) {
  DrawnDesk desk;
  const auto hold = [&](const char* field, float dx) {
    desk.point(field);
    const ImVec2 from = ImGui::GetIO().MousePos;
    desk.press();
    desk.point(from.x + dx / 2, from.y);
    desk.point(from.x + dx, from.y, 1);
    const bool said = desk.has("field_note");
    desk.release();
    return said;
  };
  EXPECT_FALSE(hold("parameter/gravity", 40));
  EXPECT_TRUE(hold("parameter/gravity", 900));
  EXPECT_EQ(changes(desk).back().value.number, 25);
  EXPECT_TRUE(hold("parameter/masses[0]", -900));
}

/// Fields of a unit vector and its angular velocity, against the values that a scenario file may
/// have.
void expect_on_sphere(const Scenario& s) {
  for (int i = 0; i < s.size(); ++i) {
    EXPECT_LT(unit_length_error(s.q.col(i)), 4e-16);
    EXPECT_LT(std::abs(s.q.col(i).dot(s.omega.col(i))), 1e-15 * (1 + s.omega.col(i).norm()));
  }
}

TEST(Interface, EditsTheStartOnTheSphere) {
  DrawnDesk desk;
  EXPECT_FALSE(desk.has("start/q[0][0]")) << "folded at first";
  desk.click("section/Start");
  const double speed = desk.simulation->present().omega.col(0).norm();
  desk.drag("start/q[0][1]", 60, 0);
  const Scenario moved = desk.simulation->present();
  EXPECT_NEAR(moved.q(1, 0), 0.3, 0.01) << "2 over 400 px";
  EXPECT_NEAR(moved.q(0, 0) / moved.q(2, 0), std::sqrt(3), 1e-12) << "the others keep their ratio";
  EXPECT_NEAR(moved.omega.col(0).norm(), speed, 1e-12) << "carried along";
  expect_on_sphere(moved);
  // Out and back in one drag leads to the same start.
  const Vec3 q = moved.q.col(0), w = moved.omega.col(0);
  desk.point("start/q[0][1]");
  const ImVec2 from = ImGui::GetIO().MousePos;
  desk.press();
  for (const float dx : {50.f, 150.f, 400.f, 100.f, 10.f, 0.f}) desk.point(from.x + dx, from.y);
  desk.release();
  EXPECT_LT((desk.simulation->present().q.col(0) - q).norm(), 1e-15);
  EXPECT_LT((desk.simulation->present().omega.col(0) - w).norm(), 1e-15);

  desk.enter("start/omega[0][0]", "2");
  EXPECT_EQ(desk.simulation->present().omega(0, 0), 2);
  expect_on_sphere(desk.simulation->present());
  // The second body hangs straight down.
  const auto before = changes(desk).size();
  desk.enter("start/omega[1][2]", "1");
  EXPECT_EQ(changes(desk).size(), before);
  EXPECT_TRUE(desk.has("refused_value"));
  desk.enter("start/q[0][0]", "1.2");
  EXPECT_TRUE(desk.has("refused_value"));
  EXPECT_EQ(changes(desk).size(), before);
}

TEST(Interface, EditsTheStartOfABase) {
  DrawnDesk desk("drone_with_load", 1280, 2400);
  desk.click("section/Start");
  desk.enter("start/base.velocity[2]", "-3");
  ASSERT_TRUE(desk.simulation->present().base);
  EXPECT_EQ(desk.simulation->present().base->velocity, Vec3(0, 0, -3));
  desk.enter("start/base.position[0]", "2");
  EXPECT_EQ(desk.simulation->present().base->position, Vec3(2, 0, 0));
  EXPECT_EQ(desk.simulation->present().base->velocity, Vec3(0, 0, -3));
}

TEST(Interface, HasNoBaseWhereNothingFlies) {
  DrawnDesk desk("tether_satellite", 1280, 2400);
  desk.click("section/Start");
  EXPECT_FALSE(desk.has("start/base.position[0]"));
}

TEST(Interface, EditsThePlacesOfAPath) {
  DrawnDesk desk("drone_with_load", 1280, 2400);
  desk.load(test::pulled_drone());
  desk.frames(2);
  if (desk.has("section/More")) desk.click("section/More");
  desk.click("parameter/thrust");
  desk.click("parameter/thrust/path");
  ASSERT_EQ(value(desk, "thrust").size(), 3u + 3 * 4);
  desk.enter("parameter/thrust.targets[1][3]", "-2");
  desk.enter("parameter/thrust.targets[2]", "12");
  EXPECT_EQ(value(desk, "thrust").at(3 + 7), -2);
  EXPECT_EQ(value(desk, "thrust").at(3 + 8), 12);
  desk.click("parameter/thrust/add_place");
  std::vector<double> path = value(desk, "thrust");
  ASSERT_EQ(path.size(), 3u + 4 * 4);
  EXPECT_EQ(path[3 + 12], 12 + (12 - path[3 + 4])) << "as long after it";
  for (std::size_t axis = 1; axis < 4; ++axis) EXPECT_EQ(path[3 + 12 + axis], path[3 + 8 + axis]);
  EXPECT_TRUE(desk.has("parameter/thrust.targets[3]"));
  for (std::size_t left = 3; left > 0; --left) {
    desk.click("parameter/thrust/remove_place");
    path.resize(3 + 4 * left);
    EXPECT_EQ(value(desk, "thrust"), path);
  }
  EXPECT_FALSE(desk.has("parameter/thrust/remove_place")) << "one place stays";
  desk.click("parameter/thrust/add_place");
  EXPECT_EQ(value(desk, "thrust").at(3 + 4), path[3] + 5);
}

TEST(Interface, ShowsWhatWaitsForARewind) {
  DrawnDesk desk("double_spherical_pendulum", 1280, 900);
  desk.click("section/Start");
  EXPECT_TRUE(desk.has("mark/start/q[0][0]"));
  EXPECT_FALSE(desk.has("mark/parameter/gravity"));
  desk.run_and_draw(10);
  EXPECT_FALSE(desk.has("pending"));
  const Rect integrator = desk.rect("integrator");
  const Picture before = desk.picture();
  const Vec3 running = desk.simulation->present().q.col(1);
  desk.click("start/q[1][0]");
  desk.type("0.6");
  desk.key(ImGuiKey_Enter, 3);
  EXPECT_EQ(Vec3(desk.simulation->present().q.col(1)), running) << "the run has it already";
  EXPECT_EQ(desk.simulation->after_rewind().q(0, 1), 0.6);
  EXPECT_GT(difference(before, desk.picture(), desk.rect("start/q[1][0]")), 20);
  ASSERT_TRUE(desk.has("pending"));
  EXPECT_EQ(desk.rect("integrator").y, integrator.y) << "nothing is pushed away";
  EXPECT_GT(desk.rect("pending").y, integrator.y);
  ASSERT_TRUE(desk.has("reset/q[1][0]"));
  desk.click("pending/rewind");
  EXPECT_EQ(desk.recorder.all<Rewind>().size(), 1u);
  // What was loaded again: nothing waits any more.
  desk.click("reset/q[1][0]", 3);
  EXPECT_FALSE(desk.has("pending"));
}

TEST(Interface, EditsDurationAndSampling) {
  DrawnDesk desk("double_spherical_pendulum", 1280, 900);
  desk.drag("run/duration", -120, 0);
  EXPECT_EQ(changes(desk).back().path, "duration");
  EXPECT_NEAR(changes(desk).back().value.number, 10, 1e-9);
  desk.enter("run/every", "2.5");
  EXPECT_TRUE(desk.has("refused_value"));
  desk.type("20");
  desk.key(ImGuiKey_Enter, 2);
  EXPECT_EQ(changes(desk).back().path, "every");
  EXPECT_EQ(desk.simulation->stride(), 20);
  desk.run(5);
  desk.drag("run/every", 40, 0);
  EXPECT_EQ(desk.simulation->stride(), 20);
  EXPECT_TRUE(desk.has("pending"));
  desk.click("reset/duration");
  EXPECT_EQ(desk.simulation->present().duration, 100);
}

TEST(Interface, ResetsTheStepAndATolerance) {
  DrawnDesk desk;
  desk.drag("step", -60, 0);
  desk.click("reset/step");
  expect_changed(desk, "integrator.step", 0.01);
  desk.choose("integrator", "rk45");
  desk.frames(2);
  EXPECT_FALSE(desk.has("reset/integrator.relative_tolerance"));
  desk.drag("integrator.relative_tolerance", -120, 0);
  EXPECT_NEAR(changes(desk).back().value.number, 1e-5, 1e-10);
  desk.click("reset/integrator.relative_tolerance");
  EXPECT_EQ(changes(desk).back().value.number, 1e-4) << "as the paper has it for this preset";
}

TEST(Interface, ShowsTheEditedValueUntilTheRunHasIt) {
  Desk desk;
  desk.obedient = false;
  desk.frames(2);
  const Rect field = desk.rect("parameter/gravity");
  const Picture before = desk.picture();
  desk.drag("parameter/gravity", 40, 0);
  desk.point(640, 300);
  const Picture after = desk.picture();
  EXPECT_GT(difference(before, after, field), 0) << "flickered back";
  EXPECT_TRUE(desk.interface.animating());
  desk.frames(90);
  EXPECT_EQ(difference(before, desk.picture(), field), 0) << "the run never took it";
  EXPECT_FALSE(desk.interface.animating());
}

TEST(Interface, AFormOfOneVectorIsNamedOnce) {
  DrawnDesk desk;
  const Rect form = desk.rect("parameter/tip_force"), vector = desk.rect("parameter/tip_force[0]"),
             torque = desk.rect("parameter/control_torque"),
             by_hand = desk.rect("parameter/control_torque[0]");
  const float row = form.height;
  EXPECT_LT(vector.y - (form.y + form.height), row / 2) << "no row of text between";
  EXPECT_GT(by_hand.y - (torque.y + torque.height), row / 2) << "that has the button By hand";
}

TEST(Interface, ResetsAValueToWhatWasLoaded) {
  DrawnDesk desk;
  EXPECT_FALSE(desk.has("reset/gravity"));
  desk.drag("parameter/gravity", 40, 0);
  desk.drag("parameter/tip_force[1]", 40, 0);
  desk.click("reset/gravity");
  expect_changed(desk, "system.gravity", 9.81);
  desk.click("reset/tip_force[0]");
  expect_changed(desk, "system.tip_force[1]", 0);
  desk.frame();
  EXPECT_FALSE(desk.has("reset/gravity"));
}

TEST(Interface, AFailedStepOffersHelp) {
  Desk desk;
  desk.snapshot.state = RunState::failed;
  StepFailure failure;
  failure.step = 12;
  failure.message = "Body 2 would turn a quarter turn or more in one step.";
  desk.snapshot.failure = failure;
  // Frames only for as long as the interface asks: the card must be drawn then.
  desk.frames(10);
  desk.snapshot.failure.reset();
  desk.frames(10);
  desk.snapshot.failure = failure;
  const Picture before = desk.picture();
  do desk.frame();
  while (desk.interface.animating());
  EXPECT_GT(difference(before, desk.picture(), desk.rect("failure")), 1000);
  const Rect card = desk.rect("failure"), scene = desk.interface.scene();
  EXPECT_GE(card.x, scene.x);
  EXPECT_LE(card.x + card.width, scene.x + scene.width);
  desk.click("halve_step");
  ASSERT_EQ(changes(desk).size(), 1u);
  expect_changed(desk, "integrator.step", 0.005);
  EXPECT_EQ(desk.recorder.all<Play>().size(), 1u);

  desk.snapshot.state = RunState::failed;
  desk.frames(3);
  EXPECT_FALSE(desk.has("failure/undo")) << "nothing was changed there";
  desk.click("failure/rk45");
  ASSERT_EQ(changes(desk).size(), 2u);
  EXPECT_EQ(changes(desk)[1].path, "integrator.type");
  EXPECT_EQ(changes(desk)[1].value.text, "rk45");
  EXPECT_EQ(desk.recorder.all<Play>().size(), 2u);

  desk.snapshot.state = RunState::failed;
  desk.frames(3);
  EXPECT_FALSE(desk.has("failure/rk45")) << "it is adaptive already";
  desk.click("failure/rewind");
  EXPECT_EQ(desk.recorder.all<Rewind>().size(), 1u);
  desk.snapshot.state = RunState::failed;
  desk.frames(3);
  ASSERT_TRUE(desk.has("failure"));
  desk.click("failure/close");
  EXPECT_FALSE(desk.has("failure"));
  ++desk.snapshot.commands;  // tried again
  desk.frames(3);
  EXPECT_TRUE(desk.has("failure"));

  desk.snapshot.error = Error{ErrorKind::usage, "system.masses[1]", "must be positive"};
  desk.snapshot.error_count = 1;
  desk.frames(3);
  ASSERT_TRUE(desk.has("error"));
  desk.click("error/close");
  EXPECT_FALSE(desk.has("error"));
}

// Where a body was moved onto another, the run cannot continue before it is moved away.
TEST(Interface, ARefusedStepOffersToUndoAChangeBeforeIt) {
  Desk desk;
  const auto changed_at = [&](std::int64_t step, const char* path) {
    Scenario record = *desk.snapshot.record;
    record.events = {{step, {{SettingPath(path), json::Node(1.0)}}}};
    desk.snapshot.record = std::make_shared<const Scenario>(std::move(record));
  };
  desk.run(11);
  desk.snapshot.state = RunState::failed;
  desk.snapshot.failure = StepFailure{0, {}, 12, 0.11, "refused"};
  const auto offers = [&](std::int64_t step, const char* path) {
    changed_at(step, path);
    desk.frames(3);
    return desk.has("failure/undo");
  };
  EXPECT_FALSE(offers(10, "state.q[1]"));
  EXPECT_FALSE(offers(11, "every"));
  EXPECT_TRUE(offers(11, "system.gravity"));
  ASSERT_TRUE(offers(11, "state.q[1]"));
  const Rect card = desk.rect("failure");
  for (const char* button :
       {"failure/undo", "halve_step", "failure/rk45", "failure/rewind", "failure/close"})
    EXPECT_LE(desk.rect(button).x + desk.rect(button).width, card.x + card.width) << button;
  desk.click("failure/undo");
  ASSERT_EQ(desk.recorder.actions.size(), 1u);
  EXPECT_EQ(desk.recorder.actions[0], Action::undo);
}

TEST(Interface, AWarningSaysWhatCanBeDoneFromTheLastGoodRow) {
  Desk desk;
  desk.snapshot.warnings = {Warning{.step = 12,
                                    .t = 0.12,
                                    .last_good_step = 10,
                                    .value = 7,
                                    .scale = 1.6,
                                    .remedy = find_integrator("rk45")}};
  desk.frames(10);
  const Rect card = desk.rect("warning"), scene = desk.interface.scene();
  EXPECT_GE(card.x, scene.x);
  EXPECT_LE(card.x + card.width, scene.x + scene.width);
  for (const char* button :
       {"warning/step_back", "warning/halve_step", "warning/rk45", "warning/close"})
    EXPECT_LE(desk.rect(button).x + desk.rect(button).width, card.x + card.width) << button;
  desk.click("warning/step_back");
  ASSERT_EQ(desk.recorder.shown.size(), 1u);
  EXPECT_EQ(desk.recorder.shown[0], 10);
  EXPECT_TRUE(changes(desk).empty());
  desk.click("warning/halve_step");
  ASSERT_EQ(desk.recorder.shown.size(), 2u);
  EXPECT_EQ(desk.recorder.shown[1], 10) << "before the change, which begins another run there";
  ASSERT_EQ(changes(desk).size(), 1u);
  expect_changed(desk, "integrator.step", 0.005);
  EXPECT_TRUE(desk.recorder.all<Play>().empty()) << "the run continues or stands as it did";
  desk.snapshot.state = RunState::finished;
  desk.frames(3);
  desk.click("warning/rk45");
  EXPECT_EQ(desk.recorder.all<Play>().size(), 1u);
  ASSERT_EQ(changes(desk).size(), 2u);
  EXPECT_EQ(changes(desk)[1].path, "integrator.type");
  EXPECT_EQ(changes(desk)[1].value.text, "rk45");
  desk.click("warning/close");
  EXPECT_FALSE(desk.has("warning"));
  // Another lane's is shown; so are those of another run.
  desk.snapshot.warnings.push_back(desk.snapshot.warnings[0]);
  desk.frames(3);
  EXPECT_TRUE(desk.has("warning"));
  desk.click("warning/close");
  EXPECT_FALSE(desk.has("warning"));
  ++desk.snapshot.generation;
  desk.frames(3);
  EXPECT_TRUE(desk.has("warning"));
  desk.snapshot.warnings[0].adaptive = true;
  desk.snapshot.warnings[0].remedy = nullptr;
  desk.snapshot.warnings[0].last_good_step = 12;  // the first row
  desk.frames(3);
  EXPECT_FALSE(desk.has("warning/rk45"));
  EXPECT_FALSE(desk.has("warning/step_back"));
}

TEST(Interface, AWarningOfAWayBackSaysSoAndNothingTwice) {
  SpokenDesk desk;
  desk.snapshot.warnings = {
      Warning{.step = 12, .t = 0.08, .value = 7, .scale = 1.6, .remedy = find_integrator("rk45")}};
  const auto card = [&]() -> SpokenWidget {
    desk.frames(3);
    return desk.spoken("warning");
  };
  EXPECT_EQ(card().name, "Variational (VI): results are not meaningful after t = 0.08 s");
  EXPECT_FALSE(says(card().value, "meaningful"));
  EXPECT_TRUE(says(card().value, "Try Runge-Kutta 4(5) or a smaller step"));
  auto record = *desk.snapshot.record;
  record.events = {{.step = 10, .reverse = true}};
  desk.snapshot.record = std::make_shared<const Scenario>(record);
  EXPECT_TRUE(card().name.ends_with("after t = 0.08 s, on the way back")) << card().name;
  // A saved state may be of a way back: the record begins there, and its reversal ends that.
  const auto resumed = [&](const std::vector<Event>& events) {
    record.continuation.emplace().reversed = true;
    record.events = events;
    desk.snapshot.record = std::make_shared<const Scenario>(record);
  };
  resumed({});
  EXPECT_TRUE(card().name.ends_with("on the way back")) << card().name;
  resumed({{.step = 10, .reverse = true}});
  EXPECT_TRUE(card().name.ends_with("after t = 0.08 s")) << card().name;
}

// Of a method that solves its equations by sweeps, beside pair rotation, which takes any step.
TEST(Interface, AStepThatANewLaneMayRefuseIsSaidBeforeItIsAdded) {
  Desk desk("vortex_clusters", 1280, 1600);
  desk.frames(3);
  EXPECT_FALSE(desk.has("coarse_next_lane")) << "its rates are not known";
  desk.snapshot.fastest_rate = 300;
  desk.frames(3);
  EXPECT_TRUE(desk.has("coarse_next_lane"));
  desk.snapshot.fastest_rate = 1;
  desk.frames(3);
  EXPECT_FALSE(desk.has("coarse_next_lane"));
}

TEST(Interface, AStepThatIsTooCoarseIsSaidBesideItsFieldAndOnACard) {
  Desk desk;
  desk.frames(3);
  EXPECT_FALSE(desk.has("coarse"));
  EXPECT_FALSE(desk.has("coarse_step"));
  const double step = desk.snapshot.present->lanes[0].step;
  CoarseStep coarse{CoarseStep::Cause::rate, step, step / 8};
  desk.snapshot.coarse_steps = {{coarse}};
  desk.frames(10);
  ASSERT_TRUE(desk.has("coarse"));
  EXPECT_TRUE(desk.has("coarse_step"));
  desk.click("coarse/halve_step");
  ASSERT_EQ(changes(desk).size(), 1u);
  expect_changed(desk, "integrator.step", step / 2);
  coarse.step = step / 2;
  desk.snapshot.coarse_steps = {{coarse}};
  desk.frames(3);
  desk.click("coarse/close");
  EXPECT_FALSE(desk.has("coarse"));
  // Other numbers of what is known already; then another respect.
  desk.snapshot.coarse_steps[0][0].resolving /= 2;
  desk.frames(3);
  EXPECT_FALSE(desk.has("coarse"));
  EXPECT_TRUE(desk.has("coarse_step"));
  desk.snapshot.coarse_steps[0].push_back({CoarseStep::Cause::damping, coarse.step, step / 9});
  desk.frames(3);
  EXPECT_TRUE(desk.has("coarse"));
  EXPECT_TRUE(desk.has("coarse_damping"));
  desk.click("coarse/close");
  // Fine for a while.
  desk.snapshot.coarse_steps = {{}};
  desk.frames(3);
  EXPECT_FALSE(desk.has("coarse_step"));
  desk.snapshot.coarse_steps = {{coarse}};
  desk.frames(3);
  EXPECT_TRUE(desk.has("coarse"));
}

TEST(Interface, SetsStopConditions) {
  DrawnDesk desk("double_spherical_pendulum", 1280, 900);
  const auto stop = [&] { return desk.simulation->present().stop; };
  desk.click("stop/guard");
  ASSERT_EQ(stop().size(), 1u);
  EXPECT_EQ(changes(desk).back().path, "stop");
  // A decade about a thousandth of 72 J.
  EXPECT_EQ(stop()[0], (StopCondition{Quantity::energy_error, true, 0.1}));
  EXPECT_FALSE(desk.has("stop/guard")) << "one is enough";
  desk.drag("stop/0/value", -120, 0);
  EXPECT_NEAR(stop()[0].value, 0.01, 1e-9);

  desk.click("stop/add");
  ASSERT_EQ(stop().size(), 2u);
  EXPECT_FALSE(stop()[1].quantity.has_value());
  EXPECT_EQ(stop()[1].value, 100);
  desk.enter("stop/1/value", "0");
  EXPECT_TRUE(desk.has("refused_value"));
  desk.type("50");
  desk.key(ImGuiKey_Enter, 2);
  EXPECT_EQ(stop()[1].value, 50);
  EXPECT_FALSE(desk.has("stop/1/side")) << "a time has but one";

  desk.click("stop/1/quantity");
  ASSERT_TRUE(desk.has("stop/1/total_energy"));
  desk.speak(1);
  EXPECT_EQ(desk.described("stop/1/total_energy"), "E = T + V.");
  desk.interface.set_spoken(false);
  desk.click("stop/1/total_energy");
  ASSERT_EQ(stop()[1].quantity, Quantity::total_energy);
  EXPECT_TRUE(stop()[1].above);
  EXPECT_GT(stop()[1].value, desk.snapshot.lanes[0].sample[Quantity::total_energy]);
  desk.click("stop/1/side");
  EXPECT_FALSE(stop()[1].above);
  desk.click("stop/0/remove");
  ASSERT_EQ(stop().size(), 1u);
  EXPECT_EQ(stop()[0].quantity, Quantity::total_energy);
  desk.frame();
  EXPECT_TRUE(desk.has("stop/guard"));
}

TEST(Interface, StopsAtAnExpression) {
  DrawnDesk desk("double_spherical_pendulum", 1280, 900);
  const auto stop = [&] { return desk.simulation->present().stop; };
  desk.click("stop/add");
  desk.click("stop/0/quantity");
  desk.click("stop/0/expression", 2);
  ASSERT_EQ(stop().size(), 1u);
  EXPECT_EQ(stop()[0].expression, "e3.q[0]");
  const auto type = [&](const char* text) {
    desk.click("stop/0/text");
    desk.key(ImGuiKey_End);
    for (int k = 0; k < 40; ++k) desk.key(ImGuiKey_Backspace);
    desk.type(text);
    desk.key(ImGuiKey_Enter, 2);
  };
  type("lengths[0]*norm(v[0");
  EXPECT_EQ(stop()[0].expression, "e3.q[0]") << "a wrong one is refused";
  type("lengths[0]*e3.q[0]");
  EXPECT_EQ(stop()[0].expression, "lengths[0]*e3.q[0]");
  EXPECT_EQ(changes(desk).back().path, "stop");
  desk.enter("stop/0/value", "30 cm");
  EXPECT_EQ(stop()[0].value, 0.3) << "in the unit of the expression";
  desk.click("stop/0/side");
  EXPECT_FALSE(stop()[0].above);
  desk.click("stop/0/remove");
  EXPECT_TRUE(stop().empty());
}

TEST(Interface, SaysHowFarFromItsStartARunCameBack) {
  Desk desk;
  desk.run(20);
  desk.simulation->reverse();
  desk.run(20);
  desk.snapshot.start_distances = desk.simulation->start_distances();
  ASSERT_EQ(desk.snapshot.start_distances.size(), 1u);
  desk.frames(3);
  ASSERT_TRUE(desk.has("return"));
  desk.click("return/close");
  EXPECT_FALSE(desk.has("return"));
  // Not again, where it continues past the start; but another return is told while it runs.
  desk.run(5);
  desk.snapshot.state = RunState::running;
  desk.snapshot.start_distances = desk.simulation->start_distances();
  desk.frames(3);
  EXPECT_FALSE(desk.has("return"));
  desk.simulation->reverse();
  EXPECT_TRUE(desk.simulation->start_distances().empty());
  desk.run(10);
  desk.snapshot.start_distances = desk.simulation->start_distances();
  ASSERT_EQ(desk.snapshot.start_distances.size(), 1u) << "passed the other way";
  desk.snapshot.state = RunState::running;
  desk.frames(3);
  EXPECT_TRUE(desk.has("return"));
}

TEST(Interface, SaysThatChangesOnTheWayAreNotUndoneOnTheWayBack) {
  const auto told = [](const char* path, double value, bool pulled) {
    SpokenDesk desk;
    desk.run(10);
    if (pulled)
      EXPECT_TRUE(desk.simulation->pull({1, Vec3(3, 0, 0), 5}));
    else
      EXPECT_TRUE(desk.simulation->set({{path, json::Node(value)}}));
    desk.run(10);
    desk.simulation->reverse();
    for (int k = 0; k < 60 && desk.simulation->start_distances().empty(); ++k) desk.run(1);
    desk.snapshot.start_distances = desk.simulation->start_distances();
    desk.frames(3);
    return desk.spoken("return").value;
  };
  for (const std::string& text : {told("system.gravity", 3, false),
                                  told("integrator.step", 0.005, false), told("", 0, true)}) {
    EXPECT_TRUE(says(text, "changed or pulled on the way, first at 0.10"));
    EXPECT_FALSE(says(text, "Rounding"));
  }
  EXPECT_TRUE(says(told("duration", 50, false), "Rounding")) << "nothing moves by it";
}

TEST(Interface, SaysWhatStoppedTheRun) {
  Desk desk;
  desk.speak(2);
  desk.snapshot.state = RunState::stopped;
  desk.snapshot.stop_message = "variational: energy error above 0.001 J at step 12";
  desk.frames(5);
  ASSERT_TRUE(desk.has("stop"));
  const auto heading = [&] { return desk.spoken("stop").name; };
  EXPECT_EQ(heading(), "Stopped at the start");
  const Rect card = desk.rect("stop"), scene = desk.interface.scene();
  EXPECT_LT(card.x - scene.x, scene.x + scene.width - card.x - card.width) << "at the side";
  desk.click("stop/close");
  EXPECT_FALSE(desk.has("stop"));
  desk.run_and_draw(10, 3);
  ASSERT_TRUE(desk.has("stop")) << "another stop";
  EXPECT_EQ(heading(), "Stopped after step 10");
  desk.click("stop/go_on");
  EXPECT_EQ(desk.recorder.all<Play>().size(), 1u);
  EXPECT_FALSE(desk.has("stop"));
  desk.snapshot.state = RunState::stopped;
  desk.frames(3);
  desk.click("stop/halve_step");
  expect_changed(desk, "integrator.step", 0.005);
  EXPECT_EQ(desk.recorder.all<Play>().size(), 2u);
  // A time was reached: no step is to blame.
  (void)desk.simulation->set({{"stop", to_json({StopCondition{{}, true, 0.1}})}});
  desk.run(1);
  desk.snapshot.t = 0.1;
  desk.snapshot.state = RunState::stopped;
  desk.frames(3);
  EXPECT_TRUE(desk.has("stop/go_on"));
  EXPECT_FALSE(desk.has("stop/halve_step"));
}

TEST(Interface, CardsAreBelowTheScalesOfColours) {
  Desk desk;
  desk.legend.bars = {{"speed", "m/s", 0, 2, ColorMap::viridis}};
  desk.snapshot.state = RunState::stopped;
  desk.snapshot.stop_message = "variational: energy error above 0.001 J at step 12";
  desk.frames(5);
  const Rect scale = desk.rect("color_bar/0");
  EXPECT_GE(desk.rect("stop").y, scale.y + scale.height);
}

TEST(Interface, TheLegendIsBelowWhatIsSaidOfAFollowedFile) {
  Desk desk;
  desk.legend.sizes = "The size of a body shows its mass";
  desk.frames(3);
  const float alone = desk.rect("sizes").y;
  desk.snapshot.followed = FollowedFile{.path = "run.live"};
  desk.frames(3);
  const Rect said = desk.rect("followed");
  EXPECT_GE(desk.rect("sizes").y, said.y + said.height);
  EXPECT_GT(desk.rect("sizes").y, alone);
}

TEST(Interface, AnotherScenarioIsShownFromTheTopOfTheColumn) {
  Desk desk("double_spherical_pendulum", 1280, 500);
  desk.speak(3);
  const float top = desk.rect("section/System").y;
  desk.reveal("section/View", 4);
  ASSERT_LT(desk.rect("section/System").y, top);
  desk.load("three_body");
  desk.frames(3);
  EXPECT_EQ(desk.rect("section/System").y, top);
}

TEST(Interface, LaysItselfOut) {
  DrawnDesk desk;
  desk.drag("splitter/left", 50, 0);
  EXPECT_NEAR(desk.interface.settings().left_width, 350, 1);
  desk.drag("splitter/right", -40, 0);
  EXPECT_NEAR(desk.interface.settings().right_width, 420, 1);
  desk.frame();
  EXPECT_NEAR(desk.interface.scene().width, 1280 - 350 - 420, 2);
  EXPECT_TRUE(desk.interface.handle(Action::toggle_columns));
  desk.frame();
  EXPECT_EQ(desk.interface.scene().width, 1280);
  EXPECT_FALSE(desk.has("preset"));
  EXPECT_TRUE(desk.has("play"));
  EXPECT_TRUE(desk.handle(Action::reset_layout, 2));
  EXPECT_EQ(desk.interface.scene().width, 1280 - 300 - 380);
  EXPECT_FALSE(desk.interface.handle(Action::open_scenario));
  EXPECT_FALSE(desk.interface.handle(Action::play_pause));
}

TEST(Interface, WidePlotsInAWideWindow) {
  DrawnDesk desk("double_spherical_pendulum", 1920, 1034);
  EXPECT_EQ(desk.rect("left").width, 300);
  EXPECT_GT(desk.rect("right").width, 500);
  EXPECT_GT(desk.interface.scene().width, 900);
}

TEST(Interface, TheViewSectionSetsWhatTheSceneShows) {
  Desk desk("pendulum_network", 1280, 1400);
  desk.frames(3);
  Settings& s = desk.interface.settings();
  EXPECT_FALSE(desk.has("view/toggle_labels")) << "folded at first";
  desk.click("section/View");
  const std::pair<const char*, bool Settings::*> flags[] = {
      {"view/toggle_trail", &Settings::trail},         {"view/toggle_ground", &Settings::ground},
      {"view/toggle_graticule", &Settings::graticule}, {"view/toggle_inset", &Settings::inset},
      {"view/toggle_labels", &Settings::labels},       {"view/toggle_field", &Settings::field}};
  for (const auto& [name, flag] : flags) {
    const bool before = s.*flag;
    desk.click(name);
    EXPECT_NE(s.*flag, before) << name;
  }
  for (std::size_t i = 0; i < body_vector_count; ++i) {
    desk.click("view/" + std::string(info(arrow_action(static_cast<BodyVector>(i))).id));
    EXPECT_TRUE(s.arrows[i]);
  }
  desk.choose("view/colors", "kinetic_energy");
  EXPECT_EQ(s.shade, Shade::kinetic_energy);
  desk.choose("view/colors", "direction");
  EXPECT_EQ(s.shade, Shade::direction);
  desk.choose("view/color_axis", "e1");
  EXPECT_EQ(s.color_axis, 0);
  desk.choose("view/colors", "usual");
  EXPECT_FALSE(s.shade);
  desk.choose("view/color_map", "paper");
  EXPECT_EQ(s.color_map, ColorMap::paper);
  EXPECT_FALSE(desk.has("view/toggle_streamlines")) << "molecules are in no fluid";
  desk.choose("view/follow", "3");
  EXPECT_EQ(desk.interface.followed(), 2);
  desk.load_and_draw("three_body");
  EXPECT_EQ(desk.interface.followed(), 2);
  desk.load_and_draw("double_spherical_pendulum");
  EXPECT_EQ(desk.interface.followed(), -1) << "there is no third body";
  const double span = s.trail_span;
  desk.drag("view/trail_span", 60, 0);
  EXPECT_GT(s.trail_span, span);
}

TEST(Interface, TheViewPanelSetsTheLayerOfACubicLattice) {
  {
    DrawnDesk chain("domain_wall", 1280, 1400);
    chain.click("section/View");
    chain.frames(2);
    EXPECT_TRUE(chain.has("view/color_axis"));
    EXPECT_FALSE(chain.has("view/layer_axis"));
  }
  DrawnDesk desk("domain_wall", 1280, 1400);
  desk.load(test::value_of(read_scenario(R"({"twosphere": 1,
      "system": {"type": "spins", "lattice": {"type": "cubic", "size": [4, 5, 6]}},
      "initial": {"generator": {"type": "random", "seed": 3}},
      "integrator": {"type": "spherical_midpoint", "step": 0.1}, "duration": 1})",
                                         "spins")));
  desk.frames(2);
  desk.click("section/View");
  desk.frames(2);
  const std::optional<LatticeLayer>& layer = desk.interface.settings().layer;
  EXPECT_FALSE(layer);
  EXPECT_FALSE(desk.has("view/layer"));
  desk.choose("view/layer_axis", "e2");
  EXPECT_EQ(layer, (LatticeLayer{1, 2})) << "the middle one";
  desk.frames(30);  // so that the next press is no double click
  desk.drag("view/layer", 300, 0);
  EXPECT_EQ(layer, (LatticeLayer{1, 4}));
  desk.choose("view/layer_axis", "whole");
  EXPECT_FALSE(layer);
}

TEST(Interface, TheViewPanelSetsTheFrame) {
  DrawnDesk desk("relative_orbit", 1280, 1400);
  desk.click("section/View");
  std::optional<FrameChoice>& frame = desk.interface.settings().frame;
  frame.reset();
  desk.frames(2);
  EXPECT_FALSE(desk.has("view/frame_rate"));
  desk.choose("view/frame", "orbit");
  EXPECT_EQ(frame,
            (FrameChoice{.about = FrameChoice::Axis::orbit, .by = FrameChoice::Rate::orbit}));
  desk.choose("view/frame", "line0");
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->by, FrameChoice::Rate::line);
  desk.choose("view/frame", "own");
  EXPECT_EQ(frame, (FrameChoice{.rate = 1}));
  // Let go close to the rate of the orbit, 1.00303 rad/s, it takes that.
  frame->rate = 0.948;
  desk.drag("view/frame_rate", 8, 0);
  EXPECT_EQ(frame->rate, desk.scenario.orbit->rotation / desk.scenario.orbit->period);
  desk.frames(30);  // so that the next press is no double click
  desk.drag("view/frame_rate", 60, 0);
  EXPECT_GT(frame->rate, 1.05);
  desk.choose("view/frame_axis", "e1");
  EXPECT_EQ(frame->axis, Vec3::UnitX());
  desk.choose("view/frame_axis", "J");
  EXPECT_EQ(frame->about, FrameChoice::Axis::momentum);
  desk.choose("view/frame", "rest");
  EXPECT_FALSE(frame);
}

TEST(Interface, ActionsSetWhatTheSceneShows) {
  Interface interface;
  Settings& s = interface.settings();
  std::size_t of_colors = 0, of_arrows = 0;
  for (const ActionInfo& a : actions()) {
    const bool of_scene = a.submenu == "Colours" || a.submenu == "Arrows";
    if (!of_scene || a.action == Action::next_colors) continue;
    EXPECT_TRUE(interface.handle(a.action)) << a.id;
    EXPECT_EQ(interface.is_checked(a.action), true) << a.id;
    if (a.submenu == "Colours") {
      ++of_colors;
      continue;
    }
    EXPECT_TRUE(interface.handle(a.action)) << a.id;
    EXPECT_EQ(interface.is_checked(a.action), false) << a.id << " again";
    ++of_arrows;
  }
  EXPECT_EQ(of_arrows, body_vector_count);
  EXPECT_EQ(of_colors, 11U) << "automatic, seven quantities and three maps";
  s.shade.reset();
  std::set<std::optional<Shade>> seen;
  for (int i = 0; i < 7; ++i) {
    interface.handle(Action::next_colors);
    EXPECT_TRUE(seen.insert(s.shade).second) << "each once";
  }
  EXPECT_FALSE(s.shade) << "and what is usual again";
  for (const Action a : {Action::toggle_labels, Action::toggle_inset, Action::toggle_field,
                         Action::toggle_streamlines, Action::toggle_graticule}) {
    const auto before = interface.is_checked(a);
    interface.handle(a);
    EXPECT_NE(interface.is_checked(a), before);
  }
}

TEST(Interface, TheLegendSaysWhatColoursAndArrowsMean) {
  ImGui::CreateContext();
  prepare_context({600, 500}, 1);
  for (const Palette palette : palettes) {
    std::map<std::string, Rect> widgets;
    ImGui::NewFrame();
    Legend legend;
    legend.bars = {{"speed", "m/s", 0, 2, ColorMap::viridis},
                   {"spring tension", "N", -5, 5, ColorMap::diverging}};
    legend.arrows = {{BodyVector::torque, 0.5, {0xff0000}}};
    legend.sizes = "ball volume: mass";
    legend.labels = {{0, {100, 200}}, {1, {300, 250}}};
    legend.inset = {450, 350, 130, 130};
    draw_legend(legend, {0, 0, 600, 500}, palette, 1, &widgets);
    ImGui::Render();
    EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 600);
    for (const char* name :
         {"color_bar/0", "color_bar/1", "arrow_key/torque", "sizes", "body/1", "body/2", "inset"}) {
      ASSERT_TRUE(widgets.contains(name)) << name;
      const Rect& r = widgets[name];
      EXPECT_GE(r.x, 0);
      EXPECT_LE(r.x + r.width, 600) << name;
    }
    const auto below = [&](const char* lower, const char* upper) {
      return widgets[lower].y >= widgets[upper].y + widgets[upper].height;
    };
    // The scales lie side by side; they leave no room for the texts.
    EXPECT_GT(widgets["color_bar/1"].x, widgets["color_bar/0"].x + widgets["color_bar/0"].width);
    EXPECT_EQ(widgets["color_bar/1"].y, widgets["color_bar/0"].y);
    EXPECT_TRUE(below("arrow_key/torque", "color_bar/0"));
    EXPECT_TRUE(below("sizes", "arrow_key/torque"));

    // In a wide scene the texts are beside them.
    ImGui::NewFrame();
    draw_legend(legend, {0, 0, 1000, 500}, palette, 1, &widgets);
    ImGui::Render();
    EXPECT_EQ(widgets["arrow_key/torque"].y, widgets["color_bar/0"].y);
    EXPECT_LT(widgets["arrow_key/torque"].x + widgets["arrow_key/torque"].width,
              widgets["color_bar/0"].x);

    // In a narrow one they lie one below the other.
    ImGui::NewFrame();
    draw_legend(legend, {0, 0, 300, 500}, palette, 1, &widgets);
    ImGui::Render();
    EXPECT_TRUE(below("color_bar/1", "color_bar/0"));
    EXPECT_TRUE(below("arrow_key/torque", "color_bar/1"));
    for (const char* name : {"color_bar/0", "color_bar/1"}) {
      EXPECT_GE(widgets[name].x, 16);
      EXPECT_EQ(widgets[name].x + widgets[name].width, 300 - 16);
      EXPECT_LT(widgets[name].y + widgets[name].height, 0.4F * 500);
    }
  }
  ImGui::DestroyContext();
}

/// How much of the outline of a window of the last frame has this colour, from 0 to 1; 0 if there
/// is no such window.
double outlined(const Desk& desk, std::string_view window, Color edge, Color ground) {
  ImVec2 low{1e6f, 1e6f}, high{-1, -1};
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int l = 0; l < data.CmdListsCount; ++l) {
    if (!std::string_view(data.CmdLists[l]->_OwnerName).starts_with(window)) continue;
    for (const ImDrawVert& v : data.CmdLists[l]->VtxBuffer)
      if (v.col == im_color(ground)) {
        low = {std::min(low.x, v.pos.x), std::min(low.y, v.pos.y)};
        high = {std::max(high.x, v.pos.x), std::max(high.y, v.pos.y)};
      }
  }
  if (high.x < low.x) return 0;
  const int left = static_cast<int>(std::floor(low.x)), top = static_cast<int>(std::floor(low.y)),
            right = static_cast<int>(std::ceil(high.x)) - 1,
            bottom = static_cast<int>(std::ceil(high.y)) - 1;
  const Picture picture = desk.picture();
  constexpr int corner = 10;  // which is round
  int all = 0, found = 0;
  const auto look = [&](int x, int y) {
    ++all;
    found += picture.at(x, y) == edge.rgb;
  };
  for (int x = left + corner; x <= right - corner; ++x) look(x, top), look(x, bottom);
  for (int y = top + corner; y <= bottom - corner; ++y) look(left, y), look(right, y);
  return all > 0 ? static_cast<double>(found) / all : 0;
}

TEST(Interface, MenusListsAndCardsHaveAnEdge) {
  for (const Palette palette : palettes) {
    Desk desk;
    desk.interface.settings().palette = palette;
    desk.run_and_draw(2);
    const Colors& c = colors(palette);
    const auto look = [&](const char* what, std::string_view window) {
      desk.frames(3);
      EXPECT_GT(outlined(desk, window, c.edge, c.panel), 0.95)
          << what << ", palette " << static_cast<int>(palette);
    };
    // Fields that its end cuts have theirs.
    EXPECT_LT(outlined(desk, "left", c.edge, c.panel), 0.1) << "a column needs none";
    desk.interface.select(BodyId{0, 0});
    look("the card of a body", "body");
    StepCheck check;
    check.number = 1;
    desk.step_check = &check;
    look("a message", "check");
    desk.click("check/close");
    desk.click("integrator");
    look("a list", "##Combo");
    desk.key(ImGuiKey_Escape);
    desk.click("ready_plots");
    look("a menu", "##Popup");
    desk.key(ImGuiKey_Escape);
    desk.interface.handle(Action::key_map);
    look("the keys", "key map");
  }
}

TEST(Interface, SectionsFold) {
  DrawnDesk desk;
  desk.click("section/Parameters");
  EXPECT_FALSE(desk.has("parameter/gravity"));
  desk.click("section/Parameters");
  EXPECT_TRUE(desk.has("parameter/gravity"));
}

TEST(Interface, TheLeftColumnOpensWithWhatARunNeeds) {
  DrawnDesk desk("elastic_rod");
  for (const char* shown : {"preset", "parameter/gravity", "integrator", "run/duration"})
    EXPECT_TRUE(desk.has(shown)) << shown;
  for (const char* closed :
       {"about/help", "parameter/inertia", "start/q[0][0]", "stop/add", "view/colors"})
    EXPECT_FALSE(desk.has(closed)) << closed;
  desk.click("section/Run");
  desk.click("section/More");
  EXPECT_TRUE(desk.has("parameter/inertia")) << "after the first six";
  desk.load_and_draw("three_body");
  EXPECT_TRUE(desk.has("run/duration")) << "each preset has its own";
  EXPECT_FALSE(desk.has("section/More")) << "it has less than six";
  desk.load_and_draw("elastic_rod");
  EXPECT_FALSE(desk.has("run/duration")) << "as it was left";
  EXPECT_TRUE(desk.has("parameter/inertia"));
}

TEST(Interface, ShowsACheckOfTheStepUntilItIsClosed) {
  DrawnDesk desk;
  EXPECT_FALSE(desk.has("check"));
  StepCheck check{.number = 1, .steps = 200, .t = 2, .conservative = true, .lanes = {}};
  check.lanes.push_back({.integrator = "variational",
                         .step = 0.01,
                         .symplecticity = {},
                         .reversal = {},
                         .problem = {}});
  check.lanes.push_back(check.lanes[0]);
  desk.step_check = &check;
  desk.frames(3);
  ASSERT_TRUE(desk.has("check"));
  EXPECT_FALSE(desk.has("check/symplecticity[0]")) << "measuring";
  check.lanes[0].symplecticity = SymplecticityDefect{3.6e-13, 2.2e-12, 1e-3, 8, 8};
  check.lanes[0].symplecticity->many = {3e-11, 2e-10};
  check.lanes[0].symplecticity->verdict = Symplecticity::symplectic;
  check.lanes[0].reversal = ReversalError{2.4e-15, 2.2e-14, 100};
  check.lanes[0].done = true;
  check.lanes[1].problem = "a step of 2 s forth failed: body 1: it would turn too far";
  check.lanes[1].done = true;
  desk.frames(3);
  EXPECT_TRUE(desk.has("check/symplecticity[0]"));
  EXPECT_FALSE(desk.has("check/symplecticity[1]"));
  const Rect card = desk.rect("check"), scene = desk.interface.scene();
  EXPECT_GE(card.x, scene.x);
  EXPECT_LE(card.x + card.width, scene.x + scene.width);
  EXPECT_LE(card.y + card.height, scene.y + scene.height);
  desk.click("check/again");
  EXPECT_EQ(desk.recorder.actions.back(), Action::check_step);
  desk.recorder.actions.clear();
  desk.click("check_step");
  EXPECT_EQ(desk.recorder.actions, std::vector{Action::check_step}) << "in the integrator's panel";
  desk.click("check/close");
  EXPECT_FALSE(desk.has("check"));
  check.number = 2;
  desk.frames(2);
  EXPECT_TRUE(desk.has("check")) << "another check";
}

TEST(Interface, ShowsEveryKey) {
  DrawnDesk desk;
  EXPECT_FALSE(desk.has("key_map"));
  EXPECT_TRUE(desk.handle(Action::key_map, 2));
  ASSERT_TRUE(desk.has("key_map"));
  desk.key(ImGuiKey_Escape);
  EXPECT_FALSE(desk.has("key_map"));
  desk.handle(Action::key_map, 2);
  desk.point(5, 5);
  desk.press();
  desk.release();
  EXPECT_FALSE(desk.has("key_map"));
}

TEST(Interface, TheSceneKeepsTheMouse) {
  DrawnDesk desk;
  const Rect scene = desk.interface.scene();
  desk.point(scene.x + scene.width / 2, scene.y + scene.height / 2, 1);
  EXPECT_FALSE(ImGui::GetIO().WantCaptureMouse);
  desk.point("parameter/gravity", 1);
  EXPECT_TRUE(ImGui::GetIO().WantCaptureMouse);
}

/// Letters that stick out of what they are clipped to, sideways, in the last frame, which has some.
int clipped_letters(std::string& where) {
  const ImDrawData& data = *ImGui::GetDrawData();
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  int count = 0, seen = 0;
  for (int l = 0; l < data.CmdListsCount; ++l) {
    const ImDrawList& list = *data.CmdLists[l];
    for (const ImDrawCmd& command : list.CmdBuffer)
      for (unsigned i = 0; i < command.ElemCount; ++i) {
        const ImDrawVert& v = list.VtxBuffer[static_cast<int>(
            command.VtxOffset + list.IdxBuffer[static_cast<int>(command.IdxOffset + i)])];
        if (v.uv.x == white.x && v.uv.y == white.y) continue;
        ++seen;
        // Half a pixel for what a letter's smoothing adds.
        if (v.pos.x >= command.ClipRect.x - 0.5f && v.pos.x <= command.ClipRect.z + 0.5f) continue;
        ++count;
        where = std::string(list._OwnerName) + " at " + std::to_string(v.pos.x) + ", " +
                std::to_string(v.pos.y);
      }
  }
  EXPECT_GT(seen, 3000) << "corners of letters";
  return count;
}

/// Where the last frame shows a "…" in the colour of text.
std::string ellipses(const Desk& desk) {
  std::string where;
  int fonts = 0;
  const ImDrawData& data = *ImGui::GetDrawData();
  const ImU32 color = im_color(colors(desk.interface.settings().palette).text);
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    const ImFontGlyph* glyph = font->FindGlyphNoFallback(0x2026);
    if (!glyph) continue;
    ++fonts;
    for (int l = 0; l < data.CmdListsCount; ++l)
      for (const ImDrawVert& v : data.CmdLists[l]->VtxBuffer)
        if (v.uv.x == glyph->U0 && v.uv.y == glyph->V0 && v.col == color)
          where += fmt::format("{} at {}, {}\n", data.CmdLists[l]->_OwnerName, v.pos.x, v.pos.y);
  }
  EXPECT_GT(fonts, 0) << "that have a …";
  return where;
}

// What is chosen in lists, the scene's title and the cards of the page of presets take smaller
// letters or more lines where they have no room.
TEST(Interface, TitlesAndChoicesAreShownWhole) {
  for (const auto& [width, height] : {std::pair(1600.f, 954.f), {1280.f, 754.f}, {1024.f, 654.f}})
    for (const float scale : {1.f, 1.3f, 1.5f})
      for (const Preset& preset : presets()) {
        SCOPED_TRACE(fmt::format("{}: {} x {} at {}", preset.key, width, height, scale));
        DrawnDesk desk(preset.key, width, height, 1, scale);
        for (const char* folded : {"Parameters", "Run"})
          desk.click(fmt::format("section/{}", folded));
        desk.click("section/View");
        desk.interface.settings().plots.clear();
        desk.frames(2);
        const std::string all = ellipses(desk);
        EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 2)
            << "beside “System as text…” and “Add plot…”: " << all;
        const Rect title = desk.rect("title"), time = desk.rect("time");
        const Rect scene = desk.interface.scene();
        EXPECT_LE(title.x + title.width, scene.x + scene.width);
        EXPECT_LE(time.x + time.width, scene.x + scene.width);
        EXPECT_FALSE(overlap(title, time));
        desk.handle(Action::presets, 2);
        const std::string page = ellipses(desk);
        EXPECT_EQ(std::count(page.begin(), page.end(), '\n'), 1) << "beside “Open file…”: " << page;
      }
}

// Each stands above its own column, whole, and none runs into the next.
TEST(Interface, HeadingsOfTablesHaveRoomInTheirColumns) {
  int tables = 0;
  for (const float width : {1600.f, 1280.f, 1024.f})
    for (const float scale : {1.f, 1.3f, 1.5f})
      for (const Preset& preset : presets()) {
        SCOPED_TRACE(fmt::format("{}: {} at {}", preset.key, width, scale));
        DrawnDesk desk(preset.key, width, 4000, 1, scale);
        desk.click("section/Start");
        for (const ParameterInfo& p : desk.snapshot.system_info->parameters)
          if (const std::string arrow = fmt::format("parameter/{}/each", p.key); desk.has(arrow))
            desk.click(arrow);
        desk.point(1, 1, 2);
        std::map<float, std::vector<Rect>> rows;  // by their tops
        for (const auto& [name, place] : desk.interface.widgets())
          if (name.starts_with("column/")) rows[place.y].push_back(place);
        for (const auto& [top, columns] : rows) {
          ++tables;
          std::vector<int> letters(columns.size());
          const ImFontGlyph* cut = font(Face::small_text)->FindGlyphNoFallback(0x2026);
          ASSERT_TRUE(cut);
          const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
          const ImDrawData& data = *ImGui::GetDrawData();
          for (int l = 0; l < data.CmdListsCount; ++l) {
            if (std::string_view(data.CmdLists[l]->_OwnerName) != "left") continue;
            for (const ImDrawVert& v : data.CmdLists[l]->VtxBuffer) {
              if (v.pos.y < top || v.pos.y > top + columns[0].height ||
                  (v.uv.x == white.x && v.uv.y == white.y))
                continue;
              EXPECT_FALSE(v.uv.x == cut->U0 && v.uv.y == cut->V0) << "shortened at " << v.pos.x;
              bool inside = false;
              for (std::size_t i = 0; i < columns.size(); ++i)
                if (v.pos.x > columns[i].x - 0.5f &&
                    v.pos.x < columns[i].x + columns[i].width + 0.5f)
                  ++letters[i], inside = true;
              EXPECT_TRUE(inside) << "between columns at " << v.pos.x;
            }
          }
          for (const int corners : letters) EXPECT_GE(corners, 4);
        }
      }
  EXPECT_GE(tables, 50);
}

// With its unit: "Moment νᵢ", or "νᵢ" where "Moment" would be cut.
TEST(Interface, AHeadingIsTheSymbolWhereAWordHasNoRoom) {
  for (const auto& [width, scale, letters] :
       {std::tuple(1600.f, 1.f, 8 + 5), {1024.f, 1.5f, 2 + 5}}) {
    DrawnDesk desk("dipole_array", width, 654, 1, scale);
    for (const char* list : {"masses", "lengths", "moments"})
      desk.click(fmt::format("parameter/{}/each", list));
    desk.point(1, 1, 2);
    const Rect column = desk.rect("column/parameters[2]");
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    const ImDrawData& data = *ImGui::GetDrawData();
    int corners = 0;
    for (int l = 0; l < data.CmdListsCount; ++l)
      if (std::string_view(data.CmdLists[l]->_OwnerName) == "left")
        for (const ImDrawVert& v : data.CmdLists[l]->VtxBuffer)
          corners += v.pos.x > column.x && v.pos.x < column.x + column.width &&
                     v.pos.y > column.y && v.pos.y < column.y + column.height &&
                     (v.uv.x != white.x || v.uv.y != white.y);
    EXPECT_EQ(corners, 4 * letters) << width;
  }
}

// "Mass mᵢ" and "[kg]" in two lines.
TEST(Interface, ATableOfOneColumnHasItsUnit) {
  DrawnDesk desk("drone_with_load", 1280, 2400);
  float unit = 0, none = 0;
  for (const auto& [name, place] : desk.interface.widgets())
    if (name.starts_with("column/parameters")) unit = place.height;
  desk.load_and_draw("custom/lebwohl_lasher");
  for (const auto& [name, place] : desk.interface.widgets())
    if (name.starts_with("column/parameters")) none = place.height;
  EXPECT_GT(none, 0);
  EXPECT_NEAR(unit, 2 * none, 1);
}

// Beside the sizes of a lattice.
TEST(Interface, TheSpacingOfALatticeHasRoom) {
  for (const float scale : {1.f, 1.5f}) {
    DrawnDesk desk("skyrmion", 1280, 2400, 1, scale);
    EXPECT_GE(desk.rect("parameter/lattice").width, 56 * scale - 1);
    EXPECT_GE(desk.rect("parameter/exchange").y, desk.rect("parameter/lattice").y + 18 * scale);
  }
}

// k_p is drawn as k with an index.
TEST(Interface, AnIndexOfASymbolIsNotWrittenAfterALine) {
  DrawnDesk desk("inverted_double_pendulum", 1280, 2400);
  ASSERT_TRUE(desk.has("parameter/control_torque.kp"));
  for (const Face face : {Face::text, Face::small_text}) {
    const ImFontGlyph* line = font(face)->FindGlyph('_');
    for (const ImDrawVert& v : drawn_corners())
      EXPECT_FALSE(v.uv.x == line->U0 && v.uv.y == line->V0 && v.pos.x < 300) << v.pos.y;
  }
}

// Of a step that failed after a warning, and of a check of the step.
TEST(Interface, CardsFitNarrowScenes) {
  for (const auto& [width, height] : {std::pair(1600.f, 954.f), {1280.f, 754.f}, {1024.f, 654.f}})
    for (const float scale : {1.f, 1.3f, 1.5f}) {
      SCOPED_TRACE(fmt::format("{} x {} at {}", width, height, scale));
      Desk desk("double_spherical_pendulum", width, height, 1, scale);
      desk.run_and_draw(3);
      ImGui::GetStyle().AntiAliasedLinesUseTex = false;
      desk.snapshot.state = RunState::failed;
      desk.snapshot.failure = StepFailure{.report = {},
                                          .step = 4,
                                          .t = 0.03,
                                          .message =
                                              "rk4: step 4 from t = 0.03 s failed: body 1 of 2: "
                                              "a value is not finite. The last valid state is "
                                              "kept; try a step smaller than 0.02 s."};
      StepCheck check;
      check.number = 1;
      StepCheck::Lane& lane = check.lanes.emplace_back();
      lane.integrator = "variational";
      lane.step = 0.005;
      lane.done = true;
      const Rect scene = desk.interface.scene();
      const auto look = [&, bottom = height](const std::string& card,
                                             const std::vector<std::string>& buttons) {
        desk.frames(4);
        std::string where;
        EXPECT_EQ(clipped_letters(where), 0) << card << ": " << where;
        const Rect all = desk.rect(card);
        EXPECT_LE(all.y + all.height, bottom) << card;
        EXPECT_FALSE(overlap(all, desk.rect("time")));
        for (std::size_t i = 0; i < buttons.size(); ++i) {
          const Rect one = desk.rect(buttons[i]);
          EXPECT_GE(one.x, std::max(all.x, scene.x)) << buttons[i];
          EXPECT_LE(one.x + one.width, all.x + all.width) << buttons[i];
          EXPECT_LE(one.y + one.height, all.y + all.height) << buttons[i];
          for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(overlap(one, desk.rect(buttons[j]))) << buttons[i];
        }
      };
      look("failure", {"halve_step", "failure/rewind", "failure/close"});
      desk.step_check = &check;
      desk.click("failure/close");
      look("check", {"check/again", "check/close"});
    }
}

// Also where a screen of 1280 x 800 has two pixels in one.
TEST(Interface, CardsLeaveTheTransportFree) {
  Desk desk("double_spherical_pendulum", 608, 336, 2);
  desk.frames(2);
  const auto expect_in_scene = [&](const char* card) {
    desk.frames(5);
    const Rect all = desk.rect(card), scene = desk.interface.scene();
    EXPECT_GE(all.y, scene.y) << card;
    EXPECT_LE(all.y + all.height, scene.y + scene.height) << card;
    EXPECT_GT(all.height, 0.8F * scene.height) << card << ": all the room there is";
  };
  desk.select(BodyId{0, 0}, 2);
  expect_in_scene("body");
  desk.interface.select({});
  StepCheck check{.number = 1, .steps = 200, .t = 2, .conservative = true, .lanes = {}};
  for (int lane = 0; lane < 4; ++lane)
    check.lanes.push_back({.integrator = "rk4",
                           .step = 0.01,
                           .symplecticity = SymplecticityDefect{3.6e-13, 2.2e-12, 1e-3, 8, 8},
                           .reversal = ReversalError{2.4e-15, 2.2e-14, 100},
                           .problem = {}});
  desk.step_check = &check;
  expect_in_scene("check");
}

TEST(Interface, NoTextIsCut) {
  struct View {
    float width, height, ratio, scale;
  };
  for (const View v : {View{1280, 754, 1, 1}, View{1280, 754, 2, 1}, View{1920, 1034, 1, 1},
                       View{1920, 1034, 1, 1.5f}})
    for (const Preset& preset : presets()) {
      DrawnDesk desk(preset.key, v.width, v.height, v.ratio, v.scale);
      ImGui::GetStyle().AntiAliasedLinesUseTex = false;
      desk.snapshot.state = RunState::running;
      desk.snapshot.measured_factor = 123.45;
      const auto check = [&](const char* what) {
        desk.frames(2);
        std::string where;
        EXPECT_EQ(clipped_letters(where), 0)
            << what << ", " << preset.key << " at " << v.width << " × " << v.scale << ": " << where;
      };
      // Of systems with many settings the left column is longer than the window.
      const auto click = [&](const char* name) {
        desk.reveal(name, 2);
        desk.click(name);
      };
      check("empty");
      click("section/Stop when");
      click("stop/guard");
      click("stop/add");
      check("stop conditions");
      click("section/Start");
      check("start");
      const int steps = desk.scenario.size() > 100 ? 2 : 50;
      desk.run(steps);
      check("running");
      desk.interface.handle(Action::previous_body);
      click("section/About this system");
      check("about the system, numbers of a body");
      desk.key(ImGuiKey_Escape);
      click("section/About this system");
      desk.interface.handle(Action::presets);
      check("presets");
      desk.key(ImGuiKey_Escape);
      desk.frame();
      const json::Node target = json::Node::array({0.123456, -0.654321, -0.789}),
                       pd = json::Node::object({{"type", "pd"},
                                                {"target_q", target},
                                                {"kp", 1234.567},
                                                {"kd", 123.4567}});
      // Those that the system has.
      for (const Setting& setting :
           {Setting{"integrator.step", 1.234567e-5}, Setting{"system.control_torque[1]", -12.3456},
            Setting{"system.control_torque", pd}, Setting{"system.pivots[2][1]", -12.3456},
            Setting{"system.springs[1].stiffness", 1234.567},
            Setting{"system.clamp_direction[1]", -0.123456},
            Setting{"system.inertia", "consistent"}, Setting{"system.lattice.spacing", 0.01234567},
            Setting{"system.cutoff", 1.234567}})
        (void)desk.simulation->set({setting});
      desk.run(steps / 10);
      check("long numbers");
      click("integrator");
      check("list of integrators");
      desk.key(ImGuiKey_Escape);
      desk.interface.handle(Action::key_map);
      check("keys");
    }
}

// Windows of 1600 x 1000, 1280 x 800 and 1024 x 700 pixels less menus and status bar.
TEST(Interface, NothingVanishesOrOverlapsInNarrowWindowsAndLargerLetters) {
  for (const auto& [width, height] : {std::pair(1600.f, 954.f), {1280.f, 754.f}, {1024.f, 654.f}})
    for (const float scale : {1.f, 1.3f, 1.5f}) {
      SCOPED_TRACE(fmt::format("{} x {} at {}", width, height, scale));
      Desk desk("double_spherical_pendulum", width, height, 1, scale);
      desk.run_and_draw(3, 3);
      for (const char* folded : {"Parameters", "Integrator", "Run"})
        desk.click(fmt::format("section/{}", folded));
      desk.click("section/View");
      desk.interface.settings().plots.pop_back();
      desk.frames(3);
      const Rect line = desk.rect("progress"), scene = desk.interface.scene();
      EXPECT_GE(line.width, 80 * scale);
      EXPECT_GE(line.x, scene.x);
      EXPECT_LE(line.x + line.width, scene.x + scene.width);
      EXPECT_LE(line.y + line.height, height);
      const std::vector<std::string> transport{"rewind", "play", "step_forward", "speed"};
      for (const std::string& name : transport) {
        EXPECT_FALSE(overlap(desk.rect(name), line)) << name;
        EXPECT_LE(desk.rect(name).x + desk.rect(name).width, scene.x + scene.width + 1) << name;
        EXPECT_LE(desk.rect(name).y + desk.rect(name).height, height) << name;
      }
      const std::vector<std::string> header{"add_plot", "ready_plots",   "fit",
                                            "follow",   "default_plots", "plot/total_energy"};
      for (std::size_t i = 0; i < header.size(); ++i) {
        EXPECT_LE(desk.rect(header[i]).x + desk.rect(header[i]).width, width) << header[i];
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_FALSE(overlap(desk.rect(header[i]), desk.rect(header[j])))
              << header[i] << " and " << header[j];
      }
      const Rect left = desk.rect("left");
      for (std::size_t i = 0; i < body_vector_count; ++i) {
        const Action action = arrow_action(static_cast<BodyVector>(i));
        const Rect box = desk.rect(fmt::format("view/{}", info(action).id));
        EXPECT_LE(box.x + box.width, left.x + left.width - 4) << info(action).id;
      }
    }
}

TEST(Interface, TheLineOfTheRunCountsTime) {
  RunDesk desk(100);
  const auto done = [&desk] {
    return desk.rect("progress/done").width / desk.rect("progress").width;
  };
  EXPECT_NEAR(done(), 0.01, 0.003);
  // Ten times the step: the time continues as before, the steps that are left do not.
  ASSERT_TRUE(desk.simulation->set({{"integrator.step", 0.1}}));
  desk.run_and_draw(90);
  EXPECT_NEAR(desk.snapshot.t, 10, 1e-9);
  EXPECT_NEAR(done(), 0.1, 0.003);
  // Past its end the line is full, and the end goes along.
  ASSERT_TRUE(desk.simulation->set({{"duration", 10.05}}));
  desk.run_and_draw(1);
  EXPECT_GT(desk.snapshot.t, desk.snapshot.end_time);
  EXPECT_EQ(done(), 1);
  const float past = desk.rect("progress/time").width;
  EXPECT_NEAR(
      past,
      ImGui::GetIO()
          .Fonts->Fonts[3]
          ->CalcTextSizeA(ImGui::GetIO().Fonts->Fonts[3]->FontSize, FLT_MAX, 0, "of 10.100 s")
          .x,
      1);
}

TEST(Interface, EscClosesListsThenCardsThenTheBody) {
  RunDesk desk(2);
  StepCheck check;
  check.number = 1;
  desk.step_check = &check;
  desk.select(BodyId{0, 0}, 3);
  ASSERT_TRUE(desk.has("check"));
  ASSERT_TRUE(desk.has("body"));
  for (const auto& [list, item] : {std::pair("integrator", "integrator/rk4"),
                                   {"preset", "preset/chain_pendulum"},
                                   {"speed", "speed/fastest"}}) {
    desk.click(list);
    ASSERT_TRUE(desk.has(item));
    desk.key(ImGuiKey_Escape, 2);
    EXPECT_FALSE(desk.has(item)) << "the list is closed";
    EXPECT_TRUE(desk.has("check")) << "and nothing else";
  }
  EXPECT_TRUE(changes(desk).empty());
  desk.key(ImGuiKey_Escape, 2);
  EXPECT_FALSE(desk.has("check"));
  EXPECT_TRUE(desk.has("body"));
  desk.key(ImGuiKey_Escape, 2);
  EXPECT_FALSE(desk.has("body"));
}

TEST(Interface, TabGoesFromTheSceneToTheFirstField) {
  DrawnDesk desk;
  desk.key(ImGuiKey_Tab, 3);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  desk.type("7");
  desk.key(ImGuiKey_Enter, 2);
  ASSERT_EQ(changes(desk).size(), 1u);
  expect_changed(desk, "system.masses[0]", 7);
  // Tab continues from there, over the button that restores the value. A ring of the accent's
  // colour is around the field.
  desk.key(ImGuiKey_Tab);
  desk.key(ImGuiKey_Tab, 3);
  const Rect field = desk.rect("parameter/masses[1]");
  const Picture picture = desk.picture();
  const std::uint32_t accent = colors(Palette::dark).accent.rgb;
  int ring = 0;
  for (int x = static_cast<int>(field.x); x < static_cast<int>(field.x + field.width); ++x)
    for (int dy = -1; dy <= 1; ++dy)
      ring += picture.at(x, static_cast<int>(field.y) + dy) == accent;
  EXPECT_GT(ring, field.width / 2);
}

TEST(Interface, ALaneTakesWhatThePaperSetForThePreset) {
  DrawnDesk desk;
  ASSERT_TRUE(desk.handle(Action::add_lane, 2));
  const LaneSpec& added = desk.simulation->present().lanes.at(1);
  ASSERT_EQ(added.type, "rk45");
  EXPECT_EQ(added.values.at("relative_tolerance")[0], 1e-4);
  EXPECT_EQ(added.values.at("absolute_tolerance")[0], 1e-6);
  // By a swap of the method as well; where the paper says nothing, the method's own.
  for (const auto& [preset, tolerance] :
       {std::pair("double_spherical_pendulum", 1e-4), {"chain_pendulum", 1e-3}}) {
    desk.load_and_draw(preset);
    desk.choose("integrator", "rk45");
    const LaneSpec& swapped = desk.simulation->present().lanes.at(0);
    ASSERT_EQ(swapped.type, "rk45") << preset;
    EXPECT_EQ(swapped.values.at("relative_tolerance")[0], tolerance) << preset;
    EXPECT_FALSE(desk.has("reset/integrator.relative_tolerance")) << "nothing to go back to";
  }
}

TEST(Interface, ASmallViewKeepsTheTransportInSight) {
  for (const float ratio : {1.0f, 1.5f}) {
    DrawnDesk desk("double_spherical_pendulum", 853, 500, ratio);
    const ui::Rect scene = desk.interface.scene();
    for (const char* widget : {"rewind", "play", "step_forward", "speed"}) {
      const ui::Rect r = desk.rect(widget);
      EXPECT_GE(r.x, scene.x) << widget;
      EXPECT_LE(r.x + r.width, scene.x + scene.width) << widget;
    }
  }
}

TEST(Interface, FontsFallBackWithoutFiles) {
  Desk desk;
  // One font for all faces, as where a program loads its own.
  ImGui::GetIO().Fonts->Clear();
  ImGui::GetIO().Fonts->AddFontDefault();
  ImGui::GetIO().Fonts->Build();
  desk.frames(2);
  EXPECT_TRUE(desk.has("play"));
}

}  // namespace
}  // namespace twosphere::interface_test
