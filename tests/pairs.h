// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/cases.h"

/// Systems with methods: what tests of the whole catalogue run over.
namespace twosphere::test {

template <class Case>
struct PairOf {
  Case system;
  IntegratorCase method;

  friend void PrintTo(const PairOf& p, std::ostream* out) {
    *out << p.method.key << " on " << p.system.name;
  }
};
using Pair = PairOf<SystemCase>;

/// Each of these systems with each method, where the pair is wanted.
template <class Case, class Wanted>
std::vector<PairOf<Case>> pairs_of(const std::vector<Case>& systems, Wanted wanted) {
  std::vector<PairOf<Case>> all;
  for (const Case& system : systems)
    for (const IntegratorCase& method : integrator_cases())
      if (PairOf<Case> pair{system, method}; wanted(pair)) all.push_back(std::move(pair));
  return all;
}

/// Each system with each method that fits it and is wanted; by default, all of them.
template <class Wanted>
std::vector<Pair> pairs(Wanted wanted) {
  return pairs_of(system_cases(), [&](const Pair& p) {
    return fits(method_info(p.method.key), p.system) && wanted(p);
  });
}
inline std::vector<Pair> pairs() {
  return pairs([](const Pair&) { return true; });
}

/// The same of the systems with terms linear in velocities.
template <class Wanted>
std::vector<Pair> linear_pairs(Wanted wanted) {
  return pairs_of(linear_cases(), [&](const Pair& p) {
    return fits(method_info(p.method.key), p.system) && wanted(p);
  });
}
inline std::vector<Pair> linear_pairs() {
  return linear_pairs([](const Pair&) { return true; });
}

/// The name of a test case.
template <class Case>
std::string pair_name(const testing::TestParamInfo<PairOf<Case>>& info) {
  return info.param.method.key + "_" + info.param.system.name;
}

}  // namespace twosphere::test
