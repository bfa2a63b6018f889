// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/system_report.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "core/base/decompositions.h"
#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/heat_bath.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/symmetry.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/run_clock.h"

namespace twosphere {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// `max_count` up to `full` bodies, then fewer, as a cost that grows with this power of n allows.
int fewer(int n, int max_count, int full, int power) {
  if (n <= full) return max_count;
  const double share = std::pow(static_cast<double>(full) / n, power);
  return std::max(1, static_cast<int>(max_count * share));
}

/// Columns by their numbers.
using Numbers = Eigen::VectorXd;
/// A function of q and its size, for the rounding of differences.
using Function = std::function<Numbers(const Columns& q)>;

Numbers numbers(const Columns& columns) { return columns.reshaped(); }
Columns columns(const Numbers& numbers) { return numbers.reshaped(3, numbers.size() / 3); }
Numbers numbers(const Eigen::MatrixXd& m) { return m.reshaped(); }

/// a_i × b_i.
Columns crossed(const Columns& a, const Columns& b) {
  Columns out(3, a.cols());
  for (Eigen::Index i = 0; i < a.cols(); ++i) out.col(i) = a.col(i).cross(b.col(i));
  return out;
}

/// q_i(s) = cos s q_i + sin s d_i; where d_i = 0, q_i itself.
Columns moved(const Columns& q, const Columns& d, double s) {
  Columns out = q;
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    if (!d.col(i).isZero(0)) out.col(i) = std::cos(s) * q.col(i) + std::sin(s) * d.col(i);
  return out;
}

/// A derivative and the differences that came closest to it.
struct Deviation {
  double relative = infinity;
  Numbers difference;  ///< the deviation itself; empty: no differences are finite
};

/// Compares `exact`, the derivative of f at q along d, with differences, relative to `scale` or to
/// what is found. `part` takes what counts out of the deviation.
Deviation compare(const Function& f, const Columns& q, const Columns& d, const Numbers& exact,
                  double scale, const std::function<Numbers(const Numbers&)>& part) {
  Deviation best;
  // Where all of it vanishes, as the derivatives of x⁴ do at x = 0, it is relative to what there is
  // around.
  constexpr double way = 0.1;
  const Numbers around = part(f(moved(q, d, way)) - f(moved(q, d, -way))) / (2 * way);
  if (around.allFinite() && scale < 1e-9 * around.norm()) scale = around.norm();
  for (const double h : {1e-3, 1e-4, 1e-2, 1e-5, 1e-6, 1e-8}) {
    const Numbers ahead = f(moved(q, d, h)), behind = f(moved(q, d, -h));
    const Numbers far = f(moved(q, d, 2 * h)), back = f(moved(q, d, -2 * h));
    const Numbers found = (8 * (ahead - behind) - (far - back)) / (12 * h);
    if (!found.allFinite()) continue;
    const Numbers difference = part(found - exact);
    // Rounding of the values, some units in the last place, as it appears in the differences.
    const double noise = 4 * std::numeric_limits<double>::epsilon() / h * ahead.norm();
    const double excess = std::max(0.0, difference.norm() - noise);
    const double size = std::max(scale, part(found).norm());
    const double error = excess == 0 ? 0 : excess / size;
    if (error < best.relative) best = {error, difference};
    if (best.relative < 1e-9) break;
  }
  return best;
}

/// Makes a report, one part after the other.
class Examination {
 public:
  Examination(const System& system, const State& start, const std::stop_token& stop)
      : system_(system), start_(start), n_(start.size()), stop_(stop) {
    report_.bodies = n_;
    report_.force_tolerance = system_.force_tolerance();
  }

  std::optional<SystemReport> report(const std::vector<LaneSpec>& lanes) {
    start();
    potential();
    derivatives();
    inertia();
    if (stop_.stop_requested()) return {};
    const int turned = fewer(n_, 1000, 32, 2);
    report_.momentum_states = turned + 1;
    report_.conserved = symmetric_axes(system_, turned, {start_.q});
    report_.claimed = system_.conserved_momentum();
    forces();
    if (stop_.stop_requested()) return {};
    report_.scales = time_scales(system_, start_);
    for (const LaneSpec& lane : lanes) {
      if (stop_.stop_requested()) return {};
      report_.methods.push_back(timed(lane));
    }
    return std::move(report_);
  }

 private:
  /// State 0 is the start.
  Columns state(int k) const {
    return k == 0 ? start_.q : random_directions(n_, static_cast<std::uint64_t>(k));
  }
  double time(int k) const { return start_.t + 0.7 * k; }

  void start() {
    report_.kinetic_energy = twosphere::kinetic_energy(system_, start_);
    report_.potential_energy = effective_potential(system_, start_.q);
    report_.damped = damped(system_);
    if (const HeatBath* bath = system_.heat_bath()) report_.temperature = bath->temperature;
    report_.first_order = first_order(system_);
    report_.strength = system_.strength();
    report_.frame_rotation = system_.frame_rotation();
    report_.time_dependent = system_.has_external_force() && system_.time_dependent();
  }

  void potential() {
    const int states = fewer(n_, 1000, 32, 2);
    for (int k = 1; k <= states && !stop_.stop_requested(); ++k) {
      ++report_.potential_states;
      if (std::isfinite(system_.potential(state(k)))) continue;
      if (report_.potential_missing++ == 0) report_.missing_state = k;
    }
  }

  void derivatives() {
    const auto* variable = std::get_if<VariableInertia>(&system_.inertia());
    if (variable) report_.inertia_rate.emplace(), report_.inertia_slopes.emplace();
    if (system_.has_external_force()) report_.force_slope.emplace();
    if (has_gyroscopic(system_)) report_.gyroscopic.emplace();
    const int states = fewer(n_, 100, 32, 2), of_inertia = fewer(n_, 100, 16, 3);
    for (int k = 0; k <= states && !stop_.stop_requested(); ++k) {
      const Columns q = state(k), d = random_tangents(q, static_cast<std::uint64_t>(k));
      if (!std::isfinite(system_.potential(q))) continue;
      if (report_.force_tolerance == 0) {
        Columns g(3, n_);
        system_.gradient(q, g);
        if (all_finite(g, k, report_.gradient)) {
          compare_gradient(k, q, d, g);
          compare_hessian(k, q, d, g);
        }
      }
      if (report_.force_slope) compare_force(k, q, d);
      if (report_.gyroscopic) compare_gyroscopic(k, *system_.gyroscopic(), q, d);
      if (variable && k <= of_inertia) compare_inertia(k, *variable->field, q, d);
    }
  }

  /// If not, the derivative is as wrong as can be.
  static bool all_finite(const Columns& derivative, int k, DerivativeCheck& check) {
    for (Eigen::Index i = 0; i < derivative.cols(); ++i) {
      if (derivative.col(i).allFinite()) continue;
      if (check.error < infinity) check = {infinity, check.states, k, static_cast<int>(i)};
      return false;
    }
    return true;
  }

  /// Whether this is the largest error so far.
  static bool worse(const Deviation& deviation, int k, DerivativeCheck& check) {
    if (deviation.difference.size() == 0) return false;  // beside a singularity
    ++check.states;
    if (deviation.relative <= check.error) return false;
    check.error = deviation.relative;
    check.state = k;
    return true;
  }

  static int largest(const Columns& deviation) {
    Eigen::Index body = 0;
    deviation.colwise().norm().maxCoeff(&body);
    return static_cast<int>(body);
  }

  void compare_gradient(int k, const Columns& q, const Columns& d, const Columns& g) {
    const Function potential = [this](const Columns& at) {
      return Numbers::Constant(1, system_.potential(at));
    };
    const auto deviation = [&](const Columns& along) {
      return compare(potential, q, along, Numbers::Constant(1, g.cwiseProduct(along).sum()),
                     crossed(q, g).norm(), std::identity());
    };
    DerivativeCheck& check = report_.gradient;
    if (!worse(deviation(d), k, check) || check.right()) return;
    // The body is in the half of the bodies that has the larger part of the deviation.
    Eigen::Index first = 0, count = n_;
    const auto size = [&](Eigen::Index from, Eigen::Index bodies) {
      Columns along = Columns::Zero(3, n_);
      along.middleCols(from, bodies) = d.middleCols(from, bodies);
      const Deviation found = deviation(along);
      return found.difference.size() == 0 ? infinity : found.difference.norm();
    };
    while (count > 1) {
      const Eigen::Index half = count / 2;
      if (size(first, half) < size(first + half, count - half)) {
        first += half;
        count -= half;
      } else {
        count = half;
      }
    }
    check.body = static_cast<int>(first);
  }

  void compare_hessian(int k, const Columns& q, const Columns& d, const Columns& g) {
    Columns h(3, n_);
    system_.hessian_times(q, d, h);
    DerivativeCheck& check = report_.hessian;
    if (!all_finite(h, k, check)) return;
    const Function gradient = [this](const Columns& at) {
      Columns out(3, n_);
      system_.gradient(at, out);
      return numbers(out);
    };
    // Parts along q_i have no effect.
    const auto across = [&q](const Numbers& x) { return numbers(crossed(q, columns(x))); };
    const Deviation found =
        compare(gradient, q, d, numbers(h), crossed(q, g).norm() + crossed(q, h).norm(), across);
    if (worse(found, k, check)) check.body = largest(columns(found.difference));
  }

  /// The change of a vector of each body along d.
  void compare_along(int k, const Function& vectors, const Columns& q, const Columns& d,
                     const Columns& change, DerivativeCheck& check) {
    const Numbers here = vectors(q);
    if (!here.allFinite() || !all_finite(change, k, check)) return;
    const Deviation found =
        compare(vectors, q, d, numbers(change), here.norm() + change.norm(), std::identity());
    if (worse(found, k, check)) check.body = largest(columns(found.difference));
  }

  void compare_force(int k, const Columns& q, const Columns& d) {
    const double t = time(k);
    const Function force = [&](const Columns& at) {
      Columns out(3, n_);
      system_.force(t, at, out);
      return numbers(out);
    };
    Columns slope(3, n_);
    system_.force_slope(t, q, d, slope);
    compare_along(k, force, q, d, slope, *report_.force_slope);
  }

  void compare_gyroscopic(int k, const GyroscopicField& field, const Columns& q, const Columns& d) {
    const Function a = [&](const Columns& at) {
      Columns out(3, n_);
      field.evaluate(at, out);
      return numbers(out);
    };
    Columns change(3, n_);
    field.derivative_along(q, d, change);
    compare_along(k, a, q, d, change, *report_.gyroscopic);
  }

  void compare_inertia(int k, const InertiaField& field, const Columns& q, const Columns& d) {
    const auto m = [&](const Columns& at) {
      Eigen::MatrixXd out(n_, n_);
      field.evaluate(at, out);
      return out;
    };
    Eigen::MatrixXd rate(n_, n_);
    field.derivative_along(q, d, rate);
    const double size = m(q).norm() + rate.norm();
    const Deviation of_rate = compare([&](const Columns& at) { return numbers(m(at)); }, q, d,
                                      numbers(rate), size, std::identity());
    if (worse(of_rate, k, *report_.inertia_rate)) {
      Eigen::Index row = 0, column = 0;
      of_rate.difference.reshaped(n_, n_).cwiseAbs().maxCoeff(&row, &column);
      report_.inertia_rate->body = static_cast<int>(row);
    }
    // A = u uᵀ with some u; slopes are the derivative of Σ A_jl m_jl.
    const Numbers u = random_tangents(q, static_cast<std::uint64_t>(k) + 1000).row(0).transpose();
    const Eigen::MatrixXd a = u * u.transpose();
    const auto slopes = [&](const Columns& at) {
      Columns out = Columns::Zero(3, n_);
      field.slopes(at, a, out);
      return out;
    };
    const Columns r = slopes(q);
    Columns change = Columns::Zero(3, n_);
    field.slopes_along(q, a, d, change);
    const Deviation of_value = compare(
        [&](const Columns& at) { return Numbers::Constant(1, a.cwiseProduct(m(at)).sum()); }, q, d,
        Numbers::Constant(1, r.cwiseProduct(d).sum()), a.norm() * size, std::identity());
    DerivativeCheck& check = *report_.inertia_slopes;
    if (worse(of_value, k, check)) check.body = largest(r);
    const Deviation of_change =
        compare([&](const Columns& at) { return numbers(slopes(at)); }, q, d, numbers(change),
                a.norm() * size + change.norm(), std::identity());
    --check.states;  // the same state
    if (worse(of_change, k, check)) check.body = largest(columns(of_change.difference));
  }

  void inertia() {
    if (first_order(system_)) return;
    if (!std::holds_alternative<VariableInertia>(system_.inertia())) {
      look_at_inertia(0, start_.q);
      return;
    }
    report_.inertia_states = fewer(n_, 1000, 16, 3);
    for (int k = 0; k <= report_.inertia_states && !stop_.stop_requested(); ++k)
      look_at_inertia(k, state(k));
  }

  void look_at_inertia(int k, const Columns& q) {
    const Inertia& inertia = system_.inertia();
    const bool variable = report_.inertia_states > 0;
    double smallest = std::nan("");
    bool definite = false;
    if (const auto* diagonal = std::get_if<DiagonalInertia>(&inertia)) {
      smallest = diagonal->m.minCoeff();
      definite = smallest > 0 && positive_definite(inertia, q);
    } else if (n_ <= SystemReport::max_eigenvalues) {
      const Eigen::MatrixXd m = dense(inertia, q);
      definite = m.allFinite();
      if (definite) {
        smallest = symmetric_eigenvalues(m).minCoeff();
        definite = smallest > 0;
      }
    } else {
      definite = positive_definite(inertia, q);
    }
    const bool first = k == 0, lost = report_.positive_definite && !definite;
    if (!first && !lost && !(smallest < report_.smallest_inertia)) return;
    report_.smallest_inertia = smallest;
    report_.positive_definite = report_.positive_definite && definite;
    report_.inertia_state = k;
    if (variable) report_.inertia_at = q;
  }

  /// An external force does work if it is not along its q_i somewhere. One of t may at any time.
  void forces() {
    report_.forced = report_.time_dependent;
    if (!system_.has_external_force()) return;
    Columns f(3, n_);
    for (int k = 0; k <= 10 && !report_.forced; ++k) {
      const Columns q = state(k);
      system_.force(time(k), q, f);
      report_.forced = !(crossed(q, f).norm() <= 1e-12 * f.norm());
    }
  }

  SystemReport::Method timed(const LaneSpec& lane) const {
    constexpr std::chrono::duration<double> enough(5e-3);
    const int count = fewer(n_, 64, 32, 2);
    SystemReport::Method method{lane.name, find_integrator(lane.type), lane.step};
    method.resolving = resolving_step(*method.info, report_.scales);
    if (const HeatBath* bath = system_.heat_bath())
      method.noise_turn = noise_turn(system_, *bath, lane.step);
    method.coarse =
        coarse_steps(*method.info, lane.values, lane.step, system_, start_, report_.scales);
    const auto integrator = method.info->create(lane.values);
    std::chrono::duration<double> all{};
    double shortest = infinity;
    // The same steps again and again: the first ones, which may take memory, are not timed.
    for (int pass = 0; (pass < 2 || all < enough) && !stop_.stop_requested(); ++pass) {
      State state = start_;
      integrator->prepare(system_, state);
      const auto before = std::chrono::steady_clock::now();
      for (int k = 1; k <= count; ++k) {
        const StepReport done = integrator->advance(system_, lane.step, state);
        if (!done.ok()) {
          method.status = done.status;
          method.failed = k;
          return method;
        }
        method.sweeps = std::max(method.sweeps, done.sweeps);
        state.t = start_.t + k * lane.step;
      }
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - before;
      all += spent;
      if (pass > 0) shortest = std::min(shortest, spent.count());
    }
    method.seconds = shortest / count;
    return method;
  }

  const System& system_;
  const State& start_;
  const int n_;
  const std::stop_token& stop_;
  SystemReport report_;
};

}  // namespace

double SystemReport::stable_step() const {
  const bool known = strength.size() == 0 && frame_rotation.isZero(0) && !gyroscopic;
  return known ? 2 / scales.oscillation : infinity;
}

std::optional<SystemReport> system_report(const System& system, const State& start,
                                          const std::vector<LaneSpec>& lanes,
                                          const std::stop_token& stop) {
  return Examination(system, start, stop).report(lanes);
}

Result<std::optional<SystemReport>> system_report(const Scenario& scenario,
                                                  const std::stop_token& stop) {
  const auto system = create_system(scenario);
  if (!system) return system.error();
  State start = start_state(scenario, **system, scenario.q, scenario.omega);
  start.t = RunClock(scenario).time();
  return system_report(**system, start, scenario, stop);
}

std::optional<SystemReport> system_report(const System& system, const State& start,
                                          const Scenario& scenario, const std::stop_token& stop) {
  auto report = system_report(system, start, scenario.lanes, stop);
  const auto wrong_at_start = [](const DerivativeCheck& check) {
    return !check.right() && check.state == 0;
  };
  if (report && scenario.definition &&
      (wrong_at_start(report->gradient) || wrong_at_start(report->hessian)))
    report->vanishing_norm = scenario.definition->vanishing_norm(start, scenario.parameters);
  return report;
}

}  // namespace twosphere
