// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/png.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/build.h"

namespace twosphere::png_test {
namespace {

using Pixels = std::vector<std::uint8_t>;

std::uint32_t number(const std::string& bytes, std::size_t at) {
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < 4; ++k) sum = sum << 8 | static_cast<unsigned char>(bytes[at + k]);
  return sum;
}

/// The chunks of a file by their types, those of a type joined; their checksums must be right.
std::map<std::string, std::string> chunks(const std::string& file) {
  std::map<std::string, std::string> found;
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t size = number(file, at);
    const std::string typed = file.substr(at + 4, 4 + size);
    EXPECT_EQ(number(file, at + 8 + size), crc32(0, reinterpret_cast<const Bytef*>(typed.data()),
                                                 static_cast<uInt>(typed.size())));
    found[typed.substr(0, 4)] += typed.substr(4);
    at += 12 + size;
  }
  return found;
}

/// The pixels of its rows, which are filtered as the standard says.
Pixels decoded(const std::string& packed, std::size_t columns, std::size_t rows, std::size_t n) {
  std::vector<unsigned char> bytes(rows * (1 + columns * n));
  uLongf size = bytes.size();
  EXPECT_EQ(
      uncompress(bytes.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
      Z_OK);
  EXPECT_EQ(size, bytes.size());
  Pixels pixels(rows * columns * n);
  const auto at = [&](std::size_t row, std::size_t i, bool left, bool above) -> int {
    if ((left && i < n) || (above && row == 0)) return 0;
    return pixels[(row - (above ? 1 : 0)) * columns * n + i - (left ? n : 0)];
  };
  for (std::size_t row = 0; row < rows; ++row) {
    const unsigned char* const from = &bytes[row * (1 + columns * n)];
    for (std::size_t i = 0; i < columns * n; ++i) {
      const int a = at(row, i, true, false), b = at(row, i, false, true),
                c = at(row, i, true, true), p = a + b - c;
      int guess = 0;
      if (from[0] == 1) guess = a;
      if (from[0] == 2) guess = b;
      if (from[0] == 3) guess = (a + b) / 2;
      if (from[0] == 4) {
        const int x = std::abs(p - a), y = std::abs(p - b), z = std::abs(p - c);
        guess = x <= y && x <= z ? a : y <= z ? b : c;
      }
      pixels[row * columns * n + i] = static_cast<std::uint8_t>(from[1 + i] + guess);
    }
  }
  return pixels;
}

/// A smooth picture with noise and an area of one colour.
Pixels picture(std::size_t columns, std::size_t rows) {
  std::mt19937 random(1);
  Pixels pixels;
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x)
      for (unsigned c = 0; c < 4; ++c) {
        const double wave = 120 * std::sin(0.02 * static_cast<double>(x * (c + 1) + y));
        pixels.push_back(static_cast<std::uint8_t>(y % 7 < 3 ? static_cast<unsigned>(128 + wave)
                                                             : random() % 256));
      }
  return pixels;
}

TEST(Png, HasThePixels) {
  for (const auto& [columns, rows] : {std::pair<std::size_t, std::size_t>{1, 1}, {3, 2}, {301, 97}})
    for (const bool transparent : {false, true}) {
      const Pixels pixels = picture(columns, rows);
      auto found = chunks(png(pixels, static_cast<int>(columns), {transparent}));
      const std::string& header = found["IHDR"];
      ASSERT_EQ(header.size(), 13u);
      EXPECT_EQ(number(header, 0), columns);
      EXPECT_EQ(number(header, 4), rows);
      EXPECT_EQ(header.substr(8),
                transparent ? std::string("\10\6\0\0\0", 5) : std::string("\10\2\0\0\0", 5));
      const std::size_t n = transparent ? 4 : 3;
      Pixels expected;
      for (std::size_t i = 0; i < pixels.size(); ++i)
        if (i % 4 < n) expected.push_back(pixels[i]);
      EXPECT_EQ(decoded(found["IDAT"], columns, rows, n), expected) << columns;
    }
}

TEST(Png, SaysWhatMadeItAndItsTitle) {
  const Pixels pixels(4 * 16 * 16);
  auto found = chunks(png(pixels, 16, {}));
  EXPECT_EQ(found["tEXt"], std::string("Software") + '\0' + program_version());
  ASSERT_EQ(found["pHYs"].size(), 9u);
  EXPECT_EQ(number(found["pHYs"], 0), 3780u) << "96 per inch, in metres";
  EXPECT_EQ(found.count("iTXt"), 0u);
  EXPECT_EQ(found.count("IEND"), 1u);
  EXPECT_EQ(chunks(png(pixels, 16, {false, std::string("\0a", 2), 96})).count("iTXt"), 0u);
  found = chunks(png(pixels, 16, {false, "Größe", 300}));
  EXPECT_EQ(number(found["pHYs"], 4), 11811u);
  EXPECT_EQ(found["iTXt"], std::string("Title") + std::string(5, '\0') + "Größe");
}

// However large it is, it is asked every few milliseconds.
TEST(Png, EndsWhereItIsStopped) {
  constexpr int columns = 2048;
  const Pixels pixels(std::size_t{4} * columns * columns);
  int asked = 0;
  EXPECT_FALSE(png(pixels, columns, {}, [&] { return ++asked < 0; }).empty());
  EXPECT_GE(asked, columns / 64);
  asked = 0;
  EXPECT_EQ(png(pixels, columns, {}, [&] { return ++asked == 3; }), "");
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace twosphere::png_test
