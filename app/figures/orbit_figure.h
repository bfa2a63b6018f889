// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/color/palette.h"
#include "core/studies/orbit_family_table.h"
#include "core/studies/relative_equilibria.h"
#include "ui/plot/figure.h"

/// Families of orbits and relative equilibria as curves in diagrams.
namespace twosphere {

/// A curve in a diagram: solid where it is stable, dashed where it is so linearly only, dotted
/// where it is unstable.
struct OrbitCurve {
  std::string name;
  int color = 0;  ///< branch_color()
  std::vector<ui::Point> points;
  std::vector<Dash> dashes;  ///< of each point
  struct Mark {
    BifurcationKind kind{};
    ui::Point at;
  };
  std::vector<Mark> marks{};
};

/// A diagram of several curves, whose axes have no ranges yet.
struct OrbitDiagram {
  ui::PlotAxis x, y;
  std::vector<OrbitCurve> curves;

  /// The ranges that show all curves and another point, if it is finite.
  void fit(const ui::Point& also);
  /// The diagram in the colours of a palette.
  ui::PlotModel plot(Palette palette) const;
};

/// The period over the energy. A family is linearly stable or not: solid, or dotted.
OrbitCurve family_curve(const FoundFamily& family, std::string name, int color);
/// The energy over the momentum. Where stability is not decided, as at a turn, it is that of the
/// point before.
OrbitCurve relative_curve(const RelativeCurve& curve, std::string name, int color);
/// All curves of relative equilibria about an axis, counted from 0.
OrbitDiagram relative_diagram(const std::vector<RelativeCurve>& curves, int axis);
/// What lines and markers mean, for the diagram of families, and that of relative equilibria.
std::array<std::string, 2> diagram_notes();

/// Diagrams on paper, one below the other; those without curves are left out.
ui::PlotFigure orbit_figure(const std::vector<OrbitDiagram>& diagrams, const std::string& title);

}  // namespace twosphere
