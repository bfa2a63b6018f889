// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>

#include "app/dialogs/study_dialog.h"
#include "app/figures/paper_figure.h"

class QListWidget;
class QTableWidget;
class QTextBrowser;

namespace twosphere {

class FigureView;

/// Figures 3.1 to 3.7 of the paper, computed on other threads when they are asked for,
/// beside the numbers that it prints, ours, the verdicts and the errata. Everything else continues.
class PaperFigureDialog : public StudyDialog {
  Q_OBJECT
 public:
  explicit PaperFigureDialog(const DialogContext& context);

  /// Shows a figure by its number, or else the one of before.
  void prepare(const QString& topic) override;

 private:
  void make_buttons();
  void show_figure(std::size_t entry);
  void compute_shown();
  void open_run();
  void poll() override;
  void show_present();
  void take(Result<std::optional<ComputedFigure>> computed);

  std::size_t entry_ = 0;  // of paper_entries()
  std::map<std::size_t, ComputedFigure> computed_;
  std::map<std::size_t, QString> failures_;
  std::size_t computing_ = 0;  // which one the work is at
  bool wanted_ = false;        // the one shown is to be computed

  QListWidget* list_;
  FigureView* view_;
  QTableWidget* numbers_;
  QTextBrowser* remarks_;
  QLabel* summary_;
  QPushButton *compute_, *cancel_, *save_;
};

}  // namespace twosphere
