// SPDX-License-Identifier: GPL-3.0-or-later
// The plots in a window of their own, as the interface draws them there.
#include <gtest/gtest.h>

#include "tests/ui/desk.h"
#include "ui/shell/surface.h"

namespace twosphere::plot_surface_test {
namespace {

using namespace ui;
using namespace ui_test;

/// Another context of Dear ImGui, with what is drawn in it.
class OtherWindow {
 public:
  OtherWindow() : main_(ImGui::GetCurrentContext()), own_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(own_);
    prepare_context({width, height}, 1);
    ImGui::SetCurrentContext(main_);
  }
  ~OtherWindow() { ImGui::DestroyContext(own_); }
  OtherWindow(const OtherWindow&) = delete;
  OtherWindow& operator=(const OtherWindow&) = delete;

  void draw(Desk& desk, ImVec2 mouse = {-FLT_MAX, -FLT_MAX}, bool down = false) {
    ImGui::SetCurrentContext(own_);
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = 1.0f / 60;
    io.MousePos = mouse;
    io.MouseDown[0] = down;
    ImGui::NewFrame();
    const Frame frame{
        desk.snapshot, desk.snapshot, desk.histories, width, height, 1, {}, {}, true, {}, nullptr};
    desk.interface.draw_plots(frame, desk.recorder, surface);
    ImGui::Render();
    ImGui::SetCurrentContext(main_);
  }
  ImVec2 middle(const std::string& widget) {
    const Rect r = surface.widgets.at(widget);
    return {r.x + r.width / 2, r.y + r.height / 2};
  }

  static constexpr float width = 600, height = 700;
  Surface surface;

 private:
  ImGuiContext *main_, *own_;
};

TEST(PlotSurface, HasThePlotsInsteadOfTheRightColumn) {
  RunDesk desk(100);
  const float scene = desk.interface.scene().width;
  EXPECT_FALSE(desk.interface.choices().plot_window);
  desk.handle(Action::plots_window, 2);
  EXPECT_TRUE(desk.interface.choices().plot_window);
  EXPECT_EQ(desk.interface.is_checked(Action::plots_window), true);
  EXPECT_FALSE(desk.has("plot/energy_error"));
  EXPECT_FALSE(desk.has("right"));
  EXPECT_TRUE(desk.has("left"));
  EXPECT_EQ(desk.interface.scene().width, scene + 380);
  OtherWindow other;
  other.draw(desk);
  for (const char* name : {"plot/total_energy", "plot/energy_error", "add_plot", "time_axis"}) {
    ASSERT_TRUE(other.surface.widgets.contains(name)) << name;
    const Rect r = other.surface.widgets.at(name);
    EXPECT_LE(r.x + r.width, other.width) << name;
    EXPECT_LE(r.y + r.height, other.height) << name;
  }
  EXPECT_FALSE(other.surface.widgets.contains("play"));
  desk.handle(Action::plots_window, 2);
  EXPECT_TRUE(desk.has("plot/energy_error"));
}

TEST(PlotSurface, ItsCursorIsThatOfTheInterface) {
  RunDesk desk(100);
  desk.handle(Action::plots_window, 2);
  OtherWindow other;
  other.draw(desk);
  other.draw(desk, other.middle("plot/energy_error"));
  ASSERT_TRUE(desk.interface.cursor());
  EXPECT_NEAR(*desk.interface.cursor(), 0.5, 0.02);
  desk.frames(2);
  EXPECT_TRUE(desk.interface.cursor()) << "the main window leaves it";
  // A click goes to its time.
  const ImVec2 at = other.middle("plot/energy_error");
  other.draw(desk, at, true);
  other.draw(desk, at);
  ASSERT_FALSE(desk.recorder.shown.empty());
  EXPECT_NEAR(static_cast<double>(*desk.recorder.shown.back()), 50, 2);
  other.draw(desk);
  EXPECT_FALSE(desk.interface.cursor());
}

TEST(PlotSurface, TheTimeLineOfTheMainWindowMovesItsCursor) {
  RunDesk desk(100);
  desk.handle(Action::plots_window, 2);
  OtherWindow other;
  other.draw(desk);
  const Rect line = desk.rect("progress");
  desk.point(line.x + 0.005f * line.width, line.y + line.height / 2, 1);
  ASSERT_TRUE(desk.interface.cursor());
  other.draw(desk);
  EXPECT_TRUE(desk.interface.cursor()) << "and it stays there";
  desk.point(640, 300, 1);
  EXPECT_FALSE(desk.interface.cursor());
}

TEST(PlotSurface, NamesItsWidgetsForScreenReaders) {
  RunDesk desk(50);
  desk.handle(Action::plots_window, 2);
  OtherWindow other;
  other.draw(desk);
  EXPECT_FALSE(other.surface.spoken);
  other.surface.spoken.emplace();
  other.draw(desk);
  std::vector<std::string> names;
  for (const SpokenWidget& widget : other.surface.spoken->widgets()) names.push_back(widget.name);
  for (const char* name : {"Add plot…", "Follow", "total energy"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

TEST(PlotSurface, IsAChoiceOfTheUser) {
  DrawnDesk desk;
  Choices choices = desk.interface.choices();
  choices.plot_window = true;
  desk.interface.choose(choices);
  desk.frames(2);
  EXPECT_FALSE(desk.has("right"));
  desk.interface.choose({});
  desk.frames(2);
  EXPECT_TRUE(desk.has("right"));
}

}  // namespace
}  // namespace twosphere::plot_surface_test
