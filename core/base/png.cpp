// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/png.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <string_view>
#include <vector>

#include "core/base/build.h"
#include "core/base/text.h"

namespace twosphere {

namespace {

using PngBytes = std::vector<std::uint8_t>;

constexpr std::size_t max_chunk = 1 << 16;            // [bytes] of compressed pixels
constexpr std::size_t bytes_between_stops = 1 << 18;  // a few milliseconds

void add_number(std::string& to, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(number >> shift & 255);
}

/// A chunk: its length, type, data and the CRC-32 of type and data.
void add_chunk(std::string& file, std::string_view type, std::string_view data) {
  add_number(file, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = file.size();
  file.append(type).append(data);
  add_number(file, checksum(std::string_view(file).substr(begin)));
}

/// Whichever of a (left), b (above) and c (above left) is nearest to a + b − c.
std::uint8_t paeth(int a, int b, int c) {
  const int to_a = std::abs(b - c), to_b = std::abs(a - c), to_c = std::abs(a + b - 2 * c);
  return static_cast<std::uint8_t>(to_a <= to_b && to_a <= to_c ? a : to_b <= to_c ? b : c);
}

/// The filters of rows: nothing, the difference from the pixel to the left, from that above, and
/// from the nearest of both and the one between them.
constexpr std::array<std::uint8_t, 4> row_filters{0, 1, 2, 4};

/// Rows to be compressed: filtered by whichever filter makes the smallest numbers.
class RowFilter {
 public:
  RowFilter(std::size_t width, std::size_t channels)
      : channels_(channels), above_(width * channels + channels), row_(above_.size()) {
    for (PngBytes& filtered : filtered_) filtered.resize(1 + width * channels);
  }

  const PngBytes& next(const std::uint8_t* rgba) {
    const std::size_t n = channels_;
    std::swap(above_, row_);  // both begin with a pixel of zeros
    for (std::size_t i = n; i < row_.size(); i += n, rgba += 4) std::copy_n(rgba, n, &row_[i]);
    std::size_t best = 0;
    unsigned least = std::numeric_limits<unsigned>::max();
    for (std::size_t f = 0; f < row_filters.size(); ++f) {
      filtered_[f][0] = row_filters[f];
      filter(row_filters[f], &filtered_[f][1]);
      unsigned sum = 0;
      for (const std::uint8_t difference : filtered_[f])
        sum += std::min<unsigned>(difference, 256u - difference);
      if (sum < least) {
        least = sum;
        best = f;
      }
    }
    return filtered_[best];
  }

 private:
  void filter(std::uint8_t kind, std::uint8_t* to) const {
    const std::uint8_t* const left = row_.data();
    const std::uint8_t* const here = left + channels_;
    const std::uint8_t* const corner = above_.data();
    const std::uint8_t* const above = corner + channels_;
    const std::size_t size = row_.size() - channels_;
    const auto minus = [&](auto guess) {
      for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<std::uint8_t>(here[i] - guess(i));
    };
    switch (kind) {
      case 0:
        return minus([](std::size_t) { return 0; });
      case 1:
        return minus([&](std::size_t i) { return left[i]; });
      case 2:
        return minus([&](std::size_t i) { return above[i]; });
      default:
        return minus([&](std::size_t i) { return paeth(left[i], above[i], corner[i]); });
    }
  }

  std::size_t channels_;
  PngBytes above_, row_;
  std::array<PngBytes, row_filters.size()> filtered_;
};

/// Pixels compressed into chunks.
class PixelChunks {
 public:
  explicit PixelChunks(std::string& file) : file_(file), out_(max_chunk) {
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS, 8, Z_FILTERED) != Z_OK)
      throw std::bad_alloc();
    stream_.next_out = out_.data();
    stream_.avail_out = static_cast<uInt>(out_.size());
  }
  ~PixelChunks() { deflateEnd(&stream_); }
  PixelChunks(const PixelChunks&) = delete;
  PixelChunks& operator=(const PixelChunks&) = delete;

  void add(const PngBytes& bytes) {
    stream_.next_in = const_cast<Bytef*>(bytes.data());
    stream_.avail_in = static_cast<uInt>(bytes.size());
    while (stream_.avail_in > 0) {
      deflate(&stream_, Z_NO_FLUSH);
      if (stream_.avail_out == 0) flush();
    }
  }
  void finish() {
    while (deflate(&stream_, Z_FINISH) != Z_STREAM_END) flush();
    flush();
  }

 private:
  void flush() {
    const std::size_t size = out_.size() - stream_.avail_out;
    if (size > 0) add_chunk(file_, "IDAT", {reinterpret_cast<const char*>(out_.data()), size});
    stream_.next_out = out_.data();
    stream_.avail_out = static_cast<uInt>(out_.size());
  }

  std::string& file_;
  PngBytes out_;
  z_stream stream_{};
};

}  // namespace

std::string png(std::span<const std::uint8_t> rgba, int width, const PngForm& form,
                const std::function<bool()>& stop) {
  const auto columns = static_cast<std::size_t>(width);
  const std::size_t channels = form.transparent ? 4 : 3, rows = rgba.size() / (4 * columns);
  std::string file = "\x89PNG\r\n\x1a\n", header, resolution;
  add_number(header, static_cast<std::uint32_t>(columns));
  add_number(header, static_cast<std::uint32_t>(rows));
  // 8 bits a channel, the only methods that there are, rows from the top.
  header += {8, form.transparent ? '\6' : '\2', 0, 0, 0};
  add_chunk(file, "IHDR", header);
  const auto per_metre = static_cast<std::uint32_t>(std::lround(form.dpi / 0.0254));
  add_number(resolution, per_metre);
  add_number(resolution, per_metre);
  add_chunk(file, "pHYs", resolution + '\1');
  add_chunk(file, "tEXt", std::string("Software") + '\0' + program_version());
  // Not compressed, of no language; the text must not hold a NUL.
  if (const std::string title = form.title.substr(0, form.title.find('\0')); !title.empty())
    add_chunk(file, "iTXt", std::string("Title") + std::string(5, '\0') + title);

  RowFilter filter(columns, channels);
  PixelChunks pixels(file);
  const std::size_t rows_between = std::max<std::size_t>(bytes_between_stops / (4 * columns), 1);
  for (std::size_t y = 0; y < rows; ++y) {
    if (stop && y % rows_between == 0 && stop()) return {};
    pixels.add(filter.next(&rgba[4 * columns * y]));
  }
  pixels.finish();
  add_chunk(file, "IEND", {});
  return file;
}

}  // namespace twosphere
