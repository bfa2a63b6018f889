// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QString>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/dialogs/study_dialog.h"
#include "core/base/result.h"
#include "core/color/color_map.h"
#include "core/color/palette.h"
#include "core/scenario/scenario.h"
#include "core/studies/sweep.h"
#include "core/studies/sweep_rows.h"

class QComboBox;
class QFormLayout;
class QGroupBox;
class QLineEdit;

namespace twosphere {

class SweepForm;
class SweepPath;
class SweepProcess;
class SweepView;

/// A map of the scenario over its settings, which fills while its tasks run in a process of their
/// own, or that of any folder of a sweep, as it grows. More than twenty members: the widgets that
/// are filled or enabled later.
class SweepDialog : public StudyDialog {
  Q_OBJECT
 public:
  explicit SweepDialog(const DialogContext& context);

  /// Takes the scenario. `topic`: the path of a setting, which becomes the first axis.
  void prepare(const QString& topic) override;
  /// Shows the sweep of a folder and follows it.
  void show_folder(const QString& path);

 protected:
  void reject() override;

 private:
  /// The colours of the window.
  struct Look {
    Palette palette = Palette::dark;
    ColorMap colors = ColorMap::viridis;
    bool operator==(const Look&) const = default;
  };
  void make_results();
  void make_buttons();
  QWidget* make_fields();
  Scenario scenario_to_sweep() const;
  void follow_document();
  void choose_axis(const QString& path);
  void start();
  void take_plan(const Result<bool>& complete, const Sweep& planned, const QString& path);
  void run_tasks();
  void ended(const QString& problem);
  void follow(SweepFolder folder, bool own);
  void leave_folder();
  void show_plan();
  void fill_choices();
  void poll() override;
  Look look() const;
  void draw();
  void show_progress();
  void show_cursor();
  std::size_t shown_measure() const;
  bool too_short(const SweepRow& row) const;
  QString measured(const SweepRow& row) const;
  void say(const QString& text);
  void play_task(std::size_t task);
  void add_lane(std::size_t task);
  void ask_for_folder();
  QString new_folder() const;
  const Sweep& sweep() const { return reader_->folder().sweep; }

  QWidget* own_plan_;  // the fields of the next map
  QGroupBox* plan_;    // what the folder that is open says, in their place
  QFormLayout* plan_rows_;
  SweepForm* form_;
  SweepView* view_;
  SweepPath* path_;
  SweepProcess* process_;
  QLineEdit* folder_;
  QComboBox *measure_, *scale_;
  QWidget* others_;                       // choices of the value on other axes
  std::vector<QComboBox*> other_values_;  // by axis; null for those that are drawn
  QLabel *readout_, *said_, *progress_text_;
  QPushButton *start_, *stop_, *open_, *save_, *new_map_;

  std::optional<SweepReader> reader_;
  bool own_ = false;                 // it was begun here
  std::vector<SweepRow> rows_;       // by task
  std::vector<std::string> labels_;  // of its axes
  std::size_t done_ = 0, failed_ = 0;
  std::size_t done_before_ = 0;  // when it was first looked at
  std::ptrdiff_t unclear_ = 0;   // too short for what is shown
  QElapsedTimer since_;
  std::optional<Look> drawn_;
  /// The task that was clicked last.
  struct Clicked {
    std::size_t task = 0;
    Scenario scenario{};  // as a run
  };
  std::optional<Clicked> clicked_;
  std::shared_ptr<const Scenario> settings_, opened_;  // of the document, as they were last
};

}  // namespace twosphere
