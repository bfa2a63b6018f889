// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/free_base.h"
#include "core/mechanics/gyroscopic.h"
#include "core/mechanics/inertia.h"
#include "core/mechanics/pair_terms.h"
#include "core/mechanics/parameter.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

struct Definition;
struct Fluid;
struct HeatBath;
struct State;

/// A number that a definition of a system names for plots or colours.
struct OwnQuantity {
  std::string_view name;  ///< "height of the last bob"
  std::string_view unit;  ///< "m"; "1" if it is not known
  /// Whether it shows how the bodies move, where it has a value, better than SystemInfo::motion.
  bool shows_motion = false;
};

/// A configuration as objects in space [m], in the axes of the equations, for drawing and export.
struct Geometry {
  struct Body {
    Vec3 position;
    double size = 1;  ///< radius relative to the largest body
  };
  struct Link {
    Vec3 from, to;
  };
  struct Spring {
    Vec3 from, to;
    double tension = 0;  ///< [N], > 0 where it is stretched
    double relaxed = 0;  ///< length without tension [m]
  };
  struct Arrow {
    Vec3 from, to;
    double size = 1;  ///< relative to the largest
  };
  /// A polygon of `count` corners, beside a point in it: counter-clockwise about e3, or about the
  /// normal of a layer.
  struct Cell {
    std::array<Vec3, 6> corners;
    std::size_t count = 0;
  };
  std::vector<Vec3> pivots;     ///< fixed points
  std::vector<Body> bodies;     ///< one per q_i, in order
  std::vector<Body> fixed;      ///< balls that do not move
  std::vector<Link> links;      ///< rods; all but the last bodies.size() are fixed
  std::vector<Spring> springs;  ///< coil springs
  std::vector<Arrow> arrows;    ///< magnets, from south to north
  std::vector<Link> guides;     ///< thin lines between fixed points
  /// Rods of a free base, at the beginning of the first link; on the sphere, of a body alone.
  std::vector<Link> frame;
  /// Thin curves that do not move; null: there are none.
  std::shared_ptr<const std::vector<std::vector<Vec3>>> curves;
  /// The semi-axes, along e1, e2 and e3, of an ellipsoid about the origin that does not move [m];
  /// zero: there is none.
  Vec3 ellipsoid = Vec3::Zero();
  /// The cells into which arrows on a plane lattice divide it: arrow i has a cell about its middle
  /// of the form cells[i modulo cells.size()]. Empty: there are none.
  std::vector<Cell> cells;
  /// If not empty, the links form one elastic rod: energy [J] of the joint before each of its last
  /// links.
  std::vector<double> bending;
  bool ring = false;       ///< that rod is closed: its last link ends where its first one begins
  bool sphere = false;     ///< the bodies move on the unit sphere about the origin
  double body_radius = 0;  ///< of the largest body [m]; 0: chosen by the renderer

  void clear();  ///< as constructed, but keeps the memory
};

/// A ball that contains every configuration.
struct Extent {
  Vec3 center = Vec3::Zero();  ///< [m]
  double radius = 1;           ///< [m]
  bool gravity = false;        ///< gravity acts along +e3
};

/// A box in the axes of the equations [m].
using Box = Eigen::AlignedBox3d;

/// How fast a motion goes: κ, the square of a rate [1/s²], and its rate of change along the motion
/// [1/s³].
struct MotionRate {
  double square = 0, change = 0;
};

/// Two bodies that attract one another without bound where they meet.
struct Encounter {
  int first = 0, second = 0;  ///< indices, first < second
  double angle = 0;           ///< from where they meet [rad]
  double strength = 0;        ///< μ of their relative acceleration μ/angle² nearby [1/s²]
  /// Of a system of first order, which has no μ: the rate at which the pair turns, alone, about the
  /// sum of its momenta κ q [rad/s].
  double rate = 0;
};

/// A mechanical system on (S²)ⁿ with L = ½ Σ_ij M_ij q̇_i·q̇_j − V(q), M constant or m_ij(q), and
/// external forces f_i on q_i. It may have terms linear in velocities, too: strengths κ_i of
/// uncoupled bodies, the rotation of the frame, and Σ A_i(q)·q̇_i, see
/// core/mechanics/linear_terms.h.
///
/// Or a system of first order, without kinetic energy (NoInertia), such as spins or vortices: L =
/// Σ_i κ_i A(q_i)·q̇_i − V(q), with A the potential of the monopole of unit strength and H = V. Its
/// equations of motion are κ_i q̇_i = (∂V/∂q_i − f_i) × q_i − c_i q_i × q̇_i, see
/// core/mechanics/first_order.h: q alone is its state, and ω a function of t and q.
///
/// Immutable; every function may be called from several threads at the same time. One virtual call
/// handles all n bodies. Output arrays already have n columns. About fifty functions: one for each
/// term that the equations of motion may have, most with a default.
class System {
 public:
  virtual ~System() = default;

  virtual int size() const = 0;
  virtual const Inertia& inertia() const = 0;
  /// V(q) [J].
  virtual double potential(const Columns& q) const = 0;
  /// g_i = ∂V/∂q_i [J], the gradient in R³, not projected. A large radial part may
  /// be left out: only q_i × g_i has an effect, whose digits rounding would otherwise take.
  virtual void gradient(const Columns& q, Columns& g) const = 0;
  /// Whether the gradient is the same for every q: V is linear.
  virtual bool has_constant_gradient() const { return false; }
  /// Whether there is gradient_together().
  virtual bool has_gradient_together() const { return false; }
  /// gradient() of ensemble_members configurations at once, of each the same as alone, bit for bit.
  /// It allocates no memory.
  virtual void gradient_together(const double* /*q*/, double* /*g*/) const {}
  /// gradient_compensated() of as many at once, the same for q_low as it is there.
  virtual void gradient_together_compensated(const double* q, const double* /*q_low*/,
                                             double* g) const {
    gradient_together(q, g);
  }
  /// Whether there is potential_together().
  virtual bool has_potential_together() const { return false; }
  /// potential() of ensemble_members configurations at once, one number each, of each the same as
  /// alone, bit for bit. It allocates no memory.
  virtual void potential_together(const double* /*q*/, double* /*v*/) const {}
  /// h_i = Σ_j ∂²V/∂q_i∂q_j v_j [J]: the derivative of gradient() along v; exact, at about the cost
  /// of gradient(). h must not alias v. For |q_i| = 1 it may take v_i ⟂ q_i for granted, so that it
  /// can be accurate where bodies are close; stages of Runge-Kutta methods are beside the sphere,
  /// and their vectors are not tangent.
  virtual void hessian_times(const Columns& q, const Columns& v, Columns& h) const = 0;
  /// To what gradient() and potential() are taken, relative to the median of |q_i × g_i|; 0: to
  /// rounding. If it is not 0, hessian_times() costs far more and is the derivative only to that:
  /// there are no tangent maps, and methods solve no equations by Newton's method.
  virtual double force_tolerance() const { return 0; }
  /// gradient() at q + q_low, with q_low of rounding size: the directions of close bodies in two
  /// parts. By default q_low is left out.
  virtual void gradient_compensated(const Columns& q, const Columns& /*q_low*/, Columns& g) const {
    gradient(q, g);
  }

  /// κ of the closest encounters at (q, ω), of bodies whose forces grow without bound where
  /// they meet; none for other systems. It depends on q alone, its rate of change on ω too.
  virtual std::optional<MotionRate> encounter_rate(const Columns& /*q*/,
                                                   const Columns& /*w*/) const {
    return {};
  }

  /// The closest of these pairs; none in other systems.
  virtual std::optional<Encounter> closest_encounter(const Columns& /*q*/) const { return {}; }

  /// Whether force() can be nonzero.
  virtual bool has_external_force() const { return false; }
  /// External force f_i on q_i [N m]: the generalised torque is q_i × f_i, the power f_i·q̇_i.
  virtual void force(double /*t*/, const Columns& /*q*/, Columns& f) const { f.setZero(); }
  /// d_i = Σ_j ∂f_i/∂q_j v_j [N m], the derivative of force() along v. By default zero,
  /// for forces that do not depend on q.
  virtual void force_slope(double /*t*/, const Columns& /*q*/, const Columns& /*v*/,
                           Columns& d) const {
    d.setZero();
  }
  /// Whether force() depends explicitly on t.
  virtual bool time_dependent() const { return false; }
  /// The shortest time after which all forces that depend explicitly on t repeat [s]; 0 if there is
  /// none, and where it is not known.
  virtual double force_period() const { return 0; }
  /// Whether all forces that depend explicitly on t repeat after a time [s]. By default as far as
  /// some times and configurations tell, to 1e-9 of the largest force.
  virtual bool repeats_after(double time) const;
  /// c_i ≥ 0 of damping forces −c_i q̇_i on q_i, besides force() [N m s]: the torques −c_i ω_i. One
  /// for each body, or empty if there is no damping.
  virtual const Eigen::VectorXd& damping() const;
  /// κ_i [J s], of any sign. Of a system of first order: its symplectic form is Σ κ_i q_i·(δq_i ×
  /// δ'q_i); one for each body, κ_i = 0 only where c_i > 0. With kinetic energy: the force κ_i q_i
  /// × q̇_i on uncoupled bodies of constant inertia, that of a monopole or of a spin about the axis
  /// q_i; one for each body, or empty if all are 0.
  virtual const Eigen::VectorXd& strength() const;
  /// Ω, the angular velocity of the axes of the equations [rad/s]: q̇_i is relative to them, and the
  /// inertial velocity is q̇_i + Ω × q_i. For a constant inertia; 0 for systems of first order.
  virtual Vec3 frame_rotation() const { return Vec3::Zero(); }
  /// The base of a chain that flies, with the motion of its centre of mass; null: there is none.
  /// force() and velocity_force() are without what control adds for X, and drag for Ẋ.
  virtual const FreeBase* free_base() const { return nullptr; }
  /// Whether states have the attitude in space of the bodies, see core/mechanics/attitude.h: of
  /// systems of first order, with methods that turn each body by Ω.
  virtual bool follows_attitude() const { return false; }
  /// A of the terms Σ A_i(q)·q̇_i of the Lagrangian; null: there are none. Only with an inertia, and
  /// in axes that do not rotate.
  virtual const GyroscopicField* gyroscopic() const { return nullptr; }
  /// The kinds of terms of V, if it is the sum of those of pair_terms(). By default it is not known
  /// to be.
  virtual TermKinds term_kinds() const { return {}; }
  /// The terms of V of a system of first order, where term_kinds() are known. O(n + pairs).
  virtual PairTerms pair_terms() const { return {}; }
  /// Whether velocity_force() can be nonzero; false for systems of first order.
  virtual bool has_velocity_force() const { return false; }
  /// External force f_i on q_i [N m] that depends on ω, besides force() and damping(). Where a base
  /// flies it is that of FreeBase::drag alone.
  virtual void velocity_force(double /*t*/, const Columns& /*q*/, const Columns& /*w*/,
                              Columns& f) const {
    f.setZero();
  }

  /// The evaluator in use, "llvm" or "tape" (core/program/back_end.h); empty if there is only one.
  /// The code is made at the first call, in some 10 ms. A run asks for it before its first step.
  virtual std::string_view back_end() const { return {}; }

  /// Which components of J = Σ q_i × [Σ_j M_ij (q̇_j + Ω × q_j) + A_i] + κ_i q_i are conserved with
  /// these parameters: in a frame that rotates that along Ω alone, if it is an axis.
  virtual std::array<bool, 3> conserved_momentum() const { return {false, false, false}; }
  /// The axes e_k about which rotations turn motions into motions, also where forces or damping
  /// change J: torques q_i × (∂V/∂q_i − f_i) turn with the state, at all times, and m(q) stays; in
  /// a frame that rotates with Ω only if e_k is along Ω, and without terms of A. Damping that is
  /// the same in all directions breaks none. By default axes_by_turning().
  virtual std::array<bool, 3> turning_axes() const;

  /// Replaces `out`, which callers use again: Geometry::clear() keeps its memory. Where a base
  /// flies, q may have a further column X, see positions(); without it the places are those about
  /// the centre of mass. With the columns of an attitude they are those in space.
  virtual void geometry(const Columns& q, Geometry& out) const = 0;
  /// The same of a state, with its x.
  void geometry(const State& state, Geometry& out) const;
  /// ∂x_i/∂q_j = a_ij I [m] for the point x_i of a body at which it is pulled, its position in
  /// geometry(). By default that is q_i on the unit sphere.
  virtual double lever(int body, int link) const { return body == link ? 1 : 0; }
  /// The first call may take up to a second; snapshots have systems that are measured.
  virtual Extent extent() const = 0;
  /// The value at t, q and ω of the quantity of this name in SystemInfo::own_quantities; NaN if
  /// there is none.
  virtual double own_quantity(std::string_view /*name*/, double /*t*/, const Columns& /*q*/,
                              const Columns& /*w*/) const {
    return std::numeric_limits<double>::quiet_NaN();
  }
  /// The same at a state, which has more than q and ω where a base flies.
  virtual double own_quantity(std::string_view name, const State& state) const;
  /// The quantity that colours the bodies, if the system names one.
  virtual std::optional<OwnQuantity> own_color() const { return {}; }
  /// Its value at t, q and ω for every body; empty if there is none.
  virtual void own_color_values(double /*t*/, const Columns& /*q*/, const Columns& /*w*/,
                                std::vector<double>& out) const {
    out.clear();
  }
  /// The fluid that carries the bodies, whose streamlines are drawn; null if there is none.
  virtual const Fluid* fluid() const { return nullptr; }
  /// Whether the bodies are coloured by their directions unless another quantity is chosen.
  virtual bool shows_directions() const { return false; }
  /// Whether the bodies are lines rather than arrows, as the molecules of a nematic: V does not
  /// depend on the signs of the q_i. Nor do the colours of their directions.
  virtual bool apolar() const { return false; }
  /// nx, ny and nz of a cubic lattice, of which a scene can show a layer alone: body (z·ny + y)·nx
  /// + x is an arrow about its site x a e1 + y a e2 + z a e3. 0 of other systems.
  virtual std::array<int, 3> lattice_layers() const { return {0, 0, 0}; }
  /// A box that contains every configuration whose potential energy is at most `energy` [J], for
  /// framing the scene. By default the box of extent().
  virtual Box accessible_box(double energy) const;
  /// About how many operations gradient() and the forces take, for limits on what is computed
  /// beside a run. By default those of all pairs.
  virtual double operations() const { return 20.0 * size() * size(); }
  /// Takes up to `count` steps of length h [s] of the variational integrator for uncoupled bodies
  /// without forces besides the potential, with the torques q_i × g_i [J], one row each, in a
  /// quicker way than one by one, but bit for bit the same. Stops before a step that fails, and
  /// after one if the calling thread is interrupted; returns the number of steps taken. By default
  /// 0, with nothing changed: there is no quicker way.
  virtual std::int64_t advance_uncoupled(double /*h*/, std::int64_t /*count*/, Columns& /*q*/,
                                         Columns& /*w*/, Eigen::MatrixX3d& /*torque*/) const {
    return 0;
  }
  /// The bath with which a damped system of first order exchanges heat, see
  /// core/mechanics/heat_bath.h; null: there is none. Every other function is without its noise,
  /// which the lanes of a run add to each of their steps.
  virtual const HeatBath* heat_bath() const { return nullptr; }
};

/// Whether the system has no kinetic energy, so that its equations of motion are of first order.
inline bool first_order(const System& system) {
  return std::holds_alternative<NoInertia>(system.inertia());
}
/// The number of columns of positions() of its states.
inline int moving(const System& system) {
  return system.size() + (system.follows_attitude() ? 2 * system.size()
                          : system.free_base()      ? 1
                                                    : 0);
}
/// Whether any body is damped.
inline bool damped(const System& system) { return system.damping().size() > 0; }
/// Whether any force depends on velocities.
inline bool velocity_dependent(const System& system) {
  return damped(system) || system.has_velocity_force();
}

/// G = ∂V/∂q − f at time t, and f itself, which is left unchanged if there are no external forces.
void generalised_gradient(const System& system, double t, const Columns& q, Columns& g, Columns& f);
/// The same with gradient_compensated().
void generalised_gradient(const System& system, double t, const Columns& q, const Columns& q_low,
                          Columns& g, Columns& f);

/// A kind of system: its record in the catalogue, defined in the file of the system.
struct SystemInfo {
  std::string_view key;          ///< "chain_pendulum"
  std::string_view title;        ///< "Chain pendulum"
  std::string_view description;  ///< one or two sentences
  std::string_view equations;    ///< Lagrangian in plain text, UTF-8
  std::string_view reference;    ///< paper and section
  std::vector<ParameterInfo> parameters;
  int max_bodies = 0;  ///< limit if memory grows with the square; 0: no limit
  std::array<bool, 3> momentum_columns = {false, false, true};  ///< components of J written to CSV
  bool encounters = false;  ///< whether there is a System::closest_encounter() of two bodies
  /// Whether there is no kinetic energy, as first_order() of each of its systems: without columns
  /// of T and V and of |q·ω|, and with starts that give q alone. H is V.
  bool first_order = false;
  /// Whether the kinetic energy field is of interest (SurfaceField): many bodies on one sphere.
  bool field = false;
  /// The signals that show how n bodies move, at most four of one unit: "polar0 and polar4", the
  /// keys of Signal. They are one of the plots that are shown at first, unless an own quantity
  /// shows_motion. Of a system that is written as text it is empty: the first quantity that it
  /// names shows its motion, else the angle of the first body from e3.
  std::function<std::string(int n)> motion{};
  std::vector<OwnQuantity> own_quantities{};  ///< System::own_quantity()
  /// Creates the system for n bodies. `values` holds every parameter, with sizes and domains
  /// already checked.
  std::function<Result<std::unique_ptr<const System>>(int n, const Values& values)> create{};
  /// Replaces words of optional parameters by numbers computed from the initial q. Empty: nothing
  /// to do.
  std::function<void(const Columns& q, Values& values)> resolve{};
  /// Checks whether an initial state is possible, for instance whether bodies coincide. Locations
  /// of errors are "q[i]". Empty: always possible.
  std::function<Result<void>(const Columns& q, const Values& values)> check_start{};
  /// The same system as text, with the parameters in `values`. Empty: it cannot be opened as text.
  std::function<Definition(int n, const Values& values)> text{};
};

}  // namespace twosphere
