# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` copies, in four components: `program`, `development` (the core as a library, find_package(twosphere)),
# `documentation` and `python` (python/CMakeLists.txt). The program finds by its place only the module of the window, relative to itself:
# presets, help and shaders are compiled in. The prefix may be moved. With TWOSPHERE_BUNDLE there is a fifth, `libraries`.
include(CMakePackageConfigHelpers)

# ---- the core ----
set(include_dir ${CMAKE_INSTALL_INCLUDEDIR}/twosphere)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/twosphere)
install(TARGETS twosphere_core EXPORT twosphere ARCHIVE COMPONENT development INCLUDES DESTINATION ${include_dir})
install(DIRECTORY core DESTINATION ${include_dir} COMPONENT development FILES_MATCHING PATTERN "*.h"
        # For the core's own sources only: they include headers of libraries that users do not need, or of kernels.
        PATTERN "core/kernels" EXCLUDE PATTERN "exact_turn.h" EXCLUDE PATTERN "spin_energy.h" EXCLUDE PATTERN "llvm_*.h" EXCLUDE
        PATTERN "fftw_plan.h" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/generated/core/base/version.h DESTINATION ${include_dir}/core/base COMPONENT development)
install(EXPORT twosphere NAMESPACE twosphere:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(cmake/twosphere-config.cmake.in twosphere-config.cmake INSTALL_DESTINATION ${package_dir})
# Before version 1 a new minor version may change the interface.
write_basic_package_version_file(twosphere-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/twosphere-config.cmake ${PROJECT_BINARY_DIR}/twosphere-config-version.cmake
        DESTINATION ${package_dir} COMPONENT development)
if(TWOSPHERE_CORE_ONLY)
  return()
endif()

# ---- the program ----
set(desktop ${PROJECT_SOURCE_DIR}/resources/desktop)
install(TARGETS twosphere RUNTIME COMPONENT program)
install(TARGETS twosphere_window LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/twosphere COMPONENT program)
install(FILES ${desktop}/twosphere.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT program)
install(FILES ${desktop}/twosphere.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT program)
install(FILES ${desktop}/twosphere-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME twosphere.xml
        COMPONENT program)

# AppStream: the releases that have a date in the changelog; with a home page, its address and pictures.
set(TWOSPHERE_HOMEPAGE "" CACHE STRING "Address of the documentation site, for AppStream; empty: none")
set(homepage "")
if(TWOSPHERE_HOMEPAGE)
  string(APPEND homepage "\n  <url type=\"homepage\">${TWOSPHERE_HOMEPAGE}</url>\n  <screenshots>")
  set(kind " type=\"default\"")
  foreach(picture window:"The window with a double spherical pendulum" pendulum_network:"Pendula joined by springs")
    string(REGEX MATCH "^([a-z_]+):\"(.*)\"$" match ${picture})
    string(APPEND homepage "\n    <screenshot${kind}>\n      <caption>${CMAKE_MATCH_2}</caption>\n"
           "      <image>${TWOSPHERE_HOMEPAGE}/pictures/${CMAKE_MATCH_1}.png</image>\n    </screenshot>")
    set(kind "")
  endforeach()
  string(APPEND homepage "\n  </screenshots>")
endif()
file(STRINGS CHANGELOG.md dated REGEX "^## \\[[0-9.]+\\] - [0-9]+-[0-9]+-[0-9]+$")
set(releases "")
foreach(line IN LISTS dated)
  string(REGEX MATCH "\\[([0-9.]+)\\] - ([0-9-]+)" match "${line}")
  string(APPEND releases "\n    <release version=\"${CMAKE_MATCH_1}\" date=\"${CMAKE_MATCH_2}\"/>")
endforeach()
if(releases)
  set(releases "\n  <releases>${releases}\n  </releases>")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS CHANGELOG.md)
configure_file(${desktop}/twosphere.metainfo.xml.in org.twosphere.twosphere.metainfo.xml @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/org.twosphere.twosphere.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo
        COMPONENT program)

# What the program prints: manual pages, completions, the schema of scenarios; icons of fixed sizes where rsvg-convert is there.
set(made ${PROJECT_BINARY_DIR}/package)
set(completions ${made}/bash/twosphere ${made}/zsh/_twosphere ${made}/fish/twosphere.fish)
set(schema ${made}/scenario.schema.json)
add_custom_command(OUTPUT ${made}/man/twosphere.1 ${completions} ${schema}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${made}/bash ${made}/zsh ${made}/fish
  COMMAND twosphere manual --out ${made}/man
  COMMAND twosphere completion bash > ${made}/bash/twosphere
  COMMAND twosphere completion zsh > ${made}/zsh/_twosphere
  COMMAND twosphere completion fish > ${made}/fish/twosphere.fish
  COMMAND twosphere schema > ${schema}
  DEPENDS twosphere COMMENT "Making manual pages, completions and the schema of scenarios" VERBATIM)
set(icons "")
find_program(RSVG_CONVERT rsvg-convert)
if(RSVG_CONVERT)
  foreach(size 16 22 24 32 48 64 128 256 512)
    set(folder icons/hicolor/${size}x${size}/apps)
    set(icon ${made}/${folder}/twosphere.png)
    add_custom_command(OUTPUT ${icon}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${made}/${folder}
      COMMAND ${RSVG_CONVERT} --width ${size} --height ${size} --output ${icon} ${desktop}/twosphere.svg
      DEPENDS ${desktop}/twosphere.svg VERBATIM)
    list(APPEND icons ${icon})
    install(FILES ${icon} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT program)
  endforeach()
endif()
add_custom_target(package_files ALL DEPENDS ${made}/man/twosphere.1 ${completions} ${schema} ${icons})
set(TWOSPHERE_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Folder of the completion for zsh")
install(DIRECTORY ${made}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${made}/bash/twosphere DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${made}/zsh/_twosphere DESTINATION ${TWOSPHERE_ZSH_DIR} COMPONENT program)
install(FILES ${schema} DESTINATION ${CMAKE_INSTALL_DATADIR}/twosphere COMPONENT program)
install(FILES ${made}/fish/twosphere.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
        COMPONENT program)

# ---- the libraries of the program ----
if(TWOSPHERE_BUNDLE)
  include(cmake/bundle.cmake)
endif()
