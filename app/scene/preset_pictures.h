// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QOpenGLTexture>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/background.h"
#include "ui/interface.h"

namespace twosphere {

/// The picture of a preset of the program, on a dark or light background; null if there is none.
/// `moving`: ui::moving_picture_frames of them, one below another.
QImage preset_picture(std::string_view preset, bool light, bool moving = false);

/// The pictures of all presets as textures of an OpenGL context. They are read on another thread,
/// so that no frame waits for them, and become available together; the moving picture of one
/// preset, when it is wanted.
class PresetPictures {
 public:
  /// `ready` is called when pictures have been read.
  explicit PresetPictures(std::function<void()> ready);

  /// Reads the pictures with a dark or light background and those of the user's presets, by the
  /// paths of their files, unless they were the last ones read.
  void read(bool light, const std::vector<std::string>& own);
  /// Reads the moving picture of this preset of the program, unless it was the last one read; none
  /// if it is empty.
  void read_moving(bool light, const std::string& preset);
  /// Reads them all again when read() is called next.
  void forget() { light_.reset(); }
  /// Makes textures of pictures that have been read. The same OpenGL context must be current in
  /// every call and in release().
  void upload();
  void release();
  std::span<const ui::PresetPicture> textures() const { return list_; }
  ui::PresetPicture moving() const;

 private:
  struct Picture {
    std::string preset;
    std::vector<QImage> levels;  ///< mipmap levels, each half the size of the previous one
  };
  static std::vector<Picture> read_all(bool light, const std::vector<std::string>& own);

  std::function<void()> ready_;
  std::optional<bool> light_;
  std::vector<std::unique_ptr<QOpenGLTexture>> textures_;
  std::vector<ui::PresetPicture> list_;
  std::vector<Picture> read_;                   ///< read, but without textures yet
  std::pair<bool, std::string> wanted_moving_;  ///< light, and the preset
  QImage read_moving_;                          ///< read, but without a texture yet
  std::unique_ptr<QOpenGLTexture> moving_;
  Background reader_;
};

}  // namespace twosphere
