# SPDX-License-Identifier: GPL-3.0-or-later
# The documentation site: the target `site`, not part of `all`; scripts/docs installs what it needs. Doxygen reads the core, prepare.py
# makes pages of it, of the documents and of what the program prints and draws, and Sphinx makes HTML, whose warnings are errors. Both import
# the Python module.
set(site ${PROJECT_BINARY_DIR}/site)
set(DOXYGEN_INPUT ${PROJECT_SOURCE_DIR}/core)
set(DOXYGEN_OUTPUT ${site}/doxygen)
set(DOXYGEN_HTML NO)
set(DOXYGEN_XML YES)
configure_file(cmake/Doxyfile.in site/Doxyfile @ONLY)
get_target_property(interpreter twosphere_python INTERPRETER)
set(import PYTHONPATH=${PROJECT_BINARY_DIR}/python PYTHONDONTWRITEBYTECODE=1)
add_custom_target(site
  COMMAND ${CMAKE_COMMAND} -E make_directory ${site}/doxygen
  COMMAND doxygen ${site}/Doxyfile
  COMMAND ${CMAKE_COMMAND} -E env ${import}
          ${interpreter} ${PROJECT_SOURCE_DIR}/docs/site/prepare.py $<TARGET_FILE:twosphere> ${site}/doxygen/xml ${site}/source
  COMMAND ${CMAKE_COMMAND} -E env ${import} TWOSPHERE_VERSION=${PROJECT_VERSION} TWOSPHERE_XML=${site}/doxygen/xml
          ${interpreter} -m sphinx -q -W --keep-going -E -b html -d ${site}/doctrees ${site}/source ${site}/html
  COMMAND ${interpreter} ${PROJECT_SOURCE_DIR}/docs/site/check.py ${site}/html
  DEPENDS twosphere twosphere_python COMMENT "Making the documentation site: site/html/index.html" VERBATIM)
option(TWOSPHERE_SITE "Install the documentation site, which the target site makes" OFF)
if(TWOSPHERE_SITE)
  install(DIRECTORY ${site}/html DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
endif()
