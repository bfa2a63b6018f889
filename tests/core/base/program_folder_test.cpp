// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/program_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace twosphere::program_folder_test {
namespace {

namespace fs = std::filesystem;

TEST(ProgramFolder, IsThatOfTheTest) {
  ASSERT_TRUE(program_folder().is_absolute());
  EXPECT_TRUE(fs::equivalent(program_folder() / fs::read_symlink("/proc/self/exe").filename(),
                             "/proc/self/exe"));
}

// The fonts of a portable folder are tested by tests/portable_test.
TEST(ProgramFolder, WithoutFontsOfItsOwnHasThoseOfTheSystem) {
  EXPECT_EQ(font_folder(), "/usr/share/fonts/truetype/dejavu");
}

}  // namespace
}  // namespace twosphere::program_folder_test
