// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "core/base/interrupt.h"
#include "core/integrators/explicit_runge_kutta.h"

namespace twosphere {

namespace {

constexpr std::size_t stages = 7;
// Dormand and Prince 1980, RK5(4)7M. The last row of a is the solution of order 5: the last stage
// is the next step's first.
constexpr double node[stages] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double a[stages][stages - 1] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
// Order 5 minus order 4.
constexpr double error_weight[stages] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                         -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// b_i(θ) = Σ_k interpolant[i][k] θ^{k+1}.
constexpr double interpolant[stages][4] = {{1, -183.0 / 64, 37.0 / 12, -145.0 / 128},
                                           {},
                                           {0, 1500.0 / 371, -1000.0 / 159, 1000.0 / 371},
                                           {0, -125.0 / 32, 125.0 / 12, -375.0 / 64},
                                           {0, 9477.0 / 3392, -729.0 / 106, 25515.0 / 6784},
                                           {0, -11.0 / 7, 11.0 / 3, -55.0 / 28},
                                           {0, 3.0 / 2, -4, 5.0 / 2}};

double weight(std::size_t stage, double theta) {
  const double* b = interpolant[stage];
  return theta * (b[0] + theta * (b[1] + theta * (b[2] + theta * b[3])));
}

/// One inner step η from (t, y) to y_end, its stages, and the step proposed for the next one.
struct Inner {
  double t = 0, eta = 0, next = 0;
  double work = 0;  // done up to t since the method began
  Columns q, x, q_end, x_end;
  std::array<Columns, stages> dq, dx;
  std::array<double, stages> power{};

  double end() const { return t + eta; }
  /// Visits every array, always in the same order.
  template <class Self, class Visit>
  static void each(Self& self, Visit visit) {
    for (auto* c : {&self.q, &self.x, &self.q_end, &self.x_end}) visit(*c);
    for (auto* list : {&self.dq, &self.dx})
      for (auto& c : *list) visit(c);
  }
};

/// Adaptive Runge-Kutta method of orders 5 and 4 (Dormand and Prince) on y = (q, x) in one of the
/// four formulations, with the step control of MATLAB's ode45: the method that the papers compare
/// with. No projection, so |q| drifts.
///
/// Notation: k_i stages, η inner step [s], r and s relative and absolute tolerance. The step h of
/// the lane only sets the output times.
///
///   err = |η| max_i |Σ_j e_j k_j,i| / max(|y_i|, |y_new,i|, s/r), accepted if err ≤ r
///
///   next η = η min(5, 0.8 (r/err)^{1/5}) after an accepted step, η right after a rejection;
///   η max(0.1, 0.8 (r/err)^{1/5}) after a first failure, η/2 after a second in a row
///
///   first η = min(h, 1/ρ), ρ = max_i |F_i| / max(|y_i|, s/r) / (0.8 r^{1/5})
///
///   y(t + θη) = y + η Σ b_i(θ) k_i, of order 4
///
/// The maximum step T/10 of ode45 and its shortened last step are omitted: the end is interpolated
/// like every sample. Work is integrated with the same quadrature, outside the error control. When
/// the direction of time changes, the method restarts from the current state. Fails with
/// step_too_small if η falls below 16 roundings of t, too_many_steps after 100 000 inner steps
/// within one h; the last sample and the method are then unchanged. Tests: the papers' numbers,
/// plain steps against another implementation, exact restart, drift.
class DormandPrince final : public Integrator {
 public:
  explicit DormandPrince(const Values& values)
      : relative_(values.find("relative_tolerance")->second[0]),
        threshold_(values.find("absolute_tolerance")->second[0] / relative_),
        formulation_(twosphere::formulation(values)) {}

  void prepare(const System& system, const State& state) override {
    equations_ = std::make_unique<EquationsOfMotion>(system, formulation_);
    for (Columns* c : {&sampled_, &dq_, &dx_}) c->resize(3, state.q.cols());
    equations_->from_state(system, state, sampled_);
    for (Inner* inner : {&now_, &trial_, &kept_})
      Inner::each(*inner, [&](Columns& c) { c.resize(3, state.q.cols()); });
    started_ = false;
  }

  static constexpr int most_inner_steps = 100'000;

  StepReport advance(const System& system, double h, State& state) override {
    StepReport report;
    const double target = state.t + h;
    const bool was_started = started_;
    bool kept = false;
    // The inner step in use at the last sample, restored if this step fails.
    const auto keep = [&] {
      if (!kept) std::swap(kept_, now_);
      kept = true;
    };
    // Start, or restart if time changes its direction.
    const bool starts = !started_ || (now_.next > 0) != (h > 0);
    if (starts) {
      keep();
      start(system, h, state);
    }
    // Inner steps until one reaches the sampling time.
    while (now_.eta == 0 || (h > 0 ? now_.end() < target : now_.end() > target)) {
      if (report.inner_steps + report.rejected >= most_inner_steps)
        report.status = StepStatus::too_many_steps;
      if (interrupted()) report.status = StepStatus::interrupted;
      if (!report.ok() || !step(system, report)) {
        if (kept) std::swap(now_, kept_);
        started_ = was_started;
        return report;
      }
      keep();
      std::swap(now_, trial_);
    }
    // Interpolate y and the work at the sampling time, to order 4.
    const double before = starts ? 0 : sampled_work_;
    const double theta = (target - now_.t) / now_.eta;
    sampled_work_ = now_.work;
    state.q = now_.q;
    sampled_ = now_.x;
    for (std::size_t i = 0; i < stages; ++i) {
      const double b = now_.eta * weight(i, theta);
      state.q += b * now_.dq[i];
      sampled_ += b * now_.dx[i];
      sampled_work_ += b * now_.power[i];
    }
    report.work = sampled_work_ - before;
    return report;
  }

  void complete(const System& system, State& state) override {
    equations_->to_omega(system, state.q, sampled_, state.w);
  }

  void save_state(IntegratorState& memory) const override {
    if (!started_) return memory.clear();
    write_entry(memory, 0, "inner_step",
                std::array{now_.t, now_.eta, now_.next, now_.work, sampled_work_});
    write_entry(memory, 1, "power", now_.power);
    write_entry(memory, 2, "stages", {});
    std::vector<double>& all = memory[2].second;
    Inner::each(now_,
                [&](const Columns& c) { all.insert(all.end(), c.data(), c.data() + c.size()); });
  }

  bool load_state(const IntegratorState& memory) override {
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

 private:
  /// An inner step of length 0 that ends in the current state.
  void start(const System& system, double h, const State& state) {
    now_.t = state.t;
    now_.eta = 0;
    now_.work = 0;
    now_.q = now_.q_end = state.q;
    now_.x = now_.x_end = sampled_;
    Columns& dq = now_.dq[stages - 1];
    Columns& dx = now_.dx[stages - 1];
    now_.power[stages - 1] = equations_->evaluate(system, state.t, now_.q, now_.x, dq, dx);
    // Initial inner step min(h, 1/ρ).
    const double rate = std::max(worst(dq, now_.q, now_.q), worst(dx, now_.x, now_.x)) /
                        (0.8 * std::pow(relative_, 0.2));
    now_.next = std::abs(h) * rate > 1 ? std::copysign(1 / rate, h) : h;
    started_ = true;
  }

  /// max_i |x_i| / max(|a_i|, |b_i|, s/r).
  double worst(const Columns& x, const Columns& from, const Columns& to) const {
    return (x.array().abs() / from.array().abs().max(to.array().abs()).max(threshold_))
        .maxCoeff<Eigen::PropagateNaN>();
  }

  /// Computes the inner step after now_ in trial_. False if no step is small enough.
  bool step(const System& system, StepReport& report) {
    const double t = now_.end();
    const double least =
        16 * (std::nextafter(std::abs(t), std::numeric_limits<double>::infinity()) - std::abs(t));
    double eta = now_.next;
    bool failed = false;
    // First stage: the last stage of the previous inner step.
    trial_.t = t;
    trial_.q = now_.q_end;
    trial_.x = now_.x_end;
    trial_.dq[0] = now_.dq[stages - 1];
    trial_.dx[0] = now_.dx[stages - 1];
    trial_.power[0] = now_.power[stages - 1];
    for (;;) {
      // The step is lost in the rounding of t.
      if (std::abs(eta) <= least) {
        report.status = StepStatus::step_too_small;
        return false;
      }
      // Stages 2 to 7.
      for (std::size_t i = 1; i < stages; ++i) {
        if (interrupted()) {
          report.status = StepStatus::interrupted;
          return false;
        }
        // Stage argument y + η Σ_{j<i} a_ij k_j; the last one is the solution of order 5.
        trial_.q_end = trial_.q;
        trial_.x_end = trial_.x;
        for (std::size_t j = 0; j < i; ++j) {
          if (a[i][j] == 0) continue;
          trial_.q_end += (eta * a[i][j]) * trial_.dq[j];
          trial_.x_end += (eta * a[i][j]) * trial_.dx[j];
        }
        trial_.power[i] = equations_->evaluate(system, t + node[i] * eta, trial_.q_end,
                                               trial_.x_end, trial_.dq[i], trial_.dx[i]);
      }
      // err = |η| max_i |Σ_j e_j k_j,i| / max(|y_i|, |y_new,i|, s/r)
      dq_.setZero();
      dx_.setZero();
      for (std::size_t i = 0; i < stages; ++i) {
        dq_ += error_weight[i] * trial_.dq[i];
        dx_ += error_weight[i] * trial_.dx[i];
      }
      const double error = std::abs(eta) * std::max(worst(dq_, trial_.q, trial_.q_end),
                                                    worst(dx_, trial_.x, trial_.x_end));
      // Accept if err ≤ r, and propose the next inner step.
      const double factor = 0.8 * std::pow(relative_ / error, 0.2);
      if (error <= relative_) {
        // Proposed next step, and the work of the last inner step.
        trial_.eta = eta;
        trial_.next = failed ? eta : eta * std::min(5.0, factor);
        trial_.work = now_.work;
        for (std::size_t i = 0; i < stages; ++i)
          trial_.work += now_.eta * weight(i, 1) * now_.power[i];
        ++report.inner_steps;
        return true;
      }
      ++report.rejected;
      // After a rejection: at least a tenth, after a second one a half.
      eta *= failed ? 0.5 : std::max(0.1, factor);  // 0.1 where the error is not a number
      failed = true;
    }
  }

  double relative_, threshold_;
  Formulation formulation_;
  std::unique_ptr<EquationsOfMotion> equations_;
  Inner now_, trial_, kept_;
  bool started_ = false;
  Columns sampled_;          // x at the last sample
  double sampled_work_ = 0;  // up to there
  Columns dq_, dx_;
};

}  // namespace

const IntegratorInfo& rk45() {
  static const IntegratorInfo info{
      .key = "rk45",
      .title = "Runge-Kutta 4(5)",
      .description =
          "Dormand and Prince's adaptive method with the step control of MATLAB's ode45, without "
          "projection: the method that the papers compare with.",
      .formula = "y ← y + η Σ bᵢ kᵢ, η chosen so that the error stays below the tolerances",
      .reference =
          "Dormand, Prince 1980; Shampine, Reichelt 1997; Lee, Leok, McClamroch 2009, "
          "(2.10)-(2.11)",
      .order = 5,
      .explicit_method = true,
      .adaptive = true,
      .parameters = {{.key = "relative_tolerance",
                      .symbol = "",
                      .label = "relative tolerance",
                      .unit = "1",
                      .help = "Allowed error of an inner step, relative to the solution.",
                      .domain = Domain::positive,
                      .fallback = 1e-3,
                      .low = 1e-12,
                      .high = 1e-1,
                      .logarithmic = true},
                     {.key = "absolute_tolerance",
                      .symbol = "",
                      .label = "absolute tolerance",
                      .unit = "1",
                      .help = "Allowed error of an inner step where the solution is small.",
                      .domain = Domain::positive,
                      .fallback = 1e-6,
                      .low = 1e-14,
                      .high = 1e-2,
                      .logarithmic = true},
                     formulation_parameter()},
      .look = {.dark = {0xd55e00},
               .light = {0xd55e00},
               .paper_dark = {0x6f9dff},
               .paper_light = {0x1f5fe0},
               .dash = Dash::dashed,
               .marker = Marker::triangle,
               .reuse_order = 1},
      .create = [](const Values& values) -> std::unique_ptr<Integrator> {
        return std::make_unique<DormandPrince>(values);
      }};
  return info;
}

}  // namespace twosphere
