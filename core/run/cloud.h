// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/run/lane.h"

namespace twosphere {

/// How the members of a cloud begin.
struct CloudSpec {
  int members = 256;
  double spread = 1e-6;  ///< standard deviation [rad, rad/s], of X and Ẋ in L; see scatter()
  std::uint64_t seed = 1;

  static constexpr int max_members = 4096;
  static constexpr double max_spread = 0.1;
  bool operator==(const CloudSpec&) const = default;
};
/// Fails if the number of members or the spread is out of range; the location is "members" or
/// "spread".
Result<void> check(const CloudSpec& spec);

/// Orbits that begin near that of a lane, each with its own method, of the same kind and step.
/// Member k, from 1 to `members`, begins at scatter() of the state of the lane. What a member does
/// does not depend on the others, nor on the number of threads.
///
///   d_k = (Σ_i |q_i − q_i^(k)|²)^½     distance of member k in the configuration
///
/// and |X − X^(k)|²/L² is added in the sum if the base flies, base_distance().
///
/// Members of small systems take their steps together: see Integrator::advance_together(). Memory:
/// a lane for each member. Tests: members are runs of their own, bit for bit; rate against the
/// largest Lyapunov exponent.
class Cloud {
 public:
  /// The members at one moment.
  struct Checkpoint {
    std::vector<Lane::Checkpoint> lanes{};
    std::vector<bool> alive{};
    std::int64_t due = 0;
  };

  /// Around the present state of a lane, whose ω is up to date. `settings`: those of the lane.
  Cloud(const CloudSpec& spec, const LaneSpec& settings, const Lane& lane, const System& system);
  /// Continues from a checkpoint, bit for bit, with the settings that the lane had then.
  Cloud(const Checkpoint& from, const LaneSpec& settings, const Lane& lane, const System& system);
  /// All members have taken all steps.
  Checkpoint checkpoint(const System& system);

  /// Takes `count` steps of the run in every member, on the threads of the pool. A member whose
  /// step fails is lost. False if this thread is interrupted: catch_up() takes the missing steps.
  bool advance(const System& system, std::int64_t count);
  /// The steps that an interruption has left out, in the same system. False if it is interrupted
  /// again.
  bool catch_up(const System& system);
  /// Continues from the present states in another system, with another method or step, or in the
  /// other direction of time, as the lane does; `former` is the previous system, `settings` are the
  /// present ones of the lane. All members have taken all steps.
  void change(const System& former, const System& system, const LaneSpec& settings,
              const Lane& lane);

  int members() const { return static_cast<int>(lanes_.size()); }
  int lost() const;
  /// The state of a member with ω up to date; null if it is lost.
  const State* state(int member, const System& system);
  /// twosphere::positions() of the first members that are not lost, member after member: 3 ×
  /// (n·count), where a base flies 3 × ((n + 1)·count); at most about `max_bodies` bodies.
  void positions(Columns& to, Eigen::Index max_bodies) const;

  struct Distances {
    double median = 0, low = 0, high = 0;  ///< of d_k; quantiles 1/2, 5 % and 95 %
    int members = 0;                       ///< that are not lost
  };
  /// From this state. NaN without members.
  Distances distances(const System& system, const State& centre) const;
  /// Medians of d_k over groups of the members, k mod 20 or fewer of fewer members: independent
  /// values, whose spread tells the error of what is fitted to the median of all. NaN of a group
  /// whose members are lost.
  static constexpr int max_groups = 20;
  std::vector<double> group_medians(const System& system, const State& centre) const;

 private:
  /// d_k
  double distance(const System& system, std::size_t member, const State& centre) const;
  Lane& add_member(const Lane& lane);
  void advance_group(const System& system, std::span<Lane* const> group, std::size_t width);

  LaneSpec settings_;
  std::vector<Lane> lanes_;
  std::vector<bool> alive_;
  std::int64_t due_ = 0;  // own steps of the members since the beginning
};

/// Rate of growth of a distance d(t): the slope of ln d by least squares over the rows up to the
/// first with d > 0.1, where it is no longer small. Successive rows depend on one another, so their
/// residuals tell nothing about its error: it is the standard error of the mean of the slopes of
/// the groups, over the same rows, which is how much another seed changes the rate. NaN of fewer
/// than 8 rows. Tests: intervals of so many seeds contain the rate of many members.
struct GrowthRate {
  double rate = 0, error = 0;  ///< [1/s]; the error is NaN of fewer than two groups
  std::size_t rows = 0;
  double from = 0, to = 0;  ///< times of the first and the last row [s]
  double level = 0;         ///< ln d of the fit at `from`
};
/// It is found row by row.
class GrowthFit {
 public:
  /// A median of all and those of groups.
  void add(double t, double distance, std::span<const double> groups);
  bool ended() const { return ended_; }  ///< no further row counts
  GrowthRate rate() const;

 private:
  static constexpr double max_distance = 0.1;

  /// The mean of ln d, and the sum of products with t about the means.
  struct Line {
    double y = 0, ty = 0;
    void add(double x, double share, double count, double distance);
  };

  bool ended_ = false;
  std::size_t rows_ = 0;
  double from_ = 0, to_ = 0;
  double t_ = 0, tt_ = 0;  // mean, and sum of squares about it
  Line all_;
  std::vector<Line> groups_;
};

/// Linear interpolation between the sorted values, at share·(count − 1).
double quantile(std::span<const double> sorted, double share);

/// A cloud that is to follow a run.
struct CloudPlan {
  CloudSpec spec;
  int lane = 0;           ///< around which it begins
  std::int64_t from = 0;  ///< the step of the run at which it begins

  bool operator==(const CloudPlan&) const = default;
};

/// The state of a cloud some time after it began.
struct CloudCourse {
  CloudPlan plan;
  std::int64_t since = 0, measured = -1;  ///< steps: of the beginning, and of the last row fitted
  double began = 0;                       ///< the time of the run then [s]
  Cloud::Distances first{};
  GrowthFit fit{};
};

/// A cloud after a step of its run, with everything that the following steps need.
struct CloudCheckpoint {
  CloudCourse course;
  Cloud::Checkpoint members;
};

}  // namespace twosphere
