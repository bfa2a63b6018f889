// SPDX-License-Identifier: GPL-3.0-or-later
// Tours and exercises in the window.
#include <QBrush>
#include <QMessageBox>
#include <QStringList>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFragment>
#include <QUrl>
#include <string>

#include "app/base/qt_text.h"
#include "app/dialogs/help_dialog.h"
#include "app/session/session.h"
#include "app/window/tour_guide.h"
#include "core/catalog.h"
#include "core/color/color.h"
#include "tests/app/window_fixture.h"
#include "ui/shell/tour_names.h"

namespace twosphere::tour_window_test {
namespace {

using namespace test;

class TourWindow : public Window {
 protected:
  void begin(const Tour& tour) {
    window_->begin_tour(tour);
    ASSERT_TRUE(eventually([&] { return card() != nullptr; }));
    wait_until_drawn();
  }
  void begin(const std::string& name) { begin(value_of(load_tour(name, ui::tour_names()))); }
  void begin_text(const std::string& steps) {
    begin(
        value_of(read_tour("{\"tour\": 1, \"title\": \"T\", \"minutes\": 1, \"preset\": "
                           "\"three_body\", \"steps\": [" +
                               steps + "]}",
                           "t.json", ui::tour_names())));
  }
  const ui::TourCard* card() { return window_->guide().card(); }
  /// The strip says what ends the step that is shown.
  bool ready() {
    return eventually([&] {
      view().request_frame();
      return card() && card()->can_go_on();
    });
  }
  bool at(int step) {
    return eventually([&] {
      view().request_frame();
      return card() && card()->number == step;
    });
  }
  std::size_t lanes() { return now().lanes.size(); }
  double gamma() { return now().present->parameters.at("gamma").at(0); }
};

TEST_F(TourWindow, IsGoneThroughByTheKeyboard) {
  begin("no_drift");
  ASSERT_TRUE(ready());
  EXPECT_EQ(card()->number, 1);
  EXPECT_TRUE(has("tour/next"));
  EXPECT_EQ(lanes(), 2u) << "rk45 runs beside it";
  EXPECT_EQ(view().interface().settings().split, Split::lanes);
  EXPECT_EQ(view().interface().settings().plots.size(), 1u);

  key(Qt::Key_Return);
  ASSERT_TRUE(at(2));
  wait_until_drawn();
  EXPECT_EQ(now().steps, 0) << "first the question";
  key(Qt::Key_Return);
  EXPECT_EQ(card()->number, 2) << "which Enter does not answer";
  click("tour/option[1]");
  ASSERT_TRUE(ready()) << "at 8 s";
  EXPECT_NEAR(now().t, 8, 1e-9);
  EXPECT_TRUE(says(card()->say, "Right: so far its error is at most 0.012 J"));

  EXPECT_EQ(now().state, RunState::paused) << "there";

  key(Qt::Key_Escape);
  EXPECT_TRUE(eventually([&] { return card() == nullptr; }));
  wait_until_drawn();
  EXPECT_FALSE(has("tour"));
  EXPECT_EQ(lanes(), 2u) << "the run stays";
  EXPECT_NEAR(now().t, 8, 1e-9);
}

TEST_F(TourWindow, AStepIsOneEntryAndBackTakesItBack) {
  begin_text(
      "{\"say\": \"A\"}, {\"say\": \"B\", \"do\": [\"set:system.gamma=2\", "
      "\"set:system.masses[0]=3\", \"plots:work\", \"lane:{\\\"type\\\": \\\"rk4\\\", "
      "\\\"step\\\": 0.005}\"]}, "
      "{\"say\": \"C\"}");
  ASSERT_TRUE(ready());
  const auto plots = view().interface().settings().plots;
  key(Qt::Key_Return);
  ASSERT_TRUE(at(2) && ready());
  EXPECT_EQ(gamma(), 2);
  EXPECT_EQ(lanes(), 2u);
  EXPECT_EQ(view().interface().settings().plots.size(), 1u);
  EXPECT_EQ(window_->session().undo_label(), "step 2 of the tour");

  click("tour/back");
  ASSERT_TRUE(at(1));
  ASSERT_TRUE(eventually([&] { return gamma() == 1 && lanes() == 1; }));
  EXPECT_EQ(view().interface().settings().plots, plots);
  EXPECT_TRUE(ready()) << "a step that was done is not done again";

  key(Qt::Key_Return);
  ASSERT_TRUE(at(2) && ready());
  EXPECT_EQ(gamma(), 2) << "it is done anew";
  ASSERT_TRUE(after_undo([&] { return gamma() == 1 && lanes() == 1; })) << "in one";
  ASSERT_TRUE(after_redo([&] { return gamma() == 2 && lanes() == 2; }));
}

// A frame of the screen is many seconds of such a run.
TEST_F(TourWindow, PausesAtTheTimeAndBackShowsTheRunThere) {
  begin_text(
      "{\"say\": \"A\", \"do\": [\"pace:1000\", \"play\"], \"wait\": \"time:0.2\"}, "
      "{\"say\": \"B\", \"do\": [\"play\"], \"wait\": \"time:0.5\"}");
  ASSERT_TRUE(ready());
  EXPECT_EQ(now().steps, 40);
  EXPECT_EQ(now().state, RunState::paused);
  key(Qt::Key_Return);
  ASSERT_TRUE(at(2) && ready());
  EXPECT_EQ(now().steps, 100);

  click("tour/back");
  ASSERT_TRUE(at(1));
  LiveRun& run = window_->run();
  ASSERT_TRUE(eventually([&] { return run.in_past() && run.exact(); }));
  EXPECT_EQ(run.shown().steps, 40);
  EXPECT_EQ(now().steps, 100) << "the run itself stays";
  key(Qt::Key_Return);
  ASSERT_TRUE(at(2) && ready());
  EXPECT_FALSE(run.in_past());
  EXPECT_EQ(now().steps, 100) << "where it is already";

  key(Qt::Key_Escape);
  ASSERT_TRUE(eventually([&] { return card() == nullptr; }));
  key(Qt::Key_Space);
  EXPECT_TRUE(eventually([&] { return now().steps > 200; })) << "without a tour it goes on";
}

TEST_F(TourWindow, ItsPlotsAreNotKeptAsThoseOfThePreset) {
  begin_text("{\"say\": \"A\", \"do\": [\"plots:work\"]}");
  ASSERT_TRUE(ready());
  const ui::Settings& settings = view().interface().settings();
  EXPECT_EQ(settings.plots.size(), 1u);
  const auto body_count = [&] { return now().lanes.at(0).state.size(); };
  trigger("lennard_jones");
  ASSERT_TRUE(eventually([&] { return body_count() == 642; }));
  trigger("three_body");
  ASSERT_TRUE(eventually([&] { return body_count() == 3; }));
  wait_until_drawn();
  EXPECT_EQ(settings.plots, settings.default_plots);
}

TEST_F(TourWindow, EndsWaitingWhereTheRunIsOver) {
  begin_text(
      "{\"say\": \"A\", \"do\": [\"set:duration=0.1\", \"play\"], \"wait\": \"time:1\"}, {\"say\": "
      "\"B\"}");
  EXPECT_TRUE(ready());
  EXPECT_EQ(now().state, RunState::finished);
}

TEST_F(TourWindow, IsShownInAPresentationAndFollowsARemoteControl) {
  begin_text("{\"say\": \"A\"}, {\"say\": \"B\"}, {\"say\": \"C\"}");
  ASSERT_TRUE(ready());
  key(Qt::Key_F5);
  ASSERT_TRUE(eventually([&] { return view().interface().presents(); }));
  wait_until_drawn();
  EXPECT_TRUE(has("tour/next"));
  EXPECT_FALSE(has("left"));
  key(Qt::Key_PageDown);
  ASSERT_TRUE(at(2) && ready());
  key(Qt::Key_PageDown);
  ASSERT_TRUE(at(3) && ready());
  key(Qt::Key_PageUp);
  ASSERT_TRUE(at(2));
  key(Qt::Key_Escape);
  EXPECT_TRUE(eventually([&] { return card() == nullptr; })) << "first the tour";
  EXPECT_TRUE(view().interface().presents());
}

TEST_F(TourWindow, AStepThatCannotBeDoneChangesNothing) {
  begin_text(
      "{\"say\": \"A\"}, {\"say\": \"B\", \"do\": [\"set:system.gamma=2\", "
      "\"set:system.masses[7]=3\", \"set:system.gamma=4\"]}");
  ASSERT_TRUE(ready());
  key(Qt::Key_Return);
  const QMessageBox* message = nullptr;
  ASSERT_TRUE(
      eventually([&] { return (message = window_->findChild<QMessageBox*>()) != nullptr; }));
  EXPECT_TRUE(says((message->text() + message->informativeText()).toStdString(),
                   "t.json, step 2 (line 1): system.masses"));
  EXPECT_TRUE(eventually([&] { return gamma() == 1; }));
}

TEST_F(TourWindow, WhatTheUserDidInAStepIsTakenBackToo) {
  begin_text("{\"say\": \"A\"}, {\"say\": \"B\"}");
  ASSERT_TRUE(ready());
  key(Qt::Key_Return);
  ASSERT_TRUE(at(2) && ready());
  type("parameter/gamma", QStringLiteral("3"));
  ASSERT_TRUE(eventually([&] { return gamma() == 3; }));
  click("tour/back");
  EXPECT_TRUE(eventually([&] { return gamma() == 1; }));
}

TEST_F(TourWindow, WaitsForWhatTheUserDoes) {
  begin_text(
      "{\"say\": \"A\", \"wait\": \"key:toggle_graticule\"}, "
      "{\"say\": \"B\", \"wait\": \"result:check\"}, "
      "{\"say\": \"C\", \"do\": [\"to:0.5\", \"action:run_backwards\"], "
      "\"wait\": \"result:way_back\"}, {\"say\": \"D\"}");
  wait_until_drawn();
  EXPECT_TRUE(says(card()->awaited, "Press G"));
  key(Qt::Key_Return);
  EXPECT_EQ(card()->number, 1);
  key(Qt::Key_G);
  ASSERT_TRUE(ready());
  key(Qt::Key_Return);
  ASSERT_TRUE(at(2));
  key(Qt::Key_K);
  ASSERT_TRUE(ready());
  key(Qt::Key_Return);
  ASSERT_TRUE(at(3) && ready());
  EXPECT_FALSE(now().start_distances.empty());
  key(Qt::Key_Return);
  ASSERT_TRUE(at(4));
  key(Qt::Key_Return);
  EXPECT_TRUE(eventually([&] { return card() == nullptr; })) << "the last step ends it";
}

TEST_F(TourWindow, EndsWhereAnotherScenarioIsOpened) {
  begin_text("{\"say\": \"A\"}, {\"say\": \"B\"}");
  ASSERT_TRUE(ready());
  trigger("lennard_jones");
  EXPECT_TRUE(eventually([&] {
    view().request_frame();
    return card() == nullptr;
  }));
}

TEST_F(TourWindow, BeginsFromThePageOfPresets) {
  trigger("tours");
  ASSERT_TRUE(eventually([&] { return has("gallery/tour/there_and_back"); }));
  click("gallery/tour/there_and_back");
  ASSERT_TRUE(at(1) && ready());
  EXPECT_EQ(lanes(), 3u);
}

// A button of a page acts on the run, in one entry; the page stays.
TEST_F(TourWindow, AnExerciseIsDoneByItsButton) {
  key(Qt::Key_F2);
  auto* help = window_->findChild<HelpDialog*>();
  ASSERT_TRUE(help);
  ASSERT_TRUE(QTest::qWaitForWindowExposed(help, patience));
  QTextBrowser& page = help->browser();
  const QString text = page.toPlainText();
  QPoint button;
  for (QTextBlock block = page.document()->begin(); block.isValid() && button.isNull();
       block = block.next())
    for (auto part = block.begin(); !part.atEnd() && button.isNull(); ++part) {
      const QTextCharFormat format = part.fragment().charFormat();
      if (format.anchorHref() != QLatin1String("do:set:integrator.step=0.005")) continue;
      EXPECT_FALSE(format.fontUnderline());
      EXPECT_FALSE(part.fragment().text().contains(QLatin1Char(' '))) << "it stays in one line";
      QTextCursor cursor(page.document());
      cursor.setPosition(part.fragment().position() + 4);
      page.setTextCursor(cursor);
      page.ensureCursorVisible();
      button = page.cursorRect(cursor).center();
    }
  ASSERT_FALSE(button.isNull());
  QTest::mouseClick(page.viewport(), Qt::LeftButton, {}, button);
  ASSERT_TRUE(eventually([&] { return now().present->lanes[0].step == 0.005; }));
  EXPECT_TRUE(help->isVisible());
  EXPECT_EQ(page.toPlainText(), text);
  EXPECT_EQ(window_->session().undo_label(), "step 0.01 → 0.005 s");
  window_->session().undo();
  EXPECT_TRUE(eventually([&] { return now().present->lanes[0].step == 0.01; }));
}

TEST_F(TourWindow, AnExerciseStandsOutFromItsPageInEveryTheme) {
  key(Qt::Key_F2);
  auto* help = window_->findChild<HelpDialog*>();
  ASSERT_TRUE(help);
  const QTextBrowser& page = help->browser();
  const auto of = [](const QBrush& brush) { return Color{brush.color().rgb() & 0xffffff}; };
  const auto stands_out = [&] {
    for (QTextBlock block = page.document()->begin(); block.isValid(); block = block.next())
      for (auto part = block.begin(); !part.atEnd(); ++part) {
        const QTextCharFormat format = part.fragment().charFormat();
        if (!format.anchorHref().startsWith(QStringLiteral("do:"))) continue;
        return contrast(of(format.background()), of(page.palette().base())) >= 3 &&
               contrast(of(format.foreground()), of(format.background())) >= 4.5;
      }
    return false;
  };
  for (const char* theme : {"theme_light", "theme_high_contrast", "theme_dark"}) {
    trigger(theme);
    EXPECT_TRUE(eventually(stands_out)) << theme;
  }
}

TEST_F(TourWindow, EveryExerciseIsAButtonWhateverItsInstruction) {
  key(Qt::Key_F2);
  auto* help = window_->findChild<HelpDialog*>();
  ASSERT_TRUE(help);
  const QString beginning = QStringLiteral("do:");
  for (const std::string& preset : preset_keys()) {
    QStringList written, shown;
    const QString text = to_qstring(find_preset(preset)->help);
    for (const QString& line : text.split(QLatin1Char('\n')))
      if (const auto at = line.indexOf(QStringLiteral("](do:")); at >= 0)
        written << line.mid(at + 2).chopped(1);
    help->show_page(to_qstring(preset));
    QTextDocument& page = *help->browser().document();
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next())
      for (auto part = block.begin(); !part.atEnd(); ++part) {
        const QString address = part.fragment().charFormat().anchorHref();
        if (!address.startsWith(beginning)) continue;
        const QString instruction = beginning + QUrl(address).path(QUrl::FullyDecoded);
        // An index in its words is a separate part.
        if (shown.isEmpty() || shown.last() != instruction) shown << instruction;
      }
    EXPECT_EQ(shown, written) << preset << ": " << shown.join(QLatin1Char('\n')).toStdString();
  }
}

TEST_F(TourWindow, AnExerciseForTheIntegratorIsOfTheFirstOfSeveralLanes) {
  key(Qt::Key_L);
  ASSERT_TRUE(eventually([&] { return lanes() == 2; }));
  key(Qt::Key_F2);
  auto* help = window_->findChild<HelpDialog*>();
  ASSERT_TRUE(help);
  Q_EMIT help->browser().anchorClicked(QUrl(QStringLiteral("do:set:integrator.step=0.005")));
  ASSERT_TRUE(eventually([&] { return now().present->lanes[0].step == 0.005; }));
  EXPECT_EQ(now().present->lanes[1].step, 0.01);
}

TEST_F(TourWindow, AnExerciseOfAnotherPresetOpensIt) {
  key(Qt::Key_F2);
  auto* help = window_->findChild<HelpDialog*>();
  ASSERT_TRUE(help);
  help->show_page(QStringLiteral("three_body"));
  Q_EMIT help->browser().anchorClicked(QUrl(QStringLiteral("do:set:integrator.step=5e-4")));
  ASSERT_TRUE(eventually([&] {
    return now().lanes.size() == 1 && now().lanes[0].state.size() == 3 &&
           now().present->lanes[0].step == 5e-4;
  }));
}

}  // namespace
}  // namespace twosphere::tour_window_test
