// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
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
#include "ui/actions.h"
#include "ui/axis.h"
#include "ui/palette.h"
#include "ui/plot_spec.h"
#include "ui/step_check.h"

struct ImFontAtlas;

namespace twosphere::ui {

/// Pixels of the screen, from the upper left corner of the view.
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  bool contains(float px, float py) const {
    return px >= x && py >= y && px < x + width && py < y + height;
  }
  bool operator==(const Rect&) const = default;
};

/// What the user arranged; kept over sessions.
struct Settings {
  /// Logical pixels at scale 1; in views wider than 1280 the right column is wider by a part of
  /// the rest.
  float left_width = 300, right_width = 380;
  bool columns = true;
  Palette palette = Palette::dark;
  LaneColors lane_colors = LaneColors::own;
  float scale = 1;  ///< of the interface, on top of the screen's
  bool trail = true, ground = true;
  bool graticule = true, inset = true, labels = false;
  bool field = false;               ///< the kinetic energy field
  std::optional<Shade> shade = {};  ///< what colours show; none: what is usual
  ColorMap color_map = ColorMap::viridis;
  std::array<bool, body_vector_count> arrows{};
  double trail_span = 4;         ///< [s]
  bool gallery_at_start = true;  ///< the page of presets opens with the program
  std::vector<PlotSpec> plots = default_plots();
  /// Whose they are: a preset's key, of another scenario its system's; empty: nobody's yet.
  std::string plots_of;
  /// Lists that are not their system's usual one, by whose they are; of `plots_of` the one of
  /// before.
  std::map<std::string, std::vector<PlotSpec>, std::less<>> own_plots;
  /// The lane that is drawn in full and that distances are taken from; kept for recovery only.
  int reference_lane = 0;

  bool operator==(const Settings&) const = default;
};

/// A plot as it stands on the screen. Intervals are in the coordinates of their axes.
struct VisiblePlot {
  PlotSpec spec;
  Transform transform;  ///< of the vertical axis; the horizontal one is linear, of spectra log10
  Interval y;
  Interval x;  ///< of a phase portrait or spectrum; else the time
};

/// The column of plots as of the last frame: what an exported figure repeats.
struct VisiblePlots {
  Interval time;  ///< phase portraits show this stretch of the run [s]
  std::vector<VisiblePlot> plots;
  std::set<int> hidden_lanes;
  int reference_lane = 0;                    ///< that distances are taken from
  std::string reference;                     ///< its name
  std::optional<double> marker_a, marker_b;  ///< [s]
  int colored_bodies = 0;                    ///< that have colours of their own: BodyLook
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
  std::optional<double> pose_time{};     ///< of the pose shown beside the present one [s]
  bool plays = false;                    ///< the run goes on, or has been asked to
  double frame_seconds = 0;              ///< that drawing a frame took lately
  double frame_rate = 0;                 ///< frames in a second
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

/// All of the window that Dear ImGui draws: left and right column, title, transport, plots, key
/// map. Needs a current ImGui context whose fonts came from load_fonts().
class Interface {
 public:
  Interface();
  ~Interface();

  Settings& settings();
  /// Between ImGui::NewFrame() and ImGui::Render().
  void draw(const Frame& frame, CommandSink& sink);
  /// Actions that concern only the interface (presets, next_body, previous_body, plot_*,
  /// usual_plots, plots_fit, plots_follow, add_plot, add_lane, marker_a, marker_b, clear_markers,
  /// key_map, toggle_columns, reset_layout, theme_*, toggle_theme, paper_colors, scale_*, follow_*,
  /// arrows_*, colors_*, map_*, toggle_*); false if it is none of these.
  bool handle(Action action);
  /// Whether what an action switches on or chooses is so now; nothing if it is no such action.
  std::optional<bool> holds(Action action) const;

  /// The body that the camera follows, from 0; -1: none.
  int followed() const;
  /// The body whose numbers are shown. It goes when the run has no such body any more.
  std::optional<BodyId> selected() const;
  void select(std::optional<BodyId> body);
  /// The instant that the mouse points at in the plots [s], as of the last frame.
  std::optional<double> cursor() const;
  /// Whether the page of presets covers the view: keys without modifiers are then its own.
  bool gallery_open() const;
  /// Whether what steps and frames cost is shown.
  bool performance() const;
  /// What the columns leave for the scene, as of the last frame.
  Rect scene() const;
  VisiblePlots plots() const;
  /// Lanes that neither plots nor scene show.
  const std::set<int>& hidden_lanes() const;
  /// Whether the mouse holds a widget, as of the last frame: what is being dragged is not complete.
  bool holding() const;
  /// Whether anything moves by itself, so that another frame is due.
  bool animating() const;
  /// Whether a value is being dragged or typed: what is sent then belongs to one edit.
  bool editing() const;
  /// Rectangles of the named widgets of the last frame ("play", "parameter/gravity",
  /// "plot/energy_error", …), for tests.
  const std::map<std::string, Rect>& widgets() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Draws a legend over a scene, in the background of the current ImGui frame; `scale` as for
/// load_fonts(). Enters what it drew into `widgets`, if that is given. Nothing of it is above
/// `below` [px].
void draw_legend(const Legend& legend, const Rect& scene, Palette palette, float scale,
                 std::map<std::string, Rect>* widgets = nullptr, float below = 0);

/// Loads the fonts into an atlas (DejaVu Sans and Sans Mono, else ImGui's own). `scale` is
/// Settings::scale times the screen's pixel ratio. Call it between frames of the atlas' context,
/// whenever that changed, and upload the atlas afterwards.
void load_fonts(ImFontAtlas& atlas, float scale);
/// Colours, paddings, roundings and how far the mouse may stray in a click, of a palette and the
/// scale as above. Interface::draw() calls it when they changed.
void apply_style(Palette palette, float scale);

}  // namespace twosphere::ui
