// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_rows.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <utility>

#include "core/base/appended_file.h"
#include "core/base/exceptions.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/studies/sweep_order.h"
#include "core/studies/work_all.h"

namespace twosphere {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_bytes = std::size_t{1} << 34;
constexpr std::chrono::milliseconds first_interval{200};
constexpr std::string_view mark = "twosphere sweep rows 1 ";

Error wrong_file(const std::string& path, std::string message) {
  return {ErrorKind::input_output, path, std::move(message)};
}

/// A line with its CRC.
std::string sealed(std::string text) {
  text += fmt::format(",{:08x}\n", checksum(text));
  return text;
}

/// The line without its CRC; none if that is not its own.
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
  const auto number = [](std::string_view digits, auto& value) {
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return read.ec == std::errc() && read.ptr == digits.data() + digits.size();
  };
  if (!number(fields[0], row.task)) return {};
  const auto status = std::find(task_statuses.begin(), task_statuses.end(), fields[1]);
  if (status == task_statuses.end()) return {};
  row.status = static_cast<TaskStatus>(status - task_statuses.begin());
  for (std::size_t k = 2; k < fields.size(); ++k) {
    double value = std::nan("");
    if (!fields[k].empty() && !number(fields[k], value)) return {};
    row.values.push_back(value);
  }
  return row;
}

/// The rows in a text, and how much of it from its beginning is whole.
struct ReadRows {
  std::vector<SweepRow> rows;
  std::size_t whole = 0;  ///< bytes
};
/// `first`: the text is that of a file from its beginning.
Result<ReadRows> read_text_of_rows(const SweepFolder& folder, const std::string& path,
                                   std::string_view text, bool first) {
  ReadRows out;
  const std::size_t measures = folder.sweep.measures.size(), tasks = folder.sweep.tasks();
  bool whole = true;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    if (end == rest.npos) break;  // torn
    const auto line = unsealed(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (first) {
      if (!line) break;
      if (*line != std::string(mark) + folder.name)
        return wrong_file(path, "belongs to another sweep.json than that beside it");
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

Result<ReadRows> read_file_of_rows(const SweepFolder& folder, const std::string& path) {
  const auto text = read_file(path, most_bytes);
  if (!text) return text.error();
  return read_text_of_rows(folder, path, *text, true);
}

/// What a file has after so many bytes.
Result<std::string> read_from(const std::string& path, std::size_t begin) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(begin));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad() || !file.is_open()) return wrong_file(path, "cannot be read");
  return text;
}

/// The files of rows, by name.
std::vector<fs::path> files_of_rows(const SweepFolder& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.inside("rows"), error))
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Appends lines that survive a power failure.
Result<void> append(AppendedFile& file, std::string_view lines) {
  if (auto written = file.append(lines); !written) return written;
  return file.sync();
}

Result<void> make_folders(const SweepFolder& folder) {
  for (const char* inside : {"rows", "times", "states"}) {
    std::error_code error;
    fs::create_directories(folder.inside(inside), error);
    if (error) return wrong_file(folder.inside(inside), error.message());
  }
  return {};
}

}  // namespace

std::uint32_t checksum(std::string_view text) {
  const auto* bytes = reinterpret_cast<const Bytef*>(text.data());
  return static_cast<std::uint32_t>(crc32_z(0, bytes, text.size()));
}

std::string SweepPart::file_name() const { return fmt::format("{}-of-{}.csv", index, count); }

Result<std::vector<SweepRow>> read_rows(const SweepFolder& folder) {
  std::vector<SweepRow> rows(folder.sweep.tasks());
  const std::vector<double> none(folder.sweep.measures.size(), std::nan(""));
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = {k, TaskStatus::missing, none};
  for (const fs::path& path : files_of_rows(folder)) {
    auto read = read_file_of_rows(folder, path.string());
    if (!read) return read.error();
    for (SweepRow& row : read->rows) {
      SweepRow& to = rows[row.task];
      if (to.status != TaskStatus::missing && line_of(to) != line_of(row))
        return wrong_file(
            path.string(),
            fmt::format("has another result for task {} than another file of rows", row.task));
      to = std::move(row);
    }
  }
  return rows;
}

Result<std::vector<SweepRow>> SweepReader::read() {
  std::vector<SweepRow> rows;
  for (const fs::path& file : files_of_rows(folder_)) {
    const std::string path = file.string();
    std::size_t& so_far = read_[path];
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error || size == so_far) continue;
    if (size < so_far) so_far = 0;  // another file of this name
    const auto text = read_from(path, so_far);
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
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.inside("times"), error)) {
    const auto text = read_file(entry.path().string(), most_bytes);
    if (!text) continue;
    for (std::string_view rest = *text; rest.find('\n') != rest.npos;) {
      const std::size_t end = rest.find('\n'), comma = rest.find(',');
      double seconds = 0;
      if (comma < end &&
          std::from_chars(rest.data() + comma + 1, rest.data() + end, seconds).ec == std::errc()) {
        sum += seconds;
        ++count;
      }
      rest.remove_prefix(end + 1);
    }
  }
  return count > 0 ? sum / count : 0;
}

Result<bool> run_sweep(const SweepFolder& folder, const SweepRun& how,
                       const std::function<bool(const SweepProgress&)>& go_on) {
  if (auto made = make_folders(folder); !made) return made.error();
  const std::string file_name = how.part.file_name();
  constexpr const char* other_process = "another process runs this part";
  const std::string path = folder.inside("rows/" + file_name);
  auto rows = AppendedFile::open(path, other_process);
  if (!rows) return rows.error();
  auto times = AppendedFile::open(folder.inside("times/" + file_name), other_process);
  if (!times) return times.error();

  // Tasks that have rows. Other parts of the same division have none of this one's.
  std::vector<bool> has_row(folder.sweep.tasks());
  SweepProgress progress;
  const auto take = [&](const SweepRow& row) {
    if (!how.part.has(row.task) || has_row[row.task]) return;
    has_row[row.task] = true;
    ++progress.done;
    if (failed(row.status)) ++progress.failed;
  };
  const auto own = read_file_of_rows(folder, path);
  if (!own) return own.error();
  for (const SweepRow& row : own->rows) take(row);
  if (auto cut = rows->truncate(own->whole); !cut) return cut.error();
  if (own->whole == 0)
    if (auto begun = append(*rows, sealed(std::string(mark) + folder.name)); !begun)
      return begun.error();
  const std::string same_division = fmt::format("-of-{}.csv", how.part.count);
  for (const fs::path& other : files_of_rows(folder)) {
    if (other.filename().string().ends_with(same_division)) continue;
    const auto read = read_file_of_rows(folder, other.string());
    if (!read) return read.error();
    for (const SweepRow& row : read->rows) take(row);
  }
  std::vector<std::size_t> tasks = coarse_to_fine(folder.sweep.shape());
  std::erase_if(tasks, [&](std::size_t k) { return has_row[k] || !how.part.has(k); });
  progress.all = progress.done + tasks.size();
  progress.before = progress.done;

  // Rows that are not written yet, and the first error of a task.
  std::mutex mutex;
  std::string pending, pending_times;
  std::optional<Error> failure;
  const auto work = [&](std::size_t k, const std::stop_token& stop) {
    std::atomic<bool> stopped = false;
    const std::stop_callback set_flag(stop, [&stopped] { stopped = true; });
    const TaskStates states{folder.inside(fmt::format("states/{}.json", tasks[k])),
                            how.state_interval};
    Result<std::optional<SweepRow>> row = std::optional<SweepRow>();
    const Clock::time_point begun = Clock::now();
    try {
      row = run_sweep_task(folder.sweep, folder.name, tasks[k], states, stopped);
    } catch (const std::exception& e) {
      row = from_exception(e);
    }
    const std::lock_guard lock(mutex);
    if (!row) {
      if (!failure) failure = row.error();
    } else if (*row) {
      pending += line_of(**row);
      pending_times += fmt::format("{},{:.6g}\n", tasks[k],
                                   std::chrono::duration<double>(Clock::now() - begun).count());
      ++progress.done;
      if (failed((*row)->status)) ++progress.failed;
    }
  };
  const auto flush = [&]() -> Result<void> {
    std::string lines, seconds;
    {
      const std::lock_guard lock(mutex);
      lines.swap(pending);
      seconds.swap(pending_times);
    }
    if (lines.empty()) return {};
    if (auto written = append(*rows, lines); !written) return written;
    return append(*times, seconds);
  };
  Result<void> written;
  // Soon at first, for those who look on.
  const Clock::time_point began = Clock::now();
  Clock::time_point flushed = began;
  (void)work_all(tasks.size(), how.jobs, work, [&](std::size_t, std::size_t) {
    SweepProgress now;
    bool failed = false;
    {
      const std::lock_guard lock(mutex);
      now = progress;
      failed = failure.has_value();
    }
    const auto interval =
        std::min<Clock::duration>(std::chrono::seconds(2), (flushed - began) / 4 + first_interval);
    if (Clock::now() - flushed >= interval) {
      written = flush();
      flushed = Clock::now();
    }
    return go_on(now) && written && !failed;
  });
  if (written) written = flush();
  (void)go_on(progress);
  if (!written) return written.error();
  if (failure) return *failure;
  return progress.done == progress.all;
}

}  // namespace twosphere
