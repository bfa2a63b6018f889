// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies on a sphere, evenly spread and then moved at random. `n_body_force` is one gradient,
// `n_body_plain` the same pair by pair, `n_body_step` a step of the variational integrator at
// h = 0.001; `uncoupled` is that step without its gradient, `uncoupled_plain` the same body by
// body. `n_body_far_field` is one gradient to a tolerance, `times` that by all pairs over it.
// `accuracy` is the largest difference of the two gradients relative to their largest component, of
// `n_body_far_field` the root of the mean square of the torques' errors over the median torque, and
// of steps the worst | |q| − 1 | of the very run that was timed.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/kernels/far_field.h"
#include "core/kernels/n_body.h"
#include "core/kernels/uncoupled.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/random_state.h"
#include "tests/bench/measure.h"
#include "tests/bench/target.h"
#include "tests/cases.h"
#include "tests/core/kernels/torque_error.h"

namespace twosphere::test {
namespace {

std::unique_ptr<const System> bodies(int n) {
  return system_of(
      "n_body", n,
      {{"masses", std::vector<double>(static_cast<std::size_t>(n), 1)}, {"gamma", {0.02 / n}}});
}

double worst_unit_length_error(const State& s) {
  double worst = 0;
  for (int i = 0; i < s.size(); ++i) worst = std::max(worst, unit_length_error(s.q.col(i)));
  return worst;
}

void n_body_plain(benchmark::State& loop) {
  const int n = static_cast<int>(loop.range(0));
  const State s = generic_start(n, everywhere, 0.4, 71);
  Columns g(3, n);
  for (auto _ : loop) {
    n_body_kernel::plain_gradient(0.02 / n, s.q, g);
    benchmark::DoNotOptimize(g.data());
  }
  loop.SetComplexityN(n);
}
BENCHMARK(n_body_plain)->Arg(3)->Arg(100)->Arg(642)->Arg(10'000)->Complexity(benchmark::oNSquared);

void n_body_force(benchmark::State& loop) {
  const int n = static_cast<int>(loop.range(0));
  const State s = generic_start(n, everywhere, 0.4, 71);
  const auto system = bodies(n);
  Columns g(3, n), plain(3, n);
  for (auto _ : loop) {
    system->gradient(s.q, g);
    benchmark::DoNotOptimize(g.data());
  }
  n_body_kernel::plain_gradient(0.02 / n, s.q, plain);
  loop.counters["accuracy"] = (g - plain).cwiseAbs().maxCoeff() / plain.cwiseAbs().maxCoeff();
  loop.SetComplexityN(n);
}
BENCHMARK(n_body_force)->Arg(3)->Arg(100)->Arg(642)->Arg(10'000)->Complexity(benchmark::oNSquared);

void n_body_step(benchmark::State& loop) {
  const int n = static_cast<int>(loop.range(0));
  const auto system = bodies(n);
  const State start = generic_start(n, everywhere, 0.4, 71);
  State s = start;
  auto integrator = make_integrator("variational");
  integrator->prepare(*system, s);
  int taken = 0;
  for (auto _ : loop) {
    if (++taken % 1000 == 0) {  // before two of them meet
      s = start;
      integrator->prepare(*system, s);
    }
    if (!integrator->advance(*system, 0.001, s).ok()) {
      loop.SkipWithError("a step was refused");
      break;
    }
  }
  loop.counters["accuracy"] = worst_unit_length_error(s);
}
BENCHMARK(n_body_step)->Arg(3)->Arg(100)->Arg(642)->Arg(10'000);

void uncoupled_step(benchmark::State& loop, decltype(uncoupled_kernel::drift)& drift,
                    decltype(uncoupled_kernel::kick)& kick) {
  const int n = static_cast<int>(loop.range(0));
  State s = generic_start(n, everywhere, 0.4, 72);
  Columns q(3, n), w(3, n);
  const Columns g = Columns::Constant(3, n, 0.1);
  const Eigen::VectorXd m = Eigen::VectorXd::Ones(n);
  uncoupled_kernel::Torques torque(n, 3), next(n, 3);
  uncoupled_kernel::torque(s.q, g, torque);
  for (auto _ : loop) {
    if (drift(1e-3, m, s.q, s.w, torque, q) < n || kick(1e-3, m, q, g, s.w, torque, next, w) < n) {
      loop.SkipWithError("a step was refused");
      break;
    }
    s.q.swap(q);
    s.w.swap(w);
    torque.swap(next);
  }
  loop.counters["accuracy"] = worst_unit_length_error(s);
  loop.counters["time/body"] = benchmark::Counter(
      n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  loop.SetComplexityN(n);
}
void uncoupled(benchmark::State& loop) {
  uncoupled_step(loop, uncoupled_kernel::drift, uncoupled_kernel::kick);
}
BENCHMARK(uncoupled)->Arg(3)->Arg(100)->Arg(642)->Arg(10'000)->Complexity(benchmark::oN);
void uncoupled_plain(benchmark::State& loop) {
  uncoupled_step(loop, uncoupled_kernel::plain_drift, uncoupled_kernel::plain_kick);
}
BENCHMARK(uncoupled_plain)->Arg(3)->Arg(100)->Arg(642)->Arg(10'000)->Complexity(benchmark::oN);

/// One gradient of n bodies anywhere to a tolerance of 10^−p by one thread, beside that of 10 000
/// by all pairs, whose time grows with n².
void n_body_far_field(benchmark::State& loop) {
  constexpr int few = 10'000;
  const Share alone(1);
  const int n = static_cast<int>(loop.range(0));
  const double tolerance = std::pow(10, -static_cast<double>(loop.range(1)));
  const Columns q = random_directions(n, 71), some = q.leftCols(few);
  Columns g(3, n), pairs(3, few);
  Pool<n_body_kernel::Workspace> workspaces;
  Pool<far_field::Workspace> pool;
  const auto seconds = [&](Columns& of, const auto& gradient) {
    const auto begun = Clock::now();
    gradient();
    benchmark::DoNotOptimize(of.data());
    return since(begun);
  };
  const auto all_pairs = [&] { n_body_kernel::gradient(1, some, pairs, workspaces); };
  all_pairs();
  double direct = 1e9, sums = 1e9;
  for (auto _ : loop) {
    direct = std::min(direct, seconds(pairs, all_pairs));
    sums = std::min(sums,
                    seconds(g, [&] { far_field::attraction_gradient(tolerance, 1, q, g, pool); }));
    loop.SetIterationTime(sums);
  }
  loop.counters["times"] = direct / sums * (n / double{few}) * (n / double{few});
  if (n > few) return;
  loop.counters["accuracy"] = torque_error(q, g, pairs);
}
BENCHMARK(n_body_far_field)
    ->ArgsProduct({{10'000, 100'000}, {5, 7, 8, 10}})
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(n_body_far_field)
    ->ArgsProduct({{1'000'000}, {5, 7}})
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

constexpr const char* vectors = "the loops take what arithmetic with vectors takes";
std::string far_field_of(int n, int digits, int iterations) {
  return fmt::format("n_body_far_field/{}/{}/iterations:{}/manual_time", n, digits, iterations);
}
[[maybe_unused]] const bool targets = add_targets(
    {{"n-body, variational steps per second, n = 10 000", "1/s", Target::Bound::at_least, 10,
      [](const Measured& measured) { return measured.rate("n_body_step/10000"); }, vectors},
     {"n-body forces against the plain loop, n = 642", "1", Target::Bound::at_least, 2.3,
      [](const Measured& measured) {
        return measured.speedup("n_body_force/642", "n_body_plain/642");
      },
      vectors},
     {"n-body forces to 1e-5 against all pairs, n = 100 000", "times", Target::Bound::at_least, 15,
      [](const Measured& m) { return m.counter(far_field_of(100'000, 5, 5), "times"); }, vectors},
     {"n-body forces to 1e-7 against all pairs, n = 100 000", "times", Target::Bound::at_least, 8,
      [](const Measured& m) { return m.counter(far_field_of(100'000, 7, 5), "times"); }, vectors},
     {"n-body forces to 1e-5 against all pairs, n = 1 000 000", "times", Target::Bound::at_least,
      100, [](const Measured& m) { return m.counter(far_field_of(1'000'000, 5, 1), "times"); },
      vectors},
     {"n-body forces to 1e-7 against all pairs, n = 1 000 000", "times", Target::Bound::at_least,
      80, [](const Measured& m) { return m.counter(far_field_of(1'000'000, 7, 1), "times"); },
      vectors},
     {"uncoupled variational step without forces, per body, n = 642", "ns", Target::Bound::at_most,
      10, [](const Measured& measured) { return 1e9 * measured.seconds("uncoupled/642") / 642; },
      vectors}});

}  // namespace
}  // namespace twosphere::test
