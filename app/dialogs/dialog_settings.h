// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/export/video.h"
#include "app/figures/figure_data.h"
#include "app/figures/figure_file.h"

namespace twosphere {

/// Of the figure dialog. Plots that were left out are not, over sessions.
struct FigureSettings {
  FigurePage page;
  ui::FigureLook look;
  FigureChoice choice;
  QString unit = QStringLiteral("cm");  ///< that sizes are given in: cm, in or px
};

/// Of the video dialog.
struct VideoSettings {
  VideoKind kind = VideoKind::mp4;
  double rate = 30, speed = 1;
  int width = 1280, height = 800;
  bool transparent = false;  ///< of PNG frames
  bool backwards = false;
};

/// What the user last chose in dialogs, kept over sessions too.
struct DialogSettings {
  FigureSettings figure;
  VideoSettings video;
};

}  // namespace twosphere
