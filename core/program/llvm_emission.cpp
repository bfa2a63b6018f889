// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/llvm_emission.h"

#include "core/program/tree.h"

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
                              LLVMModuleRef module_, const Structure& structure, std::size_t stage,
                              const std::string& name)
    : structure_(structure),
      stage_(structure.stages[stage]),
      to_(llvm, context, module_, function(llvm, context, module_, name),
          stage_.count > 1 ? static_cast<unsigned>(group_size) : 1),
      entry_(to_.block()),
      used_(stage_.held_sums.size(), false) {}

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
    const Place to = place(sum.which, sum.array, stage_.held, run_first_, 0);
    for (unsigned k = 0; k < size; ++k)
      add(sum_of_lanes(to_.load(to_.number, sums_[s][k])), address(to, k));
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
    valid_ = to_.load(to_.one_double, to_.address(to_.one_double, valid, group_));
    std::vector<LLVMValueRef> lanes(at(group_size));
    for (int l = 0; l < group_size; ++l) lanes[at(l)] = llvm.ConstReal(to_.one_double, l);
    counts_ = llvm.BuildFCmp(to_.builder, LLVMRealOLT, llvm.ConstVector(lanes.data(), group_size),
                             to_.all(valid_), "");
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
typename LlvmEmission<T>::Place LlvmEmission<T>::place(Elements which, int array, int column,
                                                       LLVMValueRef first, unsigned lane) {
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
  const Array& of = structure_.arrays[at(array)];
  const LLVMValueRef step = to_.integer(to_.int64, static_cast<long>(parts) * of.element_step);
  return {to_.address(to_.one_double, elements(which, array),
                      to_.llvm.BuildMul(to_.builder, element, step, "")),
          static_cast<long>(parts) * of.component_step};
}

template <class T>
void LlvmEmission<T>::by_access(int column, const std::function<void(Access)>& write) {
  // Code for the ways that occur; each eight chooses its own.
  const std::vector<Access>& ways = stage_.ways[at(column)];
  if (ways.size() == 1) return write(ways[0]);
  const LlvmLibrary& llvm = to_.llvm;
  const LLVMValueRef accesses = list(stage_.tables.size() + stage_.columns.size() + at(column));
  const LLVMValueRef access = to_.load(to_.int8, to_.address(to_.int8, accesses, group_));
  std::vector<LLVMBasicBlockRef> blocks;
  for (std::size_t w = 0; w < ways.size(); ++w) blocks.push_back(to_.block());
  const LLVMBasicBlockRef end = to_.block();
  const LLVMValueRef choice =
      llvm.BuildSwitch(to_.builder, access, blocks[0], static_cast<unsigned>(ways.size() - 1));
  for (std::size_t w = 0; w < ways.size(); ++w) {
    if (w > 0) llvm.AddCase(choice, to_.integer(to_.int8, static_cast<long>(ways[w])), blocks[w]);
    to_.at(blocks[w]);
    write(ways[w]);
    llvm.BuildBr(to_.builder, end);
  }
  to_.at(end);
}

template <class T>
typename LlvmEmission<T>::Values LlvmEmission<T>::read_row(const Place& first, unsigned size) {
  Values out;
  const LLVMTypeRef type = to_.vector(parts * to_.lanes);
  for (unsigned k = 0; k < size; k += parts) {
    const LLVMValueRef row = to_.load(type, address(first, k));
    for (unsigned p = 0; p < parts; ++p) {
      std::vector<int> mask;
      for (unsigned l = 0; l < to_.lanes; ++l) mask.push_back(static_cast<int>(p + l * parts));
      out.push_back(parts == 1 ? row : to_.shuffled(row, to_.llvm.GetUndef(type), mask));
    }
  }
  return out;
}

template <class T>
typename LlvmEmission<T>::Values LlvmEmission<T>::read_one(const Place& from, unsigned size) {
  Values out;
  for (unsigned k = 0; k < size; ++k)
    out.push_back(to_.all(to_.load(to_.one_double, address(from, k))));
  return out;
}

template <class T>
typename LlvmEmission<T>::Values LlvmEmission<T>::read(Access access, Elements which, int array,
                                                       int column, unsigned size) {
  if (access == Access::contiguous) return read_row(place(which, array, column, 0), size);
  if (access == Access::broadcast) return read_one(place(which, array, column, 0), size);
  const LlvmLibrary& llvm = to_.llvm;
  Values out(size, llvm.GetUndef(to_.number));
  for (unsigned l = 0; l < to_.lanes; ++l) {
    const Place from = place(which, array, column, l);
    for (unsigned k = 0; k < size; ++k)
      out[k] =
          llvm.BuildInsertElement(to_.builder, out[k], to_.load(to_.one_double, address(from, k)),
                                  to_.integer(to_.int32, l), "");
  }
  return out;
}

template <class T>
void LlvmEmission<T>::read(Elements which, int array, int column, int width, T* d) {
  const LlvmLibrary& llvm = to_.llvm;
  const unsigned size = static_cast<unsigned>(width) * parts;
  Values x;
  if (!group_) {
    const Place from = place(which, array, column, 0);
    for (unsigned k = 0; k < size; ++k) x.push_back(to_.load(to_.one_double, address(from, k)));
    return set(d, x);
  }
  const bool held = column == stage_.held;
  if (held || stage_.ways[at(column)][0] == Access::fixed) {
    // Once for the run, or for all.
    const auto [known, added] = loaded_.try_emplace({which, array, column});
    if (added) {
      // LLVM would not move the load out of the loop: it cannot know that stores elsewhere leave
      // it.
      const LLVMBasicBlockRef here = llvm.GetInsertBlock(to_.builder);
      to_.at(held ? begin_ : entry_);
      const LLVMValueRef first = held ? run_first_ : to_.integer(to_.int64, 0);
      known->second = read_one(place(which, array, column, first, 0), size);
      to_.at(here);
    }
    return set(d, known->second);
  }
  std::vector<Values> ways;
  std::vector<LLVMBasicBlockRef> blocks;
  by_access(column, [&](Access access) {
    ways.push_back(read(access, which, array, column, size));
    blocks.push_back(llvm.GetInsertBlock(to_.builder));
  });
  if (ways.size() == 1) return set(d, ways[0]);
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
void LlvmEmission<T>::add(LLVMValueRef share, LLVMValueRef to) {
  to_.store(to_.llvm.BuildFAdd(to_.builder, to_.load(to_.one_double, to), share, ""), to);
}

template <class T>
void LlvmEmission<T>::add(Access access, Elements which, int array, int column, const Values& x) {
  const LlvmLibrary& llvm = to_.llvm;
  const auto size = static_cast<unsigned>(x.size());
  if (access == Access::scattered) {
    // Of the last ones only some count.
    const LLVMBasicBlockRef end = to_.block();
    for (unsigned l = 0; l < to_.lanes; ++l) {
      const LLVMBasicBlockRef next = to_.block();
      const LLVMValueRef counts =
          llvm.BuildFCmp(to_.builder, LLVMRealOLT, llvm.ConstReal(to_.one_double, l), valid_, "");
      llvm.BuildCondBr(to_.builder, counts, next, end);
      to_.at(next);
      const Place to = place(which, array, column, l);
      for (unsigned k = 0; k < size; ++k) add(to_.lane(x[k], l), address(to, k));
    }
    llvm.BuildBr(to_.builder, end);
    to_.at(end);
    return;
  }
  const Place to = place(which, array, column, 0);
  if (access == Access::broadcast || access == Access::fixed) {
    for (unsigned k = 0; k < size; ++k)
      add(sum_of_lanes(counted(x[k], to_.constant(0))), address(to, k));
    return;
  }
  const Values before = read_row(to, size);
  for (unsigned k = 0; k < size; k += parts) {
    Values sums;
    for (unsigned p = 0; p < parts; ++p)
      sums.push_back(
          counted(llvm.BuildFAdd(to_.builder, before[k + p], x[k + p], ""), before[k + p]));
    LLVMValueRef row = sums[0];
    if (parts > 1) {
      std::vector<int> mask;
      for (unsigned l = 0; l < parts * to_.lanes; ++l)
        mask.push_back(static_cast<int>(l % parts * to_.lanes + l / parts));
      row = to_.shuffled(sums[0], sums[1], mask);
    }
    to_.store(row, address(to, k));
  }
}

template <class T>
void LlvmEmission<T>::add(Elements which, int array, int column, int width, const T* d, int) {
  const Values x = values(to_, d, width);
  if (group_ && column == stage_.held) {
    const auto s = at(stage_.held_sum(which, array));
    used_[s] = true;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const LLVMValueRef before = to_.load(to_.number, sums_[s][k]);
      to_.store(counted(to_.llvm.BuildFAdd(to_.builder, before, x[k], ""), before), sums_[s][k]);
    }
    return;
  }
  if (group_)
    return by_access(column, [&](Access access) { add(access, which, array, column, x); });
  const Place to = place(which, array, column, 0);
  for (unsigned k = 0; k < x.size(); ++k) add(x[k], address(to, k));
}

template class LlvmEmission<Symbol>;
template class LlvmEmission<DualOf<Symbol>>;

}  // namespace twosphere::custom
