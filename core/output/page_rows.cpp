// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/page_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "core/record/signal.h"
#include "core/scenario/scenario.h"
#include "core/worker/snapshot.h"

namespace twosphere {

namespace {

constexpr std::size_t kinds = 3;  // of values of an interval: first, least, largest

float bounded(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -most, most));
}

/// A number rounded to nine binary digits.
float in_nine_digits(float x) {
  constexpr std::uint32_t cut = 15, half = 1u << (cut - 1);
  const auto bits = std::bit_cast<std::uint32_t>(x);
  // It must not become infinite, nor a number if it is none.
  const bool largest = (bits & 0x7fffffff) + half >= 0x7f800000;
  return std::bit_cast<float>((largest ? bits : bits + half) & ~(2 * half - 1));
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

PageRows::PageRows(std::size_t lanes, std::size_t max_bytes)
    : lanes_(lanes), max_bytes_(max_bytes) {
  std::iota(lanes_.begin(), lanes_.end(), std::size_t{0});
}

void PageRows::add(Simulation& run) {
  if (lanes_.empty() || lanes_.front() >= static_cast<std::size_t>(run.lane_count())) return;
  add_state(run);
  add_samples(run);
}

void PageRows::add_state(Simulation& run) {
  PageRow row{.step = run.steps(), .elapsed = run.elapsed(), .system = run.system()};
  for (const std::size_t lane : lanes_)
    if (lane < static_cast<std::size_t>(run.lane_count()))
      row.lanes.push_back(run.state(static_cast<int>(lane)));
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
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  if (quantities_.empty()) {
    for (const Quantity q : csv_quantities(run.system_info()))
      if (q != Quantity::time) quantities_.push_back(q);
    last_.assign(lanes_.size() * quantities_.size(), none);
    origins_.assign(last_.size(), std::numeric_limits<double>::quiet_NaN());
  }
  const std::size_t width = kinds * last_.size(), others = lanes_.size() - 1;
  if (open_ == 0 || open_ == each_) {
    if (times_.size() == max_intervals) {  // every two become one
      for (std::size_t k = 0; k < max_intervals / 2; ++k) {
        times_[k] = times_[2 * k];
        for (std::size_t i = 0; i < width; ++i) {
          const float a = values_[2 * k * width + i], b = values_[(2 * k + 1) * width + i];
          values_[k * width + i] = i % kinds == 1   ? std::fmin(a, b)
                                   : i % kinds == 2 ? std::fmax(a, b)
                                   : std::isnan(a)  ? b
                                                    : a;
        }
      }
      for (std::size_t k = 0; k < max_intervals / 2; ++k)
        for (std::size_t i = 0; i < others; ++i) {
          const float a = distances_[2 * k * others + i], b = distances_[(2 * k + 1) * others + i];
          distances_[k * others + i] = std::isnan(a) ? b : a;
        }
      distances_.resize(max_intervals / 2 * others);
      times_.resize(max_intervals / 2);
      values_.resize(max_intervals / 2 * width);
      each_ *= 2;
    }
    times_.push_back(run.elapsed());
    values_.resize(values_.size() + width, none);
    distances_.resize(distances_.size() + others, none);
    open_ = 0;
  }
  ++open_;
  last_time_ = run.elapsed();
  const std::vector<State>& states = rows_.back().lanes;
  for (std::size_t i = 1; i < states.size(); ++i)
    if (float& to = distances_[(times_.size() - 1) * others + i - 1]; std::isnan(to))
      to = bounded(distance(*rows_.back().system, states[i], states[0]));
  float* value = values_.data() + (times_.size() - 1) * width;
  std::size_t curve = 0;
  for (const std::size_t lane : lanes_) {
    if (lane >= static_cast<std::size_t>(run.lane_count())) break;
    const Sample& sample = run.sample(static_cast<int>(lane));
    for (const Quantity q : quantities_) {
      if (std::isnan(origins_[curve]) && std::isfinite(sample[q]))
        origins_[curve] = info(q).error ? 0 : sample[q];
      const float x = last_[curve] = bounded(sample[q] - origins_[curve]);
      if (std::isnan(value[0])) value[0] = x;
      value[1] = std::fmin(value[1], x);
      value[2] = std::fmax(value[2], x);
      value += kinds;
      ++curve;
    }
  }
}

PageCurves PageRows::curves() const {
  PageCurves out{quantities_, times_, origins_, {}};
  for (double& origin : out.origins)
    if (std::isnan(origin)) origin = 0;
  const bool ends_apart = open_ > 1;
  if (ends_apart) out.times.push_back(last_time_);
  const std::size_t curves = last_.size();
  out.values.reserve(kinds * curves * out.times.size());
  for (std::size_t curve = 0; curve < curves; ++curve)
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      for (std::size_t k = 0; k < times_.size(); ++k)
        out.values.push_back(values_[kinds * (k * curves + curve) + kind]);
      if (ends_apart) out.values.push_back(last_[curve]);
    }
  for (std::size_t i = 1; i < lanes_.size(); ++i) {
    for (std::size_t k = 0; k < times_.size(); ++k)
      out.distances.push_back(distances_[k * (lanes_.size() - 1) + i - 1]);
    if (ends_apart) {
      const std::vector<State>& states = rows_.back().lanes;
      out.distances.push_back(i < states.size()
                                  ? bounded(distance(*rows_.back().system, states[i], states[0]))
                                  : std::numeric_limits<float>::quiet_NaN());
    }
  }
  return out;
}

PackedCurves pack_curves(const PageCurves& curves) {
  constexpr double levels = 4094;
  PackedCurves out;
  std::vector<std::uint16_t> numbers;
  std::vector<float> errors;
  const std::size_t each = kinds * curves.times.size();
  for (std::size_t first = 0, k = 0; first < curves.values.size(); first += each, ++k) {
    const std::span<const float> curve = std::span(curves.values).subspan(first, each);
    if (info(curves.quantities[k % curves.quantities.size()]).error) {
      std::transform(curve.begin(), curve.end(), std::back_inserter(errors), in_nine_digits);
      continue;
    }
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const float x : curve)
      if (!std::isnan(x)) low = std::min<double>(low, x), high = std::max<double>(high, x);
    const double step = high > low ? (high - low) / levels : 0;
    out.low.push_back(high >= low ? low : 0);
    out.step.push_back(step);
    for (const float x : curve)
      numbers.push_back(std::isnan(x) ? std::uint16_t{0}
                        : step > 0 ? static_cast<std::uint16_t>(1 + std::lround((x - low) / step))
                                   : std::uint16_t{1});
  }
  std::vector<float> distances(curves.distances.size());
  std::transform(curves.distances.begin(), curves.distances.end(), distances.begin(),
                 in_nine_digits);
  out.levels = pack_numbers(numbers, curves.times.size(), out.order);
  out.errors = pack_floats(errors, each);
  out.distances = pack_floats(distances, curves.times.size());
  return out;
}

Snapshot at_row(Snapshot run, const PageRows& rows, const PageRow& row) {
  run.system = row.system;
  run.elapsed = row.elapsed;
  std::vector<Snapshot::LaneView> lanes;
  for (std::size_t i = 0; i < row.lanes.size(); ++i) {
    lanes.push_back(run.lanes[rows.lanes()[i]]);
    lanes.back().state = row.lanes[i];
  }
  run.lanes = std::move(lanes);
  return run;
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
  add_ends(geometry.frame);
}

std::size_t link_point(const Geometry& geometry, std::size_t link) {
  return geometry.bodies.size() + 2 * link;
}
std::size_t spring_point(const Geometry& geometry, std::size_t spring) {
  return link_point(geometry, geometry.links.size() + spring);
}
std::size_t arrow_point(const Geometry& geometry, std::size_t arrow) {
  return spring_point(geometry, geometry.springs.size() + arrow);
}
std::size_t frame_point(const Geometry& geometry, std::size_t rod) {
  return arrow_point(geometry, geometry.arrows.size() + rod);
}
std::size_t body_point(const Geometry& geometry, std::size_t body) {
  return geometry.arrows.empty() ? body : arrow_point(geometry, body) + 1;
}

RunPoints run_points(const PageRows& run) {
  const std::vector<PageRow>& rows = run.states();
  RunPoints out;
  for (std::size_t lane = 0; lane < run.lanes().size(); ++lane) {
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
      at.system->geometry(at.lanes[lane], geometry);
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
