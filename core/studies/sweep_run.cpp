// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <stop_token>
#include <utility>

#include "core/base/appended_file.h"
#include "core/base/child_process.h"
#include "core/base/exceptions.h"
#include "core/studies/parallel_tasks.h"
#include "core/studies/sweep_lines.h"
#include "core/studies/sweep_order.h"
#include "core/studies/sweep_running.h"

namespace twosphere {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds first_interval{200};
constexpr int max_processes = 3;  // killed in a task, which then has broken off
/// A process that is killed sooner together with that of the part does not count among them.
constexpr std::chrono::seconds min_alone{1};

/// Opens a file of a part for appending, which no other process may do meanwhile.
Result<AppendedFile> open_appended(const SweepFolder& folder, const std::string& name) {
  const auto descriptor = folder.files().open(name, O_RDWR | O_CREAT | O_APPEND);
  if (!descriptor) return descriptor.error();
  return AppendedFile::hold(*descriptor, folder.inside(name), "another process runs this part");
}

/// Whether another process appends to the file.
bool is_appended(const SweepFolder& folder, const std::string& name) {
  const auto descriptor = folder.files().open(name, O_RDONLY);
  if (!descriptor) return false;
  const bool held = AppendedFile::is_held(*descriptor);
  (void)::close(*descriptor);
  return held;
}

/// Appends lines that survive a power failure.
Result<void> append(AppendedFile& file, std::string_view lines) {
  if (auto written = file.append(lines); !written) return written;
  return file.sync();
}

Result<void> make_folders(const SweepFolder& folder) {
  for (const char* inside : {"rows", "times", "states", "running", "reasons", "notes"})
    if (auto made = folder.files().make_folder(inside); !made) return made;
  return {};
}

/// The files of a part, and what it has done so far.
class PartOfSweep {
 public:
  using Continue = std::function<bool(const SweepProgress&)>;

  PartOfSweep(const SweepFolder& folder, const SweepRun& how, const Continue& proceed)
      : folder_(folder), how_(how), proceed_(proceed) {}

  /// Opens the files and finds which tasks are left.
  Result<void> open();
  Result<bool> run();

 private:
  struct Row {
    SweepRow row;
    double seconds = 0;
    std::string why{};  ///< EndedTask::why
  };

  Result<void> read_earlier(std::size_t& whole);
  void find_killed();
  void work(const std::vector<std::size_t>& group, const std::stop_token& stop);
  Result<void> isolate(std::size_t task);
  bool look();
  void take(const Row& row);
  Result<void> flush();
  TaskStates states_of(std::size_t task, std::function<void()> saved) const;

  const SweepFolder& folder_;
  const SweepRun& how_;
  const Continue& proceed_;
  AppendedFile rows_, times_;
  std::unique_ptr<RunningTasks> running_;
  std::vector<TaskStatus> status_;     // of the rows that there were, by task
  std::vector<std::size_t> tasks_;     // that are left
  std::map<std::size_t, int> killed_;  // of these, with the number of processes
  Clock::time_point began_ = Clock::now(), flushed_ = began_;
  bool wanted_ = true;

  std::mutex mutex_;  // of the following
  SweepProgress progress_;
  std::string lines_, seconds_, reasons_, notes_;  // not written yet
  std::vector<std::size_t> starved_;  // tasks that need more memory than there was beside others
  std::optional<Error> failure_;      // the first of a file
};

TaskStates PartOfSweep::states_of(std::size_t task, std::function<void()> saved) const {
  return {folder_.path, fmt::format("states/{}.json", task), how_.state_interval, std::move(saved)};
}

Result<void> PartOfSweep::open() {
  if (auto made = make_folders(folder_); !made) return made;
  const std::string file_name = how_.part.file_name();
  auto rows = open_appended(folder_, "rows/" + file_name);
  if (!rows) return rows.error();
  rows_ = std::move(*rows);
  auto times = open_appended(folder_, "times/" + file_name);
  if (!times) return times.error();
  times_ = std::move(*times);

  std::size_t whole = 0;
  if (auto read = read_earlier(whole); !read) return read;
  if (auto cut = rows_.truncate(whole); !cut) return cut;
  if (whole == 0)
    if (auto begun = append(rows_, first_line(folder_)); !begun) return begun;
  const auto is_left = [&](std::size_t k) {
    return status_[k] == TaskStatus::missing || (how_.retry && broke_off(status_[k]));
  };
  tasks_ = coarse_to_fine(folder_.sweep.shape());
  std::erase_if(tasks_, [&](std::size_t k) { return !how_.part.has(k); });
  progress_.all = tasks_.size();
  std::erase_if(tasks_, [&](std::size_t k) {
    if (!is_left(k) && failed(status_[k])) ++progress_.failed;
    return !is_left(k);
  });
  progress_.before = progress_.done = progress_.all - tasks_.size();

  find_killed();
  std::erase_if(tasks_, [&](std::size_t k) { return killed_.contains(k); });
  auto running = RunningTasks::open(
      folder_.files(), fmt::format("running/{}-of-{}.txt", how_.part.index, how_.part.count),
      killed_);
  if (!running) return running.error();
  running_ = std::move(*running);
  return {};
}

/// The rows of this part, of whose file so much is whole, and of other divisions. Other parts of
/// the same division have none of this one's.
Result<void> PartOfSweep::read_earlier(std::size_t& whole) {
  status_.assign(folder_.sweep.tasks(), TaskStatus::missing);
  const std::string own = "rows/" + how_.part.file_name(),
                    same_division = fmt::format("-of-{}.csv", how_.part.count);
  const auto names = files_of_rows(folder_);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    if (name != own && name.ends_with(same_division)) continue;
    const auto read = read_file_of_rows(folder_, name);
    if (!read) return read.error();
    if (name == own) whole = read->whole;
    for (const SweepRow& row : read->rows)
      if (replaces(row, {row.task, status_[row.task], {}})) status_[row.task] = row.status;
  }
  return {};
}

/// The tasks that are left in which processes were killed: of this part, and of those of other
/// divisions that do not run now.
void PartOfSweep::find_killed() {
  std::vector<bool> left(status_.size());
  for (const std::size_t k : tasks_) left[k] = true;
  const auto names = folder_.files().names("running");
  if (!names) return;
  for (const std::string& name : *names) {
    const std::string rows = name.substr(0, name.rfind('.')) + ".csv";
    if (rows != how_.part.file_name() && is_appended(folder_, "rows/" + rows)) continue;
    for (const auto& [task, processes] : RunningTasks::read(folder_.files(), "running/" + name))
      if (processes > 0 && task < left.size() && left[task])
        killed_[task] = std::max(killed_[task], processes);
  }
}

void PartOfSweep::take(const Row& result) {
  lines_ += line_of(result.row);
  seconds_ += fmt::format("{},{:.6g}\n", result.row.task, result.seconds);
  const bool fails = failed(result.row.status);
  // The reason of a failure that comes again is found by running the task again.
  if (!result.why.empty() && (!fails || broke_off(result.row.status)))
    (fails ? reasons_ : notes_) += sealed(fmt::format("{},{}", result.row.task, result.why));
  ++progress_.done;
  if (fails) ++progress_.failed;
}

void PartOfSweep::work(const std::vector<std::size_t>& group, const std::stop_token& stop) {
  std::atomic<bool> stopped = false;
  const std::stop_callback set_flag(stop, [&stopped] { stopped = true; });
  std::set<std::size_t> left(group.begin(), group.end()), begun;
  const TaskCalls calls{[&](std::size_t task) {
                          running_->begin(task);
                          begun.insert(task);
                          return states_of(task, [this, task] { running_->saved(task); });
                        },
                        [&](EndedTask task) {
                          if (task.row)
                            running_->end(task.index);
                          else
                            running_->withdraw(task.index);
                          left.erase(task.index);
                          begun.erase(task.index);
                          if (!task.row) return;
                          const std::lock_guard lock(mutex_);
                          take({std::move(*task.row), task.seconds, std::move(task.why)});
                        }};
  Result<void> ran;
  bool starved = false;
  try {
    ran = run_sweep_tasks(folder_.sweep, folder_.name, group, calls, stopped);
  } catch (const std::bad_alloc&) {
    starved = true;
  } catch (const std::exception& e) {
    ran = from_exception(e);
  }
  for (const std::size_t task : begun) running_->end(task);
  const std::lock_guard lock(mutex_);
  if (starved) starved_.insert(starved_.end(), left.begin(), left.end());
  if (!ran) failure_ = failure_.value_or(ran.error());
}

/// Runs a task alone in a separate process, to its end or until its state is saved; in that case
/// it is left to work().
Result<void> PartOfSweep::isolate(std::size_t task) {
  const auto broken = [&](TaskStatus status) {
    return SweepRow{task, status, std::vector<double>(folder_.sweep.measures.size(), std::nan(""))};
  };
  const auto text_of = [&](const SweepRow& row, double seconds, std::string why) {
    return fmt::format("{}{:.6g}\n{}", line_of(row), seconds, why);
  };
  const Clock::time_point begun = Clock::now();
  const auto copy = [&]() -> std::string {
    std::atomic<bool> stopped = false;
    const auto seconds = [&] {
      return std::chrono::duration<double>(Clock::now() - begun).count();
    };
    try {
      std::string why;
      const auto row = run_sweep_task(folder_.sweep, folder_.name, task,
                                      states_of(task, [&] { stopped = true; }), stopped, &why);
      if (!row) return "!" + row.error().text();
      return *row ? text_of(**row, seconds(), std::move(why)) : "";
    } catch (const std::bad_alloc&) {
      return text_of(broken(TaskStatus::out_of_memory), seconds(), "there is not enough memory");
    }
  };
  bool counted = false;
  const auto end = run_child_process(copy, [&] {
    if (!counted && Clock::now() - begun >= min_alone) {
      running_->begin(task);
      counted = true;
    }
    return look();
  });
  if (!end) return end.error();
  if (!*end || ((*end)->returned && (*end)->text.empty())) {
    if (*end)
      running_->saved(task);
    else if (counted)
      running_->withdraw(task);
    if (*end) tasks_.insert(tasks_.begin(), task);
    return {};
  }
  Row result{broken(TaskStatus::crashed), 0, ""};
  const std::string& text = (*end)->text;
  if (!(*end)->returned) {
    result.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
    result.why = "the process that ran it alone ended by " + text;
  } else if (text.starts_with('!')) {
    return wrong_file("", text.substr(1));
  } else {
    const std::size_t line = text.find('\n'), second = text.find('\n', line + 1);
    const auto row = unsealed(std::string_view(text).substr(0, line));
    const auto read = row ? row_of(*row, folder_.sweep.measures.size()) : std::nullopt;
    if (!read) return Error{ErrorKind::internal, "", "a task alone returned no row"};
    result.row = *read;
    std::from_chars(text.data() + line + 1, text.data() + text.size(), result.seconds);
    result.why = text.substr(second + 1);
  }
  running_->end(task);
  const std::lock_guard lock(mutex_);
  take(result);
  return {};
}

Result<void> PartOfSweep::flush() {
  std::string lines, seconds, reasons, notes;
  {
    const std::lock_guard lock(mutex_);
    lines.swap(lines_);
    seconds.swap(seconds_);
    reasons.swap(reasons_);
    notes.swap(notes_);
  }
  flushed_ = Clock::now();
  for (const auto& [kind, texts] : {std::pair("reasons/", &reasons), {"notes/", &notes}}) {
    if (texts->empty()) continue;
    auto file = open_appended(folder_, kind + how_.part.file_name());
    if (!file) return file.error();
    if (auto written = append(*file, *texts); !written) return written;
  }
  if (lines.empty()) return {};
  if (auto written = append(rows_, lines); !written) return written;
  return append(times_, seconds);
}

/// Writes what is due and says how far the part is; whether to continue.
bool PartOfSweep::look() {
  // Soon at first, for those who look on.
  const auto interval =
      std::min<Clock::duration>(std::chrono::seconds(2), (flushed_ - began_) / 4 + first_interval);
  Result<void> written;
  if (Clock::now() - flushed_ >= interval) written = flush();
  SweepProgress now;
  {
    const std::lock_guard lock(mutex_);
    if (!written) failure_ = failure_.value_or(written.error());
    wanted_ = wanted_ && !failure_;
    now = progress_;
  }
  return wanted_ = proceed_(now) && wanted_;
}

Result<bool> PartOfSweep::run() {
  const auto alone = [&](const auto& tasks, auto&& task_of) -> Result<void> {
    for (const auto& one : tasks)
      if (wanted_)
        if (auto ran = isolate(task_of(one)); !ran) return ran;
    return {};
  };
  // Tasks that were killed again and again have had their turns.
  for (const auto& [task, processes] : killed_)
    if (processes >= max_processes) {
      running_->end(task);
      const std::vector<double> none(folder_.sweep.measures.size(), std::nan(""));
      const std::lock_guard lock(mutex_);
      take({{task, TaskStatus::crashed, none},
            0,
            fmt::format("{} processes were killed while they ran it", processes)});
    }
  std::erase_if(killed_, [](const auto& one) { return one.second >= max_processes; });
  if (auto ran = alone(killed_, [](const auto& one) { return one.first; }); !ran)
    return ran.error();
  if (wanted_) {
    const auto groups = groups_of_tasks(folder_.sweep, tasks_, how_.jobs);
    (void)parallel_tasks(
        groups.size(), how_.jobs,
        [&](std::size_t k, const std::stop_token& stop) { work(groups[k], stop); },
        [&](std::size_t, std::size_t) { return look(); });
  }
  if (auto ran = alone(std::vector(starved_), [](std::size_t task) { return task; }); !ran)
    return ran.error();
  if (auto written = flush(); !written) return written.error();
  (void)proceed_(progress_);
  if (failure_) return *failure_;
  return progress_.done == progress_.all;
}

}  // namespace

std::string SweepPart::file_name() const { return fmt::format("{}-of-{}.csv", index, count); }

Result<bool> run_sweep(const SweepFolder& folder, const SweepRun& how,
                       const std::function<bool(const SweepProgress&)>& proceed) {
  PartOfSweep part(folder, how, proceed);
  if (auto opened = part.open(); !opened) return opened.error();
  return part.run();
}

}  // namespace twosphere
