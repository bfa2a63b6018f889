// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/current_context.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <atomic>
#include <thread>

namespace twosphere::current_context_test {
namespace {

/// Frames of one thread, each with a line drawn to it, in its own context. Returns whether it
/// was current all the time.
bool draw_frames(ImFontAtlas& fonts, float width) {
  ImGuiContext* own = nullptr;
  {
    const CurrentContext none(nullptr);
    own = ImGui::CreateContext(&fonts);
  }
  bool current = true;
  for (int k = 0; k < 300; ++k) {
    const CurrentContext context(own);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {width, 100};
    ImGui::NewFrame();
    std::this_thread::yield();
    ImGui::GetForegroundDrawList()->AddLine({0, 0}, {width, 0}, IM_COL32_WHITE);
    ImGui::Render();
    current = current && ImGui::GetCurrentContext() == own &&
              ImGui::GetDrawData()->DisplaySize.x == width;
  }
  const CurrentContext none(nullptr);
  ImGui::DestroyContext(own);
  return current;
}

TEST(CurrentContext, ThreadsThatDrawWaitForEachOther) {
  ImFontAtlas first, second;
  for (ImFontAtlas* fonts : {&first, &second}) {
    fonts->AddFontDefault();
    fonts->Build();
  }
  std::atomic<bool> others = false;
  std::thread other([&] { others = draw_frames(second, 200); });
  const bool own = draw_frames(first, 100);
  other.join();
  EXPECT_TRUE(own);
  EXPECT_TRUE(others);
}

TEST(CurrentContext, IsTheOneBeforeAgainAfterwards) {
  ImFontAtlas fonts;
  ASSERT_EQ(ImGui::GetCurrentContext(), nullptr);
  const CurrentContext none(nullptr);
  ImGuiContext* const outer = ImGui::CreateContext(&fonts);
  ImGui::SetCurrentContext(nullptr);
  ImGuiContext* const inner = ImGui::CreateContext(&fonts);
  {
    const CurrentContext first(outer);
    {
      const CurrentContext second(inner);
      EXPECT_EQ(ImGui::GetCurrentContext(), inner);
    }
    EXPECT_EQ(ImGui::GetCurrentContext(), outer);
  }
  ImGui::DestroyContext(inner);
  ImGui::DestroyContext(outer);
}

}  // namespace
}  // namespace twosphere::current_context_test
