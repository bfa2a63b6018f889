// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/parameter_table.h"

#include <QHeaderView>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/widgets.h"

namespace twosphere {

namespace {

constexpr int columns = 5, max_table_rows = 9;

}  // namespace

ParameterTable::ParameterTable(QWidget* parent) : QTableWidget(0, columns, parent) {
  set_names(*this, "parameters", "Parameters", {});
  setHorizontalHeaderLabels({"Name", "Value", "Unit", "Slider", "Explanation"});
  const std::array<const char*, columns> tips{
      "A letter or a word: m, k, gamma",
      "A number or an expression (30 deg, 1/3), a list (1, 0.5), or pairs of bodies "
      "([[0, 1], [1, 2]])",
      "In SI units: kg, m/s^2; empty if units are not checked", "Its range: 0 to 10",
      "Shown at the slider"};
  for (int c = 0; c < columns; ++c)
    horizontalHeaderItem(c)->setToolTip(
        plain_tip(QLatin1String(tips[static_cast<std::size_t>(c)])));
  horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setHighlightSections(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setEditTriggers(QAbstractItemView::AllEditTriggers);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(this, &QTableWidget::itemChanged, this, [this] {
    keep_empty_row();
    Q_EMIT changed();
  });
}

QString ParameterTable::text(int row, ParameterColumn column) const {
  const QTableWidgetItem* cell = item(row, static_cast<int>(column));
  return cell ? cell->text() : QString();
}

void ParameterTable::keep_empty_row() {
  const int last = rowCount() - 1;
  for (int c = 0; c < columns && last >= 0; ++c)
    if (!text(last, static_cast<ParameterColumn>(c)).isEmpty()) {
      setRowCount(rowCount() + 1);
      updateGeometry();
      return;
    }
}

void ParameterTable::set_parameters(const std::vector<SystemDraft::Parameter>& parameters) {
  {
    const QSignalBlocker quiet(this);
    setRowCount(0);
    setRowCount(static_cast<int>(parameters.size()) + 1);
    for (int row = 0; row < rowCount() - 1; ++row) {
      const SystemDraft::Parameter& p = parameters[static_cast<std::size_t>(row)];
      int column = 0;
      for (const std::string* part : {&p.name, &p.value, &p.unit, &p.range, &p.help})
        setItem(row, column++, new QTableWidgetItem(to_qstring(*part)));
    }
    const int letter = fontMetrics().averageCharWidth();
    for (const auto& [column, letters] : {std::pair{ParameterColumn::name, 10},
                                          {ParameterColumn::value, 16},
                                          {ParameterColumn::unit, 9},
                                          {ParameterColumn::range, 12}})
      setColumnWidth(static_cast<int>(column), letters * letter);
  }
  updateGeometry();
  Q_EMIT changed();
}

std::vector<SystemDraft::Parameter> ParameterTable::parameters() const {
  std::vector<SystemDraft::Parameter> all;
  for (int row = 0; row < rowCount(); ++row) {
    const auto said = [&](ParameterColumn column) { return text(row, column).toStdString(); };
    all.push_back({said(ParameterColumn::name), said(ParameterColumn::value),
                   said(ParameterColumn::unit), said(ParameterColumn::range),
                   said(ParameterColumn::help)});
  }
  while (!all.empty() && all.back() == SystemDraft::Parameter{}) all.pop_back();
  return all;
}

void ParameterTable::add(const QString& name) {
  const int row = static_cast<int>(parameters().size());
  const int value = static_cast<int>(ParameterColumn::value);
  setItem(row, static_cast<int>(ParameterColumn::name), new QTableWidgetItem(name));
  setItem(row, value, new QTableWidgetItem(QStringLiteral("1")));
  setCurrentCell(row, value);
  editItem(item(row, value));
}

void ParameterTable::set_value(int row, const QString& value) {
  QTableWidgetItem* cell = item(row, static_cast<int>(ParameterColumn::value));
  if (!cell) return;
  if (is_open(row, static_cast<int>(ParameterColumn::value)))
    later_ = {row, cell->text(), value};
  else
    cell->setText(value);
}

void ParameterTable::set_problems(const std::vector<DraftProblem>& problems,
                                  const ui::Colors& colors) {
  problems_ = problems;
  colors_ = &colors;
  mark();
}

bool ParameterTable::is_open(int row, int column) const {
  return QAbstractItemView::isPersistentEditorOpen(model()->index(row, column));
}

/// A cell that is being typed in is left alone: it would take its former text again.
void ParameterTable::mark() {
  if (!colors_) return;
  const QSignalBlocker quiet(this);
  for (int row = 0; row < rowCount(); ++row)
    for (int c = 0; c < columns; ++c)
      if (QTableWidgetItem* cell = item(row, c); cell && !is_open(row, c)) {
        cell->setForeground(palette().text());
        cell->setToolTip({});
      }
  for (const DraftProblem& problem : problems_) {
    const int c = static_cast<int>(problem.parameter_column);
    if (problem.parameter < 0 || is_open(problem.parameter, c)) continue;
    if (!item(problem.parameter, c)) setItem(problem.parameter, c, new QTableWidgetItem);
    QTableWidgetItem* cell = item(problem.parameter, c);
    const ui::Color shade = problem.warning ? colors_->warning : colors_->error;
    cell->setForeground(QColor(static_cast<QRgb>(shade.rgb)));
    cell->setToolTip(plain_tip(to_qstring(problem.message)));
  }
}

void ParameterTable::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) {
  QTableWidget::closeEditor(editor, hint);
  if (const auto value = std::exchange(later_, std::nullopt)) {
    QTableWidgetItem* cell = item(value->row, static_cast<int>(ParameterColumn::value));
    if (cell && cell->text() == value->before) cell->setText(value->text);
  }
  mark();
}

QSize ParameterTable::sizeHint() const {
  int height = horizontalHeader()->sizeHint().height() + 2 * frameWidth();
  for (int row = 0; row < std::min(rowCount(), max_table_rows); ++row) height += rowHeight(row);
  return {360, height};
}

}  // namespace twosphere

#include "moc_parameter_table.cpp"
