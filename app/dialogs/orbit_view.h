// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>
#include <QWidget>
#include <cstddef>
#include <optional>

#include "app/dialogs/plot_plane.h"
#include "app/figures/orbit_figure.h"

namespace twosphere {

/// A diagram of orbits on the screen. A press, a drag along a curve or an arrow key chooses one of
/// its points; a click or Enter opens it, with Shift held as another lane. The wheel zooms, and a
/// double click beside the diagram shows all of it.
class OrbitView : public QWidget {
  Q_OBJECT
 public:
  explicit OrbitView(QWidget* parent);

  /// A point of a curve, by their numbers.
  struct Place {
    std::size_t curve = 0, point = 0;
    bool operator==(const Place&) const = default;
  };
  /// Shows `empty` in place of a diagram without curves.
  void show_diagram(OrbitDiagram diagram, Palette palette, const QString& empty);
  const OrbitDiagram& diagram() const { return diagram_; }
  /// Marks a point, and says what it is.
  void choose(std::optional<Place> place, const QString& words);
  /// Where the run is.
  void show_run(std::optional<ui::Point> at);
  std::optional<ui::Point> run() const { return run_; }
  /// Where a point is drawn.
  QPointF place_of(const Place& place) const;
  QSize sizeHint() const override { return {380, 320}; }

 Q_SIGNALS:
  void chosen(std::size_t curve, std::size_t point);
  void opened(std::size_t curve, std::size_t point, bool as_lane);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void arrange();
  std::optional<Place> nearest(QPointF at, std::optional<std::size_t> of_curve) const;

  OrbitDiagram diagram_;
  Palette palette_ = Palette::dark;
  QString empty_;
  PlotPlane plane_;
  bool automatic_ = true;  // the ranges show all
  std::optional<Place> chosen_;
  std::optional<ui::Point> run_;
  std::optional<Place> pressed_;
  bool dragged_ = false;
};

}  // namespace twosphere
