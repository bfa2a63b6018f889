// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/imgui_keys.h"

namespace twosphere {

int modifiers_of(Qt::KeyboardModifiers held) {
  return (held.testFlag(Qt::ControlModifier) ? modifier::control : 0) |
         (held.testFlag(Qt::ShiftModifier) ? modifier::shift : 0) |
         (held.testFlag(Qt::AltModifier) ? modifier::alt : 0) |
         (held.testFlag(Qt::MetaModifier) ? modifier::super : 0);
}

int modifier_of(int qt_key) {
  switch (qt_key) {
    case Qt::Key_Control:
      return modifier::control;
    case Qt::Key_Shift:
      return modifier::shift;
    case Qt::Key_Alt:
      return modifier::alt;
    case Qt::Key_Meta:
      return modifier::super;
    default:
      return 0;
  }
}

bool is_letter(int qt_key) { return qt_key >= Qt::Key_A && qt_key <= Qt::Key_Z; }

int imgui_key(int qt_key) {
  for (const auto& [from, to] : imgui_keys)
    if (from == qt_key) return to;
  return -1;
}

int imgui_button(Qt::MouseButton button) {
  switch (button) {
    case Qt::LeftButton:
      return 0;
    case Qt::RightButton:
      return 1;
    case Qt::MiddleButton:
      return 2;
    default:
      return -1;
  }
}

Qt::CursorShape cursor_shape(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_None:
      return Qt::BlankCursor;
    case ImGuiMouseCursor_TextInput:
      return Qt::IBeamCursor;
    case ImGuiMouseCursor_ResizeAll:
      return Qt::SizeAllCursor;
    case ImGuiMouseCursor_ResizeNS:
      return Qt::SizeVerCursor;
    case ImGuiMouseCursor_ResizeEW:
      return Qt::SizeHorCursor;
    case ImGuiMouseCursor_ResizeNESW:
      return Qt::SizeBDiagCursor;
    case ImGuiMouseCursor_ResizeNWSE:
      return Qt::SizeFDiagCursor;
    case ImGuiMouseCursor_Hand:
      return Qt::PointingHandCursor;
    case ImGuiMouseCursor_NotAllowed:
      return Qt::ForbiddenCursor;
    default:
      return Qt::ArrowCursor;
  }
}

}  // namespace twosphere
