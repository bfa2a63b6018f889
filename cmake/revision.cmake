# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DSOURCE=… -DVERSION=… -DCOMPILER=… -DFILE=… -DMODULE_FILE=… -P revision.cmake: writes FILE with the commit that the sources are
# and the version of the program, and MODULE_FILE with that of its module. A file that says so already is left alone: what depends on it
# is then not built again.
set(revision "")
find_program(GIT git)
if(GIT)
  # A tarball unpacked within somebody's repository is not a checkout.
  execute_process(COMMAND ${GIT} rev-parse --show-toplevel WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH ${SOURCE} source)
  if(top STREQUAL source)
    execute_process(COMMAND ${GIT} rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${GIT} --no-optional-locks status --porcelain --untracked-files=no WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(revision AND changes)
      string(APPEND revision "+changes")
    endif()
  endif()
endif()
set(program "twosphere ${VERSION} (${COMPILER})")
if(revision)
  set(program "twosphere ${VERSION} (${revision}, ${COMPILER})")
endif()

function(write_new file text)
  if(EXISTS ${file})
    file(READ ${file} present)
  endif()
  if(NOT present STREQUAL text)
    file(WRITE ${file} "${text}")
  endif()
endfunction()
write_new(${FILE} "#include \"core/base/build.h\"
std::string_view twosphere::revision() { return \"${revision}\"; }
std::string twosphere::program_version() { return \"${program}\"; }
")
write_new(${MODULE_FILE} "#include \"app/cli/module_version.h\"
const char twosphere_window_version[] = \"${program}\";
")
