// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/llvm_symbol.h"

#include <cmath>
#include <cstdint>
#include <numeric>

namespace twosphere::custom {

LlvmWriter::LlvmWriter(const LlvmLibrary& library, LLVMContextRef in, LLVMModuleRef of,
                       LLVMValueRef to, unsigned width)
    : llvm(library),
      context(in),
      module_(of),
      function(to),
      lanes(width),
      builder(library.CreateBuilderInContext(in)) {
  int8 = llvm.IntTypeInContext(context, 8);
  int32 = llvm.IntTypeInContext(context, 32);
  int64 = llvm.IntTypeInContext(context, 64);
  pointer = llvm.PointerTypeInContext(context, 0);
  one_double = llvm.DoubleTypeInContext(context);
  number = lanes == 1 ? one_double : vector(lanes);
}

LlvmWriter::~LlvmWriter() { llvm.DisposeBuilder(builder); }

LLVMValueRef LlvmWriter::integer(LLVMTypeRef type, long x) const {
  return llvm.ConstInt(type, static_cast<unsigned long long>(x), 1);
}

LLVMValueRef LlvmWriter::constant(double x) const {
  const LLVMValueRef one = llvm.ConstReal(one_double, x);
  if (lanes == 1) return one;
  std::vector<LLVMValueRef> same(lanes, one);
  return llvm.ConstVector(same.data(), lanes);
}

LLVMValueRef LlvmWriter::all(LLVMValueRef x) const {
  if (lanes == 1) return x;
  const LLVMValueRef none = llvm.GetUndef(number);
  const LLVMValueRef first = llvm.BuildInsertElement(builder, none, x, integer(int32, 0), "");
  return shuffled(first, none, std::vector<int>(lanes, 0));
}

LLVMValueRef LlvmWriter::half(LLVMValueRef x, unsigned which, unsigned count) const {
  std::vector<int> mask(count / 2);
  std::iota(mask.begin(), mask.end(), static_cast<int>(which * count / 2));
  return shuffled(x, x, mask);
}

LLVMValueRef LlvmWriter::lane(LLVMValueRef vector, unsigned l) const {
  return llvm.BuildExtractElement(builder, vector, integer(int32, l), "");
}

LLVMValueRef LlvmWriter::shuffled(LLVMValueRef a, LLVMValueRef b,
                                  const std::vector<int>& from) const {
  std::vector<LLVMValueRef> mask;
  for (const int k : from) mask.push_back(integer(int32, k));
  return llvm.BuildShuffleVector(
      builder, a, b, llvm.ConstVector(mask.data(), static_cast<unsigned>(mask.size())), "");
}

LLVMValueRef LlvmWriter::address(LLVMTypeRef type, LLVMValueRef base, LLVMValueRef index) const {
  return llvm.BuildGEP2(builder, type, base, &index, 1, "");
}

LLVMValueRef LlvmWriter::load(LLVMTypeRef type, LLVMValueRef from) const {
  const LLVMValueRef x = llvm.BuildLoad2(builder, type, from, "");
  if (type != int8 && type != int32) llvm.SetAlignment(x, 8);
  return x;
}

void LlvmWriter::store(LLVMValueRef x, LLVMValueRef to) const {
  llvm.SetAlignment(llvm.BuildStore(builder, x, to), 8);
}

LLVMValueRef LlvmWriter::intrinsic(std::string_view name, LLVMValueRef x) const {
  const unsigned id = llvm.LookupIntrinsicID(name.data(), name.size());
  LLVMTypeRef type = number;
  const LLVMValueRef what = llvm.GetIntrinsicDeclaration(module_, id, &type, 1);
  return llvm.BuildCall2(builder, llvm.IntrinsicGetType(context, id, &type, 1), what, &x, 1, "");
}

void LlvmWriter::mark_pure(LLVMValueRef call) const {
  for (const std::string_view name : {"readnone", "nounwind", "willreturn"})
    if (const unsigned kind = llvm.GetEnumAttributeKindForName(name.data(), name.size()))
      llvm.AddCallSiteAttribute(call, static_cast<LLVMAttributeIndex>(LLVMAttributeFunctionIndex),
                                llvm.CreateEnumAttribute(context, kind, 0));
}

LLVMValueRef LlvmWriter::call(const void* what, std::initializer_list<LLVMValueRef> of) const {
  std::vector<LLVMTypeRef> types(of.size(), one_double);
  const auto count = static_cast<unsigned>(of.size());
  const LLVMTypeRef type = llvm.FunctionType(one_double, types.data(), count, 0);
  const LLVMValueRef target =
      llvm.ConstIntToPtr(llvm.ConstInt(int64, reinterpret_cast<std::uintptr_t>(what), 0), pointer);
  LLVMValueRef out = lanes == 1 ? nullptr : llvm.GetUndef(number);
  for (unsigned l = 0; l < lanes; ++l) {
    std::vector<LLVMValueRef> arguments;
    for (const LLVMValueRef x : of) arguments.push_back(lanes == 1 ? x : lane(x, l));
    const LLVMValueRef y = llvm.BuildCall2(builder, type, target, arguments.data(), count, "");
    mark_pure(y);
    out = lanes == 1 ? y : llvm.BuildInsertElement(builder, out, y, integer(int32, l), "");
  }
  return out;
}

namespace {

using Build = decltype(&::LLVMBuildFAdd);

LlvmWriter* writer_of(const Symbol& a, const Symbol& b) { return a.writer ? a.writer : b.writer; }

Symbol combined(Build LlvmLibrary::*build, const Symbol& a, const Symbol& b) {
  LlvmWriter& to = *writer_of(a, b);
  return {to, (to.llvm.*build)(to.builder, a.in(to), b.in(to), "")};
}

Truth compared(LLVMRealPredicate how, const Symbol& a, const Symbol& b) {
  LlvmWriter& to = *writer_of(a, b);
  return {&to, to.llvm.BuildFCmp(to.builder, how, a.in(to), b.in(to), ""), false};
}

Symbol call(double (*what)(double), const Symbol& x) {
  if (!x.value) return what(x.known);
  return {*x.writer, x.writer->call(reinterpret_cast<const void*>(what), {x.value})};
}
Symbol call(double (*what)(double, double), const Symbol& a, const Symbol& b) {
  if (!a.value && !b.value) return what(a.known, b.known);
  LlvmWriter& to = *writer_of(a, b);
  return {to, to.call(reinterpret_cast<const void*>(what), {a.in(to), b.in(to)})};
}

}  // namespace

Truth operator&&(const Truth& a, const Truth& b) {
  if (!a.value) return a.known ? b : a;
  if (!b.value) return b.known ? a : b;
  return {a.writer, a.writer->llvm.BuildAnd(a.writer->builder, a.value, b.value, ""), false};
}
Truth operator||(const Truth& a, const Truth& b) {
  if (!a.value) return a.known ? a : b;
  if (!b.value) return b.known ? b : a;
  return {a.writer, a.writer->llvm.BuildOr(a.writer->builder, a.value, b.value, ""), false};
}

Symbol operator+(const Symbol& a, const Symbol& b) {
  if (!a.value && !b.value) return a.known + b.known;
  return combined(&LlvmLibrary::BuildFAdd, a, b);
}
Symbol operator-(const Symbol& a, const Symbol& b) {
  if (!a.value && !b.value) return a.known - b.known;
  return combined(&LlvmLibrary::BuildFSub, a, b);
}
Symbol operator*(const Symbol& a, const Symbol& b) {
  if (!a.value && !b.value) return a.known * b.known;
  if (!a.value && a.known == 1) return b;
  if (!b.value && b.known == 1) return a;
  return combined(&LlvmLibrary::BuildFMul, a, b);
}
Symbol operator/(const Symbol& a, const Symbol& b) {
  if (!a.value && !b.value) return a.known / b.known;
  return combined(&LlvmLibrary::BuildFDiv, a, b);
}
Symbol operator-(const Symbol& a) {
  if (!a.value) return -a.known;
  return {*a.writer, a.writer->llvm.BuildFNeg(a.writer->builder, a.value, "")};
}

Truth operator<(const Symbol& a, const Symbol& b) {
  if (!a.value && !b.value) return {nullptr, nullptr, a.known < b.known};
  return compared(LLVMRealOLT, a, b);
}
Truth operator<=(const Symbol& a, const Symbol& b) {
  if (!a.value && !b.value) return {nullptr, nullptr, a.known <= b.known};
  return compared(LLVMRealOLE, a, b);
}
Truth operator>(const Symbol& a, const Symbol& b) { return b < a; }
Truth operator>=(const Symbol& a, const Symbol& b) { return b <= a; }
Truth operator==(const Symbol& a, const Symbol& b) {
  if (!a.value && !b.value) return {nullptr, nullptr, a.known == b.known};
  return compared(LLVMRealOEQ, a, b);
}
Truth operator!=(const Symbol& a, const Symbol& b) {
  if (!a.value && !b.value) return {nullptr, nullptr, a.known != b.known};
  return compared(LLVMRealUNE, a, b);
}

Symbol select(const Truth& condition, const Symbol& a, const Symbol& b) {
  if (!condition.value) return condition.known ? a : b;
  LlvmWriter& to = *condition.writer;
  return {to, to.llvm.BuildSelect(to.builder, condition.value, a.in(to), b.in(to), "")};
}

Symbol sqrt(const Symbol& x) {
  if (!x.value) return std::sqrt(x.known);
  return {*x.writer, x.writer->intrinsic("llvm.sqrt", x.value)};
}
Symbol abs(const Symbol& x) { return select(x < 0, -x, x); }
Symbol sign(const Symbol& x) {
  return select(x > 0, Symbol(1), select(x < 0, Symbol(-1), Symbol(0)));
}
#define SYMBOL_own(name)
#define SYMBOL_library(name) \
  Symbol name(const Symbol& x) { return call(&::name, x); }
#define FUNCTION(name, reads, derivative, code) SYMBOL_##code(name)
#include "core/language/function_list.h"
#undef SYMBOL_own
#undef SYMBOL_library
Symbol atan2(const Symbol& y, const Symbol& x) { return call(&::atan2, y, x); }
Symbol pow(const Symbol& x, const Symbol& p) { return call(&::pow, x, p); }

}  // namespace twosphere::custom
