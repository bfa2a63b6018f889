// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/parameter.h"
#include "core/mechanics/system.h"

namespace twosphere {
// The examples of docs/extend-a-system.md and docs/extend-an-integrator.md.
const SystemInfo& uncoupled_pendula();
const IntegratorInfo& two_rotations();
}  // namespace twosphere

/// The rows that the catalogue-wide tests run over: at least one per system, exactly one per
/// integrator. They are in cases.cpp.
namespace twosphere::test {

/// The spread of starts that are distributed evenly over the sphere, so that no bodies meet.
inline constexpr double everywhere = 4;

/// Random numbers, the same in every run.
struct Draws {
  std::mt19937 generator;

  std::vector<double> operator()(int count, double low, double high);
};

/// Parameters by their keys, as in "masses 1 2 0.5; gravity 9.81"; a key alone has no numbers.
Values values_from(const std::string& text);

/// A system with given parameters, and the scales of a start with large but regular motion.
struct SystemCase {
  std::string name;
  std::string system;
  int n;
  Values values;
  double spread;  ///< angle of the start from e3, at most about [rad], or everywhere
  double speed;   ///< of each ω [rad/s]
  double time;    ///< scale of its motion [s]: steps of the tests are multiples of it
  /// The allowed rise of the energy error over 10⁶ steps or, if it is larger there, over 4·10⁶,
  /// relative to its oscillation: in chaotic motion it wanders. 0: not checked, because bodies meet
  /// eventually.
  double wander = 0.01;
  bool matrix = false;  ///< its inertia is given as a matrix
  double calm = 4;      ///< divisor of spread and speed of the start of these 10⁶ steps
  /// Adapts the parameters to another number of bodies, so that the motion stays regular. They are
  /// masses from 0.5 to 2, lengths from 0.5 to 1.5, and defaults. Null: no change. The first row of
  /// a system is used.
  void (*resize)(int n, Draws& draws, Values& values) = nullptr;
  std::string text{};  ///< the preset whose definition it has, if it is of the type custom
};
inline void PrintTo(const SystemCase& c, std::ostream* out) { *out << c.name; }

const std::vector<SystemCase>& system_cases();

/// Systems without kinetic energy, whose ω follows from q: their starts have no speed.
const std::vector<SystemCase>& first_order_cases();

/// Systems with terms linear in velocities: strengths of uncoupled bodies, and axes that rotate.
const std::vector<SystemCase>& linear_cases();

/// The rows of all three.
std::vector<SystemCase> all_system_cases();

/// The expected properties of a method.
struct IntegratorCase {
  std::string key;
  int order;             ///< 0: adaptive, tested by its tolerance
  double unit_length;    ///< largest | |q| − 1 | allowed over any number of steps; 0: it drifts
  int damped_order = 0;  ///< with damping and other forces of velocities; 0: the same

  /// Its order where it moves this system.
  int order_for(const System& system) const {
    return damped_order > 0 && velocity_dependent(system) ? damped_order : order;
  }
};

const std::vector<IntegratorCase>& integrator_cases();

/// A system of the catalogue, or the example of the documentation.
const SystemInfo& kind_of_system(std::string_view key);

/// The definition of a row, that of its preset for as many bodies.
const CompiledDefinition& compiled_definition(const SystemCase& c);

/// The parameters of a row, with the defaults of those that it does not give.
Values completed(const SystemCase& c);

std::unique_ptr<const System> make_system(const SystemCase& c);

/// A system for n bodies, with the defaults of the parameters that are not given.
std::unique_ptr<const System> system_of(std::string_view key, int n, Values values);

/// A method of the catalogue, or the example of the documentation.
const IntegratorInfo& method_info(std::string_view key);

/// Whether the method applies to the system.
bool fits(const IntegratorInfo& info, const SystemCase& c);

/// Creates a method with the given parameters, or else their defaults.
std::unique_ptr<Integrator> make_integrator(std::string_view key, Values values = {});

/// The same, prepared for this state of the system.
std::unique_ptr<Integrator> prepared(std::string_view key, const System& system, const State& state,
                                     Values values = {});

/// Three numbers of a distribution in a fixed order: the order of evaluation of function arguments
/// differs between compilers.
template <class Distribution>
Vec3 drawn(Distribution& distribution, std::mt19937& generator) {
  const double z = distribution(generator), y = distribution(generator),
               x = distribution(generator);
  return {x, y, z};
}

/// A start without symmetry: directions around e3 or everywhere, with random tangent ω, determined
/// by the seed.
State generic_start(int n, double spread, double speed, unsigned seed);

/// A tangent vector at the state: δq ⟂ q and δω with q·δω + ω·δq = 0.
TangentVector tangent_vector(const State& s, unsigned seed);

/// A system of a row, and a start of it.
std::pair<std::unique_ptr<const System>, State> started(const SystemCase& c, unsigned seed);

/// Largest difference of q and ω between two states.
double distance(const State& a, const State& b);

/// Whether two states have the same bits, but for their times.
bool same_state(const State& a, const State& b);

/// `steps` steps of length h from `state`, ω completed. Returns false if a step fails.
bool march(const System& system, Integrator& integrator, double h, long steps, State& state);

}  // namespace twosphere::test
