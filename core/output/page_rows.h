// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/system.h"
#include "core/output/point_stream.h"
#include "core/run/simulation.h"

namespace twosphere {

struct Snapshot;

/// A row of a run, with its states.
struct PageRow {
  std::int64_t step = 0;
  double elapsed = 0;  ///< Simulation::elapsed() [s]
  std::shared_ptr<const System> system;
  std::vector<State> lanes{};  ///< those that have begun
  bool jump = false;           ///< the motion does not continue smoothly from the row before
};

/// The first, the least and the largest value of the quantities over equal numbers of rows. The
/// last row is a separate interval.
struct PageCurves {
  std::vector<Quantity> quantities;  ///< without the time
  std::vector<double> times;         ///< of the first row of each interval [s]
  /// Of every lane and quantity, in this order, what its values are measured from: the first one,
  /// so that small changes of large values are kept; of an error 0.
  std::vector<double> origins;
  /// Of every lane and quantity, in this order: the first value of each interval, then the least of
  /// each, then the largest; NaN where there is none.
  std::vector<float> values;
  /// Of every lane but the first: distance() from the first at the first row of each interval
  /// [rad]; NaN where it has not begun.
  std::vector<float> distances{};
};

/// Curves as a web page holds them: what plots with linear axes show is rounded to a 4094th of the
/// range of each curve, the errors, which have logarithmic axes, to nine binary digits.
struct PackedCurves {
  std::string levels;             ///< pack_numbers(): of each curve but the errors; 0: no value
  int order = 1;                  ///< of its differences
  std::vector<double> low, step;  ///< level k ≥ 1 of such a curve is low + (k − 1) step
  std::string errors;             ///< pack_floats()
  std::string distances;          ///< pack_floats(), rounded as the errors
};
PackedCurves pack_curves(const PageCurves& curves);

/// The part of a run that a web page shows, taken at its rows. Memory is bounded: states of about
/// 256 MiB, of every k-th row and the last one, and 1501 intervals of the quantities.
class PageRows {
 public:
  /// With all lanes of the record, also those that begin later.
  explicit PageRows(std::size_t lanes, std::size_t max_bytes = std::size_t{1} << 28);
  /// With these lanes, in ascending order.
  explicit PageRows(std::vector<std::size_t> lanes, std::size_t max_bytes = std::size_t{1} << 28)
      : lanes_(std::move(lanes)), max_bytes_(max_bytes) {}

  static constexpr std::size_t max_intervals = 1500;

  /// Adds the present state, once at each row. Nothing while none of the lanes has begun.
  void add(Simulation& run);

  /// Which lanes of the record it has.
  const std::vector<std::size_t>& lanes() const { return lanes_; }
  const std::vector<PageRow>& states() const { return rows_; }
  PageCurves curves() const;

 private:
  void add_state(Simulation& run);
  void add_samples(Simulation& run);
  bool jumps(const Scenario& record, std::int64_t from, std::int64_t to) const;
  void thin();

  std::vector<std::size_t> lanes_;
  std::size_t max_bytes_;
  std::vector<PageRow> rows_;
  std::size_t stride_ = 1, added_ = 0;  // rows added; one in stride_ is kept
  bool extra_ = false;                  // the last row is kept although it is not one of these

  std::vector<Quantity> quantities_;
  std::vector<double> times_, origins_;
  // Of every interval, lane and quantity: first, least, largest; of the last row the values.
  std::vector<float> values_, last_;
  std::vector<float> distances_;  // of every interval and lane but the first
  double last_time_ = 0;
  std::size_t each_ = 1, open_ = 0;  // rows in an interval; rows in the last one
};

/// A run, which names the lanes, at one of its rows: with those lanes of the rows that have begun
/// by then.
Snapshot at_row(Snapshot run, const PageRows& rows, const PageRow& row);

/// The points of a geometry that move: of bodies, links, springs, arrows and the frame of a base,
/// in this order, of all but the bodies both ends.
void geometry_points(const Geometry& geometry, std::vector<Vec3>& out);
/// The index there of the first end of a link, spring, arrow or rod of a frame; that of the
/// other end comes next.
std::size_t link_point(const Geometry& geometry, std::size_t link);
std::size_t spring_point(const Geometry& geometry, std::size_t spring);
std::size_t arrow_point(const Geometry& geometry, std::size_t arrow);
std::size_t frame_point(const Geometry& geometry, std::size_t rod);
/// That which the trail of a body follows: of a magnet its north pole.
std::size_t body_point(const Geometry& geometry, std::size_t body);

/// The distinct points of the lanes over all rows.
struct RunPoints {
  PointRows rows;
  /// Of each lane the index of each of geometry_points(). A lane that begins later rests at its
  /// beginning until then.
  std::vector<std::vector<std::size_t>> of_lane;
  std::vector<std::size_t> begins;  ///< first row of each lane
};
RunPoints run_points(const PageRows& run);

}  // namespace twosphere
