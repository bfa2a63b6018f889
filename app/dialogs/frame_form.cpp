// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/frame_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cstddef>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/widgets.h"
#include "render/painter.h"

namespace twosphere {

namespace {

constexpr std::size_t max_offered = 8;  // plots to choose from
constexpr std::array content_labels{"Scene", "Scene and plots", "Plots"};
constexpr std::array place_labels{"Right of the scene, one below the other",
                                  "Below the scene, side by side"};

}  // namespace

FrameForm::FrameForm(const FrameSettings& settings, const std::vector<ui::PlotSpec>& plots,
                     QWidget* parent)
    : QWidget(parent), offered_(plots_for_frames(plots, max_offered)) {
  content_ = named(new QComboBox(this), "content", "Frames show");
  for (const char* label : content_labels) content_->addItem(QLatin1String(label));
  content_->setCurrentIndex(static_cast<int>(settings.content));
  place_ = named(new QComboBox(this), "place", "Place of the plots");
  for (const char* label : place_labels) place_->addItem(QLatin1String(label));
  place_->setCurrentIndex(static_cast<int>(settings.place));
  width_ = side("width", settings.width, "Width");
  height_ = side("height", settings.height, "Height");
  // 0 stands for the default, below the smallest size.
  constexpr int least = static_cast<int>(FrameLayout::smallest_text) - 1;
  text_ = number_box(this, "text_size", "Size of text", {}, least,
                     static_cast<int>(FrameLayout::largest_text), std::max(settings.text, least));
  text_->setSpecialValueText("automatic");
  text_->setSuffix(" px");
  time_ = check_box(this, "time_label", "Time", "In a line above the scene", settings.time);
  title_ = check_box(this, "title", "Title", "In a line above the scene", settings.title);
  title_text_ = named(new QLineEdit(this), "title_text", "Text of the title");
  title_text_->setPlaceholderText("title of the scenario");
  title_text_->setText(settings.title_text);
  legend_ = check_box(this, "legend", "Legend",
                      "The lanes, if there are several, and the scales of colours and arrows",
                      settings.legend);

  QHBoxLayout* size = field_pair(width_, "×", height_);
  size->addWidget(plain_label("px", this));
  auto* title = new QHBoxLayout;
  title->addWidget(title_);
  title->addWidget(title_text_, 1);
  auto* line = new QHBoxLayout;
  line->addWidget(time_);
  line->addWidget(legend_);
  line->addStretch(1);
  auto* form = new QFormLayout(this);
  form->setContentsMargins({});
  form->addRow("Width × height", size);
  form->addRow("Frames show", content_);
  add_plots(*form);
  form->addRow("Place of the plots", place_);
  form->addRow(QString(), title);
  form->addRow(QString(), line);
  form->addRow("Size of text", text_);
  for (QComboBox* box : {content_, place_})
    connect(box, &QComboBox::currentIndexChanged, this, &FrameForm::take);
  for (QCheckBox* box : {time_, title_, legend_})
    connect(box, &QCheckBox::toggled, this, &FrameForm::take);
  connect(text_, &QSpinBox::valueChanged, this, &FrameForm::take);
  connect(title_text_, &QLineEdit::textChanged, this, &FrameForm::take);
  take();
}

QSpinBox* FrameForm::side(const char* name, int value, const QString& spoken) {
  auto* box = number_box(this, name, spoken, {}, render::Painter::smallest,
                         render::Painter::largest, value);
  box->setSingleStep(2);
  connect(box, &QSpinBox::valueChanged, this, &FrameForm::take);
  return box;
}

void FrameForm::add_plots(QFormLayout& form) {
  auto* list = new QVBoxLayout;
  for (std::size_t i = 0; i < offered_.size(); ++i) {
    const QByteArray name = QByteArrayLiteral("plot") + QByteArray::number(i);
    const std::string over = offered_[i].x ? " over " + offered_[i].x->label() : std::string();
    QString label = to_qstring(ui::title(offered_[i]) + over);
    plots_.push_back(check_box(this, name.constData(),
                               label.replace(QLatin1Char('&'), QLatin1String("&&")), {},
                               i < FrameLayout::max_plots));
    list->addWidget(plots_.back());
    connect(plots_.back(), &QCheckBox::toggled, this, &FrameForm::take);
  }
  form.addRow("Plots", list);
}

int FrameForm::frame_width() const { return width_->value(); }
int FrameForm::frame_height() const { return height_->value(); }
bool FrameForm::legend() const { return legend_->isChecked(); }

FrameSettings FrameForm::settings() const {
  return {.content = static_cast<FrameContent>(content_->currentIndex()),
          .place = static_cast<PlotPlace>(place_->currentIndex()),
          .width = width_->value(),
          .height = height_->value(),
          .text = text_->value() == text_->minimum() ? 0 : text_->value(),
          .time = time_->isChecked(),
          .title = title_->isChecked(),
          .title_text = title_text_->text(),
          .legend = legend_->isChecked()};
}

FrameLayout FrameForm::composition() const {
  const FrameSettings chosen = settings();
  FrameLayout layout{.content = chosen.content,
                     .plots = {},
                     .place = chosen.place,
                     .time = chosen.time,
                     .title = {},
                     .text = static_cast<double>(chosen.text)};
  if (chosen.title) layout.title = chosen.title_text.toStdString();
  if (!layout.has_plots()) return layout;
  for (std::size_t i = 0; i < plots_.size(); ++i)
    if (plots_[i]->isChecked()) layout.plots.push_back(offered_[i]);
  return layout;
}

QString FrameForm::problem() const {
  const FrameLayout layout = composition();
  if (layout.plots.size() > FrameLayout::max_plots)
    return QStringLiteral("At most %1 plots").arg(FrameLayout::max_plots);
  if (layout.has_plots() && layout.plots.empty()) return QStringLiteral("No plot is selected");
  if (layout.has_plots() &&
      (frame_width() < FrameLayout::min_width || frame_height() < FrameLayout::min_height))
    return QStringLiteral("With plots at least %1 × %2 px")
        .arg(FrameLayout::min_width)
        .arg(FrameLayout::min_height);
  if (!check(layout, frame_width(), frame_height(), false))
    return QStringLiteral("Too small for this size of text");
  return {};
}

/// Fields without effect are disabled.
void FrameForm::take() {
  const FrameLayout layout = composition();
  place_->setEnabled(layout.has_plots());
  for (QCheckBox* plot : plots_) plot->setEnabled(layout.has_plots());
  title_text_->setEnabled(title_->isChecked());
  text_->setEnabled(!layout.plain());
  Q_EMIT changed();
}

}  // namespace twosphere

#include "moc_frame_form.cpp"
