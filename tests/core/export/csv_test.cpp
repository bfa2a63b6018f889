// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/csv.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <random>

#include "core/base/build.h"
#include "core/base/simd_level.h"
#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/version.h"

namespace twosphere {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() {
    std::string pattern = (fs::temp_directory_path() / "twosphere_csv_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Files() override { fs::remove_all(folder_); }

  std::string in(const char* name) const { return (folder_ / name).string(); }
  std::string text(const char* name) const { return *read_file(in(name), 1 << 20); }
  std::size_t count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(Files, appear_whole_on_commit) {
  auto file = AtomicFile::open(in("a"));
  ASSERT_TRUE(file) << file.error().text();
  file->write("one ");
  EXPECT_FALSE(fs::exists(in("a")));
  file->write("two");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(text("a"), "one two");
  EXPECT_EQ(count(), 1U);
}

TEST_F(Files, dropped_leave_nothing_and_the_old_one) {
  ASSERT_TRUE(write_file(in("a"), "old"));
  {
    auto file = AtomicFile::open(in("a"));
    ASSERT_TRUE(file);
    file->write("new");
    const AtomicFile moved = std::move(*file);
  }
  EXPECT_EQ(text("a"), "old");
  EXPECT_EQ(count(), 1U);
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

TEST_F(Files, that_cannot_be_written_fail_on_opening) {
  for (const auto& [path, reason] :
       {std::pair(in("no/such/folder"), "No such file or directory"),
        std::pair(folder_.string(), "Is a directory"), std::pair(std::string("/proc/x"), "")}) {
    const auto file = AtomicFile::open(path);
    ASSERT_FALSE(file) << path;
    EXPECT_EQ(file.error().kind, ErrorKind::input_output);
    EXPECT_TRUE(file.error().text().starts_with(path + ": ")) << file.error().text();
    EXPECT_NE(file.error().text().find(reason), std::string::npos) << file.error().text();
  }
  EXPECT_EQ(count(), 0U);
}

TEST_F(Files, survive_a_folder_removed_meanwhile) {
  fs::create_directory(in("gone"));
  auto file = AtomicFile::open(in("gone/a"));
  ASSERT_TRUE(file);
  file->write("x");
  fs::remove_all(in("gone"));
  const auto done = file->commit();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().text(), in("gone/a") + ": No such file or directory");
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
  const auto full = write_file("/dev/full", "x");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().text(), "/dev/full: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

Simulation simulation(const char* key) {
  auto made = Simulation::create(*read_scenario(find_preset(key)->text, key));
  return std::move(*made);
}

std::vector<std::string> split(std::string text, char separator) {
  std::vector<std::string> out(1);
  for (const char c : text)
    if (c == separator)
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

TEST(Csv, header_is_that_of_the_contract) {
  Simulation s = simulation("double_spherical_pendulum");
  EXPECT_EQ(csv_header(s.system_info(), s.record().lanes),
            "time [s],kinetic_energy [J],potential_energy [J],total_energy [J],work [J],"
            "energy_error [J],unit_length_error [1],unit_length_error_mean [1],"
            "tangency_error [rad/s],angular_momentum_z [J s]\r\n");
  EXPECT_EQ(trajectory_header(2),
            "time [s],q0_x [1],q0_y [1],q0_z [1],q1_x [1],q1_y [1],q1_z [1],"
            "omega0_x [rad/s],omega0_y [rad/s],omega0_z [rad/s],"
            "omega1_x [rad/s],omega1_y [rad/s],omega1_z [rad/s]\r\n");
}

TEST(Csv, several_lanes_are_told_apart) {
  Simulation s = simulation("double_spherical_pendulum");
  std::vector<LaneSpec> lanes = s.record().lanes;
  lanes.push_back(lanes[0]);
  lanes[1].name = "a \"b\", c";
  const std::string header = csv_header(s.system_info(), lanes);
  EXPECT_TRUE(header.starts_with("time [s],variational/kinetic_energy [J],")) << header;
  EXPECT_NE(header.find(",\"a \"\"b\"\", c/kinetic_energy [J]\","), std::string::npos) << header;
  EXPECT_EQ(header.find("/time"), std::string::npos);
  const std::string row = csv_row(s.system_info(), {s.sample(0), s.sample(0)});
  EXPECT_EQ(split(row, ',').size(), 1 + 2 * 9U);
}

TEST(Csv, numbers_read_back_to_the_same_doubles) {
  Simulation s = simulation("chain_pendulum");
  const auto number = [](const std::string& field) {
    double value = 0;
    std::from_chars(field.data(), field.data() + field.size(), value);
    return value;
  };
  for (int step = 0; step < 200; ++step) {
    const Sample sample = s.sample(0);
    const auto fields = split(csv_row(s.system_info(), {sample}), ',');
    const auto list = csv_quantities(s.system_info());
    ASSERT_EQ(fields.size(), list.size());
    for (std::size_t i = 0; i < list.size(); ++i) ASSERT_EQ(number(fields[i]), sample[list[i]]);
    const State& state = s.state(0);
    const auto row = split(trajectory_row(state), ',');
    ASSERT_EQ(row.size(), 1 + 6 * 10U);
    for (std::size_t i = 0; i < 30; ++i) {
      ASSERT_EQ(number(row[1 + i]), state.q.data()[i]);
      ASSERT_EQ(number(row[31 + i]), state.w.data()[i]);
    }
    ASSERT_FALSE(s.step());
  }
}

TEST(Csv, companion_describes_the_run_and_repeats_it) {
  Simulation s = simulation("double_spherical_pendulum");
  for (int i = 0; i < 10; ++i) ASSERT_FALSE(s.step());
  ASSERT_TRUE(s.set({{"system.gravity", json::Node(1.62)}}));
  const std::string text = csv_companion(s.record());
  const auto root = json::parse(text, "companion");
  ASSERT_TRUE(root) << root.error().text();
  EXPECT_EQ(root->find("version")->text, version);
  EXPECT_EQ(root->find("compiler")->text, compiler);
  const json::Node* commit = root->find("revision");
  EXPECT_EQ(commit ? commit->text : "", revision());
  EXPECT_EQ(root->find("isa")->text, isa_level());
  EXPECT_EQ(root->find("lanes")->items.size(), 1U);
  EXPECT_EQ(root->find("events")->items.size(), 1U);
  EXPECT_EQ(root->find("columns")->items.size(), csv_quantities(s.system_info()).size());
  EXPECT_EQ(root->find("columns")->items[0].find("name")->text, "time");
  EXPECT_EQ(root->find("columns")->items[0].find("unit")->text, "s");
  const auto scenario = read_scenario(*root->find("scenario"), "companion");
  ASSERT_TRUE(scenario) << scenario.error().text();
  auto again = Simulation::create(*scenario);
  ASSERT_TRUE(again);
  for (int i = 0; i < 20; ++i) {
    ASSERT_FALSE(again->step());
    if (i >= 10) {
      ASSERT_FALSE(s.step());
    }
  }
  EXPECT_EQ(csv_row(again->system_info(), {again->sample(0)}),
            csv_row(s.system_info(), {s.sample(0)}));
  EXPECT_EQ(json::parse(trajectory_companion(s.record()), "t")->find("columns")->items.size(), 13U);
}

TEST(Csv, xyz_velocities_are_those_of_the_motion) {
  Simulation s = simulation("chain_pendulum");
  const auto bodies = [&] {
    std::vector<std::vector<double>> out;
    for (const std::string& line : split(xyz_frame(*s.system(), s.state(0)), '\n')) {
      if (!line.starts_with("X ")) continue;
      out.emplace_back();
      for (const std::string& field : split(line.substr(2), ' '))
        out.back().push_back(std::stod(field));
    }
    return out;
  };
  for (int i = 0; i < 20; ++i) ASSERT_FALSE(s.step());
  const auto before = bodies();
  ASSERT_FALSE(s.step());
  const auto here = bodies();
  const double kinetic = s.sample(0)[Quantity::kinetic_energy];
  ASSERT_FALSE(s.step());
  const auto after = bodies();
  ASSERT_EQ(here.size(), 10U);
  double sum = 0;
  for (std::size_t i = 0; i < here.size(); ++i) {
    ASSERT_EQ(here[i].size(), 13U);
    sum += here[i][12];
    for (std::size_t k = 0; k < 3; ++k) {
      const double difference = (after[i][k] - before[i][k]) / (2 * s.lane(0).step);
      EXPECT_NEAR(here[i][3 + k], difference, 0.02) << i;
    }
  }
  EXPECT_NEAR(sum, kinetic, 1e-12 * std::abs(kinetic));
}

}  // namespace
}  // namespace twosphere
