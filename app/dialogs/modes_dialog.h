// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "app/dialogs/study_dialog.h"
#include "core/scenario/scenario.h"
#include "core/studies/equilibria.h"
#include "core/studies/modes.h"

class QCheckBox;
class QDoubleSpinBox;
class QSpinBox;
class QTableWidget;

namespace twosphere {

class ModeView;

/// The equilibria of the scenario's system and the modes of the one that is chosen. The search
/// begins when the dialog opens; the run in the window continues. An equilibrium and a mode can be
/// opened as runs, and the shape of a mode animated.
class ModesDialog : public StudyDialog {
  Q_OBJECT
 public:
  explicit ModesDialog(const DialogContext& context);

  /// Searches again where the system or its start is another one.
  void prepare(const QString& topic) override;

 private:
  QWidget* make_fields();
  void make_results();
  void make_buttons();
  void start();
  void take_equilibria(Equilibria found);
  void compute_modes();
  void animate();
  void take_modes(std::size_t of, Result<Modes> found);
  void poll() override;
  std::optional<std::size_t> chosen_equilibrium() const;
  std::optional<std::size_t> chosen_mode() const;
  void open_equilibrium();
  void open_mode();
  void open_run(const Scenario& scenario);

  Scenario scenario_;
  std::shared_ptr<const System> system_, rest_;  // null: refused
  Equilibria found_;
  Modes modes_;
  std::optional<std::size_t> shown_;  // the equilibrium that these belong to
  bool again_ = false;                // search anew after the work in progress, which is cancelled

  QLabel *title_, *summary_;
  QSpinBox *tries_, *seed_;
  QDoubleSpinBox* amplitude_;
  QTableWidget *equilibria_, *list_;
  QCheckBox* animated_;
  ModeView* view_;
  QLabel* view_note_;
  QPushButton *start_, *cancel_, *open_equilibrium_, *open_mode_, *save_;
};

}  // namespace twosphere
