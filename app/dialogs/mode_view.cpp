// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/mode_view.h"

#include <QColor>
#include <QPainter>
#include <QPalette>
#include <QPen>
#include <QPointF>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/output/motion_box.h"

namespace twosphere {

namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

/// The direction to the right and that up of the picture. Gravity, along +e3, points down.
std::pair<Vec3, Vec3> picture_axes(bool gravity) {
  constexpr double azimuth = 0.5, height = 0.35;
  const Vec3 up = gravity ? Vec3(-Vec3::UnitZ()) : Vec3(Vec3::UnitZ());
  const Vec3 ahead(-std::sin(azimuth), std::cos(azimuth), 0);
  return {ahead.cross(up), std::cos(height) * up + std::sin(height) * ahead};
}

}  // namespace

ModeView::ModeView(QWidget* parent) : QWidget(parent) {
  setMinimumSize(160, 160);
  frames_.setInterval(33);
  connect(&frames_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
}

void ModeView::show_mode(std::shared_ptr<const System> system, const Columns& q, const Mode& mode,
                         double amplitude) {
  constexpr int samples = 16;
  system_ = std::move(system);
  q_ = q;
  mode_ = mode;
  amplitude_ = amplitude;
  // The box of all that is drawn.
  Geometry geometry;
  Box box;
  for (int k = 0; k < samples; ++k) {
    system_->geometry(moved_by_mode(q_, mode_, amplitude_, whole_turn * k / samples), geometry);
    extend_box(geometry, box);
    if (geometry.sphere) box.extend(Box(-Vec3::Ones(), Vec3::Ones()));
  }
  center_ = box.isEmpty() ? Vec3(Vec3::Zero()) : Vec3(box.center());
  radius_ = box.isEmpty() ? 1 : std::max(box.diagonal().norm() / 2, 1e-12);
  clock_.start();
  update();
}

void ModeView::clear() {
  system_.reset();
  update();
}

std::optional<Columns> ModeView::drawn() const {
  if (!system_) return {};
  const double phase = whole_turn * static_cast<double>(clock_.elapsed()) / (1000 * period);
  return moved_by_mode(q_, mode_, amplitude_, phase);
}

void ModeView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  frames_.start();
}

void ModeView::hideEvent(QHideEvent* event) {
  frames_.stop();
  QWidget::hideEvent(event);
}

void ModeView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  const std::optional<Columns> q = drawn();
  if (!q) return;
  Geometry geometry;
  system_->geometry(*q, geometry);
  const auto [right, up] = picture_axes(system_->extent().gravity);
  constexpr double filled = 0.45;  // of the shorter side
  const double scale = filled * std::min(width(), height()) / radius_;
  const auto place = [&, &right = right, &up = up](const Vec3& point) {
    const Vec3 from_center = point - center_;
    return QPointF(width() / 2.0 + scale * from_center.dot(right),
                   height() / 2.0 - scale * from_center.dot(up));
  };
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor ink = palette().color(QPalette::Text), faint = palette().color(QPalette::Mid);
  if (geometry.sphere) {
    painter.setPen(faint);
    painter.drawEllipse(place(Vec3::Zero()), scale, scale);
  }
  painter.setPen(faint);
  for (const Geometry::Link& guide : geometry.guides)
    painter.drawLine(place(guide.from), place(guide.to));
  painter.setPen(QPen(faint, 1.5, Qt::DashLine));
  for (const Geometry::Spring& spring : geometry.springs)
    painter.drawLine(place(spring.from), place(spring.to));
  painter.setPen(QPen(ink, 2));
  for (const Geometry::Link& link : geometry.links)
    painter.drawLine(place(link.from), place(link.to));
  for (const Geometry::Arrow& arrow : geometry.arrows)
    painter.drawLine(place(arrow.from), place(arrow.to));
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette().color(QPalette::Highlight));
  constexpr double dot = 6;  // of the largest body [px]
  for (const Geometry::Body& body : geometry.bodies) {
    const double size = dot * std::max(0.3, body.size);
    painter.drawEllipse(place(body.position), size, size);
  }
}

}  // namespace twosphere

#include "moc_mode_view.cpp"
