// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/status_line.h"

#include <QLabel>
#include <QLayout>
#include <QMainWindow>
#include <QSizeGrip>
#include <QStatusBar>
#include <QWindow>
#include <algorithm>
#include <cmath>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/scene/viewport.h"
#include "app/session/live_run.h"
#include "app/session/session.h"

namespace twosphere {
namespace {

constexpr int interval = 150;                  // [ms] between updates of the numbers
constexpr int gap = 12;                        // [px] between the message and the labels
constexpr const char* widest_text = "widest";  // property of its labels
// Property: name of the lane before the text; may be empty.
constexpr const char* lane_name = "lane";

QString number(double value) { return QString::number(value, 'e', 3); }

QString state_name(RunState state) {
  switch (state) {
    case RunState::paused:
      return QStringLiteral("paused");
    case RunState::running:
      return QStringLiteral("running");
    case RunState::finished:
      return QStringLiteral("finished");
    case RunState::failed:
      return QStringLiteral("step failed");
    case RunState::stopped:
      return QStringLiteral("stopped");
  }
  return {};
}

QString state_name(const FollowedFile& file, RunState state) {
  using Activity = FollowedFile::Activity;
  if (file.activity == Activity::computing) return QStringLiteral("running elsewhere");
  if (file.activity == Activity::silent) return QStringLiteral("no news");
  if (file.activity == Activity::ended && state != RunState::paused) return state_name(state);
  return QStringLiteral("ended early");
}

/// The width of a label for its widest text after `words` [px].
int room_for(const QLabel& label, const QString& words) {
  const QMargins around = label.contentsMargins();
  return label.fontMetrics().horizontalAdvance(words + label.property(widest_text).toString()) +
         around.left() + around.right();
}

void show_text(QLabel& label, const QString& text) {
  if (label.text() != text) label.setText(text);
}

}  // namespace

StatusLine::StatusLine(QMainWindow& window, LiveRun& run, Viewport& viewport, Session& session)
    : window_(window),
      bar_(*window.statusBar()),
      run_(run),
      viewport_(viewport),
      session_(session),
      state_(add(QStringLiteral("State"), QStringLiteral("running elsewhere"))),
      step_(add(QStringLiteral("Step"), QStringLiteral("step 1000000"))),
      speed_(add(QStringLiteral("Steps per second"), QStringLiteral("1000000 steps/s"))),
      energy_(add(QStringLiteral("Mean energy error"),
                  QStringLiteral("mean |E − E₀ − W| 1.000e-10 J"))),
      length_(add(QStringLiteral("Largest unit-length error"),
                  QStringLiteral("largest ||q| − 1| 1.000e-10"))),
      by_importance_{energy_, length_, state_, step_, speed_} {
  length_->setContentsMargins(gap, 0, gap, 0);
  connect(&bar_, &QStatusBar::messageChanged, this, &StatusLine::fit);

  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &StatusLine::update);
  // Together with a frame, which updates the whole window anyway, or later if there is none.
  timer_.setInterval(2 * interval);
  connect(&viewport_, &Viewport::coming, this, [this] {
    if (age_.hasExpired(interval)) update();
  });
  connect(&viewport_, &Viewport::drawn, &timer_, qOverload<>(&QTimer::start));
  connect(&run_, &LiveRun::updated, this, [this] {
    if (!timer_.isActive()) timer_.start();
  });
}

QLabel* StatusLine::add(const QString& name, const QString& widest) {
  QLabel* label = plain_label();
  label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  label->setContentsMargins(gap, 0, 0, 0);
  label->setProperty(widest_text, widest);
  label->setAccessibleName(name);
  bar_.addPermanentWidget(label);
  return label;
}

void StatusLine::update() {
  age_.start();
  // Show what the view shows; a hidden view does not update.
  if (!window_.windowHandle() || !window_.windowHandle()->isExposed()) {
    run_.update();
    session_.update();
  }
  const Snapshot& now = run_.snapshot();
  const FollowedFile* followed = run_.followed();
  show_text(*state_, run_.in_past() ? QStringLiteral("in the past")
                     : followed     ? state_name(*followed, now.state)
                                    : state_name(now.state));
  show_text(*step_, QStringLiteral("step %1").arg(viewport_.shown().steps));
  show_text(*speed_, QStringLiteral("%1 steps/s").arg(std::llround(now.steps_per_second)));
  // Of several lanes show the reference lane; the tooltip lists all.
  const auto& histories = run_.histories();
  const auto chosen = static_cast<std::size_t>(viewport_.interface().settings().reference_lane);
  const std::size_t lane = chosen < histories.size() ? chosen : 0;
  if (histories[lane].size() == 0) return;
  const auto energy = [&](std::size_t i) {
    return QStringLiteral("mean |E − E₀ − W| %1 J")
        .arg(number(histories[i].mean_magnitude(Quantity::energy_error)));
  };
  const auto length = [&](std::size_t i) {
    return QStringLiteral("largest ||q| − 1| %1")
        .arg(number(histories[i].worst_magnitude(Quantity::unit_length_error)));
  };
  const bool several = histories.size() > 1;
  const QString name = several ? to_qstring(now.lanes[lane].title()) : QString();
  if (energy_->property(lane_name).toString() != name) {
    energy_->setProperty(lane_name, name);
    fit();
  }
  // Shorten a long name in favour of the number.
  const int room = width() - room_for(*energy_, QStringLiteral(": "));
  show_text(*energy_,
            several ? energy_->fontMetrics().elidedText(name, Qt::ElideMiddle, std::max(room, 1)) +
                          QStringLiteral(": ") + energy(lane)
                    : energy(lane));
  show_text(*length_, length(lane));
  QStringList all;
  for (std::size_t i = 0; several && i < histories.size(); ++i)
    all << QStringLiteral("%1: %2, %3").arg(to_qstring(now.lanes[i].title()), energy(i), length(i));
  for (QLabel* label : {energy_, length_})
    label->setToolTip(plain_tip(all.join(QLatin1Char('\n'))));
}

int StatusLine::width() const {
  const auto* grip = bar_.findChild<QSizeGrip*>();
  return window_.width() - gap - (grip && !grip->isHidden() ? grip->sizeHint().width() : 0);
}

// The errors are most important. Fixed widths keep the labels from widening the window.
void StatusLine::fit() {
  const auto needed = [](const QLabel* label) {
    const QString name = label->property(lane_name).toString();
    return room_for(*label, name.isEmpty() ? name : name + QStringLiteral(": "));
  };
  // A note has priority over the values as long as it is shown.
  const QString note = bar_.currentMessage();
  const int taken = note.isEmpty() ? 0 : bar_.fontMetrics().horizontalAdvance(note) + 2 * gap;
  bar_.setToolTip(plain_tip(note));
  int room = width() - taken;
  for (QLabel* label : by_importance_) {
    const int wide = needed(label);
    label->setMinimumWidth(std::max(1, std::min(wide, room)));
    label->setVisible(!hidden_ && (wide <= room || (label == energy_ && note.isEmpty())));
    room -= wide + bar_.layout()->spacing();
  }
}

void StatusLine::set_font(const QFont& font) {
  for (QLabel* label : by_importance_) label->setFont(font);
  fit();
}

void StatusLine::hide() {
  hidden_ = true;
  fit();
}

}  // namespace twosphere
