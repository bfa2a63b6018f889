// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/series.h"
#include "core/studies/published.h"

/// Runs the paper's examples again and compares what comes of them. Nothing of it is stored: every
/// number of ours is simulated when asked for.
namespace twosphere {

/// What came of comparing a printed number with ours.
enum class Verdict {
  reproduced,    ///< from what the paper prints
  consistent,    ///< with inputs chosen to fit, where the paper prints none or other ones
  below,         ///< an error of rounding, ours smaller than the one printed
  missed,        ///< none of these
  not_compared,  ///< figure only, or an input that decides it is not printed
};
/// "reproduced", "consistent", "below", "not reproduced", "not compared"
std::string_view word(Verdict verdict);
/// What the words mean, in a few sentences, for below a table.
std::string_view meaning_of_verdicts();

/// How many numbers of each verdict there are, those shown in figures only left out.
struct Tally {
  int reproduced = 0, consistent = 0, below = 0, missed = 0;
  int not_compared = 0;

  int compared() const { return reproduced + consistent + below + missed; }
};
/// "4 of 10 published numbers reproduced, 3 consistent with inputs chosen to fit, 3 below
/// (rounding); 2 not compared", or that there is nothing to compare.
std::string in_words(const Tally& tally);

struct ReproducedMean {
  const PublishedMean* published;
  double ours = 0;  ///< in the paper's unit
  /// From where to where the printed number may lie, or ours, where that is compared; in the
  /// paper's unit. Where it is not: the spread of ours, if the run has a variation.
  std::optional<Range> allowed;
  Verdict verdict = Verdict::not_compared;
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

Tally tally(const std::vector<ReproducedRun>& runs);

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
