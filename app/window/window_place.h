// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QWidget>

namespace twosphere {

/// Puts a window where QWidget::saveGeometry() says that it was, as far as the present screens
/// reach, which may be smaller. Without effect if that is empty.
void restore_place(QWidget& window, const QByteArray& geometry);

}  // namespace twosphere
