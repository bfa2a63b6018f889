// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <string>

#include "core/base/text.h"
#include "core/scenario/schedule.h"
#include "ui/fields/field_row.h"
#include "ui/panels/panels.h"

namespace twosphere::ui {

namespace {

const ParameterInfo& duration_info() {
  static const ParameterInfo info{.key = "duration",
                                  .symbol = "T",
                                  .label = "duration",
                                  .unit = "s",
                                  .help = "Simulated time at which the run pauses.",
                                  .domain = Domain::positive,
                                  .required = true,
                                  .low = 0.01,
                                  .high = 1e5,
                                  .logarithmic = true};
  return info;
}

const ParameterInfo& stride_info() {
  static const ParameterInfo info{
      .key = "every",
      .symbol = "K",
      .label = "sample every",
      .unit = "steps",
      .help = "Energies and errors are recorded every K steps, and at the first and last step.",
      .domain = Domain::positive,
      .required = true,
      .low = 1,
      .high = 1000,
      .logarithmic = true,
      .live = false};
  return info;
}

}  // namespace

void run_panel(const Panel& panel, PanelState& state) {
  if (!section(panel, state.closed, "Run")) return;
  const Scenario &now = *panel.shown.present, &next = *state.upcoming, &first = *state.original;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(3)});
  entry_row(panel, state.fields,
            {{.path = "duration",
              .name = "run/duration",
              .symbol = "T",
              .info = &duration_info(),
              .value = next.duration,
              .running = now.duration,
              .original = first.duration}},
            "T", to_path(panel));
  entry_row(panel, state.fields,
            {{.path = "every",
              .name = "run/every",
              .symbol = "K",
              .info = &stride_info(),
              .value = static_cast<double>(sampling_stride(next)),
              .running = static_cast<double>(sampling_stride(now)),
              .original = static_cast<double>(sampling_stride(first)),
              .multiple = 1,
              .swept = false}},
            "K", to_path(panel));
  ImGui::PopStyleVar();
}

float pending_height(const Panel& panel) {
  if (panel.snapshot.pending.empty()) return 0;
  return ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().WindowPadding.y;
}

void pending_line(const Panel& panel, const Rect& column) {
  const std::size_t count = panel.snapshot.pending.size();
  if (count == 0) return;
  ImGui::SetNextWindowPos({column.x, column.y + column.height - pending_height(panel)});
  ImGui::SetNextWindowSize({column.width - 1, pending_height(panel)});
  ImGui::Begin("pending", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  const std::string text =
      fmt::format("{} take{} effect on Rewind", counted(static_cast<std::int64_t>(count), "change"),
                  count == 1 ? "s" : "");
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.warning));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  panel.mark("pending");
  panel.say(Role::label, text);
  tooltip(panel, "The start cannot change during a run. " + rewind_note());
  ImGui::SameLine();
  if (ImGui::Button("Rewind##pending")) panel.sink.command(Rewind{});
  panel.mark("pending/rewind");
  explain(panel, Action::rewind);
  ImGui::End();
}

}  // namespace twosphere::ui
