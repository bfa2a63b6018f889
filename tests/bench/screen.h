// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace twosphere::test {

/// The X screen of $DISPLAY from the view of a user: screenshots, mouse and keyboard, in pixels of
/// the screen. Not thread-safe.
class Screen {
 public:
  /// A single instance for all benchmarks, because an X server resets when its last client
  /// disconnects. Null if there is no display, or if its mouse and keyboard cannot be controlled.
  static Screen* get();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen();

  struct Area {
    int x = 0, y = 0, width = 0, height = 0;
  };
  using Picture = std::vector<std::uint32_t>;

  /// The pixels of an area, row by row; empty if it is not on the screen.
  Picture look(const Area& area) const;
  /// The last top-level window that appeared since the previous call.
  std::optional<Area> appeared();

  void move_mouse(int x, int y);
  /// Clicks the left button at the mouse position.
  void click();
  /// Presses the left button at the mouse position, or releases it.
  void hold_button(bool down);
  /// Presses and releases a key, by its name in X without Shift: ' ', '='.
  void press(xcb_keysym_t key);
  /// Presses a key, or releases it.
  void hold_key(xcb_keysym_t key, bool down);

 private:
  Screen();
  bool usable();
  /// Of a key, by its name in X without Shift; 0 if there is none.
  int code_of(xcb_keysym_t key) const;
  void fake(std::uint8_t type, int detail, int x = 0, int y = 0);

  xcb_connection_t* connection_;
  xcb_window_t root_ = 0;
};

}  // namespace twosphere::test
