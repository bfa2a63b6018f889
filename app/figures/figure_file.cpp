// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/figure_file.h"

#include <QBuffer>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/build.h"

namespace twosphere {

namespace {

// Vectors are computed in hundredths of a millimetre.
constexpr int vector_dpi = 2540;

QString program() { return QString::fromStdString(program_version()); }
QString title(const Drawing& drawing) { return QString::fromStdString(drawing.title); }

QByteArray svg(const Drawing& drawing, QSizeF points, const FigureLook& look) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(vector_dpi);
  const QSize size = (points * vector_dpi / 72).toSize();
  generator.setSize(size);
  generator.setViewBox(QRect(QPoint(0, 0), size));
  generator.setTitle(title(drawing));
  generator.setDescription(program());
  QPainter painter(&generator);
  drawing.draw(painter, points, look);
  painter.end();
  return bytes;
}

QByteArray pdf(const Drawing& drawing, QSizeF points, const FigureLook& look) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(vector_dpi);
  writer.setPageLayout(QPageLayout(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch),
                                   QPageLayout::Portrait, {}));
  writer.setTitle(title(drawing));
  writer.setCreator(program());
  QPainter painter(&writer);
  painter.setRenderHint(QPainter::Antialiasing);
  drawing.draw(painter, points, look);
  painter.end();
  return bytes;
}

}  // namespace

Drawing::Drawing(PlotFigure figure) : title(figure.title) {
  draw = [shared = std::make_shared<const PlotFigure>(std::move(figure))](
             QPainter& painter, QSizeF points, const FigureLook& look) {
    draw_figure(painter, *shared, points, look);
  };
}

QSize pixels(const FigurePage& page) { return (page.points * page.dpi / 72).toSize(); }

QImage figure_image(const Drawing& drawing, QSizeF points, double dpi, const FigureLook& look) {
  QImage image((points * dpi / 72).toSize(), QImage::Format_RGB32);
  if (image.isNull()) return image;
  const int per_metre = static_cast<int>(std::lround(dpi / 0.0254));
  image.setDotsPerMeterX(per_metre);
  image.setDotsPerMeterY(per_metre);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  drawing.draw(painter, points, look);
  return image;
}

QByteArray figure_file(const Drawing& drawing, const FigurePage& page, const FigureLook& look) {
  switch (page.format) {
    case FigureFormat::pdf:
      return pdf(drawing, page.points, look);
    case FigureFormat::svg:
      return svg(drawing, page.points, look);
    case FigureFormat::png:
      break;
  }
  QImage image = figure_image(drawing, page.points, page.dpi, look);
  image.setText(QStringLiteral("Title"), title(drawing));
  image.setText(QStringLiteral("Software"), program());
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!image.save(&buffer, "PNG")) return {};
  return bytes;
}

}  // namespace twosphere
