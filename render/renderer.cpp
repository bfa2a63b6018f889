// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/renderer.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/frame_uniforms.h"
#include "render/gl.h"
#include "render/lattice_cells.h"
#include "render/passes.h"

namespace twosphere::render {

glm::vec3 linear(glm::vec3 srgb) {
  glm::vec3 out;
  for (int i = 0; i < 3; ++i)
    out[i] = srgb[i] <= 0.04045f ? srgb[i] / 12.92f : std::pow((srgb[i] + 0.055f) / 1.055f, 2.4f);
  return out;
}

namespace {

Frame make_frame(const Camera& camera, const Theme& theme, const Target& target) {
  const auto width = static_cast<float>(target.width), height = static_cast<float>(target.height);
  Frame frame;
  frame.view = camera.view();
  frame.projection = camera.projection(width / height);
  frame.viewport = {static_cast<float>(target.x), static_cast<float>(target.y), width, height};
  const float x = 1 / frame.projection[0][0], y = 1 / frame.projection[1][1];
  frame.lens = {x, y, target.pixel_ratio, 2 * y / height};
  frame.up = glm::vec4(-glm::vec3(frame.view[2]), 0);
  // A bright background lightens the shadow side; w scales the rim.
  const glm::vec3 around = linear(theme.background_bottom);
  frame.sky = glm::vec4(glm::vec3(0.16f) + 0.14f * around, 1 - 0.7f * around.g);
  frame.earth = glm::vec4(glm::vec3(0.05f) + 0.16f * around, 0);
  return frame;
}

class CoreRenderer final : public Renderer {
 public:
  CoreRenderer(BackgroundPass background, SpherePass spheres, DotPass dots, CylinderPass cylinders,
               ConePass cones, TubePass tubes, MeshPass mesh, ShellPass shell,
               PolylinePass polylines, CloudPass cloud, GroundPass ground, AxesPass axes)
      : background_(std::move(background)),
        spheres_(std::move(spheres)),
        dots_(std::move(dots)),
        cylinders_(std::move(cylinders)),
        cones_(std::move(cones)),
        tubes_(std::move(tubes)),
        mesh_(std::move(mesh)),
        shell_(std::move(shell)),
        polylines_(std::move(polylines)),
        cloud_(std::move(cloud)),
        ground_(std::move(ground)),
        axes_(std::move(axes)) {}

  AxisLabels draw(const Scene& scene, const Camera& from, const Theme& theme,
                  const Target& target) override {
    if (target.width <= 0 || target.height <= 0) return {};
    const Camera camera = from.in_frame(scene.turn);
    const Frame frame = make_frame(camera, theme, target);
    begin(target, frame);
    if (shows_cells(scene, camera, static_cast<float>(target.height) / target.pixel_ratio))
      draw_shapes(with_cells(scene), camera, theme, target);
    else
      draw_shapes(scene, camera, theme, target);
    AxisLabels labels;
    if (!target.inset && target.axes) labels = axes_.draw(frame, scene.gravity, theme);

    end();
    return labels;
  }

 private:
  void draw_shapes(const Scene& scene, const Camera& camera, const Theme& theme,
                   const Target& target) {
    if (!target.transparent && !target.inset) background_.draw(theme);
    spheres_.upload(scene.spheres, scene.rings);
    cylinders_.upload(scene.cylinders, scene.spheres);
    cones_.upload(scene.cones);
    tubes_.upload(scene.tubes);
    glEnable(GL_DEPTH_TEST);
    mesh_.draw(scene.mesh);
    spheres_.draw_inside();
    dots_.draw(scene.dots);
    cylinders_.draw_inside();
    cones_.draw_inside();
    tubes_.draw_inside();
    ground_.draw(scene, theme, camera.eye());
    spheres_.draw_outline();
    cylinders_.draw_outline();
    cones_.draw_outline();
    tubes_.draw_outline();
    shell_.draw(scene.shell);
    cloud_.draw(scene.cloud);
    polylines_.draw(scene.polylines, target.pixel_ratio);
  }

  void begin(const Target& target, const Frame& frame) const {
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    glViewport(target.x, target.y, target.width, target.height);
    glScissor(target.x, target.y + target.first_row, target.width,
              std::min(target.rows, target.height - target.first_row));
    glEnable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDepthRange(0, 1);
    glDisable(GL_CULL_FACE);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glDisable(GL_RASTERIZER_DISCARD);
    glDisable(GL_COLOR_LOGIC_OP);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_PRIMITIVE_RESTART);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glBlendEquation(GL_FUNC_ADD);
    // An opaque target stays opaque; a transparent one has premultiplied alpha.
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glClearDepth(1);
    glClearColor(0, 0, 0, 0);
    const bool empty = target.transparent && !target.inset;
    glClear(GL_DEPTH_BUFFER_BIT | (empty ? GL_COLOR_BUFFER_BIT : 0u));
    frame_.write(GL_UNIFORM_BUFFER, std::span<const Frame>(&frame, 1));
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame_.id());
  }

  // Restores the default state of OpenGL except for the target and its viewport.
  void end() const {
    glBindVertexArray(0);
    glUseProgram(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, 0);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glBlendFunc(GL_ONE, GL_ZERO);
    glDepthMask(GL_TRUE);
  }

  BackgroundPass background_;
  SpherePass spheres_;
  DotPass dots_;
  CylinderPass cylinders_;
  ConePass cones_;
  TubePass tubes_;
  MeshPass mesh_;
  ShellPass shell_;
  PolylinePass polylines_;
  CloudPass cloud_;
  GroundPass ground_;
  AxesPass axes_;
  gl::Buffer frame_;
};

}  // namespace

Result<std::unique_ptr<Renderer>> Renderer::create() {
  auto background = BackgroundPass::create();
  if (!background) return background.error();
  auto spheres = SpherePass::create();
  if (!spheres) return spheres.error();
  auto dots = DotPass::create();
  if (!dots) return dots.error();
  auto cylinders = CylinderPass::create();
  if (!cylinders) return cylinders.error();
  auto cones = ConePass::create();
  if (!cones) return cones.error();
  auto tubes = TubePass::create();
  if (!tubes) return tubes.error();
  auto mesh = MeshPass::create();
  if (!mesh) return mesh.error();
  auto shell = ShellPass::create();
  if (!shell) return shell.error();
  auto polylines = PolylinePass::create();
  if (!polylines) return polylines.error();
  auto cloud = CloudPass::create();
  if (!cloud) return cloud.error();
  auto ground = GroundPass::create();
  if (!ground) return ground.error();
  auto axes = AxesPass::create();
  if (!axes) return axes.error();
  return std::unique_ptr<Renderer>(std::make_unique<CoreRenderer>(
      std::move(*background), std::move(*spheres), std::move(*dots), std::move(*cylinders),
      std::move(*cones), std::move(*tubes), std::move(*mesh), std::move(*shell),
      std::move(*polylines), std::move(*cloud), std::move(*ground), std::move(*axes)));
}

}  // namespace twosphere::render
