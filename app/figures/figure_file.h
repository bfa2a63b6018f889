// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <functional>

#include "app/figures/figure_page.h"

namespace twosphere {

/// The contents of the file: vector graphics with selectable text as SVG (sizes in millimetres) or
/// PDF (embedded fonts; page size in whole points), or an opaque PNG with its resolution. May be
/// called on any thread. Empty if there is not enough memory, or if `stop`, which is called from
/// time to time while a PNG is written, returns true.
QByteArray figure_file(const Figure& figure, const FigurePage& page, const ui::FigureLook& look,
                       const std::function<bool()>& stop = {});

/// The figure as an image.
QImage figure_image(const Figure& figure, ui::Point points, double dpi, const ui::FigureLook& look);

}  // namespace twosphere
