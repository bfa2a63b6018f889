// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/mechanics/return_map.h"
#include "core/run/row_block.h"

namespace twosphere {

namespace {

using json::Node;
using json::shortest;

/// "key: value", one per line.
std::string lines(const Node& object) {
  std::string out;
  for (const auto& [key, value] : object.members)
    out += fmt::format("{}: {}\n", key,
                       value.kind == json::Kind::string ? value.text
                       : value.integer ? fmt::format("{}", static_cast<std::int64_t>(value.number))
                                       : shortest(value.number));
  return out;
}

/// Why frequency_diffusion() gives none of a signal that has a frequency.
std::string why_no_diffusion(const SignalSamples& signal) {
  const std::size_t half = signal.samples().size() / 2;
  if (half < min_line_samples)
    return fmt::format("each half of the run needs {} samples or more, not {}", min_line_samples,
                       half);
  return "in one half of the run the signal turns by less than half a cycle";
}

/// How far a state is from the start of the orbit that a record is on, after whole periods of it.
struct ClosureError {
  double q = 0, omega = 0;  ///< the largest difference of a body [1], [rad/s]
};
std::optional<ClosureError> closure_error(const Scenario& record, double elapsed,
                                          const State& state) {
  if (!record.orbit || record.continuation) return {};
  const ClosedOrbit& orbit = *record.orbit;
  const double periods = elapsed / orbit.period, whole = std::round(periods);
  if (!(whole >= 1) || std::abs(periods - whole) > 1e-9 * whole) return {};
  const State back = Closure{orbit.axis}.applied(state, whole * orbit.rotation);
  return ClosureError{(back.q - record.q).colwise().norm().maxCoeff(),
                      (back.w - record.omega).colwise().norm().maxCoeff()};
}

}  // namespace

void LaneSummary::add_rows(Simulation& simulation, int index) {
  const RowBlock& block = simulation.rows();
  const std::span<const Sample> rows =
      block.empty() ? std::span(&simulation.sample(index), 1) : block.samples();
  samples += std::ssize(rows);
  energy_error.add(rows, Quantity::energy_error);
  unit_length_error.add(rows, Quantity::unit_length_error);
  mean_unit_length_error.add(rows, Quantity::unit_length_error_mean);
  if (measured) measured->add_row(simulation);
}

std::int64_t LaneSummary::see(Simulation& simulation, int index) {
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  if (signal) next = signal->see(simulation, index);
  if (measured) next = std::min(next, measured->see(simulation));
  return next;
}

void LaneSummary::describe(Simulation& simulation, int number, double seconds) {
  const Lane& lane = simulation.lane(number);
  const auto rate = static_cast<double>(lane.steps) / seconds;
  notes.clear();
  const auto note = [this](const char* option, std::string text) {
    notes.emplace_back(option, std::move(text));
  };
  const auto note_samples = [&](const char* option, const SignalSamples& taken) {
    for (std::string& text : taken.notes()) note(option, std::move(text));
  };
  out.set("integrator", lane.info->key);
  if (const double tolerance = simulation.system()->force_tolerance();
      tolerance > 0 && lane.info->symplectic && lane.info->passes == 0)  // by gradients
    out.set("symplectic and reversible to", tolerance);
  out.set("steps", Node::whole(lane.steps));
  out.set("simulated time", simulation.elapsed() - first_time);
  out.set("samples", Node::whole(samples));
  out.set("initial energy", lane.energy_reference);
  out.set("mean energy error", energy_error.mean());
  out.set("worst energy error", energy_error.worst);
  out.set("mean unit-length error", mean_unit_length_error.mean());
  out.set("worst unit-length error", unit_length_error.worst);
  out.set("steps per second", Node::whole(seconds > 0 ? std::llround(rate) : 0));
  if (lane.info->adaptive) {
    out.set("inner steps", Node::whole(lane.inner_steps));
    out.set("rejected", Node::whole(lane.rejected));
  }
  if (lane.exponents && !lane.exponents->lost()) {
    for (std::size_t k = 0; k < spectrum.size(); ++k) {
      const std::string name = k > 0 ? fmt::format("lyapunov[{}]", k) : "lyapunov";
      out.set(name, spectrum[k].value);
      out.set(name + " error", spectrum[k].error);
    }
    out.set("megno", lane.exponents->megno());
    out.set("fli", lane.exponents->fli());
  } else if (const std::string why = simulation.why_exponents_ended(number); !why.empty()) {
    note("--exponents", "none at the end of the run: " + why);
  }
  if (signal) {
    const std::vector<Line> found = signal->lines(lines);
    if (found.empty())
      note("--frequencies",
           fmt::format("no frequency found: the signal needs {} samples or more, all finite",
                       min_line_samples));
    else if (static_cast<int>(found.size()) < lines)
      note("--frequencies",
           fmt::format("{} of {} frequencies found: the rest of the signal is rounding, or is "
                       "closer than 1/T to one of these",
                       found.size(), lines));
    for (std::size_t k = 0; k < found.size(); ++k) {
      const std::string index = k > 0 ? fmt::format("[{}]", k) : "";
      out.set("frequency" + index, found[k].frequency);
      out.set("amplitude" + index, std::abs(found[k].amplitude));
    }
    const double diffusion = signal->diffusion();
    out.set("diffusion", diffusion);
    if (std::isnan(diffusion) && !found.empty())
      note("--frequencies", "no diffusion: " + why_no_diffusion(*signal));
    out.set("signal interval", std::abs(signal->interval()));
    out.set("nyquist frequency", signal->spacing().nyquist());
    note_samples("--frequencies", *signal);
  }
  if (measured) {
    const auto values = measured->values(simulation);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::string key = measured->measures()[k].key();
      out.set(key, values[k].value);
      if (values[k].time) out.set(key + " time", *values[k].time);
    }
    if (measured->signal() && !signal) note_samples("--measure", *measured->signal());
  }
  if (lane.crossings) {
    out.set("section points", Node::whole(points));
    if (const auto jumps = lane.crossings->jumps()) out.set("section jumps", Node::whole(jumps));
    if (const auto refused = lane.crossings->failed())
      out.set("section points refused", Node::whole(refused));
  }
  if (distance) {
    out.set("distance to the start, q", distance->q);
    out.set("distance to the start, omega", distance->omega);
    if (simulation.system()->free_base()) {
      out.set("distance to the start, base", distance->place);
      out.set("distance to the start, velocity of the base", distance->velocity);
    }
  }
  if (const auto closure =
          closure_error(simulation.record(), simulation.elapsed(), simulation.state(number))) {
    out.set("closure, q", closure->q);
    out.set("closure, omega", closure->omega);
  }
  if (warning) out.set("warning", twosphere::describe(*warning, worst()));
}

std::optional<double> LaneSummary::worst() const {
  if (warning->kind == Warning::Kind::energy) return energy_error.worst;
  if (warning->kind == Warning::Kind::unit_length) return unit_length_error.worst;
  return {};
}

std::string run_summary(const Simulation& simulation, const std::vector<LaneSummary>& lanes,
                        const std::string& branch, const std::optional<std::string>& stopped,
                        bool as_json) {
  Node begin = Node::object();
  if (!branch.empty()) begin.set("branch", branch);
  if (const std::string_view back_end = simulation.system()->back_end(); !back_end.empty())
    begin.set("back end", back_end);
  if (const double tolerance = simulation.system()->force_tolerance(); tolerance > 0)
    begin.set("force tolerance", tolerance);
  std::vector<Node> blocks;
  const std::vector<LaneSpec> recorded = recorded_lanes(simulation.record());
  for (std::size_t i = 0; i < static_cast<std::size_t>(simulation.lane_count()); ++i) {
    Node& block = blocks.emplace_back(lanes.size() > 1 ? Node::object() : begin);
    if (lanes.size() > 1) block.set("lane", recorded[i].name);
    for (const auto& [key, value] : lanes[i].out.members) block.set(key, value);
    if (lanes.size() == 1 && stopped) block.set("stopped", *stopped);
    for (const auto& [key, value] : lanes[i].check.members) block.set(key, value);
  }
  Node end = Node::object();
  if (stopped) end.set("stopped", *stopped);
  if (lanes.size() == 1) return as_json ? json::write(blocks[0]) : lines(blocks[0]);
  if (as_json) {
    Node root = begin;
    root.set("lanes", Node::array(blocks));
    if (stopped) root.set("stopped", *stopped);
    return json::write(root);
  }
  std::string out = lines(begin);
  for (const Node& block : blocks) out += (out.empty() ? "" : "\n") + lines(block);
  return stopped ? out + '\n' + lines(end) : out;
}

}  // namespace twosphere
