// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/dialogs/dialog.h"
#include "app/export/live_frame.h"
#include "app/export/video.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace twosphere {

class FrameForm;
class FrameView;

/// Asks which picture to save: the window as it is, or a frame of the instant shown, which it
/// shows.
class PictureDialog : public QDialog {
  Q_OBJECT
 public:
  explicit PictureDialog(const DialogContext& context);

  void accept() override;

 private:
  bool of_window() const;
  FrameOptions options() const;
  LiveFrame frame() const;
  void take();

  const DialogContext context_;
  QComboBox* what_;
  QCheckBox* transparent_;
  FrameForm* form_;
  FrameView* view_;
  QLabel* facts_;
  QPushButton* save_;
};

}  // namespace twosphere
