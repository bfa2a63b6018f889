// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <set>

#include "core/base/file.h"
#include "tests/outcome.h"
#include "tests/temporary_folder.h"

namespace twosphere::atomic_folder_test {
namespace {

using test::error_of, test::says, test::value_of;

namespace fs = std::filesystem;

bool own(std::string_view name) { return name.ends_with(".part"); }

struct AtomicFolderTest : testing::Test {
  std::string in(const std::string& name) const { return folder_.in(name); }
  static std::set<std::string> names(const fs::path& folder) {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder)) all.insert(entry.path().filename());
    return all;
  }
  const test::TemporaryFolder folder_;
};

TEST_F(AtomicFolderTest, AppearsWhole) {
  auto folder = value_of(AtomicFolder::open(in("out/"), own));
  ASSERT_TRUE(folder.write("a.part", "one"));
  EXPECT_FALSE(fs::exists(in("out")));
  ASSERT_TRUE(folder.write("b.part", "two"));
  ASSERT_TRUE(folder.commit());
  EXPECT_EQ(names(in("out")), (std::set<std::string>{"a.part", "b.part"}));
  EXPECT_EQ(*read_file(in("out/b.part"), 100), "two");
  EXPECT_EQ(names(folder_.path()).size(), 1u);
}

TEST_F(AtomicFolderTest, LeavesNothingUnlessCommitted) {
  {
    auto folder = value_of(AtomicFolder::open(in("out"), own));
    ASSERT_TRUE(folder.write("a.part", "one"));
    AtomicFolder moved = std::move(folder);
    ASSERT_TRUE(moved.write("b.part", "two"));
  }
  EXPECT_TRUE(names(folder_.path()).empty());
}

TEST_F(AtomicFolderTest, ReplacesItsOwnKindOnly) {
  fs::create_directory(in("out"));
  ASSERT_TRUE(write_file(in("out/old.part"), "old"));
  auto folder = value_of(AtomicFolder::open(in("out"), own));
  ASSERT_TRUE(folder.write("new.part", "new"));
  EXPECT_EQ(names(in("out")), std::set<std::string>{"old.part"});
  ASSERT_TRUE(folder.commit());
  EXPECT_EQ(names(in("out")), std::set<std::string>{"new.part"});
  EXPECT_EQ(names(folder_.path()).size(), 1u);

  // Something else came while it was written, or was there before.
  auto second = value_of(AtomicFolder::open(in("out"), own));
  ASSERT_TRUE(write_file(in("out/mine.txt"), "mine"));
  const Error late = error_of(second.commit());
  EXPECT_EQ(late.kind, ErrorKind::input_output);
  EXPECT_TRUE(says(late.text(), "mine.txt"));
  EXPECT_FALSE(AtomicFolder::open(in("out"), own));
  EXPECT_EQ(names(in("out")), (std::set<std::string>{"mine.txt", "new.part"}));
}

TEST_F(AtomicFolderTest, RefusesPlacesAtOnce) {
  EXPECT_FALSE(AtomicFolder::open(in("none/out"), own));
  ASSERT_TRUE(write_file(in("file"), "text"));
  EXPECT_EQ(error_of(AtomicFolder::open(in("file"), own)).text(), in("file") + ": Not a directory");
  EXPECT_EQ(names(folder_.path()), std::set<std::string>{"file"});
}

TEST_F(AtomicFolderTest, FollowsALink) {
  fs::create_directory(in("real"));
  fs::create_directory_symlink(in("real"), in("link"));
  auto folder = value_of(AtomicFolder::open(in("link"), own));
  ASSERT_TRUE(folder.write("a.part", "one"));
  ASSERT_TRUE(folder.commit());
  EXPECT_TRUE(fs::is_symlink(in("link")));
  EXPECT_EQ(names(in("real")), std::set<std::string>{"a.part"});
}

TEST_F(AtomicFolderTest, FollowsALinkToWhatIsNotThereYet) {
  for (const char* ending : {"", "/"}) {
    fs::create_directory_symlink("real", in("link"));
    auto folder = value_of(AtomicFolder::open(in("link") + ending, own));
    ASSERT_TRUE(folder.write("a.part", "one"));
    ASSERT_TRUE(folder.commit());
    EXPECT_TRUE(fs::is_symlink(in("link")));
    EXPECT_EQ(names(in("real")), std::set<std::string>{"a.part"});
    fs::remove(in("link"));
    fs::remove_all(in("real"));
  }
}

// As NFS and FAT: no two names change places.
int no_exchange(const char*, const char*) {
  errno = EINVAL;
  return -1;
}
int plain_rename(const char* from, const char* to) { return std::rename(from, to); }
constexpr AtomicFolder::FileSystem without_exchange{no_exchange, plain_rename};

TEST_F(AtomicFolderTest, IsReplacedWhereNamesCannotChangePlaces) {
  for (const int number : {EINVAL, ENOSYS, ENOTSUP}) {
    static int told;
    told = number;
    const AtomicFolder::FileSystem files{[](const char*, const char*) {
                                           errno = told;
                                           return -1;
                                         },
                                         plain_rename};
    for (const std::string name : {"1.part", "2.part", "3.part"}) {
      auto folder = value_of(AtomicFolder::open(in("out"), own, files));
      ASSERT_TRUE(folder.write(name, name));
      ASSERT_TRUE(test::succeeds(folder.commit()));
      EXPECT_EQ(names(in("out")), std::set<std::string>{name});
      EXPECT_EQ(*read_file(in("out/") + name, 100), name);
      EXPECT_EQ(names(folder_.path()), std::set<std::string>{"out"}) << "the former one is gone";
    }
    fs::remove_all(in("out"));
  }
}

TEST_F(AtomicFolderTest, AnyOtherErrorOfTheExchangeIsToldAndNothingChanges) {
  fs::create_directory(in("out"));
  ASSERT_TRUE(write_file(in("out/old.part"), "old"));
  {
    auto folder = value_of(AtomicFolder::open(in("out"), own,
                                              {[](const char*, const char*) {
                                                 errno = EACCES;
                                                 return -1;
                                               },
                                               plain_rename}));
    ASSERT_TRUE(folder.write("new.part", "new"));
    EXPECT_EQ(error_of(folder.commit()).text(), in("out") + ": Permission denied");
  }
  EXPECT_EQ(names(in("out")), std::set<std::string>{"old.part"});
  EXPECT_EQ(names(folder_.path()), std::set<std::string>{"out"});
}

TEST_F(AtomicFolderTest, TheFormerOneComesBackIfTheNewOneCannotTakeItsPlace) {
  fs::create_directory(in("out"));
  ASSERT_TRUE(write_file(in("out/old.part"), "old"));
  static int calls;
  calls = 0;
  {
    auto folder = value_of(
        AtomicFolder::open(in("out"), own, {no_exchange, [](const char* from, const char* to) {
                                              if (++calls != 2) return std::rename(from, to);
                                              errno = ENOSPC;
                                              return -1;
                                            }}));
    ASSERT_TRUE(folder.write("new.part", "new"));
    EXPECT_EQ(error_of(folder.commit()).text(), in("out") + ": No space left on device");
  }
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(names(in("out")), std::set<std::string>{"old.part"});
  EXPECT_EQ(*read_file(in("out/old.part"), 100), "old");
  EXPECT_EQ(names(folder_.path()), std::set<std::string>{"out"});
}

TEST_F(AtomicFolderTest, TheFormerOneIsKeptIfTheProgramIsKilledBetweenTheTwoRenames) {
  fs::create_directory(in("out"));
  ASSERT_TRUE(write_file(in("out/old.part"), "old"));
  const pid_t child = ::fork();
  if (child == 0) {
    auto folder =
        AtomicFolder::open(in("out"), own, {no_exchange, [](const char* from, const char* to) {
                                              (void)std::rename(from, to);
                                              ::_exit(7);
                                              return -1;
                                            }});
    if (folder && folder->write("new.part", "new")) (void)folder->commit();
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WEXITSTATUS(status), 7);
  ASSERT_FALSE(fs::exists(in("out")));
  // The next one that is written takes the place and leaves alone what is all that there was.
  auto folder = value_of(AtomicFolder::open(in("out"), own, without_exchange));
  ASSERT_TRUE(folder.write("next.part", "next"));
  ASSERT_TRUE(folder.commit());
  EXPECT_EQ(names(in("out")), std::set<std::string>{"next.part"});
  std::set<std::string> all = names(folder_.path());
  all.erase("out");
  ASSERT_EQ(all.size(), 1u) << "abandoned temporaries go, the former one stays";
  EXPECT_TRUE(all.begin()->ends_with(".former")) << *all.begin();
  EXPECT_EQ(*read_file(in(*all.begin()) + "/old.part", 100), "old");
}

// Whenever the program is killed there is a whole folder in the place, and what it leaves beside it
// goes with the next one that is written.
TEST_F(AtomicFolderTest, IsWholeWheneverTheProgramIsKilled) {
  constexpr int files = 5;
  const auto write = [this](int version) {
    auto folder = AtomicFolder::open(in("out"), own);
    bool done = folder.has_value();
    for (int k = 0; done && k < files; ++k)
      done = folder->write(std::to_string(k) + ".part", std::to_string(version)).has_value();
    return done && folder->commit();
  };
  ASSERT_TRUE(write(0));
  for (int round = 1; round <= 40; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int version = 1;; ++version)
        if (!write(version)) ::_exit(1);
    }
    ::usleep(static_cast<useconds_t>(500 * round));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it could not write";
    ASSERT_TRUE(fs::exists(in("out"))) << "round " << round;
    ASSERT_EQ(names(in("out")).size(), static_cast<std::size_t>(files)) << "round " << round;
    const std::string version = *read_file(in("out/0.part"), 100);
    for (int k = 1; k < files; ++k)
      ASSERT_EQ(*read_file(in("out/") + std::to_string(k) + ".part", 100), version);
  }
  ASSERT_TRUE(write(0));
  EXPECT_EQ(names(folder_.path()), std::set<std::string>{"out"});
}

}  // namespace
}  // namespace twosphere::atomic_folder_test
