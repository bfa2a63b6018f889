// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/llvm_emission.h"

#include "core/custom/tree.h"

namespace twosphere::custom {

namespace {

LLVMValueRef function(const LlvmLibrary& llvm, LLVMContextRef context, LLVMModuleRef module_,
                      const std::string& name) {
  const LLVMTypeRef pointer = llvm.PointerTypeInContext(context, 0);
  LLVMTypeRef arguments[] = {pointer, pointer, pointer, pointer, llvm.DoubleTypeInContext(context)};
  const LLVMTypeRef type = llvm.FunctionType(llvm.VoidTypeInContext(context), arguments, 5, 0);
  const LLVMValueRef made = llvm.AddFunction(module_, name.c_str(), type);
  constexpr std::string_view nounwind = "nounwind";
  const unsigned kind = llvm.GetEnumAttributeKindForName(nounwind.data(), nounwind.size());
  llvm.AddAttributeAtIndex(made, static_cast<LLVMAttributeIndex>(LLVMAttributeFunctionIndex),
                           llvm.CreateEnumAttribute(context, kind, 0));
  return made;
}

template <class T>
Symbol& part(T& x, unsigned p) {
  if constexpr (std::is_same_v<T, Symbol>)
    return x;
  else
    return p == 0 ? x.v : x.d;
}

}  // namespace

template <class T>
LlvmEmission<T>::LlvmEmission(const LlvmLibrary& llvm, LLVMContextRef context,
                              LLVMModuleRef module_, const Stage& stage, const std::string& name)
    : stage_(stage),
      to_(llvm, context, module_, function(llvm, context, module_, name),
          stage.count > 1 ? static_cast<unsigned>(group_size) : 1),
      entry_(to_.block()),
      used_(stage.held_sums.size(), false) {}

template <class T>
void LlvmEmission<T>::begin_run(LLVMValueRef run) {
  const LlvmLibrary& llvm = to_.llvm;
  const LLVMValueRef runs = list(stage_.tables.size() + 2 * stage_.columns.size() + 1);
  run_group_ = llvm.BuildSExt(to_.builder, to_.load(to_.int32, to_.address(to_.int32, runs, run)),
                              to_.int64, "");
  run_first_ = llvm.BuildMul(to_.builder, run_group_, to_.integer(to_.int64, group_size), "");
  for (const Stage::HeldSum& sum : stage_.held_sums) {
    Values& places = sums_.emplace_back();
    for (unsigned k = 0; k < static_cast<unsigned>(sum.width) * parts; ++k) {
      to_.at(entry_);
      places.push_back(llvm.BuildAlloca(to_.builder, to_.number, ""));
      to_.at(begin_);
      to_.store(to_.constant(0), places.back());
    }
  }
  to_.at(begin_);
}

template <class T>
void LlvmEmission<T>::end_run() {
  for (std::size_t s = 0; s < sums_.size(); ++s) {
    const Stage::HeldSum& sum = stage_.held_sums[s];
    if (!used_[s]) continue;  // by the other sweep
    const auto size = static_cast<unsigned>(sum.width) * parts;
    const LLVMValueRef to = place(elements(sum.which, sum.array), stage_.held, run_first_, 0, size);
    for (unsigned k = 0; k < size; ++k)
      add(to_.one_double, sum_of_lanes(to_.load(to_.number, sums_[s][k])), offset(to, k));
  }
}

template <class T>
void LlvmEmission<T>::write(const std::function<void(Machine<T, 1, LlvmEmission>&)>& body) {
  std::vector<T> registers(at(stage_.registers), T(0)), adjoints(at(stage_.registers), T(0));
  Machine<T, 1, LlvmEmission> machine(*this, registers.data(), adjoints.data());
  const LlvmLibrary& llvm = to_.llvm;
  const auto number = [this](long x) { return to_.integer(to_.int64, x); };
  const bool loops = stage_.count > 1, held = stage_.held >= 0;
  const auto next_of = [&](LLVMValueRef x) { return llvm.BuildAdd(to_.builder, x, number(1), ""); };
  const auto enter = [&](LLVMValueRef phi, LLVMValueRef x, LLVMBasicBlockRef from) {
    llvm.AddIncoming(phi, &x, &from, 1);
  };
  // Where a column is held, a loop over runs about that over eights.
  LLVMValueRef run = nullptr;
  if (held) {
    begin_ = to_.block();
    to_.at(begin_);
    run = llvm.BuildPhi(to_.builder, to_.int64, "");
    begin_run(run);
  }
  const LLVMBasicBlockRef loop = to_.block();
  to_.at(loop);
  if (loops) {
    group_ = llvm.BuildPhi(to_.builder, to_.int64, "");
    first_ = llvm.BuildMul(to_.builder, group_, number(group_size), "");
    const LLVMValueRef valid = list(stage_.tables.size() + 2 * stage_.columns.size());
    valid_ = llvm.BuildZExt(to_.builder, to_.load(to_.int8, to_.address(to_.int8, valid, group_)),
                            to_.int32, "");
  }
  if (held) {
    std::vector<LLVMValueRef> lanes;
    for (int l = 0; l < group_size; ++l) lanes.push_back(to_.integer(to_.int32, l));
    const LLVMValueRef none = llvm.GetUndef(llvm.VectorType(to_.int32, group_size));
    const LLVMValueRef all = to_.shuffled(
        llvm.BuildInsertElement(to_.builder, none, valid_, to_.integer(to_.int32, 0), ""), none,
        std::vector<int>(at(group_size), 0));
    counts_ = llvm.BuildICmp(to_.builder, LLVMIntULT, llvm.ConstVector(lanes.data(), group_size),
                             all, "");
  }
  body(machine);
  if (loops) {
    const LLVMValueRef next = next_of(group_);
    const LLVMBasicBlockRef last = llvm.GetInsertBlock(to_.builder), after = to_.block();
    LLVMValueRef groups = nullptr;
    if (held) {
      const LLVMValueRef runs = list(stage_.tables.size() + 2 * stage_.columns.size() + 1);
      groups = llvm.BuildSExt(to_.builder,
                              to_.load(to_.int32, to_.address(to_.int32, runs, next_of(run))),
                              to_.int64, "");
    } else {
      groups = number((stage_.count + group_size - 1) / group_size);
    }
    llvm.BuildCondBr(to_.builder, llvm.BuildICmp(to_.builder, LLVMIntULT, next, groups, ""), loop,
                     after);
    enter(group_, next, last);
    to_.at(after);
    if (held) {
      end_run();
      const LLVMValueRef next_run = next_of(run);
      const LLVMBasicBlockRef from = llvm.GetInsertBlock(to_.builder), end = to_.block();
      const LLVMValueRef more = llvm.BuildICmp(
          to_.builder, LLVMIntULT, next_run, number(static_cast<long>(stage_.runs.size()) - 1), "");
      llvm.BuildCondBr(to_.builder, more, begin_, end);
      enter(run, number(0), entry_);
      enter(run, next_run, from);
      to_.at(end);
    }
  }
  llvm.BuildRetVoid(to_.builder);
  if (held) {
    to_.at(begin_);
    enter(group_, run_group_, begin_);
    llvm.BuildBr(to_.builder, loop);
  } else if (loops) {
    enter(group_, number(0), entry_);
  }
  to_.at(entry_);
  llvm.BuildBr(to_.builder, held ? begin_ : loop);
}

template <class T>
LLVMValueRef LlvmEmission<T>::before(unsigned argument, std::size_t place, LLVMTypeRef type) {
  const auto [known, added] = before_.try_emplace({argument, place}, nullptr);
  if (added) {
    const LLVMBasicBlockRef here = to_.llvm.GetInsertBlock(to_.builder);
    to_.at(entry_);
    known->second = to_.load(type, to_.address(type, to_.llvm.GetParam(to_.function, argument),
                                               to_.integer(to_.int64, static_cast<long>(place))));
    to_.at(here);
  }
  return known->second;
}

template <class T>
Symbol LlvmEmission<T>::datum(std::size_t place) {
  const auto [known, added] = data_.try_emplace(place);
  if (added) {
    const LLVMValueRef x = before(2, place, to_.one_double);
    const LLVMBasicBlockRef here = to_.llvm.GetInsertBlock(to_.builder);
    to_.at(entry_);
    known->second = Symbol(to_, to_.all(x));
    to_.at(here);
  }
  return known->second;
}

template <class T>
void LlvmEmission<T>::table(int which, T* d) {
  const LLVMValueRef table = list(at(which));
  *d = T(Symbol(to_,
                to_.load(to_.number, group_ ? to_.address(to_.one_double, table, first_) : table)));
}

template <class T>
typename LlvmEmission<T>::Values LlvmEmission<T>::values(const LlvmWriter& to, const T* d,
                                                         int width) {
  Values out;
  for (int m = 0; m < width; ++m)
    for (unsigned p = 0; p < parts; ++p) {
      T x = d[m];
      out.push_back(part(x, p).in(to));
    }
  return out;
}

template <class T>
void LlvmEmission<T>::set(T* d, const Values& x) {
  for (std::size_t k = 0; k < x.size(); ++k)
    part(d[k / parts], static_cast<unsigned>(k % parts)) = Symbol(to_, x[k]);
}

template <class T>
LLVMValueRef LlvmEmission<T>::place(LLVMValueRef base, int column, LLVMValueRef first,
                                    unsigned lane, unsigned size) {
  LLVMValueRef element = nullptr;
  if (!group_) {
    element = to_.integer(to_.int64, stage_.columns[at(column)][0]);
  } else {
    const LLVMValueRef tuple =
        to_.address(to_.int32, list(stage_.tables.size() + at(column)), first);
    const LLVMValueRef number =
        to_.load(to_.int32, to_.address(to_.int32, tuple, to_.integer(to_.int64, lane)));
    element = to_.llvm.BuildSExt(to_.builder, number, to_.int64, "");
  }
  return to_.address(to_.one_double, base,
                     to_.llvm.BuildMul(to_.builder, element, to_.integer(to_.int64, size), ""));
}

template <class T>
void LlvmEmission<T>::by_access(int column, const std::function<void(Access)>& write) {
  const LlvmLibrary& llvm = to_.llvm;
  const LLVMValueRef accesses = list(stage_.tables.size() + stage_.columns.size() + at(column));
  const LLVMValueRef access = to_.load(to_.int8, to_.address(to_.int8, accesses, group_));
  const LLVMBasicBlockRef anywhere = to_.block(), one = to_.block(), row = to_.block(),
                          end = to_.block();
  const LLVMValueRef choice = llvm.BuildSwitch(to_.builder, access, anywhere, 2);
  llvm.AddCase(choice, to_.integer(to_.int8, static_cast<long>(Access::broadcast)), one);
  llvm.AddCase(choice, to_.integer(to_.int8, static_cast<long>(Access::contiguous)), row);
  for (const auto& [block, what] : {std::pair(row, Access::contiguous),
                                    {one, Access::broadcast},
                                    {anywhere, Access::scattered}}) {
    to_.at(block);
    write(what);
    llvm.BuildBr(to_.builder, end);
  }
  to_.at(end);
}

template <class T>
typename LlvmEmission<T>::Values LlvmEmission<T>::read(Access access, LLVMValueRef base, int column,
                                                       unsigned size) {
  const LlvmLibrary& llvm = to_.llvm;
  Values out(size, llvm.GetUndef(to_.number));
  if (access == Access::scattered) {
    for (unsigned l = 0; l < to_.lanes; ++l) {
      const LLVMValueRef from = place(base, column, l, size);
      for (unsigned k = 0; k < size; ++k)
        out[k] =
            llvm.BuildInsertElement(to_.builder, out[k], to_.load(to_.one_double, offset(from, k)),
                                    to_.integer(to_.int32, l), "");
    }
    return out;
  }
  const LLVMValueRef from = place(base, column, 0, size);
  if (access == Access::broadcast) {
    for (unsigned k = 0; k < size; ++k) out[k] = to_.all(to_.load(to_.one_double, offset(from, k)));
    return out;
  }
  const LLVMTypeRef type = to_.vector(size * to_.lanes);
  const LLVMValueRef row = to_.load(type, from);
  for (unsigned k = 0; k < size; ++k) {
    std::vector<int> mask;
    for (unsigned l = 0; l < to_.lanes; ++l) mask.push_back(static_cast<int>(k + l * size));
    out[k] = to_.shuffled(row, llvm.GetUndef(type), mask);
  }
  return out;
}

template <class T>
void LlvmEmission<T>::read(Elements which, int array, int column, int width, T* d) {
  const LlvmLibrary& llvm = to_.llvm;
  const LLVMValueRef base = elements(which, array);
  const unsigned size = static_cast<unsigned>(width) * parts;
  Values x;
  if (!group_) {
    const LLVMValueRef from = place(base, column, 0, size);
    for (unsigned k = 0; k < size; ++k) x.push_back(to_.load(to_.one_double, offset(from, k)));
    return set(d, x);
  }
  if (column == stage_.held) {
    // Once for the run.
    const auto [known, added] = held_.try_emplace({which, array});
    if (added) {
      const LLVMBasicBlockRef here = llvm.GetInsertBlock(to_.builder);
      to_.at(begin_);
      const LLVMValueRef from = place(base, column, run_first_, 0, size);
      for (unsigned k = 0; k < size; ++k)
        known->second.push_back(to_.all(to_.load(to_.one_double, offset(from, k))));
      to_.at(here);
    }
    return set(d, known->second);
  }
  std::vector<Values> ways;
  std::vector<LLVMBasicBlockRef> blocks;
  by_access(column, [&](Access access) {
    ways.push_back(read(access, base, column, size));
    blocks.push_back(llvm.GetInsertBlock(to_.builder));
  });
  for (unsigned k = 0; k < size; ++k) {
    x.push_back(llvm.BuildPhi(to_.builder, to_.number, ""));
    for (std::size_t b = 0; b < blocks.size(); ++b)
      llvm.AddIncoming(x.back(), &ways[b][k], &blocks[b], 1);
  }
  set(d, x);
}

template <class T>
LLVMValueRef LlvmEmission<T>::sum_of_lanes(LLVMValueRef x) {
  // Halves are added until one number is left.
  for (unsigned count = to_.lanes; count > 2; count /= 2)
    x = to_.llvm.BuildFAdd(to_.builder, to_.half(x, 0, count), to_.half(x, 1, count), "");
  return to_.llvm.BuildFAdd(to_.builder, to_.lane(x, 0), to_.lane(x, 1), "");
}

template <class T>
void LlvmEmission<T>::add(LLVMTypeRef type, LLVMValueRef share, LLVMValueRef to) {
  to_.store(to_.llvm.BuildFAdd(to_.builder, to_.load(type, to), share, ""), to);
}

template <class T>
void LlvmEmission<T>::add(Access access, LLVMValueRef base, int column, const Values& x) {
  const LlvmLibrary& llvm = to_.llvm;
  const auto size = static_cast<unsigned>(x.size());
  if (access == Access::scattered) {
    // Of the last ones only some count.
    const LLVMBasicBlockRef end = to_.block();
    for (unsigned l = 0; l < to_.lanes; ++l) {
      const LLVMBasicBlockRef next = to_.block();
      const LLVMValueRef counts =
          llvm.BuildICmp(to_.builder, LLVMIntULT, to_.integer(to_.int32, l), valid_, "");
      llvm.BuildCondBr(to_.builder, counts, next, end);
      to_.at(next);
      const LLVMValueRef to = place(base, column, l, size);
      for (unsigned k = 0; k < size; ++k) add(to_.one_double, to_.lane(x[k], l), offset(to, k));
    }
    llvm.BuildBr(to_.builder, end);
    to_.at(end);
    return;
  }
  const LLVMValueRef to = place(base, column, 0, size);
  if (access == Access::broadcast) {
    for (unsigned k = 0; k < size; ++k) add(to_.one_double, sum_of_lanes(x[k]), offset(to, k));
    return;
  }
  // One after the other in memory: first all vectors in a row, then the lanes in turn.
  Values rows = x;
  unsigned width = to_.lanes;
  for (; rows.size() > 1; width *= 2) {
    Values pairs;
    if (rows.size() % 2 == 1) rows.push_back(llvm.GetUndef(to_.vector(width)));
    for (std::size_t k = 0; k < rows.size(); k += 2)
      pairs.push_back(to_.joined(rows[k], rows[k + 1], width));
    rows = std::move(pairs);
  }
  std::vector<int> mask;
  for (unsigned l = 0; l < size * to_.lanes; ++l)
    mask.push_back(static_cast<int>(l % size * to_.lanes + l / size));
  add(to_.vector(size * to_.lanes), to_.shuffled(rows[0], llvm.GetUndef(to_.vector(width)), mask),
      to);
}

template <class T>
void LlvmEmission<T>::add(Elements which, int array, int column, int width, const T* d, int) {
  const LLVMValueRef base = elements(which, array);
  const Values x = values(to_, d, width);
  if (group_ && column == stage_.held) {
    const auto s = at(stage_.held_sum(which, array));
    used_[s] = true;
    for (std::size_t k = 0; k < x.size(); ++k)
      add(to_.number, to_.llvm.BuildSelect(to_.builder, counts_, x[k], to_.constant(0), ""),
          sums_[s][k]);
    return;
  }
  if (group_) return by_access(column, [&](Access access) { add(access, base, column, x); });
  const auto size = static_cast<unsigned>(x.size());
  const LLVMValueRef to = place(base, column, 0, size);
  for (unsigned k = 0; k < size; ++k) add(to_.one_double, x[k], offset(to, k));
}

template class LlvmEmission<Symbol>;
template class LlvmEmission<DualOf<Symbol>>;

}  // namespace twosphere::custom
