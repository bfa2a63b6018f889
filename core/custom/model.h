// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/custom/definition.h"
#include "core/program/constants.h"
#include "core/program/tree.h"

/// A definition that has been read and checked.
namespace twosphere::custom {

/// An entry of `force`, `figure` or the like: for all values of `over`, if there is any.
struct Entry {
  std::string name;  ///< "ball"
  int column = 1;
  const Source* source = nullptr;
  std::shared_ptr<const Range> over;
  std::vector<Ref> values;
  Ref index;            ///< of a force: on which body
  bool torque = false;  ///< of a force
};

/// The inertia matrix as it was written.
struct InertiaText {
  enum class Kind { diagonal, chain, rod, matrix, lagrangian };
  Kind kind = Kind::diagonal;
  /// One per list, with one value each; two variables for a matrix. Of a Lagrangian the kinetic
  /// energy, a quadratic form of v.
  std::vector<Entry> arguments;
};

/// All of a definition.
struct Model : Bindings {
  Definition definition;
  std::vector<std::unique_ptr<Source>> sources;
  InertiaText inertia;            ///< without arguments where there is none
  Ref potential;                  ///< or the Hamiltonian
  std::optional<Entry> strength;  ///< none for systems without
  std::optional<Entry> damping;   ///< of systems of first order
  Ref temperature;                ///< of a heat bath, of first order; null: there is none
  Ref frame_rotation;             ///< a vector; null: the axes are at rest
  Ref gyroscopic;                 ///< linear in v; null: there is nothing of the kind
  std::vector<Entry> forces, figure, plots, color;
  std::vector<TextError> warnings;
  std::map<int, int> rates;  ///< of definitions by their numbers: the definitions of their rates

  /// The meaning of a name; null if it has none.
  const Definition::Parameter* find_parameter(std::string_view name) const;
  const Named* find_named(std::string_view name) const;
  /// Whether it means one of these.
  bool knows(std::string_view name) const { return find_parameter(name) || find_named(name); }
};

/// A model with numbers for its parameters.
class ModelConstants : public Constants {
 public:
  ModelConstants(const Model& model, const Values& values)
      : Constants(model, values), model_(model) {}

  const Model& model() const { return model_; }

 private:
  const Model& model_;
};

/// Reads and checks a whole definition.
std::shared_ptr<const Model> check(Definition definition);

}  // namespace twosphere::custom
