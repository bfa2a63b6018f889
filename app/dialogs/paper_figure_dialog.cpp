// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/paper_figure_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMainWindow>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QTableWidget>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/dialog.h"
#include "app/dialogs/figure_view.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"

namespace twosphere {

namespace {

constexpr double opening_share = 0.92;  // of the screen at most
constexpr int look_interval = 150;      // [ms]

}  // namespace

PaperFigureDialog::PaperFigureDialog(QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("paper_figures_dialog"));
  resize(QSize(1080, 740).boundedTo(screen()->availableSize() * opening_share));

  list_ = new QListWidget;
  list_->setObjectName(QStringLiteral("figures"));
  list_->setAccessibleName(QStringLiteral("Figures"));
  list_->setWordWrap(true);
  for (const PaperEntry& entry : paper_entries())
    list_->addItem(
        QStringLiteral("Figure %1\n%2").arg(to_qstring(entry.number), to_qstring(entry.title)));
  list_->setMinimumWidth(190);
  list_->setSpacing(2);

  view_ = new FigureView(nullptr);
  view_->setObjectName(QStringLiteral("figure"));
  view_->setAccessibleName(QStringLiteral("Figure"));
  numbers_ = new QTableWidget(0, 7);
  numbers_->setObjectName(QStringLiteral("numbers"));
  numbers_->setAccessibleName(QStringLiteral("Numbers"));
  numbers_->setHorizontalHeaderLabels({QStringLiteral("Quantity"), QStringLiteral("Ours"),
                                       QStringLiteral("Published"), QStringLiteral("Ratio"),
                                       QStringLiteral("Verdict"), QStringLiteral("Allowed"),
                                       QStringLiteral("Run")});
  numbers_->verticalHeader()->hide();
  // What has no room beside the others folds: nothing is to be scrolled sideways.
  numbers_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  for (const int column : {0, 6})
    numbers_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
  numbers_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  numbers_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  numbers_->setSelectionBehavior(QAbstractItemView::SelectRows);
  remarks_ = new QTextBrowser;
  remarks_->setObjectName(QStringLiteral("remarks"));
  remarks_->setAccessibleName(QStringLiteral("Remarks and errata"));

  auto* beneath = new QSplitter(Qt::Vertical);
  beneath->addWidget(view_);
  beneath->addWidget(numbers_);
  beneath->addWidget(remarks_);
  beneath->setStretchFactor(0, 5);
  beneath->setStretchFactor(1, 2);
  beneath->setStretchFactor(2, 1);
  beneath->setSizes({440, 150, 90});
  auto* beside = new QSplitter(Qt::Horizontal);
  beside->addWidget(list_);
  beside->addWidget(beneath);
  beside->setStretchFactor(1, 1);
  beside->setSizes({210, 870});

  summary_ = text_lines(*this, "summary");
  bar_ = new QProgressBar;
  bar_->setObjectName(QStringLiteral("progress"));
  bar_->setAccessibleName(QStringLiteral("Simulations completed"));
  bar_->setRange(0, 1000);
  const auto button = [this](const char* name, const QString& label, const QString& tip) {
    return push_button(*this, name, label, tip);
  };
  cancel_ = button("cancel", QStringLiteral("Cancel"), QStringLiteral("Cancel the computation"));
  compute_ = button("compute", QStringLiteral("Compute"),
                    QStringLiteral("Run the simulations for this figure"));
  open_ = button(
      "open_run", QStringLiteral("Open this run"),
      QStringLiteral("Open the run of this figure in the window, with its methods side by side"));
  save_ = button("save", QStringLiteral("Save figure…"),
                 QStringLiteral("Write the figure as PDF, SVG or PNG"));
  auto* row = new QHBoxLayout;
  row->addWidget(summary_, 1);
  row->addWidget(bar_, 1);
  for (QPushButton* b : {cancel_, compute_, open_, save_}) row->addWidget(b);
  auto* close =
      button("close", QStringLiteral("Close"), QStringLiteral("Cancels a computation in progress"));
  row->addWidget(close);
  auto* all = new QVBoxLayout(this);
  all->addWidget(beside, 1);
  all->addLayout(row);

  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  connect(this, &QDialog::finished, this, &PaperFigureDialog::cancel);
  connect(cancel_, &QPushButton::clicked, this, &PaperFigureDialog::cancel);
  connect(compute_, &QPushButton::clicked, this, &PaperFigureDialog::compute);
  connect(open_, &QPushButton::clicked, this, [this] {
    if (const auto run = paper_run(entry_)) Q_EMIT run_wanted(*run, shows_field(entry_));
  });
  connect(save_, &QPushButton::clicked, this, [this] {
    const auto found = computed_.find(entry_);
    if (found == computed_.end()) return;
    Q_EMIT save_wanted(found->second.figure,
                       QStringLiteral("figure-") + to_qstring(paper_entries()[entry_].number));
  });
  connect(list_, &QListWidget::currentRowChanged, this, [this](int now) {
    if (now >= 0 && static_cast<std::size_t>(now) != entry_)
      show_figure(static_cast<std::size_t>(now));
  });
  connect(&look_, &QTimer::timeout, this,
          [this] { bar_->setValue(static_cast<int>(1000 * part_)); });
}

PaperFigureDialog::~PaperFigureDialog() { stop_ = true; }

void PaperFigureDialog::show_figure(std::size_t entry) {
  entry_ = entry;
  list_->setCurrentRow(static_cast<int>(entry));
  if (!computed_.contains(entry))
    compute();
  else
    show_present();
  bring_up(*this);
}

void PaperFigureDialog::compute() {
  wanted_ = true;
  if (work_.busy()) {
    // The one under way is given up first, unless it is this one; its end begins this one.
    if (computing_ != entry_) stop_ = true;
    show_present();
    return;
  }
  stop_ = false;
  part_ = 0;
  computing_ = entry_;
  failures_.erase(entry_);
  look_.start(look_interval);
  work_.start(
      [this, entry = entry_] {
        return compute_paper_figure(entry, spare_threads(), [this](double part) {
          part_ = part;
          return !stop_;
        });
      },
      [this](Result<std::optional<ComputedFigure>> computed) { take(std::move(computed)); });
  show_present();
}

void PaperFigureDialog::cancel() {
  stop_ = true;
  wanted_ = false;
}

void PaperFigureDialog::take(Result<std::optional<ComputedFigure>> computed) {
  look_.stop();
  if (!computed)
    failures_[computing_] = to_qstring(computed.error().text());
  else if (*computed)
    computed_.insert_or_assign(computing_, std::move(**computed));
  // Another one was asked for meanwhile, or this one again.
  if (wanted_ && !computed_.contains(entry_) && !failures_.contains(entry_))
    compute();
  else
    show_present();
}

void PaperFigureDialog::show_present() {
  const PaperEntry& entry = paper_entries()[entry_];
  const auto found = computed_.find(entry_);
  const bool done = found != computed_.end();
  const bool busy = work_.busy() && !done;
  setWindowTitle(QStringLiteral("Figure %1 of the paper: %2")
                     .arg(to_qstring(entry.number), to_qstring(entry.title)));
  bar_->setVisible(busy);
  bar_->setValue(static_cast<int>(1000 * part_));
  cancel_->setVisible(busy);
  compute_->setVisible(!busy && !done);
  save_->setEnabled(done);
  summary_->setVisible(!busy);

  QStringList remarks{to_qstring(entry.note), to_qstring(entry.errata)};
  numbers_->setRowCount(0);
  if (!done) {
    const auto failure = failures_.find(entry_);
    view_->show_text(busy ? QStringLiteral("Running the simulations for this figure")
                     : failure != failures_.end() ? failure->second
                                                  : QStringLiteral("Not computed"));
    summary_->clear();
  } else {
    const ComputedFigure& figure = found->second;
    view_->show_figure(figure.figure, paper_page(FigureFormat::png).points, paper_look());
    numbers_->setRowCount(static_cast<int>(figure.rows.size()));
    for (std::size_t i = 0; i < figure.rows.size(); ++i) {
      const ReproductionRow& row = figure.rows[i];
      const QString reason = to_qstring(row.reason);
      const QString tip =
          reason.isEmpty() ? to_qstring(row.run) : to_qstring(row.run) + QLatin1Char('\n') + reason;
      int column = 0;
      for (const std::string_view cell :
           {std::string_view(row.quantity), std::string_view(row.ours),
            std::string_view(row.published), std::string_view(row.ratio), row.verdict,
            std::string_view(row.allowed), std::string_view(row.run)}) {
        auto* item = new QTableWidgetItem(to_qstring(cell));
        item->setToolTip(plain_tip(tip));
        if (column >= 1 && column <= 3) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        numbers_->setItem(static_cast<int>(i), column++, item);
      }
      if (!reason.isEmpty() && !remarks.contains(reason)) remarks << reason;
    }
    summary_->setText(to_qstring(in_words(figure.tally)));
    summary_->setToolTip(plain_tip(to_qstring(meaning_of_verdicts())));
  }
  QString page;
  for (const QString& remark : remarks)
    if (!remark.isEmpty()) page += QStringLiteral("<p>%1</p>").arg(remark.toHtmlEscaped());
  remarks_->setHtml(page);
}

namespace {

QDialog* make_paper_figures(const DialogContext& context) {
  auto* dialog = new PaperFigureDialog(&context.window);
  QObject::connect(dialog, &PaperFigureDialog::run_wanted, &context.window,
                   [context](const Scenario& run, bool field) {
                     constexpr ui::Action toggle = ui::Action::toggle_field;
                     if (field && context.viewport.interface().is_checked(toggle) == false)
                       context.perform(toggle);
                     context.document.start(run, {});
                     context.window.raise();
                     context.window.activateWindow();
                   });
  QObject::connect(dialog, &PaperFigureDialog::save_wanted, &context.window, figure_saver(context));
  return dialog;
}

/// A figure by its number, or else the one of before.
void show_paper_figure(QDialog& dialog, const DialogContext&, const QString& topic) {
  auto& figures = static_cast<PaperFigureDialog&>(dialog);
  std::size_t entry = figures.entry();
  for (std::size_t i = 0; i < paper_entries().size(); ++i)
    if (to_qstring(paper_entries()[i].number) == topic) entry = i;
  figures.show_figure(entry);
}

}  // namespace

DialogRecord paper_figure_dialog() {
  return {.key = "paper_figure",
          .title = QStringLiteral("Figures of the paper"),
          .make = make_paper_figures,
          .show = show_paper_figure};
}

}  // namespace twosphere

#include "moc_paper_figure_dialog.cpp"
