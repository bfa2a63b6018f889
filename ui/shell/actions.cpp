// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/actions.h"

#include <array>
#include <cassert>
#include <cstddef>

namespace twosphere::ui {

namespace {

using enum Action;

constexpr ActionInfo in(std::string_view submenu, ActionInfo action) {
  action.submenu = submenu;
  return action;
}

// In the order of the enumeration, which is also the order in the menus.
constexpr std::array table{
    ActionInfo{presets, "presets", "File", "Presets…", "Ctrl+N",
               "Choose a system from the page of presets with pictures."},
    ActionInfo{open_scenario, "open_scenario", "File", "Open…", "Ctrl+O", "Open a scenario file."},
    ActionInfo{save_scenario, "save_scenario", "File", "Save", "Ctrl+S",
               "Save the scenario with the settings as they are now."},
    ActionInfo{save_scenario_as, "save_scenario_as", "File", "Save as…", "Ctrl+Shift+S",
               "Save the scenario under another name."},
    ActionInfo{save_state, "save_state", "File", "Save state…", "",
               "Save a file from which the run continues, bit for bit."},
    ActionInfo{export_csv, "export_csv", "File", "Export CSV…", "Ctrl+E",
               "Write every sample of the run as a table.", true},
    ActionInfo{export_visible, "export_visible", "File", "Export visible range…", "",
               "Write the samples in the time range of the plots as a table."},
    ActionInfo{
        export_trajectory, "export_trajectory", "File", "Export trajectory…", "",
        "Write q and ω of every body at every sample, as CSV, extended XYZ or for ParaView."},
    ActionInfo{export_spectra, "export_spectra", "File", "Export spectra…", "",
               "Write the power spectra in the plots as a table."},
    ActionInfo{export_figure, "export_figure", "File", "Export figure…", "Ctrl+Shift+E",
               "Draw the plots as a PDF, SVG or PNG of a chosen size."},
    ActionInfo{save_picture, "save_picture", "File", "Save image…", "Ctrl+P",
               "Save the view as a PNG image."},
    ActionInfo{record_film, "record_film", "File", "Record video…", "Ctrl+R",
               "Record the run as a video, at frames equally spaced in simulated time."},
    ActionInfo{quit, "quit", "File", "Quit", "Ctrl+Q", "Close the program.", true},

    ActionInfo{undo, "undo", "Edit", "Undo", "Ctrl+Z", "Undo the last edit."},
    ActionInfo{redo, "redo", "Edit", "Redo", "Ctrl+Shift+Z", "Redo the edit that was undone.",
               false, "Ctrl+Y"},
    ActionInfo{copy_data, "copy_data", "Edit", "Copy visible data", "Ctrl+Shift+C",
               "Copy what the plots show, as a table for a spreadsheet.", true},
    ActionInfo{copy_pose, "copy_pose", "Edit", "Copy configuration", "Ctrl+Shift+P",
               "Copy q and ω of every body under the plots' cursor, else of the present, as a "
               "table."},
    ActionInfo{copy_scenario, "copy_scenario", "Edit", "Copy scenario", "Ctrl+C",
               "Copy the scenario as text, with the settings and changes as they are now."},
    ActionInfo{paste_scenario, "paste_scenario", "Edit", "Paste scenario", "Ctrl+V",
               "Open the scenario that was copied as text."},
    ActionInfo{copy_command, "copy_command", "Edit", "Copy as command", "",
               "Copy the line that repeats the run up to here without the window."},

    ActionInfo{play_pause, "play_pause", "Simulation", "Start or pause", "Space",
               "Play the run, or pause it."},
    ActionInfo{step_1, "step_1", "Simulation", "Step forward", "Right", "Pause and take one step."},
    ActionInfo{step_10, "step_10", "Simulation", "10 steps forward", "Shift+Right",
               "Pause and take ten steps."},
    ActionInfo{step_100, "step_100", "Simulation", "100 steps forward", "Ctrl+Right",
               "Pause and take a hundred steps."},
    ActionInfo{rewind, "rewind", "Simulation", "Rewind", "Backspace",
               "Back to the start, with the settings as they are now."},
    ActionInfo{reset_parameters, "reset_parameters", "Simulation", "Reset parameters",
               "Ctrl+Backspace",
               "Every setting as in the preset or file. What cannot change while running waits for "
               "Rewind."},
    ActionInfo{faster, "faster", "Simulation", "Faster", "+", "Next higher factor of real time.",
               true},
    ActionInfo{slower, "slower", "Simulation", "Slower", "-", "Next lower factor of real time."},
    ActionInfo{pace_every_step, "pace_every_step", "Simulation", "Show every step", "",
               "Show each step before the next one is taken."},
    ActionInfo{pace_real_time, "pace_real_time", "Simulation", "Real time", "",
               "One second of simulated time in one second."},
    ActionInfo{pace_fastest, "pace_fastest", "Simulation", "As fast as possible", "",
               "Step without waiting for the clock."},
    ActionInfo{check_step, "check_step", "Simulation", "Check symplecticity and reversibility", "K",
               "Measure how nearly symplectic and reversible a step is from the present state. The "
               "run goes on unchanged.",
               true},
    ActionInfo{add_lane, "add_lane", "Simulation", "Add a lane", "L",
               "Another integrator beside those that run, from the same start; in a run after "
               "Rewind."},

    ActionInfo{frame_view, "frame_view", "View", "Fit the scene", "F",
               "Show the whole motion from the first point of view."},
    ActionInfo{view_e1, "view_e1", "View", "View along e₁", "X", "Look from +e₁.", true},
    ActionInfo{view_e2, "view_e2", "View", "View along e₂", "Y", "Look from +e₂."},
    ActionInfo{view_e3, "view_e3", "View", "View along e₃", "Z", "Look from +e₃."},
    ActionInfo{view_minus_e1, "view_minus_e1", "View", "View along −e₁", "Shift+X",
               "Look from −e₁."},
    ActionInfo{view_minus_e2, "view_minus_e2", "View", "View along −e₂", "Shift+Y",
               "Look from −e₂."},
    ActionInfo{view_minus_e3, "view_minus_e3", "View", "View along −e₃", "Shift+Z",
               "Look from −e₃."},
    ActionInfo{follow_next, "follow_next", "View", "Follow the next body", "J",
               "Move the camera along with a body, each of them in turn.", true},
    ActionInfo{follow_none, "follow_none", "View", "Stop following", "Shift+J",
               "Let the camera rest."},
    ActionInfo{copy_view, "copy_view", "View", "Copy camera", "Ctrl+Alt+C",
               "Copy the camera as a line of text."},
    ActionInfo{paste_view, "paste_view", "View", "Paste camera", "Ctrl+Alt+V",
               "Restore a camera that was copied."},
    ActionInfo{next_body, "next_body", "View", "Next body", "N",
               "Read the numbers of the next body. Esc closes them.", true},
    ActionInfo{previous_body, "previous_body", "View", "Previous body", "Shift+N",
               "Read the numbers of the body before."},
    ActionInfo{toggle_trail, "toggle_trail", "View", "Trails", "T",
               "Show where the bodies have been.", true},
    ActionInfo{toggle_graticule, "toggle_graticule", "View", "Graticule", "G",
               "Show meridians and parallels on the unit sphere."},
    ActionInfo{toggle_ground, "toggle_ground", "View", "Ground grid", "Shift+G",
               "Show the ground with its grid and shadows."},
    ActionInfo{toggle_labels, "toggle_labels", "View", "Body numbers", "D",
               "Number the bodies, from 1."},
    ActionInfo{toggle_inset, "toggle_inset", "View", "Inset sphere", "S",
               "Show the directions of all bodies on one unit sphere."},
    ActionInfo{toggle_field, "toggle_field", "View", "Kinetic energy field", "E",
               "Colour the unit sphere by the mean kinetic energy of the bodies around each face."},
    in("Arrows", {arrows_angular_velocity, "arrows_angular_velocity", "View", "Angular velocity ω",
                  "W", "Show ω of every body as an arrow."}),
    in("Arrows", {arrows_velocity, "arrows_velocity", "View", "Velocity dq/dt", "V",
                  "Show dq/dt of every body as an arrow."}),
    in("Arrows", {arrows_momentum, "arrows_momentum", "View", "Momentum μ", "M",
                  "Show the momentum of every body as an arrow."}),
    in("Arrows", {arrows_torque, "arrows_torque", "View", "Torque τ", "U",
                  "Show the torque on every body as an arrow."}),
    in("Colours", {next_colors, "next_colors", "View", "Next colours", "Q",
                   "Have colours show the next quantity."}),
    in("Colours", {colors_usual, "colors_usual", "View", "Default", "",
                   "Springs by tension, a rod by bending energy, many molecules by speed, "
                   "everything else by body, with several lanes by lane.",
                   true}),
    in("Colours", {colors_lane, "colors_lane", "View", "By lane", "",
                   "The colour of the integrator for everything."}),
    in("Colours",
       {colors_speed, "colors_speed", "View", "By speed", "", "Colour every body by |dq/dt|."}),
    in("Colours", {colors_kinetic_energy, "colors_kinetic_energy", "View", "By kinetic energy", "",
                   "Colour every body by its share of the kinetic energy."}),
    in("Colours", {colors_momentum, "colors_momentum", "View", "By momentum", "",
                   "Colour every body by the size of its momentum."}),
    in("Colours", {colors_torque, "colors_torque", "View", "By torque", "",
                   "Colour every body by the size of the torque on it."}),
    in("Colours", {map_viridis, "map_viridis", "View", "Viridis", "",
                   "From dark blue to yellow, even in lightness.", true}),
    in("Colours", {map_cividis, "map_cividis", "View", "Cividis", "",
                   "From blue to yellow, even in lightness, the same for the colour-blind."}),
    in("Colours", {map_paper, "map_paper", "View", "Blue to red", "",
                   "Blue, green, yellow, red as in the 2009 paper."}),
    ActionInfo{toggle_performance, "toggle_performance", "View", "Performance", "F3",
               "Show what steps and frames cost."},
    ActionInfo{plot_energies, "plot_energies", "Plots", "Energies", "1",
               "Plot kinetic, potential and total energy."},
    ActionInfo{plot_energy_error, "plot_energy_error", "Plots", "Energy error", "2",
               "Plot the change of the total energy that no work explains."},
    ActionInfo{plot_unit_length, "plot_unit_length", "Plots", "Unit-length error", "3",
               "Plot how far the worst body is off the unit sphere."},
    ActionInfo{plot_tangency, "plot_tangency", "Plots", "Tangency error", "4",
               "Plot the largest component of an angular velocity along its body's direction."},
    ActionInfo{
        plot_momentum, "plot_momentum", "Plots", "Angular momentum", "5",
        "Plot the components of the angular momentum, which say whether they are conserved."},
    ActionInfo{plot_momentum_error, "plot_momentum_error", "Plots", "Angular-momentum error", "8",
               "Plot how far the components of the angular momentum are from what they were at the "
               "start, on a logarithmic axis."},
    ActionInfo{plot_cost, "plot_cost", "Plots", "Solver statistics", "6",
               "Plot the time that steps take, Newton's iterations and what they leave."},
    ActionInfo{plot_spectrum, "plot_spectrum", "Plots", "Power spectrum", "7",
               "Plot at which frequencies the kinetic energy moves. A plot's own menu has the "
               "spectrum of what it shows."},
    ActionInfo{usual_plots, "usual_plots", "Plots", "This system's plots", "0",
               "Replace the present plots by those made for this system.", true},
    ActionInfo{add_plot, "add_plot", "Plots", "Add plot…", "P",
               "Plot another quantity or component of the state."},
    ActionInfo{plots_fit, "plots_fit", "Plots", "Fit the plots", "Home",
               "Show the whole run in the plots.", true},
    ActionInfo{plots_follow, "plots_follow", "Plots", "Follow in the plots", "End",
               "Keep the newest samples in view."},
    ActionInfo{marker_a, "marker_a", "Plots", "Marker A at the cursor", "A",
               "Mark the instant under the mouse in the plots, or the present one.", true},
    ActionInfo{marker_b, "marker_b", "Plots", "Marker B at the cursor", "B",
               "Mark the instant to compare with A."},
    ActionInfo{clear_markers, "clear_markers", "Plots", "Clear the markers", "C",
               "Take both markers out of the plots."},
    ActionInfo{paper_figures, "paper_figures", "Plots", "Figures of the paper…", "F4",
               "Compute Figures 3.1 to 3.7 of the 2009 paper, beside the numbers that it prints.",
               true},
    ActionInfo{toggle_columns, "toggle_columns", "Window", "Side panels", "Ctrl+\\",
               "Show or hide both columns."},
    ActionInfo{reset_layout, "reset_layout", "Window", "Reset layout", "",
               "Side panels, plots and interface size as at first."},
    ActionInfo{theme_dark, "theme_dark", "Window", "Dark", "", "Light text on dark ground.", true},
    ActionInfo{theme_light, "theme_light", "Window", "Light", "",
               "Dark text on light ground, for lectures and print."},
    ActionInfo{theme_high_contrast, "theme_high_contrast", "Window", "High contrast", "",
               "White on black, with a border around every field."},
    ActionInfo{toggle_theme, "toggle_theme", "Window", "Next theme", "",
               "Dark, light and high contrast in turn."},
    ActionInfo{paper_colors, "paper_colors", "Window", "Paper colours", "",
               "Lanes as the papers draw them: variational red and solid, Runge-Kutta blue and "
               "dotted, with projection black and dashed."},
    ActionInfo{full_screen, "full_screen", "Window", "Full screen", "F11",
               "Fill the screen, or leave it.", true},
    ActionInfo{scale_up, "scale_up", "Window", "Larger interface",
               "Ctrl+=", "Enlarge text and controls.", true},
    ActionInfo{scale_down, "scale_down", "Window", "Smaller interface", "Ctrl+-",
               "Shrink text and controls."},
    ActionInfo{scale_reset, "scale_reset", "Window", "Normal interface size", "Ctrl+0",
               "Text and controls at the screen's own size."},
    ActionInfo{key_map, "key_map", "Help", "Keys", "F1", "Show every key."},
    ActionInfo{preset_help, "preset_help", "Help", "About this preset", "F2",
               "Equations, what to look at and the published values of the open preset."},
    ActionInfo{command_search, "command_search", "Help", "Find a command…", "Ctrl+K",
               "Find whatever the menus hold by a few letters."},
    ActionInfo{about, "about", "Help", "About twosphere", "", "Version, libraries and licence."},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (static_cast<std::size_t>(table[i].action) != i) return false;
  return true;
}
static_assert(in_order() && table.size() == static_cast<std::size_t>(about) + 1);

}  // namespace

std::span<const ActionInfo> actions() { return table; }

std::optional<Palette> palette_of(Action action) {
  switch (action) {
    case theme_dark:
      return Palette::dark;
    case theme_light:
      return Palette::light;
    case theme_high_contrast:
      return Palette::high_contrast;
    default:
      return {};
  }
}

std::optional<ColorMap> color_map_of(Action action) {
  switch (action) {
    case map_viridis:
      return ColorMap::viridis;
    case map_cividis:
      return ColorMap::cividis;
    case map_paper:
      return ColorMap::paper;
    default:
      return {};
  }
}

std::optional<std::optional<Shade>> shade_of(Action action) {
  switch (action) {
    case colors_usual:
      return std::optional<Shade>();
    case colors_lane:
      return Shade::lane;
    case colors_speed:
      return Shade::speed;
    case colors_kinetic_energy:
      return Shade::kinetic_energy;
    case colors_momentum:
      return Shade::momentum;
    case colors_torque:
      return Shade::torque;
    default:
      return {};
  }
}

std::optional<BodyVector> vector_of(Action action) {
  for (std::size_t i = 0; i < body_vector_count; ++i)
    if (arrow_action(static_cast<BodyVector>(i)) == action) return static_cast<BodyVector>(i);
  return {};
}

Action arrow_action(BodyVector vector) {
  switch (vector) {
    case BodyVector::angular_velocity:
      return arrows_angular_velocity;
    case BodyVector::velocity:
      return arrows_velocity;
    case BodyVector::momentum:
      return arrows_momentum;
    case BodyVector::torque:
      return arrows_torque;
  }
  return arrows_torque;
}

int group_of(Action action) {
  return palette_of(action) ? 1 : shade_of(action) ? 2 : color_map_of(action) ? 3 : 0;
}

const ActionInfo& info(Action action) { return table[static_cast<std::size_t>(action)]; }

}  // namespace twosphere::ui
