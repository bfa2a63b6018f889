// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/motion_view.h"

#include <QColor>
#include <QPainter>
#include <QPalette>
#include <QPen>
#include <QPointF>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/output/motion_box.h"

namespace twosphere {

namespace {

/// The direction to the right and that up of the picture. Gravity, along +e3, points down.
std::pair<Vec3, Vec3> picture_axes(bool gravity) {
  constexpr double azimuth = 0.5, height = 0.35;
  const Vec3 up = gravity ? Vec3(-Vec3::UnitZ()) : Vec3(Vec3::UnitZ());
  const Vec3 ahead(-std::sin(azimuth), std::cos(azimuth), 0);
  return {ahead.cross(up), std::cos(height) * up + std::sin(height) * ahead};
}

}  // namespace

MotionView::MotionView(QWidget* parent) : QWidget(parent) {
  setMinimumSize(160, 160);
  frames_.setInterval(33);
  connect(&frames_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
}

void MotionView::show_motion(std::shared_ptr<const System> system, std::vector<Columns> motion,
                             bool same_family) {
  Box box;
  if ((system_ == system || same_family) && !paths_.empty())
    box = Box(corners_.first, corners_.second);
  if (!system_) clock_.start();
  system_ = std::move(system);
  motion_ = std::move(motion);
  paths_.clear();
  Geometry geometry;
  for (const Columns& q : motion_) {
    system_->geometry(q, geometry);
    extend_box(geometry, box);
    if (geometry.sphere) box.extend(Box(-Vec3::Ones(), Vec3::Ones()));
    paths_.resize(geometry.bodies.size());
    for (std::size_t i = 0; i < paths_.size(); ++i)
      paths_[i].push_back(geometry.bodies[i].position);
  }
  if (box.isEmpty()) box.extend(Vec3(Vec3::Zero()));
  corners_ = {box.min(), box.max()};
  update();
}

void MotionView::clear() {
  system_.reset();
  motion_.clear();
  paths_.clear();
  update();
}

std::optional<Columns> MotionView::drawn() const {
  if (!system_ || motion_.empty()) return {};
  const auto at = static_cast<std::size_t>(static_cast<double>(clock_.elapsed()) / (1000 * period) *
                                           static_cast<double>(motion_.size()));
  return motion_[at % motion_.size()];
}

void MotionView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  frames_.start();
}

void MotionView::hideEvent(QHideEvent* event) {
  frames_.stop();
  QWidget::hideEvent(event);
}

void MotionView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  const std::optional<Columns> q = drawn();
  if (!q) return;
  Geometry geometry;
  system_->geometry(*q, geometry);
  const auto [right, up] = picture_axes(system_->extent().gravity);
  constexpr double filled = 0.45;  // of the shorter side
  const Vec3 center = (corners_.first + corners_.second) / 2;
  const double scale = filled * std::min(width(), height()) / std::max(radius(), 1e-12);
  const auto place = [&, &right = right, &up = up](const Vec3& point) {
    const Vec3 from_center = point - center;
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
  for (const std::vector<Vec3>& path : paths_) {
    QPolygonF line;
    for (const Vec3& point : path) line << place(point);
    if (!line.isEmpty()) line << line.front();
    painter.drawPolyline(line);
  }
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

#include "moc_motion_view.cpp"
