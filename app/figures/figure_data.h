// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/record/run_view.h"
#include "ui/plot/figure.h"
#include "ui/plot/plot_view.h"

namespace twosphere {

enum class FigureColors {
  own,    ///< the program's, as on light ground
  paper,  ///< those of the 2009 paper's figures
  grey,   ///< lanes told apart by their dashes and greys
};

/// What of the plots goes into a figure, and how.
struct FigureChoice {
  FigureColors colors = FigureColors::own;
  bool whole_run = false;  ///< instead of what is visible
  bool title = true, legend = true, markers = true, changes = true;
  std::set<std::size_t> left_out;  ///< plots that are not wanted, by their place
};

/// The plots as they stand in the interface, of a run. Curves are reduced to the
/// extremes of `columns` equal parts of the time axis where there are many more samples, so that no
/// spike is lost; long portraits to the parts that lead where the curve had not been before.
ui::PlotFigure make_figure(const RunView& run, const ui::VisiblePlots& shown,
                           const FigureChoice& choice, int columns);

/// A plot of whole curves over time, fitted to them.
ui::PlotModel plot_over_time(const ui::PlotSpec& spec, const std::vector<ui::Curve>& stretches,
                             ui::Interval time, int columns);

/// The power spectra in the plots, over the visible stretch of time, as RFC 4180: frequency, then a
/// column for each plot and lane; of several sets of frequencies each before its own columns. An
/// error with the reason if there is none.
Result<std::string> spectra_table(const RunView& run, const ui::VisiblePlots& shown);

/// What each of the plots is called, as over it on the screen.
std::vector<std::string> plot_names(const ui::VisiblePlots& shown);

/// Time and every signal that the plots show, of every lane that is not hidden, over the visible
/// stretch of time.
class VisibleData {
 public:
  /// Of text: what a clipboard should bear [bytes].
  static constexpr std::size_t most_text = std::size_t{64} << 20;

  VisibleData(RunView run, const ui::VisiblePlots& shown);

  std::size_t rows() const { return rows_; }
  /// Values between tabs, headings as in the CSV; a cell is empty where a signal was not kept.
  /// Numbers have the shortest form that reads back to the same double. An error if that would be
  /// more than `most` bytes.
  Result<std::string> text(std::size_t most = most_text) const;

 private:
  struct Column {
    std::string heading;
    std::size_t lane;
    Signal signal;
  };

  RunView run_;
  std::size_t first_ = 0, rows_ = 0;  // samples
  std::vector<Column> columns_;
};

}  // namespace twosphere
