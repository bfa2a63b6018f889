// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/progress.h"
#include "core/base/result.h"
#include "core/base/table_writer.h"
#include "core/color/palette.h"
#include "core/output/csv.h"
#include "core/record/run_view.h"
#include "ui/plot/figure.h"
#include "ui/plot/plot_view.h"

namespace twosphere {

enum class FigureColors {
  own,    ///< those of the program on a light background
  paper,  ///< those of the figures in the 2009 paper
  grey,   ///< lanes distinguished by dashes and grey levels
};

/// Options of a figure of the plots.
struct FigureChoice {
  FigureColors colors = FigureColors::own;
  bool whole_run = false;  ///< instead of what is visible
  bool fitted = false;     ///< axes fit the values in the time range, as they do of the whole run
  bool title = true, legend = true, markers = true, changes = true;
  std::set<std::size_t> left_out;  ///< indices of excluded plots
  Palette palette = Palette::light;
};

/// A figure of the plots shown in the interface. With many samples, curves are reduced to the
/// extremes in `columns` equal parts of the time axis, so that no spike is lost, and long portraits
/// to the parts that reach new cells.
ui::PlotFigure make_figure(const RunView& run, const ui::VisiblePlots& shown,
                           const FigureChoice& choice, int columns);

/// A plot of complete curves over time, with fitted axes.
ui::PlotModel plot_over_time(const ui::PlotSpec& spec, const std::vector<ui::Curve>& stretches,
                             ui::Interval time, int columns);

/// A table as CSV, and its companion.
struct PlotTable {
  std::string text, companion;
};
/// The power spectra in the plots over the visible time range: frequency, then one column per plot
/// and lane; with several sets of frequencies, each precedes its columns. Fails with the reason if
/// there is no spectrum.
Result<PlotTable> spectra_table(const RunView& run, const ui::VisiblePlots& shown);

/// The titles of the plots as on the screen.
std::vector<std::string> plot_names(const ui::VisiblePlots& shown);

/// A table of time and every plotted signal of every visible lane over the visible time range, with
/// the edges of its band where it has one.
class VisibleData {
 public:
  /// Largest size of the text for the clipboard [bytes].
  static constexpr std::size_t max_text = std::size_t{64} << 20;

  VisibleData(RunView run, const ui::VisiblePlots& shown);

  std::size_t rows() const;
  /// Values separated by tabs, with the headings of the CSV; a cell is empty if the signal has no
  /// value at that sample. Numbers have the shortest form that reads back to the same double. Fails
  /// if the text would be longer than `max_bytes` bytes.
  Result<std::string> text(std::size_t max_bytes = max_text) const;
  /// Writes the same as CSV to PATH and its companion to PATH.json, each completely or not at all.
  /// False if it was cancelled; then nothing was written.
  Result<bool> write(const std::string& path, Progress& progress) const;

 private:
  struct Column {
    CsvColumn told;
    std::size_t lane;
    Signal signal;
  };
  /// Passes the header and the rows to `take` until it returns false.
  void each(TableWriter::Form form, const std::function<bool(std::string_view)>& take) const;

  RunView run_;
  Range time_;
  std::vector<IndexRange> parts_;  // samples
  std::vector<Column> columns_;
};

}  // namespace twosphere
