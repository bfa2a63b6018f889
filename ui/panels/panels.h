// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ui/fields/number_field.h"
#include "ui/panels/gallery.h"
#include "ui/panels/time_line.h"
#include "ui/plot/plot_view.h"
#include "ui/scene/body_card.h"
#include "ui/shell/panel.h"
#include "ui/shell/settings.h"

/// The panels of the window. Internal to the interface.
namespace twosphere::ui {

/// The parts that are closed until they are used. "More" has the parameters after the first six.
inline const ClosedSections folded_at_first{"About this system", "Cloud", "More", "Start",
                                            "Stop when",         "View"};

/// Up to this number of bodies each value has a row with its symbol; more are shown as a table.
inline constexpr int max_body_rows = 3;

/// The control of the torque of a chain by hand.
struct ControlByHand {
  bool switched = false;               ///< the next frame switches the control off, or on again
  std::vector<double> last;            ///< what is switched on then; empty: there was none
  std::shared_ptr<const Scenario> of;  ///< as loaded: the document that this belongs to
  // The joystick.
  bool open = false;
  bool drawn = false;    ///< as of the last frame
  bool focused = false;  ///< receives the arrow keys
  bool held = false;
  std::array<double, 2> wanted{}, sent{};  ///< torques along e₁ and e₂ [N m]
  double sent_at = 0;                      ///< [s]
};

/// The cloud of nearby starts that the user asks for.
struct CloudChoice {
  bool wanted = false;
  CloudSpec spec{};
  std::optional<int> lane;  ///< none: that of the cloud, or the reference lane
  // Last asked of the run.
  bool asked = false;
  std::uint64_t commands = 0;          ///< Snapshot::commands then
  std::shared_ptr<const Scenario> of;  ///< the document then, as loaded
};

/// Expressions of stop conditions.
struct StopExpressions {
  std::optional<std::pair<std::size_t, std::string>> typing;  ///< the condition and what is typed
  std::string error;                                          ///< why that was refused
  std::map<std::string, std::string, std::less<>> units;      ///< of expressions; empty: any
  std::shared_ptr<const Scenario> of;                         ///< whose units these are
};

/// The state of the panels; not stored between sessions.
struct PanelState {
  ClosedSections closed = folded_at_first;
  NumberFields fields;
  StopExpressions stop;
  ControlByHand control;
  CloudChoice cloud;
  PlotsView plots;
  bool plot_window = false;                   ///< they have a window of their own
  std::set<std::string, std::less<>> opened;  ///< parameters expanded to one field per body
  std::optional<std::pair<int, std::string>>
      lane_name;               ///< the lane and its name that is being typed
  bool add_lane = false;       ///< the next frame adds a lane
  bool add_lane_here = false;  ///< the next frame adds one from the instant shown
  bool key_map = false;
  bool show_keys = false;  ///< show the keys of the controls until Esc
  int follow = -1;         ///< the body that the camera follows, numbered from 0; -1: none
  int cell_alone = -1;     ///< the cell that is shown alone, CellView::shows; -1: all are
  Gallery gallery;
  BodyCard card;
  bool performance = false;
  bool presentation = false;  ///< Interface::presents()
  bool black = false;         ///< a presentation shows a black screen
  bool transport = false;     ///< in a presentation the transport is shown in place of its line
  TimeLine time_line;
  /// Generation of the run, and the number of its warnings whose cards were closed.
  std::pair<std::uint64_t, std::size_t> dismissed_warnings{};
  std::string dismissed_coarse_steps;  ///< which steps the card that was closed has named
  std::uint64_t dismissed_errors = 0;  ///< Snapshot::error_count up to which the card was closed
  std::optional<std::uint64_t> dismissed_refusal;  ///< Snapshot::commands when its card was closed
  std::uint64_t dismissed_check = 0;  ///< StepCheck::number of the card that was closed
  /// Generation and step of the stop, or of the return to the start, whose card was closed.
  std::optional<std::pair<std::uint64_t, std::int64_t>> dismissed_stop;
  std::set<std::pair<int, std::int64_t>> dismissed_returns;  ///< the run and the step of its return
  std::shared_ptr<const Scenario> original;     ///< as loaded: target of the reset buttons
  std::shared_ptr<const Scenario> upcoming;     ///< the settings after a rewind
  std::shared_ptr<const Scenario> before_drag;  ///< the same at the start of a drag
};

/// Left column.
void system_panel(const Panel& panel, PanelState& state);
/// Equations, symbols, what to observe, and the published numbers.
void about_panel(const Panel& panel, PanelState& state);
void parameters_panel(const Panel& panel, PanelState& state, Settings& settings);
/// Switches the control torque on request, and releases a joystick that is no longer visible. Call
/// once per frame, before the columns.
void follow_control(const Panel& panel, PanelState& state, const Settings& settings);
/// The button that shows the joystick, at the right end of the row at the cursor, which stays there
/// if the row has room for it beside `label`.
void joystick_button(const Panel& panel, PanelState& state, const std::string& label);
/// Below the fields of the control torque: the joystick of a constant one, and the switch.
void control_torque_rows(const Panel& panel, PanelState& state, Settings& settings);
/// The initial q and ω of every body.
void start_panel(const Panel& panel, PanelState& state);
/// The height of pending_line(), which covers that much of the column; 0 if there is none.
float pending_height(const Panel& panel);
/// The settings that wait for Rewind, at the lower end of the left column, over its contents.
void pending_line(const Panel& panel, const Rect& column);
/// The lanes: method, step, parameters and name of each; `reference` is the lane that the others
/// are compared with.
void integrator_panel(const Panel& panel, PanelState& state, int& reference);
/// Duration and sampling.
void run_panel(const Panel& panel, PanelState& state);
/// What follows ± in an exponent of Lyapunov.
inline constexpr const char* exponent_error =
    "half the range of λ(t) since T/2, and ln(1 + ω₀T)/T, which a regular orbit has.";
/// Lyapunov exponents, if tangent vectors follow the run.
void exponents_panel(const Panel& panel, PanelState& state);
/// Switches the cloud on or off as the user wants it; when it begins, its section and its plot are
/// shown. Call once per frame, before the columns.
void follow_cloud(const Panel& panel, PanelState& state, Settings& settings);
/// The cloud of nearby starts: its switch, numbers, distances and their rate of growth.
void cloud_panel(const Panel& panel, PanelState& state, Settings& settings);
/// Conditions that pause the run.
void stop_panel(const Panel& panel, PanelState& state);
/// The options of the scene.
void view_panel(const Panel& panel, PanelState& state, Settings& settings);
/// The transport below the scene: the time line, and below it the buttons and the time box.
void transport_panel(const Panel& panel, PanelState& state, const Rect& area);
/// In its place in a presentation: a line of what is computed and of the instant shown.
void transport_line(const Panel& panel, PanelState& state, const Rect& area);
/// Its height at scale 1, which grows with the number of runs on the time line and in a narrow view
/// [px]. `width`, `height`: of the scene and the transport together, at scale 1.
float transport_height(std::span<const BranchView> branches, float width, float height);
/// The cost of steps and frames, in a corner of the scene, if it is shown.
void performance_panel(const Panel& panel, const PanelState& state, const Rect& scene);
/// A failed step or command: what failed, where, and what to do.
void message_cards(const Panel& panel, PanelState& state, const Rect& scene);
/// Whether the published numbers of the scenario as it was loaded can be compared with those of a
/// lane: the system, the start and the step are its own, and nothing was changed on the way.
bool is_comparable(const Snapshot& s, std::size_t lane);
/// The height of the strip of a tour below the scene [px], 90 or more at scale 1; 0: no tour.
/// `width`: of the scene [px].
float tour_strip_height(const TourCard* tour, float width, float scale);
/// The strip: what the present step says, its question, and the buttons Back, Next (Enter) and
/// Leave (Esc). Announced to a screen reader when it changes. Call after what Esc closes first.
void tour_strip(const Panel& panel, const Rect& area);
/// An overlay with every key and mouse action.
void key_map_panel(const Panel& panel, bool& open);
/// While keys are shown: the key of every control beside it, and what the mouse does in the scene,
/// in the plots (an empty `plots`: they are hidden), on the time line and on a number. Call after
/// the controls are drawn.
void key_hints(const Panel& panel, const Rect& scene, const Rect& plots);

}  // namespace twosphere::ui
