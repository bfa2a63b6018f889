// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QOpenGLTexture>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ui/interface.h"

namespace twosphere {

/// The picture of a preset that comes with the program, on dark or light ground; null if there is
/// none.
QImage preset_picture(std::string_view preset, bool light);

/// Those pictures as textures of the current OpenGL context.
class PresetPictures {
 public:
  explicit PresetPictures(bool light);
  /// Needs the same context current.
  ~PresetPictures() = default;

  bool light() const { return light_; }
  std::span<const ui::PresetPicture> textures() const { return list_; }

 private:
  bool light_;
  std::vector<std::unique_ptr<QOpenGLTexture>> textures_;
  std::vector<ui::PresetPicture> list_;
};

}  // namespace twosphere
