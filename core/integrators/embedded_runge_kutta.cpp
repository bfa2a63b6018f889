// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/embedded_runge_kutta.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/interrupt.h"
#include "core/integrators/stage_derivative.h"

namespace twosphere {

EmbeddedRungeKutta::EmbeddedRungeKutta(const EmbeddedPair& pair, const Values& values)
    : pair_(pair),
      relative_(numbers_of(values, "relative_tolerance").at(0)),
      threshold_(numbers_of(values, "absolute_tolerance").at(0) / relative_),
      formulation_(twosphere::formulation(values)) {}

void EmbeddedRungeKutta::prepare(const System& system, const State& state) {
  equations_ = std::make_unique<EquationsOfMotion>(system, formulation_);
  const auto n = state.q.cols() + state.x.cols();
  for (Columns* c : {&sampled_, &dq_, &dx_}) c->resize(3, n);
  equations_->from_state(system, state, sampled_);
  // Stages of the accepted, the tried and the kept inner step.
  for (Inner* inner : {&now_, &trial_, &kept_}) {
    inner->dq.resize(stages());
    inner->dx.resize(stages());
    inner->power.resize(stages());
    Inner::each(*inner, [&](Columns& c) { c.resize(3, n); });
  }
  started_ = false;
}

StepReport EmbeddedRungeKutta::advance(const System& system, double h, State& state) {
  return take(system, h, state, nullptr);
}

TangentMap* EmbeddedRungeKutta::stage_derivative(const System& system) {
  return EquationsTangent::exists(system, formulation_) ? this : nullptr;
}

StepReport EmbeddedRungeKutta::advance(const System& system, double h, State& state,
                                       std::span<TangentVector> vectors) {
  StageDerivative derivative(system, formulation_, stages());
  derivative.begin(system, state, vectors);
  const StepReport report = take(system, h, state, &derivative);
  if (!report.ok()) return report;
  complete(system, state);
  // The last inner step, up to the sample.
  const double taken = state.t + h - now_.t;
  if (interpolates()) {
    std::vector<double> weights(stages());
    for (std::size_t i = 0; i < stages(); ++i) weights[i] = weight(i, taken / now_.eta);
    derivative.step(system, pair_.tableau, weights, now_.t, now_.eta);
  } else {
    derivative.step(system, pair_.tableau, pair_.tableau.b, now_.t, taken);
  }
  derivative.end(system, state.t + h, vectors);
  return report;
}

/// The step, and `along` taken with it to the start of the last inner step, if it is not null.
StepReport EmbeddedRungeKutta::take(const System& system, double h, State& state,
                                    StageDerivative* along) {
  StepReport report;
  const double target = state.t + h;
  const bool was_started = started_;
  bool kept = false;
  // The inner step in use at the last sample, restored if this step fails.
  const auto keep = [&] {
    // Only once in a step.
    if (!kept) std::swap(kept_, now_);
    kept = true;
  };
  const auto fail = [&] {
    if (kept) std::swap(now_, kept_);
    started_ = was_started;
    return report;
  };
  // Start, or restart if time changes its direction.
  const bool starts = !started_ || (now_.next > 0) != (h > 0);
  if (starts) {
    keep();
    start(system, h, state);
  }
  // Inner steps until one reaches the sampling time.
  while (now_.eta == 0 || (h > 0 ? now_.end() < target : now_.end() > target)) {
    if (report.inner_steps + report.rejected >= max_inner_steps)
      report.status = StepStatus::too_many_steps;
    if (interrupted()) report.status = StepStatus::interrupted;
    if (!report.ok() || !step(system, report)) return fail();
    if (along && now_.eta != 0)
      along->step(system, pair_.tableau, pair_.tableau.b, now_.t, now_.eta);
    keep();
    std::swap(now_, trial_);
  }
  const double before = starts ? 0 : sampled_work_;
  // The sample there, and the work since the last one.
  report.status = sample(system, target, state);
  if (!report.ok()) return fail();
  report.work = sampled_work_ - before;
  return report;
}

void EmbeddedRungeKutta::complete(const System& system, State& state) {
  equations_->set_velocities(system, sampled_, state);
}

void EmbeddedRungeKutta::save_state(IntegratorState& memory) const {
  if (!started_) return memory.clear();
  write_entry(memory, 0, "inner_step",
              std::array{now_.t, now_.eta, now_.next, now_.work, sampled_work_});
  write_entry(memory, 1, "power", now_.power);
  write_entry(memory, 2, "stages", {});
  // All columns of the inner step one after the other.
  std::vector<double>& all = memory[2].second;
  Inner::each(now_,
              [&](const Columns& c) { all.insert(all.end(), c.data(), c.data() + c.size()); });
}

bool EmbeddedRungeKutta::load_state(const IntegratorState& memory) {
  if (memory.empty()) return true;
  std::size_t size = 0;
  Inner::each(now_, [&](Columns& c) { size += static_cast<std::size_t>(c.size()); });
  std::array<double, 5> step;
  std::vector<double> numbers(size);
  if (!read_entries(memory, {{"inner_step", step}, {"power", now_.power}, {"stages", numbers}}))
    return false;
  now_.t = step[0], now_.eta = step[1], now_.next = step[2], now_.work = step[3];
  sampled_work_ = step[4];
  auto from = numbers.begin();
  Inner::each(now_, [&](Columns& c) {
    std::copy(from, from + c.size(), c.data());
    from += c.size();
  });
  started_ = true;
  return true;
}

/// b_i(θ); b_i if θ = 1.
double EmbeddedRungeKutta::weight(std::size_t stage, double theta) const {
  if (!interpolates()) return pair_.tableau.b[stage];
  const auto& b = pair_.interpolant[stage];
  return theta * (b[0] + theta * (b[1] + theta * (b[2] + theta * b[3])));
}

/// An inner step of length 0 that ends in the current state.
void EmbeddedRungeKutta::start(const System& system, double h, const State& state) {
  now_.t = state.t;
  now_.eta = 0;
  now_.work = 0;
  copy_positions(state, now_.q);
  now_.q_end = now_.q;
  now_.x = now_.x_end = sampled_;
  // Its last stage is the first of the step that follows.
  Columns& dq = now_.dq.back();
  Columns& dx = now_.dx.back();
  now_.power.back() = equations_->evaluate(system, state.t, now_.q, now_.x, dq, dx);
  // Initial inner step min(h, 1/ρ).
  const double rate = std::max(worst(dq, now_.q, now_.q), worst(dx, now_.x, now_.x)) /
                      (0.8 * std::pow(relative_, 1 / pair_.order));
  now_.next = std::abs(h) * rate > 1 ? std::copysign(1 / rate, h) : h;
  started_ = true;
}

/// max_i |x_i| / max(|a_i|, |b_i|, s/r).
double EmbeddedRungeKutta::worst(const Columns& x, const Columns& from, const Columns& to) const {
  return (x.array().abs() / from.array().abs().max(to.array().abs()).max(threshold_))
      .maxCoeff<Eigen::PropagateNaN>();
}

/// The stages after the first of a step η from (t, y), and its end.
StepStatus EmbeddedRungeKutta::evaluate(const System& system, double eta, Inner& inner) {
  // y + η Σ_j factor_j k_j
  const auto add = [&](const std::vector<double>& factors, std::size_t count) {
    inner.q_end = inner.q;
    inner.x_end = inner.x;
    for (std::size_t j = 0; j < count; ++j) {
      if (factors[j] == 0) continue;
      inner.q_end += (eta * factors[j]) * inner.dq[j];
      inner.x_end += (eta * factors[j]) * inner.dx[j];
    }
  };
  for (std::size_t i = 1; i < stages(); ++i) {
    if (interrupted()) return StepStatus::interrupted;
    // Stage argument y + η Σ_{j<i} a_ij k_j.
    add(pair_.tableau.a[i], i);
    // k_i, and the power there.
    inner.power[i] = equations_->evaluate(system, inner.t + pair_.tableau.c[i] * eta, inner.q_end,
                                          inner.x_end, inner.dq[i], inner.dx[i]);
  }
  // With an interpolant the last argument is the solution already.
  if (!interpolates()) add(pair_.tableau.b, stages());
  return StepStatus::ok;
}

/// Computes the inner step after now_ in trial_. False if no step is small enough.
bool EmbeddedRungeKutta::step(const System& system, StepReport& report) {
  const double t = now_.end();
  const double least =
      16 * (std::nextafter(std::abs(t), std::numeric_limits<double>::infinity()) - std::abs(t));
  // From the end of the last inner step, with the length proposed there.
  double eta = now_.next;
  bool failed = false;
  trial_.t = t;
  trial_.q = now_.q_end;
  trial_.x = now_.x_end;
  if (interpolates() || now_.eta == 0) {
    // First stage: the last stage of the previous inner step.
    trial_.dq[0] = now_.dq.back();
    trial_.dx[0] = now_.dx.back();
    trial_.power[0] = now_.power.back();
  } else {
    trial_.power[0] =
        equations_->evaluate(system, t, trial_.q, trial_.x, trial_.dq[0], trial_.dx[0]);
  }
  for (;;) {
    // The step is lost in the rounding of t.
    if (std::abs(eta) <= least) {
      report.status = StepStatus::step_too_small;
      return false;
    }
    report.status = evaluate(system, eta, trial_);
    if (!report.ok()) return false;
    // err = |η| max_i |Σ_j e_j k_j,i| / max(|y_i|, |y_new,i|, s/r)
    dq_.setZero();
    dx_.setZero();
    for (std::size_t i = 0; i < stages(); ++i) {
      dq_ += pair_.error[i] * trial_.dq[i];
      dx_ += pair_.error[i] * trial_.dx[i];
    }
    const double error = std::abs(eta) * std::max(worst(dq_, trial_.q, trial_.q_end),
                                                  worst(dx_, trial_.x, trial_.x_end));
    // Accept if err ≤ r, and propose the next inner step.
    const double factor = 0.8 * std::pow(relative_ / error, 1 / pair_.order);
    if (error <= relative_) {
      // Proposed next step, and the work of the last inner step.
      trial_.eta = eta;
      trial_.next = failed ? eta : eta * std::min(5.0, factor);
      trial_.work = now_.work;
      for (std::size_t i = 0; i < stages(); ++i)
        trial_.work += now_.eta * weight(i, 1) * now_.power[i];
      ++report.inner_steps;
      report.shortest_step = std::min(report.shortest_step, std::abs(eta));
      return true;
    }
    ++report.rejected;
    // After a rejection: at least a tenth, after a second one a half.
    eta *= failed ? 0.5 : std::max(0.1, factor);  // 0.1 where the error is not a number
    failed = true;
  }
}

/// y and the work at a time within the inner step.
StepStatus EmbeddedRungeKutta::sample(const System& system, double target, State& state) {
  if (!interpolates() && target != now_.end()) {
    // A step of the missing length, from the same first stage.
    trial_.t = now_.t;
    trial_.q = now_.q;
    trial_.x = now_.x;
    trial_.dq[0] = now_.dq[0];
    trial_.dx[0] = now_.dx[0];
    trial_.power[0] = now_.power[0];
    const double eta = target - now_.t;
    if (const StepStatus status = evaluate(system, eta, trial_); status != StepStatus::ok)
      return status;
    double work = now_.work;
    for (std::size_t i = 0; i < stages(); ++i) work += eta * weight(i, 1) * trial_.power[i];
    if (!trial_.q_end.allFinite() || !trial_.x_end.allFinite()) return StepStatus::not_finite;
    sampled_work_ = work;
    EquationsOfMotion::set_positions(trial_.q_end, state);
    sampled_ = trial_.x_end;
    return StepStatus::ok;
  }
  // The interpolant, or the end of the step: y + η Σ b_i(θ) k_i.
  const double theta = (target - now_.t) / now_.eta;
  sampled_work_ = now_.work;
  Columns& q = trial_.q_end;
  q = now_.q;
  sampled_ = now_.x;
  for (std::size_t i = 0; i < stages(); ++i) {
    const double b = now_.eta * weight(i, theta);
    q += b * now_.dq[i];
    sampled_ += b * now_.dx[i];
    sampled_work_ += b * now_.power[i];
  }
  EquationsOfMotion::set_positions(q, state);
  return StepStatus::ok;
}

std::vector<ParameterInfo> embedded_parameters(double relative, double absolute) {
  return {{.key = "relative_tolerance",
           .symbol = "",
           .label = "relative tolerance",
           .unit = "1",
           .help = "Allowed error of an inner step, relative to the solution.",
           .domain = Domain::positive,
           .default_value = relative,
           .low = 1e-12,
           .high = 1e-1,
           .logarithmic = true},
          {.key = "absolute_tolerance",
           .symbol = "",
           .label = "absolute tolerance",
           .unit = "1",
           .help = "Allowed error of an inner step where the solution is small.",
           .domain = Domain::positive,
           .default_value = absolute,
           .low = 1e-14,
           .high = 1e-2,
           .logarithmic = true},
          formulation_parameter()};
}

}  // namespace twosphere
