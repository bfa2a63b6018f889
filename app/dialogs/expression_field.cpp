// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/expression_field.h"

#include <QFontMetrics>
#include <utility>

#include "app/dialogs/widgets.h"

namespace twosphere {

QString expression_tip() {
  return QStringLiteral(
      "q[i] and w[i] are direction and angular velocity of body i, from 0; q[0].e2 is a "
      "component, q[0].q[1] a scalar product");
}

QLineEdit* expression_field(QWidget* parent, const char* name, const QString& spoken,
                            const QString& tip, std::function<void()> edited) {
  auto* line = named(new QLineEdit(parent), name, spoken, tip);
  line->setMinimumWidth(parent->fontMetrics().averageCharWidth() * 24);
  QObject::connect(line, &QLineEdit::editingFinished, parent, [line, edited = std::move(edited)] {
    if (!line->isModified()) return;
    line->setModified(false);
    edited();
  });
  return line;
}

}  // namespace twosphere
