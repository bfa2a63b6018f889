// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/video.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QProcess>
#include <QStandardPaths>
#include <QStringList>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/atomic_folder.h"
#include "core/base/build.h"
#include "core/base/file.h"
#include "core/base/png.h"

namespace twosphere {

namespace {

using json::quote;
using json::shortest;

constexpr double fastest_gif = 50;  // delays in a GIF are multiples of 0.01 s, at least 0.02 s
constexpr int stop_interval = 100;  // [ms] between calls of `stop`

struct Codec {
  std::string_view suffix, container;
  std::vector<const char*> arguments;
};

// In the order of VideoKind. Bit-exact output: no dates or random numbers. Colours are sRGB and
// tagged as such.
const std::array<Codec, 4>& codecs() {
  static const std::vector<const char*> even{
      "-vf",
      "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
      "-colorspace",
      "bt709",
      "-color_primaries",
      "bt709",
      "-color_trc",
      "bt709"};
  const auto with = [](std::vector<const char*> more) {
    more.insert(more.begin(), even.begin(), even.end());
    return more;
  };
  static const std::array<Codec, 4> list{
      Codec{
          ".mp4", "mp4",
          with({"-c:v", "libx264", "-preset", "medium", "-crf", "18", "-movflags", "+faststart"})},
      Codec{".webm", "webm",
            with({"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-row-mt", "1", "-cpu-used",
                  "4"})},
      Codec{".mkv", "matroska", with({"-c:v", "libx264", "-preset", "medium", "-crf", "18"})},
      Codec{".gif",
            "gif",
            {"-filter_complex",
             "split[a][b];[a]palettegen=stats_mode=single[p];"
             "[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4"}}};
  return list;
}

class Frames : public VideoWriter {
 public:
  Frames(AtomicFolder folder, bool transparent)
      : folder_(std::move(folder)), transparent_(transparent) {}

  Result<bool> frame(const render::Image& image, const std::function<bool()>& stop) override {
    const std::string bytes = png(image.pixels, image.width, {transparent_}, stop);
    if (bytes.empty()) return false;
    if (auto done = folder_.write(fmt::format("frame_{:06}.png", count_++), bytes); !done)
      return done.error();
    return true;
  }
  Result<void> commit() override { return folder_.commit(); }

  static bool own(std::string_view name) {
    constexpr std::string_view before = "frame_", after = ".png";
    if (!name.starts_with(before) || !name.ends_with(after)) return false;
    name.remove_prefix(before.size());
    name.remove_suffix(after.size());
    return name.size() == 6 && name.find_first_not_of("0123456789") == name.npos;
  }

 private:
  AtomicFolder folder_;
  bool transparent_;
  std::int64_t count_ = 0;
};

/// Pipes frames to ffmpeg, which writes to the temporary path of an AtomicFile.
class Ffmpeg : public VideoWriter {
 public:
  Ffmpeg(std::string path, AtomicFile file) : path_(std::move(path)), file_(std::move(file)) {}
  ~Ffmpeg() override {
    if (process_.state() == QProcess::NotRunning) return;
    process_.kill();
    process_.waitForFinished(-1);
  }

  Result<void> start(const std::string& program, const Codec& codec, const VideoPlan& plan) {
    QStringList words{"-hide_banner", "-loglevel",     "error", "-y",         "-f",
                      "rawvideo",     "-pixel_format", "rgba",  "-video_size"};
    const auto add = [&words](std::string_view word) {
      words << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
    };
    add(fmt::format("{}x{}", plan.width, plan.height));
    add("-framerate");
    add(shortest(plan.rate));
    for (const char* word :
         {"-i", "-", "-an", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-metadata"})
      add(word);
    add("comment=" + program_version());
    for (const char* word : codec.arguments) add(word);
    add("-f");
    add(codec.container);
    add(file_.temporary());
    // Ctrl-C must reach only this program, which then completes the video.
    process_.setChildProcessModifier([] { (void)::setsid(); });
    process_.setStandardOutputFile(QProcess::nullDevice());
    process_.start(QString::fromStdString(program), words);
    if (!process_.waitForStarted(-1)) return died();
    return {};
  }

  Result<bool> frame(const render::Image& image, const std::function<bool()>& stop) override {
    process_.write(reinterpret_cast<const char*>(image.pixels.data()),
                   static_cast<qint64>(image.pixels.size()));
    // ffmpeg encodes this frame while the next one is drawn.
    while (process_.bytesToWrite() > 0 && !stop())
      if (!process_.waitForBytesWritten(stop_interval) && process_.state() == QProcess::NotRunning)
        return died();
    return true;
  }

  Result<void> commit() override {
    process_.closeWriteChannel();
    process_.waitForFinished(-1);
    if (process_.exitStatus() != QProcess::NormalExit || process_.exitCode() != 0) return died();
    // It ends well, too, where the end of the file could not be written.
    struct stat written {};
    if (::stat(file_.temporary().c_str(), &written) != 0 || written.st_size == 0) return died();
    return file_.commit();
  }

 private:
  /// The last line of ffmpeg's messages is the reason. Those that tell of its progress end in \r.
  Error died() {
    constexpr qsizetype longest = 400;
    QByteArray said = process_.readAllStandardError().replace('\r', '\n').trimmed();
    said = said.mid(said.lastIndexOf('\n') + 1);
    if (said.size() > longest) said = said.left(longest) + " ...";
    const bool well =
        process_.state() == QProcess::NotRunning && process_.exitStatus() == QProcess::NormalExit;
    if (said.isEmpty()) said = well ? "it wrote nothing" : process_.errorString().toUtf8();
    return {ErrorKind::input_output, path_, "ffmpeg failed: " + said.toStdString()};
  }

  std::string path_;
  AtomicFile file_;
  QProcess process_;
};

}  // namespace

std::int64_t VideoPlan::frames() const {
  return static_cast<std::int64_t>(std::floor((to - from) * rate / speed + 1e-9)) + 1;
}

Result<void> check(const VideoPlan& plan) {
  const auto positive = [](double value, const char* option) -> Result<void> {
    if (value > 0) return {};
    return Error{ErrorKind::usage, option,
                 fmt::format("must be greater than 0, not {}", shortest(value))};
  };
  if (auto fine = positive(plan.rate, "--fps"); !fine) return fine;
  if (auto fine = positive(plan.speed, "--speed"); !fine) return fine;
  if (plan.to < plan.from)
    return Error{ErrorKind::usage, "--to",
                 fmt::format("must be at least {} s, the beginning of the video, not {}",
                             shortest(plan.from), shortest(plan.to))};
  if (const double frames = (plan.to - plan.from) * plan.rate / plan.speed;
      !(frames < static_cast<double>(VideoPlan::max_frames)))
    return Error{ErrorKind::usage, "--film",
                 fmt::format("would give {:.3g} frames; at most {} are possible", frames,
                             VideoPlan::max_frames)};
  return {};
}

std::string_view suffix(VideoKind kind) {
  return kind == VideoKind::frames ? "/" : codecs()[static_cast<std::size_t>(kind)].suffix;
}

Result<VideoKind> video_kind(const std::string& path) {
  struct stat status {};
  if (path.ends_with('/') || (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)))
    return VideoKind::frames;
  for (std::size_t i = 0; i < codecs().size(); ++i)
    if (path.size() > codecs()[i].suffix.size() && path.ends_with(codecs()[i].suffix))
      return static_cast<VideoKind>(i);
  return Error{ErrorKind::usage, "--film",
               fmt::format("{} must end in .mp4, .webm, .mkv or .gif, or in / for a folder of PNG "
                           "frames",
                           quote(path))};
}

std::string ffmpeg() {
  return QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).toStdString();
}

Result<void> check(VideoKind kind, const VideoPlan& plan, bool transparent) {
  if (kind == VideoKind::frames) return {};
  if (transparent)
    return Error{ErrorKind::usage, "--transparent",
                 "only pictures and PNG frames can be transparent"};
  if (kind == VideoKind::gif) {
    if (plan.rate > fastest_gif)
      return Error{ErrorKind::usage, "--fps",
                   fmt::format("must be {} or less in a GIF, not {}", shortest(fastest_gif),
                               shortest(plan.rate))};
  } else if (plan.width % 2 != 0 || plan.height % 2 != 0) {
    return Error{ErrorKind::usage, "--size",
                 fmt::format("must be even in both directions for a video, not {}x{}", plan.width,
                             plan.height)};
  }
  return {};
}

Result<std::unique_ptr<VideoWriter>> open_video(VideoKind kind, const std::string& path,
                                                const VideoPlan& plan, bool transparent) {
  if (kind == VideoKind::frames) {
    auto folder = AtomicFolder::open(path, Frames::own);
    if (!folder) return folder.error();
    return std::unique_ptr<VideoWriter>(std::make_unique<Frames>(std::move(*folder), transparent));
  }
  auto file = AtomicFile::open(path);
  if (!file) return file.error();
  if (!file->regular()) return Error{ErrorKind::input_output, path, "is not a regular file"};
  const std::string program = ffmpeg();
  if (program.empty()) return Error{ErrorKind::input_output, path, "ffmpeg was not found"};
  auto made = std::make_unique<Ffmpeg>(path, std::move(*file));
  if (auto started = made->start(program, codecs()[static_cast<std::size_t>(kind)], plan); !started)
    return started.error();
  return std::unique_ptr<VideoWriter>(std::move(made));
}

}  // namespace twosphere
