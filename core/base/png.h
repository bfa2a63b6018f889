// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace twosphere {

/// What a PNG file has beside the colours of its pixels.
struct PngForm {
  bool transparent = false;  ///< it has the alpha channel, too
  std::string title{};       ///< UTF-8; empty: none
  double dpi = 96;           ///< pixels per inch
};

/// A picture as a PNG file (ISO/IEC 15948) that names the program. `rgba`: its rows from the top,
/// four bytes per pixel, alpha last. `stop` is called after every few rows;
/// once it returns true the result is empty.
std::string png(std::span<const std::uint8_t> rgba, int width, const PngForm& form,
                const std::function<bool()>& stop = {});

}  // namespace twosphere
