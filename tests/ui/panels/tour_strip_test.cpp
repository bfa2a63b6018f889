// SPDX-License-Identifier: GPL-3.0-or-later
// The strip of a tour below the scene.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/mechanics/step_map.h"
#include "core/tours/tour.h"
#include "tests/outcome.h"
#include "tests/ui/desk.h"
#include "ui/panels/panels.h"
#include "ui/shell/step_check.h"
#include "ui/shell/tour_names.h"

namespace twosphere::tour_strip_test {
namespace {

using namespace ui;
using namespace ui_test;
using What = TourCall::What;

TourCard told() {
  return {.title = "A tour", .number = 2, .steps = 7, .say = "Two pendula swing."};
}

TourCard asking() {
  TourCard card = told();
  card.question = "Which one is right?";
  card.options = {"The first", "The second"};
  return card;
}

std::vector<What> calls(const Desk& desk) {
  std::vector<What> all;
  for (const TourCall& call : desk.recorder.guided) all.push_back(call.what);
  return all;
}

TEST(TourStrip, TakesItsRoomFromTheScene) {
  Desk desk;
  desk.frames(2);
  const Rect before = desk.interface.scene();
  EXPECT_FALSE(desk.has("tour"));
  const TourCard card = told();
  desk.tour = &card;
  desk.frames(3);
  const Rect after = desk.interface.scene(), strip = desk.rect("tour");
  EXPECT_EQ(strip.height, 90);
  EXPECT_EQ(after.height, before.height - strip.height);
  EXPECT_EQ(strip.y, after.y + after.height);
  EXPECT_EQ(strip.width, after.width);
  for (const char* button : {"tour/back", "tour/next", "tour/leave"}) {
    const Rect r = desk.rect(button);
    EXPECT_GE(r.x, strip.x) << button;
    EXPECT_LE(r.x + r.width, strip.x + strip.width) << button;
    EXPECT_LE(r.y + r.height, strip.y + strip.height) << button;
  }
  desk.tour = nullptr;
  desk.frames(2);
  EXPECT_EQ(desk.interface.scene(), before);
}

TEST(TourStrip, IsWorkedByMouseAndByKeys) {
  Desk desk;
  const TourCard card = told();
  desk.tour = &card;
  desk.frames(3);
  desk.click("tour/next");
  desk.click("tour/back");
  desk.key(ImGuiKey_Enter);
  desk.key(ImGuiKey_Escape);
  EXPECT_EQ(calls(desk), (std::vector<What>{What::next, What::back, What::next, What::leave}));
  desk.click("tour/leave");
  EXPECT_EQ(calls(desk).back(), What::leave);
}

TEST(TourStrip, EnterAndEscInAFieldAreOfTheField) {
  Desk desk;
  const TourCard card = told();
  desk.tour = &card;
  desk.frames(3);
  desk.enter("parameter/gravity", "3");
  desk.click("parameter/gravity");
  desk.key(ImGuiKey_Escape);
  EXPECT_TRUE(desk.recorder.guided.empty());
}

TEST(TourStrip, WaitsForAnAnswerAndForWhatAStepWaitsFor) {
  Desk desk;
  const TourCard question = asking();
  desk.tour = &question;
  desk.frames(3);
  desk.key(ImGuiKey_Enter);
  desk.click("tour/next");
  EXPECT_TRUE(desk.recorder.guided.empty());
  desk.click("tour/option[1]");
  ASSERT_EQ(desk.recorder.guided.size(), 1u);
  EXPECT_EQ(desk.recorder.guided[0], (TourCall{.what = What::answer, .name = {}, .option = 1}));

  TourCard waiting = told();
  waiting.awaited = "The run continues to 8 s";
  waiting.number = 1;
  desk.tour = &waiting;
  desk.frames(3);
  EXPECT_FALSE(desk.has("tour/option[0]"));
  desk.key(ImGuiKey_Enter);
  desk.click("tour/next");
  desk.click("tour/back");
  EXPECT_EQ(desk.recorder.guided.size(), 1u) << "nothing is before the first step";
  desk.key(ImGuiKey_Escape);
  EXPECT_EQ(calls(desk).back(), What::leave);
}

TEST(TourStrip, TheFirstTabGoesToTheAnswers) {
  SpokenDesk desk;
  const TourCard question = asking();
  desk.tour = &question;
  desk.frames(3);
  EXPECT_EQ(desk.described("tour/next"), "Answer the question first.");
  desk.key(ImGuiKey_Tab, 4);
  EXPECT_TRUE(desk.spoken("tour/option[0]").focused);
  desk.key(ImGuiKey_Tab, 4);
  ASSERT_TRUE(desk.spoken("tour/option[1]").focused);
  desk.key(ImGuiKey_Enter, 4);
  EXPECT_EQ(desk.recorder.guided,
            (std::vector<TourCall>{{.what = What::answer, .name = {}, .option = 1}}));
  desk.key(ImGuiKey_Escape, 1);
  EXPECT_EQ(desk.recorder.guided.size(), 1u) << "first the focus goes";
}

TEST(TourStrip, EachStepIsAnnounced) {
  SpokenDesk desk;
  TourCard card = asking();
  desk.tour = &card;
  desk.frames(3);
  const auto alert = [&] {
    for (const SpokenWidget& widget : desk.interface.spoken())
      if (widget.role == Role::alert && widget.id.starts_with("tour/")) return widget;
    return SpokenWidget{};
  };
  const SpokenWidget first = alert();
  EXPECT_EQ(first.name, "A tour, step 2 of 7");
  EXPECT_EQ(first.value, "Two pendula swing. Which one is right? The first. The second.");
  EXPECT_EQ(desk.spoken("tour/option[0]").name, "The first");
  card = told();
  card.say = "Right: it is the second.";
  desk.frames(2);
  EXPECT_NE(alert().id, first.id) << "it is said again where it is another";
  EXPECT_EQ(alert().value, "Right: it is the second.");
}

TEST(TourStrip, EveryStepOfEveryTourHasRoom) {
  struct Size {
    float width, height, scale;
  };
  for (const auto& [width, height, scale] :
       {Size{1280, 754, 1}, Size{1280, 754, 1.3f}, Size{1024, 654, 1.5f}}) {
    Desk desk("double_spherical_pendulum", width, height, 1, scale);
    for (const TourEntry& entry : tour_entries()) {
      const Tour tour = test::value_of(load_tour(entry.name, tour_names()));
      for (const TourStep& step : tour.steps) {
        TourCard card{.title = tour.title, .number = 1, .steps = 9, .say = step.say};
        if (step.ask) {
          card.question = step.ask->question;
          card.options = step.ask->options;
        }
        desk.tour = &card;
        desk.frames(2);
        SCOPED_TRACE(entry.name + ": " + step.say);
        const Rect strip = desk.rect("tour"), scene = desk.interface.scene();
        EXPECT_GT(scene.height, 60);
        float below = strip.y;
        for (std::size_t i = 0; step.ask && i < card.options.size(); ++i) {
          const Rect option = desk.rect("tour/option[" + std::to_string(i) + "]");
          EXPECT_GE(option.y, strip.y);
          EXPECT_LE(option.x + option.width, strip.x + strip.width);
          below = std::max(below, option.y + option.height);
        }
        EXPECT_GE(desk.rect("tour/next").y, below) << "the options are above the buttons";
        EXPECT_LE(desk.rect("tour/next").y + desk.rect("tour/next").height, strip.y + strip.height);
      }
    }
  }
}

TEST(TourStrip, StaysInViewUnderCards) {
  Desk desk;
  StepCheck check{.number = 1, .steps = 200, .t = 2, .conservative = true, .lanes = {}};
  for (int lane = 0; lane < 6; ++lane)
    check.lanes.push_back({.integrator = "rk4",
                           .step = 0.01,
                           .symplecticity = SymplecticityDefect{3.6e-13, 2.2e-12, 1e-3, 8, 8},
                           .reversal = ReversalError{2.4e-15, 2.2e-14, 100},
                           .problem = {}});
  desk.step_check = &check;
  const TourCard card = told();
  desk.tour = &card;
  desk.frames(4);
  const Rect shown = desk.rect("check");
  EXPECT_GT(shown.height, 100);
  EXPECT_LE(shown.y + shown.height, desk.rect("tour").y);
}

TEST(TourStrip, IsUnderTheSceneInAPresentation) {
  for (const bool wide : {true, false}) {
    Desk desk("double_spherical_pendulum", wide ? 1280.0F : 900.0F, wide ? 800.0F : 1200.0F);
    desk.interface.set_presentation(true);
    desk.frames(3);
    const Rect before = desk.interface.scene(), plots = desk.rect("right");
    const TourCard card = told();
    desk.tour = &card;
    desk.frames(3);
    const Rect scene = desk.interface.scene(), strip = desk.rect("tour");
    EXPECT_EQ(scene.height + strip.height, before.height);
    EXPECT_EQ(strip.width, before.width);
    EXPECT_EQ(strip.y, scene.height);
    EXPECT_EQ(desk.rect("right"), plots);
    desk.handle(Action::black_screen, 2);
    EXPECT_FALSE(desk.has("tour"));
    desk.key(ImGuiKey_Escape, 2);
    EXPECT_TRUE(desk.recorder.guided.empty()) << "first the black screen goes";
    desk.key(ImGuiKey_Escape, 2);
    EXPECT_EQ(calls(desk), (std::vector<What>{What::leave}));
  }
}

TEST(TourStrip, IsBehindThePageOfPresets) {
  Desk desk;
  const TourCard card = told();
  desk.tour = &card;
  desk.frames(2);
  desk.handle(Action::presets, 3);
  EXPECT_FALSE(desk.has("tour"));
  desk.key(ImGuiKey_Escape, 2);
  EXPECT_TRUE(desk.has("tour"));
  EXPECT_TRUE(desk.recorder.guided.empty());
}

}  // namespace
}  // namespace twosphere::tour_strip_test
