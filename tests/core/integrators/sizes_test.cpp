// SPDX-License-Identifier: GPL-3.0-or-later
// Every system at other sizes and with other parameters than the reference scenarios: the methods
// converge with their orders to what order 8 gives.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/mechanics/first_order.h"
#include "core/studies/published.h"
#include "tests/cases.h"
#include "tests/outcome.h"

namespace twosphere::test::sizes_test {
namespace {

struct Size {
  const SystemCase* row;
  int n;
};
void PrintTo(const Size& s, std::ostream* out) { *out << s.row->system << " of " << s.n; }

/// Every system, by its first row; a definition is of one size.
std::vector<Size> sizes() {
  std::vector<Size> all;
  std::set<std::string> seen;
  for (const auto* rows : {&system_cases(), &first_order_cases()})
    for (const SystemCase& row : *rows)
      if (row.text.empty() && seen.insert(row.system).second)
        for (const int n : {1, 2, 7, 33}) all.push_back({&row, n});
  return all;
}

struct EverySize : testing::TestWithParam<Size> {
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
  ASSERT_EQ(system->size(), n);
  const bool apart = GetParam().row->spread == everywhere;
  State start = generic_start(n, apart ? everywhere : 0.5, 0.4, 62);
  double duration = 0.2;
  const bool slow = first_order(*system);
  if (slow) {
    // ω follows from q; the fastest body turns by about 0.6 rad.
    first_order_velocity(*system, start.t, start.q, start.w);
    duration = 0.6 / start.w.colwise().norm().maxCoeff();
  }
  const auto end = [&](const char* key, long steps) -> std::optional<State> {
    State s = start;
    auto integrator = prepared(key, *system, s);
    if (!march(*system, *integrator, duration / static_cast<double>(steps), steps, s)) return {};
    return s;
  };
  const auto reference = value_of(end(slow ? "spherical_midpoint8" : "variational8", 400));
  EXPECT_GT(distance(reference, start), 0.02);
  for (const auto& [key, order] : {std::pair{slow ? "spherical_midpoint" : "variational", 2.0},
                                   {slow ? "spherical_midpoint4" : "variational4", 4.0},
                                   {"rk4", 4.0}}) {
    // Of errors that are of leading order and not yet of rounding the finest three.
    constexpr std::size_t finest = 3;
    const double enough = order == 2 ? 1e-6 : 1e-9;
    std::vector<double> h, errors;
    for (double about = 2; h.size() < finest || errors.back() > enough; about *= std::sqrt(2)) {
      const long steps = std::lround(about);
      ASSERT_LT(steps, 20'000) << key;
      const auto state = end(key, steps);
      const double error = state ? distance(*state, reference) : 1;
      ASSERT_TRUE(error < 1e-4 || h.empty()) << key << ": " << steps << " are worse than fewer";
      if (error < 1e-12) break;
      if (error > 1e-4) continue;
      h.push_back(duration / static_cast<double>(steps));
      errors.push_back(error);
    }
    ASSERT_GE(h.size(), finest) << key;
    EXPECT_NEAR(fitted_order(std::span(h).last(finest), std::span(errors).last(finest)), order,
                0.25)  // measured: 0.08
        << key << ", error " << errors.back();
  }
}

}  // namespace
}  // namespace twosphere::test::sizes_test
