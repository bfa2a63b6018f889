// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/field_figure.h"
#include "core/base/file.h"
#include "core/studies/reproduction.h"

namespace twosphere {

/// What `reproduce --out` leaves in a folder: reproduce.csv and reproduce.md, the table; for every
/// preset and step PRESET.csv with every row of its runs, and its companion; figure-3.N.svg and
/// .png as in the paper, figure-3.N.csv where one shows means against the step. Files of other
/// names stay.
class ReproductionFolder {
 public:
  /// Makes the folder if there is none; one that it made goes again if nothing is written. Fails at
  /// once if it cannot be written.
  static Result<ReproductionFolder> open(const std::string& path);

  /// `runs` is the table, `step_runs` those of the figures over the step, `field` Figure 3.7, null
  /// if it is not wanted. Needs a QGuiApplication.
  Result<void> write(const std::vector<ReproducedRun>& runs,
                     const std::vector<ReproducedRun>& step_runs, const FieldFigure* field);

 private:
  /// Folders that were made, the deepest first: those that are empty in the end are removed.
  struct Made {
    std::vector<std::filesystem::path> folders;

    Made() = default;
    Made(Made&&) = default;
    Made& operator=(Made&&) = default;
    ~Made();
  };

  ReproductionFolder(std::filesystem::path path, Made made, AtomicFile table)
      : path_(std::move(path)), made_(std::move(made)), table_(std::move(table)) {}
  Result<void> write_figure(const std::string& stem, const Figure& figure) const;
  Result<void> write_rows(const std::vector<ReproducedRun>& runs) const;
  Result<void> write_figures(const std::vector<ReproducedRun>& runs,
                             const std::vector<ReproducedRun>& step_runs, const FieldFigure* field,
                             std::string& report) const;
  std::string in(const std::string& name) const { return (path_ / name).string(); }

  std::filesystem::path path_;
  Made made_;         // empty only once the table is gone
  AtomicFile table_;  // open from the start: the folder can be written
};

}  // namespace twosphere
