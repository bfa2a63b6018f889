// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace twosphere {

/// Fusion, but for check boxes and menus whose frames are seen on dark ground too.
class CheckBoxStyle : public QProxyStyle {
 public:
  CheckBoxStyle();
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option,
                  const QWidget* widget) const override;
};

/// Around menus and lists that lie over the scene.
QColor edge_color(const QPalette& colors);

}  // namespace twosphere
