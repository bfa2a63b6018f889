// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/multiplier_view.h"

#include <QColor>
#include <QPainter>
#include <QPalette>
#include <QPen>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

/// The place of a multiplier, between the circles of radius 0 and 2.
std::complex<double> drawn_at(std::complex<double> mu) {
  const double size = std::abs(mu);
  return size > 1 ? mu / size * (2 - 1 / size) : mu;
}

/// "0.31 ± 0.95i elliptic, Krein sign +", one for each pair. Of forces that are not conservative
/// "0.31 ± 0.5i, |μ| = 0.5883", those of the flow and of the symmetry last.
QString multipliers_in_words(const OrbitMultipliers& multipliers) {
  constexpr int digits = 4;
  QStringList all;
  for (const MultiplierPair& pair : multipliers.pairs) {
    QString text = to_qstring(ui::significant(pair.first.real(), digits));
    if (pair.first.imag() != 0)
      text += QStringLiteral(" ± %1i").arg(
          to_qstring(ui::significant(std::abs(pair.first.imag()), digits)));
    else
      text +=
          QStringLiteral(" and %1").arg(to_qstring(ui::significant(pair.second.real(), digits)));
    text += QLatin1Char(' ') + to_qstring(name(pair.kind));
    if (pair.krein != 0)
      text += pair.krein > 0 ? QStringLiteral(", Krein sign +") : QStringLiteral(", Krein sign −");
    all << text;
  }
  const std::vector<std::complex<double>>& single = multipliers.single;
  for (std::size_t k = 0; k < single.size(); ++k) {
    const std::complex<double> mu = single[k];
    if (mu.imag() < 0 && k > 0 && single[k - 1] == std::conj(mu)) continue;
    QString text = to_qstring(ui::significant(mu.real(), digits));
    if (mu.imag() != 0)
      text += QStringLiteral(" ± %1i, |μ| = %2")
                  .arg(to_qstring(ui::significant(std::abs(mu.imag()), digits)),
                       to_qstring(ui::significant(std::abs(mu), digits)));
    if (k + multipliers.trivial >= single.size())
      text += QStringLiteral(", of the flow or of the symmetry");
    all << text;
  }
  return all.join(QLatin1String("; "));
}

}  // namespace

MultiplierView::MultiplierView(QWidget* parent) : QWidget(parent) { setMinimumSize(120, 120); }

void MultiplierView::show_multipliers(std::optional<OrbitMultipliers> multipliers) {
  multipliers_ = std::move(multipliers);
  const QString words = multipliers_ ? multipliers_in_words(*multipliers_) : QString();
  setAccessibleDescription(words);
  setToolTip(plain_tip(words));
  update();
}

void MultiplierView::paintEvent(QPaintEvent* /*event*/) {
  constexpr double filled = 0.46, dot = 4;  // of the shorter side; [px]
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor ink = palette().color(QPalette::Text), faint = palette().color(QPalette::Mid);
  const QPointF center(width() / 2.0, height() / 2.0);
  const double unit = filled * std::min(width(), height()) / 2;
  painter.setPen(faint);
  painter.drawLine(center - QPointF(2 * unit, 0), center + QPointF(2 * unit, 0));
  painter.drawLine(center - QPointF(0, 2 * unit), center + QPointF(0, 2 * unit));
  painter.setPen(QPen(ink, 1));
  painter.drawEllipse(center, unit, unit);
  if (!multipliers_) return;
  const auto place_of = [&](std::complex<double> mu) {
    const std::complex<double> place = drawn_at(mu);
    return center + QPointF(unit * place.real(), -unit * place.imag());
  };
  const auto cross = [&](QPointF at) {
    painter.drawLine(at - QPointF(dot, dot), at + QPointF(dot, dot));
    painter.drawLine(at - QPointF(dot, -dot), at + QPointF(dot, -dot));
  };
  const auto& single = multipliers_->single;
  for (std::size_t k = 0; k < single.size(); ++k) {
    const bool own = k + multipliers_->trivial < single.size();
    painter.setPen(QPen(own ? ink : faint, 1.5));
    cross(place_of(single[k]));
  }
  painter.setPen(QPen(ink, 1.5));
  for (const MultiplierPair& pair : multipliers_->pairs)
    for (const std::complex<double> mu : {pair.first, pair.second}) {
      const QPointF at = place_of(mu);
      if (pair.krein == 0) {
        cross(at);
        continue;
      }
      // That of the conjugate is the other one.
      const bool plus = (pair.krein > 0) == (mu == pair.first);
      painter.setBrush(plus ? QBrush(palette().color(QPalette::Highlight)) : palette().base());
      painter.drawEllipse(at, dot, dot);
    }
}

}  // namespace twosphere
