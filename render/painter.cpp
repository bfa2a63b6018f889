// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "render/gl.h"

namespace twosphere::render {

namespace {

constexpr int tile = 2048;  // width and height of a tile [device pixels]
constexpr int band = 1024;  // rows of it between calls of `stop`

// Averages the samples of a tile into the picture at (x0, y0). Rounding is dithered, so that
// gradients have no visible steps.
void reduce(const Image& tile_image, int samples, int x0, int y0, Image& picture) {
  constexpr std::array<unsigned, 4> order = {0, 2, 3, 1};
  const int width = std::min(tile_image.width / samples, picture.width - x0);
  const int height = std::min(tile_image.height / samples, picture.height - y0);
  const unsigned count = static_cast<unsigned>(samples * samples);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::array<unsigned, 4> sum{};
      for (int j = 0; j < samples; ++j)
        for (int i = 0; i < samples; ++i) {
          const std::uint8_t* from = tile_image.at(x * samples + i, y * samples + j);
          for (std::size_t c = 0; c < 4; ++c) sum[c] += from[c];
        }
      const unsigned rise = order[static_cast<std::size_t>((y & 1) * 2 + (x & 1))] % count;
      std::uint8_t* to = picture.at(x0 + x, y0 + y);
      const unsigned alpha = sum[3];
      // Convert premultiplied to straight alpha.
      for (std::size_t c = 0; c < 3; ++c)
        to[c] = static_cast<std::uint8_t>(
            alpha == 0 ? 0 : std::min(255u, (255 * sum[c] + rise * alpha / count) / alpha));
      to[3] = static_cast<std::uint8_t>((alpha + rise) / count);
    }
}

// Strokes of letters, in units of the x-height; y points down from the baseline.
using Stroke = std::vector<glm::vec2>;

void arc(Stroke& stroke, glm::vec2 center, glm::vec2 radius, float from, float to) {
  constexpr int pieces = 20;
  for (int i = 0; i <= pieces; ++i) {
    const float a =
        (from + (to - from) * static_cast<float>(i) / pieces) * std::numbers::pi_v<float> / 180;
    stroke.push_back(center + radius * glm::vec2(std::cos(a), -std::sin(a)));
  }
}

std::vector<Stroke> letter(char name) {
  Stroke a, b;
  switch (name) {
    case 'e':
      a = {{0.04f, -0.5f}};
      arc(a, {0.5f, -0.5f}, {0.46f, 0.5f}, 0, 312);
      break;
    case 'g':
      arc(a, {0.5f, -0.5f}, {0.44f, 0.5f}, 0, 360);
      b = {{0.94f, -1}};
      arc(b, {0.5f, 0.05f}, {0.44f, 0.4f}, 0, -145);
      break;
    case '1':
      a = {{0.1f, -0.8f}, {0.42f, -1}, {0.42f, 0}};
      break;
    case '2':
      arc(a, {0.36f, -0.7f}, {0.3f, 0.3f}, 165, -35);
      a.insert(a.end(), {{0.03f, 0}, {0.7f, 0}});
      break;
    default:  // 3
      arc(a, {0.33f, -0.76f}, {0.27f, 0.24f}, 150, -90);
      arc(a, {0.33f, -0.27f}, {0.31f, 0.27f}, 80, -150);
      break;
  }
  std::vector<Stroke> strokes{std::move(a)};
  if (!b.empty()) strokes.push_back(std::move(b));
  return strokes;
}

float distance(glm::vec2 p, glm::vec2 a, glm::vec2 b) {
  const glm::vec2 along = b - a;
  const float s = glm::dot(p - a, along) / std::max(glm::dot(along, along), 1e-12f);
  return glm::distance(p, a + std::clamp(s, 0.0f, 1.0f) * along);
}

// Draws a letter over the picture. Position (start of the baseline), height and width are in
// pixels.
void write(Image& picture, char name, glm::vec2 place, float height, float width, glm::vec3 color) {
  std::vector<Stroke> strokes = letter(name);
  glm::vec2 low(std::numeric_limits<float>::max()), high(std::numeric_limits<float>::lowest());
  for (Stroke& stroke : strokes)
    for (glm::vec2& p : stroke) {
      p = place + height * p;
      low = glm::min(low, p);
      high = glm::max(high, p);
    }
  const auto from = [&](float v) { return std::max(static_cast<int>(v - width - 1), 0); };
  const auto to = [&](float v, int most) {
    return std::min(static_cast<int>(v + width + 2), most);
  };
  for (int y = from(low.y); y < to(high.y, picture.height); ++y)
    for (int x = from(low.x); x < to(high.x, picture.width); ++x) {
      const glm::vec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
      float away = std::numeric_limits<float>::max();
      for (const Stroke& stroke : strokes)
        for (std::size_t i = 0; i + 1 < stroke.size(); ++i)
          away = std::min(away, distance(p, stroke[i], stroke[i + 1]));
      const float cover = std::clamp(0.5f + 0.5f * width - away, 0.0f, 1.0f);
      if (cover <= 0) continue;
      std::uint8_t* pixel = picture.at(x, y);
      const float below = static_cast<float>(pixel[3]) / 255 * (1 - cover), alpha = cover + below;
      for (int c = 0; c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>(
            std::lround((255 * color[c] * cover + static_cast<float>(pixel[c]) * below) / alpha));
      pixel[3] = static_cast<std::uint8_t>(std::lround(255 * alpha));
    }
}

// Centres are in logical pixels from `corner`.
void write_labels(Image& picture, const AxisLabels& labels, const Theme& theme, float ratio,
                  glm::vec2 corner) {
  constexpr float x_height = 7.6f, digit_height = 6, stroke = 1.3f, thin_stroke = 1.1f;
  const glm::vec3 quiet = glm::mix(theme.text, theme.background_bottom, 0.3f);
  for (std::size_t i = 0; i < labels.tips.size(); ++i) {
    const glm::vec2 start = labels.tips[i] + glm::vec2(-6.3f, 3.2f);
    write(picture, 'e', corner + ratio * start, ratio * x_height, ratio * stroke, quiet);
    write(picture, static_cast<char>('1' + i), corner + ratio * (start + glm::vec2(8.6f, 2.8f)),
          ratio * digit_height, ratio * thin_stroke, quiet);
  }
  if (labels.has_gravity)
    write(picture, 'g', corner + ratio * (labels.gravity + glm::vec2(-3.8f, 2.4f)),
          ratio * x_height, ratio * stroke, theme.text);
}

}  // namespace

Result<std::unique_ptr<Painter>> Painter::create(int width, int height) {
  if (std::min(width, height) < smallest || std::max(width, height) > largest)
    return Error{ErrorKind::usage, "picture",
                 "width and height must be from " + std::to_string(smallest) + " to " +
                     std::to_string(largest) + " pixels, not " + std::to_string(width) + "x" +
                     std::to_string(height)};
  std::unique_ptr<Painter> made(new Painter);
  made->width_ = width;
  made->height_ = height;
  auto offscreen = Offscreen::create(std::min(2 * width, tile), std::min(2 * height, tile));
  if (!offscreen) return offscreen.error();
  made->offscreen_ = std::move(*offscreen);
  std::array<GLint, 2> most{};
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, most.data());
  made->samples_ = 2 * width <= most[0] && 2 * height <= most[1] ? 2 : 1;
  auto renderer = Renderer::create();
  if (!renderer)
    return Error{ErrorKind::input_output, "offscreen rendering", renderer.error().text()};
  made->renderer_ = std::move(*renderer);
  return made;
}

float Painter::picture_ratio(int width, int height) {
  const float scale = std::min(static_cast<float>(width) / 1280, static_cast<float>(height) / 800);
  return std::max(scale, std::min(1.0f, 2 * scale));
}

Image Painter::paint(const Scene& scene, const Camera& camera, const Theme& theme, bool transparent,
                     const std::function<bool()>& stop,
                     const std::function<void(const Tile&)>& over) const {
  const PicturePart whole{scene, camera, {0, 0, width_, height_}};
  return paint(std::span(&whole, 1), theme, transparent, stop, over);
}

Image Painter::paint(std::span<const PicturePart> parts, const Theme& theme, bool transparent,
                     const std::function<bool()>& stop,
                     const std::function<void(const Tile&)>& over) const {
  const float ratio = picture_ratio(width_, height_);
  Image picture{width_, height_, {}};
  picture.pixels.resize(4 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));

  Target target = offscreen_->target(ratio * static_cast<float>(samples_));
  const int tile_width = target.width / samples_, tile_height = target.height / samples_;
  target.transparent = transparent;
  AxisLabels labels;
  glm::vec2 corner{0};  // of the part with the axes [pixels]
  for (int y = 0; y < height_; y += tile_height)
    for (int x = 0; x < width_; x += tile_width) {
      for (int row = 0; row < tile_height * samples_; row += band) {
        if (stop) {
          glFinish();  // what is drawn slowly is drawn before the question
          if (stop()) return picture;
        }
        for (const PicturePart& part : parts) {
          // The viewport of the whole part, shifted so that one tile lies in the framebuffer.
          target.x = (part.area.x - x) * samples_;
          // OpenGL's rows begin at the bottom.
          target.y = (y + tile_height - part.area.y - part.area.height) * samples_;
          target.width = part.area.width * samples_;
          target.height = part.area.height * samples_;
          target.axes = part.axes;
          target.first_row = std::clamp(row - target.y, 0, target.height);
          target.rows = std::clamp(row + band - target.y, 0, target.height) - target.first_row;
          if (target.rows <= 0) continue;
          const AxisLabels drawn = renderer_->draw(part.scene, part.camera, theme, target);
          if (!part.axes) continue;
          labels = drawn;
          corner = glm::vec2(part.area.x, part.area.y);
        }
      }
      if (over)
        over({static_cast<float>(x * samples_), static_cast<float>(y * samples_),
              static_cast<float>(tile_width * samples_), static_cast<float>(tile_height * samples_),
              static_cast<float>(width_ * samples_), static_cast<float>(height_ * samples_)});
      reduce(offscreen_->read(), samples_, x, y, picture);
    }
  write_labels(picture, labels, theme, ratio, corner);
  return picture;
}

}  // namespace twosphere::render
