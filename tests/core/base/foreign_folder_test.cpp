// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/foreign_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "tests/outcome.h"
#include "tests/temporary_folder.h"

namespace twosphere::foreign_folder_test {
namespace {

using test::error_of;

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

struct Foreign : testing::Test {
  Foreign() {
    fs::create_directories(temporary_.in("folder/rows"));
    fs::create_directories(temporary_.in("mine"));
    EXPECT_TRUE(write_file(temporary_.in("mine/file"), "mine"));
  }
  std::string inside(const std::string& name) const { return folder_.inside(name); }
  std::string mine() const { return *read_file(temporary_.in("mine/file"), 1 << 20); }
  static void expect_link(const Error& error, const std::string& path) {
    EXPECT_EQ(error.kind, ErrorKind::input_output);
    EXPECT_EQ(error.text(), path + ": is a symbolic link, and none is followed in this folder");
  }
  void close(const Result<int>& descriptor) const {
    ASSERT_TRUE(descriptor) << descriptor.error().text();
    ::close(*descriptor);
  }

  const test::TemporaryFolder temporary_;
  const ForeignFolder folder_{temporary_.in("folder")};
};

TEST_F(Foreign, FilesAreWrittenReadAndRemoved) {
  ASSERT_TRUE(folder_.make_folder("states"));
  ASSERT_TRUE(folder_.make_folder("states"));
  ASSERT_TRUE(folder_.write("states/1.json", "one"));
  ASSERT_TRUE(folder_.write("states/1.json", "another"));
  ASSERT_TRUE(folder_.write("top", ""));
  EXPECT_EQ(*folder_.read("states/1.json", 100), "another");
  EXPECT_EQ(*folder_.read("states/1.json", 100, 4), "her");
  EXPECT_EQ(*folder_.read("states/1.json", 100, 40), "");
  EXPECT_EQ(folder_.read("states/1.json", 3).error().kind, ErrorKind::usage);
  close(folder_.open("states/2.json", O_RDWR | O_CREAT));
  EXPECT_EQ(*folder_.names("states"), (Names{"1.json", "2.json"}));
  EXPECT_EQ(*folder_.names("none"), Names{});
  folder_.remove("states/1.json");
  folder_.remove("states/1.json");
  EXPECT_EQ(*folder_.names("states"), Names{"2.json"});
  EXPECT_EQ(error_of(folder_.read("states/1.json", 100)).text(),
            inside("states/1.json") + ": No such file or directory");
  EXPECT_EQ(ForeignFolder(inside("no")).read("a", 1).error().location, inside("no/a"));
}

TEST_F(Foreign, LinksToFilesAreNotFollowed) {
  fs::create_symlink(temporary_.in("mine/file"), inside("rows/1.csv"));
  for (const int flags : {O_RDONLY, O_RDWR | O_CREAT | O_APPEND}) {
    expect_link(error_of(folder_.open("rows/1.csv", flags)), inside("rows/1.csv"));
  }
  expect_link(folder_.read("rows/1.csv", 100).error(), inside("rows/1.csv"));
  ASSERT_TRUE(folder_.write("rows/1.csv", "theirs"));
  EXPECT_FALSE(fs::is_symlink(inside("rows/1.csv")));
  EXPECT_EQ(*folder_.read("rows/1.csv", 100), "theirs");
  fs::create_symlink(temporary_.in("mine/file"), inside("rows/2.csv"));
  folder_.remove("rows/2.csv");
  EXPECT_EQ(mine(), "mine");
}

TEST_F(Foreign, LinksToFoldersAreNotFollowed) {
  fs::create_directory_symlink(temporary_.in("mine"), inside("states"));
  fs::create_directory_symlink("../mine", inside("rows/deep"));
  for (const std::string name : {"states", "rows/deep"}) {
    expect_link(folder_.write(name + "/file", "theirs").error(), inside(name));
    expect_link(folder_.open(name + "/new", O_RDWR | O_CREAT).error(), inside(name));
    expect_link(folder_.make_folder(name).error(), inside(name));
    expect_link(folder_.make_folder(name + "/new").error(), inside(name));
    expect_link(folder_.names(name).error(), inside(name));
    folder_.remove(name + "/file");
  }
  EXPECT_EQ(mine(), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(temporary_.in("mine")), {}), 1);
  // The folder itself may be named by a link.
  fs::create_directory_symlink("folder", temporary_.in("link"));
  EXPECT_TRUE(ForeignFolder(temporary_.in("link")).write("rows/1.csv", "a"));
}

TEST_F(Foreign, WhatIsNoFileIsNotOpened) {
  ASSERT_EQ(::mkfifo(inside("pipe").c_str(), 0600), 0);
  for (const std::string name : {"pipe", "rows"}) {
    EXPECT_EQ(error_of(folder_.read(name, 100)).text(), inside(name) + ": is not a regular file");
  }
}

}  // namespace
}  // namespace twosphere::foreign_folder_test
