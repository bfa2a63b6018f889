// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/compilation.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/simd_level.h"
#include "core/custom/back_end.h"

namespace twosphere::custom {

namespace {

std::atomic<bool> tape_forced = false;

/// More takes LLVM longer than anyone should wait [instructions].
constexpr std::size_t most_instructions = 4000;

std::size_t instructions(const Structure& structure) {
  std::size_t sum = 0;
  for (const Stage& stage : structure.stages)
    sum += stage.code.size() + stage.again.size() + stage.backward.size();
  return sum;
}

/// Compiles on a thread of its own; what was asked for last comes first.
class Compiler {
 public:
  /// Never destroyed: code may be in use until the end of the process.
  static Compiler& get() {
    static Compiler& compiler = *new Compiler;
    return compiler;
  }

  std::shared_ptr<Compilation> of(Structure structure) {
    std::string key = fmt::format("{}:{}", isa_level(), structure.key());
    const std::lock_guard lock(mutex_);
    const auto same = std::find_if(recent_.begin(), recent_.end(),
                                   [&](const auto& entry) { return entry.first == key; });
    std::shared_ptr<Compilation> made;
    if (same != recent_.end()) {
      made = same->second;
      recent_.erase(same);
    } else {
      made = std::make_shared<Compilation>(std::move(structure));
      waiting_.push_back(made);
      ++begun_;
      if (!started_) start();
      wake_.notify_one();
    }
    // A system that comes back finds its code.
    constexpr std::size_t most = 32;
    recent_.emplace_back(std::move(key), made);
    if (recent_.size() > most) recent_.pop_front();
    return made;
  }

  std::size_t begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }

 private:
  void start() {
    started_ = true;
    std::atexit([] { get().stop(); });
    thread_ = std::thread([this] { work(); });
  }

  void work() {
    // LLVM's own objects go at the end of the process, before what was made earlier, and after what
    // is asked for now: this thread.
    static_cast<void>(can_compile());
    std::atexit([] { get().stop(); });
    for (std::unique_lock lock(mutex_); !stopped_;) {
      if (waiting_.empty()) {
        wake_.wait(lock);
        continue;
      }
      const std::shared_ptr<Compilation> next = waiting_.back().lock();
      waiting_.pop_back();
      lock.unlock();
      if (next) next->wait();
      lock.lock();
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<std::string, std::shared_ptr<Compilation>>> recent_;
  std::vector<std::weak_ptr<Compilation>> waiting_;
  std::size_t begun_ = 0;
  bool started_ = false, stopped_ = false;
  std::thread thread_;
};

}  // namespace

const MachineCode* Compilation::wait() {
  std::call_once(once_, [this] {
    if (const std::size_t size = instructions(structure_); size > most_instructions) {
      reason_ = fmt::format("{} instructions are more than {}", size, most_instructions);
      return;
    }
    auto made = compile(structure_);
    if (!made) {
      reason_ = made.error().message;
      return;
    }
    made_ = std::move(*made);
    ready_.store(&made_, std::memory_order_release);
  });
  return code();
}

std::shared_ptr<Compilation> compilation_of(Structure structure) {
  if (tape_forced || compiler_name().empty()) return nullptr;
  return Compiler::get().of(std::move(structure));
}

std::size_t compilations() { return Compiler::get().begun(); }

Result<void> force_back_end(std::string_view name) {
  if (!name.empty() && name != "tape" && name != "llvm")
    return Error{ErrorKind::usage, "",
                 fmt::format("{} is not a back end; allowed: tape, llvm", json::quote(name))};
  tape_forced = name == "tape";
  return {};
}

Result<void> force_back_end_from_environment() {
  const char* name = std::getenv("TWOSPHERE_BACK_END");
  if (auto forced = force_back_end(name ? name : ""); !forced)
    return Error{ErrorKind::usage, "TWOSPHERE_BACK_END", forced.error().message};
  return {};
}

bool code_is_wanted() { return !tape_forced; }
bool code_is_possible() { return can_compile().has_value(); }

std::string describe_back_end() {
  if (tape_forced) return "tape (as asked for by TWOSPHERE_BACK_END)";
  if (const auto can = can_compile(); !can) return fmt::format("tape ({})", can.error().message);
  return fmt::format("llvm ({})", compiler_name());
}

}  // namespace twosphere::custom
