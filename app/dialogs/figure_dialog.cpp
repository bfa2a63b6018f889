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
#include "app/dialogs/dialog.h"
#include "app/dialogs/figure_view.h"
#include "app/export/export_controller.h"
#include "app/scene/viewport.h"
#include "app/session/live_run.h"

namespace twosphere {

namespace {

constexpr double points_per_inch = 72;
constexpr double smallest = 72, largest = 72 * 40;  // of a side [pt]
constexpr int columns_per_point = 4;
constexpr int pause = 60;  // [ms] before the preview follows

}  // namespace

FigureDialog::FigureDialog(const FigureSettings& settings, const std::vector<std::string>& plots,
                           Make make, QWidget* parent)
    : QDialog(parent), settings_(settings), make_(std::move(make)) {
  setObjectName(QStringLiteral("figure_dialog"));

  const auto choice = [this](const char* name, const QStringList& entries, int index) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    box->addItems(entries);
    box->setCurrentIndex(index);
    connect(box, &QComboBox::currentIndexChanged, this, &FigureDialog::take);
    return box;
  };
  const auto check = [this](const char* name, const QString& label, bool on) {
    auto* box = new QCheckBox(label, this);
    box->setObjectName(QLatin1String(name));
    box->setChecked(on);
    connect(box, &QCheckBox::toggled, this, &FigureDialog::take);
    return box;
  };
  const FigureChoice& c = settings_.choice;
  format_ = choice("format", {QStringLiteral("PDF"), QStringLiteral("SVG"), QStringLiteral("PNG")},
                   static_cast<int>(settings_.page.format));
  const QStringList units{QStringLiteral("cm"), QStringLiteral("in"), QStringLiteral("px")};
  unit_ = choice("unit", units,
                 static_cast<int>(std::max<qsizetype>(0, units.indexOf(settings_.unit))));
  unit_->setAccessibleName(QStringLiteral("Unit of the size"));
  dpi_ = number("resolution", 36, 1200, 50, QStringLiteral(" dpi"));
  width_ = number("width", 0, 1e6, 1, {});
  width_->setAccessibleName(QStringLiteral("Width"));
  height_ = number("height", 0, 1e6, 1, {});
  height_->setAccessibleName(QStringLiteral("Height"));
  font_ = number("font_size", 4, 36, 0.5, QStringLiteral(" pt"));
  line_ = number("line_width", 0.25, 6, 0.25, QStringLiteral(" pt"));
  colors_ = choice("colors",
                   {QStringLiteral("Light screen"), QStringLiteral("As in the 2009 paper"),
                    QStringLiteral("Greys")},
                   static_cast<int>(c.colors));
  range_ = choice("range", {QStringLiteral("Visible range"), QStringLiteral("Whole run")},
                  c.whole_run ? 1 : 0);
  title_ = check("title", QStringLiteral("Title with the step"), c.title);
  legend_ = check("legend", QStringLiteral("Legend"), c.legend);
  markers_ = check("markers", QStringLiteral("Markers A and B"), c.markers);
  changes_ = check("changes", QStringLiteral("Marks of changes"), c.changes);

  auto* size = new QHBoxLayout;
  size->addWidget(width_, 1);
  size->addWidget(plain_label(QStringLiteral("×"), this));
  size->addWidget(height_, 1);
  size->addWidget(unit_);
  auto* form = new QFormLayout;
  form->addRow(QStringLiteral("Format"), format_);
  form->addRow(QStringLiteral("Width × height"), size);
  form->addRow(QStringLiteral("Resolution"), dpi_);
  form->addRow(QStringLiteral("Font size"), font_);
  form->addRow(QStringLiteral("Line width"), line_);
  form->addRow(QStringLiteral("Colours"), colors_);
  form->addRow(QStringLiteral("Range"), range_);

  auto* shown = new QGroupBox(QStringLiteral("Plots"), this);
  auto* list = new QVBoxLayout(shown);
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const QByteArray name = QByteArrayLiteral("plot") + QByteArray::number(i);
    plots_.push_back(
        check(name.constData(),
              QString::fromStdString(plots[i]).replace(QLatin1Char('&'), QLatin1String("&&")),
              !c.left_out.contains(i)));
    list->addWidget(plots_.back());
  }
  auto* parts = new QGroupBox(QStringLiteral("Include"), this);
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

  preview_ = new FigureView(this);
  preview_->setObjectName(QStringLiteral("preview"));
  preview_->setAccessibleName(QStringLiteral("Preview"));
  facts_ = plain_label({}, this);
  facts_->setObjectName(QStringLiteral("facts"));
  facts_->setAlignment(Qt::AlignCenter);
  auto* right = new QVBoxLayout;
  right->addWidget(preview_, 1);
  right->addWidget(facts_);

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  export_ = buttons->addButton(QStringLiteral("Export…"), QDialogButtonBox::AcceptRole);
  export_->setObjectName(QStringLiteral("export"));
  export_->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

  auto* both = new QHBoxLayout;
  both->addWidget(column);
  both->addLayout(right, 1);
  auto* all = new QVBoxLayout(this);
  all->addLayout(both, 1);
  all->addWidget(buttons);

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

QDoubleSpinBox* FigureDialog::number(const char* name, double low, double high, double step,
                                     const QString& suffix) {
  auto* box = new QDoubleSpinBox(this);
  box->setObjectName(QLatin1String(name));
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
  for (auto [box, points] : {std::pair{width_, settings_.page.points.width()},
                             std::pair{height_, settings_.page.points.height()}}) {
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
    page.points = QSizeF(width_->value(), height_->value()) * unit_points();
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
  if (!accepting_ && export_->isEnabled()) QDialog::accept();
}

void FigureDialog::renew() {
  const FigurePage& page = settings_.page;
  const bool raster = page.format == FigureFormat::png;
  dpi_->setEnabled(raster || settings_.unit == QLatin1String("px"));
  const QSize size = pixels(page);
  const bool too_large =
      raster &&
      static_cast<double>(size.width()) * static_cast<double>(size.height()) > most_pixels;
  QString facts = QStringLiteral("%1 × %2 cm")
                      .arg(page.points.width() / points_per_inch * 2.54, 0, 'f', 2)
                      .arg(page.points.height() / points_per_inch * 2.54, 0, 'f', 2);
  if (raster) facts += QStringLiteral(",  %1 × %2 px").arg(size.width()).arg(size.height());
  if (too_large)
    facts = QStringLiteral("%1: at most %2 megapixels").arg(facts).arg(most_pixels / 1e6);
  const bool none = settings_.choice.left_out.size() >= plots_.size();
  if (none) facts = QStringLiteral("No plot is selected");
  facts_->setText(facts);
  export_->setEnabled(!too_large && !none);

  again_ = work_.busy();
  if (again_) return;
  const double columns = std::max(columns_per_point * page.points.width(),
                                  raster ? static_cast<double>(size.width()) : 0);
  work_.start([make = make_(settings_.choice, static_cast<int>(std::min(columns, 20'000.0)))]()
                  -> Result<ui::PlotFigure> { return make(); },
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

namespace {

QDialog* make_figure_dialog(const DialogContext& context) {
  context.run.update();
  const ui::VisiblePlots shown = context.viewport.interface().plots();
  auto* dialog = new FigureDialog(
      context.settings.figure, plot_names(shown),
      [&run = context.run, shown](const FigureChoice& choice, int columns) {
        return [view = run.view(), shown, choice, columns] {
          return make_figure(view, shown, choice, columns);
        };
      },
      &context.window);
  QObject::connect(dialog, &QDialog::accepted, &context.window, [context, dialog] {
    const FigureSettings& chosen = context.settings.figure = dialog->settings();
    context.exports.save_figure(dialog->figure(), chosen.page, chosen.look);
  });
  return dialog;
}

}  // namespace

DialogRecord figure_dialog() {
  return {.key = "figure", .title = QStringLiteral("Export figure"), .make = make_figure_dialog};
}

}  // namespace twosphere

#include "moc_figure_dialog.cpp"
