// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/page_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/scenario/scenario.h"

namespace twosphere {

namespace {

constexpr std::size_t max_intervals = 1500;

float bounded(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -most, most));
}

/// Whether the same directions are other points in another system.
bool moves_points(const System& before, const System& after, const Columns& q) {
  Geometry geometry;
  std::vector<Vec3> a, b;
  before.geometry(q, geometry);
  geometry_points(geometry, a);
  after.geometry(q, geometry);
  geometry_points(geometry, b);
  return a != b;
}

}  // namespace

void PageRows::add(Simulation& run) {
  add_state(run);
  add_samples(run);
}

void PageRows::add_state(Simulation& run) {
  PageRow row{.step = run.steps(), .elapsed = run.elapsed(), .system = run.system()};
  for (int i = 0; i < run.lane_count(); ++i) row.lanes.push_back(run.state(i));
  if (!rows_.empty()) {
    const PageRow& last = rows_.back();
    row.jump = jumps(run.record(), last.step, row.step) ||
               (last.system != row.system &&
                moves_points(*last.system, *row.system, last.lanes.front().q));
  }
  if (extra_) {
    row.jump = row.jump || rows_.back().jump;
    rows_.pop_back();
  }
  extra_ = added_++ % stride_ > 0;
  rows_.push_back(std::move(row));
  const std::size_t bodies =
      rows_.back().lanes.size() * static_cast<std::size_t>(rows_.back().system->size());
  while (rows_.size() > 16 && rows_.size() * bodies * 6 * sizeof(double) > max_bytes_) thin();
}

// Events are applied after the row of their step.
bool PageRows::jumps(const Scenario& record, std::int64_t from, std::int64_t to) const {
  return std::any_of(record.events.begin(), record.events.end(), [&](const Event& event) {
    if (event.step < from || event.step >= to) return false;
    return event.reverse || std::any_of(event.set.begin(), event.set.end(),
                                        [](const Setting& s) { return s.path.key() == "state"; });
  });
}

void PageRows::thin() {
  std::vector<PageRow> kept;
  bool jump = false;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    jump = jump || rows_[i].jump;
    if (i % 2 > 0 && i + 1 < rows_.size()) continue;
    kept.push_back(std::move(rows_[i]));
    kept.back().jump = std::exchange(jump, false);
  }
  rows_ = std::move(kept);
  stride_ *= 2;
  extra_ = (added_ - 1) % stride_ > 0;
}

void PageRows::add_samples(Simulation& run) {
  if (quantities_.empty())
    for (const Quantity q : csv_quantities(run.system_info()))
      if (q != Quantity::time) quantities_.push_back(q);
  const std::size_t width = 2 * lanes_ * quantities_.size();
  if (open_ == 0 || open_ == each_) {
    if (times_.size() == max_intervals) {  // every two become one
      for (std::size_t k = 0; k < max_intervals / 2; ++k) {
        times_[k] = times_[2 * k];
        for (std::size_t i = 0; i < width; ++i) {
          const float a = extremes_[2 * k * width + i], b = extremes_[(2 * k + 1) * width + i];
          extremes_[k * width + i] = i % 2 == 0 ? std::fmin(a, b) : std::fmax(a, b);
        }
      }
      times_.resize(max_intervals / 2);
      extremes_.resize(max_intervals / 2 * width);
      each_ *= 2;
    }
    times_.push_back(run.elapsed());
    extremes_.resize(extremes_.size() + width, std::numeric_limits<float>::quiet_NaN());
    open_ = 0;
  }
  ++open_;
  float* value = extremes_.data() + (times_.size() - 1) * width;
  for (int lane = 0; lane < run.lane_count(); ++lane) {
    const Sample& sample = run.sample(lane);
    for (const Quantity q : quantities_) {
      value[0] = std::fmin(value[0], bounded(sample[q]));
      value[1] = std::fmax(value[1], bounded(sample[q]));
      value += 2;
    }
  }
}

PageCurves PageRows::curves() const {
  PageCurves out{quantities_, times_, {}};
  out.values.reserve(extremes_.size());
  const std::size_t curves = lanes_ * quantities_.size();
  for (std::size_t curve = 0; curve < curves; ++curve)
    for (std::size_t k = 0; k < times_.size(); ++k)
      for (std::size_t i = 0; i < 2; ++i)
        out.values.push_back(extremes_[2 * (k * curves + curve) + i]);
  return out;
}

void geometry_points(const Geometry& geometry, std::vector<Vec3>& out) {
  out.clear();
  for (const Geometry::Body& body : geometry.bodies) out.push_back(body.position);
  const auto add_ends = [&out](const auto& parts) {
    for (const auto& part : parts) {
      out.push_back(part.from);
      out.push_back(part.to);
    }
  };
  add_ends(geometry.links);
  add_ends(geometry.springs);
  add_ends(geometry.arrows);
}

RunPoints run_points(const PageRows& run) {
  const std::vector<PageRow>& rows = run.states();
  RunPoints out;
  for (std::size_t lane = 0; lane < run.lanes(); ++lane) {
    const auto begun = std::find_if(rows.begin(), rows.end(),
                                    [lane](const PageRow& row) { return lane < row.lanes.size(); });
    if (begun != rows.end()) out.begins.push_back(static_cast<std::size_t>(begun - rows.begin()));
  }
  Geometry geometry;
  std::vector<Vec3> of_lane, all;
  const auto points_at = [&](std::size_t row) {
    all.clear();
    for (std::size_t lane = 0; lane < out.begins.size(); ++lane) {
      const PageRow& at = rows[std::max(row, out.begins[lane])];
      at.system->geometry(at.lanes[lane].q, geometry);
      geometry_points(geometry, of_lane);
      all.insert(all.end(), of_lane.begin(), of_lane.end());
    }
  };

  // Points are one if they are at the same place in every row. `first`: of each point the first
  // that is one with it.
  std::vector<std::size_t> first;
  using Key = std::array<double, 4>;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    points_at(row);
    first.resize(all.size(), 0);
    std::map<Key, std::size_t> parted;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t f = first[i];
      if (i == f || all[i] == all[f]) continue;
      first[i] = parted.try_emplace({static_cast<double>(f), all[i].x(), all[i].y(), all[i].z()}, i)
                     .first->second;
    }
  }
  std::vector<std::size_t> index(first.size(), 0), chosen;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == i) chosen.push_back(i);
    index[i] = first[i] == i ? chosen.size() - 1 : index[first[i]];
  }
  const std::size_t each = out.begins.empty() ? 0 : index.size() / out.begins.size();
  for (std::size_t lane = 0; lane < out.begins.size(); ++lane)
    out.of_lane.emplace_back(index.begin() + static_cast<std::ptrdiff_t>(lane * each),
                             index.begin() + static_cast<std::ptrdiff_t>((lane + 1) * each));

  PointRows& points = out.rows;
  points.points = chosen.size();
  if (!rows.empty()) {
    const Extent extent = rows.front().system->extent();
    points.center = extent.center;
    points.radius = extent.radius;
  }
  points.positions.reserve(3 * chosen.size() * rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    points.times.push_back(rows[row].elapsed);
    if (row == 0 || rows[row].jump) points.starts.push_back(row);
    points_at(row);
    for (const std::size_t i : chosen)
      for (const double x : Vec3((all[i] - points.center) / points.radius))
        points.positions.push_back(static_cast<float>(x));
  }
  return out;
}

}  // namespace twosphere
