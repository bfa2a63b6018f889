# SPDX-License-Identifier: GPL-3.0-or-later
# Files of tests that take long, with the cases that a person waits for. The others of the file are the rest, in quarters.
function(twosphere_default_cases name)  # PATTERN...
  file(GLOB_RECURSE file ${name}.cpp)
  if(NOT file)
    message(FATAL_ERROR "tests/tiers.cmake: there is no ${name}.cpp")
  endif()
  list(JOIN ARGN : cases)
  set(default_cases_${name} ${cases} PARENT_SCOPE)
endfunction()

# Every system with every method, but for a million steps on two of the systems only.
twosphere_default_cases(mechanics_test Catalog.* Pairs.* */EverySystem.* */EveryPair.* */FixedStepPair.* */SymplecticPair.*
                        */ConservativePair.*_double_pendulum */ConservativePair.*_uncoupled)

# Files that run alone as a whole: most of their cases look at the clock, or have a desktop that others would disturb.
set(serial_files background_test hands_test held_keys_test live_run_test screen_test soak_test touch_test without_scene_test)
