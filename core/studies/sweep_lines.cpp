// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/json.h"
#include "core/base/parse_number.h"
#include "core/base/text.h"

namespace twosphere {

namespace {

constexpr std::string_view rows_mark = "twosphere sweep rows 1 ";
constexpr const char* not_of_rows =
    "does not begin as the rows of this sweep; move it away to run its tasks again";

}  // namespace

Error wrong_file(const std::string& path, std::string message) {
  return {ErrorKind::input_output, path, std::move(message)};
}

std::string sealed(std::string text) {
  text += fmt::format(",{:08x}\n", checksum(text));
  return text;
}

std::optional<std::string_view> unsealed(std::string_view line) {
  const std::size_t comma = line.rfind(',');
  if (comma == line.npos) return {};
  const std::string_view text = line.substr(0, comma);
  if (fmt::format("{:08x}", checksum(text)) != line.substr(comma + 1)) return {};
  return text;
}

std::string line_of(const SweepRow& row) {
  std::string text = fmt::format("{},{}", row.task, name(row.status));
  for (const double value : row.values) {
    text += ',';
    if (!std::isnan(value)) text += json::shortest(value);
  }
  return sealed(std::move(text));
}

std::optional<SweepRow> row_of(std::string_view text, std::size_t measures) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t end = text.find(',');
    fields.push_back(text.substr(0, end));
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
  if (fields.size() != 2 + measures) return {};
  SweepRow row;
  const auto task = parse_number<std::size_t>(fields[0]);
  if (!task) return {};
  row.task = *task;
  const auto status = std::find(task_statuses.begin(), task_statuses.end(), fields[1]);
  if (status == task_statuses.end()) return {};
  row.status = static_cast<TaskStatus>(status - task_statuses.begin());
  for (std::size_t k = 2; k < fields.size(); ++k) {
    const auto value =
        fields[k].empty() ? std::optional(std::nan("")) : parse_number<double>(fields[k]);
    if (!value) return {};
    row.values.push_back(*value);
  }
  return row;
}

std::string first_line(const SweepFolder& folder) {
  return sealed(std::string(rows_mark) + folder.name);
}

Result<ReadRows> read_text_of_rows(const SweepFolder& folder, const std::string& path,
                                   std::string_view text, bool first) {
  ReadRows out;
  const std::size_t measures = folder.sweep.measures.size(), tasks = folder.sweep.tasks();
  bool whole = true;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    if (end == rest.npos) {  // torn
      if (first && !first_line(folder).starts_with(rest)) return wrong_file(path, not_of_rows);
      break;
    }
    const auto line = unsealed(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (first) {
      if (line != std::string(rows_mark) + folder.name)
        return wrong_file(path, line && line->starts_with(rows_mark)
                                    ? "belongs to another sweep.json than that beside it"
                                    : not_of_rows);
    } else if (line) {
      auto row = row_of(*line, measures);
      if (row && row->task < tasks) out.rows.push_back(std::move(*row));
    }
    // A bad line within the file is left where it is.
    if (!line && rest.empty()) whole = false;
    first = false;
    if (whole) out.whole = text.size() - rest.size();
  }
  return out;
}

Result<ReadRows> read_file_of_rows(const SweepFolder& folder, const std::string& name) {
  const auto text = folder.files().read(name, max_rows_bytes);
  if (!text) return text.error();
  return read_text_of_rows(folder, folder.inside(name), *text, true);
}

Result<std::vector<std::string>> files_of_rows(const SweepFolder& folder) {
  auto names = folder.files().names("rows");
  if (!names) return names;
  std::erase_if(*names, [](const std::string& name) { return !name.ends_with(".csv"); });
  for (std::string& name : *names) name.insert(0, "rows/");
  return names;
}

}  // namespace twosphere
