// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "app/dialogs/dialog.h"
#include "app/export/drawn_page.h"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace twosphere {

/// Asks which part of the present run a web page holds, and under which title.
class PageDialog : public QDialog {
  Q_OBJECT
 public:
  explicit PageDialog(const DialogContext& context);
  void accept() override;

 private:
  PagePlan plan() const;
  void take();

  const DialogContext context_;
  const double start_, head_;  // of the run, when it was asked for [s]
  QLineEdit* title_;
  QPlainTextEdit* text_;
  QDoubleSpinBox *from_, *to_;
  std::vector<QCheckBox*> lanes_;  // of several
  QLabel* facts_;
  QPushButton* save_;
};

}  // namespace twosphere
