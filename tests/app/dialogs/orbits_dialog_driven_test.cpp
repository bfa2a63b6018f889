// SPDX-License-Identifier: GPL-3.0-or-later
// Orbits with damping and forces of the time in the window, and what is grey there.
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <algorithm>
#include <memory>
#include <string>

#include "app/dialogs/multiplier_view.h"
#include "app/dialogs/orbits_dialog.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "tests/app/dialog_fixture.h"
#include "tests/outcome.h"

namespace twosphere::test::orbits_dialog_driven_test {
namespace {

using Kind = OrbitItem::Kind;
constexpr int energy = 1, kind = 6;
constexpr const char* amplitude = "system.control_torque.amplitude[1]";

/// θ'' = −sin θ − ½ θ', with a torque, if there is one.
std::string pendulum(const std::string& torque) {
  return R"({"twosphere": 1, "title": "Pendulum",
             "system": {"type": "chain_pendulum", "masses": [1], "lengths": [1], "gravity": 1,
                        "damping": 0.5)" +
         torque + R"(},
             "initial": {"q": [[0.28, 0, 0.96]], "omega": [[0, 0.1, 0]]},
             "integrator": {"type": "variational8", "step": 0.05}, "duration": 300})";
}
/// A sin(⅔ t), of the period 3π.
std::string torque_of(const std::string& size) {
  return R"(, "control_torque": {"type": "sine", "amplitude": [0, )" + size +
         R"(, 0], "frequency": 0.1061032953945969})";
}

class DrivenOrbits : public DialogWindow<OrbitsDialog> {
 protected:
  /// Opens the dialog on a scenario, and waits for the modes of the first equilibrium.
  void open_on(const std::string& scenario) {
    open_window(value_of(Simulation::create(value_of(read_scenario(scenario, "pendulum")))));
    open_from("Explore", "orbits");
    ASSERT_TRUE(eventually([&] {
      return tree().topLevelItemCount() > 0 && tree().topLevelItem(0)->childCount() > 0;
    })) << words("problem");
  }
  std::string words(const char* name) { return text(name).toStdString(); }
  OrbitTree& tree() { return *part<OrbitTree>("tree"); }
  OrbitView& families() { return *part<OrbitView>("families"); }
  std::string tip(const char* name) { return part<QWidget>(name)->toolTip().toStdString(); }
  bool enabled(const char* name) { return part<QWidget>(name)->isEnabled(); }
  bool draws(std::size_t count) {
    return eventually([&] { return families().diagram().curves.size() == count; });
  }
};

TEST_F(DrivenOrbits, HaveThePeriodOfTheForcesAndAreFollowedOverTheirAmplitude) {
  ASSERT_NO_FATAL_FAILURE(open_on(pendulum(torque_of("1.05"))));
  EXPECT_TRUE(says(words("summary"), "without the forces"));
  EXPECT_TRUE(part<QLineEdit>("period")->placeholderText().startsWith("9.424778"));
  EXPECT_EQ(part<QComboBox>("over")->currentData().toString(), amplitude);
  press("close_run");
  ASSERT_TRUE(draws(1)) << words("problem");
  const std::string orbit = words("readout");
  EXPECT_TRUE(says(orbit, "T = 9.42477796"));
  EXPECT_TRUE(says(orbit, "attracting"));
  EXPECT_FALSE(says(orbit, "E = "));
  const QString multipliers = part<MultiplierView>("multipliers")->accessibleDescription();
  EXPECT_FALSE(multipliers.isEmpty());
  EXPECT_FALSE(multipliers.contains("Krein"));
  EXPECT_EQ(families().diagram().x.label, amplitude);
  EXPECT_EQ(families().diagram().y.unit, "rad/s");
  // A number of the system is followed to a value.
  press("follow");
  EXPECT_TRUE(eventually([&] { return says(words("problem"), "needs the value"); }));
  enter("to", "1.07");
  press("follow");
  ASSERT_TRUE(eventually([&] { return families().diagram().curves[0].points.size() > 2; }))
      << words("problem");
  const OrbitCurve family = families().diagram().curves[0];
  EXPECT_NEAR(family.points.front().x, 1.05, 1e-12);
  EXPECT_NEAR(family.points.back().x, 1.07, 1e-9);
  const auto doubling = std::find_if(
      family.marks.begin(), family.marks.end(),
      [](const OrbitCurve::Mark& mark) { return mark.kind == BifurcationKind::doubling; });
  ASSERT_NE(doubling, family.marks.end());
  EXPECT_NEAR(doubling->at.x, 1.066, 1e-3);
  EXPECT_EQ(family.dashes.front(), Dash::solid);
  EXPECT_EQ(family.dashes.back(), Dash::dotted);
  EXPECT_TRUE(tree().currentItem()->text(energy).isEmpty());
  EXPECT_TRUE(tree().currentItem()->text(kind).startsWith("attracting in parts"));
  // Orbits of twice the period branch off there, over what the family is followed over.
  Q_EMIT families().chosen(0, 0);
  part<QSpinBox>("count")->setValue(4);
  press("branch");
  ASSERT_TRUE(draws(2)) << words("problem");
  EXPECT_TRUE(says(words("readout"), "T = 18.8495559"));
  EXPECT_TRUE(tree().currentItem()->text(0).startsWith("Branch at system."));
  press("open");
  ASSERT_TRUE(eventually(
      [&] { return now().present && now().present->title == "Pendulum: periodic orbit"; }));
  EXPECT_NEAR(now().present->duration, 18.8495559, 1e-6);
}

TEST_F(DrivenOrbits, BeginAtRestInTheChosenEquilibrium) {
  ASSERT_NO_FATAL_FAILURE(open_on(pendulum(torque_of("0.3"))));
  EXPECT_EQ(part<QPushButton>("find_mode")->text(), "Fro&m rest");
  tree().choose({Kind::equilibrium, 0});
  press("find_mode");
  ASSERT_TRUE(draws(1)) << words("problem");
  EXPECT_TRUE(says(words("readout"), "attracting"));
  EXPECT_EQ(tree().currentItem()->parent(), tree().topLevelItem(0)) << "below where it begins";
  // At an instant within a period: at its end.
  take(37);
  press("find_present");
  ASSERT_TRUE(draws(2)) << words("problem");
  const OrbitDiagram& both = families().diagram();
  EXPECT_NEAR(both.curves[1].points[0].y, both.curves[0].points[0].y, 1e-8) << "the same orbit";
  enter("period", "7");
  press("find_present");
  EXPECT_TRUE(eventually([&] { return says(words("problem"), "multiple of the period"); }));
}

TEST_F(DrivenOrbits, WhatForcesDoNotAllowIsGreyAndSaysWhy) {
  ASSERT_NO_FATAL_FAILURE(open_on(pendulum(torque_of("1.05"))));
  EXPECT_FALSE(enabled("energy"));
  EXPECT_TRUE(says(tip("energy"), "do not keep it"));
  EXPECT_FALSE(enabled("relabel"));
  EXPECT_FALSE(enabled("relative"));
  EXPECT_TRUE(says(tip("relative"), "no axis"));
  EXPECT_FALSE(enabled("find_relative"));
  EXPECT_TRUE(says(tip("find_relative"), "depend on the time"));
  const auto& over = *qobject_cast<QStandardItemModel*>(part<QComboBox>("over")->model());
  EXPECT_FALSE(over.item(0)->isEnabled()) << "the energy";
}

TEST_F(DrivenOrbits, ThereAreNoneUnderDampingAlone) {
  ASSERT_NO_FATAL_FAILURE(open_on(pendulum({})));
  for (const char* button : {"find_mode", "close_run", "find_present", "follow"}) {
    EXPECT_FALSE(enabled(button)) << button;
    EXPECT_TRUE(says(tip(button), "comes to rest")) << tip(button);
  }
  EXPECT_TRUE(eventually([&] { return enabled("start"); })) << "it has equilibria";
}

}  // namespace
}  // namespace twosphere::test::orbits_dialog_driven_test
