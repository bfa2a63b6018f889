// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/order_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/output/lane_style.h"

namespace twosphere {

namespace {

/// A range of positive values on a logarithmic axis, with a margin.
class LogRange {
 public:
  void add(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  bool empty() const { return high_ <= 0; }
  ui::Interval with_margin() const {
    constexpr double margin = 0.08;
    if (empty()) return {0, 1};
    const double low = std::log10(low_), high = std::log10(high_);
    const double room = std::max(margin * (high - low), margin);
    return {low - room, high + room};
  }
  ui::Interval decades() const { return empty() ? ui::Interval{-1, 0} : ui::fit_log(low_, high_); }

 private:
  double low_ = std::numeric_limits<double>::infinity(), high_ = 0;
};

}  // namespace

ui::PlotFigure draw_order_figure(const OrderStudy& study, const OrderStudyResult& result,
                                 const std::string& title) {
  const ui::Transform logarithmic{ui::Scale::logarithmic, 0};
  ui::PlotFigure out;
  out.title = title;
  ui::PlotModel cost, order;
  LogRange evaluations, steps, errors;
  std::string orders;
  for (std::size_t m = 0; m < study.methods.size(); ++m) {
    const std::string& key = study.methods[m].type;
    const IntegratorInfo& info = *find_integrator(key);
    const bool has_step = accuracy_control(info) == AccuracyControl::step;
    const LaneStyle style = lane_style(key, Palette::light);
    ui::PlotCurve by_cost{style, {}}, by_step{style, {}};
    for (const OrderPoint& p : result.points) {
      if (p.method != m || p.status != StepStatus::ok) continue;
      if (!(p.error >= result.min_error())) continue;
      const double y = logarithmic.forward(p.error);
      const auto add = [&](ui::PlotModel& plot, ui::PlotCurve& curve, LogRange& range, double x) {
        curve.points.push_back({logarithmic.forward(x), y});
        plot.dots.push_back({style, curve.points.back()});
        range.add(x);
      };
      errors.add(p.error);
      add(cost, by_cost, evaluations, static_cast<double>(p.evaluations));
      if (has_step) add(order, by_step, steps, p.control);
    }
    if (by_cost.points.empty()) continue;
    out.keys.push_back({std::string(info.title), style});
    cost.curves.push_back(std::move(by_cost));
    if (!has_step) continue;
    order.curves.push_back(std::move(by_step));
    if (const auto fitted = order_of(study, result, m))
      orders +=
          fmt::format("{}{}:\u00a0{}", orders.empty() ? "" : "; ", info.title, in_words(*fitted));
  }
  const ui::PlotAxis error{"error at the end", "1", logarithmic, errors.decades()};
  cost.over_time = order.over_time = false;
  cost.x = {"evaluations of the forces", "1", logarithmic, evaluations.with_margin()};
  order.x = {"step", "s", logarithmic, steps.with_margin()};
  cost.y = order.y = error;
  const IntegratorInfo& reference = *find_integrator(study.reference.type);
  out.note =
      fmt::format("Error: largest |Δq| from {} with {} = {} s at t = {} s.", reference.title,
                  reference.adaptive ? "first step" : "h", json::shortest(study.reference.step),
                  json::shortest(study.scenario.duration));
  constexpr std::size_t note_width = 90;
  if (!orders.empty()) out.note += '\n' + wrapped("Orders: " + orders + ".", 0, note_width);
  out.plots.push_back(std::move(cost));
  if (!order.curves.empty()) out.plots.push_back(std::move(order));
  return out;
}

}  // namespace twosphere
