// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/program.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/program/compilation.h"
#include "core/program/lanes.h"
#include "core/program/machine.h"
#include "core/program/tree.h"

namespace twosphere::custom {

namespace {

/// Whether the reverse sweep reads the values of a, b, c and d of an instruction.
struct Reads {
  bool a = false, b = false, c = false, d = false;
};
Reads backward_reads(const Instruction& in) {
  switch (in.code) {
    case Code::multiply:
    case Code::multiply_vector:
    case Code::dot:
    case Code::cross:
      return {.a = in.b_active, .b = in.a_active};
    case Code::divide:
      return {.a = in.b_active, .b = true};
    case Code::norm:
      return {.a = true, .d = true};
    case Code::reciprocal:
    case Code::square:
    case Code::whole_power:
    case Code::half_power:
    case Code::real_power:
    case Code::flat_power:
    case Code::acos_square:
    case Code::choose:
    case Code::choose_vector:
      return {.a = true};
    case Code::power:
      return {.a = true, .b = true, .d = true};
    case Code::atan2:
    case Code::minimum:
    case Code::maximum:
    case Code::angle:
    case Code::angle_square:
      return {.a = true, .b = true};
#define FUNCTION(name, reads, ...)                              \
  case Code::name:                                              \
    return {.a = DerivativeOf::reads == DerivativeOf::argument, \
            .d = DerivativeOf::reads == DerivativeOf::value};
#include "core/language/function_list.h"
    default:
      return {};
  }
}

/// Which of a, b and c are registers that the instruction reads.
Reads operands(Code code) {
  switch (code) {
    case Code::constant:
    case Code::table:
    case Code::gather:
    case Code::gather_vector:
    case Code::time:
      return {};
    case Code::linear:
    case Code::multiply:
    case Code::divide:
    case Code::power:
    case Code::atan2:
    case Code::minimum:
    case Code::maximum:
    case Code::linear_vector:
    case Code::multiply_vector:
    case Code::dot:
    case Code::cross:
    case Code::angle:
    case Code::angle_square:
      return {.a = true, .b = true};
    case Code::choose:
    case Code::choose_vector:
    case Code::pack:
      return {.a = true, .b = true, .c = true};
    default:
      return {.a = true};
  }
}

/// Marks the operands that are read.
void mark(std::vector<char>& read, const Instruction& in, const Reads& reads) {
  if (reads.a) read[at(in.a)] = 1;
  if (reads.b) read[at(in.b)] = 1;
  if (reads.c) read[at(in.c)] = 1;
}

/// Leaves out the code whose values nothing reads, such as a root of which only powers are wanted:
/// its derivative may be infinite where theirs are not.
void drop_unread(Stage& stage) {
  std::vector<char> read(at(stage.registers), 0);
  for (const Stage::Output& out : stage.outputs) read[at(out.from)] = 1;
  std::vector<Instruction> needed;
  for (auto in = stage.code.rbegin(); in != stage.code.rend(); ++in) {
    if (!read[at(in->d)]) continue;
    mark(read, *in, operands(in->code));
    needed.push_back(*in);
  }
  stage.code.assign(needed.rbegin(), needed.rend());
}

/// The part of a stage's code whose values the reverse sweep reads, in `again`.
void find_again(Stage& stage) {
  std::vector<char> read(at(stage.registers), 0);
  std::vector<Instruction> needed;
  for (auto in = stage.code.rbegin(); in != stage.code.rend(); ++in) {
    Reads reads;
    if (in->active) reads = backward_reads(*in);
    if (reads.d || read[at(in->d)]) {
      // Its value is needed, and with it those of its operands.
      const Reads all = operands(in->code);
      needed.push_back(*in);
      reads.a |= all.a;
      reads.b |= all.b;
      reads.c |= all.c;
    }
    mark(read, *in, reads);
    const bool gather = in->code == Code::gather || in->code == Code::gather_vector;
    if (in->active) (gather ? stage.gathers : stage.backward).push_back(*in);
  }
  stage.again.assign(needed.rbegin(), needed.rend());
}

/// How the elements of eights of tuples access.
void find_accesses(Stage& stage) {
  if (stage.count == 1) return;
  for (const std::vector<int>& column : stage.columns) {
    std::vector<Access>& accesses =
        stage.accesses.emplace_back(column.size() / at(group_size), Access::scattered);
    std::vector<Access>& ways = stage.ways.emplace_back();
    const bool fixed = std::equal(column.begin() + 1, column.end(), column.begin());
    const auto each_group = [&](int min_valid, int max_valid, const auto& access_of) {
      for (std::size_t group = 0; group < accesses.size(); ++group) {
        const int valid = static_cast<int>(stage.valid[group]);
        if (valid < min_valid || valid > max_valid) continue;
        const Access access = access_of(valid, column.data() + group * at(group_size));
        accesses[group] = access;
        if (std::find(ways.begin(), ways.end(), access) == ways.end()) ways.push_back(access);
      }
    };
    each_group(2, group_size, [fixed](int valid, const int* e) {
      const auto apart = [&](int by) {
        for (int k = 1; k < valid; ++k)
          if (e[k] != e[0] + k * by) return false;
        return true;
      };
      return fixed      ? Access::fixed
             : apart(0) ? Access::broadcast
             : apart(1) ? Access::contiguous
                        : Access::scattered;
    });
    // One element is found in every way.
    each_group(1, 1,
               [&](int, const int*) { return ways.empty() ? Access::contiguous : ways.front(); });
  }
}

/// What the elements of the held column contribute.
void find_held_sums(Stage& stage) {
  if (stage.held < 0) return;
  for (const Stage::Output& out : stage.outputs)
    if (out.column == stage.held)
      stage.held_sums.push_back({Elements::values, out.array, out.width});
  for (const Instruction& in : stage.gathers)
    if (in.b == stage.held)
      stage.held_sums.push_back({Elements::adjoints, in.a, in.code == Code::gather ? 1 : 3});
}

/// Calls `use` with a machine for each batch of W tuples.
template <class T, int W, class Memory, class Use>
void each_batch(const Stage& stage, const Memory& memory, double t, const Use& use) {
  Lanes<T, W> lanes{
      stage, memory.layout, memory.arrays, memory.bars, t, memory.registers + stage.registers * W};
  std::fill(lanes.sums, lanes.sums + stage.held_sums.size() * at(3 * group_size), T(0));
  Machine<T, W, Lanes<T, W>> machine(lanes, memory.registers, memory.adjoints);
  const auto count = at(stage.count);
  for (; lanes.first < count; lanes.first += W) use(machine);
}
/// One tuple or many.
template <class T, int W, class Memory, class Use>
void run(const Stage& stage, const Memory& memory, double t, const Use& use) {
  if (stage.count > 1)
    each_batch<T, W>(stage, memory, t, use);
  else
    each_batch<T, 1>(stage, memory, t, use);
}

// Sums and products are of programs with loops: their arrays lie component by component.

/// to[k] = Σ_{j<k} from[j]
template <class T>
void running_sum(const T* from, const Array& of, T* to, int to_step) {
  for (int m = 0; m < of.width; ++m, from += of.component_step, to += to_step)
    for (int k = 0; k < of.size; ++k) to[k + 1] = to[k] + from[k];
}
/// from'[j] += Σ_{k>j} to'[k]
template <class T>
void running_sum_back(const T* to, int to_step, T* from, const Array& of) {
  for (int m = 0; m < of.width; ++m, from += of.component_step, to += to_step) {
    T sum(0);
    for (int j = of.size - 1; j >= 0; --j) {
      sum += to[j + 1];
      from[j] += sum;
    }
  }
}

template <class T>
void products(const Stage& stage, const T* from, T* to) {
  for (std::size_t s = 0; s + 1 < stage.starts.size(); ++s) {
    T product(1);
    for (int k = stage.starts[s]; k < stage.starts[s + 1]; ++k) product = product * from[k];
    to[s] = product;
  }
}
/// from'[k] += to' Π_{j≠k} from[j], by the products of those before and after k, so that it is
/// exact where some are 0.
template <class T>
void products_back(const Stage& stage, const T* from, const T* to_bar, T* from_bar) {
  for (std::size_t s = 0; s + 1 < stage.starts.size(); ++s) {
    // First those before, then, from the end, those after: from' holds the former meanwhile.
    T before(1), after = to_bar[s];
    for (int k = stage.starts[s]; k < stage.starts[s + 1]; ++k) {
      from_bar[k] = before;
      before = before * from[k];
    }
    for (int k = stage.starts[s + 1] - 1; k >= stage.starts[s]; --k) {
      from_bar[k] = from_bar[k] * after;
      after = after * from[k];
    }
  }
}

/// Calls use(number of an array, the same number of a list) for all; in lists components lie
/// together.
template <class T, class X, class Use>
void each_number(const Array& layout, T* array, X* list, const Use& use) {
  const int step = layout.component_step;
  if (layout.width == 1)
    for (int e = 0; e < layout.size; ++e) use(array[e], list[e]);
  else
    for (int e = 0; e < layout.size; ++e, array += layout.element_step, list += 3) {
      use(array[0], list[0]);
      use(array[step], list[1]);
      use(array[2 * step], list[2]);
    }
}
constexpr auto set = [](auto& to, double x) { to = x; };

}  // namespace

/// The registers, arrays and adjoints of one evaluation.
template <class T>
struct Program::Memory {
  T* registers = nullptr;
  T* adjoints = nullptr;
  const Array* layout = nullptr;
  T** arrays = nullptr;
  T** bars = nullptr;
  const MachineCode* code = nullptr;
};

Program::Program(std::vector<Array> arrays, std::vector<Stage> stages, std::vector<double> base,
                 bool reads_w)
    : arrays_(std::move(arrays)),
      stages_(std::move(stages)),
      base_(std::move(base)),
      reads_w_(reads_w),
      pool_(std::make_unique<Pool<Workspace>>()) {
  // Without loops an element is as in Columns, so that states are read in place.
  loops_ = std::any_of(stages_.begin(), stages_.end(),
                       [](const Stage& stage) { return stage.count > 1; });
  for (std::size_t a = 0; a < arrays_.size(); ++a) {
    Array& array = arrays_[a];
    array.element_step = loops_ ? 1 : array.width;
    array.component_step = loops_ ? (array.size + 2 * group_size - 2) / group_size * group_size : 1;
    array.begin = elements_;
    if (reads_w_ || (a != w && a != v))
      elements_ += at(array.width * (loops_ ? array.component_step : array.size));
  }
  analyse();
  for (const Stage& stage : stages_)
    registers_ = std::max(registers_, at(stage.registers) * at(stage.count > 1 ? lanes : 1) +
                                          stage.held_sums.size() * at(3 * group_size));
}

void Program::analyse() {
  for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage) {
    if (stage->kind == Stage::Kind::running) {
      arrays_[at(stage->from)].needed |= arrays_[at(stage->to)].needed;
      continue;
    }
    if (stage->kind == Stage::Kind::product) {
      arrays_[at(stage->from)].needed = true;
      continue;
    }
    // From the last stage to the first: what a later one needs decides about the earlier ones.
    drop_unread(*stage);
    find_again(*stage);
    find_accesses(*stage);
    find_held_sums(*stage);
    // Of outputs that are needed all of the code is.
    for (const Instruction& in : is_needed(*stage) ? stage->code : stage->again)
      if (in.code == Code::gather || in.code == Code::gather_vector)
        arrays_[at(in.a)].needed = true;
  }
}

bool Program::is_needed(const Stage& stage) const {
  if (stage.kind != Stage::Kind::body) return arrays_[at(stage.to)].needed;
  return std::any_of(stage.outputs.begin(), stage.outputs.end(),
                     [this](const Stage::Output& out) { return arrays_[at(out.array)].needed; });
}

void Program::prepare(const Uses& uses) {
  if (empty()) return;
  compiled_ = uses;
  Structure structure;
  structure.uses = uses;
  structure.arrays = arrays_;
  data_.assign(stages_.size(), {});
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    const Stage& stage = stages_[s];
    Data& data = data_[s];
    for (const std::vector<double>& table : stage.tables) data.lists.push_back(table.data());
    for (const std::vector<int>& column : stage.columns) data.lists.push_back(column.data());
    for (const std::vector<Access>& access : stage.accesses) data.lists.push_back(access.data());
    data.lists.push_back(stage.valid.data());
    data.lists.push_back(stage.runs.data());
    Stage& bare = structure.stages.emplace_back();
    bare.kind = stage.kind;
    bare.count = stage.count;
    bare.registers = stage.registers;
    bare.guarded = stage.guarded;
    bare.tables.resize(stage.tables.size());
    bare.columns.resize(stage.columns.size());
    bare.ways = stage.ways;
    bare.held = stage.held;
    bare.held_sums = stage.held_sums;
    bare.runs.resize(stage.runs.size());
    // Lists are data as well, of which code knows only how many there are; a single tuple is
    // literal.
    if (stage.count == 1) bare.columns = stage.columns;
    // Constants that are not literal are data.
    data.constants.resize(2 * at(stage.registers));
    const auto take = [](double& k, double& to) {
      if (is_literal(k)) return;
      to = k;
      k = std::numeric_limits<double>::quiet_NaN();
    };
    const auto bared = [&](std::vector<Instruction> code) {
      for (Instruction& in : code) {
        take(in.k, data.constants[at(2 * in.d)]);
        take(in.k2, data.constants[at(2 * in.d + 1)]);
      }
      return code;
    };
    bare.code = bared(stage.code);
    bare.again = bared(stage.again);
    bare.backward = bared(stage.backward);
    bare.gathers = stage.gathers;
    for (Stage::Output out : stage.outputs) {
      data.constants.push_back(0);
      take(out.scale, data.constants.back());
      bare.outputs.push_back(out);
    }
    structure.again.push_back(is_needed(stage) ? 1 : 0);
  }
  compilation_ = compilation_of(std::move(structure));
}

bool Program::compile() const {
  if (empty()) return true;
  if (!compilation_) return false;
  return compiles_in_background() ? compilation_->make_later() : compilation_->make();
}

long Program::operations() const {
  long sum = 0;
  for (const Stage& stage : stages_)
    sum += static_cast<long>(stage.count) * static_cast<long>(stage.code.size());
  return sum;
}

template <class T, class Use>
void Program::with_memory(bool Uses::*wanted, const Use& use) const {
  const MachineCode* code = compilation_ && compiled_.*wanted ? compilation_->code() : nullptr;
  // Registers, their adjoints, arrays, their adjoints. Without loops the states are used in place.
  const std::size_t registers = code ? 0 : registers_;
  const std::size_t in_place = std::is_same_v<T, double> && !loops_ ? arrays_[v].begin : 0;
  const std::size_t elements = elements_ - in_place, size = 2 * (registers + elements);
  constexpr std::size_t few = 512, few_arrays = 16, cache_line = 64;
  const auto place = [&](T* memory, T** pointers) {
    Memory<T> m{memory,   memory + registers,        arrays_.data(),
                pointers, pointers + arrays_.size(), code};
    // What is summed up begins at 0.
    std::fill(m.adjoints, m.adjoints + registers + 2 * elements, T(0));
    T* const all = m.adjoints + registers;
    std::size_t a = in_place > 0 ? v : q;
    do {
      m.arrays[a] = all + (arrays_[a].begin - in_place);
      m.bars[a] = m.arrays[a] + elements;
    } while (++a < arrays_.size());
    use(m);
  };
  // Small programs take no lease: the stack is quicker than the pool.
  if (size <= few && arrays_.size() <= few_arrays) {
    alignas(cache_line) T memory[few];
    T* pointers[2 * few_arrays];
    place(memory, pointers);
    return;
  }
  const auto lease = pool_->take();
  std::vector<T>* store = nullptr;
  if constexpr (std::is_same_v<T, double>)
    store = &lease->numbers;
  else
    store = &lease->duals;
  store->resize(size + cache_line / sizeof(T));
  lease->pointers.resize(2 * arrays_.size());
  void* memory = store->data();
  std::size_t room = store->size() * sizeof(T);
  std::align(cache_line, size * sizeof(T), memory, room);
  place(static_cast<T*>(memory), reinterpret_cast<T**>(lease->pointers.data()));
}

template <class T>
void Program::call(StageFunction function, const Memory<T>& memory, std::size_t stage,
                   double t) const {
  const Data& data = data_[stage];
  function(memory.arrays, memory.bars, data.constants.data(), data.lists.data(), t);
}

template <class T>
void Program::forward(Memory<T>& memory, double t, bool all) const {
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    const Stage& stage = stages_[s];
    if (!all && !is_needed(stage)) continue;
    if (stage.kind == Stage::Kind::running) {
      running_sum(memory.arrays[stage.from], arrays_[at(stage.from)], memory.arrays[stage.to],
                  arrays_[at(stage.to)].component_step);
      continue;
    }
    if (stage.kind == Stage::Kind::product) {
      products(stage, memory.arrays[stage.from], memory.arrays[stage.to]);
      continue;
    }
    if (memory.code) {
      const StageCode& code = memory.code->stages[s];
      call(std::is_same_v<T, Dual> ? code.forward_along : code.forward, memory, s, t);
      continue;
    }
    run<T, lanes>(stage, memory, t, [&](auto& machine) {
      machine.forward(stage.code);
      machine.store(stage);
    });
  }
}

template <class T>
void Program::backward(Memory<T>& memory, double t) const {
  for (std::size_t s = stages_.size(); s-- > 0;) {
    const Stage& stage = stages_[s];
    if (stage.kind == Stage::Kind::running) {
      const Array& from = arrays_[at(stage.from)];
      if (from.active)
        running_sum_back(memory.bars[stage.to], arrays_[at(stage.to)].component_step,
                         memory.bars[stage.from], from);
      continue;
    }
    if (stage.kind == Stage::Kind::product) {
      if (arrays_[at(stage.from)].active)
        products_back(stage, memory.arrays[stage.from], memory.bars[stage.to],
                      memory.bars[stage.from]);
      continue;
    }
    if (stage.gathers.empty()) continue;
    if (memory.code) {
      const StageCode& code = memory.code->stages[s];
      call(std::is_same_v<T, Dual> ? code.backward_along : code.backward, memory, s, t);
      continue;
    }
    run<T, lanes>(stage, memory, t, [&](auto& machine) {
      machine.forward(stage.again);
      if (stage.guarded)
        machine.template backward<true>(stage);
      else
        machine.template backward<false>(stage);
    });
  }
}

void Program::take(Memory<double>& memory, Given array, const Columns& columns) const {
  if (loops_)
    each_number(arrays_[array], memory.arrays[array], columns.data(), set);
  else
    memory.arrays[array] = const_cast<double*>(columns.data());  // only read
}

void Program::evaluate(const Point& point, double* out) const {
  std::copy(base_.begin(), base_.end(), out);
  if (empty()) return;
  with_memory<double>(&Uses::evaluate, [&](Memory<double>& m) {
    take(m, q, *point.q);
    if (reads_w_) {
      take(m, w, *point.w);
      const Array& of = arrays_[v];
      for (int i = 0; i < of.size; ++i) {
        // q̇ = ω × q
        const Vec3 velocity = point.w->col(i).cross(point.q->col(i));
        for (int k = 0; k < 3; ++k)
          m.arrays[v][i * of.element_step + k * of.component_step] = velocity[k];
      }
    }
    forward(m, point.t, true);
    each_number(arrays_[output], m.arrays[output], out, [](double x, double& to) { to += x; });
  });
}

void Program::evaluate_along(const Point& point, const Columns& d, double* out) const {
  std::fill(out, out + base_.size(), 0.0);
  if (empty()) return;
  with_memory<Dual>(&Uses::evaluate_along, [&](Memory<Dual>& m) {
    each_number(arrays_[q], m.arrays[q], point.q->data(), set);
    each_number(arrays_[q], m.arrays[q], d.data(), [](Dual& to, double x) { to.d = x; });
    forward(m, point.t, true);
    each_number(arrays_[output], m.arrays[output], out,
                [](const Dual& x, double& to) { to = x.d; });
  });
}

void Program::pull_back(const Point& point, const double* seed, Columns& g) const {
  if (empty()) return;
  with_memory<double>(&Uses::pull_back, [&](Memory<double>& m) {
    take(m, q, *point.q);
    if (!loops_) m.bars[q] = g.data();
    each_number(arrays_[output], m.bars[output], seed, set);
    forward(m, point.t, false);
    backward(m, point.t);
    if (loops_) each_number(arrays_[q], m.bars[q], g.data(), [](double x, double& to) { to += x; });
  });
}

void Program::pull_back_along(const Point& point, const Columns& d, const double* seed,
                              Columns& h) const {
  if (empty()) return;
  with_memory<Dual>(&Uses::pull_back_along, [&](Memory<Dual>& m) {
    each_number(arrays_[q], m.arrays[q], point.q->data(), set);
    each_number(arrays_[q], m.arrays[q], d.data(), [](Dual& to, double x) { to.d = x; });
    each_number(arrays_[output], m.bars[output], seed, set);
    forward(m, point.t, false);
    backward(m, point.t);
    each_number(arrays_[q], m.bars[q], h.data(), [](const Dual& x, double& to) { to += x.d; });
  });
}

}  // namespace twosphere::custom
