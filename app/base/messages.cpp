// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/messages.h"

#include <QMainWindow>
#include <QStatusBar>
#include <algorithm>

#include "app/base/labels.h"
#include "app/base/qt_text.h"

namespace twosphere {

namespace {

// How long a note is shown: while it hides values in a narrow window, no longer than it takes to
// read [ms].
constexpr int shortest_note = 3'000, longest_note = 12'000, for_each_letter = 70;

}  // namespace

void Messages::show_note(const QString& text) {
  window_.statusBar()->showMessage(
      text, std::clamp(shortest_note + for_each_letter * static_cast<int>(text.size()),
                       shortest_note, longest_note));
}

void Messages::keep_note(const QString& text) { window_.statusBar()->showMessage(text); }

void Messages::clear_note() { window_.statusBar()->clearMessage(); }

void Messages::show_error(const QString& title, const QString& text, bool run_unharmed) {
  auto* box = message_box(&window_, QMessageBox::Warning, title, title,
                          run_unharmed ? text + QStringLiteral("\n\nThe run is unchanged.") : text,
                          QMessageBox::Close);
  box->setTextInteractionFlags(Qt::TextSelectableByMouse);
  box->open();
}

void Messages::report(const Result<void>& done, const QString& path, const QString& what) {
  if (done)
    show_note(QStringLiteral("Written to %1: %2").arg(path, what));
  else
    show_error(QStringLiteral("The file was not written"), to_qstring(done.error().text()));
}

}  // namespace twosphere
