// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>

namespace twosphere {

/// A white page to draw a figure on, and its font. Lengths are in units of the painter's device at
/// its logical resolution, from the upper left corner.
class Page {
 public:
  Page(QPainter& painter, QSizeF points, double font_points);

 protected:
  /// Text whose line box begins at `at`.
  void write(QPointF at, const QString& what);
  double width(const QString& what) const { return metrics_.horizontalAdvance(what); }

  QPainter& painter_;
  const double unit_;  // device units in a point
  const QFont font_;
  const QFontMetricsF metrics_;
  const QRectF page_;
  const double line_;  // height of a line of text
};

}  // namespace twosphere
