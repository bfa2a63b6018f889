// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/check_box_style.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>

namespace twosphere {

CheckBoxStyle::CheckBoxStyle() : QProxyStyle(QStringLiteral("fusion")) {}

void CheckBoxStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                                  QPainter* painter, const QWidget* widget) const {
  if (element != PE_IndicatorCheckBox) {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    return;
  }
  const QPalette& colors = option->palette;
  const bool enabled = option->state.testFlag(State_Enabled);
  const bool focused = option->state.testFlag(State_HasFocus);
  const bool checked = option->state.testFlag(State_On);
  const QColor dim = colors.color(QPalette::Disabled, QPalette::Text);
  const QColor accent = colors.color(QPalette::Active, QPalette::Highlight);
  const QRectF box = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(enabled && (focused || checked) ? accent : dim, focused ? 2 : 1));
  painter->setBrush(checked && enabled ? accent : colors.color(QPalette::Base));
  painter->drawRoundedRect(box, 2, 2);
  if (checked) {
    const auto at = [&box](double x, double y) {
      return QPointF(box.x() + x * box.width(), box.y() + y * box.height());
    };
    QPainterPath tick(at(0.22, 0.52));
    tick.lineTo(at(0.42, 0.72));
    tick.lineTo(at(0.78, 0.28));
    painter->setPen(QPen(enabled ? colors.color(QPalette::HighlightedText) : dim,
                         0.14 * box.width(), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(tick);
  }
  painter->restore();
}

}  // namespace twosphere
