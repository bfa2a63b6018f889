// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace twosphere::test {

/// Whether long benchmarks run in full, set by TWOSPHERE_LONG. Otherwise they are shortened and
/// report by how much.
inline bool long_runs() { return std::getenv("TWOSPHERE_LONG") != nullptr; }

/// The results of the benchmarks of one run, by name; NaN for a benchmark that did not run or
/// failed.
class Measured {
 public:
  struct Result {
    double seconds;  ///< per iteration: CPU time, or real time if the benchmark requests it
    std::map<std::string, double> counters;
  };

  explicit Measured(std::map<std::string, Result> results) : results_(std::move(results)) {}

  /// Time of one iteration [s].
  double seconds(const std::string& name) const;
  /// Iterations per second.
  double rate(const std::string& name) const { return 1 / seconds(name); }
  /// How many times faster `name` is than `baseline`.
  double speedup(const std::string& name, const std::string& baseline) const {
    return seconds(baseline) / seconds(name);
  }
  double counter(const std::string& name, const std::string& key) const;
  /// p of time ~ n^p, by least squares of log t on log n over the runs FAMILY/n with n ≥ `from`;
  /// NaN for fewer than two.
  double exponent(const std::string& family, double from = 1) const;

 private:
  std::map<std::string, Result> results_;
};

/// A target for benchmark results: one row of the final table.
struct Target {
  enum class Bound { at_least, at_most };

  std::string work;  ///< what is measured, with its size
  std::string unit;
  Bound bound;
  double goal;
  std::function<double(const Measured&)> value;
  std::string why;  ///< known limitation, printed if the target is missed
};

/// Adds rows, in the order of the calls within a file. Returns true, so that a constant can be
/// initialised with it beside the benchmarks.
bool add_targets(std::vector<Target> targets);

}  // namespace twosphere::test
