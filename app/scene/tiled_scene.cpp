// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/tiled_scene.h"

#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <algorithm>

namespace twosphere {

namespace {

constexpr float inset_ball = 1.16F;            // radius of the sphere shown in the inset
constexpr qint64 part_length = 8 * 1'000'000;  // [ns] per part of a scene
constexpr qint64 max_parts = 12;

}  // namespace

TiledScene::TiledScene(const QElapsedTimer& clock) : clock_(clock) {}

TiledScene::~TiledScene() = default;

Result<void> TiledScene::create_renderer() {
  auto renderer = render::Renderer::create();
  if (!renderer) return renderer.error();
  renderer_ = std::move(*renderer);
  return {};
}

void TiledScene::release() {
  drawing_.reset();
  canvas_.reset();
  stored_ = {};
  renderer_.reset();
}

void TiledScene::begin(SceneContent content, const ViewState& state, const View& view,
                       qint64 begun) {
  if (view.software && (!canvas_ || canvas_->size() != state.size))
    canvas_ = std::make_unique<QOpenGLFramebufferObject>(
        state.size, QOpenGLFramebufferObject::CombinedDepthStencil);
  const ui::Rect& area = state.area;
  drawing_.emplace(
      Drawing{.content = std::move(content),
              .state = state,
              .view = view,
              .target = {.framebuffer = view.software ? canvas_->handle() : view.framebuffer,
                         .x = to_pixel(area.x),
                         .y = state.size.height() - to_pixel(area.y + area.height),
                         .width = to_pixel(area.width),
                         .height = to_pixel(area.height),
                         .pixel_ratio = view.pixel_ratio,
                         .rows = 0},
              .cost = {begun, clock_.nsecsElapsed() - begun}});
}

bool TiledScene::drawing(const ViewState& state) const {
  return drawing_ && drawing_->state == state;
}

void TiledScene::give_up() { drawing_.reset(); }

void TiledScene::forget_instant() {
  shown_.content.instant.reset();
  if (drawing_) drawing_->content.instant.reset();
}

bool TiledScene::draw_part() { return draw(drawing_->target.height / parts_ + 1); }

bool TiledScene::draw_rest() { return draw(drawing_->target.height); }

void TiledScene::clear(unsigned framebuffer, const render::Theme& theme) {
  const glm::vec3& back = theme.background_bottom;
  QOpenGLFunctions& gl = *QOpenGLContext::currentContext()->functions();
  gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  gl.glDisable(GL_SCISSOR_TEST);
  gl.glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl.glClearColor(back.x, back.y, back.z, 1);
  gl.glClear(GL_COLOR_BUFFER_BIT);
}

bool TiledScene::draw(int rows) {
  const qint64 started = clock_.nsecsElapsed();
  Drawing& it = *drawing_;
  QOpenGLFunctions& gl = *QOpenGLContext::currentContext()->functions();
  if (it.target.first_row == 0) clear(it.target.framebuffer, it.content.theme);
  if (it.target.width > 0 && it.target.height > 0) {
    it.target.rows = rows;
    draw_rows(it);
    it.target.first_row += rows;
    const bool all = it.target.first_row >= it.target.height;
    if (all && it.content.inset.shell.visible) draw_inset(it);
    const qint64 given = clock_.nsecsElapsed();
    if (it.view.software) gl.glFinish();
    const qint64 now = clock_.nsecsElapsed();
    it.cost.spent += now - started;
    it.pixels += now - given;
    it.vertices = std::max(it.vertices, given - started);
    if (!all) return false;
  }
  gl.glBindFramebuffer(GL_FRAMEBUFFER, it.view.framebuffer);
  finish();
  return true;
}

void TiledScene::draw_rows(Drawing& drawing) {
  const SceneContent& content = drawing.content;
  const render::Target& whole = drawing.target;
  if (content.cells.list.empty()) {
    drawing.labels = renderer_->draw(content.scene, content.camera, content.theme, whole);
    return;
  }
  for (const render::PicturePart& part : render::picture_parts(content.cells, content.camera)) {
    render::Target target = whole;
    target.x = part.area.x;
    target.y = drawing.state.size.height() - part.area.y - part.area.height;
    target.width = part.area.width;
    target.height = part.area.height;
    target.axes = part.axes;
    const int from = whole.y + whole.first_row - target.y;
    target.first_row = std::clamp(from, 0, target.height);
    target.rows = std::clamp(from + whole.rows, 0, target.height) - target.first_row;
    if (target.rows <= 0) continue;
    render::AxisLabels labels = renderer_->draw(part.scene, part.camera, content.theme, target);
    if (!part.axes) continue;
    const glm::vec2 corner(target.x - whole.x, whole.y + whole.height - target.y - target.height);
    for (glm::vec2& tip : labels.tips) tip += corner / target.pixel_ratio;
    labels.gravity += corner / target.pixel_ratio;
    drawing.labels = labels;
  }
}

void TiledScene::draw_inset(const Drawing& drawing) {
  const ui::Rect& area = drawing.content.inset_area;
  const int size = to_pixel(area.width);
  const render::Target target{.framebuffer = drawing.target.framebuffer,
                              .x = to_pixel(area.x),
                              .y = drawing.state.size.height() - to_pixel(area.y + area.height),
                              .width = size,
                              .height = size,
                              .pixel_ratio = drawing.target.pixel_ratio,
                              .inset = true};
  renderer_->draw(drawing.content.inset, render::Camera::beside(drawing.content.camera, inset_ball),
                  drawing.content.theme, target);
}

void TiledScene::finish() {
  Drawing& it = *drawing_;
  if (it.view.software) {
    std::swap(stored_.picture, canvas_);
    stored_.state = it.state;
    stored_.state.camera = it.content.camera.where();  // it may have followed a body
    stored_.cost = it.cost;
    stored_.is_shown = false;
    // Each part processes the vertices of the whole scene: limit the number of parts so that
    // vertices do not cost more than pixels.
    parts_ = static_cast<int>(
        std::clamp<qint64>(it.pixels / std::max(part_length, it.vertices), 1, max_parts));
  }
  shown_ = {std::move(it.content), it.labels};
  drawing_.reset();
}

void TiledScene::show_stored(unsigned framebuffer) {
  const QSize size = stored_.picture->size();
  QOpenGLExtraFunctions& gl = *QOpenGLContext::currentContext()->extraFunctions();
  gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, stored_.picture->handle());
  gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  gl.glDisable(GL_SCISSOR_TEST);
  gl.glBlitFramebuffer(0, 0, size.width(), size.height(), 0, 0, size.width(), size.height(),
                       GL_COLOR_BUFFER_BIT, GL_NEAREST);
  gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  stored_.is_shown = true;
}

}  // namespace twosphere
