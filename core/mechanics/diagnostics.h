// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// The scalar quantities of a sample, in the order of the CSV columns.
enum class Quantity {
  time,
  kinetic_energy,
  potential_energy,
  total_energy,
  work,
  energy_error,
  unit_length_error,
  unit_length_error_mean,
  tangency_error,
  angular_momentum_x,
  angular_momentum_y,
  angular_momentum_z,
};
inline constexpr std::size_t quantity_count =
    static_cast<std::size_t>(Quantity::angular_momentum_z) + 1;

struct QuantityInfo {
  std::string_view key;     ///< "energy_error": column name, without the unit
  std::string_view label;   ///< "energy error"
  std::string_view symbol;  ///< "E − E₀ − W"
  std::string_view unit;    ///< "J"
  std::string_view help;
  bool error = false;  ///< an error: plotted as |value| on a log axis
};
std::span<const QuantityInfo, quantity_count> quantities();
inline const QuantityInfo& info(Quantity q) { return quantities()[static_cast<std::size_t>(q)]; }

/// One sample: the value of every quantity at one time.
struct Sample {
  std::array<double, quantity_count> values{};

  double& operator[](Quantity q) { return values[static_cast<std::size_t>(q)]; }
  double operator[](Quantity q) const { return values[static_cast<std::size_t>(q)]; }
  template <class Fields>
  void transfer(Fields& fields) {
    fields.bytes(values.data(), sizeof values);
  }
};

/// Whether every quantity is a finite number.
bool finite(const Sample& sample);
/// The sample of a lane that has not begun yet at this time: every other quantity is
/// NaN.
Sample missing_sample(double t);

/// The quantities in the CSV of a system, in order.
std::vector<Quantity> csv_quantities(const SystemInfo& info);

/// T = ½ Σ M_ij q̇_i·q̇_j [J] with q̇_i = ω_i × q_i; the stored q and ω are not normalised. Of a base
/// that flies also ½ m_t |Ẋ|².
double kinetic_energy(const System& system, const State& state);
/// V [J], with V_eff for V where the frame rotates (effective_potential()), and with −m_t g·X of a
/// base that flies.
double potential_energy(const System& system, const State& state);
/// E = T + V [J], with V of potential_energy().
double total_energy(const System& system, const State& state);
/// J = Σ_i q_i × [Σ_j M_ij (q̇_j + Ω × q_j) + A_i] + κ_i q_i [J s].
Vec3 momentum_map(const System& system, const State& state);
/// A sum whose terms have this size together; 0 where it is their rounding, at most 16 ε of that.
double without_rounding(double sum, double size);

/// μ_i = Π_i P_i of every body, P_i = Σ_j M_ij (q̇_j + Ω × q_j) [J s]: the momenta of [P2]
/// (22)-(26); 0 for systems of first order. Cost: one product with M.
void momenta(const System& system, const State& state, Columns& mu);
/// π_i = q_i × (P_i + A_i) + κ_i q_i [J s]: the angular momenta of [P2] (30)-(36), whose sum is J.
/// Cost as that of momenta().
void angular_momenta(const System& system, const State& state, Columns& pi);

/// 2T/(2n − k) [J], with k components of J conserved: the temperature of n bodies on spheres, with
/// k_B = 1. NaN if no degree of freedom is left, and for systems of first order.
double temperature(const System& system, const State& state);
/// (T − ½ Σ q_i·∂V/∂q_i)/(4π) [N/m]: the pressure of bodies on the unit sphere, the mean of −∂E/∂A
/// as its area A grows with all chords r, by the virial Σ_{i<j} r u'(r) = Σ q_i·∂V/∂q_i of a
/// potential of chords whose gradient() has its radial part. Cost: one gradient.
double pressure(const System& system, const State& state);

/// Computes every quantity of a state whose ω is up to date. `energy_reference` is E_0 and `work`
/// is W [J]; energy_error is E − E_0 − W.
Sample measure(const System& system, const State& state, double energy_reference, double work);
/// Scratch memory of measure(), so that repeated calls allocate only once.
struct MeasureWorkspace {
  Columns velocity, momentum;
};
void measure(const System& system, const State& state, double energy_reference, double work,
             MeasureWorkspace& workspace, Sample& sample);

/// A sum by Neumaier's compensated summation; both members belong to the saved state.
struct CompensatedSum {
  double sum = 0, compensation = 0;

  void add(double x) {
    const double next = sum + x;
    compensation += std::abs(sum) >= std::abs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
  }
  double value() const { return sum + compensation; }
  /// All members, to be written or read (core/base/fields.h).
  template <class Fields>
  void transfer(Fields& fields) {
    fields(sum, compensation);
  }
};

/// The factor s ≥ 0 of all ω, and of Ẋ of a base that flies, that gives a state the energy E: s² T
/// + V = E, s = √((E − V)/T). NaN if E < V, or if T = 0 and E ≠ V.
double scale_to_energy(const System& system, const State& state, double energy);

}  // namespace twosphere
