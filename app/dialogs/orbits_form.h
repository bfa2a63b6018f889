// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/dialogs/orbit_results.h"
#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "core/studies/equilibria.h"
#include "core/studies/orbit_family_table.h"
#include "core/studies/orbit_search.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace twosphere {

/// The fields and the buttons beside the diagrams of orbits: how equilibria, orbits, families and
/// relative equilibria are looked for. The places of errors are the names of fields. More than
/// twenty members: its fields and buttons.
class OrbitsForm : public QWidget {
  Q_OBJECT
 public:
  explicit OrbitsForm(QWidget* parent);

  /// What the fields say of a scenario and its systems: what a family may be followed over, and
  /// the first values, an axis about which the run precesses and momenta of relative equilibria.
  /// What the forces do not allow is grey, and its tooltip says why.
  void set_systems(const Scenario& scenario, const OrbitSystems& systems);
  void set_title(const QString& title);
  /// What can be done beside work in progress: a search for equilibria, something with the chosen
  /// entry, and, as `run`, with the run and its system, `turning` for its relative equilibria.
  struct Possible {
    bool search = false, mode = false, run = false, follow = false, branch = false, turning = false;
  };
  void set_possible(const Possible& what);
  /// In which directions families begin at the next branching, and what each moves; one alone, or
  /// none: there is nothing to choose.
  void set_directions(const std::vector<std::string>& told);

  EquilibriumSearch search() const;
  double amplitude() const;  ///< of modes [rad]
  bool animates() const;
  /// Without its start: in a mode without the axis, the places and the period, which it does not
  /// need.
  Result<OrbitRequest> request(OrbitRequest::From from, const System& system,
                               const State& state) const;
  /// To a value; without one, upwards as far as it goes, but over a number of the system.
  Result<FamilyRequest> family(const Scenario& scenario) const;
  /// The path of the number of the system that families are followed over; empty: there is none.
  std::string number() const;
  std::size_t direction() const;  ///< of these
  int axis() const;               ///< of relative equilibria, from 0
  Result<std::vector<double>> momenta() const;

 Q_SIGNALS:
  void search_wanted();
  void mode_wanted();
  void present_wanted();
  void return_wanted();
  void follow_wanted();
  void branch_wanted();
  void relative_wanted();
  void animation_changed();
  void over_changed();

 private:
  void set_default(const System& rest, const State& start);
  void fill_over(const Scenario& scenario, const OrbitSystems& systems);
  void show_over();
  QFormLayout* add_group(const char* title);
  QPushButton* add_button(QFormLayout& to, const char* name, const QString& label,
                          const QString& tip, void (OrbitsForm::*wanted)());

  QLabel* title_;
  QSpinBox *tries_, *seed_, *count_, *values_;
  QDoubleSpinBox* amplitude_;
  QCheckBox *merge_, *animated_;
  QLineEdit *energy_, *period_, *places_, *to_, *from_momentum_, *to_momentum_;
  QComboBox *relative_, *over_, *direction_, *about_;
  QPushButton *search_, *mode_, *present_, *return_, *follow_, *branch_, *find_relative_;
  std::vector<std::string> directions_;
  QString no_rest_, no_orbits_, no_turning_;  // why; empty: there are
};

}  // namespace twosphere
