// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/time_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/scenario/run_clock.h"
#include "ui/fields/number_field.h"
#include "ui/plot/axis.h"
#include "ui/plot/marker_group.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float handle_radius = 6, bar_height = 4;
constexpr float mark_top = 10, mark_bottom = 4;  // above the middle of the bar
constexpr float slack = 4;                       // by which the mouse may miss a mark
// Lines of other runs, below it; the last of them ends so far above the buttons.
constexpr float branch_top = 6, branch_step = 6, branch_width = 2, branch_bottom = 3;
constexpr float branch_slack = 3;       // by which the mouse may miss one
constexpr float line_height = 26;       // at least
constexpr double picture_delay = 0.15;  // [s]
constexpr float box_padding = 8, text_width = 420;
constexpr float later_share = 0.4f;  // opacity of what is computed after the instant shown

/// Elapsed time along the bar.
struct TimeScale {
  float left = 0, width = 0;  // [px]
  double whole = 0;           // [s]

  float x(double elapsed) const {
    const double share = whole > 0 ? std::clamp(elapsed / whole, 0.0, 1.0) : 0;
    return left + width * static_cast<float>(share);
  }
  float share(float x) const { return std::clamp((x - left) / width, 0.0f, 1.0f); }
};

/// A group of markers on the bar.
struct Mark {
  MarkerGroup group;
  float from = 0, to = 0;  // [px]
  bool warning = false;

  bool near(float x, float reach) const { return x >= from - reach && x <= to + reach; }
};

std::vector<Mark> marks(const Panel& panel, const TimeLine& line, const TimeScale& scale) {
  std::vector<Mark> found;
  const std::vector<RunMarker>& markers = panel.snapshot.markers;
  const double gap = marker_gap({0, scale.whole});
  for (const MarkerGroup& group : marker_groups(markers, gap)) {
    const auto x = [&](std::size_t marker) {
      return std::round(scale.x(line.table.elapsed(markers[marker].step)));
    };
    found.push_back({group, x(group.first), x(group.last), markers[group.first].warning});
  }
  return found;
}

void draw_marks(const Panel& panel, const std::vector<Mark>& all, float middle) {
  auto& list = *ImGui::GetWindowDrawList();
  const float top = middle - panel.px(mark_top), bottom = middle - panel.px(mark_bottom);
  const float half = std::max(0.5f, panel.px(1));
  for (const bool warnings : {false, true})
    for (const Mark& mark : all) {
      if (mark.warning != warnings) continue;
      const Color color = mark.warning ? panel.colors.error : panel.colors.warning;
      if (mark.to > mark.from)
        list.AddRectFilled({mark.from, top}, {mark.to, bottom}, im_color(color, 0.35f));
      list.AddRectFilled({mark.from - half, top}, {mark.from + half, bottom}, im_color(color));
    }
}

void draw_cross(const Panel& panel, ImVec2 at) {
  auto& list = *ImGui::GetWindowDrawList();
  const float r = panel.px(4);
  const ImU32 color = im_color(panel.colors.error);
  list.AddLine({at.x - r, at.y - r}, {at.x + r, at.y + r}, color, panel.px(2));
  list.AddLine({at.x - r, at.y + r}, {at.x + r, at.y - r}, color, panel.px(2));
}

/// The bar: computed up to the instant shown, computed after it, and planned.
void draw_bar(const Panel& panel, const TimeScale& scale, double shown, double head, double planned,
              float middle) {
  auto& list = *ImGui::GetWindowDrawList();
  const Colors& c = panel.colors;
  const float h = panel.px(bar_height), top = std::round(middle - h / 2);
  const auto bar = [&](float from, float to, ImU32 color) {
    if (to > from) list.AddRectFilled({from, top}, {to, top + h}, color, h / 2);
  };
  const float end = scale.left + scale.width, now = scale.x(head), here = scale.x(shown);
  bar(scale.left, end, im_color(c.borders ? c.line : c.hovered));
  if (here < now) bar(scale.left, now, im_color(c.accent, later_share));
  bar(scale.left, here, im_color(c.accent));
  if (head > planned) {  // a mark at the planned end, which the run has passed
    const float x = std::round(scale.x(planned));
    list.AddLine({x, middle - panel.px(5)}, {x, middle + panel.px(5)}, im_color(c.text),
                 panel.px(1));
  }
  if (here < now) {  // the newest step
    const float x = std::round(now);
    list.AddLine({x, middle - panel.px(5)}, {x, middle + panel.px(5)}, im_color(c.accent),
                 panel.px(2));
  }
  panel.mark("progress", {scale.left, top, scale.width, h});
  panel.mark("progress/done", {scale.left, top, now - scale.left, h});
}

/// The time line in words: the instant shown, and what is computed.
void say_time_line(const Panel& panel, const Rect& row) {
  if (!panel.spoken) return;
  const Snapshot& s = panel.snapshot;
  panel.tell(
      "time_line", row, "Time line",
      fmt::format("{} s, {} s computed", time_text(s, panel.shown.t), time_text(s, s.elapsed)),
      Role::slider);
  panel.said()->operable = true;
}

/// Another run on the time line.
struct Bough {
  const BranchView* run = nullptr;
  float top = 0;                     // of the run that it leaves [px]
  float left = 0, right = 0, y = 0;  // [px]

  bool near(ImVec2 at, float reach) const {
    return at.x >= left - reach && at.x <= right + reach && std::abs(at.y - y) <= reach;
  }
};

/// Each other run that is shown: from where it leaves the present one, or one above it with which
/// it shares more, to its head.
std::vector<Bough> boughs(const Panel& panel, const TimeLine& line, const TimeScale& scale,
                          float middle) {
  std::vector<Bough> all;
  float y = std::round(middle + panel.px(branch_top));
  for (const BranchView& run : panel.frame.branches) {
    if (run.present || run.look.hidden) continue;
    double from = line.table.elapsed(run.shared_steps);
    float top = middle + panel.px(bar_height / 2);
    for (const Bough& above : all)
      if (above.run->id == run.parent && run.fork_elapsed > from) {
        from = run.fork_elapsed;
        top = above.y;
      }
    const float left = std::round(scale.x(from));
    all.push_back({&run, top, left, std::max(scale.x(line.head_elapsed(run)), left + 1), y});
    y += panel.px(branch_step);
  }
  return all;
}

void draw_boughs(const Panel& panel, const std::vector<Bough>& all, const Bough* pointed) {
  auto& list = *ImGui::GetWindowDrawList();
  for (const Bough& bough : all) {
    const ImU32 color = im_color(branch_color(bough.run->look.color, panel.palette));
    const float width = panel.px(&bough == pointed ? 2 * branch_width : branch_width);
    list.AddLine({bough.left, bough.top}, {bough.left, bough.y}, color, panel.px(1));
    list.AddLine({bough.left, bough.y}, {bough.right, bough.y}, color, width);
    const float half = panel.px(branch_slack);
    panel.mark("branch/" + std::to_string(bough.run->id),
               {bough.left, bough.y - half, bough.right - bough.left, 2 * half});
  }
}

void draw_handle(const Panel& panel, ImVec2 at, bool lit) {
  auto& list = *ImGui::GetWindowDrawList();
  const float r = panel.px(handle_radius);
  list.AddCircleFilled(at, r + panel.px(1.5f), im_color(panel.colors.panel));
  list.AddCircleFilled(at, r, im_color(panel.colors.accent));
  if (!lit) list.AddCircleFilled(at, r - panel.px(2.5f), im_color(panel.colors.panel));
  panel.mark("progress/handle", {at.x - r, at.y - r, 2 * r, 2 * r});
}

/// The picture of the instant under the mouse, or the place where it comes.
void draw_time_picture(const Panel& panel) {
  const TimePicture& picture = panel.frame.time_picture;
  auto& list = *ImGui::GetWindowDrawList();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 to{from.x + picture.width, from.y + picture.height};
  if (picture.texture != 0)
    list.AddImage(reinterpret_cast<ImTextureID>(picture.texture), from, to, {0, 1}, {1, 0});
  else
    list.AddRectFilled(from, to, im_color(panel.colors.scene));
  list.AddRect(from, to, im_color(panel.colors.line));
  ImGui::Dummy({picture.width, picture.height});
  panel.mark(picture.texture != 0 ? "time_picture" : "time_picture/coming");
}

/// A tooltip above a row of controls, over the mouse and within the row if the row is wide enough.
void draw_note(const Panel& panel, const std::string& text, const Rect& row,
               bool with_picture = false) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(8), panel.px(5)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, panel.px(4));
  ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 1);
  const float wrap = panel.px(text_width);
  const float width = std::max(ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap).x,
                               with_picture ? panel.frame.time_picture.width : 0) +
                      panel.px(16);
  const bool fits = width <= row.width;
  const float left = fits ? row.x : 0, room = fits ? row.width : ImGui::GetIO().DisplaySize.x;
  const float half = std::min(width, room) / 2;
  const float x = std::clamp(ImGui::GetIO().MousePos.x, left + half, left + room - half);
  ImGui::SetNextWindowPos({x, row.y - panel.px(4)}, ImGuiCond_Always, {0.5f, 1});
  ImGui::BeginTooltip();
  if (ImGui::IsWindowAppearing()) panel.request_frames();
  if (with_picture) draw_time_picture(panel);
  ImGui::PushTextWrapPos(wrap + panel.px(8));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar(3);
}

}  // namespace

std::string fork_text(const Panel& panel, const BranchView& branch) {
  for (const BranchView& other : panel.frame.branches)
    if (other.id == branch.parent)
      return fmt::format("{} at {} s", other.look.name,
                         time_text(panel.snapshot, branch.fork_time));
  return "the start";
}

float time_line_height(std::span<const BranchView> branches) {
  const auto others = std::count_if(branches.begin(), branches.end(), [](const BranchView& branch) {
    return !branch.present && !branch.look.hidden;
  });
  return std::max(line_height, line_height / 2 + branch_top +
                                   branch_step * static_cast<float>(others - 1) + branch_bottom);
}

void TimeLine::follow(const std::shared_ptr<const Scenario>& record) {
  if (record == record_ || !record) return;
  record_ = record;
  table = Timetable(*record);
}

double TimeLine::point(float share, double whole, std::uint64_t generation) {
  if (!pointed || pointed->share != share || pointed->generation != generation)
    pointed = {share, generation, static_cast<double>(share) * whole};
  return pointed->elapsed;
}

std::string time_text(const Snapshot& snapshot, double t) {
  const auto& lanes = snapshot.present->lanes;
  return with_minus(fmt::format("{:.{}f}", t, lanes.empty() ? 3 : time_decimals(grid_step(lanes))));
}

void draw_time_line(const Panel& panel, TimeLine& line, TimeAxis& axis, const Rect& row) {
  const Snapshot& head = panel.snapshot;
  const double computed = line.table.elapsed(head.steps);
  const double planned = line.table.elapsed(head.planned_steps);
  double longest = 0;  // of the other runs
  for (const BranchView& branch : panel.frame.branches)
    if (!branch.look.hidden) longest = std::max(longest, line.head_elapsed(branch));
  const float margin = panel.px(handle_radius + 1),
              middle = std::round(row.y + panel.px(line_height / 2));
  const TimeScale scale{row.x + margin, std::max(row.width - 2 * margin, 1.0f),
                        std::max({planned, computed, longest})};
  const double shown = line.table.elapsed(TimeLine::step(panel.frame));

  ImGui::SetCursorScreenPos({row.x, row.y});
  ImGui::InvisibleButton("progress", {std::max(row.width, 1.0f), row.height});
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const bool pressed = ImGui::IsItemActivated();
  line.dragged = active;
  say_time_line(panel, row);
  const bool had_picture = std::exchange(line.pictured, std::nullopt).has_value();
  if (!hovered || active) line.hovered_since.reset();

  draw_bar(panel, scale, shown, computed, planned, middle);
  const std::vector<Bough> others = boughs(panel, line, scale, middle);
  const Bough* pointed_run = nullptr;
  if (hovered && (!active || pressed || line.pressed_run))
    for (const Bough& bough : others)
      if (bough.near(ImGui::GetIO().MousePos, panel.px(branch_slack))) pointed_run = &bough;
  if (pressed) line.pressed_run = pointed_run ? std::optional(pointed_run->run->id) : std::nullopt;
  draw_boughs(panel, others, pointed_run);
  const std::vector<Mark> all = marks(panel, line, scale);
  draw_marks(panel, all, middle);
  for (std::size_t k = 0; k < all.size(); ++k)
    panel.mark(fmt::format("progress/marker[{}]", k),
               {all[k].from - 1, middle - panel.px(mark_top), all[k].to - all[k].from + 2,
                panel.px(mark_top - mark_bottom)});
  const bool failed = head.state == RunState::failed && head.failure;
  const ImVec2 failure{scale.x(computed), middle};
  if (failed) draw_cross(panel, failure);
  draw_handle(panel, {std::round(scale.x(shown)), middle},
              hovered || active || panel.frame.in_past);
  if (line.pressed_run && ImGui::IsItemDeactivated()) {
    if (pointed_run && pointed_run->run->id == *line.pressed_run)
      panel.sink.switch_to(*line.pressed_run);
    line.pressed_run.reset();
    return;
  }
  if (pointed_run || line.pressed_run || (!hovered && !active)) line.pointed.reset();
  if (!hovered && !active) return;
  if (pointed_run) {
    const BranchView& run = *pointed_run->run;
    draw_note(panel,
              fmt::format("{}, from {}, up to {} s\nClick to continue with it", run.look.name,
                          fork_text(panel, run), time_text(head, line.head_time(run))),
              row);
    panel.mark("branch_note");
  }
  if (pointed_run || line.pressed_run) return;

  const float mouse = ImGui::GetIO().MousePos.x;
  const double pointed = line.point(scale.share(mouse), scale.whole, head.generation);
  std::int64_t at = std::min(line.table.step_after(pointed), head.steps);
  MarkerNotes notes;
  const Mark* nearest = nullptr;
  for (const Mark& mark : all) {
    if (!mark.near(mouse, panel.px(slack))) continue;
    notes.add(head.markers, mark.group);
    if (!nearest || std::abs(mark.from - mouse) < std::abs(nearest->from - mouse)) nearest = &mark;
  }
  // A press on a mark goes to its step, not beside it.
  if (pressed && nearest && std::abs(nearest->from - mouse) <= panel.px(slack))
    at = std::min(head.markers[nearest->group.first].step, head.steps);
  if (active && (pressed || ImGui::GetIO().MouseDelta.x != 0)) panel.sink.show(at);

  const bool later = line.table.step_after(pointed) > head.steps;
  if (!active && !later && head.steps > 0) {
    axis.next_cursor = line.table.time(at);
    const double now = ImGui::GetTime();
    if (!line.hovered_since) line.hovered_since = now;
    if (now - *line.hovered_since < picture_delay)
      panel.hover.waiting = true;
    else if (line.pictures)
      line.pictured = at;
  }
  const bool with_picture = line.pictured && panel.frame.time_picture.width > 0;
  if (line.pictured.has_value() != had_picture) panel.request_frames();
  std::string text =
      "t = " + time_text(head, line.table.time(later ? line.table.step_after(pointed) : at)) +
      (later ? " s, not computed yet" : " s");
  if (head.steps > head.planned_steps && std::abs(scale.x(planned) - mouse) <= panel.px(slack))
    text += fmt::format("\nThe duration T = {:g} s ends here.", head.end_time);
  if (failed && std::abs(failure.x - mouse) <= panel.px(slack + 2))
    text += fmt::format("\nStep {} failed", head.failure->step);
  if (const std::string named = notes.text(); !named.empty()) text += '\n' + named;
  draw_note(panel, text, row, with_picture);
}

void draw_plain_time_line(const Panel& panel, TimeLine& line, const Rect& row) {
  const Snapshot& head = panel.snapshot;
  const double computed = line.table.elapsed(head.steps);
  const TimeScale scale{row.x, row.width,
                        std::max(line.table.elapsed(head.planned_steps), computed)};
  auto& list = *ImGui::GetBackgroundDrawList();
  const auto bar = [&](float to, ImU32 color) {
    list.AddRectFilled({row.x, row.y}, {to, row.y + row.height}, color);
  };
  bar(row.x + row.width, im_color(panel.colors.hovered));
  bar(scale.x(computed), im_color(panel.colors.accent, later_share));
  bar(scale.x(line.table.elapsed(TimeLine::step(panel.frame))), im_color(panel.colors.accent));
  line.dragged = false;
  line.pictured.reset();
  line.pointed.reset();
  line.hovered_since.reset();
  say_time_line(panel, row);
}

float time_box_width(const Panel& panel) {
  const Snapshot& s = panel.snapshot;
  ImGui::PushFont(font(Face::small_mono));
  const float width = ImGui::CalcTextSize(time_text(s, std::max(s.end_time, s.t)).c_str()).x;
  ImGui::PopFont();
  return width + panel.px(2 * box_padding);
}

void draw_time_box(const Panel& panel, TimeLine& line, const Rect& area) {
  const Snapshot& head = panel.snapshot;
  ImGui::PushFont(font(Face::small_mono));
  const float padding = (area.height - ImGui::GetFontSize()) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {panel.px(box_padding - 1), padding});
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::SetNextItemWidth(area.width);
  const bool opens = std::exchange(line.type, false);
  if (opens) ImGui::SetKeyboardFocusHere();  // active from the next frame on
  if (!line.typing) {
    const std::string now = time_text(head, line.time(panel.frame));
    line.text = {};
    now.copy(line.text.data(), line.text.size() - 1);
  }
  const std::string before = line.text.data();
  const bool entered =
      ImGui::InputText("##time", line.text.data(), line.text.size(),
                       ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  panel.mark_text("time_box");
  panel.say(Role::text, "Time [s]", line.text.data());
  const Rect box = panel.widgets["time_box"];
  line.typing = ImGui::IsItemActive() || opens;
  if (before != line.text.data()) line.problem.clear();
  if (line.typing)
    ImGui::GetWindowDrawList()->AddRect(
        {box.x, box.y}, {box.x + box.width, box.y + box.height},
        im_color(line.problem.empty() ? panel.colors.accent : panel.colors.error),
        ImGui::GetStyle().FrameRounding, 0, panel.px(1.5f));
  else
    explain(panel, Action::go_to_time);
  if (entered) {
    const History& lane = panel.frame.histories.front();
    const Range recorded = lane.range(Quantity::time, 0, lane.size());
    ParameterInfo time;
    time.unit = "s";
    time.low = std::min(recorded.low, head.t);
    time.high = std::max(recorded.high, head.t);
    NumberField field;
    field.info = &time;
    field.symbol = "The time";
    const Typed typed = ui::typed(field, line.text.data());
    line.problem = typed.error;
    if (typed.value)
      panel.sink.show(line.table.step_at(*typed.value, head.steps));
    else
      line.typing = line.type = true;  // it stays open for correction
  }
  if (!line.typing) line.problem.clear();
  if (!line.problem.empty()) draw_note(panel, line.problem, box);
}

}  // namespace twosphere::ui
