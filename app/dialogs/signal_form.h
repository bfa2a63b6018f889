// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/base/result.h"
#include "core/scenario/complex_signal.h"

class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace twosphere {

struct Scenario;

/// Fields for the complex signal whose frequencies are measured.
class SignalForm : public QWidget {
  Q_OBJECT
 public:
  explicit SignalForm(QWidget* parent);

  void set_signal(const ComplexSignal& signal);
  /// Its rows, to which others can be added.
  QFormLayout& rows() { return *rows_; }
  /// The two expressions can be disabled where only the window is of use.
  void set_expressions_enabled(bool on);
  /// The signal of the fields, which must fit the system of the scenario. The place of an error is
  /// the name of the field: "Real part, column 3".
  Result<ComplexSignal> signal(const Scenario& scenario) const;

 Q_SIGNALS:
  void edited();

 private:
  QFormLayout* rows_;
  QLineEdit *real_, *imaginary_;
  QSpinBox* window_;
};

}  // namespace twosphere
