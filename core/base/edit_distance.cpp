// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/edit_distance.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace twosphere {

std::string nearest(std::string_view given, const std::vector<std::string>& candidates,
                    std::size_t max_distance) {
  // Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
  const auto distance = [](std::string_view a, std::string_view b) {
    std::vector<std::size_t> before, last(b.size() + 1), now(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
      now[0] = i;
      for (std::size_t j = 1; j <= b.size(); ++j) {
        const std::size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
        now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + cost});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          now[j] = std::min(now[j], before[j - 2] + 1);
      }
      before = std::exchange(last, now);
    }
    return last[b.size()];
  };
  constexpr std::size_t longest = 64;
  if (given.empty() || given.size() > longest) return {};
  std::string best;
  std::size_t smallest = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : candidates) {
    const bool abbreviated = given.size() >= 3 && candidate.starts_with(given);
    const std::size_t d = abbreviated ? 1 : distance(given, candidate);
    const std::size_t allowed =
        std::min((std::max(given.size(), candidate.size()) + 2) / 3, max_distance);
    if (d <= allowed && d < smallest) {
      smallest = d;
      best = candidate;
    }
  }
  return best;
}

}  // namespace twosphere
