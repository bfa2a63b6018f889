// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QList>
#include <QMainWindow>

namespace twosphere {

class PlotViewport;
class Viewport;

/// A window of the plots alone, such as for a second screen. The keys are those of the main window.
class PlotWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// `actions`: those of the main window, whose keys act here as well.
  PlotWindow(Viewport& viewport, const QList<QAction*>& actions);

  PlotViewport& view() { return *view_; }

 Q_SIGNALS:
  /// The user has closed it: the plots are to return to the main window.
  void closed();

 protected:
  void closeEvent(QCloseEvent* event) override;

 private:
  PlotViewport* view_;
};

}  // namespace twosphere
