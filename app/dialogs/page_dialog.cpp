// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/page_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "app/base/labels.h"
#include "app/base/plural.h"
#include "app/base/qt_text.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/scene/viewport.h"
#include "app/session/live_run.h"
#include "core/mechanics/diagnostics.h"
#include "core/scenario/run_clock.h"

namespace twosphere {

namespace {

constexpr int page_time_decimals = 6;

/// As a page takes it, in the decimal multiple that has one to three digits before the point.
QString size_text(std::size_t bytes) {
  const double megabytes = 1e-6 * static_cast<double>(bytes);
  return megabytes < 1 ? QStringLiteral("%1 kB").arg(std::ceil(1e3 * megabytes))
                       : QStringLiteral("%1 MB").arg(megabytes, 0, 'f', megabytes < 10 ? 1 : 0);
}

}  // namespace

PageDialog::PageDialog(const DialogContext& context)
    : QDialog(&context.window),
      context_(context),
      start_(start_time(*context.run.snapshot().record)),
      head_(std::max(context.run.snapshot().elapsed, start_)) {
  setObjectName(QStringLiteral("page_dialog"));
  const Snapshot& now = context.run.snapshot();
  title_ = named(new QLineEdit(this), "title", QStringLiteral("Title"));
  title_->setText(to_qstring(now.record->title));
  if (now.system_info) title_->setPlaceholderText(to_qstring(std::string(now.system_info->title)));
  text_ = named(new QPlainTextEdit(this), "text", QStringLiteral("Text"),
                QStringLiteral("What the page says below its title"));
  text_->setPlainText(to_qstring(now.record->description));
  text_->setTabChangesFocus(true);
  text_->setMaximumHeight(5 * text_->fontMetrics().lineSpacing());
  const auto time = [&](const char* name, const QString& spoken, double value) {
    auto* box = named(new QDoubleSpinBox(this), name, spoken);
    box->setDecimals(page_time_decimals);
    box->setRange(start_, head_);
    box->setSuffix(QStringLiteral(" s"));
    box->setValue(value);
    connect(box, &QDoubleSpinBox::valueChanged, this, &PageDialog::take);
    return box;
  };
  from_ = time("from", QStringLiteral("From"), start_);
  to_ = time("to", QStringLiteral("To"), head_);
  facts_ = named(plain_label({}, this), "facts");

  auto* form = new QFormLayout;
  form->addRow("Title", title_);
  form->addRow("Text", text_);
  form->addRow("From", field_pair(from_, "to", to_));
  const auto& hidden = context.viewport.interface().plots().hidden_lanes;
  for (std::size_t i = 0; i < now.lanes.size() && now.lanes.size() > 1; ++i) {
    const std::string name = "lane_" + std::to_string(i);
    lanes_.push_back(check_box(this, name.c_str(), to_qstring(now.lanes[i].title()), {},
                               !hidden.contains(static_cast<int>(i))));
    connect(lanes_.back(), &QCheckBox::toggled, this, &PageDialog::take);
    form->addRow(i == 0 ? QStringLiteral("Integrators") : QString(), lanes_.back());
  }
  QLabel* note = plain_label(
      QStringLiteral("One file that plays the run in any browser, without a network. It holds the "
                     "scenario, too: open it here to run it again. Arrows and the kinetic energy "
                     "field are left out."),
      this);
  note->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  save_ = accept_button(*this, *buttons, "save", QStringLiteral("Save…"));

  auto* all = new QVBoxLayout(this);
  all->addLayout(form);
  all->addWidget(note);
  all->addWidget(facts_);
  all->addStretch(1);
  all->addWidget(buttons);
  setMinimumWidth(460);
  take();
}

PagePlan PageDialog::plan() const {
  // The fields round: at their ends they stand for the first and the last row.
  PagePlan plan{.from = from_->value() > from_->minimum() ? from_->value() : start_,
                .to = to_->value() < to_->maximum() ? to_->value() : head_,
                .lanes = {},
                .title = typed(*title_),
                .text = text_->toPlainText().trimmed().toStdString(),
                .file = {},
                .style = context_.viewport.scene_style()};
  // Lanes that begin while it is open are not among them.
  if (lanes_.empty()) plan.lanes.push_back(0);
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    if (lanes_[i]->isChecked()) plan.lanes.push_back(i);
  // A reader's browser says whether the page is dark or light.
  plan.style.palette = Palette::dark;
  plan.style.hidden.clear();
  plan.style.reference = 0;
  plan.style.field = false;
  plan.style.arrows = {};
  plan.style.fine = true;
  return plan;
}

void PageDialog::accept() {
  QDialog::accept();
  context_.exports.save_page(plan());
}

/// How large the page is at most, or why there is none.
void PageDialog::take() {
  const PagePlan chosen = plan();
  const Snapshot& now = context_.run.snapshot();
  QString problem;
  if (chosen.to < chosen.from)
    problem = QStringLiteral("The page ends before it begins");
  else if (chosen.lanes.empty())
    problem = QStringLiteral("Choose an integrator");
  save_->setEnabled(problem.isEmpty());
  if (!problem.isEmpty()) return facts_->setText(problem);
  if (now.elapsed <= start_)
    return facts_->setText(QStringLiteral(
        "Only the start has been computed, so nothing moves in the page. Run first (Space)."));
  const double whole = now.elapsed - start_,
               share = whole > 0 ? (chosen.to - chosen.from) / whole : 0;
  const double all =
      static_cast<double>(now.steps) / static_cast<double>(std::max<std::int64_t>(now.stride, 1));
  const auto rows = static_cast<std::size_t>(std::ceil(share * all)) + 1;
  Geometry geometry;
  now.system->geometry(now.lanes.front().state.q, geometry);
  const std::size_t bytes = render::max_page_bytes(geometry, chosen.lanes.size(), rows,
                                                   csv_quantities(*now.system_info).size());
  facts_->setText(QStringLiteral("%1 of the run, at most %2")
                      .arg(counted(rows, "row", "rows"), size_text(bytes)));
}

DialogRecord page_dialog() {
  return {
      .key = "page", .title = QStringLiteral("Save as web page"), .make = make_dialog<PageDialog>};
}

}  // namespace twosphere

#include "moc_page_dialog.cpp"
