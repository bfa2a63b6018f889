// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <string>

#include "core/catalog.h"
#include "core/mechanics/parameter.h"
#include "core/worker/worker.h"
#include "tests/direction.h"

/// Snapshots constructed without a run.
namespace twosphere::test {

/// A chain of n bodies of 1 kg on links of 0.5 m.
inline std::shared_ptr<const System> chain(int n, double gravity = 9.81) {
  const SystemInfo& info = *find_system("chain_pendulum");
  const auto count = static_cast<std::size_t>(n);
  Values values = default_values(info.parameters, n);
  values["masses"].assign(count, 1.0);
  values["lengths"].assign(count, 0.5);
  values["gravity"] = {gravity};
  auto made = info.create(n, values);
  assert(made);
  return std::move(*made);
}

inline Geometry geometry_of(const System& system, const Columns& q) {
  Geometry geometry;
  system.geometry(q, geometry);
  return geometry;
}

inline Columns columns(std::initializer_list<Vec3> directions) {
  Columns q(3, static_cast<Eigen::Index>(directions.size()));
  Eigen::Index i = 0;
  for (const Vec3& d : directions) q.col(i++) = d;
  return q;
}

inline Snapshot::LaneView lane(const Columns& q, double t, std::string_view method) {
  Snapshot::LaneView view;
  view.name = method;
  view.info = find_integrator(method);
  view.state = {t, q, Columns::Zero(3, q.cols())};
  return view;
}

inline Snapshot snapshot(std::shared_ptr<const System> system, const Columns& q, double t = 0) {
  Snapshot made;
  made.generation = 1;
  made.t = made.elapsed = t;
  made.system = std::move(system);
  made.lanes.push_back(lane(q, t, "variational"));
  return made;
}

}  // namespace twosphere::test
