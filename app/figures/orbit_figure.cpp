// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/orbit_figure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace twosphere {

namespace {

Dash dash_of(Stability stability) {
  switch (stability) {
    case Stability::stable:
      return Dash::solid;
    case Stability::linearly_stable:
      return Dash::dashed;
    case Stability::unstable:
    case Stability::degenerate:
      break;
  }
  return Dash::dotted;
}

Marker marker_of(BifurcationKind kind) {
  switch (kind) {
    case BifurcationKind::branching:
      return Marker::circle;
    case BifurcationKind::doubling:
      return Marker::square;
    case BifurcationKind::collision:
      return Marker::cross;
    case BifurcationKind::fold:
    case BifurcationKind::torus:
      break;
  }
  return Marker::triangle;
}

/// The parts of a curve with one dash each. Between two points it is that of the second.
void add_lines(const OrbitCurve& curve, Color color, std::vector<ui::PlotCurve>& lines) {
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    const bool begins = k == 0 || (k > 1 && curve.dashes[k] != curve.dashes[k - 1]);
    if (begins) {
      lines.push_back(
          {{color, curve.dashes[std::min(std::max<std::size_t>(k, 1), curve.points.size() - 1)]},
           {}});
      if (k > 0) lines.back().points.push_back(curve.points[k - 1]);
    }
    lines.back().points.push_back(curve.points[k]);
  }
}

}  // namespace

OrbitCurve family_curve(const FoundFamily& family, std::string name, int color) {
  OrbitCurve curve{std::move(name), color, {}, {}};
  for (const FoundOrbit& member : family.members) {
    curve.points.push_back({member.orbit.energy, member.period()});
    curve.dashes.push_back(member.orbit.multipliers.stable() ? Dash::solid : Dash::dotted);
  }
  for (const Bifurcation& one : family.bifurcations)
    curve.marks.push_back(
        {one.kind,
         {one.at.energy, family.members.front().closure.order() * one.at.solution.point.period}});
  return curve;
}

OrbitCurve relative_curve(const RelativeCurve& curve, std::string name, int color) {
  OrbitCurve out{std::move(name), color, {}, {}};
  for (const RelativeEquilibrium& one : curve.list) {
    out.points.push_back({one.momentum, one.energy});
    out.dashes.push_back(one.stability == Stability::degenerate && !out.dashes.empty()
                             ? out.dashes.back()
                             : dash_of(one.stability));
  }
  return out;
}

OrbitDiagram relative_diagram(const std::vector<RelativeCurve>& curves, int axis) {
  OrbitDiagram out{
      {"momentum about e" + std::to_string(axis + 1), "J s", {}, {}}, {"energy", "J", {}, {}}, {}};
  for (std::size_t k = 0; k < curves.size(); ++k)
    out.curves.push_back(relative_curve(curves[k], "curve " + std::to_string(k),
                                        static_cast<int>(k) % branch_color_count));
  return out;
}

std::array<std::string, 2> diagram_notes() {
  return {
      "Solid: linearly stable; dotted: unstable. Circle: branching, square: doubling, cross: "
      "collision, triangle: fold.",
      "Solid: stable; dashed: linearly stable; dotted: unstable."};
}

void OrbitDiagram::fit(const ui::Point& also) {
  constexpr int ticks = 8;
  constexpr double inf = std::numeric_limits<double>::infinity();
  ui::Point low{inf, inf}, high{-inf, -inf};
  const auto add = [&](const ui::Point& p) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return;
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  };
  for (const OrbitCurve& curve : curves)
    std::for_each(curve.points.begin(), curve.points.end(), add);
  add(also);
  if (low.x > high.x) low = high = {0, 0};
  x.range = ui::fit_linear(low.x, high.x, ticks);
  y.range = ui::fit_linear(low.y, high.y, ticks);
}

ui::PlotModel OrbitDiagram::plot(Palette palette) const {
  ui::PlotModel model;
  model.over_time = false;
  model.x = x;
  model.y = y;
  for (const OrbitCurve& curve : curves) {
    const Color color = branch_color(curve.color, palette);
    add_lines(curve, color, model.curves);
    for (const OrbitCurve::Mark& mark : curve.marks)
      model.dots.push_back({{color, Dash::solid, marker_of(mark.kind)}, mark.at});
  }
  return model;
}

ui::PlotFigure orbit_figure(const std::vector<OrbitDiagram>& diagrams, const std::string& title) {
  ui::PlotFigure figure;
  figure.title = title;
  const auto notes = diagram_notes();
  for (std::size_t k = 0; k < diagrams.size(); ++k) {
    const OrbitDiagram& one = diagrams[k];
    if (one.curves.empty()) continue;
    for (const OrbitCurve& curve : one.curves)
      figure.keys.push_back({curve.name, {branch_color(curve.color, Palette::light)}});
    if (k < notes.size()) figure.note += (figure.note.empty() ? "" : "\n") + notes[k];
    figure.plots.push_back(one.plot(Palette::light));
  }
  return figure;
}

}  // namespace twosphere
