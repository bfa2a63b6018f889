// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/png.h"
#include "core/output/body_quantity.h"
#include "core/worker/snapshot.h"
#include "python/run.h"
#include "python/watch.h"
#include "render/painter.h"
#include "render/scene_builder.h"

namespace twosphere::python {

namespace {

[[noreturn]] void raise_unknown(const char* what, const std::string& given,
                                const std::vector<std::string_view>& known) {
  raise({ErrorKind::usage, what,
         fmt::format("must be one of {}, not {}", fmt::join(known, ", "), json::quote(given))});
}

/// The quantity that colours show; none for the default.
std::optional<Shade> shade_of(const std::string& given) {
  std::vector<std::string_view> known{automatic_shade};
  if (is_automatic_shade(given)) return {};
  for (std::size_t i = 0; i < shade_count; ++i) {
    const auto shade = static_cast<Shade>(i);
    if (!info(shade).of_bodies) continue;
    if (info(shade).key == given) return shade;
    known.push_back(info(shade).key);
  }
  raise_unknown("color", given, known);
}

ColorMap color_map_of(const std::string& given) {
  std::vector<std::string_view> known;
  for (const ColorMap map : color_maps) {
    if (key(map) == given) return map;
    known.push_back(key(map));
  }
  raise_unknown("color_map", given, known);
}

int color_axis_of(const std::string& given) {
  const auto found = std::find(color_axis_names.begin(), color_axis_names.end(), given);
  if (found == color_axis_names.end())
    raise_unknown("color_axis", given, {color_axis_names.begin(), color_axis_names.end()});
  return static_cast<int>(found - color_axis_names.begin());
}

/// The scene of `twosphere render`, without the numbers beside it. The camera is turned by
/// `azimuth` and `elevation` [rad] from the default direction.
py::array_t<std::uint8_t> render_picture(Run& run, py::handle width_given, py::handle height_given,
                                         bool light, bool transparent, bool ground,
                                         py::handle follow, py::handle azimuth,
                                         py::handle elevation, const std::string& color,
                                         const std::string& color_map,
                                         const std::string& color_axis) {
  using render::Painter;
  const int width = to_int(width_given, "width", Painter::smallest, Painter::largest),
            height = to_int(height_given, "height", Painter::smallest, Painter::largest);
  const int bodies = run.use([](Simulation& s) { return s.system()->size(); });
  const int followed = follow.is_none() ? -1 : to_int(follow, "follow", 0, bodies - 1);
  const auto right = static_cast<float>(to_number(azimuth, "azimuth")),
             up = static_cast<float>(to_number(elevation, "elevation"));
  render::SceneStyle style{.trail = false,
                           .ground = ground,
                           .palette = light ? Palette::light : Palette::dark,
                           .shade = shade_of(color),
                           .color_map = color_map_of(color_map),
                           .color_axis = color_axis_of(color_axis)};
  if (style.shade) {
    const std::string_view why =
        run.use([&](Simulation& s) { return why_zero(*style.shade, *s.system()); });
    if (!why.empty())
      raise({ErrorKind::usage, "color", fmt::format("there are none by {}: {}", color, why)});
  }
  auto painted = run.use([&](Simulation& simulation) {
    style.frame = frame_of(run.view(), simulation);
    style.layer = layer_of(run.view(), simulation);
    for (int i = 0; i < simulation.lane_count(); ++i) (void)simulation.state(i);
    const Snapshot now = snapshot(simulation);
    render::SceneMemory memory;
    const render::Scene scene = render::build_scene(now, {}, style, memory);
    render::Camera camera;
    camera.frame(render::framing(now, style),
                 static_cast<float>(width) / static_cast<float>(height));
    camera.orbit(right, up);
    if (followed >= 0)
      camera.follow(scene.turn * glm::vec3(scene.bodies.at(static_cast<std::size_t>(followed))));
    return computed_to_end([&](const Watch& watch) -> Result<render::Image> {
      const py::gil_scoped_release release;
      const auto painter = render::Painter::create(width, height);
      if (!painter) return painter.error();
      return (*painter)->paint(scene, camera, render::theme(style), transparent,
                               [&watch] { return watch.interrupted(); });
    });
  });
  if (!painted) raise(painted.error());
  auto image = std::make_unique<render::Image>(std::move(*painted));
  const std::uint8_t* pixels = image->pixels.data();
  const py::capsule owner(image.get(), [](void* p) { delete static_cast<render::Image*>(p); });
  (void)image.release();
  return py::array_t<std::uint8_t>({height, width, 4}, pixels, owner);
}

py::bytes png_of_pixels(
    const py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>& pixels) {
  if (pixels.ndim() != 3 || pixels.shape(2) != 4 || pixels.size() == 0)
    raise({ErrorKind::usage, "pixels", "must be an array of (height, width, 4), not empty"});
  const auto size = static_cast<std::size_t>(pixels.size());
  return png({pixels.data(), size}, static_cast<int>(pixels.shape(1)), {.transparent = true});
}

}  // namespace

void bind_picture(py::module_& module) {
  module.def("png", &png_of_pixels, py::arg("pixels"),
             "The PNG file of a picture, (height, width, 4).");
  module.def("render", &render_picture, py::arg("run"), py::arg("width"), py::arg("height"),
             py::arg("light"), py::arg("transparent"), py::arg("ground"), py::arg("follow"),
             py::arg("azimuth"), py::arg("elevation"), py::arg("color"), py::arg("color_map"),
             py::arg("color_axis"),
             "The scene as an image, (height, width, 4) of 8-bit red, green, blue, alpha.");
}

}  // namespace twosphere::python
