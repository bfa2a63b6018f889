// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QTimer>
#include <functional>
#include <string>
#include <vector>

#include "app/base/background.h"
#include "app/dialogs/dialog_settings.h"
#include "app/figures/figure_data.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace twosphere {

class FigureView;

/// Asks how a figure is to look and shows it as it would become. Accepted by "Export…".
class FigureDialog : public QDialog {
  Q_OBJECT
 public:
  /// Makes the figure of a choice, for about so many columns, of the run as it is when it is asked:
  /// what it returns is called on another thread.
  using Make = std::function<std::function<ui::PlotFigure()>(const FigureChoice&, int columns)>;
  FigureDialog(const FigureSettings& settings, const std::vector<std::string>& plots, Make make,
               QWidget* parent);

  const FigureSettings& settings() const { return settings_; }
  /// As the preview shows it; empty until there is one.
  const ui::PlotFigure& figure() const { return figure_; }

 public Q_SLOTS:
  void accept() override;

 private:
  QDoubleSpinBox* number(const char* name, double low, double high, double step,
                         const QString& suffix);
  void show_size();
  void take();
  void renew();
  void show_made(Result<ui::PlotFigure> made);
  double unit_points() const;

  FigureSettings settings_;
  Make make_;
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
  Background work_;
};

}  // namespace twosphere
