// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/plot_window.h"

#include <QCloseEvent>

#include "app/scene/plot_viewport.h"

namespace twosphere {
namespace {

constexpr QSize size_at_first{640, 800};

}  // namespace

PlotWindow::PlotWindow(Viewport& viewport, const QList<QAction*>& actions)
    : view_(new PlotViewport(viewport, this)) {
  setObjectName(QStringLiteral("plot_window"));
  setCentralWidget(view_);
  addActions(actions);
  resize(size_at_first);
  view_->setFocus();
}

void PlotWindow::closeEvent(QCloseEvent* event) {
  event->accept();
  Q_EMIT closed();
}

}  // namespace twosphere

#include "moc_plot_window.cpp"
