// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <cassert>
#include <utility>

#include "app/base/labels.h"
#include "app/dialogs/dialog.h"
#include "app/export/export_controller.h"
#include "core/base/thread_pool.h"

// The list. A dialog is one file in this folder, NAME_dialog.cpp, and one line here.
#define TWOSPHERE_DIALOGS(ENTRY) \
  ENTRY(figure)                  \
  ENTRY(video)                   \
  ENTRY(runs)                    \
  ENTRY(system)                  \
  ENTRY(sweep)                   \
  ENTRY(order)                   \
  ENTRY(section)                 \
  ENTRY(frequencies)             \
  ENTRY(paper_figure)            \
  ENTRY(help)                    \
  ENTRY(command_search)          \
  ENTRY(about)

namespace twosphere {

#define TWOSPHERE_DECLARE(name) DialogRecord name##_dialog();
TWOSPHERE_DIALOGS(TWOSPHERE_DECLARE)
#undef TWOSPHERE_DECLARE

QPushButton* add_button(QDialogButtonBox& buttons, const char* name, const QString& label,
                        const QString& tip) {
  QPushButton* made = push_button(buttons, name, label, tip);
  buttons.addButton(made, QDialogButtonBox::ActionRole);
  return made;
}

QPushButton* push_button(QWidget& parent, const char* name, const QString& label,
                         const QString& tip) {
  auto* made = new QPushButton(label, &parent);
  made->setObjectName(QLatin1String(name));
  made->setToolTip(plain_tip(tip));
  made->setAutoDefault(false);
  return made;
}

QLabel* text_lines(QWidget& parent, const char* name) {
  QLabel* made = plain_label({}, &parent);
  made->setObjectName(QLatin1String(name));
  made->setWordWrap(true);
  return made;
}

void bring_up(QDialog& dialog) {
  dialog.show();
  dialog.raise();
  dialog.activateWindow();
}

int spare_threads() { return std::max(1, processors() - 1); }

QScrollArea* scrolling_column(QWidget& parent, QWidget& fields) {
  auto* column = new QScrollArea(&parent);
  column->setAccessibleName(QStringLiteral("Fields"));
  column->setWidget(&fields);
  column->setWidgetResizable(true);
  column->setFrameShape(QFrame::NoFrame);
  column->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  column->setMinimumWidth(fields.sizeHint().width() +
                          column->verticalScrollBar()->sizeHint().width());
  return column;
}

void lay_out(QDialog& dialog, QWidget& fields, QLayout& results, QLayout& buttons) {
  QScrollArea* column = scrolling_column(dialog, fields);
  column->setMaximumWidth(column->minimumWidth());
  auto* both = new QHBoxLayout;
  both->addWidget(column);
  both->addLayout(&results, 1);
  auto* all = new QVBoxLayout(&dialog);
  all->addLayout(both, 1);
  all->addLayout(&buttons);
}

std::function<void(const Figure&, const QString&)> figure_saver(const DialogContext& context) {
  return [&exports = context.exports](const Figure& figure, const QString& name) {
    exports.save_paper_figure(figure, name);
  };
}

const std::vector<DialogRecord>& dialog_records() {
#define TWOSPHERE_CALL(name) name##_dialog(),
  static const std::vector<DialogRecord> all{TWOSPHERE_DIALOGS(TWOSPHERE_CALL)};
#undef TWOSPHERE_CALL
  return all;
}

Dialogs::Dialogs(DialogContext context) : context_(std::move(context)) {}

void Dialogs::open(std::string_view key, const QString& topic) {
  const auto& all = dialog_records();
  const auto record = std::find_if(all.begin(), all.end(),
                                   [key](const DialogRecord& one) { return one.key == key; });
  assert(record != all.end());
  const auto make = [&] {
    QDialog* dialog = record->make(context_);
    dialog->setWindowTitle(record->title);
    return dialog;
  };
  if (!record->show) {
    QDialog* dialog = make();
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    return;
  }
  auto& kept = kept_[record->key];
  if (!kept) kept.reset(make());
  record->show(*kept, context_, topic);
}

}  // namespace twosphere
