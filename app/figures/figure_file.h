// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <functional>
#include <string>
#include <utility>

#include "ui/plot/figure.h"

namespace twosphere {

enum class FigureFormat { pdf, svg, png };

/// How large a figure becomes, and as what.
struct FigurePage {
  FigureFormat format = FigureFormat::pdf;
  QSizeF points{243.78, 311.81};  ///< 8.6 cm × 11 cm
  double dpi = 300;               ///< of a PNG
};

/// Whatever becomes a figure: laid out from the origin on, on white, at a size in points.
struct Figure {
  using Layout = std::function<void(ui::DrawList&, ui::Point page, const ui::FigureLook&,
                                    const ui::TextMeasure&)>;
  Figure(std::string name, Layout how) : title(std::move(name)), lay_out(std::move(how)) {}
  Figure(ui::PlotFigure plots);

  std::string title;
  Layout lay_out;
};

/// Pixels of a PNG of this size.
QSize pixels(const FigurePage& page);
/// As many pixels as a PNG may have.
inline constexpr double most_pixels = 1e8;

/// The file's contents: vectors with text as text in SVG (sizes in millimetres) and in PDF (fonts
/// embedded; a page of whole points); an opaque PNG that knows its resolution. May run on any
/// thread. Empty if there is no memory for it.
QByteArray figure_file(const Figure& figure, const FigurePage& page, const ui::FigureLook& look);

/// The figure as pixels, without a file.
QImage figure_image(const Figure& figure, QSizeF points, double dpi, const ui::FigureLook& look);

}  // namespace twosphere
