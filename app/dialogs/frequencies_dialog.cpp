// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/frequencies_dialog.h"

#include <fmt/format.h>

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QPushButton>
#include <QScreen>
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
#include "app/base/user_files.h"
#include "app/dialogs/dialog.h"
#include "app/dialogs/figure_view.h"
#include "app/dialogs/signal_form.h"
#include "app/export/export_controller.h"
#include "app/figures/paper_figure.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "core/base/interrupt.h"
#include "core/base/text.h"

namespace twosphere {

namespace {

constexpr double frequencies_share = 0.92;  // of the screen at most
constexpr int frequencies_poll = 100;       // [ms] between two looks at the run
constexpr int least_apart = 250;            // [ms] between two measurements
constexpr int most_share = 10;              // so many times as long as one takes, likewise
constexpr int usual_lines = 6;
constexpr int frequency_digits = 12, amplitude_digits = 6, diffusion_digits = 4;

QString full_number(double value) { return to_qstring(ui::with_minus(fmt::format("{}", value))); }

/// "4001 samples, 0.05 s apart, from t = 0 to 200 s: frequencies up to 10 Hz."
std::string describe_rows(const FrequencyResult::Lane& lane) {
  if (!lane.problem.empty()) return capitalised(lane.problem) + '.';
  std::string text =
      fmt::format("{}{} samples, {} s apart, from t = {} to {} s{}: frequencies up to {} Hz.",
                  lane.rows.shortened ? "The newest " : "", lane.samples,
                  ui::significant(std::abs(lane.rows.interval), 6),
                  ui::significant(lane.rows.from, 6), ui::significant(lane.rows.to, 6),
                  lane.rows.after_change ? ", since the last change of the run" : "",
                  ui::significant(lane.rows.nyquist(), 6));
  for (const std::string& note : lane.notes) text += ' ' + capitalised(note) + '.';
  return text;
}

/// The same of all lanes, one by one where they differ.
std::string describe_rows(const FrequencyResult& result) {
  std::vector<std::string> texts;
  for (const FrequencyResult::Lane& lane : result.lanes) texts.push_back(describe_rows(lane));
  if (texts.empty()) return {};
  if (std::adjacent_find(texts.begin(), texts.end(), std::not_equal_to<>()) == texts.end())
    texts.resize(1);
  else
    for (std::size_t l = 0; l < texts.size(); ++l)
      texts[l] = fmt::format("{}: {}", result.lanes[l].title, texts[l]);
  return fmt::format("{}{}", result.complete ? "" : "So far: ", fmt::join(texts, " "));
}

}  // namespace

FrequenciesDialog::FrequenciesDialog(LiveRun& run, std::function<Shown()> shown,
                                     std::function<ComplexSignal()> signal, QWidget* parent)
    : QDialog(parent), run_(run), shown_(std::move(shown)), given_(std::move(signal)) {
  setObjectName(QStringLiteral("frequencies_dialog"));
  resize(QSize(960, 680).boundedTo(screen()->availableSize() * frequencies_share));
  // In the order in which Tab goes through them.
  QWidget* fields = make_fields();
  auto* right = new QVBoxLayout;
  make_results(*right);
  auto* row = new QHBoxLayout;
  make_buttons(*row);
  lay_out(*this, *fields, *right, *row);
  connect(&timer_, &QTimer::timeout, this, &FrequenciesDialog::poll);
  timer_.setInterval(frequencies_poll);
}

FrequenciesDialog::~FrequenciesDialog() { *stop_ = true; }

QWidget* FrequenciesDialog::make_fields() {
  auto* fields = new QWidget(this);
  quantity_ = new QComboBox(fields);
  quantity_->setObjectName(QStringLiteral("quantity"));
  quantity_->setAccessibleName(QStringLiteral("Signal"));
  quantity_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  quantity_->setMinimumContentsLength(20);
  quantity_->setToolTip(
      QStringLiteral("A complex signal, whose frequencies have a sign, or a plotted quantity"));
  quantity_->addItem(QStringLiteral("Complex signal"), QString());
  form_ = new SignalForm(fields);
  lines_ = new QSpinBox(fields);
  lines_->setObjectName(QStringLiteral("lines"));
  lines_->setAccessibleName(QStringLiteral("Number of lines"));
  lines_->setRange(1, most_lines);
  lines_->setValue(usual_lines);
  lines_->setToolTip(
      QStringLiteral("Number of strongest lines to find in each lane; there are fewer "
                     "if fewer are resolved"));
  form_->rows().insertRow(0, QStringLiteral("Signal"), quantity_);
  form_->rows().addRow(QStringLiteral("Lines"), lines_);
  QWidget::setTabOrder(quantity_, form_->findChild<QWidget*>(QStringLiteral("signal_real")));
  auto* column = new QVBoxLayout(fields);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(form_);
  column->addStretch(1);
  connect(quantity_, &QComboBox::currentIndexChanged, this, &FrequenciesDialog::poll);
  connect(lines_, &QSpinBox::valueChanged, this, &FrequenciesDialog::poll);
  connect(form_, &SignalForm::edited, this, &FrequenciesDialog::take_signal);
  return fields;
}

void FrequenciesDialog::make_results(QLayout& column) {
  view_ = new FigureView(this);
  view_->setObjectName(QStringLiteral("picture"));
  view_->setAccessibleName(QStringLiteral("Amplitudes over frequencies"));
  table_ = new QTableWidget(0, 0, this);
  table_->setObjectName(QStringLiteral("table"));
  table_->setAccessibleName(QStringLiteral("Lines"));
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  auto* both = new QSplitter(Qt::Vertical, this);
  both->addWidget(view_);
  both->addWidget(table_);
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 2);
  both->setSizes({340, 230});
  status_ = text_lines(*this, "status");
  problem_ = text_lines(*this, "problem");
  problem_->hide();
  column.addWidget(both);
  column.addWidget(status_);
  column.addWidget(problem_);
}

void FrequenciesDialog::make_buttons(QHBoxLayout& row) {
  const auto button = [&](const char* name, const QString& label, const QString& tip) {
    QPushButton* made = push_button(*this, name, label, tip);
    row.addWidget(made);
    return made;
  };
  copy_ = button("copy", QStringLiteral("&Copy table"),
                 QStringLiteral("Copy the lines at full precision, for a spreadsheet"));
  row.addStretch(1);
  csv_ = button("save_table", QStringLiteral("Save &table…"),
                QStringLiteral("Write the lines at full precision as CSV"));
  figure_ = button("save_figure", QStringLiteral("Save &figure…"),
                   QStringLiteral("Write the picture as PDF, SVG or PNG"));
  auto* close = button("close", QStringLiteral("Close"), {});
  connect(copy_, &QPushButton::clicked, this, [this] {
    if (result_) QGuiApplication::clipboard()->setText(to_qstring(frequency_table(*result_, true)));
  });
  connect(csv_, &QPushButton::clicked, this, [this] {
    if (result_) Q_EMIT table_wanted(frequency_table(*result_), name());
  });
  connect(figure_, &QPushButton::clicked, this, [this] {
    if (picture_) Q_EMIT picture_wanted(*picture_, name());
  });
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
}

void FrequenciesDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  stop_ = std::make_shared<std::atomic<bool>>(false);
  timer_.start();
  poll();
}

void FrequenciesDialog::hideEvent(QHideEvent* event) {
  QDialog::hideEvent(event);
  timer_.stop();
  *stop_ = true;
}

bool FrequenciesDialog::complete() const {
  return result_ && result_->complete && !work_.busy() && measured_ == request();
}

/// What is to be measured now.
FrequenciesDialog::Request FrequenciesDialog::request() const {
  const Snapshot& now = run_.snapshot();
  const ui::VisiblePlots plots = shown_().plots;
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
  const Snapshot& now = run_.snapshot();
  if (!isVisible() || !now.present || !now.record) return;
  if (loaded_ != now.loaded) {
    loaded_ = now.loaded;
    signal_ = given_();
    form_->set_signal(signal_);
    problem_->hide();
  }
  fill_quantities(shown_().plots);
  form_->set_expressions_enabled(quantity_->currentIndex() == 0);
  if (work_.busy()) return;
  const Request next = request();
  // A copy that is behind goes on at once.
  const bool behind = result_ && !result_->complete;
  if (result_ && !behind && next == measured_) return;
  // What another one changes than the run is measured at once.
  Request same_run = next;
  same_run.steps = measured_.steps;
  same_run.record = measured_.record;
  const bool goes_on = same_run == measured_;
  if (goes_on && !behind && since_.isValid() &&
      since_.elapsed() < std::max<std::int64_t>(least_apart, most_share * took_))
    return;
  measure(next);
}

/// Offers the quantities that are plotted; what is chosen stays.
void FrequenciesDialog::fill_quantities(const ui::VisiblePlots& plots) {
  if (quantity_->view()->isVisible()) return;
  const Snapshot& now = run_.snapshot();
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
  for (const Signal& signal : all) {
    quantity_->addItem(to_qstring(capitalised(signal.label())), to_qstring(signal.key()));
    quantity_->setItemData(quantity_->count() - 1, plain_tip(to_qstring(signal.help())),
                           Qt::ToolTipRole);
  }
  quantity_->setCurrentIndex(std::max(0, quantity_->findData(to_qstring(chosen))));
}

void FrequenciesDialog::measure(const Request& next) {
  FrequencyChoice choice{
      .quantity = {}, .signal = next.signal, .lines = next.lines, .time = next.time};
  if (!next.quantity.empty()) choice.quantity = Signal::parse(next.quantity);
  since_.start();
  work_.start(
      [this, view = run_.view(), steps = next.steps, choice, colors = shown_().colors,
       stop = stop_] {
        const Interruptible interruptible(*stop);
        return find_frequencies(view, steps, choice, own_, Palette::light, colors);
      },
      [this, next, stop = stop_](Result<FrequencyResult> found) {
        if (!*stop) take(next, std::move(found));
      });
}

void FrequenciesDialog::take(const Request& of, Result<FrequencyResult> found) {
  took_ = since_.elapsed();
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
  const Snapshot& now = run_.snapshot();
  if (!now.present) return;
  const auto signal = form_->signal(*now.present);
  problem_->setVisible(!signal);
  if (!signal) return problem_->setText(to_qstring(signal.error().text()));
  signal_ = *signal;
  Q_EMIT signal_changed(signal_);
  poll();
}

QString FrequenciesDialog::title() const {
  return to_qstring(
      fmt::format("{}: frequencies of {}", run_.snapshot().present->title, result_->choice.name()));
}

QString FrequenciesDialog::name() const {
  return file_name_of(to_qstring(run_.snapshot().present->title), QStringLiteral("run")) +
         QStringLiteral("-frequencies");
}

void FrequenciesDialog::show_result() {
  fill_table();
  const bool any = result_->most_lines() > 0;
  for (QPushButton* button : {copy_, csv_, figure_}) button->setEnabled(any);
  status_->setText(to_qstring(failure_.empty() ? describe_rows(*result_) : failure_));
  picture_.reset();
  if (!any) return view_->show_text(QStringLiteral("No lines yet"));
  picture_ = Figure(frequency_figure(*result_, title().toStdString()));
  view_->show_figure(*picture_, QSizeF(340, 200), paper_look());
}

void FrequenciesDialog::fill_table() {
  const auto& lanes = result_->lanes;
  const bool several = lanes.size() > 1;
  const int lines = static_cast<int>(result_->most_lines());
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
    QTableWidgetItem* item = table_->item(row, column);
    if (!item) table_->setItem(row, column, item = new QTableWidgetItem);
    if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    item->setText(text);
    item->setToolTip(plain_tip(tip));
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

namespace {

QDialog* make_frequencies_dialog(const DialogContext& context) {
  auto* dialog = new FrequenciesDialog(
      context.run,
      [&interface = context.viewport.interface()] {
        return FrequenciesDialog::Shown{interface.plots(), interface.settings().lane_colors};
      },
      [&document = context.document] {
        return document.measured_signal().value_or(ComplexSignal{});
      },
      &context.window);
  QObject::connect(dialog, &FrequenciesDialog::signal_changed, &context.document,
                   &DocumentController::set_signal);
  QObject::connect(dialog, &FrequenciesDialog::table_wanted, &context.window,
                   [&exports = context.exports](const std::string& table, const QString& name) {
                     exports.save_table(table, name);
                   });
  QObject::connect(dialog, &FrequenciesDialog::picture_wanted, &context.window,
                   figure_saver(context));
  return dialog;
}

void show_frequencies(QDialog& dialog, const DialogContext&, const QString&) { bring_up(dialog); }

}  // namespace

DialogRecord frequencies_dialog() {
  return {.key = "frequencies",
          .title = QStringLiteral("Frequencies"),
          .make = make_frequencies_dialog,
          .show = show_frequencies};
}

}  // namespace twosphere

#include "moc_frequencies_dialog.cpp"
