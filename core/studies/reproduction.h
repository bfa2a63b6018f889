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

/// Runs the examples of the paper and compares the results with the printed numbers. Our numbers
/// are not stored: they are simulated in every call.
namespace twosphere {

/// The result of comparing a printed number with ours.
enum class Verdict {
  reproduced,    ///< with the inputs printed in the paper
  consistent,    ///< with inputs chosen to fit, because the paper prints none or different ones
  below,         ///< a rounding error, ours smaller than the printed one
  missed,        ///< none of these
  not_compared,  ///< shown in a figure only, or a required input is not printed
};
/// "reproduced", "consistent", "below", "not reproduced", "not compared"
std::string_view word(Verdict verdict);
/// Explains the verdicts in a few sentences, for a note below a table.
std::string_view meaning_of_verdicts();

/// The number of means with each verdict, without those shown in figures only.
struct Tally {
  int reproduced = 0, consistent = 0, below = 0, missed = 0;
  int not_compared = 0;

  int compared() const { return reproduced + consistent + below + missed; }
};
/// "4 of 10 published numbers reproduced, 3 consistent with inputs chosen to fit, 3 below
/// (rounding); 2 not compared", or a sentence that there is nothing to compare.
std::string in_words(const Tally& tally);

struct ReproducedMean {
  const PublishedMean* published;
  double ours = 0;  ///< in the paper's unit
  /// The allowed range of the printed number or of ours, depending on the AcceptanceRule; in the
  /// unit of the paper. If the number is not compared: the range of our numbers, if the run has a
  /// variation.
  std::optional<Range> allowed;
  Verdict verdict = Verdict::not_compared;
};

struct ReproducedRun {
  const PublishedRun* published;
  Scenario scenario;
  double joules = 1;         ///< per unit of energy of the paper
  std::vector<Sample> rows;  ///< every step, including the initial state
  std::vector<ReproducedMean> means;

  /// The mean of a quantity; the run must have one.
  const ReproducedMean& mean(Quantity quantity) const;
  /// The unit of a mean: "J", "m g l", "1".
  std::string_view unit(const ReproducedMean& mean) const;
};

Tally tally(const std::vector<ReproducedRun>& runs);

/// Simulates these runs and their variations on `threads` threads, or as many as can be started;
/// the result does not depend on their number. `proceed` is called on the calling thread with the
/// number of finished and of all simulations, a few times a second, or with one thread after every
/// simulation. If it returns false, the work stops and the result is empty. A failed step is an
/// error of kind numerical.
Result<std::vector<ReproducedRun>> reproduce(
    const std::vector<const PublishedRun*>& runs, int threads,
    const std::function<bool(std::size_t done, std::size_t all)>& proceed);

/// The scenario with every component of q and ω moved by up to `size`, then projected onto the
/// sphere and its tangent plane. A seed gives the same start on every platform.
Scenario moved_start(const Scenario& scenario, double size, std::uint64_t seed);

/// The range of the central 95 % of the values: 2.5 % are omitted at either end. `values` must not
/// be empty.
Range central_band(std::vector<double> values);

}  // namespace twosphere
