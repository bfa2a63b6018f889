// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QTimer>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "app/base/background.h"
#include "app/figures/figure_file.h"
#include "core/scenario/scenario.h"
#include "core/studies/order_plan.h"

class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace twosphere {

class FigureView;

/// An order study of the scenario: integrators with several steps from its start, their orders, and
/// the work-precision diagram. The runs are on threads of their own; the run in the window goes on.
class OrderDialog : public QDialog {
  Q_OBJECT
 public:
  explicit OrderDialog(QWidget* parent);
  /// Gives up what is being computed.
  ~OrderDialog() override;

  /// The scenario of the next study. Fields that fit it keep what was chosen; the others are set to
  /// what is usual.
  void set_scenario(const Scenario& scenario);

 Q_SIGNALS:
  /// The figure is to be saved under a name like "double-pendulum-orders".
  void save_wanted(const Figure& figure, const QString& name);
  /// The table of all runs is to be saved, as CSV.
  void table_wanted(const std::string& table, const QString& name);

 private:
  QWidget* make_fields();
  QLayout* make_results();
  QLayout* make_buttons();
  void check_methods(bool (*wanted)(const IntegratorInfo& info));
  Result<OrderStudy> planned() const;
  void start();
  void cancel();
  void take(Result<std::optional<OrderStudyResult>> result);
  void show_state();
  void show_results();
  QString name() const;

  Scenario scenario_;
  OrderStudy study_;  // that is computed, or was last
  std::optional<OrderStudyResult> result_;
  std::optional<Figure> figure_;
  std::atomic<bool> stop_ = false;
  std::atomic<std::size_t> done_ = 0, all_ = 1;
  QTimer look_;  // at what is done

  QLabel* title_;
  QListWidget* methods_;
  QLineEdit *duration_, *steps_, *tolerances_;
  QComboBox* reference_;
  FigureView* view_;
  QTableWidget* table_;
  QLabel *summary_, *problem_;
  QProgressBar* bar_;
  QPushButton *start_, *cancel_, *save_, *save_table_;
  Background work_;  // last: it uses the others
};

}  // namespace twosphere
