// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/color/palette.h"
#include "core/studies/orbit_family_table.h"
#include "core/studies/orbit_problem.h"
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
  std::string note{};  ///< what lines and markers mean

  /// The ranges that show all curves and another point, if it is finite.
  void fit(const ui::Point& also);
  /// The diagram in the colours of a palette.
  ui::PlotModel plot(Palette palette) const;
};

/// What is drawn of the orbits of a family.
enum class OrbitQuantity : std::uint8_t {
  energy,  ///< E [J]
  period,  ///< T [s]
  rate,    ///< (Σ_i |ω_i|²)^½ of its start, at t = 0 [rad/s]
  number,  ///< a number of the system
};
/// The axes of a diagram of families: over a number of the system, if there is one, else over E
/// or, where that is not kept, T. The other axis has T, unless x has it or driven forces give it,
/// else the rate.
struct FamilyAxes {
  OrbitQuantity x = OrbitQuantity::energy, y = OrbitQuantity::period;
  std::string path{}, unit{};  ///< of the number
  bool keeps_energy = true;

  /// A diagram without curves.
  OrbitDiagram diagram() const;
};
/// `path`: of the number; empty: there is none.
FamilyAxes family_axes(OrbitForces forces, const std::string& path, const std::string& unit);
/// A family is stable, solid, or not, dotted. `number`: that of the axes in orbits that were not
/// followed over it.
OrbitCurve family_curve(const FoundFamily& family, std::string name, int color,
                        const FamilyAxes& axes, double number);
/// The energy over the momentum. Where stability is not decided, as at a turn, it is that of the
/// point before.
OrbitCurve relative_curve(const RelativeCurve& curve, std::string name, int color);
/// All curves of relative equilibria about an axis, counted from 0.
OrbitDiagram relative_diagram(const std::vector<RelativeCurve>& curves, int axis);

/// Diagrams on paper, one below the other; those without curves are left out.
ui::PlotFigure orbit_figure(const std::vector<OrbitDiagram>& diagrams, const std::string& title);

}  // namespace twosphere
