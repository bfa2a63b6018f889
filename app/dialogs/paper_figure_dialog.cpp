// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/paper_figure_dialog.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMainWindow>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <utility>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/figure_view.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"

namespace twosphere {

namespace {

constexpr int bar_parts = 1000;  // of the bar

}  // namespace

PaperFigureDialog::PaperFigureDialog(const DialogContext& context)
    : StudyDialog(context, "paper_figures_dialog", {1080, 740}) {
  list_ = named(new QListWidget, "figures", "Figures");
  list_->setWordWrap(true);
  for (const PaperEntry& entry : paper_entries())
    list_->addItem(
        QStringLiteral("Figure %1\n%2").arg(to_qstring(entry.number), to_qstring(entry.title)));
  list_->setMinimumWidth(190);
  list_->setSpacing(2);
  view_ = named(new FigureView(nullptr), "figure", "Figure");
  numbers_ = results_table(nullptr, "numbers", "Numbers",
                           {"Quantity", "Ours", "Published", "Ratio", "Verdict", "Allowed", "Run"});
  // What has no room beside the others folds: nothing is to be scrolled sideways.
  for (const int column : {0, 6})
    numbers_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
  numbers_->setSelectionBehavior(QAbstractItemView::SelectRows);
  remarks_ = named(new QTextBrowser, "remarks", "Remarks and errata");
  QSplitter* beneath =
      splitter(nullptr, Qt::Vertical, {{view_, 5, 440}, {numbers_, 2, 150}, {remarks_, 1, 90}});
  results_->addWidget(splitter(nullptr, Qt::Horizontal, {{list_, 0, 210}, {beneath, 1, 870}}), 1);
  make_buttons();
  lay_out(nullptr, "Cancels a computation in progress");
  connect(this, &QDialog::finished, this, [this] { wanted_ = false; });
  connect(list_, &QListWidget::currentRowChanged, this, [this](int now) {
    if (now >= 0 && static_cast<std::size_t>(now) != entry_)
      show_figure(static_cast<std::size_t>(now));
  });
}

void PaperFigureDialog::make_buttons() {
  summary_ = text_lines(*this, "summary");
  row_->addWidget(summary_, 1);
  row_->addWidget(make_bar("Simulations completed"), 1);
  cancel_ = add_button("cancel", "Cancel", "Cancel the computation", [this] {
    cancel();
    wanted_ = false;
  });
  compute_ = add_button("compute", "Compute", "Run the simulations for this figure",
                        [this] { compute_shown(); });
  add_button("open_run", "Open this run",
             "Open the run of this figure in the window, with its methods side by side",
             [this] { open_run(); });
  save_ = add_button("save", "Save figure…", "Write the figure as PDF, SVG or PNG", [this] {
    context_.exports.save_paper_figure(
        computed_.at(entry_).figure,
        QStringLiteral("figure-") + to_qstring(paper_entries()[entry_].number));
  });
}

void PaperFigureDialog::prepare(const QString& topic) {
  std::size_t entry = entry_;
  for (std::size_t i = 0; i < paper_entries().size(); ++i)
    if (to_qstring(paper_entries()[i].number) == topic) entry = i;
  show_figure(entry);
}

/// Computes a figure, unless that was done before.
void PaperFigureDialog::show_figure(std::size_t entry) {
  entry_ = entry;
  list_->setCurrentRow(static_cast<int>(entry));
  if (!computed_.contains(entry))
    compute_shown();
  else
    show_present();
}

void PaperFigureDialog::open_run() {
  const auto run = paper_run(entry_);
  if (!run) return;
  constexpr ui::Action toggle = ui::Action::toggle_field;
  if (shows_field(entry_) && context_.viewport.interface().is_checked(toggle) == false)
    context_.perform(toggle);
  context_.document.start(*run, {});
  context_.window.raise();
  context_.window.activateWindow();
}

void PaperFigureDialog::compute_shown() {
  wanted_ = true;
  if (busy()) {
    // The one under way is given up first, unless it is this one; its end begins this one.
    if (computing_ != entry_) cancel();
    return show_present();
  }
  computing_ = entry_;
  failures_.erase(entry_);
  compute(
      [this, entry = entry_] {
        return compute_paper_figure(entry, spare_threads(), [this](double part) {
          return proceed(static_cast<std::size_t>(bar_parts * part), bar_parts);
        });
      },
      [this](Result<std::optional<ComputedFigure>> computed) { take(std::move(computed)); });
  show_present();
}

void PaperFigureDialog::take(Result<std::optional<ComputedFigure>> computed) {
  if (!computed)
    failures_[computing_] = to_qstring(computed.error().text());
  else if (*computed)
    computed_.insert_or_assign(computing_, std::move(**computed));
  // Another one was asked for meanwhile, or this one again.
  if (wanted_ && !computed_.contains(entry_) && !failures_.contains(entry_))
    compute_shown();
  else
    show_present();
}

void PaperFigureDialog::poll() {
  StudyDialog::poll();
  bar_->setVisible(busy() && !computed_.contains(entry_));
}

void PaperFigureDialog::show_present() {
  const PaperEntry& entry = paper_entries()[entry_];
  const auto found = computed_.find(entry_);
  const bool done = found != computed_.end();
  const bool computes = busy() && !done;
  setWindowTitle(QStringLiteral("Figure %1 of the paper: %2")
                     .arg(to_qstring(entry.number), to_qstring(entry.title)));
  poll();
  cancel_->setVisible(computes);
  compute_->setVisible(!computes && !done);
  save_->setEnabled(done);
  summary_->setVisible(!computes);

  QStringList remarks{to_qstring(entry.note), to_qstring(entry.errata)};
  numbers_->setRowCount(0);
  if (!done) {
    const auto failure = failures_.find(entry_);
    view_->show_text(computes ? QStringLiteral("Running the simulations for this figure")
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
        put_cell(*numbers_, static_cast<int>(i), column, to_qstring(cell), tip,
                 column >= 1 && column <= 3);
        ++column;
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

DialogRecord paper_figure_dialog() {
  return study_record<PaperFigureDialog>("paper_figure", QStringLiteral("Figures of the paper"));
}

}  // namespace twosphere

#include "moc_paper_figure_dialog.cpp"
