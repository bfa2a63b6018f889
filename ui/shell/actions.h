// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/color/color_map.h"
#include "core/color/palette.h"
#include "core/observe/body_quantity.h"

namespace twosphere::ui {

/// Everything a user can order besides editing a value. Menus, keys and the key map (F1) are made
/// from one table.
enum class Action {
  presets,
  open_scenario,
  save_scenario,
  save_scenario_as,
  save_state,
  export_csv,
  export_visible,
  export_trajectory,
  export_spectra,
  export_figure,
  save_picture,
  record_film,
  quit,
  undo,
  redo,
  copy_data,
  copy_pose,
  copy_scenario,
  paste_scenario,
  copy_command,
  play_pause,
  step_1,
  step_10,
  step_100,
  rewind,
  reset_parameters,
  faster,
  slower,
  pace_every_step,
  pace_real_time,
  pace_fastest,
  check_step,
  add_lane,
  frame_view,
  view_e1,
  view_e2,
  view_e3,
  view_minus_e1,
  view_minus_e2,
  view_minus_e3,
  follow_next,
  follow_none,
  copy_view,
  paste_view,
  next_body,
  previous_body,
  toggle_trail,
  toggle_graticule,
  toggle_ground,
  toggle_labels,
  toggle_inset,
  toggle_field,
  arrows_angular_velocity,
  arrows_velocity,
  arrows_momentum,
  arrows_torque,
  next_colors,
  colors_usual,
  colors_lane,
  colors_speed,
  colors_kinetic_energy,
  colors_momentum,
  colors_torque,
  map_viridis,
  map_cividis,
  map_paper,
  toggle_performance,
  plot_energies,
  plot_energy_error,
  plot_unit_length,
  plot_tangency,
  plot_momentum,
  plot_momentum_error,
  plot_cost,
  plot_spectrum,
  usual_plots,
  add_plot,
  plots_fit,
  plots_follow,
  marker_a,
  marker_b,
  clear_markers,
  paper_figures,
  toggle_columns,
  reset_layout,
  theme_dark,
  theme_light,
  theme_high_contrast,
  toggle_theme,
  paper_colors,
  full_screen,
  scale_up,
  scale_down,
  scale_reset,
  key_map,
  preset_help,
  command_search,
  about,
};

struct ActionInfo {
  Action action;
  std::string_view id;     ///< "play_pause": stable, for tests
  std::string_view menu;   ///< "Simulation"
  std::string_view label;  ///< "Start or pause"
  std::string_view key;    ///< "Space", in the portable notation of key sequences; may be empty
  std::string_view help;   ///< one line
  bool separator_before = false;
  std::string_view other_key = {};  ///< does the same
  std::string_view submenu = {};    ///< of `menu`, by its title
};

std::span<const ActionInfo> actions();
const ActionInfo& info(Action action);
/// The palette that an action chooses, if that is what it does.
std::optional<Palette> palette_of(Action action);
/// The colour map that an action chooses, if that is what it does.
std::optional<ColorMap> color_map_of(Action action);
/// What an action has colours show: the inner optional is empty for what is usual.
std::optional<std::optional<Shade>> shade_of(Action action);
/// The vector whose arrows an action shows or hides.
std::optional<BodyVector> vector_of(Action action);
Action arrow_action(BodyVector vector);
/// Actions of one group exclude one another: one of them holds. 0: none.
int group_of(Action action);

}  // namespace twosphere::ui
