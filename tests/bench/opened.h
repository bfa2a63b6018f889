// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QEventLoop>
#include <QSurfaceFormat>
#include <QTimer>
#include <algorithm>
#include <array>
#include <chrono>
#include <clocale>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <string>
#include <utility>

#include "app/scene/viewport.h"
#include "app/window/main_window.h"
#include "render/pick.h"
#include "tests/bench/home.h"
#include "tests/bench/screen.h"

namespace twosphere::test {

inline constexpr int patience = 20'000;  // [ms]

/// Qt as the program has it; once made, it stays, and so does its home, where Mesa keeps writing.
inline const Home& start_qt() {
  static const Home home;
  static int argc = 1;
  static std::string name = "bench";
  static std::array<char*, 2> argv{name.data(), nullptr};
  static const QApplication* application = [] {
    QSurfaceFormat::setDefaultFormat(surface_format());
    auto* made = new QApplication(argc, argv.data());
    std::setlocale(LC_NUMERIC, "C");
    return made;
  }();
  (void)application;
  return home;
}

/// A window with a run in it that goes as fast as possible once it is played.
class Opened {
 public:
  explicit Opened(Scenario scenario)
      : window_(std::move(*Simulation::create(std::move(scenario)))) {
    window_.show();
    run().send(Pace{Pacing::fastest});
    ready_ = until([this] {
      return window_.viewport().frames() > 1 && window_.viewport().is_drawn() &&
             snapshot().commands >= run().sent();
    });
  }
  bool ready() const { return ready_; }

  LiveRun& run() { return window_.run(); }
  const Snapshot& snapshot() {
    run().update();
    return run().snapshot();
  }
  /// Lets the window work until then; false if that takes too long.
  bool until(const std::function<bool()>& condition, int most = patience) {
    QEventLoop events;
    QTimer limit;
    limit.setSingleShot(true);
    QObject::connect(&limit, &QTimer::timeout, &events, [&events] { events.exit(1); });
    const auto check = [&] {
      if (condition()) events.exit(0);
    };
    QObject::connect(&run(), &LiveRun::updated, &events, check);
    QObject::connect(&window_.viewport(), &Viewport::drawn, &events, check, Qt::QueuedConnection);
    if (condition()) return true;
    limit.start(most);
    return events.exec() == 0;
  }
  void let(std::chrono::milliseconds time) {
    QEventLoop events;
    QTimer::singleShot(time, &events, &QEventLoop::quit);
    events.exec();
  }

  Viewport& viewport() { return window_.viewport(); }
  /// Where the screen has a widget of the interface.
  Screen::Area place(const std::string& widget) {
    return on_screen(viewport().interface().widgets().at(widget));
  }
  /// Where it has the scene.
  Screen::Area scene() { return on_screen(viewport().interface().scene()); }
  /// Where the scene shows a body; off the screen where it has none.
  glm::vec2 seen(std::size_t body) {
    const Screen::Area area = scene();
    const auto& bodies = viewport().drawn_scene().bodies;
    if (body >= bodies.size()) return glm::vec2(-1);
    const glm::vec4& ball = bodies[body];
    const auto at = render::project(Vec3(ball.x, ball.y, ball.z), viewport().camera(),
                                    {area.width, area.height});
    return at ? glm::vec2(area.x, area.y) + *at : glm::vec2(-1);
  }
  /// The body nearest to the viewer.
  std::size_t in_front() {
    const auto& bodies = viewport().drawn_scene().bodies;
    const glm::vec3 eye = viewport().camera().eye();
    const auto nearest =
        std::min_element(bodies.begin(), bodies.end(), [&](const glm::vec4& a, const glm::vec4& b) {
          return glm::distance(glm::vec3(a), eye) < glm::distance(glm::vec3(b), eye);
        });
    return static_cast<std::size_t>(nearest - bodies.begin());
  }

 private:
  Screen::Area on_screen(const ui::Rect& rect) {
    const double ratio = window_.viewport().devicePixelRatioF();
    const QPoint corner = window_.viewport().mapToGlobal(QPoint(0, 0)) * ratio;
    return {corner.x() + static_cast<int>(rect.x), corner.y() + static_cast<int>(rect.y),
            static_cast<int>(rect.width), static_cast<int>(rect.height)};
  }

  MainWindow window_;
  bool ready_ = false;
};

}  // namespace twosphere::test
