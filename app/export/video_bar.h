// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QToolBar>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "app/base/background.h"
#include "app/export/video.h"
#include "core/scenario/scenario.h"

class QLabel;
class QProgressBar;

namespace twosphere {

/// A strip of the window that records a video on another thread, from a copy of a run's
/// record, and shows how far it is. Hidden while there is nothing to record.
class VideoBar : public QToolBar {
  Q_OBJECT
 public:
  explicit VideoBar(QWidget* parent);
  /// Gives the recording up.
  ~VideoBar() override;

  bool recording() const { return work_.busy(); }
  /// Of the run that a function returns, which is called on another thread and may wait for it.
  void start(std::function<Scenario()> record, const VideoPlan& plan, const VideoLook& look,
             VideoKind kind, const std::string& path);
  /// Keeps the frames there are.
  void finish();
  /// Leaves nothing.
  void cancel();

 Q_SIGNALS:
  /// `what` is in the file, in words.
  void ended(const Result<void>& done, const QString& path, const QString& what);
  /// recording() is another.
  void changed();

 private:
  enum class Wish { record, finish, cancel };
  void stop(Wish wish);
  void show_progress();

  QLabel* label_;
  QProgressBar* bar_;
  std::atomic<Wish> wish_ = Wish::record;
  std::atomic<std::int64_t> frames_ = 0;  // written so far
  QTimer look_;                           // at that; drawing the bar draws the whole window
  Background work_;                       // last: it uses the others
};

}  // namespace twosphere
