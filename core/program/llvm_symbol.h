// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm-c/Core.h>

#include <initializer_list>
#include <string_view>
#include <vector>

#include "core/program/llvm_library.h"

/// Numbers whose operations write LLVM's instructions for them.
namespace twosphere::custom {

/// Where instructions are written, and their types: those of one function, for one tuple or eight.
class LlvmWriter {
 public:
  LlvmWriter(const LlvmLibrary& library, LLVMContextRef context, LLVMModuleRef module_,
             LLVMValueRef function, unsigned lanes);
  ~LlvmWriter();
  LlvmWriter(const LlvmWriter&) = delete;
  LlvmWriter& operator=(const LlvmWriter&) = delete;

  const LlvmLibrary& llvm;
  const LLVMContextRef context;
  const LLVMModuleRef module_;
  const LLVMValueRef function;
  const unsigned lanes;
  const LLVMBuilderRef builder;

  LLVMTypeRef int8, int32, int64, pointer, one_double, number;

  LLVMTypeRef vector(unsigned size) const { return llvm.VectorType(one_double, size); }
  LLVMValueRef integer(LLVMTypeRef type, long x) const;
  LLVMValueRef constant(double x) const;
  LLVMValueRef all(LLVMValueRef x) const;  ///< one double in every lane
  LLVMValueRef lane(LLVMValueRef vector, unsigned l) const;
  LLVMValueRef shuffled(LLVMValueRef a, LLVMValueRef b, const std::vector<int>& from) const;
  /// The first or second half of a vector of `count`.
  LLVMValueRef half(LLVMValueRef x, unsigned which, unsigned count) const;
  LLVMBasicBlockRef block() const { return llvm.AppendBasicBlockInContext(context, function, ""); }
  void at(LLVMBasicBlockRef block) const { llvm.PositionBuilderAtEnd(builder, block); }

  LLVMValueRef address(LLVMTypeRef type, LLVMValueRef base, LLVMValueRef index) const;
  /// Of doubles the alignment is that of one, of any number of them.
  LLVMValueRef load(LLVMTypeRef type, LLVMValueRef from) const;
  void store(LLVMValueRef x, LLVMValueRef to) const;

  /// One of LLVM's own functions of numbers.
  LLVMValueRef intrinsic(std::string_view name, LLVMValueRef x) const;
  /// A function of the C library, for each lane.
  LLVMValueRef call(const void* what, std::initializer_list<LLVMValueRef> arguments) const;

 private:
  void mark_pure(LLVMValueRef call) const;
};

/// A condition in each lane, or one that is known now.
struct Truth {
  LlvmWriter* writer = nullptr;
  LLVMValueRef value = nullptr;
  bool known = false;

  friend Truth operator&&(const Truth& a, const Truth& b);
  friend Truth operator||(const Truth& a, const Truth& b);
};

/// A number in each lane, or one that is known now.
struct Symbol {
  LlvmWriter* writer = nullptr;
  LLVMValueRef value = nullptr;
  double known = 0;

  constexpr Symbol() = default;
  constexpr Symbol(double x) : known(x) {}
  Symbol(LlvmWriter& to, LLVMValueRef x) : writer(&to), value(x) {}

  friend Symbol operator+(const Symbol& a, const Symbol& b);
  friend Symbol operator-(const Symbol& a, const Symbol& b);
  friend Symbol operator*(const Symbol& a, const Symbol& b);
  friend Symbol operator/(const Symbol& a, const Symbol& b);
  friend Symbol operator-(const Symbol& a);
  /// Sums begin with a known 0, to which nothing is added: only the sign of a sum that is 0 may
  /// differ from that of 0 + b, which the arrays do not keep, because they begin with +0.
  Symbol& operator+=(const Symbol& b) {
    const bool begins = !value && known == 0;
    return *this = begins ? b : *this + b;
  }
  Symbol& operator*=(const Symbol& b) { return *this = *this * b; }

  friend Truth operator<(const Symbol& a, const Symbol& b);
  friend Truth operator<=(const Symbol& a, const Symbol& b);
  friend Truth operator>(const Symbol& a, const Symbol& b);
  friend Truth operator>=(const Symbol& a, const Symbol& b);
  friend Truth operator==(const Symbol& a, const Symbol& b);
  friend Truth operator!=(const Symbol& a, const Symbol& b);

  /// The same in LLVM's terms, where `to` writes.
  LLVMValueRef in(const LlvmWriter& to) const { return value ? value : to.constant(known); }
};

inline Symbol value(const Symbol& x) { return x; }
inline Truth is_zero(const Symbol& x) { return x == 0; }
Symbol select(const Truth& condition, const Symbol& a, const Symbol& b);

#define FUNCTION(name, ...) Symbol name(const Symbol& x);
#include "core/language/function_list.h"
Symbol atan2(const Symbol& y, const Symbol& x);
Symbol pow(const Symbol& x, const Symbol& p);
inline Symbol general_power(const Symbol& a, const Symbol& b) { return pow(a, b); }

}  // namespace twosphere::custom
