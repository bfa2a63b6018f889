// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the benchmarks, on one thread where they do not say otherwise, and says of every target
// whether it was met. Where repetitions are asked for, medians count. A missed target is not an
// error; a benchmark that fails is.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "core/parallel.h"
#include "tests/bench/target.h"

namespace twosphere::test {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

/// Writes what it is given to the console, and keeps it.
class Keeping final : public benchmark::ConsoleReporter {
 public:
  Keeping() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.error_occurred) failed_ = true;
      const bool single = run.run_type == Run::RT_Iteration && run.repetitions <= 1;
      if (run.error_occurred || run.report_big_o || run.report_rms ||
          !(single || run.aggregate_name == "median"))
        continue;
      // By the clock, or as the benchmark has measured it.
      const std::string& type = run.run_name.time_type;
      const bool real = type.ends_with("real_time") || type.ends_with("manual_time");
      Measured::Result result{(real ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime()) /
                                  benchmark::GetTimeUnitMultiplier(run.time_unit),
                              {}};
      for (const auto& [key, counter] : run.counters) result.counters[key] = counter.value;
      measured_.add(run.run_name.str(), std::move(result));
    }
  }

  const Measured& measured() const { return measured_; }
  bool failed() const { return failed_; }

 private:
  Measured measured_;
  bool failed_ = false;
};

void report(const Measured& measured) {
  fmt::print("\n{:<68} {:>12} {:>12}  {}\n", "target", "goal", "measured", "verdict");
  for (const Target& target : targets()) {
    const double value = target.value(measured);
    if (std::isnan(value)) continue;
    const bool least = target.bound == Target::Bound::at_least;
    const bool met = least ? value >= target.goal : value <= target.goal;
    const double part = least ? value / target.goal : target.goal / value;
    fmt::print("{:<68} {:>12} {:>12}  {}\n", target.work + " [" + target.unit + "]",
               fmt::format("{} {:.4g}", least ? "≥" : "≤", target.goal),
               fmt::format("{:.4g}", value),
               met ? std::string("met") : fmt::format("missed: {:.0f} % of it", 100 * part));
    if (!met && !target.why.empty()) fmt::print("  as {}\n", target.why);
  }
}

}  // namespace

double Measured::seconds(const std::string& name) const {
  const auto found = results_.find(name);
  return found == results_.end() ? none : found->second.seconds;
}

double Measured::counter(const std::string& name, const std::string& key) const {
  const auto found = results_.find(name);
  if (found == results_.end()) return none;
  const auto value = found->second.counters.find(key);
  return value == found->second.counters.end() ? none : value->second;
}

double Measured::exponent(const std::string& family, double from) const {
  double count = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [name, result] : results_) {
    if (name.rfind(family + "/", 0) != 0) continue;
    const double n = std::strtod(name.c_str() + family.size() + 1, nullptr);
    if (!(n >= from)) continue;
    const double u = std::log(n), v = std::log(result.seconds);
    count += 1, x += u, y += v, xx += u * u, xy += u * v;
  }
  return count < 2 ? none : (count * xy - x * y) / (count * xx - x * x);
}

bool add_targets(std::vector<Target> rows) {
  for (Target& row : rows) targets().push_back(std::move(row));
  return true;
}

}  // namespace twosphere::test

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  twosphere::set_threads(1);
  twosphere::test::Keeping reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  twosphere::test::report(reporter.measured());
  return reporter.failed() ? 1 : 0;
}
