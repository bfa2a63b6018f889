// SPDX-License-Identifier: GPL-3.0-or-later
// From a position of the mouse to the state that is shown, without a window. What is counted: the
// allocations of the window's thread in DragController::drag(), which sends the command, and in
// LiveRun::update(), which takes the answer.
#include <gtest/gtest.h>
#include <imgui.h>

#include <QDeadlineTimer>
#include <QThread>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/scene/drag_controller.h"
#include "app/scene/scene_content.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "render/pick.h"
#include "tests/allocations.h"
#include "tests/ui/silent_sink.h"

namespace twosphere::drag_test {
namespace {

class Sender : public ui_test::SilentSink {
 public:
  explicit Sender(LiveRun& run) : run_(run) {}
  void command(Command command) override {
    if (std::holds_alternative<DragEdit>(command) || std::holds_alternative<MousePull>(command))
      ++moves;
    run_.send(std::move(command));
  }
  int moves = 0;

 private:
  LiveRun& run_;
};

class Drag : public testing::Test {
 protected:
  Drag() {
    run_.update();
    camera_.frame({0, 0, 0}, 6, view_.x / view_.y);
  }
  ~Drag() override { ImGui::DestroyContext(imgui_); }

  DragController::PointInView at(const glm::vec2& point) const { return {camera_, point, view_}; }
  glm::vec2 seen(int body) const {
    Geometry figure;
    run_.shown().system->geometry(run_.shown().lanes[0].state.q, figure);
    const Vec3 position = figure.bodies[static_cast<std::size_t>(body)].position;
    return render::project(position, camera_, view_).value_or(view_ / 2.0F);
  }
  void await(std::uint64_t number) {
    for (run_.update(); run_.snapshot().commands < number; run_.update())
      QThread::yieldCurrentThread();
  }
  void take(DragController::Keys keys, const render::Scene& scene = {}) {
    hand_.hover(ui::BodyId{0, body_}, scene, 0, at(seen(body_)), 6);
    const glm::vec2 from = scene.spin_tips.empty() ? seen(body_) : tip_;
    hand_.hover(ui::BodyId{0, body_}, scene, 0, at(from), 6);
    ASSERT_TRUE(hand_.press(at(from), keys));
    from_ = from;
  }
  /// Drags along a circle; returns the allocations after the first movements.
  long drag(bool with_update = true) {
    long found = 0;
    for (int k = 0; k < 500; ++k) {
      const double angle = 0.01 * k;
      const glm::vec2 to =
          from_ + 20.0F * glm::vec2(std::sin(angle), 1.0F - std::cos(angle) + 0.1F);
      const long before = allocations_here;
      hand_.drag(at(to));
      const long sent = allocations_here;
      await(run_.sent());
      found += k < 6 ? 0 : (with_update ? allocations_here : sent) - before;
    }
    return found;
  }

  static constexpr int body_ = 2;
  const glm::vec2 view_{800, 600}, tip_{300, 200};
  ImGuiContext* const imgui_ = ImGui::CreateContext();
  LiveRun run_{std::move(
      *Simulation::create(*read_scenario(find_preset("chain_pendulum")->text, "preset")))};
  Replay replay_{run_};
  ui::Interface interface_;
  Sender sink_{run_};
  DragController hand_{run_, replay_, interface_, sink_};
  render::Camera camera_;
  glm::vec2 from_{0};
};

TEST_F(Drag, OfABodyAllocatesNothing) {
  for (const int steps : {0, 20}) {
    if (steps > 0) await(run_.send(TakeSteps{steps}));
    for (const bool alt : {false, true}) {
      const State before = run_.shown().lanes[0].state;
      sink_.moves = 0;
      take({.alt = alt});
      EXPECT_EQ(drag(), 0) << "step " << steps << (alt ? ", Alt" : "");
      EXPECT_GT(sink_.moves, 450);
      EXPECT_TRUE(run_.snapshot().shows_edit);
      const State held = run_.shown().lanes[0].state;
      hand_.release(at(from_ + glm::vec2(7, 5)));
      await(run_.sent());
      EXPECT_FALSE(run_.snapshot().shows_edit);
      EXPECT_NE(run_.shown().lanes[0].state.q, before.q);
      EXPECT_NE(run_.shown().lanes[0].state.q, held.q) << "the release moves it once more";
    }
    EXPECT_EQ(run_.snapshot().record->events.size(), steps > 0 ? 1U : 0U);
  }
}

TEST_F(Drag, OfTheTipOfAnAngularVelocityAllocatesNothing) {
  await(run_.send(TakeSteps{20}));
  render::Scene scene;
  const render::Ray ray = render::sight(camera_, tip_, view_);
  const Vec3 tip = ray.from + 10 * ray.along;
  scene.spin_tips = {{body_, glm::vec3(tip.x(), tip.y(), tip.z())}};
  scene.arrow_keys.push_back({BodyVector::angular_velocity, 1, {}, 0.3});
  const State before = run_.shown().lanes[0].state;
  take({}, scene);
  EXPECT_EQ(drag(), 0);
  EXPECT_GT(sink_.moves, 450);
  hand_.release(at(from_));
  await(run_.sent());
  EXPECT_EQ(run_.shown().lanes[0].state.q, before.q);
  EXPECT_NE(run_.shown().lanes[0].state.w, before.w);
  EXPECT_EQ(run_.snapshot().record->events.back().set.back().path, "state.omega[2]");
}

TEST(DraggedOmega, AlongAnAxisHasNoOtherComponents) {
  EXPECT_EQ(without_rounding(Vec3(0, 0, 1), Vec3(2, 7e-8, 0)), Vec3(2, 0, 0));
  EXPECT_EQ(without_rounding(Vec3(0, 0, 1), Vec3(2, 7e-3, 0)), Vec3(2, 7e-3, 0));
  EXPECT_EQ(without_rounding(Vec3(0, 1, 0), Vec3::Zero()), Vec3::Zero());
}

TEST_F(Drag, ThatPullsSendsItsPlacesWithoutAllocations) {
  await(run_.send(Change{{{"duration", 1e4}}}));
  await(run_.send(Play{}));
  take({.control = true});
  EXPECT_EQ(drag(false), 0);
  EXPECT_GT(sink_.moves, 450);
  hand_.release(at(from_));
  await(run_.send(Pause{}));
  EXPECT_FALSE(run_.snapshot().record->events.empty());
}

// Beside a pull stands its force and, while the mouse pulls, the work so far.
TEST_F(Drag, ThatPullsSaysItsForceAndItsWork) {
  await(run_.send(Change{{{"duration", 1e4}}}));
  await(run_.send(Play{}));
  take({.control = true});
  hand_.drag(at(from_ + glm::vec2(150, -100)));
  const auto work = [this] { return run_.shown().lanes[0].sample[Quantity::work]; };
  QDeadlineTimer patience(20'000);
  while ((run_.shown().pulls.empty() || std::abs(work()) < 0.1) && !patience.hasExpired()) {
    QThread::msleep(5);
    run_.update();
  }
  const auto texts = [this] {
    SceneContent drawn;
    drawn.camera = camera_;
    Geometry figure;
    run_.shown().system->geometry(run_.shown().lanes[0].state.q, figure);
    for (const Geometry::Body& body : figure.bodies)
      drawn.scene.bodies.emplace_back(body.position.x(), body.position.y(), body.position.z(), 0.1);
    std::vector<std::string> list;
    for (const ui::HandView::Pull& pull : hand_.view(drawn, {0, 0, view_.x, view_.y}).pulls)
      list.push_back(pull.text);
    return list;
  };
  ASSERT_EQ(texts().size(), 1U);
  std::string text = texts()[0];
  if (const auto minus = text.find("−"); minus != text.npos)
    text.replace(minus, std::string("−").size(), "-");
  constexpr std::string_view between = " N, ΔW ";
  const auto middle = text.find(between);
  ASSERT_NE(middle, text.npos) << text;
  EXPECT_TRUE(text.ends_with(" J")) << text;
  const double force = std::stod(text.substr(0, middle)),
               joules = std::stod(text.substr(middle + between.size()));
  Vec3 sum = Vec3::Zero();
  for (const ActivePull& active : run_.shown().pulls) sum += active.pull.force;
  EXPECT_NEAR(force, sum.norm(), 5e-3 * sum.norm());
  EXPECT_NEAR(joules, work(), 5e-3 * std::abs(work())) << "nothing but the mouse has done work";

  hand_.release(at(from_));
  await(run_.send(Pause{}));
  for (const std::string& other : texts()) EXPECT_TRUE(other.ends_with(" N")) << other;
}

}  // namespace
}  // namespace twosphere::drag_test
