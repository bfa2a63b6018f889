// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/figures/figure_page.h"
#include "core/base/result.h"
#include "core/color/color_map.h"
#include "core/record/surface_field.h"
#include "core/studies/published.h"

namespace twosphere {

/// The kinetic energy field of a run at several times, seen from one direction.
struct FieldFigure {
  struct Picture {
    double t = 0;                ///< [s]
    double mean = 0;             ///< mean kinetic energy of a body [J]
    std::vector<double> values;  ///< value of every face [J]
  };
  std::string title;
  std::vector<std::string> notes;                 ///< lines below the title
  std::shared_ptr<const SurfaceField> mesh = {};  ///< the mesh of the values
  Vec3 eye = Vec3::UnitX();  ///< direction of the viewer; e3 points down as in the papers
  ColorBar bar;              ///< shared by all pictures
  std::vector<Picture> pictures;
};

/// Figure 3.7 of [P1]: simulates its preset up to the last time. `proceed` is called after every
/// step with the completed fraction of the run; if it returns false, the figure has no pictures.
Result<FieldFigure> make_field_figure(const PaperField& field, ColorMap map,
                                      const std::function<bool(double part)>& proceed);

/// Lays out the figure: hemispheres of flat faces in rows of three, each with its time, and below
/// them the colour bar.
Figure as_figure(FieldFigure field);

}  // namespace twosphere
