// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/custom/definition.h"
#include "core/custom/model.h"
#include "core/mechanics/heat_bath.h"
#include "core/program/program.h"

namespace twosphere::custom {

/// The system of a model with these parameters. Throws TextException if they do not allow
/// one.
std::unique_ptr<const System> make_system(const std::shared_ptr<const Model>& model,
                                          const Values& values);

/// Throws TextException if an inertia that depends on q is not positive definite there. The
/// smallest eigenvalue is told, and `where`: "at the start".
void check_inertia(const Model& model, const System& system, const Columns& q,
                   const std::string& where);
/// "at q[0] = [0.6000, 0.0000, 0.8000]".
std::string state_in_words(const Columns& q);
/// A number for a message, "infinite" or "not a number".
std::string in_words(double x);
/// Throws TextException if an inertia that depends on q is not symmetric.
void check_symmetry(const Model& model, const Values& values);
/// The simplest form of a constant positive definite matrix: diagonal, or that of a chain, which is
/// so if its inverse is tridiagonal with positive masses. "is that of a chain: …"; empty: neither.
std::string simpler_form(const Eigen::MatrixXd& m);

/// M of a model, none of one of first order, constant or m(q); `field` and its program are null for
/// a constant one.
struct ProgramInertia {
  Inertia inertia;
  std::unique_ptr<const InertiaField> field;
  const Program* program = nullptr;
};
ProgramInertia make_inertia(ModelConstants& constants);
/// The inertia of a constant matrix in the simplest form that it has, see simpler_form(). Throws
/// TextException if it is not positive definite.
Inertia structured(const Eigen::MatrixXd& m, const Entry& entry);

/// The value of a text for each body.
Eigen::VectorXd per_body(ModelConstants& constants, const Entry& entry);

/// κ of a model, and c of one of first order, which is empty if all are 0; so is κ beside an
/// inertia.
struct Strengths {
  Eigen::VectorXd strength, damping;
};
/// Throws TextException where they allow no motion.
Strengths make_strengths(ModelConstants& constants);
/// The heat bath of a model with this damping; none at the temperature 0. Throws TextException
/// where the temperature is not finite or negative, or nothing is damped.
std::optional<HeatBath> make_heat_bath(ModelConstants& constants, const Eigen::VectorXd& damping);
/// Ω of a model. Throws TextException where it is not finite.
Vec3 make_frame_rotation(ModelConstants& constants);

}  // namespace twosphere::custom
