// SPDX-License-Identifier: GPL-3.0-or-later
// Every system at other sizes and with other parameters than the reference scenarios: the methods
// converge with their orders to what order 8 gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/studies/published.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

struct Size {
  const SystemCase* row;
  int n;
};
void PrintTo(const Size& s, std::ostream* out) { *out << s.row->system << " of " << s.n; }

/// Every system, by its first row.
std::vector<Size> sizes() {
  std::vector<Size> all;
  std::set<std::string> seen;
  for (const SystemCase& row : system_cases())
    if (seen.insert(row.system).second)
      for (const int n : {1, 2, 7, 33}) all.push_back({&row, n});
  return all;
}

class EverySize : public testing::TestWithParam<Size> {
 protected:
  static Values parameters() {
    const auto& [row, n] = GetParam();
    Draws draws{std::mt19937(static_cast<unsigned>(61 + n))};
    Values values{{"masses", draws(n, 0.5, 2)}, {"lengths", draws(n, 0.5, 1.5)}};
    if (row->resize) row->resize(n, draws, values);
    return values;
  }
};
INSTANTIATE_TEST_SUITE_P(Systems, EverySize, testing::ValuesIn(sizes()), [](const auto& p) {
  return p.param.row->system + "_" + std::to_string(p.param.n);
});

TEST_P(EverySize, ConvergesWithTheOrderOfTheMethod) {
  const int n = GetParam().n;
  const auto system = system_of(GetParam().row->system, n, parameters());
  ASSERT_TRUE(system);
  ASSERT_EQ(system->size(), n);
  const bool apart = GetParam().row->spread == everywhere;
  const State start = generic_start(n, apart ? everywhere : 0.5, 0.4, 62);
  const double duration = 0.2;
  const auto end = [&](const char* key, int steps) {
    State s = start;
    auto integrator = make_integrator(key);
    integrator->prepare(*system, s);
    EXPECT_TRUE(march(*system, *integrator, duration / steps, steps, s)) << key << " " << steps;
    return s;
  };
  const State reference = end("variational8", 400);
  EXPECT_GT(distance(reference, start), 0.02);
  int measured = 0;
  for (const auto& [key, order, first] :
       {std::tuple{"variational", 2.0, 40}, {"variational4", 4.0, 8}, {"rk4", 4.0, 20}}) {
    // Of errors that are of leading order and not yet of rounding the finest three.
    const double enough = order == 2 ? 1e-6 : 1e-9;
    std::vector<double> h, errors;
    double error = 1;
    for (int steps = first; steps <= 256 * first; steps *= 2) {
      error = distance(end(key, steps), reference);
      if (error < 1e-12) break;
      if (error > 1e-3) continue;
      h.push_back(duration / steps);
      errors.push_back(error);
      if (errors.size() >= 3 && error < enough) break;
    }
    // One body on its own may be at rounding at once.
    if (errors.size() < 2) {
      EXPECT_LT(error, 1e-12) << key;
      EXPECT_EQ(order, 4) << key;
      continue;
    }
    const std::size_t coarse = errors.size() - std::min<std::size_t>(3, errors.size());
    EXPECT_NEAR(fitted_order(std::span(h).subspan(coarse), std::span(errors).subspan(coarse)),
                order, 0.25)
        << key << ", error " << error;
    ++measured;
  }
  EXPECT_GE(measured, GetParam().n > 2 ? 2 : 1) << "of three methods; at least order 2";
}

}  // namespace
}  // namespace twosphere::test
