// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the paper, as a newcomer finds them from the menu.
#include <QListWidget>
#include <QScrollBar>
#include <QTableWidget>
#include <QTextBrowser>
#include <algorithm>
#include <set>

#include "app/dialogs/paper_figure_dialog.h"
#include "app/figures/field_figure.h"
#include "app/figures/figure_file.h"
#include "tests/app/window_fixture.h"
#include "tests/outcome.h"
#include "tests/thread_limit.h"

namespace twosphere::paper_figures_test {
namespace {

using namespace test;

class PaperFigures : public Window {
 protected:
  PaperFigureDialog* figures() { return window_->findChild<PaperFigureDialog*>(); }
  template <class Widget>
  Widget* part(const char* name) {
    return figures()->findChild<Widget*>(QLatin1String(name));
  }
  void press(const char* button) { QTest::mouseClick(part<QPushButton>(button), Qt::LeftButton); }
  void choose_figure(int row) {
    auto* list = part<QListWidget>("figures");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualItemRect(list->item(row)).center());
  }
  bool computed() {
    return eventually([this] { return part<QPushButton>("save")->isEnabled(); });
  }
  QString cell(int row, int column) {
    return part<QTableWidget>("numbers")->item(row, column)->text();
  }
};

TEST_F(PaperFigures, Figure32ShowsThePublishedSlope) {
  choose(QStringLiteral("Explore"), QStringLiteral("paper_figures"));
  ASSERT_TRUE(eventually([this] { return figures() && figures()->isVisible(); }));
  EXPECT_EQ(part<QListWidget>("figures")->count(), 7);
  choose_figure(1);
  EXPECT_TRUE(figures()->windowTitle().contains(QLatin1String("Figure 3.2")));
  ASSERT_TRUE(computed());
  EXPECT_EQ(cell(0, 0), QStringLiteral("slope of the mean energy error"));
  EXPECT_EQ(cell(0, 6), QStringLiteral("variational"));
  EXPECT_NEAR(cell(0, 1).toDouble(), 2, 0.1);
  EXPECT_EQ(cell(0, 2), QStringLiteral("1.990"));
  QStringList printed;
  const auto* numbers = part<QTableWidget>("numbers");
  for (int row = 0; row < numbers->rowCount(); ++row)
    if (cell(row, 4) == QLatin1String("consistent")) printed << cell(row, 2);
  EXPECT_EQ(printed, (QStringList{QStringLiteral("1.1717e-4"), QStringLiteral("1.1986e-6")}));
  EXPECT_TRUE(part<QTextBrowser>("remarks")->toPlainText().contains(
      QLatin1String("not 1e-3 s and 1e-4 s")));
  EXPECT_EQ(now().steps, 0) << "the window's run is another";

  press("open_run");
  EXPECT_TRUE(eventually([this] { return now().lanes.size() == 3; }));
  EXPECT_EQ(now().record->system, "n_body");
  EXPECT_EQ(now().record->lanes[1].type, "rk2");

  // It is there at once the next time.
  figures()->close();
  choose(QStringLiteral("Explore"), QStringLiteral("paper_figures"));
  EXPECT_TRUE(part<QPushButton>("save")->isEnabled());
  EXPECT_EQ(cell(0, 2), QStringLiteral("1.990"));
}

TEST_F(PaperFigures, TheTableOfNumbersFits) {
  choose(QStringLiteral("Explore"), QStringLiteral("paper_figures"));
  ASSERT_TRUE(eventually([this] { return figures() && computed(); }));
  figures()->resize(1024, 720);
  auto* numbers = part<QTableWidget>("numbers");
  for (const int figure : {0, 1, 2}) {
    choose_figure(figure);
    ASSERT_TRUE(computed());
    ASSERT_GT(numbers->rowCount(), 0);
    EXPECT_TRUE(eventually([&] { return numbers->horizontalScrollBar()->maximum() == 0; }));
    for (int row = 0; row < numbers->rowCount(); ++row)
      EXPECT_LE(static_cast<QAbstractItemView*>(numbers)->sizeHintForRow(row),
                numbers->rowHeight(row))
          << "what is folded is seen";
  }
}

TEST_F(PaperFigures, AreGivenUpAndOthersTakenWhileTheRunGoesOn) {
  key(Qt::Key_F4);
  ASSERT_TRUE(eventually([this] { return figures() && figures()->isVisible(); }));
  choose_figure(3);  // takes long
  EXPECT_TRUE(part<QPushButton>("cancel")->isVisible());
  EXPECT_FALSE(part<QPushButton>("save")->isEnabled());
  choose_figure(2);
  ASSERT_TRUE(computed());
  EXPECT_EQ(cell(0, 2), QStringLiteral("3.6171e-5"));
  choose_figure(3);
  EXPECT_FALSE(part<QPushButton>("save")->isEnabled());
  press("cancel");
  EXPECT_TRUE(eventually([this] { return part<QPushButton>("compute")->isVisible(); }));
  choose_figure(2);
  EXPECT_TRUE(part<QPushButton>("save")->isEnabled());

  press("save");
  auto* files = dialog<QFileDialog>();
  EXPECT_TRUE(files->selectedFiles().value(0).endsWith(QLatin1String("figure-3.3.pdf")));
  QTest::keyClick(files, Qt::Key_Escape);
}

TEST_F(PaperFigures, SayWhatKeepsThemFromBeingComputed) {
  choose(QStringLiteral("Explore"), QStringLiteral("paper_figures"));
  ASSERT_TRUE(eventually([this] { return figures() && computed(); }));
  {
    const ThreadLimit none(0);
    choose_figure(1);
    ASSERT_TRUE(eventually([this] { return part<QPushButton>("compute")->isVisible(); }));
  }
  EXPECT_EQ(part<QWidget>("figure")->accessibleDescription(),
            QStringLiteral("no thread can be started"));
  press("compute");
  ASSERT_TRUE(computed());
  EXPECT_EQ(cell(0, 2), QStringLiteral("1.990"));
}

TEST(FieldFigure, ShowsEveryInstantAndWhatColoursMean) {
  PaperField field = paper_field();
  field.times = {0, 0.05, 0.1};
  int asked = 0;
  const auto figure =
      test::value_of(make_field_figure(field, ColorMap::paper, [&asked](double part) {
        EXPECT_GE(part, 0);
        EXPECT_LE(part, 1);
        ++asked;
        return true;
      }));
  EXPECT_EQ(asked, 20);
  ASSERT_EQ(figure.pictures.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(figure.pictures[i].t, field.times[i], 1e-12);
    EXPECT_EQ(figure.pictures[i].values.size(), 5120u);
  }
  // The vortices are seen: the fastest molecules are some times above the mean.
  const auto& start = figure.pictures[0].values;
  EXPECT_GT(*std::max_element(start.begin(), start.end()), 3 * figure.pictures[0].mean);
  EXPECT_GT(figure.bar.high, figure.pictures[0].mean);

  const QByteArray svg =
      figure_file(as_figure(figure), paper_page(FigureFormat::svg), paper_look());
  for (const char* word : {"t = 0 s", "t = 0.05 s", "t = 0.1 s", "[J]", "Fig. 3.7", "</svg>"})
    EXPECT_TRUE(svg.contains(word)) << word;
  EXPECT_LT(svg.size(), 3'000'000);
  const QImage image =
      figure_image(as_figure(figure), paper_page(FigureFormat::png).points, 72, paper_look());
  std::set<QRgb> shades;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixelColor(x, y).saturation() > 60) shades.insert(image.pixel(x, y));
  EXPECT_GT(shades.size(), 30u);

  const auto stopped = test::value_of(
      make_field_figure(field, ColorMap::paper, [](double part) { return part < 0.5; }));
  EXPECT_TRUE(stopped.pictures.empty());
}

}  // namespace
}  // namespace twosphere::paper_figures_test
