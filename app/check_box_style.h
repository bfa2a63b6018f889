// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace twosphere {

/// Fusion, but for check boxes whose frames are seen on dark ground too.
class CheckBoxStyle : public QProxyStyle {
 public:
  CheckBoxStyle();
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
};

}  // namespace twosphere
