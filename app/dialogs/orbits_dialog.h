// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/dialogs/orbit_results.h"
#include "app/dialogs/orbit_tree.h"
#include "app/dialogs/orbit_view.h"
#include "app/dialogs/study_dialog.h"
#include "core/base/result.h"
#include "core/color/palette.h"
#include "core/scenario/scenario.h"
#include "core/studies/equilibria.h"
#include "core/studies/modes.h"
#include "core/studies/orbit_family_table.h"
#include "core/studies/relative_equilibria.h"

namespace twosphere {

class MotionView;
class MultiplierView;
class OrbitPlayer;
class OrbitsForm;

/// What the motions of the scenario's system hang on: its equilibria with their modes, periodic
/// orbits and their families, and relative equilibria; with damping and forces of the time those
/// that these allow. The search for equilibria begins when the dialog opens; the run in the window
/// continues. Everything found can be opened as a run, and is shown as an animation, without a
/// change of the run. More than twenty members: the widgets that are filled or enabled later, and
/// what has been found so far.
class OrbitsDialog : public StudyDialog {
  Q_OBJECT
 public:
  explicit OrbitsDialog(const DialogContext& context);
  ~OrbitsDialog() override;

  /// Searches again where the system is another one, and forgets what was found.
  void prepare(const QString& topic) override;

 private:
  using ItemKind = OrbitItem::Kind;
  struct FamilyEntry {
    QString title;
    Scenario scenario;  ///< of its orbits, but for what changes along it
    FoundFamily family;
    int color = 0;  ///< branch_color()
  };
  using Continue = std::function<bool(std::size_t)>;
  using FindFamily = std::function<Result<FoundFamily>(const Continue&)>;
  void make_results();
  void make_buttons();
  void search();
  void take_equilibria(Equilibria found);
  void compute_modes();
  void take_modes(const OrbitItem& of, Result<Modes> found);
  void compute_family(std::size_t max_members, FindFamily find,
                      std::function<void(FoundFamily)> take);
  void find_orbit(OrbitRequest request, std::optional<FamilyRequest> family, const QString& title,
                  const OrbitItem& from);
  void find_from_chosen(bool follow);
  void find_at_present();
  void find_return();
  void follow();
  void branch_off();
  void go_along(const OrbitView::Place& from, FamilyRequest request,
                std::function<void(FoundFamily, const Scenario&)> take);
  void extend(const OrbitView::Place& from, FoundFamily further, const Scenario& scenario);
  void add_family(FamilyEntry entry, const OrbitItem& from);
  void show_family(std::size_t number, std::size_t member, const OrbitItem& from);
  void find_relative();
  void take_relative(Result<RelativeEquilibria> found, int axis);
  void set_turning(const OrbitView::Place& place);
  void choose();
  void choose_orbit(std::size_t family, std::size_t member);
  void choose_turning(std::size_t curve, std::size_t point);
  void show_chosen();
  void animate();
  void draw();
  void show_run();
  const FoundOrbit* chosen_orbit() const;
  const RelativeEquilibrium* chosen_turning() const;
  const Bifurcation* next_branching() const;
  std::optional<Scenario> chosen_scenario() const;
  bool takes_run();
  void open_chosen(bool with_lanes);
  void save_table();
  void refuse_error(const Error& error);
  void fail(const Error& error);
  void poll() override;

  Scenario scenario_;
  OrbitSystems systems_;
  Equilibria found_;
  std::vector<std::optional<Modes>> modes_;  // of each equilibrium
  std::vector<FamilyEntry> families_;
  RelativeEquilibria relative_;
  int axis_ = 2;                             // of these
  std::optional<OrbitView::Place> orbit_;    // family and member
  std::optional<OrbitView::Place> turning_;  // curve and point
  std::optional<Modes> turning_modes_;       // of that point
  bool again_ = false;                       // search anew after the work in progress
  bool first_ = false;                       // the first mode is to be chosen
  Palette palette_ = Palette::dark;          // of the diagrams
  std::shared_ptr<const Scenario> run_;      // whose system was compared last
  bool run_has_system_ = false;              // with this result

  OrbitsForm* form_;
  OrbitView *family_view_, *turning_view_;
  OrbitTree* tree_;
  MultiplierView* circle_;
  MotionView* motion_;
  std::unique_ptr<OrbitPlayer> player_;  // in it
  QLabel *family_note_, *turning_note_, *readout_, *summary_;
  QPushButton *cancel_, *open_, *save_table_, *save_figure_;
};

}  // namespace twosphere
