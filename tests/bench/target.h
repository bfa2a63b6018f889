// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace twosphere::test {

/// Whether what takes minutes is wanted at its full length: TWOSPHERE_LONG is set. Otherwise it is
/// cut short, and says by how much.
inline bool long_runs() { return std::getenv("TWOSPHERE_LONG") != nullptr; }

/// What the benchmarks of one run measured, by name. Everything is NaN for a benchmark that did not
/// run, or failed.
class Measured {
 public:
  struct Result {
    double seconds;  ///< of one iteration: CPU time, or real time where the benchmark asked for it
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

/// A goal for what benchmarks measure: one row of the table with which the program ends.
struct Target {
  enum class Bound { at_least, at_most };

  std::string work;  ///< what is measured, of what size
  std::string unit;
  Bound bound;
  double goal;
  std::function<double(const Measured&)> value;
  std::string why;  ///< what holds it back, as far as is known: said where the goal is missed
};

/// Adds rows, in the order of the calls within a file. Returns true, so that a constant can be
/// initialised with it beside the benchmarks.
bool add_targets(std::vector<Target> targets);

}  // namespace twosphere::test
