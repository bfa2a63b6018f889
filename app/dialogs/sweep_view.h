// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QWidget>
#include <optional>

#include "app/figures/sweep_figure.h"

namespace twosphere {

/// A map on the screen with a cursor, and the values of its row and column beside it.
class SweepView : public QWidget {
  Q_OBJECT
 public:
  /// A cell.
  struct Spot {
    std::size_t column = 0, row = 0;
    bool operator==(const Spot&) const = default;
  };
  explicit SweepView(QWidget* parent);

  void show_map(SweepMap map, Palette palette);
  void show_text(const QString& text);
  const std::optional<SweepMap>& map() const { return map_; }
  std::optional<Spot> cursor() const { return cursor_; }
  /// The middle of a cell.
  QPoint place_of(Spot spot) const;
  QSize sizeHint() const override { return {620, 520}; }

 Q_SIGNALS:
  void cursor_moved();
  /// The cell was clicked, or Enter was pressed at the cursor.
  void chosen(std::size_t task);
  /// The same with Shift.
  void chosen_with_shift(std::size_t task);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  double unit() const { return logicalDpiX() / 72.0; }  ///< pixels per point
  void arrange();
  QRectF cells() const;
  std::optional<Spot> spot_at(QPointF at) const;
  void put_cursor(Spot spot);
  void choose(Spot spot, Qt::KeyboardModifiers held);

  std::optional<SweepMap> map_;
  Palette palette_ = Palette::dark;
  QString text_;
  MapLayout layout_;
  QImage image_;  // a pixel per cell
  std::optional<Spot> cursor_;
};

}  // namespace twosphere
