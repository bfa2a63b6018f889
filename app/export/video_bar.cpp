// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/video_bar.h"

#include <QAction>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <utility>

#include "app/base/labels.h"
#include "app/base/plural.h"

namespace twosphere {

namespace {

constexpr int check_interval = 250;  // [ms]

}  // namespace

VideoBar::VideoBar(QWidget* parent)
    : QToolBar(QStringLiteral("Video"), parent),
      label_(plain_label({}, this)),
      bar_(new QProgressBar(this)) {
  setObjectName(QStringLiteral("film_bar"));
  setMovable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  label_->setContentsMargins(8, 0, 8, 0);
  addWidget(label_);
  bar_->setObjectName(QStringLiteral("film_progress"));
  bar_->setAccessibleName(QStringLiteral("Frames of the video"));
  addWidget(bar_);
  QAction* finish_now = addAction(QStringLiteral("Finish now"), this, &VideoBar::finish);
  finish_now->setObjectName(QStringLiteral("film_finish"));
  finish_now->setToolTip(QStringLiteral("End the video at the last frame drawn and save it"));
  QAction* drop = addAction(QStringLiteral("Cancel"), this, &VideoBar::cancel);
  drop->setObjectName(QStringLiteral("film_cancel"));
  drop->setToolTip(QStringLiteral("Cancel the video without writing a file"));
  connect(&look_, &QTimer::timeout, this, &VideoBar::show_progress);
  hide();
}

VideoBar::~VideoBar() { wish_ = Wish::cancel; }

void VideoBar::finish() { stop(Wish::finish); }
void VideoBar::cancel() { stop(Wish::cancel); }

void VideoBar::show_progress() {
  // A video that plays backwards has no frame until the whole run is computed.
  bar_->setFormat(frames_ == 0 ? QStringLiteral("computing the run")
                               : QStringLiteral("frame %v of %m"));
  bar_->setValue(static_cast<int>(frames_));
}

void VideoBar::stop(Wish wish) {
  wish_ = wish;
  for (QAction* action : actions()) action->setEnabled(false);
}

void VideoBar::start(std::function<Scenario()> record, const VideoPlan& plan, const VideoLook& look,
                     VideoKind kind, const std::string& path) {
  const QString name = QString::fromStdString(path);
  label_->setText(QStringLiteral("Recording %1").arg(QFileInfo(name).fileName()));
  label_->setToolTip(plain_tip(name));
  bar_->setRange(0, static_cast<int>(plan.frames()));
  for (QAction* action : actions()) action->setEnabled(true);
  wish_ = Wish::record;
  frames_ = 0;
  show_progress();
  look_.start(check_interval);
  show();

  const auto work = [this, plan, look, kind, path,
                     record = std::move(record)]() -> Result<VideoEnd> {
    auto simulation = Simulation::create(record());
    if (!simulation) return simulation.error();
    auto writer = open_video(kind, path, plan, look.transparent);
    if (!writer) return writer.error();
    auto end = record_video(
        *simulation, plan, look, **writer, [this] { return wish_ != Wish::record; },
        [this](std::int64_t frames) { frames_ = frames; });
    if (end && wish_ != Wish::cancel && end->frames > 0)
      if (auto done = (*writer)->commit(); !done) return done.error();
    return end;
  };
  work_.start(work, [this, name](const Result<VideoEnd>& end) {
    look_.stop();
    hide();
    Q_EMIT changed();
    if (!end) {
      Q_EMIT ended(end.error(), name, {});
    } else if (wish_ == Wish::cancel || end->frames == 0) {
      Q_EMIT ended({}, {}, QStringLiteral("No video was saved"));
    } else {
      QString what = QStringLiteral("video of ") + counted(end->frames, "frame", "frames");
      if (end->stopped) what += QStringLiteral(", up to where the run stopped");
      if (end->failure) what += QStringLiteral(", up to the failed step");
      Q_EMIT ended({}, name, what);
    }
  });
  Q_EMIT changed();
}

}  // namespace twosphere

#include "moc_video_bar.cpp"
