// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/view_frame.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parse_number.h"
#include "core/base/text.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/direction_text.h"
#include "core/output/lattice_layer.h"
#include "core/record/signal_samples.h"
#include "core/run/simulation.h"
#include "core/scenario/keys.h"
#include "core/scenario/parameter_io.h"
#include "core/scenario/view_entry.h"

namespace twosphere {

namespace {

using document::Value;
using json::Kind;
using json::Node;

constexpr std::string_view momentum_axis = "J";
constexpr double same_axis = 1e-9;  // 1 − |cos| of the angle between them

Error no_frame(std::string message) { return {ErrorKind::usage, "frame", std::move(message)}; }

/// Of a rate that is text; none if it is neither "orbit" nor "line:K".
bool read_named_rate(std::string_view text, FrameChoice& choice) {
  if (text == orbit_rate) {
    choice.by = FrameChoice::Rate::orbit;
    return true;
  }
  if (!text.starts_with(line_rate)) return false;
  const auto line = parse_number<int>(text.substr(line_rate.size()));
  if (!line || *line < 0 || *line >= max_lines) return false;
  choice.by = FrameChoice::Rate::line;
  choice.line = *line;
  return true;
}

std::string wrong_rate(const std::string& given) {
  return fmt::format(
      "must be a number [rad/s], \"{}\", or \"{}K\" with the number K of a line from 0 to {}, not "
      "{}",
      orbit_rate, line_rate, max_lines - 1, given);
}

Result<Vec3> axis_of(const FrameChoice& choice, const Scenario& record, const System& system) {
  switch (choice.about) {
    case FrameChoice::Axis::vector:
      return choice.axis;
    case FrameChoice::Axis::orbit:
      return record.orbit ? record.orbit->axis : Vec3::UnitZ();
    case FrameChoice::Axis::momentum:
      break;
  }
  const auto conserved = system.conserved_momentum();
  if (!(conserved[0] && conserved[1] && conserved[2]))
    return no_frame(
        "cannot turn about J, which keeps its direction only where all its components are "
        "conserved");
  const Vec3 j = momentum_map(system, {0, record.q, record.omega});
  if (!(j.norm() > 0)) return no_frame("cannot turn about J, which is 0 at the start");
  return Vec3(j.normalized());
}

Result<double> orbit_frame_rate(const Scenario& record, const Vec3& axis) {
  const auto& orbit = record.orbit;
  if (!orbit) return no_frame("has the rate of an orbit, but the scenario has no key \"orbit\"");
  if (orbit->axis.isZero(0))
    return no_frame("has the rate of an orbit, but that of the scenario closes without a rotation");
  const double along = axis.dot(orbit->axis);
  if (1 - std::abs(along) > same_axis)
    return no_frame("turns about another axis than the orbit of the scenario");
  const double rate = orbit->rotation / orbit->period;
  return along < 0 ? -rate : rate;
}

Result<double> line_frame_rate(const Scenario& record, int line) {
  auto run = Simulation::create(record);
  if (!run) return run.error();
  auto samples = SignalSamples::create(record.signal.value_or(ComplexSignal()), run->present());
  if (!samples) return samples.error();
  run->observe([&samples](Simulation& now) { return samples->see(now, 0); });
  while (run->steps() < run->planned_steps() && !run->stopped())
    if (const auto failed = run->advance_to(run->planned_steps())) return no_frame(failed->message);
  const std::vector<Line> lines = samples->lines(line + 1);
  if (static_cast<std::size_t>(line) >= lines.size())
    return no_frame(fmt::format("has the rate of line {} of the signal, which has {} in this run",
                                line, lines.size()));
  return 2 * std::numbers::pi * lines[static_cast<std::size_t>(line)].frequency;
}

std::string axis_text(const Vec3& axis) {
  for (int k = 0; k < 3; ++k)
    for (const double sign : {1.0, -1.0})
      if (axis == sign * Vec3::Unit(k)) return (sign < 0 ? "−" : "") + with_index("e", k + 1);
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", axis.x(), axis.y(), axis.z());
}

}  // namespace

FrameChoice read_frame(const Value& frame) {
  frame.object(key_names("frame"));
  FrameChoice choice{.about = FrameChoice::Axis::orbit};
  if (const auto axis = frame.find("axis")) {
    if (axis->kind() == Kind::string) {
      if (axis->text() != momentum_axis)
        axis->fail(fmt::format("must be a list of 3 numbers or \"{}\", not {}", momentum_axis,
                               json::quote(axis->text())));
      choice.about = FrameChoice::Axis::momentum;
    } else {
      choice.about = FrameChoice::Axis::vector;
      choice.axis = read_vector(*axis, "1");
      if (choice.axis.isZero(0)) axis->fail("must not be zero");
      if (choice.axis.norm() != 1) choice.axis.stableNormalize();
    }
  }
  const Value rate = frame.member("rate");
  if (rate.kind() == Kind::number)
    choice.rate = rate.number();
  else if (!read_named_rate(rate.text(), choice))
    rate.fail(wrong_rate(json::quote(rate.text())));
  if (choice.about == FrameChoice::Axis::orbit && choice.by != FrameChoice::Rate::orbit)
    frame.fail("needs an axis, unless its rate is that of the orbit");
  return choice;
}

Node to_json(const FrameChoice& choice) {
  Node node = Node::object();
  if (choice.about == FrameChoice::Axis::vector)
    node.set("axis", Node::numbers({choice.axis.data(), 3}));
  else if (choice.about == FrameChoice::Axis::momentum)
    node.set("axis", Node(momentum_axis));
  switch (choice.by) {
    case FrameChoice::Rate::number:
      node.set("rate", Node(choice.rate));
      break;
    case FrameChoice::Rate::orbit:
      node.set("rate", Node(orbit_rate));
      break;
    case FrameChoice::Rate::line:
      node.set("rate", Node(fmt::format("{}{}", line_rate, choice.line)));
      break;
  }
  return node;
}

Result<std::optional<FrameChoice>> frame_of_view(const Node& view, std::string_view document) {
  return entry_of_view(view, "frame", document, read_frame);
}

Result<FrameChoice> parse_frame(const std::string& text) {
  FrameChoice choice{.about = FrameChoice::Axis::orbit};
  if (read_named_rate(text, choice) && choice.by == FrameChoice::Rate::orbit) return choice;
  constexpr std::string_view forms =
      "must be orbit, or AXIS:RATE with e1, e2, e3, J or X,Y,Z and a rate in rad/s, orbit or "
      "line:K";
  const auto colon = text.find(':');
  if (colon == text.npos) return no_frame(fmt::format("{}, not {}", forms, json::quote(text)));
  const std::string axis = text.substr(0, colon), rate = text.substr(colon + 1);
  choice = {};
  if (axis == momentum_axis) {
    choice.about = FrameChoice::Axis::momentum;
  } else if (const auto direction = parse_direction(axis)) {
    choice.axis = direction->stableNormalized();
  } else {
    return no_frame(fmt::format("{}, not {}", forms, json::quote(text)));
  }
  if (read_named_rate(rate, choice)) return choice;
  const auto number = parse_number<double>(rate);
  if (!number || !std::isfinite(*number))
    return no_frame("its rate " + wrong_rate(json::quote(rate)));
  choice.rate = *number;
  return choice;
}

Result<TurningFrame> turning_frame(const FrameChoice& choice, const Scenario& record,
                                   const System& system) {
  const auto axis = axis_of(choice, record, system);
  if (!axis) return axis.error();
  Result<double> rate = choice.rate;
  if (choice.by == FrameChoice::Rate::orbit)
    rate = orbit_frame_rate(record, *axis);
  else if (choice.by == FrameChoice::Rate::line)
    rate = line_frame_rate(record, choice.line);
  if (!rate) return rate.error();
  return TurningFrame{*axis, *rate};
}

Result<std::vector<std::string>> missing_in_view(const Node& view, const Scenario& record,
                                                 const System& system, std::string_view document) {
  const auto choice = frame_of_view(view, document);
  if (!choice) return choice.error();
  const auto layer = layer_of_view(view, document);
  if (!layer) return layer.error();
  std::vector<std::string> missing;
  // The frequency of a line takes the run.
  if (*choice && (*choice)->by != FrameChoice::Rate::line)
    if (const auto frame = turning_frame(**choice, record, system); !frame)
      missing.push_back(not_turning(frame.error().message));
  if (*layer)
    if (std::string no_layer = missing_layer(**layer, system); !no_layer.empty())
      missing.push_back(std::move(no_layer));
  return missing;
}

std::string not_turning(std::string_view why) {
  return fmt::format("view.frame: {}; the view does not turn", why);
}

std::string describe(const TurningFrame& frame) {
  const std::string axis = axis_text(frame.axis);
  if (frame.rate == 0) return fmt::format("The view does not turn about {}.", axis);
  return fmt::format("The view turns about {} at {}{:.4g} rad/s, once in {:.4g} s.", axis,
                     frame.rate < 0 ? "−" : "", std::abs(frame.rate),
                     2 * std::numbers::pi / std::abs(frame.rate));
}

std::optional<double> rigid_rate(const Columns& q, const Columns& omega, const Vec3& axis) {
  constexpr double agreement = 1e-9;
  double along = 0, square = 0, speeds = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 turn = axis.cross(Vec3(q.col(i))), v = omega.col(i).cross(q.col(i));
    along += v.dot(turn);
    square += turn.squaredNorm();
    speeds += v.squaredNorm();
  }
  if (!(speeds > 0) || !(square > 0)) return {};
  const double rate = along / square;
  // Σ|q̇ − Ω e × q|² = Σ|q̇|² − Ω Σ q̇·(e × q)
  if (!(speeds - rate * along <= agreement * speeds)) return {};
  return rate;
}

}  // namespace twosphere
