// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/figures/figure_file.h"
#include "core/base/result.h"
#include "core/color/color_map.h"
#include "core/observe/surface_field.h"
#include "core/studies/published.h"

namespace twosphere {

/// The kinetic energy field of a run at some instants, seen from one side.
struct FieldFigure {
  struct Picture {
    double t = 0;                ///< [s]
    double mean = 0;             ///< kinetic energy of a body on average [J]
    std::vector<double> values;  ///< of every face [J]
  };
  std::string title;
  std::vector<std::string> notes;                 ///< below the title, line by line
  std::shared_ptr<const SurfaceField> mesh = {};  ///< whose faces these are
  Vec3 eye = Vec3::UnitX();                       ///< from where; e3 points down as in the papers
  ColorBar bar;                                   ///< of all pictures
  std::vector<Picture> pictures;
};

/// Figure 3.7 of [P1]: simulates its preset up to the last instant. `go_on` is asked at every step
/// with the part of the run that is done; once it says no, the figure has no pictures.
Result<FieldFigure> make_field_figure(const PaperField& field, ColorMap map,
                                      const std::function<bool(double part)>& go_on);

/// As draw_figure() has it: hemispheres of flat faces in rows of three, each with its time, and
/// beneath them a bar that says what colours mean.
Figure as_figure(FieldFigure field);

}  // namespace twosphere
