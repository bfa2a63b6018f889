// SPDX-License-Identifier: GPL-3.0-or-later
// Every dialog: what is spoken of it, through Qt's accessibility interfaces as a screen reader asks
// for it, and the headings of its tables.
#include <fmt/format.h>

#include <QAccessible>
#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <functional>
#include <map>
#include <string>

#include "app/dialogs/dialog.h"
#include "app/dialogs/study_dialog.h"
#include "tests/app/window_fixture.h"

namespace twosphere::dialog_names_test {
namespace {

using namespace test;

/// The action that opens each dialog.
const std::map<std::string_view, const char*> openers{{"figure", "export_figure"},
                                                      {"picture", "save_picture"},
                                                      {"video", "record_film"},
                                                      {"page", "save_page"},
                                                      {"runs", "runs"},
                                                      {"system", "system_as_text"},
                                                      {"sweep", "parameter_map"},
                                                      {"order", "order_study"},
                                                      {"section", "poincare_section"},
                                                      {"frequencies", "frequencies"},
                                                      {"pair_distribution", "pair_distribution"},
                                                      {"orbits", "orbits"},
                                                      {"paper_figure", "paper_figures"},
                                                      {"help", "preset_help"},
                                                      {"command_search", "command_search"},
                                                      {"about", "about"}};

QDialog* open_dialog() {
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (auto* dialog = qobject_cast<QDialog*>(widget); dialog && dialog->isVisible()) return dialog;
  return nullptr;
}

/// The name that is spoken, without the mark of its key. Of a drop-down Qt gives its choice as the
/// name on Unix, which two may have in common: the name is what it was given, or its label's.
QString spoken_name(QWidget* widget) {
  QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
  if (face && qobject_cast<QComboBox*>(widget)) {
    if (!widget->accessibleName().isEmpty()) return widget->accessibleName();
    for (const auto& [label, relation] : face->relations(QAccessible::Label))
      if (label->role() == QAccessible::StaticText) face = label;
  }
  return face ? face->text(QAccessible::Name).remove(QLatin1Char('&')).trimmed() : QString();
}

/// Expects that every widget which the keyboard reaches has its own name.
void expect_names(const QDialog& dialog, const std::string& key) {
  std::map<QString, QString> places;
  int reached = 0;
  for (QWidget* widget : dialog.findChildren<QWidget*>()) {
    // What stands for another widget is reached as that one.
    if ((widget->focusPolicy() & Qt::TabFocus) == 0 || widget->focusProxy() ||
        !widget->isVisibleTo(&dialog))
      continue;
    ++reached;
    const QString name = spoken_name(widget);
    const QString place = QStringLiteral("%1 %2").arg(
        QLatin1String(widget->metaObject()->className()), widget->objectName());
    EXPECT_FALSE(name.isEmpty()) << key << ": " << place.toStdString() << " has no name";
    const auto [other, added] = places.emplace(name, place);
    EXPECT_TRUE(added || name.isEmpty())
        << key << ": " << place.toStdString() << " and " << other->second.toStdString()
        << " are both " << name.toStdString();
  }
  EXPECT_GT(reached, 0) << key;
}

/// Expects that the headings of its tables fit in their columns; returns how many there are.
int expect_whole_headings(const QDialog& dialog, const std::string& where) {
  int headings = 0;
  for (const QHeaderView* header : dialog.findChildren<QHeaderView*>()) {
    if (header->orientation() != Qt::Horizontal || !header->isVisibleTo(&dialog)) continue;
    for (int i = 0; i < header->count(); ++i) {
      if (header->isSectionHidden(i)) continue;
      ++headings;
      EXPECT_GE(header->sectionSize(i), header->sectionSizeHint(i))
          << where << ": "
          << header->model()->headerData(i, Qt::Horizontal).toString().toStdString();
    }
  }
  return headings;
}

struct DialogNames : Window {
  void SetUp() override {
    Window::SetUp();
    QAccessible::setActive(true);
  }
  void TearDown() override {
    window_.reset();
    QAccessible::setActive(false);
  }
  /// Opens one after the other and does this with each and its key.
  void for_each_dialog(const std::function<void(const QDialog&, const std::string&)>& look) {
    for (const DialogRecord& record : dialog_records()) {
      const std::string key(record.key);
      const auto opener = openers.find(record.key);
      ASSERT_NE(opener, openers.end()) << key << ": which action opens it?";
      auto* action = window_->findChild<QAction*>(QLatin1String(opener->second));
      ASSERT_TRUE(action && action->isEnabled()) << opener->second;
      action->trigger();
      ASSERT_TRUE(eventually([] { return open_dialog() != nullptr; })) << key;
      QDialog* const dialog = open_dialog();
      look(*dialog, key);
      dialog->close();
      ASSERT_TRUE(eventually([] { return open_dialog() == nullptr; })) << key;
    }
  }
};

TEST_F(DialogNames, EveryFieldAndButtonHasItsOwn) { for_each_dialog(expect_names); }

TEST_F(DialogNames, EachStudyBeginsWithWhatItIsGoodFor) {
  int studies = 0;
  for_each_dialog([&](const QDialog& dialog, const std::string& key) {
    if (!qobject_cast<const StudyDialog*>(&dialog)) return;
    ++studies;
    const auto* purpose = dialog.findChild<QLabel*>(QStringLiteral("purpose"));
    ASSERT_TRUE(purpose) << key;
    EXPECT_TRUE(purpose->text().endsWith(QLatin1Char('.'))) << key;
  });
  EXPECT_EQ(studies, 7);
}

TEST_F(DialogNames, HeadingsOfTablesAreShownWhole) {
  for (const float scale : {1.0F, 1.3F, 1.5F}) {
    for (int i = 0; i < 10 && view().interface().settings().scale < scale - 0.01F; ++i)
      key(Qt::Key_Equal, Qt::ControlModifier);
    int headings = 0;
    for_each_dialog([&](const QDialog& dialog, const std::string& key) {
      wait_until_drawn();
      headings += expect_whole_headings(dialog, fmt::format("{} at {}", key, scale));
    });
    EXPECT_GE(headings, 20);
  }
}

}  // namespace
}  // namespace twosphere::dialog_names_test
