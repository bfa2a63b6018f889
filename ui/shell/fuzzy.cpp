// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/fuzzy.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace twosphere::ui {

namespace {

constexpr int for_letter = 4, for_row = 9, for_word = 8, for_start = 4;
constexpr int never = std::numeric_limits<int>::min() / 2;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_word(std::string_view text, std::size_t i) {
  return i == 0 || text[i - 1] == ' ' || text[i - 1] == '-' || text[i - 1] == '_';
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view typed, std::string_view text) {
  std::string letters;
  for (const char c : typed)
    if (c != ' ') letters += lower(c);
  if (letters.empty()) return 0;
  // best[i]: best score of the letters so far with the last one at text[i].
  std::vector<int> best(text.size(), never), next(text.size());
  for (std::size_t k = 0; k < letters.size(); ++k) {
    int before = never;  // best score with the previous letter anywhere left of i
    for (std::size_t i = 0; i < text.size(); ++i) {
      next[i] = never;
      if (lower(text[i]) == letters[k]) {
        const int here =
            for_letter + (starts_word(text, i) ? for_word : 0) + (i == 0 ? for_start : 0);
        if (k == 0)
          next[i] = here;
        else
          next[i] = std::max(before, i > 0 ? best[i - 1] + for_row : never) + here;
      }
      before = std::max(before, best[i]);
    }
    best = next;
  }
  const int most = best.empty() ? never : *std::max_element(best.begin(), best.end());
  if (most < 0) return {};
  return 16 * most - static_cast<int>(std::min<std::size_t>(text.size(), 255));
}

}  // namespace twosphere::ui
