// SPDX-License-Identifier: GPL-3.0-or-later
// The order study of a scenario, from its menu to a figure on the disk.
#include "app/dialogs/order_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QTableWidget>
#include <set>
#include <string>
#include <vector>

#include "core/studies/order_plan.h"
#include "tests/app/dialog_fixture.h"
#include "tests/outcome.h"

namespace twosphere::test::order_dialog_test {
namespace {

class OrderStudyWindow : public DialogWindow<OrderDialog> {
 protected:
  void open_dialog() { open_from("Explore", "order_study"); }
  void check_only(const std::set<std::string>& keys) {
    auto* list = part<QListWidget>("methods");
    for (int i = 0; i < list->count(); ++i)
      list->item(i)->setCheckState(
          keys.contains(list->item(i)->data(Qt::UserRole).toString().toStdString())
              ? Qt::Checked
              : Qt::Unchecked);
  }
  std::string problem() { return text("problem").toStdString(); }
  void save(const char* button, const QString& path) {
    press(button);
    auto* files = Window::dialog<QFileDialog>();
    files->findChild<QLineEdit*>()->setText(path);
    ASSERT_TRUE(QMetaObject::invokeMethod(files, "accept"));
  }
};

TEST_F(OrderStudyWindow, FindsTheOrdersAndSavesFigureAndTable) {
  open_dialog();
  EXPECT_EQ(part<QLineEdit>("duration")->text(), QStringLiteral("4"));
  EXPECT_EQ(part<QLineEdit>("steps")->text(), QStringLiteral("0.04:0.00125:/2"));
  EXPECT_FALSE(part<QPushButton>("save")->isEnabled());
  auto* list = part<QListWidget>("methods");
  std::vector<std::string> checked;
  for (int i = 0; i < list->count(); ++i)
    if (list->item(i)->checkState() == Qt::Checked)
      checked.push_back(list->item(i)->text().toStdString());
  EXPECT_EQ(checked.size(), 5U) << "not all " << list->count();
  EXPECT_EQ(checked[0], "Variational (VI)") << "by their names";
  check_only({"variational", "rk4"});
  press("start");
  auto* table = part<QTableWidget>("orders");
  ASSERT_TRUE(eventually([&] { return table->rowCount() == 2; })) << problem();

  // The same as of the study that the fields describe.
  Scenario scenario = *now().record;
  scenario.duration = 4;
  const auto study = value_of(plan_order_study(scenario, {.methods = {"variational", "rk4"}}));
  const auto result = run_order_study(study, 1, {});
  ASSERT_TRUE(result && *result);
  for (int row = 0; row < 2; ++row) {
    const auto order = value_of(order_of(study, **result, static_cast<std::size_t>(row)));
    EXPECT_TRUE(table->item(row, 1)->text().startsWith(QString::number(order.order, 'f', 2)))
        << table->item(row, 1)->text().toStdString();
    EXPECT_NEAR(order.order, row == 0 ? 2 : 4, 0.1);
  }
  EXPECT_EQ(table->item(0, 0)->text(), QStringLiteral("Variational (VI)"));

  const QString figure = in_folder("orders.pdf"), csv = in_folder("orders.csv");
  save("save", figure);
  ASSERT_TRUE(eventually([&] { return QFile(figure).size() > 1000; }));
  save("save_table", csv);
  ASSERT_TRUE(eventually([&] { return QFile(csv).size() > 0; }));
  QFile written(csv);
  ASSERT_TRUE(written.open(QIODevice::ReadOnly));
  const QByteArray text = written.readAll();
  EXPECT_TRUE(text.startsWith("integrator,step [s],"));
  EXPECT_EQ(text.count('\n'), 1 + 2 * 6);
}

TEST_F(OrderStudyWindow, APdfTakesFiveClicks) {
  // Files are proposed in the working folder until one was chosen.
  const QString before = QDir::currentPath();
  ASSERT_TRUE(QDir::setCurrent(folder_.path()));
  open_dialog();  // two: the menu, its entry
  check_only({"variational", "rk4"});
  press("start");
  press("save");
  auto* files = Window::dialog<QFileDialog>();
  auto* buttons = files->findChild<QDialogButtonBox*>();
  ASSERT_TRUE(buttons);
  QTest::mouseClick(buttons->button(QDialogButtonBox::Save), Qt::LeftButton);
  const QString file = in_folder("double_spherical_pendulum-orders.pdf");
  EXPECT_TRUE(eventually([&] { return QFile(file).size() > 1000; }))
      << QDir(folder_.path()).entryList(QDir::Files).join(QLatin1Char(' ')).toStdString();
  EXPECT_TRUE(contents(file).startsWith("%PDF"));
  ASSERT_TRUE(QDir::setCurrent(before));
}

TEST_F(OrderStudyWindow, SaysWhatIsWrongAndCanBeCancelled) {
  open_dialog();
  check_only({});
  press("start");
  EXPECT_EQ(problem(), "Integrators: choose one at least");
  check_only({"rk4"});
  part<QLineEdit>("steps")->setText(QStringLiteral("0.03"));
  press("start");
  ASSERT_TRUE(eventually([&] { return problem().find("does not divide") != problem().npos; }))
      << problem();
  part<QLineEdit>("steps")->setText(QStringLiteral("two"));
  press("start");
  EXPECT_EQ(problem().substr(0, 6), "Steps:");
  part<QLineEdit>("duration")->setText(QStringLiteral("1 kg"));
  press("start");
  EXPECT_EQ(problem().substr(0, 9), "Duration:");
  // A study of hours is given up at once.
  part<QLineEdit>("duration")->setText(QStringLiteral("1e5"));
  part<QLineEdit>("steps")->setText(QStringLiteral("1e-4"));
  press("start");
  ASSERT_TRUE(eventually([&] { return part<QPushButton>("cancel")->isEnabled(); })) << problem();
  press("cancel");
  ASSERT_TRUE(eventually([&] { return part<QPushButton>("start")->isEnabled(); }));
  EXPECT_TRUE(problem().empty()) << problem();
  EXPECT_FALSE(part<QPushButton>("save")->isEnabled());
}

TEST_F(OrderStudyWindow, IsReadyForAnySystem) {
  open_window("custom/magnetic_pendulum");
  open_dialog();
  check_only({"variational"});
  press("start");
  auto* table = part<QTableWidget>("orders");
  ASSERT_TRUE(eventually([&] { return table->rowCount() == 1; })) << problem();
  EXPECT_NE(table->item(0, 1)->text(), QStringLiteral("–"));
}

}  // namespace
}  // namespace twosphere::test::order_dialog_test
