// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "app/dialogs/dialog_settings.h"
#include "app/export/frame_layout.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace twosphere {

/// The fields for the composition of frames, which the dialogs of pictures and videos share: what a
/// frame shows, its size, plots, title, time, text and legend.
class FrameForm : public QWidget {
  Q_OBJECT
 public:
  /// `plots`: those of the window, among which the user chooses; at first the first ones are
  /// chosen.
  FrameForm(const FrameSettings& settings, const std::vector<ui::PlotSpec>& plots, QWidget* parent);

  FrameSettings settings() const;
  FrameLayout composition() const;
  int frame_width() const;
  int frame_height() const;
  bool legend() const;
  /// Why there is no such frame; empty if there is.
  QString problem() const;

 Q_SIGNALS:
  void changed();

 private:
  QSpinBox* side(const char* name, int value, const QString& spoken);
  void add_plots(QFormLayout& form);
  void take();

  const std::vector<ui::PlotSpec> offered_;
  QComboBox *content_, *place_;
  QSpinBox *width_, *height_, *text_;
  QCheckBox *time_, *title_, *legend_;
  QLineEdit* title_text_;
  std::vector<QCheckBox*> plots_;
};

}  // namespace twosphere
