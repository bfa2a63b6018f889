// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/runs_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/widgets.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/live_run.h"
#include "core/color/palette.h"
#include "core/scenario/timetable.h"

namespace twosphere {

namespace {

enum RunColumn { name_column, from_column, ends_column, column_count };
constexpr int color_role = Qt::UserRole + 1;

}  // namespace

RunsDialog::RunsDialog(const DialogContext& context) : QDialog(&context.window), context_(context) {
  setObjectName(QStringLiteral("runs_dialog"));
  resize(560, 320);
  QLabel* help = text_lines(*this, "");
  help->setText(
      "The runs from this start. Tick another run to show it beside the current one, in the scene, "
      "the plots and the time line. F2 renames the selected run.");
  list_ = named(new QTreeWidget, "runs", "Runs");
  list_->setColumnCount(column_count);
  list_->setHeaderLabels({"Run", "From", "Up to"});
  list_->setRootIsDecorated(false);
  list_->setIconSize(swatch_size);
  list_->header()->setSectionResizeMode(name_column, QHeaderView::Stretch);
  for (const RunColumn column : {from_column, ends_column})
    list_->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(false);
  problem_ = text_lines(*this, "problem");
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  make_buttons(*buttons);
  references_ = named(new QComboBox, "reference", {},
                      "The run that the others are compared with, in a plot of their distances");
  references_->setIconSize(swatch_size);
  references_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  QLabel* label = plain_label("&Distances to");
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
  connect(references_, &QComboBox::activated, this, [this](int index) {
    context_.viewport.interface().compare_with_run(references_->itemData(index).toInt());
    context_.viewport.request_frame();
  });
  const auto follow = [this] {
    if (isVisible()) refresh();
  };
  connect(&context.viewport, &Viewport::drawn, this, follow);
  connect(&context.document.session(), &Session::changed, this, follow);
}

void RunsDialog::make_buttons(QDialogButtonBox& buttons) {
  const auto button = [&](const char* name, const QString& label, const QString& tip, auto act) {
    QPushButton* made = add_button(buttons, name, label, tip);
    connect(made, &QPushButton::clicked, this, [this, act] {
      if (const Row* row = chosen()) act(*row);
    });
    return made;
  };
  switch_ =
      button("go_on", "S&witch to this run", "Make it the current run, at its newest step",
             [this](const Row& row) { (void)context_.document.session().switch_to(row.run); });
  color_ = button("color", "Next &colour", "Change the colour of its curves and outlines",
                  [this](const Row& row) {
                    BranchLook look = row.look;
                    look.color = (look.color + 1) % branch_color_count;
                    edit(row, look);
                  });
  save_ = button("save", "&Save as…", "Write it as a scenario of its own",
                 [this](const Row& row) { context_.document.save_run(row.run); });
  delete_ = button("delete", "&Delete", "Undo brings it back",
                   [this](const Row& row) { edit(row, std::nullopt); });
}

std::vector<RunsDialog::Row> RunsDialog::read_rows() const {
  const LiveRun& run = context_.run;
  const Snapshot& now = run.snapshot();
  const Palette palette = context_.viewport.interface().settings().palette;
  const auto seconds = [](double t) { return QStringLiteral("%1 s").arg(t, 0, 'g', 6); };
  std::vector<Row> rows;
  for (const Branch& branch : run.branches()) {
    Row& row = rows.emplace_back();
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

void RunsDialog::refresh() {
  rows_ = read_rows();
  fill();
  fill_references();
}

const RunsDialog::Row* RunsDialog::chosen() const {
  const int index = list_->indexOfTopLevelItem(list_->currentItem());
  return index < 0 ? nullptr : &rows_[static_cast<std::size_t>(index)];
}

void RunsDialog::edit(const Row& row, const std::optional<BranchLook>& look) {
  const auto done = context_.document.session().edit_run(row.run, look);
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
    item.setIcon(name_column, swatch(row.color));
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
    references_->setItemIcon(at, swatch(color));
    references_->setItemData(at, color, color_role);
  };
  const auto count = static_cast<int>(rows_.size()) + 1;
  while (references_->count() > count) references_->removeItem(references_->count() - 1);
  put(0, QStringLiteral("the current run"), -1, {});
  for (int i = 1; i < count; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i - 1)];
    put(i, to_qstring(row.look.name), row.run, row.color);
  }
  const int reference = context_.viewport.interface().settings().reference_run;
  const int chosen = std::max(0, references_->findData(reference));
  if (references_->currentIndex() != chosen) references_->setCurrentIndex(chosen);
  references_->setEnabled(rows_.size() > 1);
}

void RunsDialog::update_buttons() {
  const Row* row = chosen();
  switch_->setEnabled(row && !row->present);
  delete_->setEnabled(row && !row->present);
  color_->setEnabled(row);
  save_->setEnabled(row);
}

DialogRecord runs_dialog() {
  return {.key = "runs",
          .title = QStringLiteral("Runs from this start"),
          .make = make_dialog<RunsDialog>,
          .show = [](QDialog& dialog, const DialogContext& /*context*/, const QString& /*topic*/) {
            static_cast<RunsDialog&>(dialog).refresh();
            bring_up(dialog);
          }};
}

}  // namespace twosphere

#include "moc_runs_dialog.cpp"
