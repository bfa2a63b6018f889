// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"
#include "core/scenario/section_surface.h"

namespace twosphere {

/// The conditions on a state on a section: a point of a picture of the section, the energy and the
/// momentum.
struct SectionTarget {
  std::array<std::size_t, 2> coordinates{0, 1};  ///< of SectionSurface::columns()
  std::array<double, 2> values{};                ///< theirs
  std::array<double, 2> sizes{1, 1};             ///< of the picture, > 0: the unit of their errors
  double energy = 0;                             ///< E [J]
  /// J [J s], of which the components that the system conserves count; none: it is free.
  std::optional<Vec3> momentum{};
};

/// The state y on a section at a target, with the energy E, that is nearest to another one:
///
///   f(y) = (g, c_1 − c_1*, c_2 − c_2*, H − E, J_k − J_k*) = 0,   y ← y − D⁺ f,   D = ∂f/∂y
///
/// in tangent coordinates of T(S²)ⁿ, ω in units of its root mean square; D by central differences.
/// In systems of first order in those of (S²)ⁿ, δq_i in units of |κ_i|^−½ (with damping (κ_i² +
/// c_i²)^−¼), so that q changes along (1/|κ_i|) ∂H/∂q_i to reach the energy; ω follows from q.
/// D⁺, the pseudoinverse, gives the smallest change where the conditions leave more than one
/// state (Gauss-Newton; Allgower and Georg, Numerical Continuation Methods, 1990, 3). c* moves from
/// that state to the target in increments, which are halved where the iteration does not converge.
/// Without g if the section is stroboscopic. The result lies on the sphere, before the section
/// within 1e-12, so that an orbit from it crosses there. Cost: 8n evaluations of f per iteration,
/// 4n of first order. Fails with kind numerical and the reason if no such state is found.
Result<State> state_on_section(const System& system, const SectionSurface& surface,
                               const State& near, const SectionTarget& target);

/// The orbit of one lane of a scenario from such a state, without events and stop conditions. Fails
/// if it does not cross the section in the direction that counts, or if the step cannot be taken.
Result<Scenario> section_orbit(const Scenario& settings, std::size_t lane, const State& start);

/// An orbit from a point of a picture of a section.
struct PlacedOrbit {
  Scenario orbit;
  bool conserved = false;  ///< the system conserves a component of J
  bool momentum = false;   ///< the orbit has those of the target
};
/// The section_orbit() from the first state that state_on_section() finds at a target, with its
/// momentum if the system conserves any, else without; near to each of `near` in turn, as
/// coordinates may be singular in one of them. Fails with the last reason if there is none.
Result<PlacedOrbit> orbit_on_section(const Scenario& settings, std::size_t lane,
                                     const System& system, const SectionSurface& surface,
                                     const std::vector<State>& near, const SectionTarget& target);

}  // namespace twosphere
