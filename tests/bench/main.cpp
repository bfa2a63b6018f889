// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the benchmarks, on one thread where they do not say otherwise, and says of every target
// whether it was met. Where repetitions are asked for, medians count; beside them stands what the
// fastest repetition of each benchmark comes to, as other work of the machine only adds to a time.
// For that every repetition must be reported, not aggregates only. A missed target is not an error;
// a benchmark that fails is. With TWOSPHERE_UPDATE=1 the table of docs/benchmarks.md is written
// anew, if every target was measured.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>

#include "core/base/build.h"
#include "core/base/simd_level.h"
#include "core/base/thread_pool.h"
#include "tests/bench/target.h"

namespace twosphere::test {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

/// Of one iteration [s]: CPU time, or by the clock where the benchmark asks for it or measures.
double seconds_of(const benchmark::BenchmarkReporter::Run& run) {
  const std::string& type = run.run_name.time_type;
  const bool real = type.ends_with("real_time") || type.ends_with("manual_time");
  return (real ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime()) /
         benchmark::GetTimeUnitMultiplier(run.time_unit);
}

/// Writes to the console what is typical of a benchmark, and keeps it.
class Keeping final : public benchmark::ConsoleReporter {
 public:
  Keeping() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<Run> shown;
    for (const Run& run : runs) {
      if (run.error_occurred) failed_ = true;
      const bool repeated = run.run_type == Run::RT_Iteration && run.repetitions > 1;
      if (!repeated || run.error_occurred) shown.push_back(run);
      if (run.error_occurred || run.report_big_o || run.report_rms) continue;
      const std::string name = run.run_name.str();
      if (run.run_type == Run::RT_Iteration) {
        double& fastest = fastest_.try_emplace(name, seconds_of(run)).first->second;
        fastest = std::min(fastest, seconds_of(run));
      }
      if (repeated || !(run.run_type == Run::RT_Iteration || run.aggregate_name == "median"))
        continue;
      Result result{seconds_of(run), {}};
      for (const auto& [key, counter] : run.counters) result.counters[key] = counter.value;
      typical_[name] = std::move(result);
    }
    if (!shown.empty()) ConsoleReporter::ReportRuns(shown);
  }

  Measured typical() const { return Measured(typical_); }
  /// The shortest times; counters are the typical ones.
  Measured fastest() const {
    auto results = typical_;
    for (auto& [name, result] : results)
      if (const auto found = fastest_.find(name); found != fastest_.end())
        result.seconds = found->second;
    return Measured(std::move(results));
  }
  bool failed() const { return failed_; }

 private:
  using Result = Measured::Result;
  std::map<std::string, Result> typical_;
  std::map<std::string, double> fastest_;  // [s]
  bool failed_ = false;
};

/// "AMD EPYC 7B13", as Linux names it.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  return "unknown processor";
}

/// Puts the table into docs/benchmarks.md.
void write(const std::string& table) {
  const std::string path = TWOSPHERE_SOURCE_DIR "/docs/benchmarks.md",
                    begin = "<!-- targets, by scripts/bench -->\n", end = "<!-- end -->";
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t from = text.find(begin), to = text.find(end, from);
  if (from == text.npos || to == text.npos) {
    fmt::print(stderr, "{} has no place for the table\n", path);
    return;
  }
  text.replace(from + begin.size(), to - from - begin.size(), table);
  std::ofstream(path, std::ios::binary) << text;
  fmt::print("{} has this table now.\n", path);
}

void report(const Measured& typical, const Measured& fastest) {
  fmt::print("\nCode for {}.\n{:<72} {:>10} {:>10} {:>10}  {}\n", isa_level(), "target", "goal",
             "measured", "fastest", "verdict");
  std::string table = fmt::format(
      "{}, {} processors, code for {}, {}.\n\n| work | goal | measured | fastest | verdict |\n"
      "|---|---|---|---|---|\n",
      processor(), std::thread::hardware_concurrency(), isa_level(), program_version());
  std::string missing;
  for (const Target& target : targets()) {
    const double value = target.value(typical), best = target.value(fastest);
    if (std::isnan(value)) {
      missing += fmt::format("  {}\n", target.work);
      continue;
    }
    const bool least = target.bound == Target::Bound::at_least;
    const auto meets = [&](double x) { return least ? x >= target.goal : x <= target.goal; };
    const double part = least ? value / target.goal : target.goal / value;
    const std::string work = target.work + " [" + target.unit + "]",
                      goal = fmt::format("{} {:.4g}", least ? "≥" : "≤", target.goal),
                      measured = fmt::format("{:.4g}", value),
                      shortest = best == value ? "" : fmt::format("{:.4g}", best),
                      verdict = meets(value) ? std::string("met")
                                             : fmt::format("missed: {:.0f} % of it", 100 * part);
    fmt::print("{:<72} {:>10} {:>10} {:>10}  {}\n", work, goal, measured, shortest, verdict);
    std::string cell;
    for (const char c : work) cell += c == '|' ? "\\|" : std::string(1, c);
    table += fmt::format("| {} | {} | {} | {} | {} |\n", cell, goal, measured, shortest, verdict);
    if (meets(value)) continue;
    fmt::print("  as {}{}\n", target.why,
               meets(best) ? "; met with the fastest repetition of each benchmark" : "");
  }
  if (!std::getenv("TWOSPHERE_UPDATE") || !long_runs()) return;
  if (missing.empty())
    write(table);
  else
    fmt::print("docs/benchmarks.md stays as it is. Not measured:\n{}", missing);
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
  if (const auto forced = twosphere::force_isa_from_environment(); !forced) {
    fmt::print(stderr, "{}\n", forced.error().text());
    return 2;
  }
  twosphere::set_threads(1);
  twosphere::test::Keeping reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  twosphere::test::report(reporter.typical(), reporter.fastest());
  return reporter.failed() ? 1 : 0;
}
