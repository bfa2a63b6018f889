// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/labels.h"

#include <QLabel>
#include <QTextDocument>

namespace twosphere {

namespace {

QLabel* label_of(Qt::TextFormat format, const QString& text, QWidget* parent) {
  auto* made = new QLabel(parent);
  made->setTextFormat(format);
  made->setText(text);
  return made;
}

QString as_html(const QString& text) {
  return Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal);
}

}  // namespace

QLabel* plain_label(const QString& text, QWidget* parent) {
  return label_of(Qt::PlainText, text, parent);
}

QLabel* html_label(const QString& html, QWidget* parent) {
  return label_of(Qt::RichText, html, parent);
}

QString plain_tip(const QString& text) { return Qt::mightBeRichText(text) ? as_html(text) : text; }

QMessageBox* message_box(QWidget* parent, QMessageBox::Icon icon, const QString& window_title,
                         const QString& title, const QString& explanation,
                         QMessageBox::StandardButtons buttons) {
  auto* box = new QMessageBox(
      icon, window_title, QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()), buttons, parent);
  box->setInformativeText(as_html(explanation));
  box->setAttribute(Qt::WA_DeleteOnClose);
  if (buttons == QMessageBox::Cancel) box->setDefaultButton(QMessageBox::Cancel);
  return box;
}

}  // namespace twosphere
