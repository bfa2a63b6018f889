// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QTimer>
#include <atomic>
#include <memory>
#include <vector>

#include "app/base/background.h"
#include "app/dialogs/dialog.h"
#include "app/figures/figure_data.h"
#include "ui/plot/plot_view.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace twosphere {

class FigureView;

/// Asks how a figure of the plots is to look and shows it as it would become. "Export…" writes it.
/// More than twenty members: the widgets of its choices.
class FigureDialog : public QDialog {
  Q_OBJECT
 public:
  explicit FigureDialog(const DialogContext& context);
  ~FigureDialog() override;

  /// As the preview shows it; empty until there is one.
  const ui::PlotFigure& figure() const { return figure_; }

 public Q_SLOTS:
  void accept() override;

 private:
  QDoubleSpinBox* number(const char* name, double low, double high, double step,
                         const QString& suffix, const QString& spoken = {});
  void show_size();
  void take();
  void renew();
  void show_made(Result<ui::PlotFigure> made);
  double unit_points() const;

  const DialogContext context_;
  FigureSettings settings_;
  const ui::VisiblePlots shown_;
  ui::PlotFigure figure_;
  QTimer due_;
  QComboBox *format_, *unit_, *colors_, *range_;
  QDoubleSpinBox *width_, *height_, *dpi_, *font_, *line_;
  QCheckBox *title_, *legend_, *markers_, *changes_;
  std::vector<QCheckBox*> plots_;
  FigureView* preview_;
  QLabel* facts_;
  QPushButton* export_;
  bool showing_ = false;    // fields change by themselves
  bool again_ = false;      // something else was chosen while a figure is being made
  bool accepting_ = false;  // once it is made
  std::shared_ptr<std::atomic<bool>> stop_;  // of the figure that is being made
  Background work_;
};

}  // namespace twosphere
