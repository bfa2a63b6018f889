// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/runs_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/base/labels.h"
#include "app/base/text.h"
#include "app/dialogs/dialog.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/live_run.h"
#include "core/color/palette.h"
#include "core/scenario/timetable.h"

namespace twosphere {

namespace {

enum RunColumn { name_column, from_column, ends_column, column_count };
constexpr int color_role = Qt::UserRole + 1;
constexpr QSize swatch{18, 10};

}  // namespace

RunsDialog::RunsDialog(Edit edit, QWidget* parent) : QDialog(parent), edit_(std::move(edit)) {
  setObjectName(QStringLiteral("runs_dialog"));
  resize(560, 320);
  QLabel* help = plain_label(QStringLiteral(
      "The runs from this start. Tick another run to show it beside the current one, in "
      "the scene, the plots and the time line. F2 renames the selected run."));
  help->setWordWrap(true);
  list_ = new QTreeWidget;
  list_->setObjectName(QStringLiteral("runs"));
  list_->setAccessibleName(QStringLiteral("Runs"));
  list_->setColumnCount(column_count);
  list_->setHeaderLabels({QStringLiteral("Run"), QStringLiteral("From"), QStringLiteral("Up to")});
  list_->setRootIsDecorated(false);
  list_->setIconSize(swatch);
  list_->header()->setSectionResizeMode(name_column, QHeaderView::Stretch);
  for (const RunColumn column : {from_column, ends_column})
    list_->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(false);
  problem_ = plain_label();
  problem_->setObjectName(QStringLiteral("problem"));
  problem_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  go_on_ = add_button(*buttons, "go_on", QStringLiteral("S&witch to this run"),
                      QStringLiteral("Make it the current run, at its newest step"));
  color_ = add_button(*buttons, "color", QStringLiteral("Next &colour"),
                      QStringLiteral("Change the colour of its curves and outlines"));
  save_ = add_button(*buttons, "save", QStringLiteral("&Save as…"),
                     QStringLiteral("Write it as a scenario of its own"));
  delete_ = add_button(*buttons, "delete", QStringLiteral("&Delete"),
                       QStringLiteral("Undo brings it back"));
  references_ = new QComboBox;
  references_->setObjectName(QStringLiteral("reference"));
  references_->setIconSize(swatch);
  references_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  references_->setToolTip(
      QStringLiteral("The run that the others are compared with, in a plot of their distances"));
  QLabel* label = plain_label(QStringLiteral("&Distances to"));
  label->setBuddy(references_);
  auto* below = new QHBoxLayout;
  below->addWidget(label);
  below->addWidget(references_);
  below->addStretch(1);
  auto* all = new QVBoxLayout(this);
  all->addWidget(help);
  all->addWidget(list_, 1);
  all->addLayout(below);
  all->addWidget(problem_);
  all->addWidget(buttons);

  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(list_, &QTreeWidget::currentItemChanged, this, &RunsDialog::update_buttons);
  connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
    if (column == name_column) take_item(*item);
  });
  connect(references_, &QComboBox::activated, this,
          [this](int index) { Q_EMIT reference_wanted(references_->itemData(index).toInt()); });
  connect(go_on_, &QPushButton::clicked, this, [this] {
    if (const Row* row = chosen()) Q_EMIT go_on_wanted(row->run);
  });
  connect(save_, &QPushButton::clicked, this, [this] {
    if (const Row* row = chosen()) Q_EMIT save_wanted(row->run);
  });
  connect(color_, &QPushButton::clicked, this, [this] {
    const Row* row = chosen();
    if (!row) return;
    BranchLook look = row->look;
    look.color = (look.color + 1) % branch_color_count;
    this->edit(*row, look);
  });
  connect(delete_, &QPushButton::clicked, this, [this] {
    if (const Row* row = chosen()) this->edit(*row, std::nullopt);
  });
}

void RunsDialog::show_rows(std::vector<Row> rows, int reference) {
  rows_ = std::move(rows);
  reference_ = reference;
  fill();
  fill_references();
}

const RunsDialog::Row* RunsDialog::chosen() const {
  const int index = list_->indexOfTopLevelItem(list_->currentItem());
  return index < 0 ? nullptr : &rows_[static_cast<std::size_t>(index)];
}

void RunsDialog::edit(const Row& row, const std::optional<BranchLook>& look) {
  const auto done = edit_(row.run, look);
  problem_->setText(done ? QString() : to_qstring(done.error().message));
}

/// The user has changed the name or the tick.
void RunsDialog::take_item(const QTreeWidgetItem& item) {
  const int index = list_->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(&item));
  if (index < 0) return;
  const Row row = rows_[static_cast<std::size_t>(index)];
  BranchLook look = row.look;
  look.name = item.text(name_column).toStdString();
  look.hidden = item.checkState(name_column) != Qt::Checked;
  edit(row, look);
  fill();  // as it was, if that was refused
}

void RunsDialog::fill() {
  const QSignalBlocker quiet(list_);
  const auto count = static_cast<int>(rows_.size());
  while (list_->topLevelItemCount() > count)
    delete list_->takeTopLevelItem(list_->topLevelItemCount() - 1);
  while (list_->topLevelItemCount() < count) {
    auto* item = new QTreeWidgetItem(list_);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable |
                   Qt::ItemIsUserCheckable);
  }
  for (int i = 0; i < count; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    QTreeWidgetItem& item = *list_->topLevelItem(i);
    const auto put = [&](int column, const QString& text) {
      if (item.text(column) != text) item.setText(column, text);
    };
    put(name_column, to_qstring(row.look.name));
    put(from_column, row.from);
    put(ends_column, row.present ? QStringLiteral("%1, current run").arg(row.ends) : row.ends);
    item.setCheckState(name_column, row.look.hidden ? Qt::Unchecked : Qt::Checked);
    // A new icon would reset a name that is being typed.
    if (item.data(name_column, color_role).value<QColor>() == row.color) continue;
    QPixmap color(swatch);
    color.fill(row.color);
    item.setIcon(name_column, color);
    item.setData(name_column, color_role, row.color);
  }
  if (!list_->currentItem() && count > 0) list_->setCurrentItem(list_->topLevelItem(0));
  update_buttons();
}

/// While nothing changes the list stays as it is, and open if it is.
void RunsDialog::fill_references() {
  const QSignalBlocker quiet(references_);
  const auto put = [this](int at, const QString& text, int run, const QColor& color) {
    if (at == references_->count()) references_->addItem(QString());
    if (references_->itemText(at) != text) references_->setItemText(at, text);
    if (references_->itemData(at).toInt() != run || references_->itemData(at).isNull())
      references_->setItemData(at, run);
    if (!color.isValid() || references_->itemData(at, color_role).value<QColor>() == color) return;
    QPixmap icon(swatch);
    icon.fill(color);
    references_->setItemIcon(at, icon);
    references_->setItemData(at, color, color_role);
  };
  const auto count = static_cast<int>(rows_.size()) + 1;
  while (references_->count() > count) references_->removeItem(references_->count() - 1);
  put(0, QStringLiteral("the current run"), -1, {});
  for (int i = 1; i < count; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i - 1)];
    put(i, to_qstring(row.look.name), row.run, row.color);
  }
  const int chosen = std::max(0, references_->findData(reference_));
  if (references_->currentIndex() != chosen) references_->setCurrentIndex(chosen);
  references_->setEnabled(rows_.size() > 1);
}

void RunsDialog::update_buttons() {
  const Row* row = chosen();
  go_on_->setEnabled(row && !row->present);
  delete_->setEnabled(row && !row->present);
  color_->setEnabled(row);
  save_->setEnabled(row);
}

namespace {

std::vector<RunsDialog::Row> rows_of(const DialogContext& context) {
  const LiveRun& run = context.run;
  const Snapshot& now = run.snapshot();
  const Palette palette = context.viewport.interface().settings().palette;
  const auto seconds = [](double t) { return QStringLiteral("%1 s").arg(t, 0, 'g', 6); };
  std::vector<RunsDialog::Row> rows;
  for (const Branch& branch : run.branches()) {
    RunsDialog::Row& row = rows.emplace_back();
    row.run = branch.id;
    row.look = branch.look;
    row.present = branch.id == run.present_branch();
    row.color = QColor(branch_color(branch.look.color, palette).rgb);
    const auto [from, step] = run.runs().origin(branch);
    const Timetable table(row.present ? *now.record : *branch.record);
    row.from = from < 0 ? QStringLiteral("the start")
                        : QStringLiteral("%1 at %2")
                              .arg(to_qstring(run.look(from)->name), seconds(table.time(step)));
    row.ends = row.present          ? seconds(now.t)
               : branch.checkpoints ? seconds(branch.checkpoints->newest()->clock.time())
                                    : QStringLiteral("not computed");
  }
  return rows;
}

void show_runs_of(const DialogContext& context, RunsDialog& dialog) {
  dialog.show_rows(rows_of(context), context.viewport.interface().settings().reference_run);
}

QDialog* make_runs_dialog(const DialogContext& context) {
  auto* dialog = new RunsDialog(
      [context](int run, const std::optional<BranchLook>& look) {
        return context.document.session().edit_run(run, look);
      },
      &context.window);
  const auto refresh = [context, dialog] {
    if (dialog->isVisible()) show_runs_of(context, *dialog);
  };
  QObject::connect(&context.viewport, &Viewport::drawn, dialog, refresh);
  QObject::connect(&context.document.session(), &Session::changed, dialog, refresh);
  QObject::connect(dialog, &RunsDialog::go_on_wanted, &context.window,
                   [context](int run) { (void)context.document.session().switch_to(run); });
  QObject::connect(dialog, &RunsDialog::save_wanted, &context.window,
                   [context](int run) { context.document.save_run(run); });
  QObject::connect(dialog, &RunsDialog::reference_wanted, &context.window, [context](int run) {
    context.viewport.interface().compare_with_run(run);
    context.viewport.request_frame();
  });
  return dialog;
}

void show_runs(QDialog& dialog, const DialogContext& context, const QString&) {
  context.run.update();
  show_runs_of(context, static_cast<RunsDialog&>(dialog));
  bring_up(dialog);
}

}  // namespace

DialogRecord runs_dialog() {
  return {.key = "runs",
          .title = QStringLiteral("Runs from this start"),
          .make = make_runs_dialog,
          .show = show_runs};
}

}  // namespace twosphere

#include "moc_runs_dialog.cpp"
