// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/orbit_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPalette>
#include <QPen>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/shell/interface_colors.h"

namespace twosphere {

namespace {

constexpr double reach = 14;                     // of the mouse [px]
constexpr double chosen_ring = 6, run_disc = 5;  // radii of marks [px]
constexpr double mark_size = 3, mark_line = 1;   // of bifurcations [pt]

}  // namespace

OrbitView::OrbitView(QWidget* parent) : QWidget(parent), plane_(*this) {
  setMinimumSize(220, 180);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setFocusPolicy(Qt::StrongFocus);
}

void OrbitView::show_diagram(OrbitDiagram diagram, Palette palette, const QString& empty) {
  // Ranges are those of their axes.
  if (diagram.x.label != diagram_.x.label || diagram.y.label != diagram_.y.label) automatic_ = true;
  diagram_ = std::move(diagram);
  palette_ = palette;
  empty_ = empty;
  pressed_.reset();
  chosen_.reset();
  if (diagram_.curves.empty()) automatic_ = true;
  arrange();
}

void OrbitView::choose(std::optional<Place> place, const QString& words) {
  chosen_ = place;
  setAccessibleDescription(words);
  update();
}

void OrbitView::show_run(std::optional<ui::Point> at) {
  if (run_ == at) return;
  run_ = at;
  arrange();
}

void OrbitView::arrange() {
  if (automatic_) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    diagram_.fit(run_.value_or(ui::Point{none, none}));
  } else {
    diagram_.x.range = plane_.x.range;
    diagram_.y.range = plane_.y.range;
  }
  plane_.x = diagram_.x;
  plane_.y = diagram_.y;
  plane_.arrange();
  update();
}

QPointF OrbitView::place_of(const Place& place) const {
  const ui::Point& at = diagram_.curves[place.curve].points[place.point];
  return plane_.place_of(at.x, at.y);
}

/// The point nearest to a place in reach of it, or that of one curve at any distance.
std::optional<OrbitView::Place> OrbitView::nearest(QPointF at,
                                                   std::optional<std::size_t> of_curve) const {
  std::optional<Place> best;
  double min_distance = of_curve ? std::numeric_limits<double>::infinity() : reach;
  for (std::size_t c = 0; c < diagram_.curves.size(); ++c) {
    if (of_curve && c != *of_curve) continue;
    for (std::size_t k = 0; k < diagram_.curves[c].points.size(); ++k) {
      const QPointF away = place_of({c, k}) - at;
      const double distance = std::hypot(away.x(), away.y());
      if (!(distance < min_distance)) continue;  // also one that has no place
      min_distance = distance;
      best = {c, k};
    }
  }
  return best;
}

void OrbitView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  if (hasFocus()) {
    painter.setPen(palette().color(QPalette::Highlight));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
  if (diagram_.curves.empty()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap, empty_);
    return;
  }
  plane_.draw_below(painter, palette_);
  const ui::PlotModel model = diagram_.plot(palette_);
  plane_.draw_inside(painter, palette_,
                     [&](ui::DrawList& list, const ui::PlotLook& look, const ui::Area& area) {
                       for (const ui::PlotCurve& curve : model.curves)
                         draw_curve(list, look, area, curve);
                       for (const ui::PlotDot& dot : model.dots)
                         list.marker(area.at(dot.at), mark_size, dot.style, mark_line);
                     });
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(plane_.box());
  const QColor ink = to_qcolor(ui::colors(palette_).text);
  if (chosen_) {
    painter.setPen(QPen(ink, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(place_of(*chosen_), chosen_ring, chosen_ring);
  }
  if (run_) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawEllipse(plane_.place_of(run_->x, run_->y), run_disc, run_disc);
  }
  painter.setClipping(false);
  plane_.draw_above(painter, palette_);
}

void OrbitView::resizeEvent(QResizeEvent* /*event*/) { arrange(); }

void OrbitView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  pressed_ = nearest(event->position(), {});
  dragged_ = false;
  if (pressed_) Q_EMIT chosen(pressed_->curve, pressed_->point);
}

void OrbitView::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_) return;
  const auto at = nearest(event->position(), pressed_->curve);
  if (!at || at == pressed_) return;
  pressed_ = at;
  dragged_ = true;
  Q_EMIT chosen(at->curve, at->point);
}

void OrbitView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !pressed_) return;
  const Place at = *std::exchange(pressed_, std::nullopt);
  if (!dragged_) Q_EMIT opened(at.curve, at.point, event->modifiers().testFlag(Qt::ShiftModifier));
}

void OrbitView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || plane_.value_at(event->position())) return;
  automatic_ = true;
  arrange();
}

void OrbitView::wheelEvent(QWheelEvent* event) {
  const auto at = plane_.value_at(event->position());
  if (!at || diagram_.curves.empty()) return event->ignore();
  automatic_ = false;
  plane_.zoom(*at, event->angleDelta().y());
  arrange();
  event->accept();
}

void OrbitView::keyPressEvent(QKeyEvent* event) {
  const bool any = !diagram_.curves.empty() && !diagram_.curves.front().points.empty();
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const bool along = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
  const bool across = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
  if (!any || !(enter || along || across)) return QWidget::keyPressEvent(event);
  if (!chosen_) {
    Q_EMIT chosen(0, 0);
    return;
  }
  Place at = *chosen_;
  if (enter) {
    Q_EMIT opened(at.curve, at.point, event->modifiers().testFlag(Qt::ShiftModifier));
    return;
  }
  const auto next = [](std::size_t of, bool forward, std::size_t count) {
    return forward ? std::min(of + 1, count - 1) : of - (of > 0 ? 1 : 0);
  };
  if (along) {
    at.point =
        next(at.point, event->key() == Qt::Key_Right, diagram_.curves[at.curve].points.size());
  } else {
    at.curve = next(at.curve, event->key() == Qt::Key_Down, diagram_.curves.size());
    at.point = std::min(at.point, diagram_.curves[at.curve].points.size() - 1);
  }
  Q_EMIT chosen(at.curve, at.point);
}

}  // namespace twosphere

#include "moc_orbit_view.cpp"
