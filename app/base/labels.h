// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>
#include <QString>

class QLabel;

namespace twosphere {

// Qt takes a text for HTML where it looks like it, and HTML can read files. Text from files and
// names is therefore shown by these functions alone; tests/one_list_test.cpp looks for others.

/// A label that shows its texts as they are.
QLabel* plain_label(const QString& text = {}, QWidget* parent = nullptr);

/// A label of HTML of ours, in which other text is escaped.
QLabel* html_label(const QString& html = {}, QWidget* parent = nullptr);

/// A text as it is, for a tooltip.
QString plain_tip(const QString& text);

/// A message with a title in bold and an explanation, both shown as they are. It deletes itself
/// when it is closed. Beside *Cancel* alone other buttons are added, which may lose something:
/// Return does not press them.
QMessageBox* message_box(QWidget* parent, QMessageBox::Icon icon, const QString& window_title,
                         const QString& title, const QString& explanation,
                         QMessageBox::StandardButtons buttons);

}  // namespace twosphere
