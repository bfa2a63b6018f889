// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/figure_page.h"
#include "core/studies/published.h"
#include "core/studies/reproduction.h"
#include "core/studies/reproduction_table.h"

namespace twosphere {

/// A figure of the paper from its runs, in the colours of the paper: curves over time from the rows
/// of figure.lanes(), or means against the step from figure.step_runs(), with the fitted orders and
/// the printed numbers. Curves over time are reduced to `columns` parts.
ui::PlotFigure draw_paper_figure(const PaperFigure& figure,
                                 const std::vector<const ReproducedRun*>& runs, int columns);

/// The means of figure.step_runs() as CSV (RFC 4180): one row per step with the mean energy and
/// unit-length errors of each integrator.
std::string convergence_csv(const PaperFigure& figure,
                            const std::vector<const ReproducedRun*>& runs);

/// Fitted order of a mean over figure.steps.
struct FittedOrder {
  std::string_view integrator;
  Quantity quantity;
  double order;
  std::optional<double> published;  ///< order of the printed means, if there are at least two
};
/// The fitted orders of the errors that depend on the step. The unit-length error of methods that
/// preserve the sphere is rounding and omitted.
std::vector<FittedOrder> fitted_orders(const PaperFigure& figure,
                                       const std::vector<const ReproducedRun*>& runs);

/// Page size and line widths of the figures of the paper.
FigurePage paper_page(FigureFormat format);
ui::FigureLook paper_look();

/// A figure of the paper in lists: Figures 3.1 to 3.7, in order.
struct PaperEntry {
  std::string_view number, title, preset, note, errata;
};
std::span<const PaperEntry> paper_entries();

/// The scenario of a figure with its methods as lanes and a sample after every step.
Result<Scenario> paper_run(std::size_t entry);
/// Whether the figure is the kinetic energy field.
bool shows_field(std::size_t entry);

/// A figure with its numbers.
struct ComputedFigure {
  Figure figure;
  std::vector<ReproductionRow> rows;
  Tally tally;
};
/// Simulates the runs of a figure on `threads` threads, and draws it. `proceed` is called on the
/// calling thread a few times a second with the completed fraction; if it returns false, the work
/// stops and the result is empty.
Result<std::optional<ComputedFigure>> compute_paper_figure(
    std::size_t entry, int threads, const std::function<bool(double part)>& proceed);

}  // namespace twosphere
