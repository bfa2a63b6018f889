// SPDX-License-Identifier: GPL-3.0-or-later
// The tours name actions, plots and widgets that there are.
#include "ui/shell/tour_names.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/outcome.h"
#include "tests/ui/desk.h"
#include "ui/shell/preset_list.h"

namespace twosphere::tour_names_test {
namespace {

using namespace ui;
using namespace ui_test;

TEST(TourNames, AreThoseOfTheWindow) {
  EXPECT_TRUE(tour_names().is_plot("energy_error logarithmic"));
  EXPECT_FALSE(tour_names().is_plot("energy_eror"));
  EXPECT_EQ(tour_names().actions.size(), actions().size());
}

TEST(TourNames, EveryTourCanBeReadWithThem) {
  for (const TourEntry& entry : tour_entries()) {
    const Tour tour = test::value_of(load_tour(entry.name, tour_names()));
    EXPECT_EQ(tour.name, entry.name);
    // A ring is around a plot that the steps so far have asked for.
    std::set<std::string> plots;
    for (const TourStep& step : tour.steps) {
      for (const TourInstruction& instruction : step.instructions)
        if (instruction.word == TourInstruction::Word::plots)
          for (const std::string& plot : instruction.plots)
            plots.insert("plot/" + test::value_of(parse_plot(plot)).y.key());
      EXPECT_TRUE(step.ring.empty() || plots.contains(step.ring))
          << entry.name << ": " << step.ring;
    }
  }
}

TEST(TourNames, EachTourIsOnceInTheRowsOfThePage) {
  std::multiset<std::string> listed;
  for (const PresetRow& row : preset_rows())
    for (const std::size_t index : row.tours) listed.insert(tour_entries()[index].name);
  EXPECT_EQ(listed.size(), tour_entries().size());
  for (const TourEntry& entry : tour_entries())
    EXPECT_EQ(listed.count(entry.name), 1u) << entry.name;
  EXPECT_EQ(preset_rows().front().title, "Begin here");
  EXPECT_FALSE(preset_rows().front().tours.empty());
}

}  // namespace
}  // namespace twosphere::tour_names_test
