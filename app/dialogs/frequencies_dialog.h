// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/dialogs/study_dialog.h"
#include "app/figures/frequency_figure.h"
#include "core/scenario/scenario.h"
#include "core/studies/followed_signal.h"
#include "ui/plot/plot_view.h"

class QComboBox;
class QSpinBox;
class QTableWidget;

namespace twosphere {

class FigureView;
class SignalForm;

/// The frequencies of the run so far, of a complex signal of the state or of a plotted quantity.
/// They are measured beside the run, a few times per second at most, while the dialog is open, at
/// samples of a copy of the run (FollowedSignal).
class FrequenciesDialog : public StudyDialog {
  Q_OBJECT
 public:
  explicit FrequenciesDialog(const DialogContext& context);

  /// What was measured last; null before.
  std::shared_ptr<const FrequencyResult> result() const { return result_; }
  /// Whether that is of the run up to its head, as the fields say.
  bool complete() const;

 private:
  /// The input of a measurement.
  struct Request {
    std::uint64_t generation = 0;
    std::int64_t steps = -1;
    std::shared_ptr<const Scenario> record;
    std::string quantity;  ///< its key; empty: the signal
    ComplexSignal signal;
    int lines = 0;
    ui::Interval time;
    bool operator==(const Request&) const = default;
  };
  QWidget* make_fields();
  void make_results();
  void poll() override;
  void fill_quantities(const ui::VisiblePlots& plots);
  Request request() const;
  void measure(const Request& next);
  void take(const Request& of, Result<FrequencyResult> found);
  void take_signal();
  void show_result();
  void fill_table();
  QString title() const;

  QComboBox* quantity_;
  SignalForm* form_;
  QSpinBox* lines_;
  FigureView* view_;
  QTableWidget* table_;
  QLabel* status_;

  ComplexSignal signal_;
  std::shared_ptr<const Scenario> loaded_;  // whose signal it is
  Request measured_;                        // of what was measured last
  std::shared_ptr<const FrequencyResult> result_;
  std::string failure_;  // why there is no result
  // Used by the work in progress, which shares it.
  std::shared_ptr<FollowedSignal> samples_ = std::make_shared<FollowedSignal>();
};

}  // namespace twosphere
