# SPDX-License-Identifier: GPL-3.0-or-later
# What makes an installed prefix portable: the component `libraries`, with Qt's plugins, the fonts, and all libraries that these and the
# program need but those of host_libraries.txt. The program finds them by a DT_RPATH relative to itself, which also holds for what its
# libraries and the plugins need; a DT_RUNPATH would not. LD_LIBRARY_PATH would be inherited by ffmpeg and the browser.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR} OUTPUT_VARIABLE to_libraries)
set_target_properties(twosphere PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
target_link_options(twosphere PRIVATE -Wl,--disable-new-dtags)

get_target_property(qmake Qt6::qmake LOCATION)
execute_process(COMMAND ${qmake} -query QT_INSTALL_PLUGINS OUTPUT_VARIABLE qt_plugins OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
# Windows of X11 and of Wayland, what figures are drawn without, pictures, and dead keys and input methods.
set(plugins
  platforms/libqxcb platforms/libqwayland-egl platforms/libqwayland-generic platforms/libqoffscreen
  xcbglintegrations/libqxcb-glx-integration xcbglintegrations/libqxcb-egl-integration
  wayland-shell-integration/libxdg-shell wayland-graphics-integration-client/libqt-plugin-wayland-egl
  wayland-decoration-client/libbradient
  imageformats/libqsvg imageformats/libqjpeg iconengines/libqsvgicon
  platforminputcontexts/libcomposeplatforminputcontextplugin platforminputcontexts/libibusplatforminputcontextplugin)
set(plugin_dir ${CMAKE_INSTALL_LIBDIR}/qt6/plugins)
foreach(plugin IN LISTS plugins)
  set(file ${qt_plugins}/${plugin}.so)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "Qt's plugin ${plugin} is missing. Debian has it in qt6-wayland or qt6-qpa-plugins; "
                        "`scripts/install portable` installs all that is needed.")
  endif()
  cmake_path(GET plugin PARENT_PATH kind)
  install(PROGRAMS ${file} DESTINATION ${plugin_dir}/${kind} COMPONENT libraries)
  list(APPEND plugin_files ${file})
endforeach()
file(CONFIGURE OUTPUT qt.conf CONTENT "[Paths]\nPrefix = ..\nPlugins = @plugin_dir@\n")
install(FILES ${PROJECT_BINARY_DIR}/qt.conf DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT libraries)

find_path(TWOSPHERE_FONTS DejaVuSans.ttf PATHS /usr/share/fonts/truetype/dejavu NO_DEFAULT_PATH REQUIRED)
foreach(font DejaVuSans DejaVuSans-Bold DejaVuSansMono DejaVuSansMono-Bold)
  install(FILES ${TWOSPHERE_FONTS}/${font}.ttf DESTINATION ${CMAKE_INSTALL_DATADIR}/fonts/truetype/dejavu COMPONENT libraries)
endforeach()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cmake/host_libraries.txt)
file(STRINGS cmake/host_libraries.txt host_libraries REGEX "^[^#]")
list(TRANSFORM host_libraries REPLACE "[.+]" "[\\0]")
list(TRANSFORM host_libraries REPLACE "(.+)" "^\\1$")
install(CODE "set(program \"$<TARGET_FILE:twosphere>\")
set(window \"$<TARGET_FILE:twosphere_window>\")
set(plugins \"${plugin_files}\")
set(host_libraries \"${host_libraries}\")
set(libraries_dir \"${CMAKE_INSTALL_LIBDIR}\")" COMPONENT libraries)
install(SCRIPT cmake/bundle_libraries.cmake COMPONENT libraries)
