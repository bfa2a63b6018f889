// SPDX-License-Identifier: GPL-3.0-or-later
// The page of presets, the help pages, reading a body, and configurations under the plots' cursor,
// in the real window.
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QRegularExpression>
#include <QSet>
#include <QTextBrowser>
#include <QTextFragment>
#include <QTextLayout>

#include "app/dialogs/help_dialog.h"
#include "app/scene/preset_pictures.h"
#include "core/output/body_reading.h"
#include "core/output/configuration_table.h"
#include "core/tours/tour.h"
#include "tests/app/window_fixture.h"
#include "ui/shell/preset_list.h"

namespace twosphere::presets_test {
namespace {

using namespace test;

/// Different colours inside a rectangle (logical).
qsizetype colors(const QImage& picture, const ui::Rect& r) {
  QSet<QRgb> found;
  for (int y = static_cast<int>(r.y); y < static_cast<int>(r.y + r.height); ++y)
    for (int x = static_cast<int>(r.x); x < static_cast<int>(r.x + r.width); ++x)
      found.insert(picture.pixel(x, y));
  return found.size();
}

/// Where the picture of a card is.
ui::Rect upper_half(const ui::Rect& card) {
  return {card.x + 8, card.y + 8, card.width - 16, card.height * 0.5F};
}

class PresetsWindow : public Window {};

TEST_F(PresetsWindow, ThePageOfPresetsOpensWithTheProgram) {
  EXPECT_FALSE(view().interface().gallery_open()) << "not where a scenario was named";
  window_->greet();
  wait_until_drawn();
  ASSERT_TRUE(has("gallery/three_body"));
  // Its upper half is the picture, which has many shades; without it there are hardly any.
  const ui::Rect image = upper_half(rect("gallery/three_body"));
  EXPECT_TRUE(eventually([&] { return colors(picture(), image) > 100; })) << "when they are read";
  EXPECT_TRUE(after_click("gallery/three_body", [&] { return now().system->size() == 3; }));
  wait_until_drawn();
  EXPECT_FALSE(view().interface().gallery_open());
  EXPECT_TRUE(has("play"));

  view().interface().settings().gallery_at_start = false;
  window_->greet();
  EXPECT_FALSE(view().interface().gallery_open());
}

TEST_F(PresetsWindow, APresetOpensAtRealTime) {
  window_->run().send(Pace{Pacing::real_time, 10});
  ASSERT_TRUE(eventually([&] { return now().requested_factor == 10; }));
  window_->greet();
  wait_until_drawn();
  ASSERT_TRUE(after_click("gallery/three_body", [&] { return now().system->size() == 3; }));
  EXPECT_TRUE(eventually([&] { return now().requested_factor == 1; }));
}

TEST_F(PresetsWindow, ThePicturesOfPresetsFollowThePalette) {
  window_->greet();
  wait_until_drawn();
  const ui::Rect image = upper_half(rect("gallery/three_body"));
  ASSERT_TRUE(eventually([&] { return colors(picture(), image) > 100; }));
  const auto corner = [&] {
    return picture().pixelColor(QPointF(image.x, image.y).toPoint()).lightness();
  };
  EXPECT_LT(corner(), 64);
  window_->findChild<QAction*>(QStringLiteral("theme_light"))->trigger();
  EXPECT_TRUE(eventually([&] { return corner() > 192; }));
  EXPECT_GT(colors(picture(), image), 100);
}

TEST_F(PresetsWindow, TheSceneIsBehindThePageOfPresets) {
  const QImage scene_first = picture();
  key(Qt::Key_N, Qt::ControlModifier);
  const QImage page = picture();
  EXPECT_GT(changed(scene_first, page, scene()), 0.2);
  key(Qt::Key_Escape);
  EXPECT_LT(changed(scene_first, picture(), scene()), 0.001);

  // A window that opens with the page shows the same once that closes.
  window_->leave();
  window_ = std::make_unique<MainWindow>(run_of_preset("double_spherical_pendulum"));
  window_->greet();
  window_->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), patience));
  QApplication::setActiveWindow(window_.get());
  wait_until_drawn();
  ASSERT_TRUE(view().interface().gallery_open());
  key(Qt::Key_Escape);
  EXPECT_LT(changed(scene_first, picture(), scene()), 0.001);
}

TEST_F(PresetsWindow, ThePageOfPresetsIsWorkedByTheKeyboard) {
  key(Qt::Key_N, Qt::ControlModifier);
  ASSERT_TRUE(view().interface().gallery_open());
  key(Qt::Key_T);
  EXPECT_TRUE(view().interface().settings().trail) << "a letter is no shortcut here";
  key(Qt::Key_Escape);
  EXPECT_TRUE(view().interface().gallery_open()) << "it was typed as a filter, which is gone";
  key(Qt::Key_Home);
  for (std::size_t cards = 0; cards < tour_entries().size(); ++cards) key(Qt::Key_Right);
  key(Qt::Key_Right);
  key(Qt::Key_Right);
  EXPECT_EQ(now().steps, 0) << "nor do the arrows take a step";
  QTest::keyClick(&view(), Qt::Key_Return);
  EXPECT_TRUE(eventually([&] { return now().system->size() == 4; }));
  wait_until_drawn();
  EXPECT_FALSE(view().interface().gallery_open());
  EXPECT_EQ(now().state, RunState::paused);

  key(Qt::Key_N, Qt::ControlModifier);
  ASSERT_TRUE(view().interface().gallery_open());
  key(Qt::Key_Escape);
  EXPECT_FALSE(view().interface().gallery_open());
  key(Qt::Key_Right);
  EXPECT_TRUE(eventually([&] { return now().steps == 1; }))
      << "the keys are those of the run again";
}

TEST_F(PresetsWindow, TheSettingOfThePageIsKept) {
  window_->greet();
  wait_until_drawn();
  click("gallery/at_start");
  EXPECT_FALSE(view().interface().settings().gallery_at_start);
  window_->leave();
  reopen_window();
  window_->greet();
  wait_until_drawn();
  EXPECT_FALSE(view().interface().gallery_open());
}

TEST(Presets, HaveTheirPictures) {
  for (const std::string& key : preset_keys())
    for (const bool light : {false, true}) {
      const QImage picture = preset_picture(key, light), moving = preset_picture(key, light, true);
      ASSERT_FALSE(picture.isNull()) << key << ": scripts/pictures makes them";
      ASSERT_FALSE(moving.isNull()) << key << ": scripts/pictures makes them";
      EXPECT_EQ(picture.size(), QSize(448, 280)) << key;
      EXPECT_EQ(moving.size(), QSize(224, 12 * 140)) << key;
      EXPECT_EQ(picture.pixelColor(2, 2).lightness() > 127, light) << key;
      EXPECT_EQ(moving.pixelColor(2, 2).lightness() > 127, light) << key;
    }
  EXPECT_TRUE(preset_picture("no_such", false).isNull());
  qsizetype still = 0, moving = 0;
  for (const QFileInfo& file :
       QDir(QStringLiteral(TWOSPHERE_SOURCE_DIR "/resources/pictures/presets"))
           .entryInfoList({QStringLiteral("*.jpg")}))
    (file.fileName().contains(QLatin1String(".strip.")) ? moving : still) += file.size();
  // As large as the mean of those that have been there from the beginning.
  const auto presets = static_cast<qsizetype>(preset_keys().size());
  EXPECT_LT(still, 35'000 * presets);
  EXPECT_LT(moving, 85'000 * presets);
}

TEST_F(PresetsWindow, ShowsTheHelpPageOfThePreset) {
  key(Qt::Key_F2);
  auto* help = window_->findChild<HelpDialog*>();
  ASSERT_TRUE(help);
  ASSERT_TRUE(QTest::qWaitForWindowExposed(help, patience));
  const QString title = QString::fromStdString(now().record->title);
  EXPECT_TRUE(help->windowTitle().contains(title)) << help->windowTitle().toStdString();
  QTextBrowser& page = help->browser();
  const QString first = page.toPlainText();
  EXPECT_GT(first.size(), 400);

  // The first link to another page, by the mouse.
  QPoint at;
  for (QTextBlock block = page.document()->begin(); block.isValid() && at.isNull();
       block = block.next())
    for (auto part = block.begin(); !part.atEnd() && at.isNull(); ++part) {
      const QTextCharFormat format = part.fragment().charFormat();
      if (!format.isAnchor() || !format.anchorHref().endsWith(QLatin1String(".md"))) continue;
      QTextCursor cursor(page.document());
      cursor.setPosition(part.fragment().position() + 2);
      page.setTextCursor(cursor);
      page.ensureCursorVisible();
      at = page.cursorRect(cursor).center();
    }
  ASSERT_FALSE(at.isNull()) << "the page links to no other";
  QTest::mouseClick(page.viewport(), Qt::LeftButton, {}, at);
  EXPECT_TRUE(eventually([&] { return page.toPlainText() != first; }));
  QTest::keyClick(&page, Qt::Key_Left, Qt::AltModifier);
  EXPECT_TRUE(eventually([&] { return page.toPlainText() == first; })) << "back";

  QTest::keyClick(&page, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(&page, Qt::Key_C, Qt::ControlModifier);
  EXPECT_GT(QGuiApplication::clipboard()->text().size(), 400);
  QTest::keyClick(&page, Qt::Key_Escape);
  EXPECT_TRUE(eventually([&] { return !help->isVisible(); }));
}

TEST_F(PresetsWindow, AChangedPresetAsTextHasItsHelpPage) {
  Scenario changed = value_of(read_scenario(find_preset("custom/kepler")->text, "custom/kepler"));
  changed.omega *= 1.01;
  window_.reset();
  open_window(value_of(Simulation::create(changed)));
  key(Qt::Key_F2);
  const auto* help = window_->findChild<HelpDialog*>();
  ASSERT_TRUE(help);
  EXPECT_TRUE(help->windowTitle().contains(QLatin1String("Kepler")))
      << help->windowTitle().toStdString();
}

TEST(Presets, HaveHelpPagesWhoseLinksLeadSomewhere) {
  HelpDialog help(nullptr);
  for (const ui::PresetEntry& entry : ui::preset_entries()) {
    help.show_page(QString::fromStdString(std::string(entry.key)));
    const QTextDocument& page = *help.browser().document();
    EXPECT_TRUE(page.toPlainText().startsWith(QString::fromStdString(entry.title))) << entry.key;
    EXPECT_GT(page.toPlainText().size(), 800) << entry.key;
    // A dot above a letter is lost before an index that is a separate letter.
    static const QRegularExpression lost(
        QStringLiteral("\\x{307}[\\x{2080}-\\x{209f}\\x{1d62}\\x{2c7c}]"));
    EXPECT_FALSE(page.toPlainText().contains(lost)) << entry.key;
    EXPECT_FALSE(page.toPlainText().contains(QStringLiteral("q′"))) << entry.key;
    static const QRegularExpression raw_index(QStringLiteral("\\b\\p{L}_\\p{L}\\b"));
    EXPECT_FALSE(page.toPlainText().contains(raw_index)) << entry.key;
    // Every equation is a picture that was set.
    int equations = 0;
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next())
      for (auto part = block.begin(); !part.atEnd(); ++part) {
        const QString name = part.fragment().charFormat().toImageFormat().name();
        if (!name.startsWith(QLatin1String("formula:"))) continue;
        ++equations;
        EXPECT_EQ(part.fragment().length(), 1) << "once: " << name.toStdString();
        const auto picture =
            page.resource(QTextDocument::ImageResource, QUrl(name)).value<QImage>();
        EXPECT_GT(picture.width(), 30) << name.toStdString();
        EXPECT_GT(picture.height(), 14) << name.toStdString();
      }
    EXPECT_GT(equations, 0) << entry.key;
    QSet<QString> links;
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next())
      for (auto part = block.begin(); !part.atEnd(); ++part)
        if (const QString to = part.fragment().charFormat().anchorHref();
            to.endsWith(QLatin1String(".md")))
          links.insert(to.chopped(3).remove(QStringLiteral("/help/")));
    EXPECT_EQ(links.size(), static_cast<qsizetype>(preset_keys().size()) - 1) << entry.key;
    for (const QString& to : links)
      EXPECT_NE(find_preset(to.toStdString()), nullptr) << entry.key << ": " << to.toStdString();
  }
}

TEST_F(PresetsWindow, CopiesTheConfigurationUnderTheCursorOfThePlots) {
  run_for(30);
  key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(),
            configuration_table(
                std::vector<LaneConfiguration>{{now().lanes[0].name, now().lanes[0].state}}));
  const ui::Rect plot = rect(energies_plot);
  point_at(QPointF(plot.x + plot.width * 0.1, plot.y + plot.height / 2));
  ASSERT_TRUE(view().interface().cursor());
  key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  const std::string copied = QGuiApplication::clipboard()->text().toStdString();
  const History& history = window_->run().histories()[0];
  std::size_t same = 0;
  for (std::size_t i = 0; i < history.size(); ++i)
    same += copied == configuration_table(std::vector<LaneConfiguration>{
                          {now().lanes[0].name, history.state_at(i)}});
  EXPECT_EQ(same, 1u) << copied;
  EXPECT_TRUE(window_->statusBar()->currentMessage().contains(QLatin1String("was copied")));
}

TEST_F(PresetsWindow, ReadsABodyByClickAndByKey) {
  run_for(20);
  key(Qt::Key_N);
  ASSERT_TRUE(has("body"));
  EXPECT_EQ(view().interface().selected(), (ui::BodyId{0, 0}));
  key(Qt::Key_N);
  EXPECT_EQ(view().interface().selected(), (ui::BodyId{0, 1}));
  const QPoint second = middle("selected_body");
  key(Qt::Key_N, Qt::ShiftModifier);
  const QPoint first = middle("selected_body");
  EXPECT_GT((second - first).manhattanLength(), 30) << "they are drawn in two places";
  key(Qt::Key_Escape);
  EXPECT_FALSE(has("body"));
  EXPECT_FALSE(has("selected_body"));

  for (int body = 0; body < 2; ++body) {
    const QPoint at = body == 0 ? first : second;
    point_at(at);
    QTest::mouseClick(&view(), Qt::LeftButton, {}, at);
    wait_until_drawn();
    EXPECT_EQ(view().interface().selected(), (ui::BodyId{0, body}));
  }
  click("body/copy");
  const Snapshot& s = now();
  EXPECT_EQ(
      QGuiApplication::clipboard()->text().toStdString(),
      to_table(read_body(*s.system, s.lanes[0].state, s.system->potential(s.lanes[0].state.q), 1),
               1, s.t));

  // The card follows the run.
  const QImage before = picture();
  const ui::Rect card = rect("body");
  run_for(20);
  EXPECT_GT(changed(before, picture(), card), 0.01);
  // A drag turns the scene and selects nothing; a click beside every body closes the card.
  key(Qt::Key_Escape);
  drag(middle("title") + QPoint(0, 300), middle("title") + QPoint(80, 300));
  EXPECT_FALSE(view().interface().selected());
  key(Qt::Key_N);
  QTest::mouseClick(&view(), Qt::LeftButton, {}, scene_point(0.02, 0.6));
  wait_until_drawn();
  EXPECT_FALSE(view().interface().selected());
}

TEST_F(PresetsWindow, ASelectedBodyGoesWithItsSystem) {
  key(Qt::Key_N);
  key(Qt::Key_N);
  ASSERT_TRUE(has("body"));
  ASSERT_TRUE(
      after_click_entry("preset", "conformal_particle", [&] { return now().system->size() == 1; }));
  wait_until_drawn();
  EXPECT_FALSE(view().interface().selected());
  EXPECT_FALSE(has("body"));
}

TEST_F(PresetsWindow, TheConfigurationUnderThePlotsCursor) {
  run_for(150);
  move(scene_point(0.5, 0.3));
  const QImage alone = picture();
  EXPECT_FALSE(has("configuration_time"));
  const ui::Rect plot = rect(energies_plot);
  const ui::Rect middle_of_scene{scene().x + scene().width * 0.2F, scene().y + 60,
                                 scene().width * 0.6F, scene().height - 160};
  move(QPointF(plot.x + plot.width * 0.02F, plot.y + plot.height / 2));
  const QImage early = picture();
  ASSERT_TRUE(has("configuration_time"));
  EXPECT_GT(changed(alone, early, middle_of_scene), 0.0005) << "the pose stands beside the present";
  move(scene_point(0.5, 0.3));
  const QImage again = picture();
  EXPECT_FALSE(has("configuration_time"));
  EXPECT_EQ(changed(alone, again, middle_of_scene), 0) << "and goes with the mouse";

  // While it runs, too.
  key(Qt::Key_Space);
  point_at(QPointF(plot.x + plot.width * 0.02F, plot.y + plot.height / 2));
  EXPECT_TRUE(eventually([&] { return has("configuration_time"); }));
  key(Qt::Key_Space);
}

}  // namespace
}  // namespace twosphere::presets_test
