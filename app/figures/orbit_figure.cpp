// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/orbit_figure.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
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
    case BifurcationKind::torus:
      return Marker::diamond;
    case BifurcationKind::fold:
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

ui::PlotAxis quantity_axis(OrbitQuantity quantity, const FamilyAxes& axes) {
  switch (quantity) {
    case OrbitQuantity::energy:
      return {"energy", "J", {}, {}};
    case OrbitQuantity::period:
      return {"period", "s", {}, {}};
    case OrbitQuantity::rate:
      return {"rate at the start", "rad/s", {}, {}};
    case OrbitQuantity::number:
      break;
  }
  return {axes.path, axes.unit == "1" ? std::string() : axes.unit, {}, {}};
}

/// The place of an orbit of so many parts.
ui::Point place_of_orbit(const FamilyAxes& axes, const OrbitPoint& point, int order, double energy,
                         double number) {
  const auto value = [&](OrbitQuantity quantity) {
    switch (quantity) {
      case OrbitQuantity::energy:
        return energy;
      case OrbitQuantity::period:
        return order * point.period;
      case OrbitQuantity::rate:
        return point.state.w.norm();
      case OrbitQuantity::number:
        break;
    }
    return number;
  };
  return {value(axes.x), value(axes.y)};
}

}  // namespace

FamilyAxes family_axes(OrbitForces forces, const std::string& path, const std::string& unit) {
  FamilyAxes axes;
  axes.keeps_energy = forces == OrbitForces::conservative;
  if (!path.empty()) {
    axes.x = OrbitQuantity::number;
    axes.path = path;
    axes.unit = unit;
  } else if (!axes.keeps_energy) {
    axes.x = OrbitQuantity::period;
  }
  if (axes.x == OrbitQuantity::period || forces == OrbitForces::driven)
    axes.y = OrbitQuantity::rate;
  return axes;
}

OrbitDiagram FamilyAxes::diagram() const {
  return {quantity_axis(x, *this),
          quantity_axis(y, *this),
          {},
          keeps_energy
              ? "Solid: linearly stable; dotted: unstable. Circle: branching, square: doubling, "
                "cross: collision, triangle: fold."
              : "Solid: attracting, or linearly stable; dotted: saddle or repelling. Circle: "
                "branching, square: doubling, triangle: fold, diamond: torus."};
}

OrbitCurve family_curve(const FoundFamily& family, std::string name, int color,
                        const FamilyAxes& axes, double number) {
  OrbitCurve curve{std::move(name), color, {}, {}};
  const bool over = family.setting && family.setting->path == axes.path;
  for (const FoundOrbit& member : family.members) {
    const OrbitPoint& point = member.orbit.point();
    curve.points.push_back(place_of_orbit(axes, point, member.closure.order(), member.orbit.energy,
                                          over ? point.parameter : number));
    curve.dashes.push_back(member.orbit.multipliers.stable() ? Dash::solid : Dash::dotted);
  }
  for (const Bifurcation& one : family.bifurcations) {
    const OrbitPoint& point = one.at.solution.point;
    curve.marks.push_back(
        {one.kind, place_of_orbit(axes, point, family.members.front().closure.order(),
                                  one.at.energy, over ? point.parameter : number)});
  }
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
  OrbitDiagram out{{"momentum about e" + std::to_string(axis + 1), "J s", {}, {}},
                   {"energy", "J", {}, {}},
                   {},
                   "Solid: stable; dashed: linearly stable; dotted: unstable."};
  for (std::size_t k = 0; k < curves.size(); ++k)
    out.curves.push_back(relative_curve(curves[k], "curve " + std::to_string(k),
                                        static_cast<int>(k) % branch_color_count));
  return out;
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
  for (const OrbitDiagram& one : diagrams) {
    if (one.curves.empty()) continue;
    for (const OrbitCurve& curve : one.curves)
      figure.keys.push_back({curve.name, {branch_color(curve.color, Palette::light)}});
    figure.note += (figure.note.empty() ? "" : "\n") + one.note;
    figure.plots.push_back(one.plot(Palette::light));
  }
  return figure;
}

}  // namespace twosphere
