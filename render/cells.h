// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/color/color.h"
#include "core/output/cell_caption.h"
#include "core/worker/snapshot.h"
#include "render/painter.h"
#include "render/scene.h"
#include "render/scene_builder.h"

/// A scene that is split: one lane, or one run, in each cell. The window and files have the same.
namespace twosphere::render {

// Gaps between bodies and where the reference has them, in cells and on web pages.
inline constexpr double smallest_gap = 2;  ///< that is drawn, in radii of the body
/// Above few_gaps bodies only the largest gap is drawn, above max_gaps none.
inline constexpr std::size_t few_gaps = 12, max_gaps = 300;
inline constexpr double gap_chord = std::numbers::pi / 60;  ///< of an arc [rad]

inline constexpr std::size_t max_cells = 4;

/// Cells that cover a rectangle without gaps.
struct CellLayout {
  std::vector<CellArea> areas;      ///< empty: they would be too small
  std::optional<CellArea> spare{};  ///< the quarter that three cells leave
};
/// Two cells are side by side if the rectangle is at least 1.2 times as wide as high, else one
/// above the other; three or four are quarters, and of more the first four have one. A cell has at
/// least 240x170 logical pixels unless it is the only one.
CellLayout cell_layout(const CellArea& whole, std::size_t count, float pixel_ratio);

/// A run among those of a start, at the instant shown.
struct CellRun {
  int number = 0;  ///< Cell::shows
  bool present = false;
  std::string name;
  Color color;
  Snapshot snapshot;
  std::deque<Configuration> trail;
  bool reference = false;         ///< distances are measured from it; of none: from the first
  std::optional<double> ended{};  ///< before that instant: its time [s]
  std::optional<double> step{};   ///< h [s]; none: as in Snapshot::present, if that is known
};

struct Cell {
  CellArea area;
  int shows = 0;        ///< the lane, or the number of the run
  bool present = true;  ///< it shows the present run
  Scene scene;
  bool axes = false;  ///< it has the corner axes: the lower left cell
  CellCaption caption;
};

struct Cells {
  std::vector<Cell> list{};  ///< empty: the scene is not split
  Scene reference{};         ///< the reference alone, if it is split
  std::optional<CellArea> spare{};
  bool too_small = false;  ///< it is not split because its cells would be too small
};

/// The cells of a scene in a rectangle, by style.split: of the lanes that are shown, or of `runs`
/// with the reference lane of each; none if there are fewer than two. style.alone is the only one
/// if it is among them. Bodies have their own colours in every cell. The reference is an outline in
/// the others, and where a body is more than two radii away from it, a dashed arc or line in the
/// colour of the cell joins the two. A run that has ended is paler. The scales are those of the
/// reference.
Cells cells(const CellArea& whole, float pixel_ratio, const Snapshot& snapshot,
            const std::deque<Configuration>& trail, const SceneStyle& style, SceneMemory& memory,
            std::span<const CellRun> runs = {});

/// What Painter paints of a split scene: its cells, and the empty quarter.
std::vector<PicturePart> picture_parts(const Cells& cells, const Camera& camera);

}  // namespace twosphere::render
