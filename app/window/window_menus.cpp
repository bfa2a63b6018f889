// SPDX-License-Identifier: GPL-3.0-or-later
// The menus of the main window, from the list of actions.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <algorithm>
#include <map>
#include <utility>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/figures/paper_figure.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/recent_files.h"
#include "app/window/main_window.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"

namespace twosphere {
namespace {

QMenu& submenu_named(QMenu& menu, const QString& name) {
  if (auto* submenu = menu.findChild<QMenu*>(name, Qt::FindDirectChildrenOnly)) return *submenu;
  QMenu* submenu = menu.addMenu(QLatin1Char('&') + name);
  submenu->setObjectName(name);
  submenu->setToolTipsVisible(true);
  return *submenu;
}

// Plus and equals share a key on most keyboards.
QList<QKeySequence> shortcuts(std::string_view key, std::string_view second = {}) {
  if (!second.empty()) return shortcuts(key) + shortcuts(second);
  if (key.empty()) return {};
  const QString name = to_qstring(key);
  QList<QKeySequence> list{QKeySequence(name, QKeySequence::PortableText)};
  for (const auto& [one, other] : {std::pair{'+', '='}, std::pair{'=', '+'}})
    if (key.back() == one)
      list << QKeySequence(name.chopped(1) + QLatin1Char(other), QKeySequence::PortableText);
  return list;
}

/// The title with the mark of its key before the first letter whose key no other menu has.
QString with_key(const QString& title, const QMenuBar& bar) {
  const QList<QAction*> others = bar.actions();
  for (qsizetype i = 0; i < title.size(); ++i) {
    QString marked = title;
    marked.insert(i, QLatin1Char('&'));
    const QKeySequence key = QKeySequence::mnemonic(marked);
    if (std::none_of(others.begin(), others.end(), [&](const QAction* other) {
          return QKeySequence::mnemonic(other->text()) == key;
        }))
      return marked;
  }
  return title;
}

}  // namespace

void MainWindow::make_menus() {
  std::map<std::string_view, QActionGroup*> groups;
  for (const ui::ActionInfo& info : ui::actions()) {
    QMenu& menu = menu_titled(to_qstring(info.menu));
    QMenu& place = info.submenu.empty() ? menu : submenu_named(menu, to_qstring(info.submenu));
    if (info.separator_before) place.addSeparator();
    QAction* action = make_action(info);
    if (!info.group.empty()) {
      if (!groups[info.group]) groups[info.group] = new QActionGroup(this);
      action->setActionGroup(groups[info.group]);
    }
    place.addAction(action);
    addAction(action);  // so that its key works without the menu bar
    if (info.action == ui::Action::paper_figures) list_paper_figures(menu);
    if (info.action != ui::Action::open_scenario) continue;
    list_recent_files(menu);
    list_presets(menu);
  }
}

QMenu& MainWindow::menu_titled(const QString& title) {
  if (auto* menu = menuBar()->findChild<QMenu*>(title, Qt::FindDirectChildrenOnly)) return *menu;
  QMenu* menu = menuBar()->addMenu(with_key(title, *menuBar()));
  menu->setObjectName(title);
  menu->setToolTipsVisible(true);
  // A menu closed by Esc would leave the keyboard focus with the menu bar until the next Esc.
  connect(
      menu, &QMenu::aboutToHide, this,
      [this] {
        if (!QApplication::activePopupWidget() && menuBar()->hasFocus())
          centralWidget()->setFocus();
      },
      Qt::QueuedConnection);
  return *menu;
}

QAction* MainWindow::make_action(const ui::ActionInfo& info) {
  auto* action = new QAction(to_qstring(info.label), this);
  action->setObjectName(to_qstring(info.id));
  action->setToolTip(plain_tip(to_qstring(info.help)));
  action->setStatusTip(to_qstring(info.help));
  action->setShortcuts(shortcuts(info.key, info.other_key));
  if (viewport_->interface().is_checked(info.action)) action->setCheckable(true);
  connect(action, &QAction::triggered, this, [this, which = info.action] { perform(which); });
  return action;
}

void MainWindow::list_recent_files(QMenu& menu) {
  QMenu* recent = menu.addMenu(QStringLiteral("Open &recent"));
  recent->setObjectName(QStringLiteral("recent"));
  recent->setToolTipsVisible(true);
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { update_recent_files(*recent); });
}

void MainWindow::update_recent_files(QMenu& menu) {
  menu.clear();
  for (const ui::RecentFile& entry : recent_entries()) {
    const QString file = to_qstring(entry.path);
    const QFileInfo info(file);
    if (!info.isFile()) continue;
    QString label = info.fileName() + QStringLiteral("  ·  ") + info.path();
    QAction* action = menu.addAction(label.replace(QLatin1Char('&'), QLatin1String("&&")));
    action->setToolTip(plain_tip(file));
    connect(action, &QAction::triggered, this, [this, file] { document_->open(file); });
  }
  if (menu.isEmpty()) {
    menu.addAction(QStringLiteral("No recent files"))->setEnabled(false);
    return;
  }
  menu.addSeparator();
  connect(menu.addAction(QStringLiteral("Clear the list")), &QAction::triggered, this,
          &forget_recent_files);
}

void MainWindow::list_presets(QMenu& menu) {
  QMenu* list = menu.addMenu(QStringLiteral("Open &preset"));
  list->setObjectName(QStringLiteral("presets"));
  for (const Preset& preset : presets()) {
    const auto scenario = read_scenario(preset.text, preset.key);
    QAction* open = list->addAction(to_qstring(scenario ? scenario->title : preset.key));
    open->setObjectName(to_qstring(preset.key));
    if (scenario) open->setStatusTip(to_qstring(scenario->description));
    connect(open, &QAction::triggered, this,
            [this, key = to_qstring(preset.key)] { document_->open_preset(key); });
  }
}

void MainWindow::list_paper_figures(QMenu& menu) {
  QMenu* list = menu.addMenu(QStringLiteral("Open &figure"));
  list->setObjectName(QStringLiteral("figures"));
  for (const PaperEntry& entry : paper_entries()) {
    QAction* open = list->addAction(
        QStringLiteral("Figure %1: %2").arg(to_qstring(entry.number), to_qstring(entry.title)));
    open->setObjectName(QStringLiteral("figure_") + to_qstring(entry.number));
    connect(open, &QAction::triggered, this,
            [this, number = to_qstring(entry.number)] { dialogs_->open("paper_figure", number); });
  }
}

/// The keys that open the menus of the menu bar: Alt with the underlined letters.
std::vector<ui::KeyHint> MainWindow::menu_keys() const {
  std::vector<ui::KeyHint> keys;
  for (QAction* title : menuBar()->actions()) {
    const QRect at = menuBar()->actionGeometry(title);
    const QPoint from = viewport_->mapFromGlobal(menuBar()->mapToGlobal(at.topLeft()));
    const QString key = QKeySequence::mnemonic(title->text()).toString(QKeySequence::PortableText);
    if (title->isVisible() && !key.isEmpty())
      keys.push_back({{static_cast<float>(from.x()), static_cast<float>(from.y()),
                       static_cast<float>(at.width()), static_cast<float>(at.height())},
                      key.toStdString()});
  }
  return keys;
}

void MainWindow::hide_actions_of_scene() {
  QSet<QAction*> shown;
  for (const ui::ActionInfo& info : ui::actions())
    if (info.without_scene) shown << findChild<QAction*>(to_qstring(info.id));
  for (QAction* action : actions()) {
    action->setVisible(shown.contains(action));
    if (!action->isVisible()) action->setEnabled(false);
  }
  // The key map is in the scene, so its key opens the help page.
  auto* help = findChild<QAction*>(to_qstring(ui::info(ui::Action::preset_help).id));
  help->setShortcuts(help->shortcuts() << shortcuts(ui::info(ui::Action::key_map).key));
  // Submenus first.
  QList<QMenu*> menus = menuBar()->findChildren<QMenu*>();
  for (auto menu = menus.rbegin(); menu != menus.rend(); ++menu) {
    const QList<QAction*> entries = (*menu)->actions();
    (*menu)->menuAction()->setVisible(std::any_of(
        entries.begin(), entries.end(), [&](QAction* entry) { return shown.contains(entry); }));
  }
}

}  // namespace twosphere
