// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

#include "core/mechanics/forwarding_system.h"

namespace twosphere::test {

/// A system with its inertia replaced, for instance by another form of the same matrix; everything
/// else is forwarded.
class Recast final : public ForwardingSystem {
 public:
  Recast(std::unique_ptr<const System> original, Inertia inertia)
      : ForwardingSystem(std::move(original)), inertia_(std::move(inertia)) {}

  const Inertia& inertia() const override { return inertia_; }

 private:
  Inertia inertia_;
};

/// The same system with its constant inertia as a dense matrix.
inline std::unique_ptr<const System> as_matrix(std::unique_ptr<const System> system) {
  Inertia matrix = DenseInertia(dense(system->inertia(), Columns(3, system->size())));
  return std::make_unique<Recast>(std::move(system), std::move(matrix));
}

}  // namespace twosphere::test
