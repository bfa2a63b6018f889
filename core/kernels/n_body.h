// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <vector>

#include "core/base/workspace_pool.h"
#include "core/kernels/aligned.h"
#include "core/mechanics/system.h"

/// The cotangent potential between all pairs.
///
/// Notation: γ strength [J], c = q_i·q_j, s² = 1 − c² [1], u = 2⁻⁵³, N = |q|² − 1.
///   V   = −γ Σ_{i<j} c/s
///   g_i = −γ Σ_{j≠i} q_j/s³
/// Bodies on the sphere, |N| ≤ 16 u for all: s² = |q_i × q_j|², and for close and nearly antipodal
/// pairs, s < 1/32, with d∓ = q_j ∓ q_i
///   s²          = |d₋|² |d₊|²/4
///   q_j − c q_i = (|d₊|² d₋ + |d₋|² d₊)/4, the tangent part of q_j, in place of q_j
/// so that the torque q_i × g_i is accurate to 1e-14 at any distance: nothing is subtracted but
/// q_j ∓ q_i, and the radial part of g_i, which is 1/s times as large and has no effect, is left
/// out. Off the sphere
///   s² = |q_i × q_j|² − N_i − N_j − N_i N_j, which is 1 − c² for any |q|
/// All depend only on q, for any number of threads. Not finite if s² ≤ 0 for a pair or if the
/// calling thread is interrupted.
namespace twosphere::n_body_kernel {

/// s² below which a pair of bodies on the sphere is close or nearly antipodal. Products of rounded
/// components have an error of 1e-16 in q_i × q_j, here at most 4e-15 of it.
inline constexpr double close = 1.0 / 1024;

/// Whether |N| ≤ 16 u for all bodies, as for rounded unit vectors.
bool on_sphere(const Columns& q);

/// 1 − c² as printed, for any |q|, of q_i and q_j with this c: (1 − |c|)(1 + |c|) with 1 − |c| = ½
/// |q_i ∓ q_j|² − ½ (N_i + N_j).
double printed_sine_squared(const Vec3& a, const Vec3& b, double c);

struct Workspace {
  const Columns* q = nullptr;
  const Columns* q_low = nullptr;   ///< of q, or null
  Aligned<double> x, y, z, excess;  ///< components of q, and N
  bool on_sphere = false;           ///< |N| ≤ 16 u for all bodies
  /// Components of the sums Σ q_j/s³ over the pairs of one stripe of rows i.
  struct Stripe {
    Aligned<double> x, y, z;
    double potential;  ///< Σ c/s
  };
  std::vector<Stripe> stripes;
  const std::atomic<bool>* stop = nullptr;  ///< the caller's Interruptible, or null
};

double potential(double gamma, const Columns& q, Pool<Workspace>& pool);
/// Of q + q_low if a q_low of rounding size is given: it is added to d∓ of close pairs on the
/// sphere.
void gradient(double gamma, const Columns& q, Columns& g, Pool<Workspace>& pool,
              const Columns* q_low = nullptr);
/// The squared rates of circular orbits of the pairs, κ = Σ_{i<j} |γ| (1/m_i + 1/m_j)/s³, and κ̇ = 3
/// Σ_{i<j} |γ| (1/m_i + 1/m_j) c ċ/s⁵ with ċ = (ω_i − ω_j)·(q_i × q_j); s = |q_i × q_j| from q_i ×
/// (q_j ∓ q_i). Scalar.
MotionRate motion_rate(double gamma, const Eigen::VectorXd& m, const Columns& q, const Columns& w);

/// Fewer bodies do not fill the vectors.
inline constexpr Eigen::Index min_vectors = 5;
/// Scalar versions; potential() and gradient() use them for fewer than min_vectors bodies.
double plain_potential(double gamma, const Columns& q);
void plain_gradient(double gamma, const Columns& q, Columns& g, const Columns* q_low = nullptr);

}  // namespace twosphere::n_body_kernel
