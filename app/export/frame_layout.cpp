// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/frame_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/json.h"
#include "core/base/text.h"
#include "ui/plots/ready_plots.h"

namespace twosphere {

namespace {

// Shares of the frame that plots take.
constexpr double share_right = 0.38, share_below = 0.34;
constexpr double min_text = 14, lines_of_text = 45;  // of the default size
// The height of the line with title and time, relative to the height of text.
constexpr double line_share = 2.1;
// The smallest size of a plot with its labels, relative to the height of text.
constexpr double min_columns = 8, min_rows = 5;

constexpr std::string_view ready_prefix = "plot_";

/// Why a run that is repeated does not give the plot; null if it does.
const char* why_not_repeated(const ui::PlotSpec& plot) {
  const std::vector<Signal> all = plot.all_signals();
  const auto has = [&](StepQuantity quantity) {
    return std::find(all.begin(), all.end(), Signal(quantity)) != all.end();
  };
  if (has(StepQuantity::time))
    return "would show times of the processor, which differ from run to run";
  for (const StepQuantity of_cloud : {StepQuantity::cloud_distance, StepQuantity::cloud_low,
                                      StepQuantity::cloud_high, StepQuantity::cloud_members})
    if (has(of_cloud)) return "is of a cloud, which follows a run in the window only";
  return nullptr;
}

std::string names_of_ready_plots() {
  return joined(ui::ready_plots(), ", ", [](const ui::ReadyPlot& ready) {
    return ui::info(ready.action).id.substr(ready_prefix.size());
  });
}

}  // namespace

double FrameLayout::text_size(int height) const {
  return text > 0 ? text : std::max(min_text, std::round(height / lines_of_text));
}

FrameBoxes frame_boxes(const FrameLayout& layout, int width, int height) {
  FrameBoxes boxes;
  const auto share = [](double of, int length) {
    return static_cast<int>(std::lround(of * length));
  };
  int top = 0;
  if (layout.has_line()) {
    top = share(line_share, static_cast<int>(std::lround(layout.text_size(height))));
    boxes.line = {0, 0, width, top};
  }
  FrameBox rest{0, top, width, height - top};
  FrameBox plots = rest;
  if (layout.content == FrameContent::scene_and_plots) {
    if (layout.place == PlotPlace::right) {
      plots.width = share(share_right, width);
      rest.width -= plots.width;
      plots.x = rest.width;
    } else {
      plots.height = share(share_below, height);
      rest.height -= plots.height;
      plots.y = top + rest.height;
    }
  }
  if (layout.has_scene()) boxes.scene = rest;
  if (!layout.has_plots() || layout.plots.empty()) return boxes;
  if (layout.place == PlotPlace::right) {
    boxes.plots.push_back(plots);
    return boxes;
  }
  const int count = static_cast<int>(layout.plots.size());
  for (int k = 0; k < count; ++k) {
    const int from = plots.width * k / count, to = plots.width * (k + 1) / count;
    boxes.plots.push_back({plots.x + from, plots.y, to - from, plots.height});
  }
  return boxes;
}

Result<void> check(const FrameLayout& layout, int width, int height, bool transparent) {
  if (layout.plain()) return {};
  if (transparent)
    return Error{ErrorKind::usage, "--transparent",
                 "applies to the scene alone, without plots, title and time"};
  if (layout.has_plots() && layout.plots.empty())
    return Error{ErrorKind::usage, "--plot", "the frame has no plot"};
  if (layout.has_plots() && (width < FrameLayout::min_width || height < FrameLayout::min_height))
    return Error{ErrorKind::usage, "--size",
                 fmt::format("with plots, must be at least {}x{} pixels, not {}x{}",
                             FrameLayout::min_width, FrameLayout::min_height, width, height)};
  // The scene, or the plots, need two thirds of the frame.
  const FrameBoxes boxes = frame_boxes(layout, width, height);
  if (3 * boxes.line.height > height)
    return Error{ErrorKind::usage, "--size",
                 fmt::format("with a title or the time, the height must be at least {} pixels, not "
                             "{}",
                             3 * boxes.line.height, height)};
  for (const FrameBox& box : boxes.plots) {
    const std::size_t rows = layout.place == PlotPlace::right ? layout.plots.size() : 1;
    const double largest = std::floor(
        std::min(box.width / min_columns, box.height / (min_rows * static_cast<double>(rows))));
    if (const double text = layout.text_size(height); text > largest)
      return Error{ErrorKind::usage, "--text",
                   fmt::format("must be at most {} pixels for these plots in {}x{}, not {}",
                               largest, width, height, text)};
  }
  return {};
}

Result<std::vector<ui::PlotSpec>> plots_named(const std::string& text, const Simulation& run) {
  const auto fail = [&](const std::string& why) {
    return Error{ErrorKind::usage, "--plot", fmt::format("{} {}", json::quote(text), why)};
  };
  for (const ui::ReadyPlot& ready : ui::ready_plots())
    if (ui::info(ready.action).id == std::string(ready_prefix) + text) {
      const auto all = ui::plots_of(ready, run.system_info());
      auto plots = all;
      std::erase_if(plots, why_not_repeated);
      if (plots.empty()) return fail(why_not_repeated(all.front()));
      return plots;
    }
  const auto plot = ui::parse_plot(text);
  if (!plot)
    return fail(
        "is not a plot, such as \"energy_error logarithmic\" or \"omega0_x over q0_x\", "
        "nor one of " +
        names_of_ready_plots());
  if (const char* const why = why_not_repeated(*plot)) return fail(why);
  for (const Signal& signal : plot->all_signals())
    if (!signal.exists(run.system_info(), run.system()->size(), run.lane_count()))
      return fail(fmt::format("needs {}, which this run does not have", signal.key()));
  return std::vector<ui::PlotSpec>{*plot};
}

std::vector<ui::PlotSpec> first_plots(const Scenario& scenario) {
  std::vector<ui::PlotSpec> plots;
  if (const json::Node* const list = scenario.view.find("plots"))
    for (const json::Node& line : list->items)
      if (const auto plot = ui::parse_plot(line.text)) plots.push_back(*plot);
  return plots_for_frames(plots.empty() ? ui::default_plots(scenario) : plots);
}

std::vector<ui::PlotSpec> plots_for_frames(const std::vector<ui::PlotSpec>& plots,
                                           std::size_t max_count) {
  std::vector<ui::PlotSpec> some = plots;
  std::erase_if(some, why_not_repeated);
  if (some.size() > max_count)
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(max_count), some.end());
  return some;
}

}  // namespace twosphere
