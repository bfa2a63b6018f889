// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/mechanics/sphere.h"
#include "core/scenario/document.h"

/// Starts that are generated, "generator" of "initial".
namespace twosphere {

/// What "system" of a scenario says about its bodies before the start is read.
struct KnownBodies {
  std::optional<int> count;
  std::optional<Columns> places;  ///< sites of a lattice, positions or pivots [m]
};
KnownBodies known_bodies(const document::Value& system);

/// The directions of a generator, an object with a "type", or of a list of these: the first gives
/// q, each later one turns every q_i as its own direction is turned from e3, by the smallest
/// rotation. Throws an Error with the location.
Columns generated_directions(const document::Value& generator, const KnownBodies& known);

}  // namespace twosphere
