// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <deque>
#include <memory>

#include "core/run/snapshot.h"
#include "python/run.h"
#include "render/painter.h"
#include "render/scene_builder.h"

namespace twosphere::python {

namespace {

/// The scene of `twosphere render` from the default direction, without the numbers beside it.
py::array_t<std::uint8_t> render_picture(Run& run, int width, int height, bool light,
                                         bool transparent, bool ground) {
  const auto painted = run.use([&](Simulation& simulation) {
    for (int i = 0; i < simulation.lane_count(); ++i) (void)simulation.state(i);
    const Snapshot now = snapshot(simulation);
    const render::SceneStyle style{
        .trail = false, .ground = ground, .palette = light ? Palette::light : Palette::dark};
    render::SceneMemory memory;
    const render::Scene scene = render::build_scene(now, {}, style, memory);
    render::Camera camera;
    camera.frame(render::framing(now, style),
                 static_cast<float>(width) / static_cast<float>(height));
    const py::gil_scoped_release release;
    const auto painter = render::Painter::create(width, height);
    return painter ? Result<render::Image>(
                         (*painter)->paint(scene, camera, render::theme(style), transparent))
                   : Result<render::Image>(painter.error());
  });
  if (!painted) raise(painted.error());
  auto image = std::make_unique<render::Image>(*painted);
  const std::uint8_t* pixels = image->pixels.data();
  const py::capsule owner(image.get(), [](void* p) { delete static_cast<render::Image*>(p); });
  (void)image.release();
  return py::array_t<std::uint8_t>({height, width, 4}, pixels, owner);
}

}  // namespace

void bind_picture(py::module_& module) {
  module.def("render", &render_picture, py::arg("run"), py::arg("width"), py::arg("height"),
             py::arg("light"), py::arg("transparent"), py::arg("ground"),
             "The scene as an image, (height, width, 4) of 8-bit red, green, blue, alpha.");
}

}  // namespace twosphere::python
