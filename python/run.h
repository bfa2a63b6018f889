// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/mechanics/turning_frame.h"
#include "core/output/lattice_layer.h"
#include "core/record/signal_samples.h"
#include "core/run/simulation.h"
#include "core/scenario/scenario.h"
#include "python/bindings.h"
#include "python/recording.h"

namespace twosphere::python {

/// How far a run goes.
struct Goal {
  enum class Kind { planned, steps, elapsed };
  Kind kind = Kind::planned;
  std::int64_t steps = 0;  ///< Simulation::steps()
  double elapsed = 0;      ///< Simulation::elapsed() [s]

  /// The last step, with the present step size.
  std::int64_t end(const Simulation& run) const;
};

/// The frame of a view in a run; none if it has none, or, with a warning, if the run has no such
/// frame. May repeat the run, which Ctrl-C interrupts. The GIL must be held.
std::optional<TurningFrame> frame_of(const json::Node& view, const Simulation& run);
/// The layer that a view shows alone; none if it has none. The GIL must be held.
std::optional<LatticeLayer> layer_of(const json::Node& view, const Simulation& run);

/// A Simulation in Python. Functions that compute release the GIL; one thread at a time may use it,
/// and a second one gets an error.
class Run {
 public:
  explicit Run(const Scenario& scenario);

  /// Calls body(simulation) and raises what Python functions raised in it.
  template <class Body>
  auto use(Body&& body) {
    const Claim claim(busy_);
    return called(std::forward<Body>(body));
  }
  /// The same, after which the state may be another.
  template <class Body>
  auto change(Body&& body) {
    const Claim claim(busy_);
    ++version_;
    return called(std::forward<Body>(body));
  }

  /// Simulation::set(). A signal and tangent vectors that are followed are followed in the run of
  /// an edited start, too. If they do not fit that, the start is edited, but they are not followed,
  /// and it raises or fails.
  Result<void> set(const std::vector<Setting>& settings);
  /// Simulation::follow_exponents().
  Result<void> follow_exponents(int count);
  /// Takes `count` ≥ 1 steps, fewer if a stop condition is met; returns their number.
  std::int64_t step(std::int64_t count);
  /// Runs to the goal or a stop condition. The rows are in recording(), those so far also if it
  /// raises. Python's signals are handled about 20 times a second.
  void go(const Goal& goal, bool states, bool plots);
  /// From now on a signal of every lane is sampled; `real` empty: that of the scenario.
  void follow_signal(const std::string& real, const std::string& imaginary);
  /// Its samples of a lane; null if none is followed, or if the lane has none yet.
  const SignalSamples* signal(int lane) const;
  /// The view of the scenario, which the record of the run does not have, as far as pictures and
  /// pages show it: its frame and layer. Null if it has none.
  const json::Node& view() const { return view_; }
  /// Of the last go(); null before.
  const std::shared_ptr<Recording>& recording() const { return recording_; }

  /// q and ω of a lane that there is as arrays, which are the same until the state changes.
  py::array_t<double> q(int lane);
  py::array_t<double> omega(int lane);
  /// (position [m], velocity [m/s]) of a base that flies, of a lane that there is; else None.
  py::object base(int lane);

 private:
  template <class Body>
  auto called(Body&& body) {
    Calls calls;
    if constexpr (std::is_void_v<std::invoke_result_t<Body, Simulation&>>) {
      body(simulation_);
      calls.raise_kept();
    } else {
      auto result = body(simulation_);
      calls.raise_kept();
      return result;
    }
  }
  /// Marks the simulation as used by this thread.
  class Claim {
   public:
    explicit Claim(std::atomic<bool>& busy);
    ~Claim() { busy_ = false; }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

   private:
    std::atomic<bool>& busy_;
  };
  /// An array with the version of the state that it shows.
  struct Held {
    std::int64_t version = -1;
    py::array_t<double> array;
  };
  py::array_t<double> shown(std::vector<Held>& all, int lane,
                            const Columns& (*part)(Simulation&, int));
  void tell_warnings();
  /// Begins to sample it, at the present step.
  void sample(Simulation& run, SignalSamples signal);
  static SignalSamples signal_of(const Simulation& run, const std::string& real,
                                 const std::string& imaginary);

  Simulation simulation_;
  json::Node view_;
  std::atomic<bool> busy_ = false;
  std::int64_t version_ = 0;
  std::vector<Held> q_, omega_;  // of each lane
  std::shared_ptr<Recording> recording_;
  std::optional<SignalSamples> signal_;  // without samples
  std::string real_, imaginary_;         // its parts, as given
  std::size_t observer_ = 0;             // which takes them
  std::vector<SignalSamples> signals_;   // of each lane
  int exponents_ = 0;                    // tangent vectors that were asked for
  std::size_t told_ = 0;                 // warnings of the guard that were issued
};

}  // namespace twosphere::python
