// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/app/window_fixture.h"

/// A window whose run is taken back and forth.
namespace twosphere::test {

class RunWindow : public Window {
 protected:
  LiveRun& run() { return window_->run(); }
  /// Takes as many steps and makes them the whole run.
  void record(int steps) {
    run().send(Change{{{"duration", json::Node(steps * now().present->lanes[0].step)}}});
    run().send(TakeSteps{steps});
    ASSERT_TRUE(eventually([&] { return now().steps == steps && !run().plays(); }));
    settle();
  }
  /// Waits until the instant asked for is shown.
  void arrive() {
    ASSERT_TRUE(eventually([&] {
      run().update();
      return run().exact();
    }));
    settle();
  }
  /// A point of the time line, at a share of its width.
  QPoint on_line(double share) {
    const ui::Rect bar = rect("progress");
    return QPointF(bar.x + bar.width * share, bar.y + bar.height / 2).toPoint();
  }
  void click_at(const QPoint& at) {
    move(at);
    settle();
    QTest::mouseClick(&view(), Qt::LeftButton, {}, at);
    settle();
  }
  /// The run as it is shown is that of a fresh run of the record, bit for bit.
  void expect_as_fresh() {
    const Snapshot& shown = run().shown();
    Simulation fresh = std::move(*Simulation::create(*run().snapshot().record));
    while (fresh.steps() < shown.steps) ASSERT_FALSE(fresh.step());
    ASSERT_EQ(static_cast<int>(shown.lanes.size()), fresh.lane_count());
    for (int lane = 0; lane < fresh.lane_count(); ++lane) {
      const State &a = shown.lanes[static_cast<std::size_t>(lane)].state, &b = fresh.state(lane);
      EXPECT_EQ(a.t, b.t);
      EXPECT_TRUE((a.q.array() == b.q.array()).all() && (a.w.array() == b.w.array()).all())
          << "lane " << lane << " at step " << shown.steps;
    }
  }
  QString label(const char* name) {
    for (const QLabel* one : window_->findChildren<QLabel*>())
      if (one->accessibleName() == QLatin1String(name)) return one->text();
    return {};
  }
};

}  // namespace twosphere::test
