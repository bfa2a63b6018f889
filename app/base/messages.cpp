// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/messages.h"

#include <QMainWindow>
#include <QMessageBox>
#include <QStatusBar>

#include "app/base/text.h"

namespace twosphere {

namespace {

constexpr int note_duration = 12'000;  // [ms]

}  // namespace

void Messages::show_note(const QString& text) {
  window_.statusBar()->showMessage(text, note_duration);
}

void Messages::keep_note(const QString& text) { window_.statusBar()->showMessage(text); }

void Messages::clear_note() { window_.statusBar()->clearMessage(); }

void Messages::show_error(const QString& title, const QString& text, bool run_unharmed) {
  auto* box = new QMessageBox(QMessageBox::Warning, title,
                              QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()),
                              QMessageBox::Close, &window_);
  box->setInformativeText(
      QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()) +
      (run_unharmed ? QStringLiteral("<p>The run is unchanged.</p>") : QString()));
  box->setTextInteractionFlags(Qt::TextSelectableByMouse);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();
}

void Messages::report(const Result<void>& done, const QString& path, const QString& what) {
  if (done)
    show_note(QStringLiteral("Written to %1: %2").arg(path, what));
  else
    show_error(QStringLiteral("The file was not written"), to_qstring(done.error().text()));
}

}  // namespace twosphere
