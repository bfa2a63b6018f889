// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of actions: the user commands other than editing a value. Each action is one record
// here, and only here:
//
//   ACTION(id, position in the menus, label, key, help, what it does)
//
// Menus, keys, the key map, the command search and the table of the user guide are generated from
// the records, in this order. What an action does is one of
//
//   INTERFACE(statements)              done by the interface, `i` (InterfaceParts)
//   SWITCH(flag)                       toggles a flag of the interface; menus show its state
//   TOGGLE(variable, on, off)          the same for a variable with two values
//   CHOICE(variable, value)            sets a variable to this value; menus mark the current value
//   PLOTS(lines)                       shows or hides plots, each in the notation of settings files
//   WINDOW(statements)                 done by the window, `w` (MainWindow); before INTERFACE if
//                                      both are given
//   WINDOW_IF(condition, why, statements)
//                                      the same, enabled only if the condition holds; where it does
//                                      not, the tooltip says why
//
// An including file defines ACTION and those of these macros that it needs; the others expand to
// nothing.

#ifndef INTERFACE
#define INTERFACE(...)
#endif
#ifndef SWITCH
#define SWITCH(flag) TOGGLE(flag, true, false)
#endif
#ifndef TOGGLE
#define TOGGLE(variable, on, off)
#endif
#ifndef CHOICE
#define CHOICE(variable, ...)
#endif
#ifndef PLOTS
#define PLOTS(...)
#endif
#ifndef WINDOW
#define WINDOW(...)
#define WINDOW_IF(condition, why, ...)
#endif

// clang-format off
ACTION(presets, in("File"), "Presets…", "Ctrl+N",
       "Choose a system from the page of presets with pictures.",
       INTERFACE(i.switch_gallery()) WINDOW(w.viewport_->set_files(user_presets(), recent_entries())))
ACTION(new_system, in("File"), "New system…", "Ctrl+Shift+N",
       "Write a system of your own: its inertia, its potential, its forces.",
       INTERFACE(i.state.gallery.open = false)
       WINDOW(w.dialogs_->open("system", QStringLiteral("new"))))
ACTION(open_scenario, in("File"), "Open…", "Ctrl+O",
       "Open a scenario file.",
       WINDOW(w.document_->ask_to_open()))
ACTION(save_scenario, in("File"), "Save", "Ctrl+S",
       "Save the scenario with the current settings.",
       WINDOW(w.document_->save()))
ACTION(save_scenario_as, in("File"), "Save as…", "Ctrl+Shift+S",
       "Save the scenario under another name.",
       WINDOW(w.document_->save_as()))
ACTION(save_session, in("File"), "Save session…", "",
       "Save the scenario with all runs, the plots, the view and the instant shown.",
       WINDOW(w.document_->save_session()))
ACTION(recover_session, in("File"), "Recover session…", "",
       "Open a session that was kept when the program was killed or asked to end.",
       WINDOW(w.document_->recovery().choose_session()))
ACTION(save_state, in("File"), "Save state…", "",
       "Save a file from which the run continues, bit for bit.",
       WINDOW(w.document_->save_state()))
ACTION(save_preset, in("File"), "Save as preset…", "",
       "Save the start and the settings, with a picture, on your page of presets.",
       WINDOW(w.exports_->save_preset()))
ACTION(export_csv, in("File").below_line(), "Export CSV…", "Ctrl+E",
       "Write every sample of the run as a table.",
       WINDOW(w.exports_->export_csv(false)))
ACTION(export_visible, in("File"), "Export visible range…", "",
       "Write the samples in the time range of the plots as a table.",
       WINDOW(w.exports_->export_csv(true)))
ACTION(export_trajectory, in("File"), "Export trajectory…", "",
       "Write q and ω of every body at every sample, as CSV, extended XYZ or VTK for ParaView.",
       WINDOW(w.exports_->export_trajectory()))
ACTION(export_pair_distribution, in("File"), "Export pair distribution…", "",
       "Write the pair distribution function of all bodies, the mean over the samples, as a table.",
       WINDOW(w.exports_->export_pair_distribution()))
ACTION(export_spectra, in("File"), "Export spectra…", "",
       "Write the power spectra in the plots as a table.",
       WINDOW(w.exports_->export_spectra()))
ACTION(export_cloud, in("File"), "Export cloud…", "",
       "Write the distances of the cloud, at each sample since it began, as a table.",
       WINDOW(w.exports_->export_cloud()))
ACTION(export_figure, in("File"), "Export figure…", "Ctrl+Shift+E",
       "Draw the plots as a PDF, SVG or PNG of a chosen size.",
       WINDOW(w.dialogs_->open("figure")))
ACTION(save_picture, in("File"), "Save image…", "Ctrl+P",
       "Save the window, or a picture of the scene and plots, as a PNG image.",
       WINDOW(w.dialogs_->open("picture")))
ACTION(record_film, in("File"), "Record video…", "Ctrl+R",
       "Record the run as a video with frames equally spaced in simulated time.",
       WINDOW_IF(!w.exports_->recording(), "A video is being recorded.",
                 w.dialogs_->open("video")))
ACTION(save_page, in("File"), "Save as web page…", "",
       "Save the run as one file that plays in any browser.",
       WINDOW(w.dialogs_->open("page")))
ACTION(quit, in("File").below_line().without_scene(), "Quit", "Ctrl+Q",
       "Close the program.",
       WINDOW(w.close()))

ACTION(undo, in("Edit"), "Undo", "Ctrl+Z",
       "Undo the last edit.",
       WINDOW_IF(!w.session().undo_label().empty(), "There is nothing to undo.",
                 w.session().undo()))
ACTION(redo, in("Edit"), "Redo", keys("Ctrl+Shift+Z", "Ctrl+Y"),
       "Redo the edit that was undone.",
       WINDOW_IF(!w.session().redo_label().empty(), "There is nothing to redo.",
                 w.session().redo()))
ACTION(copy_data, in("Edit").below_line(), "Copy visible data", "Ctrl+Shift+C",
       "Copy what the plots show, as a table for a spreadsheet.",
       WINDOW(w.exports_->copy_data()))
ACTION(copy_pose, in("Edit"), "Copy configuration", "Ctrl+Shift+P",
       "Copy q and ω of every body as a table: at the time under the cursor of the plots, or"
       " else at the current time.",
       WINDOW(w.viewport_->copy_configuration()))
ACTION(copy_scenario, in("Edit"), "Copy scenario", "Ctrl+C",
       "Copy the scenario as text, with the current settings and all changes.",
       WINDOW(w.document_->copy_scenario()))
ACTION(paste_scenario, in("Edit"), "Paste scenario", "Ctrl+V",
       "Open the scenario that was copied as text.",
       WINDOW(w.document_->paste_scenario()))
ACTION(system_as_text, in("Edit").below_line(), "System as text…", "Ctrl+T",
       "Show the texts that define the system of this run, and change them.",
       INTERFACE(i.state.gallery.open = false) WINDOW(w.dialogs_->open("system")))
ACTION(copy_command, in("Edit").without_scene(), "Copy as command", "",
       "Copy the command that repeats the run up to this point without the window.",
       WINDOW(w.document_->copy_command()))

ACTION(play_pause, in("Simulation"), "Play or pause", "Space",
       "Play or pause the run; in the past, replay what is recorded, with its changes, up to the head.",
       WINDOW(w.replay().play_or_pause()))
ACTION(step_1, in("Simulation"), "Step forward", "Right",
       "Pause and take one step; in the past, show the next one.",
       WINDOW(w.replay().step(1)))
ACTION(step_10, in("Simulation"), "10 steps forward", "Shift+Right",
       "Pause and take ten steps; in the past, go forward by ten.",
       WINDOW(w.replay().step(10)))
ACTION(step_100, in("Simulation"), "100 steps forward", "Ctrl+Right",
       "Pause and take a hundred steps; in the past, go forward by a hundred.",
       WINDOW(w.replay().step(100)))
ACTION(step_back_1, in("Simulation"), "Step back", "Left",
       "Show the run one step earlier.",
       WINDOW(w.replay().step(-1)))
ACTION(step_back_10, in("Simulation"), "10 steps back", "Shift+Left",
       "Show the run ten steps earlier.",
       WINDOW(w.replay().step(-10)))
ACTION(step_back_100, in("Simulation"), "100 steps back", "Ctrl+Left",
       "Show the run a hundred steps earlier.",
       WINDOW(w.replay().step(-100)))
ACTION(show_start, in("Simulation"), "To the start", "Home",
       "Show the start of the run, which is kept.",
       WINDOW(w.replay().show(0)))
ACTION(show_head, in("Simulation"), "To the head", "End",
       "Show the newest step of the run.",
       WINDOW(w.replay().show_head()))
ACTION(go_on_from_here, in("Simulation"), "Go on from here", "Ctrl+Space",
       "Run on from the instant shown without what is recorded after it, as another run; the one so "
       "far is kept.",
       WINDOW(w.go_on_from_here()))
ACTION(detach, in("Simulation"), "Continue as a run of its own", "",
       "Compute the run that is followed in this window, from the instant shown on.",
       WINDOW_IF(!w.document_->live_file().isEmpty(), "No run of another program is followed.",
                 w.detach()))
ACTION(runs, in("Simulation"), "Runs…", "Ctrl+B",
       "Name, colour, show or hide, save or delete the runs from this start.",
       WINDOW(w.dialogs_->open("runs")))
ACTION(next_stop, in("Simulation"), "Next stop", "PgDown",
       "Show the next change of the run, marker, or its end; in a tour, its next step.",
       WINDOW(w.go_to_stop(true)))
ACTION(previous_stop, in("Simulation"), "Previous stop", "PgUp",
       "Show the change of the run or marker before, or its start; in a tour, the step before.",
       WINDOW(w.go_to_stop(false)))
ACTION(go_to_time, in("Simulation"), "Go to a time…", "Ctrl+G",
       "Type the time to show, in seconds.",
       INTERFACE(i.state.time_line.type = true))
ACTION(toggle_loop, in("Simulation"), "Loop", "O",
       "Replay what is recorded again and again; a run that is computed begins again at its end.",
       SWITCH(state.time_line.loop))
ACTION(run_backwards, in("Simulation"), "Run backwards", "R",
       "Continue from the instant shown with time reversed; again, to run forwards. A reversible "
       "method retraces its steps.",
       WINDOW(w.run_backwards()))
ACTION(rewind, in("Simulation"), "Rewind", "Backspace",
       "Go back to the start of the run. If settings have changed since, a new run begins with them; "
       "Undo brings back the earlier run.",
       WINDOW(w.rewind()))
ACTION(reset_parameters, in("Simulation"), "Reset parameters", "Ctrl+Backspace",
       "Restore every setting of the preset or file. Settings that cannot change during a "
       "run take effect on Rewind.",
       WINDOW(w.session().reset_parameters()))
ACTION(faster, in("Simulation").below_line(), "Faster", "+",
       "Increase the ratio of simulated time to real time.",
       WINDOW(w.run_.send(ui::faster(w.pace()))))
ACTION(slower, in("Simulation"), "Slower", "-",
       "Decrease the ratio of simulated time to real time.",
       WINDOW(w.run_.send(ui::slower(w.pace()))))
ACTION(pace_every_step, in("Simulation"), "Show every step", "",
       "Show each step before the next one is taken.",
       WINDOW(w.run_.send(Pace{Pacing::every_step, w.pace().factor})))
ACTION(pace_real_time, in("Simulation"), "Real time", "",
       "Simulate one second per second of real time.",
       WINDOW(w.run_.send(Pace{Pacing::real_time, 1})))
ACTION(pace_fastest, in("Simulation"), "As fast as possible", "",
       "Run without waiting for the clock.",
       WINDOW(w.run_.send(Pace{Pacing::fastest, w.pace().factor})))
ACTION(switch_control, in("Simulation").below_line(), "Control torque on or off", "H",
       "Switch the control torque of a chain off, or on again as it was.",
       INTERFACE(i.state.control.switched = true))
ACTION(add_lane, in("Simulation").below_line(), "Add a lane", "L",
       "Add another integrator with the same start; during a run it takes effect on Rewind.",
       INTERFACE(i.settings.columns = i.state.add_lane = true))
ACTION(add_lane_here, in("Simulation"), "Add a lane from here", "Shift+L",
       "Add another integrator that begins at the instant shown, in the state of the reference "
       "lane; in the past, this begins another run.",
       INTERFACE(i.settings.columns = i.state.add_lane_here = true))

ACTION(frame_view, in("View"), "Fit the scene", "F",
       "Show the whole motion from the default viewpoint.",
       WINDOW(w.viewport_->frame_scene()))
ACTION(view_e1, in("View").below_line(), "View along e₁", "X",
       "Look from +e₁.",
       WINDOW(w.viewport_->look_along(0, false)))
ACTION(view_e2, in("View"), "View along e₂", "Y",
       "Look from +e₂.",
       WINDOW(w.viewport_->look_along(1, false)))
ACTION(view_e3, in("View"), "View along e₃", "Z",
       "Look from +e₃.",
       WINDOW(w.viewport_->look_along(2, false)))
ACTION(view_minus_e1, in("View"), "View along −e₁", "Shift+X",
       "Look from −e₁.",
       WINDOW(w.viewport_->look_along(0, true)))
ACTION(view_minus_e2, in("View"), "View along −e₂", "Shift+Y",
       "Look from −e₂.",
       WINDOW(w.viewport_->look_along(1, true)))
ACTION(view_minus_e3, in("View"), "View along −e₃", "Shift+Z",
       "Look from −e₃.",
       WINDOW(w.viewport_->look_along(2, true)))
ACTION(follow_next, in("View").below_line(), "Follow the next body", "J",
       "Let the camera follow the next body.",
       INTERFACE(i.state.follow = i.state.follow + 1 < i.bodies ? i.state.follow + 1 : -1))
ACTION(follow_none, in("View"), "Stop following", "Shift+J",
       "Stop the camera from following a body.",
       INTERFACE(i.state.follow = -1))
ACTION(copy_view, in("View"), "Copy camera", "Ctrl+Alt+C",
       "Copy the camera as a line of text.",
       WINDOW(w.viewport_->copy_camera()))
ACTION(paste_view, in("View"), "Paste camera", "Ctrl+Alt+V",
       "Restore a camera that was copied.",
       WINDOW(w.viewport_->paste_camera()))
ACTION(next_body, in("View").below_line(), "Next body", "N",
       "Show the values of the next body. Esc closes the card.",
       INTERFACE(i.select_next(1)))
ACTION(previous_body, in("View"), "Previous body", "Shift+N",
       "Show the values of the previous body.",
       INTERFACE(i.select_next(-1)))
ACTION(body_left, in("View", "Selected body").while_held(), "Move the body left", keys("Alt+Left", "Alt+Shift+Left"),
       "Move the selected body to the left by 1° on its sphere, or pull it to the left while the key is "
       "held and the run is running. Shift: a tenth.",
       WINDOW(w.viewport_->push_body(-1, 0)))
ACTION(body_right, in("View", "Selected body").while_held(), "Move the body right", keys("Alt+Right", "Alt+Shift+Right"),
       "The same, to the right.",
       WINDOW(w.viewport_->push_body(1, 0)))
ACTION(body_up, in("View", "Selected body").while_held(), "Move the body up", keys("Alt+Up", "Alt+Shift+Up"),
       "The same, up on the screen.",
       WINDOW(w.viewport_->push_body(0, -1)))
ACTION(body_down, in("View", "Selected body").while_held(), "Move the body down", keys("Alt+Down", "Alt+Shift+Down"),
       "The same, down on the screen.",
       WINDOW(w.viewport_->push_body(0, 1)))
ACTION(split_lanes, in("View").below_line(), "Split by lane", "Shift+S",
       "Show each lane in a cell of its own, with the reference as an outline; again, to show all in one.",
       TOGGLE(settings.split, Split::lanes, Split::none)
       WINDOW(if (w.run_.snapshot().lanes.size() < 2)
                  w.messages_.show_note(QStringLiteral("Add a lane first (L)"))))
ACTION(split_runs, in("View"), "Split by run", "",
       "Show each run from this start in a cell of its own, at the instant shown.",
       TOGGLE(settings.split, Split::runs, Split::none)
       WINDOW(if (w.run_.branches().size() < 2)
                  w.messages_.show_note(QStringLiteral("There is only one run from this start"))))
ACTION(toggle_trail, in("View").below_line(), "Trails", "T",
       "Show the recent paths of the bodies.",
       SWITCH(settings.trail))
ACTION(toggle_graticule, in("View"), "Graticule", "G",
       "Show meridians and parallels on the unit sphere.",
       SWITCH(settings.graticule))
ACTION(toggle_ground, in("View"), "Ground grid", "Shift+G",
       "Show the ground with its grid and shadows.",
       SWITCH(settings.ground))
ACTION(toggle_labels, in("View"), "Body numbers", "D",
       "Show the number of each body, from 1.",
       SWITCH(settings.labels))
ACTION(toggle_angles, in("View"), "Angles of the body", "Shift+B",
       "Show q and ω in the card of a body as angles θ, φ and their rates.",
       SWITCH(settings.angles))
ACTION(toggle_inset, in("View"), "Inset sphere", "S",
       "Show the directions of all bodies on one unit sphere.",
       SWITCH(settings.inset))
ACTION(toggle_time_pictures, in("View"), "Pictures on the time line", "",
       "Show the scene at the time under the mouse on the time line in a small picture.",
       SWITCH(settings.time_pictures))
ACTION(toggle_field, in("View"), "Kinetic energy field", "E",
       "Colour the unit sphere by the mean kinetic energy of the bodies around each face.",
       SWITCH(settings.field))
ACTION(toggle_streamlines, in("View"), "Streamlines", "",
       "Show the lines of equal stream function of the fluid that vortices move with.",
       SWITCH(settings.streamlines))
ACTION(arrows_angular_velocity, in("View", "Arrows"), "Angular velocity ω", "W",
       "Show ω of every body as an arrow.",
       SWITCH(settings.arrows[index(BodyVector::angular_velocity)]))
ACTION(arrows_velocity, in("View", "Arrows"), "Velocity dq/dt", "V",
       "Show dq/dt of every body as an arrow.",
       SWITCH(settings.arrows[index(BodyVector::velocity)]))
ACTION(arrows_momentum, in("View", "Arrows"), "Momentum μ", "M",
       "Show the momentum of every body as an arrow.",
       SWITCH(settings.arrows[index(BodyVector::momentum)]))
ACTION(arrows_torque, in("View", "Arrows"), "Torque τ", "U",
       "Show the torque on every body as an arrow.",
       SWITCH(settings.arrows[index(BodyVector::torque)]))
ACTION(next_colors, in("View", "Colours"), "Next colours", "Q",
       "Colour by the next quantity.",
       INTERFACE(i.settings.shade = next(i.settings.shade)))
ACTION(colors_usual, in("View", "Colours").below_line(), "Automatic", "",
       "Springs by tension, a rod by bending energy, many molecules by speed, spins by "
       "direction, everything else by body.",
       CHOICE(settings.shade, std::nullopt))
ACTION(colors_lane, in("View", "Colours"), "By lane", "",
       "Colour everything by integrator.",
       CHOICE(settings.shade, Shade::lane))
ACTION(colors_speed, in("View", "Colours"), "By speed", "",
       "Colour every body by |dq/dt|.",
       CHOICE(settings.shade, Shade::speed))
ACTION(colors_kinetic_energy, in("View", "Colours"), "By kinetic energy", "",
       "Colour every body by its share of the kinetic energy.",
       CHOICE(settings.shade, Shade::kinetic_energy))
ACTION(colors_momentum, in("View", "Colours"), "By momentum", "",
       "Colour every body by the size of its momentum.",
       CHOICE(settings.shade, Shade::momentum))
ACTION(colors_torque, in("View", "Colours"), "By torque", "",
       "Colour every body by the size of the torque on it.",
       CHOICE(settings.shade, Shade::torque))
ACTION(colors_direction, in("View", "Colours"), "By direction", "",
       "Colour every body by its direction: the hue is the azimuth about an axis, light towards "
       "the axis and dark away from it.",
       CHOICE(settings.shade, Shade::direction))
ACTION(colors_own, in("View", "Colours"), "By the system's quantity", "",
       "Colour every body by the expression at \"color\" of a custom system.",
       CHOICE(settings.shade, Shade::own))
ACTION(map_viridis, in("View", "Colours").below_line(), "Viridis", "",
       "Perceptually uniform, from dark blue to yellow.",
       CHOICE(settings.color_map, ColorMap::viridis))
ACTION(map_cividis, in("View", "Colours"), "Cividis", "",
       "Perceptually uniform, from blue to yellow; suitable for colour-blind readers.",
       CHOICE(settings.color_map, ColorMap::cividis))
ACTION(map_paper, in("View", "Colours"), "Blue to red", "",
       "Blue, green, yellow, red as in the 2009 paper.",
       CHOICE(settings.color_map, ColorMap::paper))
ACTION(toggle_performance, in("View"), "Performance", "F3",
       "Show the cost of steps and frames.",
       SWITCH(state.performance))

ACTION(plot_energies, in("Plots"), "Energies", "1",
       "Plot kinetic, potential and total energy.",
       PLOTS("kinetic_energy and potential_energy and total_energy"))
ACTION(plot_energy_error, in("Plots"), "Energy error", "2",
       "Plot the change of the total energy that is not accounted for by work.",
       PLOTS("energy_error logarithmic"))
ACTION(plot_modified_energy, in("Plots"), "Modified energy error", "",
       "Plot how well a symplectic method keeps its modified energy, which it follows to a higher "
       "order, beside its energy error.",
       PLOTS("energy_error logarithmic", "modified_energy_error logarithmic"))
ACTION(plot_unit_length, in("Plots"), "Unit-length error", "3",
       "Plot the largest deviation of a body from the unit sphere.",
       PLOTS("unit_length_error logarithmic"))
ACTION(plot_tangency, in("Plots"), "Tangency error", "4",
       "Plot the largest component of an angular velocity along the direction of its body.",
       PLOTS("tangency_error logarithmic"))
ACTION(plot_momentum, in("Plots"), "Angular momentum", "5",
       "Plot the components of the angular momentum.",
       PLOTS("angular_momentum_x", "angular_momentum_y", "angular_momentum_z"))
ACTION(plot_momentum_error, in("Plots"), "Angular-momentum error", "8",
       "Plot the change of the components of the angular momentum since the start, on a "
       "logarithmic axis.",
       PLOTS("angular_momentum_x_error and angular_momentum_y_error and angular_momentum_z_error logarithmic"))
ACTION(plot_cost, in("Plots"), "Solver statistics", "6",
       "Plot the time per step, Newton iterations and their residual.",
       PLOTS("step_time", "newton_iterations", "newton_residual logarithmic"))
ACTION(plot_cloud, in("Plots"), "Distance of the cloud", "Shift+D",
       "Plot how far the members of a cloud are from the run: median, band from 5 % to 95 %, and the "
       "fitted rate of growth as a dashed line.",
       PLOTS("cloud_distance logarithmic"))
ACTION(plot_spectrum, in("Plots"), "Power spectrum", "7",
       "Plot the power spectrum of the kinetic energy. The menu of each plot offers the "
       "spectra of its quantities.",
       PLOTS("kinetic_energy spectrum"))
ACTION(default_plots, in("Plots").below_line(), "Default plots", "0",
       "Replace the current plots by the default plots of this system.",
       INTERFACE(i.show_default_plots()))
ACTION(add_plot, in("Plots"), "Add plot…", "P",
       "Plot another quantity or component of the state.",
       INTERFACE(i.settings.columns = i.state.plots.choose = true))
ACTION(plots_window, in("Plots"), "In a window of their own", "Shift+P",
       "Show the plots in another window, such as on a second screen. It has the same cursor, markers "
       "and keys. Closing it brings them back.",
       SWITCH(state.plot_window))
ACTION(plots_fit, in("Plots").below_line(), "Fit the plots", "Shift+Home",
       "Show the whole run in the plots.",
       INTERFACE(i.state.plots.everything = true))
ACTION(plots_follow, in("Plots"), "Follow in the plots", "Shift+End",
       "Keep the newest samples in view.",
       INTERFACE(i.state.plots.follow()))
ACTION(marker_a, in("Plots").below_line(), "Marker A at the cursor", "A",
       "Mark the time under the mouse in the plots, or the current time.",
       INTERFACE(i.state.plots.place_marker[0] = true))
ACTION(marker_b, in("Plots"), "Marker B at the cursor", "B",
       "Mark the time to compare with A.",
       INTERFACE(i.state.plots.place_marker[1] = true))
ACTION(clear_markers, in("Plots"), "Clear the markers", "C",
       "Remove both markers from the plots.",
       INTERFACE(i.state.plots.markers = {}))

ACTION(plot_exponents, in("Explore"), "Lyapunov exponents", "9",
       "Plot the largest Lyapunov exponents and the MEGNO of the run. Tangent vectors follow it "
       "for as long as such a plot is shown; the exponents with their errors are in the left column.",
       PLOTS("lyapunov_1 and lyapunov_2 and lyapunov_3 and lyapunov_4", "megno"))
ACTION(switch_cloud, in("Explore"), "Cloud of nearby starts", "Shift+C",
       "Follow up to 4096 nearby starts, as dots in the scene and as the distance between them and "
       "the run. A cloud begins at the start of the run, also if it is switched on later.",
       SWITCH(state.cloud.wanted))
ACTION(poincare_section, in("Explore"), "Section…", "I",
       "Draw a Poincaré or stroboscopic section of the run, while it runs; a click starts "
       "another orbit there.",
       WINDOW(w.dialogs_->open("section")))
ACTION(frequencies, in("Explore"), "Frequencies…", "Shift+F",
       "Measure the fundamental frequencies of the run, while it runs: the strongest lines of a "
       "complex signal of the state or of a plotted quantity.",
       WINDOW(w.dialogs_->open("frequencies")))
ACTION(pair_distribution, in("Explore"), "Pair distribution…", "",
       "Plot the pair distribution function of the bodies, while the run continues: how often two "
       "directions are an angle apart, compared with independent ones.",
       WINDOW(w.dialogs_->open("pair_distribution")))
ACTION(orbits, in("Explore"), "Orbits…", "Shift+M",
       "Find where the system can rest, stable and unstable, the modes of small motions there, "
       "periodic orbits, their families with bifurcations, and relative equilibria; open one as a "
       "run.",
       WINDOW(w.dialogs_->open("orbits")))
ACTION(parameter_map, in("Explore").below_line(), "Parameter map…", "Ctrl+M",
       "Run the scenario over a grid of settings and draw what is measured as a map.",
       WINDOW(w.dialogs_->open("sweep")))
ACTION(order_study, in("Explore"), "Order study…", "Ctrl+Shift+O",
       "Run integrators with several steps from the start: their orders and the work-precision "
       "diagram.",
       WINDOW(w.dialogs_->open("order")))
ACTION(check_step, in("Explore"), "Check symplecticity and reversibility", "K",
       "Measure how close a step from the current state is to being symplectic and "
       "reversible. The run is not affected.",
       WINDOW(w.check_step()))
ACTION(paper_figures, in("Explore").below_line(), "Figures of the paper…", "F4",
       "Compute Figures 3.1 to 3.7 of the 2009 paper and compare them with the printed numbers.",
       WINDOW(w.dialogs_->open("paper_figure")))

ACTION(toggle_columns, in("Window"), "Side panels", "Ctrl+\\",
       "Show or hide both columns.",
       SWITCH(settings.columns))
ACTION(toggle_moving_pictures, in("Window"), "Moving pictures", "",
       "On the page of presets, the picture under the mouse, or of the card that the keys chose, moves.",
       SWITCH(settings.moving_pictures))
ACTION(reset_layout, in("Window"), "Reset layout", "",
       "Restore the default side panels, plots and interface size.",
       INTERFACE(i.reset_layout()))
ACTION(theme_dark, in("Window").below_line(), "Dark", "",
       "Light text on a dark background.",
       CHOICE(settings.palette, Palette::dark))
ACTION(theme_light, in("Window"), "Light", "",
       "Dark text on a light background, for lectures and print.",
       CHOICE(settings.palette, Palette::light))
ACTION(theme_high_contrast, in("Window"), "High contrast", "",
       "White on black, with a border around every field.",
       CHOICE(settings.palette, Palette::high_contrast))
ACTION(toggle_theme, in("Window"), "Next theme", "",
       "Switch between dark, light and high contrast.",
       INTERFACE(i.settings.palette = next(i.settings.palette)))
ACTION(paper_colors, in("Window"), "Paper colours", "",
       "Draw lanes as in the papers: variational red and solid, Runge-Kutta blue and dotted,"
       " with projection black and dashed.",
       TOGGLE(settings.lane_colors, LaneColors::paper, LaneColors::own))
ACTION(full_screen, in("Window").below_line().without_scene(), "Full screen", "F11",
       "Enter or leave full-screen mode.",
       WINDOW(w.setWindowState(w.windowState() ^ Qt::WindowFullScreen)))
ACTION(present, in("Window"), "Presentation", "F5",
       "Show the scene and two plots on the full screen with large text, for a room; again or Esc, to "
       "leave.",
       SWITCH(state.presentation))
ACTION(black_screen, in("Window"), "Black screen", ".",
       "In a presentation, show a black screen; again, to continue.",
       INTERFACE(i.state.black = !i.state.black) WINDOW_IF(w.viewport_->interface().presents(), "Press F5 for a presentation first."))
ACTION(scale_up, in("Window").below_line(), "Larger interface", "Ctrl+=",
       "Enlarge text and controls.",
       INTERFACE(i.scale_by(0.125f)))
ACTION(scale_down, in("Window"), "Smaller interface", "Ctrl+-",
       "Shrink text and controls.",
       INTERFACE(i.scale_by(-0.125f)))
ACTION(scale_reset, in("Window"), "Normal interface size", "Ctrl+0",
       "Reset text and controls to the default size of the screen.",
       INTERFACE(i.settings.scale = 1))

ACTION(tours, in("Help"), "Tours", "",
       "Show the guided tours, in the first row of the page of presets.",
       INTERFACE(i.state.gallery.show(nullptr))
       WINDOW(w.viewport_->set_files(user_presets(), recent_entries())))
ACTION(key_map, in("Help"), "Keys", "F1",
       "Show every key.",
       INTERFACE(i.state.key_map = !i.state.key_map))
ACTION(show_keys, in("Help").while_held(), "Keys on the controls", "?",
       "Show the key of every control beside it, while ? is held or until Esc is pressed.",
       SWITCH(state.show_keys))
ACTION(preset_help, in("Help").without_scene(), "About this preset", "F2",
       "Equations, what to look at and the published values of the open preset.",
       WINDOW(w.dialogs_->open("help")))
ACTION(documentation, in("Help").without_scene(), "Documentation", "",
       "Open the documentation in the web browser, if it is installed or built.",
       WINDOW_IF(!documentation_page().isEmpty(),
                 "It is not there: the package twosphere-doc installs it, scripts/docs makes it.",
                 w.open_documentation()))
ACTION(command_search, in("Help"), "Search…", "Ctrl+K",
       "Find a command, a preset, a field, a quantity or a help page by its words.",
       WINDOW(w.dialogs_->open("command_search")))
ACTION(about, in("Help").without_scene(), "About twosphere", "",
       "Version, libraries and licence.",
       WINDOW(w.dialogs_->open("about")))
// clang-format on

#undef ACTION
#undef INTERFACE
#undef SWITCH
#undef TOGGLE
#undef CHOICE
#undef PLOTS
#undef WINDOW
#undef WINDOW_IF
