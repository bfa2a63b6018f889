// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/step_watch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace twosphere {

namespace {

/// Steps between two looks.
constexpr std::int64_t shortest_pause = 16, longest_pause = 4096;

}  // namespace

StepWatch::StepWatch(std::int64_t now, double step, double rate) : begin_(now) {
  constexpr auto max_horizon = static_cast<double>(longest_pause);
  // coarse_steps() has examined the motion up to here.
  const double horizon = rate > 0 ? std::ceil(StepErrors::horizon / (step * rate)) : max_horizon;
  next_ = now + std::max(shortest_pause, static_cast<std::int64_t>(std::min(horizon, max_horizon)));
}

void StepWatch::add_lane(const IntegratorInfo* method, std::int64_t substeps, const Columns& q) {
  auto& lane = lanes_.emplace_back();
  if (!method || method->adaptive || !StepErrors::known(*method) || q.cols() > max_bodies) return;
  lane = {StepErrors(*method, q), std::pow(static_cast<double>(substeps), -method->order), begin_};
  lane->errors.leave_out();
  // All lanes are looked at as often as the one that needs the most q in a row.
  in_row_ = std::max(in_row_, lane->errors.in_row());
}

bool StepWatch::look(std::size_t lane, const Columns& q) {
  auto& watched = lanes_[lane];
  if (!watched) return false;
  StepErrors& errors = watched->errors;
  errors.add(q);
  if (seen_ + 1 < in_row_ || next_ < watched->from || errors.turn() == 0) return false;
  // The error that the steps add up to over the horizon, against the smallest that counts.
  const double steps = StepErrors::horizon / errors.turn();
  return watched->parts * errors.share(steps) >= StepErrors::min_share();
}

void StepWatch::continue_watch() {
  ++next_;
  if (++seen_ < in_row_) return;
  seen_ = 0;
  // The pause is an eighth of the steps so far.
  next_ += std::clamp((next_ - begin_) / 8, shortest_pause, longest_pause);
  for (auto& lane : lanes_)
    if (lane) lane->errors.leave_out();
}

void StepWatch::put_off(std::size_t lane) { lanes_[lane]->from = next_ + (next_ - begin_); }

}  // namespace twosphere
