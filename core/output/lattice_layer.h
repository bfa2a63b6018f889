// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/mechanics/system.h"
#include "core/scenario/document.h"

/// The layer of a cubic lattice that a scene shows alone: `view.layer` of a scenario.
namespace twosphere {

/// The bodies with one coordinate in common.
struct LatticeLayer {
  int axis = 2;    ///< of the normal: 0 to 2 for e1 to e3
  int number = 0;  ///< of the layer along it, from 0

  bool operator==(const LatticeLayer&) const = default;
};

/// {"axis": "e1" | "e2" | "e3", "number": k}, counted from 0. Throws a Failure.
LatticeLayer read_layer(const document::Value& layer);
json::Node to_json(const LatticeLayer& layer);
/// The layer of a view; none if it has none. The location of errors is within "view", after the
/// name of its document, if that has one, and the line.
Result<std::optional<LatticeLayer>> layer_of_view(const json::Node& view,
                                                  std::string_view document = {});
/// "e3:5", counted from 1. The location of errors is "layer".
Result<LatticeLayer> parse_layer(const std::string& text);
/// Fails where a system has no such layer, likewise. A LatticeLayer of another scenario may be
/// beyond the last one: ShownBodies takes the last.
Result<void> check_layer(const LatticeLayer& layer, const System& system);
/// The warning that a view has a layer that a system does not have, with what is shown in its
/// place; empty where it has it.
std::string missing_layer(const LatticeLayer& layer, const System& system);

/// The bodies that a scene shows, in order: all, or those of a layer.
class ShownBodies {
 public:
  /// Of a system without System::lattice_layers() all are shown.
  ShownBodies(const std::optional<LatticeLayer>& layer, const System& system);

  /// How many are shown of things of which there is one for each body: `all`, or those of a layer.
  std::size_t count(std::size_t all) const { return is_layer() ? only_.size() : all; }
  /// The number of the k-th of them.
  std::size_t operator[](std::size_t k) const { return only_.empty() ? k : only_[k]; }
  /// Whether it is one of them. O(log n).
  bool has(std::size_t body) const {
    return only_.empty() || std::binary_search(only_.begin(), only_.end(), body);
  }
  /// Whether they are those of a layer.
  bool is_layer() const { return !only_.empty(); }
  /// Leaves what is listed for each of the bodies to these; other lists stay.
  template <class Thing>
  void keep(std::vector<Thing>& things) const {
    if (!is_layer() || things.size() <= only_.back()) return;
    std::vector<Thing> kept;
    kept.reserve(only_.size());
    for (const std::size_t i : only_) kept.push_back(std::move(things[i]));
    things = std::move(kept);
  }
  /// Leaves a geometry of all bodies to these: their arrows, the guides between them, and cells
  /// about them in the plane of the layer.
  void cut(Geometry& geometry) const;

 private:
  std::vector<std::size_t> only_;  // of a layer
  std::size_t axis_ = 2;
  std::array<std::size_t, 2> across_{1, 1};  // sizes of the layer along the next axes, cyclically
};

}  // namespace twosphere
