// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <functional>
#include <string>
#include <utility>

#include "app/figures/figure.h"

class QPainter;

namespace twosphere {

enum class FigureFormat { pdf, svg, png };

/// How large a figure becomes, and as what.
struct FigurePage {
  FigureFormat format = FigureFormat::pdf;
  QSizeF points{243.78, 311.81};  ///< 8.6 cm × 11 cm
  double dpi = 300;               ///< of a PNG
};

/// Whatever becomes a figure: drawn from the origin on, on white, at a size in points.
struct Drawing {
  using Draw = std::function<void(QPainter&, QSizeF points, const FigureLook&)>;
  Drawing(std::string name, Draw how) : title(std::move(name)), draw(std::move(how)) {}
  Drawing(PlotFigure figure);

  std::string title;
  Draw draw;
};

/// Pixels of a PNG of this size.
QSize pixels(const FigurePage& page);
/// As many pixels as a PNG may have.
inline constexpr double most_pixels = 1e8;

/// The file's contents: vectors with text as text in SVG (sizes in millimetres) and in PDF (fonts
/// embedded; a page of whole points); an opaque PNG that knows its resolution. May run on any
/// thread. Empty if there is no memory for it.
QByteArray figure_file(const Drawing& drawing, const FigurePage& page, const FigureLook& look);

/// The figure as pixels, without a file.
QImage figure_image(const Drawing& drawing, QSizeF points, double dpi, const FigureLook& look);

}  // namespace twosphere
