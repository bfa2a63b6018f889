// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/orbit_player.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "app/dialogs/motion_view.h"
#include "core/base/interrupt.h"
#include "core/studies/orbit_motion.h"

namespace twosphere {

namespace {

constexpr int motion_samples = 96;  // of a period
constexpr double one_turn = 2 * std::numbers::pi;

}  // namespace

OrbitPlayer::~OrbitPlayer() { unwanted_ = true; }

void OrbitPlayer::set_systems(const Scenario& scenario, const OrbitSystems& systems) {
  clear();
  scenario_ = scenario;
  systems_ = systems;
}

void OrbitPlayer::clear() {
  unwanted_ = true;
  next_.reset();
  family_.reset();
  view_.clear();
}

void OrbitPlayer::play(const Columns& q) {
  clear();
  view_.show_motion(systems_.system, {q});
}

void OrbitPlayer::play(const Columns& q, const Mode& mode, double amplitude) {
  clear();
  std::vector<Columns> motion;
  for (int k = 0; k < motion_samples; ++k)
    motion.push_back(moved_by_mode(q, mode, amplitude, one_turn * k / motion_samples));
  view_.show_motion(systems_.system, std::move(motion));
}

void OrbitPlayer::play(const RelativeEquilibrium& relative, int axis) {
  clear();
  const double turn = std::copysign(one_turn, relative.rate);
  std::vector<Columns> motion;
  for (int k = 0; k < motion_samples; ++k)
    motion.emplace_back(
        Eigen::AngleAxisd(turn * k / motion_samples, Vec3(Vec3::Unit(axis))).toRotationMatrix() *
        relative.q);
  view_.show_motion(systems_.system, std::move(motion));
}

/// `known`: the systems are those of the orbit.
Result<OrbitPlayer::Period> OrbitPlayer::period_of(const Asked& asked, OrbitSystems systems,
                                                   bool known) {
  if (!known) {
    auto made = orbit_systems(asked.scenario);
    if (!made) return made.error();
    systems = std::move(*made);
  }
  if (!systems.orbits) return Error{ErrorKind::check, "orbit", systems.no_orbits};
  auto motion = orbit_motion(*systems.orbits, asked.orbit, motion_samples);
  if (!motion) return motion.error();
  return Period{systems.system, std::move(*motion)};
}

void OrbitPlayer::play(const Scenario& orbit, const FoundOrbit& found, std::size_t family) {
  next_.reset();
  auto asked = std::make_shared<const Asked>(Asked{orbit, found, family});
  if (work_.busy()) {
    next_ = std::move(asked);
    return;
  }
  unwanted_ = false;
  const bool known = same_system(scenario_, orbit);
  work_.start(
      [asked = std::move(asked), systems = systems_, known, &stop = unwanted_] {
        const Interruptible interruptible(stop);
        return period_of(*asked, systems, known);
      },
      [this, family](Result<Period> period) {
        if (!unwanted_) {
          if (period)
            view_.show_motion(period->system, std::move(period->motion),
                              std::exchange(family_, family) == family);
          else
            view_.clear();
        }
        if (const auto next = std::exchange(next_, nullptr))
          play(next->scenario, next->orbit, next->family);
      });
}

}  // namespace twosphere
