// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/sphere.h"

/// The positions of the points of a run over time, as a web page holds them.
namespace twosphere {

/// Positions of the same points at rows of a run.
struct PointRows {
  Vec3 center = Vec3::Zero();  ///< [m]
  double radius = 1;           ///< [m] > 0
  std::size_t points = 0;
  std::vector<double> times;        ///< of each row [s], ascending
  std::vector<std::size_t> starts;  ///< first rows of the segments, ascending, from 0
  /// x, y, z of every point of the first row, then of the next: relative to the centre [radius].
  std::vector<float> positions;
};

/// Fails if a point is nowhere at some row, as that of a figure which divides by 0 there.
Result<void> check_finite(const PointRows& rows);

struct PointLimits {
  std::size_t frames = 4000;       ///< about: a segment has its last row, too
  std::size_t bytes = 20'000'000;  ///< of the text
  double error = 1e-4;             ///< of a point at a row between frames [radius]
};

/// Some of the rows, the frames.
struct FrameRows {
  std::vector<std::size_t> rows;    ///< of each frame
  std::vector<std::size_t> starts;  ///< first frames of the segments
};
/// Every `stride`-th row of each segment, and its last.
FrameRows frame_rows(const PointRows& rows, std::size_t stride);

/// Frames, packed.
struct PointStream : FrameRows {
  double half = 1;  ///< a number u stands for centre + half (2u/65535 − 1), in each coordinate [m]
  int order = 1;    ///< of the differences
  std::string text;
  /// The largest distance of a point from its place: at a row between frames, where it is found by
  /// interpolate(), or √3 half/65535, to which the numbers are rounded, if that is larger [radius].
  double error = 0;
};

/// The weights of the polynomial through the frames nearest to a time.
struct FrameWeights {
  std::size_t first = 0, count = 1;
  std::array<double, 4> values{1, 0, 0, 0};
};
/// The cubic through the four frames nearest to t within its segment of frames [from, to); through
/// fewer where the segment is shorter. `before`: the last frame at or before t. What a page does
/// between frames, too.
FrameWeights interpolate(std::span<const double> times, std::size_t from, std::size_t to,
                         std::size_t before, double t);

/// Numbers in lists of equal length, each at all frames, as text: differences along each list, the
/// first one `order` times, the second one less, …, modulo 2¹⁶; zigzag; all low bytes, then all
/// high bytes; zlib; base64. The order, 1 to 3, is the one that packs best.
std::string pack_numbers(std::span<const std::uint16_t> numbers, std::size_t frames, int& order);

/// Numbers in lists of equal length as text: of each list all low bytes, then the next, the high
/// ones last, in which alike numbers give alike bytes; zlib; base64.
std::string pack_floats(std::span<const float> numbers, std::size_t list);

/// Chooses as few frames as keep the error within the limit at every other row: every k-th row and
/// the last one of each segment. Fewer, with a larger error, if there would be too many or the text
/// would be too long. Fails if even two frames of each segment are too long, and as check_finite()
/// does.
Result<PointStream> pack_points(const PointRows& rows, const PointLimits& limits = {});

}  // namespace twosphere
