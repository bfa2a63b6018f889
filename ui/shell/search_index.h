// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scenario/scenario.h"

/// Everything that the search of the window finds.
namespace twosphere::ui {

struct SearchEntry {
  enum class Kind {
    action,    ///< target: ActionInfo::id
    preset,    ///< Preset::key
    field,     ///< in the left column: the widget, or what its name begins with
    quantity,  ///< a plot in the notation of settings files
    figure,    ///< of the paper: its number
    tour,      ///< its name
    help,      ///< a section of a help page: "three_body#Exercises"
  };
  Kind kind = Kind::action;
  std::string title;   ///< "Lyapunov exponents"
  std::string place;   ///< where it is: its menu, the section of the left column, the page
  std::string words;   ///< further words by which it is found, from resources/search.json
  std::string text;    ///< what it is or does
  std::string target;  ///< what it leads to
  std::string key{};   ///< the shortcut of an action
};

/// Further words by which what has this id is found, from resources/search.json.
std::string words_by_id(std::string_view id);

/// The actions, the fields of this scenario, the presets, its quantities, the figures of the paper,
/// the tours and the sections of the help pages, in this order.
std::vector<SearchEntry> search_index(const Scenario& present);

/// The entries that have every word of `typed`: those whose titles begin with it first, then those
/// with the words in their titles, both by word_score(); then those with them in their other words,
/// in their texts, and last with one letter wrong, in the order of the index.
std::vector<const SearchEntry*> search(std::string_view typed, std::span<const SearchEntry> index);

}  // namespace twosphere::ui
