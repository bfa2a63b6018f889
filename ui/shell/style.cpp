// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/style.h"

#include <imgui/imgui_freetype.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "core/base/program_folder.h"

namespace twosphere::ui {

namespace {

// Text, the dots and hats above letters, Greek, sub- and superscripts, arrows, mathematics, shapes.
// Must outlive the atlas.
constexpr ImWchar all_ranges[] = {
    0x20,   0xff,   0x100,  0x17f,  0x2b0,  0x2ff,  0x302,  0x308,  0x370,  0x3ff,  0x1d4f, 0x1d4f,
    0x1d62, 0x1d6a, 0x2010, 0x2027, 0x2030, 0x205e, 0x2070, 0x209f, 0x2100, 0x214f, 0x2190, 0x21ff,
    0x2200, 0x22ff, 0x2300, 0x23ff, 0x25a0, 0x25ff, 0x27e8, 0x27e9, 0x2c7c, 0x2c7c, 0};
// The ranges needed for numbers, captions and the title, with ▸ and ▾.
constexpr ImWchar plain_ranges[] = {0x20,   0x17f,  0x370,  0x3ff,  0x1d62, 0x1d6a, 0x2010, 0x2027,
                                    0x2030, 0x205e, 0x2070, 0x209f, 0x2190, 0x21ff, 0x2200, 0x22ff,
                                    0x25b8, 0x25b8, 0x25be, 0x25be, 0x2c7c, 0x2c7c, 0};

struct Source {
  const char* file;
  float size;  // [px] at scale 1
  const ImWchar* ranges;
};
constexpr std::array<Source, 5> sources{{
    {"DejaVuSans.ttf", 14, all_ranges},
    {"DejaVuSansMono.ttf", 13, plain_ranges},
    {"DejaVuSans.ttf", legend_font, plain_ranges},
    {"DejaVuSansMono.ttf", smallest_font, plain_ranges},
    {"DejaVuSans.ttf", 17, plain_ranges},
}};
constexpr float mouse_slack = 6;  // [px] at scale 1, largest mouse movement of a click

ImVec4 vec(Color c, float alpha = 1) { return ImGui::ColorConvertU32ToFloat4(im_color(c, alpha)); }

}  // namespace

ImFont* font(Face face) {
  const auto& fonts = ImGui::GetIO().Fonts->Fonts;
  const int index = static_cast<int>(face);
  return fonts[index < fonts.Size ? index : 0];
}

void load_fonts(ImFontAtlas& atlas, float scale) {
  atlas.Clear();
  const std::filesystem::path folder = font_folder();
  for (const Source& source : sources) {
    const std::filesystem::path path = folder / source.file;
    const float pixels = std::round(source.size * scale);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) {
      atlas.AddFontFromFileTTF(path.c_str(), pixels, nullptr, source.ranges);
    } else {
      ImFontConfig config;
      config.SizePixels = pixels;
      atlas.AddFontDefault(&config);
    }
  }
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);  // in the format of the upload
}

void apply_style(Palette palette, float scale) {
  const Colors& c = colors(palette);
  ImGuiStyle style;
  style.WindowPadding = {12, 10};
  style.WindowRounding = 0;
  style.WindowBorderSize = 0;
  style.PopupRounding = 4;
  style.FramePadding = {8, 4};
  style.FrameRounding = 4;
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.GrabRounding = 4;
  style.WindowMinSize = {4, 4};
  style.FrameBorderSize = c.borders ? 1 : 0;
  style.ScaleAllSizes(scale);
  ImGuiIO& io = ImGui::GetIO();
  io.MouseDragThreshold = mouse_slack * scale;
  io.MouseDoubleClickMaxDist = mouse_slack * scale;

  auto& to = style.Colors;
  for (ImVec4& color : to) color = vec(c.panel);
  to[ImGuiCol_Text] = vec(c.text);
  to[ImGuiCol_TextDisabled] = vec(c.dim);
  to[ImGuiCol_WindowBg] = vec(c.panel);
  to[ImGuiCol_ChildBg] = vec(c.panel, 0);
  to[ImGuiCol_PopupBg] = vec(c.panel);
  to[ImGuiCol_Border] = vec(c.edge);
  to[ImGuiCol_BorderShadow] = vec(c.panel, 0);
  to[ImGuiCol_FrameBg] = to[ImGuiCol_Button] = vec(c.field);
  to[ImGuiCol_FrameBgHovered] = to[ImGuiCol_ButtonHovered] = vec(c.hovered);
  to[ImGuiCol_FrameBgActive] = to[ImGuiCol_ButtonActive] = vec(c.hovered);
  to[ImGuiCol_Header] = vec(c.field);
  to[ImGuiCol_HeaderHovered] = to[ImGuiCol_HeaderActive] = vec(c.hovered);
  to[ImGuiCol_Separator] = to[ImGuiCol_SeparatorHovered] = to[ImGuiCol_SeparatorActive] =
      vec(c.line);
  to[ImGuiCol_ScrollbarBg] = vec(c.panel, 0);
  to[ImGuiCol_ScrollbarGrab] = vec(c.border);
  to[ImGuiCol_ScrollbarGrabHovered] = to[ImGuiCol_ScrollbarGrabActive] = vec(c.dim, 0.6f);
  to[ImGuiCol_CheckMark] = to[ImGuiCol_SliderGrab] = to[ImGuiCol_SliderGrabActive] = vec(c.accent);
  to[ImGuiCol_TextSelectedBg] = vec(c.accent, 0.35f);
  to[ImGuiCol_NavHighlight] = vec(c.accent);
  to[ImGuiCol_ModalWindowDimBg] = vec(c.scene, 0.6f);
  ImGui::GetStyle() = style;
}

}  // namespace twosphere::ui
