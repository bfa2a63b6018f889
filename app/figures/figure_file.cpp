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
#include <memory>
#include <utility>

#include "app/figures/print_painter.h"
#include "core/base/build.h"
#include "core/base/json.h"
#include "core/base/xml.h"

namespace twosphere {

namespace {

// Vectors are computed in hundredths of a millimetre.
constexpr int vector_dpi = 2540;

QString program() { return QString::fromStdString(program_version()); }
QString title(const Figure& figure) { return QString::fromStdString(figure.title); }

void paint(const Figure& figure, QPainter& painter, QSizeF points, const ui::FigureLook& look) {
  PrintPainter print(painter, look.font);
  ui::DrawList list;
  figure.lay_out(list, {points.width(), points.height()}, look, print);
  print.paint(list);
}

/// An element of an SVG file with a text.
QByteArray element(const char* name, const std::string& text) {
  return QByteArray::fromStdString(fmt::format("<{0}>{1}</{0}>\n", name, xml_text(text)));
}

QByteArray svg(const Figure& figure, QSizeF points, const ui::FigureLook& look) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(vector_dpi);
  const QSize size = (points * vector_dpi / 72).toSize();
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

QByteArray pdf(const Figure& figure, QSizeF points, const ui::FigureLook& look) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(vector_dpi);
  writer.setPageLayout(QPageLayout(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch),
                                   QPageLayout::Portrait, {}));
  writer.setTitle(title(figure));
  writer.setCreator(program());
  QPainter painter(&writer);
  painter.setRenderHint(QPainter::Antialiasing);
  paint(figure, painter, points, look);
  painter.end();
  return bytes;
}

}  // namespace

Figure::Figure(ui::PlotFigure plots) : title(plots.title) {
  lay_out = [shared = std::make_shared<const ui::PlotFigure>(std::move(plots))](
                ui::DrawList& list, ui::Point page, const ui::FigureLook& look,
                const ui::TextMeasure& letters) {
    draw_figure(list, *shared, page, look, letters);
  };
}

std::optional<FigureFormat> figure_format(std::string_view suffix) {
  if (suffix == "pdf") return FigureFormat::pdf;
  if (suffix == "svg") return FigureFormat::svg;
  if (suffix == "png") return FigureFormat::png;
  return {};
}

Result<FigureFormat> format_of_file(const std::string& path, const std::string& location) {
  const std::size_t dot = path.rfind('.');
  if (const auto format = figure_format(dot == path.npos ? "" : path.substr(dot + 1)))
    return *format;
  return Error{ErrorKind::usage, location,
               fmt::format("{} must end in .pdf, .svg or .png", json::quote(path))};
}

QSize pixels(const FigurePage& page) { return (page.points * page.dpi / 72).toSize(); }

QImage figure_image(const Figure& figure, QSizeF points, double dpi, const ui::FigureLook& look) {
  QImage image((points * dpi / 72).toSize(), QImage::Format_RGB32);
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

QByteArray figure_file(const Figure& figure, const FigurePage& page, const ui::FigureLook& look) {
  switch (page.format) {
    case FigureFormat::pdf:
      return pdf(figure, page.points, look);
    case FigureFormat::svg:
      return svg(figure, page.points, look);
    case FigureFormat::png:
      break;
  }
  QImage image = figure_image(figure, page.points, page.dpi, look);
  image.setText(QStringLiteral("Title"), title(figure));
  image.setText(QStringLiteral("Software"), program());
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!image.save(&buffer, "PNG")) return {};
  return bytes;
}

}  // namespace twosphere
