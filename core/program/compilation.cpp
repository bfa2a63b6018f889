// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/compilation.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <new>
#include <stop_token>
#include <thread>
#include <utility>

#include "core/base/json.h"
#include "core/base/simd_level.h"
#include "core/base/thread_name.h"
#include "core/program/back_end.h"

namespace twosphere::custom {

namespace {

std::atomic<bool> tape_forced = false;

/// More takes LLVM longer than anyone should wait: about two seconds.
constexpr int max_work = 6500;

/// How long LLVM takes with an instruction, measured in sums of two numbers.
int work_of(Code code) {
  switch (code) {
    case Code::choose_vector:
    case Code::pack:
    case Code::linear_vector:
    case Code::scale_vector:
    case Code::multiply_vector:
      return 3;
    case Code::dot:
    case Code::norm:
      return 6;
    case Code::cross:
      return 9;
    case Code::angle:
    case Code::angle_square:
    case Code::acos_square:
      return 25;
    default:
      return 1;
  }
}

int work_of(const Structure& structure) {
  int sum = 0;
  for (const Stage& stage : structure.stages)
    for (const auto* part : {&stage.code, &stage.again, &stage.backward})
      for (const Instruction& in : *part) sum += work_of(in.code);
  return sum;
}

/// The last compilations, so that a system that comes back finds its code. Never destroyed: code
/// may be in use until the end of the process.
class CompilationCache {
 public:
  static CompilationCache& get() {
    static CompilationCache& recent = *new CompilationCache;
    return recent;
  }

  std::shared_ptr<Compilation> of(Structure structure) {
    // The same structure at the same level has the same code; the oldest of 32 is forgotten.
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
    }
    constexpr std::size_t max_recent = 32;
    recent_.emplace_back(std::move(key), made);
    if (recent_.size() > max_recent) recent_.pop_front();
    return made;
  }

 private:
  std::mutex mutex_;
  std::deque<std::pair<std::string, std::shared_ptr<Compilation>>> recent_;
};

std::atomic<std::size_t> begun = 0;
std::atomic<bool> in_background = false;

/// A thread that makes code, one compilation after another. At the end of the process the present
/// one is completed, and the others are left.
class Background {
 public:
  static Background& get() {
    static Background one;
    return one;
  }

  void add(std::shared_ptr<Compilation> compilation) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(compilation));
    }
    changed_.notify_one();
  }

 private:
  void work(const std::stop_token& ends) {
    name_this_thread("compiler");
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, ends, [this] { return !waiting_.empty(); });
      if (ends.stop_requested()) return;
      const std::shared_ptr<Compilation> next = std::move(waiting_.front());
      waiting_.pop_front();
      // LLVM works without the lock, so that others can queue theirs.
      lock.unlock();
      try {
        (void)next->make();
      } catch (const std::bad_alloc&) {  // then the tape continues
      }
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::shared_ptr<Compilation>> waiting_;
  std::jthread thread_{[this](const std::stop_token& ends) { work(ends); }};
};

}  // namespace

const MachineCode* Compilation::make() {
  std::call_once(once_, [this] {
    // Long code stays on the tape.
    if (work_of(structure_) > max_work) return;
    ++begun;
    auto made = compile(structure_);
    if (!made) return;
    made_ = std::move(*made);
    ready_.store(&made_, std::memory_order_release);
  });
  return code();
}

const MachineCode* Compilation::make_later() {
  const MachineCode* const known = code();
  // The library is loaded first, so that its own objects outlive the thread.
  if (!known && !begun_.exchange(true) && can_compile()) Background::get().add(shared_from_this());
  return known;
}

bool compiles_in_background() { return in_background; }

std::shared_ptr<Compilation> compilation_of(Structure structure) {
  if (tape_forced || compiler_name().empty()) return nullptr;
  return CompilationCache::get().of(std::move(structure));
}

std::size_t compilations() { return begun; }

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

void compile_in_background(bool on) { in_background = on; }

bool code_is_wanted() { return !tape_forced; }
bool code_is_possible() { return can_compile().has_value(); }

std::string describe_back_end() {
  if (tape_forced) return "tape (as asked for by TWOSPHERE_BACK_END)";
  if (!finds_compiler())
    if (const auto can = can_compile(); !can) return fmt::format("tape ({})", can.error().message);
  return fmt::format("llvm ({})", compiler_name());
}

}  // namespace twosphere::custom
