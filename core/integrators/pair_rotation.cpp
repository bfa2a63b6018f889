// SPDX-License-Identifier: GPL-3.0-or-later
#include <string_view>

#include "core/integrators/compositions.h"
#include "core/integrators/first_order_composition.h"
#include "core/integrators/pair_flow.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

namespace {

/// The splitting of PairFlow and its composition of order 4.
template <const auto& gamma>
IntegratorInfo pair_record(std::string_view key, std::string_view title,
                           std::string_view description, std::string_view formula,
                           std::string_view reference, int order) {
  IntegratorInfo record =
      composition_record<PairFlow, gamma>(key, title, description, formula, reference, order);
  record.explicit_method = true;
  record.exact_pairs = true;
  record.needs =
      "a system of first order without damping, with a Hamiltonian that is a sum of functions of "
      "qᵢ·qⱼ and of terms of single bodies";
  record.missing = PairFlow::missing;
  record.passes = 2 * static_cast<int>(gamma.size());
  return record;
}

}  // namespace

const IntegratorInfo& pair_rotation() {
  static const IntegratorInfo record = pair_record<single_step>(
      "pair_rotation", "Pair rotation",
      "Explicit symplectic splitting into exact turns of two bodies, for vortices and for spins "
      "with exchange, anisotropy and fields: keeps |q| and Σ κ q to rounding at any step, and is "
      "exact for two bodies however close.",
      "qᵢ, qⱼ ← exp(½h U′/(κᵢκⱼ) Ŝ) qᵢ, qⱼ,  S = κᵢqᵢ + κⱼqⱼ, all pairs forth and back",
      "Steinigeweg, Schmidt, Comput. Phys. Commun. 174 (2006) 853", 2);
  return record;
}

const IntegratorInfo& pair_rotation4() {
  static const IntegratorInfo record = pair_record<suzuki4>(
      "pair_rotation4", "Pair rotation, order 4",
      "Suzuki's composition of five steps of the splitting into exact turns of two bodies.",
      "Ψ_h = Φ_{γ₅h} ∘ … ∘ Φ_{γ₁h}", "Suzuki 1990; Steinigeweg, Schmidt 2006", 4);
  return record;
}

}  // namespace twosphere
