// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of one step of the chain pendulum against its length, with the dense solution of the same
// step as the baseline in the same binary. `accuracy` is the worst | |q| − 1 | of the very run that
// was timed.
#include <benchmark/benchmark.h>

#include <Eigen/LU>
#include <cmath>

#include "core/diagnostics.h"
#include "core/dynamics.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

SystemCase chain(int n) {
  const auto size = static_cast<std::size_t>(n);
  return {"",
          "chain_pendulum",
          n,
          {{"masses", std::vector<double>(size, 1)},
           {"lengths", std::vector<double>(size, 0.5)},
           {"gravity", {9.81}},
           {"damping", {0}},
           {"control_torque", {0, 0, 0}},
           {"tip_force", {0, 0, 0}}},
          0.1,
          0.1,
          1};
}

/// A step that a chain of n links can take for long.
double step(int n) { return 1e-3 * std::min(1.0, 10.0 / n); }

void advance(benchmark::State& loop, const char* method) {
  const int n = static_cast<int>(loop.range(0));
  const auto system = make_system(chain(n));
  const State start = generic_start(n, 0.1, 0.1, 51);
  State state = start;
  auto integrator = make_integrator(method);
  integrator->prepare(*system, state);
  double iterations = 0;
  for (auto _ : loop) {
    const StepReport report = integrator->advance(*system, step(n), state);
    if (!report.ok()) {
      loop.SkipWithError("a step was refused");
      break;
    }
    iterations += report.iterations;
  }
  double worst = 0;
  for (int i = 0; i < n; ++i) worst = std::max(worst, unit_length_error(state.q.col(i)));
  loop.counters["accuracy"] = worst;
  loop.counters["iterations"] = benchmark::Counter(iterations, benchmark::Counter::kAvgIterations);
  loop.counters["time/link"] = benchmark::Counter(
      n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  loop.SetComplexityN(n);
}
BENCHMARK_CAPTURE(advance, variational, "variational")
    ->Arg(2)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Complexity(benchmark::oN);
BENCHMARK_CAPTURE(advance, rk4, "rk4")
    ->Arg(2)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Complexity(benchmark::oN);

void accelerations(benchmark::State& loop) {
  const int n = static_cast<int>(loop.range(0));
  const auto system = make_system(chain(n));
  const State s = generic_start(n, 0.5, 0.5, 52);
  Columns qdot(3, n), wdot(3, n);
  EquationsOfMotion equations(*system, Formulation::omega);
  for (auto _ : loop)
    benchmark::DoNotOptimize(equations.evaluate(*system, 0, s.q, s.w, qdot, wdot));
  loop.SetComplexityN(n);
}
BENCHMARK(accelerations)->Arg(2)->Arg(10)->Arg(100)->Arg(1000)->Complexity(benchmark::oN);

/// The 3n×3n system of [P1] (2.11), solved densely: what accelerations() replaces.
void accelerations_dense(benchmark::State& loop) {
  const int n = static_cast<int>(loop.range(0));
  const auto system = make_system(chain(n));
  const State s = generic_start(n, 0.5, 0.5, 52);
  const Eigen::MatrixXd m = dense(system->inertia(), s.q);
  Columns g(3, n);
  Eigen::MatrixXd a(3 * n, 3 * n);
  Eigen::VectorXd b(3 * n), x(3 * n);
  for (auto _ : loop) {
    system->gradient(s.q, g);
    for (int i = 0; i < n; ++i) {
      const Vec3 qi = s.q.col(i);
      Vec3 right = -qi.cross(g.col(i));
      for (int j = 0; j < n; ++j) {
        const Vec3 qj = s.q.col(j);
        if (i != j) right += m(i, j) * s.w.col(j).squaredNorm() * qi.cross(qj);
        a.block<3, 3>(3 * i, 3 * j) =
            i == j ? Mat3(m(i, i) * Mat3::Identity()) : Mat3(-m(i, j) * hat(qi) * hat(qj));
      }
      b.segment<3>(3 * i) = right;
    }
    x = a.partialPivLu().solve(b);
    benchmark::DoNotOptimize(x.data());
  }
}
BENCHMARK(accelerations_dense)->Arg(2)->Arg(10)->Arg(100);

double per_link(const Measured& measured, const std::string& family, int n) {
  return 1e6 * measured.seconds(family + "/" + std::to_string(n)) / n;
}

[[maybe_unused]] const bool targets = [] {
  for (const int n : {2, 10, 100, 1000, 10'000})
    add_targets({{"chain pendulum, variational step per link, n = " + std::to_string(n), "µs",
                  Target::Bound::at_most, 0.12, [n](const Measured& measured) {
                    return per_link(measured, "advance/variational", n);
                  }}});
  return add_targets(
      {{"the same, |p − 1| of time ~ n^p, n = 10 … 10 000", "1", Target::Bound::at_most, 0.05,
        [](const Measured& measured) {
          return std::abs(measured.exponent("advance/variational", 10) - 1);
        }},
       {"chain pendulum, accelerations per link, n = 1000", "µs", Target::Bound::at_most, 0.03,
        [](const Measured& measured) { return per_link(measured, "accelerations", 1000); }}});
}();

}  // namespace
}  // namespace twosphere::test
