// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/studies/sweep_rows.h"

/// The lines in the files of a sweep's folder.
namespace twosphere {

/// The longest file of rows that is read [bytes].
inline constexpr std::size_t max_rows_bytes = std::size_t{1} << 34;

Error wrong_file(const std::string& path, std::string message);

/// A line with its CRC.
std::string sealed(std::string text);
/// The line without its CRC; none if that is not its own.
std::optional<std::string_view> unsealed(std::string_view line);

/// A row as a sealed line, and back from its text: none if that is not a row of so many measures.
std::string line_of(const SweepRow& row);
std::optional<SweepRow> row_of(std::string_view text, std::size_t measures);
/// The first line of a file of rows.
std::string first_line(const SweepFolder& folder);

/// The rows in a text, and how much of it from its beginning is whole.
struct ReadRows {
  std::vector<SweepRow> rows;
  std::size_t whole = 0;  ///< bytes
};
/// `first`: the text is that of a file from its beginning.
Result<ReadRows> read_text_of_rows(const SweepFolder& folder, const std::string& path,
                                   std::string_view text, bool first);
Result<ReadRows> read_file_of_rows(const SweepFolder& folder, const std::string& name);
/// The files of rows, sorted: "rows/1-of-2.csv" ….
Result<std::vector<std::string>> files_of_rows(const SweepFolder& folder);

}  // namespace twosphere
