// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "app/cli/picture_options.h"
#include "app/export/drawn_page.h"
#include "app/figures/figure_page.h"
#include "app/window/window.h"
#include "core/base/result.h"
#include "core/mechanics/turning_frame.h"
#include "render/gltf_run.h"
#include "render/web_page.h"

namespace twosphere {

/// All that draws: the window, pictures, videos and figures, and with them Qt, OpenGL and Dear
/// ImGui. It is a separate library, libtwosphere_window.so, that the program loads when it is
/// first needed: commands that only compute start in a third of the time and memory. It has no copy
/// of the core and of the command line, but uses those of the program.
struct WindowModule {
  int (*run_window)(int argc, char** argv, const WindowOptions& options);
  /// A picture, a video or a web page.
  int (*draw_pictures)(const PictureOptions& options);
  /// In the look of the paper. Empty if there is not enough memory.
  std::string (*figure_file)(const Figure& figure, const FigurePage& page);
  /// draw_page()
  Result<DrawnPage> (*web_page)(render::WebPageSource source);
  Result<render::GltfRun> (*gltf)(const Snapshot& end, const Scenario& record, const PageRows& rows,
                                  const std::optional<TurningFrame>& frame);
};

/// The name by which the program finds it there.
extern "C" const WindowModule twosphere_window_module;

/// Loads the module. Fails if it is missing, or libraries that it needs, or if it is of another
/// version or build of the program. To be called before a computation whose result the module is to
/// draw.
Result<void> load_window_module();

// What the module has, by the module; they load it, too.
int open_window(int argc, char** argv, const WindowOptions& options);
int draw_by_module(const PictureOptions& options);
/// Errors have the location.
Result<std::string> figure_by_module(const Figure& figure, const FigurePage& page,
                                     const std::string& location);
Result<DrawnPage> page_by_module(const render::WebPageSource& source);
Result<render::GltfRun> gltf_by_module(const Snapshot& end, const Scenario& record,
                                       const PageRows& rows,
                                       const std::optional<TurningFrame>& frame);

}  // namespace twosphere
