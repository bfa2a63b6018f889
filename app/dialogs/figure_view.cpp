// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/figure_view.h"

#include <QPainter>
#include <algorithm>
#include <utility>

namespace twosphere {

FigureView::FigureView(QWidget* parent) : QWidget(parent) {
  setMinimumSize(240, 260);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FigureView::show_figure(Figure figure, ui::Point points, const ui::FigureLook& look) {
  figure_ = std::move(figure);
  setAccessibleDescription({});
  points_ = points;
  fills_ = false;
  look_ = look;
  image_ = {};
  update();
}

void FigureView::fill_with(Figure figure, ui::Point points, const ui::FigureLook& look) {
  show_figure(std::move(figure), points, look);
  fills_ = true;
}

void FigureView::show_text(const QString& text) {
  figure_.reset();
  text_ = text;
  setAccessibleDescription(text);
  image_ = {};
  update();
}

void FigureView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!figure_) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, text_);
    return;
  }
  constexpr double border = 8, points_per_inch = 72;
  const double across = width() - 2 * border, down = height() - 2 * border,
               fit = std::min(across / points_.x, down / points_.y);
  const double ratio = devicePixelRatioF(), dpi = fit * ratio * points_per_inch;
  const ui::Point page = fills_ ? ui::Point{across / fit, down / fit} : points_;
  if (image_.isNull() || dpi != dpi_ || page != page_) {
    dpi_ = dpi;
    page_ = page;
    image_ = figure_image(*figure_, page, dpi, look_);
    image_.setDevicePixelRatio(ratio);
  }
  const QSizeF size = image_.deviceIndependentSize();
  painter.drawImage(QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), image_);
}

}  // namespace twosphere
