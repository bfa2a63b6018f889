// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/mouse_pull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "core/base/decompositions.h"
#include "core/mechanics/first_order.h"

namespace twosphere {

namespace {

/// a M⁻¹ aᵀ [1/kg].
double mobility(const Inertia& inertia, const Columns& q, const Eigen::VectorXd& a, int body) {
  // The structure of M gives it without a factorisation of M.
  const auto* chain = std::get_if<ChainInertia>(&inertia);
  if (chain && !chain->has_free_base()) return 1 / chain->mass[body];
  if (const auto* diagonal = std::get_if<DiagonalInertia>(&inertia))
    return (a.array().square() / diagonal->m.array()).sum();
  return a.dot(solve_semidefinite(dense(inertia, q), a));
}

/// max_j |a_j| (M⁻¹)_jj [1/(kg m)] over the links that carry the body.
double lightness(const Inertia& inertia, const Columns& q, const Eigen::VectorXd& a) {
  const Eigen::VectorXd lever = a.cwiseAbs();
  if (const auto* chain = std::get_if<ChainInertia>(&inertia))
    return lever.cwiseProduct(chain->inverse_diagonal).maxCoeff();
  if (const auto* diagonal = std::get_if<DiagonalInertia>(&inertia))
    return lever.cwiseQuotient(diagonal->m).maxCoeff();
  CholeskyFactors factors(a.size());
  if (!factors.compute(dense(inertia, q))) return 0;
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(a.size(), a.size());
  factors.solve_in_place(inverse);
  return lever.cwiseProduct(inverse.diagonal()).maxCoeff();
}

/// The rate of PullSpring::rate().
double swing_rate(const System& system, const Columns& q, const Eigen::VectorXd& levers) {
  const Eigen::Index n = q.cols();
  std::array<Columns, 3> turns;  // the velocities of q about each axis
  Columns g(3, n), h(3, n);
  system.gradient(q, g);
  Mat3 curvature = Mat3::Zero();
  for (Eigen::Index j = 0; j < n; ++j) {
    if (levers[j] == 0) continue;
    const Mat3 product = g.col(j) * q.col(j).transpose();
    curvature += (product + product.transpose()) / 2 - product.trace() * Mat3::Identity();
  }
  for (int axis = 0; axis < 3; ++axis) {
    Columns& turn = turns[static_cast<std::size_t>(axis)];
    turn = Columns::Zero(3, n);
    for (Eigen::Index j = 0; j < n; ++j)
      if (levers[j] != 0) turn.col(j) = Vec3::Unit(axis).cross(Vec3(q.col(j)));
  }
  Vec3 slope;
  double inertia = 0;
  // Where forces have a tolerance, products with the Hessian take far longer than steps.
  const bool bends = system.force_tolerance() == 0;
  for (int b = 0; b < 3; ++b) {
    const Columns& turn = turns[static_cast<std::size_t>(b)];
    slope[b] = turn.cwiseProduct(g).sum();
    inertia += kinetic_energy(system.inertia(), q, turn);
    if (!bends) continue;
    system.hessian_times(q, turn, h);
    for (int a = 0; a < 3; ++a)
      curvature(a, b) += turns[static_cast<std::size_t>(a)].cwiseProduct(h).sum();
  }
  const double bend = bends ? curvature.norm() / std::numbers::sqrt2 : 0;
  return std::sqrt(std::hypot(slope.norm(), bend) / inertia);
}

/// The frequency of the spring, relative to the rate at which what it holds swings: as a rule, and
/// what it needs to hold that against its forces.
constexpr double spring_ratio = 4, holding_ratio = 2;
/// In real time [rad/s]: where that rate is 0, and the least and the most.
constexpr double spring_frequency = 12, min_frequency = 0.3,
                 max_frequency = 2 * std::numbers::pi / 0.4;
/// The longest pull in real time [s]; so many of a stiff spring may follow one another in it.
constexpr double pull_interval = 1.0 / 60, pulls_in_interval = 8;
constexpr std::int64_t longest_pull = 1 << 20;

/// The frequency of the spring [rad/s] for a body that swings at a rate. `pace`: 0 if unknown.
double wanted_frequency(double rate, double pace) {
  if (pace <= 0) return rate > 0 ? spring_ratio * rate : std::numeric_limits<double>::infinity();
  if (rate == 0) return spring_frequency / pace;
  const double max_rate = std::max(max_frequency / pace, holding_ratio * rate);
  return std::min(std::max(spring_ratio * rate, min_frequency / pace), max_rate);
}

}  // namespace

PullSpring::PullSpring(const System& system, const Columns& q, int body) : levers_(system.size()) {
  for (int j = 0; j < system.size(); ++j) levers_[j] = system.lever(body, j);
  Geometry geometry;
  system.geometry(q, geometry);
  offset_ = geometry.bodies[static_cast<std::size_t>(body)].position - q * levers_;
  shortest_ = std::abs(levers_[body]);
  for (const double a : levers_)
    if (a != 0) shortest_ = std::min(shortest_, std::abs(a));
  if (first_order(system)) {
    strength_ = 1 / (levers_.array().square() / first_order_weights(system).array()).sum();
    Columns w;
    first_order_velocity(system, 0, q, w);
    if (const double turn = w.col(body).norm(); std::isfinite(turn)) rate_ = turn;
    return;
  }
  double moved = mobility(system.inertia(), q, levers_, body);
  if (const FreeBase* base = system.free_base()) moved += 1 / base->mass;
  mass_ = 1 / moved;
  tension_limit_ = max_turn / lightness(system.inertia(), q, levers_);
  const double rate = swing_rate(system, q, levers_);
  if (std::isfinite(rate)) rate_ = rate;
}

Vec3 PullSpring::point(const State& state) const {
  const Vec3 about = offset_ + state.q * levers_;
  return state.flies() ? Vec3(about + state.x) : about;
}

Vec3 PullSpring::velocity(const State& state) const {
  Vec3 v = Vec3::Zero();
  if (state.flies()) v = state.v;
  for (Eigen::Index j = 0; j < levers_.size(); ++j)
    if (levers_[j] != 0) v += levers_[j] * state.w.col(j).cross(Vec3(state.q.col(j)));
  return v;
}

Vec3 PullSpring::force(const State& state, const Vec3& target, const Spring& spring) const {
  const double frequency = spring.frequency;
  Vec3 stretch = target - point(state);
  double fastest = max_turn * shortest_ / spring.step;
  if (strength_ == 0)
    fastest = std::min(fastest, std::sqrt(tension_limit_ * shortest_ / mass_) / spring.step);
  const double longest = fastest / frequency;
  if (const double length = stretch.norm(); length > longest) stretch *= longest / length;
  if (strength_ > 0) return strength_ * frequency * stretch;
  const Vec3 v = (spring.reversed ? -1 : 1) * velocity(state);
  const Vec3 force = mass_ * frequency * (frequency * stretch - 2 * v);
  const double strongest = tension_limit_ / (spring.step * spring.step);
  const double strength = force.norm();
  return strength > strongest ? Vec3(force * (strongest / strength)) : force;
}

/// The sum of the forces on the pulled body that last beyond a step, and the step up to which this
/// sum is constant. A pull that a pull by hand from the present step would replace is left out.
std::pair<Vec3, std::int64_t> MousePulls::pulled_beyond(const Simulation& run,
                                                        std::int64_t step) const {
  const auto& pulls = run.pulls();
  std::pair<Vec3, std::int64_t> found{Vec3::Zero(), std::numeric_limits<std::int64_t>::max()};
  for (std::size_t k = 0; k < pulls.size(); ++k) {
    const bool replaced = k + 1 == pulls.size() && since_ == run.steps();
    if (pulls[k].pull.body != pull_.body || pulls[k].end <= step || replaced) continue;
    found.first += pulls[k].pull.force;
    found.second = std::min(found.second, pulls[k].end);
  }
  return found;
}

Result<void> MousePulls::pull(Simulation& run, double pace) {
  if (run.steps() < next_) return {};
  const State& state = run.state(pull_.lane);
  // Another system has other levers and another mass.
  if (system_ != run.system()) {
    system_ = run.system();
    spring_.emplace(*system_, state.q, pull_.body);
  }
  const double h = run.grid_step(), longest = pace * pull_interval;
  double frequency = pull_.stiffness * wanted_frequency(spring_->rate(), pace);
  const double duration =
      std::clamp(PullSpring::max_phase / frequency, longest / pulls_in_interval, longest);
  const double steps = std::floor(duration / h);
  auto length = std::clamp<std::int64_t>(steps < 1e6 ? static_cast<std::int64_t>(steps) : 1'000'000,
                                         1, longest_pull);
  frequency = std::min(frequency, PullSpring::max_phase / (static_cast<double>(length) * h));
  const Vec3 force = spring_->force(state, pull_.target, {frequency, h, run.reversed()});
  // The new force replaces what still pulls the body, such as a pull of a faster pace.
  const auto [others, end] = pulled_beyond(run, run.steps());
  length = std::min(length, end - run.steps());
  next_ = run.steps() + length;
  if (!force.allFinite()) return {};
  since_ = run.steps();
  return run.pull({pull_.body, force - others, length});
}

Result<void> MousePulls::release(Simulation& run) const {
  const auto [force, end] = pulled_beyond(run, std::max(next_, run.steps()));
  if (force == Vec3::Zero()) return {};
  return run.pull({pull_.body, -force, end - run.steps()});
}

}  // namespace twosphere
