// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/checkpoints.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace twosphere {

namespace {

/// Iterator to the first checkpoint after a step.
auto after(const std::vector<std::shared_ptr<const RunCheckpoint>>& list, std::int64_t step) {
  return std::upper_bound(list.begin(), list.end(), step,
                          [](std::int64_t s, const auto& point) { return s < point->step(); });
}

}  // namespace

void Checkpoints::add(std::shared_ptr<const RunCheckpoint> checkpoint, Duration computed) {
  const std::size_t size = checkpoint->bytes();
  const std::lock_guard lock(mutex_);
  assert(list_.empty() || list_.back()->step() <= checkpoint->step());
  // It replaces one of the same step, but not one before the events of the step if it comes after
  // them.
  if (!list_.empty() && list_.back()->step() == checkpoint->step() &&
      (list_.back()->changed || !checkpoint->changed)) {
    bytes_ -= list_.back()->bytes();
    list_.pop_back();
  }
  list_.push_back(std::move(checkpoint));
  bytes_ += size;
  while (bytes_ > max_bytes_ && list_.size() > 2) {
    // Keep the start and the newest.
    std::size_t left = 0;
    for (std::size_t k = 0; k < list_.size(); ++k) {
      if (k % 2 == 0 || k + 1 == list_.size())
        list_[left++] = std::move(list_[k]);
      else
        bytes_ -= list_[k]->bytes();
    }
    list_.resize(left);
    interval_ *= 2;
  }
  next_ = computed + interval_;
}

std::shared_ptr<const RunCheckpoint> Checkpoints::before(std::int64_t step) const {
  const std::lock_guard lock(mutex_);
  auto next = after(list_, step);
  if (next == list_.begin()) return nullptr;
  --next;
  // Of this very step, the one before its events.
  while (next != list_.begin() && (*next)->step() == step && (*next)->changed) --next;
  return *next;
}

std::shared_ptr<const RunCheckpoint> Checkpoints::newest() const {
  const std::lock_guard lock(mutex_);
  return list_.empty() ? nullptr : list_.back();
}

std::shared_ptr<Checkpoints> Checkpoints::up_to(std::int64_t step, Duration computed) const {
  auto part = std::make_shared<Checkpoints>(max_bytes_);
  const std::lock_guard lock(mutex_);
  part->list_.assign(list_.begin(), after(list_, step));
  for (const auto& point : part->list_) part->bytes_ += point->bytes();
  part->interval_ = interval_;
  part->next_ = computed + interval_;
  return part;
}

std::shared_ptr<Checkpoints> Checkpoints::up_to(std::int64_t step, const Checkpoints& later,
                                                Duration computed) const {
  auto joined = up_to(step, computed);
  const std::lock_guard lock(later.mutex_);
  for (const auto& point : later.list_)
    // add() resolves two of the same step.
    if (point->step() >= step) joined->add(point, computed);
  return joined;
}

std::vector<std::shared_ptr<const RunCheckpoint>> Checkpoints::spread(std::size_t max_count,
                                                                      std::size_t max_bytes) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const RunCheckpoint>> points;
  if (list_.empty()) return points;
  const std::int64_t head = list_.back()->step();
  max_count = std::min(max_count, max_bytes / list_.back()->bytes());
  for (std::size_t k = 1; k <= max_count; ++k) {
    // The checkpoint before an equal share of the run; some shares have the same one.
    const auto step = static_cast<std::int64_t>(static_cast<double>(head) * static_cast<double>(k) /
                                                static_cast<double>(max_count + 1));
    const auto next = after(list_, step);
    if (next == list_.begin()) continue;
    const auto& point = *std::prev(next);
    if (point->step() == head || (!points.empty() && points.back()->step() >= point->step()))
      continue;
    if (point->step() > 0) points.push_back(point);
  }
  points.push_back(list_.back());
  return points;
}

std::size_t Checkpoints::size() const {
  const std::lock_guard lock(mutex_);
  return list_.size();
}

std::size_t Checkpoints::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace twosphere
