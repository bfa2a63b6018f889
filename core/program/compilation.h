// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "core/program/machine_code.h"

/// Machine code that is made when it is first asked for. Programs of the same structure share it:
/// parameters are data, so that a change of one compiles nothing.
namespace twosphere::custom {

class Compilation : public std::enable_shared_from_this<Compilation> {
 public:
  explicit Compilation(Structure structure) : structure_(std::move(structure)) {}

  /// The code; null before make(), and where there is none.
  const MachineCode* code() const { return ready_.load(std::memory_order_acquire); }
  /// The code, made now unless it has been; null where there is none.
  const MachineCode* make();
  /// The code if there is any yet; otherwise another thread begins to make it.
  const MachineCode* make_later();

 private:
  Structure structure_;
  std::once_flag once_;
  std::atomic<bool> begun_ = false;  // by make_later()
  MachineCode made_;
  std::atomic<const MachineCode*> ready_ = nullptr;
};

/// The compilation of a structure. Null where the tape is to do all:
/// force_back_end().
std::shared_ptr<Compilation> compilation_of(Structure structure);

/// Whether code is made in the background: compile_in_background().
bool compiles_in_background();

/// How often LLVM was called in this process, for tests.
std::size_t compilations();

}  // namespace twosphere::custom
