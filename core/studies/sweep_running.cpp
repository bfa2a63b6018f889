// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_running.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <sstream>
#include <system_error>

namespace twosphere {

namespace {

constexpr std::size_t line_length = 32, max_record = std::size_t{1} << 24;

}  // namespace

Result<std::unique_ptr<RunningTasks>> RunningTasks::open(
    const ForeignFolder& folder, const std::string& name,
    const std::map<std::size_t, int>& left_behind) {
  auto record = std::make_unique<RunningTasks>();
  const auto descriptor = folder.open(name, O_RDWR | O_CREAT);
  if (!descriptor) return descriptor.error();
  record->descriptor_ = *descriptor;
  for (const auto& [task, processes] : left_behind) record->set(task, processes);
  const auto bytes = static_cast<off_t>(record->lines_.size() * line_length);
  if (::ftruncate(record->descriptor_, bytes) != 0)
    return Error{ErrorKind::input_output, folder.inside(name),
                 std::generic_category().message(errno)};
  return record;
}

RunningTasks::~RunningTasks() {
  if (descriptor_ >= 0) (void)::close(descriptor_);
}

std::size_t RunningTasks::line_of(std::size_t task) const {
  const auto find = [&](auto&& wanted) {
    return static_cast<std::size_t>(std::find_if(lines_.begin(), lines_.end(), wanted) -
                                    lines_.begin());
  };
  const std::size_t own =
      find([&](const Line& line) { return line.processes >= 0 && line.task == task; });
  return own < lines_.size() ? own : find([](const Line& line) { return line.processes < 0; });
}

void RunningTasks::write(std::size_t line) const {
  const Line& one = lines_[line];
  const std::string text =
      one.processes < 0 ? fmt::format("{:>{}}\n", "", line_length - 1)
                        : fmt::format("{:>{}} {:>9}\n", one.task, line_length - 11, one.processes);
  // Without it a killed task is taken for one that was not begun.
  (void)!::pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(line * line_length));
}

void RunningTasks::set(std::size_t task, int processes) {
  const std::size_t line = line_of(task);
  if (line == lines_.size()) lines_.emplace_back();
  lines_[line] = {task, processes};
  write(line);
}

void RunningTasks::begin(std::size_t task) {
  const std::lock_guard lock(mutex_);
  const std::size_t line = line_of(task);
  const bool again = line < lines_.size() && lines_[line].processes >= 0;
  set(task, again ? lines_[line].processes + 1 : 1);
}

void RunningTasks::saved(std::size_t task) {
  const std::lock_guard lock(mutex_);
  set(task, 0);
}

void RunningTasks::end(std::size_t task) {
  const std::lock_guard lock(mutex_);
  set(task, -1);
}

void RunningTasks::withdraw(std::size_t task) {
  const std::lock_guard lock(mutex_);
  const int processes = lines_[line_of(task)].processes;
  set(task, processes > 1 ? processes - 1 : -1);
}

std::map<std::size_t, int> RunningTasks::read(const ForeignFolder& folder,
                                              const std::string& name) {
  std::map<std::size_t, int> found;
  const auto text = folder.read(name, max_record);
  if (!text) return found;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::size_t task = 0;
    int processes = 0;
    if (line.size() + 1 == line_length && fields >> task >> processes) found[task] = processes;
  }
  return found;
}

}  // namespace twosphere
