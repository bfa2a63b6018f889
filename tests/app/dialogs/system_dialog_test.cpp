// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QInputDialog>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>
#include <QTextBrowser>
#include <functional>

#include "app/base/formula_view.h"
#include "app/dialogs/text_editor.h"
#include "app/session/autosave.h"
#include "core/custom/definition.h"
#include "tests/app/window_fixture.h"

namespace twosphere::test::system_dialog_test {
namespace {

/// The dialog in which a system is written as text.
class SystemAsText : public Window {
 protected:
  void SetUp() override {
    Window::SetUp();
    qputenv("XDG_DATA_HOME", folder_.filePath(QStringLiteral("data")).toUtf8());
  }

  void open_dialog(const char* action) {
    window_->findChild<QAction*>(QLatin1String(action))->trigger();
    ASSERT_TRUE(eventually([&] { return dialog() && dialog()->isVisible() && ready(); }));
  }
  QWidget* dialog() { return window_->findChild<QWidget*>(QStringLiteral("system_dialog")); }
  QPushButton* button(const char* name) {
    return dialog()->findChild<QPushButton*>(QLatin1String(name));
  }
  QString label(const char* name) {
    return dialog()->findChild<QLabel*>(QLatin1String(name))->text();
  }
  QComboBox* templates() { return dialog()->findChild<QComboBox*>(QStringLiteral("templates")); }
  bool ready() { return button("apply")->isEnabled(); }
  void choose(const QString& key) {
    const int index = templates()->findData(key);
    ASSERT_GE(index, 0);
    templates()->setCurrentIndex(index);
    Q_EMIT templates()->activated(index);
    ASSERT_TRUE(eventually([&] { return ready(); }));
  }
  QWidget* field(const char* name) {
    QWidget* found = dialog()->findChild<QWidget*>(QLatin1String(name));
    return found->focusProxy() ? found->focusProxy() : found;
  }
  void type(const char* name, const QString& text) {
    QWidget* editor = field(name);
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(editor, Qt::Key_Delete);
    QTest::keyClicks(editor, text);
    QTest::keyClick(editor, Qt::Key_Escape);  // closes the list of names, if there is one
    if (!dialog()->isVisible()) dialog()->show();
  }
  /// A new system, of a template.
  void open_new(const char* key) {
    open_dialog("new_system");
    choose(QLatin1String(key));
  }
  void apply_until(const std::function<bool()>& condition) {
    QTest::mouseClick(button("apply"), Qt::LeftButton);
    ASSERT_TRUE(eventually(condition));
  }
  const Definition& definition() { return now().present->definition->definition(); }
  QTableWidget* starts() { return dialog()->findChild<QTableWidget*>(QStringLiteral("start")); }
  QString start() { return starts()->item(0, 0)->text(); }
  /// Types a start, which is kept for recovery.
  void type_start() {
    open_new("custom/pendulum");
    starts()->item(0, 0)->setText(typed_start);
    ASSERT_TRUE(eventually([&] { return ready() && kept().size() == 1; }));
  }
  const QString typed_start = QStringLiteral("1, 0, 0");
  static QStringList kept() {
    return QDir(session_folder()).entryList({QStringLiteral("session-*.json")});
  }
  /// Ends the window as a crash does, and recovers the only session that is kept, without `lost`.
  void recover_after_crash(const QByteArray& lost = {}) {
    const QDir folder(session_folder());
    QByteArray session = contents(folder.filePath(kept()[0]));
    if (!lost.isEmpty()) {
      ASSERT_TRUE(session.contains(lost)) << session.toStdString();
      session.replace(lost, QByteArray());
    }
    window_.reset();
    QFile left(folder.filePath(QStringLiteral("session-left.json")));
    ASSERT_TRUE(left.open(QIODevice::WriteOnly));
    left.write(session);
    left.close();
    open_window();
    ASSERT_TRUE(eventually([] { return QApplication::activeModalWidget() != nullptr; }));
    QTest::mouseClick(
        QApplication::activeModalWidget()->findChild<QPushButton*>(QStringLiteral("recover")),
        Qt::LeftButton);
    ASSERT_TRUE(eventually([&] { return dialog() && dialog()->isVisible(); }));
  }
};

TEST_F(SystemAsText, ANewSystemIsTypedAndRuns) {
  window_->findChild<QAction*>(QStringLiteral("presets"))->trigger();
  wait_until_drawn();
  ASSERT_TRUE(has("gallery"));
  open_dialog("new_system");
  wait_until_drawn();
  EXPECT_FALSE(has("gallery")) << "the scene must be seen when it runs";
  choose(QStringLiteral("custom/pendulum"));
  type("potential", QStringLiteral("-m*g*l*e3.q[0] - 0.2 J/norm(q[0] - e1)*q[0]"));
  ASSERT_TRUE(eventually([&] { return !label("potential_problem").isEmpty(); }));
  EXPECT_FALSE(button("apply")->isEnabled());
  EXPECT_FALSE(button("apply_and_run")->isEnabled());

  type("potential", QStringLiteral("-m*g*l*e3.q[0] - 0.2 J/norm(q[0] - e1)"));
  ASSERT_TRUE(eventually([&] { return ready(); }));
  EXPECT_TRUE(label("potential_problem").isEmpty());
  EXPECT_TRUE(label("values").contains(QStringLiteral("V = "))) << label("values").toStdString();
  const auto* equations = dialog()->findChild<FormulaView*>(QStringLiteral("equations"));
  EXPECT_TRUE(equations->formulas().join(QString()).contains(QStringLiteral("|q₀ − e₁|")))
      << equations->formulas().join(QLatin1Char('\n')).toStdString();

  // What the program finds out about it.
  ASSERT_TRUE(eventually([&] { return label("report").contains(QStringLiteral("gradient")); }));
  EXPECT_TRUE(label("report").contains(QStringLiteral("V = \u2212")))
      << label("report").toStdString();
  EXPECT_FALSE(label("report").contains(QStringLiteral("= -"))) << label("report").toStdString();

  QTest::keyClick(field("potential"), Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return now().present->system == "custom" && now().steps > 10; }));
  EXPECT_FALSE(dialog()->isVisible());
  EXPECT_EQ(definition().potential, "-m*g*l*e3.q[0] - 0.2 J/norm(q[0] - e1)");
  window_->findChild<QAction*>(QStringLiteral("undo"))->trigger();
  ASSERT_TRUE(eventually([&] { return now().present->system == "chain_pendulum"; }));
}

TEST_F(SystemAsText, RunsAlsoAfterTheQuestionWhetherToSave) {
  window_->run().send(TakeSteps{10});
  ASSERT_TRUE(eventually([&] { return now().steps == 10; }));
  wait_until_drawn();
  Window::type("parameter/gravity", QStringLiteral("3"));
  ASSERT_TRUE(eventually([&] { return window_->session().modified(); }));
  open_new("custom/pendulum");
  QTest::mouseClick(button("apply_and_run"), Qt::LeftButton);
  ASSERT_TRUE(eventually(
      [] { return qobject_cast<QMessageBox*>(QApplication::activeModalWidget()) != nullptr; }));
  EXPECT_TRUE(dialog()->isVisible()) << "until it is answered";
  auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
  QTest::mouseClick(question->button(QMessageBox::Discard), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return now().present->system == "custom" && now().steps > 10; }));
  EXPECT_FALSE(dialog()->isVisible());
}

TEST_F(SystemAsText, NamesAndFunctionsAreCompleted) {
  open_new("custom/pendulum");
  QWidget* editor = field("potential");
  const auto text = [&] {
    return dialog()->findChild<TextEditor*>(QStringLiteral("potential"))->text().toStdString();
  };
  for (const char* word : {"angle", "sinh", "norm", "prod"}) {
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(editor, Qt::Key_Delete);
    QTest::keyClicks(editor, QString::fromLatin1(word).chopped(1));
    QTest::keyClick(editor, Qt::Key_Tab);
    EXPECT_EQ(text(), word);
  }
}

TEST_F(SystemAsText, TheRunGoesOnWithAChangedText) {
  window_.reset();
  open_window("custom/double_pendulum");
  window_->run().send(TakeSteps{50});
  ASSERT_TRUE(eventually([&] { return now().steps == 50; }));
  open_dialog("system_as_text");
  const std::string before = definition().potential;
  const double error = now().lanes[0].sample[Quantity::energy_error];
  type("potential", QStringLiteral("-g*sum(i: m[i]*e3.x[i])/2"));
  ASSERT_TRUE(eventually([&] { return ready(); }));
  EXPECT_TRUE(label("values").contains(QStringLiteral("state of the run")));
  apply_until([&] { return definition().potential != before; });
  EXPECT_EQ(now().steps, 50);
  ASSERT_EQ(now().record->events.size(), 1U);
  EXPECT_EQ(now().record->events[0].step, 50);
  EXPECT_EQ(now().record->events[0].set[0].path, "system.potential");
  // The jump of the energy is work.
  EXPECT_NE(now().lanes[0].sample[Quantity::work], 0);
  EXPECT_NEAR(now().lanes[0].sample[Quantity::energy_error], error, 1e-9);
  EXPECT_TRUE(dialog()->isVisible());
  EXPECT_EQ(label("state"), QStringLiteral("Applied at t = %1 s.").arg(now().t, 0, 'f', 2));
  QAction* undo = window_->findChild<QAction*>(QStringLiteral("undo"));
  ASSERT_TRUE(eventually([&] { return undo->text().endsWith(QStringLiteral("potential")); }))
      << undo->text().toStdString();

  undo->trigger();
  ASSERT_TRUE(eventually([&] { return definition().potential == before; }));
  EXPECT_EQ(now().steps, 50);
}

TEST_F(SystemAsText, TabGoesFromFieldToField) {
  open_dialog("system_as_text");
  dialog()->activateWindow();
  const std::vector<const char*> fields{"define",         "inertia",    "potential",  "strength",
                                        "frame_rotation", "gyroscopic", "lagrangian", "force",
                                        "torque",         "figure",     "plots",      "color"};
  std::vector<QString> before;
  for (const char* name : fields)
    before.push_back(dialog()->findChild<TextEditor*>(QLatin1String(name))->text());
  field(fields.front())->setFocus();
  for (std::size_t k = 1; k < fields.size(); ++k) {
    QTest::keyClick(field(fields[k - 1]), Qt::Key_Tab);
    ASSERT_EQ(dialog()->focusWidget(), field(fields[k])) << fields[k];
  }
  QTest::keyClick(field(fields.back()), Qt::Key_Tab);
  EXPECT_NE(dialog()->focusWidget(), field(fields.back())) << "out of the last one";
  field(fields.back())->setFocus();
  for (std::size_t k = fields.size() - 1; k > 0; --k) {
    QTest::keyClick(field(fields[k]), Qt::Key_Backtab, Qt::ShiftModifier);
    ASSERT_EQ(dialog()->focusWidget(), field(fields[k - 1])) << fields[k];
  }
  for (std::size_t k = 0; k < fields.size(); ++k)
    EXPECT_EQ(dialog()->findChild<TextEditor*>(QLatin1String(fields[k]))->text(), before[k]);
}

TEST_F(SystemAsText, ACheckLeavesWhatIsBeingTypedInTheTable) {
  open_dialog("system_as_text");
  dialog()->activateWindow();
  auto* table = dialog()->findChild<QTableWidget*>(QStringLiteral("parameters"));
  const int row = table->rowCount() - 1;
  const auto typing = [&] { return table->findChild<QLineEdit*>(); };
  table->setItem(row, 0, new QTableWidgetItem(QStringLiteral("beta")));
  table->setItem(row, 1, new QTableWidgetItem);
  table->editItem(table->item(row, 1));
  ASSERT_TRUE(eventually([&] { return typing(); }));
  QTest::keyClicks(typing(), QStringLiteral("0"));
  // A parameter without a value is wrong, and is said to be while its value is typed.
  ASSERT_TRUE(eventually([&] { return !label("parameter_problem").isEmpty(); }));
  QTest::keyClicks(typing(), QStringLiteral(".15"));
  EXPECT_EQ(typing()->text(), QStringLiteral("0.15"));
  QTest::keyClick(typing(), Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return ready(); }));
  EXPECT_EQ(table->item(row, 1)->text(), QStringLiteral("0.15"));
  EXPECT_TRUE(label("parameter_problem").isEmpty());
}

TEST_F(SystemAsText, UnitsAreMadeStrict) {
  window_.reset();
  open_window("custom/double_pendulum");
  open_dialog("system_as_text");
  auto* strict = dialog()->findChild<QCheckBox*>(QStringLiteral("strict_units"));
  ASSERT_TRUE(strict);
  EXPECT_FALSE(strict->isChecked());
  QTest::mouseClick(strict, Qt::LeftButton, {}, QPoint(8, strict->height() / 2));
  ASSERT_TRUE(strict->isChecked());
  ASSERT_TRUE(eventually([&] { return ready(); }));
  apply_until([&] { return definition().strict_units; });
  type("potential", QStringLiteral("-g*sum(i: m[i])"));
  ASSERT_TRUE(eventually([&] { return !label("potential_problem").isEmpty(); }));
  EXPECT_FALSE(button("apply")->isEnabled());
  window_->findChild<QAction*>(QStringLiteral("undo"))->trigger();
  ASSERT_TRUE(eventually([&] { return !definition().strict_units; }));
}

TEST_F(SystemAsText, TheLineBelowNamesTheFieldWithAnError) {
  open_dialog("system_as_text");
  type("plots", QStringLiteral("height: -e3.x"));
  ASSERT_TRUE(eventually([&] { return !label("plots_problem").isEmpty(); }));
  EXPECT_EQ(label("state"), QStringLiteral("There is an error in Plots."));
  type("plots", QString());
  type("inertia", QStringLiteral("m"));
  ASSERT_TRUE(eventually([&] { return label("state").contains(QStringLiteral("Inertia M")); }));
}

TEST_F(SystemAsText, TheLanguageFitsItsTab) {
  open_dialog("system_as_text");
  dialog()->findChild<QTabWidget*>(QStringLiteral("sheet"))->setCurrentIndex(1);
  auto* language = dialog()->findChild<QTextBrowser*>(QStringLiteral("language"));
  ASSERT_TRUE(eventually([&] { return language->isVisible(); }));
  EXPECT_FALSE(language->toPlainText().contains(QChar(0x307)));
  EXPECT_TRUE(language->toPlainText().contains(QStringLiteral("velocity dq/dt")));
  EXPECT_TRUE(eventually([&] { return language->horizontalScrollBar()->maximum() == 0; }))
      << language->horizontalScrollBar()->maximum();
}

TEST_F(SystemAsText, ThePageFollowsTheCaret) {
  open_dialog("system_as_text");
  dialog()->resize(700, 420);
  auto* figure = dialog()->findChild<TextEditor*>(QStringLiteral("figure"));
  QWidget* editor = field("figure");
  auto* page = dialog()->findChild<QWidget*>(QStringLiteral("fields"));
  QWidget* view = page->parentWidget();
  editor->setFocus();
  const auto seen = [&] {
    const QRect caret = figure->caret();
    const QPoint at = figure->mapTo(view, caret.topLeft());
    return view->rect().contains(QRect(at, caret.size()));
  };
  for (int line = 0; line < 6; ++line) {
    QTest::keyClicks(editor, QStringLiteral("ball(q[0])"));
    QTest::keyClick(editor, Qt::Key_Escape);
    if (!dialog()->isVisible()) dialog()->show();
    QTest::keyClick(editor, Qt::Key_Return);
    EXPECT_TRUE(eventually(seen)) << line;
  }
}

TEST_F(SystemAsText, ABuiltInSystemIsTranslated) {
  click("system_as_text");
  ASSERT_TRUE(eventually([&] { return dialog() && dialog()->isVisible() && ready(); }));
  const double energy = now().lanes[0].sample[Quantity::total_energy];
  apply_until([&] { return now().present->system == "custom"; });
  EXPECT_EQ(definition().inertia, "chain(m, l)");
  EXPECT_NEAR(now().lanes[0].sample[Quantity::total_energy], energy, 1e-12 * std::abs(energy));
}

TEST_F(SystemAsText, ValuesFollowTheSliders) {
  window_.reset();
  open_window("custom/double_pendulum");
  open_dialog("system_as_text");
  window_->run().send(Change{{{"system.g", 3.0}}});
  auto* table = dialog()->findChild<QTableWidget*>(QStringLiteral("parameters"));
  ASSERT_TRUE(eventually([&] { return now().present->parameters.at("g")[0] == 3; }));
  view().request_frame();
  ASSERT_TRUE(eventually([&] { return table->item(2, 1)->text() == QStringLiteral("3"); }));
}

TEST_F(SystemAsText, OtherBodiesBeginAnotherRun) {
  open_new("custom/thomson");
  auto* bodies = dialog()->findChild<QSpinBox*>(QStringLiteral("bodies"));
  bodies->setValue(bodies->value() + 3);
  const int count = bodies->value();
  ASSERT_TRUE(eventually([&] { return ready(); }));
  apply_until([&] { return now().present->size() == count; });
}

TEST_F(SystemAsText, ATextIsNotLostWithoutAQuestion) {
  open_dialog("new_system");
  type("potential", QStringLiteral("-m*g*l*e3.q[0]/3"));
  ASSERT_TRUE(eventually([&] { return ready(); }));
  const int other = templates()->findData(QStringLiteral("custom/thomson"));
  Q_EMIT templates()->activated(other);
  auto* box = dialog()->findChild<QMessageBox*>();
  ASSERT_TRUE(box);
  box->reject();
  apply_until([&] { return now().present->system == "custom"; });
  EXPECT_EQ(definition().potential, "-m*g*l*e3.q[0]/3");
}

TEST_F(SystemAsText, ANewSystemBeginsWithAnExample) {
  const auto example = [&] { return templates()->itemData(0).toString(); };
  const auto text = [&] {
    return dialog()->findChild<TextEditor*>(QStringLiteral("potential"))->text();
  };
  open_dialog("new_system");
  const QString fresh = text();
  choose(QStringLiteral("custom/thomson"));
  dialog()->hide();
  open_dialog("new_system");
  EXPECT_EQ(templates()->currentData().toString(), example());
  EXPECT_EQ(text(), fresh);
  // A text that was not applied is not lost.
  type("potential", QStringLiteral("-m*g*l*e3.q[0]/3"));
  dialog()->hide();
  window_->findChild<QAction*>(QStringLiteral("new_system"))->trigger();
  auto* box = dialog()->findChild<QMessageBox*>();
  ASSERT_TRUE(box);
  box->reject();
  EXPECT_EQ(text(), QStringLiteral("-m*g*l*e3.q[0]/3"));
}

TEST_F(SystemAsText, AParameterIsAddedWhereItsNameIsNotKnown) {
  open_new("custom/pendulum");
  type("potential", QStringLiteral("-m*g*l*e3.q[0] + kappa*q[0].e1"));
  ASSERT_TRUE(eventually(
      [&] { return label("potential_problem").contains(QStringLiteral("Add parameter kappa")); }));
  auto* table = dialog()->findChild<QTableWidget*>(QStringLiteral("parameters"));
  const int before = table->rowCount();
  Q_EMIT dialog()
      ->findChild<QLabel*>(QStringLiteral("potential_problem"))
      ->linkActivated(QStringLiteral("kappa"));
  ASSERT_TRUE(eventually([&] { return ready(); }));
  EXPECT_EQ(table->rowCount(), before + 1);
  EXPECT_EQ(table->item(before - 1, 0)->text(), QStringLiteral("kappa"));
  EXPECT_EQ(table->item(before - 1, 1)->text(), QStringLiteral("1"));
}

TEST_F(SystemAsText, OfFirstOrderItHasAStrengthAndAHamiltonian) {
  open_new("custom/pendulum");
  auto* order = dialog()->findChild<QCheckBox*>(QStringLiteral("first_order"));
  const auto shown = [&](const char* field) {
    return dialog()->findChild<TextEditor*>(QLatin1String(field))->isVisibleTo(dialog());
  };
  EXPECT_FALSE(order->isChecked());
  EXPECT_TRUE(shown("inertia") && shown("potential") && shown("strength"));
  EXPECT_TRUE(shown("frame_rotation") && shown("gyroscopic") && shown("lagrangian"));
  EXPECT_FALSE(shown("hamiltonian") || shown("damping"));
  order->click();
  EXPECT_FALSE(shown("inertia") || shown("potential") || shown("frame_rotation"));
  EXPECT_FALSE(shown("gyroscopic") || shown("lagrangian"));
  EXPECT_TRUE(shown("strength") && shown("hamiltonian") && shown("damping"));
  type("strength", QStringLiteral("-1"));
  type("hamiltonian", QStringLiteral("-m*g*l*e3.q[0]"));
  ASSERT_TRUE(eventually([&] { return ready(); }));
  EXPECT_TRUE(label("values").contains(QStringLiteral("H = ")));
  EXPECT_FALSE(label("values").contains(QStringLiteral("T = ")));
  // With the inertia the strength is a spin, which another method takes.
  order->click();
  ASSERT_TRUE(eventually([&] { return ready(); }));
  EXPECT_TRUE(shown("inertia"));
}

TEST_F(SystemAsText, TheStartIsTyped) {
  open_new("custom/pendulum");
  auto* table = dialog()->findChild<QTableWidget*>(QStringLiteral("start"));
  ASSERT_TRUE(table->isVisibleTo(dialog()));
  ASSERT_EQ(table->rowCount(), 1);
  const auto write = [&](int column, const char* text) {
    table->item(0, column)->setText(QLatin1String(text));
    ASSERT_TRUE(eventually([&] { return ready(); }));
  };
  write(0, "0, 0, 2");
  write(1, "1; 0; 5");
  EXPECT_EQ(table->item(0, 0)->text(), QStringLiteral("0, 0, 1"));
  EXPECT_EQ(table->item(0, 1)->text(), QStringLiteral("1, 0, 0"));
  table->item(0, 0)->setText(QStringLiteral("0, 0"));
  EXPECT_FALSE(table->item(0, 0)->toolTip().isEmpty());
  apply_until([&] { return now().present->system == "custom"; });
  EXPECT_EQ(Vec3(now().present->q.col(0)), Vec3(0, 0, 1));
  EXPECT_EQ(Vec3(now().present->omega.col(0)), Vec3(1, 0, 0));
  EXPECT_TRUE(window_->session().modified());
}

TEST_F(SystemAsText, WhatIsWrittenIsUnsavedUntilItIsSaved) {
  qputenv("XDG_STATE_HOME", folder_.filePath(QStringLiteral("state")).toUtf8());
  open_new("custom/pendulum");
  apply_until([&] { return now().present->system == "custom"; });
  EXPECT_FALSE(window_->session().modified()) << "an example as it is";

  choose(QStringLiteral("custom/thomson"));
  type("potential", QStringLiteral("2*sum(i < j: k/norm(q[i] - q[j]))"));
  ASSERT_TRUE(eventually([&] { return ready(); })) << label("potential_problem").toStdString();
  apply_until([&] { return now().present->size() > 1; });
  EXPECT_TRUE(window_->session().modified());
  EXPECT_TRUE(eventually([&] { return kept().size() == 1; })) << "a crash loses it otherwise";
  dialog()->hide();

  const auto asks = [&] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box) box->reject();
    return box != nullptr;
  };
  Q_EMIT view().preset_chosen(QStringLiteral("three_body"));
  EXPECT_TRUE(asks()) << "another preset leaves it";
  window_->close();
  EXPECT_TRUE(asks());
  EXPECT_TRUE(window_->isVisible());
  EXPECT_TRUE(window_->session().modified());
}

TEST_F(SystemAsText, ATextThatIsNotAppliedIsRecovered) {
  qputenv("XDG_STATE_HOME", folder_.filePath(QStringLiteral("state")).toUtf8());
  open_dialog("new_system");
  const QString typed = QStringLiteral("-m*g*l*(e3.q[0");
  type("potential", typed);
  ASSERT_TRUE(eventually([&] { return kept().size() == 1; }));
  dialog()->hide();
  window_->close();
  auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
  ASSERT_TRUE(box) << "closing asks";
  box->reject();
  EXPECT_TRUE(window_->isVisible());
  recover_after_crash();
  EXPECT_EQ(dialog()->findChild<TextEditor*>(QStringLiteral("potential"))->text(), typed);
}

TEST_F(SystemAsText, AStartThatIsNotAppliedIsRecovered) {
  qputenv("XDG_STATE_HOME", folder_.filePath(QStringLiteral("state")).toUtf8());
  type_start();
  recover_after_crash();
  ASSERT_TRUE(eventually([&] { return ready(); }));
  EXPECT_EQ(start(), typed_start);
}

TEST_F(SystemAsText, ATextIsRecoveredWithoutAStartThatCannotBeRead) {
  qputenv("XDG_STATE_HOME", folder_.filePath(QStringLiteral("state")).toUtf8());
  type_start();
  recover_after_crash(R"(\\\"twosphere\\\": 1,)");
  ASSERT_TRUE(eventually([&] { return ready(); }));
  EXPECT_NE(start(), typed_start) << "that of the example";
}

TEST_F(SystemAsText, IsSavedAsAPresetWithItsPicture) {
  window_.reset();
  open_window("custom/kepler");
  window_->findChild<QAction*>(QStringLiteral("save_preset"))->trigger();
  auto* ask = window_->findChild<QInputDialog*>(QStringLiteral("save_preset"));
  ASSERT_TRUE(ask);
  ask->setTextValue(QStringLiteral("My orbit"));
  ask->accept();
  const QString file = folder_.filePath(QStringLiteral("data/twosphere/presets/my_orbit.json"));
  ASSERT_TRUE(eventually([&] { return QFileInfo::exists(file); }));
  const QString picture = folder_.filePath(QStringLiteral("data/twosphere/presets/my_orbit.png"));
  ASSERT_TRUE(eventually([&] { return QFileInfo::exists(picture); }));
  EXPECT_EQ(QImage(picture).size(), QSize(448, 280));

  window_.reset();
  open_window();
  // To the last card of the page, once the user's own presets are read.
  const auto to_the_last = [&] {
    window_->findChild<QAction*>(QStringLiteral("presets"))->trigger();
    EXPECT_TRUE(eventually([&] {
      wait_until_drawn();
      return has("gallery/own[0]");
    }));
    QTest::keyClick(&view(), Qt::Key_End);
    wait_until_drawn();
  };
  to_the_last();
  QTest::keyClick(&view(), Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return now().present->title == "My orbit"; }));
  EXPECT_EQ(now().present->system, "custom");
  // The action would close the page while that is open.
  ASSERT_TRUE(eventually([&] {
    wait_until_drawn();
    return !has("gallery/own[0]");
  }));

  // It can be removed: its files go to the trash.
  to_the_last();
  ASSERT_TRUE(has("gallery/own[0]/remove"));
  click("gallery/own[0]/remove");
  ASSERT_TRUE(eventually([&] { return !QFileInfo::exists(file); }));
  EXPECT_FALSE(QFileInfo::exists(picture));
  EXPECT_TRUE(eventually([&] {
    wait_until_drawn();
    return !has("gallery/own[0]");
  }));
  EXPECT_TRUE(
      QFileInfo::exists(folder_.filePath(QStringLiteral("data/Trash/files/my_orbit.json"))));
}

}  // namespace
}  // namespace twosphere::test::system_dialog_test
