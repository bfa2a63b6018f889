// SPDX-License-Identifier: GPL-3.0-or-later
// twosphere run --html: a page that plays the run and from which it can be repeated.
#include <filesystem>
#include <string>

#include "core/base/json.h"
#include "core/catalog.h"
#include "core/scenario/page_scenario.h"
#include "tests/app/cli/run_program.h"
#include "tests/outcome.h"
#include "tests/page_stream.h"

namespace twosphere::command_line_page_test {
namespace {

using test::says, test::value_of;

class CommandLinePage : public CommandLine {
 protected:
  /// What a page shows.
  json::Node data(const std::string& page) { return test::page_data(text(page)); }
};

TEST_F(CommandLinePage, HoldsTheFileOfTheScenarioAndIsOneItself) {
  // Spaces, line ends and the order of keys stay.
  const std::string scenario =
      "{ \"twosphere\": 1,\r\n  \"title\": \"</script> & é\",\n  \"duration\": 0.5,\n"
      "  \"integrator\": {\"step\": 0.01,   \"type\": \"rk4\"},\n"
      "  \"system\": {\"type\": \"chain_pendulum\", \"masses\": 1, \"lengths\": [1, 0.5]},\n"
      "  \"initial\": {\"q\": [[1, 0, 0], [0, 1, 0]], \"omega\": [[0, 0, 1], [0, 0, 0]]}\n}\n\n";
  ASSERT_TRUE(write_file(in("my run.json"), scenario));
  const Words words{"run", "my run.json", "--html", "page.html", "--csv", "a.csv", "--quiet"};
  succeed(words);
  EXPECT_EQ(value_of(page_scenario(text("page.html"), "page.html")), scenario);
  EXPECT_TRUE(says(text("page.html"), "\"my run.json\""));
  succeed("run page.html --csv b.csv --html again.html --quiet"_words);
  EXPECT_EQ(text("b.csv"), text("a.csv"));
  EXPECT_EQ(value_of(page_scenario(text("again.html"), "again.html")), scenario);
}

TEST_F(CommandLinePage, OfAPresetHoldsItsText) {
  for (const char* preset : {"lennard_jones", "custom/kepler"}) {
    succeed({"run", "--preset", preset, "--html", "page.html", "--csv", "a.csv", "--quiet"});
    EXPECT_EQ(value_of(page_scenario(text("page.html"), "page.html")), find_preset(preset)->text);
    EXPECT_LE(text("page.html").size(), 600'000u) << preset;
    succeed("run page.html --csv b.csv --quiet"_words);
    EXPECT_EQ(text("b.csv"), text("a.csv")) << preset;
  }
}

TEST_F(CommandLinePage, OfTwoLanesOver100SecondsIsSmall) {
  succeed(
      "run --preset double_spherical_pendulum --integrator variational,rk45 --duration 100 "
      "--html page.html --quiet"_words);
  EXPECT_LE(text("page.html").size(), 200'000u);
}

TEST_F(CommandLinePage, OfOtherSettingsHoldsTheirRecord) {
  succeed(
      "run --preset three_body --integrator rotation,rk4 --steps 40 --html page.html "
      "--csv a.csv --quiet"_words);
  succeed("run page.html --steps 40 --csv b.csv --quiet"_words);
  EXPECT_EQ(text("b.csv"), text("a.csv")) << "with both lanes";
}

TEST_F(CommandLinePage, SaysWhereItIsCoarserThanItShouldBe) {
  const Outcome o = succeed(
      "run --preset double_spherical_pendulum --duration 20 --html page.html --html-frames 10"_words);
  EXPECT_TRUE(says(o.err, "page: "));
  EXPECT_TRUE(says(o.err, "frames; points between them are up to"));
}

TEST_F(CommandLinePage, KeepsTheRowsBeforeAFailure) {
  const Outcome o =
      run("run --preset double_spherical_pendulum --step 3 --duration 300 --html page.html"_words);
  EXPECT_EQ(o.status, 3) << o.err;
  EXPECT_TRUE(is_web_page(text("page.html")));
}

TEST_F(CommandLinePage, RefusesOtherNames) {
  for (const char* command : {"run", "render"}) {
    const Outcome name = run({command, "--preset", "three_body", "--html", "page.json"});
    EXPECT_EQ(name.status, 2) << command;
    EXPECT_TRUE(says(name.err, "--html: \"page.json\" must end in .html or .htm"));
  }
  const Outcome alone = run("run --preset three_body --html-frames 10"_words);
  EXPECT_EQ(alone.status, 2);
  EXPECT_TRUE(says(alone.err, "--html-frames: is of a page"));
  const Outcome few = run("run --preset three_body --html page.html --html-frames 1"_words);
  EXPECT_EQ(few.status, 2);
  EXPECT_TRUE(says(few.err, "--html-frames"));
  EXPECT_EQ(count(), 0u) << "nothing is written";
  succeed("run --preset three_body --steps 5 --html page.html --quiet"_words);
  const Outcome over = run("run page.html --html page.html"_words);
  EXPECT_EQ(over.status, 2);
  EXPECT_TRUE(says(over.err, "is the scenario being read"));
  const std::string page = text("page.html");
  const Outcome state = run("run page.html --save-state page.html"_words);
  EXPECT_EQ(state.status, 2) << "a state is no page";
  EXPECT_TRUE(says(state.err, "--save-state: \"page.html\" is the scenario being read"));
  EXPECT_EQ(text("page.html"), page);
}

TEST_F(CommandLinePage, HasAnyNameOfAWebPage) {
  for (const char* command : {"run", "render"})
    for (const char* name : {"page.htm", "PAGE.HTML"}) {
      succeed(
          {command, "--preset", "three_body", "--set", "duration=0.1", "--html", name, "--quiet"});
      EXPECT_TRUE(is_web_page(text(name)));
      succeed({"run", name, "--csv", "a.csv", "--quiet"});
      std::filesystem::remove(in(name));
    }
}

TEST_F(CommandLinePage, RenderHasItsStyleAndItsInterval) {
  succeed("run --preset three_body --duration 2 --html run.html --csv a.csv --quiet"_words);
  succeed("render --preset three_body --to 2 --html page.html --quiet"_words);
  EXPECT_EQ(data("page.html").find("points")->text, data("run.html").find("points")->text);
  succeed(
      "render --preset three_body --from 0.5 --to 1 --light --trail 1 --no-ground --color speed "
      "--follow 2 --html styled.html --quiet"_words);
  const json::Node styled = data("styled.html");
  EXPECT_TRUE(says(text("styled.html"), "<html lang=\"en\" class=\"light\">"));
  EXPECT_EQ(styled.find("trail")->number, 1);
  EXPECT_EQ(styled.find("shade")->kind, json::Kind::object);
  EXPECT_GE(styled.find("follow")->number, 0);
  EXPECT_NEAR(styled.find("times")->items.at(0).items.at(1).number, 0.5, 1e-12);
  // It holds the whole run.
  succeed("run styled.html --duration 2 --csv b.csv --quiet"_words);
  EXPECT_EQ(text("b.csv"), text("a.csv"));
  succeed(
      "render --preset three_body --set integrator.type=rk4 --to 0.2 --html split.html --split "
      "lanes --html-frames 5 --quiet"_words);
  EXPECT_TRUE(data("split.html").find("split")->boolean);
}

TEST_F(CommandLinePage, RenderHasItsTitleAndItsPlots) {
  const auto shown = [&](const Words& more) {
    succeed("render --preset three_body --to 0.1 --html page.html --quiet"_words + more);
    const json::Node page = data("page.html"), &curves = *page.find("curves");
    std::string keys;
    for (const json::Node& at : curves.find("shown")->items)
      keys += curves.find("quantities")
                  ->items.at(static_cast<std::size_t>(at.number))
                  .find("key")
                  ->text +
              " ";
    return keys;
  };
  EXPECT_EQ(shown({"--title", "A & B"}), "total_energy energy_error ");
  EXPECT_TRUE(says(text("page.html"), "<h1>A &amp; B</h1>"));
  EXPECT_TRUE(shown({"--title", "--plot", "potential_energy"})
                  .starts_with("potential_energy total_energy "));
  EXPECT_FALSE(says(text("page.html"), "<h1>title of the scenario</h1>"));
  EXPECT_TRUE(shown({"--plot", "energy_error", "--plot", "unit_length_error logarithmic"})
                  .starts_with("energy_error unit_length_error "));
  fs::remove(in("page.html"));
  const auto refused = [&](const Words& more, const char* why) {
    const Outcome o = run("render --preset three_body --html page.html"_words + more);
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(says(o.err, std::string("--plot: ") + why));
    EXPECT_EQ(count(), 0u) << "nothing is written";
  };
  refused({"--plot", "energies"}, "\"energies\" does not apply to web pages");
  refused({"--plot", "q0_x"}, "\"q0_x\" does not apply to web pages");
  refused({"--plot", "work", "--plot", "total_energy", "--plot", "energy_error"},
          "a web page shows 2 plots, not 3");
}

TEST_F(CommandLinePage, RenderRefusesWhatPagesDoNotHave) {
  for (const Words& other :
       {"--time 1"_words, "--png a.png"_words, "--film a.mp4"_words, "--fps 30"_words,
        "--speed 2"_words, "--size 640x400"_words, "--arrows velocity"_words, "--field"_words,
        "--numbers"_words, "--transparent"_words, "--no-legend"_words, "--backwards"_words,
        "--compose scene"_words, "--layout below"_words, "--time-label"_words, "--text 20"_words}) {
    const Outcome o = run("render --preset three_body --html page.html"_words + other);
    EXPECT_EQ(o.status, 2) << other[0];
    EXPECT_TRUE(says(o.err, "does not apply to web pages"));
  }
  const Outcome runs = run("render --preset three_body --html page.html --split runs"_words);
  EXPECT_EQ(runs.status, 2);
  EXPECT_TRUE(says(runs.err, "which have one run"));
  const Outcome alone =
      run("render --preset three_body --time 1 --png a.png --html-frames 9"_words);
  EXPECT_EQ(alone.status, 2);
  const Outcome early = run("render --preset three_body --from 2 --to 1 --html page.html"_words);
  EXPECT_EQ(early.status, 2);
  EXPECT_TRUE(says(early.err, "must be at least 2 s"));
  EXPECT_EQ(count(), 0u) << "nothing is written";
}

TEST_F(CommandLinePage, OtherPagesAreNoScenarios) {
  ASSERT_TRUE(write_file(in("news.html"), "<!doctype html>\n<title>News</title>\n"));
  const Outcome o = run("run news.html"_words);
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(says(o.err, "news.html: this web page has no scenario"));
}

}  // namespace
}  // namespace twosphere::command_line_page_test
