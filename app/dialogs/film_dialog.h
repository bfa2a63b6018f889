// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/dialogs/dialog_settings.h"
#include "app/video/film.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace twosphere {

/// What there is to film. Times in seconds.
struct FilmSubject {
  double start = 0;   ///< of the run
  double now = 0;     ///< that it has come to
  double end = 0;     ///< of its duration
  int bodies = 0;     ///< that the camera may follow
  int followed = -1;  ///< by the window's camera, from 0; -1: none
};

/// Asks which film to make. Accepted by "Record…".
class FilmDialog : public QDialog {
  Q_OBJECT
 public:
  /// Without ffmpeg only PNG frames are offered.
  FilmDialog(const FilmSettings& settings, const FilmSubject& subject, bool has_ffmpeg,
             QWidget* parent);

  /// As chosen.
  FilmSettings settings() const;
  FilmPlan plan() const;
  /// The body that the camera follows, from 0; -1: none.
  int followed() const;

 private:
  QDoubleSpinBox* number(const char* name, double low, double high, double step, int decimals,
                         double value, const QString& suffix);
  QSpinBox* side(const char* name, int value);
  void take();

  QComboBox* kind_;
  QDoubleSpinBox *from_, *to_, *rate_, *speed_;
  QSpinBox *width_, *height_, *follow_;
  QCheckBox* transparent_;
  QLabel* facts_;
  QPushButton* record_;
};

}  // namespace twosphere
