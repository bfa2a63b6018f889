// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/preset_pictures.h"

#include <string>
#include <utility>

#include "app/base/qt_text.h"
#include "app/session/user_presets.h"
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

std::vector<PresetPictures::Picture> PresetPictures::read_all(bool light,
                                                              const std::vector<std::string>& own) {
  std::vector<Picture> pictures;
  const auto add = [&](std::string key, const QImage& read) {
    QImage level = read.convertToFormat(QImage::Format_RGBX8888);
    if (level.isNull()) return;
    Picture& picture = pictures.emplace_back(Picture{std::move(key), {level}});
    while (level.width() > 1 && level.height() > 1) {
      level = level.scaled(level.width() / 2, level.height() / 2, Qt::IgnoreAspectRatio,
                           Qt::SmoothTransformation);
      picture.levels.push_back(level);
    }
  };
  for (const Preset& preset : presets())
    add(std::string(preset.key), preset_picture(preset.key, light));
  for (const std::string& file : own) add(file, QImage(user_preset_picture(to_qstring(file))));
  return pictures;
}

void PresetPictures::read(bool light, const std::vector<std::string>& own) {
  if (light_ == light) return;
  light_ = light;
  reader_.start([light, own]() -> Result<std::vector<Picture>> { return read_all(light, own); },
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
