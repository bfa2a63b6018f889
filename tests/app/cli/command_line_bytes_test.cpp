// SPDX-License-Identifier: GPL-3.0-or-later
// tests/studies/bytes: the same program gives the same lines, and another byte is found.
#include <fmt/format.h>

#include "core/base/file.h"
#include "tests/app/cli/run_program.h"

namespace twosphere::command_line_bytes_test {
namespace {

class CommandLineBytes : public CommandLine {
 protected:
  /// The exit status; what is printed is in the file `out`.
  int bytes(const std::string& options, const std::string& out) const {
    const std::string script = TWOSPHERE_SOURCE_DIR "/tests/studies/bytes";
    const int status =
        std::system(fmt::format("'{}' '{}' --quick --only 'pairs/three_body/*' {} > '{}'", script,
                                TWOSPHERE_PROGRAM, options, in(out))
                        .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(CommandLineBytes, RepeatAndTellWhichFileDiffers) {
  ASSERT_EQ(bytes("", "before"), 0);
  const std::string before = text("before");
  const std::string name = "  pairs/three_body/variational/a.csv\n";
  const auto at = before.find(name);
  ASSERT_NE(at, std::string::npos) << before;
  EXPECT_EQ(bytes("--against '" + in("before") + "'", "after"), 0);
  EXPECT_EQ(text("after"), "");

  std::string other = before;
  char& digit = other[at - 1];
  digit = digit == '0' ? '1' : '0';
  ASSERT_TRUE(write_file(in("before"), other));
  EXPECT_EQ(bytes("--against '" + in("before") + "'", "after"), 1);
  const auto line = [&](const std::string& of) { return of.substr(at - 64, 64) + name; };
  EXPECT_EQ(text("after"), "+ " + line(before) + "- " + line(other));
}

}  // namespace
}  // namespace twosphere::command_line_bytes_test
