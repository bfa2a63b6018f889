// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QPolygonF>
#include <QSizeF>
#include <QString>
#include <QXmlStreamReader>
#include <vector>

#include "ui/plot/draw_list.h"

/// A figure as an SVG file has it.
namespace twosphere::test {

/// The size of the pages of these tests [pt].
inline const ui::Point page_points{243.78, 311.81};

struct Svg {
  QString title;
  QString text;  // all of it, in order
  std::vector<QPolygonF> lines;
  QSizeF millimetres;
  int texts = 0;
};

inline Svg read_svg(const QByteArray& bytes) {
  Svg svg;
  QXmlStreamReader xml(bytes);
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const auto attributes = xml.attributes();
    if (xml.name() == QLatin1String("svg")) {
      const auto length = [&](const char* name) {
        QString value = attributes.value(QLatin1String(name)).toString();
        EXPECT_TRUE(value.endsWith(QLatin1String("mm")));
        value.chop(2);
        return value.toDouble();
      };
      svg.millimetres = {length("width"), length("height")};
    } else if (xml.name() == QLatin1String("title")) {
      svg.title = xml.readElementText();
    } else if (xml.name() == QLatin1String("text")) {
      ++svg.texts;
      svg.text += xml.readElementText().trimmed() + QLatin1Char('\n');
    } else if (xml.name() == QLatin1String("polyline")) {
      QPolygonF line;
      for (const QString& point : attributes.value(QLatin1String("points"))
                                      .toString()
                                      .split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QStringList xy = point.split(QLatin1Char(','));
        EXPECT_EQ(xy.size(), 2);
        line << QPointF(xy[0].toDouble(), xy[1].toDouble());
      }
      svg.lines.push_back(line);
    }
  }
  EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
  return svg;
}

}  // namespace twosphere::test
