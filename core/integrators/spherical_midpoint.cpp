// SPDX-License-Identifier: GPL-3.0-or-later
#include <string_view>

#include "core/integrators/compositions.h"
#include "core/integrators/first_order_composition.h"
#include "core/integrators/midpoint_step.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

namespace {

constexpr std::string_view of_stages = "Ψ_h = Φ_{γₛh} ∘ … ∘ Φ_{γ₁h}";

}  // namespace

/// The spherical midpoint method for systems of first order and its symmetric compositions of the
/// step of MidpointStep. Symmetric; without damping symplectic for Σ κ_i q_i·(δq_i × δ'q_i); keeps
/// |q_i| and, where the forces conserve it, Σ κ_i q_i.
const IntegratorInfo& spherical_midpoint() {
  static const IntegratorInfo record = composition_record<MidpointStep, single_step>(
      "spherical_midpoint", "Spherical midpoint",
      "The symplectic midpoint method on spheres, for systems of first order: reversible, and "
      "keeps |q| and Σ κ q to rounding.",
      "q₊ − q = h ω(m) × m,  m = (q + q₊)/|q + q₊|",
      "McLachlan, Modin, Verdier, Phys. Rev. E 89 (2014) 061301", 2);
  return record;
}

const IntegratorInfo& spherical_midpoint4() {
  static const IntegratorInfo record = composition_record<MidpointStep, suzuki4>(
      "spherical_midpoint4", "Spherical midpoint, order 4",
      "Suzuki's composition of five steps of the spherical midpoint method, for systems of first "
      "order.",
      of_stages, "Suzuki 1990; McLachlan, Modin, Verdier 2014", 4);
  return record;
}

const IntegratorInfo& spherical_midpoint6() {
  static const IntegratorInfo record = composition_record<MidpointStep, kahan_li6>(
      "spherical_midpoint6", "Spherical midpoint, order 6",
      "Kahan and Li's composition of nine steps of the spherical midpoint method, for systems of "
      "first order.",
      of_stages, "Kahan, Li 1997; McLachlan, Modin, Verdier 2014", 6);
  return record;
}

const IntegratorInfo& spherical_midpoint8() {
  static const IntegratorInfo record = composition_record<MidpointStep, kahan_li8>(
      "spherical_midpoint8", "Spherical midpoint, order 8",
      "Kahan and Li's composition of seventeen steps of the spherical midpoint method, for systems "
      "of first order.",
      of_stages, "Kahan, Li 1997; McLachlan, Modin, Verdier 2014", 8);
  return record;
}

}  // namespace twosphere
