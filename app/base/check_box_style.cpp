// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/check_box_style.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>

namespace twosphere {

CheckBoxStyle::CheckBoxStyle() : QProxyStyle(QStringLiteral("fusion")) {}

QColor edge_color(const QPalette& colors) {
  const QColor text = colors.color(QPalette::WindowText), ground = colors.color(QPalette::Window);
  constexpr double share = 0.3;  // of the text colour
  const auto mixed = [&](int of_text, int of_ground) {
    return static_cast<int>(share * of_text + (1 - share) * of_ground);
  };
  return {mixed(text.red(), ground.red()), mixed(text.green(), ground.green()),
          mixed(text.blue(), ground.blue())};
}

int CheckBoxStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                               const QWidget* widget) const {
  return metric == PM_MenuPanelWidth ? 1 : QProxyStyle::pixelMetric(metric, option, widget);
}

int CheckBoxStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                             QStyleHintReturn* data) const {
  if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
  return QProxyStyle::styleHint(hint, option, widget, data);
}

void CheckBoxStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                                  QPainter* painter, const QWidget* widget) const {
  if (element == PE_FrameMenu) {
    painter->setPen(edge_color(option->palette));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
    return;
  }
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
