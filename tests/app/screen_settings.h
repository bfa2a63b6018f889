// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <xcb/xcb.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace twosphere::test {

/// Sets the resolution of an X screen as a desktop does: the setting Xft/DPI of the XSETTINGS
/// protocol, for screen 0 of $DISPLAY.
class ScreenSettings {
 public:
  ScreenSettings() : connection_(xcb_connect(nullptr, nullptr)) {
    if (xcb_connection_has_error(connection_)) return;
    const xcb_screen_t& screen = *xcb_setup_roots_iterator(xcb_get_setup(connection_)).data;
    window_ = xcb_generate_id(connection_);
    xcb_create_window(connection_, 0, window_, screen.root, -1, -1, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, nullptr);
    settings_ = atom("_XSETTINGS_SETTINGS");
    const xcb_atom_t selection = atom("_XSETTINGS_S0"), manager = atom("MANAGER");
    xcb_set_selection_owner(connection_, window_, selection, XCB_CURRENT_TIME);
    xcb_client_message_event_t news{};
    news.response_type = XCB_CLIENT_MESSAGE;
    news.format = 32;
    news.window = screen.root;
    news.type = manager;
    news.data.data32[1] = selection;
    news.data.data32[2] = window_;
    xcb_send_event(connection_, 0, screen.root, XCB_EVENT_MASK_STRUCTURE_NOTIFY,
                   reinterpret_cast<const char*>(&news));
    xcb_flush(connection_);
  }
  ~ScreenSettings() { xcb_disconnect(connection_); }
  ScreenSettings(const ScreenSettings&) = delete;
  ScreenSettings& operator=(const ScreenSettings&) = delete;

  /// 96 is one pixel of the screen per logical pixel.
  void set_dots_per_inch(int dots) {
    std::vector<std::uint8_t> bytes;
    const auto put = [&bytes](auto number) {
      std::array<std::uint8_t, sizeof number> raw{};
      std::memcpy(raw.data(), &number, sizeof number);
      bytes.insert(bytes.end(), raw.begin(), raw.end());
    };
    constexpr std::string_view name = "Xft/DPI";
    put(std::uint32_t{0});  // least significant byte first
    put(++serial_);
    put(std::uint32_t{1});  // settings
    put(std::uint8_t{0});   // an integer
    put(std::uint8_t{0});
    put(static_cast<std::uint16_t>(name.size()));
    bytes.insert(bytes.end(), name.begin(), name.end());
    put(std::uint8_t{0});  // padding to a multiple of four
    put(serial_);
    put(static_cast<std::int32_t>(dots * 1024));
    xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, window_, settings_, settings_, 8,
                        static_cast<std::uint32_t>(bytes.size()), bytes.data());
    xcb_flush(connection_);
  }

 private:
  xcb_atom_t atom(std::string_view name) {
    auto* reply = xcb_intern_atom_reply(
        connection_,
        xcb_intern_atom(connection_, 0, static_cast<std::uint16_t>(name.size()), name.data()),
        nullptr);
    const xcb_atom_t result = reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
    std::free(reply);
    return result;
  }

  xcb_connection_t* connection_;
  xcb_window_t window_ = 0;
  xcb_atom_t settings_ = 0;
  std::uint32_t serial_ = 0;
};

}  // namespace twosphere::test
