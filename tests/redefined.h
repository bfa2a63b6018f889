// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/custom/definition.h"
#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"

namespace twosphere::test {

/// A definition whose systems are put into others, such as a ForwardingSystem.
class Redefined final : public CompiledDefinition {
 public:
  using Wrap = std::function<std::unique_ptr<const System>(std::unique_ptr<const System>)>;

  Redefined(std::shared_ptr<const CompiledDefinition> original, const Wrap& wrap)
      : original_(std::move(original)), info_(original_->info()) {
    info_.create = [original = original_, wrap](
                       int n, const Values& values) -> Result<std::unique_ptr<const System>> {
      auto made = original->info().create(n, values);
      if (!made) return made.error();
      return wrap(std::move(*made));
    };
  }

  const Definition& definition() const override { return original_->definition(); }
  const SystemInfo& info() const override { return info_; }
  const std::vector<TextError>& warnings() const override { return original_->warnings(); }
  bool knows_unit(std::size_t plot) const override { return original_->knows_unit(plot); }
  std::optional<TextError> check_start(const State& start, const System& system,
                                       const Values& values) const override {
    return original_->check_start(start, system, values);
  }
  std::string vanishing_norm(const State& start, const Values& values) const override {
    return original_->vanishing_norm(start, values);
  }
  std::optional<TextError> check_forces(const State& start, const System& system,
                                        const Values& values) const override {
    return original_->check_forces(start, system, values);
  }

 private:
  std::shared_ptr<const CompiledDefinition> original_;
  SystemInfo info_;
};

/// The same scenario with systems of type Forwarding around those of its definition.
template <class Forwarding>
Scenario with_systems(Scenario scenario) {
  scenario.definition =
      std::make_shared<Redefined>(scenario.definition, [](std::unique_ptr<const System> made) {
        return std::make_unique<Forwarding>(std::move(made));
      });
  return scenario;
}

}  // namespace twosphere::test
