// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/figure_page.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "core/base/json.h"

namespace twosphere {

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

int pixels(double points, double dpi) { return static_cast<int>(std::lround(points * dpi / 72)); }

}  // namespace twosphere
