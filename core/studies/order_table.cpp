// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/order_table.h"

#include <cstdint>
#include <limits>
#include <span>

#include "core/base/build.h"
#include "core/base/exceptions.h"
#include "core/base/json.h"
#include "core/base/simd_level.h"
#include "core/base/table_writer.h"
#include "core/base/version.h"
#include "core/catalog.h"
#include "core/run/sample_rows.h"
#include "core/scenario/document.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

using json::Node;

/// All that the results depend on; the last lane is the reference.
Node plan_of_orders(const OrderStudy& study) {
  Scenario scenario = study.scenario;
  scenario.lanes = study.methods;
  scenario.lanes.push_back(study.reference);
  const auto names = default_names(scenario.lanes);
  for (std::size_t k = 0; k < names.size(); ++k) scenario.lanes[k].name = names[k];
  return Node::object({{"version", version},
                       {"isa", isa_level()},
                       {"steps", Node::numbers(study.steps)},
                       {"tolerances", Node::numbers(study.tolerances)},
                       {"scenario", to_json(scenario)}});
}

Node node_of(const OrderPoint& p) {
  Node node = Node::object();
  node.set("method", Node::whole(static_cast<std::int64_t>(p.method)));
  node.set("control", p.control);
  node.set("evaluations", Node::whole(p.evaluations));
  node.set("seconds", p.seconds);
  if (p.status == StepStatus::ok) node.set("error", p.error);
  node.set("energy_error", p.energy_error);
  node.set("length_error", p.length_error);
  if (p.modified_energy_error >= 0) node.set("modified_energy_error", p.modified_energy_error);
  node.set("status", Node::whole(static_cast<std::int64_t>(p.status)));
  node.set("time", p.t);
  return node;
}

OrderPoint point_of(const document::Value& value) {
  OrderPoint p;
  p.method = static_cast<std::size_t>(value.member("method").whole(0));
  p.control = value.member("control").number();
  p.evaluations = value.member("evaluations").whole(0);
  p.seconds = value.member("seconds").number();
  const auto error = value.find("error");
  p.error = error ? error->number() : std::numeric_limits<double>::quiet_NaN();
  p.energy_error = value.member("energy_error").number();
  p.length_error = value.member("length_error").number();
  if (const auto modified = value.find("modified_energy_error"))
    p.modified_energy_error = modified->number();
  p.status = static_cast<StepStatus>(value.member("status").whole(0));
  p.t = value.member("time").number();
  return p;
}

}  // namespace

std::string order_table(const OrderStudy& study, const OrderStudyResult& result) {
  TableWriter table;
  table.row("integrator", "step [s]", "relative_tolerance [1]", "evaluations [1]", "error [1]",
            "energy_error_max [J]", "unit_length_error_max [1]", "processor_time [s]", "time [s]",
            "status");
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const OrderPoint& p : result.points) {
    const LaneSpec& method = study.methods[p.method];
    const bool tolerance =
        accuracy_control(*find_integrator(method.type)) == AccuracyControl::tolerance;
    table.row(method.type, tolerance ? none : p.control, tolerance ? p.control : none,
              p.evaluations, p.error, p.energy_error, p.length_error, p.seconds, p.t,
              p.status == StepStatus::ok ? "ok" : describe(p.status));
  }
  return table.take();
}

std::string order_companion(const OrderStudy& study, const OrderStudyResult& result) {
  Node root = provenance();
  root.set("study", plan_of_orders(study));
  root.set("reference_error", result.reference_error);
  if (!result.complete()) {
    const Columns& end = result.reference_end;
    const std::span<const double> numbers(end.data(), static_cast<std::size_t>(end.size()));
    root.set("unfinished", Node::object({{"reference_end", Node::numbers(numbers)},
                                         {"points", Node::array(result.points, node_of)}}));
  }
  return json::write(root);
}

std::optional<OrderStudyResult> unfinished_study(const OrderStudy& study,
                                                 std::string_view companion) {
  const auto parsed = json::parse(companion, "");
  if (!parsed) return {};
  try {
    const document::Origin source{""};
    const document::Value root(source, *parsed, "");
    const auto rest = root.find("unfinished");
    if (!rest || json::write(root.member("study").node()) != json::write(plan_of_orders(study)))
      return {};
    OrderStudyResult result;
    result.reference_error = root.member("reference_error").number();
    const document::Value end = rest->member("reference_end"), points = rest->member("points");
    const Scenario& s = study.scenario;
    const auto system = create_system(s);
    if (!system) return {};
    result.reference_end.resize(3, moving(**system));
    if (end.expect(json::Kind::array).size() !=
        static_cast<std::size_t>(result.reference_end.size()))
      return {};
    for (std::size_t k = 0; k < end.size(); ++k)
      result.reference_end.data()[k] = end.item(k).number();
    for (const document::Value& point : points.items()) result.points.push_back(point_of(point));
    return result;
  } catch (const Failure&) {
    return {};
  }
}

}  // namespace twosphere
