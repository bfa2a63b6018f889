// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/simulation.h"
#include "ui/plot/plot_spec.h"

namespace twosphere {

/// What a frame shows.
enum class FrameContent { scene, scene_and_plots, plots };
inline constexpr std::array frame_contents{FrameContent::scene, FrameContent::scene_and_plots,
                                           FrameContent::plots};
/// "scene", "scene+plots", "plots": in options and settings.
constexpr std::string_view key(FrameContent content) {
  constexpr std::array<std::string_view, frame_contents.size()> keys{"scene", "scene+plots",
                                                                     "plots"};
  return keys[static_cast<std::size_t>(content)];
}

/// Where the plots are: one below the other on the right of the scene, or side by side below it.
enum class PlotPlace { right, below };
inline constexpr std::array plot_places{PlotPlace::right, PlotPlace::below};
constexpr std::string_view key(PlotPlace place) {
  return place == PlotPlace::right ? "right" : "below";
}

/// The composition of a picture, or of the frames of a video: the scene, plots beside it, and a
/// line above both with the title and the time. The same in the dialogs and in `twosphere render`.
struct FrameLayout {
  static constexpr std::size_t max_plots = 4;
  static constexpr int min_width = 640, min_height = 360;  ///< with plots [pixels]
  static constexpr double smallest_text = 8, largest_text = 200;

  FrameContent content = FrameContent::scene;
  std::vector<ui::PlotSpec> plots{};  ///< at most max_plots; without effect on the scene alone
  PlotPlace place = PlotPlace::right;
  bool time = false;                   ///< the time in the line above
  std::optional<std::string> title{};  ///< in the line above; empty: that of the scenario
  double text = 0;                     ///< the height of text [pixels]; 0: max(14, height / 45)

  bool has_scene() const { return content != FrameContent::plots; }
  bool has_plots() const { return content != FrameContent::scene; }
  bool has_line() const { return time || title; }
  /// Whether it is the scene and nothing else.
  bool plain() const { return content == FrameContent::scene && !has_line(); }
  double text_size(int height) const;
};

/// A part of a frame, from its upper left corner [pixels].
struct FrameBox {
  int x = 0, y = 0, width = 0, height = 0;
  bool operator==(const FrameBox&) const = default;
};
/// The parts of a frame. Those that it has not are empty.
struct FrameBoxes {
  FrameBox line, scene;
  std::vector<FrameBox> plots;  ///< figures; the one on the right has all plots
};
/// On the right the plots take 38 % of the width, below the scene 34 % of the height.
FrameBoxes frame_boxes(const FrameLayout& layout, int width, int height);

/// Fails if a frame of this size has no room for the plots or the text, or if more than the scene
/// is to be transparent. Errors refer to the options of the command line.
Result<void> check(const FrameLayout& layout, int width, int height, bool transparent);

/// The plots that an option asks for: one in the notation of `view.plots`, or those of a ready-made
/// one, the id of whose action is `plot_TEXT`. Fails if the run has none such, or if
/// a run that is repeated does not give them: times of the processor, and clouds.
Result<std::vector<ui::PlotSpec>> plots_named(const std::string& text, const Simulation& run);
/// The first plots of a run, as the window opens with them: those in the `view` of its scenario, or
/// the default ones of its system.
std::vector<ui::PlotSpec> first_plots(const Scenario& scenario);
/// Those of a list that frames can have, at most so many.
std::vector<ui::PlotSpec> plots_for_frames(const std::vector<ui::PlotSpec>& plots,
                                           std::size_t max_count = FrameLayout::max_plots);

}  // namespace twosphere
