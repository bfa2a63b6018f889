// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanics/integrator.h"
#include "core/mechanics/phase_tangent.h"

namespace twosphere {

/// Lyapunov exponents, MEGNO and FLI of an orbit, from tangent vectors that the tangent map of the
/// method carries along its steps.
///
/// Notation: δ_k the vectors, k = 1 … m ≤ 4n; m_i = M_ii and
///
///   ω₀² = Σ_i (m_i |ω_i|² + |q_i × g_i|) / Σ_i m_i
///
/// of the state at which they begin, ω₀ = 1/s at rest in an equilibrium; T the time since then, h
/// the steps. The vectors begin orthonormal in fixed directions, with δ_{4n+1−k} = J δ_k, and are
/// made so again every `interval` steps in the norm
///
///   |δ|² = Σ_i (m_i ω₀ |δq_i|² + |D p_i|²/(m_i ω₀)),  D p_i = Π_i δp_i
///
/// which together with the symplectic form Σ_i (δq_i ∧ D p_i) defines J, J² = −1. With R_kk the
/// lengths that remain of them
///
///   λ_k = (1/T) Σ ln R_kk                    Benettin, Galgani, Giorgilli, Strelcyn 1980
///
/// For a symplectic map λ_k + λ_{4n+1−k} = 0 to rounding at any T, and two exponents tend to zero
/// for each conserved quantity. With ‖δ‖² = Σ_i m_i (ω₀² |δq_i|² + |δω_i|²)
///
///   Y(t) = (2/t) Σ t_j ln(‖δ_1(t_j)‖/‖δ_1(t_j − h)‖),  MEGNO = (1/T) Σ h Y(t_j)
///                                                                 Cincotta, Simó 2000
///   FLI = max_t ln(‖δ_1(t)‖/‖δ_1(0)‖)                       Froeschlé, Lega, Gonczi 1997
///
/// In systems of first order, whose phase space has 2n dimensions, the vectors are δq alone, k = 1
/// … m ≤ 2n, with m_i = |κ_i| (with damping (κ_i² + c_i²)^½), δω = D p = 0, J δ_i = sgn κ_i q_i ×
/// δq_i and ω₀ = Σ_i |q_i × g_i|/Σ_i m_i; 2n stands for 4n above.
///
/// For large T the MEGNO is 2 for quasi-periodic motion and λ_1 T/2 for chaotic motion. Works on
/// any orbit in either direction of time; sums continue when the step changes. Cost per step and
/// vector: see StepTangent; every `interval` steps O(m² n).
class Exponents {
 public:
  static constexpr int interval = 10;

  /// `count`: m, from 1 to max_count().
  Exponents(const System& system, const State& state, int count);
  static int max_count(int bodies, bool first_order) { return (first_order ? 2 : 4) * bodies; }
  static int max_count(const System& system) {
    return max_count(system.size(), twosphere::first_order(system));
  }
  /// As many as are followed where none are asked for: all of up to five bodies, 4 of more.
  static int default_count(const System& system) {
    return system.size() <= 5 ? max_count(system) : 4;
  }

  /// Takes a step of the method, as Integrator::advance() does, bit for bit, with the vectors.
  /// Where the method has no tangent map, after a change of method or system, or a vector
  /// overflows, the step is taken alone, and lost() from then on.
  StepReport advance(const System& system, Integrator& method, double h, State& state);
  /// How many orbits with one vector each advance together, as Integrator::width(); 1: only one.
  std::size_t width(const System& system, Integrator& method) const;
  struct Member {
    Exponents* exponents;
    Integrator* method;
    State* state;
  };
  /// Like Integrator::advance_together() for up to width() orbits, each with its vector as by
  /// advance(), bit for bit.
  static std::int64_t advance_together(const System& system, double h, std::int64_t count,
                                       std::span<const Member> members);
  /// Makes the vectors tangent again at a state that was edited.
  void project(const System& system, const State& state);

  int count() const { return static_cast<int>(growth_.size()); }
  bool lost() const { return vectors_.empty(); }
  double elapsed() const { return elapsed_; }  ///< T [s]

  struct Exponent {
    double value = 0;  ///< λ_k [1/s]
    /// Half the range of λ_k(t) over T/2 ≤ t ≤ T, plus ln(1 + ω₀T)/T, which is λ_k of a vector that
    /// grows by shear alone: below it an exponent is not told from zero [1/s]. About the standard
    /// deviation over chaotic orbits that differ in rounding: of 12 orbits of Example 1 λ_1 is
    /// 0.089 ± 0.010 over 2000 s with a mean error of 0.010, and 0.083 ± 0.003 over 20 000 s with
    /// 0.003.
    double error = 0;
  };
  /// λ_1 … λ_m at the present state of the orbit; NaN before the first step and if lost. λ_k is the
  /// same whatever m; before the means have settled a later one may be larger.
  std::vector<Exponent> spectrum(const System& system, const State& state) const;
  /// The same without the errors, at less cost.
  std::vector<double> values(const System& system, const State& state) const;
  double megno() const;  ///< NaN as in spectrum()
  double fli() const;    ///< NaN as in spectrum()

  /// Appends what continues them bit for bit to the variables of a lane.
  void save(IntegratorState& memory) const;
  /// Whether a variable of a lane is one of theirs.
  static bool is_entry(std::string_view name) { return name.starts_with("tangent_"); }
  /// Reads them from among the variables of a lane; none if there are none of them, or if they are
  /// not of this number of bodies.
  static std::optional<Exponents> load(const IntegratorState& memory, int bodies);

 private:
  /// A vector with D p.
  struct Carried {
    TangentVector v;
    Columns p;
  };

  Exponents() = default;
  double product(const Carried& a, const Carried& b) const;
  /// ln ‖δ_1‖
  double length() const;
  /// Adds a step that the vectors have followed to this state; `now`: ln ‖δ_1‖ there.
  void add(const System& system, double h, const State& state, double now);
  /// Makes vectors at this state orthonormal; adds the logarithms of R_kk to `growth`.
  void orthonormalise(const System& system, const State& state, PhaseTangent& phase,
                      std::vector<TangentVector>& vectors, std::vector<Carried>& carried,
                      std::vector<double>& growth) const;
  void note();

  std::vector<TangentVector> vectors_;  // none if lost
  TangentNorm norm_;
  std::vector<double> growth_;  // Σ ln R_kk
  double elapsed_ = 0;
  int since_ = 0;       // steps since the vectors were orthonormal
  double length_ = 0;   // ln ‖δ_1‖ of the vector as it is now
  double grown_ = 0;    // ln(‖δ_1(t)‖/‖δ_1(0)‖)
  double moments_ = 0;  // Σ t ln(…)
  double mean_ = 0;     // Σ h Y
  double fli_ = 0;
  // T and Σ ln R_kk at times that are evenly spaced: every `stride_` times that the vectors were
  // made orthonormal, which happened `count_` times.
  std::vector<double> history_;
  std::int64_t stride_ = 1, count_ = 0;
  // Scratch.
  std::optional<PhaseTangent> phase_;
  std::vector<Carried> carried_;
};

/// How many exponents of a typical orbit are zero: two for the energy, unless it changes, and two
/// for each component of J that is conserved, of which three count as two because only |J| and one
/// of them are in involution.
int expected_zeros(const System& system);
/// Why: "energy, J₃"; empty if none is.
std::string zero_causes(const System& system);

}  // namespace twosphere
