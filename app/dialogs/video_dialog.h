// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <vector>

#include "app/dialogs/dialog.h"
#include "app/export/video.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QWidget;

namespace twosphere {

class FrameForm;
class FrameView;
struct Branch;

/// Asks which video of a run to make, and shows one of its frames. "Record…" makes it; without
/// ffmpeg, as PNG frames.
class VideoDialog : public QDialog {
  Q_OBJECT
 public:
  explicit VideoDialog(const DialogContext& context);

  void accept() override;

 private:
  /// A run that there is to video. Times are those of Simulation::elapsed() [s].
  struct Choice {
    int run = 0;  ///< Branch::id
    double start = 0;
    double head = 0;  ///< that it has come to
    double end = 0;   ///< of its duration
  };
  void add_run(const Branch& branch);
  VideoSettings settings() const;
  VideoPlan plan() const;
  QDoubleSpinBox* number(const char* name, double low, double high, double step, int decimals,
                         double value, const QString& suffix, const QString& spoken = {});
  QWidget* fields(bool has_ffmpeg);
  FrameOptions options() const;
  QString problem() const;
  void choose_run();
  void take();
  void show_facts();

  const DialogContext context_;
  std::vector<Choice> runs_;  // one or more, the present one among them
  QComboBox *kind_, *run_;
  QDoubleSpinBox *from_, *to_, *rate_, *speed_;
  QSpinBox* follow_;
  QCheckBox *transparent_, *backwards_;
  FrameForm* frame_;
  FrameView* view_;
  QLabel* facts_;
  QPushButton* record_;
};

}  // namespace twosphere
