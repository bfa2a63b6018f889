// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/picture_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QMainWindow>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/base/labels.h"
#include "app/dialogs/frame_form.h"
#include "app/dialogs/frame_view.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/scene/viewport.h"
#include "app/session/live_run.h"
#include "core/scenario/run_clock.h"

namespace twosphere {

PictureDialog::PictureDialog(const DialogContext& context)
    : QDialog(&context.window), context_(context) {
  setObjectName(QStringLiteral("picture_dialog"));
  const PictureSettings& settings = context.settings.picture;
  what_ = named(new QComboBox(this), "what", "Picture");
  what_->addItems({"The window as it is", "A frame of the instant shown"});
  what_->setCurrentIndex(settings.window ? 0 : 1);
  transparent_ =
      check_box(this, "transparent", "Transparent background",
                "Of the scene alone, without plots, title and time", settings.transparent);
  form_ =
      new FrameForm(context.settings.frame, context.viewport.interface().settings().plots, this);
  view_ = named(new FrameView(this), "frame", "The picture");
  facts_ = named(plain_label({}, this), "facts");
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  save_ = accept_button(*this, *buttons, "save", "Save…");

  auto* fields = new QWidget(this);
  auto* first = new QFormLayout;
  first->addRow("Picture", what_);
  auto* left = new QVBoxLayout(fields);
  left->addLayout(first);
  left->addWidget(form_);
  left->addWidget(transparent_);
  left->addStretch(1);
  lay_out_with_view(*this, scrolling_column(*this, *fields), view_, facts_, buttons);
  connect(what_, &QComboBox::currentIndexChanged, this, &PictureDialog::take);
  connect(transparent_, &QCheckBox::toggled, this, &PictureDialog::take);
  connect(form_, &FrameForm::changed, this, &PictureDialog::take);
  take();
}

bool PictureDialog::of_window() const { return what_->currentIndex() == 0; }

FrameOptions PictureDialog::options() const {
  return {.layout = form_->composition(),
          .legend = form_->legend(),
          .transparent = transparent_->isEnabled() && transparent_->isChecked(),
          .followed = context_.viewport.interface().followed()};
}

LiveFrame PictureDialog::frame() const {
  return context_.exports.frame(options(), form_->frame_width(), form_->frame_height(),
                                grid_step(context_.run.snapshot().present->lanes));
}

void PictureDialog::accept() {
  if (!save_->isEnabled()) return;
  context_.settings.picture = {.window = of_window(), .transparent = transparent_->isChecked()};
  context_.settings.frame = form_->settings();
  QDialog::accept();
  if (of_window())
    context_.exports.save_picture();
  else
    context_.exports.save_frame(frame());
}

/// Follows the fields.
void PictureDialog::take() {
  form_->setEnabled(!of_window());
  transparent_->setEnabled(!of_window() && form_->composition().plain());
  const QString problem = of_window() ? QString() : form_->problem();
  save_->setEnabled(problem.isEmpty());
  if (of_window() || !problem.isEmpty()) {
    facts_->setText(problem);
    return view_->show_text(of_window() ? QStringLiteral("The window as it is") : QString());
  }
  facts_->setText(
      QStringLiteral("%1 × %2 px").arg(form_->frame_width()).arg(form_->frame_height()));
  view_->show_frame([this] { return frame(); });
}

DialogRecord picture_dialog() {
  return {
      .key = "picture", .title = QStringLiteral("Save image"), .make = make_dialog<PictureDialog>};
}

}  // namespace twosphere

#include "moc_picture_dialog.cpp"
