// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/diagnostics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/mechanics/linear_terms.h"

namespace twosphere {

std::span<const QuantityInfo, quantity_count> quantities() {
  static constexpr std::array<QuantityInfo, quantity_count> list{{
      {"time", "time", "t", "s", "Simulated time.", false},
      {"kinetic_energy", "kinetic energy", "T", "J", "T = ½ Σ Mᵢⱼ q̇ᵢ·q̇ⱼ.", false},
      {"potential_energy", "potential energy", "V", "J", "V(q).", false},
      {"total_energy", "total energy", "E", "J", "E = T + V.", false},
      {"work", "work", "W", "J", "Work of external forces, damping and live changes.", false},
      {"energy_error", "energy error", "E − E₀ − W", "J",
       "Change of the total energy that is not accounted for by work.", true},
      {"unit_length_error", "unit-length error", "||q| − 1|", "1",
       "Largest deviation of a body from the unit sphere.", true},
      {"unit_length_error_mean", "mean unit-length error", "mean |q·q − 1|", "1",
       "Mean over the bodies of |q·q − 1|, as reported in the papers.", true},
      {"tangency_error", "tangency error", "|q·ω|", "rad/s",
       "Largest component of an angular velocity along the direction of its body.", true},
      {"angular_momentum_x", "angular momentum e₁", "J₁", "J s", "First component of Σ qᵢ × pᵢ.",
       false},
      {"angular_momentum_y", "angular momentum e₂", "J₂", "J s", "Second component of Σ qᵢ × pᵢ.",
       false},
      {"angular_momentum_z", "angular momentum e₃", "J₃", "J s", "Third component of Σ qᵢ × pᵢ.",
       false},
  }};
  return list;
}

bool finite(const Sample& sample) {
  // A sum is finite only if every term is.
  constexpr std::size_t lanes = 4, whole = quantity_count - quantity_count % lanes;
  std::array<double, lanes> sums{};
  for (std::size_t i = 0; i < whole; i += lanes)
    for (std::size_t j = 0; j < lanes; ++j) sums[j] += sample.values[i + j];
  for (std::size_t i = whole; i < quantity_count; ++i) sums[i - whole] += sample.values[i];
  // A sum of finite terms may still overflow.
  if (std::isfinite((sums[0] + sums[1]) + (sums[2] + sums[3]))) return true;
  return std::all_of(sample.values.begin(), sample.values.end(),
                     [](double value) { return std::isfinite(value); });
}

Sample missing_sample(double t) {
  Sample sample;
  sample.values.fill(std::numeric_limits<double>::quiet_NaN());
  sample[Quantity::time] = t;
  return sample;
}

namespace {

/// Whether the CSV of a system has a column for it. The compiler rejects a missing enumerator.
bool in_csv(Quantity quantity, const SystemInfo& system) {
  switch (quantity) {
    case Quantity::angular_momentum_x:
      return system.momentum_columns[0];
    case Quantity::angular_momentum_y:
      return system.momentum_columns[1];
    case Quantity::angular_momentum_z:
      return system.momentum_columns[2];
    case Quantity::kinetic_energy:
    case Quantity::potential_energy:
    case Quantity::tangency_error:
      return !system.first_order;
    case Quantity::time:
    case Quantity::total_energy:
    case Quantity::work:
    case Quantity::energy_error:
    case Quantity::unit_length_error:
    case Quantity::unit_length_error_mean:
      return true;
  }
  return false;
}

}  // namespace

std::vector<Quantity> csv_quantities(const SystemInfo& system) {
  std::vector<Quantity> result;
  for (std::size_t i = 0; i < quantity_count; ++i)
    if (const auto quantity = static_cast<Quantity>(i); in_csv(quantity, system))
      result.push_back(quantity);
  return result;
}

namespace {

void velocities(const State& state, Columns& v) {
  v.resize(3, state.q.cols());
  // q̇_i = ω_i × q_i
  for (Eigen::Index i = 0; i < v.cols(); ++i) v.col(i) = state.w.col(i).cross(state.q.col(i));
}
Columns velocities(const State& state) {
  Columns v;
  velocities(state, v);
  return v;
}

/// T at these velocities, with that of the centre of mass of a base that flies.
double kinetic_energy_at(const System& system, const State& state, const Columns& v) {
  const double bodies = kinetic_energy(system.inertia(), state.q, v);
  return state.flies() ? bodies + system.free_base()->kinetic_energy(state.v) : bodies;
}

/// P_i = Σ_j M_ij (q̇_j + Ω × q_j), the kinetic momenta.
void products(const System& system, const State& state, const Columns& v, Columns& p) {
  p.resize(3, v.cols());
  const Vec3 turn = system.frame_rotation();
  if (turn.isZero(0)) {
    multiply(system.inertia(), state.q, v, p);
    return;
  }
  // Memory kept for the next call on this thread.
  thread_local Columns inertial;
  inertial = v;
  add_frame_velocity(turn, state.q, inertial);
  multiply(system.inertia(), state.q, inertial, p);
}

/// P_i += A_i
void add_gyroscopic(const System& system, const Columns& q, Columns& p) {
  const GyroscopicField* field = system.gyroscopic();
  if (!field) return;
  // Memory kept for the next call on this thread.
  thread_local Columns a;
  a.resize(3, q.cols());
  field->evaluate(q, a);
  p += a;
}

Vec3 momentum_map(const System& system, const State& state, const Columns& v, Columns& p) {
  products(system, state, v, p);
  add_gyroscopic(system, state.q, p);
  Vec3 sum = Vec3::Zero();
  // J = Σ q_i × (P_i + A_i) + κ_i q_i
  for (Eigen::Index i = 0; i < v.cols(); ++i) sum += state.q.col(i).cross(p.col(i));
  const Eigen::VectorXd& kappa = system.strength();
  for (Eigen::Index i = 0; i < kappa.size(); ++i) sum += kappa[i] * state.q.col(i);
  return sum;
}

}  // namespace

double kinetic_energy(const System& system, const State& state) {
  return kinetic_energy_at(system, state, velocities(state));
}

double potential_energy(const System& system, const State& state) {
  const double bodies = effective_potential(system, state.q);
  return state.flies() ? bodies + system.free_base()->potential(state.x) : bodies;
}

double total_energy(const System& system, const State& state) {
  return kinetic_energy(system, state) + potential_energy(system, state);
}

Vec3 momentum_map(const System& system, const State& state) {
  Columns momentum;
  return momentum_map(system, state, velocities(state), momentum);
}

double without_rounding(double sum, double size) {
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  return std::abs(sum) <= rounding * size ? 0 : sum;
}

void momenta(const System& system, const State& state, Columns& mu) {
  products(system, state, velocities(state), mu);
  for (Eigen::Index i = 0; i < mu.cols(); ++i) mu.col(i) = tangent(state.q.col(i), mu.col(i));
}

void angular_momenta(const System& system, const State& state, Columns& pi) {
  if (first_order(system)) {
    pi = state.q * system.strength().asDiagonal();
    return;
  }
  products(system, state, velocities(state), pi);
  add_gyroscopic(system, state.q, pi);
  for (Eigen::Index i = 0; i < pi.cols(); ++i) {
    const Vec3 p = pi.col(i);
    pi.col(i) = state.q.col(i).cross(p);
  }
  if (has_strength(system)) pi += state.q * system.strength().asDiagonal();
}

double temperature(const System& system, const State& state) {
  const std::array<bool, 3> conserved = system.conserved_momentum();
  const auto freedom = 2 * state.size() - std::count(conserved.begin(), conserved.end(), true);
  if (freedom <= 0 || first_order(system)) return std::nan("");
  return 2 * kinetic_energy(system, state) / static_cast<double>(freedom);
}

double pressure(const System& system, const State& state) {
  Columns g(3, state.q.cols());
  system.gradient(state.q, g);
  const double virial = (state.q.array() * g.array()).sum();
  return (kinetic_energy(system, state) - virial / 2) / (4 * std::numbers::pi);
}

Sample measure(const System& system, const State& state, double energy_reference, double work) {
  MeasureWorkspace workspace;
  Sample sample;
  measure(system, state, energy_reference, work, workspace, sample);
  return sample;
}

void measure(const System& system, const State& state, double energy_reference, double work,
             MeasureWorkspace& workspace, Sample& s) {
  velocities(state, workspace.velocity);
  const Columns& v = workspace.velocity;
  s[Quantity::time] = state.t;
  // Energies, and the change that is not accounted for by work.
  s[Quantity::kinetic_energy] = kinetic_energy_at(system, state, v);
  s[Quantity::potential_energy] = potential_energy(system, state);
  s[Quantity::total_energy] = s[Quantity::kinetic_energy] + s[Quantity::potential_energy];
  s[Quantity::work] = work;
  s[Quantity::energy_error] = s[Quantity::total_energy] - energy_reference - work;
  // Constraint errors | |q| − 1 |, |q·q − 1| and |q·ω|.
  double worst = 0, sum = 0, tangency = 0;
  for (Eigen::Index i = 0; i < v.cols(); ++i) {
    const Vec3 q = state.q.col(i);
    worst = std::max(worst, unit_length_error(q));
    sum += std::abs(q.dot(q) - 1);
    tangency = std::max(tangency, std::abs(q.dot(state.w.col(i))));
  }
  s[Quantity::unit_length_error] = worst;
  s[Quantity::unit_length_error_mean] = sum / static_cast<double>(v.cols());
  s[Quantity::tangency_error] = tangency;
  // Momentum map J = Σ q_i × P_i.
  const Vec3 momentum = momentum_map(system, state, v, workspace.momentum);
  s[Quantity::angular_momentum_x] = momentum.x();
  s[Quantity::angular_momentum_y] = momentum.y();
  s[Quantity::angular_momentum_z] = momentum.z();
}

double scale_to_energy(const System& system, const State& state, double energy) {
  const double kinetic = kinetic_energy(system, state),
               needed = energy - potential_energy(system, state);
  if (kinetic == 0 && needed == 0) return 1;
  const double factor = std::sqrt(needed / kinetic);
  return std::isfinite(factor) ? factor : std::nan("");
}

}  // namespace twosphere
