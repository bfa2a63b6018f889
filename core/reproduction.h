// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/published.h"
#include "core/series.h"

/// Runs the paper's examples again and judges what comes of them. Nothing of it is stored: every
/// number of ours is simulated when asked for.
namespace twosphere {

enum class Verdict { reproduced, missed, not_judged };
/// "reproduced", "missed", "not judged"
std::string_view word(Verdict verdict);

struct ReproducedMean {
  const PublishedMean* published;
  double ours = 0;  ///< in the paper's unit
  /// From where to where the printed number may lie, or ours, where that is judged; in the paper's
  /// unit. Where it is not judged: the spread of ours, if the run has a variation.
  std::optional<Range> allowed;
  Verdict verdict = Verdict::not_judged;
};

struct ReproducedRun {
  const PublishedRun* published;
  Scenario scenario;
  double joules = 1;         ///< in one of the paper's unit of energy
  std::vector<Sample> rows;  ///< every step, first and last included
  std::vector<ReproducedMean> means;

  /// The mean of a quantity that the run has.
  const ReproducedMean& mean(Quantity quantity) const;
  /// The unit of a mean: "J", "m g l", "1".
  std::string_view unit(const ReproducedMean& mean) const;
};

/// Simulates these runs and their variations on so many threads, or as many as can be started; the
/// result does not depend on how many. `go_on` is asked a few times a second, or on one thread
/// after every simulation, on the calling thread, with the number of simulations done and to be
/// done; once it says no, the work ends early with nothing. A step that cannot be taken is an error
/// of kind numerical.
Result<std::vector<ReproducedRun>> reproduce(
    const std::vector<const PublishedRun*>& runs, int threads,
    const std::function<bool(std::size_t done, std::size_t all)>& go_on);

/// The scenario with every component of q and ω moved by up to `size`, then put on the sphere and
/// made tangent. The same seed gives the same start everywhere.
Scenario moved_start(const Scenario& scenario, double size, std::uint64_t seed);

/// Where the middle 95 % of these values lie: one in forty is left out at either end. Not empty.
Range central_band(std::vector<double> values);

}  // namespace twosphere
