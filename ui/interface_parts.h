// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ui/panels/panels.h"
#include "ui/panels/view_layout.h"
#include "ui/plots/ready_plots.h"
#include "ui/shell/frame.h"
#include "ui/shell/settings.h"
#include "ui/shell/surface.h"

namespace twosphere::ui {

/// What an interface has between its frames, with its columns and what the actions do to it.
struct InterfaceParts {
  Settings settings;
  PanelState state;
  Surface main;  // of the main window
  ViewLayout layout;
  bool running = false;
  bool mouse_captured = false;
  // The cursor of the plots in another window is on the time line here.
  bool cursor_on_line = false;
  std::uint64_t gesture = 0;  // Change::gesture: another in each frame, except while it is captured
  std::shared_ptr<const Scenario> present;  // of the run, as of the last frame
  int lanes = 0, bodies = 0;                // as of the last frame
  std::uint64_t generation = 0;             // as of the last frame
  Split split = Split::none;                // as of the last frame
  bool from_top = false;                    // another scenario was opened
  bool presented = false;                   // Interface::presents() in the last frame
  float covered = 0;                        // Interface::covered()
  std::string sections_of;                  // the preset, or the title, that `state.closed` is of
  std::map<std::string, ClosedSections, std::less<>> closed_sections;  // of other ones
  std::string reference;                                               // Panel::reference_name()
  BodyLook look;
  std::optional<std::tuple<std::shared_ptr<const System>, std::size_t, std::optional<Shade>,
                           LaneColors>>
      colored;  // the input from which `look` was computed

  /// Interface::scale()
  float scale() const;

  /// In a presentation the transport is shown while the mouse is on it, or it is used.
  void grow_transport(const Frame& frame);
  /// Those that the run is opened with.
  std::vector<PlotSpec> default_plots() const;

  /// Determines which bodies have their own colours, once per system.
  void color_bodies(const Snapshot& snapshot);

  /// Call after the widgets.
  void move_focus(const Panel& panel);

  /// Closes the sections of the left column as they were when this scenario was shown last; at
  /// first, those that it does not use.
  void open_sections_of(const Scenario& loaded);

  /// Rings a widget, or the first of its parts. Call after the widgets.
  void ring(const Panel& panel, const std::string& name) const;

  /// Esc ends it. A black screen covers everything. Call after the widgets.
  void end_presentation(const Panel& panel);

  /// Rings the widget that the search points at. Call after the widgets.
  void draw_ring_of_search(const Panel& panel);

  /// Clears the selection if the run does not have the body.
  void keep_selection(const Snapshot& snapshot);

  /// Selects the next or the previous body, cyclically.
  void select_next(int by);

  // What actions do.
  void switch_gallery();
  void switch_plots(const ReadyPlot& ready);
  void show_default_plots();
  void scale_by(float change);
  void reset_layout();

  /// The handler of an action in the interface.
  struct Handler {
    void (*run)(InterfaceParts&) = nullptr;
    bool (*checked)(const InterfaceParts&) = nullptr;  ///< whether its menu entry is checked
  };
  static const Handler& handler(Action action);

  /// Shows all plots again where Esc was pressed.
  void leave_plot_alone(const Panel& panel);

  /// The line between a column and the scene.
  void edge(const Panel& panel, float x) const;

  void left_column(const Panel& panel);

  /// The plots, in the right column or a window of their own.
  void plots_in(const Panel& panel, const Rect& r);

  /// In a presentation only the first ones.
  void draw_plots(const Panel& panel);

  /// A handle on the edge of a column; returns how far it was dragged in this frame [px].
  float grip(const Panel& panel, const char* name, const char* spoken_name, float x, float height);

  bool has_right_column() const;

  /// Takes over which lanes and which instant the frame has.
  void follow_run(const Frame& frame);

  /// For the widgets of a frame in one of the windows.
  Panel panel_of(const Frame& frame, CommandSink& sink, Surface& surface);

  /// The grips on the edges of both columns.
  void splitters(const Panel& panel);
};

}  // namespace twosphere::ui
