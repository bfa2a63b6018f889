// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/figure_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/labels.h"
#include "app/dialogs/figure_view.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/scene/viewport.h"
#include "app/session/live_run.h"
#include "core/base/interrupt.h"

namespace twosphere {

namespace {

constexpr double points_per_inch = 72;
constexpr double smallest = 72, largest = 72 * 40;  // of a side [pt]
constexpr int columns_per_point = 4;
constexpr int pause = 60;  // [ms] before the preview follows

}  // namespace

FigureDialog::FigureDialog(const DialogContext& context)
    : QDialog(&context.window),
      context_(context),
      settings_(context.settings.figure),
      shown_(context.viewport.interface().plots()) {
  setObjectName(QStringLiteral("figure_dialog"));

  const auto choice = [this](const char* name, const QStringList& entries, int index,
                             const QString& spoken = {}) {
    auto* box = named(new QComboBox(this), name, spoken);
    box->addItems(entries);
    box->setCurrentIndex(index);
    connect(box, &QComboBox::currentIndexChanged, this, &FigureDialog::take);
    return box;
  };
  const auto check = [this](const char* name, const QString& label, bool on) {
    QCheckBox* box = check_box(this, name, label, {}, on);
    connect(box, &QCheckBox::toggled, this, &FigureDialog::take);
    return box;
  };
  const FigureChoice& c = settings_.choice;
  format_ = choice("format", {"PDF", "SVG", "PNG"}, static_cast<int>(settings_.page.format));
  const QStringList units{"cm", "in", "px"};
  unit_ =
      choice("unit", units, static_cast<int>(std::max<qsizetype>(0, units.indexOf(settings_.unit))),
             "Unit of the size");
  dpi_ = number("resolution", 36, 1200, 50, " dpi");
  width_ = number("width", 0, 1e6, 1, {}, "Width");
  height_ = number("height", 0, 1e6, 1, {}, "Height");
  font_ = number("font_size", 4, 36, 0.5, " pt");
  line_ = number("line_width", 0.25, 6, 0.25, " pt");
  colors_ = choice("colors", {"Light screen", "As in the 2009 paper", "Greys"},
                   static_cast<int>(c.colors));
  range_ = choice("range", {"Visible range", "Whole run"}, c.whole_run ? 1 : 0);
  title_ = check("title", "Title with the step", c.title);
  legend_ = check("legend", "Legend", c.legend);
  markers_ = check("markers", "Markers A and B", c.markers);
  changes_ = check("changes", "Marks of changes", c.changes);

  QHBoxLayout* size = field_pair(width_, "×", height_);
  size->addWidget(unit_);
  auto* form = new QFormLayout;
  form->addRow("Format", format_);
  form->addRow("Width × height", size);
  form->addRow("Resolution", dpi_);
  form->addRow("Font size", font_);
  form->addRow("Line width", line_);
  form->addRow("Colours", colors_);
  form->addRow("Range", range_);

  auto* shown = new QGroupBox("Plots", this);
  auto* list = new QVBoxLayout(shown);
  const std::vector<std::string> plots = plot_names(shown_);
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const QByteArray name = QByteArrayLiteral("plot") + QByteArray::number(i);
    plots_.push_back(
        check(name.constData(),
              QString::fromStdString(plots[i]).replace(QLatin1Char('&'), QLatin1String("&&")),
              !c.left_out.contains(i)));
    list->addWidget(plots_.back());
  }
  auto* parts = new QGroupBox("Include", this);
  auto* part_list = new QVBoxLayout(parts);
  for (QCheckBox* box : {title_, legend_, markers_, changes_}) part_list->addWidget(box);

  auto* fields = new QWidget(this);
  auto* left = new QVBoxLayout(fields);
  left->addLayout(form);
  left->addWidget(shown);
  left->addWidget(parts);
  left->addStretch(1);
  // Many plots, or a small screen.
  QScrollArea* column = scrolling_column(*this, *fields);

  preview_ = named(new FigureView(this), "preview", "Preview");
  facts_ = named(plain_label({}, this), "facts");
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  export_ = accept_button(*this, *buttons, "export", "Export…");
  lay_out_with_view(*this, column, preview_, facts_, buttons);

  due_.setSingleShot(true);
  connect(&due_, &QTimer::timeout, this, &FigureDialog::renew);
  dpi_->setDecimals(0);
  showing_ = true;
  dpi_->setValue(settings_.page.dpi);
  font_->setValue(settings_.look.font);
  line_->setValue(settings_.look.line);
  showing_ = false;
  show_size();
  renew();
}

FigureDialog::~FigureDialog() { *stop_ = true; }

QDoubleSpinBox* FigureDialog::number(const char* name, double low, double high, double step,
                                     const QString& suffix, const QString& spoken) {
  auto* box = named(new QDoubleSpinBox(this), name, spoken);
  box->setRange(low, high);
  box->setSingleStep(step);
  box->setSuffix(suffix);
  connect(box, &QDoubleSpinBox::valueChanged, this, &FigureDialog::take);
  return box;
}

double FigureDialog::unit_points() const {
  if (settings_.unit == QLatin1String("cm")) return points_per_inch / 2.54;
  return settings_.unit == QLatin1String("px") ? points_per_inch / settings_.page.dpi
                                               : points_per_inch;
}

/// The size in the unit chosen.
void FigureDialog::show_size() {
  showing_ = true;
  const bool whole = settings_.unit == QLatin1String("px");
  for (auto [box, points] :
       {std::pair{width_, settings_.page.points.x}, std::pair{height_, settings_.page.points.y}}) {
    box->setDecimals(whole ? 0 : 2);
    box->setSingleStep(whole ? 50 : 0.5);
    box->setRange(std::ceil(100 * smallest / unit_points()) / 100,
                  std::floor(100 * largest / unit_points()) / 100);
    box->setValue(points / unit_points());
  }
  showing_ = false;
}

/// Reads the fields.
void FigureDialog::take() {
  if (showing_) return;
  FigurePage& page = settings_.page;
  page.format = static_cast<FigureFormat>(format_->currentIndex());
  if (sender() == width_ || sender() == height_)
    page.points = {width_->value() * unit_points(), height_->value() * unit_points()};
  page.dpi = dpi_->value();
  settings_.unit = unit_->currentText();
  if (sender() == unit_ || (sender() == dpi_ && settings_.unit == QLatin1String("px"))) show_size();
  settings_.look = {font_->value(), line_->value()};
  FigureChoice& c = settings_.choice;
  c.colors = static_cast<FigureColors>(colors_->currentIndex());
  c.whole_run = range_->currentIndex() == 1;
  c.title = title_->isChecked();
  c.legend = legend_->isChecked();
  c.markers = markers_->isChecked();
  c.changes = changes_->isChecked();
  c.left_out.clear();
  for (std::size_t i = 0; i < plots_.size(); ++i)
    if (!plots_[i]->isChecked()) c.left_out.insert(i);
  due_.start(pause);
}

void FigureDialog::accept() {
  if (due_.isActive()) {  // what was chosen last has not been drawn yet
    due_.stop();
    renew();
  }
  accepting_ = work_.busy();
  if (accepting_ || !export_->isEnabled()) return;
  QDialog::accept();
  context_.settings.figure = settings_;
  context_.exports.save_figure(figure_, settings_.page, settings_.look);
}

void FigureDialog::renew() {
  const FigurePage& page = settings_.page;
  const bool raster = page.format == FigureFormat::png;
  dpi_->setEnabled(raster || settings_.unit == QLatin1String("px"));
  const int across = pixels(page.points.x, page.dpi), down = pixels(page.points.y, page.dpi);
  const bool too_large =
      raster && static_cast<double>(across) * static_cast<double>(down) > max_pixels;
  QString facts = QStringLiteral("%1 × %2 cm")
                      .arg(page.points.x / points_per_inch * 2.54, 0, 'f', 2)
                      .arg(page.points.y / points_per_inch * 2.54, 0, 'f', 2);
  if (raster) facts += QStringLiteral(",  %1 × %2 px").arg(across).arg(down);
  if (too_large)
    facts = QStringLiteral("%1: at most %2 megapixels").arg(facts).arg(max_pixels / 1e6);
  const bool none = settings_.choice.left_out.size() >= plots_.size();
  if (none) facts = QStringLiteral("No plot is selected");
  facts_->setText(facts);
  export_->setEnabled(!too_large && !none);

  again_ = work_.busy();
  if (again_) {
    *stop_ = true;
    return;
  }
  stop_ = std::make_shared<std::atomic<bool>>(false);
  const double columns =
      std::max(columns_per_point * page.points.x, raster ? static_cast<double>(across) : 0);
  work_.start(
      [view = context_.run.view(), shown = shown_, choice = settings_.choice, stop = stop_,
       columns = static_cast<int>(std::min(columns, 20'000.0))]() -> Result<ui::PlotFigure> {
        const Interruptible interruptible(*stop);  // a spectrum may need the whole run again
        return make_figure(view, shown, choice, columns);
      },
      [this](Result<ui::PlotFigure> made) { show_made(std::move(made)); });
}

void FigureDialog::show_made(Result<ui::PlotFigure> made) {
  if (again_) return renew();
  if (made) {
    figure_ = std::move(*made);
    preview_->show_figure(figure_, settings_.page.points, settings_.look);
  } else {
    preview_->show_text(QString::fromStdString(made.error().text()));
    export_->setEnabled(false);
  }
  if (accepting_) accept();
}

DialogRecord figure_dialog() {
  return {
      .key = "figure", .title = QStringLiteral("Export figure"), .make = make_dialog<FigureDialog>};
}

}  // namespace twosphere

#include "moc_figure_dialog.cpp"
