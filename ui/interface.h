// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "ui/plot/plot_view.h"
#include "ui/shell/frame.h"
#include "ui/shell/settings.h"
#include "ui/shell/spoken.h"

namespace twosphere::ui {

struct InterfaceParts;
struct Surface;

/// The choices of the user besides the settings; sessions keep them.
struct Choices {
  std::optional<BodyId> selected{};  ///< the body whose values are shown
  int followed = -1;                 ///< Interface::followed()
  std::set<int> hidden_lanes{};
  Markers markers{};                ///< times of the markers A and B [s]
  std::optional<Interval> times{};  ///< that the plots show [s]; none: they follow the run
  bool torque_by_hand = false;      ///< the joystick is shown
  bool plot_window = false;         ///< the plots have a window of their own

  bool operator==(const Choices&) const = default;
};

/// The part of the window drawn by Dear ImGui: left and right column, title, transport, plots, key
/// map. Needs a current ImGui context with the fonts of load_fonts(). More than forty functions, of
/// a line each: what the window tells it, and what the window and the tests ask of the last frame.
class Interface {
 public:
  Interface();
  ~Interface();

  Settings& settings();
  const Settings& settings() const;
  /// Draws a frame; call between ImGui::NewFrame() and ImGui::Render().
  void draw(const Frame& frame, CommandSink& sink);
  /// Draws the plots alone, in a window of their own, whose context is current: while
  /// Choices::plot_window is set, draw() leaves them out. Of the frame only the run, the size and
  /// the instant are used.
  void draw_plots(const Frame& frame, CommandSink& sink, Surface& surface);
  /// Performs the part of an action that belongs to the interface; false if there is none.
  bool handle(Action action);
  /// Measures distances from a run of this start (-1: from the present one), and shows a plot of
  /// them.
  void compare_with_run(int run);
  /// Whether the menu entry of a switch or choice is checked; none for other actions.
  std::optional<bool> is_checked(Action action) const;

  /// The body that the camera follows, numbered from 0; -1: none.
  int followed() const;
  /// The body whose values are shown; none if the run does not have it any more.
  std::optional<BodyId> selected() const;
  void select(std::optional<BodyId> body);
  Choices choices() const;
  void choose(const Choices& choices);
  /// The time under the mouse in the plots [s], as of the last frame.
  std::optional<double> cursor() const;
  /// The lane or run whose cell of a split scene is shown alone; −1: all are.
  int cell_alone() const;
  /// Whether the page of presets is open; it then receives the keys without modifiers.
  bool gallery_open() const;
  /// The preset whose moving picture plays on it, as of the last frame; empty: none.
  const std::string& moving_preset() const;
  /// Whether the arrow keys without modifiers, or with Shift, move the joystick of the torque or
  /// choose from a list.
  bool takes_arrows() const;
  /// Whether Space and Enter press the widget that has the keyboard focus.
  bool takes_presses() const;
  /// Whether a replay begins again at its end.
  bool loops() const;
  void set_loops(bool loops);
  /// Whether the instant shown is being dragged along the time line, as of the last frame.
  bool time_dragged() const;
  /// The step of which Frame::time_picture is wanted, as of the last frame; none: it is not.
  std::optional<std::int64_t> pictured_step() const;
  /// Whether it is a presentation, for an audience: with large text, the scene on 62 % of the view
  /// and two plots.
  bool presents() const;
  void set_presentation(bool presents);
  /// Logical pixels per pixel at scale 1: that of the settings, or of a presentation.
  float scale() const;
  /// Whether the cost of steps and frames is shown.
  bool performance() const;
  /// The area between the columns, as of the last frame.
  Rect scene() const;
  /// The share of the height of the scene or of a cell of it, from its top, that captions and
  /// scales of colours cover with the title above them, as of the last frame; the largest of all
  /// cells.
  float covered() const;
  VisiblePlots plots() const;
  /// Lanes hidden in the plots and the scene.
  const std::set<int>& hidden_lanes() const;
  /// Whether a widget is being dragged, as of the last frame: the edit is then not complete.
  bool mouse_captured() const;
  /// Whether an animation needs another frame.
  bool animating() const;
  /// Whether a value is being dragged or typed: all commands sent meanwhile belong to one edit.
  bool editing() const;
  /// Rectangles of the named widgets of the last frame ("play", "parameter/gravity",
  /// "plot/energy_error", …), for tests.
  const std::map<std::string, Rect>& widgets() const;

  /// Whether the frames from the next on collect what a screen reader needs.
  void set_spoken(bool on);
  /// The widgets of the last frame for a screen reader, in reading order; empty unless it is on.
  std::span<const SpokenWidget> spoken() const;
  /// Scrolls the widget into view in the next frame.
  void reveal(const std::string& id);
  /// Shows a field of the left column: opens its section, scrolls to the widget, or the first one
  /// whose name begins with `id`, and draws a ring around it for 2 s.
  void point_at(const std::string& section, const std::string& id);
  /// Shows a plot, and scrolls to it if it is new.
  void show_plot(const PlotSpec& plot);
  /// Enters a text in a number field, SpokenWidget::path, as if it was typed.
  void enter(const std::string& path, std::string text);

 private:
  std::unique_ptr<InterfaceParts> parts_;
};

}  // namespace twosphere::ui
