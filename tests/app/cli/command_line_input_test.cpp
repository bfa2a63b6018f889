// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/app/cli/run_program.h"
#include "tests/replaced.h"

// Files that would need more memory than there is, given to the real program. Others that are no
// scenarios are in transcripts/files.md.
namespace twosphere::command_line_input_test {
namespace {

const std::string valid = R"({
"twosphere": 1,
"title": "t",
"system": {"type": "chain_pendulum", "masses": [1, 2], "lengths": 0.5},
"initial": {"q": [[0.6, 0, 0.8], [0, 0, 1]], "omega": [[0, 1, 0], [2, 0, 0]]},
"integrator": {"type": "variational", "step": 0.01},
"duration": 1
})";

std::string replaced(const std::string& from, const std::string& to) {
  return test::replaced(valid, from, to);
}

std::string repeated(const std::string& part, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += part;
  return out;
}

/// Of the process to come; a sanitizer's own tables would not fit.
void limit_memory([[maybe_unused]] std::size_t bytes) {
#ifndef __SANITIZE_ADDRESS__
  const rlimit memory{bytes, bytes};
  ::setrlimit(RLIMIT_DATA, &memory);
#endif
}

struct Case {
  const char* name;
  std::string text;
  std::string error;  // standard error begins with it, behind the program's name
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class BadFile : public CommandLine, public testing::WithParamInterface<Case> {};

TEST_P(BadFile, is_refused_with_place_and_reason) {
  ASSERT_TRUE(write_file(in("s.json"), GetParam().text));
  for (const Words& words : {Words{"run", "s.json", "--csv", "a.csv"}, Words{"s.json"}}) {
    const Outcome o = run(words, "", [] { limit_memory(std::size_t{3} << 30); });
    EXPECT_EQ(o.status, 2) << words[0];
    EXPECT_EQ(o.out, "");
    EXPECT_TRUE(o.err.starts_with("twosphere: " + GetParam().error)) << o.err;
    EXPECT_EQ(lines(o.err).size(), 1U) << o.err;
    EXPECT_LT(o.err.size(), 600U);
    for (const char c : o.err) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ');
    EXPECT_EQ(count(), 1U) << "files left behind";
  }
}

const std::string start = R"("initial": {"q": [[0.6, 0, 0.8], [0, 0, 1]], )";
const std::string system_ = R"("type": "chain_pendulum", "masses": [1, 2], "lengths": 0.5)";
const std::string generator = R"("initial": {"generator": {"type": "icosphere", "subdivisions": )";

INSTANTIATE_TEST_SUITE_P(
    All, BadFile,
    testing::Values(
        Case{"depth_million", repeated("[", 1000000), "s.json:1: nested deeper than 64"},
        Case{"many_values", "[" + repeated("0,", 5000000) + "0]",
             "s.json:1: more than 4194304 values"},
        Case{"long_key", replaced("\"title\"", "\"" + repeated("k", 100000) + "\""),
             "s.json:3: \"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk…\": unknown key; allowed: "},
        // Sizes that no memory holds
        Case{
            "subdivisions", replaced(start, generator + "20}, "),
            "s.json:5: initial.generator.subdivisions: must be a whole number from 0 to 7, not 20"},
        Case{"elements", replaced(system_, R"("type": "elastic_rod", "elements": 1000000000,
             "mass": 1, "length": 1, "stiffness": 1)"),
             "s.json:4: system.elements: must agree with the start, which has 2 bodies, not "
             "1000000000"},
        Case{"lattice",
             replaced(system_, R"("type": "dipole_array", "masses": 1, "lengths": 1, "moments": 1,
             "lattice": {"rows": 1000000, "columns": 1000000, "spacing": 1})"),
             "s.json:5: system.lattice: rows · columns must agree with the start, which has 2 "
             "bodies, "
             "not 1000000 · 1000000"},
        Case{"lattice_overflow",
             replaced(system_, R"("type": "dipole_array", "masses": 1, "lengths": 1,
             "moments": 1, "lattice": {"rows": 4294967296, "columns": 4294967296, "spacing": 1})"),
             "s.json:5: system.lattice: rows · columns must agree"}),
    [](const auto& test) { return std::string(test.param.name); });

class Input : public CommandLine {};

TEST_F(Input, a_lattice_of_40962_magnets_is_none_too_large) {
  const std::string text = R"({"twosphere": 1,
    "system": {"type": "dipole_array", "masses": 1, "lengths": 1, "moments": 1,
      "lattice": {"rows": 6, "columns": 6827, "spacing": 1}},
    "initial": {"generator": {"type": "icosphere", "subdivisions": 6},
      "velocity": {"type": "two_vortices", "amplitude": 0, "separation": 30, "width": 15}},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 0.02})";
  succeed({"run", "-", "--quiet"}, text, [] { limit_memory(1 << 30); });
}

TEST_F(Input, a_state_that_could_not_be_read_again_is_refused_before_the_run) {
  const Outcome o = run({"run", "-", "--quiet", "--save-state", "s.json"}, R"({"twosphere": 1,
    "system": {"type": "spins", "lattice": {"type": "square", "size": [1000, 1000]}},
    "initial": {"generator": {"type": "aligned"}},
    "integrator": {"type": "sublattice_rotation", "step": 0.01}, "duration": 1e6})");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(test::says(o.err, "--save-state: the state has ")) << o.err;
  EXPECT_TRUE(test::says(o.err, "a file that is read again may have 64 MiB")) << o.err;
  EXPECT_EQ(count(), 0U);
}

TEST_F(Input, a_file_of_100_mb_is_refused_at_once) {
  for (const off_t size : {off_t{100} << 20, off_t{1} << 40}) {
    ASSERT_TRUE(write_file(in("s.json"), "{"));
    ASSERT_EQ(::truncate(in("s.json").c_str(), size), 0);
    // It is not even read: there is no room for it.
    const Outcome o = run({"run", "s.json"}, "", [] { limit_memory(32 << 20); });
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.err, "twosphere: s.json: is larger than 64 MiB\n");
  }
}

}  // namespace
}  // namespace twosphere::command_line_input_test
