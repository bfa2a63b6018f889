// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QWidget>
#include <optional>

#include "app/figures/figure_file.h"

namespace twosphere {

/// A figure on the screen, on white, as large as there is room for; or a few words in its place.
class FigureView : public QWidget {
 public:
  explicit FigureView(QWidget* parent);

  void show_figure(Figure figure, ui::Point points, const ui::FigureLook& look);
  /// A figure that fills the view: of this size [pt] or longer in one direction.
  void fill_with(Figure figure, ui::Point points, const ui::FigureLook& look);
  void show_text(const QString& text);
  QSize sizeHint() const override { return {440, 500}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<Figure> figure_;
  QString text_;
  ui::Point points_;
  bool fills_ = false;
  ui::FigureLook look_;
  QImage image_;  // as drawn last, at this resolution and size
  double dpi_ = 0;
  ui::Point page_;
};

}  // namespace twosphere
