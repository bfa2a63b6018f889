// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/view_text.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/json.h"

namespace twosphere {

namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr std::string_view location = "view";

Error refused(std::string message) { return {ErrorKind::usage, std::string(location), message}; }

// Whether it is a number that is valid for a camera.
bool is_number(const json::Node& node) {
  return node.kind == json::Kind::number &&
         std::abs(node.number) <= std::numeric_limits<float>::max();
}

Result<float> camera_number(const json::Node& camera, const char* key) {
  const json::Node* node = camera.find(key);
  if (!node || !is_number(*node)) return refused(fmt::format("camera.{} must be a number", key));
  return static_cast<float>(node->number);
}

}  // namespace

std::string view_text(const render::Camera::View& view) {
  const auto write = [](double value) {
    return json::shortest(static_cast<double>(static_cast<float>(value)));
  };
  return fmt::format(
      R"({{"camera": {{"target": [{}, {}, {}], "azimuth": {}, "elevation": {}, "distance": {}}}}})",
      write(view.target.x), write(view.target.y), write(view.target.z),
      write(view.azimuth / degree), write(view.elevation / degree), write(view.distance));
}

Result<render::Camera::View> read_view(std::string_view text) {
  const auto document = json::parse(text, location);
  if (!document) return refused("the clipboard does not contain a copied view");
  const json::Node* camera =
      document->kind == json::Kind::object ? document->find("camera") : nullptr;
  if (!camera || camera->kind != json::Kind::object)
    return refused("the clipboard does not contain a copied view");
  render::Camera::View view;
  const json::Node* target = camera->find("target");
  if (!target || target->kind != json::Kind::array || target->items.size() != 3)
    return refused("camera.target must be a list of 3 numbers");
  for (int i = 0; i < 3; ++i) {
    const json::Node& item = target->items[static_cast<std::size_t>(i)];
    if (!is_number(item)) return refused("camera.target must be a list of 3 numbers");
    view.target[i] = static_cast<float>(item.number);
  }
  const auto azimuth = camera_number(*camera, "azimuth");
  if (!azimuth) return azimuth.error();
  const auto elevation = camera_number(*camera, "elevation");
  if (!elevation) return elevation.error();
  const auto distance = camera_number(*camera, "distance");
  if (!distance) return distance.error();
  if (!(*distance > 0)) return refused("camera.distance must be above 0 m");
  view.azimuth = static_cast<float>(*azimuth * degree);
  view.elevation = static_cast<float>(*elevation * degree);
  view.distance = *distance;
  return view;
}

}  // namespace twosphere
