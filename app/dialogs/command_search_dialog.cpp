// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/command_search_dialog.h"

#include <QAction>
#include <QFontDatabase>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QPainter>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <string>
#include <utility>

#include "app/base/check_box_style.h"
#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/dialog.h"
#include "app/dialogs/widgets.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/live_run.h"

namespace twosphere {

namespace {

enum CommandColumn { title_column, menu_column, keys_column };
constexpr QSize opening_lines{31, 22};  // in lines of text

}  // namespace

CommandSearch::CommandSearch(std::vector<ui::SearchEntry> index,
                             std::function<bool(const ui::SearchEntry&)> is_enabled,
                             std::function<void(const ui::SearchEntry&)> follow, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint),
      index_(std::move(index)),
      is_enabled_(std::move(is_enabled)),
      follow_(std::move(follow)) {
  setObjectName(QStringLiteral("command_search"));
  line_ = named(new QLineEdit(this), "", "Search");
  line_->setPlaceholderText("Find commands, presets, fields, quantities and help");
  line_->setClearButtonEnabled(true);
  line_->installEventFilter(this);
  list_ = named(new QTreeWidget(this), "commands", "What was found");
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

/// Those that answer what was typed, the best first.
void CommandSearch::filter() {
  const std::string typed = line_->text().toStdString();
  list_->clear();
  QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  mono.setPixelSize(list_->fontInfo().pixelSize());
  for (const ui::SearchEntry* entry : ui::search(typed, index_)) {
    auto* item = new QTreeWidgetItem(
        list_, {to_qstring(entry->title), to_qstring(entry->place), to_qstring(entry->key)});
    item->setData(title_column, Qt::UserRole, static_cast<qulonglong>(entry - index_.data()));
    item->setFont(keys_column, mono);
    item->setTextAlignment(keys_column, Qt::AlignRight | Qt::AlignVCenter);
    item->setForeground(menu_column, palette().placeholderText());
    item->setForeground(keys_column, palette().placeholderText());
    if (entry->kind != ui::SearchEntry::Kind::help)
      item->setToolTip(title_column, plain_tip(to_qstring(entry->text)));
    if (!is_enabled_(*entry)) item->setDisabled(true);
  }
  if (list_->topLevelItemCount() == 0) {
    auto* none = new QTreeWidgetItem(
        list_, {QStringLiteral("Nothing found for \"%1\". Try exponents, record video, damping.")
                    .arg(line_->text().trimmed())});
    none->setFirstColumnSpanned(true);
    none->setDisabled(true);
  }
  list_->setCurrentItem(list_->topLevelItem(0));
}

void CommandSearch::carry_out() {
  const QTreeWidgetItem* item = list_->currentItem();
  if (!item || item->isDisabled()) return;
  const auto index = item->data(title_column, Qt::UserRole).toULongLong();
  accept();
  QMetaObject::invokeMethod(
      parentWidget(),
      [follow = follow_, entry = index_[static_cast<std::size_t>(index)]] { follow(entry); },
      Qt::QueuedConnection);
}

namespace {

QAction* action_of(const QMainWindow& window, const ui::SearchEntry& entry) {
  return window.findChild<QAction*>(to_qstring(entry.target));
}

/// Does what an entry leads to.
void follow(const DialogContext& context, const ui::SearchEntry& entry) {
  ui::Interface& interface = context.viewport.interface();
  switch (entry.kind) {
    case ui::SearchEntry::Kind::action:
      return action_of(context.window, entry)->trigger();
    case ui::SearchEntry::Kind::preset:
      return context.document.open_preset(to_qstring(entry.target));
    case ui::SearchEntry::Kind::field:
      interface.point_at(entry.place, entry.target);
      return context.viewport.request_frame();
    case ui::SearchEntry::Kind::quantity:
      interface.show_plot(*ui::parse_plot(entry.target));
      return context.viewport.request_frame();
    case ui::SearchEntry::Kind::figure:
      return context.open("paper_figure", to_qstring(entry.target));
    case ui::SearchEntry::Kind::tour:
      return context.begin_tour(entry.target);
    case ui::SearchEntry::Kind::help:
      return context.open("help", to_qstring(entry.target));
  }
}

QDialog* make_command_search(const DialogContext& context) {
  const auto is_enabled = [&window = context.window](const ui::SearchEntry& entry) {
    return entry.kind != ui::SearchEntry::Kind::action || action_of(window, entry)->isEnabled();
  };
  // The context is that of Dialogs, which stays.
  const auto lead = [&context](const ui::SearchEntry& entry) { follow(context, entry); };
  // As the left column shows it.
  const Scenario& edited =
      context.run.in_past() ? *context.run.shown().present : *context.run.snapshot().after_rewind;
  return new CommandSearch(ui::search_index(edited), is_enabled, lead, &context.window);
}

}  // namespace

DialogRecord command_search_dialog() {
  return {.key = "command_search", .title = QStringLiteral("Search"), .make = make_command_search};
}

}  // namespace twosphere

#include "moc_command_search_dialog.cpp"
