// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/step_checker.h"

#include <utility>

#include "app/base/post.h"

namespace twosphere {

StepChecker::StepChecker(QObject* parent) : QObject(parent) {}

StepChecker::~StepChecker() { ++number_; }

void StepChecker::show(const ui::StepCheck& check) {
  if (check.number != number_) return;
  shown_ = std::make_shared<const ui::StepCheck>(check);
  Q_EMIT changed(shown_);
}

void StepChecker::start(const Snapshot& snapshot) {
  struct Measured {
    const IntegratorInfo* info;
    LaneSpec spec;
    State state;
  };
  std::vector<Measured> lanes;
  ui::StepCheck check;
  check.number = ++number_;
  check.generation = snapshot.generation;
  check.steps = snapshot.steps;
  check.t = snapshot.t;
  check.conservative = !snapshot.system->has_external_force() && !damped(*snapshot.system);
  for (std::size_t i = 0; i < snapshot.lanes.size(); ++i) {
    const LaneSpec& spec = snapshot.present->lanes[i];
    lanes.push_back({snapshot.lanes[i].info, spec, snapshot.lanes[i].state});
    check.lanes.push_back({.integrator = std::string(snapshot.lanes[i].info->key),
                           .step = spec.step,
                           .values = spec.values,
                           .symplecticity = {},
                           .reversal = {},
                           .problem = {}});
  }
  show(check);
  work_.start(
      [this, system = snapshot.system, lanes = std::move(lanes), check]() mutable -> Result<void> {
        const auto stop = [this, &check] { return number_ != check.number; };
        for (std::size_t i = 0; i < lanes.size() && !stop(); ++i) {
          const StepMap map{*system, *lanes[i].info, lanes[i].spec.values, lanes[i].spec.step};
          ui::StepCheck::Lane& result = check.lanes[i];
          const auto reversal =
              reversal_error(map, lanes[i].state, ReversalError::default_steps, stop);
          if (reversal)
            result.reversal = *reversal;
          else
            result.problem = reversal.error().text();
          const auto symplecticity = symplecticity_defect(map, lanes[i].state, stop);
          if (symplecticity)
            result.symplecticity = *symplecticity;
          else
            result.problem = symplecticity.error().text();
          result.done = true;
          post(this, [this, check] { show(check); });
        }
        return {};
      },
      [this, number = check.number](const Result<void>& end) {
        if (end || number != number_) return;
        ui::StepCheck failed = *shown_;
        for (ui::StepCheck::Lane& lane : failed.lanes)
          if (!std::exchange(lane.done, true)) lane.problem = end.error().text();
        show(failed);
      });
}

}  // namespace twosphere

#include "moc_step_checker.cpp"
