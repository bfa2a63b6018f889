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

void OrbitPlayer::set_system(std::shared_ptr<const System> system,
                             std::shared_ptr<const System> rest) {
  clear();
  system_ = std::move(system);
  rest_ = std::move(rest);
}

void OrbitPlayer::clear() {
  unwanted_ = true;
  next_.reset();
  view_.clear();
}

void OrbitPlayer::play(const Columns& q) {
  clear();
  view_.show_motion(system_, {q});
}

void OrbitPlayer::play(const Columns& q, const Mode& mode, double amplitude) {
  clear();
  std::vector<Columns> motion;
  for (int k = 0; k < motion_samples; ++k)
    motion.push_back(moved_by_mode(q, mode, amplitude, one_turn * k / motion_samples));
  view_.show_motion(system_, std::move(motion));
}

void OrbitPlayer::play(const RelativeEquilibrium& relative, int axis) {
  clear();
  const double turn = std::copysign(one_turn, relative.rate);
  std::vector<Columns> motion;
  for (int k = 0; k < motion_samples; ++k)
    motion.emplace_back(
        Eigen::AngleAxisd(turn * k / motion_samples, Vec3(Vec3::Unit(axis))).toRotationMatrix() *
        relative.q);
  view_.show_motion(system_, std::move(motion));
}

void OrbitPlayer::play(const FoundOrbit& orbit) {
  next_.reset();
  if (work_.busy()) {
    next_ = std::make_shared<const FoundOrbit>(orbit);
    return;
  }
  unwanted_ = false;
  work_.start(
      [rest = rest_, orbit, &stop = unwanted_] {
        const Interruptible interruptible(stop);
        return orbit_motion(*rest, orbit, motion_samples);
      },
      [this, system = system_](Result<std::vector<Columns>> motion) {
        if (!unwanted_) {
          if (motion)
            view_.show_motion(system, std::move(*motion));
          else
            view_.clear();
        }
        if (const auto next = std::exchange(next_, nullptr)) play(*next);
      });
}

}  // namespace twosphere
