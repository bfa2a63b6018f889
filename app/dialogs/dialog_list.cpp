// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cassert>
#include <utility>

#include "app/dialogs/dialog.h"
#include "app/session/live_run.h"

// The list. A dialog is one file in this folder, NAME_dialog.cpp, and one line here.
#define TWOSPHERE_DIALOGS(ENTRY) \
  ENTRY(figure)                  \
  ENTRY(picture)                 \
  ENTRY(video)                   \
  ENTRY(page)                    \
  ENTRY(runs)                    \
  ENTRY(system)                  \
  ENTRY(sweep)                   \
  ENTRY(order)                   \
  ENTRY(section)                 \
  ENTRY(frequencies)             \
  ENTRY(orbits)                  \
  ENTRY(pair_distribution)       \
  ENTRY(paper_figure)            \
  ENTRY(help)                    \
  ENTRY(command_search)          \
  ENTRY(about)

namespace twosphere {

#define TWOSPHERE_DECLARE(name) DialogRecord name##_dialog();
TWOSPHERE_DIALOGS(TWOSPHERE_DECLARE)
#undef TWOSPHERE_DECLARE

void bring_up(QDialog& dialog) {
  dialog.show();
  dialog.raise();
  dialog.activateWindow();
}

const std::vector<DialogRecord>& dialog_records() {
#define TWOSPHERE_CALL(name) name##_dialog(),
  static const std::vector<DialogRecord> all{TWOSPHERE_DIALOGS(TWOSPHERE_CALL)};
#undef TWOSPHERE_CALL
  return all;
}

Dialogs::Dialogs(DialogContext context) : context_(std::move(context)) {
  context_.open = [this](std::string_view key, const QString& topic) { open(key, topic); };
}

void Dialogs::open(std::string_view key, const QString& topic) {
  const auto& all = dialog_records();
  const auto record = std::find_if(all.begin(), all.end(),
                                   [key](const DialogRecord& one) { return one.key == key; });
  assert(record != all.end());
  context_.run.update();
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
  auto& dialog = dialogs_[record->key];
  if (!dialog) dialog.reset(make());
  record->show(*dialog, context_, topic);
}

}  // namespace twosphere
