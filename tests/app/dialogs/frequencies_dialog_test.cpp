// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/frequencies_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QSpinBox>
#include <QTableWidget>

#include "core/base/json.h"
#include "core/scenario/writer.h"
#include "tests/app/child_program.h"
#include "tests/app/dialog_fixture.h"
#include "tests/outcome.h"

namespace twosphere::test::frequencies_dialog_test {
namespace {

class Frequencies : public DialogWindow<FrequenciesDialog> {
 protected:
  void open_dialog() { open_from("Explore", "frequencies"); }
  void set(const char* path, double value) {
    window_->run().send(Change{{{path, json::Node(value)}}});
  }
  /// Waits until the run is measured up to its head.
  bool caught_up() {
    return eventually([&] { return now().steps >= 0 && dialog()->complete(); });
  }
  const FrequencyResult::Lane& lane(std::size_t index = 0) {
    return dialog()->result()->lanes[index];
  }
  QString cell(int row, int column) {
    const QTableWidgetItem* item = part<QTableWidget>("table")->item(row, column);
    return item ? item->text() : QString();
  }
  /// What the command line measures over the run of the window.
  json::Node of_the_command_line(const QStringList& signal, int lines) {
    QFile file(in_folder("run.json"));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(write_scenario(*now().record)));
    file.close();
    QStringList arguments{QStringLiteral("run"),     in_folder("run.json"),
                          QStringLiteral("--steps"), QString::number(now().steps),
                          QStringLiteral("--every"), QString::number(now().stride),
                          QStringLiteral("--json"),  QStringLiteral("--frequencies"),
                          QString::number(lines)};
    for (const QString& one : signal) arguments << QStringLiteral("--signal") << one;
    const auto read = json::parse_value(output_of_program(arguments));
    EXPECT_TRUE(read);
    return *read;
  }
  static double number(const json::Node& summary, const std::string& key) {
    const json::Node* found = summary.find(key);
    EXPECT_TRUE(found) << key;
    return found ? found->number : std::nan("");
  }
  static std::string indexed(const char* key, std::size_t k) {
    return k == 0 ? key : std::string(key) + "[" + std::to_string(k) + "]";
  }
};

TEST_F(Frequencies, AreThoseOfTheCommandLineWhateverTheRowsAre) {
  set("duration", 60);
  set("every", 7);
  open_dialog();
  take(now().planned_steps);
  part<QSpinBox>("lines")->setValue(4);
  enter("signal_real", "q[1].e1");
  enter("signal_imaginary", "q[1].e2");
  ASSERT_TRUE(caught_up()) << text("status").toStdString();
  const json::Node summary =
      of_the_command_line({QStringLiteral("q[1].e1"), QStringLiteral("q[1].e2")}, 4);
  ASSERT_EQ(lane().found.lines.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    const Line& line = lane().found.lines[k];
    EXPECT_EQ(line.frequency, number(summary, indexed("frequency", k)));
    EXPECT_EQ(std::abs(line.amplitude), number(summary, indexed("amplitude", k)));
    EXPECT_EQ(cell(static_cast<int>(k), 1).toStdString(), ui::significant(line.frequency, 12));
  }
  EXPECT_EQ(lane().found.diffusion, number(summary, "diffusion"));
  EXPECT_EQ(cell(4, 0), QStringLiteral("Diffusion"));
  EXPECT_EQ(cell(4, 1).toStdString(), ui::significant(lane().found.diffusion, 4));
  EXPECT_EQ(now().stride, 7);
  EXPECT_EQ(static_cast<std::int64_t>(lane().samples), now().steps + 1) << "one at every step";
  EXPECT_EQ(lane().rows.interval, number(summary, "signal interval"));
  EXPECT_TRUE(text("status").startsWith(QStringLiteral("%1 samples").arg(lane().samples)))
      << text("status").toStdString();

  // The table has the same numbers, to the last digit.
  press("save_table");
  write_to(in_folder("lines.csv"));
  const QByteArrayList rows = contents(in_folder("lines.csv")).split('\n');
  EXPECT_TRUE(rows[0].startsWith("lane,line,frequency [Hz],amplitude [1],phase [rad],diffusion"))
      << rows[0].toStdString();
  ASSERT_GE(rows.size(), 5);
  for (int k = 0; k < 4; ++k) {
    const QByteArrayList cells = rows[k + 1].split(',');
    EXPECT_EQ(cells[2].toStdString(),
              json::shortest(lane().found.lines[static_cast<std::size_t>(k)].frequency));
    EXPECT_EQ(cells[5].toDouble(), number(summary, "diffusion"));
  }
  press("copy");
  EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("lane\tline\t")));
  press("save_figure");
  write_to(in_folder("lines.svg"));
  EXPECT_TRUE(contents(in_folder("lines.svg")).contains("q[1].e1"));
}

TEST_F(Frequencies, OfAPlottedQuantityAreItsCosines) {
  window_->viewport().interface().settings().plots = {*ui::parse_plot("kinetic_energy spectrum"),
                                                      *ui::parse_plot("q1_x")};
  set("duration", 40);
  wait_until_drawn();
  open_dialog();
  take(now().planned_steps);
  auto* quantity = part<QComboBox>("quantity");
  ASSERT_TRUE(eventually([&] { return quantity->count() == 3; }));
  EXPECT_EQ(quantity->itemText(1), QStringLiteral("Kinetic energy"));
  EXPECT_TRUE(quantity->itemData(2, Qt::ToolTipRole).toString().contains(u"unit vector"));
  quantity->setCurrentIndex(2);
  EXPECT_FALSE(part<QLineEdit>("signal_real")->isEnabled());
  ASSERT_TRUE(caught_up());
  const json::Node summary = of_the_command_line({QStringLiteral("q[1].e1")}, 13);
  ASSERT_GE(lane().found.lines.size(), 3U);
  std::size_t k = 0;
  for (const Line& line : lane().found.lines) {
    // The command line has each twice.
    EXPECT_GT(line.frequency, 0);
    EXPECT_EQ(line.frequency, std::abs(number(summary, indexed("frequency", k))));
    const bool mean = is_mean(line, lane().samples, lane().rows.interval);
    EXPECT_EQ(std::abs(line.amplitude), number(summary, indexed("amplitude", k)) * (mean ? 1 : 2));
    k += mean ? 1 : 2;
  }
  EXPECT_EQ(lane().found.diffusion, number(summary, "diffusion"));
  // Energies have a mean, and a unit.
  quantity->setCurrentIndex(1);
  ASSERT_TRUE(caught_up());
  EXPECT_EQ(cell(0, 1), QStringLiteral("mean"));
  EXPECT_EQ(part<QTableWidget>("table")->horizontalHeaderItem(2)->text(),
            QStringLiteral("Amplitude [J]"));
  // A quantity that is not plotted any more stays while it is chosen.
  window_->viewport().interface().settings().plots = {*ui::parse_plot("q1_x")};
  wait_until_drawn();
  ASSERT_TRUE(
      eventually([&] { return quantity->itemText(1) == QStringLiteral("Direction q₂·e₁"); }));
  EXPECT_EQ(quantity->currentText(), QStringLiteral("Kinetic energy"));
}

TEST_F(Frequencies, SayWhereBodiesTurnTooFarBetweenSamples) {
  window_->run().send(
      Change{{{"integrator.type", "rk45"}, {"integrator.step", 5.0}, {"duration", 500.0}}});
  open_dialog();
  take(100);
  ASSERT_TRUE(caught_up());
  EXPECT_TRUE(lane().rows.may_be_aliased());
  EXPECT_TRUE(text("status").contains(
      QStringLiteral("more than half a turn in the 5 s between samples: frequencies beyond 0.1 Hz "
                     "appear as lower ones; take a smaller step.")))
      << text("status").toStdString();
}

TEST_F(Frequencies, FollowTheRunItsChangesAndItsBranches) {
  open_dialog();
  take(2000);
  ASSERT_TRUE(caught_up());
  EXPECT_EQ(lane().rows.to, now().t);
  const double before = lane().found.lines[0].frequency;

  set("system.gravity", 5);
  take(1500);
  ASSERT_TRUE(caught_up());
  EXPECT_TRUE(lane().rows.after_change);
  EXPECT_GT(lane().rows.from, 0);
  EXPECT_TRUE(text("status").contains(QStringLiteral("since the last change of the run")))
      << text("status").toStdString();
  EXPECT_NE(lane().found.lines[0].frequency, before);

  // Another branch from before the change has the lines of that time.
  branch_from(2000);
  ASSERT_TRUE(caught_up());
  EXPECT_EQ(lane().found.lines[0].frequency, before);
  EXPECT_FALSE(lane().rows.after_change);

  window_->run().send(Rewind{});
  ASSERT_TRUE(eventually([&] { return now().steps == 0; }));
  ASSERT_TRUE(caught_up());
  EXPECT_TRUE(text("status").contains(QStringLiteral("need 32 samples or more")))
      << text("status").toStdString();
  EXPECT_FALSE(part<QPushButton>("save_table")->isEnabled());
  take(2000);
  ASSERT_TRUE(caught_up());
  EXPECT_EQ(lane().found.lines[0].frequency, before) << "the same run again";
}

TEST_F(Frequencies, AreMeasuredWhileTheRunGoesOnAndOnlyThen) {
  open_dialog();
  window_->run().send(Play{});
  std::shared_ptr<const FrequencyResult> last;
  int other = 0;
  ASSERT_TRUE(eventually([&] {
    const auto result = dialog()->result();
    if (result && result != last && result->max_lines() > 0) ++other;
    last = result;
    return other >= 3;
  }));
  press("close");
  ASSERT_TRUE(eventually([&] { return !dialog()->isVisible(); }));
  QTest::qWait(300);
  last = dialog()->result();
  QTest::qWait(600);
  EXPECT_EQ(dialog()->result(), last);
  window_->run().send(Pause{});
}

TEST_F(Frequencies, OfSeveralLanesStandSideBySide) {
  window_->run().send(Change{{{"lanes", *json::parse_value(R"([
      {"type": "variational", "step": 0.01}, {"type": "rk4", "step": 0.01}])")}}});
  window_->run().send(Rewind{});
  open_dialog();
  take(2000);
  ASSERT_TRUE(caught_up());
  ASSERT_EQ(dialog()->result()->lanes.size(), 2U);
  EXPECT_NEAR(lane(0).found.lines[0].frequency, lane(1).found.lines[0].frequency, 1e-3);
  EXPECT_NE(lane(0).found.lines[0].frequency, lane(1).found.lines[0].frequency);
  const auto* table = part<QTableWidget>("table");
  ASSERT_EQ(table->columnCount(), 5);
  EXPECT_TRUE(table->horizontalHeaderItem(3)->text().startsWith(QStringLiteral("Runge-Kutta 4\n")));
  EXPECT_TRUE(table->horizontalHeaderItem(3)->toolTip().contains(QStringLiteral("rk4")));
  EXPECT_EQ(cell(0, 3).toStdString(), ui::significant(lane(1).found.lines[0].frequency, 12));
}

TEST_F(Frequencies, ASignalThatIsWrongIsRefusedWithTheErrorOfTheCommandLine) {
  open_dialog();
  take(1000);
  ASSERT_TRUE(caught_up());
  enter("signal_real", "q[7].e1");
  ASSERT_TRUE(part<QLabel>("problem")->isVisible());
  const QString command =
      QStringLiteral(TWOSPHERE_PROGRAM) +
      QStringLiteral(
          " run --preset double_spherical_pendulum --frequencies 1 --signal 'q[7].e1' "
          "2>&1");
  ChildProgram program(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command}, true);
  const std::string message = program.output();
  EXPECT_NE(program.wait(), 0);
  const QString place = QStringLiteral("Real part, column 1: ");
  ASSERT_TRUE(text("problem").startsWith(place)) << text("problem").toStdString();
  EXPECT_TRUE(says(message, text("problem").mid(place.size()).toStdString()));
  EXPECT_EQ(dialog()->result()->choice.signal, ComplexSignal{}) << "the one before stays";
  enter("signal_real", "");
  EXPECT_TRUE(text("problem").contains(QStringLiteral("must not be empty")));
  enter("signal_real", "w[1].e3");
  EXPECT_FALSE(part<QLabel>("problem")->isVisible()) << text("problem").toStdString();
  enter("signal_imaginary", "");
  ASSERT_TRUE(caught_up());
  EXPECT_EQ(dialog()->result()->choice.signal, (ComplexSignal{"w[1].e3", "", 1}));
}

TEST_F(Frequencies, TheSignalIsSavedWithTheScenario) {
  open_dialog();
  const auto automatic = value_of(saved_by_hand("automatic.json"));
  EXPECT_FALSE(automatic.signal);
  open_dialog();
  enter("signal_real", "q[1].e1");
  part<QSpinBox>("signal_window")->setValue(2);
  const auto typed = value_of(saved_by_hand("typed.json"));
  ASSERT_TRUE(typed.signal);
  EXPECT_EQ(*typed.signal, (ComplexSignal{"q[1].e1", "q[0].e2", 2}));
}

}  // namespace
}  // namespace twosphere::test::frequencies_dialog_test
