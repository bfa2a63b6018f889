// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "core/base/described_file.h"
#include "tests/outcome.h"
#include "tests/temporary_folder.h"

namespace twosphere::file_test {
namespace {

using test::error_of, test::says, test::value_of;

namespace fs = std::filesystem;

struct Files : testing::Test {
  std::string in(const char* name) const { return folder_.in(name); }
  std::string text(const char* name) const { return *read_file(in(name), 1 << 20); }
  std::size_t count() const { return folder_.count(); }

  const test::TemporaryFolder folder_;
};

TEST(FolderOf, is_the_present_one_without_a_slash_and_the_root_of_what_lies_there) {
  EXPECT_EQ(folder_of("file"), ".");
  EXPECT_EQ(folder_of(""), ".");
  EXPECT_EQ(folder_of("/"), "/");
  EXPECT_EQ(folder_of("/file"), "/");
  EXPECT_EQ(folder_of("/one/two/file"), "/one/two");
  EXPECT_EQ(folder_of("one/file"), "one");
}

TEST_F(Files, appear_whole_on_commit) {
  auto file = value_of(AtomicFile::open(in("a")));
  file.write("one ");
  EXPECT_FALSE(fs::exists(in("a")));
  file.write("two");
  ASSERT_TRUE(file.commit());
  EXPECT_EQ(text("a"), "one two");
  EXPECT_EQ(count(), 1U);
}

TEST_F(Files, dropped_leave_nothing_and_the_old_one) {
  ASSERT_TRUE(write_file(in("a"), "old"));
  {
    auto file = value_of(AtomicFile::open(in("a")));
    file.write("new");
    const AtomicFile moved = std::move(file);
  }
  EXPECT_EQ(text("a"), "old");
  EXPECT_EQ(count(), 1U);
}

TEST_F(Files, with_a_description_leave_both_or_neither) {
  ASSERT_TRUE(write_described(in("a.csv"), "rows", "meaning"));
  EXPECT_EQ(text("a.csv"), "rows");
  EXPECT_EQ(text("a.csv.json"), "meaning");
  fs::create_directory(in("b.csv.json"));
  EXPECT_FALSE(write_described(in("b.csv"), "rows", "meaning"));
  EXPECT_FALSE(fs::exists(in("b.csv")));
}

TEST_F(Files, have_the_mode_that_the_mask_says_or_keep_theirs) {
  const auto mode = [this] {
    struct stat status {};
    EXPECT_EQ(::stat(in("a").c_str(), &status), 0);
    return status.st_mode & 0777;
  };
  const mode_t before = ::umask(027);
  ASSERT_TRUE(write_file(in("a"), "1"));
  EXPECT_EQ(mode(), 0640U);
  ::umask(before);
  ASSERT_EQ(::chmod(in("a").c_str(), 0600), 0);
  ASSERT_TRUE(write_file(in("a"), "2"));
  EXPECT_EQ(mode(), 0600U);
  fs::remove(in("a"));
  ASSERT_TRUE(write_file(in("a"), "3", 0600));
  EXPECT_EQ(mode(), 0600U);
}

// Killed, a program leaves what it was writing. The next one to write there removes it, but not
// what others are still writing, nor what only looks alike.
TEST_F(Files, of_programs_that_were_killed_are_removed_by_the_next_one) {
  const auto writer = [this] {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto file = AtomicFile::open(in("a"));
      file->write("half");
      (void)!::write(ready[1], "x", 1);
      for (;;) ::pause();
    }
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    (void)::close(ready[0]);
    (void)::close(ready[1]);
    return child;
  };
  const auto end = [](pid_t child) {
    (void)::kill(child, SIGKILL);
    (void)::waitpid(child, nullptr, 0);
  };
  const pid_t first = writer(), second = writer();
  EXPECT_EQ(count(), 2U);
  end(first);
  EXPECT_EQ(count(), 2U) << "what a killed program leaves";
  for (const char* name : {".twosphere-x", ".twosphere-1", ".twosphere-999999999-",
                           ".twosphere-0-0", ".twosphere-999999999-1.txt"})
    ASSERT_TRUE(write_file(in(name), "somebody's"));
  EXPECT_EQ(count(), 6U) << "one is written still, five are no such files";
  end(second);
  ASSERT_TRUE(write_file(in("a"), "whole"));
  EXPECT_EQ(text("a"), "whole");
  EXPECT_EQ(count(), 6U);
}

TEST_F(Files, go_through_a_symbolic_link) {
  ASSERT_TRUE(write_file(in("target"), "old"));
  fs::create_symlink("target", in("link"));
  ASSERT_TRUE(write_file(in("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(in("link")));
  EXPECT_EQ(text("target"), "new");
}

TEST_F(Files, go_through_a_symbolic_link_to_what_is_not_there_yet) {
  fs::create_directory(in("folder"));
  fs::create_symlink("folder/second", in("first"));
  fs::create_symlink(in("target"), in("folder/second"));
  ASSERT_TRUE(write_file(in("first"), "new"));
  EXPECT_TRUE(fs::is_symlink(in("first")));
  EXPECT_TRUE(fs::is_symlink(in("folder/second")));
  EXPECT_EQ(text("target"), "new");
  // Its folder must be there, and links must lead somewhere.
  fs::create_symlink("none/file", in("nowhere"));
  EXPECT_FALSE(write_file(in("nowhere"), "new"));
  EXPECT_TRUE(fs::is_symlink(in("nowhere")));
  fs::create_symlink("ring", in("ring"));
  EXPECT_FALSE(write_file(in("ring"), "new"));
}

TEST_F(Files, that_cannot_be_written_fail_on_opening) {
  for (const auto& [path, reason] : {std::pair(in("no/such/folder"), "No such file or directory"),
                                     std::pair(folder_.path().string(), "Is a directory"),
                                     std::pair(std::string("/proc/x"), "")}) {
    const auto file = AtomicFile::open(path);
    ASSERT_FALSE(file) << path;
    EXPECT_EQ(file.error().kind, ErrorKind::input_output);
    EXPECT_TRUE(file.error().text().starts_with(path + ": ")) << file.error().text();
    EXPECT_TRUE(says(file.error().text(), reason));
  }
  EXPECT_EQ(count(), 0U);
}

TEST_F(Files, survive_a_folder_removed_meanwhile) {
  fs::create_directory(in("gone"));
  auto file = value_of(AtomicFile::open(in("gone/a")));
  file.write("x");
  fs::remove_all(in("gone"));
  EXPECT_EQ(error_of(file.commit()).text(), in("gone/a") + ": No such file or directory");
}

TEST_F(Files, too_large_for_the_limit_leave_the_old_one) {
  ASSERT_TRUE(write_file(in("a"), "old"));
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto done = write_file(in("a"), std::string(100000, 'x'));
    ::_exit(!done && done.error().text() == in("a") + ": File too large" ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(text("a"), "old");
  EXPECT_EQ(count(), 1U);
}

TEST_F(Files, devices_are_written_in_place) {
  ASSERT_TRUE(write_file("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(error_of(write_file("/dev/full", "x")).text(), "/dev/full: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Files, are_known_by_their_first_bytes) {
  ASSERT_TRUE(write_file(in("a"), "abc"));
  EXPECT_EQ(first_bytes(in("a"), 2), "ab");
  EXPECT_EQ(first_bytes(in("a"), 5), "abc");
  EXPECT_EQ(first_bytes(in("none"), 2), "");
  EXPECT_EQ(first_bytes(in("."), 2), "");
}

}  // namespace
}  // namespace twosphere::file_test
