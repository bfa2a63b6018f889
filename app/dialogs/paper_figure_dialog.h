// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QTimer>
#include <atomic>
#include <map>

#include "app/base/background.h"
#include "app/figures/paper_figure.h"

class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QTableWidget;
class QTextBrowser;

namespace twosphere {

class FigureView;

/// Figures 3.1 to 3.7 of the paper, computed when they are asked for on threads of their own,
/// beside the numbers that it prints, ours, the verdicts and the errata. Everything else goes on.
class PaperFigureDialog : public QDialog {
  Q_OBJECT
 public:
  explicit PaperFigureDialog(QWidget* parent);
  /// Gives up what is being computed.
  ~PaperFigureDialog() override;

  /// One of paper_entries(); computes it, unless that was done before.
  void show_figure(std::size_t entry);
  std::size_t entry() const { return entry_; }

 Q_SIGNALS:
  /// The run behind the figure is to be opened, the field to be shown.
  void run_wanted(const Scenario& run, bool field);
  /// The figure is to be saved, under a name like "figure-3.2".
  void save_wanted(const Figure& figure, const QString& name);

 private:
  void compute();
  void cancel();
  void show_present();
  void take(Result<std::optional<ComputedFigure>> computed);

  std::size_t entry_ = 0;
  std::map<std::size_t, ComputedFigure> computed_;
  std::map<std::size_t, QString> failures_;
  std::size_t computing_ = 0;  // which one the work is at
  bool wanted_ = false;        // the one shown is to be computed
  std::atomic<bool> stop_ = false;
  std::atomic<double> part_ = 0;
  QTimer look_;  // at the part

  QListWidget* list_;
  FigureView* view_;
  QTableWidget* numbers_;
  QTextBrowser* remarks_;
  QLabel* summary_;
  QProgressBar* bar_;
  QPushButton *compute_, *cancel_, *open_, *save_;
  Background work_;  // last: it uses the others
};

}  // namespace twosphere
