// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/commands_edit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>

#include "core/scenario/state_edit.h"
#include "core/worker/command_desk.h"
#include "core/worker/drag_edit.h"
#include "core/worker/mouse_pull.h"

namespace twosphere {

namespace {

/// The start of a run, as far as it matters for plots and trails: samples, states, positions.
std::vector<double> start_of(Simulation& run) {
  std::vector<double> all;
  const auto add = [&all](const double* from, std::ptrdiff_t count) {
    all.insert(all.end(), from, from + count);
  };
  for (int i = 0; i < run.lane_count(); ++i) {
    const Sample& sample = run.sample(i);
    const State& state = run.lane(i).state;
    add(sample.values.data(), std::ssize(sample.values));
    for (const Columns* columns : {&state.q, &state.w, &state.x, &state.v})
      add(columns->data(), columns->size());
    Geometry geometry;
    run.system()->geometry(state, geometry);
    for (const auto& body : geometry.bodies) add(body.position.data(), body.position.size());
  }
  return all;
}

/// The cloud takes over changed settings; where they change the state or the start, it begins anew.
void follow_change(CommandDesk& desk, const std::vector<Setting>& settings, bool of_start) {
  if (!desk.status.cloud_plan) return;
  const bool moved =
      of_start || std::any_of(settings.begin(), settings.end(),
                              [](const Setting& set) { return is_of_state(set.path); });
  if (moved && (of_start || !desk.cloud)) return desk.begin_cloud_here();
  if (desk.cloud) moved ? desk.cloud->begin(desk.sim) : desk.cloud->follow(desk.sim);
}

}  // namespace

void Change::carry_out(CommandDesk& desk) const {
  // Before the first step a change may edit the start itself.
  std::optional<std::vector<double>> before;
  if (desk.sim.edits_start()) before = start_of(desk.sim);
  if (auto done = desk.sim.set(settings, gesture); !done) return desk.fail(done.error());
  desk.own().clear_outcome();
  desk.own().reattach_exponents();
  // Of another start, what has been shown and stored is no longer valid.
  if (before && *before != start_of(desk.sim)) return desk.begin();
  if (before) desk.begin_checkpoints();
  follow_change(desk, settings, before.has_value());
  desk.describe();
}

void Reverse::carry_out(CommandDesk& desk) const {
  desk.sim.reverse(to_start);
  if (desk.cloud) desk.cloud->follow(desk.sim);
  desk.own().clear_outcome();
  desk.describe();
}

void AddLane::carry_out(CommandDesk& desk) const {
  if (auto done = desk.sim.add_lane(lane); !done) return desk.fail(done.error());
  desk.own().reattach_exponents();
  desk.describe();
}

void PullBody::carry_out(CommandDesk& desk) const {
  if (auto done = desk.sim.pull(pull); !done) return desk.fail(done.error());
  // A pull does not change the cost of a step.
  desk.publisher.describe(desk.sim);
}

void DragEdit::carry_out(CommandDesk& desk) const {
  if (desk.status.state == RunState::running)
    return desk.fail({ErrorKind::usage, "body", "can be moved only while the run rests"});
  if (auto done = desk.open_edit.move(*this, desk.sim); !done) desk.fail(done.error());
}

void MousePull::carry_out(CommandDesk& desk) const {
  if (auto there = check_body(desk.sim, lane, body); !there) return desk.fail(there.error());
  if (!target.allFinite() || !(stiffness > 0) || !std::isfinite(stiffness))
    return desk.fail({ErrorKind::usage, "target", "must be finite, and the stiffness above 0"});
  desk.own().pull_by_mouse(*this);
}

void Release::carry_out(CommandDesk& desk) const { desk.source->release(); }

void make_open_edit(CommandDesk& desk) {
  const Change edit{desk.open_edit.settings(desk.sim)};
  desk.open_edit.end();
  edit.carry_out(desk);
}

}  // namespace twosphere
