// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the benchmarks, on one thread where they do not say otherwise, and says of every target
// whether it was met. Where repetitions are asked for, medians count; beside them stands what the
// fastest repetition of each benchmark comes to, as other work of the machine only adds to a time.
// For that every repetition must be reported, not aggregates only. A missed target is not an error;
// a benchmark that fails is. With TWOSPHERE_UPDATE=1 those tables of docs/benchmarks.md are written
// anew of which every entry was measured.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <utility>

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
std::vector<Table>& tables() {
  static std::vector<Table> all;
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

/// Puts a table into docs/benchmarks.md, after the line that begins it.
void write(const std::string& begin, const std::string& table) {
  const std::string path = TWOSPHERE_SOURCE_DIR "/docs/benchmarks.md", end = "<!-- end -->";
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t from = text.find(begin), to = text.find(end, from);
  if (from == text.npos || to == text.npos) {
    fmt::print(stderr, "{} has no line {}", path, begin);
    return;
  }
  text.replace(from + begin.size(), to - from - begin.size(), table);
  std::ofstream(path, std::ios::binary) << text;
  fmt::print("{} has a new table, {}", path, begin);
}

/// "AMD EPYC, 2 processors, code for avx512, 0.1.0."
std::string machine() {
  return fmt::format("{}, {} processors, code for {}, {}.\n\n", processor(),
                     std::thread::hardware_concurrency(), isa_level(), program_version());
}

/// With three digits: "14.2 µs", "1.02".
std::string printed(const Cell& cell, double value) {
  if (cell.as == Cell::As::ratio) return fmt::format("{:.3g}", value);
  constexpr std::array<std::pair<double, const char*>, 4> units{
      {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}}};
  std::size_t k = 0;
  while (k + 1 < units.size() && value / units[k].first >= 999.5) ++k;
  return fmt::format("{:.3g} {}", value / units[k].first, units[k].second);
}

/// The text of a table; none if an entry was not measured.
std::string text_of(const Table& table, const Measured& measured) {
  std::string text = table.head + "\n";
  const auto columns = std::count(table.head.begin(), table.head.end(), '|') - 1;
  for (std::ptrdiff_t k = 0; k < columns; ++k) text += "|---";
  text += "|\n";
  for (const Table::Row& row : table.rows) {
    text += "| " + row.work;
    for (const Cell& cell : row.cells) {
      const double value = cell.value ? cell.value(measured) : 0;
      if (std::isnan(value)) return {};
      text += cell.value ? " | " + printed(cell, value) : " |";
    }
    text += " |\n";
  }
  return text;
}

void report(const Measured& typical, const Measured& fastest) {
  fmt::print("\nCode for {}.\n{:<72} {:>10} {:>10} {:>10}  {}\n", isa_level(), "target", "goal",
             "measured", "fastest", "verdict");
  std::string table =
      machine() + "| work | goal | measured | fastest | verdict |\n|---|---|---|---|---|\n";
  std::string missing;
  for (const Target& target : targets()) {
    const double value = target.value(typical), best = target.value(fastest);
    if (std::isnan(value)) {
      missing += fmt::format("  {}\n", target.work);
      continue;
    }
    const bool least = target.bound == Target::Bound::at_least,
               other = target.goal_avx512 > 0 && isa_level() == "avx512";
    const double wanted = other ? target.goal_avx512 : target.goal;
    const auto meets = [&](double x) { return least ? x >= wanted : x <= wanted; };
    const double part = least ? value / wanted : wanted / value;
    const std::string work = target.work + " [" + target.unit + "]",
                      goal = fmt::format("{} {:.4g}", least ? "≥" : "≤", wanted),
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
  if (!std::getenv("TWOSPHERE_UPDATE")) return;
  for (const Table& other : tables())
    if (const std::string text = text_of(other, typical);
        !text.empty() && (long_runs() || !other.needs_long_runs))
      write(fmt::format("<!-- bench: {}{} -->\n", other.key,
                        other.of_level ? fmt::format(", {}", isa_level()) : std::string()),
            machine() + text);
  if (missing.empty() && long_runs())
    write("<!-- targets, by scripts/bench -->\n", table);
  else
    fmt::print("The table of targets stays as it is. Not measured:\n{}", missing);
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

Cell time_of(std::string name, double parts) {
  return {[name = std::move(name), parts](const Measured& m) { return m.seconds(name) / parts; }};
}

Cell time_counted(std::string name, std::string key, double seconds) {
  return {[name = std::move(name), key = std::move(key), seconds](const Measured& m) {
    return seconds * m.counter(name, key);
  }};
}

Cell ratio_of(std::string name, std::string other) {
  return {[name = std::move(name), other = std::move(other)](const Measured& m) {
            return m.seconds(name) / m.seconds(other);
          },
          Cell::As::ratio};
}

bool add_table(Table table) {
  tables().push_back(std::move(table));
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
