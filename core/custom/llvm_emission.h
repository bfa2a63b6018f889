// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/custom/llvm_symbol.h"
#include "core/custom/machine.h"

namespace twosphere::custom {

/// The memory of a Machine that writes a function (StageFunction) instead of computing: for one
/// tuple, or for a loop over eights of tuples. T is Symbol or DualOf<Symbol>.
template <class T>
class LlvmEmission {
 public:
  static constexpr unsigned parts = std::is_same_v<T, Symbol> ? 1 : 2;

  /// `stage` as in a Structure.
  LlvmEmission(const LlvmLibrary& llvm, LLVMContextRef context, LLVMModuleRef module_,
               const Stage& stage, const std::string& name);

  /// Writes the function, with what `body` writes as the body of the loop.
  void write(const std::function<void(Machine<T, 1, LlvmEmission>&)>& body);

  // What a Machine asks for.

  Symbol number(const Instruction& in, int which) {
    const double k = which == 0 ? in.k : in.k2;
    return k == k ? Symbol(k) : datum(at(2 * in.d + which));
  }
  Symbol scale(std::size_t output) {
    const double k = stage_.outputs[output].scale;
    return k == k ? Symbol(k) : datum(2 * at(stage_.registers) + output);
  }
  void table(int which, T* d);
  void time(T* d) { *d = T(Symbol(to_, to_.all(to_.llvm.GetParam(to_.function, 4)))); }
  void read(Elements which, int array, int column, int width, T* d);
  void add(Elements which, int array, int column, int width, const T* d, int);
  void end_group(Elements, int) {}  // sums of runs are written at their end: write()

 private:
  using Values = std::vector<LLVMValueRef>;

  /// Loaded before the loop, once for each argument and place in it.
  LLVMValueRef before(unsigned argument, std::size_t place, LLVMTypeRef type);
  Symbol datum(std::size_t place);
  LLVMValueRef elements(Elements which, int array) {
    return before(which == Elements::values ? 0 : 1, at(array), to_.pointer);
  }
  LLVMValueRef list(std::size_t which) { return before(3, which, to_.pointer); }

  /// Where doubles of the element of a tuple of the eight begin.
  LLVMValueRef place(LLVMValueRef base, int column, unsigned lane, unsigned size) {
    return place(base, column, first_, lane, size);
  }
  LLVMValueRef place(LLVMValueRef base, int column, LLVMValueRef first, unsigned lane,
                     unsigned size);
  LLVMValueRef offset(LLVMValueRef base, unsigned k) {
    return k == 0 ? base : to_.address(to_.one_double, base, to_.integer(to_.int64, k));
  }
  /// Writes what is done for each way in which the elements of eight lanes access.
  void by_access(int column, const std::function<void(Access)>& write);
  Values read(Access access, LLVMValueRef base, int column, unsigned size);
  void add(Access access, LLVMValueRef base, int column, const Values& x);
  void add(LLVMTypeRef type, LLVMValueRef share, LLVMValueRef to);

  LLVMValueRef sum_of_lanes(LLVMValueRef x);
  /// Begins a run: `run` is its number.
  void begin_run(LLVMValueRef run);
  /// Adds the sums of a run to their elements.
  void end_run();

  static Values values(const LlvmWriter& to, const T* d, int width);
  void set(T* d, const Values& x);

  const Stage& stage_;
  LlvmWriter to_;
  LLVMBasicBlockRef entry_;
  LLVMValueRef group_ = nullptr, first_ = nullptr;  // of the loop: the eight, and its first tuple
  LLVMValueRef valid_ = nullptr;                    // how many of its tuples count
  // Where a column is held: where a run begins, its first tuple, which lanes count, what was read
  // there, and the sums.
  LLVMBasicBlockRef begin_ = nullptr;
  LLVMValueRef run_group_ = nullptr, run_first_ = nullptr, counts_ = nullptr;
  std::map<std::pair<Elements, int>, Values> held_;
  std::vector<Values> sums_;
  std::vector<bool> used_;  // of the sums, by this function
  std::map<std::pair<unsigned, std::size_t>, LLVMValueRef> before_;
  std::map<std::size_t, Symbol> data_;
};

}  // namespace twosphere::custom
