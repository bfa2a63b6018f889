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
#include "core/output/body_quantity.h"
#include "core/output/cell_caption.h"
#include "core/record/history.h"
#include "core/scenario/branches.h"
#include "core/worker/worker.h"
#include "ui/plot/axis.h"
#include "ui/plot/plot_spec.h"
#include "ui/shell/actions.h"
#include "ui/shell/step_check.h"
#include "ui/shell/tour_card.h"

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

/// A lane in the legend of a scene.
struct LaneRow {
  LaneStyle style;
  std::string name;
  int lane = 0;
  bool full = false;  ///< its bodies are balls; those of others are rings
  bool hidden = false;
};

/// A cell of a scene that is split.
struct CellView {
  Rect rect;
  CellCaption caption;
  int shows = 0;  ///< the lane, or the index of the run
};

/// The annotations of a scene.
struct Legend {
  std::vector<ColorBar> bars;  ///< colour scales
  std::vector<ArrowScale> arrows;
  std::string sizes;  ///< meaning of the sizes of the bodies; empty: all are equal
  std::string frame;  ///< how the frame of the view turns; empty: it is at rest
  std::vector<BodyLabel> labels;
  Rect inset;                   ///< position of the inset sphere; width 0: none
  std::vector<LaneRow> lanes;   ///< empty: there is only one
  std::vector<CellView> cells;  ///< empty: the scene is not split
  Rect spare;                   ///< the part that cells leave to the legend; width 0: none
  bool too_small = false;       ///< for cells
};

/// A picture of a preset.
struct PresetPicture {
  std::string preset;          ///< its key, or the path of one of the user's
  std::uintptr_t texture = 0;  ///< texture id for the renderer of Dear ImGui
};
/// The pictures that a moving one consists of, one below another in its texture.
inline constexpr float moving_picture_frames = 12;

/// A small picture of the scene at an earlier instant of the run.
struct TimePicture {
  std::uintptr_t texture = 0;   ///< texture id, its lowest row first; 0: it is still to come
  float width = 0, height = 0;  ///< [pixels of the screen]; 0: there is none
};

/// A scenario that the user saved as a preset.
struct UserPreset {
  std::string path, title, description;
  int bodies = 0;
  std::string problem;  ///< why it cannot be read; empty if it can
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

/// A key and the rectangle of the control that does the same, in physical pixels of the view.
struct KeyHint {
  Rect control;
  std::string key;
};

/// The action of the mouse on the bodies, in pixels of the screen in the view.
struct HandView {
  bool acts = false;  ///< a gesture is in progress
  std::string hint;   ///< what a drag from the mouse position would do; empty: nothing
  struct Pull {
    std::array<float, 2> from{}, to{};
    std::string text;  ///< its force, and what a pull by hand has added to W
  };
  std::vector<Pull> pulls;  ///< active at the instant shown
};

/// The positions of the labels e1 e2 e3, in pixels of the screen in the view.
using AxisTips = std::array<std::array<float, 2>, 3>;

/// One of the runs that share a start.
struct BranchView {
  int id = 0;
  BranchLook look;
  bool present = false;           ///< the run that is shown and continues
  bool reference = false;         ///< the run that distances are measured from
  std::int64_t shared_steps = 0;  ///< steps shared with the present one
  int parent = -1;                ///< id of the run that it forks from; −1: none
  // Where it forks from that run, in time and since the start [s].
  double fork_time = 0, fork_elapsed = 0;
  // State of its head [s]; none if it is not computed yet.
  std::optional<double> head_time;
  std::optional<double> head_elapsed;  ///< since the start
  const Scenario* record = nullptr;    ///< of a run other than the present one
  /// Of a run other than the present one, one per lane.
  const std::vector<History>* histories = nullptr;
};

/// The input of a frame.
struct Frame {
  const Snapshot& snapshot;  ///< the newest state of the run, its head
  /// What scene and panels show: an earlier state, or the head. A scene that takes long to draw may
  /// show one a little earlier than the head of a run that plays.
  const Snapshot& shown;
  const std::vector<History>& histories;  ///< one per lane
  float width = 0, height = 0;            ///< size of the view, in pixels of the screen
  float pixel_ratio = 1;                  ///< physical pixels per logical pixel
  std::optional<AxisTips> axis_tips;      ///< none without a scene
  std::array<float, 2> gravity_tip{};
  bool has_gravity = false;
  std::string file_name;                  ///< of the open scenario, or empty
  const StepCheck* step_check = nullptr;  ///< the last check, complete or in progress; null: none
  const TourCard* tour = nullptr;         ///< the present step of a tour; null: there is none
  /// The part of the run along which a cloud that waits for its beginning has been followed so far.
  double cloud_share = 0;
  Legend legend{};
  std::span<const PresetPicture> pictures{};
  PresetPicture moving_picture{};  ///< that of Interface::moving_preset(); texture 0: there is none
  std::span<const UserPreset> own_presets{};
  std::span<const RecentFile> recent{};  ///< the newest first
  std::vector<BodySpot> selected{};      ///< one in each cell where it is visible
  HandView hand{};
  std::optional<double>
      configuration_time{};  ///< time of the configuration shown in addition to the current one [s]
  bool plays = false;        ///< the run, or in the past the replay, is running or about to run
  bool in_past = false;      ///< an instant before the head is shown
  /// The number of steps at that instant; `shown` may still be the nearest known state.
  std::int64_t past_step = 0;
  TimePicture time_picture{};              ///< for Interface::pictured_step()
  std::span<const BranchView> branches{};  ///< in order of creation; empty if there is only one
  bool keys_held = false;                  ///< the key that shows the keys of the controls is held
  std::span<const KeyHint> outer_keys{};   ///< of controls outside the view
  double frame_seconds = 0;                ///< recent time to draw a frame
  double frame_rate = 0;                   ///< frames per second
  /// The signals of the plots are computed as far as there is time for it: no plot computes more.
  bool signals_prepared = false;
};

/// Receives the commands of the user. They are not carried out during the frame.
class CommandSink {
 public:
  virtual ~CommandSink() = default;
  virtual void command(Command command) = 0;
  /// Shows the run after that many steps, or its head if that is earlier.
  virtual void show(std::int64_t step) = 0;
  virtual void show_head() = 0;
  /// Switches to another of the runs that share the start.
  virtual void switch_to(int branch) = 0;
  virtual void load_preset(std::string_view key) = 0;
  /// Removes the user's preset in this file.
  virtual void remove_preset(std::string_view path) = 0;
  /// Opens a scenario file.
  virtual void open_file(std::string_view path) = 0;
  /// Asks for a map over the values of a setting.
  virtual void sweep(std::string_view path) = 0;
  /// Asks for a table of the curves of a plot.
  virtual void export_plot(const PlotSpec& plot) = 0;
  /// What the user wants of a tour.
  virtual void guide(const TourCall& call) = 0;
  /// Actions carried out by the window, such as exports.
  virtual void act(Action action) = 0;
};

}  // namespace twosphere::ui
