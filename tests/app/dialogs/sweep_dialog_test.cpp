// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/sweep_dialog.h"

#include <signal.h>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QSpinBox>
#include <QStandardItemModel>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "app/dialogs/sweep_view.h"
#include "core/base/simd_level.h"
#include "core/base/version.h"
#include "core/record/signal.h"
#include "core/studies/sweep_folder.h"
#include "core/studies/sweep_order.h"
#include "core/studies/sweep_run.h"
#include "tests/app/dialog_fixture.h"
#include "tests/complete_to_end.h"
#include "tests/outcome.h"
#include "ui/plot/plot_spec.h"

namespace twosphere::test::sweep_dialog_test {
namespace {

constexpr double pi = std::numbers::pi;

/// The parameter map; its tasks run in processes of this program.
class ParameterMap : public DialogWindow<SweepDialog> {
 protected:
  void SetUp() override {
    Window::SetUp();
    qputenv("XDG_DATA_HOME", folder_.filePath(QStringLiteral("data")).toUtf8());
  }

  SweepView* view_of_map() { return part<SweepView>("map"); }
  void open_dialog() { open_from("Explore", "parameter_map"); }
  void set(int points, int steps) {
    part<QSpinBox>("points1")->setValue(points);
    part<QSpinBox>("points2")->setValue(points);
    part<QSpinBox>("steps")->setValue(steps);
  }
  bool complete(int tasks) {
    return text("progress_text").startsWith(QStringLiteral("%1 of %1 tasks done").arg(tasks));
  }
  /// Starts the map and waits until so many tasks are done.
  void complete_all(int tasks) {
    press("start");
    ASSERT_TRUE(eventually([&] { return complete(tasks); })) << text("problem").toStdString();
  }
  /// "Sweep this…" in the menu of a number field.
  void sweep_field(const std::string& field) {
    const QPoint at = middle(field);
    move(at);
    wait_until_drawn();
    QTest::mouseClick(&view(), Qt::RightButton, {}, at);
    wait_until_drawn();
    ASSERT_TRUE(has("sweep_this"));
    click("sweep_this");
    ASSERT_TRUE(eventually([&] { return dialog() && dialog()->isVisible(); }));
  }
  /// The only folder of a sweep so far.
  QString sweep_folder() {
    const QDir all(folder_.filePath(QStringLiteral("data/twosphere/sweeps")));
    const QStringList names = all.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    EXPECT_EQ(names.size(), 1) << all.path().toStdString();
    return names.isEmpty() ? QString() : all.filePath(names[0]);
  }
  std::vector<SweepRow> rows(const QString& path) {
    const auto folder = value_of(open_sweep(path.toStdString()));
    const auto all = read_rows(folder);
    EXPECT_TRUE(all) << all.error().text();
    return *all;
  }
};

TEST_F(ParameterMap, FillsInFourClicksAndAClickPlaysTheTask) {
  open_dialog();
  set(8, 2000);
  press("start");
  // Where it is, as soon as there is a folder.
  auto* path = part<QLabel>("folder_path");
  ASSERT_TRUE(eventually([&] { return path->isVisible(); })) << text("problem").toStdString();
  EXPECT_EQ(path->toolTip(), sweep_folder());
  EXPECT_TRUE(path->text().startsWith(QLatin1Char('/')));
  press("copy_path");
  EXPECT_EQ(QGuiApplication::clipboard()->text(), sweep_folder());
  ASSERT_TRUE(eventually([&] { return complete(64); })) << text("problem").toStdString();
  ASSERT_TRUE(eventually([&] { return part<QPushButton>("start")->isEnabled(); }));
  EXPECT_TRUE(text("problem").isEmpty()) << text("problem").toStdString();

  const std::vector<SweepRow> computed = rows(sweep_folder());
  const auto unclear = std::count_if(computed.begin(), computed.end(), [](const SweepRow& row) {
    return row.values[0] > 2.3 && row.values[0] < 5;
  });
  EXPECT_GT(unclear, 0);
  EXPECT_TRUE(
      text("progress_text").endsWith(QStringLiteral(", %1 with T too short to tell").arg(unclear)))
      << text("progress_text").toStdString();

  // The values at the cursor.
  SweepView* map = view_of_map();
  const SweepView::Spot spot{6, 1};
  QTest::mouseMove(map, map->place_of(spot));
  ASSERT_TRUE(eventually([&] { return map->cursor() == spot; }));
  const SweepMap::Cell cell = map->map()->at(spot.column, spot.row);
  EXPECT_EQ(cell.task, 6U * 8 + 1) << "the first axis is drawn across";
  EXPECT_TRUE(text("readout").contains(QStringLiteral("MEGNO = ")))
      << text("readout").toStdString();
  EXPECT_TRUE(text("readout").contains(QStringLiteral("(task 49")));
  const std::string place = map->map()->place(spot.column, spot.row);
  EXPECT_TRUE(text("readout").startsWith(QString::fromStdString(place + ": ")))
      << text("readout").toStdString();

  QTest::mouseClick(map, Qt::LeftButton, {}, map->place_of(spot));
  const auto folder = value_of(open_sweep(sweep_folder().toStdString()));
  const auto task = value_of(sweep_scenario(folder.sweep, cell.task));
  ASSERT_TRUE(eventually([&] { return now().record->omega == task.omega; }));
  EXPECT_EQ(text("said"), QStringLiteral("Task 49 runs in the window"));
  EXPECT_EQ(place, map->map()->across.label + " = " + map->map()->across.text(spot.column) + ", " +
                       map->map()->up.label + " = " + map->map()->up.text(spot.row));
  EXPECT_EQ(now().record->title, task.title + ": " + place);
  EXPECT_TRUE(eventually([&] {
    return window_->windowTitle().startsWith(QString::fromStdString(now().record->title));
  }));
  EXPECT_TRUE(eventually([&] { return now().steps > 1; })) << "it plays";
  // The dialog, which lay over the scene, has moved aside, without its fields.
  const QPoint middle_of_scene = view().mapToGlobal(scene_point(0.5, 0.5));
  EXPECT_FALSE(dialog()->frameGeometry().contains(middle_of_scene));
  EXPECT_TRUE(map->isVisible());
  EXPECT_FALSE(part<QSpinBox>("steps")->isVisible());
  press("settings");
  EXPECT_TRUE(part<QSpinBox>("steps")->isVisible());
  EXPECT_FALSE(part<QPushButton>("settings")->isVisible());
  EXPECT_EQ(now().record->q, task.q);
  EXPECT_EQ(now().record->duration, task.duration);
  // The run in the window repeats the row to the last bit.
  auto run = value_of(Simulation::create(*now().record));
  ASSERT_TRUE(run.follow_exponents(1));
  while (!run.finished()) ASSERT_FALSE(run.advance_to(run.steps() + 1));
  const SweepRow row = rows(sweep_folder())[cell.task];
  EXPECT_EQ(row.status, TaskStatus::done);
  EXPECT_EQ(run.lane(0).exponents->megno(), row.values[0]);
  EXPECT_EQ(cell.value, row.values[0]);
}

TEST_F(ParameterMap, OfADiffusionHasFieldsForItsSignal) {
  open_dialog();
  set(3, 4000);
  auto* measure = part<QComboBox>("measure");
  auto* real = part<QLineEdit>("signal_real");
  EXPECT_FALSE(real->isVisible()) << "MEGNO needs none";
  const int diffusion = measure->findData(QStringLiteral("diffusion"));
  EXPECT_TRUE(measure->itemData(diffusion, Qt::ToolTipRole).toString().contains(u"two halves"));
  measure->setCurrentIndex(diffusion);
  ASSERT_TRUE(eventually([&] { return real->isVisible(); }));
  EXPECT_EQ(real->text(), QStringLiteral("q[0].e1"));
  real->setText(QStringLiteral("q[4].e1"));
  press("start");
  ASSERT_TRUE(eventually([&] { return !text("problem").isEmpty(); }));
  EXPECT_TRUE(text("problem").startsWith(QStringLiteral("Real part, column 1: ")))
      << text("problem").toStdString();
  real->setText(QStringLiteral("q[1].e1"));
  part<QLineEdit>("signal_imaginary")->setText(QStringLiteral("q[1].e2"));
  complete_all(9);
  const auto folder = value_of(open_sweep(sweep_folder().toStdString()));
  EXPECT_EQ(folder.sweep.scenario.signal, (ComplexSignal{"q[1].e1", "q[1].e2", 1}));
  ASSERT_EQ(folder.sweep.measures.size(), 2U);
  EXPECT_EQ(folder.sweep.measures[0].key(), "diffusion");
  EXPECT_EQ(folder.sweep.measures[1].key(), "frequency");
  for (const SweepRow& row : rows(sweep_folder())) {
    EXPECT_EQ(row.status, TaskStatus::done);
    EXPECT_TRUE(std::isfinite(row.values[0]));
    EXPECT_NE(row.values[1], 0);
  }
  EXPECT_EQ(part<QComboBox>("shown")->count(), 2);
}

TEST_F(ParameterMap, BlocksOfCoarsePointsFillTheMapUntilFinerOnesCome) {
  open_dialog();
  set(16, 500);
  complete_all(256);
  // The rows of the coarsest tasks alone, which may have ended after finer ones, in a folder that
  // grows.
  const QString path = sweep_folder();
  QList<QByteArray> lines = contents(path + QStringLiteral("/rows/1-of-1.csv")).split('\n');
  const std::vector<std::size_t> order = coarse_to_fine({16, 16});
  const auto place = [&](const QByteArray& line) {
    const std::size_t task = line.left(line.indexOf(',')).toULong();
    return std::find(order.begin(), order.end(), task) - order.begin();
  };
  ASSERT_EQ(lines.size(), 1 + 256 + 1);
  std::sort(lines.begin() + 1, lines.end() - 1,
            [&](const QByteArray& a, const QByteArray& b) { return place(a) < place(b); });
  const QString grows = in_folder("grows");
  ASSERT_TRUE(QDir().mkpath(grows + QStringLiteral("/rows")));
  ASSERT_TRUE(
      QFile::copy(path + QStringLiteral("/sweep.json"), grows + QStringLiteral("/sweep.json")));
  const auto write = [&](qsizetype count) {
    QFile file(grows + QStringLiteral("/rows/1-of-1.csv"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    for (const QByteArray& line : lines.first(count)) file.write(line + '\n');
  };
  write(1 + 20);
  press("open_folder");
  enter_path(grows);
  ASSERT_TRUE(eventually([&] {
    return text("progress_text").startsWith(QStringLiteral("20 of 256"));
  })) << text("progress_text").toStdString();
  const SweepMap& map = *view_of_map()->map();
  for (const SweepMap::Cell& cell : map.cells) EXPECT_TRUE(cell.shown);
  // A cell with the colour of another one says so.
  const SweepView::Spot coarse{15, 15};
  const SweepMap::Cell at = map.at(coarse.column, coarse.row);
  ASSERT_NE(at.shown, at.task);
  QTest::mouseMove(view_of_map(), view_of_map()->place_of(coarse));
  ASSERT_TRUE(eventually([&] { return view_of_map()->cursor() == coarse; }));
  EXPECT_TRUE(text("readout").contains(
      QStringLiteral(": task 255 is not computed yet; shown is one beside it: MEGNO = ")))
      << text("readout").toStdString();
  EXPECT_TRUE(text("readout").contains(QStringLiteral(" (task %1").arg(at.shown.value_or(0))));
  EXPECT_EQ(part<QPushButton>("stop")->text().remove(QLatin1Char('&')), QStringLiteral("Continue"));
  // More rows come, by someone else.
  write(1 + 256);
  ASSERT_TRUE(eventually([&] { return complete(256); }));
  for (const SweepMap::Cell& cell : view_of_map()->map()->cells) EXPECT_EQ(cell.shown, cell.task);
}

TEST_F(ParameterMap, StopsGoesOnAndSurvivesACrash) {
  open_dialog();
  set(32, 20'000);
  press("start");
  const auto some_done = [&] {
    return text("progress_text").section(QLatin1Char(' '), 0, 0).toInt();
  };
  ASSERT_TRUE(eventually([&] { return some_done() > 0; })) << text("problem").toStdString();
  press("stop");
  ASSERT_TRUE(eventually([&] { return part<QPushButton>("start")->isEnabled(); }));
  EXPECT_TRUE(text("problem").isEmpty()) << text("problem").toStdString();
  const int stopped = some_done();
  EXPECT_LT(stopped, 1024);
  EXPECT_EQ(part<QPushButton>("stop")->text().remove(QLatin1Char('&')), QStringLiteral("Continue"));
  press("stop");
  ASSERT_TRUE(eventually([&] { return some_done() > stopped; }));
  // The process crashes: the window and the rows stay.
  auto* process = dialog()->findChild<QProcess*>();
  ASSERT_TRUE(process);
  ASSERT_GT(process->processId(), 0);
  ::kill(static_cast<pid_t>(process->processId()), SIGKILL);
  ASSERT_TRUE(
      eventually([&] { return text("problem").contains(QStringLiteral("ended by signal 9")); }));
  const int kept = some_done();
  EXPECT_GT(kept, 0);
  press("stop");
  ASSERT_TRUE(eventually([&] { return some_done() > kept; }));
  // Closing asks.
  press("close");
  auto* box = Window::dialog<QMessageBox>();
  QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("stop_tasks")), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return !dialog()->isVisible(); }));
  ASSERT_TRUE(eventually([&] { return process->state() == QProcess::NotRunning; }));
}

// Also in the background, where nothing shows them.
TEST_F(ParameterMap, ClosingTheWindowAsksWhileTasksRun) {
  open_dialog();
  set(32, 20'000);
  press("start");
  ASSERT_TRUE(eventually([&] {
    return text("progress_text").section(QLatin1Char(' '), 0, 0).toInt() > 0;
  })) << text("problem").toStdString();
  const auto answer = [&](const char* button) {
    auto* box = Window::dialog<QMessageBox>();
    QTest::mouseClick(box->findChild<QPushButton*>(QLatin1String(button)), Qt::LeftButton);
    ASSERT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));
  };
  press("close");
  answer("leave_tasks");
  ASSERT_TRUE(eventually([&] { return !dialog()->isVisible(); }));
  auto* process = dialog()->findChild<QProcess*>();
  activate();
  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  auto* box = Window::dialog<QMessageBox>();
  EXPECT_TRUE(box->informativeText().contains(QStringLiteral("rows so far are kept")))
      << box->informativeText().toStdString();
  QTest::mouseClick(box->button(QMessageBox::Cancel), Qt::LeftButton);
  ASSERT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));
  EXPECT_TRUE(window_->isVisible());
  EXPECT_EQ(process->state(), QProcess::Running);
  window_->close();
  answer("drop_work");
  EXPECT_TRUE(eventually([&] { return !window_->isVisible(); }));
  EXPECT_EQ(process->state(), QProcess::NotRunning);
  const std::vector<SweepRow> kept = rows(sweep_folder());
  EXPECT_TRUE(std::any_of(kept.begin(), kept.end(),
                          [](const SweepRow& row) { return row.status == TaskStatus::done; }));
}

// Until the folder is made, the window has nothing to wait for.
TEST_F(ParameterMap, PlansInTheBackgroundAndCanBeCancelled) {
  open_window("custom/magnetic_pendulum");
  open_dialog();
  auto* measure = part<QComboBox>("measure");
  const int basin = measure->findData(QStringLiteral("basin"));
  ASSERT_GE(basin, 0);
  measure->setCurrentIndex(basin);
  set(2, 100);
  const auto cancelled = [&] {
    return part<QPushButton>("start")->isEnabled() &&
           text("problem") == QStringLiteral("Cancelled");
  };
  const QDir sweeps(folder_.filePath(QStringLiteral("data/twosphere/sweeps")));
  press("start");
  EXPECT_FALSE(sweeps.exists()) << "the equilibria are found elsewhere";
  EXPECT_FALSE(part<QPushButton>("start")->isEnabled());
  EXPECT_FALSE(part<QPushButton>("open_folder")->isEnabled());
  EXPECT_TRUE(part<QProgressBar>("progress")->isVisible());
  EXPECT_EQ(text("progress_text"), QStringLiteral("Planning"));
  press("stop");
  ASSERT_TRUE(eventually(cancelled)) << text("problem").toStdString();
  EXPECT_FALSE(part<QProgressBar>("progress")->isVisible());
  EXPECT_TRUE(text("progress_text").isEmpty()) << text("progress_text").toStdString();
  EXPECT_FALSE(sweeps.exists());

  press("start");
  EXPECT_TRUE(text("problem").isEmpty());
  ASSERT_TRUE(eventually([&] { return complete(4); })) << text("problem").toStdString();
  EXPECT_FALSE(value_of(open_sweep(sweep_folder().toStdString())).sweep.equilibria.empty());
  // A map that is cancelled leaves the one before it; closing cancels, too.
  for (const char* button : {"stop", "close"}) {
    press("start");
    press(button);
    ASSERT_TRUE(eventually(cancelled)) << button << ": " << text("problem").toStdString();
    EXPECT_TRUE(complete(4)) << text("progress_text").toStdString();
    EXPECT_EQ(sweep_folder(), part<QLabel>("folder_path")->toolTip());
  }
}

TEST_F(ParameterMap, FailedTasksAreMarkedAndBadFieldsAreRefused) {
  open_dialog();
  auto* setting = part<QComboBox>("setting1");
  setting->setCurrentIndex(setting->findData(QStringLiteral("system.masses[0]")));
  ASSERT_GE(setting->currentIndex(), 0);
  Q_EMIT setting->activated(setting->currentIndex());
  part<QCheckBox>("ratios1")->setChecked(false);
  part<QLineEdit>("from1")->setText(QStringLiteral("-1"));
  part<QLineEdit>("to1")->setText(QStringLiteral("1"));
  set(4, 100);
  complete_all(16);
  EXPECT_TRUE(text("progress_text").contains(QStringLiteral("8 failed")))
      << text("progress_text").toStdString();
  EXPECT_TRUE(view_of_map()->map()->at(0, 0).failed);
  EXPECT_FALSE(view_of_map()->map()->at(3, 3).failed);

  part<QLineEdit>("to1")->setText(QStringLiteral("1 apple"));
  press("start");
  EXPECT_TRUE(text("problem").startsWith(QStringLiteral("Horizontal axis")))
      << text("problem").toStdString();
}

TEST_F(ParameterMap, SweepsTheFieldThatWasClicked) {
  ASSERT_NO_FATAL_FAILURE(sweep_field("parameter/gravity"));
  EXPECT_EQ(part<QComboBox>("setting1")->currentData().toString(),
            QStringLiteral("system.gravity"));
  EXPECT_NE(part<QComboBox>("setting2")->currentData().toString(),
            QStringLiteral("system.gravity"));
  EXPECT_EQ(part<QLineEdit>("from1")->text().toDouble(), 0);
  EXPECT_NEAR(part<QLineEdit>("to1")->text().toDouble(), 2 * gravity(), 1e-12);
}

TEST_F(ParameterMap, SweepsFieldsThatCannotBeSetAloneByTheirAngles) {
  const auto expect = [&](const std::string& field, const char* path, double low, double high) {
    SCOPED_TRACE(field);
    ASSERT_NO_FATAL_FAILURE(sweep_field(field));
    EXPECT_EQ(part<QComboBox>("setting1")->currentData().toString(), QLatin1String(path));
    EXPECT_NEAR(part<QLineEdit>("from1")->text().toDouble(), low, 1e-3);
    EXPECT_NEAR(part<QLineEdit>("to1")->text().toDouble(), high, 1e-3);
    EXPECT_FALSE(part<QLabel>("problem")->isVisible()) << text("problem").toStdString();
    EXPECT_EQ(part<QSpinBox>("steps")->isEnabled(), std::string_view(path) != "duration");
    press("close");
    ASSERT_TRUE(eventually([&] { return !dialog()->isVisible(); }));
  };
  expect("run/duration", "duration", 50, 200);
  click("section/Start");
  wait_until_drawn();
  expect("start/q[0][2]", "initial.angles[0][0]", -pi, pi);
  expect("start/q[0][0]", "initial.angles[0][1]", -pi, pi);
  expect("start/omega[0][2]", "initial.rates[0][1]", -1.5, 1.5);
  expect("start/omega[0][1]", "initial.omega[0][1]", -1.5, 1.5);
}

TEST_F(ParameterMap, GoesOnInAFolderThatIsOpened) {
  // A sweep that was begun elsewhere: 4 of 9 tasks have rows.
  Sweep sweep{.scenario = *now().record, .version = version, .isa = std::string(isa_level())};
  sweep.scenario.duration = 1;
  for (const char* axis : {"system.gravity=1:20:3", "initial.omega[1][1]=-1:1:3"})
    sweep.axes.push_back(*parse_axis(axis));
  sweep.measures.push_back(*parse_measure("megno", sweep.scenario));
  ASSERT_TRUE(complete_to_end(sweep));
  const QString path = in_folder("begun");
  const auto folder = value_of(make_sweep(path.toStdString(), sweep));
  ASSERT_TRUE(run_sweep(folder, {.part = {1, 2}}, [](const SweepProgress&) { return true; }));
  open_dialog();
  press("open_folder");
  enter_path(path);
  ASSERT_TRUE(eventually([&] {
    return text("progress_text").startsWith(QStringLiteral("5 of 9"));
  })) << text("progress_text").toStdString();
  auto* button = part<QPushButton>("stop");
  EXPECT_EQ(button->text().remove(QLatin1Char('&')), QStringLiteral("Continue"));
  ASSERT_TRUE(button->isEnabled());
  press("stop");
  ASSERT_TRUE(eventually([&] { return complete(9); })) << text("problem").toStdString();
  // Once the process has ended.
  EXPECT_TRUE(eventually([&] { return !button->isEnabled(); })) << "nothing is left";

  // Its plan stands in place of the fields, until another map is wanted.
  auto* plan = part<QGroupBox>("plan");
  EXPECT_TRUE(plan->isVisible());
  EXPECT_FALSE(part<QComboBox>("setting1")->isVisible());
  EXPECT_FALSE(part<QPushButton>("start")->isEnabled());
  EXPECT_EQ(text("folder_path"), path);
  QStringList shown;
  for (const QLabel* label : plan->findChildren<QLabel*>()) shown << label->text();
  for (const char* row :
       {"Gravity g [m/s²]: 1 to 20, 3 values", "Start ω₂·e₂ [rad/s]: −1 to 1, 3 values", "MEGNO"})
    EXPECT_TRUE(shown.contains(QString::fromUtf8(row)))
        << shown.join(QLatin1Char('\n')).toStdString();
  press("new_map");
  EXPECT_FALSE(plan->isVisible());
  EXPECT_TRUE(part<QComboBox>("setting1")->isVisible());
  EXPECT_FALSE(part<QLabel>("folder_path")->isVisible());
  EXPECT_FALSE(view_of_map()->map());
  EXPECT_TRUE(text("readout").isEmpty());
  set(3, 100);
  complete_all(9);
  EXPECT_TRUE(part<QComboBox>("setting1")->isVisible());
}

TEST_F(ParameterMap, MeasuresWhatThePlotsShow) {
  view().interface().settings().plots.push_back(
      ui::plot_of(Signal(PlottedExpression{"tilt", "angle(q[1], -e3)", "deg"})));
  view().interface().settings().plots.push_back(
      ui::plot_of(Signal(PlottedExpression{"of another system", "e3.q[7]", "1"})));
  open_dialog();
  auto* measure = part<QComboBox>("measure");
  EXPECT_LT(measure->findData(QStringLiteral("plots.of another system.max")), 0);
  const int tilt = measure->findData(QStringLiteral("plots.tilt.max"));
  ASSERT_GE(tilt, 0);
  EXPECT_EQ(measure->itemText(tilt), QStringLiteral("Tilt, largest"));
  measure->setCurrentIndex(tilt);
  set(3, 100);
  complete_all(9);
  const auto folder = value_of(open_sweep(sweep_folder().toStdString()));
  ASSERT_EQ(folder.sweep.measures.size(), 1U);
  EXPECT_EQ(folder.sweep.measures[0].key(), "plots.tilt.max");
  EXPECT_EQ(view_of_map()->map()->bar.unit, "deg");
  for (const SweepRow& row : rows(sweep_folder())) {
    EXPECT_GT(row.values[0], 0);
    EXPECT_LE(row.values[0], 180);
  }
}

TEST_F(ParameterMap, KeepsItsFieldsWhileAnOpenedFolderRuns) {
  ASSERT_NO_FATAL_FAILURE(sweep_field("parameter/gravity"));
  Sweep sweep{.scenario = *now().record, .version = version, .isa = std::string(isa_level())};
  sweep.scenario.duration = 1e6;
  sweep.axes.push_back(*parse_axis("system.gravity=1:20:3"));
  sweep.measures.push_back(*parse_measure("t_stop", sweep.scenario));
  ASSERT_TRUE(complete_to_end(sweep));
  const QString path = in_folder("long");
  ASSERT_TRUE(make_sweep(path.toStdString(), sweep));
  press("open_folder");
  enter_path(path);
  auto* button = part<QPushButton>("stop");
  ASSERT_TRUE(eventually([&] { return button->isEnabled(); }));
  press("stop");
  ASSERT_TRUE(eventually([&] { return !part<QPushButton>("open_folder")->isEnabled(); }));
  const auto setting = [this] { return part<QComboBox>("setting1")->currentData().toString(); };
  ASSERT_NO_FATAL_FAILURE(sweep_field("parameter/damping"));
  EXPECT_EQ(setting(), QStringLiteral("system.gravity")) << "a field that nobody sees";
  EXPECT_TRUE(part<QGroupBox>("plan")->isVisible());
  EXPECT_TRUE(part<QLabel>("problem")->isVisible());
  EXPECT_EQ(text("problem"),
            QStringLiteral("The tasks of this folder are running. Stop them first; then "
                           "system.damping can be an axis of a new map."));
  press("stop");
  ASSERT_TRUE(eventually([&] { return part<QPushButton>("open_folder")->isEnabled(); }));
  EXPECT_FALSE(part<QLabel>("problem")->isVisible());
  ASSERT_NO_FATAL_FAILURE(sweep_field("parameter/damping"));
  EXPECT_EQ(setting(), QStringLiteral("system.damping"));
  EXPECT_FALSE(part<QGroupBox>("plan")->isVisible());
}

TEST_F(ParameterMap, ShiftClickAddsALaneWhereTheMethodAloneDiffers) {
  const auto map_over = [&](const char* path, const char* from, const char* to) {
    auto* setting = part<QComboBox>("setting1");
    setting->setCurrentIndex(setting->findData(QLatin1String(path)));
    ASSERT_GE(setting->currentIndex(), 0);
    Q_EMIT setting->activated(setting->currentIndex());
    part<QComboBox>("setting2")->setCurrentIndex(0);
    part<QLineEdit>("from1")->setText(QLatin1String(from));
    part<QLineEdit>("to1")->setText(QLatin1String(to));
    set(2, 100);
    complete_all(2);
    ASSERT_TRUE(eventually([&] { return part<QPushButton>("start")->isEnabled(); }));
    EXPECT_TRUE(text("said").contains(QStringLiteral("Shift-click"))) << text("said").toStdString();
  };
  const auto shift_click = [&](std::size_t column) {
    QTest::mouseClick(view_of_map(), Qt::LeftButton, Qt::ShiftModifier,
                      view_of_map()->place_of({column, 0}));
  };
  open_dialog();
  map_over("integrator.step", "0.0025", "0.005");
  shift_click(1);
  ASSERT_TRUE(eventually([&] { return now().record->lanes.size() == 2; }));
  EXPECT_EQ(now().record->lanes[1].step, 0.005);
  EXPECT_EQ(text("said"), QStringLiteral("Task 1 added as the lane variational.2"));
  shift_click(1);
  EXPECT_EQ(text("said"), QStringLiteral("Task 1 is a lane of the run already: variational.2"));
  // During a run it waits for Rewind, like every lane that is added.
  take(10);
  view_of_map()->setFocus();
  QTest::mouseMove(view_of_map(), view_of_map()->place_of({0, 0}));
  ASSERT_TRUE(eventually([&] { return view_of_map()->cursor() == (SweepView::Spot{0, 0}); }));
  QTest::keyClick(view_of_map(), Qt::Key_Return, Qt::ShiftModifier);
  EXPECT_EQ(text("said"), QStringLiteral("Task 0 added as the lane variational.3, which begins on "
                                         "Rewind"));
  EXPECT_EQ(now().record->lanes.size(), 2U);
  ASSERT_TRUE(eventually([&] { return now().after_rewind->lanes.size() == 3; }));
  choose(QStringLiteral("Edit"), QStringLiteral("undo"));
  ASSERT_TRUE(eventually([&] { return now().after_rewind->lanes.size() == 2; }));

  map_over("system.gravity", "1", "2");
  shift_click(0);
  EXPECT_EQ(text("said"), QStringLiteral("Task 0 differs in system.gravity; a lane shares system "
                                         "and start: click to open it as a run"));
  EXPECT_EQ(now().after_rewind->lanes.size(), 2U);
}

TEST_F(ParameterMap, OffersMeasuresThatCanBeMeasured) {
  // Damping leaves no tangent map: Start draws something else at once.
  ASSERT_NO_FATAL_FAILURE(sweep_field("parameter/damping"));
  auto* measure = part<QComboBox>("measure");
  auto* why = part<QLabel>("no_exponents");
  EXPECT_EQ(measure->currentData().toString(), QStringLiteral("energy_error.max"));
  EXPECT_TRUE(why->isVisible());
  EXPECT_TRUE(why->text().contains(QStringLiteral("coupled bodies are damped")))
      << why->text().toStdString();
  const auto* list = qobject_cast<const QStandardItemModel*>(measure->model());
  for (const char* key : {"megno", "fli", "lyapunov"}) {
    const QStandardItem& item = *list->item(measure->findData(QLatin1String(key)));
    EXPECT_FALSE(item.isEnabled()) << key;
    EXPECT_EQ(item.toolTip(), why->text()) << key;
  }
  set(3, 100);
  complete_all(9);
  EXPECT_FALSE(part<QLabel>("problem")->isVisible());
  // Over gravity there is one again.
  auto* setting = part<QComboBox>("setting1");
  setting->setCurrentIndex(setting->findData(QStringLiteral("system.gravity")));
  Q_EMIT setting->activated(setting->currentIndex());
  EXPECT_EQ(measure->currentData().toString(), QStringLiteral("megno"));
  EXPECT_FALSE(why->isVisible());
  // What was chosen stays.
  measure->setCurrentIndex(measure->findData(QStringLiteral("cost")));
  setting->setCurrentIndex(setting->findData(QStringLiteral("system.damping")));
  Q_EMIT setting->activated(setting->currentIndex());
  EXPECT_EQ(measure->currentData().toString(), QStringLiteral("cost"));
  press("close");

  open_window("inverted_double_pendulum");
  open_dialog();
  EXPECT_EQ(part<QComboBox>("measure")->currentData().toString(),
            QStringLiteral("energy_error.max"));
  EXPECT_TRUE(part<QLabel>("no_exponents")->isVisible());
  EXPECT_EQ(text("no_exponents"),
            QStringLiteral("MEGNO, FLI and Lyapunov exponents cannot be measured: variational has "
                           "no tangent map for this system, because PD control damps coupled "
                           "bodies."));
}

}  // namespace
}  // namespace twosphere::test::sweep_dialog_test
