// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

#include "core/mechanics/forwarding_system.h"

namespace twosphere::test {

/// A system whose bodies have the same strength beside their kinetic energy, as charges in the
/// field of a monopole.
class Charged final : public ForwardingSystem {
 public:
  Charged(std::shared_ptr<const System> system, double strength)
      : ForwardingSystem(std::move(system)),
        strength_(Eigen::VectorXd::Constant(original().size(), strength)) {}
  const Eigen::VectorXd& strength() const override { return strength_; }

 private:
  Eigen::VectorXd strength_;
};

}  // namespace twosphere::test
