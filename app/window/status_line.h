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

/// The values of the run in the status bar: state, step, speed, errors. Owns their labels and
/// follows the run and the view; the window notifies it of changes of size and font.
class StatusLine : public QObject {
 public:
  StatusLine(QMainWindow& window, LiveRun& run, Viewport& viewport, Session& session);

  void update();
  /// Hides the labels for which there is no space.
  void fit();
  void set_font(const QFont& font);
  /// Hides all labels permanently, when there is no scene.
  void hide();

 private:
  QLabel* add(const QString& name, const QString& widest);
  /// For all labels and the message [px].
  int width() const;

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
