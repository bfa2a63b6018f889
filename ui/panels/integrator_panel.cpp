// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/catalog.h"
#include "core/mechanics/coarse_step.h"
#include "core/mechanics/linear_terms.h"
#include "core/output/lane_style.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/writer.h"
#include "core/studies/published.h"
#include "ui/fields/field_row.h"
#include "ui/panels/panels.h"
#include "ui/plot/lane_curves.h"
#include "ui/shell/preset_list.h"
#include "ui/shell/screen_painter.h"

namespace twosphere::ui {

namespace {

constexpr float swatch_width = 30;

/// "order 2 · implicit · symplectic · reversible · keeps |q| = 1"
std::string properties(const IntegratorInfo& i) {
  std::string text =
      fmt::format("order {} · {}", i.order, i.explicit_method ? "explicit" : "implicit");
  if (i.adaptive) text += " · adaptive";
  if (i.symplectic) text += " · symplectic";
  if (i.reversible) text += " · reversible";
  if (i.keeps_sphere) text += " · keeps |q| = 1";
  return text;
}

std::string record(const IntegratorInfo& i) {
  std::string text = fmt::format("{}\n{}\n{}", i.title, properties(i), i.description);
  if (!i.formula.empty()) text += fmt::format("\n\n{}", i.formula);
  if (!i.reference.empty()) text += fmt::format("\n\n{}", i.reference);
  return text;
}

/// The largest number of lanes in the window.
constexpr std::size_t max_shown = 4;
constexpr float button_width = 20;

/// Whether the list of lanes changes on the next rewind; no edit of it has an effect before.
bool list_waits(const Panel& panel) {
  const auto& pending = panel.snapshot.pending;
  return std::any_of(pending.begin(), pending.end(),
                     [](const Setting& s) { return s.path == "lanes" || s.path == "integrator"; });
}

/// The settings that the panel edits: those after a rewind, or in the past those of the instant
/// shown.
const Scenario& edited(const Panel& panel) {
  const bool settings_then = panel.frame.in_past && !list_waits(panel);
  return settings_then ? *panel.shown.present : *panel.snapshot.after_rewind;
}

/// "step" for the first lane, "step[1]" for the second.
std::string suffix_of(int lane) { return lane == 0 ? "" : fmt::format("[{}]", lane); }

/// The style of a lane in the edited list.
LaneStyle style_of(const Panel& panel, int lane, std::string_view integrator) {
  return lane_style(edited(panel).lanes, lane, integrator, panel.palette, panel.lane_colors);
}

/// The parameters of a method with the values published for this preset: the defaults of a lane
/// that changes to the method.
std::vector<std::pair<std::string_view, double>> published_values(const Panel& panel,
                                                                  std::string_view method) {
  std::vector<std::pair<std::string_view, double>> values;
  const PresetEntry* const preset = preset_of(panel.snapshot.loaded.get());
  const IntegratorInfo* const info = find_integrator(method);
  if (!preset || !info) return values;
  for (const ParameterInfo& p : info->parameters)
    if (const auto value = published_setting(preset->key, method, p.key);
        value && p.shape == Shape::scalar)
      values.emplace_back(p.key, *value);
  return values;
}

/// The default of a parameter: as published for this preset, else that of the method.
double default_value(const Panel& panel, std::string_view method, const ParameterInfo& p) {
  for (const auto& [key, value] : published_values(panel, method))
    if (key == p.key) return value;
  return p.default_value;
}

void method_combo(const Panel& panel, int lane, const LaneSpec& spec, float width) {
  const std::string suffix = suffix_of(lane);
  const IntegratorInfo* now = find_integrator(spec.type);
  auto& list = *ImGui::GetWindowDrawList();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  swatch(list, {from.x, from.y + ImGui::GetFrameHeight() / 2}, panel.px(swatch_width),
         style_of(panel, lane, spec.type), panel.scale);
  ImGui::Dummy({panel.px(swatch_width), ImGui::GetFrameHeight()});
  ImGui::SameLine();
  width -= panel.px(swatch_width) + ImGui::GetStyle().ItemSpacing.x;
  const std::string preview(now ? now->title : std::string_view(spec.type));
  const bool open = begin_list("##integrator", preview, width);
  if (open) {
    for (const IntegratorInfo& i : integrators()) {
      auto& items = *ImGui::GetWindowDrawList();
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const bool fits = i.supports(*panel.snapshot.system);
      const bool chosen =
          ImGui::Selectable(fmt::format("        {}##{}", i.title, i.key).c_str(),
                            i.key == spec.type, fits ? 0 : ImGuiSelectableFlags_Disabled);
      panel.mark(fmt::format("integrator{}/{}", suffix, i.key));
      panel.say(Role::item, i.title, {}, i.key == spec.type);
      tooltip(panel,
              fits ? record(i)
                   : fmt::format("Needs {}.\n\n{}", i.lacks(*panel.snapshot.system), record(i)));
      swatch(items, {at.x, at.y + ImGui::GetFontSize() / 2}, panel.px(24),
             style_of(panel, lane, i.key), panel.scale);
      if (chosen && i.key != spec.type) {
        Change change{{{lane_path(edited(panel), lane, "type"), i.key}}};
        for (const auto& [key, value] : published_values(panel, i.key))
          change.settings.push_back({lane_path(edited(panel), lane, key), value});
        panel.sink.command(std::move(change));
      }
    }
    ImGui::EndCombo();
  }
  panel.mark("integrator" + suffix);
  panel.say(Role::list, "Integrator", preview, open);
  if (!open && now) tooltip(panel, record(*now));
}

enum class LaneIcon { eye, reference, cross };

/// A small button in the row of a lane. `on`: the eye is open, or the lane is the reference.
bool lane_button(const Panel& panel, const std::string& name, std::string_view label, LaneIcon icon,
                 bool on, const std::string& help) {
  const ImVec2 size{panel.px(button_width), ImGui::GetFrameHeight()};
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(name.c_str(), size);
  auto& list = *ImGui::GetWindowDrawList();
  const Colors& c = panel.colors;
  if (ImGui::IsItemHovered())
    list.AddRectFilled(from, {from.x + size.x, from.y + size.y}, im_color(c.hovered), panel.px(3));
  const ImU32 color = im_color(on ? c.text : c.dim);
  const ImVec2 m{std::round(from.x + size.x / 2), std::round(from.y + size.y / 2)};
  const float r = panel.px(5), line = panel.px(1.5f);
  switch (icon) {
    case LaneIcon::eye:
      list.AddBezierQuadratic({m.x - 1.4f * r, m.y}, {m.x, m.y - 1.6f * r}, {m.x + 1.4f * r, m.y},
                              color, line);
      list.AddBezierQuadratic({m.x - 1.4f * r, m.y}, {m.x, m.y + 1.6f * r}, {m.x + 1.4f * r, m.y},
                              color, line);
      if (on)
        list.AddCircleFilled(m, 0.45f * r, color);
      else
        list.AddLine({m.x - r, m.y + r}, {m.x + r, m.y - r}, color, line);
      break;
    case LaneIcon::reference:
      list.AddCircle(m, r, color, 0, line);
      if (on) list.AddCircleFilled(m, 0.55f * r, color);
      break;
    case LaneIcon::cross:
      list.AddLine({m.x - 0.7f * r, m.y - 0.7f * r}, {m.x + 0.7f * r, m.y + 0.7f * r}, color, line);
      list.AddLine({m.x - 0.7f * r, m.y + 0.7f * r}, {m.x + 0.7f * r, m.y - 0.7f * r}, color, line);
      break;
  }
  panel.mark(name);
  const bool switches = icon != LaneIcon::cross;
  panel.say(switches ? Role::check_box : Role::button, label, {},
            switches ? std::optional(on) : std::nullopt);
  tooltip(panel, help);
  return pressed;
}

/// The initial method of a new lane: one that the system can have, and no lane has yet.
std::string_view next_method(const Panel& panel) {
  const auto& lanes = edited(panel).lanes;
  const System& system = *panel.snapshot.system;
  for (const std::string_view key :
       {"variational", "spherical_midpoint", "rk45", "rk4", "rk2", "variational4", "rotation"})
    if (find_integrator(key)->supports(system) &&
        std::none_of(lanes.begin(), lanes.end(), [&](const LaneSpec& l) { return l.type == key; }))
      return key;
  return first_order(system)    ? "spherical_midpoint"
         : has_strength(system) ? "rotation"
                                : "variational";
}

/// A new lane of a scenario, with the step of the run.
json::Node new_lane(const Panel& panel, const Scenario& scenario, std::string_view method) {
  json::Node added = json::Node::object();
  added.set("type", method);
  added.set("step", grid_step(scenario.lanes));
  for (const auto& [key, value] : published_values(panel, method))
    added.set(std::string(key), value);
  return added;
}

void add_lane(const Panel& panel, std::string_view method) {
  const Scenario& scenario = edited(panel);
  if (scenario.lanes.size() >= max_shown) return;
  json::Node lanes = lanes_document(scenario);
  lanes.items.push_back(new_lane(panel, scenario, method));
  panel.set("lanes", std::move(lanes));
}

/// A lane that begins where the reference lane is; at the start it is in the list of lanes.
void add_lane_here(const Panel& panel, int reference, std::string_view method) {
  const Scenario& scenario = *panel.shown.present;
  if (panel.edits_start()) return add_lane(panel, method);
  if (scenario.lanes.size() >= max_shown) return;
  json::Node added = new_lane(panel, scenario, method);
  const bool there = static_cast<std::size_t>(reference) < scenario.lanes.size();
  added.set("from", json::Node::whole(there ? reference : 0));
  panel.sink.command(AddLane{std::move(added)});
}

void add_buttons(const Panel& panel, int reference) {
  const ImGuiStyle& style = ImGui::GetStyle();
  float room = 0;  // beside the button before
  const auto button = [&](Action action, const std::string& label) {
    const float width = ImGui::CalcTextSize(label.c_str()).x + 2 * style.FramePadding.x;
    if (room >= width) ImGui::SameLine();
    room = ImGui::GetContentRegionAvail().x - width - style.ItemSpacing.x;
    const bool pressed = ImGui::Button(label.c_str());
    panel.mark(std::string(info(action).id));
    explain(panel, action);
    return pressed;
  };
  const auto named = [&](Action action) { return button(action, std::string(info(action).label)); };
  if (edited(panel).lanes.size() < max_shown && named(Action::add_lane))
    add_lane(panel, next_method(panel));
  if (!panel.edits_start() && panel.shown.present->lanes.size() < max_shown &&
      named(Action::add_lane_here))
    add_lane_here(panel, reference, next_method(panel));
  if (panel.snapshot.lanes.size() > 1 && button(Action::split_lanes, "Split"))
    panel.sink.act(Action::split_lanes);
}

/// Buttons that show or hide a lane, make it the reference, and remove it.
void lane_buttons(const Panel& panel, PanelState& state, int lane, int& reference) {
  const float gap = panel.px(1);
  ImGui::SameLine(0, panel.px(4));
  const bool hidden = state.plots.hidden_lanes.contains(lane);
  if (lane_button(panel, "hide_lane" + suffix_of(lane), "Show the lane", LaneIcon::eye, !hidden,
                  hidden ? "Show the lane" : "Hide the lane in scene and plots")) {
    if (!state.plots.hidden_lanes.erase(lane)) state.plots.hidden_lanes.insert(lane);
  }
  ImGui::SameLine(0, gap);
  if (lane_button(
          panel, "reference_lane" + suffix_of(lane), "Reference lane", LaneIcon::reference,
          lane == reference,
          "Reference lane: drawn in full, with the others as rings and lines; distances are "
          "measured from it"))
    reference = lane;
  ImGui::SameLine(0, gap);
  if (lane_button(panel, "remove_lane" + suffix_of(lane), "Remove the lane", LaneIcon::cross, false,
                  "Remove the lane. In a run: " + rewind_note())) {
    json::Node lanes = lanes_document(edited(panel));
    lanes.items.erase(lanes.items.begin() + lane);
    panel.set("lanes", std::move(lanes));
  }
}

/// The name of the lane in plots and files; empty where it has none of its own and that of its
/// method stands for it. Enter accepts the input.
void name_row(const Panel& panel, PanelState& state, int lane, const LaneSpec& spec) {
  const bool typing = state.lane_name && state.lane_name->first == lane;
  const std::string without = default_names(edited(panel).lanes)[static_cast<std::size_t>(lane)];
  const std::string own = spec.name == without ? std::string() : spec.name;
  const std::string title = lane_title(without, find_integrator(spec.type));
  std::string text = typing ? state.lane_name->second : own;
  // The field begins behind its label where the name of the method would be cut otherwise.
  const float all = ImGui::GetContentRegionAvail().x,
              padding = 2 * ImGui::GetStyle().FramePadding.x;
  float label = field_label_width(panel, all);
  if (ImGui::CalcTextSize(title.c_str()).x + padding > all - label - panel.px(field_reset_width))
    label = std::min(label, ImGui::CalcTextSize("Name").x + panel.px(10));
  row_label(panel, "Name", "", label);
  ImGui::SameLine(0, 0);
  const float width = all - label - panel.px(field_reset_width);
  const std::string hint = elided(title, width - padding);
  ImGui::SetNextItemWidth(width);
  const bool entered = ImGui::InputTextWithHint(
      "##name", hint.c_str(), &text,
      ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue);
  if (ImGui::IsItemActive()) state.lane_name = {lane, text};
  const bool left = typing && ImGui::IsItemDeactivated() &&
                    !ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  if ((entered || left) && text != own)
    panel.set(lane_path(edited(panel), lane, "name"), text.empty() ? without : text);
  if (typing && !ImGui::IsItemActive()) state.lane_name.reset();
  panel.mark_text("lane_name" + suffix_of(lane));
  panel.say(Role::text, "Name", text.empty() && !ImGui::IsItemActive() ? title : text);
  tooltip(panel, fmt::format("Name of the lane in plots and files; without one of its own it is {} "
                             "in plots, {} in files. Tables of a run keep the names that its lanes "
                             "had when they began.",
                             title, without));
}

/// H; the steps of all lanes are scaled with it.
void grid_row(const Panel& panel, PanelState& state) {
  const std::vector<LaneSpec>& lanes = edited(panel).lanes;
  const double grid = grid_step(lanes);
  static const ParameterInfo run_step = [] {
    ParameterInfo p = step_parameter();
    p.label = "rows every";
    p.help = "All lanes have rows at its multiples; the steps of their methods divide it.";
    return p;
  }();
  const Entry entry{.path = "lanes step",
                    .name = "grid_step",
                    .symbol = "H",
                    .info = &run_step,
                    .value = grid,
                    .running = list_waits(panel) ? grid : grid_step(panel.shown.present->lanes),
                    .original = grid};
  entry_row(panel, state.fields, {entry}, "H", [&](const Entry&, double value) {
    Change change;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      const auto parts = static_cast<double>(substeps(grid, lanes[l].step).value_or(1));
      change.settings.push_back(
          {lane_path(edited(panel), static_cast<int>(l), "step"), json::Node(value / parts)});
    }
    panel.sink.command(std::move(change));
  });
}

/// h, of a lane beside others.
const ParameterInfo& step_of_method() {
  static const ParameterInfo info = [] {
    ParameterInfo p = step_parameter();
    p.label = "step of this method";
    return p;
  }();
  return info;
}

/// The result of the last check of this lane, if its settings have not changed since.
std::string checked(const Panel& panel, std::size_t lane, const LaneSpec& spec) {
  const StepCheck* check = panel.frame.step_check;
  if (!check || lane >= check->lanes.size()) return {};
  const StepCheck::Lane& found = check->lanes[lane];
  if (!found.is_of(spec)) return {};
  if (!found.done) return "measuring…";
  std::string text = fmt::format("t = {:.4g} s:", check->t);
  text += found.symplecticity ? fmt::format(" {} ({:.1e})", describe(found.symplecticity->verdict),
                                            found.symplecticity->defect)
                              : std::string(" no defect");
  text += found.reversal ? fmt::format(", reversal {:.1e}", found.reversal->distance)
                         : std::string(", no reversal");
  return with_minus(text);
}

/// Below the first lane, the button that checks all lanes.
void check_line(const Panel& panel, std::size_t lane, const LaneSpec& spec) {
  if (lane == 0) {
    const float room = ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().FramePadding.x;
    const auto label = wrapped("Check symplecticity and reversibility", room, 2);
    if (ImGui::SmallButton(fmt::format("{}###check", fmt::join(label, "\n")).c_str()))
      panel.sink.act(Action::check_step);
    panel.mark("check_step");
    explain(panel, Action::check_step);
  }
  const std::string found = checked(panel, lane, spec);
  if (found.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.dim));
  ImGui::TextUnformatted(elided(found, ImGui::GetContentRegionAvail().x).c_str());
  ImGui::PopStyleColor();
  tooltip(panel, found);
}

/// A line below a step.
void step_warning(const Panel& panel, const std::string& name, std::string_view spoken,
                  const std::string& text, const std::string& help) {
  ImGui::PushFont(font(Face::small_text));
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.warning));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
  panel.mark_area(name);
  panel.say(Role::label, spoken, text);
  tooltip(panel, help);
}

/// Below the buttons that add a lane: why the method that they add may refuse the step of the run.
/// Its equations are solved by sweeps, which converge only if they resolve the fastest rate.
void next_step_line(const Panel& panel) {
  const std::string_view key = next_method(panel);
  const IntegratorInfo& next = *find_integrator(key);
  const double fastest = panel.snapshot.fastest_rate;
  if (!first_order(*panel.snapshot.system) || next.explicit_method || next.adaptive ||
      !(fastest > 0) || edited(panel).lanes.size() >= max_shown)
    return;
  const CoarseStep coarse{CoarseStep::Cause::rate, grid_step(edited(panel).lanes),
                          resolved_turn(next) / fastest};
  if (coarse.ratio() < CoarseStep::min_ratio) return;
  step_warning(
      panel, "coarse_next_lane", "Step of a new lane too coarse",
      fmt::format("{} may refuse {:.3g} s: {:.2g} times what resolves the motion, {:.2g} s",
                  next.title, coarse.step, coarse.ratio(), coarse.resolving),
      fmt::format("For the method of a new lane {}. Its step can be made shorter once it "
                  "is there.",
                  describe(coarse)));
}

/// Below the step of a lane that runs with it: in what respects it is coarse.
void coarse_lines(const Panel& panel, std::size_t lane, const LaneSpec& spec) {
  const auto& lanes = panel.snapshot.coarse_steps;
  if (lane >= lanes.size()) return;
  for (const CoarseStep& coarse : lanes[lane]) {
    if (coarse.step != spec.step) continue;
    const char *name = "", *spoken = "Step too coarse";
    std::string text;
    switch (coarse.cause) {
      case CoarseStep::Cause::rate:
        name = "step";
        text = fmt::format("{:.2g} times what resolves the motion, {:.2g} s", coarse.ratio(),
                           coarse.resolving);
        break;
      case CoarseStep::Cause::damping:
        name = "damping";
        text = fmt::format("{:.2g} times M/c, {:.2g} s", coarse.ratio(), coarse.resolving);
        break;
      case CoarseStep::Cause::sweeps:
        name = "sweeps";
        spoken = "Step of many sweeps";
        text = fmt::format("{} sweeps; {:.2g} s takes as long", coarse.sweeps, coarse.resolving);
        break;
    }
    step_warning(panel, fmt::format("coarse_{}{}", name, suffix_of(static_cast<int>(lane))), spoken,
                 text, fmt::format("{}.", capitalised(describe(coarse))));
  }
}

}  // namespace

void integrator_panel(const Panel& panel, PanelState& state, int& reference) {
  const Scenario& scenario = edited(panel);
  const auto& running = panel.shown.present->lanes;
  if (std::exchange(state.add_lane, false)) add_lane(panel, next_method(panel));
  if (std::exchange(state.add_lane_here, false))
    add_lane_here(panel, reference, next_method(panel));
  if (const auto method = std::exchange(state.plots.add_lane, {}); !method.empty())
    add_lane_here(panel, reference, method);
  const bool several = scenario.lanes.size() > 1, waits = list_waits(panel);
  if (!section(panel, state.closed, several ? "Integrators" : "Integrator")) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(4)});
  if (several) grid_row(panel, state);
  for (std::size_t l = 0; l < scenario.lanes.size(); ++l) {
    const LaneSpec& spec = scenario.lanes[l];
    const int lane = static_cast<int>(l);
    const std::string suffix = suffix_of(lane);
    ImGui::PushID(lane);
    const float room = ImGui::GetContentRegionAvail().x;
    if (panel.spoken && several) panel.spoken->part = spec.name;
    method_combo(panel, lane, spec, several ? room - panel.px(3 * button_width + 6) : room);
    if (several) {
      lane_buttons(panel, state, lane, reference);
      name_row(panel, state, lane, spec);
    }
    // The loaded lane, if it has the same method.
    const LaneSpec* loaded = l < state.original->lanes.size() ? &state.original->lanes[l] : nullptr;
    const LaneSpec* now = !waits && l < running.size() ? &running[l] : nullptr;
    const auto setting = [&](const ParameterInfo& p, double value, double present, double original,
                             const std::string& name) {
      const Entry entry{.path = lane_path(scenario, lane, p.key),
                        .name = name,
                        .symbol = std::string(p.symbol),
                        .info = &p,
                        .value = value,
                        .running = present,
                        .original = original};
      if (p.shape == Shape::choice)
        choice_row(panel, entry, to_choice(panel));
      else
        entry_row(panel, state.fields, {entry}, entry.symbol, to_path(panel));
    };
    setting(several ? step_of_method() : step_parameter(), spec.step, now ? now->step : spec.step,
            loaded ? loaded->step : spec.step, "step" + suffix);
    if (now && now->type == spec.type) coarse_lines(panel, l, spec);
    if (const IntegratorInfo* info = find_integrator(spec.type)) {
      for (const ParameterInfo& p : info->parameters)
        if (const auto it = spec.values.find(p.key);
            it != spec.values.end() && !it->second.empty()) {
          const auto of = [&](const LaneSpec* other, double otherwise) {
            if (!other || other->type != spec.type) return otherwise;
            const auto found = other->values.find(p.key);
            return found != other->values.end() && !found->second.empty() ? found->second[0]
                                                                          : otherwise;
          };
          setting(p, it->second[0], of(now, it->second[0]),
                  of(loaded, default_value(panel, spec.type, p)),
                  fmt::format("integrator{}.{}", suffix, p.key));
        }
      ImGui::PushFont(font(Face::small_text));
      ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.dim));
      ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted(properties(*info).c_str());
      ImGui::PopTextWrapPos();
      ImGui::PopStyleColor();
      check_line(panel, l, spec);
      ImGui::PopFont();
    }
    if (several) ImGui::Dummy({0, panel.px(3)});
    if (panel.spoken) panel.spoken->part.clear();
    ImGui::PopID();
  }
  ImGui::Dummy({0, panel.px(1)});
  add_buttons(panel, reference);
  next_step_line(panel);
  ImGui::PopStyleVar();
}

}  // namespace twosphere::ui
