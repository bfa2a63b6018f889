// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/body_reading.h"

#include <cassert>

#include "core/base/table_writer.h"
#include "core/mechanics/linear_terms.h"

namespace twosphere {

namespace {

/// The quantities of which the records of all bodies are made.
class AllBodies {
 public:
  AllBodies(const System& system, const State& state)
      : state_(state), rate_(3, state.size()), product_(3, state.size()) {
    // q̇_i = ω_i × q_i, Σ_j M_ij q̇_j, and p_i = Σ_j M_ij (q̇_j + Ω × q_j)
    for (Eigen::Index i = 0; i < rate_.cols(); ++i)
      rate_.col(i) = state.w.col(i).cross(state.q.col(i));
    multiply(system.inertia(), state.q, rate_, product_);
    momentum_ = product_;
    if (const Vec3 turn = system.frame_rotation(); !turn.isZero(0)) {
      Columns inertial = rate_;
      add_frame_velocity(turn, state.q, inertial);
      multiply(system.inertia(), state.q, inertial, momentum_);
    }
    system.geometry(state, here_);
    system.geometry(State{.t = 0, .q = rate_, .w = {}, .x = state.v, .v = {}}, moved_);
    system.geometry(Columns::Zero(3, rate_.cols() + state.x.cols()), origin_);
    if (state.flies()) of_flight_ = system.free_base()->kinetic_energy(state.v);
  }

  BodyRecord record(Eigen::Index i) const {
    const auto k = static_cast<std::size_t>(i);
    return {.q = state_.q.col(i),
            .omega = state_.w.col(i),
            .momentum = momentum_.col(i),
            .kinetic = rate_.col(i).dot(product_.col(i)) / 2,
            .position = here_.bodies[k].position,
            .velocity = moved_.bodies[k].position - origin_.bodies[k].position};
  }
  double kinetic_energy() const {
    return (rate_.array() * product_.array()).sum() / 2 + of_flight_;
  }

 private:
  const State& state_;
  Columns rate_, product_, momentum_;
  double of_flight_ = 0;  // the kinetic energy of the centre of mass of a base that flies
  Geometry here_, moved_, origin_;
};

}  // namespace

std::vector<BodyRecord> body_records(const System& system, const State& state) {
  const AllBodies bodies(system, state);
  std::vector<BodyRecord> list;
  for (Eigen::Index i = 0; i < state.size(); ++i) list.push_back(bodies.record(i));
  return list;
}

BodyReading read_body(const System& system, const State& state, double potential, int body) {
  assert(body >= 0 && body < state.size());
  const AllBodies bodies(system, state);
  return {bodies.record(body), bodies.kinetic_energy(), potential};
}

std::string to_table(const BodyReading& reading, int body, double t) {
  TableWriter table(TableWriter::Form::tabs);
  const auto vector = [&table](const char* name, const char* unit, const Vec3& v) {
    table.row(name, unit, v.x(), v.y(), v.z());
  };
  table.row("body", "1", body + 1);
  table.row("time", "s", t);
  vector("q", "1", reading.q);
  vector("omega", "rad/s", reading.omega);
  vector("momentum", "J s", reading.momentum);
  table.row("kinetic energy", "J", reading.kinetic);
  table.row("total kinetic energy", "J", reading.total);
  table.row("potential energy of the system", "J", reading.potential);
  table.row("total energy", "J", reading.energy());
  vector("position", "m", reading.position);
  vector("velocity", "m/s", reading.velocity);
  return table.take();
}

}  // namespace twosphere
