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
set(import ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_BINARY_DIR}/python PYTHONDONTWRITEBYTECODE=1)
set(sphinx ${import} TWOSPHERE_VERSION=${PROJECT_VERSION} TWOSPHERE_XML=${site}/doxygen/xml
           ${interpreter} -m sphinx -q -W --keep-going -d ${site}/doctrees)
add_custom_target(site
  COMMAND ${CMAKE_COMMAND} -E make_directory ${site}/doxygen
  COMMAND doxygen ${site}/Doxyfile
  COMMAND ${import} ${interpreter} ${PROJECT_SOURCE_DIR}/docs/site/prepare.py $<TARGET_FILE:twosphere> ${site}/doxygen/xml ${site}/source
  COMMAND ${sphinx} -E -b html ${site}/source ${site}/html
  COMMAND ${interpreter} ${PROJECT_SOURCE_DIR}/docs/site/check.py ${site}/html
  DEPENDS twosphere twosphere_python COMMENT "Making the documentation site: site/html/index.html" VERBATIM)
# The addresses outside that the site names; needs a network.
add_custom_target(site_links COMMAND ${sphinx} -b linkcheck ${site}/source ${site}/links
  COMMENT "Asking for the addresses outside" VERBATIM)
add_dependencies(site_links site)
option(TWOSPHERE_SITE "Install the documentation site, which the target site makes" OFF)
if(TWOSPHERE_SITE)
  install(DIRECTORY ${site}/html DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
endif()
