// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace twosphere {

/// Writes a table as text, cell by cell. Numbers have the shortest form that reads back to the same
/// double; cells of numbers that are not finite are empty.
class TableWriter {
 public:
  enum class Form {
    csv,   ///< RFC 4180: commas between cells; texts that need quotes have them; CR LF after a row
    tabs,  ///< for the clipboard: tabs between cells, texts as they are, LF after a row
  };
  explicit TableWriter(Form form = Form::csv) : form_(form) {}

  void add(std::string_view text);
  void add(double number);
  template <std::integral Number>
  void add(Number number) {
    add_plain(std::to_string(number));
  }
  void end_row();
  /// A whole row, or what remains of one.
  template <class... Cells>
  void row(const Cells&... cells) {
    (add(cells), ...);
    end_row();
  }

  const std::string& text() const { return text_; }
  /// Begins anew.
  void clear() { text_.clear(); }
  /// The table so far; the writer must not be used any more.
  std::string take() { return std::move(text_); }

 private:
  void add_plain(std::string_view cell);

  Form form_;
  bool begun_ = false;  // the row has a cell
  std::string text_;
};

}  // namespace twosphere
