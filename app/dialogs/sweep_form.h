// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/session/sweep_choices.h"
#include "core/scenario/scenario.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace twosphere {

class SignalForm;

/// The fields of the plan of a sweep: method, axes, measure, length of a task.
class SweepForm : public QWidget {
  Q_OBJECT
 public:
  explicit SweepForm(QWidget* parent);

  /// The scenario to sweep. Fields that fit it keep what was chosen; the others are set to what is
  /// usual.
  void set_scenario(const Scenario& scenario);
  const Scenario& scenario() const { return scenario_; }
  /// Makes a setting the first axis or, if it cannot be set alone, the one in its place
  /// (sweep_path). Returns whether it can be swept.
  bool choose_axis(const QString& path);
  /// The sweep as the fields say. The place of an error is the name of the field.
  Result<Sweep> sweep() const;

 private:
  /// The fields of an axis.
  struct AxisFields {
    QComboBox* setting;
    QLineEdit *from, *to;
    QSpinBox* points;
    QCheckBox* ratios;
  };
  QWidget* make_axis(int index);
  void fill_settings();
  void choose(AxisFields& axis, const std::string& path);
  void show_range(AxisFields& axis);
  void show_duration();
  bool sweeps_duration() const;
  /// The axis that the fields say; they have a setting.
  Result<SweepAxis> axis_of(const AxisFields& fields, const Scenario& scenario) const;
  void fit_measures();
  std::optional<SweepMeasure> measure() const;
  void show_signal();
  std::size_t lane() const;

  Scenario scenario_;  // with all lanes
  std::vector<SweepSetting> settings_;
  std::string chosen_;  // the path last given to choose_axis()
  QString picked_;      // the measure that the user chose; empty: the default one
  QLabel *title_, *no_exponents_;
  QComboBox *method_, *measure_;
  SignalForm* signal_;
  std::array<AxisFields, 2> axes_;
  QSpinBox* steps_;
  QLabel* duration_;
};

}  // namespace twosphere
