// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/picture.h"

#include <QBuffer>
#include <QImage>
#include <QString>

#include "core/base/build.h"

namespace twosphere {

QByteArray png(const render::Image& image, bool transparent) {
  const QImage whole(image.pixels.data(), image.width, image.height, 4 * image.width,
                     QImage::Format_RGBA8888);
  QImage written = transparent ? whole.copy() : whole.convertToFormat(QImage::Format_RGB888);
  // Fixed, because Qt's default resolution depends on the screen.
  constexpr int per_metre = 3780;  // 96 dpi
  written.setDotsPerMeterX(per_metre);
  written.setDotsPerMeterY(per_metre);
  written.setText(QStringLiteral("Software"), QString::fromStdString(program_version()));
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  return written.save(&buffer, "PNG") ? bytes : QByteArray();
}

}  // namespace twosphere
