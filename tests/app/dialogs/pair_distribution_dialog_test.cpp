// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/pair_distribution_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QImage>
#include <QSpinBox>
#include <QWidget>

#include "core/record/pair_distribution.h"
#include "tests/app/dialog_fixture.h"

namespace twosphere::test::pair_distribution_dialog_test {
namespace {

class Pairs : public DialogWindow<PairDistributionDialog> {
 protected:
  void open_dialog() { open_from("Explore", "pair_distribution"); }
  bool caught_up() {
    return eventually([&] { return dialog()->complete(); });
  }
  const PairDistribution& first() { return dialog()->curves().front().pairs; }
};

TEST_F(Pairs, AreThoseOfAllStatesAndGoOnWithTheRun) {
  open_window("three_body");
  open_dialog();
  take(50);
  ASSERT_TRUE(caught_up());
  ASSERT_EQ(dialog()->curves().size(), 1U);
  const std::int64_t before = first().rows();
  EXPECT_GT(before, 1);
  take(100);
  ASSERT_TRUE(caught_up());
  EXPECT_GT(first().rows(), before);
  std::int64_t pairs = 0;
  for (int bin = 0; bin < first().bins(); ++bin) pairs += first().pairs(bin);
  EXPECT_EQ(pairs, 3 * first().rows()) << "three pairs in each state";
  EXPECT_TRUE(text("status").startsWith(QStringLiteral("Mean of ")))
      << text("status").toStdString();

  part<QSpinBox>("bins")->setValue(20);
  ASSERT_TRUE(caught_up());
  EXPECT_EQ(first().bins(), 20);
  press("copy");
  const QString table = QGuiApplication::clipboard()->text();
  EXPECT_EQ(table.trimmed().split(QLatin1Char('\n')).size(), 21);
}

TEST_F(Pairs, ThePictureFillsItsView) {
  open_window("three_body");
  open_dialog();
  take(20);
  ASSERT_TRUE(caught_up());
  auto* view = part<QWidget>("picture");
  for (const QSize size : {QSize(500, 470), QSize(700, 300)}) {
    view->resize(size);
    const QImage image = view->grab().toImage();
    // White paper up to the border, on every side.
    constexpr int inside = 12;
    for (const QPoint at : {QPoint(inside, inside), QPoint(image.width() - inside, inside),
                            QPoint(inside, image.height() - inside),
                            QPoint(image.width() - inside, image.height() - inside)})
      EXPECT_EQ(image.pixelColor(at), QColor(Qt::white)) << at.x() << ' ' << at.y();
  }
}

TEST_F(Pairs, OfTheInstantShownAreOfOneState) {
  open_window("three_body");
  open_dialog();
  take(20);
  part<QComboBox>("instants")->setCurrentIndex(1);
  ASSERT_TRUE(caught_up());
  EXPECT_EQ(first().rows(), 1);
  PairDistribution expected(3);
  expected.add(window_->run().shown().lanes[0].state.q);
  for (int bin = 0; bin < expected.bins(); ++bin)
    EXPECT_EQ(first().pairs(bin), expected.pairs(bin));
}

TEST_F(Pairs, OfOneBodyThereAreNone) {
  open_window("conformal_particle");
  open_dialog();
  ASSERT_TRUE(caught_up());
  EXPECT_EQ(text("status"), QStringLiteral("A pair needs 2 bodies."));
  EXPECT_FALSE(part<QPushButton>("save_table")->isEnabled());
}

}  // namespace
}  // namespace twosphere::test::pair_distribution_dialog_test
