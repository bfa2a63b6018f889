// SPDX-License-Identifier: GPL-3.0-or-later
// Hours of work in one window, and what they leave in memory. Takes minutes: runs with
// TWOSPHERE_LONG set (scripts/test --long).
#include <malloc.h>
#include <unistd.h>

#include <QPixmapCache>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/app/window_fixture.h"

namespace twosphere {
namespace {

using namespace test;

constexpr double hour = 3600;  // [s]
constexpr double mebibyte = 1 << 20;

/// Memory that the process holds [MiB]; what the allocator only keeps for later is not counted, nor
/// Qt's cache of pictures, which the file dialogs fill up to its bound of 10 MiB.
double resident() {
  QPixmapCache::clear();
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  long all = 0, held = 0;
  file >> all >> held;
  EXPECT_GT(held, 0);
  return static_cast<double>(held) * static_cast<double>(sysconf(_SC_PAGESIZE)) / mebibyte;
}

struct Soak : Window {
  void SetUp() override {
    if (!std::getenv("TWOSPHERE_LONG")) GTEST_SKIP() << "TWOSPHERE_LONG is not set";
    Window::SetUp();
  }
  void as_fast_as_possible() {
    for (int i = 0; i < 30 && now().pacing != Pacing::fastest; ++i) key(Qt::Key_Plus);
    ASSERT_TRUE(eventually([&] { return now().pacing == Pacing::fastest; }));
  }
  void swap_integrator(const std::string& integrator) {
    click("integrator");
    EXPECT_TRUE(after_click("integrator/" + integrator, [&] {
      return now().lanes[0].info->key == integrator;
    })) << integrator;
  }
  void load(const std::string& preset) {
    click("preset");
    EXPECT_TRUE(after_click("preset/" + preset,
                            [&] { return now().steps == 0 && now().state == RunState::paused; }));
    wait_until_drawn();
  }
  void save(const char* name) {
    key(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    QFile::remove(in_folder(name));
    write_to(in_folder(name));
  }
  void zoom_and_pan_a_plot(const std::string& plot) {
    const QPoint at = middle(plot);
    wheel(at, 3);
    drag(at, at + QPoint(40, 10));
    key(Qt::Key_Home, Qt::ShiftModifier);
    key(Qt::Key_End, Qt::ShiftModifier);
  }
};

// Thirty-six runs of a hundred seconds, each swapped, edited, zoomed, rewound; every third saved
// and left for another preset and back.
TEST_F(Soak, AnHourOfSimulatedWorkLeaksNothing) {
  std::printf("at first: %.1f MiB resident\n", resident());
  constexpr std::array integrators{"rk4", "heun", "variational", "rk45", "rk2_projected", "rk2"};
  constexpr int warm_up = 6;    // runs until fonts, shaders and caches are all there
  constexpr double growth = 6;  // [MiB] allowed after them; a leak of a run's samples (10⁴ rows of
                                // 222 bytes) alone would come to 64 MiB in the thirty runs left
  double simulated = 0, after_warm_up = 0, most = 0;
  for (int cycle = 0; simulated < hour; ++cycle) {
    as_fast_as_possible();
    key(Qt::Key_Space);
    swap_integrator(integrators[static_cast<std::size_t>(cycle) % integrators.size()]);
    type("parameter/gravity", QString::number(9 + 0.125 * (cycle % 8)));
    zoom_and_pan_a_plot(energies_plot);
    // The planned end may be behind it already.
    ASSERT_TRUE(eventually([&] { return now().t >= 100 && now().state != RunState::failed; }));
    if (now().state == RunState::running) key(Qt::Key_Space);
    ASSERT_TRUE(eventually([&] { return now().state != RunState::running; }));
    zoom_and_pan_a_plot("plot/energy_error");
    simulated += now().t;
    if (cycle % 3 == 2) {
      save("soak.json");
      load("chain_pendulum");
      ASSERT_TRUE(
          after_key(Qt::Key_Right, Qt::ControlModifier, [&] { return now().steps == 100; }));
      save("soak.json");
      load("double_spherical_pendulum");
    } else {
      window_->run().send(Rewind{});
      ASSERT_TRUE(eventually([&] { return now().steps == 0; }));
      swap_integrator("variational");
    }
    wait_until_drawn();
    const double held = resident();
    most = std::max(most, held);
    if (cycle + 1 == warm_up) after_warm_up = held;
    if (cycle % warm_up == warm_up - 1)
      std::printf("%5.0f s simulated: %.1f MiB resident\n", simulated, held);
    if (cycle + 1 > warm_up) {
      ASSERT_LT(held, after_warm_up + growth) << "run " << cycle;
    }
  }
  RecordProperty("max_resident_MiB", std::to_string(most));
  // The program and its libraries, and software OpenGL with its shaders, take about 150.
  EXPECT_LT(most, 400);
}

// One run of an hour at the default step, every step sampled.
TEST_F(Soak, AnHourInOneRunStaysWithinItsBound) {
  const double before = resident();
  as_fast_as_possible();
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return now().state == RunState::finished; }));
  key(Qt::Key_Space);  // on past the planned end
  for (int i = 0; i < 60 && now().t < hour; ++i) (void)eventually([&] { return now().t >= hour; });
  ASSERT_GE(now().t, hour);
  pause_by_key();
  wait_until_drawn();
  const auto samples = static_cast<double>(window_->run().histories()[0].size());
  EXPECT_GE(samples, hour / 0.01);
  // 60 bytes a sample of this system, 48 n + 9 a state; a vector that just grew holds twice what is
  // in it.
  const double bound = 2 * samples * (60 + 48 * 2 + 9) / mebibyte + 32;
  const double full = resident();
  std::printf("%.0f samples: %.1f MiB more, at most %.1f are allowed\n", samples, full - before,
              bound);
  EXPECT_LT(full - before, bound);
  load("double_spherical_pendulum");
  ASSERT_TRUE(eventually([&] { return now().steps == 0; }));
  wait_until_drawn();
  const double after = resident();
  std::printf("after it was opened again: %.1f MiB more than at first\n", after - before);
  EXPECT_LT(after - before, 32);
}

TEST_F(Soak, TenIdleMinutesDrawNothing) {
  run_for(10);
  point_at(scene_point(0.3, 0.3));
  QTest::qWait(1000);
  const auto before = view().frames();
  QTest::qWait(10 * 60 * 1000);
  EXPECT_EQ(view().frames(), before);
}

}  // namespace
}  // namespace twosphere

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // figures as they come
  return twosphere::test::run_window_tests(argc, argv);
}
