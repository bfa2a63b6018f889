// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "ui/plot/plot_view.h"
#include "ui/shell/frame.h"
#include "ui/shell/settings.h"

namespace twosphere::ui {

/// All of the window that Dear ImGui draws: left and right column, title, transport, plots, key
/// map. Needs a current ImGui context whose fonts came from load_fonts().
class Interface {
 public:
  Interface();
  ~Interface();

  Settings& settings();
  const Settings& settings() const;
  /// Between ImGui::NewFrame() and ImGui::Render().
  void draw(const Frame& frame, CommandSink& sink);
  /// Does what the record of an action has the interface do; false if that is nothing.
  bool handle(Action action);
  /// Whether what an action switches on or chooses is so now; nothing if it is no such action.
  std::optional<bool> is_checked(Action action) const;

  /// The body that the camera follows, from 0; -1: none.
  int followed() const;
  /// The body whose numbers are shown. It goes when the run has no such body any more.
  std::optional<BodyId> selected() const;
  void select(std::optional<BodyId> body);
  /// The instant that the mouse points at in the plots [s], as of the last frame.
  std::optional<double> cursor() const;
  /// Whether the page of presets covers the view: keys without modifiers are then its own.
  bool gallery_open() const;
  /// Whether what steps and frames cost is shown.
  bool performance() const;
  /// What the columns leave for the scene, as of the last frame.
  Rect scene() const;
  VisiblePlots plots() const;
  /// Lanes that neither plots nor scene show.
  const std::set<int>& hidden_lanes() const;
  /// Whether the mouse holds a widget, as of the last frame: what is being dragged is not complete.
  bool mouse_captured() const;
  /// Whether anything moves by itself, so that another frame is due.
  bool animating() const;
  /// Whether a value is being dragged or typed: what is sent then belongs to one edit.
  bool editing() const;
  /// Rectangles of the named widgets of the last frame ("play", "parameter/gravity",
  /// "plot/energy_error", …), for tests.
  const std::map<std::string, Rect>& widgets() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twosphere::ui
