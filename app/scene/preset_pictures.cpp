// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/preset_pictures.h"

#include <string>
#include <utility>

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

PresetPictures::PresetPictures(std::function<void()> ready) : ready_(std::move(ready)) {}

std::vector<PresetPictures::Picture> PresetPictures::read_all(bool light) {
  std::vector<Picture> pictures;
  for (const Preset& preset : presets()) {
    QImage level = preset_picture(preset.key, light).convertToFormat(QImage::Format_RGBX8888);
    if (level.isNull()) continue;
    Picture& picture = pictures.emplace_back(Picture{preset.key, {level}});
    while (level.width() > 1 && level.height() > 1) {
      level = level.scaled(level.width() / 2, level.height() / 2, Qt::IgnoreAspectRatio,
                           Qt::SmoothTransformation);
      picture.levels.push_back(level);
    }
  }
  return pictures;
}

void PresetPictures::read(bool light) {
  if (light_ == light) return;
  light_ = light;
  reader_.start([light]() -> Result<std::vector<Picture>> { return read_all(light); },
                [this, light](Result<std::vector<Picture>> pictures) {
                  // Ignore pictures that cannot be read or are no longer needed.
                  if (!pictures || light_ != light) return;
                  read_ = std::move(*pictures);
                  ready_();
                });
}

void PresetPictures::upload() {
  if (read_.empty()) return;
  textures_.clear();
  list_.clear();
  for (const Picture& picture : std::exchange(read_, {})) {
    const QSize size = picture.levels.front().size();
    auto& texture =
        textures_.emplace_back(std::make_unique<QOpenGLTexture>(QOpenGLTexture::Target2D));
    texture->setSize(size.width(), size.height());
    texture->setFormat(QOpenGLTexture::RGBA8_UNorm);
    texture->setAutoMipMapGenerationEnabled(false);  // it would take longer than everything else
    texture->setMipLevels(static_cast<int>(picture.levels.size()));
    texture->allocateStorage(QOpenGLTexture::RGBA, QOpenGLTexture::UInt8);
    int level = 0;
    for (const QImage& image : picture.levels)
      texture->setData(level++, QOpenGLTexture::RGBA, QOpenGLTexture::UInt8, image.constBits());
    texture->setMinMagFilters(QOpenGLTexture::LinearMipMapLinear, QOpenGLTexture::Linear);
    texture->setWrapMode(QOpenGLTexture::ClampToEdge);
    list_.push_back({picture.preset, texture->textureId()});
  }
}

void PresetPictures::release() {
  textures_.clear();
  list_.clear();
  light_.reset();
}

}  // namespace twosphere
