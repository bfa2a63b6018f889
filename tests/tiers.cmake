# SPDX-License-Identifier: GPL-3.0-or-later
# Files of tests that take long, with the cases that a person waits for. The others of the file are the rest, in quarters.
function(twosphere_default_cases name)  # PATTERN...
  file(GLOB_RECURSE file ${name}.cpp)
  if(NOT file)
    message(FATAL_ERROR "tests/tiers.cmake: there is no ${name}.cpp")
  endif()
  set(default_cases_${name} ${ARGN} PARENT_SCOPE)
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
twosphere_default_cases(sweep_test Checksum.* Sweep.* SweepAxis.* SweepMeasure.* SweepPlan.TakesFew* SweepTask.* Folder.* */Groups.*)

# Files that run alone as a whole: most of their cases look at the clock, or have a desktop that others would disturb.
set(serial_files background_test hands_test held_keys_test live_run_test screen_test soak_test touch_test without_scene_test)
