// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/command_search_dialog.h"

#include <QAction>
#include <QFontDatabase>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QPainter>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "app/base/check_box_style.h"
#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/dialog.h"
#include "app/dialogs/widgets.h"
#include "ui/shell/word_search.h"

namespace twosphere {

namespace {

enum CommandColumn { title_column, menu_column, keys_column };
constexpr QSize opening_lines{31, 22};  // in lines of text

QString label(const QAction& action) {
  QString text = action.text();
  return text.remove(QLatin1Char('&'));
}

}  // namespace

CommandSearch::CommandSearch(std::vector<Entry> entries, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint), entries_(std::move(entries)) {
  setObjectName(QStringLiteral("command_search"));
  line_ = named(new QLineEdit(this), "", "Command");
  line_->setPlaceholderText("Find a command");
  line_->setClearButtonEnabled(true);
  line_->installEventFilter(this);
  list_ = named(new QTreeWidget(this), "commands", "Commands");
  list_->setColumnCount(3);
  list_->setHeaderHidden(true);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(title_column, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(menu_column, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(keys_column, QHeaderView::ResizeToContents);
  auto* all = new QVBoxLayout(this);
  all->addWidget(line_);
  all->addWidget(list_);
  connect(line_, &QLineEdit::textChanged, this, &CommandSearch::filter);
  connect(line_, &QLineEdit::returnPressed, this, &CommandSearch::carry_out);
  connect(list_, &QTreeWidget::itemClicked, this, &CommandSearch::carry_out);
  const int line = fontMetrics().height();
  QSize place = opening_lines * line;
  if (parent) {
    place = place.boundedTo(parent->size() * 7 / 8);
    const QPoint corner((parent->width() - place.width()) / 2, parent->height() / 8);
    move(parent->mapToGlobal(corner));
  }
  resize(place);
  filter();
}

// It has no frame of a window manager.
void CommandSearch::paintEvent(QPaintEvent* event) {
  QDialog::paintEvent(event);
  QPainter painter(this);
  painter.setPen(edge_color(palette()));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

bool CommandSearch::eventFilter(QObject* watched, QEvent* event) {
  if (watched != line_ || event->type() != QEvent::KeyPress)
    return QDialog::eventFilter(watched, event);
  const int rows = list_->topLevelItemCount();
  int row = list_->indexOfTopLevelItem(list_->currentItem());
  constexpr int page = 10;
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Up:
      --row;
      break;
    case Qt::Key_Down:
      ++row;
      break;
    case Qt::Key_PageUp:
      row -= page;
      break;
    case Qt::Key_PageDown:
      row += page;
      break;
    default:
      return false;
  }
  if (rows > 0) list_->setCurrentItem(list_->topLevelItem(std::clamp(row, 0, rows - 1)));
  return true;
}

/// Those that answer what was typed, the best first; in the menus' order where they are alike.
void CommandSearch::filter() {
  const std::string typed = line_->text().toStdString();
  std::vector<std::pair<std::pair<int, int>, std::size_t>> found;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const QString name = label(*entry.action);
    // The name, then also its menu, then what the action does; last, a name that is typed wrongly.
    const std::string text = name.toStdString();
    const std::optional<int> scores[]{
        ui::word_score(typed, text),
        ui::word_score(typed, (entry.menu + QLatin1Char(' ') + name).toStdString()),
        ui::word_score(typed, entry.action->statusTip().toStdString()),
        ui::word_score(typed, text, ui::Spelling::with_typos)};
    const auto first = std::find_if(std::begin(scores), std::end(scores),
                                    [](const auto& score) { return score.has_value(); });
    if (first != std::end(scores))
      found.emplace_back(std::pair(static_cast<int>(first - scores), -**first), i);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  list_->clear();
  QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  mono.setPixelSize(list_->fontInfo().pixelSize());
  for (const auto& [score, i] : found) {
    const QAction& action = *entries_[i].action;
    auto* item = new QTreeWidgetItem(
        list_,
        {label(action), entries_[i].menu, action.shortcut().toString(QKeySequence::PortableText)});
    item->setData(title_column, Qt::UserRole, static_cast<qulonglong>(i));
    item->setFont(keys_column, mono);
    item->setTextAlignment(keys_column, Qt::AlignRight | Qt::AlignVCenter);
    item->setForeground(menu_column, palette().placeholderText());
    item->setForeground(keys_column, palette().placeholderText());
    item->setToolTip(title_column, plain_tip(action.statusTip()));
    if (!action.isEnabled()) item->setDisabled(true);
  }
  if (found.empty()) {
    auto* none = new QTreeWidgetItem(
        list_, {QStringLiteral("Nothing found for \"%1\". Try exponents, record video, figure.")
                    .arg(line_->text().trimmed())});
    none->setFirstColumnSpanned(true);
    none->setDisabled(true);
  }
  list_->setCurrentItem(list_->topLevelItem(0));
}

void CommandSearch::carry_out() {
  const QTreeWidgetItem* item = list_->currentItem();
  if (!item || item->isDisabled()) return;
  QAction* action =
      entries_[static_cast<std::size_t>(item->data(title_column, Qt::UserRole).toULongLong())]
          .action;
  accept();
  // When this dialog has gone, as the action may open another.
  QMetaObject::invokeMethod(action, &QAction::trigger, Qt::QueuedConnection);
}

namespace {

QDialog* make_command_search(const DialogContext& context) {
  const QMainWindow& window = context.window;
  std::vector<CommandSearch::Entry> entries;
  for (const ui::ActionInfo& info : ui::actions())
    if (info.action != ui::Action::command_search)
      entries.push_back({window.findChild<QAction*>(to_qstring(info.id)), to_qstring(info.menu)});
  for (QAction* preset : window.findChild<QMenu*>(QStringLiteral("presets"))->actions())
    entries.push_back({preset, QStringLiteral("Open preset")});
  for (QAction* figure : window.findChild<QMenu*>(QStringLiteral("figures"))->actions())
    entries.push_back({figure, QStringLiteral("Open figure")});
  return new CommandSearch(std::move(entries), &context.window);
}

}  // namespace

DialogRecord command_search_dialog() {
  return {.key = "command_search",
          .title = QStringLiteral("Find a command"),
          .make = make_command_search};
}

}  // namespace twosphere

#include "moc_command_search_dialog.cpp"
