// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/section_view.h"

#include <QGuiApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleHints>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/figures/print_painter.h"
#include "ui/shell/interface_colors.h"

namespace twosphere {

namespace {

constexpr std::size_t points_at_once = 400'000;                  // some milliseconds
constexpr std::size_t few_points = 2'000, many_points = 60'000;  // points, for the size of dots
constexpr int ring = 5;  // radius of the mark at the newest point [px]

}  // namespace

SectionView::SectionView(QWidget* parent) : QWidget(parent), plane_(*this) {
  setMinimumSize(320, 280);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMouseTracking(true);
  setFocusPolicy(Qt::ClickFocus);
  timer_.setSingleShot(true);
  timer_.setInterval(0);
  connect(&timer_, &QTimer::timeout, this, &SectionView::count_points);
}

void SectionView::show_picture(SectionPicture picture, Palette palette) {
  const bool same_plane = picture_ && picture_->coordinates == picture.coordinates &&
                          picture_->x.label == picture.x.label &&
                          picture_->y.label == picture.y.label;
  if (!same_plane) {
    extents_.clear();
    automatic_ = true;
  }
  palette_ = palette;
  picture_ = std::move(picture);
  const auto gone = [this](const auto& entry) {
    return std::none_of(picture_->series.begin(), picture_->series.end(),
                        [&](const auto& series) { return series.name == entry.first; });
  };
  std::erase_if(extents_, gone);
  std::erase_if(densities_, gone);
  image_old_ = true;
  count_points();
}

void SectionView::show_text(const QString& text) {
  if (!picture_ && text_ == text) return;
  picture_.reset();
  extents_.clear();
  densities_.clear();
  cursor_.reset();
  automatic_ = true;
  text_ = text;
  setAccessibleDescription(text);
  update();
}

void SectionView::fit() {
  automatic_ = true;
  count_points();
}

std::size_t SectionView::points_inside() const {
  std::size_t all = 0;
  for (const auto& [name, density] : densities_) all += density.inside();
  return all;
}

/// Looks at up to `budget` points; returns whether all were looked at.
bool SectionView::look_at_extents(std::size_t& budget) {
  bool all = true;
  for (const SectionPicture::Series& series : picture_->series) {
    const SectionPoints& points = series.points;
    Extent& extent = extents_[series.name];
    if (extent.version != points.version() || extent.seen > points.size() ||
        extent.coordinates != picture_->coordinates) {
      extent = {};
      extent.version = points.version();
      extent.coordinates = picture_->coordinates;
    }
    const std::size_t end = std::min(points.size(), extent.seen + budget);
    budget -= end - extent.seen;
    for (; extent.seen < end; ++extent.seen) {
      const auto values = points.values(extent.seen);
      const double at[2] = {values[picture_->coordinates[0]], values[picture_->coordinates[1]]};
      if (!std::isfinite(at[0]) || !std::isfinite(at[1])) continue;
      for (int k = 0; k < 2; ++k) {
        extent.low[k] = extent.any ? std::min(extent.low[k], at[k]) : at[k];
        extent.high[k] = extent.any ? std::max(extent.high[k], at[k]) : at[k];
      }
      extent.any = true;
    }
    all = all && extent.seen == points.size();
  }
  return all;
}

void SectionView::fit_ranges() {
  double low[2], high[2];
  bool any = false;
  for (const auto& [name, extent] : extents_) {
    if (!extent.any) continue;
    for (int k = 0; k < 2; ++k) {
      low[k] = any ? std::min(low[k], extent.low[k]) : extent.low[k];
      high[k] = any ? std::max(high[k], extent.high[k]) : extent.high[k];
    }
    any = true;
  }
  if (!any) return;
  constexpr int steps = 8;
  plane_.x.range = ui::fit_linear(low[0], high[0], steps);
  plane_.y.range = ui::fit_linear(low[1], high[1], steps);
}

std::optional<std::array<double, 2>> SectionView::value_at(QPointF at) const {
  return picture_ ? plane_.value_at(at) : std::nullopt;
}

/// Counts a part of the points that are not counted yet, and continues later.
void SectionView::count_points() {
  if (!picture_) return;
  std::size_t budget = points_at_once;
  complete_ = true;
  if (automatic_) {
    complete_ = look_at_extents(budget);
    fit_ranges();
  }
  picture_->x.range = plane_.x.range;
  picture_->y.range = plane_.y.range;
  plane_.x = picture_->x;
  plane_.y = picture_->y;
  plane_.arrange();
  const QRectF frame = plane_.box();
  const double ratio = devicePixelRatioF();
  const ui::DensityGrid grid{std::max(1, static_cast<int>(frame.width() * ratio)),
                             std::max(1, static_cast<int>(frame.height() * ratio)), plane_.x.range,
                             plane_.y.range, picture_->coordinates};
  if (complete_)
    for (const SectionPicture::Series& series : picture_->series) {
      ui::PointDensity& density = densities_[series.name];
      const bool all = density.count(grid, series.points, points_at_once);
      complete_ = complete_ && all;
    }
  image_old_ = true;
  if (!complete_) timer_.start();
  update();
}

/// The points of the lanes of the run, or of the orbits that were started.
QImage SectionView::shade(bool of_run) const {
  std::vector<const ui::PointDensity*> densities;
  std::vector<Color> inks;
  std::size_t points = 0;
  for (const SectionPicture::Series& series : picture_->series) {
    const auto found = densities_.find(series.name);
    if (series.of_run != of_run || found == densities_.end()) continue;
    if (!densities.empty() && found->second.grid() != densities[0]->grid()) continue;
    densities.push_back(&found->second);
    inks.push_back(series.style.color);
    points += found->second.inside();
  }
  if (points == 0) return {};
  const int dot = points < few_points ? 2 : points < many_points ? 1 : 0;
  const std::vector<std::uint32_t> pixels =
      ui::shaded(densities, inks, static_cast<int>(std::lround(dot * devicePixelRatioF())));
  const ui::DensityGrid& grid = densities[0]->grid();
  return QImage(reinterpret_cast<const uchar*>(pixels.data()), grid.columns, grid.rows,
                QImage::Format_ARGB32_Premultiplied)
      .copy();
}

void SectionView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!picture_) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, text_);
    return;
  }
  const QRectF frame = plane_.box();
  plane_.draw_below(painter, palette_);
  if (std::exchange(image_old_, false))
    for (const bool of_run : {true, false}) images_[of_run ? 0 : 1] = shade(of_run);
  for (const QImage& image : images_)
    if (!image.isNull()) painter.drawImage(frame, image);

  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(frame);
  for (const SectionPicture::Series& series : picture_->series) {
    if (!series.of_run || series.points.size() == 0) continue;
    const auto values = series.points.values(series.points.size() - 1);
    painter.setPen(QPen(to_qcolor(ui::colors(palette_).text), 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(
        plane_.place_of(values[picture_->coordinates[0]], values[picture_->coordinates[1]]), ring,
        ring);
  }
  painter.setClipping(false);
  plane_.draw_above(painter, palette_);
}

void SectionView::resizeEvent(QResizeEvent*) { count_points(); }

void SectionView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !value_at(event->position())) return;
  pressed_ = event->position();
  dragged_ = false;
}

void SectionView::mouseMoveEvent(QMouseEvent* event) {
  if (pressed_ && picture_) {
    const QPointF by = event->position() - *pressed_;
    if (!dragged_ && by.manhattanLength() < QGuiApplication::styleHints()->startDragDistance())
      return;
    dragged_ = true;
    automatic_ = false;
    const QRectF frame = plane_.box();
    ui::Interval &x = plane_.x.range, &y = plane_.y.range;
    x = ui::shifted(x, -by.x() / frame.width() * x.span());
    y = ui::shifted(y, by.y() / frame.height() * y.span());
    pressed_ = event->position();
    count_points();
    return;
  }
  cursor_ = value_at(event->position());
  setCursor(cursor_ ? Qt::CrossCursor : Qt::ArrowCursor);
  Q_EMIT cursor_moved();
}

void SectionView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !pressed_) return;
  pressed_.reset();
  const auto at = value_at(event->position());
  if (at && !dragged_) Q_EMIT chosen((*at)[0], (*at)[1]);
}

void SectionView::mouseDoubleClickEvent(QMouseEvent* event) {
  // A double click into the picture would start an orbit first.
  if (event->button() == Qt::LeftButton && !value_at(event->position())) fit();
}

void SectionView::wheelEvent(QWheelEvent* event) {
  const auto at = value_at(event->position());
  if (!at) return event->ignore();
  automatic_ = false;
  plane_.zoom(*at, event->angleDelta().y());
  count_points();
  event->accept();
}

void SectionView::leaveEvent(QEvent*) {
  cursor_.reset();
  Q_EMIT cursor_moved();
}

}  // namespace twosphere

#include "moc_section_view.cpp"
