// SPDX-License-Identifier: GPL-3.0-or-later
// The page of presets and what the left column says about a system.
#include <gtest/gtest.h>

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

std::string card(const Preset& preset) { return "gallery/" + std::string(preset.key); }

/// Whether a card lies wholly in the view.
bool in_sight(const Desk& desk, const Preset& preset, float height) {
  const Rect r = desk.rect(card(preset));
  return r.y >= 0 && r.y + r.height <= height;
}

void show(Desk& desk) { desk.handle(Action::presets, 4); }

TEST(Gallery, HasACardForEveryPresetInSight) {
  Desk desk;
  desk.frame();
  EXPECT_FALSE(desk.has("gallery"));
  show(desk);
  EXPECT_TRUE(desk.interface.gallery_open());
  EXPECT_FALSE(desk.has("play")) << "nothing of what it covers takes the mouse";
  for (const Preset& preset : presets()) {
    ASSERT_TRUE(desk.has(card(preset))) << preset.key;
    EXPECT_TRUE(in_sight(desk, preset, 754)) << preset.key;
    EXPECT_LE(desk.rect(card(preset)).x + desk.rect(card(preset)).width, 1280) << preset.key;
  }
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

TEST(Gallery, IsWorkedByTheKeyboard) {
  Desk desk;
  show(desk);  // on the card of what is open, the first one
  desk.key(ImGuiKey_RightArrow);
  desk.key(ImGuiKey_Enter);
  ASSERT_EQ(desk.recorder.presets.size(), 1u);
  EXPECT_EQ(desk.recorder.presets[0], presets()[1].key);
  EXPECT_FALSE(desk.interface.gallery_open());

  show(desk);
  desk.key(ImGuiKey_End);
  desk.key(ImGuiKey_RightArrow);
  desk.key(ImGuiKey_Enter);
  EXPECT_EQ(desk.recorder.presets.back(), presets().back().key) << "there is none after the last";

  show(desk);
  desk.key(ImGuiKey_DownArrow);  // six to a row at this width
  desk.key(ImGuiKey_LeftArrow);
  desk.key(ImGuiKey_Space);
  EXPECT_EQ(desk.recorder.presets.back(), presets()[5].key);

  show(desk);
  desk.key(ImGuiKey_Escape);
  EXPECT_FALSE(desk.interface.gallery_open());
  EXPECT_EQ(desk.recorder.presets.size(), 3u);
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

TEST(Gallery, ListsRecentFilesBelowThePresets) {
  Desk desk;
  desk.recent = {{"/a/one.json", "one.json", "/a", ""},
                 {"/b/two.json", "two.json", "/b", "The file no longer exists"},
                 {"/c/three.json", "three.json", "/c", ""}};
  show(desk);
  for (const char* name : {"gallery/recent[0]", "gallery/recent[1]", "gallery/recent[2]"}) {
    ASSERT_TRUE(desk.has(name));
    EXPECT_GT(desk.rect(name).y, desk.rect(card(presets().back())).y);
    EXPECT_LE(desk.rect(name).y + desk.rect(name).height, 754 - 40) << "in sight";
  }
  desk.click("gallery/recent[1]");
  EXPECT_TRUE(desk.interface.gallery_open()) << "what is not there does not open";
  desk.click("gallery/recent[2]");
  EXPECT_EQ(desk.recorder.files, std::vector<std::string>{"/c/three.json"});
  EXPECT_FALSE(desk.interface.gallery_open());

  show(desk);  // on the first card; two rows of six presets, then the files
  for (int i = 0; i < 4; ++i) desk.key(ImGuiKey_DownArrow);
  desk.key(ImGuiKey_Enter);
  EXPECT_EQ(desk.recorder.files.back(), "/a/one.json");

  show(desk);
  desk.key(ImGuiKey_End);
  desk.key(ImGuiKey_LeftArrow);
  desk.key(ImGuiKey_Enter);
  EXPECT_TRUE(desk.interface.gallery_open());
  desk.key(ImGuiKey_UpArrow);
  desk.key(ImGuiKey_Enter);
  EXPECT_EQ(desk.recorder.presets.back(), presets()[7].key);
  EXPECT_EQ(desk.recorder.files.size(), 2u);
}

TEST(Gallery, ScrollsToTheChosenCardWhereThereIsLittleRoom) {
  for (const float scale : {1.0f, 2.0f}) {
    Desk desk("double_spherical_pendulum", scale == 1 ? 640 : 1280, scale == 1 ? 377 : 754, 1,
              scale);
    const float height = scale == 1 ? 377 : 754;
    show(desk);
    EXPECT_TRUE(in_sight(desk, presets().front(), height));
    EXPECT_FALSE(in_sight(desk, presets().back(), height)) << "it has to scroll";
    desk.key(ImGuiKey_End, 4);
    EXPECT_TRUE(in_sight(desk, presets().back(), height)) << scale;
    EXPECT_FALSE(in_sight(desk, presets().front(), height));
    desk.point(100, height / 2);
    desk.wheel(30);
    desk.frames(2);
    EXPECT_TRUE(in_sight(desk, presets().front(), height)) << scale;
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
  ASSERT_EQ(preset_entries().size(), presets().size());
  for (const PresetEntry& entry : preset_entries()) {
    EXPECT_FALSE(entry.title.empty()) << entry.key;
    EXPECT_FALSE(summary(entry.description).empty()) << entry.key;
    EXPECT_FALSE(summary(entry.description).starts_with("Example")) << entry.key;
    ASSERT_NE(entry.system, nullptr) << entry.key;
    EXPECT_GT(entry.bodies, 0) << entry.key;
  }
  const auto entry = [](std::string_view key) {
    return *std::find_if(preset_entries().begin(), preset_entries().end(),
                         [key](const PresetEntry& e) { return e.key == key; });
  };
  EXPECT_EQ(entry("lennard_jones").bodies, 642);
  EXPECT_EQ(entry("lennard_jones").example, 6);
  EXPECT_EQ(entry("chain_pendulum").example, std::nullopt);
  EXPECT_EQ(summary("Example 2 of A (2009): three bodies. Watch."), "Three bodies");
  EXPECT_EQ(summary("A chain: ten links. Watch."), "A chain: ten links");
}

// By what it is, not by what it is called.
TEST(PresetList, KnowsAPresetUnderAnyTitle) {
  EXPECT_EQ(preset_of(nullptr), nullptr);
  for (const PresetEntry& entry : preset_entries()) {
    Scenario opened = entry.scenario;
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
