// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of one step of chains and of rods against their length. `accuracy` is the worst | |q| − 1 |
// of the very run that was timed, `time/link` the cost of a step per link. `accelerations` is the
// right-hand side of the Runge-Kutta methods and `accelerations_dense` what it replaces; there
// `accuracy` is the largest residual of the equation relative to its terms.
#include <benchmark/benchmark.h>

#include <Eigen/LU>
#include <cmath>
#include <string_view>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/dynamics.h"
#include "core/mechanics/free_base.h"
#include "tests/bench/target.h"
#include "tests/cases.h"
#include "tests/recast.h"

namespace twosphere::test {
namespace {

std::unique_ptr<const System> chain(int n) {
  const auto size = static_cast<std::size_t>(n);
  return system_of(
      "chain_pendulum", n,
      {{"masses", std::vector<double>(size, 1)}, {"lengths", std::vector<double>(size, 0.5)}});
}

/// Elements of 0.1 m and 5 g, as those of Example 4.
std::unique_ptr<const System> rod(int n, double inertia) {
  return system_of("elastic_rod", n,
                   {{"elements", {static_cast<double>(n)}},
                    {"mass", {0.005 * (n + 1)}},
                    {"length", {0.1 * (n + 1)}},
                    {"stiffness", std::vector<double>(static_cast<std::size_t>(n), 1000)},
                    {"inertia", {inertia}}});
}

void count(benchmark::State& loop, int n) {
  loop.counters["time/link"] = benchmark::Counter(
      n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  loop.SetComplexityN(n);
}

void march(benchmark::State& loop, const System& system, const char* method, double h,
           State state) {
  auto integrator = make_integrator(method);
  integrator->prepare(system, state);
  double iterations = 0;
  for (auto _ : loop) {
    const StepReport report = integrator->advance(system, h, state);
    if (!report.ok()) {
      loop.SkipWithError("a step was refused");
      break;
    }
    iterations += report.iterations;
  }
  double worst = 0;
  for (int i = 0; i < state.size(); ++i) worst = std::max(worst, unit_length_error(state.q.col(i)));
  loop.counters["accuracy"] = worst;
  loop.counters["iterations"] = benchmark::Counter(iterations, benchmark::Counter::kAvgIterations);
  count(loop, state.size());
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const int n : {2, 10, 100, 1000, 10'000}) b->Arg(n);
  b->Complexity(benchmark::oN);
}

void advance(benchmark::State& loop, const char* method) {
  const int n = static_cast<int>(loop.range(0));
  march(loop, *chain(n), method, 1e-3, generic_start(n, 0.1, 0.1, 51));
}
BENCHMARK_CAPTURE(advance, variational, "variational")->Apply(sizes);
BENCHMARK_CAPTURE(advance, rk4, "rk4")->Apply(sizes);

/// A step of a chain whose beginning is free, with the links of chain().
///   carried: a constant thrust bears the weight, so that the links pull as those of a pendulum
///   thrown: no thrust, free fall
///   held: the thrust holds the base at a place, by forces that depend on its velocity
void free_chain(benchmark::State& loop, const char* thrust) {
  constexpr int n = 100;
  const double base = 2, gravity = 9.81, weight = (base + n) * gravity;
  Values values{{"base_mass", {base}},
                {"masses", std::vector<double>(n, 1)},
                {"lengths", std::vector<double>(n, 0.5)},
                {"gravity", {gravity}}};
  const std::string_view kind = thrust;
  if (kind == "carried") values["thrust"] = {0, 0, 0, -weight};
  if (kind == "held") values["thrust"] = {1, 0, 0, 0, 20 * base, 6 * base};
  const auto system = system_of("free_chain", n, values);
  State state = generic_start(n, 0.1, 0.1, 51);
  // The base rests at the origin.
  const FreeBase& free_base = *system->free_base();
  state.x = -free_base.from_centre(state.q);
  state.v = Columns::Zero(3, 1);
  march(loop, *system, "variational", 1e-3, state);
}
BENCHMARK_CAPTURE(free_chain, carried, "carried");
BENCHMARK_CAPTURE(free_chain, thrown, "thrown");
BENCHMARK_CAPTURE(free_chain, held, "held");

/// A step of a double pendulum that PD control of each link holds nearly upright; as a matrix its
/// damping takes the general way.
void held(benchmark::State& loop, double gain, bool matrix) {
  Values values = values_from("masses 1 1; lengths 1 1; gravity 9.81");
  values["control_torque"] = {3, 0.3, 0.1, -1, 4 * gain, gain};
  auto system = system_of("chain_pendulum", 2, values);
  if (matrix) system = as_matrix(std::move(system));
  march(loop, *system, "variational", 0.01, generic_start(2, everywhere, 0.1, 51));
}
BENCHMARK_CAPTURE(held, links, 10, false);
BENCHMARK_CAPTURE(held, matrix, 10, true);
BENCHMARK_CAPTURE(held, not_at_all, 0, false);

void rod_step(benchmark::State& loop, double inertia) {
  const int n = static_cast<int>(loop.range(0));
  State start;
  start.q = Vec3::UnitX().replicate(1, n);
  start.w = Columns::Zero(3, n);
  for (int i = 0; i < n; ++i) start.w.col(i) = Vec3(0, 0.5 * std::cos(i), 5 * std::sin(i));
  march(loop, *rod(n, inertia), "variational", 1e-4, start);
}
BENCHMARK_CAPTURE(rod_step, published, 0)->Apply(sizes);
BENCHMARK_CAPTURE(rod_step, consistent, 1)->Apply(sizes);

/// The largest part along the sphere of Σ_j M_ij q̈_j + g_i, relative to its terms.
double residual(const System& system, const State& s, const Columns& wdot) {
  Columns acceleration(3, s.size()), force(3, s.size()), g(3, s.size());
  for (int i = 0; i < s.size(); ++i)
    acceleration.col(i) = wdot.col(i).cross(s.q.col(i)) - s.w.col(i).squaredNorm() * s.q.col(i);
  multiply(system.inertia(), s.q, acceleration, force);
  system.gradient(s.q, g);
  double worst = 0, scale = 0;
  for (int i = 0; i < s.size(); ++i) {
    worst = std::max(worst, tangent(s.q.col(i), force.col(i) + g.col(i)).norm());
    scale = std::max({scale, force.col(i).norm(), g.col(i).norm()});
  }
  return worst / scale;
}

void evaluate(benchmark::State& loop, const System& system, const State& s) {
  Columns qdot(3, s.size()), wdot(3, s.size());
  EquationsOfMotion equations(system, Formulation::omega);
  for (auto _ : loop) {
    benchmark::DoNotOptimize(equations.evaluate(system, 0, s.q, s.w, qdot, wdot));
    benchmark::ClobberMemory();
  }
  loop.counters["accuracy"] = residual(system, s, wdot);
  count(loop, s.size());
}

void accelerations(benchmark::State& loop) {
  const int n = static_cast<int>(loop.range(0));
  evaluate(loop, *chain(n), generic_start(n, 0.5, 0.5, 52));
}
BENCHMARK(accelerations)->Apply(sizes);

void rod_accelerations(benchmark::State& loop) {
  const int n = static_cast<int>(loop.range(0));
  evaluate(loop, *rod(n, 1), generic_start(n, 0.05, 0.5, 52));
}
BENCHMARK(rod_accelerations)->Apply(sizes);

/// The 3n×3n system of [P1] (2.11), solved densely: what accelerations() replaces.
void accelerations_dense(benchmark::State& loop) {
  const int n = static_cast<int>(loop.range(0));
  const auto system = chain(n);
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

/// The times per link of a family, for all sizes up to the largest.
std::vector<Cell> per_link(const std::string& family, int largest = 10'000) {
  std::vector<Cell> cells;
  for (const int n : {2, 10, 100, 1000, 10'000})
    cells.push_back(n > largest ? Cell{} : time_of(family + "/" + std::to_string(n), n));
  return cells;
}
const bool chains = add_table(
    {.key = "chains",
     .head = "| one step of a chain of n links, CPU time | n = 2 | 10 | 100 | 1000 | 10 000 |",
     .rows = {
         {"`variational`, h = 1 ms, per link", per_link("advance/variational")},
         {"`rk4`, per link", per_link("advance/rk4")},
         {"accelerations (2009, (2.11)), per link", per_link("accelerations")},
         {"the same from the dense 3n×3n system, per link", per_link("accelerations_dense", 100)},
         {"elastic rod of n elements, `variational`, per element", per_link("rod_step/published")},
         {"accelerations of the rod, per element", per_link("rod_accelerations")},
     }});

/// The largest time per link of a family over the sizes from `least` on [ns].
auto worst_per_link(const std::string& family, int least) {
  return [family, least](const Measured& m) {
    double worst = 0;
    for (const int n : {2, 10, 100, 1000, 10'000}) {
      const double time = m.seconds(family + "/" + std::to_string(n)) / n;
      if (std::isnan(time)) return time;
      if (n >= least) worst = std::max(worst, 1e9 * time);
    }
    return worst;
  };
}
/// How far the exponent p of time ~ n^p is from 1.
auto off_linear(const std::string& family) {
  return [family](const Measured& m) { return std::abs(m.exponent(family, 10) - 1); };
}
constexpr auto at_most = Target::Bound::at_most;
constexpr auto at_least = Target::Bound::at_least;
constexpr const char* links = "a link waits for the arithmetic of the one before it";
constexpr const char* calls =
    "what a step costs for any n counts where there are few links, and memory where there are many";
const bool added = add_targets({
    {"chain, VI step, worst of n = 2 … 10 000", "ns/link", at_most, 120,
     worst_per_link("advance/variational", 2), links},
    {"chain of 1000 links, VI at h = 1 ms, simulated per real time", "1", at_least, 1,
     [](const Measured& m) { return 1e-3 / m.seconds("advance/variational/1000"); }, links},
    {"chain, VI step, |p − 1| of n^p from 10 to 10 000", "1", at_most, 0.05,
     off_linear("advance/variational"), calls},
    {"chain of 100 links on a free base, VI step, against one on a pivot", "times", at_most, 1.1,
     [](const Measured& m) {
       return m.seconds("free_chain/carried") / m.seconds("advance/variational/100");
     },
     "the base adds its own motion, and the mass before the first link, to a step"},
    {"double pendulum that each link's control holds, VI step, against one that nothing holds",
     "times", at_most, 5,
     [](const Measured& m) { return m.seconds("held/links") / m.seconds("held/not_at_all"); },
     "damping is an exact flow, twice in a step, and the control's forces follow q"},
    {"rod, VI step, published inertia, worst of n = 10 … 10 000", "ns/link", at_most, 400,
     worst_per_link("rod_step/published", 10), links},
    {"rod, VI step, consistent inertia, worst of n = 10 … 10 000", "ns/link", at_most, 400,
     worst_per_link("rod_step/consistent", 10), links},
    {"rod, VI step, consistent inertia, |p − 1| of n^p", "1", at_most, 0.05,
     off_linear("rod_step/consistent"), calls},
    {"chain, accelerations, worst of n = 100 … 10 000", "ns/link", at_most, 30,
     worst_per_link("accelerations", 100), links},
    {"chain, accelerations, against the dense solution, n = 100", "1", at_least, 100,
     [](const Measured& m) { return m.speedup("accelerations/100", "accelerations_dense/100"); },
     links},
});

}  // namespace
}  // namespace twosphere::test
