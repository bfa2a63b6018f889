// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/render_page.h"
#include "app/cli/render_pictures.h"
#include "app/cli/window_module.h"
#include "app/export/drawn_page.h"
#include "app/figures/figure_file.h"
#include "app/figures/offscreen_application.h"
#include "app/figures/paper_figure.h"
#include "app/window/window.h"

namespace twosphere {

namespace {

std::string offscreen_figure(const Figure& figure, const FigurePage& page) {
  // Until the process ends, when Qt must not be taken down after its own objects.
  [[maybe_unused]] static const auto* application = new Offscreen;
  return figure_file(figure, page, paper_look()).toStdString();
}

int draw(const PictureOptions& options) {
  return options.html.empty() ? draw_pictures(options) : draw_web_page(options);
}

}  // namespace

const WindowModule twosphere_window_module{run_window, draw, offscreen_figure, draw_page,
                                           render::gltf_run};

}  // namespace twosphere
