// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QString>
#include <functional>

namespace twosphere {

/// What expressions of the state are made of.
QString expression_tip();

/// A field for an expression. `edited` is called when a change has been entered.
QLineEdit* expression_field(QWidget* parent, const char* name, const QString& spoken,
                            const QString& tip, std::function<void()> edited);

}  // namespace twosphere
