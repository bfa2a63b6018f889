// SPDX-License-Identifier: GPL-3.0-or-later
// Families and relative equilibria as curves.
#include "app/figures/orbit_figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace twosphere::orbit_figure_test {
namespace {

MultiplierPair pair_of(MultiplierKind kind) {
  MultiplierPair pair;
  pair.kind = kind;
  return pair;
}

/// Two stable orbits, then two unstable ones, with a doubling between them.
FoundFamily family() {
  FoundFamily family;
  for (int k = 0; k < 4; ++k) {
    FoundOrbit one;
    one.orbit.energy = k;
    one.orbit.solution.point.period = 2 + k;
    one.orbit.multipliers.pairs = {
        pair_of(k < 2 ? MultiplierKind::elliptic : MultiplierKind::hyperbolic)};
    family.members.push_back(std::move(one));
  }
  Bifurcation at;
  at.kind = BifurcationKind::doubling;
  at.at.energy = 1.5;
  at.at.solution.point.period = 3.5;
  at.member = 1;
  family.bifurcations.push_back(std::move(at));
  return family;
}

TEST(OrbitFigure, AFamilyIsSolidWhereItIsStableAndDottedWhereNot) {
  OrbitDiagram diagram = FamilyAxes{}.diagram();
  diagram.curves.push_back(family_curve(family(), "slow", 2, {}, 0));
  const ui::PlotModel plot = diagram.plot(Palette::light);
  ASSERT_EQ(plot.curves.size(), 2U);
  EXPECT_EQ(plot.curves[0].style.dash, Dash::solid);
  EXPECT_EQ(plot.curves[0].points.size(), 2U);
  EXPECT_EQ(plot.curves[1].style.dash, Dash::dotted);
  EXPECT_EQ(plot.curves[1].points.size(), 3U) << "from the last stable one";
  EXPECT_EQ(plot.curves[1].points[0].y, 3);
  ASSERT_EQ(plot.dots.size(), 1U);
  EXPECT_EQ(plot.dots[0].style.marker, Marker::square);
  EXPECT_EQ(plot.dots[0].at.x, 1.5);
  EXPECT_EQ(plot.curves[0].style.color, branch_color(2, Palette::light));
}

TEST(OrbitFigure, WhereNoEnergyIsKeptAFamilyIsDrawnOverANumberOfTheSystem) {
  FoundFamily found = family();
  found.setting = FamilySetting{SettingPath("system.damping"), "1/s", 0};
  for (std::size_t k = 0; k < found.members.size(); ++k) {
    OrbitPoint& point = found.members[k].orbit.solution.point;
    point.parameter = 0.1 * static_cast<double>(k);
    point.state.w = Columns::Constant(3, 1, static_cast<double>(k));
  }
  found.bifurcations[0].kind = BifurcationKind::torus;
  found.bifurcations[0].at.solution.point.parameter = 0.15;
  const FamilyAxes cycles = family_axes(OrbitForces::dissipative, "system.damping", "1/s");
  EXPECT_EQ(cycles.diagram().x.label, "system.damping");
  EXPECT_EQ(cycles.diagram().x.unit, "1/s");
  EXPECT_EQ(cycles.diagram().y.label, "period");
  EXPECT_NE(cycles.diagram().note.find("attracting"), std::string::npos);
  OrbitDiagram diagram = cycles.diagram();
  diagram.curves.push_back(family_curve(found, "cycles", 0, cycles, 7));
  EXPECT_DOUBLE_EQ(diagram.curves[0].points[3].x, 0.3);
  EXPECT_EQ(diagram.curves[0].points[3].y, 5);
  EXPECT_EQ(diagram.curves[0].marks[0].at.x, 0.15);
  EXPECT_EQ(diagram.plot(Palette::light).dots[0].style.marker, Marker::diamond);
  // T is that of driven forces: where they are at the start is drawn in its place.
  const FamilyAxes driven = family_axes(OrbitForces::driven, "system.damping", "1/s");
  EXPECT_DOUBLE_EQ(family_curve(found, "driven", 0, driven, 7).points[2].y, std::sqrt(12.0));
  // Over another number these orbits have its value.
  const FamilyAxes other = family_axes(OrbitForces::driven, "system.gravity", "m/s^2");
  EXPECT_EQ(family_curve(found, "driven", 0, other, 7).points[2].x, 7);
  EXPECT_EQ(family_axes(OrbitForces::dissipative, "", "").diagram().x.label, "period");
}

TEST(OrbitFigure, TheRangesShowAllAndTheRun) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  OrbitDiagram diagram = FamilyAxes{}.diagram();
  diagram.curves.push_back(family_curve(family(), "slow", 0, {}, 0));
  diagram.fit({none, none});
  EXPECT_LE(diagram.x.range.low, 0);
  EXPECT_GE(diagram.y.range.high, 5);
  EXPECT_LT(diagram.x.range.high, 9);
  diagram.fit({9, 3});
  EXPECT_GE(diagram.x.range.high, 9);
}

TEST(OrbitFigure, RelativeEquilibriaHaveThreeKindsOfLines) {
  RelativeCurve curve;
  for (const Stability one : {Stability::stable, Stability::degenerate, Stability::linearly_stable,
                              Stability::unstable}) {
    curve.list.emplace_back();
    curve.list.back().stability = one;
  }
  EXPECT_EQ(relative_curve(curve, "curve 0", 0).dashes,
            (std::vector<Dash>{Dash::solid, Dash::solid, Dash::dashed, Dash::dotted}));
}

TEST(OrbitFigure, OnPaperOnlyDiagramsWithCurvesAreDrawn) {
  OrbitDiagram families = FamilyAxes{}.diagram();
  const OrbitDiagram turning{{"momentum", "J s", {}, {}}, {"energy", "J", {}, {}}, {}};
  families.curves.push_back(family_curve(family(), "slow", 0, {}, 0));
  const ui::PlotFigure figure = orbit_figure({families, turning}, "Pendulum");
  ASSERT_EQ(figure.plots.size(), 1U);
  ASSERT_EQ(figure.keys.size(), 1U);
  EXPECT_EQ(figure.keys[0].name, "slow");
  EXPECT_EQ(figure.note, families.note);
}

}  // namespace
}  // namespace twosphere::orbit_figure_test
