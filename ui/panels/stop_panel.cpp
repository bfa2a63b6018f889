// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/scenario/state_expression.h"
#include "core/scenario/writer.h"
#include "ui/fields/field_row.h"
#include "ui/panels/panels.h"

namespace twosphere::ui {

namespace {

constexpr float side_width = 26, value_width = 84, side_gap = 4;
constexpr double guard_share =
    1e-3;  // fraction of the initial energy, for the predefined condition

using Conditions = std::vector<StopCondition>;

std::string label(const StopCondition& c) {
  if (c.is_time()) return "time";
  if (c.indicator) return c.indicator->name();
  return c.quantity ? std::string(info(*c.quantity).label) : "expression";
}

/// One to begin with, of every system; its bound is not exceeded.
StopCondition first_expression() { return {.quantity = {}, .value = 1, .expression = "e3.q[0]"}; }

/// The record of the bound of a condition. The range for dragging scales with its value. `unit`:
/// that of an expression.
ParameterInfo bound_info(const StopCondition& c, std::string_view unit) {
  ParameterInfo p{.key = "stop", .symbol = "t", .label = "time", .unit = "s", .help = ""};
  p.required = true;
  p.domain = Domain::positive;
  p.logarithmic = true;
  p.low = 0.01;
  p.high = 1e5;
  if (c.is_time()) return p;
  const auto any = [&] {
    p.domain = Domain::any;
    p.logarithmic = false;
    p.high = std::pow(10, std::ceil(std::log10(std::max(1.0, std::abs(c.value)))));
    p.low = -p.high;
    return p;
  };
  if (c.indicator) {
    p.symbol = p.label = c.indicator->label();
    p.unit = c.indicator->unit();
    return any();
  }
  if (!c.quantity) {
    p.symbol = p.label = c.expression;
    p.unit = unit;
    return any();
  }
  const QuantityInfo& q = info(*c.quantity);
  p.symbol = q.symbol;
  p.label = q.label;
  p.unit = q.unit;
  p.help = q.help;
  if (q.error) {
    p.low = 1e-16;
    p.high = 1;
    return p;
  }
  return any();
}

/// The predefined condition: a thousandth of the energy, rounded to a decade, which no adequate
/// step exceeds.
StopCondition energy_guard(const Snapshot& s) {
  const double energy = std::abs(s.lanes.front().sample[Quantity::total_energy]);
  const double bound = energy > 0 ? guard_share * energy : guard_share;
  return {Quantity::energy_error, true, std::pow(10, std::round(std::log10(bound)))};
}

bool guarded(const Conditions& list) {
  return std::any_of(list.begin(), list.end(), [](const StopCondition& c) {
    return c.quantity == Quantity::energy_error && c.above;
  });
}

class StopForm {
 public:
  StopForm(const Panel& panel, PanelState& state)
      : panel_(panel), state_(state), now_(state.upcoming->stop) {}

  void draw() {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      row(i);
      ImGui::PopID();
    }
    buttons();
  }

 private:
  void send(const Conditions& list) const {
    state_.stop.typing.reset();
    state_.stop.error.clear();
    panel_.set("stop", to_json(list));
  }

  void row(std::size_t i) {
    const StopCondition& c = now_[i];
    const std::string name = fmt::format("stop/{}/", i);
    const float all = ImGui::GetContentRegionAvail().x;
    quantity(
        i, name,
        all - panel_.px(side_width + value_width + field_reset_width) - 2 * panel_.px(side_gap));
    ImGui::SameLine(0, panel_.px(side_gap));
    side(i, name);
    ImGui::SameLine(0, panel_.px(side_gap));

    const ParameterInfo p = bound_info(c, unit(c));
    const NumberField field{.path = fmt::format("stop[{}]", i),
                            .value = c.value,
                            .info = &p,
                            .width = panel_.px(value_width),
                            .symbol = std::string(p.label)};
    const auto next = state_.fields.draw(field, panel_.colors, panel_.scale);
    panel_.mark_text(name + "value", field.path);
    if (panel_.spoken) say_number(panel_, field, fmt::format("Stop at {}", p.label));
    tooltip(
        panel_,
        fmt::format(
            "{}{}\nDrag to change (with Shift: finer); click to type a number or an expression.",
            describe(c), p.help.empty() ? "" : fmt::format("\n{}", p.help)));
    if (next) {
      Conditions list = now_;
      list[i].value = *next;
      send(list);
    }
    remove(i, name);
    if (!c.expression.empty()) expression(i, name);
  }

  /// The unit of an expression, which is found once for each.
  std::string_view unit(const StopCondition& c) {
    if (c.expression.empty()) return "1";
    StopExpressions& known = state_.stop;
    if (known.of != state_.upcoming) known.units.clear();
    known.of = state_.upcoming;
    const auto [at, is_new] = known.units.try_emplace(c.expression);
    if (is_new)
      if (const auto made = StateExpression::create(c.expression, *state_.upcoming))
        at->second = made->bound_unit();
    return at->second;
  }

  /// A field for the expression, under its row. Enter and leaving the field accept the input; what
  /// is wrong with it stands below.
  void expression(std::size_t i, const std::string& name) {
    const StopCondition& c = now_[i];
    StopExpressions& own = state_.stop;
    const bool typing = own.typing && own.typing->first == i;
    std::string text = typing ? own.typing->second : c.expression;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - panel_.px(field_reset_width));
    const bool entered =
        ImGui::InputText("##expression", &text, ImGuiInputTextFlags_EnterReturnsTrue);
    const bool active = ImGui::IsItemActive();
    const bool escaped = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
    const bool left = ImGui::IsItemDeactivated();
    panel_.mark_text(name + "text");
    panel_.say(Role::text, "Expression", text);
    tooltip(
        panel_,
        "An expression of the state, as in systems of your own: q[0] and w[0] are direction and "
        "angular velocity of body 1, e3.q[0] is a component, q[0].q[1] a scalar product.");
    if (active && text != (typing ? own.typing->second : c.expression)) own.error.clear();
    if (active) own.typing = {i, text};
    if (!entered && !left) return explain_error(typing);
    if (escaped || text == c.expression) {
      own.typing.reset();
      own.error.clear();
    } else if (const auto made = StateExpression::create(text, *state_.upcoming); made) {
      Conditions list = now_;
      list[i].expression = text;
      send(list);
    } else {
      own.typing = {i, text};
      own.error = fmt::format("{}: {}", made.error().location, made.error().message);
    }
    explain_error(typing);
  }

  void explain_error(bool typing) const {
    if (!typing || state_.stop.error.empty()) return;
    ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel_.colors.error));
    ImGui::TextWrapped("%s", state_.stop.error.c_str());
    ImGui::PopStyleColor();
  }

  void quantity(std::size_t i, const std::string& name, float width) {
    const StopCondition& c = now_[i];
    const bool open = begin_list("##quantity", label(c), width);
    if (open) {
      const auto item = [&](const StopCondition& choice, std::string_view key) {
        const bool present = label(choice) == label(c);
        const bool chosen = list_item(panel_, label(choice), name + std::string(key), present);
        if (choice.quantity) tooltip(panel_, std::string(info(*choice.quantity).help));
        if (!chosen || present) return;
        Conditions list = now_;
        list[i] = choice;
        send(list);
      };
      const Snapshot& s = panel_.snapshot;
      item({{}, true, s.end_time}, "time");
      for (const Quantity q : csv_quantities(*s.system_info)) {
        if (q == Quantity::time) continue;
        // A bound that the current value does not exceed.
        const double here = s.lanes.front().sample[q];
        const double bound = q == Quantity::energy_error ? energy_guard(s).value
                             : info(q).error             ? 1e-10
                                                         : std::ceil(here) + 1;
        item({q, true, bound}, info(q).key);
      }
      item(first_expression(), "expression");
      ImGui::EndCombo();
    }
    panel_.mark(name + "quantity");
    panel_.say(Role::list, "Stop at", label(c), open);
    if (!open) tooltip(panel_, fmt::format("Stop at {}.", describe(c)));
  }

  void side(std::size_t i, const std::string& name) {
    const StopCondition& c = now_[i];
    const ImVec2 size{panel_.px(side_width), ImGui::GetFrameHeight()};
    if (c.is_time()) {
      ImGui::Dummy(size);
      return;
    }
    if (ImGui::Button(c.above ? ">##side" : "<##side", size)) {
      Conditions list = now_;
      list[i].above = !c.above;
      send(list);
    }
    panel_.mark(name + "side");
    panel_.say(Role::button, c.above ? "Above" : "Below");
    tooltip(panel_, c.above ? "Stops above the bound. Click to change to below."
                            : "Stops below the bound. Click to change to above.");
  }

  void remove(std::size_t i, const std::string& name) {
    ImGui::SameLine(0, 0);
    const ImVec2 size{panel_.px(field_reset_width), ImGui::GetFrameHeight()};
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton("##remove", size);
    const Color color = ImGui::IsItemHovered() ? panel_.colors.text : panel_.colors.dim;
    ImGui::GetWindowDrawList()->AddText(
        {from.x + panel_.px(6), from.y + ImGui::GetStyle().FramePadding.y}, im_color(color), "×");
    panel_.mark(name + "remove");
    panel_.say(Role::button, "Remove this condition");
    tooltip(panel_, "Remove this condition.");
    if (!pressed) return;
    Conditions list = now_;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    send(list);
  }

  void buttons() {
    const auto add = [this](const StopCondition& c) {
      Conditions list = now_;
      list.push_back(c);
      send(list);
    };
    if (push_button(panel_, "Add##stop", "stop/add", {}, "Add a stop condition"))
      add({{}, true, panel_.snapshot.end_time});
    tooltip(panel_,
            "Stop at a time, or when a quantity or an expression is above or below a bound.");
    if (guarded(now_)) return;
    ImGui::SameLine();
    if (push_button(panel_, "Stop on energy error", "stop/guard"))
      add(energy_guard(panel_.snapshot));
    tooltip(panel_, fmt::format("Stop at {}.", describe(energy_guard(panel_.snapshot))));
  }

  const Panel& panel_;
  PanelState& state_;
  const Conditions& now_;
};

}  // namespace

void stop_panel(const Panel& panel, PanelState& state) {
  if (!section(panel, state.closed, "Stop when")) return;
  if (!panel.snapshot.system_info || panel.snapshot.lanes.empty()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(3)});
  StopForm(panel, state).draw();
  ImGui::PopStyleVar();
}

}  // namespace twosphere::ui
