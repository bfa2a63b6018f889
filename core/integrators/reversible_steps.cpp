// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/reversible_steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/interrupt.h"

namespace twosphere {

namespace {

/// κ_min as a share of the first κ: no inner step is longer than about a hundred first ones.
constexpr double min_share = 1e-4;
/// The largest |ln ρσ|.
constexpr double max_lag = 0.2;

/// t + rest += η.
void add_time(double eta, double& t, double& rest) {
  // The sum of t and η + rest, and its rounding error.
  const double step = eta + rest, next = t + step, part = next - t;
  rest = (t - (next - part)) + (step - part);
  t = next;
}

}  // namespace

void ReversibleSteps::Point::assign(const Point& other) {
  method->assign(*other.method);
  state = other.state;
  rest = other.rest;
  density = other.density;
  work = other.work;
}

ReversibleSteps::ReversibleSteps(const Values& values, std::unique_ptr<InnerMethod> (*make)()) {
  const std::vector<double>& first = numbers_of(values, "first_step");
  first_step_ = first.empty() ? 0 : first[0];
  for (Point* point : {&now_, &kept_, &row_}) point->method = make();
}

void ReversibleSteps::take_over(const Integrator& former) {
  const auto& other = static_cast<const ReversibleSteps&>(former);
  first_rate_ = other.first_rate_;
  min_square_ = other.min_square_;
}

void ReversibleSteps::prepare(const System& system, const State& state) {
  for (Point* point : {&now_, &kept_, &row_}) {
    point->method->prepare(system, state);
    point->state = state;
  }
  // Here the rate and the system allocate what they need.
  (void)motion_rate(system, state.t, state.q, state.w, rate_workspace_);
  resumed_ = started_ = false;
}

StepReport ReversibleSteps::advance(const System& system, double h, State& state) {
  StepReport report;
  if (resumed_ && !resume(system)) return {.status = StepStatus::interrupted};
  // Everything that a failed step restores.
  const auto former = std::array{spacing_, first_rate_, min_square_};
  const bool was_started = started_;
  bool kept = false;
  const auto fail = [&](StepStatus status, int body = 0) {
    if (kept) std::swap(now_, kept_);
    spacing_ = former[0], first_rate_ = former[1], min_square_ = former[2];
    started_ = was_started;
    return StepReport{.status = status, .body = body};
  };
  if (!started_)
    if (const StepStatus begun = begin(system, h, state); begun != StepStatus::ok)
      return fail(begun);

  const double target = state.t + h;
  // The time from t_n to the sample.
  const auto missing = [&] { return (target - now_.state.t) - now_.rest; };
  const auto add = [&](const StepReport& inner) {
    report.iterations += inner.iterations;
    report.residual = std::max(report.residual, inner.residual);
  };
  // No inner step is longer than e^0.2 ε/√κ_min.
  if (std::abs(missing()) * std::sqrt(min_square_) > max_inner_steps * std::exp(max_lag) * spacing_)
    return fail(StepStatus::too_many_steps);
  // Inner steps until t_n ≤ t < t_{n+1}.
  const double side = missing() < 0 ? -1 : 1;
  while (side < 0 ? missing() < 0 : missing() >= spacing_ / now_.density) {
    if (report.inner_steps >= max_inner_steps) return fail(StepStatus::too_many_steps);
    if (interrupted()) return fail(StepStatus::interrupted);
    if (!kept) kept_.assign(now_);
    kept = true;
    const StepReport inner = move(system, side, now_);
    if (!inner.ok()) return fail(inner.status, inner.body);
    ++report.inner_steps;
    report.shortest_step = std::min(report.shortest_step, inner.shortest_step);
    add(inner);
  }
  // The sample: one step of the missing length.
  const Point* sample = &now_;
  if (const double rest = missing(); rest != 0) {
    row_.assign(now_);
    const StepReport last = row_.method->advance(system, rest, row_.state);
    if (!last.ok()) return fail(last.status, last.body);
    row_.method->complete(system, row_.state);
    row_.work += last.work;
    add(last);
    sample = &row_;
  }
  state.q = sample->state.q;
  state.w = sample->state.w;
  report.work = sample->work - sampled_work_;
  sampled_work_ = sample->work;
  return report;
}

/// Sets ρ at the state from which the method was prepared, and ε unless it is known.
StepStatus ReversibleSteps::begin(const System& system, double h, const State& state) {
  now_.state.t = state.t;
  now_.rest = now_.work = sampled_work_ = 0;
  // Rate of the motion at the start.
  const MotionRate first =
      motion_rate(system, state.t, now_.state.q, now_.state.w, rate_workspace_);
  if (!std::isfinite(first.square) || !std::isfinite(first.change)) return StepStatus::not_finite;
  if (spacing_ == 0) {
    // ε = η₀ σ(0)
    const double step = first_step_ > 0 ? first_step_ : std::abs(h);
    if (first_rate_ == 0) {
      // At rest and without forces there is no scale but the first step.
      min_square_ = first.square > 0 ? min_share * first.square : 1 / (step * step);
      first_rate_ = std::sqrt(first.square + min_square_);
    }
    spacing_ = step * first_rate_;
  }
  const double square = first.square + min_square_, rate = std::sqrt(square);
  // ρ half a step after the start: σ + ½ ε σ̇/σ.
  now_.density = rate + spacing_ * first.change / (4 * square);
  if (!follows(now_.density, rate)) return StepStatus::motion_not_resolved;
  started_ = true;
  return StepStatus::ok;
}

/// Whether |ln ρσ| is small.
bool ReversibleSteps::follows(double density, double rate) const {
  return std::abs(std::log(density / rate)) <= max_lag;  // false if it is not a number
}

/// ρ ← ρ ± ε G. False if ρ does not follow the motion, before or after.
bool ReversibleSteps::change_density(const System& system, double side, Point& point) {
  const MotionRate here =
      motion_rate(system, point.state.t, point.state.q, point.state.w, rate_workspace_);
  const double square = here.square + min_square_, rate = std::sqrt(square);
  const double before = point.density;
  // G = σ̇/σ, half the rate of change of σ² over σ².
  point.density += side * spacing_ * here.change / (2 * square);
  return follows(before, rate) && follows(point.density, rate);
}

/// One inner step forwards in time, or one back for side < 0.
StepReport ReversibleSteps::move(const System& system, double side, Point& point) {
  StepReport report{.status = StepStatus::motion_not_resolved};
  if (side < 0 && !change_density(system, side, point)) return report;
  const double eta = side * spacing_ / point.density;
  // Lost in the rounding of the compensated time.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  if (std::abs(eta) <= epsilon * epsilon * std::abs(point.state.t)) {
    report.status = StepStatus::step_too_small;
    return report;
  }
  // The step of length η = ε/ρ, and the time after it.
  report = point.method->advance(system, eta, point.state);
  if (!report.ok()) return report;
  point.method->complete(system, point.state);
  add_time(eta, point.state.t, point.rest);
  point.work += report.work;
  report.shortest_step = std::abs(eta);
  if (side > 0 && !change_density(system, side, point))
    report.status = StepStatus::motion_not_resolved;
  return report;
}

/// Prepares the method at the inner point of a loaded state; false if interrupted.
bool ReversibleSteps::resume(const System& system) {
  now_.method->prepare(system, now_.state);
  (void)now_.method->load_state(loaded_);
  if (interrupted()) return false;
  resumed_ = false;
  return true;
}

void ReversibleSteps::save_state(IntegratorState& memory) const {
  constexpr std::size_t own = 4;
  if (spacing_ == 0) return memory.clear();
  if (!memory.empty() && memory[0].first != "spacing") memory.clear();
  // ε, the first σ and the least σ².
  write_entry(memory, 0, "spacing", std::array{spacing_, first_rate_, min_square_});
  if (!started_) return memory.resize(1);
  // The inner point before the sample.
  write_entry(memory, 1, "inner_step",
              std::array{now_.state.t, now_.rest, now_.density, now_.work, sampled_work_});
  write_entry(memory, 2, "inner_q", flat(now_.state.q));
  write_entry(memory, 3, "inner_omega", flat(now_.state.w));
  // The state of its method.
  now_.method->save_state(method_);
  for (std::size_t k = 0; k < method_.size(); ++k)
    write_entry(memory, own + k, method_[k].first, method_[k].second);
  memory.resize(own + method_.size());
}

bool ReversibleSteps::load_state(const IntegratorState& memory) {
  resumed_ = started_ = false;
  spacing_ = first_rate_ = min_square_ = 0;
  if (memory.empty()) return true;
  std::array<double, 3> spacing;
  const std::size_t own = std::min<std::size_t>(memory.size(), 4);
  const IntegratorState head(memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(own));
  if (own == 1) {
    if (!read_entries(head, {{"spacing", spacing}})) return false;
  } else {
    std::array<double, 5> step;
    if (!read_entries(head, {{"spacing", spacing},
                             {"inner_step", step},
                             {"inner_q", flat(now_.state.q)},
                             {"inner_omega", flat(now_.state.w)}}))
      return false;
    loaded_.assign(memory.begin() + static_cast<std::ptrdiff_t>(own), memory.end());
    if (!now_.method->load_state(loaded_)) return false;
    now_.state.t = step[0], now_.rest = step[1], now_.density = step[2], now_.work = step[3];
    sampled_work_ = step[4];
    resumed_ = started_ = true;
  }
  spacing_ = spacing[0], first_rate_ = spacing[1], min_square_ = spacing[2];
  return true;
}

ParameterInfo ReversibleSteps::first_step() {
  return {.key = "first_step",
          .symbol = "η₀",
          .label = "first inner step",
          .unit = "s",
          .help =
              "Length of the first inner step; the others are shorter where the motion is "
              "faster and longer where it is slower.",
          .domain = Domain::positive,
          .optional = true,
          .word = "step",
          .low = 1e-6,
          .high = 1,
          .logarithmic = true};
}

}  // namespace twosphere
