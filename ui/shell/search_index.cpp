// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/search_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/studies/published.h"
#include "core/tours/tour.h"
#include "embedded/search_words.h"
#include "ui/plot/plot_spec.h"
#include "ui/shell/actions.h"
#include "ui/shell/preset_list.h"
#include "ui/shell/word_search.h"

namespace twosphere::ui {

std::string words_by_id(std::string_view id) {
  static const json::Node file = *json::parse(embedded::search_words().front().text, "search.json");
  return listed_words(file, id);
}

namespace {

using SearchEntries = std::vector<SearchEntry>;

void add_actions(SearchEntries& index) {
  for (const ActionInfo& action : actions())
    if (action.action != Action::command_search)
      index.push_back({.kind = SearchEntry::Kind::action,
                       .title = std::string(action.label),
                       .place = std::string(action.menu),
                       .words = words_by_id(action.id),
                       .text = std::string(action.help),
                       .target = std::string(action.id),
                       .key = std::string(action.key)});
}

void add_presets(SearchEntries& index) {
  for (const PresetEntry& preset : preset_entries())
    index.push_back({.kind = SearchEntry::Kind::preset,
                     .title = preset.title,
                     .place = "Preset",
                     .words = preset.words,
                     .text = preset.description,
                     .target = std::string(preset.key)});
}

void add_fields(SearchEntries& index, const Scenario& present) {
  const auto add = [&](std::string_view section, std::string target, std::string_view label,
                       std::string_view symbol, std::string_view help) {
    std::string title = capitalised(std::string(label));
    if (!symbol.empty()) title += fmt::format(" {}", symbol);
    std::string words = words_by_id(target);
    index.push_back({.kind = SearchEntry::Kind::field,
                     .title = std::move(title),
                     .place = std::string(section),
                     .words = std::move(words),
                     .text = std::string(help),
                     .target = std::move(target)});
  };
  add("About this system", "about/help", "About this system", "",
      "Equations, symbols, what to look at, and the published numbers.");
  for (const ParameterInfo& p : info_of(present).parameters)
    add("Parameters", fmt::format("parameter/{}", p.key), p.label, p.symbol, p.help);
  add("Start", "start", "Start", "", "The initial q and ω of every body.");
  const std::string_view lanes = present.lanes.size() > 1 ? "Integrators" : "Integrator";
  add(lanes, "integrator", "Integrator", "", "The method by which a lane is computed.");
  add(lanes, std::string(step_parameter().key), step_parameter().label, step_parameter().symbol,
      step_parameter().help);
  const LaneSpec& first = present.lanes[0];
  if (const IntegratorInfo* const method = find_integrator(first.type))
    for (const ParameterInfo& p : method->parameters)
      if (const auto value = first.values.find(p.key);
          value != first.values.end() && !value->second.empty())
        add(lanes, fmt::format("integrator.{}", p.key), p.label, p.symbol, p.help);
  add("Run", "run/duration", "Duration", "T", "Simulated time at which the run pauses.");
  add("Run", "run/every", "Sample every", "K", "Energies and errors are recorded every K steps.");
  add("Stop when", "stop/add", "Stop conditions", "", "Conditions that pause the run.");
  add("View", "view/colors", "Colours", "", "Quantity shown by the colours in the scene.");
  add("View", "view/follow", "Follow a body", "", "The camera follows this body.");
  add("View", "view/trail_span", "Length of the trails", "", "Time over which trails fade.");
}

void add_quantities(SearchEntries& index, const Scenario& present) {
  for (const Quantity quantity : csv_quantities(info_of(present))) {
    if (quantity == Quantity::time) continue;
    const QuantityInfo& q = info(quantity);
    index.push_back({.kind = SearchEntry::Kind::quantity,
                     .title = capitalised(std::string(q.label)),
                     .place = "Plot",
                     .words = words_by_id(q.key),
                     .text = std::string(q.help),
                     .target = to_text(plot_of(Signal(quantity)))});
  }
}

void add_figures(SearchEntries& index) {
  const auto add = [&](const std::string& number, const std::string& title) {
    index.push_back({.kind = SearchEntry::Kind::figure,
                     .title = fmt::format("Figure {}: {}", number, title),
                     .place = "Figures of the paper",
                     .words = {},
                     .text = {},
                     .target = number});
  };
  for (const PaperFigure& figure : paper_figures()) add(figure.number, figure.title);
  add(paper_field().number, paper_field().title);
}

void add_tours(SearchEntries& index) {
  for (const TourEntry& tour : tour_entries())
    index.push_back({.kind = SearchEntry::Kind::tour,
                     .title = tour.title,
                     .place = "Tour",
                     .words = words_by_id("tour/" + tour.name),
                     .text = tour.beginning,
                     .target = tour.name});
}

/// The sections of the page of a preset.
void add_help(SearchEntries& index, const Preset& preset) {
  constexpr std::string_view mark = "\n## ";
  const std::string_view page = preset.help;
  const std::string title(page.substr(0, page.find('\n')).substr(std::string_view("# ").size()));
  for (std::size_t at = page.find(mark); at != page.npos;) {
    const std::size_t from = at + mark.size(), line = page.find('\n', from);
    at = page.find(mark, from);
    const std::string heading(page.substr(from, line - from));
    index.push_back({.kind = SearchEntry::Kind::help,
                     .title = fmt::format("{}: {}", title, heading),
                     .place = "Help",
                     .words = {},
                     .text = std::string(page.substr(line, at - line)),
                     .target = fmt::format("{}#{}", preset.key, heading)});
  }
}

bool begins_with(std::string_view title, std::string_view typed) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return typed.size() <= title.size() &&
         std::equal(typed.begin(), typed.end(), title.begin(), same);
}

/// How well an entry answers, less is better: the rank, and by its title the negative score.
std::optional<std::pair<int, int>> rank(std::string_view typed, const SearchEntry& entry) {
  const std::string named = fmt::format("{} {} {}", entry.title, entry.words, entry.place);
  int place = 0;
  const auto ranked = [&](std::optional<int> score) {
    ++place;
    return score ? std::optional(std::pair(place, place <= 2 ? -*score : 0)) : std::nullopt;
  };
  const std::optional<int> in_title = word_score(typed, entry.title);
  if (const auto found = ranked(begins_with(entry.title, typed) ? in_title : std::nullopt))
    return found;
  if (const auto found = ranked(in_title)) return found;
  if (const auto found = ranked(word_score(typed, named))) return found;
  if (const auto found = ranked(word_score(typed, named + ' ' + entry.text))) return found;
  return ranked(word_score(typed, named, Spelling::with_typos));
}

}  // namespace

std::vector<SearchEntry> search_index(const Scenario& present) {
  SearchEntries index;
  add_actions(index);
  add_fields(index, present);
  add_presets(index);
  add_quantities(index, present);
  add_figures(index);
  add_tours(index);
  for (const std::string& key : preset_keys()) add_help(index, *find_preset(key));
  return index;
}

std::vector<const SearchEntry*> search(std::string_view typed, std::span<const SearchEntry> index) {
  std::vector<std::pair<std::pair<int, int>, const SearchEntry*>> found;
  for (const SearchEntry& entry : index)
    if (const auto ranked = rank(typed, entry)) found.emplace_back(*ranked, &entry);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const SearchEntry*> entries;
  for (const auto& [ranked, entry] : found) entries.push_back(entry);
  return entries;
}

}  // namespace twosphere::ui
