// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/drag_controller.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include "core/mechanics/system.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

constexpr int max_loose = 100;  // largest number of bodies that are dragged without a key
// Largest angle between the line of sight and a plane seen edge-on [rad]
constexpr double edge_on = 0.1;
constexpr float pull_arrow = 48;                     // logical pixels
constexpr double softest = 1.0 / 16, stiffest = 16;  // springs, relative to the usual
constexpr int force_digits = 3;
// By keys: the angle by which one press moves a body [rad], the distance between the body and the
// free end of the spring that pulls it [logical px], and the fraction of both with Shift.
constexpr double push_angle = std::numbers::pi / 180;
constexpr float push_lead = 60, fine_push = 0.1F;
// The free end goes along with the body, whose damping the spring has to overcome.
constexpr double push_stiffness = 4;
constexpr double min_push = 1e-6;  // of the component of a unit direction along the sphere

Vec3 direction(const glm::vec3& v) { return Vec3(v.x, v.y, v.z).normalized(); }

/// Whether the start of the scenario is edited, not the run.
bool is_start(const LiveRun& run) {
  const Snapshot& head = run.snapshot();
  return !run.in_past() && !run.is_switching() && head.edits_start;
}

/// Unit vectors in space that point to the right and down on the screen.
std::pair<Vec3, Vec3> screen_axes(const DragController::PointInView& where) {
  const glm::vec2 middle = where.view / 2.0F;
  const auto along = [&](glm::vec2 way) {
    const Vec3 from = render::sight(where.camera, middle, where.view).along;
    const Vec3 to = render::sight(where.camera, middle + where.view.y / 4 * way, where.view).along;
    return tangent(from, to).normalized();
  };
  return {along({1, 0}), along({0, 1})};
}

/// Whether other bodies hang on a body.
bool carries_others(const System& system, int body) {
  for (int b = 0; b < system.size(); ++b)
    if (b != body && system.lever(b, body) != 0) return true;
  return false;
}

}  // namespace

Vec3 without_rounding(const Vec3& q, Vec3 omega) {
  constexpr double least = 1e-6;
  const double size = omega.norm();
  for (double& component : omega)
    if (std::abs(component) < least * size) component = 0;
  return tangent(q, omega);
}

bool DragController::crowded() const { return run_.shown().system->size() > max_loose; }

bool DragController::takes_hands() const {
  return !run_.followed() && !run_.shown().system->follows_attitude();
}

void DragController::hover(std::optional<ui::BodyId> body, const render::Scene& scene, int lane,
                           const PointInView& where, float slack) {
  over_ = {.body = body};
  // ω of a system of first order follows from q.
  if (plays() || run_.followed() || first_order(*run_.shown().system)) return;
  for (const auto& [index, tip] : scene.spin_tips) {
    const Vec3 position(tip.x, tip.y, tip.z);
    const auto seen = render::project(position, where.camera, where.view);
    if (!seen || glm::distance(*seen, where.point) > 2 * slack) continue;
    for (const render::ArrowKey& key : scene.arrow_keys)
      if (key.vector == BodyVector::angular_velocity)
        over_ = {.body = ui::BodyId{lane, index},
                 .tip = true,
                 .at = *seen,
                 .arrow = key.length,
                 .tip_position = position};
    return;
  }
}

std::optional<DragController::Kind> DragController::kind_of(Keys keys) const {
  if (!over_.body || !takes_hands()) return {};
  // The spring acts on the state of the run itself; a replay is seldom at its exact instant.
  const bool pulls = keys.control || (keys.finger && !crowded());
  if (plays()) return pulls ? std::optional(Kind::pull) : std::nullopt;
  if (!run_.exact()) return {};
  if (over_.tip) return Kind::spin;
  if (crowded() && !keys.control) return {};
  return keys.alt ? Kind::turn : Kind::move;
}

bool DragController::press(const PointInView& where, Keys keys) {
  const auto kind = kind_of(keys);
  if (!kind) return false;
  end_push();
  if (!begin(*kind, *over_.body, where)) return false;
  Gesture& g = *gesture_;
  const glm::vec2 seen =
      over_.tip ? over_.at
                : render::project(g.position, where.camera, where.view).value_or(where.point);
  g.offset = where.point - seen;
  const render::Ray ray = render::sight(where.camera, seen, where.view);
  g.near = (g.position - g.base).dot(ray.along) < 0;
  if (over_.tip) {
    run_.shown().system->geometry(g.from, geometry_);
    // Arrows begin at the surface of a body, except those of magnets, which begin at its centre.
    if (!geometry_.arrows.empty()) g.position = g.base;
    g.arrow = over_.arrow;
    g.covered =
        (over_.tip_position - g.position).norm() - g.arrow * g.from.w.col(g.body.body).norm();
  }
  g.last = where.point;
  if (*kind == Kind::pull) pull(where);
  return true;
}

/// Begins a gesture with a body of the shown instant, if there is such a body.
bool DragController::begin(Kind kind, ui::BodyId of, const PointInView& where) {
  const Snapshot& now = run_.shown();
  const auto lane = static_cast<std::size_t>(of.lane);
  if (lane >= now.lanes.size() || of.body >= now.system->size()) return false;
  Gesture g{.kind = kind,
            .body = of,
            .loaded = run_.snapshot().loaded,
            .start = is_start(run_),
            .from = now.lanes[lane].state,
            .work = now.lanes[lane].sample[Quantity::work]};
  now.system->geometry(g.from, geometry_);
  g.position = geometry_.bodies[static_cast<std::size_t>(of.body)].position;
  g.base = g.position - now.system->lever(of.body, of.body) * g.from.q.col(of.body);
  g.last = where.point;
  gesture_ = std::move(g);
  return true;
}

bool DragController::push(const Push& push, const PointInView& where) {
  if (gesture_ && !gesture_->by_keys) return false;
  if (gesture_ && stale()) end_push();
  const auto selected = interface_.selected();
  const bool other = gesture_ && (!selected || *selected != gesture_->body);
  if (other || (gesture_ && (gesture_->kind == Kind::pull) != plays())) end_push();
  const glm::vec2 along = push.held != glm::vec2(0) ? push.held : glm::sign(push.steps);
  if (pulls() && along == glm::vec2(0)) end_push();
  if (!gesture_ && push.any()) {
    if (!selected || !run_.exact() || !takes_hands() ||
        !begin(plays() ? Kind::pull : Kind::move, *selected, where))
      return false;
    gesture_->by_keys = true;
    gesture_->stiffness = push_stiffness;
    gesture_->to = gesture_->from.q.col(selected->body);
  }
  if (!gesture_) return false;
  if (gesture_->kind == Kind::pull)
    push_running(along, push.fine, where);
  else
    push_paused(push, where);
  return gesture_ && (push.any() || gesture_->unsent);
}

void DragController::end_push() {
  if (!gesture_ || !gesture_->by_keys) return;
  if (pulls()) sink_.command(Release{});
  gesture_.reset();
}

/// Rotates the body along the directions of the keys, once for each press.
void DragController::push_paused(const Push& push, const PointInView& where) {
  Gesture& g = *gesture_;
  const int body = g.body.body;
  const double lever = run_.shown().system->lever(body, body);
  const double angle = push_angle * (push.fine ? static_cast<double>(fine_push) : 1);
  const auto turn = [&](const Vec3& way, double steps) {
    const Vec3 q0 = g.to, along = tangent(q0, (lever < 0 ? -1 : 1) * way);
    if (steps == 0 || along.norm() < min_push) return;
    const double by = steps * angle;
    g.to = (std::cos(by) * q0 + std::sin(by) * along.normalized()).normalized();
    g.unsent = true;
  };
  const auto [right, down] = screen_axes(where);
  turn(right, static_cast<double>(push.steps.x));
  turn(down, static_cast<double>(push.steps.y));
  if (!g.unsent || !answered()) return;
  g.unsent = false;
  const DragEdit edit{.lane = g.body.lane, .body = body, .q = g.to};
  sink_.command(Change{settings_of(edit, *run_.shown().system, g.from, is_start(run_))});
  await_answer();
}

/// Holds the free end of the spring in that direction from the body, on the screen.
void DragController::push_running(const glm::vec2& along, bool fine, const PointInView& where) {
  Gesture& g = *gesture_;
  const Snapshot& now = run_.shown();
  const auto lane = static_cast<std::size_t>(g.body.lane);
  if (lane >= now.lanes.size() || g.body.body >= now.system->size() || !answered()) return;
  now.system->geometry(now.lanes[lane].state, geometry_);
  const Vec3 position = geometry_.bodies[static_cast<std::size_t>(g.body.body)].position;
  const auto seen = render::project(position, where.camera, where.view);
  if (!seen) return;
  g.near = position.dot(render::sight(where.camera, *seen, where.view).along) < 0;
  const float lead = push_lead * interface_.scale() * (fine ? fine_push : 1);
  g.last = *seen + lead * along;
  pull({where.camera, g.last, where.view});
}

bool DragController::stale() const {
  const Snapshot& head = run_.snapshot();
  if (gesture_->kind != Kind::pull && plays()) return true;
  return head.loaded != gesture_->loaded || (!gesture_->start && is_start(run_)) ||
         head.system->size() != gesture_->from.size() || interface_.gallery_open();
}

bool DragController::drag(const PointInView& where) {
  if (!gesture_) return false;
  if (stale()) {
    end();
    return false;
  }
  if (gesture_->kind == Kind::pull) {
    gesture_->last = where.point;
    if (answered()) pull(where);
    return true;
  }
  if (where.point == gesture_->last) return false;
  if (answered()) send(where);
  return true;
}

void DragController::send(const PointInView& where) {
  gesture_->last = where.point;
  if (gesture_->kind == Kind::spin)
    spin(where);
  else
    move_to(where);
}

void DragController::move_to(const PointInView& where) {
  Gesture& g = *gesture_;
  const System& system = *run_.shown().system;
  const int body = g.body.body;
  const double lever = system.lever(body, body);
  const render::Ray ray = render::sight(where.camera, where.point - g.offset, where.view);
  const Vec3 at = render::on_sphere(ray, g.base, std::abs(lever), g.near);
  const Vec3 q = ((at - g.base) / lever).normalized();
  hold(q, {});
}

void DragController::spin(const PointInView& where) {
  Gesture& g = *gesture_;
  const int body = g.body.body;
  const Vec3 q = g.from.q.col(body);
  const render::Ray ray = render::sight(where.camera, where.point - g.offset, where.view);
  // The point in the tangent plane; if that is seen edge-on, the point under the mouse.
  const bool from_the_side = std::abs(q.dot(ray.along)) < edge_on;
  const auto at = render::on_plane(ray, g.position, from_the_side ? ray.along : q);
  if (!at) return;
  const Vec3 along = tangent(q, *at - g.position);
  const double length = along.norm();
  const double size = length > g.covered ? (length - g.covered) / (g.arrow * length) : 0;
  hold({}, without_rounding(q, size * along));
}

void DragController::pull(const PointInView& where) {
  Gesture& g = *gesture_;
  const Snapshot& now = run_.shown();
  const auto lane = static_cast<std::size_t>(g.body.lane);
  if (lane >= now.lanes.size() || g.body.body >= now.system->size()) return;
  now.system->geometry(now.lanes[lane].state, geometry_);
  const render::Ray ray = render::sight(where.camera, where.point - g.offset, where.view);
  const auto seen = [&]() -> std::optional<Vec3> {
    if (geometry_.sphere) return render::on_sphere(ray, Vec3::Zero(), 1, g.near);
    const Vec3 forward = direction(where.camera.target() - where.camera.eye());
    return render::on_plane(ray, geometry_.bodies[static_cast<std::size_t>(g.body.body)].position,
                            forward);
  };
  const auto target = seen();
  if (!target) return;
  const bool past = run_.in_past() && !run_.is_switching();
  sink_.command(MousePull{g.body.lane, g.body.body, *target, g.stiffness});
  if (past) {
    if (run_.in_past() && !run_.is_switching()) {  // another run cannot be begun
      gesture_.reset();
      return;
    }
    sink_.command(Play{});
  }
  g.sent = run_.sent();
}

void DragController::turn_wheel(float notches) {
  if (!pulls()) return;
  gesture_->stiffness = std::clamp(
      gesture_->stiffness * std::exp2(static_cast<double>(notches) / 2), softest, stiffest);
}

void DragController::release(const PointInView& where) {
  if (!gesture_) return;
  if (gesture_->kind != Kind::pull && where.point != gesture_->last && !stale()) send(where);
  end();
}

/// Shows the bodies of the gesture with another direction, or another ω, of the one that is held.
void DragController::hold(const std::optional<Vec3>& q, const std::optional<Vec3>& omega) {
  sink_.command(DragEdit{.lane = gesture_->body.lane,
                         .body = gesture_->body.body,
                         .below = gesture_->kind == Kind::turn,
                         .q = q,
                         .omega = omega});
  await_answer();
}

void DragController::await_answer() {
  if (run_.in_past() && !run_.is_switching())
    gesture_.reset();  // another run cannot be begun
  else
    gesture_->sent = run_.sent();
}

/// Ends the gesture: the edit is made, and nothing is pulled any more.
void DragController::end() {
  if (!gesture_) return;
  const bool acts = gesture_->kind == Kind::pull || gesture_->sent > 0;
  gesture_.reset();
  if (acts) sink_.command(Release{});
}

/// Adds the pulls at the bodies of a scene that fills a rectangle.
void DragController::add_pulls(const render::Scene& scene, const render::Camera& camera,
                               const ui::Rect& area, ui::HandView& view) const {
  const Snapshot& now = run_.shown();
  const glm::vec2 size{area.width, area.height};
  std::map<int, Vec3> forces;  // by body
  for (const ActivePull& active : now.pulls)
    forces.try_emplace(active.pull.body, Vec3::Zero()).first->second += active.pull.force;
  for (const auto& [body, sum] : forces) {
    const auto index = static_cast<std::size_t>(body);
    if (index >= scene.bodies.size()) continue;
    const glm::vec4& ball = scene.bodies[index];
    const Vec3 at(ball.x, ball.y, ball.z);
    const auto from = render::project(at, camera, size);
    if (!from) continue;
    const double force = sum.norm();
    glm::vec2 to = *from;
    std::string text = ui::significant(force, force_digits) + " N";
    if (pulls() && gesture_->body.body == body) {
      to = gesture_->last - gesture_->offset;
      if (const auto lane = static_cast<std::size_t>(gesture_->body.lane); lane < now.lanes.size())
        text +=
            ", ΔW " +
            ui::significant(now.lanes[lane].sample[Quantity::work] - gesture_->work, force_digits) +
            " J";
    } else if (force > 0) {
      // The length on the screen of a small step along the force; it is shorter for a force towards
      // the viewer.
      const glm::vec3 eye = camera.eye();
      const double step = 1e-3 * (at - Vec3(eye.x, eye.y, eye.z)).norm();
      if (const auto tip = render::project(at + step / force * sum, camera, size))
        to += pull_arrow / std::max(glm::distance(*tip, *from), 1e-3F * size.y) * (*tip - *from);
    }
    view.pulls.push_back(
        {{area.x + from->x, area.y + from->y}, {area.x + to.x, area.y + to.y}, std::move(text)});
  }
}

ui::HandView DragController::view(const SceneContent& drawn, const ui::Rect& area) const {
  ui::HandView view;
  view.acts = gesture_.has_value();
  const Snapshot& now = run_.shown();
  if (drawn.cells.list.empty()) add_pulls(drawn.scene, drawn.camera, area, view);
  for (const render::Cell& cell : drawn.cells.list)
    if (cell.present) add_pulls(cell.scene, drawn.camera, rect_of(cell.area), view);
  if (gesture_ || !over_.body || run_.followed()) return view;
  const bool running = plays();
  if (over_.tip)
    view.hint = "Drag to change ω";
  else if (running)
    view.hint = "Ctrl-drag to pull";
  else
    view.hint = crowded() ? "Ctrl-drag to move" : "Drag to move";
  const bool carries =
      !crowded() && !running && !over_.tip && carries_others(*now.system, over_.body->body);
  if (carries) view.hint += ", Alt-drag to turn all below";
  return view;
}

}  // namespace twosphere
