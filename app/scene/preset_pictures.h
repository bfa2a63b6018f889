// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QOpenGLTexture>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/base/background.h"
#include "ui/interface.h"

namespace twosphere {

/// The picture of a preset that comes with the program, on dark or light ground; null if there is
/// none.
QImage preset_picture(std::string_view preset, bool light);

/// Those pictures as textures of an OpenGL context. Another thread reads them, so that no frame
/// waits for them; they come all at once.
class PresetPictures {
 public:
  /// `ready` is called whenever pictures have been read.
  explicit PresetPictures(std::function<void()> ready);

  /// Has those on dark or light ground read, unless they have been last.
  void read(bool light);
  /// Makes textures of what was read since. Needs the context current, always the same until
  /// release(), which needs it too.
  void upload();
  void release();
  std::span<const ui::PresetPicture> textures() const { return list_; }

 private:
  struct Picture {
    std::string_view preset;
    std::vector<QImage> levels;  ///< each half as wide and high as the one before
  };
  static std::vector<Picture> read_all(bool light);

  std::function<void()> ready_;
  std::optional<bool> light_;
  std::vector<std::unique_ptr<QOpenGLTexture>> textures_;
  std::vector<ui::PresetPicture> list_;
  std::vector<Picture> read_;  ///< and not made textures of yet
  Background reader_;
};

}  // namespace twosphere
