// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window: tables, figures, the clipboard.
#include <sys/resource.h>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <algorithm>
#include <csignal>

#include "app/base/task_bar.h"
#include "app/dialogs/figure_dialog.h"
#include "app/dialogs/page_dialog.h"
#include "app/export/drawn_page.h"
#include "core/base/json.h"
#include "core/record/spectrum.h"
#include "core/scenario/reader.h"
#include "tests/app/child_program.h"
#include "tests/app/window_fixture.h"
#include "tests/outcome.h"
#include "tests/page_stream.h"

namespace twosphere::export_test {
namespace {

using namespace test;

class Export : public Window {
 protected:
  FigureDialog* ask_figure() {
    return ask<FigureDialog>(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  }
  PageDialog* ask_page() {
    activate();
    window_->findChild<QAction*>(QStringLiteral("save_page"))->trigger();
    auto* asked = dialog<PageDialog>();
    EXPECT_TRUE(QTest::qWaitForWindowActive(asked, patience));
    return asked;
  }
  static QWidget* field(QDialog* in, const char* name) {
    auto* found = in->findChild<QWidget*>(QLatin1String(name));
    EXPECT_TRUE(found) << name;
    return found;
  }
  static void enter(QDialog* in, const char* name, const QString& value) {
    auto* box = qobject_cast<QDoubleSpinBox*>(field(in, name));
    ASSERT_TRUE(box) << name;
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, value);
    QTest::keyClick(box, Qt::Key_Tab);
  }
  /// What a page shows.
  static json::Node data_of_page(const QString& path) {
    return page_data(contents(path).toStdString());
  }
  static QString clipboard() { return QGuiApplication::clipboard()->text(); }
};

TEST_F(Export, TheVisibleRangeOnly) {
  run_for(60);
  wheel(middle(energies_plot), 5);
  const ui::Interval shown = view().interface().plots().time;
  const auto times = window_->run().histories()[0].column(Quantity::time).values();
  const auto rows = std::count_if(times.begin(), times.end(),
                                  [&](double t) { return t >= shown.low && t <= shown.high; });
  ASSERT_GT(rows, 0);
  ASSERT_LT(rows, static_cast<std::ptrdiff_t>(times.size()));

  const QString all = in_folder("all.csv"), part = in_folder("part.csv");
  key(Qt::Key_E, Qt::ControlModifier);
  write_to(all, ".json");
  choose(QStringLiteral("File"), QStringLiteral("export_visible"));
  write_to(part, ".json");

  const QList<QByteArray> whole = contents(all).split('\n'), lines = contents(part).split('\n');
  ASSERT_EQ(lines.size(), rows + 2) << "a header, and nothing behind the last row";
  EXPECT_EQ(lines.front(), whole.front());
  for (qsizetype i = 1; i + 1 < lines.size(); ++i) {
    EXPECT_TRUE(whole.contains(lines[i]));
    const double t = lines[i].split(',').front().toDouble();
    EXPECT_TRUE(t >= shown.low && t <= shown.high) << t;
  }
  const auto companion =
      test::value_of(json::parse(contents(part + QStringLiteral(".json")).toStdString(), ""));
  const json::Node* range = companion.find("time_range");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->find("from")->number, shown.low);
  EXPECT_EQ(range->find("to")->number, shown.high);
  EXPECT_FALSE(contents(all + QStringLiteral(".json")).contains("time_range"));
}

// From the page of presets to a table, without the mouse.
TEST_F(Export, ByTheKeyboardAlone) {
  const auto press = [](Qt::Key which, Qt::KeyboardModifiers held = {}) {
    ASSERT_TRUE(QApplication::focusWidget());
    QTest::keyClick(QApplication::focusWidget(), which, held);
  };
  view().setFocus();
  press(Qt::Key_N, Qt::ControlModifier);
  wait_until_drawn();
  ASSERT_TRUE(view().interface().gallery_open());
  press(Qt::Key_Right);
  press(Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return now().system->size() == 3; }));
  wait_until_drawn();

  press(Qt::Key_Space);
  ASSERT_TRUE(eventually([&] { return now().steps >= 30; }));
  press(Qt::Key_Space);
  ASSERT_TRUE(eventually([&] { return now().state == RunState::paused; }));
  const auto steps = now().steps;

  // Tab opens the first field, and the next ones after it.
  const auto masses = [&] { return now().after_rewind->parameters.at("masses"); };
  const double second = masses()[1];
  press(Qt::Key_Tab);
  wait_until_drawn();
  ASSERT_TRUE(view().interface().editing());
  QTest::keyClicks(&view(), QStringLiteral("2*1.25"));
  press(Qt::Key_Tab);
  wait_until_drawn();
  press(Qt::Key_Escape);
  wait_until_drawn();
  EXPECT_TRUE(eventually([&] { return masses()[0] == 2.5; }));
  EXPECT_EQ(masses()[1], second);
  EXPECT_FALSE(view().interface().editing());

  press(Qt::Key_E, Qt::ControlModifier);
  auto* const asked = dialog<QFileDialog>();
  ASSERT_TRUE(QTest::qWaitForWindowActive(asked, patience));
  const QPointer<QFileDialog> open = asked;
  const QString path = in_folder("keys.csv");
  ASSERT_TRUE(eventually([] { return QApplication::focusWidget() != nullptr; }));
  QLineEdit* line = nullptr;
  ASSERT_TRUE(eventually([&] {
    press(Qt::Key_N, Qt::AltModifier);  // "File name"
    line = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    return line != nullptr;
  })) << QApplication::focusWidget()->metaObject()->className();
  line->setCompleter(nullptr);  // its list may open between two keys
  press(Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(line, path);
  ASSERT_TRUE(eventually([&] {
    if (open && open->isVisible()) QTest::keyPress(line, Qt::Key_Return);
    QTest::qWait(200);
    return !open || !open->isVisible();
  }));
  ASSERT_TRUE(eventually([&] { return QFileInfo::exists(path + QStringLiteral(".json")); }));
  const QList<QByteArray> lines = contents(path).split('\n');
  EXPECT_EQ(lines.size(), steps + 3) << "a header, the start and every step";
  EXPECT_TRUE(contents(path + QStringLiteral(".json")).contains("2.5")) << "the change";
}

TEST_F(Export, TrajectoriesAreTheBytesOfTheCommandLine) {
  run_for(20);
  type("parameter/gravity", QStringLiteral("9.5"));
  run_for(20);
  const auto steps = now().steps;
  const QString scenario = in_folder("run.json");
  key(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
  write_to(scenario);
  for (const QString& end : {QStringLiteral("csv"), QStringLiteral("xyz"), QStringLiteral("pvd")}) {
    const QString ours = in_folder("ours.") + end, theirs = in_folder("theirs.") + end;
    choose(QStringLiteral("File"), QStringLiteral("export_trajectory"));
    enter_path(ours);
    ASSERT_TRUE(eventually([&] {
      return window_->statusBar()->currentMessage().startsWith(QLatin1String("Written to ") + ours);
    })) << window_->statusBar()->currentMessage().toStdString();
    (void)output_of_program({QStringLiteral("run"), scenario, QStringLiteral("--steps"),
                             QString::number(steps), QStringLiteral("--trajectory"), theirs,
                             QStringLiteral("--quiet")});
    if (end != QLatin1String("pvd")) {
      EXPECT_EQ(contents(ours), contents(theirs));
      EXPECT_EQ(QFileInfo::exists(ours + QStringLiteral(".json")), end == QLatin1String("csv"));
      continue;
    }
    const QDir a(in_folder("ours")), b(in_folder("theirs"));
    ASSERT_EQ(a.count(), b.count());
    EXPECT_EQ(a.entryList(QDir::Files).size(), steps + 1);
    const QString last = QStringLiteral("_%1.vtp").arg(steps, 6, 10, QLatin1Char('0'));
    EXPECT_EQ(contents(a.filePath(QStringLiteral("ours") + last)),
              contents(b.filePath(QStringLiteral("theirs") + last)));
  }
}

TEST_F(Export, ThePairDistributionIsThatOfTheCommandLine) {
  run_for(20);
  const auto steps = now().steps;
  const QString scenario = in_folder("run.json"), ours = in_folder("ours.csv"),
                theirs = in_folder("theirs.csv");
  key(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
  write_to(scenario);
  choose(QStringLiteral("File"), QStringLiteral("export_pair_distribution"));
  enter_path(ours);
  ASSERT_TRUE(eventually([&] {
    return window_->statusBar()->currentMessage().startsWith(QLatin1String("Written to ") + ours);
  })) << window_->statusBar()->currentMessage().toStdString();
  (void)output_of_program({QStringLiteral("run"), scenario, QStringLiteral("--steps"),
                           QString::number(steps), QStringLiteral("--pair-distribution"), theirs,
                           QStringLiteral("--quiet")});
  EXPECT_EQ(contents(ours), contents(theirs));
  EXPECT_TRUE(QFileInfo::exists(ours + QStringLiteral(".json")));
}

// What takes long can be cancelled, and is asked about when the window closes.
TEST_F(Export, ALongExportCanBeGivenUp) {
  window_->run().send(TakeSteps{3'000'000});
  const auto number = window_->run().sent();
  ASSERT_TRUE(QTest::qWaitFor([&] { return now().commands >= number; }, 3 * patience));
  const QString path = in_folder("way.csv");
  const auto begin = [&] {
    choose(QStringLiteral("File"), QStringLiteral("export_trajectory"));
    enter_path(path);
    ASSERT_TRUE(eventually([&] {
      const auto* bar = window_->findChild<TaskBar*>();
      return bar && bar->isVisible();
    }));
  };
  begin();
  auto* bar = window_->findChild<TaskBar*>();
  ASSERT_TRUE(bar);
  QTest::mouseClick(bar->widgetForAction(bar->findChild<QAction*>(QStringLiteral("task_cancel"))),
                    Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return !window_->findChild<TaskBar*>(); }));
  EXPECT_TRUE(window_->statusBar()->currentMessage().startsWith(QLatin1String("Cancelled")));
  EXPECT_FALSE(QFileInfo::exists(path));

  begin();
  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  auto* box = dialog<QMessageBox>();
  EXPECT_TRUE(window_->isVisible());
  QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("drop_work")), Qt::LeftButton);
  EXPECT_TRUE(eventually([&] { return !window_->isVisible(); }));
  EXPECT_FALSE(QFileInfo::exists(path));
}

TEST_F(Export, CopiesWhatThePlotsShow) {
  run_for(30);
  wheel(middle(energies_plot), 3);
  const ui::Interval shown = view().interface().plots().time;
  QGuiApplication::clipboard()->clear();
  key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_TRUE(eventually([] { return !clipboard().isEmpty(); }));
  const QStringList lines = clipboard().split(QLatin1Char('\n'));
  EXPECT_EQ(lines.front(),
            QLatin1String("time [s]\tkinetic_energy [J]\tpotential_energy [J]\ttotal_energy [J]\t"
                          "energy_error [J]\tpolar0 [rad]\tpolar1 [rad]"));
  const History& history = window_->run().histories()[0];
  std::size_t sample = history.between(shown.low, shown.high).front().first;
  ASSERT_GT(lines.size(), 3);
  for (qsizetype i = 1; i + 1 < lines.size(); ++i, ++sample) {
    const QStringList cells = lines[i].split(QLatin1Char('\t'));
    ASSERT_EQ(cells.size(), 7);
    EXPECT_EQ(cells[0].toDouble(), history.column(Quantity::time)[sample]);
    EXPECT_EQ(cells[4].toDouble(), history.column(Quantity::energy_error)[sample]);
  }
  EXPECT_TRUE(sample == history.size() || history.column(Quantity::time)[sample] > shown.high);
}

TEST_F(Export, APlotsMenuCopiesAndExports) {
  run_for(10);
  const auto open_menu = [&] {
    QTest::mouseMove(&view(), middle(energies_plot));
    wait_until_drawn();
    QTest::mouseClick(&view(), Qt::RightButton, {}, middle(energies_plot));
    wait_until_drawn();
    wait_until_drawn();
  };
  QGuiApplication::clipboard()->clear();
  open_menu();
  click("menu/copy_data");
  EXPECT_TRUE(eventually([] { return clipboard().startsWith(QLatin1String("time [s]\t")); }));
  open_menu();
  click("menu/export_figure");
  auto* asked = dialog<FigureDialog>();
  QTest::keyClick(asked, Qt::Key_Escape);
  EXPECT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));
}

TEST_F(Export, TheDataOfOnePlot) {
  run_for(30);
  const ui::Interval shown = view().interface().plots().time;
  QTest::mouseMove(&view(), middle("plot/energy_error"));
  wait_until_drawn();
  QTest::mouseClick(&view(), Qt::RightButton, {}, middle("plot/energy_error"));
  wait_until_drawn();
  wait_until_drawn();
  click("menu/export_plot");
  const QString path = in_folder("plot.csv");
  write_to(path, ".json");
  const QList<QByteArray> lines = contents(path).split('\n');
  EXPECT_EQ(lines.front(), "time [s],energy_error [J]\r");
  const History& history = window_->run().histories()[0];
  const IndexRange samples = history.between(shown.low, shown.high).front();
  ASSERT_EQ(lines.size(), static_cast<qsizetype>(samples.size()) + 2);
  ASSERT_GT(lines.size(), 20);
  EXPECT_EQ(lines[20].trimmed().split(',')[1].toDouble(),
            history.column(Quantity::energy_error)[samples.first + 19]);
  EXPECT_TRUE(contents(path + QStringLiteral(".json")).contains("\"meaning\""));
}

TEST_F(Export, AFigureOfAChosenSize) {
  run_for(40);
  view().interface().settings().plots = {ui::plot_of(Quantity::total_energy),
                                         ui::plot_of(Quantity::energy_error),
                                         ui::plot_of(Quantity::unit_length_error)};
  view().request_frame();
  wait_until_drawn();
  auto* asked = ask_figure();
  QTest::keyClick(field(asked, "format"), Qt::Key_Down);  // from PDF to SVG
  enter(asked, "width", QStringLiteral("12.5"));
  enter(asked, "height", QStringLiteral("9"));
  const QImage before = field(asked, "preview")->grab().toImage();
  auto* plot = qobject_cast<QCheckBox*>(field(asked, "plot1"));
  ASSERT_TRUE(plot);
  QTest::mouseClick(plot, Qt::LeftButton, {}, {8, plot->height() / 2});
  EXPECT_FALSE(plot->isChecked());
  EXPECT_TRUE(eventually([&] { return field(asked, "preview")->grab().toImage() != before; }))
      << "the preview follows";
  QTest::mouseClick(field(asked, "export"), Qt::LeftButton);
  const QString path = in_folder("figure.svg");
  write_to(path);
  const QString svg = QString::fromUtf8(contents(path));
  EXPECT_TRUE(svg.contains(QLatin1String("width=\"125mm\" height=\"90mm\"")))
      << svg.left(200).toStdString();
  EXPECT_TRUE(svg.contains(QLatin1String(">total energy [J]</text>")));
  EXPECT_TRUE(svg.contains(QLatin1String(">unit-length error [1]</text>")));
  EXPECT_FALSE(svg.contains(QStringLiteral("E₀"))) << "the plot left out";
  EXPECT_TRUE(svg.contains(QLatin1String("h = 0.01 s</text>")));
  EXPECT_TRUE(svg.contains(QLatin1String("stroke=\"#0072b2\"")));

  // What was chosen is there again, in the next session, too.
  ASSERT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));
  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return !window_->isVisible(); }));
  window_.reset();
  open_window();
  asked = ask_figure();
  EXPECT_EQ(qobject_cast<QComboBox*>(field(asked, "format"))->currentText(), QLatin1String("SVG"));
  EXPECT_EQ(qobject_cast<QDoubleSpinBox*>(field(asked, "width"))->value(), 12.5);
  QTest::keyClick(asked, Qt::Key_Escape);
  EXPECT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));
}

TEST_F(Export, PowerSpectraAsATableAndInAFigure) {
  run_for(100);
  choose(QStringLiteral("File"), QStringLiteral("export_spectra"));
  EXPECT_TRUE(dismiss().contains(QLatin1String("No power spectrum is plotted")));
  activate();
  key(Qt::Key_7);
  wait_until_drawn();
  ASSERT_TRUE(has("plot/kinetic_energy spectrum"));
  const QString path = in_folder("spectra.csv");
  choose(QStringLiteral("File"), QStringLiteral("export_spectra"));
  write_to(path);
  const QList<QByteArray> lines = contents(path).split('\n');
  const History& history = window_->run().histories()[0];
  const auto spectrum = test::value_of(power_spectrum(
      history.column(Quantity::time).values(), history.column(Quantity::kinetic_energy).values()));
  EXPECT_EQ(lines.front(), "frequency [Hz],kinetic_energy_spectrum [J²/Hz]\r");
  ASSERT_TRUE(eventually([&] { return QFileInfo::exists(path + QStringLiteral(".json")); }));
  EXPECT_TRUE(contents(path + QStringLiteral(".json")).contains("Hann window"));
  ASSERT_EQ(lines.size(), static_cast<qsizetype>(spectrum.density.size()) + 2);
  for (std::size_t k = 0; k < spectrum.density.size(); ++k) {
    const QList<QByteArray> cells = lines[static_cast<qsizetype>(k) + 1].trimmed().split(',');
    EXPECT_EQ(cells[0].toDouble(), spectrum.frequency(k));
    EXPECT_EQ(cells[1].toDouble(), spectrum.density[k]);
  }

  auto* asked = ask_figure();
  ASSERT_TRUE(eventually([&] { return !asked->figure().plots.empty(); }));
  const ui::PlotModel& plot = asked->figure().plots.back();
  EXPECT_EQ(plot.x.unit, "Hz");
  EXPECT_EQ(plot.x.transform.scale, ui::Scale::logarithmic);
  EXPECT_EQ(plot.y.label, "power spectrum of kinetic energy");
  EXPECT_EQ(plot.y.unit, "J²/Hz");
  ASSERT_EQ(plot.curves.size(), 1u);
  EXPECT_EQ(plot.curves[0].points.size(), spectrum.density.size() - 1);
  EXPECT_EQ(plot.curves[0].points[0].y, std::log10(spectrum.density[1]));
  QTest::keyClick(asked, Qt::Key_Escape);
}

TEST_F(Export, AFigureThatCannotBeWrittenLeavesTheOldOne) {
  run_for(5);
  const QString path = in_folder("figure.pdf");
  QFile old(path);
  ASSERT_TRUE(old.open(QIODevice::WriteOnly));
  old.write("old");
  old.close();
  const auto export_to = [&](const QString& place) {
    auto* asked = ask_figure();
    QTest::keyClick(asked, Qt::Key_Return);
    auto* chooser = dialog<QFileDialog>();
    chooser->setOption(QFileDialog::DontConfirmOverwrite);
    enter_path(place);
  };
  // A disk with room for a part of a figure.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto usual = std::signal(SIGXFSZ, SIG_IGN);
  rlimit little = before;
  little.rlim_cur = 4096;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  export_to(path);
  const QString message = dismiss();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, usual);
  EXPECT_TRUE(message.contains(path)) << message.toStdString();
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden),
            QStringList{QStringLiteral("figure.pdf")})
      << "nothing half-written";

  export_to(path);
  EXPECT_TRUE(eventually([&] { return contents(path).startsWith("%PDF"); }));

  // Last: a file dialog that opens in /proc may wait there for what is to be read.
  export_to(QStringLiteral("/proc/figure.pdf"));
  EXPECT_TRUE(dismiss().contains(QLatin1String("/proc/figure.pdf")));
}

TEST_F(Export, APageOfAPartOfTheRun) {
  key(Qt::Key_L);
  ASSERT_TRUE(eventually([&] { return now().lanes.size() == 2; }));
  run_for(200);
  const double end = now().elapsed;
  auto* asked = ask_page();
  auto* save = qobject_cast<QPushButton*>(field(asked, "save"));
  auto* facts = qobject_cast<QLabel*>(field(asked, "facts"));
  auto* second = qobject_cast<QCheckBox*>(field(asked, "lane_1"));
  ASSERT_TRUE(save && facts && second);
  EXPECT_TRUE(facts->text().contains(QLatin1String("rows of the run, at most")))
      << facts->text().toStdString();
  const QString whole = facts->text();
  enter(asked, "from", QString::number(end));
  enter(asked, "to", QStringLiteral("0"));
  EXPECT_EQ(facts->text(), QStringLiteral("The page ends before it begins"));
  EXPECT_FALSE(save->isEnabled());
  enter(asked, "from", QStringLiteral("0.5"));
  enter(asked, "to", QStringLiteral("1"));
  EXPECT_NE(facts->text(), whole);
  auto* first = qobject_cast<QCheckBox*>(field(asked, "lane_0"));
  first->setChecked(false);
  second->setChecked(false);
  EXPECT_EQ(facts->text(), QStringLiteral("Choose an integrator"));
  first->setChecked(true);
  qobject_cast<QLineEdit*>(field(asked, "title"))->setText(QStringLiteral("A & <b>"));
  qobject_cast<QPlainTextEdit*>(field(asked, "text"))->setPlainText(QStringLiteral("Said below"));
  QTest::mouseClick(save, Qt::LeftButton);
  const QString path = in_folder("page.html");
  write_to(path);
  const QString page = QString::fromUtf8(contents(path));
  EXPECT_TRUE(page.contains(QLatin1String("<h1>A &amp; &lt;b&gt;</h1>")));
  EXPECT_TRUE(page.contains(QLatin1String("<p>Said below</p>")));
  EXPECT_TRUE(page.contains(QLatin1String("<html lang=\"en\">"))) << "as the browser wants";
  const json::Node data = data_of_page(path);
  EXPECT_EQ(data.find("lanes")->items.size(), 1u);
  EXPECT_NEAR(data.find("times")->items.at(0).items.at(1).number, 0.5, 1e-9);
  // It repeats the run, with both lanes and to its end.
  const Scenario again = value_of(load_scenario(path.toStdString()));
  EXPECT_EQ(recorded_lanes(again).size(), 2u);
}

TEST_F(Export, APageOfTheStartAloneSaysThatNothingMoves) {
  auto* asked = ask_page();
  const QString facts = qobject_cast<QLabel*>(field(asked, "facts"))->text();
  EXPECT_TRUE(facts.contains(QLatin1String("nothing moves"))) << facts.toStdString();
  QTest::keyClick(asked, Qt::Key_Escape);
}

// The fields of the dialog have six decimals, the times of a run have more.
TEST_F(Export, APageOfTheWholeRunHasItsLastRow) {
  Scenario scenario = value_of(load_preset("double_spherical_pendulum"));
  scenario.lanes.front().step = 0.0123456741;
  open_window(value_of(Simulation::create(scenario)));
  advance(20, 20);  // 0.246913482 s
  auto* asked = ask_page();
  QTest::mouseClick(field(asked, "save"), Qt::LeftButton);
  const QString path = in_folder("page.html");
  write_to(path);
  const json::Node data = data_of_page(path);
  double rows = 0;
  for (const json::Node& part : data.find("curves")->find("times")->items)
    rows += part.items.at(0).number;
  EXPECT_EQ(rows, 21);
}

TEST_F(Export, APageThatIsCancelledIsNotWritten) {
  Progress progress;
  progress.cancelled = true;
  const std::string path = in_folder("page.html").toStdString();
  const Scenario scenario = value_of(load_preset("three_body"));
  const PagePlan plan{
      .from = 0, .to = 1, .lanes = {0}, .title = {}, .text = {}, .file = "a.json", .style = {}};
  EXPECT_FALSE(value_of(write_page(scenario, 100, plan, path, progress)));
  EXPECT_FALSE(QFileInfo::exists(in_folder("page.html")));
}

}  // namespace
}  // namespace twosphere::export_test
