// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/foreign_folder.h"
#include "core/studies/sweep_task.h"

/// The folder of a sweep:
///
///   sweep.json          Sweep, written once; the SHA-256 of its bytes is the name of the sweep
///   equilibria.csv      the table of its equilibria, if basins are measured
///   rows/K-of-N.csv     a line per finished task of part K of N: index, status, measures, CRC-32
///   times/K-of-N.csv    the computing time of each, which may differ from run to run
///   states/TASK.json    the exact state of a long task that has begun
///   running/K-of-N.txt  the tasks that the process of a part is in (RunningTasks)
///   reasons/K-of-N.csv  why tasks broke off
///   notes/K-of-N.csv    how far the samples of a signal reach, where not to the planned end, why
///                       no orbit was found, and what has to be said of one
///
/// Files of rows only grow. A line that is torn or changed does not have its CRC and is dropped;
/// its task is run again, with the same result. A file of rows that does not begin as one of this
/// sweep is left as it is, and symbolic links are not followed: the folder may be someone else's.
namespace twosphere {

/// A folder with the sweep that was read from it.
struct SweepFolder {
  std::string path;
  std::string name;  ///< SHA-256 of sweep.json, 64 digits
  Sweep sweep;

  ForeignFolder files() const { return ForeignFolder(path); }
  std::string inside(std::string_view file) const { return files().inside(file); }
};

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
