// SPDX-License-Identifier: GPL-3.0-or-later
// Every system at other sizes and with other parameters than the reference scenarios: the methods
// converge with their orders to what order 8 gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "core/studies/published.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

struct Size {
  std::string_view system;
  int n;
};
void PrintTo(const Size& s, std::ostream* out) { *out << s.system << " of " << s.n; }

std::vector<Size> sizes() {
  std::vector<Size> all;
  for (const SystemInfo& info : systems())
    for (const int n : {1, 2, 7, 33}) all.push_back({info.key, n});
  return all;
}

class EverySize : public testing::TestWithParam<Size> {
 protected:
  EverySize() : generator_(static_cast<unsigned>(61 + GetParam().n)) {}

  std::vector<double> random(int count, double low, double high) {
    std::vector<double> list(static_cast<std::size_t>(count));
    for (double& x : list) x = std::uniform_real_distribution(low, high)(generator_);
    return list;
  }
  /// What of a parameter makes a tame system; everything else keeps its default.
  Values parameters() {
    const int n = GetParam().n;
    const double count = n;
    const std::string_view key = GetParam().system;
    Values values{{"masses", random(n, 0.5, 2)}, {"lengths", random(n, 0.5, 1.5)}};
    if (key == "n_body") values["gamma"] = {0.02 / count};
    if (key == "pendulum_network") {
      values["pivots"] = random(3 * n, -1, 1);
      for (int i = 1; i < n; ++i)
        values["springs"].insert(values["springs"].end(),
                                 {double(i - 1), double(i), random(1, 1, 5)[0]});
    }
    if (key == "elastic_rod")
      values = {{"elements", {count}},
                {"mass", {0.2 * count}},
                {"length", {0.3 * count}},
                {"stiffness", random(n, 1, 3)},
                {"clamp_direction", random(3, 0.2, 1)},
                {"inertia", {n % 2 ? 0.0 : 1.0}}};
    if (key == "dipole_array") {
      values["moments"] = random(n, -1500, 1500);
      values["positions"] = random(3 * n, -count, count);
    }
    if (key == "lennard_jones") {
      values["epsilon"] = {0.02};
      values["sigma"] = {2 / std::sqrt(count)};
    }
    if (key == "conformal_particles") values["coupling"] = {0.5 / count};
    return values;
  }

 private:
  std::mt19937 generator_;
};
INSTANTIATE_TEST_SUITE_P(Systems, EverySize, testing::ValuesIn(sizes()), [](const auto& p) {
  return std::string(p.param.system) + "_" + std::to_string(p.param.n);
});

TEST_P(EverySize, ConvergesWithTheOrderOfTheMethod) {
  const int n = GetParam().n;
  const auto system = system_of(GetParam().system, n, parameters());
  ASSERT_TRUE(system);
  ASSERT_EQ(system->size(), n);
  const bool apart = GetParam().system == "n_body" || GetParam().system == "lennard_jones";
  const State start = generic_start(n, apart ? everywhere : 0.5, 0.4, 62);
  const double duration = 0.2;
  const auto end = [&](const char* key, int steps) {
    State s = start;
    auto integrator = make_integrator(key);
    integrator->prepare(*system, s);
    EXPECT_TRUE(march(*system, *integrator, duration / steps, steps, s)) << key << " " << steps;
    return s;
  };
  const bool stiff = apart || GetParam().system == "elastic_rod";
  const State reference = end("variational8", stiff ? 400 : 40);
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
