// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/mechanics/exponents.h"
#include "ui/panels/panels.h"
#include "ui/plot/axis.h"

namespace twosphere::ui {

namespace {

using Chaos = Snapshot::LaneView::Chaos;

/// λ_k with its error.
std::string estimate(const Exponents::Exponent& e) {
  if (!std::isfinite(e.value)) return std::string(no_number);
  return fmt::format("{} ± {} /s", result_number(e.value), result_number(e.error));
}

/// With the largest exponent first.
Chaos sorted(Chaos chaos) {
  std::sort(chaos.spectrum.begin(), chaos.spectrum.end(),
            [](const auto& a, const auto& b) { return a.value > b.value; });
  return chaos;
}

/// The largest |λ_k + λ_{4n+1−k}| of a whole spectrum.
double largest_pair(const Chaos& chaos) {
  double largest = 0;
  const std::size_t m = chaos.spectrum.size();
  for (std::size_t k = 0; k < m; ++k)
    largest =
        std::max(largest, std::abs(chaos.spectrum[k].value + chaos.spectrum[m - 1 - k].value));
  return largest;
}

/// Whether the run is long enough to tell; empty: it is.
std::string advice(const Chaos& chaos) {
  constexpr double enough = 10;  // times 1/λ₁
  if (!(chaos.elapsed > 0) || chaos.spectrum.empty()) return {};
  const auto& [rate, error] = chaos.spectrum.front();
  if (!std::isfinite(rate)) return {};
  if (rate <= error)
    return fmt::format("λ₁ is not told from 0 over {} s: run longer.",
                       result_number(chaos.elapsed));
  if (const double times = rate * chaos.elapsed; times < enough)
    return fmt::format("Run longer: {} s is {} times 1/λ₁.", result_number(chaos.elapsed),
                       significant(times, 2));
  return {};
}

/// `chaos`: with its spectrum from the largest exponent on.
void lane_rows(const Panel& panel, const Chaos& chaos) {
  const std::size_t m = chaos.spectrum.size();
  const bool whole = m == static_cast<std::size_t>(Exponents::max_count(*panel.snapshot.system));
  // Of a whole spectrum the second half is the negative of the first.
  const std::size_t shown = std::min(whole ? m / 2 : m, recorded_exponents);
  for (std::size_t k = 0; k < shown; ++k) {
    value_row(panel, "exponent/", std::string(info(lyapunov(k)).symbol),
              estimate(chaos.spectrum[k]));
    if (k == 0)
      tooltip(panel,
              "Mean rates at which nearby orbits part, since the vectors began to follow the run. "
              "An exponent below its error cannot be distinguished from zero.");
  }
  if (whole) {
    value_row(panel, "exponent/", "pair sums",
              chaos.elapsed > 0 ? fmt::format("≤ {:.1e} /s", largest_pair(chaos))
                                : std::string(no_number));
    tooltip(panel, "The largest |λₖ + λ₄ₙ₊₁₋ₖ|: 0 to rounding where the method is symplectic.");
    const auto zeros = std::count_if(chaos.spectrum.begin(), chaos.spectrum.end(),
                                     [](const auto& e) { return std::abs(e.value) <= e.error; });
    value_row(panel, "exponent/", "zeros", fmt::format("{} of {}", zeros, m));
    tooltip(panel,
            "How many exponents are below their errors. Two are zero for each conserved quantity, "
            "and more for a regular orbit.");
    const System& system = *panel.snapshot.system;
    if (const int expected = expected_zeros(system); expected > 0)
      note(panel, "exponent/expected",
           fmt::format("{} exponents must be 0 ({})", expected, zero_causes(system)));
  }
  value_row(panel, "exponent/", "MEGNO", result_number(chaos.megno));
  tooltip(panel, "Tends to 2 for quasi-periodic motion; grows as λ₁T/2 for chaotic motion.");
  value_row(panel, "exponent/", "FLI", result_number(chaos.fli));
  value_row(panel, "exponent/", "over", fmt::format("{} s", result_number(chaos.elapsed)));
  if (const std::string text = advice(chaos); !text.empty()) note(panel, "exponent/advice", text);
}

}  // namespace

void exponents_panel(const Panel& panel, PanelState& state) {
  const auto& lanes = panel.snapshot.lanes;
  const bool any = std::any_of(lanes.begin(), lanes.end(),
                               [](const auto& lane) { return lane.chaos.has_value(); });
  if (!any || !section(panel, state.closed, "Lyapunov exponents")) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(3)});
  for (const Snapshot::LaneView& lane : lanes) {
    if (lanes.size() > 1) ImGui::TextUnformatted(lane.title().c_str());
    if (lane.chaos)
      lane_rows(panel, sorted(*lane.chaos));
    else
      value_row(panel, "exponent/", "none", "no tangent map");
  }
  note(panel, "exponent/error", fmt::format("±: {}", exponent_error));
  ImGui::PopStyleVar();
  panel.mark("exponents");
}

}  // namespace twosphere::ui
