// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <QImage>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "app/export/video.h"
#include "tests/app/cli/run_program.h"

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
      ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
      ::setenv("PATH", path.c_str(), 1);
    };
  }
  static Words words(const Words& more, const char* preset = "three_body") {
    Words all{"render", "--preset", preset, "--size", "64x40"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
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

TEST_F(Video, frames_are_the_pictures_of_their_times) {
  const Outcome o =
      video({"--film", "frames/", "--from", "0.1", "--to", "0.5", "--fps", "5", "--speed", "0.5"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out + o.err, "");
  ASSERT_EQ(files("frames"), 5u);
  for (int k = 0; k < 5; ++k) {
    const std::string time = std::to_string(0.1 + 0.1 * k);
    ASSERT_EQ(video({"--time", time, "--png", "p.png"}).status, 0);
    EXPECT_EQ(text("p.png"), frame("frames", k)) << k;
  }
  EXPECT_NE(frame("frames", 0), frame("frames", 4));
  const QImage image = QImage::fromData(QByteArray::fromStdString(frame("frames", 0)));
  EXPECT_EQ(image.size(), QSize(64, 40));
}

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

TEST_F(Video, backwards_has_the_same_frames_in_the_opposite_order) {
  const Words stretch{"--from", "0.1", "--to", "0.5", "--fps", "10"};
  const auto to = [&](const char* place, const Words& more) {
    Words all = stretch;
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"--film", place});
    return video(all);
  };
  ASSERT_EQ(to("f/", {}).status, 0);
  const Outcome o = to("b/", {"--backwards"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out + o.err, "");
  ASSERT_EQ(files("f"), 5u);
  ASSERT_EQ(files("b"), 5u);
  for (int k = 0; k < 5; ++k) EXPECT_EQ(frame("b", k), frame("f", 4 - k)) << k;
  EXPECT_NE(frame("f", 0), frame("f", 4));
}

TEST_F(Video, two_recordings_have_equal_frames) {
  const Words stretch{"--to", "0.3", "--light", "--trail", "1", "--film"};
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

TEST_F(Video, says_to_ffmpeg_what_it_gets) {
  put_copying_ffmpeg();
  ASSERT_EQ(video({"--to", "0.1", "--fps", "25", "--film", "a.webm"}).status, 0);
  const std::string said = text("bin/words");
  for (const char* part : {"-f rawvideo", "-pixel_format rgba", "-video_size 64x40",
                           "-framerate 25", "-c:v libvpx-vp9", "-f webm"})
    EXPECT_NE(said.find(part), std::string::npos) << part << " in " << said;
}

TEST_F(Video, a_frame_between_two_steps_shows_the_later_one) {
  put_copying_ffmpeg();
  // Two frames a step.
  ASSERT_EQ(video({"--to", "0.02", "--fps", "50", "--speed", "0.25", "--trail", "0", "--film",
                   "a.mkv", "--step", "0.01"})
                .status,
            0);
  const std::string raw = text("a.mkv");
  ASSERT_EQ(raw.size(), 5 * raw_frame);
  const auto at = [&](std::size_t k) { return raw.substr(k * raw_frame, raw_frame); };
  EXPECT_NE(at(0), at(1));
  EXPECT_EQ(at(1), at(2));
  EXPECT_NE(at(2), at(3));
  EXPECT_EQ(at(3), at(4));
}

TEST_F(Video, without_ffmpeg_the_frames_are_left_and_how_to_join_them_is_said) {
  const Outcome o = video({"--to", "0.1", "--film", "motion.mp4"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(files("motion"), 4u);
  EXPECT_NE(o.err.find("ffmpeg was not found; the frames are written to motion/"),
            std::string::npos);
  EXPECT_NE(o.err.find("ffmpeg -framerate 30 -i motion/frame_%06d.png"), std::string::npos);
  EXPECT_EQ(video({"--to", "0.1", "--film", "motion.mp4", "--quiet"}).err, "");
}

TEST_F(Video, a_folder_of_frames_is_replaced_and_no_other) {
  ASSERT_EQ(video({"--to", "0.2", "--film", "f/"}).status, 0);
  ASSERT_EQ(files("f"), 7u);
  ASSERT_EQ(video({"--to", "0.1", "--film", "f"}).status, 0) << "it is a folder already";
  EXPECT_EQ(files("f"), 4u);
  ASSERT_TRUE(write_file(in("f/notes.txt"), "mine"));
  const Outcome o = video({"--to", "0.2", "--film", "f/"});
  EXPECT_EQ(o.status, 4);
  EXPECT_NE(o.err.find("f/: the folder already exists and contains \"notes.txt\""),
            std::string::npos)
      << o.err;
  EXPECT_EQ(files("f"), 5u);
  EXPECT_EQ(count(), 1u);
}

TEST_F(Video, an_ffmpeg_that_fails_leaves_the_old_video) {
  ASSERT_TRUE(write_file(in("a.mp4"), "old"));
  for (const char* script :
       {"echo first; echo 'no room' >&2; exit 1", "echo 'no room' >&2; kill -9 $$",
        "/bin/cat > /dev/null; echo 'no room' >&2; exit 1"}) {
    put_ffmpeg(script);
    const Outcome o = video({"--to", "1", "--film", "a.mp4"});
    EXPECT_EQ(o.status, 4) << script;
    EXPECT_NE(o.err.find("a.mp4: ffmpeg failed: no room"), std::string::npos) << o.err;
    EXPECT_EQ(text("a.mp4"), "old");
    EXPECT_EQ(count(), 2u);
  }
  put_ffmpeg("exec /bin/cat > /dev/null");
  const Outcome o = video({"--to", "0.1", "--film", "a.mp4"});
  EXPECT_EQ(o.status, 4);
  EXPECT_NE(o.err.find("a.mp4: ffmpeg failed: it wrote nothing"), std::string::npos) << o.err;
  put_ffmpeg("/bin/cat > /dev/null; echo 'no trailer' >&2");
  const Outcome said = video({"--to", "0.1", "--film", "a.mp4"});
  EXPECT_EQ(said.status, 4);
  EXPECT_NE(said.err.find("a.mp4: ffmpeg failed: no trailer"), std::string::npos) << said.err;
  EXPECT_EQ(text("a.mp4"), "old");
}

TEST_F(Video, a_full_disk_leaves_nothing) {
  const Outcome o = run(words({"--to", "0.2", "--film", "f/"}), "", [this] {
    environment()();
    const rlimit little{512, 512};
    ::setrlimit(RLIMIT_FSIZE, &little);
  });
  EXPECT_EQ(o.status, 4);
  EXPECT_NE(o.err.find("f/frame_000000.png: File too large"), std::string::npos) << o.err;
  EXPECT_EQ(count(), 0u);
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
  EXPECT_NE(o.err.find("film: " + std::to_string(bytes / raw_frame) + " of 301 frames"),
            std::string::npos)
      << o.err;
  EXPECT_EQ(count(), 2u);
}

TEST_F(Video, interrupted_before_its_first_frame_it_leaves_nothing) {
  const pid_t child =
      launch(words({"--from", "1e8", "--to", "1e8", "--film", "f/"}, "double_spherical_pendulum"),
             environment());
  for (int i = 0; i < 2000 && count() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(::kill(child, SIGTERM), 0);
  EXPECT_EQ(finish(child).status, 143);
  EXPECT_EQ(count(), 0u);
}

TEST_F(Video, interrupted_before_it_plays_backwards_it_leaves_nothing) {
  const pid_t child =
      launch(words({"--to", "1e8", "--speed", "1e6", "--film", "f/", "--backwards"}, "three_body"),
             environment());
  for (int i = 0; i < 2000 && count() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(::kill(child, SIGINT), 0);
  const Outcome o = finish(child);
  EXPECT_EQ(o.status, 130);
  EXPECT_NE(o.err.find("film: 0 of 3001 frames"), std::string::npos) << o.err;
  EXPECT_EQ(count(), 0u);
}

TEST_F(Video, ends_where_the_run_ends) {
  const Outcome stopped = video({"--film", "f/", "--set", "stop=[{\"time\":0.2}]"});
  EXPECT_EQ(stopped.status, 0) << stopped.err;
  EXPECT_EQ(files("f"), 7u);
  EXPECT_NE(stopped.err.find("stopped: "), std::string::npos) << stopped.err;
  EXPECT_NE(stopped.err.find("film: 7 of 301 frames"), std::string::npos) << stopped.err;
  const Outcome refused = video({"--film", "g/", "--step", "0.5"}, "chain_pendulum");
  EXPECT_EQ(refused.status, 3);
  EXPECT_NE(refused.err.find(" failed: body "), std::string::npos) << refused.err;
  EXPECT_GE(files("g"), 1u);
}

TEST_F(Video, a_real_ffmpeg_makes_playable_videos) {
  const std::string program = ffmpeg();
  if (program.empty()) GTEST_SKIP() << "there is no ffmpeg here";
  for (const char* name : {"a.mp4", "a.webm", "a.mkv", "a.gif"}) {
    const Outcome o = run(words({"--to", "0.4", "--fps", "25", "--film", name}));
    ASSERT_EQ(o.status, 0) << o.err;
    const std::string command =
        program + " -v error -i " + in(name) + " -f framemd5 - | grep -vc '#' > " + in("count");
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(text("count"), "11\n") << name;
  }
}

using Case = FailingCall;

class VideoErrors : public CommandLine, public testing::WithParamInterface<Case> {};

TEST_P(VideoErrors, status_and_message) {
  Case call = GetParam();
  const Words start{"render", "--preset", "three_body"};
  call.words.insert(call.words.begin(), start.begin(), start.end());
  expect_failure(call);
}

INSTANTIATE_TEST_SUITE_P(
    All, VideoErrors,
    testing::Values(
        Case{"kind",
             {"--film", "a.avi"},
             2,
             "--film: \"a.avi\" must end in .mp4, .webm, .mkv or .gif, or in / for a folder"},
        Case{"no_name", {"--film", ".mp4"}, 2, "--film: \".mp4\" must end in"},
        Case{"picture_too", {"--film", "f/", "--time", "1"}, 2, "--time: applies to pictures"},
        Case{"png_too", {"--film", "f/", "--png", "p.png"}, 2, "--png: applies to pictures"},
        Case{"no_film",
             {"--time", "1", "--png", "p.png", "--speed", "2"},
             2,
             "--speed: applies to videos; it needs --film FILE"},
        Case{"backwards_picture",
             {"--time", "1", "--png", "p.png", "--backwards"},
             2,
             "--backwards: applies to videos; it needs --film FILE"},
        Case{"odd",
             {"--film", "a.mp4", "--size", "641x400"},
             2,
             "--size: must be even in both directions for a video, not 641x400"},
        Case{"rate", {"--film", "f/", "--fps", "0"}, 2, "--fps: must be greater than 0, not 0"},
        Case{"gif_rate",
             {"--film", "a.gif", "--fps", "60"},
             2,
             "--fps: must be 50 or less in a GIF, not 60"},
        Case{"speed",
             {"--film", "f/", "--speed", "-1"},
             2,
             "--speed: must be greater than 0, not -1"},
        Case{"backwards",
             {"--film", "f/", "--from", "2", "--to", "1"},
             2,
             "--to: must be at least 2 s, the beginning of the video, not 1"},
        Case{"early",
             {"--film", "f/", "--from", "-1"},
             2,
             "--from: must be at least 0 s, the start of the scenario, not -1"},
        Case{"long",
             {"--film", "f/", "--fps", "1e9"},
             2,
             "--film: would give 1e+10 frames; at most 999999 are possible"},
        Case{"clear",
             {"--film", "a.mp4", "--transparent"},
             2,
             "--transparent: only pictures and PNG frames can be transparent"},
        Case{"no_body",
             {"--film", "f/", "--follow", "4"},
             2,
             "--follow: must be the number of a body, from 1 to 3, not \"4\""},
        Case{"no_number",
             {"--film", "f/", "--follow", "tip"},
             2,
             "--follow: must be the number of a body, from 1 to 3, not \"tip\""},
        Case{"no_folder", {"--film", "none/f/"}, 4, "none/f/: No such file or directory"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace twosphere::command_line_video_test
