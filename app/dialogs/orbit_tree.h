// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/studies/equilibria.h"
#include "core/studies/modes.h"
#include "core/studies/orbit_family_table.h"
#include "core/studies/orbit_problem.h"
#include "core/studies/relative_equilibria.h"

namespace twosphere {

/// An entry of the tree.
struct OrbitItem {
  enum class Kind : std::uint8_t { none, equilibrium, mode, family, relative, relative_mode };
  Kind kind = Kind::none;
  std::size_t number = 0;  ///< of the equilibrium, the family or the curve
  std::size_t mode = 0;    ///< of the equilibrium, or of the chosen point of the curve
  bool operator==(const OrbitItem&) const = default;
};

/// Whether orbits of such forces can begin at an entry of this kind: of conservative forces in a
/// mode, of driven ones at rest in an equilibrium, to which its modes belong.
bool begins_orbits(OrbitItem::Kind kind, OrbitForces forces);

/// The equilibria of a system with their modes, the families of orbits below the modes, or the
/// equilibria, that they begin in, and the curves of relative equilibria, each with the small
/// motions of one point.
class OrbitTree : public QTreeWidget {
  Q_OBJECT
 public:
  explicit OrbitTree(QWidget* parent);

  /// In place of those before, whose families stay. `turns`: how far each is from the start [rad].
  void set_equilibria(const std::vector<Equilibrium>& list, const std::vector<double>& turns);
  /// Of an equilibrium, or of a point of a curve in place of those of another one.
  void set_modes(const OrbitItem& of, const Modes& modes);
  /// Adds a family of this number, below the entry that it was found from, or changes it.
  void set_family(std::size_t number, const QString& title, const FoundFamily& family,
                  const OrbitItem& from);
  void set_curves(const std::vector<RelativeCurve>& curves, int axis);
  void clear_families();

  OrbitItem chosen() const;
  void choose(const OrbitItem& item);

 Q_SIGNALS:
  void chosen_changed();
  /// By a double click or Enter.
  void opened();

 private:
  QTreeWidgetItem* find(const OrbitItem& item);
  /// A new entry, at the end of a parent; null: of the tree, among the others of its kind.
  QTreeWidgetItem* add(QTreeWidgetItem* parent, const OrbitItem& item);
  void remove(OrbitItem::Kind kind);
};

}  // namespace twosphere
