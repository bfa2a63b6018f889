// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "core/base/build.h"
#include "core/base/file.h"
#include "core/studies/sweep_collect.h"
#include "tests/app/cli/run_program.h"
#include "tests/outcome.h"

// What commands load, as the loader itself says.
namespace twosphere::command_line_start_test {
namespace {

class Start : public CommandLine {
 protected:
  /// The libraries that a command loads, which must succeed.
  std::set<std::string> libraries(const Words& words) {
    const Outcome o = succeed(words, "", [] {
      ::setenv("LD_DEBUG", "libs", 1);
      ::setenv("LD_BIND_NOW", "1", 1);  // a name that is missing is an error
    });
    std::set<std::string> found;
    for (const std::string& line : lines(o.err)) {
      constexpr std::string_view mark = "calling init: ";
      if (const auto at = line.find(mark); at != line.npos)
        found.insert(fs::path(line.substr(at + mark.size())).filename().string());
    }
    return found;
  }
  static std::string first_of(const std::set<std::string>& libraries, const Words& beginnings) {
    for (const std::string& library : libraries)
      for (const std::string& beginning : beginnings)
        if (library.starts_with(beginning)) return library;
    return {};
  }

  const Words netcdf{"libnetcdf", "libhdf5"}, llvm{"libLLVM"}, module{"libtwosphere_window"},
      drawing{"libtwosphere_window", "libQt", "libGL", "libOpenGL", "libEGL", "libX11", "libxcb"};
};

TEST_F(Start, CommandsThatComputeLoadNothingThatDraws) {
  succeed(
      "sweep new map --preset double_spherical_pendulum --duration 0.01 --axis "
      "system.gravity=1,2 --measure energy_error.max"_words);
  for (const Words& words :
       {"list"_words, "--help"_words, "--version"_words, "completion bash"_words,
        "run --preset double_spherical_pendulum --steps 1 --csv a.csv"_words,
        "study order --preset double_spherical_pendulum --duration 0.1 --csv b.csv"_words,
        "sweep run map --jobs 1"_words, "sweep collect map map.csv"_words}) {
    const auto found = libraries(words);
    EXPECT_NE(first_of(found, {"libstdc++"}), "") << "the loader says nothing";
    for (const Words& others : {drawing, netcdf, llvm})
      EXPECT_EQ(first_of(found, others), "") << words.front();
  }
  if (has_netcdf()) {
    EXPECT_NE(first_of(libraries("sweep collect map map.nc"_words), netcdf), "");
  }
  const auto found = libraries("sweep figure map map.svg"_words);
  EXPECT_NE(first_of(found, module), "");
  EXPECT_TRUE(text("map.svg").starts_with("<?xml"));
}

TEST_F(Start, TheModuleHasAllNamesOfTheProgramThatItNeeds) {
  const auto found = libraries(
      "render --preset double_spherical_pendulum --time 0 --size 64x64 --png a.png"_words);
  EXPECT_NE(first_of(found, module), "");
  EXPECT_TRUE(text("a.png").starts_with("\x89PNG"));
}

TEST_F(Start, WithoutTheModuleItSaysWhatIsMissing) {
  fs::copy_file(TWOSPHERE_PROGRAM, in("twosphere"));
  EXPECT_EQ(finish(start({in("twosphere"), "list"}, {})).status, 0);
  Words words = "render --preset double_spherical_pendulum --time 0 --png a.png"_words;
  words.insert(words.begin(), in("twosphere"));
  const Outcome o = finish(start(words, {}));
  EXPECT_EQ(o.status, 4);
  EXPECT_TRUE(test::says(o.err, "cannot be loaded: "));
  EXPECT_TRUE(test::says(o.err, "libtwosphere_window.so"));
  EXPECT_FALSE(fs::exists(in("a.png")));
}

// Also where it is needed last: the computations of these would take minutes.
TEST_F(Start, WithoutTheModuleNothingIsComputedThatItIsToDraw) {
  fs::copy_file(TWOSPHERE_PROGRAM, in("twosphere"));
  for (const Words& words :
       {"run --preset double_spherical_pendulum --steps 1000000000 --csv a.csv --html a.html"_words,
        "study order --preset double_spherical_pendulum --duration 1000000 --csv a.csv "
        "--figure a.svg"_words,
        "reproduce --out all"_words}) {
    const Outcome o = finish(start(Words{in("twosphere")} + words, [] { ::alarm(30); }));
    EXPECT_EQ(o.status, 4) << words[0] << ": " << o.err;
    EXPECT_TRUE(test::says(o.err, "cannot be loaded: "));
    for (const char* file : {"a.csv", "a.html", "a.svg", "all"})
      EXPECT_FALSE(fs::exists(in(file))) << words[0] << " leaves " << file;
  }
}

TEST_F(Start, AModuleOfAnotherVersionIsRefused) {
  const std::string original = test::value_of(read_file(
      fs::path(TWOSPHERE_PROGRAM).parent_path() / "libtwosphere_window.so", std::size_t{1} << 31));
  const std::string mine = program_version();
  const std::size_t at = original.find(mine + '\0');
  ASSERT_NE(at, original.npos);
  std::string other = mine;
  other[other.find('.') - 1] = '9';
  std::string altered = original;
  altered.replace(at, other.size(), other);
  fs::copy_file(TWOSPHERE_PROGRAM, in("twosphere"));
  const Words words =
      Words{in("twosphere")} +
      "render --preset double_spherical_pendulum --time 0 --size 64x64 --png a.png"_words;
  for (const bool same : {false, true}) {
    ASSERT_TRUE(write_file(in("libtwosphere_window.so"), same ? original : altered));
    const Outcome o = finish(start(words, {}));
    EXPECT_EQ(o.status, same ? 0 : 4) << o.err;
    EXPECT_EQ(fs::exists(in("a.png")), same);
    if (!same) {
      EXPECT_TRUE(test::says(o.err, " is of " + other + ", and the program is " + mine));
    }
  }
}

}  // namespace
}  // namespace twosphere::command_line_start_test
