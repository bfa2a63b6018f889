// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <array>

class QFont;
class QLabel;
class QMainWindow;
class QStatusBar;

namespace twosphere {

class LiveRun;
class Session;
class Viewport;

/// The numbers of the run in the status bar of a window: state, step, speed, errors. Owns their
/// labels and follows run and view by itself; the window tells it of sizes and fonts.
class StatusLine : public QObject {
 public:
  StatusLine(QMainWindow& window, LiveRun& run, Viewport& viewport, Session& session);

  void update();
  /// Leaves out what has no room.
  void fit();
  void set_font(const QFont& font);
  /// For good: there is no scene.
  void hide();

 private:
  QLabel* add(const QString& name, const QString& widest);

  QMainWindow& window_;
  QStatusBar& bar_;
  LiveRun& run_;
  Viewport& viewport_;
  Session& session_;
  QLabel *state_, *step_, *speed_, *energy_, *length_;
  std::array<QLabel*, 5> by_importance_;
  bool hidden_ = false;
  QTimer timer_;
  QElapsedTimer age_;
};

}  // namespace twosphere
