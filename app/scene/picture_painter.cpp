// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/picture_painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/output/cell_caption.h"
#include "ui/scene/scene_legend.h"
#include "ui/shell/style.h"

namespace twosphere {

namespace {

/// The unit of the sizes of cells: the lines of small pictures shrink, but not what is seen.
float cell_ratio(int width, int height) {
  return std::max(render::Painter::picture_ratio(width, height), 1.0F);
}

}  // namespace

Result<PicturePainter> PicturePainter::create(int width, int height, double text) {
  auto painter = render::Painter::create(width, height);
  if (!painter) return painter.error();
  const float scale =
      text > 0 ? ui::scale_for_text(text) : render::Painter::picture_ratio(width, height);
  return PicturePainter(width, height, scale, std::move(*painter));
}

PictureContent PicturePainter::content(const Snapshot& now, const std::deque<Configuration>& trail,
                                       const render::SceneStyle& style, render::SceneMemory& memory,
                                       std::span<const render::CellRun> runs) const {
  PictureContent made;
  made.cells = render::cells(whole_, cell_ratio(whole_.width, whole_.height), now, trail, style,
                             memory, runs);
  made.scene = made.cells.list.empty() ? render::build_scene(now, trail, style, memory)
                                       : std::move(made.cells.reference);
  made.lanes = lane_rows(now, style);
  return made;
}

render::ViewShape PicturePainter::shape(const render::SceneStyle& style, std::size_t count,
                                        std::size_t scales) const {
  const float depth =
      ui::scales_depth(scales, static_cast<float>(whole_.width) / scale_);  // [logical pixels]
  const auto shape_of = [this](const render::CellArea& area, float covered) {
    const auto height = static_cast<float>(area.height);
    return render::ViewShape{static_cast<float>(area.width) / height, scale_ * covered / height};
  };
  const render::ViewShape whole = shape_of(whole_, scales > 0 ? ui::legend_margin + depth : 0);
  if (style.split == Split::none || count < 2) return whole;
  const render::CellLayout layout = render::cell_layout(whole_, style.alone >= 0 ? 1 : count,
                                                        cell_ratio(whole_.width, whole_.height));
  if (layout.areas.empty()) return whole;
  // A run may have ended, and the last cell may say that there are others.
  const bool note = style.split == Split::runs || count > render::max_cells;
  return shape_of(layout.areas.front(), caption_depth(note) + (layout.spare ? 0 : depth));
}

std::string PicturePainter::why_not_split(int width, int height, Split by, std::size_t count) {
  if (by == Split::none) return {};
  if (count < 2) return fmt::format("needs at least two {}; there is only one", key(by));
  if (!render::cell_layout({0, 0, width, height}, count, cell_ratio(width, height)).areas.empty())
    return {};
  return fmt::format("the cells of a picture of {}x{} pixels would be too small", width, height);
}

Result<render::Image> PicturePainter::draw(const PictureContent& content,
                                           const render::Camera& camera,
                                           const render::SceneStyle& style, const PictureLook& look,
                                           const std::function<bool()>& stop) {
  const bool split = !content.cells.list.empty();
  const bool legend = look.legend && (has_legend(content.scene) || !content.lanes.empty());
  if (!legends_ && (look.numbers || legend || split)) {
    auto made = LegendWriter::create(scale_ * static_cast<float>(painter_->samples()));
    if (!made) return made.error();
    legends_ = std::move(*made);
  }
  const auto over = [&](const render::Tile& tile) {
    if (!legends_) return;
    const float scale = tile.whole_width / static_cast<float>(whole_.width);
    ui::Legend drawn = legend_of(content.scene, content.cells, camera,
                                 {0, 0, tile.whole_width, tile.whole_height}, look.numbers, scale);
    if (look.legend)
      drawn.lanes = content.lanes;
    else
      drawn.bars.clear(), drawn.arrows.clear(), drawn.sizes.clear(), drawn.frame.clear();
    legends_->draw(drawn, style.palette, tile);
  };
  const render::PicturePart whole{content.scene, camera, whole_};
  const std::vector<render::PicturePart> parts = render::picture_parts(content.cells, camera);
  return painter_->paint(split ? std::span(parts) : std::span(&whole, 1), render::theme(style),
                         look.transparent, stop, over);
}

}  // namespace twosphere
