// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "render/pick.h"
#include "tests/app/window_fixture.h"

/// A window whose run is taken back and forth, and whose bodies are seen somewhere.
namespace twosphere::test {

inline double distance(const QPointF& a, const QPointF& b) {
  return std::hypot(a.x() - b.x(), a.y() - b.y());
}

class RunWindow : public Window {
 protected:
  LiveRun& run() { return window_->run(); }
  /// Takes steps until the run has as many, and makes them the whole run.
  void record(int steps) {
    run().send(Change{{{"duration", steps * now().present->lanes[0].step}}});
    run().send(TakeSteps{steps - now().steps});
    ASSERT_TRUE(eventually([&] { return now().steps == steps && !run().plays(); }));
    wait_until_drawn();
  }
  /// Waits until the instant asked for is shown.
  void arrive() {
    ASSERT_TRUE(eventually([&] {
      run().update();
      return run().exact();
    }));
    wait_until_drawn();
  }
  /// A point of the time line, at a share of its width.
  QPoint on_line(double share) {
    const ui::Rect bar = rect("progress"), handle = rect("progress/handle");
    return QPointF(bar.x + bar.width * share, handle.y + handle.height / 2).toPoint();
  }
  /// Clicks the time line, and waits for the instant.
  void go_to(double share) {
    click_at(on_line(share));
    arrive();
  }
  /// The run as it is shown is that of a fresh run of the record, bit for bit: at the head with
  /// what was changed there, which a run makes before its next step, in the past without.
  void expect_as_fresh() {
    const Snapshot& shown = run().shown();
    Scenario record = *run().snapshot().record;
    const auto here = std::find_if(record.events.begin(), record.events.end(),
                                   [&](const Event& event) { return event.step >= shown.steps; });
    const std::vector<Event> changes(here, record.events.end());
    record.events.erase(here, record.events.end());
    Simulation fresh = std::move(*Simulation::create(std::move(record)));
    fresh.keep_start();
    while (fresh.steps() < shown.steps) ASSERT_FALSE(fresh.step());
    if (!run().in_past())
      for (const Event& change : changes) {
        if (change.pull) {
          ASSERT_TRUE(fresh.pull(*change.pull));
        }
        if (!change.set.empty()) {
          ASSERT_TRUE(fresh.set(change.set));
        }
      }
    ASSERT_EQ(static_cast<int>(shown.lanes.size()), fresh.lane_count());
    for (int lane = 0; lane < fresh.lane_count(); ++lane) {
      const State &a = shown.lanes[static_cast<std::size_t>(lane)].state, &b = fresh.state(lane);
      EXPECT_EQ(a.t, b.t);
      EXPECT_TRUE((a.q.array() == b.q.array()).all() && (a.w.array() == b.w.array()).all())
          << "lane " << lane << " at step " << shown.steps;
    }
  }
  const State& shown(std::size_t lane = 0) {
    run().update();
    return run().shown().lanes[lane].state;
  }
  Vec3 place_of(int body) {
    Geometry figure;
    run().shown().system->geometry(shown(), figure);
    return figure.bodies[static_cast<std::size_t>(body)].position;
  }
  /// Where a point in space is seen.
  QPointF seen(const Vec3& at) {
    const ui::Rect r = scene();
    const auto point = render::project(at, view().camera(), {r.width, r.height});
    EXPECT_TRUE(point);
    return {r.x + (point ? point->x : 0), r.y + (point ? point->y : 0)};
  }
  QPointF seen(int body) { return seen(place_of(body)); }
  void expect_on_spheres() {
    const State& s = shown();
    for (int i = 0; i < s.size(); ++i) {
      EXPECT_LE(unit_length_error(s.q.col(i)), 4e-16);
      EXPECT_LE(std::abs(s.q.col(i).dot(s.w.col(i))), 1e-14 * (1 + s.w.col(i).norm()));
    }
  }
  /// Where a body on a link can be seen: nearer to the link's other end.
  static QPointF towards(const QPointF& body, const QPointF& base) {
    const QPointF to = base - body;
    return (body + 0.4 * to + 0.15 * QPointF(-to.y(), to.x())).toPoint();
  }
  /// Starts a run so slow that a body can be pointed at.
  void play(double factor = 0.2) {
    run().send(Pace{Pacing::real_time, factor});
    run().send(Change{{{"duration", 1000.0}}});
    run_by_key_beyond(10);
  }
  /// Drags a body, or pulls it where Ctrl is held and the run continues.
  void pull(const QPointF& from, const QPointF& to, Qt::KeyboardModifiers keys = {}) {
    take(from, keys);
    for (int i = 1; i <= moves; ++i) hold(from + (to - from) * i / moves, keys);
    let_go(to, keys);
  }
  void take(const QPointF& at, Qt::KeyboardModifiers keys = {}) {
    point_at(at);
    QTest::mousePress(&view(), Qt::LeftButton, keys, at.toPoint());
    wait_until_drawn();
  }
  void hold(const QPointF& at, Qt::KeyboardModifiers keys = {}) {
    QMouseEvent event(QEvent::MouseMove, at, view().mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                      keys);
    QApplication::sendEvent(&view(), &event);
    wait_until_drawn();
  }
  void let_go(const QPointF& at, Qt::KeyboardModifiers keys = {}) {
    QTest::mouseRelease(&view(), Qt::LeftButton, keys, at.toPoint());
    wait_until_drawn();
    ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
    wait_until_drawn();
  }
  static constexpr int moves = 4;
  static constexpr double near = 1.5;  // [px]: the mouse is at whole ones

  QString label(const char* name) {
    for (const QLabel* one : window_->findChildren<QLabel*>())
      if (one->accessibleName() == QLatin1String(name)) return one->text();
    return {};
  }
};

}  // namespace twosphere::test
