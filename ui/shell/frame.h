// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/color/color_map.h"
#include "core/observe/body_quantity.h"
#include "core/record/history.h"
#include "core/run/worker.h"
#include "ui/plot/axis.h"
#include "ui/plot/plot_spec.h"
#include "ui/shell/actions.h"
#include "ui/shell/step_check.h"

namespace twosphere::ui {

/// Pixels of the screen, from the upper left corner of the view.
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  bool contains(float px, float py) const {
    return px >= x && py >= y && px < x + width && py < y + height;
  }
  bool operator==(const Rect&) const = default;
};

/// What the arrows of a vector mean: how much the longest can be, in the vector's unit.
struct ArrowScale {
  BodyVector vector = BodyVector::angular_velocity;
  double longest = 0;
  Color color;
};

/// Where the number of a body goes: the middle of its lower edge, pixels of the screen.
struct BodyLabel {
  int body = 0;
  std::array<float, 2> at{};
};

/// What is written over a scene so that it can be read.
struct Legend {
  std::vector<ColorBar> bars;  ///< what colours mean
  std::vector<ArrowScale> arrows;
  std::string sizes;  ///< what the bodies' sizes mean; empty: they are alike
  std::vector<BodyLabel> labels;
  Rect inset;  ///< where the inset sphere is; without a width: nowhere
};

/// A picture of a preset.
struct PresetPicture {
  std::string_view preset;
  std::uintptr_t texture = 0;  ///< as Dear ImGui's renderer takes it
};

/// A scenario file that was opened or saved lately.
struct RecentFile {
  std::string path, name, folder;
  std::string problem;  ///< why it cannot be opened; empty: it can
};

/// A body of a lane.
struct BodyId {
  int lane = 0, body = 0;

  bool operator==(const BodyId&) const = default;
};

/// Where the selected body is drawn, pixels of the screen in the view.
struct BodySpot {
  float x = 0, y = 0, radius = 0;
};

/// Where the labels e1 e2 e3 go, pixels of the screen in the view.
using AxisTips = std::array<std::array<float, 2>, 3>;

/// What a frame shows.
struct Frame {
  const Snapshot& snapshot;
  const std::vector<History>& histories;  ///< one per lane
  float width = 0, height = 0;            ///< of the view, pixels of the screen
  float pixel_ratio = 1;                  ///< pixels of the screen per logical pixel
  std::optional<AxisTips> axis_tips;      ///< none without a scene
  std::array<float, 2> gravity_tip{};
  bool has_gravity = false;
  std::string file_name;                  ///< of the open scenario, or empty
  const StepCheck* step_check = nullptr;  ///< the last one, done or under way; null: none
  Legend legend{};
  std::span<const PresetPicture> pictures{};
  std::span<const RecentFile> recent{};  ///< the newest first
  std::optional<BodySpot> selected{};    ///< none where it is out of sight
  std::optional<double> pose_time{};  ///< time of the configuration shown with the current one [s]
  bool plays = false;                 ///< the run is running or about to run
  double frame_seconds = 0;           ///< that drawing a frame took lately
  double frame_rate = 0;              ///< frames in a second
};

/// Where the interface sends what the user orders. Nothing is done inside the frame.
class CommandSink {
 public:
  virtual ~CommandSink() = default;
  virtual void command(Command command) = 0;
  virtual void load_preset(std::string_view key) = 0;
  /// A scenario file.
  virtual void open_file(std::string_view path) = 0;
  /// What the window does, not the interface: exports.
  virtual void act(Action action) = 0;
};

}  // namespace twosphere::ui
