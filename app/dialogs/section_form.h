// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "core/base/result.h"
#include "core/scenario/poincare_section.h"

class QComboBox;
class QFormLayout;
class QLineEdit;

namespace twosphere {

/// Fields for a section and the two coordinates of its picture.
class SectionForm : public QWidget {
  Q_OBJECT
 public:
  explicit SectionForm(QWidget* parent);

  void set_section(const PoincareSection& section);
  /// As the fields say; the expressions are not checked. The place of an error is the field.
  Result<PoincareSection> section() const;

 Q_SIGNALS:
  void edited();

 private:
  void show_fields();

  PoincareSection given_;
  QFormLayout* form_;
  QComboBox *kind_, *direction_;
  QLineEdit *expression_, *period_, *phase_;
  std::array<QLineEdit*, 2> coordinates_;
};

}  // namespace twosphere
