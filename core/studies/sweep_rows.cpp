// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_rows.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <utility>

namespace twosphere {

namespace {

/// The texts of all files in a folder, without those that cannot be read.
std::vector<std::string> texts_in(const SweepFolder& folder, const std::string& inside) {
  std::vector<std::string> texts;
  const auto names = folder.files().names(inside);
  if (!names) return texts;
  for (const std::string& name : *names)
    if (auto text = folder.files().read(inside + '/' + name, max_rows_bytes))
      texts.push_back(std::move(*text));
  return texts;
}

/// Calls take(line) for every whole line of the files of a kind.
template <class Take>
void each_line(const SweepFolder& folder, const char* kind, const Take& take) {
  for (const std::string& text : texts_in(folder, kind))
    for (std::string_view rest = text; rest.find('\n') != rest.npos;) {
      const std::size_t end = rest.find('\n');
      take(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
}

/// The last text of a task in files of sealed lines "TASK,TEXT"; empty if there is none.
std::string text_of_task(const SweepFolder& folder, const char* kind, std::size_t task) {
  const std::string begin = fmt::format("{},", task);
  std::string last;
  each_line(folder, kind, [&](std::string_view line) {
    if (!line.starts_with(begin)) return;
    if (const auto text = unsealed(line)) last = text->substr(begin.size());
  });
  return last;
}

}  // namespace

bool replaces(const SweepRow& row, const SweepRow& earlier) {
  const auto rank = [](TaskStatus status) {
    return status == TaskStatus::missing ? 0 : broke_off(status) ? 1 : 2;
  };
  const int now = rank(row.status), before = rank(earlier.status);
  return now > before || (now == 1 && before == 1 && row.status > earlier.status);
}

Result<std::vector<SweepRow>> read_rows(const SweepFolder& folder) {
  std::vector<SweepRow> rows(folder.sweep.tasks());
  const std::vector<double> none(folder.sweep.measures.size(), std::nan(""));
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = {k, TaskStatus::missing, none};
  const auto names = files_of_rows(folder);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    auto read = read_file_of_rows(folder, name);
    if (!read) return read.error();
    for (SweepRow& row : read->rows) {
      SweepRow& to = rows[row.task];
      if (to.status != TaskStatus::missing && !broke_off(to.status) && !broke_off(row.status) &&
          line_of(to) != line_of(row))
        return wrong_file(
            folder.inside(name),
            fmt::format("has another result for task {} than another file of rows", row.task));
      if (replaces(row, to)) to = std::move(row);
    }
  }
  return rows;
}

Result<std::vector<SweepRow>> SweepReader::read() {
  std::vector<SweepRow> rows;
  const auto names = files_of_rows(folder_);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    const std::string path = folder_.inside(name);
    std::size_t& so_far = read_[name];
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error || size == so_far) continue;
    if (size < so_far) so_far = 0;  // another file of this name
    const auto text = folder_.files().read(name, max_rows_bytes, so_far);
    if (!text) return text.error();
    auto read = read_text_of_rows(folder_, path, *text, so_far == 0);
    if (!read) return read.error();
    so_far += read->whole;
    rows.insert(rows.end(), std::make_move_iterator(read->rows.begin()),
                std::make_move_iterator(read->rows.end()));
  }
  return rows;
}

double mean_task_time(const SweepFolder& folder) {
  double sum = 0, count = 0;
  each_line(folder, "times", [&](std::string_view line) {
    const std::size_t comma = line.find(',');
    double seconds = 0;
    if (comma != line.npos &&
        std::from_chars(line.data() + comma + 1, line.data() + line.size(), seconds).ec ==
            std::errc()) {
      sum += seconds;
      ++count;
    }
  });
  return count > 0 ? sum / count : 0;
}

std::string reason_of(const SweepFolder& folder, std::size_t task) {
  return text_of_task(folder, "reasons", task);
}

std::string note_of(const SweepFolder& folder, std::size_t task) {
  return text_of_task(folder, "notes", task);
}

std::map<std::size_t, std::string> notes_of(const SweepFolder& folder) {
  std::map<std::size_t, std::string> notes;
  each_line(folder, "notes", [&](std::string_view line) {
    const auto text = unsealed(line);
    std::size_t task = 0;
    if (!text) return;
    const auto read = std::from_chars(text->data(), text->data() + text->size(), task);
    if (read.ec == std::errc() && read.ptr != text->data() + text->size() && *read.ptr == ',')
      notes[task] = std::string(read.ptr + 1, text->data() + text->size());
  });
  return notes;
}

}  // namespace twosphere
