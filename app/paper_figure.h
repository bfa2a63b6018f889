// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/figure.h"
#include "core/published.h"
#include "core/reproduction.h"

namespace twosphere {

/// A figure of the paper from its runs, in the paper's colours: curves over time from the rows of
/// figure.lanes(), or means against the step from figure.step_runs(), with the fitted orders and
/// the numbers that are printed. Curves over time are reduced to `columns` parts.
PlotFigure draw_paper_figure(const PaperFigure& figure,
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
};
/// Of the plots whose errors depend on the step: of a method that keeps the sphere the unit-length
/// error is rounding, and left out.
std::vector<FittedOrder> fitted_orders(const PaperFigure& figure,
                                       const std::vector<const ReproducedRun*>& runs);

}  // namespace twosphere
