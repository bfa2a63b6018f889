// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QElapsedTimer>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/figure_file.h"
#include "core/color/color_map.h"
#include "core/scenario/scenario.h"
#include "core/studies/sweep_rows.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace twosphere {

class SweepForm;
class SweepProcess;
class SweepView;

/// A map of the scenario over its settings, which fills while its tasks run in a process of their
/// own, or that of any folder of a sweep, as it grows.
class SweepDialog : public QDialog {
  Q_OBJECT
 public:
  /// The colours of the window.
  struct Look {
    Palette palette = Palette::dark;
    ColorMap colors = ColorMap::viridis;
    bool operator==(const Look&) const = default;
  };
  SweepDialog(std::function<Look()> look, QWidget* parent);
  ~SweepDialog() override;

  void set_scenario(const Scenario& scenario);
  void choose_axis(const QString& path);
  /// Shows the sweep of a folder and follows it.
  void show_folder(const QString& path);

 Q_SIGNALS:
  /// A task is to be opened as a run.
  void run_wanted(const Scenario& scenario);
  /// The map is to be written under this name.
  void picture_wanted(const Figure& figure, const QString& name);

 protected:
  void reject() override;

 private:
  void make_buttons(QHBoxLayout& row);
  void start();
  void go_on();
  void ended(const QString& problem);
  void follow(SweepFolder folder, bool own);
  void fill_choices();
  void poll();
  void draw();
  void show_progress();
  void show_cursor();
  void open_task(std::size_t task);
  void ask_for_folder();
  QString new_folder() const;
  const Sweep& sweep() const { return reader_->folder().sweep; }

  std::function<Look()> look_;
  SweepForm* form_;
  SweepView* view_;
  SweepProcess* process_;
  QLineEdit* folder_;
  QComboBox *measure_, *scale_;
  QWidget* others_;                       // choices of the value on other axes
  std::vector<QComboBox*> other_values_;  // by axis; null for those that are drawn
  QLabel *readout_, *progress_text_, *problem_;
  QProgressBar* bar_;
  QPushButton *start_, *stop_, *open_, *save_;
  QTimer timer_;

  std::optional<SweepReader> reader_;
  bool own_ = false;                 // it was begun here
  std::vector<SweepRow> rows_;       // by task
  std::vector<std::string> labels_;  // of its axes
  std::size_t done_ = 0, failed_ = 0;
  std::size_t done_before_ = 0;  // when it was first looked at
  QElapsedTimer since_;
  std::optional<Look> drawn_;
};

}  // namespace twosphere
