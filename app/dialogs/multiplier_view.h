// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <optional>

#include "core/studies/orbit_multipliers.h"

namespace twosphere {

/// The multipliers of an orbit in the complex plane, with the unit circle. Those on it are filled
/// where the Krein sign is +, and open where it is −; others are crosses, and where forces are not
/// conservative all are, those of the flow and of the symmetry faint. |μ| > 1 is drawn at
/// 2 − 1/|μ|, so that the plane ends at 2.
class MultiplierView : public QWidget {
 public:
  explicit MultiplierView(QWidget* parent);

  /// Those of an orbit; none: an empty circle.
  void show_multipliers(std::optional<OrbitMultipliers> multipliers);
  QSize sizeHint() const override { return {170, 170}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<OrbitMultipliers> multipliers_;
};

}  // namespace twosphere
