// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QElapsedTimer>
#include <QTimer>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/base/background.h"
#include "app/figures/figure_file.h"
#include "app/figures/frequency_figure.h"
#include "app/session/live_run.h"
#include "core/color/palette.h"
#include "core/studies/followed_signal.h"
#include "ui/plot/plot_view.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace twosphere {

class FigureView;
class SignalForm;

/// The frequencies of the run so far, of a complex signal of the state or of a plotted quantity.
/// They are measured beside the run, a few times per second at most, while the dialog is open, at
/// samples of a copy of the run (FollowedSignal).
class FrequenciesDialog : public QDialog {
  Q_OBJECT
 public:
  /// What the window shows.
  struct Shown {
    ui::VisiblePlots plots;
    LaneColors colors = LaneColors::own;
  };
  FrequenciesDialog(LiveRun& run, std::function<Shown()> shown,
                    std::function<ComplexSignal()> signal, QWidget* parent);
  ~FrequenciesDialog() override;

  /// What was measured last; null before.
  std::shared_ptr<const FrequencyResult> result() const { return result_; }
  /// Whether that is of the run up to its head, as the fields say.
  bool complete() const;

 Q_SIGNALS:
  /// The user has chosen another signal.
  void signal_changed(const ComplexSignal& signal);
  /// The table is to be written as CSV under a name without its end.
  void table_wanted(const std::string& table, const QString& name);
  void picture_wanted(const Figure& figure, const QString& name);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

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
  void make_results(QLayout& column);
  void make_buttons(QHBoxLayout& row);
  void poll();
  void fill_quantities(const ui::VisiblePlots& plots);
  Request request() const;
  void measure(const Request& next);
  void take(const Request& of, Result<FrequencyResult> found);
  void take_signal();
  void show_result();
  void fill_table();
  QString title() const;
  QString name() const;

  LiveRun& run_;
  std::function<Shown()> shown_;
  std::function<ComplexSignal()> given_;
  QComboBox* quantity_;
  SignalForm* form_;
  QSpinBox* lines_;
  FigureView* view_;
  QTableWidget* table_;
  QLabel *status_, *problem_;
  QPushButton *copy_, *csv_, *figure_;
  QTimer timer_;

  ComplexSignal signal_;
  std::shared_ptr<const Scenario> loaded_;  // whose signal it is
  Request measured_;                        // of what was measured last
  std::shared_ptr<const FrequencyResult> result_;
  std::string failure_;  // why there is no result
  std::optional<Figure> picture_;
  QElapsedTimer since_;    // the last one began
  std::int64_t took_ = 0;  // [ms]
  FollowedSignal own_;     // used by the work in progress
  /// Abandons that work. One for each time that the dialog is open.
  std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
  Background work_;  // last: it uses the others
};

}  // namespace twosphere
