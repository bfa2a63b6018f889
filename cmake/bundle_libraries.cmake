# SPDX-License-Identifier: GPL-3.0-or-later
# Run by `cmake --install`: copies what the program, its module and Qt's plugins need, but the host's libraries, under the names by which
# they are looked for. libraries.txt of the build folder is the list of all originals, for their licences and sources.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${program} MODULES ${window} ${plugins} PRE_EXCLUDE_REGEXES ${host_libraries}
     RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing CONFLICTING_DEPENDENCIES_PREFIX conflicts)
if(missing)
  message(FATAL_ERROR "The program needs libraries that are not found: ${missing}")
elseif(conflicts_FILENAMES)
  message(FATAL_ERROR "There are two of these libraries: ${conflicts_FILENAMES}")
endif()
list(SORT libraries)
set(folder $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${libraries_dir})
file(MAKE_DIRECTORY ${folder})
set(originals ${plugins})
foreach(library IN LISTS libraries)
  cmake_path(GET library FILENAME name)
  file(REAL_PATH ${library} original)
  message(STATUS "Installing: ${folder}/${name}")
  file(COPY_FILE ${original} ${folder}/${name} ONLY_IF_DIFFERENT)
  list(APPEND originals ${original})
endforeach()
list(JOIN originals "\n" originals)
cmake_path(GET program PARENT_PATH build)
file(WRITE ${build}/libraries.txt "${originals}\n")
