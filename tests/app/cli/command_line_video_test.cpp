// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QImage>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "app/export/video.h"
#include "tests/app/cli/run_program.h"
#include "tests/outcome.h"

namespace twosphere::command_line_video_test {
namespace {

constexpr std::size_t raw_frame = 64 * 40 * 4;

class Video : public CommandLine {
 protected:
  // A program of that name that is found first, or alone.
  void put_ffmpeg(const std::string& script) {
    fs::create_directory(in("bin"));
    ASSERT_TRUE(write_file(in("bin/ffmpeg"), "#!/bin/sh\n" + script));
    ASSERT_EQ(::chmod(in("bin/ffmpeg").c_str(), 0700), 0);
  }
  // Keeps the frames as they are, and the words it was called with.
  void put_copying_ffmpeg() {
    put_ffmpeg(
        "for last; do :; done\n"
        "echo \"$@\" > \"${0%/*}/words\"\n"
        "exec /bin/cat > \"$last\"\n");
  }
  std::function<void()> environment() const {
    return [path = in("bin")] {
      draw_by_processor();
      ::setenv("PATH", path.c_str(), 1);
    };
  }
  static Words words(const Words& more, const char* preset = "three_body") {
    return Words{"render", "--preset", preset, "--size", "64x40"} + more;
  }
  Outcome video(const Words& more, const char* preset = "three_body") {
    return run(words(more, preset), "", environment());
  }
  std::string frame(const char* folder, int index) const {
    return text(std::string(folder) + "/frame_" + std::string(index < 10 ? "00000" : "0000") +
                std::to_string(index) + ".png");
  }
  std::size_t files(const char* folder) const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(in(folder)), fs::directory_iterator()));
  }
};

TEST_F(Video, follows_a_body) {
  ASSERT_EQ(
      video({"--film", "f/", "--to", "1", "--fps", "2", "--follow", "2", "--transparent"}).status,
      0);
  ASSERT_EQ(files("f"), 3u);
  for (int k = 0; k < 3; ++k) {
    const QImage image = QImage::fromData(QByteArray::fromStdString(frame("f", k)));
    EXPECT_GT(qAlpha(image.pixel(32, 20)), 120) << k;
    ASSERT_EQ(video({"--time", std::to_string(0.5 * k), "--png", "p.png", "--follow", "2",
                     "--transparent"})
                  .status,
              0);
    EXPECT_EQ(text("p.png"), frame("f", k)) << k;
  }
  ASSERT_EQ(video({"--film", "g/", "--to", "1", "--fps", "2", "--transparent"}).status, 0);
  EXPECT_NE(frame("f", 2), frame("g", 2));
}

TEST_F(Video, two_recordings_have_equal_frames) {
  const Words stretch = "--to 0.3 --light --trail 1 --film"_words;
  const auto to = [&](const char* place) {
    Words all = stretch;
    all.push_back(place);
    return all;
  };
  put_copying_ffmpeg();
  for (const char* place : {"a/", "b/", "a.mp4", "b.mp4"})
    ASSERT_EQ(video(to(place)).status, 0) << place;
  ASSERT_EQ(files("a"), 10u);
  for (int k = 0; k < 10; ++k) EXPECT_EQ(frame("a", k), frame("b", k)) << k;
  EXPECT_EQ(text("a.mp4").size(), 10 * raw_frame);
  EXPECT_EQ(text("a.mp4"), text("b.mp4"));
  // And those of the video are those of the pictures.
  const std::string raw = text("a.mp4");
  for (int k = 0; k < 10; ++k) {
    const QImage image = QImage::fromData(QByteArray::fromStdString(frame("a", k)))
                             .convertToFormat(QImage::Format_RGBA8888);
    for (int y = 0; y < 40; ++y)
      ASSERT_EQ(std::memcmp(image.constScanLine(y),
                            raw.data() + static_cast<std::size_t>(k) * raw_frame +
                                static_cast<std::size_t>(y) * 64 * 4,
                            64 * 4),
                0)
          << k << ' ' << y;
  }
}

TEST_F(Video, an_interrupted_video_has_whole_frames) {
  put_copying_ffmpeg();
  const pid_t child = launch(words({"--to", "10", "--film", "a.mp4"}), environment());
  const auto size = [&] {
    std::uintmax_t largest = 0;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      if (entry.path().filename().string().starts_with(".twosphere-"))
        largest = std::max(largest, entry.file_size());
    return largest;
  };
  for (int i = 0; i < 2000 && size() < 3 * raw_frame; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(::kill(child, SIGINT), 0);
  const Outcome o = finish(child);
  EXPECT_EQ(o.status, 130) << o.err;
  const std::size_t bytes = text("a.mp4").size();
  EXPECT_GE(bytes, 3 * raw_frame);
  EXPECT_LT(bytes, 301 * raw_frame);
  EXPECT_EQ(bytes % raw_frame, 0u);
  EXPECT_TRUE(test::says(o.err, "video: " + std::to_string(bytes / raw_frame) + " of 301 frames"));
  EXPECT_EQ(count(), 2u);
}

TEST_F(Video, interrupted_before_its_first_frame_it_leaves_nothing) {
  const pid_t child = launch(
      words("--from 1e8 --to 1e8 --film f/"_words, "double_spherical_pendulum"), environment());
  for (int i = 0; i < 2000 && count() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(::kill(child, SIGTERM), 0);
  EXPECT_EQ(finish(child).status, 143);
  EXPECT_EQ(count(), 0u);
}

TEST_F(Video, interrupted_before_it_plays_backwards_it_leaves_nothing) {
  const pid_t child = launch(
      words("--to 1e8 --speed 1e6 --film f/ --backwards"_words, "three_body"), environment());
  for (int i = 0; i < 2000 && count() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(::kill(child, SIGINT), 0);
  const Outcome o = finish(child);
  EXPECT_EQ(o.status, 130);
  EXPECT_TRUE(test::says(o.err, "video: 0 of 3001 frames"));
  EXPECT_EQ(count(), 0u);
}

TEST_F(Video, a_real_ffmpeg_makes_playable_videos) {
  const std::string program = ffmpeg();
  if (program.empty()) GTEST_SKIP() << "there is no ffmpeg here";
  for (const char* name : {"a.mp4", "a.webm", "a.mkv", "a.gif"}) {
    succeed(words({"--to", "0.4", "--fps", "25", "--film", name}));
    const std::string command =
        program + " -v error -i " + in(name) + " -f framemd5 - | grep -vc '#' > " + in("count");
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(text("count"), "11\n") << name;
  }
}

}  // namespace
}  // namespace twosphere::command_line_video_test
