// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "app/dialogs/plot_plane.h"
#include "app/figures/section_figure.h"
#include "ui/plot/point_density.h"

namespace twosphere {

/// The picture of a section on the screen. The wheel zooms at the mouse, a drag moves the picture,
/// a double click beside it shows all points, and a click chooses a place.
class SectionView : public QWidget {
  Q_OBJECT
 public:
  explicit SectionView(QWidget* parent);

  /// Points that are new are counted in parts, between which the window responds. The ranges of the
  /// axes of `picture` are not read.
  void show_picture(SectionPicture picture, Palette palette);
  void show_text(const QString& text);
  /// Shows all points from now on.
  void fit();

  /// The picture with the ranges shown; none if a text is shown.
  const std::optional<SectionPicture>& picture() const { return picture_; }
  /// Whether every point is drawn.
  bool complete() const { return complete_; }
  std::size_t points_inside() const;
  /// Where values of the two coordinates are drawn.
  QPointF place_of(double x, double y) const { return plane_.place_of(x, y); }
  /// The place under the mouse.
  std::optional<std::array<double, 2>> cursor() const { return cursor_; }
  QSize sizeHint() const override { return {600, 520}; }

 Q_SIGNALS:
  void cursor_moved();
  void chosen(double x, double y);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  /// The extremes of the points that were looked at.
  struct Extent {
    std::size_t seen = 0;
    std::uint64_t version = 0;
    std::array<std::size_t, 2> coordinates{};
    double low[2], high[2];
    bool any = false;
  };
  bool look_at_extents(std::size_t& budget);
  void fit_ranges();
  void count_points();
  QImage shade(bool of_run) const;
  std::optional<std::array<double, 2>> value_at(QPointF at) const;

  std::optional<SectionPicture> picture_;
  Palette palette_ = Palette::dark;
  QString text_;
  bool automatic_ = true;  // the ranges show all points
  bool complete_ = true;
  PlotPlane plane_;  // with the ranges shown
  std::map<std::string, Extent> extents_;
  std::map<std::string, ui::PointDensity> densities_;  // by the names of the series
  std::array<QImage, 2> images_;  // of the run, and of what was started above it
  bool image_old_ = true;
  QTimer timer_;
  std::optional<std::array<double, 2>> cursor_;
  std::optional<QPointF> pressed_;
  bool dragged_ = false;
};

}  // namespace twosphere
