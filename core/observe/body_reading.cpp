// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/body_reading.h"

#include <cassert>
#include <initializer_list>

#include "core/base/json.h"

namespace twosphere {

BodyReading read_body(const System& system, const State& state, double potential, int body) {
  assert(body >= 0 && body < state.size());
  const Eigen::Index n = state.size();
  Columns rate(3, n), momenta(3, n);
  for (Eigen::Index i = 0; i < n; ++i) rate.col(i) = state.w.col(i).cross(state.q.col(i));
  multiply(system.inertia(), state.q, rate, momenta);

  BodyReading r;
  r.q = state.q.col(body);
  r.omega = state.w.col(body);
  r.momentum = momenta.col(body);
  r.kinetic = rate.col(body).dot(momenta.col(body)) / 2;
  r.potential = potential;
  r.total = (rate.array() * momenta.array()).sum() / 2;

  // The geometry is affine in q: the velocity is the position computed from q̇ minus that from
  // zero.
  const auto i = static_cast<std::size_t>(body);
  Geometry geometry;
  system.geometry(state.q, geometry);
  r.position = geometry.bodies[i].position;
  system.geometry(rate, geometry);
  const Vec3 moved = geometry.bodies[i].position;
  system.geometry(Columns::Zero(3, n), geometry);
  r.velocity = moved - geometry.bodies[i].position;
  return r;
}

std::string to_table(const BodyReading& reading, int body, double t) {
  std::string text = "body\t1\t" + std::to_string(body + 1) + "\ntime\ts\t" + json::shortest(t);
  const auto row = [&text](const char* name, std::initializer_list<double> numbers) {
    (text += '\n') += name;
    for (const double number : numbers) (text += '\t') += json::shortest(number);
  };
  const auto vector = [&row](const char* name, const Vec3& v) { row(name, {v.x(), v.y(), v.z()}); };
  vector("q\t1", reading.q);
  vector("omega\trad/s", reading.omega);
  vector("momentum\tJ s", reading.momentum);
  row("kinetic energy\tJ", {reading.kinetic});
  row("total kinetic energy\tJ", {reading.total});
  row("potential energy of the system\tJ", {reading.potential});
  row("total energy\tJ", {reading.energy()});
  vector("position\tm", reading.position);
  vector("velocity\tm/s", reading.velocity);
  return text + '\n';
}

}  // namespace twosphere
