// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/catalog.h"
#include "core/scenario/scenario.h"

namespace twosphere::test {

template <class List>
std::set<std::string> keys_of(const List& list) {
  std::set<std::string> all;
  for (const auto& entry : list) all.emplace(entry.key);
  return all;
}

/// Whether the method can step the system of a scenario.
inline bool takes(const IntegratorInfo& method, const Scenario& scenario) {
  const auto system = create_system(scenario);
  return method.supports(**system);
}

/// The pairs of presets and integrators that a test took, so that none of either list is left out
/// unseen.
class Taken {
 public:
  void add(const Preset& preset, const IntegratorInfo& method) {
    presets_.emplace(preset.key);
    methods_.emplace(method.key);
    ++pairs_;
  }
  /// Every preset, every integrator, and as many pairs as the present lists have, or more.
  void expect_all(int pairs) const {
    EXPECT_EQ(presets_, keys_of(presets()));
    EXPECT_EQ(methods_, keys_of(integrators()));
    EXPECT_GE(pairs_, pairs);
  }

 private:
  std::set<std::string> presets_, methods_;
  int pairs_ = 0;
};

}  // namespace twosphere::test
