// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/start_table.h"

#include <fmt/format.h>

#include <QHeaderView>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/widgets.h"

namespace twosphere {

namespace {

constexpr int max_start_rows = 6;  // rows, without scrolling

QString components(const Vec3& v) {
  // −0 is 0.
  return to_qstring(fmt::format("{:.8g}, {:.8g}, {:.8g}", v[0] + 0.0, v[1] + 0.0, v[2] + 0.0));
}

std::optional<Vec3> three_numbers(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
  const QStringList parts = text.split(between, Qt::SkipEmptyParts);
  if (parts.size() != 3) return {};
  Vec3 v;
  for (int k = 0; k < 3; ++k) {
    bool fine = false;
    v[k] = parts[k].toDouble(&fine);
    if (!fine || !std::isfinite(v[k])) return {};
  }
  return v;
}

}  // namespace

StartTable::StartTable(QWidget* parent) : QTableWidget(0, 2, parent) {
  set_names(*this, "start", "Start", {});
  setHorizontalHeaderLabels({QStringLiteral("q"), QStringLiteral("ω [rad/s]")});
  horizontalHeaderItem(0)->setToolTip(
      QStringLiteral("The direction of each body, made a unit vector: 0, 0, 1"));
  horizontalHeaderItem(1)->setToolTip(
      QStringLiteral("Its angular velocity; the part along q is left out"));
  horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  horizontalHeader()->setHighlightSections(false);
  verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  setTabKeyNavigation(false);
  setEditTriggers(QAbstractItemView::AllEditTriggers);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(this, &QTableWidget::itemChanged, this, [this](QTableWidgetItem* cell) { read(*cell); });
}

void StartTable::set_start(const Columns& q, const Columns& omega, bool with_omega) {
  if (state() == QAbstractItemView::EditingState) return;
  const QSignalBlocker quiet(this);
  setRowCount(static_cast<int>(q.cols()));
  setColumnHidden(1, !with_omega);
  for (int body = 0; body < rowCount(); ++body) {
    setVerticalHeaderItem(body, new QTableWidgetItem(QString::number(body)));
    setItem(body, 0, new QTableWidgetItem(components(q.col(body))));
    setItem(body, 1, new QTableWidgetItem(components(omega.col(body))));
  }
  updateGeometry();
}

void StartTable::read(const QTableWidgetItem& cell) {
  const bool omega = cell.column() == 1;
  const auto value = three_numbers(cell.text());
  if (value && (omega || value->norm() > 0)) {
    Q_EMIT typed(cell.row(), omega, *value);
    return;
  }
  const QSignalBlocker quiet(this);
  QTableWidgetItem& wrong = *item(cell.row(), cell.column());
  if (colors_) wrong.setForeground(QColor(static_cast<QRgb>(colors_->error.rgb)));
  wrong.setToolTip(plain_tip(omega
                                 ? QStringLiteral("Three numbers are needed: 0, 0, 1")
                                 : QStringLiteral("Three numbers are needed, not all 0: 0, 0, 1")));
}

QSize StartTable::sizeHint() const {
  const int rows = std::min(rowCount(), max_start_rows);
  const int height = horizontalHeader()->sizeHint().height() + 2 * frameWidth() +
                     rows * (rowCount() > 0 ? rowHeight(0) : 0);
  return {QTableWidget::sizeHint().width(), height};
}

}  // namespace twosphere

#include "moc_start_table.cpp"
