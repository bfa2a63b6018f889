// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"
#include "ui/plot/figure.h"

namespace twosphere {

enum class FigureFormat { pdf, svg, png };
/// The format of a file with this suffix: "pdf", "svg" or "png".
std::optional<FigureFormat> figure_format(std::string_view suffix);
/// The format of a file of this name. Fails if it has another suffix, with the location given.
Result<FigureFormat> format_of_file(const std::string& path, const std::string& location);

/// Format and size of a figure.
struct FigurePage {
  FigureFormat format = FigureFormat::pdf;
  ui::Point points{243.78, 311.81};  ///< width and height: 8.6 cm × 11 cm
  double dpi = 300;                  ///< for PNG
};
/// A length in points as a number of pixels.
int pixels(double points, double dpi);
/// Largest number of pixels of a PNG.
inline constexpr double max_pixels = 1e8;

/// A figure as a title and a function that lays it out from the origin on a white page with a size
/// in points.
struct Figure {
  using Layout = std::function<void(ui::DrawList&, ui::Point page, const ui::FigureLook&,
                                    const ui::TextMeasure&)>;
  Figure(std::string name, Layout how) : title(std::move(name)), lay_out(std::move(how)) {}
  Figure(ui::PlotFigure plots);

  std::string title;
  Layout lay_out;
};

}  // namespace twosphere
