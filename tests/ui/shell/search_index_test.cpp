// SPDX-License-Identifier: GPL-3.0-or-later
// What the search finds first, and where it leads.
#include "ui/shell/search_index.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/tours/tour.h"
#include "tests/documents.h"
#include "tests/outcome.h"
#include "tests/ui/desk.h"
#include "ui/shell/preset_list.h"
#include "ui/shell/tour_names.h"

namespace twosphere::search_index_test {
namespace {

using namespace ui;
using namespace ui_test;

TEST(SearchIndex, FindsWhatIsMeant) {
  const std::vector<SearchEntry> index = search_index(preset_entries().front().scenario());
  const std::vector<std::pair<std::string, std::string>> first{
      {"chaos", "Lyapunov exponents"},
      {"lyapunov", "Lyapunov exponents"},
      {"sensitivity", "Lyapunov exponents"},
      {"exponents", "Lyapunov exponents"},
      {"cloud", "Cloud of nearby starts"},
      {"ensemble", "Cloud of nearby starts"},
      {"map", "Parameter map…"},
      {"sweep", "Parameter map…"},
      {"basin", "Parameter map…"},
      {"bifurcation", "Orbits…"},
      {"bifurcation diagram", "Parameter map…"},
      {"convergence", "Order study…"},
      {"slope", "Order study…"},
      {"poincare", "Section…"},
      {"stroboscope", "Section…"},
      {"fft", "Power spectrum"},
      {"frequencies", "Frequencies…"},
      {"radial distribution", "Pair distribution…"},
      {"screenshot", "Save image…"},
      {"png", "Save image…"},
      {"mp4", "Record video…"},
      {"film", "Record video…"},
      {"movie", "Record video…"},
      {"gif", "Record video…"},
      {"record video", "Record video…"},
      {"html", "Save as web page…"},
      {"phase portrait", "Add plot…"},
      {"damping", "Damping c"},
      {"friction", "Damping c"},
      {"rewi", "Rewind"},
      {"restart", "Rewind"},
      {"undo", "Undo"},
      {"save", "Save"},
      {"state save", "Save state…"},
      {"pause", "Play or pause"},
      {"time step", "Step h"},
      {"duration", "Duration T"},
      {"MASS", "Mass m"},
      {"gravity", "Gravity g"},
      {"start", "Start"},
      {"solver", "Solver statistics"},
      {"scheme", "Integrator"},
      {"sampling", "Sample every K"},
      {"energy error", "Energy error"},
      {"three bodies", "Three bodies on a sphere"},
      {"magnets", "Pendulum over three magnets"},
      {"gas", "Molecules on a sphere"},
      {"liquid crystal", "Quench of a nematic"},
      {"upside down", "Pendulum on a shaken pivot"},
      {"icosahedron", "Thomson's problem"},
      {"figure 3.2", "Figure 3.2: Three bodies on a sphere"},
      {"full screen", "Full screen"},
      {"shortcuts", "Keys"},
      {"csv", "Export CSV…"},
      {"pdf", "Export figure…"},
      {"paraview", "Export trajectory…"},
      {"manual", "Documentation"},
      // With one letter missing, wrong, too many, or two exchanged.
      {"exponets", "Lyapunov exponents"},
      {"vidoe", "Record video…"},
      {"dampign", "Damping c"},
      {"freqencies", "Frequencies…"},
      {"keplr", "Kepler's problem on the sphere"},
      {"graticulle", "Graticule"},
  };
  EXPECT_EQ(first.size(), 63U);
  for (const auto& [typed, title] : first) {
    const std::vector<const SearchEntry*> found = search(typed, index);
    ASSERT_FALSE(found.empty()) << typed;
    EXPECT_EQ(found.front()->title, title) << typed;
  }
  EXPECT_TRUE(search("qwertz", index).empty());
  EXPECT_EQ(search("", index).size(), index.size());
}

TEST(SearchIndex, FindsTheTours) {
  const std::vector<SearchEntry> index = search_index(preset_entries().front().scenario());
  const auto is_first = [&](const char* typed, const char* tour) {
    const auto found = search(typed, index);
    ASSERT_FALSE(found.empty()) << typed;
    EXPECT_EQ(found.front()->kind, SearchEntry::Kind::tour) << typed << found.front()->title;
    EXPECT_EQ(found.front()->target, tour) << typed;
  };
  is_first("there and back", "there_and_back");
  is_first("a potential of", "your_potential");
  is_first("butterfly", "chaos");
  is_first("fractal", "magnets");
  EXPECT_EQ(search("tutorial", index).front()->title, "Tours");
}

TEST(SearchIndex, TheWordsAreOfWhatThereIs) {
  std::set<std::string, std::less<>> ids;
  for (const ActionInfo& action : actions()) ids.emplace(action.id);
  for (const QuantityInfo& quantity : quantities()) ids.emplace(quantity.key);
  for (const TourEntry& tour : tour_entries()) ids.insert("tour/" + tour.name);
  for (const Preset& preset : presets())
    for (const SearchEntry& entry : search_index(test::value_of(read_scenario(preset.text, ""))))
      if (entry.kind == SearchEntry::Kind::field) ids.insert(entry.target);
  const auto file = test::value_of(json::parse(test::text_of("resources/search.json"), "file"));
  EXPECT_GT(file.members.size(), 30U);
  for (const auto& [id, words] : file.members) {
    EXPECT_TRUE(ids.contains(id)) << id;
    EXPECT_FALSE(words.items.empty()) << id;
  }
}

TEST(SearchIndex, EveryEntryLeadsSomewhere) {
  for (const SearchEntry& entry : search_index(preset_entries().front().scenario())) {
    EXPECT_FALSE(entry.title.empty() || entry.place.empty() || entry.target.empty());
    if (entry.kind == SearchEntry::Kind::quantity) {
      EXPECT_TRUE(parse_plot(entry.target)) << entry.target;
    }
    if (entry.kind == SearchEntry::Kind::tour) {
      EXPECT_TRUE(load_tour(entry.target, tour_names())) << entry.target;
    }
    if (entry.kind == SearchEntry::Kind::preset) {
      EXPECT_NE(find_preset(entry.target), nullptr) << entry.target;
    }
  }
  DrawnDesk desk;
  for (const SearchEntry& entry : search_index(desk.scenario)) {
    if (entry.kind != SearchEntry::Kind::field) continue;
    desk.interface.point_at(entry.place, entry.target);
    desk.frames(4);
    const auto& widgets = desk.interface.widgets();
    const auto at = widgets.lower_bound(entry.target);
    ASSERT_NE(at, widgets.end()) << entry.target;
    EXPECT_TRUE(at->first.starts_with(entry.target)) << entry.target;
    EXPECT_GE(at->second.y, 0) << entry.target;
    EXPECT_LE(at->second.y + at->second.height, 754) << entry.target << " is scrolled into view";
  }
  EXPECT_TRUE(desk.interface.animating()) << "while the ring is there";
  desk.frames(130);  // 60 a second
  EXPECT_FALSE(desk.interface.animating());
}

}  // namespace
}  // namespace twosphere::search_index_test
