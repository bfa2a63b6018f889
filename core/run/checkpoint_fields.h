// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/fields.h"
#include "core/catalog.h"
#include "core/run/checkpoint.h"

/// The members of a RunCheckpoint and of what it consists of, for FieldWriter and FieldReader.
/// Internal to core/run.
namespace twosphere {

template <class Fields>
void transfer(Fields& fields, State& state) {
  fields(state.t, state.q, state.w);
}

template <class Fields>
void transfer(Fields& fields, CompensatedSum& sum) {
  fields(sum.sum, sum.compensation);
}

template <class Fields>
void transfer(Fields& fields, SampleStride& stride) {
  fields(stride.first, stride.rows, stride.checks);
}

template <class Fields>
void transfer(Fields& fields, ActivePull& active) {
  fields(active.pull.body, active.pull.force, active.pull.steps, active.end);
}

template <class Fields>
void transfer(Fields& fields, RunMarker& marker) {
  fields(marker.step, marker.t, marker.text, marker.warning, marker.paths, marker.since);
}

template <class Fields>
void transfer(Fields& fields, Warning::Pair& pair) {
  fields(pair.first, pair.second, pair.angle);
}

template <class Fields>
void transfer(Fields& fields, Warning& warning) {
  std::string remedy(warning.remedy ? warning.remedy->key : "");
  fields(warning.kind, warning.lane, warning.step, warning.t, warning.last_good_step, warning.value,
         warning.scale, warning.body, warning.nearest, warning.adaptive, remedy);
  warning.remedy = find_integrator(remedy);
}

template <class Fields>
void transfer(Fields& fields, StartDistance& distance) {
  fields(distance.q, distance.omega, distance.step);
}

template <class Fields>
void transfer(Fields& fields, Sample& sample) {
  fields.bytes(sample.values.data(), sizeof sample.values);
}

/// Without its settings, its markers, and the values since its last step that do not matter for the
/// next ones. `stops` must already watch the
/// conditions of the settings.
template <class Fields>
void transfer(Fields& fields, RunCheckpoint& checkpoint) {
  fields(checkpoint.clock, checkpoint.stride, checkpoint.lanes, checkpoint.events_applied,
         checkpoint.changed, checkpoint.stops, checkpoint.stopped, checkpoint.guard,
         checkpoint.guarded);
}

}  // namespace twosphere
