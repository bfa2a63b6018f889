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
twosphere_default_cases(sizes_test */EverySize.*_2 */EverySize.*_7)
twosphere_default_cases(sweep_test ALL_BUT SweepPlan.RefusesWhatCannotBeRunAndSaysWhere)
twosphere_default_cases(command_line_test ALL_BUT CommandLine.restart_in_a_fresh_process_is_exact_to_every_byte)

# Every size of the window or of its text, every ratio of pixels, every preset.
twosphere_default_cases(interface_test ALL_BUT Interface.HeadingsOfTablesHaveRoomInTheirColumns Interface.TitlesAndChoicesAreShownWhole
                        Interface.NoTextIsCut)
twosphere_default_cases(spoken_test ALL_BUT Spoken.NothingUnderTheMouseIsUnknown)
twosphere_default_cases(journey_test Journey.* */JourneyOf.*/double_spherical_pendulum_* */JourneyOf.*/pendulum_network_*)
twosphere_default_cases(screen_test Screen.DrawsEveryPixel)
twosphere_default_cases(dialog_names_test ALL_BUT DialogNames.HeadingsOfTablesAreShownWhole)

# Files that run alone as a whole: most of their cases look at the clock, or have a desktop that others would disturb.
set(serial_files background_test hands_test held_keys_test live_run_test screen_test soak_test touch_test without_scene_test)
