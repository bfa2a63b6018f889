// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace twosphere::custom {

namespace {

/// The straight code that is still shorter than loops [instructions].
constexpr std::size_t longest_straight = 160;

[[noreturn]] void fail_numbers(const Source& source, int column) {
  source.fail(column,
              fmt::format("needs memory for more than {} numbers, the most that are allowed",
                          Limits::numbers));
}

}  // namespace

Lowering::Lowering(Constants& constants, int outputs, int width, Velocities velocities,
                   bool straight)
    : constants_(constants),
      bindings_(constants.bindings()),
      indices_(at(bindings_.variables), 0),
      velocities_(velocities),
      straight_(straight),
      width_(width) {
  const int n = constants.bodies();
  arrays_ = {
      {3, velocities == Velocities::beside ? 2 * n : n, true}, {3, n}, {3, n}, {width, outputs}};
  base_.assign(at(outputs * width), 0);
}

Program Lowering::build(std::span<const OutputTerm> terms) {
  StageWriter root(straight_ ? longest_straight : std::numeric_limits<std::size_t>::max());
  for (const OutputTerm& term : terms) add(term, root);
  if (!root.stage.outputs.empty()) finish(std::move(root), 1);
  return Program(std::move(arrays_), std::move(stages_), std::move(base_), reads_w_);
}

void Lowering::add(const OutputTerm& term, StageWriter& root) {
  if (!term.over) {
    Tuples once;
    const int to = term.output(constants_, indices_);
    write_output(root, lower(*term.value, root, once), {to});
    return;
  }
  std::vector<int> to;
  const Tuples tuples = all(*term.over, to, term.output);
  if (straight_) {
    for (int k = 0; k < tuples.count; ++k) {
      const Tuples one = single(tuples, k);
      write_output(root, lower(*term.value, root, one), {to[at(k)]});
    }
    return;
  }
  if (tuples.count == 0) return;
  StageWriter loop;
  write_output(loop, lower(*term.value, loop, tuples), to);
  finish(std::move(loop), tuples.count);
}

Tuples Lowering::all(const Range& range, std::vector<int>& outputs,
                     const std::function<int(Constants&, Indices&)>& output) {
  Tuples tuples;
  tuples.count = 0;
  for (const int variable : range.variables)
    tuples.values.emplace_back(variable, std::vector<int>());
  constants_.enumerate(range, indices_, [&] {
    for (auto& [variable, column] : tuples.values) column.push_back(indices_[at(variable)]);
    ++tuples.count;
    check_tuples(range, tuples);
    outputs.push_back(output(constants_, indices_));
  });
  return tuples;
}

Tuples Lowering::single(const Tuples& tuples, int k) {
  Tuples one;
  for (const auto& [variable, column] : tuples.values)
    one.values.emplace_back(variable, std::vector<int>{column[at(k)]});
  return one;
}

void Lowering::write_output(StageWriter& to, const Value& value, const std::vector<int>& elements) {
  const auto w = at(width_);
  if (value.uniform) {
    for (const int e : elements)
      for (std::size_t m = 0; m < w; ++m)
        base_[at(e) * w + m] += (*value.uniform)[static_cast<Eigen::Index>(m)];
    return;
  }
  store(to, value, Program::output, elements);
}

void Lowering::store(StageWriter& to, const Value& value, int array,
                     const std::vector<int>& elements) {
  to.stage.outputs.push_back(
      {array, to.column(elements), value.reg, value.active, value.scale, arrays_[at(array)].width});
  arrays_[at(array)].active |= value.active;
}

namespace {

/// Tuples in the order of their elements in a column, where they make runs of one element.
struct Runs {
  std::vector<int> tuples, starts;

  explicit Runs(const std::vector<int>& column) {
    // How many come before each element.
    std::vector<int> before(at(*std::max_element(column.begin(), column.end())) + 2, 0);
    for (const int e : column) ++before[at(e) + 1];
    for (std::size_t e = 1; e < before.size(); ++e) {
      if (before[e] > 0) starts.push_back(before[e - 1]);
      before[e] += before[e - 1];
    }
    starts.push_back(static_cast<int>(column.size()));
    tuples.resize(column.size());
    for (std::size_t k = 0; k < column.size(); ++k)
      tuples[at(before[at(column[k])]++)] = static_cast<int>(k);
  }
  int count() const { return static_cast<int>(starts.size()) - 1; }
  /// How often an eight of a run begins with an element that begins an eight of its array.
  int aligned(const std::vector<std::vector<int>>& columns) const {
    int sum = 0;
    for (std::size_t r = 0; r + 1 < starts.size(); ++r)
      for (int k = starts[r]; k < starts[r + 1]; k += group_size)
        for (const std::vector<int>& column : columns)
          sum += column[at(tuples[at(k)])] % group_size == 0 ? 1 : 0;
    return sum;
  }
};

/// Lets the column with the fewest runs of one element be held, if they are long; of several such
/// columns the one by which most eights are aligned: j of a sum over i < j, because i begins at 0.
/// Every run gets eights of its own, the last filled up with its last tuple.
void hold_column(Stage& stage, int count) {
  constexpr int shortest = group_size / 2;  // mean length of a run
  std::optional<Runs> best;
  int max_aligned = 0;
  for (std::size_t c = 0; c < stage.columns.size(); ++c) {
    Runs runs(stage.columns[c]);
    if (runs.count() < 2 || runs.count() * shortest > count) continue;
    if (best && runs.count() > best->count()) continue;
    const int aligned = runs.aligned(stage.columns);
    if (best && runs.count() == best->count() && aligned <= max_aligned) continue;
    best = std::move(runs);
    max_aligned = aligned;
    stage.held = static_cast<int>(c);
  }
  if (!best) return;
  std::vector<int> order;  // the tuples with those that fill up
  for (int r = 0; r < best->count(); ++r) {
    const int first = best->starts[at(r)], last = best->starts[at(r) + 1];
    stage.runs.push_back(static_cast<int>(stage.valid.size()));
    for (int k = first; k < last; ++k) order.push_back(best->tuples[at(k)]);
    for (int k = first; k < last; k += group_size)
      stage.valid.push_back(std::min(group_size, last - k));
    order.resize(stage.valid.size() * at(group_size), order.back());
  }
  stage.runs.push_back(static_cast<int>(stage.valid.size()));
  stage.count = static_cast<int>(order.size());
  const auto reorder = [&](auto& list) {
    auto from = std::move(list);
    list.clear();
    for (const int k : order) list.push_back(from[at(k)]);
  };
  for (std::vector<int>& list : stage.columns) reorder(list);
  for (std::vector<double>& list : stage.tables) reorder(list);
}

}  // namespace

void Lowering::finish(StageWriter writing, int count) {
  Stage& stage = writing.stage;
  stage.count = count;
  // To hold a column pays where there is more than one eight.
  if (count >= 2 * group_size) hold_column(stage, count);
  // Whole batches: the last tuple again.
  const std::size_t lanes = count > 1 ? Program::lanes : 1;
  const std::size_t padded = (at(stage.count) + lanes - 1) / lanes * lanes;
  for (int k = stage.held < 0 ? 0 : stage.count; count > 1 && at(k) < padded; k += group_size)
    stage.valid.push_back(std::clamp(stage.count - k, 0, group_size));
  const auto pad = [&](auto& list) {
    if (!list.empty()) list.resize(padded, list.back());
    numbers_ += list.size();
  };
  for (std::vector<int>& list : stage.columns) pad(list);
  for (std::vector<double>& list : stage.tables) pad(list);
  const long operations = static_cast<long>(count) * static_cast<long>(stage.code.size());
  operations_ += operations;
  Constants::count(operations);
  check_limits();
  stages_.push_back(std::move(stage));
}

void Lowering::check_straight(int tuples) const {
  if (straight_ && at(tuples) > longest_straight) throw StageWriter::TooLong{};
}

void Lowering::check_tuples(const Range& range, const Tuples& tuples) const {
  check_straight(tuples.count);
  // An index takes half the memory of a number.
  if (numbers_ + at(tuples.count) * tuples.values.size() / 2 > Limits::numbers)
    fail_numbers(*range.source, range.column);
}

void Lowering::check_limits() const {
  if (!here_) return;
  if (operations_ > Limits::operations)
    here_->source->fail(here_->column, fmt::format("needs {} operations, at most {} are allowed",
                                                   operations_, Limits::operations));
  if (numbers_ > Limits::numbers) fail_numbers(*here_->source, here_->column);
}

int Lowering::new_array(int width, int size) {
  arrays_.push_back({width, size});
  numbers_ += at(width * size);
  check_limits();
  return static_cast<int>(arrays_.size()) - 1;
}

int Lowering::named_array(int which) {
  if (const auto known = named_arrays_.find(which); known != named_arrays_.end())
    return known->second;
  const Named& named = bindings_.named[at(which)];
  const int n = named.variable < 0 ? 1 : constants_.bodies();
  Tuples tuples;
  tuples.count = n;
  std::vector<int> elements(at(n));
  for (int i = 0; i < n; ++i) elements[at(i)] = i;
  if (named.variable >= 0) tuples.values.emplace_back(named.variable, elements);
  StageWriter loop;
  const bool vector = named.body->is_vector;
  const Value value = loop.plain(lower(*named.body, loop, tuples), vector);
  const int array = new_array(vector ? 3 : 1, n + 1);
  growths_[array] = loop.growth(value);
  store(loop, value, array, elements);
  finish(std::move(loop), n);
  named_arrays_.emplace(which, array);
  return array;
}

Program build(Constants& constants, std::span<const OutputTerm> terms, int outputs, int width,
              Velocities velocities) {
  try {
    // Straight code folds the most constants. Whether it is short enough shows when it is written.
    return Lowering(constants, outputs, width, velocities, true).build(terms);
  } catch (const StageWriter::TooLong&) {
    return Lowering(constants, outputs, width, velocities, false).build(terms);
  }
}

}  // namespace twosphere::custom
