// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QTabWidget>

#include "ui/shell/interface_colors.h"

class QLabel;

namespace twosphere {

struct CheckedDraft;
class FormulaView;
class StartTable;
struct SystemReport;

/// Beside the texts of a system: their equations, values and report, and a page on the language.
class SystemSheet : public QTabWidget {
 public:
  SystemSheet();

  void set_formulas(const QStringList& formulas);
  /// The energies of a text at a state, which is that of the run if `present`, and its start if it
  /// `begins` a run. Of a wrong text neither.
  void show_values(const CheckedDraft& checked, bool begins, bool present);
  /// What is said about the system before its first step.
  void show_report(const SystemReport& report, const ui::Colors& colors);
  void clear_report();
  StartTable& start() { return *start_; }

 private:
  FormulaView* equations_;
  QLabel* values_;
  StartTable* start_;
  QLabel* report_;
};

}  // namespace twosphere
