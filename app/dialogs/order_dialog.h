// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/dialogs/study_dialog.h"
#include "app/figures/figure_file.h"
#include "core/scenario/scenario.h"
#include "core/studies/order_plan.h"

class QComboBox;
class QLineEdit;
class QListWidget;
class QTableWidget;

namespace twosphere {

class FigureView;

/// An order study of the scenario: integrators with several steps from its start, their orders, and
/// the work-precision diagram. The runs are on other threads; the run in the window
/// continues.
class OrderDialog : public StudyDialog {
  Q_OBJECT
 public:
  explicit OrderDialog(const DialogContext& context);

  /// Fields that fit the scenario of the window keep what was chosen; the others are set to their
  /// default values.
  void prepare(const QString& topic) override;

 private:
  QWidget* make_fields();
  void make_results();
  void make_buttons();
  void check_methods(bool (*wanted)(const IntegratorInfo& info));
  Result<OrderStudy> planned() const;
  void start();
  void take(Result<std::optional<OrderStudyResult>> result);
  void poll() override;
  void show_results();

  Scenario scenario_;
  OrderStudy study_;  // that is computed, or was last
  std::optional<OrderStudyResult> result_;
  std::optional<Figure> figure_;

  QLabel* title_;
  QListWidget* methods_;
  QLineEdit *duration_, *steps_, *tolerances_;
  QComboBox* reference_;
  FigureView* view_;
  QTableWidget* table_;
  QLabel* summary_;
  QPushButton *start_, *cancel_, *save_, *save_table_;
};

}  // namespace twosphere
