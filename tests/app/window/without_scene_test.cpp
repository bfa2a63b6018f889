// SPDX-License-Identifier: GPL-3.0-or-later
// The program where OpenGL is too old or missing: its window lives, and says what there is instead.
#include <gtest/gtest.h>
#include <xcb/xcb.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "tests/app/cli/run_program.h"

namespace twosphere::without_scene_test {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using Environment = std::vector<std::pair<const char*, const char*>>;

constexpr milliseconds patience{30'000}, between_keys{60}, look{50};
constexpr std::uint32_t space = 0x20, escape = 0xff1b, f1 = 0xffbe, f3 = 0xffc0, f4 = 0xffc1;

struct Free {
  void operator()(void* reply) const { std::free(reply); }
};
template <class T>
using Reply = std::unique_ptr<T, Free>;

/// Another client of the display, which sends a window what a user does.
class Desk {
 public:
  Desk() : connection_(xcb_connect(nullptr, nullptr)) {
    if (xcb_connection_has_error(connection_))
      throw std::runtime_error("no connection to the X server");
    const xcb_setup_t* setup = xcb_get_setup(connection_);
    root_ = xcb_setup_roots_iterator(setup).data->root;
    first_ = setup->min_keycode;
    Reply<xcb_get_keyboard_mapping_reply_t> map(xcb_get_keyboard_mapping_reply(
        connection_,
        xcb_get_keyboard_mapping(connection_, first_,
                                 static_cast<std::uint8_t>(setup->max_keycode - first_ + 1)),
        nullptr));
    if (!map) throw std::runtime_error("the X server does not answer");
    per_key_ = map->keysyms_per_keycode;
    const xcb_keysym_t* symbols = xcb_get_keyboard_mapping_keysyms(map.get());
    symbols_.assign(symbols, symbols + xcb_get_keyboard_mapping_keysyms_length(map.get()));
  }
  ~Desk() { xcb_disconnect(connection_); }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  /// The largest window of a process that shows.
  std::optional<xcb_window_t> window_of(pid_t process) {
    Reply<xcb_query_tree_reply_t> tree(
        xcb_query_tree_reply(connection_, xcb_query_tree(connection_, root_), nullptr));
    std::optional<xcb_window_t> found;
    int largest = 0;
    for (int i = 0; tree && i < xcb_query_tree_children_length(tree.get()); ++i) {
      const xcb_window_t window = xcb_query_tree_children(tree.get())[i];
      Reply<xcb_get_property_reply_t> owner(xcb_get_property_reply(
          connection_,
          xcb_get_property(connection_, 0, window, atom("_NET_WM_PID"), XCB_ATOM_CARDINAL, 0, 1),
          nullptr));
      if (!owner || xcb_get_property_value_length(owner.get()) < 4) continue;
      std::uint32_t pid = 0;
      std::memcpy(&pid, xcb_get_property_value(owner.get()), sizeof pid);
      Reply<xcb_get_window_attributes_reply_t> state(xcb_get_window_attributes_reply(
          connection_, xcb_get_window_attributes(connection_, window), nullptr));
      if (static_cast<pid_t>(pid) != process || !state ||
          state->map_state != XCB_MAP_STATE_VIEWABLE)
        continue;
      if (const auto [width, height] = size(window); width * height > largest) {
        largest = width * height;
        found = window;
      }
    }
    return found;
  }
  std::pair<int, int> size(xcb_window_t window) {
    Reply<xcb_get_geometry_reply_t> place(
        xcb_get_geometry_reply(connection_, xcb_get_geometry(connection_, window), nullptr));
    return place ? std::pair<int, int>(place->width, place->height) : std::pair(0, 0);
  }
  void resize(xcb_window_t window, std::uint32_t width, std::uint32_t height) {
    const std::uint32_t values[]{width, height};
    xcb_configure_window(connection_, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT,
                         values);
    xcb_flush(connection_);
  }
  /// How many colours its middle has: letters on a ground are more than two.
  std::size_t colors(xcb_window_t window) {
    const auto [width, height] = size(window);
    Reply<xcb_get_image_reply_t> image(xcb_get_image_reply(
        connection_,
        xcb_get_image(connection_, XCB_IMAGE_FORMAT_Z_PIXMAP, window,
                      static_cast<std::int16_t>(width / 4), static_cast<std::int16_t>(height / 4),
                      static_cast<std::uint16_t>(width / 2), static_cast<std::uint16_t>(height / 2),
                      ~0U),
        nullptr));
    std::set<std::uint32_t> seen;
    for (int i = 0; image && i + 4 <= xcb_get_image_data_length(image.get()); i += 4) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, xcb_get_image_data(image.get()) + i, sizeof pixel);
      seen.insert(pixel);
    }
    return seen.size();
  }
  void key(xcb_window_t window, std::uint32_t symbol, std::uint16_t held = 0) {
    for (std::size_t i = 0; i < symbols_.size(); i += per_key_) {
      if (symbols_[i] != symbol) continue;
      xcb_key_press_event_t event{};
      event.detail = static_cast<xcb_keycode_t>(first_ + i / per_key_);
      event.root = root_;
      event.event = window;
      event.state = held;
      event.same_screen = 1;
      for (const int kind : {XCB_KEY_PRESS, XCB_KEY_RELEASE}) {
        event.response_type = static_cast<std::uint8_t>(kind);
        xcb_send_event(connection_, 0, window, XCB_EVENT_MASK_NO_EVENT,
                       reinterpret_cast<const char*>(&event));
      }
      xcb_flush(connection_);
      std::this_thread::sleep_for(between_keys);
      return;
    }
    ADD_FAILURE() << "no key for symbol " << symbol;
  }
  void close(xcb_window_t window) {
    xcb_client_message_event_t event{};
    event.response_type = XCB_CLIENT_MESSAGE;
    event.format = 32;
    event.window = window;
    event.type = atom("WM_PROTOCOLS");
    event.data.data32[0] = atom("WM_DELETE_WINDOW");
    xcb_send_event(connection_, 0, window, XCB_EVENT_MASK_NO_EVENT,
                   reinterpret_cast<const char*>(&event));
    xcb_flush(connection_);
  }

 private:
  xcb_atom_t atom(const char* name) {
    Reply<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(
        connection_,
        xcb_intern_atom(connection_, 0, static_cast<std::uint16_t>(std::strlen(name)), name),
        nullptr));
    return reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
  }

  xcb_connection_t* connection_;
  xcb_window_t root_ = XCB_NONE;
  xcb_keycode_t first_ = 0;
  std::size_t per_key_ = 1;
  std::vector<xcb_keysym_t> symbols_;
};

struct WithoutScene : CommandLine {
  pid_t open(const Environment& environment, const Words& words = {"--preset", "three_body"}) {
    const char* display = std::getenv("DISPLAY");
    return launch(words, [&] {
      ::setenv("DISPLAY", display, 1);
      ::setenv("QT_QPA_PLATFORM", "xcb", 1);
      for (const auto& [name, value] : environment) ::setenv(name, value, 1);
    });
  }
  static bool lives(pid_t child) {
    siginfo_t state{};
    return ::waitid(P_PID, static_cast<id_t>(child), &state, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           state.si_pid == 0;
  }
  static bool eventually(const std::function<bool()>& condition) {
    for (const auto end = Clock::now() + patience; Clock::now() < end;) {
      if (condition()) return true;
      std::this_thread::sleep_for(look);
    }
    return condition();
  }
  /// Whatever happens, the program ends.
  Outcome end(pid_t child) {
    if (!eventually([&] { return !lives(child); })) ::kill(child, SIGKILL);
    return finish(child);
  }

  void try_keys(const Environment& environment) {
    Desk desk;
    const pid_t child = open(environment);
    std::optional<xcb_window_t> window;
    ASSERT_TRUE(eventually([&] { return (window = desk.window_of(child)) || !lives(child); }));
    if (window) {
      EXPECT_TRUE(eventually([&] { return desk.colors(*window) > 2; })) << "there is no message";
      for (const std::uint32_t symbol : {space, f3, f4, std::uint32_t{'l'}, std::uint32_t{'k'}})
        desk.key(*window, symbol);
      constexpr std::uint16_t control = XCB_MOD_MASK_CONTROL, shift = XCB_MOD_MASK_SHIFT;
      for (const char letter : {'s', 'c', 'n', 'r', 'z', 'v', 'k', 'e', 'o'})
        desk.key(*window, static_cast<std::uint32_t>(letter), control);
      desk.key(*window, 'e', control | shift);
      desk.resize(*window, 700, 500);
      EXPECT_TRUE(eventually([&] { return desk.size(*window) == std::pair(700, 500); }));
      desk.key(*window, f1);
      desk.key(*window, escape);
      EXPECT_TRUE(lives(child));
      desk.close(*window);
    }
    const Outcome outcome = end(child);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }
};

TEST_F(WithoutScene, KeysDoNoHarmWhereOpenGlIsTooOld) {
  try_keys({{"MESA_GL_VERSION_OVERRIDE", "3.2"}, {"MESA_GLSL_VERSION_OVERRIDE", "150"}});
}

TEST_F(WithoutScene, KeysDoNoHarmWhereTheDisplayHasNone) {
  try_keys({{"QT_XCB_GL_INTEGRATION", "none"}});
}

TEST_F(WithoutScene, KeysDoNoHarmWhereTheDriverIsMissing) {
  try_keys({{"GALLIUM_DRIVER", "nonsense"}});
}

TEST_F(WithoutScene, KeysDoNoHarmWhereOnlyIndirectDrawingIsLeft) {
  try_keys({{"LIBGL_ALWAYS_INDIRECT", "1"}});
}

TEST_F(WithoutScene, ControlQClosesAndSigtermEnds) {
  const Environment none{{"QT_XCB_GL_INTEGRATION", "none"}};
  Desk desk;
  pid_t child = open(none, {});
  std::optional<xcb_window_t> window;
  ASSERT_TRUE(eventually([&] { return (window = desk.window_of(child)) || !lives(child); }));
  ASSERT_TRUE(window);
  EXPECT_TRUE(eventually([&] { return desk.colors(*window) > 2; })) << "there is no message";
  desk.key(*window, 'q', XCB_MOD_MASK_CONTROL);
  EXPECT_EQ(end(child).status, 0);

  child = open(none, {});
  ASSERT_TRUE(eventually([&] { return desk.window_of(child) || !lives(child); }));
  ::kill(child, SIGTERM);
  EXPECT_EQ(end(child).status, 128 + SIGTERM);
}

TEST_F(WithoutScene, APlatformWithoutWindowsEndsBySignalsAlone) {
  const pid_t child = open({{"QT_QPA_PLATFORM", "offscreen"}});
  std::this_thread::sleep_for(milliseconds(3000));
  EXPECT_TRUE(lives(child));
  ::kill(child, SIGTERM);
  EXPECT_EQ(end(child).status, 128 + SIGTERM);
}

}  // namespace
}  // namespace twosphere::without_scene_test
