// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/field_figure.h"
#include "core/base/file.h"
#include "core/studies/reproduction.h"

namespace twosphere {

/// Makes the contents of the file of a figure, in the look of the paper; errors have the location.
using FigureWriter = std::function<Result<std::string>(const Figure& figure, const FigurePage& page,
                                                       const std::string& location)>;

/// The output folder of `reproduce --out`: the table as reproduce.csv and reproduce.md; for every
/// preset and step PRESET.csv with every row of its runs, and its companion; figure-3.N.svg and
/// .png as in the paper, and figure-3.N.csv for means against the step. Other files in the folder
/// are kept.
class ReproductionFolder {
 public:
  /// Creates the folder if it does not exist, and removes it again if nothing is written. Fails if
  /// the folder is not writable.
  static Result<ReproductionFolder> open(const std::string& path);

  /// Writes the table of `runs`, the figures over the step from `step_runs`, and Figure 3.7 from
  /// `field`, which may be null.
  Result<void> write(const std::vector<ReproducedRun>& runs,
                     const std::vector<ReproducedRun>& step_runs, const FieldFigure* field,
                     const FigureWriter& drawn);

 private:
  /// Created folders, deepest first; the destructor removes the empty ones.
  struct Made {
    std::vector<std::filesystem::path> folders;

    Made() = default;
    Made(Made&&) = default;
    Made& operator=(Made&&) = default;
    ~Made();
  };

  ReproductionFolder(std::filesystem::path path, Made made, AtomicFile table)
      : path_(std::move(path)), made_(std::move(made)), table_(std::move(table)) {}
  Result<void> write_figure(const std::string& stem, const Figure& figure,
                            const FigureWriter& drawn) const;
  Result<void> write_rows(const std::vector<ReproducedRun>& runs) const;
  Result<void> write_figures(const std::vector<ReproducedRun>& runs,
                             const std::vector<ReproducedRun>& step_runs, const FieldFigure* field,
                             const FigureWriter& drawn, std::string& report) const;
  std::string in(const std::string& name) const { return (path_ / name).string(); }

  std::filesystem::path path_;
  Made made_;         // destroyed after the table, so that its folder can be empty
  AtomicFile table_;  // opened first, to check that the folder is writable
};

}  // namespace twosphere
