// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "core/custom/machine_code.h"

/// Machine code in the background. Programs of the same structure share it: parameters are data, so
/// that a change of one compiles nothing.
namespace twosphere::custom {

class Compilation {
 public:
  explicit Compilation(Structure structure) : structure_(std::move(structure)) {}

  /// The code; null while there is none yet, and where there is none.
  const MachineCode* code() const { return ready_.load(std::memory_order_acquire); }
  /// The code, made now if it has not been begun; null where there is none.
  const MachineCode* wait();
  /// Why there is none, after wait().
  const std::string& reason() const { return reason_; }

 private:
  Structure structure_;
  std::once_flag once_;
  MachineCode made_;
  std::string reason_;
  std::atomic<const MachineCode*> ready_ = nullptr;
};

/// The compilation of a structure, begun now unless there is one. Null where the tape is to do all:
/// force_back_end().
std::shared_ptr<Compilation> compilation_of(Structure structure);

/// How many have been begun in this process, for tests.
std::size_t compilations();

}  // namespace twosphere::custom
