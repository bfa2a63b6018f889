// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/section_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QListWidget>
#include <QSpinBox>

#include "app/dialogs/section_view.h"
#include "app/session/run_table.h"
#include "core/mechanics/diagnostics.h"
#include "core/scenario/poincare_section.h"
#include "core/scenario/section_surface.h"
#include "core/scenario/writer.h"
#include "tests/app/child_program.h"
#include "tests/app/dialog_fixture.h"
#include "tests/outcome.h"

namespace twosphere::test::section_dialog_test {
namespace {

class Section : public DialogWindow<SectionDialog> {
 protected:
  SectionView* view_of_section() { return part<SectionView>("picture"); }
  void open_dialog() { open_from("Explore", "poincare_section"); }
  /// Waits until every point of the run is drawn.
  bool caught_up() {
    return eventually([&] { return now().steps >= 0 && dialog()->complete(); });
  }
  QStringList orbits() {
    QStringList all;
    for (int k = 0; k < part<QListWidget>("orbits")->count(); ++k)
      all << part<QListWidget>("orbits")->item(k)->text();
    return all;
  }
  void expect_points_of_the_run() {
    ASSERT_TRUE(caught_up());
    Scenario record = *now().record;
    record.section = dialog()->section();
    auto run = value_of(Simulation::create(record));
    ASSERT_TRUE(run.follow_section(*record.section));
    while (run.steps() < now().steps) ASSERT_FALSE(run.step());
    const auto progress = dialog()->progress();
    std::vector<double> values;
    for (int i = 0; i < run.lane_count(); ++i) {
      const auto expected = run.take_section_points(i);
      const SectionPoints& points = progress->lanes[static_cast<std::size_t>(i)];
      ASSERT_EQ(points.size(), expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k) {
        run.lane(i).crossings->surface()->coordinates(expected[k].state, values);
        EXPECT_EQ(points.t(k), expected[k].state.t);
        for (std::size_t c = 0; c < values.size(); ++c) EXPECT_EQ(points.values(k)[c], values[c]);
      }
    }
  }
};

TEST_F(Section, HasThePointsOfTheCommandLineAndLeavesTheRunAsItIs) {
  window_->run().send(Change{{{"duration", 60.0}}});
  open_dialog();
  EXPECT_EQ(dialog()->section(), default_section(*now().present));
  take(now().planned_steps);
  ASSERT_TRUE(caught_up());
  EXPECT_GT(view_of_section()->points_inside(), 5U);
  press("save_points");
  enter_path(in_folder("window.csv"));
  ASSERT_TRUE(eventually([&] { return QFileInfo::exists(in_folder("window.csv.json")); }));

  Scenario scenario = *now().record;
  scenario.section = dialog()->section();
  QFile file(in_folder("scenario.json"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(QByteArray::fromStdString(write_scenario(scenario)));
  file.close();
  (void)output_of_program({QStringLiteral("run"), in_folder("scenario.json"),
                           QStringLiteral("--points"), in_folder("points.csv"),
                           QStringLiteral("--csv"), in_folder("rows.csv"),
                           QStringLiteral("--quiet")});
  EXPECT_EQ(contents(in_folder("window.csv")), contents(in_folder("points.csv")));
  EXPECT_EQ(contents(in_folder("window.csv.json")), contents(in_folder("points.csv.json")));
  EXPECT_EQ(RunTable(window_->run()).text(), contents(in_folder("rows.csv")).toStdString());
  EXPECT_FALSE(now().record->section) << "the record of the run is not changed";
}

TEST_F(Section, FollowsARunThatIsChangedAndGoesBack) {
  open_dialog();
  take(4000);
  expect_points_of_the_run();
  const std::size_t before = dialog()->progress()->lanes[0].size();
  ASSERT_GT(before, 3U);

  // An edit: its points are drawn, those before are not unless they are wanted.
  window_->run().send(Change{{{"system.gravity", 6.0}}});
  take(4000);
  expect_points_of_the_run();
  const std::size_t after = dialog()->progress()->lanes[0].size();
  ASSERT_GT(after, before);
  ASSERT_TRUE(eventually(
      [&] { return view_of_section()->picture()->series[0].points.size() == after - before; }));
  EXPECT_TRUE(text("status").contains(QStringLiteral("The %1 from before").arg(before)))
      << text("status").toStdString();
  part<QCheckBox>("before_changes")->click();
  ASSERT_TRUE(
      eventually([&] { return view_of_section()->picture()->series[0].points.size() == after; }));

  // Another branch from the past.
  branch_from(2000);
  expect_points_of_the_run();
  EXPECT_LT(dialog()->progress()->lanes[0].size(), before);
  take(3000);
  expect_points_of_the_run();

  window_->run().send(Rewind{});
  ASSERT_TRUE(eventually([&] { return now().steps == 0; }));
  take(1000);
  expect_points_of_the_run();
}

TEST_F(Section, ACopyOfTheRunContinuesToMorePoints) {
  open_dialog();
  take(4000);
  ASSERT_TRUE(caught_up());
  const std::int64_t steps = now().steps;
  const std::size_t before = dialog()->progress()->lanes[0].size();
  ASSERT_LT(before, 30U);
  EXPECT_EQ(view_of_section()->picture()->x.unit, "rad");
  EXPECT_EQ(view_of_section()->picture()->y.unit, "rad/s");
  part<QSpinBox>("start_points")->setValue(30);
  ASSERT_TRUE(eventually([&] {
    return part<QPushButton>("further")->text() == QStringLiteral("Co&ntinue to 30 points");
  }));
  press("further");
  ASSERT_TRUE(eventually([&] { return dialog()->progress()->ended; }));
  EXPECT_GE(dialog()->progress()->lanes[0].size(), 30U);
  EXPECT_EQ(now().steps, steps) << "the run itself stays";
  EXPECT_TRUE(caught_up());
  EXPECT_TRUE(text("status").contains(QStringLiteral("continued beyond its end")))
      << text("status").toStdString();
  EXPECT_FALSE(part<QPushButton>("further")->isEnabled());
  // A change of the run is another motion.
  window_->run().send(Change{{{"system.gravity", 6.0}}});
  take(1000);
  expect_points_of_the_run();
}

TEST_F(Section, AClickStartsAnOrbitThereWithTheEnergyOfTheRun) {
  open_dialog();
  take(6000);
  ASSERT_TRUE(caught_up());
  part<QSpinBox>("start_points")->setValue(40);
  const SectionView* view = view_of_section();
  const auto run = dialog()->progress();
  const auto last = run->lanes[0].values(run->lanes[0].size() - 1);
  const QPointF place = view->place_of(last[0], last[1]) + QPointF(30, -20);
  // A pixel, in units of the coordinates.
  const QPointF origin = view->place_of(0, 0), one = view->place_of(1, 1) - origin;
  const double x = (place.toPoint().x() - origin.x()) / one.x(),
               y = (place.toPoint().y() - origin.y()) / one.y();
  QTest::mouseClick(view_of_section(), Qt::LeftButton, {}, place.toPoint());
  ASSERT_TRUE(eventually([&] { return orbits().size() == 2 || !text("problem").isEmpty(); }));
  ASSERT_EQ(orbits().size(), 2) << text("problem").toStdString();
  ASSERT_TRUE(eventually([&] {
    return view->complete() && view->picture()->series.size() == 2 &&
           view->picture()->series[1].points.size() >= 40;
  })) << orbits().join(QLatin1Char(';')).toStdString();
  const SectionPoints& points = view->picture()->series[1].points;
  EXPECT_NEAR(points.values(0)[0], x, std::abs(1.5 / one.x()));
  EXPECT_NEAR(points.values(0)[1], y, std::abs(1.5 / one.y()));
  EXPECT_NE(view->picture()->series[0].style.color, view->picture()->series[1].style.color);

  // As a run it has the same points, and the energy.
  const double energy = total_energy(*now().system, now().lanes[0].state);
  part<QListWidget>("orbits")->setCurrentRow(1);
  const std::vector<double> own(points.values(3).begin(), points.values(3).end());
  press("open");
  ASSERT_TRUE(eventually([&] { return now().steps == 0; }));
  EXPECT_NEAR(total_energy(*now().system, now().lanes[0].state), energy, 1e-8 * std::abs(energy));
  take(6000);
  expect_points_of_the_run();
  EXPECT_EQ(dialog()->progress()->lanes[0].values(3)[0], own[0]);
  EXPECT_EQ(dialog()->progress()->lanes[0].values(3)[1], own[1]);
  EXPECT_EQ(orbits().size(), 1) << "starts belong to the run that was left";
}

TEST_F(Section, StartsAreRemovedAndPlacesOutOfReachRefused) {
  open_dialog();
  take(4000);
  ASSERT_TRUE(caught_up());
  auto* view = view_of_section();
  // Far away, by the wheel.
  for (int k = 0; k < 20; ++k) {
    const QPointF middle = view->rect().center();
    QWheelEvent event(middle, view->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(view, &event);
  }
  QTest::mouseClick(view, Qt::LeftButton, {}, QPoint(view->width() - 60, 60));
  ASSERT_TRUE(eventually([&] { return part<QLabel>("problem")->isVisible(); }));
  EXPECT_TRUE(text("problem").startsWith(QStringLiteral("No orbit starts here")))
      << text("problem").toStdString();
  press("fit");
  ASSERT_TRUE(eventually([&] { return view->complete(); }));
  const auto run = dialog()->progress();
  for (const std::size_t k : {0U, 1U}) {
    const auto at = run->lanes[0].values(k);
    QTest::mouseClick(view, Qt::LeftButton, {}, view->place_of(at[0], at[1]).toPoint());
    ASSERT_TRUE(eventually([&] { return orbits().size() == static_cast<int>(k) + 2; }))
        << text("problem").toStdString();
  }
  EXPECT_FALSE(part<QLabel>("problem")->isVisible());
  part<QListWidget>("orbits")->setCurrentRow(1);
  press("remove");
  ASSERT_EQ(orbits().size(), 2);
  EXPECT_TRUE(orbits()[1].startsWith(QStringLiteral("start 2")));
  part<QListWidget>("orbits")->setCurrentRow(0);
  press("remove");
  EXPECT_EQ(orbits().size(), 1);
}

TEST_F(Section, TakesAnotherSectionAndSaysWhatIsWrongWithOne) {
  open_dialog();
  take(3000);
  const PoincareSection usual = dialog()->section();
  enter("expression", "q[0]*q[1]");
  ASSERT_TRUE(part<QLabel>("problem")->isVisible());
  EXPECT_EQ(dialog()->section(), usual) << "the one before stays";
  enter("expression", "w[0].e1");
  EXPECT_FALSE(part<QLabel>("problem")->isVisible()) << text("problem").toStdString();
  EXPECT_EQ(dialog()->section().expression, "w[0].e1");
  expect_points_of_the_run();
  enter("up", "q[1].");
  EXPECT_TRUE(text("problem").startsWith(QStringLiteral("up"))) << text("problem").toStdString();
  enter("up", "q[1].e2");
  expect_points_of_the_run();
  ASSERT_TRUE(eventually([&] {
    return view_of_section()->picture() && view_of_section()->picture()->y.label == "q[1].e2";
  }));
  auto* kind = part<QComboBox>("kind");
  kind->setCurrentIndex(1);
  Q_EMIT kind->activated(1);
  enter("period", "0.25");
  expect_points_of_the_run();
  EXPECT_EQ(dialog()->progress()->lanes[0].size(), 120U) << "from t = 0 to before 30 s";
  press("usual");
  EXPECT_EQ(dialog()->section(), usual);
  expect_points_of_the_run();
}

TEST_F(Section, WhatWasTypedIsSavedWithTheScenario) {
  open_dialog();
  const auto automatic = value_of(saved_by_hand("automatic.json"));
  EXPECT_FALSE(automatic.section);
  open_dialog();
  enter("expression", "q[1].e2");
  const auto typed = value_of(saved_by_hand("typed.json"));
  EXPECT_EQ(typed.section, dialog()->section());
  EXPECT_EQ(typed.section->expression, "q[1].e2");
}

TEST_F(Section, DrawsLanesInTheirColoursAndAFigureOfThem) {
  window_->run().send(Change{{{"lanes", *json::parse_value(R"([
      {"type": "variational", "step": 0.01}, {"type": "rk4", "step": 0.01}])")}}});
  window_->run().send(Rewind{});
  open_dialog();
  take(6000);
  ASSERT_TRUE(caught_up());
  const SectionPicture& shown = *view_of_section()->picture();
  ASSERT_EQ(shown.series.size(), 2U);
  EXPECT_NE(shown.series[0].style.color, shown.series[1].style.color);
  EXPECT_GT(shown.series[1].points.size(), 5U);
  expect_points_of_the_run();
  press("save_figure");
  write_to(in_folder("section.svg"));
  const QByteArray svg = contents(in_folder("section.svg"));
  for (const char* word : {"angle", "rate", "Runge-Kutta 4", "Variational"})
    EXPECT_TRUE(svg.contains(word)) << word;

  EXPECT_FALSE(svg.contains("rk4"));
  // Identifiers are in tooltips only.
  EXPECT_TRUE(orbits()[1].startsWith(QStringLiteral("Runge-Kutta 4: ")));
  EXPECT_TRUE(part<QListWidget>("orbits")->item(1)->toolTip().contains(QStringLiteral("rk4")));
  // One that is not ticked is not drawn.
  part<QListWidget>("orbits")->item(1)->setCheckState(Qt::Unchecked);
  ASSERT_TRUE(eventually([&] { return view_of_section()->picture()->series.size() == 1; }));
}

TEST_F(Section, LooksForNothingWhileItIsClosed) {
  open_dialog();
  take(2000);
  ASSERT_TRUE(caught_up());
  press("close");
  ASSERT_TRUE(eventually([&] { return !dialog()->isVisible(); }));
  take(2000);
  QTest::qWait(300);
  EXPECT_EQ(dialog()->progress()->steps, 2000);
  open_dialog();
  expect_points_of_the_run();
}

}  // namespace
}  // namespace twosphere::test::section_dialog_test
