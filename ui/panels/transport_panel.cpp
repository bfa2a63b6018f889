// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "ui/panels/panels.h"
#include "ui/scene/scene_overlay.h"
#include "ui/shell/pace.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float row_height = 28, box_height = 22;
constexpr float line_top = 3, line_gap = 2, bottom = 7;  // around the time line, and at the end
// In a narrower view that is not too low a second row has the time.
constexpr float one_row = 500, lowest_view = 300, row_gap = 4;
constexpr float side_button = 32, main_button = 40;
constexpr float widest_speed = 164, narrowest_speed = 54, run_list = 92;
constexpr float hidden_share = 0.3f;  // opacity of the colour of a hidden run

enum class Icon { rewind, step_back, step_forward, play, pause, loop, go_on, to_head };

void draw_icon(ImDrawList& list, Icon icon, ImVec2 c, float r, ImU32 color) {
  const auto bar = [&](float from, float to) {
    list.AddRectFilled({c.x + from * r, c.y - r}, {c.x + to * r, c.y + r}, color);
  };
  // From its base to its tip.
  const auto triangle = [&](float from, float to) {
    const ImVec2 high{c.x + from * r, c.y - r}, low{c.x + from * r, c.y + r};
    list.AddTriangleFilled({c.x + to * r, c.y}, to > from ? high : low, to > from ? low : high,
                           color);
  };
  switch (icon) {
    case Icon::rewind:
      bar(-1.25f, -0.95f);
      triangle(0.15f, -0.9f);
      return triangle(1.2f, 0.15f);
    case Icon::to_head:
      triangle(-1.2f, -0.15f);
      triangle(-0.15f, 0.9f);
      return bar(0.95f, 1.25f);
    case Icon::step_back:
      triangle(0.35f, -0.95f);
      return bar(0.6f, 0.95f);
    case Icon::step_forward:
      bar(-0.95f, -0.6f);
      return triangle(-0.35f, 0.95f);
    case Icon::play:
      return list.AddTriangleFilled({c.x + 1.1f * r, c.y}, {c.x - 0.8f * r, c.y - 1.1f * r},
                                    {c.x - 0.8f * r, c.y + 1.1f * r}, color);
    case Icon::pause:
      bar(-0.8f, -0.25f);
      return bar(0.25f, 0.8f);
    case Icon::go_on: {  // a line that leaves another
      const float thick = 0.3f * r, low = c.y + 0.8f * r, high = c.y - 0.35f * r;
      list.AddLine({c.x - 1.2f * r, low}, {c.x + 1.2f * r, low}, color, thick / 2);
      list.AddBezierCubic({c.x - 1.2f * r, low}, {c.x - 0.3f * r, low}, {c.x - 0.8f * r, high},
                          {c.x + 0.2f * r, high}, color, thick);
      return list.AddTriangleFilled({c.x + 1.25f * r, high}, {c.x + 0.15f * r, high - 0.7f * r},
                                    {c.x + 0.15f * r, high + 0.7f * r}, color);
    }
    case Icon::loop: {
      constexpr float pi = std::numbers::pi_v<float>;
      list.PathArcTo(c, 0.95f * r, -0.25f * pi, 1.5f * pi, 24);
      list.PathStroke(color, 0, 0.3f * r);
      const ImVec2 tip{c.x + 0.6f * r, c.y - 0.95f * r};
      return list.AddTriangleFilled({tip.x, tip.y}, {tip.x - 0.75f * r, tip.y + 0.6f * r},
                                    {tip.x - 0.75f * r, tip.y - 0.6f * r}, color);
    }
  }
}

/// A button at the cursor, which then stands behind it. `lit`: a switch that is on.
bool icon_button(const Panel& panel, const char* name, Icon icon, Action action, bool main = false,
                 bool lit = false) {
  const ImVec2 size{panel.px(main ? main_button : side_button), panel.px(row_height)};
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(name, size);
  const bool hovered = ImGui::IsItemHovered();
  const Colors& c = panel.colors;
  auto& list = *ImGui::GetWindowDrawList();
  if (main)
    list.AddRectFilled(from, {from.x + size.x, from.y + size.y},
                       im_color(c.accent, hovered ? 0.88f : 1), panel.px(5));
  else if (hovered || lit)
    list.AddRectFilled(from, {from.x + size.x, from.y + size.y}, im_color(c.hovered), panel.px(5));
  draw_icon(list, icon, {from.x + size.x / 2, from.y + size.y / 2}, panel.px(6),
            im_color(main  ? c.on_accent
                     : lit ? c.accent
                           : c.text));
  panel.mark(name);
  panel.say(Role::button, info(action).label, {}, lit ? std::optional(true) : std::nullopt);
  explain(panel, action);
  ImGui::SameLine(0, panel.px(4));
  return pressed;
}

bool text_button(const Panel& panel, const char* name, const std::string& label, Action action,
                 float width) {
  const bool pressed = push_button(panel, label, name, {width, panel.px(row_height)});
  explain(panel, action);
  return pressed;
}

void speed_combo(const Panel& panel, float width) {
  const Snapshot& s = panel.snapshot;
  const Pace now{s.pacing, s.requested_factor};
  // Only the factor if the text does not fit.
  std::string preview = describe(now);
  const bool whole =
      ImGui::CalcTextSize(preview.c_str()).x <= width - ImGui::GetFrameHeight() - panel.px(12);
  if (!whole) preview = short_name(now);
  const bool open =
      begin_list("##speed", preview, width, whole ? 0 : ImGuiComboFlags_NoArrowButton);
  if (open) {
    const auto item = [&](const Pace& pace, const std::string& name) {
      const bool present = pace.pacing == now.pacing &&
                           (pace.pacing != Pacing::real_time || pace.factor == now.factor);
      if (list_item(panel, describe(pace), "speed/" + name, present)) panel.sink.command(pace);
    };
    item({Pacing::every_step, 1}, "every_step");
    for (const double f : speed_factors()) item({Pacing::real_time, f}, fmt::format("{:g}", f));
    item({Pacing::fastest, 1}, "fastest");
    ImGui::EndCombo();
  }
  panel.mark("speed");
  panel.say(Role::list, "Speed", preview, open);
  const std::string_view up = info(Action::faster).key, down = info(Action::slower).key;
  if (!open)
    tooltip(panel,
            fmt::format("Simulated time for each second of real time.\nKeys: {} and {}", up, down));
  hint_key(panel, fmt::format("{} {}", up, down));
}

/// The runs that share this start: to continue another, or to edit the list.
void run_combo(const Panel& panel, const TimeLine& line, float width) {
  const auto& branches = panel.frame.branches;
  const auto present = std::find_if(branches.begin(), branches.end(),
                                    [](const BranchView& branch) { return branch.present; });
  const bool open = begin_list("##run", present == branches.end() ? "" : present->look.name, width);
  if (open) {
    const Snapshot& head = panel.snapshot;
    for (const BranchView& branch : branches) {
      const std::string& name = branch.look.name;
      std::string label =
          fmt::format("    {}, up to {} s", name, time_text(head, line.head_time(branch)));
      if (!branch.present || branch.parent >= 0) label += ", from " + fork_text(panel, branch);
      auto& items = *ImGui::GetWindowDrawList();
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (list_item(panel, label, fmt::format("run/{}", name), branch.present) && !branch.present)
        panel.sink.switch_to(branch.id);
      const float y = std::round(at.y + ImGui::GetFontSize() / 2), half = panel.px(1.5f);
      items.AddRectFilled({at.x, y - half}, {at.x + panel.px(10), y + half},
                          im_color(branch_color(branch.look.color, panel.palette),
                                   branch.look.hidden ? hidden_share : 1));
    }
    ImGui::Separator();
    if (ImGui::Selectable(std::string(info(Action::runs).label).c_str()))
      panel.sink.act(Action::runs);
    panel.mark("run/edit");
    panel.say(Role::item, info(Action::runs).label);
    explain(panel, Action::runs);
    ImGui::EndCombo();
  }
  panel.mark("run");
  panel.say(Role::list, "Run", present == branches.end() ? "" : present->look.name, open);
  if (!open)
    tooltip(panel,
            "Runs from the same start. A new one begins when you continue from the past or "
            "change something there.");
  hint_key(panel, info(Action::runs).key);
}

/// The text after the time, in short and in full: "of 100 s"; in the past "of 12.850 s" and
/// "of 12.850 s recorded"; of a run that was reversed "after 20.000 s" and "after 20.000 of 100 s".
struct WholeText {
  std::string brief, full;
};

WholeText whole(const Panel& panel) {
  const Snapshot& s = panel.snapshot;
  if (panel.frame.in_past) {
    const std::string brief = "of " + recorded_text(panel);
    return {brief, brief + " recorded"};
  }
  // Tolerance for the rounding of sums of steps.
  const bool continued = s.elapsed > s.end_time + 1e-9 * std::abs(s.end_time);
  const auto& events = s.record->events;
  if (std::any_of(events.begin(), events.end(),
                  [&](const Event& e) { return e.reverse && e.step < s.steps; })) {
    // The time is not how long the run is.
    const std::string gone = time_text(s, s.elapsed), brief = fmt::format("after {} s", gone);
    return {brief, continued ? brief : fmt::format("after {} of {:g} s", gone, s.end_time)};
  }
  const std::string text =
      continued ? fmt::format("of {} s", time_text(s, s.t)) : fmt::format("of {:g} s", s.end_time);
  return {text, text};
}

void write(const Panel& panel, ImVec2 at, Face face, Color color, const std::string& text) {
  ImGui::PushFont(font(face));
  const float y = at.y + (panel.px(row_height) - ImGui::GetFontSize()) / 2;
  ImGui::GetWindowDrawList()->AddText({std::round(at.x), std::round(y)}, im_color(color),
                                      text.c_str());
  ImGui::PopFont();
}

float width_of(Face face, const std::string& text) {
  ImGui::PushFont(font(face));
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::PopFont();
  return width;
}

/// The measured ratio to real time, "1.00×"; empty while the run is paused.
void measured(const Panel& panel, ImVec2 at, float room) {
  const Snapshot& s = panel.snapshot;
  std::string factor;
  if (panel.frame.plays && !panel.frame.in_past && s.measured_factor > 0) {
    ImGui::PushFont(font(Face::small_mono));
    factor = s.measured_factor < 0.01    ? fmt::format("{:.1e}×", s.measured_factor)
             : s.measured_factor >= 1000 ? fmt::format("{:.0f}×", s.measured_factor)
                                         : fmt::format("{:.2f}×", s.measured_factor);
    const ImVec2 size = ImGui::CalcTextSize(factor.c_str());
    // Highlight a speed below the requested one.
    const bool short_of =
        s.pacing == Pacing::real_time && s.measured_factor < 0.9 * s.requested_factor;
    ImGui::GetWindowDrawList()->AddText(
        {std::round(at.x + room - size.x), std::round(at.y + (panel.px(row_height) - size.y) / 2)},
        im_color(short_of ? panel.colors.warning : panel.colors.text), factor.c_str());
    ImGui::PopFont();
  }
  panel.mark("measured_factor", {at.x, at.y, room, panel.px(row_height)});
  if (!factor.empty()) panel.say(Role::label, "Measured speed", factor);
}

/// The buttons for which the rows have room: in a narrow scene only what matters most.
struct Row {
  bool to_head = false, to_head_named = false, go_on = false, go_on_named = false;
  bool step_back = false, speed = false, box = false, runs = false, loop = false;
  bool loop_below = false;  // in the second row
  bool whole = false, whole_full = false, factor = false;
  float speed_width = 0;
};

struct RowWidths {
  float box, whole, whole_full, factor, go_on, to_head;
};

/// `second`: there is a second row, for the time and the runs.
Row arrange_row(const Panel& panel, const RowWidths& widths, bool typing, float room, bool second) {
  const auto take = [](float& from, float width) {
    if (from < width) return false;
    from -= width;
    return true;
  };
  float below = room;
  room -= panel.px(side_button + 4 + main_button + 4 + side_button + 10);
  const auto fits = [&](float width) { return take(room, width); };
  const auto time_fits = [&](float width) { return take(second ? below : room, width); };
  const float button = panel.px(side_button + 4), box = widths.box + panel.px(8);
  const bool past = panel.frame.in_past;
  Row row;
  row.to_head = past && time_fits(button + panel.px(6));
  row.box = typing && time_fits(box);
  row.speed = fits(panel.px(narrowest_speed) - 1);  // for rounding
  row.step_back = fits(button);
  row.box = row.box || time_fits(box);
  row.go_on = past && time_fits(button);
  row.loop = fits(button);
  row.loop_below = second && !row.loop && time_fits(button);
  if (past && row.speed && !row.loop && !row.loop_below) {  // for a replay the loop matters more
    room += panel.px(narrowest_speed) - 1;
    row.speed = false;
    row.loop = fits(button);
  }
  row.runs = !panel.frame.branches.empty() && time_fits(panel.px(run_list + 8));
  row.whole = row.box && time_fits(widths.whole + panel.px(6));
  const auto named_fits = [&](float width) { return time_fits(width + panel.px(16) - button); };
  row.go_on_named = row.go_on && named_fits(widths.go_on);
  row.whole_full = row.whole && time_fits(widths.whole_full - widths.whole);
  row.to_head_named = row.to_head && named_fits(widths.to_head);
  row.factor = time_fits(widths.factor + panel.px(12));
  row.speed_width = panel.px(narrowest_speed);
  if (row.speed)
    row.speed_width += std::clamp(room, 0.0f, panel.px(widest_speed - narrowest_speed));
  return row;
}

void draw_buttons(const Panel& panel, TimeLine& line, float left, float right, float y,
                  bool second) {
  const Frame& frame = panel.frame;
  const WholeText end = whole(panel);
  const std::string to_head = "To the head", go_on(info(Action::go_on_from_here).label);
  const RowWidths widths{time_box_width(panel),
                         width_of(Face::small_mono, end.brief),
                         width_of(Face::small_mono, end.full),
                         width_of(Face::small_mono, "1234.56×"),
                         width_of(Face::text, go_on),
                         width_of(Face::text, to_head)};
  const Row row = arrange_row(panel, widths, line.type || line.typing, right - left, second);
  // In the past, and in a loop, the window says what the buttons do.
  const auto send = [&](Command command, Action action) {
    if (frame.in_past || line.loop)
      panel.sink.act(action);
    else
      panel.sink.command(std::move(command));
  };

  ImGui::SetCursorScreenPos({left, y});
  if (icon_button(panel, "rewind", Icon::rewind, Action::rewind)) panel.sink.command(Rewind{});
  if (row.step_back && icon_button(panel, "step_back", Icon::step_back, Action::step_back_1))
    panel.sink.act(Action::step_back_1);
  const bool switched =
      icon_button(panel, "play", frame.plays ? Icon::pause : Icon::play, Action::play_pause, true);
  if (SpokenWidget* const said = panel.said()) said->value = frame.plays ? "running" : "paused";
  if (switched) {
    if (frame.plays)
      send(Pause{}, Action::play_pause);
    else
      send(Play{}, Action::play_pause);
  }
  if (icon_button(panel, "step_forward", Icon::step_forward, Action::step_1))
    send(TakeSteps{1}, Action::step_1);
  const auto loop = [&] {
    if (icon_button(panel, "loop", Icon::loop, Action::toggle_loop, false, line.loop))
      line.loop = !line.loop;
  };
  if (row.loop) loop();
  ImGui::SameLine(0, panel.px(6));
  float x = ImGui::GetCursorScreenPos().x;
  if (row.speed) {
    ImGui::SetCursorScreenPos({x, y + (panel.px(row_height) - ImGui::GetFrameHeight()) / 2});
    speed_combo(panel, row.speed_width);
    x += row.speed_width + panel.px(8);
  }
  if (second) {
    x = left;
    y += panel.px(row_height + row_gap);
  }
  if (row.runs) {
    ImGui::SetCursorScreenPos({x, y + (panel.px(row_height) - ImGui::GetFrameHeight()) / 2});
    run_combo(panel, line, panel.px(run_list));
    x += panel.px(run_list + 8);
  }
  if (row.loop_below) {
    ImGui::SetCursorScreenPos({x, y});
    loop();
    x += panel.px(side_button + 4);
  }
  if (row.factor) measured(panel, {x, y}, widths.factor);

  x = right;
  // From the right; with its name if there is room.
  const auto button = [&](const char* name, const std::string& label, Icon icon, Action action,
                          float label_width, bool named) {
    const float wide = named ? label_width + panel.px(16) : panel.px(side_button);
    x -= wide;
    ImGui::SetCursorScreenPos({x, y});
    const bool pressed = named ? text_button(panel, name, label, action, wide)
                               : icon_button(panel, name, icon, action);
    x -= panel.px(4);
    return pressed;
  };
  if (row.to_head && button("to_head", to_head, Icon::to_head, Action::show_head, widths.to_head,
                            row.to_head_named))
    panel.sink.show_head();
  if (row.go_on && button("go_on_from_here", go_on, Icon::go_on, Action::go_on_from_here,
                          widths.go_on, row.go_on_named))
    panel.sink.act(Action::go_on_from_here);
  if (row.to_head) x -= panel.px(6);
  if (row.whole) {
    const std::string& text = row.whole_full ? end.full : end.brief;
    const float wide = row.whole_full ? widths.whole_full : widths.whole;
    x -= wide;
    write(panel, {x, y}, Face::small_mono, frame.in_past ? panel.colors.accent : panel.colors.dim,
          text);
    panel.mark("progress/time", {x, y, wide, panel.px(row_height)});
    panel.say(Role::label, text);
    x -= panel.px(6);
  }
  if (row.box)
    draw_time_box(panel, line,
                  {x - widths.box, y + panel.px((row_height - box_height) / 2), widths.box,
                   panel.px(box_height)});
}

float height_of_one_row(std::span<const BranchView> branches) {
  return line_top + time_line_height(branches) + line_gap + row_height + bottom;
}

}  // namespace

float transport_height(std::span<const BranchView> branches, float width, float height) {
  const bool second = width < one_row && height >= lowest_view;
  return height_of_one_row(branches) + (second ? row_gap + row_height : 0);
}

void transport_line(const Panel& panel, PanelState& state, const Rect& area) {
  draw_plain_time_line(panel, state.time_line, area);
  panel.mark("transport_line", area);
}

void transport_panel(const Panel& panel, PanelState& state, const Rect& area) {
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(12), panel.px(8)});
  ImGui::Begin("transport", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  auto& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  list.AddLine({area.x, area.y}, {area.x + area.width, area.y}, im_color(panel.colors.line));
  list.PopClipRect();
  const float margin = panel.px(12), left = area.x + margin;
  const float line_height = time_line_height(panel.frame.branches);
  const float right = area.x + area.width - margin;
  draw_time_line(panel, state.time_line, state.plots.time,
                 {left, area.y + panel.px(line_top), right - left, panel.px(line_height)});
  draw_buttons(panel, state.time_line, left, right,
               area.y + panel.px(line_top + line_height + line_gap),
               area.height > panel.px(height_of_one_row(panel.frame.branches) + row_gap));
  ImGui::End();
}

}  // namespace twosphere::ui
