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
  # Reads nothing of the headers that are precompiled, and is assembled again when one of the files has changed.
  set_source_files_properties(${source} PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS "${files}")
  set_property(DIRECTORY APPEND PROPERTY twosphere_generated ${source} ${dir}/${name}.h)
  set(${name} ${source} ${dir}/${name}.h PARENT_SCOPE)
endfunction()
