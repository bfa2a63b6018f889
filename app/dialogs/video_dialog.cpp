// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/video_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QPixmap>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/labels.h"
#include "app/base/plural.h"
#include "app/base/qt_text.h"
#include "app/dialogs/dialog.h"
#include "app/export/export_controller.h"
#include "app/scene/viewport.h"
#include "app/session/live_run.h"
#include "core/color/palette.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/schedule.h"
#include "core/scenario/timetable.h"
#include "render/painter.h"

namespace twosphere {

namespace {

struct KindName {
  VideoKind kind;
  const char* label;
};
constexpr std::array kinds{
    KindName{VideoKind::mp4, "MP4 (H.264)"}, KindName{VideoKind::webm, "WebM (VP9)"},
    KindName{VideoKind::mkv, "Matroska (H.264)"}, KindName{VideoKind::gif, "GIF"},
    KindName{VideoKind::frames, "PNG frames"}};

constexpr int time_decimals = 6;
constexpr QSize run_swatch{18, 10};  // beside the name of a run

}  // namespace

VideoDialog::VideoDialog(const VideoSettings& settings, const VideoSubject& subject,
                         bool has_ffmpeg, QWidget* parent)
    : QDialog(parent), runs_(subject.runs) {
  setObjectName(QStringLiteral("film_dialog"));
  kind_ = new QComboBox(this);
  kind_->setObjectName(QStringLiteral("format"));
  for (const KindName& k : kinds)
    if (has_ffmpeg || k.kind == VideoKind::frames)
      kind_->addItem(QLatin1String(k.label), static_cast<int>(k.kind));
  kind_->setCurrentIndex(std::max(0, kind_->findData(static_cast<int>(settings.kind))));

  run_ = new QComboBox(this);
  run_->setObjectName(QStringLiteral("run"));
  run_->setIconSize(run_swatch);
  for (const VideoChoice& choice : runs_) {
    QPixmap color(run_swatch);
    color.fill(choice.color);
    run_->addItem(color, choice.present ? choice.name + QStringLiteral(" (present)") : choice.name);
    if (choice.present) run_->setCurrentIndex(run_->count() - 1);
  }
  from_ = number("from", 0, 0, 1, time_decimals, 0, QStringLiteral(" s"));
  to_ = number("to", 0, 0, 1, time_decimals, 0, QStringLiteral(" s"));
  from_->setAccessibleName(QStringLiteral("From"));
  to_->setAccessibleName(QStringLiteral("To"));
  rate_ = number("rate", 1, 240, 5, 3, settings.rate, {});
  speed_ = number("speed", 1e-6, 1e6, 0.5, 6, settings.speed, QStringLiteral(" ×"));
  speed_->setToolTip(QStringLiteral("Simulated seconds per second of video"));
  width_ = side("width", settings.width);
  height_ = side("height", settings.height);
  width_->setAccessibleName(QStringLiteral("Width"));
  height_->setAccessibleName(QStringLiteral("Height"));
  follow_ = new QSpinBox(this);
  follow_->setObjectName(QStringLiteral("follow"));
  follow_->setRange(0, subject.bodies);
  follow_->setSpecialValueText(QStringLiteral("no body"));
  follow_->setPrefix(QStringLiteral("body "));
  follow_->setValue(subject.followed + 1);
  follow_->setToolTip(
      plain_tip(QStringLiteral("The camera follows this body, from 1 to %1").arg(subject.bodies)));
  transparent_ = new QCheckBox(QStringLiteral("Transparent"), this);
  transparent_->setObjectName(QStringLiteral("transparent"));
  transparent_->setChecked(settings.transparent);
  backwards_ = new QCheckBox(QStringLiteral("Play backwards"), this);
  backwards_->setObjectName(QStringLiteral("backwards"));
  backwards_->setChecked(settings.backwards);
  backwards_->setToolTip(QStringLiteral(
      "The same frames in the opposite order. The run is computed up to its last frame first."));
  facts_ = plain_label({}, this);
  facts_->setObjectName(QStringLiteral("facts"));

  const auto row = [this](QWidget* a, const QString& between, QWidget* b, const QString& unit) {
    auto* both = new QHBoxLayout;
    both->addWidget(a, 1);
    both->addWidget(plain_label(between, this));
    both->addWidget(b, 1);
    if (!unit.isEmpty()) both->addWidget(plain_label(unit, this));
    return both;
  };
  auto* form = new QFormLayout;
  if (runs_.size() > 1)
    form->addRow(QStringLiteral("Run"), run_);
  else
    run_->hide();
  form->addRow(QStringLiteral("Format"), kind_);
  form->addRow(QStringLiteral("From"), row(from_, QStringLiteral("to"), to_, {}));
  form->addRow(QString(), backwards_);
  form->addRow(QStringLiteral("Frames per second"), rate_);
  form->addRow(QStringLiteral("Speed"), speed_);
  form->addRow(QStringLiteral("Width × height"),
               row(width_, QStringLiteral("×"), height_, QStringLiteral("px")));
  form->addRow(QStringLiteral("Camera follows"), follow_);
  form->addRow(QStringLiteral("Background"), transparent_);
  QLabel* note = plain_label(
      QStringLiteral("The run is repeated from its start, including every change, and "
                     "drawn with the current camera. Recording runs in the background."),
      this);
  note->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  record_ = buttons->addButton(QStringLiteral("Record…"), QDialogButtonBox::AcceptRole);
  record_->setObjectName(QStringLiteral("record"));
  record_->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

  auto* all = new QVBoxLayout(this);
  all->addLayout(form);
  if (!has_ffmpeg) {
    QLabel* missing = html_label(
        QStringLiteral(
            "<b>ffmpeg was not found.</b> Frames are written as numbered PNG files; install ffmpeg "
            "for MP4, WebM or GIF."),
        this);
    missing->setObjectName(QStringLiteral("no_ffmpeg"));
    missing->setWordWrap(true);
    all->addWidget(missing);
  }
  all->addWidget(note);
  all->addWidget(facts_);
  all->addStretch(1);
  all->addWidget(buttons);
  setMinimumWidth(460);
  connect(kind_, &QComboBox::currentIndexChanged, this, &VideoDialog::take);
  connect(run_, &QComboBox::currentIndexChanged, this, &VideoDialog::choose_run);
  choose_run();
}

QDoubleSpinBox* VideoDialog::number(const char* name, double low, double high, double step,
                                    int decimals, double value, const QString& unit) {
  /// Shows no zeros at the end.
  class TrimmedBox : public QDoubleSpinBox {
   public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double shown) const override {
      QString text = QDoubleSpinBox::textFromValue(shown);
      if (!text.contains(QLatin1Char('.'))) return text;
      while (text.endsWith(QLatin1Char('0'))) text.chop(1);
      if (text.endsWith(QLatin1Char('.'))) text.chop(1);
      return text;
    }
  };
  auto* box = new TrimmedBox(this);
  box->setObjectName(QLatin1String(name));
  box->setDecimals(decimals);
  box->setRange(low, high);
  box->setSingleStep(step);
  box->setSuffix(unit);
  box->setValue(value);
  connect(box, &QDoubleSpinBox::valueChanged, this, &VideoDialog::take);
  return box;
}

QSpinBox* VideoDialog::side(const char* name, int value) {
  auto* box = new QSpinBox(this);
  box->setObjectName(QLatin1String(name));
  box->setRange(render::Painter::smallest, render::Painter::largest);
  box->setSingleStep(2);
  box->setValue(value);
  connect(box, &QSpinBox::valueChanged, this, &VideoDialog::take);
  return box;
}

VideoSettings VideoDialog::settings() const {
  return {static_cast<VideoKind>(kind_->currentData().toInt()),
          rate_->value(),
          speed_->value(),
          width_->value(),
          height_->value(),
          transparent_->isChecked(),
          backwards_->isChecked()};
}

int VideoDialog::followed() const { return follow_->value() - 1; }

VideoPlan VideoDialog::plan() const {
  return {from_->value(),  to_->value(),     rate_->value(),         speed_->value(),
          width_->value(), height_->value(), backwards_->isChecked()};
}

int VideoDialog::run() const { return runs_[static_cast<std::size_t>(run_->currentIndex())].run; }

/// From the start of the run to where it has come.
void VideoDialog::choose_run() {
  const VideoChoice& chosen = runs_[static_cast<std::size_t>(run_->currentIndex())];
  constexpr double far = 1e9;
  for (QDoubleSpinBox* box : {from_, to_}) box->setRange(chosen.start, far);
  from_->setValue(chosen.start);
  to_->setValue(chosen.head > chosen.start ? chosen.head : chosen.end);
  take();
}

/// What the fields come to, or why there is no such video.
void VideoDialog::take() {
  const VideoPlan video = plan();
  const bool frames = settings().kind == VideoKind::frames;
  transparent_->setEnabled(frames);
  transparent_->setText(frames ? QStringLiteral("Transparent")
                               : QStringLiteral("Transparent (PNG frames only)"));
  QString problem;
  if (video.to < video.from)
    problem = QStringLiteral("The video ends before it begins");
  else if (!check(video))
    problem = QStringLiteral("Too many frames: at most %1").arg(VideoPlan::most_frames);
  else if (const auto fine = check(settings().kind, video, false); !fine)
    problem = settings().kind == VideoKind::gif
                  ? QStringLiteral("A GIF can have at most 50 frames per second")
                  : QStringLiteral("Width and height must be even");
  record_->setEnabled(problem.isEmpty());
  facts_->setText(problem.isEmpty() ? QStringLiteral("%1, %2 s of video")
                                          .arg(counted(video.frames(), "frame", "frames"))
                                          .arg(std::round(100 * video.seconds()) / 100)
                                    : problem);
}

namespace {

VideoChoice choice_of(const Branch& branch, const DialogContext& context) {
  const LiveRun& run = context.run;
  const Snapshot& now = run.snapshot();
  VideoChoice choice;
  choice.run = branch.id;
  choice.name = to_qstring(branch.look.name);
  choice.color =
      QColor(branch_color(branch.look.color, context.viewport.interface().settings().palette).rgb);
  choice.present = branch.id == run.present_branch();
  choice.start = start_time(*now.record);
  if (choice.present) {
    choice.head = now.elapsed;
    choice.end = now.end_time;
  } else {
    const Timetable table(*branch.record);
    const std::int64_t steps =
        branch.checkpoints ? branch.checkpoints->newest()->step() : branch.steps;
    choice.head = choice.start + table.elapsed(steps);
    choice.end = choice.start + table.elapsed(planned_steps(*branch.record));
  }
  return choice;
}

QDialog* make_video_dialog(const DialogContext& context) {
  context.run.update();
  VideoSubject subject{.runs = {},
                       .bodies = context.run.snapshot().system->size(),
                       .followed = context.viewport.interface().followed()};
  for (const Branch& branch : context.run.branches())
    subject.runs.push_back(choice_of(branch, context));
  auto* dialog =
      new VideoDialog(context.settings.video, subject, !ffmpeg().empty(), &context.window);
  QObject::connect(dialog, &QDialog::accepted, &context.window, [context, dialog] {
    const VideoSettings& chosen = context.settings.video = dialog->settings();
    context.exports.record_video(dialog->run(), dialog->plan(), chosen.kind, chosen.transparent,
                                 dialog->followed());
  });
  return dialog;
}

}  // namespace

DialogRecord video_dialog() {
  return {.key = "video", .title = QStringLiteral("Record video"), .make = make_video_dialog};
}

}  // namespace twosphere

#include "moc_video_dialog.cpp"
