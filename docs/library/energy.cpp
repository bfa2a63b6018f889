// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a preset with two integrators from one start and prints the largest energy error of each.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"

namespace {

int failure(const std::string& text) {
  std::fprintf(stderr, "energy: %s\n", text.c_str());
  return 1;
}

}  // namespace

int main() {
  using namespace twosphere;
  const Preset& preset = *find_preset("double_spherical_pendulum");
  Result<Scenario> scenario = read_scenario(preset.text, preset.key);
  if (!scenario) return failure(scenario.error().text());
  LaneSpec other = scenario->lanes[0];
  other.type = "rk4";
  scenario->lanes.push_back(other);

  Result<Simulation> run = Simulation::create(*scenario);
  if (!run) return failure(run.error().text());
  std::vector<double> worst(2, 0.0);
  while (!run->finished()) {
    // Up to the next row: nothing is measured in between.
    const auto next = std::min(run->steps() + run->stride(), run->planned_steps());
    if (const auto failed = run->advance_to(next)) return failure(failed->message);
    for (std::size_t i = 0; i < worst.size(); ++i)
      worst[i] =
          std::max(worst[i], std::abs(run->sample(static_cast<int>(i))[Quantity::energy_error]));
  }
  for (std::size_t i = 0; i < worst.size(); ++i)
    std::printf("%s %.17g J\n", run->present().lanes[i].type.c_str(), worst[i]);
}
