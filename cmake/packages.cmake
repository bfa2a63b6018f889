# SPDX-License-Identifier: GPL-3.0-or-later
# What a package of CMake or of pkg-config is called in Debian, for the message where one is missing.
set(TWOSPHERE_DEBIAN_PACKAGES
  "Eigen3=libeigen3-dev" "nlohmann_json=nlohmann-json3-dev" "fmt=libfmt-dev" "hwy=libhwy-dev" "ZLIB=zlib1g-dev" "PkgConfig=pkg-config"
  "fftw3=libfftw3-dev" "glm=libglm-dev" "OpenGL=libgl-dev libopengl-dev libegl-dev" "CLI11=libcli11-dev" "Freetype=libfreetype-dev"
  "Qt6=qt6-base-dev libqt6opengl6-dev qt6-svg-dev" "Qt6Test=qt6-base-dev" "imgui=libimgui-dev"
  "QScintilla=libqscintilla2-qt6-dev" "GTest=libgtest-dev" "benchmark=libbenchmark-dev" "Boost=libboost-dev" "xcb=libxcb1-dev" "stb=libstb-dev" "xcb-xtest=libxcb-xtest0-dev"
  "Python3=python3-dev" "pybind11=pybind11-dev")

# Stops with the Debian package of NAME, which scripts/install GROUP installs.
function(twosphere_missing group name)
  set(debian "${TWOSPHERE_DEBIAN_PACKAGES}")
  list(FILTER debian INCLUDE REGEX "^${name}=")
  string(REGEX REPLACE "^[^=]*=" "" debian "${debian}")
  message(FATAL_ERROR "${name} is missing. Debian has it in ${debian}; `scripts/install ${group}` installs all that is needed.")
endfunction()

# find_package(NAME ...) and pkg_check_modules(PREFIX IMPORTED_TARGET MODULE) of what is required. GROUP is that of scripts/install.
# Macros: what is found is set where they are called.
macro(twosphere_find_package group name)  # [ARGUMENT of find_package]...
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    twosphere_missing(${group} ${name})
  endif()
endmacro()
macro(twosphere_find_module group prefix module)
  pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
  if(NOT ${prefix}_FOUND)
    twosphere_missing(${group} ${module})
  endif()
endmacro()
