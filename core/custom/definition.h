// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/language/source.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

/// Systems that are defined by texts.
///
/// The way of a definition:
///   definition.h         the texts as they are in a file; translate() checks all of it, once
///   model.h, checker.h   its names get their meanings, its parts types and units (tree.h in
///                        core/program); the parser is core/language/syntax.h
///   custom_system.h      a Model with numbers for its parameters is a System like any other: V,
///                        forces, plots and colours are programs, the inertia (inertia.cpp) too
///                        where it depends on q, and system_figure.h draws; custom_gyroscopic.h has
///                        what is linear in velocities, and lagrangian.h takes a Lagrangian apart
///   equations.h          typesets the texts for reading; nothing else reads them again
/// Checks that need numbers stand apart: finite_check.h looks for the part of an expression that is
/// not finite, rotation_symmetry.h for axes about which the system may be turned, sum_terms.h for
/// what is linear in q or damps.
///
/// A CompiledDefinition is immutable and shared: scenarios, undo and snapshots hold it by a
/// pointer, and a new value of a parameter makes a System of it without reading a text. That is why
/// values are apart from it (Values), and why texts are translated only where one of them has
/// changed.
///
/// Errors of units are warnings unless a definition is strict, because a text may be right without
/// any unit. All other errors say a place in a text (TextError). Nothing is thrown out of here.
namespace twosphere {

/// The record in the catalogue that stands for all systems of the type "custom". Each of them has a
/// record of its own, CompiledDefinition::info(), with the same key; the create() of this one is an
/// error.
const SystemInfo& custom_system();

/// The texts that define a system of the type "custom", as under "system" of a scenario.
///
/// Values are numbers and vectors; indices count bodies from 0.
///   q[i] w[i] v[i]   direction q_i, angular velocity ω_i and q̇_i = ω_i × q_i of body i
///   t n pi e1 e2 e3  time, number of bodies, π, axes
///   a.b  a×b         scalar and cross product
///   [x, y, z]        a vector; x[0].e3 is a component
///   sum(i: …)        also sum(j <= i: …), sum(i < j: …), sum(0 < i < n: …), sum(a in list: …) and
///                    sum(i, j in springs: …); prod alike
///   if(x < 1, a, b)  and min, max, abs, sign, sqrt, exp, log, sin, cos, tan, asin, acos, atan,
///                    atan2, sinh, cosh, tanh, norm, angle, dot, cross
/// From the tightest, × binds before the scalar product, ^, the sign, * and /, + and −.
/// A new index runs over all bodies that keep the conditions. After two indices of a list of pairs
/// a third is the row. A number with a unit is written 30 deg or 9.81 m/s^2; a parameter that is a
/// number may have an index, too, and is the same for all bodies.
///   define     x[i] = … for all bodies, or a = …; used after it
///   inertia    diag(m) | diag(i: …) | chain(m, l) | chain(m, l, m0) | rod(mu, l, D) |
///              rod(mu, l, D, m0) | matrix(i, j: …); diag and matrix may depend on q
///   potential  of q
///   force      f[0] = … or f[i] = … for all, of t, q, w and v; torque[0] = … as well; both add
///              up. f[i] = -c*v[i] and torque[i] = -c*w[i] with a constant c are damping
///   strength   κ, a number, a list or i: …: of systems of first order, or beside an inertia
///              diag(…) that does not depend on q
///   frame_rotation
///              Ω, a constant vector, with an inertia that does not depend on q
///   gyroscopic a number that is linear in v, added to the Lagrangian of second order; not with a
///              frame_rotation
///   lagrangian in place of inertia, potential and all that is linear in velocities: L of q and v.
///              rate(x) is the velocity of what is linear in q
///   hamiltonian, damping
///              of systems of first order, in place of inertia and potential: H of q, and c as the
///              strength. Their forces read t and q alone
///   temperature
///              of systems of first order: a constant k_BT of a heat bath, whose noise has a seed
///   figure     ball(x, mass), rod(a, b), arrow(a, b), spring(a, b, length, stiffness), sphere();
///              for all bodies if i is in it; x[-1] is the origin; "i, j in springs: spring(…)"
///   plots      numbers, of t, q, w and v
///   color      one of such numbers for every body, with its index: -e3.x[i]
struct Definition {
  struct Parameter {
    enum class Form {
      number,
      list,   ///< of numbers; a list of three used whole is a vector
      pairs,  ///< of bodies [[i, j], …], for sums over them; `value` holds i, j of each
    };
    std::string key;
    Form form = Form::number;
    std::vector<double> value;
    std::string unit{};  ///< "kg"; empty: not given
    std::string help{};
    std::optional<std::array<double, 2>> range{};  ///< for dragging

    bool operator==(const Parameter&) const = default;
  };

  int bodies = 0;
  /// Without kinetic energy: κ_i q̇_i = (∂H/∂q_i − f_i) × q_i − c_i q_i × q̇_i.
  bool first_order = false;
  std::vector<Parameter> parameters;
  std::vector<std::string> define;                 ///< "x[i] = sum(j <= i: l[j]*q[j])"
  std::string inertia, potential, frame_rotation;  ///< of second order
  std::string gyroscopic;                          ///< of second order: "B*e3.cross(q[0], v[0])"
  std::string lagrangian;                          ///< in place of all these: T - V
  std::string strength;                            ///< of either: "kappa", "i: kappa[i]"
  std::string hamiltonian, damping, temperature;   ///< of first order
  std::vector<std::string> force, torque;          ///< "f[3] = …", "torque[0] = …"
  std::vector<std::string> figure;                 ///< "rod(x[i-1], x[i])"
  std::vector<std::pair<std::string, std::string>> plots;  ///< name and expression
  std::vector<std::pair<std::string, std::string>> color;  ///< name and expression, at most one
  bool strict_units = false;                               ///< errors of units, not warnings
  std::int64_t seed = 0;                                   ///< ≥ 0, of the noise of a heat bath

  bool operator==(const Definition&) const = default;
};

/// A definition that has been checked and translated. Immutable.
class CompiledDefinition {
 public:
  virtual ~CompiledDefinition() = default;
  virtual const Definition& definition() const = 0;
  /// Its record, as those in the catalogue: key "custom", the user's parameters, create().
  virtual const SystemInfo& info() const = 0;
  /// Warnings of the texts to show, of units for instance.
  virtual const std::vector<TextError>& warnings() const = 0;
  /// Whether the unit of this plot follows from the text, also that it is a pure number.
  virtual bool knows_unit(std::size_t plot) const = 0;
  /// The first error of a start of its system with these values of the parameters: a part of a text
  /// that is not finite there, in V, its gradient or M, or an inertia that is not positive
  /// definite.
  virtual std::optional<TextError> check_start(const State& start, const System& system,
                                               const Values& values) const = 0;
  /// A norm, an absolute value or an angle in V that is 0 at the start, where it has no derivative:
  /// "norm(x[0] - a)", as it is written. Empty if none is found.
  virtual std::string vanishing_norm(const State& start, const Values& values) const = 0;
  /// The first error of the forces at the time of the start.
  virtual std::optional<TextError> check_forces(const State& start, const System& system,
                                                const Values& values) const = 0;
};

/// A definition or the first error in it.
struct CompileResult {
  std::shared_ptr<const CompiledDefinition> definition;  ///< null: see `error`
  TextError error;
};
/// Checks and translates a definition. Throws nothing. Parameters have the definition's values; the
/// system is created once with them, so that what is wrong with these is found, too.
///
/// Limits: 100 000 characters, parts nested 64 deep, 10⁷ operations for one evaluation and as many
/// for one translation, 2²⁴ numbers in memory, 100 000 bodies, 1024 if the inertia is a matrix, 10⁶
/// figures. Takes less than a second. Of the warnings the first 100 are kept.
CompileResult translate(Definition definition);

/// How many operations translations and the making of systems of definitions have taken on this
/// thread so far: a measure of their cost that is the same everywhere, for limits.
long operations_for_definitions();

}  // namespace twosphere
