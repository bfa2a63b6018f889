// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

/// Rasterises the triangles of ImGui in software, for tests of pixels.
namespace twosphere::ui_test {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;  // 0xRRGGBB, from the top

  std::uint32_t at(int x, int y) const {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

/// The font atlas as the texture, sampled bilinearly.
inline Picture rasterise(const ImDrawData& data, std::uint32_t background) {
  unsigned char* texels = nullptr;
  int tw = 0, th = 0;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&texels, &tw, &th);
  const float ratio = data.FramebufferScale.x;
  Picture picture;
  picture.width = static_cast<int>(std::lround(data.DisplaySize.x * ratio));
  picture.height = static_cast<int>(std::lround(data.DisplaySize.y * ratio));
  picture.pixels.assign(
      static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height),
      background);

  const auto texel = [&](int x, int y) {
    return static_cast<float>(texels[std::clamp(y, 0, th - 1) * tw + std::clamp(x, 0, tw - 1)]);
  };
  const auto sample = [&](float u, float v) {
    const float x = u * static_cast<float>(tw) - 0.5f, y = v * static_cast<float>(th) - 0.5f;
    const int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
    const float fx = x - static_cast<float>(x0), fy = y - static_cast<float>(y0);
    return ((texel(x0, y0) * (1 - fx) + texel(x0 + 1, y0) * fx) * (1 - fy) +
            (texel(x0, y0 + 1) * (1 - fx) + texel(x0 + 1, y0 + 1) * fx) * fy) /
           255;
  };
  const auto blend = [](std::uint32_t below, const float(&rgba)[4]) {
    std::uint32_t result = 0;
    for (int c = 0; c < 3; ++c) {
      const int shift = 16 - 8 * c;
      const float b = static_cast<float>((below >> shift) & 0xff);
      const float mixed = b + (rgba[c] - b) * rgba[3];
      result |= static_cast<std::uint32_t>(std::lround(std::clamp(mixed, 0.0f, 255.0f))) << shift;
    }
    return result;
  };

  for (int l = 0; l < data.CmdListsCount; ++l) {
    const ImDrawList& list = *data.CmdLists[l];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const int clip[4] = {
          std::max(0, static_cast<int>(std::floor(command.ClipRect.x * ratio))),
          std::max(0, static_cast<int>(std::floor(command.ClipRect.y * ratio))),
          std::min(picture.width, static_cast<int>(std::ceil(command.ClipRect.z * ratio))),
          std::min(picture.height, static_cast<int>(std::ceil(command.ClipRect.w * ratio)))};
      for (unsigned i = 0; i < command.ElemCount; i += 3) {
        ImDrawVert v[3];
        for (unsigned k = 0; k < 3; ++k)
          v[k] = list.VtxBuffer[static_cast<int>(
              command.VtxOffset + list.IdxBuffer[static_cast<int>(command.IdxOffset + i + k)])];
        float x[3], y[3];
        for (int k = 0; k < 3; ++k) x[k] = v[k].pos.x * ratio, y[k] = v[k].pos.y * ratio;
        const float area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
        if (area == 0) continue;
        const int left =
                      std::max(clip[0], static_cast<int>(std::floor(std::min({x[0], x[1], x[2]})))),
                  right =
                      std::min(clip[2], static_cast<int>(std::ceil(std::max({x[0], x[1], x[2]})))),
                  top =
                      std::max(clip[1], static_cast<int>(std::floor(std::min({y[0], y[1], y[2]})))),
                  bottom =
                      std::min(clip[3], static_cast<int>(std::ceil(std::max({y[0], y[1], y[2]}))));
        for (int py = top; py < bottom; ++py)
          for (int px = left; px < right; ++px) {
            const float cx = static_cast<float>(px) + 0.5f, cy = static_cast<float>(py) + 0.5f;
            float w[3];
            bool inside = true;
            for (int k = 0; k < 3; ++k) {
              const int a = (k + 1) % 3, b = (k + 2) % 3;
              w[k] = ((x[b] - x[a]) * (cy - y[a]) - (y[b] - y[a]) * (cx - x[a])) / area;
              // An edge belongs to one of the two triangles that share it.
              const float ex = (x[b] - x[a]) / area, ey = (y[b] - y[a]) / area;
              if (w[k] < 0 || (w[k] == 0 && !(ey < 0 || (ey == 0 && ex > 0)))) inside = false;
            }
            if (!inside) continue;
            float rgba[4] = {0, 0, 0, 0}, u = 0, t = 0;
            for (int k = 0; k < 3; ++k) {
              u += w[k] * v[k].uv.x;
              t += w[k] * v[k].uv.y;
              for (int c = 0; c < 4; ++c)
                rgba[c] += w[k] * static_cast<float>((v[k].col >> (8 * c)) & 0xff);
            }
            rgba[3] = rgba[3] / 255 * sample(u, t);
            auto& pixel =
                picture
                    .pixels[static_cast<std::size_t>(py) * static_cast<std::size_t>(picture.width) +
                            static_cast<std::size_t>(px)];
            pixel = blend(pixel, rgba);
          }
      }
    }
  }
  return picture;
}

/// The corners of all triangles of the last frame.
inline std::vector<ImDrawVert> drawn_corners() {
  std::vector<ImDrawVert> corners;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int l = 0; l < data.CmdListsCount; ++l)
    corners.insert(corners.end(), data.CmdLists[l]->VtxBuffer.begin(),
                   data.CmdLists[l]->VtxBuffer.end());
  return corners;
}

}  // namespace twosphere::ui_test
