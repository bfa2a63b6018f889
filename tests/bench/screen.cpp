// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/screen.h"

#include <xcb/xtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>

namespace twosphere::test {

namespace {

/// What the server answers; frees itself.
template <class Reply>
std::unique_ptr<Reply, decltype(&std::free)> owned(Reply* reply) {
  return {reply, &std::free};
}

}  // namespace

Screen* Screen::get() {
  static Screen screen;
  static const bool usable = screen.usable();
  return usable ? &screen : nullptr;
}

Screen::Screen() : connection_(xcb_connect(nullptr, nullptr)) {}

bool Screen::usable() {
  if (xcb_connection_has_error(connection_)) return false;
  const auto* test = xcb_get_extension_data(connection_, &xcb_test_id);
  if (!test || !test->present) return false;
  root_ = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data->root;
  const std::uint32_t wanted = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
  xcb_change_window_attributes(connection_, root_, XCB_CW_EVENT_MASK, &wanted);
  xcb_flush(connection_);
  return true;
}

Screen::~Screen() { xcb_disconnect(connection_); }

Screen::Picture Screen::look(const Area& area) const {
  const auto image = owned(xcb_get_image_reply(
      connection_,
      xcb_get_image(connection_, XCB_IMAGE_FORMAT_Z_PIXMAP, root_,
                    static_cast<std::int16_t>(area.x), static_cast<std::int16_t>(area.y),
                    static_cast<std::uint16_t>(area.width), static_cast<std::uint16_t>(area.height),
                    ~std::uint32_t{0}),
      nullptr));
  if (!image) return {};
  Picture picture(static_cast<std::size_t>(xcb_get_image_data_length(image.get())) /
                  sizeof(std::uint32_t));
  std::memcpy(picture.data(), xcb_get_image_data(image.get()),
              picture.size() * sizeof(std::uint32_t));
  return picture;
}

std::optional<Screen::Area> Screen::appeared() {
  std::optional<Area> last;
  while (const auto event = owned(xcb_poll_for_event(connection_))) {
    if ((event->response_type & 0x7f) != XCB_MAP_NOTIFY) continue;
    const auto window = reinterpret_cast<const xcb_map_notify_event_t*>(event.get())->window;
    const auto place =
        owned(xcb_get_geometry_reply(connection_, xcb_get_geometry(connection_, window), nullptr));
    if (place) last = Area{place->x, place->y, place->width, place->height};
  }
  return last;
}

void Screen::fake(std::uint8_t type, int detail, int x, int y) {
  xcb_test_fake_input(connection_, type, static_cast<std::uint8_t>(detail), XCB_CURRENT_TIME, root_,
                      static_cast<std::int16_t>(x), static_cast<std::int16_t>(y), 0);
}

void Screen::move_mouse(int x, int y) {
  fake(XCB_MOTION_NOTIFY, 0, x, y);
  xcb_flush(connection_);
}

void Screen::click() {
  hold_button(true);
  hold_button(false);
}

void Screen::hold_button(bool down) {
  fake(down ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, XCB_BUTTON_INDEX_1);
  xcb_flush(connection_);
}

int Screen::code_of(xcb_keysym_t key) const {
  const xcb_setup_t& setup = *xcb_get_setup(connection_);
  const int count = setup.max_keycode - setup.min_keycode + 1;
  const auto map = owned(xcb_get_keyboard_mapping_reply(
      connection_,
      xcb_get_keyboard_mapping(connection_, setup.min_keycode, static_cast<std::uint8_t>(count)),
      nullptr));
  if (!map) return 0;
  const xcb_keysym_t* names = xcb_get_keyboard_mapping_keysyms(map.get());
  for (int code = 0; code < count; ++code)
    if (names[code * map->keysyms_per_keycode] == key) return setup.min_keycode + code;
  return 0;
}

void Screen::hold_key(xcb_keysym_t key, bool down) {
  if (const int code = code_of(key)) fake(down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, code);
  xcb_flush(connection_);
}

void Screen::press(xcb_keysym_t key) {
  hold_key(key, true);
  hold_key(key, false);
}

}  // namespace twosphere::test
