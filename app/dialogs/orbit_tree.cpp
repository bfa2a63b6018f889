// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/orbit_tree.h"

#include <fmt/format.h>

#include <QHeaderView>
#include <QSignalBlocker>
#include <QTreeWidgetItemIterator>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "app/base/labels.h"
#include "app/base/plural.h"
#include "app/base/qt_text.h"
#include "app/dialogs/orbit_results.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

constexpr double per_degree = std::numbers::pi / 180;
constexpr int tree_digits = 10, few_digits = 4;
enum TreeColumn {
  item_column,
  energy_column,
  square_column,
  frequency_column,
  growth_column,
  quality_column,
  kind_column
};

QString tree_number(double value, int digits = tree_digits) {
  return std::isfinite(value) ? to_qstring(ui::significant(value, digits)) : QStringLiteral("–");
}

/// "3.1" or "3.1 … 7.2"
QString span_of(double from, double to) {
  const QString first = tree_number(from, few_digits), last = tree_number(to, few_digits);
  return first == last ? first : QStringLiteral("%1 … %2").arg(first, last);
}

QString kind_of(const Mode& mode) {
  if (mode.growth > 0) return QStringLiteral("grows");
  if (mode.frequency == 0)
    return mode.growth < 0 ? QStringLiteral("decays") : QStringLiteral("neutral");
  return mode.energy_sign < 0 ? QStringLiteral("oscillates, lowers the energy")
                              : QStringLiteral("oscillates");
}

/// The entries of families, at the top and below modes.
std::vector<QTreeWidgetItem*> families_in(OrbitTree& tree) {
  std::vector<QTreeWidgetItem*> families;
  for (QTreeWidgetItemIterator it(&tree); *it; ++it)
    if ((*it)->data(0, Qt::UserRole).toInt() == static_cast<int>(OrbitItem::Kind::family))
      families.push_back(*it);
  return families;
}

}  // namespace

bool begins_orbits(OrbitItem::Kind kind, OrbitForces forces) {
  using Kind = OrbitItem::Kind;
  switch (forces) {
    case OrbitForces::conservative:
      return kind == Kind::mode || kind == Kind::relative_mode;
    case OrbitForces::driven:
      return kind == Kind::mode || kind == Kind::equilibrium;
    case OrbitForces::dissipative:
      break;
  }
  return false;
}

OrbitTree::OrbitTree(QWidget* parent) : QTreeWidget(parent) {
  setHeaderLabels(
      {"Name", "Energy [J]", "ν² [rad²/s²]", "Frequency [Hz]", "Growth [1/s]", "Quality", "Kind"});
  header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  setExpandsOnDoubleClick(false);
  setMinimumHeight(120);
  connect(this, &QTreeWidget::currentItemChanged, this, [this] { Q_EMIT chosen_changed(); });
  connect(this, &QTreeWidget::itemActivated, this, [this] { Q_EMIT opened(); });
}

QTreeWidgetItem* OrbitTree::add(QTreeWidgetItem* parent, const OrbitItem& item) {
  auto* made = parent ? new QTreeWidgetItem(parent) : new QTreeWidgetItem;
  if (!parent) {
    int row = 0;
    while (row < topLevelItemCount() &&
           topLevelItem(row)->data(0, Qt::UserRole).toInt() <= static_cast<int>(item.kind))
      ++row;
    insertTopLevelItem(row, made);
  }
  made->setData(0, Qt::UserRole, static_cast<int>(item.kind));
  made->setData(0, Qt::UserRole + 1, static_cast<qulonglong>(item.number));
  made->setData(0, Qt::UserRole + 2, static_cast<qulonglong>(item.mode));
  for (const int column :
       {energy_column, square_column, frequency_column, growth_column, quality_column})
    made->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  return made;
}

OrbitItem OrbitTree::chosen() const {
  const QTreeWidgetItem* item = currentItem();
  if (!item) return {};
  return {static_cast<OrbitItem::Kind>(item->data(0, Qt::UserRole).toInt()),
          static_cast<std::size_t>(item->data(0, Qt::UserRole + 1).toULongLong()),
          static_cast<std::size_t>(item->data(0, Qt::UserRole + 2).toULongLong())};
}

QTreeWidgetItem* OrbitTree::find(const OrbitItem& item) {
  for (QTreeWidgetItemIterator it(this); *it; ++it)
    if ((*it)->data(0, Qt::UserRole).toInt() == static_cast<int>(item.kind) &&
        (*it)->data(0, Qt::UserRole + 1).toULongLong() == item.number &&
        (*it)->data(0, Qt::UserRole + 2).toULongLong() == item.mode)
      return *it;
  return nullptr;
}

void OrbitTree::choose(const OrbitItem& item) {
  QTreeWidgetItem* found = find(item);
  if (!found) return;
  setCurrentItem(found);
  scrollToItem(found);
}

/// Removes the entries of a kind at the top, with what is below them.
void OrbitTree::remove(OrbitItem::Kind kind) {
  for (int row = topLevelItemCount() - 1; row >= 0; --row)
    if (topLevelItem(row)->data(0, Qt::UserRole).toInt() == static_cast<int>(kind))
      delete takeTopLevelItem(row);
}

void OrbitTree::set_equilibria(const std::vector<Equilibrium>& list,
                               const std::vector<double>& turns) {
  const QSignalBlocker quiet(this);
  for (QTreeWidgetItem* family : families_in(*this)) {
    if (!family->parent()) continue;
    family->parent()->removeChild(family);
    addTopLevelItem(family);
    family->setText(item_column, family->toolTip(item_column));
  }
  remove(OrbitItem::Kind::equilibrium);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Equilibrium& one = list[k];
    QTreeWidgetItem* item = add(nullptr, {OrbitItem::Kind::equilibrium, k});
    item->setText(item_column, QStringLiteral("Equilibrium %1").arg(one.number));
    item->setText(energy_column, tree_number(one.potential_energy));
    item->setText(kind_column,
                  to_qstring(fmt::format("{}, index {}, nullity {}, {}° from the start",
                                         name(one.kind()), one.index, one.nullity,
                                         ui::significant(turns[k] / per_degree, few_digits))));
    item->setChildIndicatorPolicy(QTreeWidgetItem::ShowIndicator);
  }
}

void OrbitTree::set_modes(const OrbitItem& of, const Modes& modes) {
  QTreeWidgetItem* parent = find(of);
  if (!parent) return;
  const bool relative = of.kind == OrbitItem::Kind::relative;
  const auto kind = relative ? OrbitItem::Kind::relative_mode : OrbitItem::Kind::mode;
  if (relative) qDeleteAll(parent->takeChildren());
  setColumnHidden(quality_column, !modes.damped);
  for (std::size_t k = 0; k < modes.list.size(); ++k) {
    const Mode& mode = modes.list[k];
    QTreeWidgetItem* item = add(parent, {kind, of.number, k});
    item->setText(item_column, QStringLiteral("Mode %1").arg(k));
    int column = square_column;
    for (const double value : {mode.square, mode.frequency, mode.growth, mode.quality})
      item->setText(column++, tree_number(value));
    item->setText(kind_column, kind_of(mode));
  }
  parent->setChildIndicatorPolicy(QTreeWidgetItem::DontShowIndicatorWhenChildless);
  parent->setExpanded(true);
}

void OrbitTree::set_family(std::size_t number, const QString& title, const FoundFamily& family,
                           const OrbitItem& from) {
  const OrbitItem key{OrbitItem::Kind::family, number};
  QTreeWidgetItem* item = find(key);
  if (!item) {
    const bool below =
        from.kind == OrbitItem::Kind::mode || from.kind == OrbitItem::Kind::equilibrium;
    QTreeWidgetItem* parent = below ? find(from) : nullptr;
    item = add(parent, key);
    if (parent) parent->setExpanded(true);
  }
  const FoundOrbit &first = family.members.front(), &last = family.members.back();
  // Below where it begins the title would only repeat where it stands, and push the columns out of
  // sight.
  const QString orbits = counted(family.members.size(), "orbit", "orbits");
  const QString whole = QStringLiteral("%1: %2").arg(title, orbits);
  item->setText(item_column, item->parent() ? orbits : whole);
  item->setToolTip(item_column, plain_tip(whole));
  if (family.keeps_energy())
    item->setText(energy_column, span_of(first.orbit.energy, last.orbit.energy));
  item->setText(frequency_column, span_of(1 / first.period(), 1 / last.period()));
  QString kind = to_qstring(kinds_in_words(family));
  if (!family.bifurcations.empty())
    kind += QStringLiteral(", %1").arg(
        counted(family.bifurcations.size(), "bifurcation", "bifurcations"));
  item->setText(kind_column, kind);
}

void OrbitTree::clear_families() {
  const QSignalBlocker quiet(this);
  for (QTreeWidgetItem* family : families_in(*this)) delete family;
  remove(OrbitItem::Kind::relative);
}

void OrbitTree::set_curves(const std::vector<RelativeCurve>& curves, int axis) {
  const QSignalBlocker quiet(this);
  remove(OrbitItem::Kind::relative);
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const std::vector<RelativeEquilibrium>& list = curves[k].list;
    QTreeWidgetItem* item = add(nullptr, {OrbitItem::Kind::relative, k});
    item->setText(item_column, QStringLiteral("Turning about e%1: %2")
                                   .arg(axis + 1)
                                   .arg(counted(list.size(), "state", "states")));
    item->setText(energy_column, span_of(list.front().energy, list.back().energy));
    item->setChildIndicatorPolicy(QTreeWidgetItem::ShowIndicator);
    constexpr double turn = 2 * std::numbers::pi;
    item->setText(frequency_column, span_of(list.front().rate / turn, list.back().rate / turn));
    double growth = 0;
    for (const RelativeEquilibrium& one : list) growth = std::max(growth, one.growth());
    item->setText(growth_column, tree_number(growth, few_digits));
    item->setText(kind_column,
                  to_qstring(name(list.front().stability)) +
                      (list.front().stability == list.back().stability
                           ? QString()
                           : QStringLiteral(" … ") + to_qstring(name(list.back().stability))));
  }
}

}  // namespace twosphere

#include "moc_orbit_tree.cpp"
