// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace twosphere {

/// The Fusion style with frames of check boxes and menus that are also visible on a dark
/// background, and without icons on the buttons of dialogs.
class CheckBoxStyle : public QProxyStyle {
 public:
  CheckBoxStyle();
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option,
                  const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override;
};

/// The border colour of menus and lists that overlap the scene.
QColor edge_color(const QPalette& colors);

}  // namespace twosphere
