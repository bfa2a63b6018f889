// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/scenario/document.h"
#include "core/scenario/run_clock.h"
#include "ui/fields/field_row.h"
#include "ui/panels/panels.h"
#include "ui/plot/axis.h"
#include "ui/plots/ready_plots.h"

namespace twosphere::ui {

namespace {

constexpr float cloud_label_width = 92;

/// Around which lane it is, or is to begin.
int cloud_lane(const Panel& panel, const CloudChoice& choice) {
  const auto& plan = panel.snapshot.cloud_plan;
  const int lane = choice.lane.value_or(plan ? plan->lane : panel.reference);
  return lane < static_cast<int>(panel.snapshot.lanes.size()) ? lane : panel.reference;
}

int max_members(const Panel& panel) {
  return LiveCloud::max_members(panel.snapshot.system->size());
}

/// Asks for it from this step of the run on.
void ask_for_cloud(const Panel& panel, CloudChoice& choice, std::int64_t from) {
  choice.spec.members = std::min(choice.spec.members, max_members(panel));
  choice.asked = choice.wanted;
  choice.commands = panel.snapshot.commands;
  choice.of = panel.snapshot.loaded;
  FollowCloud command;
  if (choice.wanted) command = {choice.spec, cloud_lane(panel, choice), from};
  panel.sink.command(command);
}

/// The same with other numbers.
void ask_again(const Panel& panel, CloudChoice& choice) {
  const auto& plan = panel.snapshot.cloud_plan;
  if (choice.wanted) ask_for_cloud(panel, choice, plan ? plan->from : 0);
}

/// A number of the cloud; returns the value that the user entered.
std::optional<double> cloud_number(const Panel& panel, NumberFields& fields, NumberField field) {
  const ParameterInfo& p = *field.info;
  row_label(panel, field_name(p, ""), p.unit, panel.px(cloud_label_width));
  ImGui::SameLine();
  field.width = ImGui::GetContentRegionAvail().x;
  field.symbol = p.label;
  const auto next = fields.draw(field, panel.colors, panel.scale);
  panel.mark_text(fmt::format("cloud/{}", p.key), field.path);
  say_number(panel, field, fmt::format("Cloud: {}", p.label));
  tooltip(panel, explain(p, "", true, field.multiple > 0));
  return next;
}

void numbers(const Panel& panel, PanelState& state) {
  static const ParameterInfo members{.key = "members",
                                     .symbol = "",
                                     .label = "members",
                                     .unit = "1",
                                     .help = "How many nearby starts follow the lane.",
                                     .domain = Domain::positive,
                                     .default_value = CloudSpec{}.members,
                                     .low = 1,
                                     .high = CloudSpec::max_members,
                                     .logarithmic = true};
  static const ParameterInfo spread{
      .key = "spread",
      .symbol = "",
      .label = "spread",
      .unit = "rad",
      .help =
          "Standard deviation of each component of the rotations of q [rad] and of the changes "
          "of ω [rad/s] with which the members begin.",
      .domain = Domain::positive,
      .default_value = CloudSpec{}.spread,
      .low = 1e-12,
      .high = CloudSpec::max_spread,
      .logarithmic = true};
  static const ParameterInfo seed{.key = "seed",
                                  .symbol = "",
                                  .label = "seed",
                                  .unit = "1",
                                  .help = "The same seed gives the same starts.",
                                  .domain = Domain::non_negative,
                                  .default_value = static_cast<double>(CloudSpec{}.seed),
                                  .low = 0,
                                  .high = 1000};
  CloudChoice& choice = state.cloud;
  const CloudSpec before = choice.spec;
  if (const auto next = cloud_number(panel, state.fields,
                                     {.path = "cloud.members",
                                      .value = static_cast<double>(choice.spec.members),
                                      .info = &members,
                                      .symbol = {},
                                      .min = 1,
                                      .max = static_cast<double>(max_members(panel)),
                                      .multiple = 1}))
    choice.spec.members = static_cast<int>(*next);
  if (const auto next = cloud_number(panel, state.fields,
                                     {.path = "cloud.spread",
                                      .value = choice.spec.spread,
                                      .info = &spread,
                                      .symbol = {},
                                      .max = CloudSpec::max_spread}))
    choice.spec.spread = *next;
  if (const auto next = cloud_number(panel, state.fields,
                                     {.path = "cloud.seed",
                                      .value = static_cast<double>(choice.spec.seed),
                                      .info = &seed,
                                      .symbol = {},
                                      .min = 0,
                                      .max = static_cast<double>(document::max_steps),
                                      .multiple = 1}))
    choice.spec.seed = static_cast<std::uint64_t>(*next);
  if (choice.spec != before) ask_again(panel, choice);
}

/// The lane around which the cloud is, of several.
void choose_lane(const Panel& panel, CloudChoice& choice) {
  const auto& lanes = panel.snapshot.lanes;
  if (lanes.size() < 2) return;
  const int lane = cloud_lane(panel, choice);
  row_label(panel, "Around", "", panel.px(cloud_label_width));
  ImGui::SameLine();
  const std::string name = lanes[static_cast<std::size_t>(lane)].title();
  const bool open = begin_list("##cloud_lane", name, ImGui::GetContentRegionAvail().x);
  if (open) {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const int other = static_cast<int>(i);
      const std::string id = fmt::format("cloud/lane/{}", i);
      if (list_item(panel, lanes[i].title(), id, other == lane) && other != lane) {
        choice.lane = other;
        ask_again(panel, choice);
      }
    }
    ImGui::EndCombo();
  }
  panel.mark("cloud/lane");
  panel.say(Role::list, "Cloud around", name, open);
  if (!open) tooltip(panel, "The lane that the members follow, with its method and step.");
}

void results(const Panel& panel, const CloudView& cloud) {
  const auto say = [&](const std::string& name, const std::string& value) {
    value_row(panel, "cloud/", name, value);
  };
  const Cloud::Distances& d = cloud.distances;
  say("since", fmt::format("t = {} s", short_number(cloud.began)));
  tooltip(
      panel,
      "A cloud begins at the start of the run, or where Begin here is pressed, and anew where the "
      "state is edited. Changes of parameters and of the method and pulls act on its members as on "
      "the lane.");
  if (cloud.lost > 0) {
    say("lost", fmt::format("{} of {}", cloud.lost, cloud.spec.members));
    tooltip(panel, "Members whose steps failed. The others continue.");
  }
  say("median d", result_number(d.median));
  tooltip(panel, "Median over the members k of d = (Σ|qᵢ − qᵢ⁽ᵏ⁾|²)^½.");
  say("5 % to 95 %", fmt::format("{} to {}", result_number(d.low), result_number(d.high)));
  const GrowthRate& fit = cloud.growth;
  say("rate", std::isfinite(fit.rate)
                  ? fmt::format("{} ± {} /s", result_number(fit.rate), result_number(fit.error))
                  : "after 8 rows");
  tooltip(panel,
          "Slope of ln d by least squares over the rows until the median exceeds 0.1: the dashed "
          "line in the plot. Over long times it tends to λ₁.");
  if (std::isfinite(fit.rate))
    say("fitted over", fmt::format("{} rows, to t = {} s", fit.rows, short_number(fit.to)));
  const auto& lanes = panel.shown.lanes;
  const auto lane = static_cast<std::size_t>(cloud.lane);
  if (lane < lanes.size() && lanes[lane].chaos && !lanes[lane].chaos->spectrum.empty() &&
      std::isfinite(lanes[lane].chaos->spectrum.front().value)) {
    const auto& largest = lanes[lane].chaos->spectrum.front();
    say("λ₁",
        fmt::format("{} ± {} /s", result_number(largest.value), result_number(largest.error)));
    tooltip(panel, "The largest Lyapunov exponent, from tangent vectors.");
    note(panel, "cloud/λ₁ error", fmt::format("± of λ₁: {}", exponent_error));
  }
  if (std::isfinite(fit.error))
    note(panel, "cloud/error",
         "± of the rate: how much another seed changes it, from 20 groups of members.");
}

/// While what the members have done so far is being found.
void progress(const Panel& panel, CloudChoice& choice) {
  const Snapshot& now = panel.snapshot;
  const double share = panel.frame.cloud_share;
  value_row(panel, "cloud/", "followed so far",
            fmt::format("{:.0f} %, {:.3g} s behind", 100 * share,
                        (1 - share) * (now.elapsed - start_time(*now.record))));
  tooltip(panel,
          "The members are followed along the record of the run, from where the cloud begins to "
          "its end. Then they continue with the run.");
  if (now.state == RunState::running)
    note(panel, "cloud/chases",
         "The run continues meanwhile. If the cloud does not catch up, pause the run or slow it "
         "down.");
  if (push_button(panel, "Cancel##cloud", "cloud/cancel", {}, "Do not follow the cloud"))
    choice.wanted = false;
}

/// A button by which the cloud begins at the instant shown.
void begin_here(const Panel& panel, CloudChoice& choice) {
  const std::int64_t step = panel.frame.in_past ? panel.frame.past_step : panel.snapshot.steps;
  if (step == panel.snapshot.cloud_plan->from) return;
  if (push_button(panel, "Begin here##cloud", "cloud/here", {},
                  "Begin the cloud at the instant shown"))
    ask_for_cloud(panel, choice, step);
  tooltip(panel, "Let the members begin near the state of the instant shown.");
  ImGui::SameLine();
}

}  // namespace

void follow_cloud(const Panel& panel, PanelState& state, Settings& settings) {
  CloudChoice& choice = state.cloud;
  if (choice.wanted != choice.asked) {
    ask_for_cloud(panel, choice, 0);
    if (!choice.wanted) return;
    state.closed.erase("Cloud");
    const SystemInfo& system = *panel.snapshot.system_info;
    const ReadyPlot& plot = *ready_plot(Action::plot_cloud);
    if (!shown(plot, system, settings.plots)) {
      toggle(plot, system, settings.plots);
      state.plots.scroll_to_end = true;
    }
    return;
  }
  // A cloud ends with its scenario, and a run may refuse one.
  if (panel.snapshot.loaded != choice.of) choice.lane.reset();
  if (panel.snapshot.loaded != choice.of || panel.snapshot.commands > choice.commands)
    choice.wanted = choice.asked = panel.snapshot.cloud_plan.has_value();
}

void cloud_panel(const Panel& panel, PanelState& state, Settings& settings) {
  if (!section(panel, state.closed, "Cloud")) return;
  CloudChoice& choice = state.cloud;
  const std::optional<CloudView>& cloud = panel.snapshot.cloud;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(3)});
  check_box(panel, "Nearby starts", "cloud/switch", choice.wanted);
  explain(panel, Action::switch_cloud);
  numbers(panel, state);
  choose_lane(panel, choice);
  if (panel.snapshot.cloud_plan && !cloud) progress(panel, choice);
  if (cloud) {
    if (panel.shown.cloud)
      results(panel, *panel.shown.cloud);
    else
      note(panel, "cloud/later", "The cloud begins later than the instant shown.");
    if (cloud->since == panel.snapshot.steps)
      note(panel, "cloud/waits", "Press Space: the cloud begins with the next step.");
    begin_here(panel, choice);
    action_button(panel, "Export…##cloud", "cloud/export", Action::export_cloud, {},
                  "Export the cloud…");
    const SystemInfo& system = *panel.snapshot.system_info;
    const ReadyPlot& plot = *ready_plot(Action::plot_cloud);
    if (!shown(plot, system, settings.plots)) {
      ImGui::SameLine();
      if (push_button(panel, "Plot##cloud", "cloud/plot", {}, "Plot the distance of the cloud")) {
        toggle(plot, system, settings.plots);
        state.plots.scroll_to_end = true;
      }
      explain(panel, Action::plot_cloud);
    }
  }
  ImGui::PopStyleVar();
}

}  // namespace twosphere::ui
