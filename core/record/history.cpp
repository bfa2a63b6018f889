// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/history.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "core/record/view_limit.h"
#include "core/run/modified_energy_error.h"

namespace twosphere {

namespace {

constexpr double same_time = 1e-9;     // relative
constexpr std::size_t min_values = 2;  // of a view that is cut

/// States per block: memory grows in blocks of about 100 kB, without copying.
std::size_t block_states(int bodies) {
  return std::max<std::size_t>(1, 100'000 / StateStride::bytes_per_sample(bodies, 1));
}

/// Appends missing values (NaN) up to `count`.
void fill(Series& values, std::size_t count) {
  while (values.size() < count) values.append(StepCost::none);
}

}  // namespace

void History::give_cloud(std::span<const CloudRow> rows) {
  if (rows.empty()) return;
  continue_thinning(std::numeric_limits<std::size_t>::max());
  constexpr auto first = static_cast<std::size_t>(StepQuantity::cloud_distance),
                 last = static_cast<std::size_t>(StepQuantity::cloud_members);
  std::array<Series, last - first + 1> columns;
  auto row = rows.begin();
  for (std::size_t state = 0; state < state_count(); ++state) {
    const auto step = static_cast<std::int64_t>(steps_[state * stride_.stride()]);
    row = std::find_if(row, rows.end(), [&](const CloudRow& one) { return one.step >= step; });
    StepCost cost;
    if (row != rows.end() && row->step == step) add_cloud(cost, row->distances);
    for (std::size_t q = first; q <= last; ++q) {
      const bool stays = step > rows.back().step && state < costs_[q].size();
      columns[q - first].append(stays ? costs_[q][state] : cost.values[q]);
    }
  }
  std::move(columns.begin(), columns.end(), costs_.begin() + first);
}

void History::clear() {
  first_ = 0;
  for (const Quantity q : Table::order) table_[q].clear();
  steps_.clear();
  turns_.clear();
  falls_ = false;
  thinned_.clear();
  stride_.restart();
  state_times_.clear();
  blocks_.clear();
  tail_.clear();
  periods_.clear();
  derived_.clear();
  for (Series& values : costs_) values.clear();
  for (Series& values : momentum_errors_) values.clear();
}

void History::Table::bind(Quantity q, Series& column) const {
  const Series &t = (*this)[Quantity::kinetic_energy], &e = (*this)[Quantity::total_energy];
  if (q == Quantity::potential_energy) column.follow(e, t, false);
  if (q == Quantity::energy_error) column.follow(e, (*this)[Quantity::work], true);
}

void History::append(std::span<const std::int64_t> steps, const Sample* first, std::size_t pitch) {
  std::size_t index = size();
  add(steps, first, pitch);
  while (index < size()) (void)keeps_state(index++);
}

void History::append(const SampleRows& rows, std::size_t lane) {
  std::size_t index = size(), k = 0;
  add(rows.steps, rows.samples.data() + lane, rows.lanes);
  for (std::size_t row = 0; row < rows.size(); ++row, ++index) {
    const bool keeps = keeps_state(index);
    if (k == rows.state_rows.size() || rows.state_rows[k] != row) continue;
    if (keeps) {
      assert(state_count() == index / stride_.stride());
      add_state(rows.state(k, lane), rows, lane, rows.cost(k, lane));
    }
    ++k;
  }
}

void History::add(std::span<const std::int64_t> steps, const Sample* first, std::size_t pitch) {
  if (size() == first_ && !steps.empty())
    for (int axis = 0; axis < 3; ++axis)
      first_momentum_[static_cast<std::size_t>(axis)] = (*first)[angular_momentum(axis)];
  while (!steps.empty()) {
    // Append up to the next full block of the predicted columns: it is packed while the other
    // columns have the same length.
    const std::size_t count = std::min({steps.size(), table_[Quantity::potential_energy].room(),
                                        table_[Quantity::energy_error].room()});
    for (const Quantity q : Table::order)
      table_[q].append(&first->values[static_cast<std::size_t>(q)], count,
                       pitch * (sizeof(Sample) / sizeof(double)));
    for (std::size_t i = 0; i < count; ++i) steps_.append(static_cast<double>(steps[i]));
    find_turns(size() - count);
    steps = steps.subspan(count);
    first += pitch * count;
  }
}

bool History::keeps_state(std::size_t index) {
  const std::size_t previous = stride_.stride();
  const bool keeps = stride_.take(index);
  thin_states(stride_.stride() / previous);
  return keeps;
}

void History::add_state(std::span<const double> state, const SampleRows& rows, std::size_t lane,
                        const StepCost& cost) {
  bodies_ = rows.system->size();
  moving_ = moving(*rows.system);
  append_numbers(state.subspan(1));
  const LaneMethod method = rows.method(lane);
  if (periods_.empty() || periods_.back().system != rows.system || periods_.back().method != method)
    periods_.push_back({state_count(), rows.system, rows.settings, method});
  state_times_.append(state[0]);
  for (std::size_t i = 0; i < step_quantity_count; ++i) {
    Series& values = costs_[i];
    if (values.empty() && std::isnan(cost.values[i])) continue;
    fill(values, state_count() - 1);
    values.append(cost.values[i]);
  }
}

void History::thin(std::size_t factor) {
  thin_later(factor);
  continue_thinning(std::numeric_limits<std::size_t>::max());
}

void History::continue_thinning(std::size_t values) {
  const auto thin_column = [&](Series& column) {
    if (!column.skips()) return;
    std::array<double, CompressedBlock::count> piece;
    while (values > 0 && thinned_.size() < column.size()) {
      const std::size_t first = thinned_.size(),
                        count = std::min({values, column.size() - first, piece.size()});
      column.read(first, first + count, piece.data());
      thinned_.append(piece.data(), count);
      values -= count;
    }
    if (thinned_.size() == column.size()) column = std::exchange(thinned_, {});
  };
  // Columns are thinned in this order, one after another.
  for (const Quantity q : Table::order) {
    if (table_[q].skips()) table_.bind(q, thinned_);
    if (thin_column(table_[q]); table_[q].skips()) return;
  }
  for (Series& errors : momentum_errors_)
    if (thin_column(errors); errors.skips()) return;
  thin_column(steps_);
}

void History::thin_later(std::size_t factor) {
  if (factor == 1) return;
  continue_thinning(std::numeric_limits<std::size_t>::max());
  for (const Quantity q : Table::order) table_[q].skip(factor);
  for (Series& values : momentum_errors_) values.skip(factor);
  steps_.skip(factor);
  // State k belongs to sample k s; it is kept if k s is a multiple of the factor.
  const std::size_t common = std::gcd(stride_.stride(), factor);
  stride_.thin(factor);
  first_ = (first_ + factor - 1) / factor;
  thin_states(factor / common);
  if (!std::exchange(turns_, {}).empty()) find_turns(0);
}

void History::find_turns(std::size_t first) {
  const Series& times = table_[Quantity::time];
  if (first == 0) falls_ = false;
  double before = times[first == 0 ? 0 : first - 1];
  std::array<double, CompressedBlock::count> piece;
  while (first < size()) {
    const std::size_t count = std::min(size() - first, piece.size());
    times.read(first, first + count, piece.data());
    for (std::size_t i = 0; i < count; ++i) {
      const double t = std::exchange(before, piece[i]), next = piece[i];
      if (falls_ ? next <= t : next >= t) continue;
      falls_ = !falls_;
      // Else the direction is the same from the start.
      if (first + i > 1) turns_.push_back(first + i);
    }
    first += count;
  }
}

std::vector<IndexRange> History::legs() const {
  std::vector<IndexRange> all;
  for (const std::size_t turn : turns_) all.push_back({all.empty() ? 0 : all.back().last, turn});
  all.push_back({all.empty() ? 0 : all.back().last, size()});
  return all;
}

std::vector<IndexRange> History::between(double low, double high) const {
  const Series& times = table_[Quantity::time];
  const double above = std::nextafter(high, std::numeric_limits<double>::infinity());
  std::vector<IndexRange> found;
  for (const IndexRange leg : legs()) {
    const auto [first, last] = std::minmax({times.boundary(low, leg), times.boundary(above, leg)});
    if (first < last) found.push_back({first, last});
  }
  return found;
}

std::size_t History::nearest(double t) const {
  const Series& times = table_[Quantity::time];
  std::size_t best = 0;
  for (const IndexRange leg : legs())
    for (std::size_t i = times.boundary(t, leg), k = i > leg.first ? i - 1 : i;
         k <= std::min(i, leg.last - 1); ++k)
      if (std::abs(times[k] - t) <= std::abs(times[best] - t)) best = k;
  return best;
}

void History::append_numbers(std::span<const double> numbers) {
  const std::size_t full = numbers.size() * block_states(moving_);
  if (tail_.empty()) tail_.reserve(full);
  tail_.insert(tail_.end(), numbers.begin(), numbers.end());
  if (tail_.size() == full)
    blocks_.push_back(std::make_shared<const std::vector<double>>(std::exchange(tail_, {})));
}

void History::thin_states(std::size_t factor) {
  if (factor == 1 || state_count() == 0) return;
  const std::size_t numbers = 6 * static_cast<std::size_t>(moving_),
                    per_block = block_states(moving_);
  // Rebuild the blocks from every factor-th state.
  const std::size_t count = (state_count() + factor - 1) / factor;
  auto blocks = std::exchange(blocks_, {});
  const std::vector<double> rest = std::exchange(tail_, {});
  std::size_t given = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t from = k * factor, block = from / per_block;
    // Free each block once it has been read.
    for (; given < std::min(block, blocks.size()); ++given) blocks[given].reset();
    if (per_block == 1) {
      blocks_.push_back(std::move(blocks[block]));
      continue;
    }
    const std::vector<double>& states = block < blocks.size() ? *blocks[block] : rest;
    append_numbers({states.data() + numbers * (from % per_block), numbers});
  }
  // Values that are stored with the states.
  state_times_.thin(factor);
  for (auto& [signal, values] : derived_) values.thin(factor);
  for (Series& values : costs_) values.thin(factor);
  // Of several periods that begin at the same state, the last one is valid.
  std::vector<Period> previous = std::exchange(periods_, {});
  for (Period& period : previous) {
    period.first = (period.first + factor - 1) / factor;
    if (!periods_.empty() && periods_.back().first == period.first) periods_.pop_back();
    if (period.first < count) periods_.push_back(std::move(period));
  }
}

void History::cut(std::int64_t step) {
  continue_thinning(std::numeric_limits<std::size_t>::max());
  const std::size_t count = steps_.lower_bound(static_cast<double>(step) + 1);
  if (count == size()) return;
  const std::size_t stride = stride_.stride();
  cut_states(std::min(state_count(), (count + stride - 1) / stride));
  first_ = std::min(first_, count);
  for (const Quantity q : Table::order) table_[q].cut(count);
  for (Series& errors : momentum_errors_) errors.cut(std::min(count, errors.size()));
  steps_.cut(count);
  while (!turns_.empty() && turns_.back() >= count) {
    turns_.pop_back();
    falls_ = !falls_;
  }
  falls_ &= count > 1;
}

void History::cut_states(std::size_t count) {
  if (count == state_count()) return;
  const std::size_t numbers = 6 * static_cast<std::size_t>(moving_),
                    per_block = block_states(moving_), whole = count / per_block;
  if (whole < blocks_.size()) {
    tail_ = *blocks_[whole];
    blocks_.resize(whole);
  }
  tail_.resize(numbers * (count - whole * per_block));
  state_times_.cut(count);
  for (auto& [signal, values] : derived_) values.cut(std::min(count, values.size()));
  for (Series& values : costs_) values.cut(std::min(count, values.size()));
  std::erase_if(periods_, [count](const Period& period) { return period.first >= count; });
}

std::size_t History::bytes() const {
  std::size_t sum = steps_.bytes() + thinned_.bytes() + state_times_.bytes();
  for (const Quantity q : Table::order) sum += table_[q].bytes();
  for (const Series& values : momentum_errors_) sum += values.bytes();
  for (const Series& values : costs_) sum += values.bytes();
  for (const auto& [signal, values] : derived_) sum += values.bytes();
  return sum + state_count() * 48 * static_cast<std::size_t>(moving_);
}

Sample History::sample(std::size_t index) const {
  assert(index < size());
  Sample s;
  for (const Quantity q : Table::order) s[q] = table_[q][index];
  return s;
}

void History::read(std::size_t first, std::size_t last, Sample* out) const {
  assert(first <= last && last <= size());
  std::array<double, CompressedBlock::count> piece;
  while (first < last) {
    const std::size_t count = std::min(last - first, piece.size());
    for (const Quantity q : Table::order) {
      table_[q].read(first, first + count, piece.data());
      for (std::size_t i = 0; i < count; ++i) out[i][q] = piece[i];
    }
    first += count;
    out += count;
  }
}

std::vector<History> History::views(const std::vector<History>& lanes) {
  std::vector<History> copies = lanes;
  for (std::size_t i = 0; i < lanes.size(); ++i)
    for (std::size_t k = 0; k < lanes.size(); ++k)
      if (lanes[i].reference_ == &lanes[k]) copies[i].reference_ = &copies[k];
  return copies;
}

void History::compare_with(const History* reference) {
  if (reference_ == reference) return;
  reference_ = reference;
  is_reference_ = reference == this;
  derived_.erase(Signal::distance());
}

std::size_t History::first(const Signal& signal) const {
  const bool of_two = signal.kind() == Signal::Kind::distance && reference_;
  return of_two ? std::max(first_, reference_->first_) : first_;
}

/// Computed from the states at equal times; NaN where the reference has none. Only new states are
/// computed.
SignalView History::distance() const {
  static const Series none;
  Series& values = derived_[Signal::distance()];
  if (!reference_ || reference_->state_count() == 0) return {&none, &none, 1};
  const auto directions = [](const History& lane, std::size_t index) {
    return Eigen::Map<const Columns>(lane.numbers(index), 3, lane.bodies_);
  };
  State here, there;  // where a base flies
  const auto apart = [&](std::size_t k, std::size_t other) {
    if (moving_ == bodies_)
      return twosphere::distance(directions(*this, k), directions(*reference_, other));
    copy_state(k, here);
    reference_->copy_state(other, there);
    return twosphere::distance(*period_of(k)->system, here, there);
  };
  bool cut = false;
  while (values.size() < state_count()) {
    const std::size_t k = values.size();
    cut = k >= min_values && ViewLimit::reached();
    if (cut) break;
    const auto other = reference_->state_like(*this, k);
    if (!other && reference_->steps_.back() < steps_[k * stride_.stride()]) break;
    const bool both = other && bodies_ == reference_->bodies_ && moving_ == reference_->moving_ &&
                      !is_missing(k) && !reference_->is_missing(*other);
    values.append(both ? apart(k, *other) : StepCost::none);
  }
  return {&state_times_, &values, stride_.stride(), cut};
}

/// The stored state at the time of a state of another lane, at the same step if possible.
std::optional<std::size_t> History::state_like(const History& other, std::size_t state) const {
  const double t = other.state_times_[state], step = other.steps_[state * other.stride_.stride()];
  const auto there = [&](std::size_t sample) -> std::optional<std::size_t> {
    const std::size_t stride = stride_.stride();
    if (sample >= size() || sample % stride != 0 || sample / stride >= state_count()) return {};
    const double off = std::abs(state_times_[sample / stride] - t);
    if (off > same_time * std::max(1.0, std::abs(t))) return {};
    return sample / stride;
  };
  std::size_t sample = state * stride_.stride();  // if both were sampled at the same steps
  if (sample >= size() || steps_[sample] != step) sample = steps_.lower_bound(step);
  if (sample < size() && steps_[sample] == step)
    if (const auto found = there(sample)) return found;
  return there(nearest(t));
}

SignalView History::momentum_error(int axis) const {
  const Series& component = column(angular_momentum(axis));
  Series& values = momentum_errors_[static_cast<std::size_t>(axis)];
  while (values.size() < size())
    values.append(component[values.size()] - first_momentum_[static_cast<std::size_t>(axis)]);
  return {&column(Quantity::time), &values, 1};
}

std::vector<History::Period>::const_iterator History::period_of(std::size_t state) const {
  return std::prev(std::upper_bound(periods_.begin(), periods_.end(), state,
                                    [](std::size_t k, const Period& at) { return k < at.first; }));
}

/// Computed from the energy errors of the states, with the method of each period.
SignalView History::modified_energy_error() const {
  Series& values = derived_[Signal::modified_energy_error()];
  const std::size_t known = values.size();
  const auto view = [&] {
    return SignalView{&state_times_, &values, stride_.stride(), values.size() < state_count()};
  };
  const auto ends = [&] {
    const std::size_t k = values.size();
    return k == state_count() || (k >= min_values && ViewLimit::reached());
  };
  if (ends()) return view();
  const auto energy_at = [&](std::size_t state) {
    const std::size_t row = state * stride_.stride();
    return EnergyRow{column(Quantity::energy_error)[row], column(Quantity::work)[row]};
  };
  ModifiedEnergyError errors;
  if (known > 0 && !std::isnan(values[known - 1])) {
    const Period& last = *period_of(known - 1);
    copy_state(known - 1, scratch_);
    errors.resume(last.system, *last.method.info, last.method.step, scratch_, energy_at(known - 1),
                  values[known - 1]);
  }
  auto period = period_of(known);
  do {
    const std::size_t k = values.size();
    if (std::next(period) != periods_.end() && std::next(period)->first == k) ++period;
    if (is_missing(k) || !period->method.info) {
      values.append(StepCost::none);
      continue;
    }
    copy_state(k, scratch_);
    values.append(errors.next(period->system, *period->method.info, period->method.step, scratch_,
                              energy_at(k)));
  } while (!ends());
  return view();
}

double History::value(const Signal& signal, const Period& period, const State& state) const {
  const auto plotted = signal.expression();
  if (!plotted) return signal.value(*period.system, state);
  Compiled& compiled = compiled_[signal];
  if (compiled.system != period.system) {
    compiled = {.system = period.system};
    if (period.settings) {
      auto made = StateExpression::create(plotted->expression, *period.settings, plotted->unit);
      if (made) compiled.expression = std::move(*made);
    }
  }
  return compiled.expression ? compiled.expression->value(state) : StepCost::none;
}

SignalView History::view(const Signal& signal) const {
  if (const auto q = signal.quantity()) return {&column(Quantity::time), &column(*q), 1};
  if (const auto q = signal.step_quantity()) {
    Series& values = costs_[static_cast<std::size_t>(*q)];
    fill(values, state_count());
    return {&state_times_, &values, stride_.stride()};
  }
  if (signal.kind() == Signal::Kind::distance) return distance();
  if (signal.kind() == Signal::Kind::momentum_error) return momentum_error(*signal.momentum_axis());
  if (signal.kind() == Signal::Kind::modified_energy_error) return modified_energy_error();
  // A signal of the state: computed for the new states, with the system of each period.
  Series& values = derived_[signal];
  if (values.size() == state_count()) return {&state_times_, &values, stride_.stride()};
  auto period = period_of(values.size());
  for (std::size_t k = values.size(); k < state_count(); ++k) {
    if (k >= min_values && ViewLimit::reached()) break;
    if (std::next(period) != periods_.end() && std::next(period)->first == k) ++period;
    copy_state(k, scratch_);
    values.append(is_missing(k) ? StepCost::none : value(signal, *period, scratch_));
  }
  return {&state_times_, &values, stride_.stride(), values.size() < state_count()};
}

State History::state_at(std::size_t index) const {
  assert(index < size() && state_count() > 0);
  State state;
  copy_state(std::min(index / stride_.stride(), state_count() - 1), state);
  return state;
}

const double* History::numbers(std::size_t index) const {
  const std::size_t per_block = block_states(moving_), block = index / per_block;
  const std::vector<double>& states = block < blocks_.size() ? *blocks_[block] : tail_;
  return states.data() + 6 * static_cast<std::size_t>(moving_) * (index % per_block);
}

void History::copy_state(std::size_t index, State& out) const {
  const Eigen::Map<const Columns> all(numbers(index), 3, 2 * moving_);
  out.t = state_times_[index];
  out.q = all.leftCols(bodies_);
  out.w = all.middleCols(bodies_, bodies_);
  out.x = all.middleCols(2 * bodies_, moving_ - bodies_);
  out.v = all.rightCols(moving_ - bodies_);
}

}  // namespace twosphere
