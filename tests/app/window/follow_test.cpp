// SPDX-License-Identifier: GPL-3.0-or-later
// A run of another process, twosphere run --live, that the window follows while both run.
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>

#include "core/base/file.h"
#include "core/worker/live_file.h"
#include "tests/app/child_program.h"
#include "tests/app/run_fixture.h"
#include "tests/outcome.h"

namespace twosphere::follow_test {
namespace {

using namespace test;

struct Following : RunWindow {
  static QStringList words(const QString& steps, const QString& live) {
    return {QStringLiteral("run"),
            QStringLiteral("--preset"),
            QStringLiteral("double_spherical_pendulum"),
            QStringLiteral("--steps"),
            steps,
            QStringLiteral("--every"),
            QStringLiteral("8000"),
            QStringLiteral("--live"),
            live,
            QStringLiteral("--quiet")};
  }
  const FollowedFile* followed() {
    run().update();
    return run().followed();
  }
  FollowedFile::Activity activity() {
    return followed() ? followed()->activity : FollowedFile::Activity::ended;
  }
  void open(const QString& path) {
    ASSERT_TRUE(eventually([&] { return QFileInfo::exists(path); }));
    key(Qt::Key_O, Qt::ControlModifier);
    enter_path(path);
    ASSERT_TRUE(eventually([&] { return followed() != nullptr; }));
    wait_until_drawn();
  }
  /// Answers the offer to continue the run here.
  void answer(bool own) {
    auto* box = dialog<QMessageBox>();
    EXPECT_TRUE(box->informativeText().contains(QLatin1String("run.live")));
    QTest::mouseClick(own ? box->findChild<QPushButton*>(QStringLiteral("own_run"))
                          : box->button(QMessageBox::Cancel),
                      Qt::LeftButton);
    ASSERT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));
    activate();
  }
};

TEST_F(Following, ShowsARunToItsEndAsItsOwnTable) {
  const QString live = in_folder("run.live"), table = in_folder("run.csv"),
                shown = in_folder("shown.csv");
  ChildProgram child(QStringLiteral(TWOSPHERE_PROGRAM),
                     words(QStringLiteral("8000000"), live) << QStringLiteral("--csv") << table,
                     false);
  open(live);
  EXPECT_EQ(window_->windowTitle().remove(QLatin1String("[*]")),
            QStringLiteral("Following run.live - twosphere"));
  const std::int64_t first = now().steps;
  ASSERT_TRUE(eventually([&] { return now().steps > first; })) << "it grows";
  // However slow it is.
  while (activity() != FollowedFile::Activity::ended) {
    const std::int64_t so_far = now().steps;
    ASSERT_TRUE(eventually(
        [&] { return activity() == FollowedFile::Activity::ended || now().steps > so_far; }));
  }
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(now().steps, 8'000'000);
  EXPECT_EQ(now().state, RunState::finished);
  EXPECT_EQ(run().histories()[0].size(), 1001u);
  EXPECT_TRUE(eventually([&] { return label("State") == QLatin1String("finished"); }));
  EXPECT_FALSE(window_->isWindowModified());
  key(Qt::Key_E, Qt::ControlModifier);
  write_to(shown, ".json");
  EXPECT_EQ(contents(shown), contents(table)) << "to the last bit";
  // Another instant, from the states in the file.
  go_to(0.004);
  EXPECT_TRUE(run().in_past());
  EXPECT_GT(run().shown().steps, 100);
  expect_as_fresh();
  click("to_head");
}

TEST_F(Following, OffersARunOfItsOwnForWhatItCannotDo) {
  const QString live = in_folder("run.live");
  ChildProgram child(QStringLiteral(TWOSPHERE_PROGRAM), words(QStringLiteral("2^50"), live), false);
  open(live);
  EXPECT_TRUE(has("followed"));
  const std::uint64_t generation = now().generation;
  const double before = gravity();
  // Keys, a button, a setting and the mouse.
  key(Qt::Key_Space);
  answer(false);
  key(Qt::Key_Right);
  answer(false);
  key(Qt::Key_R);
  answer(false);
  click("rewind");
  answer(false);
  run().send(Change{{{SettingPath("system.gravity"), json::Node(1.5)}}});
  answer(false);
  EXPECT_EQ(gravity(), before);
  EXPECT_TRUE(followed());
  const std::int64_t steps = now().steps;
  ASSERT_TRUE(eventually([&] { return now().steps > steps; })) << "still followed";
  EXPECT_EQ(now().generation, generation);
  // The run in the past, and back.
  key(Qt::Key_Left);
  arrive();
  EXPECT_TRUE(run().in_past());
  key(Qt::Key_End);
  EXPECT_FALSE(run().in_past());

  key(Qt::Key_Space);
  answer(true);
  ASSERT_TRUE(eventually([&] { return !now().followed; }));
  EXPECT_EQ(now().state, RunState::paused);
  EXPECT_EQ(now().generation, generation) << "all that was read is kept";
  EXPECT_TRUE(child.running()) << "the other process continues";
  const std::int64_t head = now().steps;
  advance(700, head + 700);
  // As in the file, which has continued from there.
  auto file = value_of(LiveFileReader::open(live.toStdString()));
  std::shared_ptr<const RunCheckpoint> at;
  for (auto block = file.next(); block && *block; block = file.next())
    if (const auto* state = std::get_if<LiveState>(&**block);
        state && state->checkpoint->step() <= head + 700)
      at = state->checkpoint;
  ASSERT_TRUE(at);
  Simulation there = Simulation::at(file.record(), *at);
  while (there.steps() < head + 700) ASSERT_FALSE(there.step());
  EXPECT_EQ(there.state(0).q, now().lanes[0].state.q);
  EXPECT_EQ(there.state(0).w, now().lanes[0].state.w);
  EXPECT_EQ(there.sample(0).values, now().lanes[0].sample.values);
}

TEST_F(Following, SaysThatTheProcessWasKilledAndGoesOnFromAnInstant) {
  const QString live = in_folder("run.live");
  ChildProgram child(QStringLiteral(TWOSPHERE_PROGRAM), words(QStringLiteral("2^50"), live), false);
  ASSERT_TRUE(eventually([&] { return QFileInfo::exists(live); }));
  // By drag and drop.
  QMimeData dropped;
  dropped.setUrls({QUrl::fromLocalFile(live)});
  const QPoint at(200, 200);
  QDragEnterEvent enter(at, Qt::CopyAction, &dropped, Qt::LeftButton, {});
  QApplication::sendEvent(window_.get(), &enter);
  QDropEvent drop(at, Qt::CopyAction, &dropped, Qt::LeftButton, {});
  QApplication::sendEvent(window_.get(), &drop);
  // Beyond the instant that is gone back to below.
  ASSERT_TRUE(eventually([&] { return followed() && now().steps > 8'000; }));
  EXPECT_EQ(followed()->activity, FollowedFile::Activity::computing);
  EXPECT_TRUE(eventually([&] { return label("State") == QLatin1String("running elsewhere"); }));
  EXPECT_TRUE(child.kill());
  ASSERT_TRUE(eventually([&] { return activity() == FollowedFile::Activity::abandoned; }));
  EXPECT_TRUE(eventually([&] { return label("State") == QLatin1String("ended early"); }));
  const std::int64_t head = now().steps;
  wait_until_drawn();
  // Long ago.
  key(Qt::Key_Home);
  for (int k = 0; k < 3; ++k) key(Qt::Key_Right, Qt::ControlModifier);
  arrive();
  expect_as_fresh();
  const std::int64_t from = run().shown().steps;
  ASSERT_EQ(from, 300);
  // From the menu.
  choose(QStringLiteral("Simulation"), QStringLiteral("detach"));
  ASSERT_TRUE(eventually([&] { return !run().is_switching() && !now().followed; }));
  EXPECT_EQ(now().steps, from);
  ASSERT_EQ(run().branches().size(), 2u) << "what was read is the other run";
  EXPECT_EQ(run().branches()[0].checkpoints->newest()->step(), head);
  advance(300, from + 300);
  expect_as_fresh();
}

TEST_F(Following, TellsWhyAFileCannotBeFollowed) {
  const QString bad = in_folder("bad.live");
  ASSERT_TRUE(write_file(bad.toStdString(), "twosphere live run, format 7\n"));
  key(Qt::Key_O, Qt::ControlModifier);
  enter_path(bad, false);
  const QString text = dismiss();
  EXPECT_TRUE(text.contains(QLatin1String("bad.live: byte 0")) &&
              text.contains(QLatin1String("format 3")))
      << text.toStdString();
  EXPECT_FALSE(followed());
}

TEST_F(Following, KeepsWhatItReadOfADamagedFile) {
  const QString whole = in_folder("whole.live"), live = in_folder("run.live");
  ChildProgram child(QStringLiteral(TWOSPHERE_PROGRAM), words(QStringLiteral("3000000"), whole),
                     false);
  ASSERT_EQ(child.wait(), 0);
  std::string text = contents(whole).toStdString();
  text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 1);
  ASSERT_TRUE(write_file(live.toStdString(), text));
  open(live);
  ASSERT_TRUE(eventually([&] { return followed() && !followed()->problem.empty(); }));
  EXPECT_TRUE(says(followed()->problem, "run.live: byte "));
  EXPECT_GT(now().steps, 0);
  EXPECT_LT(now().steps, 3'000'000);
  wait_until_drawn();
  key(Qt::Key_Left);
  arrive();
  expect_as_fresh();
}

}  // namespace
}  // namespace twosphere::follow_test
