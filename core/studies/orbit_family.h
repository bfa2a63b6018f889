// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/studies/orbit.h"
#include "core/studies/orbit_multipliers.h"

/// Orbits with all that is said of them, and families of them.
namespace twosphere {

struct Orbit {
  OrbitSolution solution;
  double energy = 0;         ///< E of its start [J]
  Vec3 momentum;             ///< orbit_momentum() of its start [J s]
  double period_change = 0;  ///< T(N) − T(2N) [s]: about the error that the steps make
  /// start_change() where T is that of driven forces; none elsewhere.
  std::optional<double> start_change{};
  OrbitMultipliers multipliers;
  int repeated = 1;  ///< how many times shorter the period is than that of the guess

  const OrbitPoint& point() const { return solution.point; }
  /// OrbitMultipliers::kind().
  std::string_view kind() const { return multipliers.kind(); }
};
/// The orbit of a solution: with the shortest period, N/k steps for k ≤ 12 where the points of the
/// orbit close to 1e-7, and forces of t repeat, and of that again; with T(N) − T(2N), or
/// start_change(); and with `refine` N doubled, up to three times, until that is below 2e-11 T, or
/// 1e-11. Costs at least twice solve_orbit(). Fails as that does.
Result<Orbit> settled_orbit(const OrbitProblem& problem, OrbitSolution solution,
                            const OrbitConditions& conditions, bool refine);

/// What a family is followed over: `parameter` is θ of its problem.
enum class FamilyOver : std::uint8_t { energy, period, momentum, parameter };
/// "energy", "period", "momentum", "parameter".
std::string_view name(FamilyOver over);

/// A member of a family.
struct FamilyMember {
  OrbitSolution solution;
  double energy = 0;  ///< [J]
  /// e·J of orbit_momentum(), of orbits that are not relative J₃ [J s].
  double momentum = 0;
  OrbitMultipliers multipliers;
  /// T(N) − T(2N) [s]; NaN where twice as many steps do not close, and where it is not asked for.
  double period_change = std::numeric_limits<double>::quiet_NaN();
  std::optional<double> start_change{};  ///< of driven forces, likewise

  double value(FamilyOver over) const;
};

/// A member as an orbit.
Orbit orbit_of(const OrbitProblem& problem, FamilyMember member);

/// Where stability or the family changes.
enum class BifurcationKind : std::uint8_t {
  branching,  ///< a pair of multipliers meets at 1: other orbits of about this period begin
  doubling,   ///< at −1: orbits of twice the period begin
  collision,  ///< two pairs meet on the unit circle or on the real axis and leave it
  fold,       ///< what the family is followed over turns back, or its energy
  torus,      ///< Neimark-Sacker: a complex pair of single multipliers crosses the unit circle
};
/// "branching", "doubling", "collision", "fold", "torus".
std::string_view name(BifurcationKind kind);
struct Bifurcation {
  BifurcationKind kind{};
  FamilyMember at;
  std::size_t member = 0;  ///< index of the last member before it
  /// How many pairs of multipliers are at 1 there, or −1, of forces that are not conservative how
  /// many multipliers, or complex pairs on the unit circle: more than one by a symmetry. 1 of other
  /// kinds.
  int multiplicity() const;
  /// Of a stable equilibrium of the system there [J], where it is asked for.
  std::optional<double> rest_energy{};
  /// Of several directions in which families begin what each moves, where it is asked for.
  std::vector<std::string> directions{};
};

/// How often N may be doubled for one member.
inline constexpr int max_member_doublings = 3;

struct FamilyPlan {
  FamilyOver over = FamilyOver::energy;
  double to = 0;  ///< the value at which it ends
  Held held = Held::nothing;
  std::size_t count = 200;  ///< the most members
  /// Whether they are looked for, and T(N) − T(2N) is; without, the steps are longer.
  bool bifurcations = true;
  /// Whether N is doubled where the steps are too coarse for the orbits that follow.
  bool refines = true;
  /// The orbit that it ends at when it comes back to it; without one the first member.
  std::optional<OrbitPoint> start{};
};
struct Family {
  /// From the given one to the end; only the last has the points of its orbit.
  std::vector<FamilyMember> members;
  std::vector<Bifurcation> bifurcations;
  bool reached = false;      ///< whether the last member has the value that was asked for
  bool closed = false;       ///< the last member is the orbit at the start again
  bool complete = false;     ///< it cannot be gone on with
  std::string end;           ///< why it ended, as a clause
  OrbitDirection direction;  ///< from the last member on
  double arc = 0;            ///< the length of the next step; 0: there was none yet
  /// How often N of the last member was doubled; max_member_doublings also where no more steps are
  /// found.
  int doublings = 0;
};
/// Follows the family of a solution, in the direction of `plan.to`, by pseudo-arclength: the
/// prediction along family_direction(), corrected orthogonal to it. The step is halved where the
/// correction fails, takes more than 5 iterations, moves a multiplier by more than 0.2 or two pairs
/// past 1, past −1 or out of the unit circle that no symmetry makes equal; it grows by 1.3 after 2
/// iterations or fewer. Bifurcations are where det(M_red − 1), det(M_red + 1), the discriminant of
/// the pairs or the rate along the family of `plan.over` or of E (where E is held, J) changes its
/// sign, of forces that are not conservative the test of a torus bifurcation in the place of the
/// discriminant, or where several pairs pass 1 or −1 together the sum of their traces ∓ 2 does,
/// located along the step by the method of regula falsi to 1e-12 of E and T or 60 solutions. Where
/// E turns back a pair meets at 1, too: that is a fold and no branching. N is doubled, with the
/// last member found again, where OrbitMultipliers::flow_error is above 1e-8 of the growth, or of
/// driven forces start_change() above 1e-9 and ten times that of the first. proceed(members) is
/// called before and after each is computed; false ends it, without the one that was begun. It ends
/// at an equilibrium, or a relative one, over θ where there is no system, and, closed, where it
/// comes back to its start: an orbit of the same value, or a fold, with a period that is the same
/// to 1e-6 of it, whose distance_from_orbit() is below 1e-5. One that passes beside its start is
/// followed on.
Family follow_family(const OrbitProblem& problem, const OrbitSolution& first,
                     const FamilyPlan& plan, const std::function<bool(std::size_t)>& proceed);
/// Goes on with a family that was ended or is at its number of members: it becomes, bit for bit,
/// what it would have become in one go. Of its members only the points, energies, momenta and
/// multipliers are needed.
void continue_family(const OrbitProblem& problem, const FamilyPlan& plan,
                     const std::function<bool(std::size_t)>& proceed, Family& family);

}  // namespace twosphere
