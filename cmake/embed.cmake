# SPDX-License-Identifier: GPL-3.0-or-later
# twosphere_embed(<name> "<files>"): a source file that holds the texts of the files, and the header embedded/<name>.h
# with  std::span<const twosphere::embedded::File> twosphere::embedded::<name>().
function(twosphere_embed name files)
  set(dir ${PROJECT_BINARY_DIR}/generated/embedded)
  set(source ${dir}/${name}.cpp)
  add_custom_command(
    OUTPUT ${source} ${dir}/${name}.h
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} "-DFILES=${files}" -DDIR=${dir} -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY twosphere_generated ${source} ${dir}/${name}.h)
  set(${name} ${source} ${dir}/${name}.h PARENT_SCOPE)
endfunction()
