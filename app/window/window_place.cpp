// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_place.h"

#include <QRect>
#include <QScreen>
#include <algorithm>

namespace twosphere {

void restore_place(QWidget& window, const QByteArray& geometry) {
  if (geometry.isEmpty()) return;
  window.restoreGeometry(geometry);
  const QRect there = window.screen()->availableGeometry(), now(window.pos(), window.size());
  QRect fitted(now.topLeft(), now.size().boundedTo(there.size()));
  fitted.moveLeft(std::clamp(fitted.left(), there.left(), there.right() - fitted.width() + 1));
  fitted.moveTop(std::clamp(fitted.top(), there.top(), there.bottom() - fitted.height() + 1));
  if (fitted == now) return;
  const Qt::WindowStates state = window.windowState();  // a new place ends that it is maximised
  window.setGeometry(fitted);
  window.setWindowState(state);
}

}  // namespace twosphere
