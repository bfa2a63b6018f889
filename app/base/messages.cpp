// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/messages.h"

#include <QMainWindow>
#include <QMessageBox>
#include <QStatusBar>
#include <algorithm>

#include "app/base/text.h"

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
