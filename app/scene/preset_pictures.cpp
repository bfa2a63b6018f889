// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/preset_pictures.h"

#include <algorithm>
#include <string>
#include <utility>

#include "app/base/qt_text.h"
#include "app/session/user_presets.h"
#include "core/catalog.h"
#include "embedded/preset_pictures.h"

namespace twosphere {

namespace {

std::unique_ptr<QOpenGLTexture> empty_texture(QSize size, std::size_t levels) {
  auto texture = std::make_unique<QOpenGLTexture>(QOpenGLTexture::Target2D);
  texture->setSize(size.width(), size.height());
  texture->setFormat(QOpenGLTexture::RGBA8_UNorm);
  texture->setAutoMipMapGenerationEnabled(false);  // it would take longer than everything else
  texture->setMipLevels(static_cast<int>(levels));
  texture->allocateStorage(QOpenGLTexture::RGBA, QOpenGLTexture::UInt8);
  texture->setMinMagFilters(
      levels > 1 ? QOpenGLTexture::LinearMipMapLinear : QOpenGLTexture::Linear,
      QOpenGLTexture::Linear);
  texture->setWrapMode(QOpenGLTexture::ClampToEdge);
  return texture;
}

}  // namespace

QImage preset_picture(std::string_view preset, bool light, bool moving) {
  std::string name =
      std::string(preset) + (moving ? ".strip" : "") + (light ? ".light.jpg" : ".dark.jpg");
  std::replace(name.begin(), name.end(), '/', '_');
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
  for (const std::string& key : preset_keys()) add(key, preset_picture(key, light));
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

void PresetPictures::read_moving(bool light, const std::string& preset) {
  const std::pair wanted(light, preset);
  if (wanted_moving_ == wanted) return;
  wanted_moving_ = wanted;
  read_moving_ = {};
  moving_.reset();
  if (preset.empty()) return;
  reader_.start(
      [wanted]() -> Result<QImage> {
        return preset_picture(wanted.second, wanted.first, true)
            .convertToFormat(QImage::Format_RGBX8888);
      },
      [this, wanted](Result<QImage> picture) {
        if (!picture || picture->isNull() || wanted_moving_ != wanted) return;
        read_moving_ = std::move(*picture);
        ready_();
      });
}

ui::PresetPicture PresetPictures::moving() const {
  return moving_ ? ui::PresetPicture{wanted_moving_.second, moving_->textureId()}
                 : ui::PresetPicture{};
}

void PresetPictures::upload() {
  if (const QImage strip = std::exchange(read_moving_, {}); !strip.isNull()) {
    moving_ = empty_texture(strip.size(), 1);
    moving_->setData(0, QOpenGLTexture::RGBA, QOpenGLTexture::UInt8, strip.constBits());
  }
  if (read_.empty()) return;
  textures_.clear();
  list_.clear();
  for (const Picture& picture : std::exchange(read_, {})) {
    auto& texture =
        textures_.emplace_back(empty_texture(picture.levels.front().size(), picture.levels.size()));
    int level = 0;
    for (const QImage& image : picture.levels)
      texture->setData(level++, QOpenGLTexture::RGBA, QOpenGLTexture::UInt8, image.constBits());
    list_.push_back({picture.preset, texture->textureId()});
  }
}

void PresetPictures::release() {
  textures_.clear();
  list_.clear();
  light_.reset();
  moving_.reset();
  read_moving_ = {};
  wanted_moving_ = {};
}

}  // namespace twosphere
