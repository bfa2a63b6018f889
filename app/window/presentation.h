// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>
#include <optional>

class QMainWindow;

namespace twosphere {

class LiveRun;
class Viewport;

/// A window that shows its run to an audience: on the full screen, without menus and status bar,
/// with the interface large, and from stop to stop. The main window owns one.
class Presentation {
 public:
  Presentation(QMainWindow& window, LiveRun& run, Viewport& viewport)
      : window_(window), run_(run), viewport_(viewport) {}

  /// Makes the window as it is to be while the interface presents, or as it was before. Returns
  /// whether this has changed. Without a scene there is no presentation.
  bool follow(bool has_scene);
  /// Lets the run play: what is recorded, where it has ended or shows an earlier instant.
  void play();
  /// Shows the next stop of the run, stops_of(), or the one before.
  void go_to_stop(bool forwards);

 private:
  QMainWindow& window_;
  LiveRun& run_;
  Viewport& viewport_;
  std::optional<Qt::WindowStates> before_;  // of the window, while it presents
};

}  // namespace twosphere
