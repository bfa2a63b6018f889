// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "core/mechanics/system.h"
#include "core/studies/modes.h"

namespace twosphere {

/// An animation of the shape of a mode, in outline, seen from slightly above: one period in
/// `period`. It moves while the widget is visible.
class ModeView : public QWidget {
  Q_OBJECT
 public:
  static constexpr double period = 2;  ///< [s]

  explicit ModeView(QWidget* parent);

  /// Begins at the displacement a δq.
  void show_mode(std::shared_ptr<const System> system, const Columns& q, const Mode& mode,
                 double amplitude);
  void clear();
  /// The configuration that is drawn; none without a mode.
  std::optional<Columns> drawn() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  std::shared_ptr<const System> system_;  // null: nothing is shown
  Columns q_;
  Mode mode_;
  double amplitude_ = 0;
  Vec3 center_ = Vec3::Zero();  // of all that is drawn during a period [m]
  double radius_ = 1;
  QElapsedTimer clock_;  // since the mode is shown
  QTimer frames_;
};

}  // namespace twosphere
