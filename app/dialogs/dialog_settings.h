// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/export/frame_layout.h"
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

/// Of frames, in the dialogs of pictures and videos. Plots that were left out are not, over
/// sessions.
struct FrameSettings {
  FrameContent content = FrameContent::scene;
  PlotPlace place = PlotPlace::right;
  int width = 1280, height = 800;
  int text = 0;  ///< FrameLayout::text
  bool time = false, title = false;
  QString title_text;  ///< empty: that of the scenario
  bool legend = true;
};

/// Of the picture dialog.
struct PictureSettings {
  bool window = true;  ///< the window as it is, in place of a frame
  bool transparent = false;
};

/// Of the video dialog.
struct VideoSettings {
  VideoKind kind = VideoKind::mp4;
  double rate = 30, speed = 1;
  bool transparent = false;  ///< of PNG frames
  bool backwards = false;
};

/// What the user last chose in dialogs, kept over sessions too.
struct DialogSettings {
  FigureSettings figure;
  FrameSettings frame;
  PictureSettings picture;
  VideoSettings video;
};

}  // namespace twosphere
