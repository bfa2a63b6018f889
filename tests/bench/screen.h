// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace twosphere::test {

/// The X screen of $DISPLAY as its user has it: looked at from outside, with a mouse and a
/// keyboard. One thread at a time. All in pixels of the screen.
class Screen {
 public:
  /// The same for as long as the benchmarks run, as an X server that nobody is left on starts anew.
  /// Null if there is no display, or none whose mouse and keyboard can be used.
  static Screen* get();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen();

  struct Area {
    int x = 0, y = 0, width = 0, height = 0;
  };
  using Picture = std::vector<std::uint32_t>;

  /// What is seen there, row by row; empty if that is not on the screen.
  Picture look(const Area& area) const;
  /// The last top-level window that appeared since this was called before.
  std::optional<Area> appeared();

  void move_mouse(int x, int y);
  /// Presses and releases the left button where the mouse is.
  void click();
  /// Presses and releases a key, by its name in X without Shift: ' ', '='.
  void press(xcb_keysym_t key);

 private:
  Screen();
  bool usable();
  void fake(std::uint8_t type, int detail, int x = 0, int y = 0);

  xcb_connection_t* connection_;
  xcb_window_t root_ = 0;
};

}  // namespace twosphere::test
