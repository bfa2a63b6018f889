// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/system_report_text.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/mechanics/direction_text.h"
#include "core/mechanics/heat_bath.h"

namespace twosphere {

namespace {

std::string place(int state) {
  return state == 0 ? "the start" : fmt::format("random state {}", state);
}

std::string components(const std::array<bool, 3>& axes) {
  std::string out;
  constexpr std::array<const char*, 3> names{"J₁", "J₂", "J₃"};
  for (std::size_t k = 0; k < 3; ++k)
    if (axes[k]) out += (out.empty() ? "" : ", ") + std::string(names[k]);
  return out.empty() ? "none" : out;
}

/// "0.145 µs", "11.2 ms", "1.3 s".
std::string duration(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.3g} µs", 1e6 * seconds)
         : seconds < 1  ? fmt::format("{:.3g} ms", 1e3 * seconds)
                        : fmt::format("{:.3g} s", seconds);
}

class Lines {
 public:
  explicit Lines(const SystemReport& report) : report_(report) {}

  std::vector<ReportLine> all() {
    derivative("gradient", "differences of V", report_.gradient);
    derivative("Hessian", "differences of the gradient", report_.hessian);
    if (report_.force_slope)
      derivative("slope of the force", "differences of the force", *report_.force_slope);
    if (report_.inertia_rate)
      derivative("derivative of the inertia", "differences of M", *report_.inertia_rate);
    if (report_.inertia_slopes)
      derivative("slopes of the inertia", "differences of M", *report_.inertia_slopes);
    if (report_.gyroscopic)
      derivative("derivative of gyroscopic terms", "differences of A", *report_.gyroscopic);
    potential();
    if (report_.strength.size() > 0) strength();
    if (!report_.first_order) inertia();
    if (!report_.frame_rotation.isZero(0)) frame();
    momentum();
    energy();
    scales();
    for (const SystemReport::Method& method : report_.methods) {
      step(method);
      if (report_.temperature) noise(method);
      cost(method);
    }
    return std::move(lines_);
  }

 private:
  void add(std::string label, std::string value,
           ReportLine::Finding finding = ReportLine::Finding::none) {
    lines_.push_back({std::move(label), std::move(value), finding});
  }

  void derivative(const char* label, const char* of, const DerivativeCheck& check) {
    if (check.right() && check.states == 0 && report_.force_tolerance > 0)
      add(label, fmt::format("not compared: forces are sums to a tolerance, {:.3g}",
                             report_.force_tolerance));
    else if (check.right() && check.states == 0)
      add(label, "not compared: V is not finite at any state", ReportLine::Finding::warning);
    else if (check.right())
      add(label,
          fmt::format("agrees with {} to {} at {}", of,
                      check.error < 1e-9 ? "1e-9" : fmt::format("{:.1g}", check.error),
                      counted(check.states, "state")),
          ReportLine::Finding::ok);
    else if (std::isinf(check.error))
      add(label,
          fmt::format("is not finite for body {} at {}, where V is", check.body,
                      place(check.state)),
          ReportLine::Finding::warning);
    else if (check.state == 0 && !report_.vanishing_norm.empty())
      add(label,
          fmt::format("{} is 0 at the start, where it has no derivative", report_.vanishing_norm),
          ReportLine::Finding::warning);
    else
      add(label,
          fmt::format("differs from {} by {:.2g} of its size at {}, most for body {}", of,
                      check.error, place(check.state), check.body),
          ReportLine::Finding::warning);
  }

  void potential() {
    if (report_.potential_missing == 0)
      add("potential", "finite at " + counted(report_.potential_states, "random state"),
          ReportLine::Finding::ok);
    else
      add("potential",
          fmt::format("not finite at {} of {}, first at {}", report_.potential_missing,
                      counted(report_.potential_states, "random state"),
                      place(report_.missing_state)),
          ReportLine::Finding::warning);
  }

  void strength() {
    const Eigen::VectorXd& kappa = report_.strength;
    const double least = kappa.minCoeff(), largest = kappa.maxCoeff();
    add("strength", least == largest ? fmt::format("κ = {:.6g} J s", least)
                                     : fmt::format("κ from {:.6g} to {:.6g} J s", least, largest));
  }

  void frame() {
    const Vec3& turn = report_.frame_rotation;
    add("frame rotation",
        fmt::format("Ω = [{:.6g}, {:.6g}, {:.6g}] rad/s; E is that of the motion in the frame",
                    turn.x(), turn.y(), turn.z()));
  }

  void inertia() {
    const bool definite = report_.positive_definite;
    std::string text = definite ? "positive definite" : "not positive definite";
    if (report_.inertia_states > 0 && definite)
      text += " at the start and " + counted(report_.inertia_states, "random state");
    if (!std::isnan(report_.smallest_inertia))
      text += fmt::format(", smallest eigenvalue {:.4g} kg m²", report_.smallest_inertia);
    if (report_.inertia_states > 0) {
      text += fmt::format(" at {}", place(report_.inertia_state));
      if (const std::string list = direction_list(report_.inertia_at); !list.empty())
        text += ": " + list;
    }
    add("inertia", text, definite ? ReportLine::Finding::ok : ReportLine::Finding::warning);
  }

  void momentum() {
    std::array<bool, 3> unproven{}, broken{};
    for (std::size_t k = 0; k < 3; ++k) {
      unproven[k] = report_.conserved[k] && !report_.claimed[k];
      broken[k] = report_.claimed[k] && !report_.conserved[k];
    }
    constexpr std::array<bool, 3> none{};
    if (broken != none)
      add("conserved momentum",
          fmt::format("{} by turning the system; it says: {}", components(report_.conserved),
                      components(report_.claimed)),
          ReportLine::Finding::warning);
    else if (unproven != none)
      add("conserved momentum",
          fmt::format("{}; {} at {}, but not shown for all", components(report_.claimed),
                      components(unproven), counted(report_.momentum_states, "state")));
    else
      add("conserved momentum", components(report_.claimed),
          report_.claimed == none ? ReportLine::Finding::none : ReportLine::Finding::ok);
  }

  void energy() {
    const double t = report_.kinetic_energy, v = report_.potential_energy;
    add("energy at the start",
        report_.first_order
            ? fmt::format("H = {:.6g} J", v + 0.0)
            : fmt::format("E = {:.6g} J, T = {:.6g} J, V = {:.6g} J", t + v, t, v + 0.0),
        std::isfinite(t + v) ? ReportLine::Finding::none : ReportLine::Finding::warning);
    const char* forces = report_.time_dependent ? "external forces of t" : "external forces";
    if (!report_.forced && !report_.damped)
      add("forces", "none that do work: E is conserved");
    else
      add("forces",
          fmt::format("{}{}{}: E changes by their work W, E − W is conserved",
                      report_.forced ? forces : "", report_.forced && report_.damped ? " and " : "",
                      report_.damped ? "damping" : ""));
    if (report_.temperature)
      add("heat bath",
          fmt::format("k_BT = {:.4g} J: its noise does work, too, and the energy changes without "
                      "end. What a run measures are means",
                      *report_.temperature));
  }

  void noise(const SystemReport::Method& method) {
    const double turn = method.noise_turn;
    const bool large = turn > largest_noise_turn;
    add("noise of " + method.name,
        fmt::format("turns a body by {:.2g} rad in a step{}", turn,
                    large
                        ? fmt::format(", root mean square: above {:.2g} rad it now and then turns "
                                      "one by a quarter turn, and the errors of means are large",
                                      largest_noise_turn)
                        : ", root mean square"),
        large ? ReportLine::Finding::warning : ReportLine::Finding::ok);
  }

  void scales() {
    const TimeScales& s = report_.scales;
    if (!s.finite()) {
      add("rates at the start", "not finite", ReportLine::Finding::warning);
      return;
    }
    std::string text;
    const auto rate = [&text](const char* name, double value) {
      if (value > 0) text += fmt::format("{}{} {:.3g}", text.empty() ? "" : ", ", name, value);
    };
    // With linear terms a bound is known.
    rate(report_.first_order || (report_.strength.size() == 0 && report_.frame_rotation.isZero(0) &&
                                 !report_.gyroscopic)
             ? "oscillation"
             : "oscillation at most",
         s.oscillation);
    rate("growth", s.growth);
    rate("turn", s.turn);
    rate("root of the acceleration", s.acceleration);
    rate("external forces", s.forcing);
    rate("damping", s.damping);
    add("rates at the start", text.empty() ? "0: nothing moves" : text + " rad/s");
  }

  void step(const SystemReport::Method& method) {
    const std::string label = "step of " + method.name;
    if (method.failed > 0) {
      add(label,
          fmt::format("{:g} s: step {} fails: {}", method.step, method.failed,
                      describe(method.status)),
          ReportLine::Finding::warning);
      return;
    }
    if (method.info->adaptive) {
      add(label, fmt::format("{:g} s, in inner steps of its own", method.step));
      return;
    }
    const double stable = report_.stable_step();
    // "0.1/rate = 0.024 s".
    const std::string resolving =
        fmt::format("{:.2g}/rate = {:.2g} s", resolved_turn(*method.info), method.resolving);
    std::string text = fmt::format("{:g} s", method.step);
    const bool unstable = method.step >= stable;
    const bool resolves = std::isfinite(method.resolving) && method.step <= method.resolving;
    if (unstable)
      text += fmt::format(
          ": fewer than π steps in a period of the fastest oscillation, at most "
          "2/ω = {:.2g} s is stable; {} resolves the fastest rate",
          stable, resolving);
    else if (resolves)
      text += fmt::format(", which resolves the fastest rate: at most {} does", resolving);
    else if (std::isfinite(method.resolving))
      text += fmt::format(
          ", {:.2g} times the largest step that resolves the fastest rate, {}{}",
          method.step / method.resolving, resolving,
          method.step < CoarseStep::min_ratio * method.resolving || has_coarse_rate(method.coarse)
              ? ""
          : method.info->exact_pairs ? ", that of close pairs, which it takes exactly"
                                     : ", of which the motion has little");
    if (!unstable && std::isfinite(stable))
      text += fmt::format("; stable below 2/ω = {:.2g} s", stable);
    for (const CoarseStep& coarse : method.coarse)
      if (coarse.cause != CoarseStep::Cause::rate) text += "; " + describe(coarse);
    add(label, text,
        unstable || !method.coarse.empty() ? ReportLine::Finding::warning
        : resolves                         ? ReportLine::Finding::ok
                                           : ReportLine::Finding::none);
  }

  void cost(const SystemReport::Method& method) {
    if (std::isnan(method.seconds)) return;
    add("cost of " + method.name,
        fmt::format("{} per step{}: {:.3g} s of simulated time in 1 s", duration(method.seconds),
                    method.sweeps > 0 ? fmt::format(" of up to {} sweeps", method.sweeps) : "",
                    method.step / method.seconds));
  }

  const SystemReport& report_;
  std::vector<ReportLine> lines_;
};

}  // namespace

std::vector<ReportLine> report_lines(const SystemReport& report) { return Lines(report).all(); }

}  // namespace twosphere
