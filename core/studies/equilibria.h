// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/system.h"

/// The configurations in which a system stays at rest.
///
/// Without damping and with constant forces f as part of the potential, U(q) = V(q) − Σ f_i·q_i,
/// they are the critical points of U on (S²)ⁿ: q_i × ∂U/∂q_i = 0. Neither the inertia nor
/// strengths enter. In axes that rotate with Ω it is rest in these axes, and U has the centrifugal
/// potential and that of strengths, too, see V_eff in core/mechanics/linear_terms.h:
///
///   U(q) = V(q) − Σ f_i·q_i − ½ Σ M_ij (Ω × q_i)·(Ω × q_j) − Ω·Σ κ_i q_i
namespace twosphere {

/// The largest number of bodies: matrices of 2n rows are decomposed as a whole.
inline constexpr int max_equilibrium_bodies = 300;

/// A system whose potential is V − Σ f_i·q_i, without damping and without external forces, in the
/// same axes: its effective_potential() is U. Its conserved_momentum() says which rotations leave U
/// unchanged. The forces are those at (t, q). Fails with kind usage for more than
/// max_equilibrium_bodies, and for forces without a potential: those of t, of the configuration,
/// and of velocities otherwise than by damping.
Result<std::shared_ptr<const System>> system_at_rest(std::shared_ptr<const System> system, double t,
                                                     const Columns& q);

/// The same system without damping and without any external forces, of V alone.
std::shared_ptr<const System> unforced_system(std::shared_ptr<const System> system);

/// How far a configuration is from an equilibrium.
struct Balance {
  double torque = 0;  ///< (Σ_i |q_i × ∂U/∂q_i|²)^½ [J]
  /// What it is compared with [J]: Σ_i |∂U/∂q_i| and the largest eigenvalue of the Hessian.
  double scale = 0;

  /// The torques are at most this part of the scale.
  bool within(double part) const { return torque <= part * scale; }
};
/// Of a system_at_rest(); not finite where U is singular.
Balance balance(const System& rest, const Columns& q);

/// By the eigenvalues of the Hessian on the tangent space, see TangentHessian.
enum class EquilibriumKind {
  minimum,  ///< none is negative: stable
  saddle,   ///< some are
  /// All are, but for those of rotations: stable in an undamped system of first order. With
  /// strengths beside an inertia a saddle or a maximum may be stable, too.
  maximum,
  degenerate,  ///< more of them vanish than rotations explain: it is not isolated, or U is flat
};
/// "minimum", "saddle", "maximum", "degenerate".
std::string_view name(EquilibriumKind kind);

struct Equilibrium {
  Columns q;
  double potential_energy = 0;  ///< U [J]
  int index = 0;                ///< Morse index: the number of negative eigenvalues
  /// How many eigenvalues vanish: at most vanishing_eigenvalue().
  int nullity = 0;
  int rotations = 0;       ///< how many vanish because rotations that leave U unchanged move q
  double scale = 0;        ///< Balance::scale [J]
  std::size_t number = 0;  ///< in the list of find_equilibria() with all of them

  EquilibriumKind kind() const;
};
/// The size up to which eigenvalues of a Hessian vanish [J], with the largest in magnitude and
/// Balance::scale [J]: 1e-8 of the largest, or what rounding and the last torques leave of all of
/// them where U is flat.
double vanishing_eigenvalue(double largest, double scale);
/// What a configuration is, which must be an equilibrium of a system_at_rest().
Equilibrium equilibrium_at(const System& rest, const Columns& q);

/// The rotations about conserved axes through a configuration, as an orthonormal basis of tangent
/// coordinates (2n rows): up to three columns, fewer where a rotation does not move q.
Eigen::MatrixXd rotation_directions(const System& rest, const Columns& q);

/// The end of newton_equilibrium().
struct NewtonEnd {
  Columns q;
  Balance balance;
  bool converged = false;  ///< the torques are at most 1e-13 of the scale, or all but rounding
};
/// Newton's method on the spheres: with g and H the gradient and the Hessian of U in tangent
/// coordinates and the pseudoinverse of H,
///
///   ξ = −H⁺ g,  q_i → (q_i + B_i ξ_i)/|q_i + B_i ξ_i|,  B_i = tangent_basis(q_i),
///
/// a step being shortened to |ξ_i| ≤ 0.3 and halved until |g| falls. It converges to equilibria of
/// any index, quadratically near one. Where no step makes |g| smaller, as where H vanishes, it goes
/// downhill to near a minimum of U once and begins again there. At most some 400 steps, mostly ten,
/// each with 2n products with the Hessian and O(n³). Not converged where U is singular, and if this
/// thread is interrupted.
NewtonEnd newton_equilibrium(const System& rest, const Columns& start);

struct EquilibriumSearch {
  static constexpr int max_tries = 1'000'000;

  int tries = 200;         ///< random starts, each q_i uniform on its sphere
  std::uint64_t seed = 1;  ///< of their numbers
  /// Those that differ by places of EqualBodies count once.
  bool merge_equal = false;
};

struct Equilibria {
  /// In the order of U, index, q. Equilibria that differ by a rotation about conserved axes count
  /// once; of degenerate ones there is one of each U, index and nullity.
  std::vector<Equilibrium> list;
  std::size_t starts = 0, converged = 0;
  /// The least torque relative to its scale among the ends that did not converge; infinite if all
  /// did, or ended where the potential has no finite derivatives.
  double min_rest = 0;
  bool complete = true;  ///< false if proceed() has ended the search
};

/// Is told the numbers of starts done and of all; false ends a search.
using SearchProgress = std::function<bool(std::size_t, std::size_t)>;
/// Searches by newton_equilibrium() from q, from all {±e3}ⁿ for n ≤ 10, and from random
/// directions. More tries find more, but no number of them proves that there are no others. The
/// result does not depend on the number of threads. proceed(done, all) is called about 20 times a
/// second until it returns false.
Equilibria find_equilibria(const System& rest, const Columns& q, const EquilibriumSearch& search,
                           int threads, const SearchProgress& proceed);

/// Why a search has found none, as a clause.
std::string no_equilibrium(const Equilibria& found);

/// Which equilibrium is meant.
struct EquilibriumChoice {
  enum class At {
    start,    ///< the present configuration, which must be one
    nearest,  ///< where newton_equilibrium() ends from there
    number,   ///< that of the list of find_equilibria() with its default tries and seed
  };
  At at = At::nearest;
  std::size_t number = 0;  ///< from 0
};
/// "start", "nearest" or a number. The location of the error is "at".
Result<EquilibriumChoice> parse_equilibrium_choice(const std::string& text);
/// That equilibrium; empty if proceed() has ended the search. Fails with kind check if there is
/// none where it is looked for, and with kind usage for a number that the list does not have.
Result<std::optional<Equilibrium>> chosen_equilibrium(const System& rest, const Columns& q,
                                                      const EquilibriumChoice& choice, int threads,
                                                      const SearchProgress& proceed);

}  // namespace twosphere
