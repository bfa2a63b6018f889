// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes that events add: tables, trajectories, states and summaries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/json.h"
#include "core/catalog.h"
#include "tests/app/cli/run_program.h"

namespace twosphere::command_line_added_lane_test {
namespace {

class Added : public CommandLine {
 protected:
  Added() {
    write("two.json", R"({"step": 50, "add_lane": {"type": "rk4", "step": 0.005}},
                         {"step": 80, "add_lane": {"type": "rk45", "step": 0.01, "name": "late",
                                                   "from": 1}})");
  }

  void write(const char* name, const std::string& events) {
    auto root = *json::parse(find_preset("double_spherical_pendulum")->text, "p");
    root.set("duration", json::Node(1.0));
    root.set("events", *json::parse("[" + events + "]", "e"));
    EXPECT_TRUE(write_file(in(name), json::write(root)));
  }

  static Words fields(const std::string& row) {
    Words all;
    for (std::size_t at = 0; at <= row.size();) {
      const auto end = std::min(row.find(',', at), row.size());
      all.push_back(row.substr(at, end - at));
      at = end + 1;
    }
    return all;
  }
};

TEST_F(Added, TheirColumnsAreEmptyBefore) {
  const Outcome o = run({"run", "two.json", "--csv", "t.csv", "--trajectory", "way.csv"});
  ASSERT_EQ(o.status, 0) << o.err;
  const Words table = lines(text("t.csv")), header = fields(table[0]);
  ASSERT_EQ(table.size(), 102U);
  ASSERT_EQ((header.size() - 1) % 3, 0U);
  const std::size_t width = (header.size() - 1) / 3;
  EXPECT_TRUE(header[1].starts_with("variational/"));
  EXPECT_TRUE(header[1 + width].starts_with("rk4/"));
  EXPECT_TRUE(header[1 + 2 * width].starts_with("late/"));
  for (std::size_t k = 1; k < table.size(); ++k) {
    const Words row = fields(table[k]);
    ASSERT_EQ(row.size(), header.size()) << k;
    const std::size_t step = k - 1;
    for (std::size_t i = 0; i < header.size(); ++i) {
      const bool begun = i < 1 + width || (i < 1 + 2 * width ? step > 50 : step > 80);
      ASSERT_EQ(row[i].empty(), !begun) << header[i] << " at step " << step;
    }
  }
  EXPECT_EQ(lines(text("way.variational.csv")).size(), 102U);
  EXPECT_EQ(lines(text("way.rk4.csv")).size(), 51U);
  EXPECT_EQ(lines(text("way.late.csv")).size(), 21U);
  EXPECT_EQ(json::parse(text("way.late.csv.json"), "c")->find("lane")->text, "late");
  EXPECT_NE(text("t.csv.json").find("late/total_energy"), std::string::npos);
  // The first lane is what it is alone.
  write("one.json", "");
  ASSERT_EQ(run({"run", "one.json", "--csv", "one.csv"}).status, 0);
  const Words alone = lines(text("one.csv"));
  for (std::size_t k = 1; k < alone.size(); ++k)
    ASSERT_TRUE(table[k].starts_with(alone[k] + ',')) << k;
}

TEST_F(Added, OfARunThatEndsBeforeThereIsNothing) {
  const Outcome o = run({"run", "two.json", "--steps", "60", "--csv", "t.csv", "--trajectory",
                         "way.csv", "--field", "f.csv", "--json"});
  ASSERT_EQ(o.status, 0) << o.err;
  const auto summary = json::parse(o.out, "o");
  ASSERT_TRUE(summary);
  const auto& lanes = summary->find("lanes")->items;
  ASSERT_EQ(lanes.size(), 2U);
  EXPECT_EQ(lanes[1].find("lane")->text, "rk4");
  EXPECT_EQ(lanes[1].find("steps")->number, 20);
  EXPECT_EQ(lanes[1].find("samples")->number, 10);
  EXPECT_NEAR(lanes[1].find("simulated time")->number, 0.1, 1e-12);
  EXPECT_TRUE(lines(text("t.csv")).back().ends_with(",,,"));
  EXPECT_EQ(lines(text("way.late.csv")).size(), 1U);
  EXPECT_TRUE(fs::exists(in("f.rk4.csv")));
  EXPECT_FALSE(fs::exists(in("f.late.csv")));
}

TEST_F(Added, AStateContinuesTheTable) {
  ASSERT_EQ(run({"run", "two.json", "--every", "1", "--csv", "whole.csv"}).status, 0);
  const Words whole = lines(text("whole.csv"));
  for (const int at : {30, 50, 65, 80, 90}) {
    const std::string first = std::to_string(at), rest = std::to_string(100 - at);
    ASSERT_EQ(run({"run", "two.json", "--steps", first, "--save-state", "s.json"}).status, 0);
    const Outcome o = run({"run", "s.json", "--steps", rest, "--every", "1", "--csv", "b.csv"});
    ASSERT_EQ(o.status, 0) << o.err;
    const Words part = lines(text("b.csv"));
    EXPECT_EQ(part[0], whole[0]) << at;
    const auto from = whole.begin() + at + 2;  // the row at the state itself has lanes or not
    EXPECT_TRUE(std::equal(part.begin() + 2, part.end(), from, whole.end())) << at;
  }
  const Outcome o = run({"verify", "two.json", "--steps", "50"});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
}

TEST_F(Added, AreDrawn) {
  const Outcome o = run({"render", "two.json", "--time", "0.9", "--size", "240x150", "--png",
                         "p.png", "--trail", "0.6"},
                        "", [] { ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1); });
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(fs::exists(in("p.png")));
}

TEST_F(Added, WhatIsWrongIsSaidWithItsPlace) {
  write("bad.json", R"({"step": 5, "add_lane": {"type": "rk4", "step": 0.02}})");
  const Outcome o = run({"run", "bad.json"});
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.err.find("events[0].add_lane.step: must be 0.01 s, the step of the run"),
            std::string::npos)
      << o.err;
}

}  // namespace
}  // namespace twosphere::command_line_added_lane_test
