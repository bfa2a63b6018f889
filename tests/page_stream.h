// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/packing.h"
#include "tests/outcome.h"

/// What a web page does with the data and the packed numbers that it holds.
namespace twosphere::test {

/// What stands in the block of this name; without it, the test ends.
inline std::string page_block(const std::string& page, const std::string& id,
                              const Caller& at = Caller::here()) {
  const std::string open = " id=\"" + id + "\">\n";
  const auto begin = page.find(open);
  if (begin == page.npos) end_test(at, "the page has no block " + id);
  const auto from = begin + open.size();
  return page.substr(from, page.find("\n</script>", from) - from);
}

/// What a page shows.
inline json::Node page_data(const std::string& page, const Caller& at = Caller::here()) {
  return value_of(json::parse(page_block(page, "data", at), "data"), at);
}

inline std::string inflated(const std::string& base64_text) {
  const std::string packed = value_of(from_base64(base64_text));
  std::string out(1 << 20, '\0');
  for (;;) {
    uLongf size = out.size();
    const int status = uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
    if (status == Z_OK) return out.substr(0, size);
    if (status != Z_BUF_ERROR) {
      ADD_FAILURE() << "zlib: " << status;
      return {};
    }
    out.resize(4 * out.size());
  }
}

/// The inverse of pack_numbers().
inline std::vector<std::uint16_t> unpacked(const std::string& text, std::size_t frames, int order) {
  const std::string bytes = inflated(text);
  const std::size_t n = bytes.size() / 2;
  std::vector<std::uint16_t> values;
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned z =
        static_cast<unsigned char>(bytes[i]) + 256u * static_cast<unsigned char>(bytes[n + i]);
    values.push_back(static_cast<std::uint16_t>(z % 2 == 0 ? z / 2 : ~(z / 2)));
  }
  for (std::size_t list = 0; list < n; list += frames)
    for (std::size_t d = std::min(static_cast<std::size_t>(order), frames - 1); d > 0; --d)
      for (std::size_t f = d; f < frames; ++f)
        values[list + f] = static_cast<std::uint16_t>(values[list + f] + values[list + f - 1]);
  return values;
}

/// The inverse of pack_floats().
inline std::vector<float> unpacked_floats(const std::string& text, std::size_t list) {
  const std::string bytes = inflated(text);
  std::vector<float> values;
  for (std::size_t i = 0; i < bytes.size() / 4; ++i) {
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < 4; ++b) {
      const std::size_t at = 4 * (i - i % list) + b * list + i % list;
      bits |= std::uint32_t{static_cast<unsigned char>(bytes[at])} << 8 * b;
    }
    values.push_back(std::bit_cast<float>(bits));
  }
  return values;
}

}  // namespace twosphere::test
