// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/sheet.h"

namespace twosphere {

namespace {

QFont font_of(double points) {
  QFont font(QStringLiteral("DejaVu Sans"));
  font.setPointSizeF(points);
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

}  // namespace

Page::Page(QPainter& painter, QSizeF points, double font_points)
    : painter_(painter),
      unit_(painter.device()->logicalDpiX() / 72.0),
      font_(font_of(font_points)),
      metrics_(font_, painter.device()),
      page_(QPointF(0, 0), points * unit_),
      line_(metrics_.height()) {
  painter_.setFont(font_);
  painter_.fillRect(page_, Qt::white);
}

void Page::write(QPointF at, const QString& what) {
  painter_.setPen(Qt::black);
  painter_.drawText(at + QPointF(0, metrics_.ascent()), what);
}

}  // namespace twosphere
