// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/custom/model.h"
#include "core/mechanics/gyroscopic.h"
#include "core/program/program.h"

namespace twosphere::custom {

/// Throws TextException unless a number is linear in the velocities v whatever q is: at the part
/// that is not, such as a product of two velocities or a term without one. It follows from the
/// form: every term has one factor that is linear in v, and nothing else reads v. The number 0
/// passes.
void check_linear(const Model& model, const Node& number);

/// A(q) of a number Σ A_i(q)·v_i: its derivative by v. Null of a model without it.
struct ProgramTerms {
  std::unique_ptr<const GyroscopicField> field;
  const Program* program = nullptr;
};
ProgramTerms make_gyroscopic(ModelConstants& constants);

}  // namespace twosphere::custom
