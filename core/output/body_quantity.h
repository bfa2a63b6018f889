// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/color/color_map.h"
#include "core/color/palette.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

/// The quantities of bodies, springs and joints that the colours and arrows of a scene can show.
namespace twosphere {

/// A vector of every body, drawn as arrows.
enum class BodyVector {
  angular_velocity,  ///< ω_i [rad/s]
  velocity,          ///< q̇_i = ω_i × q_i [1/s]
  momentum,          ///< μ_i = Π_i Σ_j M_ij q̇_j, the part in the tangent plane [J s]
  torque,            ///< q_i × (f_i − ∂V/∂q_i) − c_i ω_i [N m]
};
inline constexpr std::size_t body_vector_count = 4;

struct BodyVectorInfo {
  std::string_view key;     ///< "angular_velocity"
  std::string_view label;   ///< "angular velocity"
  std::string_view symbol;  ///< "ω"
  std::string_view unit;    ///< "rad/s"
  std::string_view help;
};
std::span<const BodyVectorInfo, body_vector_count> body_vectors();
inline const BodyVectorInfo& info(BodyVector v) {
  return body_vectors()[static_cast<std::size_t>(v)];
}

/// Computes the vector of every body for a state whose ω is up to date; `out` is resized. Cost: for
/// the torque one gradient, for the momentum one product with M.
void evaluate(BodyVector vector, const System& system, const State& state, Columns& out);

/// The quantity shown by colours.
enum class Shade {
  lane,            ///< none: each lane has its own colour
  tension,         ///< of each spring [N], signed
  bending_energy,  ///< of each joint of a rod [J]
  speed,           ///< |q̇_i| [1/s]; on the unit sphere [m/s]
  kinetic_energy,  ///< ½ q̇_i·Σ_j M_ij q̇_j [J]: the sum over the bodies is T
  momentum,        ///< |μ_i| [J s]
  torque,          ///< |q_i × (f_i − ∂V/∂q_i) − c_i ω_i| [N m]
  direction,       ///< q_i: not a number, but a colour, see direction_color()
  own,             ///< System::own_color()
};
inline constexpr std::size_t shade_count = 9;

struct ShadeInfo {
  std::string_view key;     ///< "kinetic_energy"
  std::string_view label;   ///< "kinetic energy of a body"
  std::string_view symbol;  ///< "Tᵢ"
  std::string_view unit;    ///< "J"
  std::string_view help;
  bool of_bodies = false;  ///< one number per body, available for every system
};
std::span<const ShadeInfo, shade_count> shades();
inline const ShadeInfo& info(Shade s) { return shades()[static_cast<std::size_t>(s)]; }
/// The word for the quantity that a system is coloured by if none is chosen, in files and options.
inline constexpr std::string_view automatic_shade = "automatic";
/// Whether a word is that one, or the one that earlier versions wrote.
inline bool is_automatic_shade(std::string_view word) {
  return word == automatic_shade || word == "usual";
}
/// Why the kinetic energy, of which there are colours and a field, is 0 in every state of a system,
/// as a clause: in one of first order; else empty.
std::string_view why_no_kinetic_energy(const System& system);
/// The same of the other quantities: kinetic energies and momenta of systems of first order.
std::string_view why_zero(Shade shade, const System& system);
std::string_view why_zero(BodyVector vector, const System& system);
/// Whether the quantity has negative values in every system.
inline bool is_signed(Shade s) { return s == Shade::tension; }
/// Whether the colour scales with the square root. This is used for energies, most of which are
/// small compared with the largest.
inline bool by_root(Shade s) { return s == Shade::bending_energy || s == Shade::kinetic_energy; }

/// Whether there are too many bodies on the unit sphere to distinguish them.
bool is_dense(const Geometry& geometry);
/// Whether each body has its own colour, body_color(), where so many lanes must be told apart by
/// colour. This holds for one lane of several bodies that are neither a rod nor dense, unless the
/// lane colours or the colours of the papers were chosen.
bool has_body_colors(const Geometry& geometry, std::size_t lanes, std::optional<Shade> chosen,
                     LaneColors colors);
/// The default quantity of a system: directions if it shows_directions(); otherwise the one that it
/// names; otherwise springs by tension, a rod by bending energy, many bodies on a sphere by speed,
/// everything else by lane, or by body if has_body_colors().
Shade default_shade(const System& system, const Geometry& geometry);
/// One number per spring, joint or body. Empty for Shade::lane and Shade::direction, and if the
/// system has no such element.
void evaluate(Shade shade, const System& system, const State& state, const Geometry& geometry,
              std::vector<double>& out);

/// The names of the axes about which directions are coloured.
inline constexpr std::array<std::string_view, 3> color_axis_names{"e1", "e2", "e3"};
/// A unit vector by the axis 0, 1 or 2: its azimuth is counted from the next axis in cyclic order,
/// about e3 from e1 to e2.
AxisAngles about_axis(const Vec3& q, int axis);
/// The same of the line along q: its azimuth, from 0 at −90° to 1 at 90°, and the size of the
/// component along the axis.
AxisAngles line_about_axis(const Vec3& q, int axis);
/// What a direction of a system is coloured by: its line if the system is apolar().
AxisAngles color_angles(const System& system, const Vec3& q, int axis);

/// The smallest number ≥ x of the form 1, 2 or 5 times a power of ten; 0 for 0.
double round_up(double x);

/// Upper end of a length scale: a round number that no value of this run has exceeded so far, so
/// that lengths can be compared between pictures.
class ScaleTop {
 public:
  void follow(std::uint64_t generation, double largest);
  /// 0 before the first positive value.
  double value() const { return top_; }

 private:
  std::uint64_t generation_ = 0;
  double top_ = 0;
};

/// Upper end of a colour scale: a round number above 98 % of the magnitudes so far in this run, so
/// that short peaks do not determine the scale. Each state is weighted by the time since the state
/// before it. A state that is not later than all earlier ones has no weight, so that going back in
/// time does not change the colours. The quantile is computed from a histogram with bins 6 to 12 %
/// wide.
class ColorScale {
 public:
  void follow(std::uint64_t generation, double t, std::span<const double> values);
  /// 0 before the first nonzero value.
  double value() const { return top_; }
  /// Whether a value has exceeded it.
  bool exceeded() const { return largest_ > top_ * (1 + 1e-9); }
  /// Whether a value was negative.
  bool negative() const { return negative_; }

 private:
  double quantile() const;

  std::uint64_t generation_ = 0;
  double latest_ = 0, top_ = 0, largest_ = 0;
  double zeros_ = 0, total_ = 0;  // weights [s]
  bool negative_ = false;
  std::vector<double> weights_;  // by magnitude; empty before the first state
};

}  // namespace twosphere
