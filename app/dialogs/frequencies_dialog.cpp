// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/frequencies_dialog.h"

#include <fmt/format.h>

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/figure_view.h"
#include "app/dialogs/signal_form.h"
#include "app/dialogs/widgets.h"
#include "app/figures/paper_figure.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/live_run.h"
#include "core/base/interrupt.h"
#include "core/base/text.h"

namespace twosphere {

namespace {

constexpr int measuring_share = 10;  // the pause, in times of the measurement before it
constexpr int default_lines = 6;
constexpr int frequency_digits = 12, amplitude_digits = 6, diffusion_digits = 4;

QString full_number(double value) { return to_qstring(ui::with_minus(fmt::format("{}", value))); }

}  // namespace

FrequenciesDialog::FrequenciesDialog(const DialogContext& context)
    : StudyDialog(context, "frequencies_dialog", {960, 680}, Follows::run) {
  QWidget* fields = make_fields();
  make_results();
  add_exports("lines", "frequencies",
              [this](bool tabs) { return frequency_table(*result_, tabs); });
  lay_out(fields);
}

QWidget* FrequenciesDialog::make_fields() {
  auto* fields = new QWidget(this);
  quantity_ =
      drop_down(fields, "quantity", "Signal",
                "A complex signal, whose frequencies have a sign, or a plotted quantity", 20);
  quantity_->addItem("Complex signal", QString());
  form_ = new SignalForm(fields);
  lines_ = number_box(fields, "lines", "Number of lines",
                      "Number of strongest lines to find in each lane; there are fewer if fewer "
                      "are resolved",
                      1, max_lines, default_lines);
  form_->rows().insertRow(0, "Signal", quantity_);
  form_->rows().addRow("Lines", lines_);
  QWidget::setTabOrder(quantity_, form_->findChild<QWidget*>("signal_real"));
  auto* column = new QVBoxLayout(fields);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(form_);
  column->addStretch(1);
  connect(quantity_, &QComboBox::currentIndexChanged, this, &FrequenciesDialog::poll);
  connect(lines_, &QSpinBox::valueChanged, this, &FrequenciesDialog::poll);
  connect(form_, &SignalForm::edited, this, &FrequenciesDialog::take_signal);
  return fields;
}

void FrequenciesDialog::make_results() {
  view_ = named(new FigureView(this), "picture", "Amplitudes over frequencies");
  table_ = results_table(this, "table", "Lines", {});
  status_ = text_lines(*this, "status");
  results_->addWidget(splitter(this, Qt::Vertical, {{view_, 3, 340}, {table_, 2, 230}}));
  results_->addWidget(status_);
}

bool FrequenciesDialog::complete() const {
  return result_ && result_->complete && !busy() && measured_ == request();
}

/// What is to be measured now.
FrequenciesDialog::Request FrequenciesDialog::request() const {
  const Snapshot& now = context_.run.snapshot();
  const ui::VisiblePlots plots = context_.viewport.interface().plots();
  constexpr double inf = std::numeric_limits<double>::infinity();
  return {.generation = now.generation,
          .steps = now.steps,
          .record = now.record,
          .quantity = quantity_->currentData().toString().toStdString(),
          .signal = signal_,
          .lines = lines_->value(),
          .time = plots.whole_run ? ui::Interval{-inf, inf} : plots.time};
}

void FrequenciesDialog::poll() {
  const Snapshot& now = context_.run.snapshot();
  if (!isVisible() || !now.present || !now.record) return;
  if (loaded_ != now.loaded) {
    loaded_ = now.loaded;
    signal_ = context_.document.measured_signal().value_or(ComplexSignal{});
    form_->set_signal(signal_);
    refuse({});
  }
  fill_quantities(context_.viewport.interface().plots());
  form_->set_expressions_enabled(quantity_->currentIndex() == 0);
  if (busy()) return;
  const Request next = request();
  // A copy that is behind continues at once.
  const bool behind = result_ && !result_->complete;
  if (result_ && !behind && next == measured_) return;
  // What another one changes than the run is measured at once.
  Request same_run = next;
  same_run.steps = measured_.steps;
  same_run.record = measured_.record;
  if (same_run == measured_ && !behind && !rested(measuring_share)) return;
  measure(next);
}

/// Offers the quantities that are plotted; what is chosen stays.
void FrequenciesDialog::fill_quantities(const ui::VisiblePlots& plots) {
  if (quantity_->view()->isVisible()) return;
  const Snapshot& now = context_.run.snapshot();
  const int lanes = static_cast<int>(now.lanes.size());
  std::vector<Signal> all;
  const auto add = [&](const Signal& signal) {
    if (signal == Signal(Quantity::time) ||
        !signal.exists(*now.system_info, now.present->size(), lanes))
      return;
    if (std::find(all.begin(), all.end(), signal) == all.end()) all.push_back(signal);
  };
  const std::string chosen = quantity_->currentData().toString().toStdString();
  for (const ui::VisiblePlot& plot : plots.plots) {
    if (plot.spec.x) add(*plot.spec.x);
    for (const Signal& signal : plot.spec.signals()) add(signal);
  }
  if (const auto signal = Signal::parse(chosen); signal && !chosen.empty()) add(*signal);
  bool same = quantity_->count() == static_cast<int>(all.size()) + 1;
  for (std::size_t k = 0; k < all.size() && same; ++k)
    same = quantity_->itemData(static_cast<int>(k) + 1).toString() == to_qstring(all[k].key());
  if (same) return;
  const QSignalBlocker quiet(quantity_);
  while (quantity_->count() > 1) quantity_->removeItem(1);
  for (const Signal& signal : all)
    add_choice(*quantity_, to_qstring(capitalised(signal.label())), to_qstring(signal.key()),
               to_qstring(signal.help()));
  quantity_->setCurrentIndex(std::max(0, quantity_->findData(to_qstring(chosen))));
}

void FrequenciesDialog::measure(const Request& next) {
  FrequencyChoice choice{
      .quantity = {}, .signal = next.signal, .lines = next.lines, .time = next.time};
  if (!next.quantity.empty()) choice.quantity = Signal::parse(next.quantity);
  compute(
      [view = context_.run.view(), steps = next.steps, choice, samples = samples_,
       colors = context_.viewport.interface().settings().lane_colors, &stop = cancelled()] {
        const Interruptible interruptible(stop);
        return find_frequencies(view, steps, choice, *samples, Palette::light, colors);
      },
      [this, next](Result<FrequencyResult> found) {
        if (!cancelled()) take(next, std::move(found));
      });
}

void FrequenciesDialog::take(const Request& of, Result<FrequencyResult> found) {
  measured_ = of;
  failure_.clear();
  if (!found) {
    // The system no longer has what the signal names.
    failure_ = found.error().text();
    found = FrequencyResult{};
  }
  result_ = std::make_shared<const FrequencyResult>(std::move(*found));
  show_result();
}

/// Takes the signal of the fields, if it is one.
void FrequenciesDialog::take_signal() {
  const Snapshot& now = context_.run.snapshot();
  if (!now.present) return;
  const auto signal = form_->signal(*now.present);
  refuse(signal ? QString() : to_qstring(signal.error().text()));
  if (!signal) return;
  signal_ = *signal;
  context_.document.set_signal(signal_);
  poll();
}

QString FrequenciesDialog::title() const {
  return to_qstring(fmt::format("{}: frequencies of {}", context_.run.snapshot().present->title,
                                result_->choice.name()));
}

void FrequenciesDialog::show_result() {
  fill_table();
  const bool any = result_->max_lines() > 0;
  status_->setText(to_qstring(failure_.empty() ? samples_in_words(*result_) : failure_));
  if (!any) {
    set_exported({});
    return view_->show_text(QStringLiteral("No lines yet"));
  }
  const Figure picture(frequency_figure(*result_, title().toStdString()));
  set_exported(picture);
  view_->fill_with(picture, {340, 200}, paper_look());
}

void FrequenciesDialog::fill_table() {
  const auto& lanes = result_->lanes;
  const bool several = lanes.size() > 1;
  const int lines = static_cast<int>(result_->max_lines());
  QStringList heads{QStringLiteral("Line")};
  for (const FrequencyResult::Lane& lane : lanes) {
    const std::string of = several ? lane.title + "\n" : std::string();
    heads << to_qstring(of + "Frequency [Hz]")
          << to_qstring(of + (result_->unit == "1" ? std::string("Amplitude")
                                                   : fmt::format("Amplitude [{}]", result_->unit)));
  }
  table_->setColumnCount(static_cast<int>(heads.size()));
  table_->setRowCount(lines > 0 ? lines + 1 : 0);
  table_->setHorizontalHeaderLabels(heads);
  for (int column = 1; several && column < heads.size(); ++column)
    table_->horizontalHeaderItem(column)->setToolTip(
        plain_tip(to_qstring(lanes[static_cast<std::size_t>(column - 1) / 2].name)));
  if (lines == 0) return;
  const auto put = [this](int row, int column, const QString& text, const QString& tip) {
    put_cell(*table_, row, column, text, tip, column > 0);
  };
  const QString diffusion_tip = QStringLiteral(
      "Change of the strongest frequency from the first half of the samples to the second, "
      "lg |1 − ν₂/ν₁|: very negative for regular motion, near 0 for strong chaos");
  for (int row = 0; row < lines; ++row) put(row, 0, QString::number(row + 1), {});
  put(lines, 0, QStringLiteral("Diffusion"), diffusion_tip);
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const FrequencyResult::Lane& lane = lanes[l];
    const int column = 1 + 2 * static_cast<int>(l);
    for (int row = 0; row < lines; ++row) {
      const auto k = static_cast<std::size_t>(row);
      if (k >= lane.found.lines.size()) {
        for (const int empty : {column, column + 1}) put(row, empty, QStringLiteral("–"), {});
        continue;
      }
      const Line& line = lane.found.lines[k];
      const double size = std::abs(line.amplitude);
      const bool mean = result_->choice.real() && is_mean(line, lane.samples, lane.rows.interval);
      put(row, column,
          mean ? QStringLiteral("mean")
               : to_qstring(ui::significant(line.frequency, frequency_digits)),
          full_number(line.frequency));
      put(row, column + 1, to_qstring(ui::significant(size, amplitude_digits)), full_number(size));
    }
    put(lines, column,
        std::isnan(lane.found.diffusion)
            ? QStringLiteral("–")
            : to_qstring(ui::significant(lane.found.diffusion, diffusion_digits)),
        diffusion_tip);
    put(lines, column + 1, {}, {});
  }
}

DialogRecord frequencies_dialog() {
  return study_record<FrequenciesDialog>("frequencies", QStringLiteral("Frequencies"));
}

}  // namespace twosphere

#include "moc_frequencies_dialog.cpp"
