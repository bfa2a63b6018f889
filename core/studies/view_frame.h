// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/mechanics/system.h"
#include "core/mechanics/turning_frame.h"
#include "core/scenario/document.h"
#include "core/scenario/scenario.h"

/// The frame in which the scene of a run is drawn: `view.frame` of a scenario.
namespace twosphere {

/// How the frame is chosen.
struct FrameChoice {
  enum class Axis : std::uint8_t {
    vector,    ///< `axis`
    momentum,  ///< along J of the start
    orbit,     ///< that of the key "orbit"; only with its rate
  };
  enum class Rate : std::uint8_t {
    number,  ///< `rate`
    orbit,   ///< φ/T of the key "orbit"
    line,    ///< 2πν of a line of the signal of the run
  };
  Axis about = Axis::vector;
  Vec3 axis = Vec3::UnitZ();  ///< a unit vector
  Rate by = Rate::number;
  double rate = 0;  ///< Ω [rad/s]
  int line = 0;     ///< its number, the strongest first

  bool operator==(const FrameChoice&) const = default;
};
/// "orbit", "line:K".
inline constexpr std::string_view orbit_rate = "orbit", line_rate = "line:";

/// {"axis": [x, y, z] | "J", "rate": Ω | "orbit" | "line:K"}. Without an axis, that of the orbit.
/// Throws a Failure.
FrameChoice read_frame(const document::Value& frame);
json::Node to_json(const FrameChoice& choice);
/// The frame of a view; none if it has none. The location of errors is within "view", after the
/// name of its document, if that has one, and the line.
Result<std::optional<FrameChoice>> frame_of_view(const json::Node& view,
                                                 std::string_view document = {});
/// "orbit", "AXIS:RATE" with AXIS as read_axis() and RATE a number [rad/s], "orbit" or "line:K".
/// The location of errors is "frame".
Result<FrameChoice> parse_frame(const std::string& text);

/// The frame of a run, whose record has the start, the orbit and the signal. For Rate::line it is
/// repeated over the duration of the record, at the cost of the run. The location of errors is
/// "frame": J that is not conserved in all components, or 0; no relative orbit, or one about
/// another axis; a signal without such a line; a step that fails, also as this thread is
/// interrupted.
Result<TurningFrame> turning_frame(const FrameChoice& choice, const Scenario& record,
                                   const System& system);

/// Why a run does not have the frame or the layer of a view, and what is shown in its place: a
/// warning for each, "view.frame: …". Frames of lines of a signal are not looked for. Fails where a
/// value is invalid, as frame_of_view().
Result<std::vector<std::string>> missing_in_view(const json::Node& view, const Scenario& record,
                                                 const System& system,
                                                 std::string_view document = {});
/// The warning that a scene is drawn in axes at rest in place of the frame of its view.
std::string not_turning(std::string_view why);
/// "The view turns about e₃ at 1.003 rad/s, once in 6.264 s."
std::string describe(const TurningFrame& frame);

/// Ω where all bodies turn about an axis like a rigid body, q̇_i = Ω e × q_i; none where they do
/// not, or rest [rad/s].
std::optional<double> rigid_rate(const Columns& q, const Columns& omega, const Vec3& axis);

}  // namespace twosphere
