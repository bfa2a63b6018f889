// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/language/functions.h"
#include "core/scenario/scenario.h"
#include "core/studies/sweep_measure.h"

namespace twosphere {

/// One side of a comparison: a number, or what is measured of a lane.
struct ClaimSide {
  enum class Kind {
    number,
    measure,         ///< SweepMeasure, also of a signal of the state: "q0_x.last"
    start_distance,  ///< of q from the start, where the run came back to it: StartDistance::q [1]
    cloud_rate,      ///< at which a cloud with the default CloudSpec grows up to the end [1/s]
  };
  Kind kind = Kind::number;
  double number = 0;
  std::string lane{};  ///< its name in files; empty: the first lane
  SweepMeasure measure{};
};

/// A comparison of two numbers of a run: "rk45/energy_error.max > 0.1".
struct TourClaim {
  std::string text;  ///< as it is written
  ClaimSide left, right;
  language::Relation relation = language::Relation::less;
};

/// Reads "SIDE < SIDE", with <, <=, > or >=. A side is a number or [LANE/]MEASURE, where a measure
/// is that of a sweep (parse_measure()), such as energy_error.max, a signal of the state with such
/// an ending, start_distance, or cloud_rate. The location of errors is empty.
Result<TourClaim> parse_claim(std::string_view text, const Scenario& scenario);

}  // namespace twosphere
