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

# Every system with every method there and back and from its memory, and what takes long on two of the systems: the order, huge steps,
# the sphere, a million steps.
twosphere_default_cases(mechanics_test Catalog.* Pairs.* */EverySystem.* */SymplecticPair.* */EveryPair.GoesThereAndBack/*
                        */EveryPair.RestoresItsMemoryExactlyAndRefusesAWrongOne/*
                        */EveryPair.*_double_pendulum */EveryPair.*_uncoupled */FixedStepPair.*_double_pendulum */FixedStepPair.*_uncoupled
                        */ConservativePair.*_double_pendulum */ConservativePair.*_uncoupled)
twosphere_default_cases(allocation_test Allocation.* */Allocation.*_pendulum */Allocation.*_33 */Allocation.NoneInAStepWithTangent*)
twosphere_default_cases(reference_test Published.* */Reference.Gauss* */Reference.*/double_spherical_pendulum */Reference.*/custom_kepler)
twosphere_default_cases(rounding_test Truncation.* */Rounding.*/variational_chain_pendulum)
twosphere_default_cases(other_units_test ALL_BUT OtherUnits.WhatIsSaidOfARunOfTextsDependsOnItsMotionAlone)
twosphere_default_cases(sizes_test */EverySize.*_2 */EverySize.*_7)
twosphere_default_cases(custom_back_ends_test ALL_BUT CustomBackEnds.AgreeForThePresetsAtEveryLevel CustomBackEnds.AgreeWhereDerivativesEnd)
twosphere_default_cases(custom_limits_test ALL_BUT CustomLimits.AFigureOfManyParts* CustomLimits.CountFigures*)
twosphere_default_cases(custom_twins_test ALL_BUT LargeCustomTwins.*)
twosphere_default_cases(damping_test ALL_BUT Damping.IsTheFlowOf*)
twosphere_default_cases(docs_test ALL_BUT Docs.NumbersAreThoseThatAreMeasured)
twosphere_default_cases(driven_orbit_test ALL_BUT DrivenOrbits.LoseTheirStabilityTo*)
twosphere_default_cases(json_test ALL_BUT Json.size_is_bounded)
twosphere_default_cases(skyrmion_test ALL_BUT Skyrmion.AtRest*)
twosphere_default_cases(sweep_test ALL_BUT SweepPlan.RefusesWhatCannotBeRunAndSaysWhere Folder.GroupsGoOn*)
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
twosphere_default_cases(golden_picture_test ALL_BUT GoldenPicture.ABodyLess* PictureInParts.IsTheSameAsInOne)
twosphere_default_cases(guard_test ALL_BUT Guard.NoPresetIsWarnedOf*)
twosphere_default_cases(live_edit_test ALL_BUT LiveEdit.ReadsWhatIsSet*)
twosphere_default_cases(live_file_test ALL_BUT LiveFile.WithAnyContent*)
twosphere_default_cases(reversal_test ALL_BUT Reversal.AWayBackContinues*)
twosphere_default_cases(seeker_test ALL_BUT Seeker.FindsAnyStepOfEveryPreset*)
twosphere_default_cases(simulation_test ALL_BUT Simulation.*WithEveryMethod)
twosphere_default_cases(sweep_choices_test ALL_BUT SweepChoices.MostTasks*)
twosphere_default_cases(time_line_test ALL_BUT TimeLine.AClickOrADragGoesToATimeWithEveryPreset)

# The main use of each part of the window. Rare sequences of actions, and cases that wait for seconds, are the rest.
twosphere_default_cases(accessible_panels_test ALL_BUT AccessiblePanels.KeysPress* AccessiblePanels.WhatIsOutOfView*)
twosphere_default_cases(cloud_window_test CloudWindow.IsSwitched* CloudWindow.AskedFor*)
twosphere_default_cases(export_test ALL_BUT Export.ALongExportCanBeGivenUp Export.AFigureThatCannotBeWrittenLeavesTheOldOne
                        Export.TheVisibleRangeOnly Export.AFigureOfAChosenSize Export.ByTheKeyboardAlone)
twosphere_default_cases(follow_test ALL_BUT Following.OffersARunOfItsOwnForWhatItCannotDo
                        Following.SaysThatTheProcessWasKilledAndGoesOnFromAnInstant)
twosphere_default_cases(frequencies_dialog_test ALL_BUT Frequencies.AreMeasured* Frequencies.ASignal* Frequencies.FollowTheRun*)
twosphere_default_cases(hands_test Hands.MoveABodyOfTheStart Hands.TheTip* Hands.CtrlPulls*)
twosphere_default_cases(held_keys_test HeldKeys.AltWithAnArrowPulls* HeldKeys.AQuestionMarkIs*)
twosphere_default_cases(live_run_test ALL_BUT Live.ALongRunIsExported*)
twosphere_default_cases(presentation_test ALL_BUT PresentationWindow.TheTransport* PresentationWindow.PlaysOnFrom*
                        PresentationWindow.PlaysWhatIsRecorded*)
twosphere_default_cases(presets_test ALL_BUT PresetsWindow.TheConfigurationUnderThePlotsCursor PresetsWindow.ReadsABodyByClickAndByKey
                        PresetsWindow.TheSceneIsBehind* PresetsWindow.TheSettingOf* PresetsWindow.ThePicturesOf*)
twosphere_default_cases(scenario_text_test ALL_BUT ScenarioText.ASessionFileHoldsTheRunsThatRewindLeft
                        ScenarioText.RecentFilesOpenFromTheFirstPage ScenarioText.TheCommandRepeatsWhatIsOnTheScreen
                        ScenarioText.ASearchThatIsOverGivesTheKeyboardBack
                        ScenarioText.IsCopiedAndPasted ScenarioText.APlottedExpression* ScenarioText.AViewThatCannotBe*
                        ScenarioText.FilesOpenedAndSaved* ScenarioText.ACustomSystemsQuantities*)
twosphere_default_cases(section_dialog_test ALL_BUT Section.FollowsARun* Section.LooksForNothing* Section.WhatWasTyped*)
twosphere_default_cases(session_test ALL_BUT SessionWindow.ADrag* SessionWindow.OtherRunsAreThereAtOnce SessionWindow.RunsBegun*
                        SessionWindow.TheKeptState* SessionWindow.LargeSessions* SessionWindow.ARunThatUndoTookBack*
                        SessionWindow.ComesBackWith* SessionWindow.FilesThatCannot* SessionWindow.UndoesTheLayout*
                        SessionWindow.AnUnedited* SessionWindow.UndoingInARun* SessionWindow.ResetsParameters*)
twosphere_default_cases(sweep_dialog_test ALL_BUT ParameterMap.SweepsFieldsThatCannotBeSetAloneByTheirAngles
                        ParameterMap.KeepsItsFieldsWhileAnOpenedFolderRuns ParameterMap.StopsGoesOn*)
twosphere_default_cases(system_dialog_test ALL_BUT SystemAsText.IsSavedAsAPreset* SystemAsText.RunsAlsoAfter* SystemAsText.UnitsAre*
                        SystemAsText.OtherBodies*)
twosphere_default_cases(time_travel_test TimeTravel.GoesAnywhereByKeys TimeTravel.TheRunGoesOn* TimeTravel.SpaceReplays*
                        TimeTravel.WhatIsShown* TimeTravel.AChangeInThePast* TimeTravel.UndoOfAnEdit*)
twosphere_default_cases(touch_test Fingers.OneOrbits* Fingers.OneThat* Fingers.Two*)
twosphere_default_cases(tour_window_test ALL_BUT TourWindow.ItsPlots* TourWindow.EndsWaiting* TourWindow.AStepThatCannot*
                        TourWindow.WhatTheUserDid* TourWindow.AnExerciseForTheIntegrator*)
twosphere_default_cases(video_test ALL_BUT RecordVideo.RecordsAnotherRun* RecordVideo.BeginsWhere* RecordVideo.AnFfmpeg*
                        RecordVideo.FollowsABody*)
twosphere_default_cases(window_test ALL_BUT Window.AFailedStepPausesAndSaysWhere Window.ValuesOfTheStatusBarAreWholeAndWithinTheWindow
                        Window.ACheckOfTheStep* Window.RewindWith* Window.KeepsSettings* Window.CopiesAndPastes* Window.MenusStatusBar*
                        Window.TheStatusBarHasRoom* Window.KeepsTheCamera* Window.StartsWithin* Window.ChecksTheStep*)

# Files that are of the rest as a whole.
set(rest_files command_line_study_test)

# Files that run alone as a whole: most of their cases look at the clock, or have a desktop that others would disturb.
set(serial_files background_test hands_test held_keys_test live_run_test screen_test soak_test touch_test without_scene_test)
