// SPDX-License-Identifier: GPL-3.0-or-later
// A branch of a scenario is run as the file would be in which its events are written out.
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/session/run_command.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "core/scenario/branches.h"
#include "core/scenario/reader.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "tests/app/cli/run_program.h"

namespace twosphere::command_line_branch_test {
namespace {

constexpr const char* shared_event = R"({"step": 20, "set": {"system.gravity": 5}})";
constexpr const char* branch_events =
    R"({"step": 50, "set": {"system.gravity": 1.62}}, {"step": 60, "set": {"integrator.type": "rk4"}},
       {"step": 80, "set": {"system.masses[0]": 2, "integrator.step": 0.02}})";

class Branched : public CommandLine {
 protected:
  Branched() {
    const auto write = [&](const char* name, const std::string& events,
                           const std::string& branches) {
      auto root = *json::parse(find_preset("double_spherical_pendulum")->text, "p");
      root.set("duration", json::Node(2.0));
      root.set("events", *json::parse("[" + events + "]", "e"));
      if (!branches.empty()) root.set("branches", *json::parse("[" + branches + "]", "b"));
      EXPECT_TRUE(write_file(in(name), json::write(root)));
    };
    const std::string shared = shared_event,
                      late = R"({"step": 100, "set": {"system.gravity": 3}})";
    write("all.json", shared + ", " + late,
          R"({"name": "on the moon", "from_step": 50, "events": [)" + std::string(branch_events) +
              R"(]}, {"name": "plain", "from_step": 100, "events": []})");
    write("moon.json", shared + ", " + branch_events, "");
    write("main.json", shared + ", " + late, "");
  }

  /// A companion without the line that names the branch.
  std::string unnamed(const std::string& file) {
    std::string out;
    for (const std::string& line : lines(text(file)))
      if (line.find("\"branch\": ") == std::string::npos) out += line + '\n';
    return out;
  }
};

TEST_F(Branched, TheFilesAreThoseOfTheEventsWrittenOut) {
  const auto run_as = [&](Words from, const std::string& name) {
    from.insert(from.begin(), "run");
    from.insert(from.end(), {"--csv", name + ".csv", "--trajectory", name + ".way.csv", "--field",
                             name + ".field.csv", "--save-state", name + ".state.json"});
    const Outcome o = run(from);
    EXPECT_EQ(o.status, 0) << o.err;
    return lines(o.out);
  };
  for (const Words& more :
       {Words{}, Words{"--steps", "120"}, Words{"--set", "system.damping=0.1"}}) {
    Words branch{"all.json", "--branch", "on the moon"}, written{"moon.json"};
    branch.insert(branch.end(), more.begin(), more.end());
    written.insert(written.end(), more.begin(), more.end());
    Words said = run_as(branch, "a"), expected = run_as(written, "b");
    for (const char* file : {".csv", ".way.csv", ".field.csv", ".state.json"})
      EXPECT_EQ(text(std::string("a") + file), text(std::string("b") + file)) << file;
    for (const char* file : {".csv.json", ".way.csv.json", ".field.csv.json"}) {
      EXPECT_NE(text(std::string("a") + file).find("\"branch\": \"on the moon\""),
                std::string::npos);
      EXPECT_EQ(unnamed(std::string("a") + file), text(std::string("b") + file)) << file;
    }
    ASSERT_EQ(said.size(), expected.size() + 1);
    EXPECT_EQ(said[0], "branch: on the moon");
    said.erase(said.begin());
    said.back() = expected.back() = "";  // steps per second
    EXPECT_EQ(said, expected);
  }
  // Without --branch they are of the scenario's own events.
  Words said = run_as({"all.json"}, "a"), expected = run_as({"main.json"}, "b");
  for (const char* file : {".csv", ".csv.json", ".state.json"})
    EXPECT_EQ(text(std::string("a") + file), text(std::string("b") + file)) << file;
  EXPECT_EQ(said.size(), expected.size());
  // The plain branch leaves out what comes later.
  run_as({"all.json", "--branch", "plain", "--every", "1"}, "p");
  run_as({"main.json", "--every", "1"}, "m");
  const Words p = lines(text("p.csv")), m = lines(text("m.csv"));
  ASSERT_EQ(p.size(), m.size());
  EXPECT_TRUE(std::equal(p.begin(), p.begin() + 102, m.begin()));
  EXPECT_NE(p.back(), m.back());
}

TEST_F(Branched, TheSummaryNamesIt) {
  Outcome o = run({"run", "all.json", "--branch", "plain", "--json"});
  ASSERT_EQ(o.status, 0) << o.err;
  auto root = json::parse(o.out, "o");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->members[0].first, "branch");
  EXPECT_EQ(root->find("branch")->text, "plain");
  const Words lanes{"run",          "all.json", "--branch",     "plain",
                    "--integrator", "rk4",      "--integrator", "variational"};
  o = run(lanes);
  ASSERT_EQ(o.status, 0) << o.err;
  const Words all = lines(o.out);
  EXPECT_EQ((Words{all[0], all[1], all[2]}), (Words{"branch: plain", "", "lane: rk4"}));
  Words as_json = lanes;
  as_json.push_back("--json");
  root = json::parse(run(as_json).out, "o");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find("branch")->text, "plain");
  EXPECT_EQ(root->find("lanes")->items.size(), 2U);
}

TEST_F(Branched, WhatDoesNotExistIsRefused) {
  const auto refused = [&](Words words, const std::string& message) {
    const Outcome o = run(words);
    EXPECT_EQ(o.status, 2) << o.out;
    EXPECT_TRUE(o.err.starts_with("twosphere: " + message)) << o.err;
  };
  const std::string known = "known: \"on the moon\", \"plain\"\n";
  for (const Words& command :
       {Words{"run"}, Words{"render", "--time", "1", "--png", "x.png"}, Words{"verify"}}) {
    Words words = command;
    words.insert(words.end(), {"all.json", "--branch", "plan"});
    refused(words, "--branch: unknown branch \"plan\"; did you mean \"plain\"? " + known);
  }
  refused({"run", "all.json", "--branch", "mars"}, "--branch: unknown branch \"mars\"; " + known);
  refused({"run", "main.json", "--branch", "plain"},
          "--branch: unknown branch \"plain\"; the scenario has no branches");
  refused({"run", "all.json", "--branch", ""}, "--branch: a value is missing");
  refused({"run", "all.json", "--set", "branches[0].from_step=3"},
          "--set: branches[0].from_step: branches cannot be changed");
  refused({"verify", "--all", "--branch", "plain"}, "--branch: applies to one scenario");
  refused({"list", "--branches", "all.json", "--systems"}, "list: --systems, --integrators, ");
}

TEST_F(Branched, AreListed) {
  Outcome o = run({"list", "--branches", "all.json"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(lines(o.out), (Words{"on the moon\tafter 50 steps (0.5 s), 3 events",
                                 "plain\tafter 100 steps (1 s), 0 events"}));
  o = run({"list", "--branches", "-"}, text("moon.json"));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(run({"list", "--branches", "none.json"}).status, 4);
}

TEST_F(Branched, WhatIsNotSeenIsPrintedEscaped) {
  std::string all = text("all.json");
  const std::string name = "\"plain\"";
  all.replace(all.find(name), name.size(), "\"a\u202e\u200b\"");
  ASSERT_TRUE(write_file(in("hidden.json"), all));
  const Outcome listed = run({"list", "--branches", "hidden.json"});
  EXPECT_NE(listed.out.find("a\\u202e\\u200b\tafter "), std::string::npos) << listed.out;
  const Outcome missing = run({"run", "no\u202e\u009b.json"});
  EXPECT_EQ(missing.err, "twosphere: no\\u202e\\u009b.json: No such file or directory\n");
}

TEST_F(Branched, AreVerified) {
  const Outcome o = run({"verify", "all.json", "--branch", "on the moon", "--steps", "55"});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(o.out.starts_with("ok: all.json (on the moon) variational: 2 × 55 steps")) << o.out;
}

TEST_F(Branched, AreDrawn) {
  const auto draw = [&](Words words, const std::string& name) {
    words.insert(words.begin(), "render");
    words.insert(words.end(), {"--time", "1", "--size", "240x150", "--png", name});
    const Outcome o = run(words, "", [] { ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1); });
    EXPECT_EQ(o.status, 0) << o.err;
    return text(name);
  };
  const std::string branch = draw({"all.json", "--branch", "on the moon"}, "a.png");
  EXPECT_EQ(branch, draw({"moon.json"}, "b.png"));
  EXPECT_NE(branch, draw({"all.json"}, "c.png"));
}

TEST_F(Branched, AreVideoedBackwards) {
  const auto video = [&](Words words, const std::string& name) {
    words.insert(words.begin(), "render");
    words.insert(words.end(),
                 {"--from", "0.3", "--to", "1", "--fps", "10", "--size", "64x40", "--film", name});
    const Outcome o = run(words, "", [] { ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1); });
    EXPECT_EQ(o.status, 0) << o.err;
  };
  video({"all.json", "--branch", "on the moon", "--backwards"}, "a/");
  video({"moon.json"}, "b/");
  video({"all.json"}, "c/");
  for (int k = 0; k < 8; ++k) {
    const std::string first = "frame_00000" + std::to_string(k) + ".png",
                      last = "frame_00000" + std::to_string(7 - k) + ".png";
    EXPECT_EQ(text("a/" + first), text("b/" + last)) << k;
  }
  EXPECT_NE(text("a/frame_000000.png"), text("c/frame_000007.png"));
}

TEST_F(Branched, TheCommandThatRepeatsARunNamesIt) {
  const Scenario all = *load_scenario(in("all.json"));
  Scenario record = *branch_record(all, "on the moon");
  record.every = base_stride(record);
  const auto line = run_command({record, 120, in("all.json")});
  ASSERT_TRUE(line) << line.error().text();
  EXPECT_NE(line->find("all.json --branch 'on the moon' --steps 120 --every 1"), std::string::npos)
      << *line;
}

}  // namespace
}  // namespace twosphere::command_line_branch_test
