// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/packing.h"

#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace twosphere {

namespace {

constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = bytes.size() - i < 3 ? bytes.size() - i : 3;
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? base64_digits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::array<std::uint32_t, 256> value;
  value.fill(64);
  for (std::size_t i = 0; i < base64_digits.size(); ++i)
    value[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::uint32_t>(i);
  std::string bytes;
  std::uint32_t bits = 0;
  std::size_t digits = 0, padding = 0;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    const std::uint32_t digit = value[static_cast<unsigned char>(c)];
    if (c == '=' ? ++padding > 2 : digit > 63 || padding > 0) return {};
    bits = bits << 6 | (c == '=' ? 0 : digit);
    if (++digits % 4 > 0) continue;
    for (std::size_t k = 0; k < 3 - padding; ++k)
      bytes += static_cast<char>(bits >> (16 - 8 * k) & 255);
    bits = 0;
  }
  if (digits % 4 > 0) return {};
  return bytes;
}

std::string deflated(std::string_view bytes, int level) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  // It fails only without memory or room, of which there is enough.
  compress2(reinterpret_cast<Bytef*>(out.data()), &size,
            reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), level);
  out.resize(size);
  return out;
}

}  // namespace twosphere
