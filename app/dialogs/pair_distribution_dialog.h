// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/dialogs/study_dialog.h"
#include "app/figures/pair_figure.h"
#include "core/base/result.h"
#include "core/record/pair_mean.h"

class QComboBox;
class QLabel;
class QSpinBox;

namespace twosphere {

class FigureView;

/// The pair distribution function of the bodies, while the run continues: the mean over the stored
/// states so far, or that of the instant shown. It is counted beside the run, a few times per
/// second at most.
class PairDistributionDialog : public StudyDialog {
  Q_OBJECT
 public:
  explicit PairDistributionDialog(const DialogContext& context);

  /// What was counted last, one of each lane.
  const std::vector<PairCurve>& curves() const { return curves_; }
  /// Whether that is of the run as it is now, as the fields say.
  bool complete() const { return complete_ && !busy() && counted_ == request(); }

 private:
  /// What is counted.
  struct Request {
    std::uint64_t generation = 0;
    std::int64_t steps = -1;
    double t = 0;           ///< [s]
    std::size_t first = 0;  ///< sample of the run that is not missing
    bool instant = false;
    int bins = 0;
    bool operator==(const Request&) const = default;
  };
  struct Counted {
    std::vector<PairDistribution> lanes;
    bool complete = true;
  };
  QWidget* make_fields();
  void poll() override;
  Request request() const;
  void count(const Request& next);
  void count_instant(const Request& next);
  void take(const Request& of, std::vector<PairCurve> shown, Result<Counted> found);
  void show_curves();
  /// The lanes of the run, without what is counted.
  std::vector<PairCurve> lanes(int bins) const;

  QComboBox* instants_ = nullptr;
  QSpinBox* bins_ = nullptr;
  FigureView* view_;
  QLabel* status_;

  Request counted_;
  bool complete_ = false;
  std::vector<PairCurve> curves_;
  std::string failure_;  // why there is no curve
  // Used by the work in progress, which shares it.
  std::shared_ptr<PairMean> mean_ = std::make_shared<PairMean>();
};

}  // namespace twosphere
