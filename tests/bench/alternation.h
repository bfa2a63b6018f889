// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/target.h"

namespace twosphere::test {

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Two ways to take so many steps, each of which gives its steps per second, or 0 if it fails: in
/// turn, 21 times at full length. The counter `share` is the median over the rounds of the first
/// speed over the second; the median speeds are the counters `steps/s` and `name`.
inline void compare_speeds(benchmark::State& loop, std::int64_t steps,
                           const std::function<double()>& first,
                           const std::function<double()>& second, const std::string& name) {
  for (auto _ : loop) {
    std::vector<double> one, other, shares;  // steps/s
    for (int round = long_runs() ? 21 : 1; round > 0; --round) {
      one.push_back(first());
      other.push_back(second());
      if (one.back() == 0 || other.back() == 0) {
        loop.SkipWithError("the run fails");
        return;
      }
      shares.push_back(one.back() / other.back());
    }
    loop.SetIterationTime(static_cast<double>(steps) / median(one));
    loop.counters["steps/s"] = median(one);
    loop.counters[name] = median(other);
    loop.counters["share"] = median(shares);
  }
}

/// Of a benchmark that measures its time itself and runs once.
inline void by_the_clock(benchmark::internal::Benchmark* of) {
  of->UseManualTime()->Iterations(1)->Repetitions(1)->Unit(benchmark::kMillisecond);
}
/// The counter `share` of such a benchmark.
inline auto share_of(std::string benchmark) {
  return [name = std::move(benchmark)](const Measured& m) {
    return m.counter(name + "/iterations:1/repeats:1/manual_time", "share");
  };
}

}  // namespace twosphere::test
