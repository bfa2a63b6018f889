# SPDX-License-Identifier: GPL-3.0-or-later
file(MAKE_DIRECTORY ${DIR})
set(entries "")
set(arrays "")
set(index 0)
foreach(path IN LISTS FILES)
  get_filename_component(file ${path} NAME)
  file(READ ${path} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "const unsigned char file_${index}[] = {${bytes}0};\n")
  string(APPEND entries
         "      {\"${file}\", {reinterpret_cast<const char*>(file_${index}), sizeof(file_${index}) - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${DIR}/${NAME}.h.new "#pragma once
#include <span>
#include <string_view>
#ifndef TWOSPHERE_EMBEDDED_FILE
#define TWOSPHERE_EMBEDDED_FILE
namespace twosphere::embedded {
struct File { std::string_view name, text; };
}
#endif
namespace twosphere::embedded {
std::span<const File> ${NAME}();
}
")
file(WRITE ${DIR}/${NAME}.cpp "#include \"embedded/${NAME}.h\"
namespace {
${arrays}}
// Made when first asked for, which may be while other objects are still being initialised.
std::span<const twosphere::embedded::File> twosphere::embedded::${NAME}() {
  static const File files[] = {
${entries}  };
  return files;
}
")
file(RENAME ${DIR}/${NAME}.h.new ${DIR}/${NAME}.h)
