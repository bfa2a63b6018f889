// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -march=native -ffast-math, and so without Eigen, whose alignment depends on
// them.
#include "tests/bench/program_pendulum.h"

namespace twosphere::test {

namespace {

struct Alone {
  static constexpr bool followed = false;
};

}  // namespace

bool fast_pendulum(const PlainStart& start, double h, std::int64_t steps) {
  PlainPendulum<Alone> pendulum(start);
  for (std::int64_t k = 0; k < steps; ++k)
    if (!pendulum.step(h)) return false;
  return pendulum.q()[0][0] <= 2;  // the loop has a use
}

}  // namespace twosphere::test
