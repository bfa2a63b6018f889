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
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/labels.h"
#include "app/base/plural.h"
#include "app/base/qt_text.h"
#include "app/dialogs/frame_form.h"
#include "app/dialogs/frame_view.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/scene/viewport.h"
#include "app/session/live_run.h"
#include "core/color/palette.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/schedule.h"
#include "core/scenario/timetable.h"

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

}  // namespace

VideoDialog::VideoDialog(const DialogContext& context)
    : QDialog(&context.window), context_(context) {
  setObjectName(QStringLiteral("film_dialog"));
  const VideoSettings& settings = context.settings.video;
  const bool has_ffmpeg = !ffmpeg().empty();
  kind_ = named(new QComboBox(this), "format");
  for (const KindName& k : kinds)
    if (has_ffmpeg || k.kind == VideoKind::frames)
      kind_->addItem(QLatin1String(k.label), static_cast<int>(k.kind));
  kind_->setCurrentIndex(std::max(0, kind_->findData(static_cast<int>(settings.kind))));

  run_ = named(new QComboBox(this), "run");
  run_->setIconSize(swatch_size);
  for (const Branch& branch : context.run.branches()) add_run(branch);
  from_ = number("from", 0, 0, 1, time_decimals, 0, " s", "From");
  to_ = number("to", 0, 0, 1, time_decimals, 0, " s", "To");
  rate_ = number("rate", 1, 240, 5, 3, settings.rate, {});
  speed_ = number("speed", 1e-6, 1e6, 0.5, 6, settings.speed, " ×");
  speed_->setToolTip(QStringLiteral("Simulated seconds per second of video"));
  const int bodies = context.run.snapshot().system->size();
  follow_ = number_box(this, "follow", {},
                       QStringLiteral("The camera follows this body, from 1 to %1").arg(bodies), 0,
                       bodies, context.viewport.interface().followed() + 1);
  follow_->setSpecialValueText("no body");
  follow_->setPrefix("body ");
  transparent_ = check_box(this, "transparent", "Transparent", {}, settings.transparent);
  backwards_ = check_box(
      this, "backwards", "Play backwards",
      "The same frames in the opposite order. The run is computed up to its last frame first.",
      settings.backwards);
  frame_ =
      new FrameForm(context.settings.frame, context.viewport.interface().settings().plots, this);
  view_ = named(new FrameView(this), "frame", "One frame");
  facts_ = named(plain_label({}, this), "facts");

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  record_ = accept_button(*this, *buttons, "record", "Record…");

  lay_out_with_view(*this, scrolling_column(*this, *fields(has_ffmpeg)), view_, facts_, buttons);
  connect(kind_, &QComboBox::currentIndexChanged, this, &VideoDialog::take);
  connect(run_, &QComboBox::currentIndexChanged, this, &VideoDialog::choose_run);
  connect(follow_, &QSpinBox::valueChanged, this, &VideoDialog::take);
  connect(transparent_, &QCheckBox::toggled, this, &VideoDialog::take);
  connect(frame_, &FrameForm::changed, this, &VideoDialog::take);
  connect(view_, &FrameView::drawn, this, &VideoDialog::show_facts);
  choose_run();
}

/// The column of fields, in the order of the keyboard.
QWidget* VideoDialog::fields(bool has_ffmpeg) {
  auto* column = new QWidget(this);
  auto* form = new QFormLayout;
  if (runs_.size() > 1)
    form->addRow("Run", run_);
  else
    run_->hide();
  form->addRow("Format", kind_);
  if (!has_ffmpeg) {
    QLabel* missing = named(
        html_label("<b>ffmpeg was not found.</b> Frames are written as numbered PNG files; install "
                   "ffmpeg for MP4, WebM or GIF.",
                   this),
        "no_ffmpeg");
    missing->setWordWrap(true);
    form->addRow(missing);
  }
  form->addRow("From", field_pair(from_, "to", to_));
  form->addRow(QString(), backwards_);
  form->addRow("Frames per second", rate_);
  form->addRow("Speed", speed_);
  form->addRow("Camera follows", follow_);
  form->addRow("Background", transparent_);
  QLabel* note = plain_label(
      "The run is repeated from its start, including every change, and drawn with the current "
      "camera. Recording runs in the background.",
      this);
  note->setWordWrap(true);
  auto* all = new QVBoxLayout(column);
  all->addLayout(form);
  all->addWidget(frame_);
  all->addWidget(note);
  all->addStretch(1);
  return column;
}

QDoubleSpinBox* VideoDialog::number(const char* name, double low, double high, double step,
                                    int decimals, double value, const QString& unit,
                                    const QString& spoken) {
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
  auto* box = named(new TrimmedBox(this), name, spoken);
  box->setDecimals(decimals);
  box->setRange(low, high);
  box->setSingleStep(step);
  box->setSuffix(unit);
  box->setValue(value);
  connect(box, &QDoubleSpinBox::valueChanged, this, &VideoDialog::take);
  return box;
}

VideoSettings VideoDialog::settings() const {
  return {static_cast<VideoKind>(kind_->currentData().toInt()), rate_->value(), speed_->value(),
          transparent_->isChecked(), backwards_->isChecked()};
}

VideoPlan VideoDialog::plan() const {
  return {from_->value(),        to_->value(),           rate_->value(),         speed_->value(),
          frame_->frame_width(), frame_->frame_height(), backwards_->isChecked()};
}

void VideoDialog::add_run(const Branch& branch) {
  const LiveRun& run = context_.run;
  const Snapshot& now = run.snapshot();
  const bool present = branch.id == run.present_branch();
  Choice choice{.run = branch.id, .start = start_time(*now.record)};
  if (present) {
    choice.head = now.elapsed;
    choice.end = now.end_time;
  } else {
    const Timetable table(*branch.record);
    const std::int64_t steps =
        branch.checkpoints ? branch.checkpoints->newest()->step() : branch.steps;
    choice.head = choice.start + table.elapsed(steps);
    choice.end = choice.start + table.elapsed(planned_steps(*branch.record));
  }
  runs_.push_back(choice);
  const Palette palette = context_.viewport.interface().settings().palette;
  run_->addItem(swatch(QColor(branch_color(branch.look.color, palette).rgb)),
                to_qstring(branch.look.name + (present ? " (present)" : "")));
  if (present) run_->setCurrentIndex(run_->count() - 1);
}

void VideoDialog::accept() {
  QDialog::accept();
  const VideoSettings& chosen = context_.settings.video = settings();
  context_.settings.frame = frame_->settings();
  const Choice& run = runs_[static_cast<std::size_t>(run_->currentIndex())];
  context_.exports.record_video(run.run, plan(), chosen.kind, options());
}

FrameOptions VideoDialog::options() const {
  return {.layout = frame_->composition(),
          .legend = frame_->legend(),
          .transparent = transparent_->isEnabled() && transparent_->isChecked(),
          .followed = follow_->value() - 1};
}

/// From the start of the run to where it has come.
void VideoDialog::choose_run() {
  const Choice& chosen = runs_[static_cast<std::size_t>(run_->currentIndex())];
  constexpr double far = 1e9;
  for (QDoubleSpinBox* box : {from_, to_}) box->setRange(chosen.start, far);
  from_->setValue(chosen.start);
  to_->setValue(chosen.head > chosen.start ? chosen.head : chosen.end);
  take();
}

/// Follows the fields: the facts, and the frame.
void VideoDialog::take() {
  const bool plain = frame_->composition().plain(),
             clear = settings().kind == VideoKind::frames && plain;
  transparent_->setEnabled(clear);
  transparent_->setText(clear    ? QStringLiteral("Transparent")
                        : !plain ? QStringLiteral("Transparent (the scene alone only)")
                                 : QStringLiteral("Transparent (PNG frames only)"));
  show_facts();
  if (!record_->isEnabled()) return view_->show_text({});
  if (runs_[static_cast<std::size_t>(run_->currentIndex())].run != context_.run.present_branch())
    return view_->show_text(QStringLiteral("A frame is shown of the present run only"));
  view_->show_frame([this] {
    const VideoPlan video = plan();
    return context_.exports.frame(options(), video.width, video.height, video.speed / video.rate,
                                  ui::Interval{video.from, video.to});
  });
}

/// Why there is no such video; empty if there is.
QString VideoDialog::problem() const {
  const VideoPlan video = plan();
  if (const QString of_frames = frame_->problem(); !of_frames.isEmpty()) return of_frames;
  if (video.to < video.from) return QStringLiteral("The video ends before it begins");
  if (!check(video))
    return QStringLiteral("Too many frames: at most %1").arg(VideoPlan::max_frames);
  if (check(settings().kind, video, false)) return {};
  return settings().kind == VideoKind::gif
             ? QStringLiteral("A GIF can have at most 50 frames per second")
             : QStringLiteral("Width and height must be even");
}

/// What the fields come to, or why there is no such video.
void VideoDialog::show_facts() {
  const VideoPlan video = plan();
  const QString problem = this->problem();
  record_->setEnabled(problem.isEmpty());
  if (!problem.isEmpty()) return facts_->setText(problem);
  QString facts = QStringLiteral("%1, %2 s of video")
                      .arg(counted(video.frames(), "frame", "frames"))
                      .arg(std::round(100 * video.seconds()) / 100);
  // Without the steps of the run and the encoding.
  if (const auto each = view_->seconds())
    facts += QStringLiteral(", about %1 s to draw")
                 .arg(std::max(std::round(*each * static_cast<double>(video.frames())), 1.0));
  facts_->setText(facts);
}

DialogRecord video_dialog() {
  return {
      .key = "video", .title = QStringLiteral("Record video"), .make = make_dialog<VideoDialog>};
}

}  // namespace twosphere

#include "moc_video_dialog.cpp"
