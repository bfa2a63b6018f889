// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/preset_pictures.h"

#include <string>

#include "core/catalog.h"
#include "embedded/preset_pictures.h"

namespace twosphere {

QImage preset_picture(std::string_view preset, bool light) {
  const std::string name = std::string(preset) + (light ? ".light.jpg" : ".dark.jpg");
  for (const embedded::File& file : embedded::preset_pictures())
    if (file.name == name)
      return QImage::fromData(reinterpret_cast<const uchar*>(file.text.data()),
                              static_cast<int>(file.text.size()), "JPG");
  return {};
}

PresetPictures::PresetPictures(bool light) : light_(light) {
  for (const Preset& preset : presets()) {
    const QImage image = preset_picture(preset.key, light);
    if (image.isNull()) continue;
    auto& texture = textures_.emplace_back(std::make_unique<QOpenGLTexture>(image));
    texture->setMinMagFilters(QOpenGLTexture::LinearMipMapLinear, QOpenGLTexture::Linear);
    texture->setWrapMode(QOpenGLTexture::ClampToEdge);
    list_.push_back({preset.key, texture->textureId()});
  }
}

}  // namespace twosphere
