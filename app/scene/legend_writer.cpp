// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/legend_writer.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>

#include "app/scene/current_context.h"
#include "app/scene/imgui_bridge.h"
#include "app/scene/scene_content.h"
#include "ui/scene/scene_legend.h"
#include "ui/shell/style.h"

namespace twosphere {

namespace {

constexpr std::size_t few = 12, max_numbers = 200;  // more numbers would cover the scene
// Offset upwards and to the right in radii of the body.
constexpr float above = 0.95F;

/// Adds the numbers of the bodies of a scene that fills a rectangle.
void add_numbers(const render::Scene& scene, const render::Camera& from, const ui::Rect& area,
                 ui::Legend& legend) {
  if (scene.mesh.shape) return;
  const render::Camera camera = from.in_frame(scene.turn);
  const glm::mat4 view = camera.view(), projection = camera.projection(area.width / area.height);
  const glm::vec3 eye = camera.eye();
  for (std::size_t i = 0; i < std::min(scene.bodies.size(), max_numbers); ++i) {
    if (scene.bodies[i].w == 0) continue;  // it is not shown
    const glm::vec3 body(scene.bodies[i]);
    // Of many bodies, label only those in front.
    if (scene.bodies.size() > few && scene.shell.visible && glm::dot(body, eye - body) < 0)
      continue;
    glm::vec4 seen = view * glm::vec4(body, 1);
    seen += above * scene.bodies[i].w * glm::vec4(1, 1, 0, 0);
    const glm::vec4 clip = projection * seen;
    if (clip.w <= 0) continue;
    legend.labels.push_back({static_cast<int>(i),
                             {area.x + area.width * (0.5F + 0.5F * clip.x / clip.w),
                              area.y + area.height * (0.5F - 0.5F * clip.y / clip.w)}});
  }
}

}  // namespace

ui::Legend legend_of(const render::Scene& scene, const render::Cells& cells,
                     const render::Camera& camera, const ui::Rect& area, bool numbers,
                     float scale) {
  ui::Legend legend;
  legend.bars = scene.bars;
  for (const render::ArrowKey& key : scene.arrow_keys) {
    const auto part = [&](int c) {
      return static_cast<std::uint32_t>(std::lround(255 * key.color[c]));
    };
    legend.arrows.push_back({key.vector, key.longest, {part(0) << 16 | part(1) << 8 | part(2)}});
  }
  legend.sizes = scene.sizes;
  legend.frame = scene.frame;
  for (const render::Cell& cell : cells.list)
    legend.cells.push_back({rect_of(cell.area, scale), cell.caption, cell.shows});
  if (cells.spare) legend.spare = rect_of(*cells.spare, scale);
  legend.too_small = cells.too_small;
  if (!numbers) return legend;
  if (cells.list.empty()) add_numbers(scene, camera, area, legend);
  for (std::size_t i = 0; i < cells.list.size(); ++i)
    add_numbers(cells.list[i].scene, camera, legend.cells[i].rect, legend);
  return legend;
}

std::vector<ui::LaneRow> lane_rows(const Snapshot& snapshot, const render::SceneStyle& style) {
  std::vector<ui::LaneRow> rows;
  if (snapshot.lanes.size() < 2) return rows;
  const std::size_t full = render::full_lane(snapshot, style);
  for (std::size_t lane = 0; lane < snapshot.lanes.size(); ++lane)
    rows.push_back({render::style_of_lane(snapshot, lane, style), snapshot.lanes[lane].title(),
                    static_cast<int>(lane), lane == full,
                    style.hidden.contains(static_cast<int>(lane))});
  return rows;
}

Result<std::unique_ptr<LegendWriter>> LegendWriter::create(float ratio) {
  std::unique_ptr<LegendWriter> made(new LegendWriter);
  made->ratio_ = ratio;
  const CurrentContext current(nullptr);
  made->imgui_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(made->imgui_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {1, 1};
  ui::load_fonts(*io.Fonts, ratio);
  if (!ImGui_ImplOpenGL3_Init(glsl_version))
    return Error{ErrorKind::input_output, "offscreen rendering",
                 "the library libGL.so.1 could not be loaded"};
  return made;
}

LegendWriter::~LegendWriter() {
  const CurrentContext current(imgui_);
  if (ImGui::GetIO().BackendRendererUserData) ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(imgui_);
}

void LegendWriter::draw(const ui::Legend& legend, Palette palette, const render::Tile& tile) const {
  const CurrentContext current(imgui_);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {tile.whole_width, tile.whole_height};
  io.DeltaTime = 1.0F / 60;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  ui::draw_legend(legend, {0, 0, tile.whole_width, tile.whole_height}, palette, ratio_);
  ImGui::Render();
  ImDrawData* data = ImGui::GetDrawData();
  data->DisplayPos = {tile.x, tile.y};
  data->DisplaySize = {tile.width, tile.height};
  ImGui_ImplOpenGL3_RenderDrawData(data);
}

}  // namespace twosphere
