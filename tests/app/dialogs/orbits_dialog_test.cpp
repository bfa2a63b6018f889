// SPDX-License-Identifier: GPL-3.0-or-later
// Equilibria, modes, periodic orbits and their families of a scenario, from the menu to a run that
// begins in one.
#include "app/dialogs/orbits_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QMouseEvent>
#include <QProgressBar>
#include <QSpinBox>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/dialogs/motion_view.h"
#include "app/dialogs/multiplier_view.h"
#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/parameter.h"
#include "core/mechanics/sphere.h"
#include "core/scenario/reader.h"
#include "tests/app/dialog_fixture.h"
#include "tests/outcome.h"
#include "ui/plot/axis.h"

namespace twosphere::test::orbits_dialog_test {
namespace {

using Kind = OrbitItem::Kind;
constexpr int energy = 1, square = 2, frequency = 3, quality = 5, kind = 6;

class Orbits : public DialogWindow<OrbitsDialog> {
 protected:
  void open_dialog() { open_from("Explore", "orbits"); }
  OrbitTree& tree() { return *part<OrbitTree>("tree"); }
  OrbitView& view_of(const char* name) { return *part<OrbitView>(name); }
  QTreeWidgetItem* equilibrium(int number) { return tree().topLevelItem(number); }
  /// Waits until the first equilibrium has so many modes.
  bool has_modes(int count) {
    return eventually(
        [&] { return tree().topLevelItemCount() > 0 && equilibrium(0)->childCount() == count; });
  }
  std::size_t curves(const char* view) { return view_of(view).diagram().curves.size(); }
  const OrbitCurve& curve(const char* view, std::size_t number = 0) {
    return view_of(view).diagram().curves[number];
  }
  /// Waits until a diagram has so many curves.
  bool draws(const char* view, std::size_t count) {
    return eventually([&] { return curves(view) == count; });
  }
  /// Follows the family of mode 0 to 190 J above rest.
  void follow_the_slow_mode() {
    open_dialog();
    ASSERT_TRUE(has_modes(4)) << text("problem").toStdString();
    enter("to", "rest+190");
    press("follow");
    ASSERT_TRUE(draws("families", 1)) << text("problem").toStdString();
  }
};

TEST_F(Orbits, ListsEquilibriaAndTheModesOfTheChosenOne) {
  open_dialog();
  ASSERT_TRUE(has_modes(4)) << text("problem").toStdString();
  EXPECT_EQ(tree().topLevelItemCount(), 4);
  EXPECT_EQ(equilibrium(0)->text(kind), "minimum, index 0, nullity 0, 60° from the start");
  EXPECT_TRUE(equilibrium(3)->text(kind).contains("index 4"));
  EXPECT_EQ(equilibrium(0)->child(0)->text(square), "0.5857864376");
  EXPECT_EQ(tree().chosen(), (OrbitItem{Kind::mode, 0, 0})) << "ready to be followed";
  EXPECT_TRUE(tree().isColumnHidden(quality)) << "without damping";
  EXPECT_TRUE(says(text("summary").toStdString(), "4 equilibria"));
  tree().choose({Kind::equilibrium, 3});
  ASSERT_TRUE(eventually([&] { return equilibrium(3)->childCount() == 4; }));
  EXPECT_EQ(equilibrium(3)->child(0)->text(square), "−3.414213562");
  EXPECT_EQ(equilibrium(3)->child(0)->text(kind), "grows");
  EXPECT_EQ(equilibrium(3)->child(0)->text(frequency), "0");
}

TEST_F(Orbits, SaysWhichModesLowerTheEnergy) {
  open_window("vortex_leapfrog");
  open_dialog();
  ASSERT_TRUE(eventually([&] { return tree().topLevelItemCount() > 0; }));
  EXPECT_TRUE(says(text("summary").toStdString(), "1 equilibrium, where"));
  ASSERT_TRUE(eventually([&] { return equilibrium(0)->childCount() > 0; }));
  for (int k = 0; k < equilibrium(0)->childCount(); ++k)
    EXPECT_EQ(equilibrium(0)->child(k)->text(kind), "oscillates, lowers the energy");
}

TEST_F(Orbits, TheWheelChangesNoFieldWithoutTheFocus) {
  open_dialog();
  auto* count = part<QSpinBox>("count");
  const int before = count->value();
  const QPointF at = QRectF(count->rect()).center();
  QWheelEvent notch(at, count->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(count, &notch);
  EXPECT_EQ(count->value(), before);
  EXPECT_EQ(count->focusPolicy(), Qt::StrongFocus) << "the wheel does not give it, either";
}

TEST_F(Orbits, OpensARunThatBeginsInAMode) {
  open_dialog();
  ASSERT_TRUE(has_modes(4));
  part<QDoubleSpinBox>("amplitude")->setValue(30);
  press("open");
  const std::string title = "Double spherical pendulum: mode 0";
  ASSERT_TRUE(eventually([&] { return now().present && now().present->title == title; }));
  EXPECT_NEAR(angle(now().present->q.col(1), Vec3::UnitZ()), std::numbers::pi / 6, 1e-12);
  EXPECT_EQ(now().present->omega.norm(), 0);
}

TEST_F(Orbits, OpensARunThatRestsInAnEquilibrium) {
  open_dialog();
  ASSERT_TRUE(has_modes(4));
  tree().choose({Kind::equilibrium, 1});
  press("open");
  ASSERT_TRUE(eventually([&] {
    return now().present && now().present->title == "Double spherical pendulum: saddle";
  }));
  EXPECT_EQ(now().present->q(2, 1), -1);
}

TEST_F(Orbits, AnimatesTheChosenModeUnlessItIsSwitchedOff) {
  open_dialog();
  ASSERT_TRUE(has_modes(4));
  auto* view = part<MotionView>("animation");
  part<QDoubleSpinBox>("amplitude")->setValue(90);
  ASSERT_TRUE(view->isVisible());
  EXPECT_TRUE(says(text("readout").toStdString(), "not a motion of the system"));
  ASSERT_TRUE(view->drawn());
  const Columns first = *view->drawn();
  EXPECT_TRUE(eventually([&] { return (*view->drawn() - first).norm() > 0.1; }));
  EXPECT_FALSE(view->grab().toImage().isNull());
  part<QCheckBox>("animate")->setChecked(false);
  EXPECT_FALSE(view->isVisible());
  EXPECT_FALSE(view->drawn());
}

// Over a number each orbit of a family has its own system.
TEST_F(Orbits, AFamilyIsAnimatedAtOneScale) {
  const auto chain = [](double length) {
    const SystemInfo& info = *find_system("chain_pendulum");
    Values values{{"masses", {1}}, {"lengths", {length}}};
    values.merge(default_values(info.parameters, 1));
    return std::shared_ptr<const System>(std::move(*info.create(1, values)));
  };
  MotionView view(nullptr);
  const std::vector<Columns> motion{Vec3::UnitZ(), Vec3::UnitX()};
  view.show_motion(chain(2), motion);
  const double long_one = view.radius();
  view.show_motion(chain(1), motion, true);
  EXPECT_EQ(view.radius(), long_one);
  view.show_motion(chain(3), motion, true);
  EXPECT_GT(view.radius(), long_one);
  view.show_motion(chain(1), motion);
  EXPECT_LT(view.radius(), long_one);
}

TEST_F(Orbits, FollowsTheFamilyOfAModeToWhereItLosesItsStability) {
  follow_the_slow_mode();
  const OrbitCurve& family = curve("families");
  ASSERT_GT(family.points.size(), 10U);
  ASSERT_EQ(family.marks.size(), 1U);
  EXPECT_EQ(family.marks[0].kind, BifurcationKind::branching);
  const double rest =
      equilibrium(0)->text(energy).replace(QChar(0x2212), QLatin1Char('-')).toDouble();
  EXPECT_NEAR(family.marks[0].at.x - rest, 182.526070329, 1e-5);
  EXPECT_NEAR(family.marks[0].at.y, 8.860356557905, 1e-7);
  EXPECT_EQ(family.dashes.front(), Dash::solid);
  EXPECT_EQ(family.dashes.back(), Dash::dotted);
  // It stands below its mode.
  ASSERT_EQ(equilibrium(0)->child(0)->childCount(), 1);
  const QTreeWidgetItem* below = equilibrium(0)->child(0)->child(0);
  EXPECT_TRUE(below->text(kind).contains("1 bifurcation"));
  EXPECT_FALSE(below->text(0).contains("mode")) << "which is the line above";
  EXPECT_TRUE(below->toolTip(0).startsWith("From mode 0 of equilibrium 0: "));
  EXPECT_TRUE(says(text("readout").toStdString(), "190 J above rest"));
  EXPECT_TRUE(part<MultiplierView>("multipliers")->accessibleDescription().contains("hyperbolic"));
}

TEST_F(Orbits, AClickOpensAnOrbitAndShiftTakesTheLanesOfTheRunWithIt) {
  follow_the_slow_mode();
  OrbitView& view = view_of("families");
  const OrbitView::Place middle{0, curve("families").points.size() / 2};
  const QPoint place = view.place_of(middle).toPoint();
  QTest::mouseClick(&view, Qt::LeftButton, Qt::ShiftModifier, place);
  const std::string title = "Double spherical pendulum: periodic orbit";
  ASSERT_TRUE(eventually([&] { return now().present && now().present->title == title; }));
  ASSERT_EQ(now().present->lanes.size(), 2U);
  EXPECT_EQ(now().present->lanes[0].type, "variational8");
  EXPECT_EQ(now().present->lanes[1].type, "variational");
  const double period = curve("families").points[middle.point].y;
  EXPECT_NEAR(now().present->duration, period, 0.02 * period);
  ASSERT_TRUE(now().present->orbit);
  // Opening one keeps what was found.
  open_dialog();
  ASSERT_EQ(curves("families"), 1U);
  QTest::mouseClick(&view, Qt::LeftButton, {}, place);
  EXPECT_TRUE(eventually([&] { return now().present->lanes.size() == 1U; }));
}

TEST_F(Orbits, ADragAlongACurveShowsOneOrbitAfterTheOtherAndLeavesTheRun) {
  follow_the_slow_mode();
  const auto record = now().record;
  OrbitView& view = view_of("families");
  auto* motion = part<MotionView>("animation");
  const std::size_t last = curve("families").points.size() - 1;
  const auto move = [&](std::size_t point) {
    const QPointF at = view.place_of({0, point});
    QMouseEvent event(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                      {});
    QApplication::sendEvent(&view, &event);
  };
  QTest::mousePress(&view, Qt::LeftButton, {}, view.place_of({0, last}).toPoint());
  ASSERT_TRUE(eventually([&] { return motion->drawn().has_value(); }));
  move(last / 2);
  EXPECT_TRUE(says(text("readout").toStdString(), "Orbit " + std::to_string(last / 2 + 1)));
  move(0);
  EXPECT_TRUE(says(text("readout").toStdString(), "Orbit 1 of"));
  // A small oscillation about the downward vertical.
  EXPECT_TRUE(eventually(
      [&] { return motion->drawn() && angle(motion->drawn()->col(1), Vec3::UnitZ()) < 0.05; }));
  QTest::mouseRelease(&view, Qt::LeftButton, {}, view.place_of({0, 0}).toPoint());
  EXPECT_EQ(now().record, record);
  // The keyboard does the same.
  QTest::keyClick(&view, Qt::Key_Right);
  EXPECT_TRUE(says(text("readout").toStdString(), "Orbit 2 of"));
  EXPECT_TRUE(view.accessibleDescription().startsWith("Orbit 2 of"));
}

TEST_F(Orbits, BranchesOffAndExtendsAFamily) {
  follow_the_slow_mode();
  OrbitView& view = view_of("families");
  EXPECT_FALSE(part<QPushButton>("branch")->isEnabled()) << "nothing comes after its end";
  // From any orbit before the bifurcation.
  const double where = curve("families").marks[0].at.x;
  ASSERT_LT(curve("families").points[3].x, where);
  Q_EMIT view.chosen(0, 1);
  part<QSpinBox>("count")->setValue(80);
  enter("to", "rest+188");
  press("branch");
  ASSERT_TRUE(draws("families", 2)) << text("problem").toStdString();
  EXPECT_NEAR(curve("families", 1).points.front().x, where, 1);
  EXPECT_TRUE(says(text("readout").toStdString(), "turned by")) << "it precesses";
  // On from the end of the first family.
  const std::size_t members = curve("families").points.size();
  Q_EMIT view.chosen(0, members - 1);
  enter("to", "rest+195");
  press("follow");
  ASSERT_TRUE(eventually([&] { return curve("families").points.size() > members; }))
      << text("problem").toStdString();
  EXPECT_EQ(curves("families"), 2U);
  EXPECT_EQ(curve("families").marks.size(), 1U);
  // Back into it there is nothing new.
  const std::size_t all = curve("families").points.size();
  enter("to", "rest+188");
  press("follow");
  EXPECT_TRUE(says(text("problem").toStdString(), "has these orbits already"));
  EXPECT_FALSE(says(text("readout").toStdString(), "Orbit " + std::to_string(all) + " of"));
  EXPECT_EQ(curve("families").points.size(), all);
}

// Three pendulums on springs swing alike until two pairs of multipliers pass 1: two of them part,
// which is unstable, or one from the other two, which is not.
TEST_F(Orbits, BranchesOffInTheChosenDirection) {
  open_window(value_of(Simulation::create(value_of(read_scenario(
      R"json({"twosphere": 1, "system": {"type": "custom", "inertia": "diag(1)",
                "potential": "-sum(i: e3.q[i]) + 0.53/2*sum(i: (e2.q[i])^2) + 0.2*(norm(q[0]-q[1])^2 + norm(q[1]-q[2])^2 + norm(q[2]-q[0])^2)"},
    "initial": {"q": [[0, 0, 1], [0, 0, 1], [0, 0, 1]], "omega": [[0, 0, 0], [0, 0, 0], [0, 0, 0]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 1})json",
      "three")))));
  open_dialog();
  ASSERT_TRUE(has_modes(6)) << text("problem").toStdString();
  auto* direction = part<QComboBox>("direction");
  EXPECT_FALSE(direction->isEnabled()) << "there is no orbit";
  enter("energy", "rest+2.5");
  enter("to", "rest+2.6");
  press("follow");
  ASSERT_TRUE(draws("families", 1)) << text("problem").toStdString();
  EXPECT_FALSE(direction->isEnabled()) << "nothing comes after its end";
  Q_EMIT view_of("families").chosen(0, 0);
  ASSERT_TRUE(direction->isEnabled());
  ASSERT_EQ(direction->count(), 4);
  EXPECT_TRUE(direction->itemText(2).startsWith("2: omega[0] by ["))
      << direction->itemText(2).toStdString();
  enter("to", "rest+2.56");
  for (const auto& [number, is] : {std::pair{0, "unstable"}, {2, "linearly stable"}}) {
    const std::size_t before = curves("families");
    Q_EMIT view_of("families").chosen(0, 0);
    direction->setCurrentIndex(number);
    press("branch");
    ASSERT_TRUE(draws("families", before + 1)) << text("problem").toStdString();
    EXPECT_TRUE(says(text("readout").toStdString(), is)) << text("readout").toStdString();
  }
}

TEST_F(Orbits, ClosesTheRunByARelativeOrbit) {
  open_dialog();
  ASSERT_TRUE(has_modes(4));
  EXPECT_EQ(part<QComboBox>("relative")->currentText(), "e3") << "the run turns about it";
  press("close_run");
  ASSERT_TRUE(eventually([&] { return curves("families") == 1 || !text("problem").isEmpty(); }));
  ASSERT_EQ(curves("families"), 1U) << text("problem").toStdString();
  const double run = total_energy(*now().system, now().lanes[0].state);
  EXPECT_NEAR(curve("families").points[0].x, run, 1e-3 * std::abs(run));
  enter("period", "");
  press("find_present");
  EXPECT_TRUE(eventually([&] { return says(text("problem").toStdString(), "period"); }));
}

TEST_F(Orbits, DrawsRelativeEquilibriaWithTheRunAmongThem) {
  open_dialog();
  ASSERT_TRUE(has_modes(4));
  enter("from_momentum", "100");
  enter("to_momentum", "100");
  press("find_relative");
  EXPECT_TRUE(says(text("problem").toStdString(), "two different momenta"));
  enter("to_momentum", "300");
  part<QSpinBox>("momenta")->setValue(5);
  part<QSpinBox>("tries")->setValue(40);
  press("find_relative");
  ASSERT_TRUE(
      eventually([&] { return curves("turning") > 0 || part<QLabel>("problem")->isVisible(); }));
  ASSERT_GT(curves("turning"), 0U) << text("problem").toStdString();
  EXPECT_EQ(curves("turning"), 3U);
  // The lowest one is stable, as orbits relative says.
  const auto at_100 = std::find_if(curve("turning").points.begin(), curve("turning").points.end(),
                                   [](const ui::Point& p) { return std::abs(p.x - 100) < 1e-9; });
  ASSERT_NE(at_100, curve("turning").points.end());
  EXPECT_NEAR(at_100->y, -209.1586003, 1e-6);
  for (const Dash dash : curve("turning").dashes) EXPECT_EQ(dash, Dash::solid);
  const auto run = view_of("turning").run();
  ASSERT_TRUE(run);
  EXPECT_NEAR(run->x, momentum_map(*now().system, now().lanes[0].state)[2], 1e-9);
  QTest::mouseClick(&view_of("turning"), Qt::LeftButton, {},
                    view_of("turning").place_of({0, 0}).toPoint());
  ASSERT_TRUE(eventually([&] {
    return now().present &&
           now().present->title == "Double spherical pendulum: relative equilibrium";
  }));
  press("save_figure");
  write_to(in_folder("orbits.svg"));
  EXPECT_TRUE(contents(in_folder("orbits.svg")).contains("momentum about e3"));
}

// In the frame that turns, as about an equilibrium.
TEST_F(Orbits, ListsTheSmallMotionsOfARelativeEquilibriumAndBeginsInThem) {
  open_dialog();
  ASSERT_TRUE(has_modes(4));
  enter("from_momentum", "100");
  enter("to_momentum", "300");
  part<QSpinBox>("momenta")->setValue(3);
  part<QSpinBox>("tries")->setValue(40);
  press("find_relative");
  ASSERT_TRUE(eventually([&] { return curves("turning") > 0; })) << text("problem").toStdString();
  const auto parent = [&] { return tree().currentItem(); };
  ASSERT_EQ(tree().chosen(), (OrbitItem{Kind::relative, 0}));
  ASSERT_TRUE(eventually([&] { return parent()->childCount() == 3; }))
      << text("problem").toStdString();
  const QString first = parent()->child(0)->text(frequency);
  EXPECT_EQ(parent()->child(0)->text(kind), "oscillates");
  // Those of another point take their place.
  Q_EMIT view_of("turning").chosen(0, curve("turning").points.size() - 1);
  EXPECT_EQ(parent()->childCount(), 0);
  ASSERT_TRUE(eventually([&] { return parent()->childCount() == 3; }));
  EXPECT_NE(parent()->child(0)->text(frequency), first);
  tree().choose({Kind::relative_mode, 0, 0});
  EXPECT_TRUE(says(text("readout").toStdString(), "in the frame that turns"));
  EXPECT_TRUE(part<MotionView>("animation")->drawn());
  const double turning = curve("turning").points.back().x;
  press("find_mode");
  ASSERT_TRUE(draws("families", 1)) << text("problem").toStdString();
  EXPECT_TRUE(says(text("readout").toStdString(), "turned by"));
  EXPECT_TRUE(says(text("readout").toStdString(), "J = " + ui::significant(turning, 6) + " J s"));
  // A run that begins in one.
  tree().choose({Kind::relative_mode, 0, 1});
  press("open");
  ASSERT_TRUE(eventually([&] {
    return now().present && now().present->title == "Double spherical pendulum: mode 1";
  }));
  EXPECT_GT(now().present->omega.norm(), 0.1);
}

TEST_F(Orbits, CancelsAtOnceAndKeepsWhatItHas) {
  open_dialog();
  ASSERT_TRUE(has_modes(4));
  part<QSpinBox>("count")->setValue(10'000);
  press("follow");
  ASSERT_TRUE(eventually([&] { return part<QProgressBar>("progress")->value() > 2; }));
  QElapsedTimer clock;
  clock.start();
  press("cancel");
  ASSERT_TRUE(eventually([&] { return part<QPushButton>("start")->isEnabled(); }));
  EXPECT_LT(clock.elapsed(), 1000) << "100 ms on a machine that does nothing else";
  ASSERT_EQ(curves("families"), 1U) << text("problem").toStdString();
  EXPECT_GT(curve("families").points.size(), 2U);
  EXPECT_TRUE(says(text("summary").toStdString(), "Cancelled"));
}

// The work in progress is cancelled, and nothing of the former system meets the new one.
TEST_F(Orbits, BeginsAgainForAnotherSystemWhileItIsBusy) {
  follow_the_slow_mode();
  tree().choose({Kind::mode, 0, 1});
  part<QSpinBox>("count")->setValue(10'000);
  enter("to", "");
  press("follow");
  Q_EMIT view().preset_chosen(QStringLiteral("pendulum_network"));
  ASSERT_TRUE(eventually([&] { return now().present && now().present->size() > 2; }));
  dialog()->prepare({});
  EXPECT_EQ(curves("families"), 0U);
  EXPECT_EQ(tree().topLevelItemCount(), 0);
  ASSERT_TRUE(eventually([&] { return part<QPushButton>("start")->isEnabled(); }));
  EXPECT_GT(tree().topLevelItemCount(), 0) << text("problem").toStdString();
}

TEST_F(Orbits, SavesTheTablesOfTheCommandLine) {
  follow_the_slow_mode();
  press("save_table");
  enter_path(in_folder("orbits.csv"));
  ASSERT_TRUE(eventually([&] { return QFile(in_folder("orbits.csv")).size() > 0; }));
  EXPECT_TRUE(contents(in_folder("orbits.csv")).startsWith("member [1],energy [J],momentum [J s]"));
  tree().choose({Kind::mode, 0, 1});
  press("save_table");
  enter_path(in_folder("modes.csv"));
  ASSERT_TRUE(eventually([&] { return QFile(in_folder("modes.csv")).size() > 0; }));
  EXPECT_TRUE(
      contents(in_folder("modes.csv")).startsWith("mode [1],square [rad^2/s^2],frequency [Hz]"));
}

TEST_F(Orbits, SaysWhyASystemHasNone) {
  open_window("lennard_jones");
  open_dialog();
  ASSERT_TRUE(eventually([&] { return says(text("problem").toStdString(), "642 bodies"); }));
  EXPECT_FALSE(part<QPushButton>("open")->isEnabled());
  EXPECT_FALSE(part<QPushButton>("close_run")->isEnabled());
  EXPECT_EQ(tree().topLevelItemCount(), 0);
}

}  // namespace
}  // namespace twosphere::test::orbits_dialog_test
