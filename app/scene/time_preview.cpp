// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/time_preview.h"

#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <algorithm>
#include <cmath>

namespace twosphere {

namespace {

constexpr float widest = 216, highest = 150;  // logical pixels
constexpr int samples = 2;                    // per pixel and direction
constexpr float line_share = 0.6F;            // of the width of lines in the view

/// With the shape of the scene, so that it shows the same part of space.
QSize picture_size(const ui::Rect& area, float scale) {
  if (!(area.width > 0 && area.height > 0)) return {};
  const float share = std::min(widest * scale / area.width, highest * scale / area.height);
  return {static_cast<int>(std::lround(share * area.width)),
          static_cast<int>(std::lround(share * area.height))};
}

}  // namespace

TimePreview::TimePreview() = default;

TimePreview::~TimePreview() = default;

void TimePreview::release() {
  canvas_.reset();
  clear();
}

void TimePreview::draw(const PreviewSubject& subject, const render::Scene& scene,
                       const render::Camera& camera, const render::Theme& theme, TiledScene& by) {
  subject_ = subject;
  const QSize size = samples * picture_size(subject.area, subject.scale);
  if (size.isEmpty()) return;
  QOpenGLFunctions& gl = *QOpenGLContext::currentContext()->functions();
  if (!canvas_ || canvas_->size() != size) {
    canvas_ = std::make_unique<QOpenGLFramebufferObject>(
        size, QOpenGLFramebufferObject::CombinedDepthStencil);
    gl.glBindTexture(GL_TEXTURE_2D, canvas_->texture());
    for (const unsigned filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
      gl.glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
    gl.glBindTexture(GL_TEXTURE_2D, 0);
  }
  TiledScene::clear(canvas_->handle(), theme);
  by.draw_beside(scene, camera, theme,
                 {.framebuffer = canvas_->handle(),
                  .width = size.width(),
                  .height = size.height(),
                  .pixel_ratio = samples * line_share * subject.scale,
                  .inset = true});
}

ui::TimePicture TimePreview::picture(const ui::Rect& area, float scale) const {
  const QSize size = picture_size(area, scale);
  const bool drawn = subject_ && canvas_;
  return {drawn ? canvas_->texture() : 0U, static_cast<float>(size.width()),
          static_cast<float>(size.height())};
}

}  // namespace twosphere
