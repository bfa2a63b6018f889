// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/sweep_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "app/figures/print_painter.h"
#include "ui/shell/interface_colors.h"

namespace twosphere {

namespace {

constexpr double min_cross = 7;  // [px] of a cell with a cross

MapInks inks_of(Palette palette) {
  const ui::Colors& c = ui::colors(palette);
  return {
      .text = {c.text}, .dim = {c.dim}, .line = {c.dim}, .failed = {c.line}, .curve = {c.accent}};
}

}  // namespace

SweepView::SweepView(QWidget* parent) : QWidget(parent) {
  setMinimumSize(360, 300);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
}

void SweepView::show_map(SweepMap map, Palette palette) {
  if (cursor_ && (cursor_->column >= map.across.size() || cursor_->row >= map.up.size()))
    cursor_.reset();
  palette_ = palette;
  const auto columns = static_cast<int>(map.across.size()), rows = static_cast<int>(map.up.size());
  image_ = QImage(columns, rows, QImage::Format_ARGB32_Premultiplied);
  image_.fill(Qt::transparent);
  const Color failed = inks_of(palette).failed.color;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const SweepMap::Cell& cell = map.at(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
      if (cell.shown)
        image_.setPixelColor(x, rows - 1 - y,
                             to_qcolor(cell.failed ? failed : map.color(cell, palette)));
    }
  map_ = std::move(map);
  arrange();
  update();
}

void SweepView::show_text(const QString& text) {
  map_.reset();
  cursor_.reset();
  text_ = text;
  setAccessibleDescription(text);
  update();
}

void SweepView::arrange() {
  if (!map_) return;
  QPixmap paper(1, 1);
  QPainter painter(&paper);
  const PrintPainter letters(painter, font_points(font(), *this));
  const double scale = logicalDpiX() / 72.0;
  layout_ = map_layout(*map_, {width() / scale, height() / scale}, letters, true);
}

QRectF SweepView::cells() const {
  const ui::Box& box = layout_.cells;
  return QRectF(QPointF(box.from.x, box.from.y) * unit(), QPointF(box.to.x, box.to.y) * unit());
}

QPoint SweepView::place_of(Spot spot) const {
  const QRectF box = cells();
  return QPointF(box.left() + (static_cast<double>(spot.column) + 0.5) * box.width() /
                                  static_cast<double>(map_->across.size()),
                 box.bottom() - (static_cast<double>(spot.row) + 0.5) * box.height() /
                                    static_cast<double>(map_->up.size()))
      .toPoint();
}

std::optional<SweepView::Spot> SweepView::spot_at(QPointF at) const {
  const QRectF box = cells();
  if (!map_ || !box.contains(at)) return {};
  const auto index = [](double share, std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(share * static_cast<double>(count)));
  };
  return Spot{index((at.x() - box.left()) / box.width(), map_->across.size()),
              index((box.bottom() - at.y()) / box.height(), map_->up.size())};
}

void SweepView::put_cursor(Spot spot) {
  if (cursor_ == spot) return;
  cursor_ = spot;
  update();
  Q_EMIT cursor_moved();
}

void SweepView::resizeEvent(QResizeEvent*) { arrange(); }

void SweepView::mouseMoveEvent(QMouseEvent* event) {
  const auto spot = spot_at(event->position());
  setCursor(spot ? Qt::CrossCursor : Qt::ArrowCursor);
  if (spot) put_cursor(*spot);
}

void SweepView::mouseReleaseEvent(QMouseEvent* event) {
  const auto spot = spot_at(event->position());
  if (!spot || event->button() != Qt::LeftButton) return;
  put_cursor(*spot);
  choose(*spot, event->modifiers());
}

void SweepView::choose(Spot spot, Qt::KeyboardModifiers held) {
  const std::size_t task = map_->at(spot.column, spot.row).task;
  if (held.testFlag(Qt::ShiftModifier))
    Q_EMIT chosen_with_shift(task);
  else
    Q_EMIT chosen(task);
}

void SweepView::keyPressEvent(QKeyEvent* event) {
  if (!map_) return QWidget::keyPressEvent(event);
  Spot spot = cursor_.value_or(Spot{});
  switch (event->key()) {
    case Qt::Key_Left:
      spot.column -= spot.column > 0 ? 1 : 0;
      break;
    case Qt::Key_Right:
      spot.column = std::min(spot.column + 1, map_->across.size() - 1);
      break;
    case Qt::Key_Down:
      spot.row -= spot.row > 0 ? 1 : 0;
      break;
    case Qt::Key_Up:
      spot.row = std::min(spot.row + 1, map_->up.size() - 1);
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (cursor_) choose(spot, event->modifiers());
      return;
    default:
      return QWidget::keyPressEvent(event);
  }
  put_cursor(spot);
}

void SweepView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!map_) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, text_);
    return;
  }
  const QRectF box = cells();
  painter.fillRect(box, palette().color(QPalette::Base));
  painter.drawImage(box, image_);
  const SweepMap& map = *map_;
  const double wide = box.width() / static_cast<double>(map.across.size()),
               high = box.height() / static_cast<double>(map.up.size());
  const auto rectangle = [&](Spot spot) {
    return QRectF(box.left() + static_cast<double>(spot.column) * wide,
                  box.bottom() - static_cast<double>(spot.row + 1) * high, wide, high);
  };
  painter.setRenderHint(QPainter::Antialiasing);
  if (std::min(wide, high) >= min_cross) {
    painter.setPen(QPen(to_qcolor(ui::colors(palette_).dim), 1));
    for (std::size_t y = 0; y < map.up.size(); ++y)
      for (std::size_t x = 0; x < map.across.size(); ++x) {
        if (!map.at(x, y).failed) continue;
        const QRectF cell = rectangle({x, y});
        painter.drawLine(cell.topLeft(), cell.bottomRight());
        painter.drawLine(cell.topRight(), cell.bottomLeft());
      }
  }
  ui::DrawList list;
  PrintPainter print(painter, font_points(font(), *this));
  const MapInks inks = inks_of(palette_);
  draw_map_axes(list, map, layout_, print, inks, palette_);
  const Spot spot = cursor_.value_or(Spot{map.across.size() / 2, map.up.size() / 2});
  draw_map_slices(list, map, layout_, spot.column, spot.row, print, inks);
  print.paint(list);
  if (!cursor_) return;
  const QRectF cell = rectangle(spot);
  const QColor line = to_qcolor(ui::colors(palette_).text);
  painter.setPen(QPen(line, 1, Qt::DotLine));
  painter.drawLine(QPointF(cell.center().x(), box.top()), QPointF(cell.center().x(), cell.top()));
  painter.drawLine(QPointF(cell.center().x(), cell.bottom()),
                   QPointF(cell.center().x(), box.bottom()));
  painter.drawLine(QPointF(box.left(), cell.center().y()), QPointF(cell.left(), cell.center().y()));
  painter.drawLine(QPointF(cell.right(), cell.center().y()),
                   QPointF(box.right(), cell.center().y()));
  painter.setPen(QPen(line, 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(cell.adjusted(-1, -1, 1, 1));
}

}  // namespace twosphere

#include "moc_sweep_view.cpp"
