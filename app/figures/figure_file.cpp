// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/figure_file.h"

#include <fmt/format.h>

#include <QBuffer>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/base/qt_pixels.h"
#include "app/figures/print_painter.h"
#include "core/base/build.h"
#include "core/base/png.h"
#include "core/base/xml.h"

namespace twosphere {

namespace {

// Vectors are computed in hundredths of a millimetre.
constexpr int vector_dpi = 2540;

QString title(const Figure& figure) { return QString::fromStdString(figure.title); }

void paint(const Figure& figure, QPainter& painter, ui::Point points, const ui::FigureLook& look) {
  PrintPainter print(painter, look.font);
  ui::DrawList list;
  figure.lay_out(list, points, look, print);
  print.paint(list);
}

/// An element of an SVG file with a text.
QByteArray element(const char* name, const std::string& text) {
  return QByteArray::fromStdString(fmt::format("<{0}>{1}</{0}>\n", name, xml_text(text)));
}

QByteArray svg(const Figure& figure, ui::Point points, const ui::FigureLook& look) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(vector_dpi);
  const QSize size(pixels(points.x, vector_dpi), pixels(points.y, vector_dpi));
  generator.setSize(size);
  generator.setViewBox(QRect(QPoint(0, 0), size));
  QPainter painter(&generator);
  paint(figure, painter, points, look);
  painter.end();
  // QSvgGenerator writes a title as it is, also one that is not XML.
  bytes.insert(bytes.indexOf("<defs>"),
               element("title", figure.title) + element("desc", program_version()));
  return bytes;
}

QByteArray pdf(const Figure& figure, ui::Point points, const ui::FigureLook& look) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(vector_dpi);
  writer.setPageLayout(QPageLayout(
      QPageSize(QSizeF(points.x, points.y), QPageSize::Point, {}, QPageSize::ExactMatch),
      QPageLayout::Portrait, {}));
  writer.setTitle(title(figure));
  writer.setCreator(QString::fromStdString(program_version()));
  QPainter painter(&writer);
  painter.setRenderHint(QPainter::Antialiasing);
  paint(figure, painter, points, look);
  painter.end();
  return bytes;
}

}  // namespace

QImage figure_image(const Figure& figure, ui::Point points, double dpi,
                    const ui::FigureLook& look) {
  QImage image(pixels(points.x, dpi), pixels(points.y, dpi), QImage::Format_RGB32);
  if (image.isNull()) return image;
  const int per_metre = static_cast<int>(std::lround(dpi / 0.0254));
  image.setDotsPerMeterX(per_metre);
  image.setDotsPerMeterY(per_metre);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  paint(figure, painter, points, look);
  return image;
}

QByteArray figure_file(const Figure& figure, const FigurePage& page, const ui::FigureLook& look,
                       const std::function<bool()>& stop) {
  switch (page.format) {
    case FigureFormat::pdf:
      return pdf(figure, page.points, look);
    case FigureFormat::svg:
      return svg(figure, page.points, look);
    case FigureFormat::png:
      break;
  }
  const QImage image = figure_image(figure, page.points, page.dpi, look);
  if (image.isNull()) return {};
  const std::size_t row = 4 * static_cast<std::size_t>(image.width());
  std::vector<std::uint8_t> rgba(row * static_cast<std::size_t>(image.height()));
  for (int y = 0; y < image.height(); ++y)
    copy_rgba_row(image, y, rgba.data() + row * static_cast<std::size_t>(y));
  return QByteArray::fromStdString(png(rgba, image.width(), {false, figure.title, page.dpi}, stop));
}

}  // namespace twosphere
