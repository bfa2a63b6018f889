// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QRgb>
#include <cstdint>

namespace twosphere {

/// Copies row `y` of a picture in QImage::Format_RGB32 to `to`, four bytes a pixel: red, green,
/// blue, 255. QImage::convertToFormat() does it on several threads, and where none can be started
/// it waits for them without end.
inline void copy_rgba_row(const QImage& picture, int y, std::uint8_t* to) {
  const int width = picture.width();
  const auto* const row = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
  for (int x = 0; x < width; ++x, to += 4) {
    to[0] = static_cast<std::uint8_t>(qRed(row[x]));
    to[1] = static_cast<std::uint8_t>(qGreen(row[x]));
    to[2] = static_cast<std::uint8_t>(qBlue(row[x]));
    to[3] = 255;
  }
}

}  // namespace twosphere
