// SPDX-License-Identifier: GPL-3.0-or-later
// The files in transcripts/: what a user types and sees. docs/testing.md says how they are written.
#include <gtest/gtest.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <span>
#include <string_view>

#include "tests/app/cli/run_program.h"

namespace twosphere::transcript_test {
namespace {

const fs::path root = fs::path(TWOSPHERE_SOURCE_DIR) / "tests/app/cli/transcripts";
constexpr std::string_view anything = "...", open_number = "⟨", close_number = "⟩", within = " ± ";

double number(std::string_view text) {
  double value = std::nan("");
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Whether a number is as "< 1", "> 1" or "1 ± 0.1" say.
bool fulfils(double value, std::string_view condition) {
  if (condition.starts_with("< ")) return value < number(condition.substr(2));
  if (condition.starts_with("> ")) return value > number(condition.substr(2));
  const auto at = std::min(condition.find(within), condition.size() - within.size());
  return std::abs(value - number(condition)) <= number(condition.substr(at + within.size()));
}

bool matches(std::string_view expected, std::string_view line) {
  if (expected.starts_with(anything)) {
    for (std::size_t k = 0; k <= line.size(); ++k)
      if (matches(expected.substr(anything.size()), line.substr(k))) return true;
    return false;
  }
  if (const auto close = expected.find(close_number);
      expected.starts_with(open_number) && close != expected.npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    return error == std::errc() &&
           fulfils(value, expected.substr(open_number.size(), close - open_number.size())) &&
           matches(expected.substr(close + close_number.size()),
                   line.substr(static_cast<std::size_t>(end - line.data())));
  }
  if (expected.empty() || line.empty()) return expected.empty() && line.empty();
  return expected[0] == line[0] && matches(expected.substr(1), line.substr(1));
}

bool matches(std::span<const std::string> expected, std::span<const std::string> all) {
  if (expected.empty()) return all.empty();
  if (expected[0] == anything) {
    for (std::size_t k = 0; k <= all.size(); ++k)
      if (matches(expected.subspan(1), all.subspan(k))) return true;
    return false;
  }
  return !all.empty() && matches(expected[0], all[0]) &&
         matches(expected.subspan(1), all.subspan(1));
}

bool is_status(const std::string& line) {
  return line.size() > 2 && line.starts_with('[') && line.ends_with(']') &&
         line.find_first_not_of("0123456789", 1) == line.size() - 1;
}

struct Step {
  std::string command;
  Words expected;  // lines of standard output, those of standard error behind "! ", the status
  int line, begin, end;  // of the command; from begin to before end is what is expected
};

struct Case {
  fs::path file;
  std::string title, status = "[0]";  // of commands that name none
  int line;
  std::vector<Step> steps;

  std::string name() const {
    std::string out;
    for (const char c : title)
      if (std::isalnum(static_cast<unsigned char>(c)) != 0)
        out += c;
      else if (!out.ends_with('_'))
        out += '_';
    return out;
  }
};

Words lines_of(const fs::path& file) { return lines(*read_file(file.string(), 1 << 20)); }

std::vector<Case> cases(const fs::path& file) {
  std::vector<Case> out;
  Step* step = nullptr;
  int number = 0, blank = 0;
  for (const std::string& line : lines_of(file)) {
    ++number;
    if (line.empty()) {
      ++blank;
      continue;
    }
    if (line.starts_with("## ")) {
      out.push_back({.file = file, .title = line.substr(3), .line = number, .steps = {}});
      if (const auto at = line.rfind(' '); is_status(line.substr(at + 1))) {
        out.back().status = line.substr(at + 1);
        out.back().title = line.substr(3, at - 3);
      }
      step = nullptr;
    } else if (line.starts_with("    $ ") && !out.empty()) {
      step =
          &out.back().steps.emplace_back(Step{line.substr(6), {}, number, number + 1, number + 1});
    } else if (!line.starts_with("    ")) {
      step = nullptr;
    } else if (step) {
      step->end = number + 1;
      if (line.starts_with("    > ") && step->expected.empty()) {
        step->command += '\n' + line.substr(6);
        step->begin = step->end;
      } else {
        step->expected.insert(step->expected.end(), static_cast<std::size_t>(blank), "");
        step->expected.push_back(line.substr(4));
      }
    }
    blank = 0;
  }
  for (Case& c : out)
    for (Step& s : c.steps)
      if (s.expected.empty() || !is_status(s.expected.back())) s.expected.push_back(c.status);
  return out;
}

class Transcript : public CommandLine {
 public:
  explicit Transcript(Case of) : case_(std::move(of)) {}

  void TestBody() override {
    std::vector<Words> all;
    for (const Step& step : case_.steps) {
      const std::set<std::string> before = names();
      all.push_back(printed(step.command));
      const Words& now = all.back();
      if (now.back() == "[2]" || now.back() == "[4]") {
        EXPECT_EQ(names(), before) << "files left behind by " << step.command;
      }
      if (matches(step.expected, now)) {
        all.back().clear();
      } else if (!std::getenv("TWOSPHERE_UPDATE")) {
        ADD_FAILURE_AT(case_.file.c_str(), step.line) << "$ " << step.command << '\n'
                                                      << difference(step.expected, now);
      }
    }
    if (std::getenv("TWOSPHERE_UPDATE")) update(all);
  }

 private:
  std::set<std::string> names() const {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      out.insert(entry.path().filename());
    return out;
  }

  Words printed(const std::string& command) {
    const Outcome o = finish(start({"/bin/bash", "-e", "-o", "pipefail", "-c", command}, [this] {
      const std::string path = std::getenv("PATH");
      ::setenv("PATH", (fs::path(TWOSPHERE_PROGRAM).parent_path().string() + ':' + path).c_str(),
               1);
      ::setenv("SOURCE", TWOSPHERE_SOURCE_DIR, 1);
      ::setenv("FILES", (root / "files").c_str(), 1);
      ::setenv("TMPDIR", folder_.path().c_str(), 1);
      ::setenv("LC_ALL", "C.UTF-8", 1);
      ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    }));
    Words out;
    const auto add = [&out](const std::string& text, const std::string& mark) {
      Words all = lines(text);
      while (!all.empty() && all.back().empty()) all.pop_back();
      for (const std::string& line : all) out.push_back(mark + line);
    };
    add(o.out, "");
    add(o.err, "! ");
    out.push_back('[' + std::to_string(o.status) + ']');
    return out;
  }

  /// From the first line that is another one.
  static std::string difference(const Words& expected, const Words& now) {
    std::size_t k = 0;
    while (k < expected.size() && k < now.size() && expected[k] != anything &&
           matches(expected[k], now[k]))
      ++k;
    std::string out;
    for (std::size_t i = k; i < expected.size(); ++i) out += "- " + expected[i] + '\n';
    for (std::size_t i = k; i < now.size(); ++i) out += "+ " + now[i] + '\n';
    return out;
  }

  /// Writes what is printed now, where there is any, in place of what is expected.
  void update(const std::vector<Words>& all) const {
    Words text = lines_of(case_.file);
    for (const Case& c : cases(case_.file)) {
      if (c.title != case_.title) continue;
      for (std::size_t k = all.size(); k-- > 0;) {
        if (all[k].empty()) continue;
        Words block;
        for (const std::string& line : all[k]) block.push_back(line.empty() ? "" : "    " + line);
        if (all[k].back() == c.status) block.pop_back();
        const auto begin = text.begin() + c.steps[k].begin - 1;
        text.insert(text.erase(begin, text.begin() + c.steps[k].end - 1), block.begin(),
                    block.end());
      }
    }
    std::ofstream out(case_.file);
    for (const std::string& line : text) out << line << '\n';
  }

  const Case case_;
};

std::set<fs::path> files() {
  std::set<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.path().extension() == ".md") out.insert(entry.path());
  return out;
}

const bool are_registered = [] {
  for (const fs::path& file : files())
    for (const Case& c : cases(file))
      testing::RegisterTest(
          ("Transcript/" + fs::relative(file, root).replace_extension().string()).c_str(),
          c.name().c_str(), nullptr, nullptr, file.c_str(), c.line,
          [c]() -> Transcript* { return new Transcript(c); });
  return true;
}();

TEST(TranscriptForm, LinesHaveGapsAndNumbers) {
  EXPECT_TRUE(matches("steps: 3", "steps: 3"));
  EXPECT_FALSE(matches("steps: 3", "steps: 30"));
  EXPECT_TRUE(matches("a ... c...", "a b c"));
  EXPECT_FALSE(matches("a ... c", "a b"));
  EXPECT_TRUE(matches("E = ⟨-2.5 ± 0.1⟩ J", "E = -2.41e0 J"));
  EXPECT_FALSE(matches("E = ⟨-2.5 ± 0.1⟩ J", "E = -2.3 J"));
  EXPECT_FALSE(matches("E = ⟨-2.5 ± 0.1⟩ J", "E = nan J"));
  EXPECT_TRUE(matches("⟨< 1e-9⟩,⟨> 0⟩", "-1,inf"));
  EXPECT_FALSE(matches("⟨< 1e-9⟩", "1e-9"));
  const Words now{"a", "b", "[0]"};
  EXPECT_TRUE(matches(Words{"...", "[0]"}, now));
  EXPECT_TRUE(matches(Words{"a", "...", "b", "[0]"}, now));
  EXPECT_FALSE(matches(Words{"...", "[2]"}, now));
}

TEST(TranscriptForm, EveryCaseHasANameOfItsOwnAndACommand) {
  EXPECT_TRUE(are_registered);
  EXPECT_GE(files().size(), 12U);
  for (const fs::path& file : files()) {
    std::set<std::string> names;
    for (const Case& c : cases(file)) {
      EXPECT_TRUE(names.insert(c.name()).second) << file << ' ' << c.title;
      EXPECT_FALSE(c.steps.empty()) << file << ' ' << c.title;
    }
  }
}

}  // namespace
}  // namespace twosphere::transcript_test
