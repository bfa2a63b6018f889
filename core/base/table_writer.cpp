// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/table_writer.h"

#include <charconv>
#include <cmath>

namespace twosphere {

void TableWriter::add_plain(std::string_view cell) {
  if (begun_) text_ += form_ == Form::csv ? ',' : '\t';
  begun_ = true;
  text_ += cell;
}

void TableWriter::add(std::string_view text) {
  if (form_ == Form::tabs || text.find_first_of(",\"\r\n") == text.npos) return add_plain(text);
  add_plain("\"");
  for (const char c : text) text_.append(c == '"' ? 2 : 1, c);
  text_ += '"';
}

void TableWriter::add(double number) {
  if (!std::isfinite(number)) return add_plain({});
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  add_plain({buffer, end});
}

void TableWriter::end_row() {
  text_ += form_ == Form::csv ? "\r\n" : "\n";
  begun_ = false;
}

}  // namespace twosphere
