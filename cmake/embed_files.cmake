# SPDX-License-Identifier: GPL-3.0-or-later
file(MAKE_DIRECTORY ${DIR})
set(entries "")
set(texts "")
set(index 0)
foreach(path IN LISTS FILES)
  get_filename_component(file ${path} NAME)
  set(symbol twosphere_${NAME}_${index})
  # The assembler reads the file. The symbols are hidden, so that a shared library can address them directly.
  string(APPEND texts "asm(R\"(
.section .rodata
.hidden ${symbol}, ${symbol}_end
.global ${symbol}, ${symbol}_end
${symbol}:
.incbin \"${path}\"
${symbol}_end:
.byte 0
.text
)\");
extern \"C\" const char ${symbol}[], ${symbol}_end[];
")
  string(APPEND entries "      {\"${file}\", {${symbol}, ${symbol}_end}},\n")
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
${texts}
// Made when first asked for, which may be while other objects are still being initialised.
std::span<const twosphere::embedded::File> twosphere::embedded::${NAME}() {
  static const File files[] = {
${entries}  };
  return files;
}
")
file(RENAME ${DIR}/${NAME}.h.new ${DIR}/${NAME}.h)
