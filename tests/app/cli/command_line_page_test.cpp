// SPDX-License-Identifier: GPL-3.0-or-later
// twosphere run --html: a page that plays the run and from which it can be repeated.
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
}

}  // namespace
}  // namespace twosphere::command_line_page_test
