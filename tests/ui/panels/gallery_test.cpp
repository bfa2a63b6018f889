// SPDX-License-Identifier: GPL-3.0-or-later
// The page of presets and what the left column says about a system.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "core/studies/published.h"
#include "tests/outcome.h"
#include "tests/ui/desk.h"
#include "ui/panels/panels.h"
#include "ui/shell/preset_list.h"

namespace twosphere::gallery_test {
namespace {

using namespace ui;
using namespace ui_test;

std::string card(std::string_view key) { return "gallery/" + std::string(key); }

/// The presets in the order of the page.
std::vector<std::string> in_page_order() {
  std::vector<std::string> keys;
  for (const PresetRow& row : preset_rows())
    for (const std::size_t index : row.presets) keys.emplace_back(preset_entries()[index].key);
  return keys;
}

/// Whether a card lies wholly in the view.
bool in_sight(const Desk& desk, std::string_view key, float height) {
  const Rect r = desk.rect(card(key));
  return r.y >= 0 && r.y + r.height <= height;
}

void show(Desk& desk) {
  desk.frame();
  desk.handle(Action::presets, 4);
}

TEST(Gallery, HasEachPresetOnceInItsRows) {
  std::vector<std::string> rows = in_page_order(), all = preset_keys();
  std::sort(rows.begin(), rows.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(rows, all) << "resources/presets/page.json names each preset in one row";
  for (const PresetRow& row : preset_rows()) EXPECT_FALSE(row.title.empty());
  for (const PresetEntry& entry : preset_entries()) EXPECT_FALSE(entry.words.empty()) << entry.key;
}

TEST(Gallery, HasACardForEveryPreset) {
  Desk desk;
  desk.frame();
  EXPECT_FALSE(desk.has("gallery"));
  show(desk);
  EXPECT_TRUE(desk.interface.gallery_open());
  EXPECT_FALSE(desk.has("play")) << "nothing of what it covers takes the mouse";
  float row = 0;
  for (const std::string& key : in_page_order()) {
    ASSERT_TRUE(desk.has(card(key))) << key;
    const Rect r = desk.rect(card(key));
    EXPECT_EQ(r.width, 220) << key;
    EXPECT_LE(r.x + r.width, 1280) << key;
    EXPECT_GE(r.y, row) << key;
    row = r.y;
  }
  EXPECT_TRUE(in_sight(desk, in_page_order().front(), 754));
  EXPECT_GE(desk.rect("gallery/new_system").y, row) << "the last card";
}

TEST(Gallery, AClickOpensAPreset) {
  Desk desk;
  show(desk);
  desk.click("gallery/three_body");
  EXPECT_EQ(desk.recorder.presets, std::vector<std::string>{"three_body"});
  EXPECT_FALSE(desk.interface.gallery_open());
  desk.frame();
  EXPECT_TRUE(desk.has("play"));
}

TEST(Gallery, BeginsWithTheTours) {
  Desk desk;
  desk.interface.set_spoken(true);
  desk.handle(Action::tours, 4);
  ASSERT_TRUE(desk.interface.gallery_open());
  const Rect tour = desk.rect("gallery/tour/no_drift");
  EXPECT_LT(tour.y + tour.height, desk.rect(card(in_page_order().front())).y);
  EXPECT_LT(tour.height, 60) << "without a picture, so that the presets have their room";
  EXPECT_EQ(desk.spoken("gallery/tour/no_drift").value, "Tour of 4 minutes");
  desk.key(ImGuiKey_Enter);
  EXPECT_EQ(desk.recorder.guided,
            (std::vector<TourCall>{{.what = TourCall::What::begin, .name = "no_drift"}}))
      << "the first one is chosen";
  EXPECT_FALSE(desk.interface.gallery_open());

  show(desk);
  desk.type("magnets", 1);
  EXPECT_TRUE(desk.has("gallery/tour/magnets"));
  EXPECT_FALSE(desk.has("gallery/tour/no_drift"));
  desk.click("gallery/tour/magnets");
  EXPECT_EQ(desk.recorder.guided.back().name, "magnets");

  // By the words of the search, too.
  for (const auto& [typed, name] : {std::pair("chaos", "magnets"), {"drift", "no_drift"}}) {
    show(desk);
    desk.type(typed, 1);
    EXPECT_TRUE(desk.has(std::string("gallery/tour/") + name)) << typed;
    desk.key(ImGuiKey_Escape, 1);
    desk.key(ImGuiKey_Escape, 1);
  }
}

TEST(Gallery, IsWorkedByTheKeyboard) {
  const std::vector<std::string> order = in_page_order();
  Desk desk;
  show(desk);  // on the card of what is open, the first preset
  desk.key(ImGuiKey_RightArrow);
  desk.key(ImGuiKey_Enter);
  ASSERT_EQ(desk.recorder.presets, std::vector<std::string>{order[1]});
  EXPECT_FALSE(desk.interface.gallery_open());

  show(desk);
  desk.key(ImGuiKey_End);
  desk.key(ImGuiKey_RightArrow);
  desk.key(ImGuiKey_Enter);
  EXPECT_EQ(desk.recorder.actions, std::vector<Action>{Action::new_system})
      << "there is no card after that";
  EXPECT_FALSE(desk.interface.gallery_open());

  show(desk);
  desk.key(ImGuiKey_DownArrow);  // five to a line at this width
  desk.key(ImGuiKey_LeftArrow);
  desk.key(ImGuiKey_Space);
  EXPECT_EQ(desk.recorder.presets.back(), order[4]);

  show(desk);
  desk.key(ImGuiKey_Escape);
  EXPECT_FALSE(desk.interface.gallery_open());
  EXPECT_EQ(desk.recorder.presets.size(), 2u);
}

TEST(Gallery, WhatIsTypedFiltersTheCards) {
  Desk desk;
  desk.interface.set_spoken(true);
  show(desk);
  desk.type("damping", 1);
  EXPECT_EQ(desk.spoken("gallery/filter").value, "damping");
  EXPECT_TRUE(desk.has("gallery/custom/thomson")) << "a word of page.json";
  EXPECT_FALSE(desk.has("gallery/custom/kepler"));
  EXPECT_FALSE(desk.has("gallery/new_system"));
  desk.key(ImGuiKey_Escape, 1);
  EXPECT_TRUE(desk.interface.gallery_open()) << "first the filter is cleared";
  EXPECT_TRUE(desk.has("gallery/custom/kepler"));

  desk.type("keplr", 1);
  EXPECT_TRUE(desk.has("gallery/custom/kepler")) << "with a letter missing";
  EXPECT_FALSE(desk.has("gallery/three_body"));
  desk.key(ImGuiKey_Enter);
  EXPECT_EQ(desk.recorder.presets, std::vector<std::string>{"custom/kepler"});

  show(desk);
  EXPECT_TRUE(desk.has("gallery/three_body")) << "it opens without a filter";
  desk.type("double ");
  desk.type("pendulumé");
  desk.key(ImGuiKey_Backspace, 1);
  EXPECT_EQ(desk.spoken("gallery/filter").value, "double pendulum") << "Space is typed, too";
  EXPECT_TRUE(desk.has("gallery/double_spherical_pendulum"));
  desk.key(ImGuiKey_Escape);
  desk.type("xyz", 1);
  EXPECT_EQ(desk.spoken("gallery/none").name,
            "No preset matches \"xyz\". Ctrl+K searches commands; New system… writes one.");
  desk.key(ImGuiKey_Enter);
  EXPECT_EQ(desk.recorder.presets.size(), 1u);
  desk.key(ImGuiKey_Escape);
  desk.key(ImGuiKey_Escape);
  EXPECT_FALSE(desk.interface.gallery_open());
}

TEST(Gallery, CtrlASelectsTheFilter) {
  Desk desk;
  desk.interface.set_spoken(true);
  show(desk);
  const auto filter = [&] { return desk.spoken("gallery/filter").value; };
  const auto type_and_select = [&](const char* text) {
    desk.type(text, 1);
    ImGui::GetIO().KeyCtrl = true;
    desk.key(ImGuiKey_A);
    ImGui::GetIO().KeyCtrl = false;
    desk.frame();
    EXPECT_EQ(filter(), text);
  };
  type_and_select("damping");
  desk.type("kep", 1);
  desk.type("ler", 1);
  EXPECT_EQ(filter(), "kepler") << "the first letter takes its place";
  desk.key(ImGuiKey_Escape, 1);
  type_and_select("damping");
  desk.key(ImGuiKey_Backspace, 1);
  EXPECT_EQ(filter(), "");
  type_and_select("damp");
  desk.click("gallery/filter");
  desk.type("ing", 1);
  EXPECT_EQ(filter(), "damping") << "a click ends it";
}

TEST(Gallery, EnterOpensTheFirstCardWhoseTitleHasTheWords) {
  Desk desk;
  show(desk);
  desk.type("double", 1);
  EXPECT_TRUE(desk.has("gallery/tour/no_drift")) << "a tour of it comes first on the page";
  desk.key(ImGuiKey_Enter);
  EXPECT_EQ(desk.recorder.presets, std::vector<std::string>{"double_spherical_pendulum"});

  show(desk);
  desk.type("keplr", 1);
  for (int i = 0; i < 5; ++i) desk.key(ImGuiKey_Backspace, 1);
  desk.key(ImGuiKey_Enter);
  EXPECT_EQ(desk.recorder.presets.back(), "custom/kepler") << "an empty filter keeps the choice";
}

TEST(Gallery, ShowsTheChosenCardWhenTheFilterIsCleared) {
  Desk desk("double_spherical_pendulum", 640, 377);
  show(desk);
  EXPECT_FALSE(in_sight(desk, "custom/thomson", 377));
  desk.type("icosahedron", 4);
  desk.key(ImGuiKey_Escape, 4);
  EXPECT_TRUE(desk.interface.gallery_open());
  EXPECT_TRUE(in_sight(desk, "custom/thomson", 377));
}

// By the menu or the search, for example.
TEST(Gallery, ClosesWhereAnotherScenarioIsOpened) {
  Desk desk;
  show(desk);
  desk.load_and_draw("three_body");
  EXPECT_FALSE(desk.interface.gallery_open());
  EXPECT_TRUE(desk.has("play"));
}

TEST(Gallery, ThePictureUnderTheMouseMoves) {
  Desk desk;
  show(desk);
  EXPECT_EQ(desk.interface.moving_preset(), "");
  desk.point(card("three_body"), 1);
  EXPECT_EQ(desk.interface.moving_preset(), "three_body");
  EXPECT_TRUE(desk.interface.animating());
  desk.point(1, 1, 1);
  EXPECT_EQ(desk.interface.moving_preset(), "");
  desk.key(ImGuiKey_RightArrow, 1);
  EXPECT_EQ(desk.interface.moving_preset(), "three_body") << "the keys chose it";
  EXPECT_EQ(desk.interface.is_checked(Action::toggle_moving_pictures), true);
  desk.handle(Action::toggle_moving_pictures, 2);
  EXPECT_EQ(desk.interface.moving_preset(), "");
}

TEST(Gallery, ShowsTheWholeDescriptionOfTheCardThatTheKeysChose) {
  Desk desk;
  show(desk);
  EXPECT_FALSE(desk.has("gallery/description"));
  desk.key(ImGuiKey_RightArrow);
  desk.frame();
  EXPECT_TRUE(desk.has("gallery/description"));
  desk.point(200, 5);
  desk.point(300, 5);
  EXPECT_FALSE(desk.has("gallery/description")) << "the mouse shows that of the card it rests on";
  desk.key(ImGuiKey_RightArrow);
  desk.frame();
  EXPECT_TRUE(desk.has("gallery/description"));
  desk.key(ImGuiKey_Escape);
  show(desk);
  EXPECT_FALSE(desk.has("gallery/description"));
}

TEST(Gallery, ListsOwnPresetsAndRecentFilesInTheLastRow) {
  const std::vector<std::string> order = in_page_order();
  Desk desk;
  desk.own_presets = {{"/o/mine.json", "Mine", "A start of mine.", 2, ""}};
  desk.recent = {{"/a/one.json", "one.json", "/a", ""},
                 {"/b/two.json", "two.json", "/b", "The file no longer exists"},
                 {"/c/three.json", "three.json", "/c", ""}};
  show(desk);
  desk.key(ImGuiKey_End, 4);
  for (const char* name : {"gallery/recent[0]", "gallery/recent[1]", "gallery/recent[2]"}) {
    ASSERT_TRUE(desk.has(name));
    EXPECT_GT(desk.rect(name).y, desk.rect("gallery/own[0]").y);
    EXPECT_GT(desk.rect("gallery/own[0]").y, desk.rect(card(order.back())).y);
    EXPECT_LE(desk.rect(name).y + desk.rect(name).height, 754 - 40) << "in sight";
  }
  desk.click("gallery/recent[1]");
  EXPECT_TRUE(desk.interface.gallery_open()) << "what is not there does not open";
  desk.click("gallery/recent[2]");
  EXPECT_EQ(desk.recorder.files, std::vector<std::string>{"/c/three.json"});
  EXPECT_FALSE(desk.interface.gallery_open());

  show(desk);
  desk.key(ImGuiKey_End);
  desk.key(ImGuiKey_LeftArrow);
  desk.key(ImGuiKey_Enter);
  EXPECT_TRUE(desk.interface.gallery_open());
  desk.key(ImGuiKey_UpArrow);  // the only one of the line above
  desk.key(ImGuiKey_Delete);
  EXPECT_EQ(desk.recorder.removed, std::vector<std::string>{"/o/mine.json"});
  desk.key(ImGuiKey_Enter);
  EXPECT_EQ(desk.recorder.presets, std::vector<std::string>{"/o/mine.json"});
  EXPECT_EQ(desk.recorder.files.size(), 1u);
}

TEST(Gallery, ScrollsToTheChosenCardWhereThereIsLittleRoom) {
  const std::string first = in_page_order().front(), last = "new_system", top = "tour/no_drift";
  for (const float scale : {1.0f, 2.0f}) {
    Desk desk("double_spherical_pendulum", scale == 1 ? 640 : 1280, scale == 1 ? 377 : 754, 1,
              scale);
    const float height = scale == 1 ? 377 : 754;
    show(desk);
    EXPECT_TRUE(in_sight(desk, first, height));
    EXPECT_FALSE(in_sight(desk, last, height)) << "it has to scroll";
    desk.key(ImGuiKey_End, 4);
    EXPECT_TRUE(in_sight(desk, last, height)) << scale;
    EXPECT_FALSE(in_sight(desk, first, height));
    desk.point(100, height / 2);
    desk.wheel(200);
    desk.frames(2);
    EXPECT_TRUE(in_sight(desk, top, height)) << scale;
  }
}

TEST(Gallery, NeedNotOpenAtTheStart) {
  Desk desk;
  show(desk);
  EXPECT_TRUE(desk.interface.settings().gallery_at_start);
  desk.click("gallery/at_start");
  EXPECT_FALSE(desk.interface.settings().gallery_at_start);
  desk.click("gallery/open_file");
  EXPECT_EQ(desk.recorder.actions, std::vector<Action>{Action::open_scenario});
  EXPECT_FALSE(desk.interface.gallery_open());
}

TEST(PresetList, SaysWhatIsInThePresets) {
  ASSERT_EQ(preset_entries().size(), preset_keys().size());
  for (const PresetEntry& entry : preset_entries()) {
    EXPECT_FALSE(entry.title.empty()) << entry.key;
    EXPECT_FALSE(summary(entry.description).empty()) << entry.key;
    EXPECT_FALSE(summary(entry.description).starts_with("Example")) << entry.key;
    ASSERT_NE(entry.system, nullptr) << entry.key;
    const Scenario& scenario = entry.scenario();
    EXPECT_EQ(entry.title, scenario.title) << entry.key;
    EXPECT_EQ(entry.description, scenario.description) << entry.key;
    EXPECT_EQ(entry.system->key, scenario.system) << entry.key;
    EXPECT_TRUE(entry.bodies == 0 || entry.bodies == scenario.size()) << entry.key;
  }
  const auto entry = [](std::string_view key) {
    return *std::find_if(preset_entries().begin(), preset_entries().end(),
                         [key](const PresetEntry& e) { return e.key == key; });
  };
  EXPECT_EQ(entry("lennard_jones").bodies, 642);
  EXPECT_EQ(entry("lennard_jones").example, 6);
  EXPECT_EQ(entry("chain_pendulum").example, std::nullopt);
  EXPECT_EQ(entry("custom/thomson").bodies, 12);
  EXPECT_EQ(summary("Example 2 of A (2009): three bodies. Watch."), "Three bodies");
  EXPECT_EQ(summary("A chain: ten links. Watch."), "A chain: ten links");
}

// By what it is, not by what it is called.
TEST(PresetList, KnowsAPresetUnderAnyTitle) {
  EXPECT_EQ(preset_of(nullptr), nullptr);
  for (const PresetEntry& entry : preset_entries()) {
    Scenario opened = entry.scenario();
    opened.title = preset_entries().front().title;  // one of two by that name
    opened.lanes[0].step /= 2;
    opened.duration *= 2;
    EXPECT_EQ(preset_of(&opened), &entry) << entry.key;
    // Written and read again, as a file.
    const auto saved = test::value_of(read_scenario(write_scenario(opened), "file"));
    EXPECT_EQ(preset_of(&saved), &entry) << entry.key;
    opened.title = entry.title;
    opened.omega(1, 0) += 1e-6;
    EXPECT_EQ(preset_of(&opened), nullptr) << entry.key;
    Scenario thrown = entry.scenario();
    thrown.base = BaseStart{.position = Vec3(0, 0, 1)};
    EXPECT_EQ(preset_of(&thrown), nullptr) << entry.key;
  }
}

TEST(About, SaysUnderWhatConditionsNumbersWerePrinted) {
  std::vector<std::string> said;
  for (const PublishedRun& run : published_runs())
    if (run.preset == "double_spherical_pendulum") said.push_back(conditions(run));
  EXPECT_EQ(said, (std::vector<std::string>{
                      "variational, h = 0.01 s, 100 s",
                      "rk45, h = 0.01 s, 100 s, relative tolerance 1e-04, absolute tolerance "
                      "1e-06"}));
  EXPECT_EQ(label_of_mean(Quantity::unit_length_error_mean), "unit-length error");
  EXPECT_EQ(label_of_mean(Quantity::energy_error), "energy error");
}

TEST(About, ComparesOnlyRunsThatWereNotChanged) {
  const auto comparable = [](const std::vector<Setting>& first) {
    Desk desk;
    EXPECT_TRUE(desk.simulation->set(first));
    desk.run_and_draw(5);
    return is_comparable(desk.snapshot, 0);
  };
  EXPECT_TRUE(comparable({{"duration", 500.0}}));
  EXPECT_FALSE(comparable({{"integrator.step", 0.02}}));
  RunDesk desk(5);
  EXPECT_TRUE(is_comparable(desk.snapshot, 0));
  for (const double gravity : {3.0, 9.81}) {
    ASSERT_TRUE(desk.simulation->set({{"system.gravity", gravity}}));
    desk.run_and_draw(5);
    EXPECT_FALSE(is_comparable(desk.snapshot, 0)) << "it was, on the way";
  }
}

TEST(About, UnfoldsAndOpensTheHelpPage) {
  for (const Preset& preset : presets()) {
    DrawnDesk desk(preset.key);
    EXPECT_FALSE(desk.has("about/equations"));
    desk.click("section/About this system");
    ASSERT_TRUE(desk.has("about/equations")) << preset.key;
    EXPECT_LE(desk.rect("about/equations").width, 300) << preset.key;
    EXPECT_LT(desk.rect("about/equations").y, desk.rect("about/help").y);
  }
  DrawnDesk desk;
  desk.click("section/System");
  desk.click("section/About this system");
  desk.click("about/help");
  EXPECT_EQ(desk.recorder.actions, std::vector<Action>{Action::preset_help});
}

}  // namespace
}  // namespace twosphere::gallery_test
