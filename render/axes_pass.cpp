// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "render/passes.h"

namespace twosphere::render {

namespace {

struct AxisInstance {
  glm::vec3 foot, axis, tint;
};

// Logical pixels.
constexpr float axis_length = 42, label_distance = 11, round_distance = 17;
constexpr float labels_apart =
    23;  // distance between labels: they are 20 high in the largest interface
constexpr int passes =
    6;  // passes over the pairs of labels, because separating two may move one near the third
constexpr glm::vec2 origin = {66, 78}, gravity_origin = {136, 96};

constexpr std::array<glm::vec3, 3> tints = {
    {{0.83f, 0.38f, 0.36f}, {0.45f, 0.66f, 0.38f}, {0.36f, 0.56f, 0.85f}}};

/// Separates the labels of arrows that overlap on the screen by moving them to opposite sides.
void keep_apart(std::array<glm::vec2, 3>& labels, glm::vec2 foot) {
  const auto part = [&](glm::vec2& a, glm::vec2& b) {
    const glm::vec2 between = b - a;
    const float missing = labels_apart - glm::length(between);
    if (missing <= 0) return;
    const glm::vec2 along = glm::normalize((a + b) / 2.0f - foot);
    glm::vec2 aside(-along.y, along.x);
    if (glm::dot(aside, between) < 0) aside = -aside;
    // The shift that separates them for any direction of the arrows.
    const float across = glm::dot(aside, between),
                rest2 = glm::dot(between, between) - across * across;
    const float wanted = std::sqrt(std::max(labels_apart * labels_apart - rest2, 0.0f));
    a -= (wanted - across) / 2 * aside;
    b += (wanted - across) / 2 * aside;
  };
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < labels.size(); ++i)
      for (std::size_t k = i + 1; k < labels.size(); ++k) part(labels[i], labels[k]);
}

}  // namespace

Result<AxesPass> AxesPass::create() { return with_shaders<AxesPass>("arrow"); }

AxisLabels AxesPass::draw(const Frame& frame, bool gravity, const Theme& theme) const {
  const float ratio = frame.lens.z, height = frame.viewport.w / ratio;
  const glm::mat3 rotation(frame.view);
  std::vector<AxisInstance> arrows;
  // Adds an arrow; returns the position of its label in logical pixels from the upper left corner.
  const auto add = [&](glm::vec2 foot, glm::vec3 axis, glm::vec3 color) {
    arrows.push_back({{foot * ratio, axis_length * ratio}, axis, linear(color)});
    const glm::vec2 flat(axis);
    const float seen = glm::length(flat);
    // The label of an arrow that points towards or away from the viewer goes where there is no
    // other arrow.
    const glm::vec2 free = glm::vec2(axis - rotation[0] - rotation[1] - rotation[2]);
    const float sideways = glm::smoothstep(0.35f, 0.65f, seen);
    const glm::vec2 away = glm::normalize(glm::mix(free, flat, sideways));
    const glm::vec2 label =
        foot + axis_length * flat + glm::mix(round_distance, label_distance, sideways) * away;
    return glm::vec2(label.x, height - label.y);
  };
  AxisLabels labels{};
  for (std::size_t i = 0; i < 3; ++i)
    labels.tips[i] = add(origin, rotation[static_cast<int>(i)], tints[i]);
  keep_apart(labels.tips, {origin.x, height - origin.y});
  labels.has_gravity = gravity;
  if (gravity) labels.gravity = add(gravity_origin, rotation[2], theme.text);

  // Farthest tip first.
  std::stable_sort(arrows.begin(), arrows.end(), [](const AxisInstance& a, const AxisInstance& b) {
    return a.axis.z < b.axis.z;
  });
  vertices_.bind();
  instances_.write(GL_ARRAY_BUFFER, std::span<const AxisInstance>(arrows));
  vertices_.per_instance(0, 3, sizeof(AxisInstance), offsetof(AxisInstance, foot));
  vertices_.per_instance(1, 3, sizeof(AxisInstance), offsetof(AxisInstance, axis));
  vertices_.per_instance(2, 3, sizeof(AxisInstance), offsetof(AxisInstance, tint));
  glEnable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  program_.use();
  gl::draw_quads(arrows.size());
  return labels;
}

}  // namespace twosphere::render
