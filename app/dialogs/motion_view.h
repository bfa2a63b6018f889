// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/mechanics/system.h"

namespace twosphere {

/// An animation of configurations that repeat themselves, in outline, seen from slightly above,
/// with the paths of the bodies: one period in `period`. It moves while the widget is visible.
class MotionView : public QWidget {
  Q_OBJECT
 public:
  static constexpr double period = 2;  ///< [s]

  explicit MotionView(QWidget* parent);

  /// Configurations of one period, evenly spaced. In place of those of the same system, or of the
  /// same family, over a number of which each member has its own, the motion continues in its
  /// phase, and the scale only shrinks.
  void show_motion(std::shared_ptr<const System> system, std::vector<Columns> motion,
                   bool same_family = false);
  void clear();
  /// The configuration that is drawn; none without a motion.
  std::optional<Columns> drawn() const;
  /// Half the diagonal of the box that is in view [m].
  double radius() const { return (corners_.second - corners_.first).norm() / 2; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  std::shared_ptr<const System> system_;  // null: nothing is shown
  std::vector<Columns> motion_;
  std::vector<std::vector<Vec3>> paths_;  // of each body [m]
  std::pair<Vec3, Vec3> corners_;         // of a box around all that was drawn [m]
  QElapsedTimer clock_;
  QTimer frames_;
};

}  // namespace twosphere
