// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/catalog.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/state_edit.h"
#include "core/scenario/timetable.h"
#include "ui/panels/panels.h"
#include "ui/panels/time_line.h"
#include "ui/plot/lane_curves.h"
#include "ui/scene/scene_legend.h"
#include "ui/shell/screen_painter.h"

namespace twosphere::ui {

namespace {

constexpr float widest = 440, narrowest = 280;
constexpr int max_card_lines = 40;   // of a card's text
constexpr float least_height = 240;  // that a card has, unless the scene is lower

/// A text wrapped to a width, broken only between words.
void paragraph(std::string_view text, float width) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    for (const std::string& line : wrapped(text.substr(0, end), width, max_card_lines))
      ImGui::TextUnformatted(line.c_str());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Opens a card at the left side of the scene. Over a narrow one it reaches into the plots, but
/// none covers the transport: what is too high is scrolled. end_card() closes it and returns its
/// lower end.
void begin_card(const Panel& panel, const Rect& scene, const char* name, float top,
                const std::string& title, const std::string& message, Color color) {
  const float width =
      std::min(panel.px(widest), std::max(scene.width - panel.px(32), panel.px(narrowest)));
  ImGui::SetNextWindowPos({scene.x + panel.px(16), top});
  const float lowest = scene.y + scene.height - panel.px(8);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, std::max(lowest - top, panel.px(40))});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(18), panel.px(12)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, panel.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(3);
  if (ImGui::IsWindowAppearing()) panel.request_frames();
  panel.tell(name,
             {ImGui::GetWindowPos().x, ImGui::GetWindowPos().y, width, ImGui::GetWindowHeight()},
             title, message, Role::alert);
  const float room = width - 2 * panel.px(18);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, 0});
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(color));
  paragraph(title, room);
  ImGui::PopStyleColor();
  ImGui::Dummy({0, panel.px(4)});
  paragraph(message, room);
  ImGui::PopStyleVar();
  ImGui::Dummy({0, panel.px(2)});
}

/// A button of a card, placed beside the last one, or below it if it does not fit. Its label is
/// broken into two lines if necessary.
bool card_button(const Panel& panel, const char* label, const std::string& name,
                 bool first = false) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  const float all = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
  const float padding = 2 * style.FramePadding.x, wide = ImGui::CalcTextSize(label).x + padding;
  if (!first && ImGui::GetItemRectMax().x + style.ItemSpacing.x + wide <= right) ImGui::SameLine();
  std::string text(label);
  if (wide > all) text = fmt::format("{}", fmt::join(wrapped(label, all - padding, 2), "\n"));
  return push_button(panel, fmt::format("{}###{}", text, name), name, {}, label);
}

float end_card(const Panel& panel, const char* name, Color color) {
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  list.AddRectFilled({from.x + panel.px(7), from.y + panel.px(14)},
                     {from.x + panel.px(10), from.y + size.y - panel.px(14)}, im_color(color),
                     panel.px(1.5f));
  list.PopClipRect();
  panel.mark(name, {from.x, from.y, size.x, size.y});
  ImGui::End();
  return from.y + size.y + panel.px(10);
}

/// Draws the button that closes a card; returns whether it was pressed, or Esc.
bool close_button(const Panel& panel, const char* name, bool first = false) {
  const bool pressed = card_button(panel, "Close", fmt::format("{}/close", name), first);
  explain_escape(panel);
  return pressed || take_escape(panel);
}

/// Whether the steps of the lanes are still compatible if the step of one is halved.
bool fits_halved(std::vector<LaneSpec> lanes, int lane) {
  lanes[static_cast<std::size_t>(lane)].step /= 2;
  const double grid = grid_step(lanes);
  return std::all_of(lanes.begin(), lanes.end(), [grid](const LaneSpec& spec) {
    return substeps(grid, spec.step).has_value();
  });
}

/// Halves the step of one lane if the steps are then still compatible, otherwise of all lanes.
void halve_step(const Panel& panel, PanelState& state, std::optional<int> only,
                bool continues = false) {
  const Scenario& present = *panel.snapshot.present;
  const bool all = !only || !fits_halved(present.lanes, *only);
  Change change{.settings = {}, .continues = continues};
  for (std::size_t l = 0; l < present.lanes.size(); ++l) {
    const int lane = static_cast<int>(l);
    if (!all && lane != only.value_or(lane)) continue;
    const double half = present.lanes[l].step / 2;
    const std::string path = lane_path(present, lane, "step");
    state.fields.expect(path, half);
    change.settings.push_back({path, half});
  }
  panel.sink.command(std::move(change));
}

void halve_step_and_go_on(const Panel& panel, PanelState& state, std::optional<int> only) {
  halve_step(panel, state, only);
  panel.sink.command(Play{});
}

/// Whether a setting or the state was changed after the last step: the run may not continue because
/// of that.
bool changed_here(const Snapshot& s) {
  const auto& events = s.record->events;
  return std::any_of(events.begin(), events.end(), [&s](const Event& event) {
    return event.step == s.steps &&
           std::any_of(event.set.begin(), event.set.end(),
                       [](const Setting& setting) { return setting.path != "every"; });
  });
}

/// The first adaptive method that supports the system, if the method of the lane is not adaptive.
const IntegratorInfo* adaptive_instead(const Snapshot& s, int lane) {
  if (s.lanes[static_cast<std::size_t>(lane)].info->adaptive) return nullptr;
  for (const IntegratorInfo& method : integrators())
    if (method.adaptive && method.supports(*s.system)) return &method;
  return nullptr;
}

/// The message of a step that could not be taken, with ways to continue. Returns whether the card
/// was closed.
bool refusal_card(const Panel& panel, PanelState& state, const Rect& scene, float& top) {
  const Snapshot& s = panel.snapshot;
  const StepFailure& r = *s.failure;
  begin_card(panel, scene, "failure", top, fmt::format("Step {} failed", r.step), r.message,
             panel.colors.error);
  const bool changed = changed_here(s);
  if (changed && card_button(panel, "Undo the change", "failure/undo", true))
    panel.sink.act(Action::undo);
  if (card_button(panel, "Halve the step and continue", "halve_step", !changed))
    halve_step_and_go_on(panel, state, r.lane);
  if (const IntegratorInfo* other = adaptive_instead(s, r.lane);
      other && card_button(panel, fmt::format("Use {} and continue", other->title).c_str(),
                           fmt::format("failure/{}", other->key))) {
    panel.set(lane_path(*s.present, r.lane, "type"), other->key);
    panel.sink.command(Play{});
  }
  if (card_button(panel, "Rewind", "failure/rewind")) panel.sink.command(Rewind{});
  const bool close = close_button(panel, "failure");
  top = end_card(panel, "failure", panel.colors.error);
  return close;
}

/// Whether time decreased in the step that led to this one.
bool went_back(const Scenario& record, std::int64_t step) {
  return Timetable(record).signed_step(step - 1) < 0;
}

/// The warning of the guard for a lane, with possible actions, which begin another run at the last
/// row that was far from the trouble. Returns whether the card was closed.
bool warning_card(const Panel& panel, PanelState& state, const Rect& scene, float& top,
                  const Warning& warning) {
  const Snapshot& s = panel.snapshot;
  begin_card(panel, scene, "warning", top,
             fmt::format("{}: results are not meaningful after t = {:.6g} s{}",
                         s.lanes[static_cast<std::size_t>(warning.lane)].title(), warning.t,
                         s.record && went_back(*s.record, warning.step) ? ", on the way back" : ""),
             capitalised(explain(warning)) + '.', panel.colors.warning);
  const bool runs_on = s.state != RunState::paused;
  const auto go_back = [&] { panel.sink.show(warning.last_good_step); };
  const bool first_row = warning.last_good_step == warning.step;
  if (!first_row) {
    if (card_button(panel, "Step back to before", "warning/step_back", true)) go_back();
    tooltip(panel, "Shows the last row that was far from the trouble; the run is kept.");
  }
  if (card_button(panel, "Halve the step from there", "warning/halve_step", first_row)) {
    go_back();
    halve_step(panel, state, warning.lane, true);
    if (runs_on) panel.sink.command(Play{});
  }
  if (const IntegratorInfo* other = warning.remedy;
      other && card_button(panel, fmt::format("Use {} from there", other->title).c_str(),
                           fmt::format("warning/{}", other->key))) {
    go_back();
    panel.sink.command(
        Change{.settings = {{lane_path(*s.present, warning.lane, "type"), other->key}},
               .continues = true});
    if (runs_on) panel.sink.command(Play{});
  }
  const bool close = card_button(panel, "Close", "warning/close");
  top = end_card(panel, "warning", panel.colors.warning);
  return close;
}

/// Which steps are coarse, and in what respects; empty if none is.
std::string coarse_names(const Snapshot& s) {
  std::string names;
  for (std::size_t l = 0; l < s.coarse_steps.size(); ++l)
    for (const CoarseStep& coarse : s.coarse_steps[l])
      names += fmt::format("{} {} {}\n", l, static_cast<int>(coarse.cause), coarse.step);
  return names;
}

/// The steps that are too coarse for the motion. Returns whether the card was closed.
bool coarse_card(const Panel& panel, PanelState& state, const Rect& scene, float& top) {
  const Snapshot& s = panel.snapshot;
  std::string message;
  std::vector<int> lanes;
  bool only_slow = true;
  for (std::size_t l = 0; l < s.coarse_steps.size() && l < s.lanes.size(); ++l) {
    if (!s.coarse_steps[l].empty()) lanes.push_back(static_cast<int>(l));
    for (const CoarseStep& coarse : s.coarse_steps[l]) {
      message += fmt::format("{}{}: {}.", message.empty() ? "" : "\n", s.lanes[l].title(),
                             describe(coarse));
      only_slow = only_slow && coarse.cause == CoarseStep::Cause::sweeps;
    }
  }
  begin_card(panel, scene, "coarse", top,
             only_slow ? "The step takes many sweeps" : "The step is too coarse for the motion",
             message, panel.colors.warning);
  if (card_button(panel, "Halve the step", "coarse/halve_step", true))
    halve_step(panel, state, lanes.size() == 1 ? std::optional(lanes[0]) : std::nullopt);
  const bool close = card_button(panel, "Close", "coarse/close");
  top = end_card(panel, "coarse", panel.colors.warning);
  return close;
}

/// A measured number beside the rounding level.
void check_row(const Panel& panel, const std::string& what, const std::string& measured,
               const std::string& beside) {
  // In a narrow card the numbers are placed below each other.
  const bool narrow = ImGui::GetWindowWidth() < panel.px(widest);
  const float left = panel.px(narrow ? 18 : 54);
  ImGui::SetCursorPosX(left);
  ImGui::TextUnformatted(what.c_str());
  if (narrow)
    ImGui::SetCursorPosX(panel.px(54));
  else
    ImGui::SameLine(panel.px(206));
  ImGui::PushFont(font(Face::mono));
  ImGui::TextUnformatted(measured.c_str());
  ImGui::PopFont();
  if (narrow)
    ImGui::SetCursorPosX(panel.px(54));
  else
    ImGui::SameLine(panel.px(282));
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.dim));
  ImGui::TextUnformatted(beside.c_str());
  ImGui::PopStyleColor();
}

void check_lane(const Panel& panel, const StepCheck::Lane& lane, std::size_t index) {
  const IntegratorInfo* info = find_integrator(lane.integrator);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  swatch(*ImGui::GetWindowDrawList(), {at.x, at.y + ImGui::GetFontSize() / 2}, panel.px(28),
         panel.lane(static_cast<int>(index), lane.integrator), panel.scale);
  const float room = ImGui::GetWindowWidth() - panel.px(54 + 18);
  for (const std::string& line : wrapped(
           fmt::format(
               "{}, h = {} s{}", info ? info->title : lane.integrator, json::shortest(lane.step),
               lane.symplecticity ? fmt::format(": {}", describe(lane.symplecticity->verdict))
                                  : std::string()),
           room, max_card_lines)) {
    ImGui::SetCursorPosX(panel.px(54));
    ImGui::TextUnformatted(line.c_str());
  }
  const std::string pending = lane.done ? "—" : "…";
  check_row(panel, "symplecticity defect",
            lane.symplecticity ? error_number(lane.symplecticity->defect) : pending,
            lane.symplecticity
                ? fmt::format("rounding {}", error_number(lane.symplecticity->rounding))
                : "");
  if (lane.symplecticity) panel.mark(fmt::format("check/symplecticity[{}]", index));
  if (lane.symplecticity && lane.symplecticity->many)
    check_row(panel, fmt::format("of {} steps", SymplecticityDefect::many_steps),
              error_number(lane.symplecticity->many->defect),
              fmt::format("rounding {}", error_number(lane.symplecticity->many->rounding)));
  check_row(panel, "time-reversal error",
            lane.reversal ? error_number(lane.reversal->distance) : pending,
            lane.reversal ? fmt::format("rounding {}", error_number(lane.reversal->rounding)) : "");
  if (lane.problem.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.warning));
  paragraph(fmt::format("Not measured: {}", lane.problem),
            ImGui::GetWindowWidth() - 2 * panel.px(18));
  ImGui::PopStyleColor();
}

/// When a run that came back to its start after so many steps was first changed or pulled, in a way
/// that its way back does not undo [s]; none if it was not.
std::optional<double> first_change(const Scenario& record, std::int64_t back) {
  for (const Event& event : record.events) {
    const auto acts = [&event](const Setting& setting) {
      const std::string_view part = setting.path.key();
      // A setting at the start acts both ways.
      return is_of_state(setting.path) ||
             (event.step > 0 && (part == "system" || part == "integrator" || part == "lanes"));
    };
    if (event.step < back && (event.pull || std::any_of(event.set.begin(), event.set.end(), acts)))
      return Timetable(record).time(event.step);
  }
  return {};
}

/// How far each lane of a run that was reversed is from its start.
std::string distances(const Snapshot& s) {
  std::string text = "The largest distances from the start:";
  for (std::size_t i = 0; i < s.start_distances.size() && i < s.lanes.size(); ++i) {
    const StartDistance& off = s.start_distances[i];
    text += fmt::format("\n{}: q {:.2g}, ω {:.2g} rad/s", s.lanes[i].title(), off.q, off.omega);
    if (s.system->free_base())
      text += fmt::format(", base {:.2g} m, {:.2g} m/s", off.place, off.velocity);
  }
  const std::int64_t back = s.start_distances.front().step;
  if (const auto changed = first_change(*s.record, back))
    return text + fmt::format(
                      "\nThe run was changed or pulled on the way, first at {} s, and the way "
                      "back does not undo that: this is not the error of the method.",
                      time_text(s, *changed));
  return text + fmt::format("\nRounding alone is about {:.1g} before the motion amplifies it.",
                            std::numeric_limits<double>::epsilon() * static_cast<double>(back));
}

/// The meaning of the numbers of a check, and their limitations.
std::string meaning(const StepCheck& check) {
  std::string text =
      "Above the rounding value, the step is not symplectic (or reversible). At or below it, it is "
      "so to machine precision if the method is by construction; otherwise this is not resolved.";
  for (const StepCheck::Lane& lane : check.lanes)
    if (lane.reversal) {
      text += fmt::format(" Reversal: {0} steps forward, then {0} backward.", lane.reversal->steps);
      break;
    }
  if (!check.conservative)
    text += " Damping and external torques themselves change the symplectic form.";
  for (const StepCheck::Lane& lane : check.lanes)
    if (lane.symplecticity && lane.symplecticity->directions < lane.symplecticity->dimension) {
      text += fmt::format(" {} of {} directions were used.", lane.symplecticity->directions,
                          lane.symplecticity->dimension);
      break;
    }
  return text;
}

/// Whether the run stopped at a stop condition rather than at a failed step.
bool due(const Snapshot& s) {
  const double h = grid_step(s.present->lanes);
  return std::any_of(s.present->stop.begin(), s.present->stop.end(), [&](const StopCondition& c) {
    return c.is_time() && std::abs(s.t - c.value) < h;
  });
}

}  // namespace

void message_cards(const Panel& panel, PanelState& state, const Rect& scene) {
  const Snapshot& s = panel.snapshot;
  float top = top_below_scales(panel, scene);
  for (const char* text : {"time", "followed"})
    if (const auto place = panel.widgets.find(text); place != panel.widgets.end())
      top = std::max(top, place->second.y + place->second.height + panel.px(10));
  // In a low scene the first card lies over the title.
  const float end = scene.y + scene.height;
  top = std::max(std::min(top, end - panel.px(least_height)), scene.y + panel.px(8));
  const std::pair here{s.generation, s.steps};
  // A card that does not fit in the scene is shown once an earlier one is closed.
  const float first = top;
  const auto room = [&] { return top == first || top + panel.px(least_height) <= end; };
  if (s.failure && s.state == RunState::failed && state.dismissed_refusal != s.commands &&
      refusal_card(panel, state, scene, top))
    state.dismissed_refusal = s.commands;
  if (s.state == RunState::stopped && state.dismissed_stop != here && room()) {
    begin_card(
        panel, scene, "stop", top,
        s.steps == 0 ? "Stopped at the start" : fmt::format("Stopped after step {}", s.steps),
        s.stop_message, panel.colors.warning);
    if (card_button(panel, "Continue", "stop/go_on", true)) panel.sink.command(Play{});
    if (!due(s) && card_button(panel, "Halve the step and continue", "stop/halve_step"))
      halve_step_and_go_on(panel, state, {});
    if (card_button(panel, "Rewind", "stop/rewind")) panel.sink.command(Rewind{});
    if (close_button(panel, "stop")) state.dismissed_stop = here;
    top = end_card(panel, "stop", panel.colors.warning);
  }
  // Each run has its own return.
  const auto returned = [&] {
    const auto present = std::find_if(panel.frame.branches.begin(), panel.frame.branches.end(),
                                      [](const BranchView& run) { return run.present; });
    return std::pair(present == panel.frame.branches.end() ? -1 : present->id,
                     s.start_distances.front().step);
  };
  if (!s.start_distances.empty() && !state.dismissed_returns.contains(returned()) && room()) {
    const bool there = s.steps == s.start_distances.front().step;
    begin_card(panel, scene, "return", top,
               there ? "Back at the start" : "The run has passed its start", distances(s),
               panel.colors.accent);
    if (close_button(panel, "return", true)) state.dismissed_returns.insert(returned());
    top = end_card(panel, "return", panel.colors.accent);
  }
  auto& [generation, dismissed] = state.dismissed_warnings;
  if (generation != s.generation) state.dismissed_warnings = {s.generation, 0};
  if (dismissed < s.warnings.size() && room() &&
      warning_card(panel, state, scene, top, s.warnings[dismissed]))
    ++dismissed;
  // Shown again where another step, or another respect, is coarse.
  const std::string coarse = coarse_names(s);
  if (coarse.empty()) state.dismissed_coarse_steps.clear();
  if (coarse != state.dismissed_coarse_steps && room() && coarse_card(panel, state, scene, top))
    state.dismissed_coarse_steps = coarse;
  if (s.error && s.error_count > state.dismissed_errors && room()) {
    begin_card(panel, scene, "error", top, "Command failed", s.error->text(), panel.colors.error);
    if (close_button(panel, "error", true)) state.dismissed_errors = s.error_count;
    top = end_card(panel, "error", panel.colors.error);
  }
  if (const StepCheck* check = panel.frame.step_check;
      check && check->number > state.dismissed_check && room()) {
    // A narrow card omits the text that is also in the tooltip of its button.
    const bool narrow = scene.width - panel.px(32) < panel.px(widest);
    begin_card(panel, scene, "check", top,
               fmt::format("A step from t = {:.10g} s (step {})", check->t, check->steps),
               narrow ? std::string() : meaning(*check), panel.colors.accent);
    for (std::size_t l = 0; l < check->lanes.size(); ++l) check_lane(panel, check->lanes[l], l);
    ImGui::Dummy({0, panel.px(2)});
    if (card_button(panel, "Check here", "check/again", true)) panel.sink.act(Action::check_step);
    explain(panel, Action::check_step, meaning(*check));
    if (close_button(panel, "check")) state.dismissed_check = check->number;
    end_card(panel, "check", panel.colors.accent);
  }
}

}  // namespace twosphere::ui
