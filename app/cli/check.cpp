// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/subcommand.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/studies/event_steps.h"
#include "core/studies/system_report_text.h"
#include "core/studies/view_frame.h"

namespace twosphere {

namespace {

using json::Node;

struct CheckOptions : PlanOptions {
  bool json = false;
};

/// "label: value", one per line.
std::string as_text(const std::vector<ReportLine>& lines) {
  std::string out;
  for (const ReportLine& line : lines)
    out +=
        fmt::format("{}{}: {}\n", line.finding == ReportLine::Finding::warning ? "warning: " : "",
                    line.label, line.value);
  return out;
}

Node as_node(const DerivativeCheck& check) {
  return Node::object({{"error", check.error},
                       {"states", Node::whole(check.states)},
                       {"state", Node::whole(check.state)},
                       {"body", Node::whole(check.body)}});
}

Node as_node(const std::array<bool, 3>& axes) { return Node::array(axes, Node::truth); }

std::string as_json(const SystemReport& report, const std::vector<ReportLine>& lines) {
  Node root = Node::object();
  root.set("gradient", as_node(report.gradient));
  root.set("hessian", as_node(report.hessian));
  if (report.force_slope) root.set("force slope", as_node(*report.force_slope));
  if (report.inertia_rate) root.set("inertia rate", as_node(*report.inertia_rate));
  if (report.inertia_slopes) root.set("inertia slopes", as_node(*report.inertia_slopes));
  if (report.gyroscopic) root.set("gyroscopic", as_node(*report.gyroscopic));
  if (report.strength.size() > 0)
    root.set("strength", Node::numbers({report.strength.data(),
                                        static_cast<std::size_t>(report.strength.size())}));
  if (!report.frame_rotation.isZero(0))
    root.set("frame rotation", Node::numbers({report.frame_rotation.data(), 3}));
  if (!report.first_order) {
    root.set("positive definite", Node::truth(report.positive_definite));
    root.set("smallest inertia", report.smallest_inertia);
  }
  std::array<bool, 3> conserved{};
  for (std::size_t k = 0; k < 3; ++k) conserved[k] = report.conserved[k] && report.claimed[k];
  root.set("conserved momentum", as_node(conserved));
  if (report.temperature) root.set("temperature", *report.temperature);
  root.set("oscillation", report.scales.oscillation);
  root.set("fastest rate", report.scales.fastest());
  Node methods = Node::array();
  for (const SystemReport::Method& method : report.methods) {
    Node& node = methods.items.emplace_back(Node::object());
    node.set("lane", method.name);
    node.set("step", method.step);
    if (!method.info->adaptive && std::isfinite(method.resolving))
      node.set("resolving step", method.resolving);
    node.set("seconds per step", method.seconds);
    if (method.sweeps > 0) node.set("sweeps per step", Node::whole(method.sweeps));
    if (report.temperature) node.set("noise turn", method.noise_turn);
  }
  root.set("methods", std::move(methods));
  root.set(
      "lines", Node::array(lines, [](const ReportLine& line) {
        const char* verdict = line.finding == ReportLine::Finding::warning ? "warning"
                              : line.finding == ReportLine::Finding::ok    ? "ok"
                                                                           : "none";
        return Node::object({{"label", line.label}, {"value", line.value}, {"verdict", verdict}});
      }));
  return json::write(root);
}

int check(const CheckOptions& options) {
  check_start(options, "check");
  PlannedRun planned = planned_run(options);
  Simulation& run = planned.simulation;
  const auto missing =
      must(missing_in_view(planned.view, run.record(), *run.system(), document_name(options)));
  const auto report = system_report(*run.system(), run.state(0), run.present());
  std::vector<ReportLine> lines = report_lines(*report);
  const EventSteps after_events = coarse_after_events(run.record(), run.state(0), *report);
  for (const EventStep& step : after_events.coarse) {
    lines.push_back(
        {fmt::format("step of {} from t = {:.6g} s", step.lane, step.t),
         joined(step.coarse, "; ", [](const CoarseStep& coarse) { return describe(coarse); }),
         ReportLine::Finding::warning});
  }
  if (std::isfinite(after_events.judged_until))
    lines.push_back({"steps after events",
                     fmt::format("not judged from t = {:.6g} s on: there are too many events",
                                 after_events.judged_until)});
  // What a view shows, after what is examined.
  for (const std::string& warning : missing) {
    const std::size_t colon = warning.find(": ");
    lines.push_back(
        {warning.substr(0, colon), warning.substr(colon + 2), ReportLine::Finding::warning});
  }
  print(options.json ? as_json(*report, lines) : as_text(lines));
  const bool wrong = std::any_of(lines.begin(), lines.end(), [](const ReportLine& line) {
    return line.finding == ReportLine::Finding::warning;
  });
  return wrong ? static_cast<int>(ErrorKind::check) : 0;
}

}  // namespace

Subcommand check_subcommand() {
  const auto options = std::make_shared<CheckOptions>();
  std::vector<SubcommandOption> list = start_options(*options, "check");
  list.push_back(set_option(*options));
  list.push_back({"--json", "", "print the report as JSON", &options->json});
  return {.name = "check",
          .summary = "report on a system before its first step",
          .options = std::move(list),
          .run = [options] { return check(*options); }};
}

}  // namespace twosphere
