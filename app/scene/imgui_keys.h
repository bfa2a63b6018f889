// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

#include <Qt>
#include <array>
#include <utility>

/// Keys, buttons and cursors of Qt as those of Dear ImGui.
namespace twosphere {

/// The bits of held modifiers, as ImGuiKeyModFlags_.
namespace modifier {
inline constexpr int control = 1, shift = 2, alt = 4, super = 8;
}
int modifiers_of(Qt::KeyboardModifiers held);
/// The modifier that a key is; 0: none.
int modifier_of(int qt_key);

inline constexpr std::array<std::pair<int, int>, 23> imgui_keys{
    {{Qt::Key_Tab, ImGuiKey_Tab},
     {Qt::Key_Backtab, ImGuiKey_Tab},
     {Qt::Key_Left, ImGuiKey_LeftArrow},
     {Qt::Key_Right, ImGuiKey_RightArrow},
     {Qt::Key_Up, ImGuiKey_UpArrow},
     {Qt::Key_Down, ImGuiKey_DownArrow},
     {Qt::Key_PageUp, ImGuiKey_PageUp},
     {Qt::Key_PageDown, ImGuiKey_PageDown},
     {Qt::Key_Home, ImGuiKey_Home},
     {Qt::Key_End, ImGuiKey_End},
     {Qt::Key_Insert, ImGuiKey_Insert},
     {Qt::Key_Delete, ImGuiKey_Delete},
     {Qt::Key_Backspace, ImGuiKey_Backspace},
     {Qt::Key_Space, ImGuiKey_Space},
     {Qt::Key_Return, ImGuiKey_Enter},
     {Qt::Key_Escape, ImGuiKey_Escape},
     {Qt::Key_Enter, ImGuiKey_KeyPadEnter},
     {Qt::Key_A, ImGuiKey_A},
     {Qt::Key_C, ImGuiKey_C},
     {Qt::Key_V, ImGuiKey_V},
     {Qt::Key_X, ImGuiKey_X},
     {Qt::Key_Y, ImGuiKey_Y},
     {Qt::Key_Z, ImGuiKey_Z}}};

bool is_letter(int qt_key);
/// The ImGui key for a Qt key; −1 if ImGui does not use it. Letters matter only with Ctrl.
int imgui_key(int qt_key);

/// The buttons that ImGui knows, by its numbers; −1 for others.
inline constexpr std::array<std::pair<int, Qt::MouseButton>, 3> imgui_buttons{
    {{0, Qt::LeftButton}, {1, Qt::RightButton}, {2, Qt::MiddleButton}}};
int imgui_button(Qt::MouseButton button);

Qt::CursorShape cursor_shape(ImGuiMouseCursor cursor);

}  // namespace twosphere
