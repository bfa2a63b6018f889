// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/diagnostics.h"

#include <algorithm>
#include <cmath>

namespace twosphere {

std::span<const QuantityInfo, quantity_count> quantities() {
  static constexpr std::array<QuantityInfo, quantity_count> list{{
      {"time", "time", "t", "s", "Simulated time.", false},
      {"kinetic_energy", "kinetic energy", "T", "J", "T = ½ Σ Mᵢⱼ q̇ᵢ·q̇ⱼ.", false},
      {"potential_energy", "potential energy", "V", "J", "V(q).", false},
      {"total_energy", "total energy", "E", "J", "E = T + V.", false},
      {"work", "work", "W", "J", "Work of external forces and of changes made while running.",
       false},
      {"energy_error", "energy error", "E − E₀ − W", "J",
       "Change of the total energy that no work explains.", true},
      {"unit_length_error", "unit-length error", "||q| − 1|", "1",
       "How far the worst body is off the unit sphere.", true},
      {"unit_length_error_mean", "mean unit-length error", "mean |q·q − 1|", "1",
       "Mean over the bodies of |q·q − 1|, the papers' number.", true},
      {"tangency_error", "tangency error", "|q·ω|", "rad/s",
       "Largest component of an angular velocity along its body's direction.", true},
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
  return std::all_of(sample.values.begin(), sample.values.end(),
                     [](double value) { return std::isfinite(value); });
}

namespace {

/// Whether a system's CSV has a column of it. The compiler refuses an enumerator that is missing.
bool in_csv(Quantity quantity, const SystemInfo& system) {
  switch (quantity) {
    case Quantity::angular_momentum_x:
      return system.momentum_columns[0];
    case Quantity::angular_momentum_y:
      return system.momentum_columns[1];
    case Quantity::angular_momentum_z:
      return system.momentum_columns[2];
    case Quantity::time:
    case Quantity::kinetic_energy:
    case Quantity::potential_energy:
    case Quantity::total_energy:
    case Quantity::work:
    case Quantity::energy_error:
    case Quantity::unit_length_error:
    case Quantity::unit_length_error_mean:
    case Quantity::tangency_error:
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

Columns velocities(const State& state) {
  Columns v(3, state.q.cols());
  for (Eigen::Index i = 0; i < v.cols(); ++i) v.col(i) = state.w.col(i).cross(state.q.col(i));
  return v;
}

Vec3 momentum_map(const System& system, const State& state, const Columns& v) {
  Columns p(3, v.cols());
  multiply(system.inertia(), state.q, v, p);
  Vec3 sum = Vec3::Zero();
  for (Eigen::Index i = 0; i < v.cols(); ++i) sum += state.q.col(i).cross(p.col(i));
  return sum;
}

}  // namespace

double kinetic_energy(const System& system, const State& state) {
  return kinetic_energy(system.inertia(), state.q, velocities(state));
}

double total_energy(const System& system, const State& state) {
  return kinetic_energy(system, state) + system.potential(state.q);
}

Vec3 momentum_map(const System& system, const State& state) {
  return momentum_map(system, state, velocities(state));
}

Sample measure(const System& system, const State& state, double energy_reference, double work) {
  const Columns v = velocities(state);
  Sample s;
  s[Quantity::time] = state.t;
  s[Quantity::kinetic_energy] = kinetic_energy(system.inertia(), state.q, v);
  s[Quantity::potential_energy] = system.potential(state.q);
  s[Quantity::total_energy] = s[Quantity::kinetic_energy] + s[Quantity::potential_energy];
  s[Quantity::work] = work;
  s[Quantity::energy_error] = s[Quantity::total_energy] - energy_reference - work;
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
  const Vec3 momentum = momentum_map(system, state, v);
  s[Quantity::angular_momentum_x] = momentum.x();
  s[Quantity::angular_momentum_y] = momentum.y();
  s[Quantity::angular_momentum_z] = momentum.z();
  return s;
}

}  // namespace twosphere
