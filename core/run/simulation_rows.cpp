// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a simulation that are taken together. They are accepted as a whole: where one of them is
// more than a row, the lane goes back to before the first, and they are taken one by one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/base/interrupt.h"
#include "core/catalog.h"
#include "core/run/row_block.h"
#include "core/run/simulation.h"

namespace twosphere {

/// How many rows may be taken together, up to step `last`, or steps before the next row that stop
/// conditions measure; fewer than two if none.
std::int64_t Simulation::rows_together(std::int64_t last) {
  const Lane& lane = lanes_[0];
  const bool rows = stride() == 1;
  if (lanes_.size() > 1 || (!rows && !now_.stops.measures()) || lane.substeps > 1 ||
      lane.info->adaptive || lane.exponents || lane.crossings || now_.stops.reads_states() ||
      !RowBlock::suits(*system()))
    return 0;
  // Functions that were added may fail where they have not before: no step of theirs is repeated.
  if (!is_listed(system_info()) || !is_listed(*lane.info)) return 0;
  if (rows_alone_ > 0) {
    --rows_alone_;
    return 0;
  }
  constexpr auto capacity = static_cast<std::int64_t>(RowBlock::capacity);
  const std::int64_t change = next_change();
  std::int64_t end =
      std::min({last, steps() + capacity, change, next_single_look_, coarse_.next_step()});
  // The planned end is a row, too, as in take_step().
  if (!rows) {
    const std::int64_t row = (steps() / now_.stride.checks + 1) * now_.stride.checks;
    end = std::min({end, row - 1, change - 1});
  }
  // There the distance from the start is measured.
  if (end == now_.clock.return_step()) --end;
  return end - steps();
}

/// Takes up to RowBlock::capacity steps of the only lane, each of which has a row, or none of which
/// has one. False, with nothing changed, if there are not as many as two, or if one of them fails,
/// is not finite, or meets a stop condition.
bool Simulation::take_rows(std::int64_t last, const std::function<void(int)>& turn) {
  const std::int64_t count = rows_together(last), begun = steps();
  if (count < 2) return false;
  save_for_rollback(true);
  forget_samples();
  rows_.begin(*system());
  Lane& lane = lanes_[0];
  StepClock clock = now_.clock.clock();
  if (turn) turn(0);
  std::int64_t taken = 0;
  while (taken < count && lane.advance(*acting_, 1) == 1) {
    ++taken;
    clock.advance(1);
    lane.finish_state(*acting_);
    rows_.add(*system(), lane.state, clock.time(), lane.work.value(), lane.last);
  }
  if (turn) turn(lane_count());
  if (taken < count || !rows_.measure(*system(), lane.energy_reference) || stop_is_due()) {
    repeat_to(begun);
    forget_samples();
    // Rows like these may follow: ever more of them are taken one by one.
    rows_pause_ = std::clamp<std::int64_t>(2 * rows_pause_, count, 64 * count);
    rows_alone_ = rows_pause_ - 1;  // without this one
    return false;
  }
  rows_pause_ = 0;
  now_.clock.advance(count);
  now_.reached.clear();
  measured_.lanes.assign(1, rows_.samples().back());
  if (stride() == 1) guard_rows(begun + 1);
  look();
  if (stride() > 1) rows_.clear();  // they were none
  return true;
}

/// Whether a stop condition would be met in one of the rows.
bool Simulation::stop_is_due() const {
  if (now_.stops.empty()) return false;
  const std::span<const Sample> samples = rows_.samples();
  return std::any_of(samples.begin(), samples.end(), [this](const Sample& sample) {
    const StopConditions::Observed seen{nullptr, &sample, nullptr, system().get()};
    return now_.stops.is_due(sample[Quantity::time], grid_step(), reversed(), {&seen, 1});
  });
}

/// Puts the only lane where it was after a step of the run since it was saved, by taking the steps
/// from there again.
void Simulation::repeat_to(std::int64_t step) {
  const Uninterrupted repeating;
  lanes_[0].roll_back(*acting_, rollback_lanes_[0]);
  if (step > rollback_steps_) (void)lanes_[0].advance(*acting_, step - rollback_steps_);
}

/// Lets the guard see the rows, of which the first has this step.
void Simulation::guard_rows(std::int64_t first) {
  const std::size_t before = warnings().size();
  const Lane& lane = lanes_[0];
  now_.guard.check_rows(0, {*system(), *lane.info, lane.clock.step, lane.state, rows_, first});
  mark_warnings(before);
  if (!saves_good_ || before > 0) return;
  if (warnings().empty()) return save_good();
  // The state of the row before the first warning, unless that has been saved.
  const std::int64_t good = warnings()[0].step - 1, now = steps();
  if (good < first) return;
  repeat_to(good);
  lanes_[0].save(*acting_, good_->lanes[0]);
  good_->clock = now_.clock;
  good_->clock.advance(good - now);
  good_->events_applied = now_.events_applied;
  repeat_to(now);
}

}  // namespace twosphere
