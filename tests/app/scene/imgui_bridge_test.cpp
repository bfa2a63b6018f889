// SPDX-License-Identifier: GPL-3.0-or-later
// The bridge from Qt's events to Dear ImGui, on a plain widget and without OpenGL: frames are taken
// by hand, so that any number of events can come between two of them.
#include "app/scene/imgui_bridge.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QInputMethodEvent>
#include <QTest>
#include <QWidget>
#include <array>
#include <memory>

namespace twosphere::imgui_bridge_test {
namespace {

class Bridge : public testing::Test {
 protected:
  Bridge() : context_(ImGui::CreateContext()) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.Fonts->AddFontDefault();
    io.Fonts->Build();
    io.Fonts->SetTexID(nullptr);
    widget_.resize(400, 300);
    bridge_ = std::make_unique<ImGuiBridge>(widget_, [this] { ++requests_; });
    widget_.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&widget_));
    frames();
  }
  ~Bridge() override {
    bridge_.reset();
    ImGui::DestroyContext(context_);
  }

  void frame() {
    bridge_->begin_frame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 300});
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    if (ImGui::Button("button", {100, 30})) ++clicks_;
    button_ = middle();
    ImGui::SetNextItemWidth(200);
    ImGui::SliderFloat("##slider", &slider_, 0, 1);
    slider_min_ = {ImGui::GetItemRectMin().x, middle().y()};
    slider_max_ = {ImGui::GetItemRectMax().x, middle().y()};
    ImGui::SetNextItemWidth(300);
    ImGui::InputText("##text", text_.data(), text_.size());
    field_ = middle();
    ImGui::End();
    ImGui::Render();
    bridge_->end_frame();
  }
  /// As many as are due; the number of them.
  int frames() {
    int count = 0;
    do {
      frame();
      QCoreApplication::sendPostedEvents(bridge_.get(), QEvent::MetaCall);
    } while (++count < 1000 && bridge_->pending());
    return count;
  }
  static QPointF middle() {
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    return {static_cast<double>(a.x + b.x) / 2, static_cast<double>(a.y + b.y) / 2};
  }
  void move(const QPointF& to, Qt::MouseButtons held = {}) {
    QMouseEvent event(QEvent::MouseMove, to, widget_.mapToGlobal(to), Qt::NoButton, held, {});
    QApplication::sendEvent(&widget_, &event);
  }
  void enter_field() {
    move(field_);
    QTest::mouseClick(&widget_, Qt::LeftButton, {}, field_.toPoint());
    frames();
    EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  }
  std::string text() const { return text_.data(); }

  ImGuiContext* context_;
  QWidget widget_;
  std::unique_ptr<ImGuiBridge> bridge_;
  int requests_ = 0, clicks_ = 0;
  float slider_ = 0;
  std::array<char, 64> text_{};
  QPointF button_, field_;
  QPointF slider_min_, slider_max_;
};

TEST_F(Bridge, ClicksBetweenTwoFramesAreNotLost) {
  move(button_);
  for (int i = 0; i < 3; ++i) QTest::mouseClick(&widget_, Qt::LeftButton, {}, button_.toPoint());
  frames();
  EXPECT_EQ(clicks_, 3);
}

// What a key means is known only when the click before it has been handled.
TEST_F(Bridge, KeysWaitForTheClickBeforeThem) {
  int shortcuts = 0, clicks_by_then = 0;
  QAction action;
  action.setShortcut(QKeySequence(Qt::Key_9));
  QObject::connect(&action, &QAction::triggered, [&] {
    ++shortcuts;
    clicks_by_then = clicks_;
  });
  widget_.addAction(&action);
  move(field_);
  QTest::mouseClick(&widget_, Qt::LeftButton, {}, field_.toPoint());
  QTest::keyClicks(&widget_, QStringLiteral("9.81"));
  QTest::keyClick(&widget_, Qt::Key_Backspace);
  EXPECT_TRUE(bridge_->pending());
  frames();
  EXPECT_EQ(text(), "9.8");
  EXPECT_EQ(shortcuts, 0);
  // After a click on a button, the same key is a shortcut, and comes after the click.
  move(button_);
  QTest::mouseClick(&widget_, Qt::LeftButton, {}, button_.toPoint());
  QTest::keyClicks(&widget_, QStringLiteral("9"));
  EXPECT_EQ(shortcuts, 0);
  frames();
  EXPECT_EQ(shortcuts, 1);
  EXPECT_EQ(clicks_by_then, 1);
  EXPECT_EQ(text(), "9.8");
}

TEST_F(Bridge, ADoubleClickIsTwoClicks) {
  QTest::mouseClick(&widget_, Qt::LeftButton, {}, button_.toPoint());
  QTest::mouseDClick(&widget_, Qt::LeftButton, {}, button_.toPoint());
  QTest::mouseRelease(&widget_, Qt::LeftButton, {}, button_.toPoint());
  frames();
  EXPECT_EQ(clicks_, 2);
}

// Frames on a busy computer take longer than ImGui allows between the two clicks.
TEST_F(Bridge, ADoubleClickIsOneHoweverLongTheFramesTake) {
  int double_clicks = 0;
  const auto slow_frames = [&] {
    do {
      QTest::qSleep(400);
      frame();
      double_clicks += ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) ? 1 : 0;
      QCoreApplication::sendPostedEvents(bridge_.get(), QEvent::MetaCall);
    } while (bridge_->waiting());
  };
  move(button_);
  QTest::mouseClick(&widget_, Qt::LeftButton, {}, button_.toPoint());
  QTest::mouseDClick(&widget_, Qt::LeftButton, {}, button_.toPoint());
  QTest::mouseRelease(&widget_, Qt::LeftButton, {}, button_.toPoint());
  slow_frames();
  EXPECT_EQ(double_clicks, 1);
  EXPECT_EQ(clicks_, 2);
  // Two clicks as far apart are none.
  QTest::mouseClick(&widget_, Qt::LeftButton, {}, button_.toPoint());
  QTest::mouseClick(&widget_, Qt::LeftButton, {}, button_.toPoint());
  slow_frames();
  EXPECT_EQ(double_clicks, 1);
  EXPECT_EQ(clicks_, 4);
}

TEST_F(Bridge, ADragKeepsItsLastMove) {
  move(slider_min_);
  QTest::mousePress(&widget_, Qt::LeftButton, {}, slider_min_.toPoint());
  for (int i = 1; i <= 5; ++i)
    move(slider_min_ + (slider_max_ - slider_min_) * i / 5, Qt::LeftButton);
  QTest::mouseRelease(&widget_, Qt::LeftButton, {}, slider_max_.toPoint());
  frames();
  EXPECT_FLOAT_EQ(slider_, 1);
}

TEST_F(Bridge, AMissedReleaseIsMadeUpFor) {
  move(slider_min_);
  QTest::mousePress(&widget_, Qt::LeftButton, {}, slider_min_.toPoint());
  frames();
  ASSERT_TRUE(ImGui::IsAnyItemActive());
  move(slider_min_ + QPointF(20, 0));  // no button held
  frames();
  EXPECT_FALSE(ImGui::IsAnyItemActive());
}

TEST_F(Bridge, TypesTextWithEditingKeys) {
  enter_field();
  QTest::keyClicks(&widget_, QStringLiteral("axcvyz 9.81"));
  QTest::keyClick(&widget_, Qt::Key_Backspace);
  QTest::keyClicks(&widget_, QStringLiteral("2"));
  frames();
  EXPECT_EQ(text(), "axcvyz 9.82");
  QTest::keyClick(&widget_, Qt::Key_Home);
  QTest::keyClicks(&widget_, QStringLiteral("<"));
  frames();
  EXPECT_EQ(text(), "<axcvyz 9.82");
}

TEST_F(Bridge, TakesWhatAnInputMethodCommits) {
  enter_field();
  QInputMethodEvent event;
  event.setCommitString(QStringLiteral("ωκ₂"));
  QApplication::sendEvent(&widget_, &event);
  frames();
  EXPECT_EQ(text(), "ωκ₂");

  QInputMethodQueryEvent query(Qt::ImEnabled);
  QApplication::sendEvent(&widget_, &query);
  EXPECT_TRUE(query.value(Qt::ImEnabled).toBool());
  QTest::keyClick(&widget_, Qt::Key_Return);
  frames();
  QInputMethodQueryEvent later(Qt::ImEnabled);
  QApplication::sendEvent(&widget_, &later);
  EXPECT_FALSE(later.value(Qt::ImEnabled).toBool());
}

TEST_F(Bridge, CopiesAndPastes) {
  enter_field();
  QTest::keyClicks(&widget_, QStringLiteral("0.25"));
  QTest::keyClick(&widget_, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(&widget_, Qt::Key_C, Qt::ControlModifier);
  frames();
  EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("0.25"));
  QTest::keyClick(&widget_, Qt::Key_End);
  QTest::keyClick(&widget_, Qt::Key_V, Qt::ControlModifier);
  frames();
  EXPECT_EQ(text(), "0.250.25");
}

TEST_F(Bridge, ClaimsShortcutsOnlyForAnActiveField) {
  const auto claimed = [this](int key, Qt::KeyboardModifiers held, const QString& typed) {
    QKeyEvent event(QEvent::ShortcutOverride, key, held, typed);
    event.ignore();
    QApplication::sendEvent(&widget_, &event);
    return event.isAccepted();
  };
  EXPECT_FALSE(claimed(Qt::Key_T, {}, QStringLiteral("t")));
  EXPECT_FALSE(claimed(Qt::Key_Space, {}, QStringLiteral(" ")));
  enter_field();
  EXPECT_TRUE(claimed(Qt::Key_T, {}, QStringLiteral("t")));
  EXPECT_TRUE(claimed(Qt::Key_Space, {}, QStringLiteral(" ")));
  EXPECT_TRUE(claimed(Qt::Key_Right, {}, {}));
  EXPECT_TRUE(claimed(Qt::Key_C, Qt::ControlModifier, {}));
  EXPECT_FALSE(claimed(Qt::Key_S, Qt::ControlModifier, {}));
  EXPECT_FALSE(claimed(Qt::Key_F1, {}, {}));
}

TEST_F(Bridge, LosingTheFocusReleasesKeys) {
  enter_field();
  QTest::keyPress(&widget_, Qt::Key_Right);
  QTest::keyPress(&widget_, Qt::Key_Control);
  frames();
  EXPECT_TRUE(ImGui::IsKeyDown(ImGui::GetKeyIndex(ImGuiKey_RightArrow)));
  QFocusEvent event(QEvent::FocusOut);
  QApplication::sendEvent(&widget_, &event);
  frames();
  EXPECT_FALSE(ImGui::IsKeyDown(ImGui::GetKeyIndex(ImGuiKey_RightArrow)));
  EXPECT_FALSE(ImGui::GetIO().KeyCtrl);
}

TEST_F(Bridge, LosingTheFocusEndsHovering) {
  move(button_);
  frames();
  EXPECT_TRUE(ImGui::IsMousePosValid());
  QFocusEvent event(QEvent::FocusOut);
  QApplication::sendEvent(&widget_, &event);
  frames();
  EXPECT_FALSE(ImGui::IsMousePosValid());
  move(button_);
  frames();
  EXPECT_TRUE(ImGui::IsMousePosValid());
}

TEST_F(Bridge, SettlesAndAsksForFramesOnlyForEvents) {
  EXPECT_FALSE(bridge_->pending());
  requests_ = 0;
  EXPECT_EQ(frames(), 1);
  EXPECT_EQ(requests_, 0);
  move(button_ + QPointF(1, 1));
  EXPECT_GT(requests_, 0);
  EXPECT_TRUE(bridge_->pending());
  EXPECT_LE(frames(), 4);
}

TEST_F(Bridge, ShowsTheCursorAskedFor) {
  enter_field();
  EXPECT_EQ(widget_.cursor().shape(), Qt::IBeamCursor);
  move(button_);
  frames();
  EXPECT_EQ(widget_.cursor().shape(), Qt::ArrowCursor);
}

}  // namespace
}  // namespace twosphere::imgui_bridge_test
