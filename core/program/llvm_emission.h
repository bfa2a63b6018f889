// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/program/llvm_symbol.h"
#include "core/program/machine.h"
#include "core/program/machine_code.h"

namespace twosphere::custom {

/// The memory of a Machine that writes a function (StageFunction) instead of computing: for one
/// tuple, or for a loop over eights of tuples. T is Symbol or DualOf<Symbol>.
template <class T>
class LlvmEmission {
 public:
  static constexpr unsigned parts = std::is_same_v<T, Symbol> ? 1 : 2;

  /// For a stage of the structure, by its number.
  LlvmEmission(const LlvmLibrary& llvm, LLVMContextRef context, LLVMModuleRef module_,
               const Structure& structure, std::size_t stage, const std::string& name);

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

  /// An element of an array: the address of its first double and how many doubles further its next
  /// component is.
  struct Place {
    LLVMValueRef first;
    long apart;
  };
  /// Of a tuple of the eight, and of one of the eight from `first`.
  Place place(Elements which, int array, int column, unsigned lane) {
    return place(which, array, column, first_, lane);
  }
  Place place(Elements which, int array, int column, LLVMValueRef first, unsigned lane);
  /// The address of double k of an element.
  LLVMValueRef address(const Place& element, unsigned k) {
    const long by = k / parts * element.apart + k % parts;
    return by == 0 ? element.first
                   : to_.address(to_.one_double, element.first, to_.integer(to_.int64, by));
  }
  /// Writes what is done for each way in which elements of the column lie.
  void by_access(int column, const std::function<void(Access)>& write);
  Values read(Access access, Elements which, int array, int column, unsigned size);
  void add(Access access, Elements which, int array, int column, const Values& x);
  void add(LLVMValueRef share, LLVMValueRef to);
  /// The numbers of one element for all eight, and of eight that follow one another.
  Values read_one(const Place& from, unsigned size);
  Values read_row(const Place& first, unsigned size);
  /// x in the lanes that count, otherwise `other`.
  LLVMValueRef counted(LLVMValueRef x, LLVMValueRef other) {
    return to_.llvm.BuildSelect(to_.builder, counts_, x, other, "");
  }

  LLVMValueRef sum_of_lanes(LLVMValueRef x);
  /// Begins a run: `run` is its number.
  void begin_run(LLVMValueRef run);
  /// Adds the sums of a run to their elements.
  void end_run();

  static Values values(const LlvmWriter& to, const T* d, int width);
  void set(T* d, const Values& x);

  const Structure& structure_;
  const Stage& stage_;
  LlvmWriter to_;
  LLVMBasicBlockRef entry_;
  LLVMValueRef group_ = nullptr, first_ = nullptr;   // of the loop: the eight, and its first tuple
  LLVMValueRef valid_ = nullptr, counts_ = nullptr;  // how many of its tuples count, and which
  // Where a column is held: where a run begins, its first tuple, and the sums.
  LLVMBasicBlockRef begin_ = nullptr;
  LLVMValueRef run_group_ = nullptr, run_first_ = nullptr;
  std::vector<Values> sums_;
  std::vector<bool> used_;  // of the sums, by this function
  // What is read once for a run or for all, by array and column.
  std::map<std::tuple<Elements, int, int>, Values> loaded_;
  std::map<std::pair<unsigned, std::size_t>, LLVMValueRef> before_;
  std::map<std::size_t, Symbol> data_;
};

}  // namespace twosphere::custom
