// SPDX-License-Identifier: GPL-3.0-or-later
// Equilibria and modes of a scenario, from the menu to a run that begins in one.
#include "app/dialogs/modes_dialog.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLineEdit>
#include <QTableWidget>
#include <cmath>
#include <numbers>
#include <string>

#include "app/dialogs/mode_view.h"
#include "core/mechanics/sphere.h"
#include "tests/app/dialog_fixture.h"
#include "tests/outcome.h"

namespace twosphere::test::modes_dialog_test {
namespace {

class ModesWindow : public DialogWindow<ModesDialog> {
 protected:
  void open_dialog() { open_from("Explore", "modes"); }
  QTableWidget* table(const char* name) { return part<QTableWidget>(name); }
  std::string cell(const char* name, int row, int column) {
    return table(name)->item(row, column)->text().toStdString();
  }
  bool has_rows(const char* name, int rows) {
    return eventually([&] { return table(name)->rowCount() == rows; });
  }
};

TEST_F(ModesWindow, ListsEquilibriaAndTheModesOfTheChosenOne) {
  open_dialog();
  ASSERT_TRUE(has_rows("equilibria", 4)) << text("problem").toStdString();
  ASSERT_TRUE(has_rows("modes", 4));
  EXPECT_EQ(cell("equilibria", 0, 4), "minimum");
  EXPECT_EQ(cell("equilibria", 3, 2), "4");
  EXPECT_EQ(cell("equilibria", 0, 5), "60");
  EXPECT_EQ(cell("modes", 0, 1), "0.5857864376");
  EXPECT_TRUE(table("modes")->isColumnHidden(4)) << "a quality without damping";
  EXPECT_TRUE(table("modes")->isColumnHidden(5)) << "of no elliptic modes";
  EXPECT_TRUE(says(text("summary").toStdString(), "4 equilibria"));
  table("equilibria")->selectRow(3);
  ASSERT_TRUE(eventually([&] { return cell("modes", 0, 1) == "−3.414213562"; }));
  EXPECT_EQ(cell("modes", 0, 2), "0");
}

TEST_F(ModesWindow, ShowsTheSignOfTheEnergyOfEllipticModes) {
  open_window("vortex_leapfrog");
  open_dialog();
  ASSERT_TRUE(eventually([&] { return table("modes")->rowCount() > 0; }));
  EXPECT_TRUE(says(text("summary").toStdString(), "1 equilibrium, where"));
  EXPECT_FALSE(table("modes")->isColumnHidden(5));
  for (int row = 0; row < table("modes")->rowCount(); ++row) {
    const std::string sign = cell("modes", row, 5);
    // Where it grows the energy of the motion is 0.
    EXPECT_EQ(sign == "0", cell("modes", row, 3) != "0") << row << ": " << sign;
  }
}

TEST_F(ModesWindow, OpensARunThatBeginsInAMode) {
  open_dialog();
  ASSERT_TRUE(has_rows("modes", 4));
  part<QDoubleSpinBox>("amplitude")->setValue(30);
  press("open_mode");
  const std::string title = "Double spherical pendulum: mode 0";
  ASSERT_TRUE(eventually([&] { return now().present && now().present->title == title; }));
  const Columns& q = now().present->q;
  EXPECT_NEAR(angle(q.col(1), Vec3::UnitZ()), std::numbers::pi / 6, 1e-12);
  EXPECT_EQ(now().present->omega.norm(), 0);
}

TEST_F(ModesWindow, AnimatesTheChosenModeOnRequest) {
  open_dialog();
  ASSERT_TRUE(has_rows("modes", 4));
  auto* view = part<ModeView>("animation");
  EXPECT_FALSE(view->isVisible());
  part<QDoubleSpinBox>("amplitude")->setValue(90);
  part<QCheckBox>("animate")->setChecked(true);
  ASSERT_TRUE(view->isVisible());
  EXPECT_TRUE(says(text("animation_note").toStdString(), "not a motion of the system"));
  ASSERT_TRUE(view->drawn());
  const Columns first = *view->drawn();
  EXPECT_TRUE(eventually([&] { return (*view->drawn() - first).norm() > 0.1; }));
  EXPECT_FALSE(view->grab().toImage().isNull());
  part<QCheckBox>("animate")->setChecked(false);
  EXPECT_FALSE(view->isVisible());
  EXPECT_FALSE(view->drawn());
}

TEST_F(ModesWindow, OpensARunThatRestsInAnEquilibrium) {
  open_dialog();
  ASSERT_TRUE(has_rows("equilibria", 4));
  table("equilibria")->selectRow(1);
  press("open_equilibrium");
  ASSERT_TRUE(eventually([&] {
    return now().present && now().present->title == "Double spherical pendulum: saddle";
  }));
  EXPECT_EQ(now().present->q(2, 1), -1);
}

TEST_F(ModesWindow, SavesTheTableOfTheCommandLine) {
  open_dialog();
  ASSERT_TRUE(has_rows("modes", 4));
  press("save_table");
  auto* files = Window::dialog<QFileDialog>();
  ASSERT_TRUE(files);
  const QString path = in_folder("modes.csv");
  files->findChild<QLineEdit*>()->setText(path);
  ASSERT_TRUE(QMetaObject::invokeMethod(files, "accept"));
  ASSERT_TRUE(eventually([&] { return QFile(path).size() > 0; }));
  EXPECT_TRUE(contents(path).startsWith("mode [1],square [rad^2/s^2],frequency [Hz]"));
}

TEST_F(ModesWindow, SaysWhyASystemHasNone) {
  open_window("lennard_jones");
  open_dialog();
  ASSERT_TRUE(eventually([&] { return says(text("problem").toStdString(), "642 bodies"); }));
  EXPECT_FALSE(part<QPushButton>("open_mode")->isEnabled());
  EXPECT_EQ(table("equilibria")->rowCount(), 0);
}

}  // namespace
}  // namespace twosphere::test::modes_dialog_test
