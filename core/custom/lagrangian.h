// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/custom/custom_system.h"
#include "core/custom/model.h"

namespace twosphere::custom {

/// A number that is a polynomial in v of degree 2 at most whatever q is, by degrees. Null: that
/// part is 0.
struct VelocityParts {
  Ref constant, linear, quadratic;
};
/// Throws TextException at the part that is no such polynomial. Parts of definitions are added to
/// those of the model, without names.
VelocityParts split_by_velocity(Model& model, const Ref& number);

/// Σ ± parts of an expression that is linear in q, with v in place of q: its derivative by time.
/// Null if that is 0. `rate`: the unit of v. Definitions are added to those of the model, without
/// names.
Ref rate_of(Model& model, const Node& value, const std::optional<Dimension>& rate);

/// M of the kinetic energy T = ½ Σ M_ij v_i·v_j, a quadratic form: its second derivatives. It is
/// diagonal or that of a chain where it is so and does not depend on q. Throws TextException unless
/// T has that form with numbers M_ij, which is looked at in random states, and if a constant M is
/// not positive definite.
ProgramInertia inertia_of_lagrangian(ModelConstants& constants);

}  // namespace twosphere::custom
