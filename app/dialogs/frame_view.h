// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <atomic>
#include <functional>
#include <optional>

#include "app/base/background.h"
#include "app/export/live_frame.h"

namespace twosphere {

/// A frame as it will be, as large as there is room for. It is drawn in the background, again when
/// something else is chosen.
class FrameView : public QWidget {
  Q_OBJECT
 public:
  explicit FrameView(QWidget* parent);
  ~FrameView() override;

  /// Shows the frame that this returns, soon; it is called when it is drawn.
  void show_frame(std::function<LiveFrame()> frame);
  void show_text(const QString& text);
  /// The frame shown, at its full size; null: none is.
  const QImage& frame() const { return image_; }
  /// How long it took to draw it, without what is made only once for a video [s]; none: not known.
  std::optional<double> seconds() const { return seconds_; }
  QSize sizeHint() const override { return {480, 300}; }

 Q_SIGNALS:
  /// The frame shown is the one asked for last.
  void drawn();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Drawn {
    QImage image;
    double seconds = 0;
  };
  void renew();
  void take(Result<Drawn> made);

  std::function<LiveFrame()> wanted_;
  QImage image_;
  QString text_;
  std::optional<double> seconds_;
  QTimer due_;
  bool again_ = false;                 // what was asked for has changed since the drawing began
  std::atomic<bool> outdated_{false};  // what is drawn is not asked for any more
  Background work_;                    // last: its threads end before the rest
};

}  // namespace twosphere
