// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/scenario/parameter_io.h"
#include "core/systems/control_torque.h"
#include "ui/fields/field_row.h"
#include "ui/panels/panels.h"

namespace twosphere::ui {

namespace {

constexpr float field_side = 108, knob = 6;  // logical pixels at scale 1
constexpr double interval = 0.1;             // [s] between two torques of a joystick during a run
constexpr double grains = 200;               // of the torque, from the middle to the edge
constexpr double fine_nudge = 0.1;           // deflection while Shift is held
constexpr double nudge = 0.05;  // by one press of a key, if the joystick stays where it is

const std::string torque_path = "system." + std::string(control_torque_key);

const ParameterInfo* find_info(const Snapshot& s) {
  if (!s.system_info) return nullptr;
  const auto& list = s.system_info->parameters;
  const auto at = std::find_if(list.begin(), list.end(),
                               [](const auto& p) { return p.key == control_torque_key; });
  return at == list.end() ? nullptr : &*at;
}

/// The numbers of the control torque; none if the scenario has no such parameter.
std::vector<double> torque_of(const Scenario* s) {
  if (!s) return {};
  const auto at = s->parameters.find(control_torque_key);
  return at == s->parameters.end() ? std::vector<double>() : at->second;
}

bool acts(const std::vector<double>& numbers) {
  if (numbers.empty()) return false;
  const ControlTorque torque(numbers);
  return torque.acts() || torque.damping() != 0;
}

/// The switch, if there is something to switch.
void switch_button(const Panel& panel, PanelState& state, bool on) {
  if (push_button(panel, on ? "Switch control off" : "Switch control on", "switch_control"))
    state.control.switched = true;
  explain(panel, Action::switch_control);
}

using Deflection = std::array<double, 2>;  // along e₁ and e₂ [N m]

double to_grid(double share, double most) {
  return std::round(std::clamp(share, -1.0, 1.0) * grains) / grains * most;
}

/// The torque that the arrow keys make: all of it while one is held, or a little more by a press
/// if the joystick stays where it is. None if there is no such key.
std::optional<Deflection> by_keys(const Deflection& present, double most, bool springs) {
  const auto arrow = [&](ImGuiKey key) {
    const int index = ImGui::GetKeyIndex(key);
    return springs ? ImGui::IsKeyDown(index) : ImGui::IsKeyPressed(index);
  };
  const int x = arrow(ImGuiKey_RightArrow) - arrow(ImGuiKey_LeftArrow);
  const int y = arrow(ImGuiKey_UpArrow) - arrow(ImGuiKey_DownArrow);
  if (x == 0 && y == 0) return {};
  const double by = (springs ? 1 : nudge) * (ImGui::GetIO().KeyShift ? fine_nudge : 1);
  const Deflection from = springs ? Deflection{0, 0} : present;
  return Deflection{to_grid(from[0] / most + x * by, most), to_grid(from[1] / most + y * by, most)};
}

void draw_joystick(const Panel& panel, const ControlByHand& control, ImVec2 from, float size,
                   ImVec2 at) {
  const Colors& c = panel.colors;
  auto& list = *ImGui::GetWindowDrawList();
  const ImVec2 to{from.x + size, from.y + size}, middle{from.x + size / 2, from.y + size / 2};
  list.AddRectFilled(from, to, im_color(c.field), panel.px(4));
  list.AddLine({from.x, middle.y}, {to.x, middle.y}, im_color(c.line));
  list.AddLine({middle.x, from.y}, {middle.x, to.y}, im_color(c.line));
  list.AddRect(from, to, im_color(control.focused ? c.accent : c.border), panel.px(4), 0,
               control.focused ? panel.px(1.5f) : 1);
  ImGui::PushFont(font(Face::small_text));
  const ImU32 dim = im_color(c.dim);
  const ImVec2 text = ImGui::CalcTextSize("τ₁");
  list.AddText({to.x - text.x - panel.px(3), middle.y}, dim, "τ₁");
  list.AddText({middle.x + panel.px(4), from.y + panel.px(1)}, dim, "τ₂");
  ImGui::PopFont();
  list.AddLine(middle, at, im_color(c.accent), panel.px(2));
  list.AddCircleFilled(at, panel.px(knob), im_color(c.accent));
}

/// The constant torque by hand, in the horizontal plane.
void joystick(const Panel& panel, PanelState& state, bool& springs, double most) {
  ControlByHand& control = state.control;
  control.drawn = true;
  const std::vector<double> torque = torque_of(state.upcoming.get());
  const Deflection present{torque[1], torque[2]};
  const float size = panel.px(field_side), radius = size / 2 - panel.px(knob);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 middle{from.x + size / 2, from.y + size / 2};
  ImGui::InvisibleButton("##joystick", {size, size});
  panel.mark_area("joystick");
  if (panel.spoken)
    panel.say(Role::slider, "Joystick for the torque",
              fmt::format("{} N m about e₁, {} N m about e₂", present[0], present[1]));
  tooltip(panel,
          "Drag to apply a torque about e₁ (right) and e₂ (up). After a click, the arrow keys do "
          "the same (with Shift: weaker); Esc leaves it. Every change is an event of the run, and "
          "its work is counted.");
  const bool active = ImGui::IsItemActive();
  if (ImGui::IsItemActivated())
    control.focused = true;
  else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsItemHovered())
    control.focused = false;
  if (control.focused && take_escape(panel)) control.focused = false;

  std::optional<Deflection> asked;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (active)
    asked = {to_grid((mouse.x - middle.x) / radius, most),
             to_grid((middle.y - mouse.y) / radius, most)};
  else if (control.focused)
    asked = by_keys(present, most, springs);
  const bool was_held = std::exchange(control.held, active || (springs && asked));
  const bool released = was_held && !control.held;
  if (!was_held && asked) control.sent = present;
  if (asked)
    control.wanted = *asked;
  else if (released && springs)
    control.wanted = {0, 0};
  const double now = ImGui::GetTime();
  const bool due = !control.held || !panel.frame.plays || now - control.sent_at >= interval;
  if ((asked || released) && due && control.wanted != control.sent) {
    panel.set(torque_path,
              json::Node::numbers(std::array{control.wanted[0], control.wanted[1], torque[3]}));
    control.sent = control.wanted;
    control.sent_at = now;
  }
  const Deflection& shown = control.held ? control.wanted : present;
  const auto place = [&](double x) {
    return static_cast<float>(std::clamp(x / most, -1.0, 1.0)) * radius;
  };
  draw_joystick(panel, control, from, size,
                {middle.x + place(shown[0]), middle.y - place(shown[1])});

  ImGui::SameLine(0, panel.px(10));
  ImGui::BeginGroup();
  check_box(panel, "Springs back", "joystick/springs", springs);
  tooltip(panel, "The torque returns to 0 when the joystick is released.");
  ImGui::EndGroup();
}

}  // namespace

void follow_control(const Panel& panel, PanelState& state, const Settings& settings) {
  ControlByHand& control = state.control;
  const bool covered = !settings.columns || state.gallery.open;
  if (!std::exchange(control.drawn, false) || covered) {
    // A torque out of reach is not held any more.
    const std::vector<double> torque = torque_of(state.upcoming.get());
    if (control.held && settings.joystick_springs && !torque.empty() && torque[0] == 0)
      panel.set(torque_path, json::Node::numbers(std::array{0.0, 0.0, torque[3]}));
    control.focused = control.held = false;
  }
  if (std::exchange(control.of, state.original) != state.original) {
    control.last = torque_of(state.original.get());
    if (!acts(control.last)) control.last.clear();
  }
  const std::vector<double> now = torque_of(state.upcoming.get());
  const bool on = acts(now);
  if (!std::exchange(control.switched, false)) return;
  if (on) control.last = now;
  const ParameterInfo* info = find_info(panel.snapshot);
  if (!info || (!on && control.last.empty())) return;
  panel.set(torque_path, *parameter_node(*info, on ? default_form(*info, 0) : control.last));
}

void control_torque_rows(const Panel& panel, PanelState& state, Settings& settings) {
  const ParameterInfo* info = find_info(panel.snapshot);
  const std::vector<double> now = torque_of(state.upcoming.get());
  if (!info || now.empty()) return;
  if (now[0] == 0 && state.control.open)
    joystick(panel, state, settings.joystick_springs, info->high);
  const bool on = acts(now);
  if (on || !state.control.last.empty()) switch_button(panel, state, on);
}

void joystick_button(const Panel& panel, PanelState& state, const std::string& label) {
  const ImVec2 next = ImGui::GetCursorPos();
  const float room = ImGui::GetContentRegionAvail().x - panel.px(field_reset_width) -
                     ImGui::CalcTextSize(label.c_str()).x;
  ImGui::PushFont(font(Face::small_text));
  const char* text = state.control.open ? "By hand −" : "By hand +";
  const float width = ImGui::CalcTextSize(text).x + 2 * ImGui::GetStyle().FramePadding.x;
  const bool beside = width + panel.px(8) <= room;
  ImGui::SetCursorPosX(next.x + ImGui::GetContentRegionAvail().x - panel.px(field_reset_width) -
                       width);
  if (ImGui::SmallButton(text)) state.control.open = !state.control.open;
  ImGui::PopFont();
  panel.mark("by_hand");
  panel.say(Role::heading, "Torque by hand", {}, state.control.open);
  tooltip(panel, "Show a joystick for the torque about e₁ and e₂.");
  if (beside) ImGui::SetCursorPos(next);
}

}  // namespace twosphere::ui
