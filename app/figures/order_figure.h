// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/studies/order_study.h"
#include "ui/plot/figure.h"

namespace twosphere {

/// The work-precision diagram of a study, the error at the end against the number of evaluations of
/// the forces, above the error against the step of the methods that have one, with the measured
/// orders. Errors that are not resolved, and failed runs, are left out.
ui::PlotFigure draw_order_figure(const OrderStudy& study, const OrderStudyResult& result,
                                 const std::string& title);

}  // namespace twosphere
