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
#include "core/scenario/branches.h"
#include "ui/plot/axis.h"
#include "ui/plot/plot_spec.h"
#include "ui/shell/actions.h"
#include "ui/shell/step_check.h"

namespace twosphere::ui {

/// A rectangle in pixels of the screen, from the upper left corner of the view.
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  bool contains(float px, float py) const {
    return px >= x && py >= y && px < x + width && py < y + height;
  }
  bool operator==(const Rect&) const = default;
};

/// The scale of the arrows of a vector: the value of the longest possible arrow, in the unit of the
/// vector.
struct ArrowScale {
  BodyVector vector = BodyVector::angular_velocity;
  double longest = 0;
  Color color;
};

/// The position of the number of a body: the middle of its lower edge, in pixels of the screen.
struct BodyLabel {
  int body = 0;
  std::array<float, 2> at{};
};

/// The annotations of a scene.
struct Legend {
  std::vector<ColorBar> bars;  ///< colour scales
  std::vector<ArrowScale> arrows;
  std::string sizes;  ///< meaning of the sizes of the bodies; empty: all are equal
  std::vector<BodyLabel> labels;
  Rect inset;  ///< position of the inset sphere; width 0: none
};

/// A picture of a preset.
struct PresetPicture {
  std::string_view preset;
  std::uintptr_t texture = 0;  ///< texture id for the renderer of Dear ImGui
};

/// A small picture of the scene at an earlier instant of the run.
struct TimePicture {
  std::uintptr_t texture = 0;   ///< texture id, its lowest row first; 0: it is still to come
  float width = 0, height = 0;  ///< [pixels of the screen]; 0: there is none
};

/// A recently opened or saved scenario file.
struct RecentFile {
  std::string path, name, folder;
  std::string problem;  ///< why it cannot be opened; empty if it can
};

/// A body of a lane.
struct BodyId {
  int lane = 0, body = 0;

  bool operator==(const BodyId&) const = default;
};

/// The position of the selected body, in pixels of the screen in the view.
struct BodySpot {
  float x = 0, y = 0, radius = 0;
};

/// What the mouse does to the bodies, in pixels of the screen in the view.
struct HandView {
  bool acts = false;  ///< a gesture is in progress
  std::string hint;   ///< what a drag would do where the mouse is; empty: nothing
  struct Pull {
    std::array<float, 2> from{}, to{};
    std::string text;  ///< its force
  };
  std::vector<Pull> pulls;  ///< in force at the instant shown
};

/// The positions of the labels e1 e2 e3, in pixels of the screen in the view.
using AxisTips = std::array<std::array<float, 2>, 3>;

/// One of the runs that share a start.
struct BranchView {
  int id = 0;
  BranchLook look;
  bool present = false;           ///< the one that is shown and goes on
  bool reference = false;         ///< the one that distances are measured to
  std::int64_t shared_steps = 0;  ///< with the present one
  // Of its head [s]; none if it was not computed yet.
  std::optional<double> head_time;
  std::optional<double> head_elapsed;               ///< since the start
  const Scenario* record = nullptr;                 ///< of the others
  const std::vector<History>* histories = nullptr;  ///< of the others, one per lane
};

/// The input of a frame.
struct Frame {
  const Snapshot& snapshot;  ///< the newest state of the run, its head
  const Snapshot& shown;     ///< what scene and panels show: an earlier state, or the head
  const std::vector<History>& histories;  ///< one per lane
  float width = 0, height = 0;            ///< size of the view, in pixels of the screen
  float pixel_ratio = 1;                  ///< physical pixels per logical pixel
  std::optional<AxisTips> axis_tips;      ///< none without a scene
  std::array<float, 2> gravity_tip{};
  bool has_gravity = false;
  std::string file_name;                  ///< of the open scenario, or empty
  const StepCheck* step_check = nullptr;  ///< the last one, complete or in progress; null: none
  Legend legend{};
  std::span<const PresetPicture> pictures{};
  std::span<const RecentFile> recent{};  ///< the newest first
  std::optional<BodySpot> selected{};    ///< none if it is not visible
  HandView hand{};
  std::optional<double>
      pose_time{};       ///< time of the configuration shown in addition to the current one [s]
  bool plays = false;    ///< the run is running or about to run; in the past, is replayed
  bool in_past = false;  ///< an instant before the head is shown
  /// The steps to that instant; `shown` may still be the nearest state that is known.
  std::int64_t past_step = 0;
  TimePicture time_picture{};              ///< for Interface::pictured_step()
  std::span<const BranchView> branches{};  ///< in the order they began; none if there is only one
  double frame_seconds = 0;                ///< recent time to draw a frame
  double frame_rate = 0;                   ///< frames per second
};

/// Receives the commands of the user. They are not carried out during the frame.
class CommandSink {
 public:
  virtual ~CommandSink() = default;
  virtual void command(Command command) = 0;
  /// Shows the run as it was after that many steps; the head from its own step on.
  virtual void show(std::int64_t step) = 0;
  virtual void show_head() = 0;
  /// Goes on with another of the runs that share the start.
  virtual void switch_to(int branch) = 0;
  virtual void load_preset(std::string_view key) = 0;
  /// A scenario file.
  virtual void open_file(std::string_view path) = 0;
  /// Actions carried out by the window, such as exports.
  virtual void act(Action action) = 0;
};

}  // namespace twosphere::ui
