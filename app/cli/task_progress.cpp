// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/task_progress.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>

#include "app/base/signals.h"

namespace twosphere {

SearchProgress search_progress(TerminalLine& line) {
  return [&line](std::size_t done, std::size_t all) {
    line.show(fmt::format("{} of {} starts", done, all));
    return caught_signal() == 0;
  };
}

std::string rough_time(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

TaskProgress::TaskProgress(std::string_view noun, bool as_json, bool shown)
    : noun_(noun), as_json_(as_json), line_(shown && !as_json) {}

void TaskProgress::update(const SweepProgress& p, bool last) {
  const auto now = Clock::now();
  const auto interval = std::chrono::milliseconds(as_json_ ? 1000 : 200);
  if ((!as_json_ && !line_.shown()) || (!last && now - shown_at_ < interval)) return;
  shown_at_ = now;
  const double elapsed = std::chrono::duration<double>(now - begun_).count();
  const double rate = static_cast<double>(p.done - p.before) / elapsed;
  const double left = rate > 0 ? static_cast<double>(p.all - p.done) / rate : 0;
  if (as_json_) {
    fmt::print(stderr,
               "{{\"done\":{},\"all\":{},\"failed\":{},\"rate\":{:.6g},\"seconds_left\":{:.6g}}}\n",
               p.done, p.all, p.failed, rate, left);
    std::fflush(stderr);
    return;
  }
  line_.show(fmt::format("{} of {} {}, {} failed, {:.3g}/s{}", p.done, p.all, noun_, p.failed, rate,
                         rate > 0 && !last ? ", " + rough_time(left) + " left" : ""));
  if (last) line_.end();
}

}  // namespace twosphere
