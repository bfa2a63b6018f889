// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/dialogs/study_dialog.h"
#include "app/figures/section_figure.h"
#include "core/color/palette.h"
#include "core/studies/section_follower.h"
#include "core/worker/snapshot.h"

class QCheckBox;
class QListWidget;
class QSpinBox;

namespace twosphere {

class SectionForm;
class SectionView;

/// The points in which the lanes of the run, and orbits started by clicks, cross a section. They
/// are found beside the run, which is not touched, and only while the dialog is open. More than
/// twenty members: the widgets that are filled or enabled later.
class SectionDialog : public StudyDialog {
  Q_OBJECT
 public:
  explicit SectionDialog(const DialogContext& context);

  /// The section in use.
  const PoincareSection& section() const { return section_; }
  /// How far the run is followed; null before it begins.
  std::shared_ptr<const SectionFollower::Progress> progress() const;
  /// Whether the picture has all points of the run up to its head.
  bool complete() const;

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  /// The colours of the window.
  struct Look {
    Palette palette = Palette::dark;
    LaneColors lanes = LaneColors::own;
    bool operator==(const Look&) const = default;
  };
  /// An orbit that was started by a click.
  struct Orbit {
    int number = 0;  ///< of the follower, from 1
    std::string name;
    std::shared_ptr<const Scenario> record;
    int color = 0;  ///< branch_color()
    std::size_t points = 0;
  };
  void make_list(QVBoxLayout& column);
  void make_buttons();
  void poll() override;
  void follow_run(const Snapshot& now);
  void take_section();
  void use(const PoincareSection& section);
  void start_orbit(double x, double y);
  void add_orbit(const Scenario& record);
  void remove(int number);
  void forget_orbits();
  void fill_list(const Snapshot& now);
  void draw();
  void show_status(const Snapshot& now);
  void show_further();
  void show_cursor();
  Look look() const;
  SectionPicture picture(const Look& look) const;
  bool hidden(const std::string& name) const;
  const Orbit* chosen_orbit() const;
  void export_points();
  void export_figure();

  SectionForm* form_;
  SectionView* view_;
  QListWidget* list_;
  QSpinBox* points_;
  QCheckBox* all_;
  QLabel *readout_, *status_;
  QPushButton *remove_, *open_, *csv_, *figure_, *further_button_;

  PoincareSection section_;
  std::shared_ptr<const Scenario> loaded_;    // whose section it is
  std::shared_ptr<const Scenario> record_;    // of the run, as it was last
  std::shared_ptr<const Scenario> followed_;  // the same with the section
  std::int64_t steps_ = -1;
  bool further_ = false;            // a copy of the run is followed beyond its head
  std::vector<std::string> lanes_;  // their names
  std::vector<Orbit> orbits_;
  int next_orbit_ = 1;
  std::vector<std::shared_ptr<const void>> drawn_;  // the progress of what was drawn last
  std::optional<Look> drawn_look_;
  bool redraw_ = false;
  std::uint64_t clicks_ = 0;  // those before a change of the section are void

  SectionFollower follower_;
};

}  // namespace twosphere
