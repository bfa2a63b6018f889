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
  std::string why;         ///< known limitation, printed if the target is missed
  double goal_avx512 = 0;  ///< the goal at that level, if it is another
};

/// Adds rows, in the order of the calls within a file. Returns true, so that a constant can be
/// initialised with it beside the benchmarks.
bool add_targets(std::vector<Target> targets);

/// One entry of a table of docs/benchmarks.md: a time [s] or a ratio, or nothing.
struct Cell {
  enum class As { time, ratio };

  std::function<double(const Measured&)> value{};
  As as = As::time;
};

/// The time of an iteration of a benchmark, divided by the number of parts it has.
Cell time_of(std::string name, double parts = 1);
/// A counter of a benchmark that is a time [s] but for a factor.
Cell time_counted(std::string name, std::string key, double seconds = 1);
/// The time of a benchmark relative to that of another one.
Cell ratio_of(std::string name, std::string other);

/// A table of docs/benchmarks.md, between "<!-- bench: KEY -->" and "<!-- end -->".
struct Table {
  struct Row {
    std::string work;
    std::vector<Cell> cells;
  };

  std::string key;
  std::string head;  ///< the first line: "| | n = 2 | 10 |"
  std::vector<Row> rows;
  bool of_level = false;  ///< one for each instruction set level: "KEY, avx2"
  bool needs_long_runs = false;
};

/// Adds a table, as add_targets() adds rows.
bool add_table(Table table);

}  // namespace twosphere::test
