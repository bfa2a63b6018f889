// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>

class QGuiApplication;

namespace twosphere {

/// Provides what figures need to be drawn in memory by a command: Qt's fonts, without a display.
/// Create one on the main thread before drawing. Messages of Qt are shown as those of the program.
class Offscreen {
 public:
  Offscreen();
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

 private:
  int argc_ = 3;
  std::array<char*, 4> argv_;
  std::unique_ptr<QGuiApplication> application_;
};

}  // namespace twosphere
