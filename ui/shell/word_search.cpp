// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/word_search.h"

#include <algorithm>
#include <vector>

#include "core/base/text.h"

namespace twosphere::ui {

namespace {

constexpr int whole_word = 6, word_beginning = 4, typo = 1, first_word = 2;
constexpr std::size_t min_for_typos = 4;

/// In lower case. Characters beyond ASCII belong to words, but for punctuation.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    text.remove_prefix(character.size());
    const char32_t c = code_point(character);
    const bool capital = c >= 'A' && c <= 'Z', punctuation = c >= 0x2000 && c < 0x2070;
    const bool letter =
        capital || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 0x80 && !punctuation);
    if (letter && !inside) words.emplace_back();
    if (capital)
      words.back() += static_cast<char>(c - 'A' + 'a');
    else if (letter)
      words.back() += character;
    inside = letter;
  }
  return words;
}

/// Whether a word begins with this, but for one letter.
bool begins_but_for_one(std::string_view word, std::string_view typed) {
  const auto differ = std::mismatch(typed.begin(), typed.end(), word.begin(), word.end());
  typed.remove_prefix(static_cast<std::size_t>(differ.first - typed.begin()));
  word.remove_prefix(static_cast<std::size_t>(differ.second - word.begin()));
  if (typed.empty() || word.starts_with(typed.substr(1))) return true;  // one too many
  if (word.empty()) return false;
  const bool wrong = word.substr(1).starts_with(typed.substr(1));
  const bool missing = word.substr(1).starts_with(typed);
  const bool exchanged = typed.size() >= 2 && word.size() >= 2 && typed[0] == word[1] &&
                         typed[1] == word[0] && word.substr(2).starts_with(typed.substr(2));
  return wrong || missing || exchanged;
}

int score_of(std::string_view typed, std::string_view word, Spelling spelling) {
  if (word == typed) return whole_word;
  if (word.starts_with(typed)) return word_beginning;
  const bool forgives = spelling == Spelling::with_typos && typed.size() >= min_for_typos;
  return forgives && begins_but_for_one(word, typed) ? typo : 0;
}

}  // namespace

std::optional<int> word_score(std::string_view typed, std::string_view text, Spelling spelling) {
  const std::vector<std::string> wanted = words_of(typed), words = words_of(text);
  if (wanted.empty()) return 0;
  int sum = 0;
  for (const std::string& one : wanted) {
    int best = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
      if (const int score = score_of(one, words[i], spelling); score > 0)
        best = std::max(best, score + (i == 0 ? first_word : 0));
    if (best == 0) return {};
    sum += best;
  }
  return 256 * sum - static_cast<int>(std::min<std::size_t>(text.size(), 255));
}

std::string listed_words(const json::Node& lists, std::string_view key) {
  const json::Node* const list = lists.find(key);
  return list ? joined(list->items, " ", &json::Node::text) : "";
}

}  // namespace twosphere::ui
