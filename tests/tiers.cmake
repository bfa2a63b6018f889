# SPDX-License-Identifier: GPL-3.0-or-later
# Files of tests that take long, with the cases that a person waits for: those of the patterns, or ALL_BUT those. The others of the file
# are the rest, in quarters.
function(twosphere_default_cases name)  # [ALL_BUT] PATTERN...
  file(GLOB_RECURSE file ${name}.cpp)
  if(NOT file)
    message(FATAL_ERROR "tests/tiers.cmake: there is no ${name}.cpp")
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ALL_BUT")
  set(default_cases_${name} ${arg_UNPARSED_ARGUMENTS} PARENT_SCOPE)
  set(rest_cases_${name} ${arg_ALL_BUT} PARENT_SCOPE)
endfunction()

# Every system with every method there and back and from its memory, and what takes long on one or two of the systems: the order, huge
# steps, the sphere, momentum, work, a million steps.
twosphere_default_cases(mechanics_test Catalog.* Pairs.* */EverySystem.Gradient* */EverySystem.Hessian* */EverySystem.Inertia*
                        */EverySystem.Variable* */EverySystem.Accelerations* */EverySystem.Four* */EverySystem.Equations* */EverySystem.Rate*
                        */EverySystem.*/double_pendulum */EverySystem.*/uncoupled */EveryPair.GoesThereAndBack/*
                        */EveryPair.RestoresItsMemoryExactlyAndRefusesAWrongOne/*
                        */EveryPair.*_double_pendulum */EveryPair.*_uncoupled */FixedStepPair.*_double_pendulum */FixedStepPair.*_uncoupled
                        */SymplecticPair.*_double_pendulum */SymplecticPair.*_uncoupled */ConservativePair.*_double_pendulum)
twosphere_default_cases(velocity_force_test VelocityFlow.* VelocityForces.* */VelocityForce.AMagnetic* */VelocityForce.Symmetric*
                        */VelocityForce.*_uncoupled)
twosphere_default_cases(work_test Work.* */WorkOfEveryPair.*_damped_chain)
twosphere_default_cases(allocation_test Allocation.* */Allocation.*_pendulum */Allocation.*_33 */Allocation.NoneInAStepWithTangent*)
twosphere_default_cases(reference_test Published.* */Reference.Gauss* */Reference.*/double_spherical_pendulum */Reference.*/custom_kepler)
twosphere_default_cases(rounding_test Truncation.* */Rounding.*/variational_chain_pendulum)
twosphere_default_cases(other_units_test ALL_BUT OtherUnits.WhatIsSaidOfARunOfTextsDependsOnItsMotionAlone)
twosphere_default_cases(sizes_test */EverySize.*_2 */EverySize.*_7)
twosphere_default_cases(custom_back_ends_test ALL_BUT CustomBackEnds.AgreeForThe* CustomBackEnds.AgreeWhereDerivativesEnd
                        CustomBackEnds.TakeTheSameSteps*)
twosphere_default_cases(custom_limits_test ALL_BUT CustomLimits.AFigureOfManyParts* CustomLimits.CountFigures*
                        */GreedyText.*/matrix_* */GreedyText.*/figure_* */GreedyText.*/nested_* */GreedyText.*/powers_* */GreedyText.*/sums_*
                        */GreedyText.*/vectors_*)
twosphere_default_cases(custom_presets_test ALL_BUT */CustomTwin.*/molecules CustomPresets.Thomsons*)
twosphere_default_cases(as_text_test ALL_BUT */PresetAsText.MovesTheSameWay/quench */PresetAsText.MovesTheSameWay/skyrmion
                        */PresetAsText.MovesTheSameWay/lennard_jones)
twosphere_default_cases(custom_twins_test ALL_BUT LargeCustomTwins.*)
twosphere_default_cases(damping_test ALL_BUT Damping.IsTheFlowOf* */StrongDamping.IsThatOfTight* */StrongDamping.MovesLess*
                        */ControlledChain.IsThatOfTight*)
twosphere_default_cases(docs_test ALL_BUT Docs.*ThatAreMeasured)
# Families of orbits: tens or hundreds of them, each by some iterations of Newton's method over hundreds of steps with their derivatives.
twosphere_default_cases(driven_orbit_test ALL_BUT DrivenOrbits.Lose* DrivenOrbits.DoubleTheirPeriod DrivenOrbits.HaveThePeriodOf*
                        DrivenOrbits.TakeMoreSteps* DrivenOrbits.FamiliesThat*)
twosphere_default_cases(orbit_test ALL_BUT Orbits.FamiliesBranch* Orbits.FamiliesTake* Orbits.FamiliesOfSixty* Orbits.Pairs*
                        Orbits.BranchesHave* Orbits.BranchesInThe*)
twosphere_default_cases(step_map_test StepMap.* */FourFormulations.* */StepMapOfEveryPair.ComesBack*
                        */StepMapOfEveryPair.*_double_pendulum */StepMapOfEveryPair.*_uncoupled)
twosphere_default_cases(json_test ALL_BUT Json.size_is_bounded)
twosphere_default_cases(skyrmion_test ALL_BUT Skyrmion.AtRest*)
twosphere_default_cases(sweep_test ALL_BUT SweepPlan.RefusesWhatCannotBeRunAndSaysWhere)
twosphere_default_cases(sweep_task_test ALL_BUT SweepTask.Groups* */Groups.*/sse*)
twosphere_default_cases(sweep_folder_test ALL_BUT Folder.Groups* Folder.ATaskGoesOn*)
twosphere_default_cases(first_order_methods_test ALL_BUT FirstOrderMethods.KeepWhatTheirRecords*)
twosphere_default_cases(heat_bath_run_test ALL_BUT HeatBath.SpinsInAField*)
twosphere_default_cases(far_field_system_test ALL_BUT FarField.TheEnergyOf10000Bodies*)
twosphere_default_cases(pull_test ALL_BUT Pull.ContinuesBitForBit*)
twosphere_default_cases(cloud_test ALL_BUT Cloud.TheErrorOfItsRate*)
twosphere_default_cases(encounters_test ALL_BUT Encounters.AThousandSeconds*)
twosphere_default_cases(chain_solver_test ALL_BUT SerialSolver.KnowsWhether*)
twosphere_default_cases(mouse_pull_test ALL_BUT PullSpring.NoPullBlows*)
twosphere_default_cases(orbit_parameter_test ALL_BUT OrbitFamilies.AreGoneOn*)
twosphere_default_cases(ensemble_test ALL_BUT */Ensemble.*/sse*)
twosphere_default_cases(far_field_test ALL_BUT FarFieldSums.Vortices* FarFieldThreads.AndEarlier* */FarFieldLevels.*/sse*)
twosphere_default_cases(lennard_jones_test ALL_BUT */LennardJonesKernels.*/sse*)
twosphere_default_cases(history_test ALL_BUT History.IsCutAs* History.ThinsAsIf* History.StatesStay*)
twosphere_default_cases(scenario_test ALL_BUT Scenario.save_load_save*)
twosphere_default_cases(rows_together_test ALL_BUT RowsTogether.AreThoseOfTheSteps*)
twosphere_default_cases(command_line_test ALL_BUT CommandLine.restart_in_a_fresh_process_is_exact_to_every_byte
                        CommandLine.signals_end_a_step_that_takes_long
                        CommandLine.a_signal_ends_every_command_in_a_step_that_takes_long CommandLine.numbers_do_not_depend_on_the_locale)
twosphere_default_cases(command_line_manual_test ALL_BUT Manual.*Completes*)
twosphere_default_cases(command_line_input_test ALL_BUT */BadFile.*/many_values)
twosphere_default_cases(command_line_render_test ALL_BUT Render.draws_every_preset_at_the_size_of_the_window
                        Render.shows_what_the_window_can Render.larger_pictures* Render.transparent_pictures*)
twosphere_default_cases(command_line_sweep_test ALL_BUT SweepCommand.kills_and_threads_leave_the_same_bytes
                        SweepCommand.a_task_in_which_three_processes_are_killed_is_a_row SweepCommand.a_task_that_lacks_memory_is_a_row)
twosphere_default_cases(command_line_verify_test ALL_BUT Verify.proves_every_pair_and_skips_those_that_do_not_exist)
twosphere_default_cases(command_line_video_test ALL_BUT Video.follows_a_body Video.two_recordings*)

# Every size of the window or of its text, every ratio of pixels, every preset.
twosphere_default_cases(interface_test ALL_BUT Interface.HeadingsOfTablesHaveRoomInTheirColumns Interface.TitlesAndChoicesAreShownWhole
                        Interface.NoTextIsCut)
twosphere_default_cases(spoken_test ALL_BUT Spoken.NothingUnderTheMouseIsUnknown Spoken.EveryWidgetOfEveryPreset*)
twosphere_default_cases(journey_test */JourneyOf.*/double_spherical_pendulum_*)
twosphere_default_cases(screen_test Screen.DrawsEveryPixel)
twosphere_default_cases(dialog_names_test ALL_BUT DialogNames.HeadingsOfTablesAreShownWhole)

# What is repeated for every preset, or for every preset with every method.
twosphere_default_cases(plots_panel_test ALL_BUT ReadyPlots.AreAKey*)
twosphere_default_cases(golden_picture_test ALL_BUT GoldenPicture.ABodyLess* PictureInParts.IsTheSameAsInOne)
twosphere_default_cases(guard_test ALL_BUT Guard.NoPresetIsWarnedOf*)
twosphere_default_cases(live_edit_test ALL_BUT LiveEdit.ReadsWhatIsSet*)
twosphere_default_cases(live_file_test ALL_BUT LiveFile.WithAnyContent*)
twosphere_default_cases(reversal_test ALL_BUT Reversal.AWayBackContinues* Reversal.MethodsRetrace*)
twosphere_default_cases(seeker_test ALL_BUT Seeker.FindsAnyStepOfEveryPreset*)
twosphere_default_cases(simulation_test ALL_BUT Simulation.*WithEveryMethod Simulation.ContinuesBitForBit* Simulation.AStepThatIsInterrupted*)
twosphere_default_cases(added_lane_test ALL_BUT AddedLane.IsARunFrom*)
twosphere_default_cases(sweep_choices_test ALL_BUT SweepChoices.MostTasks*)
twosphere_default_cases(time_line_test ALL_BUT TimeLine.AClickOrADragGoesToATimeWithEveryPreset)

# The main use of each part of the window. Rare sequences of actions, and cases that wait for seconds, are the rest.
twosphere_default_cases(accessible_panels_test ALL_BUT AccessiblePanels.KeysPress* AccessiblePanels.WhatIsOutOfView*
                        AccessiblePanels.TextsAre* AccessiblePanels.TheFocus*)
twosphere_default_cases(backwards_test Backwards.HasTheFrames* Backwards.EndsAtOnce*)
twosphere_default_cases(cloud_window_test CloudWindow.IsSwitched*)
twosphere_default_cases(export_test ALL_BUT Export.ALongExportCanBeGivenUp Export.AFigureThatCannotBeWrittenLeavesTheOldOne
                        Export.TheVisibleRangeOnly Export.AFigureOfAChosenSize Export.ByTheKeyboardAlone Export.APageOfTheStart*
                        Export.APageThatIsCancelled* Export.APlotsMenu* Export.ThePair* Export.PowerSpectra* Export.TheDataOf*)
twosphere_default_cases(follow_test ALL_BUT Following.OffersARunOfItsOwnForWhatItCannotDo
                        Following.SaysThatTheProcessWasKilledAndGoesOnFromAnInstant Following.KeepsWhatItRead*)
twosphere_default_cases(frequencies_dialog_test ALL_BUT Frequencies.AreMeasured* Frequencies.ASignal* Frequencies.FollowTheRun*
                        Frequencies.OfSeveral* Frequencies.TheSignal*)
twosphere_default_cases(hands_test Hands.MoveABodyOfTheStart Hands.CtrlPulls*)
twosphere_default_cases(held_keys_test HeldKeys.AltWithAnArrowPulls*)
twosphere_default_cases(live_run_test ALL_BUT Live.ALongRunIsExported*)
twosphere_default_cases(orbits_dialog_driven_test DrivenOrbits.WhatForces* DrivenOrbits.ThereAreNone*)
twosphere_default_cases(orbits_dialog_test ALL_BUT Orbits.SaysWhichModes* Orbits.TheWheel* Orbits.AFamilyIs* Orbits.ADragAlong*
                        Orbits.BranchesOff* Orbits.CancelsAtOnce* Orbits.BeginsAgain* Orbits.DrawsRelative* Orbits.ListsTheSmall*)
twosphere_default_cases(pair_distribution_dialog_test Pairs.AreThose* Pairs.OfOneBody*)
twosphere_default_cases(paper_figures_test ALL_BUT PaperFigures.Figure32* PaperFigures.TheTable*)
twosphere_default_cases(plot_window_test PlotsWindow.HasThePlots* PlotsWindow.ItsKeys* PlotsWindow.ClosesWith*)
twosphere_default_cases(presentation_test ALL_BUT PresentationWindow.TheTransport* PresentationWindow.PlaysOnFrom*
                        PresentationWindow.PlaysWhatIsRecorded* PresentationWindow.PlaysInALoop PresentationWindow.APoint*)
twosphere_default_cases(presets_test ALL_BUT PresetsWindow.TheConfigurationUnderThePlotsCursor PresetsWindow.ReadsABodyByClickAndByKey
                        PresetsWindow.TheSceneIsBehind* PresetsWindow.TheSettingOf* PresetsWindow.ThePicturesOf*
                        PresetsWindow.AChanged* PresetsWindow.ASelected* PresetsWindow.Copies*)
twosphere_default_cases(scenario_text_test ALL_BUT ScenarioText.ASessionFileHoldsTheRunsThatRewindLeft
                        ScenarioText.RecentFilesOpenFromTheFirstPage ScenarioText.TheCommandRepeatsWhatIsOnTheScreen
                        ScenarioText.ASearchThatIsOverGivesTheKeyboardBack
                        ScenarioText.IsCopiedAndPasted ScenarioText.APlottedExpression* ScenarioText.AViewThatCannotBe*
                        ScenarioText.FilesOpenedAndSaved* ScenarioText.ACustomSystemsQuantities*
                        ScenarioText.AutomaticColours* ScenarioText.AViewHas* ScenarioText.AViewKeeps* ScenarioText.ASlowPreset*
                        ScenarioText.TheRecordBeside* ScenarioText.ThePerformance* ScenarioText.KeysInAText*)
twosphere_default_cases(section_dialog_test ALL_BUT Section.FollowsARun* Section.LooksForNothing* Section.WhatWasTyped*
                        Section.StartsAre* Section.TakesAnother* Section.DrawsLanes*)
twosphere_default_cases(session_test SavedSession.* SessionWindow.UndoesAndRedoes* SessionWindow.AsksBefore* SessionWindow.AFailedSave*
                        SessionWindow.ComesBackAfterAKill SessionWindow.ComesBackInTheFrame* SessionWindow.AProgramThat*)
twosphere_default_cases(split_window_test SplitWindow.OneLane* SplitWindow.ADragIn* SplitWindow.TheMouseTurns*)
twosphere_default_cases(sweep_dialog_test ALL_BUT ParameterMap.SweepsFieldsThatCannotBeSetAloneByTheirAngles
                        ParameterMap.KeepsItsFieldsWhileAnOpenedFolderRuns ParameterMap.StopsGoesOn* ParameterMap.OfADiffusion*
                        ParameterMap.BlocksOf* ParameterMap.PlansIn* ParameterMap.GoesOnIn* ParameterMap.ShiftClick* ParameterMap.OffersMeasures*)
twosphere_default_cases(system_dialog_test ALL_BUT SystemAsText.IsSavedAsAPreset* SystemAsText.RunsAlsoAfter* SystemAsText.UnitsAre*
                        SystemAsText.OtherBodies* SystemAsText.NamesAnd* SystemAsText.TabGoes* SystemAsText.TheLanguage*
                        SystemAsText.ThePage* SystemAsText.ATextThatIsNotApplied* SystemAsText.ACheck* SystemAsText.AParameter*
                        SystemAsText.WhatIsWritten*)
twosphere_default_cases(time_travel_test TimeTravel.GoesAnywhereByKeys TimeTravel.TheRunGoesOn* TimeTravel.SpaceReplays*
                        TimeTravel.AChangeInThePast*)
twosphere_default_cases(touch_test Fingers.OneOrbits* Fingers.Two*)
twosphere_default_cases(tour_window_test ALL_BUT TourWindow.ItsPlots* TourWindow.EndsWaiting* TourWindow.AStepThatCannot*
                        TourWindow.WhatTheUserDid* TourWindow.AnExerciseFor* TourWindow.AnExerciseOf*
                        TourWindow.IsShownIn* TourWindow.EveryExercise* TourWindow.EndsWhere*)
twosphere_default_cases(video_test CheckBoxes.* RecordVideo.RepeatsWhat* RecordVideo.CancellingLeaves* RecordVideo.Remembers*)
twosphere_default_cases(window_test ALL_BUT Window.AFailedStepPausesAndSaysWhere Window.ValuesOfTheStatusBarAreWholeAndWithinTheWindow
                        Window.ACheckOfTheStep* Window.RewindWith* Window.KeepsSettings* Window.CopiesAndPastes* Window.MenusStatusBar*
                        Window.TheStatusBarHasRoom* Window.KeepsTheCamera* Window.StartsWithin* Window.ChecksTheStep*
                        Window.IsDrawnOnce* Window.AClickActs* Window.AFileThatCannot* Window.MenusHave* Window.ButtonsOf*
                        Window.StaysMax* Window.TellsAbout* Window.EscAfter*)
twosphere_default_cases(without_scene_test WithoutScene.KeysDoNoHarmWhereOpenGlIsTooOld WithoutScene.ControlQ* WithoutScene.APlatform*)

# Golden solutions that take more than four seconds are of a quarter of the rest.
set(golden_quarter_three_body_20 0)
set(golden_quarter_lennard_jones_12 1)
set(golden_quarter_three_body_13 2)
set(golden_quarter_dipole_array_16 3)
set(golden_quarter_elastic_rod_4_consistent 3)

# Files that are of the rest as a whole.
set(rest_files command_line_study_test guide_pictures_test)

# Files that run alone as a whole: most of their cases look at the clock, or have a desktop that others would disturb.
set(serial_files background_test hands_test held_keys_test live_run_test screen_test soak_test touch_test without_scene_test)
