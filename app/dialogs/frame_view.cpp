// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/frame_view.h"

#include <QPainter>
#include <utility>

#include "app/base/qt_text.h"

namespace twosphere {

namespace {

constexpr int pause_before_drawing = 150;  // [ms]

}  // namespace

FrameView::FrameView(QWidget* parent) : QWidget(parent) {
  setMinimumSize(320, 200);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  due_.setSingleShot(true);
  connect(&due_, &QTimer::timeout, this, &FrameView::renew);
}

FrameView::~FrameView() { outdated_ = true; }

void FrameView::show_frame(std::function<LiveFrame()> frame) {
  wanted_ = std::move(frame);
  outdated_ = true;
  due_.start(pause_before_drawing);
}

void FrameView::show_text(const QString& text) {
  due_.stop();
  wanted_ = nullptr;
  outdated_ = true;
  image_ = {};
  seconds_.reset();
  text_ = text;
  setAccessibleDescription(text);
  update();
}

void FrameView::renew() {
  again_ = work_.busy();
  if (again_ || !wanted_) return;
  outdated_ = false;
  work_.start(
      [this, frame = wanted_()]() -> Result<Drawn> {
        const auto drawn = draw(frame, [this] { return outdated_.load(); });
        if (!drawn) return drawn.error();
        const render::Image& image = drawn->image;
        const QImage whole(image.pixels.data(), image.width, image.height, 4 * image.width,
                           QImage::Format_RGBA8888);
        return Drawn{whole.copy(), drawn->seconds};
      },
      [this](Result<Drawn> made) { take(std::move(made)); });
}

void FrameView::take(Result<Drawn> made) {
  if (again_) return renew();
  if (outdated_) return;
  if (!made) return show_text(to_qstring(made.error().text()));
  image_ = std::move(made->image);
  seconds_ = made->seconds;
  setAccessibleDescription({});
  update();
  Q_EMIT drawn();
}

void FrameView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (image_.isNull()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, text_);
    return;
  }
  QSizeF size = image_.size();
  size.scale(QSizeF(width(), height()), Qt::KeepAspectRatio);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(
      QRectF(QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), size), image_);
}

}  // namespace twosphere

#include "moc_frame_view.cpp"
