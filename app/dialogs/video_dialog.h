// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QDialog>
#include <QString>
#include <vector>

#include "app/dialogs/dialog_settings.h"
#include "app/export/video.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace twosphere {

/// A run that there is to video. Times are those of Simulation::elapsed() [s].
struct VideoChoice {
  int run = 0;  ///< Branch::id
  QString name;
  QColor color;
  bool present = false;
  double start = 0;
  double head = 0;  ///< that it has come to
  double end = 0;   ///< of its duration
};

/// What there is to video.
struct VideoSubject {
  std::vector<VideoChoice> runs;  ///< one or more, the present one among them
  int bodies = 0;                 ///< that the camera may follow
  int followed = -1;              ///< by the window's camera, from 0; -1: none
};

/// Asks which video to make. Accepted by "Record…".
class VideoDialog : public QDialog {
  Q_OBJECT
 public:
  /// Without ffmpeg only PNG frames are offered.
  VideoDialog(const VideoSettings& settings, const VideoSubject& subject, bool has_ffmpeg,
              QWidget* parent);

  /// As chosen.
  VideoSettings settings() const;
  VideoPlan plan() const;
  /// The run that is videoed: Branch::id.
  int run() const;
  /// The body that the camera follows, from 0; -1: none.
  int followed() const;

 private:
  QDoubleSpinBox* number(const char* name, double low, double high, double step, int decimals,
                         double value, const QString& suffix);
  QSpinBox* side(const char* name, int value);
  void choose_run();
  void take();

  std::vector<VideoChoice> runs_;
  QComboBox *kind_, *run_;
  QDoubleSpinBox *from_, *to_, *rate_, *speed_;
  QSpinBox *width_, *height_, *follow_;
  QCheckBox *transparent_, *backwards_;
  QLabel* facts_;
  QPushButton* record_;
};

}  // namespace twosphere
