// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/figure_file.h"
#include "core/studies/published.h"
#include "core/studies/reproduction.h"
#include "core/studies/reproduction_table.h"

namespace twosphere {

/// A figure of the paper from its runs, in the paper's colours: curves over time from the rows of
/// figure.lanes(), or means against the step from figure.step_runs(), with the fitted orders and
/// the numbers that are printed. Curves over time are reduced to `columns` parts.
ui::PlotFigure draw_paper_figure(const PaperFigure& figure,
                                 const std::vector<const ReproducedRun*>& runs, int columns);

/// The means of figure.step_runs() as RFC 4180: a row for each step, for each integrator its mean
/// energy and unit-length error.
std::string convergence_csv(const PaperFigure& figure,
                            const std::vector<const ReproducedRun*>& runs);

/// Fitted order of a mean over figure.steps.
struct FittedOrder {
  std::string_view integrator;
  Quantity quantity;
  double order;
  std::optional<double> published;  ///< that of the printed means, where there are two or more
};
/// Of the plots whose errors depend on the step: of a method that keeps the sphere the unit-length
/// error is rounding, and left out.
std::vector<FittedOrder> fitted_orders(const PaperFigure& figure,
                                       const std::vector<const ReproducedRun*>& runs);

/// How large the figures of the paper become, and their lines.
FigurePage paper_page(FigureFormat format);
ui::FigureLook paper_look();

/// A figure of the paper as a list names it: Figures 3.1 to 3.7, in order.
struct PaperEntry {
  std::string_view number, title, preset, note, errata;
};
std::span<const PaperEntry> paper_entries();

/// The run behind a figure, its methods side by side, each step sampled.
Result<Scenario> paper_run(std::size_t entry);
/// Whether the figure is the kinetic energy field.
bool shows_field(std::size_t entry);

/// A figure with the numbers that belong to it.
struct ComputedFigure {
  Figure figure;
  std::vector<ReproductionRow> rows;
  Tally tally;
};
/// Simulates whatever a figure takes, on so many threads, and draws it. `go_on` is asked a few
/// times a second, on the calling thread, with the part that is done; once it says no, the work
/// ends early with nothing.
Result<std::optional<ComputedFigure>> compute_paper_figure(
    std::size_t entry, int threads, const std::function<bool(double part)>& go_on);

}  // namespace twosphere
